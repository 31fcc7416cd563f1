"""Whether our top-level packages are ours: `agents`, too, is a package that another project installs."""

from collections.abc import Iterator
from importlib.metadata import packages_distributions
from importlib.util import find_spec
from pathlib import Path

from mtr.doctor.finding import Finding, broken, doubtful, fine

TOP_LEVEL = ("graphs", "agents", "mtr")


def examine_names(root: Path) -> Iterator[Finding]:
    """For each top-level package: it is found in `root`, and no other installed distribution carries its name."""
    carriers = packages_distributions()
    for name in TOP_LEVEL:
        others = sorted(set(carriers.get(name, ())) - {"mtr"})
        yield examine_name(name, root / name, _place(name), others)


def examine_name(name: str, ours: Path, found: Path | None, others: list[str]) -> Finding:
    """`others` are distributions, beside MTR's own, that install a package of this name."""
    subject, remove = f"name {name}", f"run `pip uninstall {' '.join(others)}`, then `pip install -e .`"
    if found is None:
        return broken(subject, "not found", "run `pip install -e .`")
    if found.resolve() != ours.resolve():
        owner = f" of {', '.join(others)}" if others else ""
        return broken(
            subject, f"leads to {found}{owner}, not to {ours}", remove if others else "run `pip install -e .`"
        )
    if others:
        return doubtful(subject, f"also installed by {', '.join(others)}, which may come first elsewhere", remove)
    return fine(subject, str(found))


def _place(name: str) -> Path | None:
    """The folder a top-level package is imported from."""
    spec = find_spec(name)
    if spec is None:
        return None
    places = list(spec.submodule_search_locations or ())
    return Path(places[0]) if places else None

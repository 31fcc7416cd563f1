"""Python, the installed packages, and langgraph.json."""

import json
import platform
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, requires, version
from importlib.util import find_spec
from pathlib import Path

from packaging.requirements import Requirement

from mtr.doctor.finding import Finding, broken, doubtful, fine
from mtr.doctor.names import examine_names

OLDEST_PYTHON = (3, 11)
EXTRAS = {"local": "the embedded models", "studio": "`make studio`"}


def examine_installation(root: Path) -> Iterator[Finding]:
    """Everything that the folder `root` and its Python environment decide."""
    yield examine_python(sys.version_info[:2])
    yield from examine_packages()
    yield from examine_names(root)
    yield from examine_graph_file(root)


def examine_python(found: tuple[int, int]) -> Finding:
    """The interpreter's version, as (major, minor)."""
    if found < OLDEST_PYTHON:
        mend = "install Python 3.11 or newer, remove .venv, run `make demo PYTHON=python3.11`"
        return broken("python", f"{found[0]}.{found[1]} is too old", mend)
    return fine("python", f"{platform.python_version()} at {sys.executable}")


def examine_packages() -> Iterator[Finding]:
    """What pyproject.toml asks for against what is installed: the core, then the extras."""
    try:
        asked = [Requirement(text) for text in requires("mtr") or ()]
    except PackageNotFoundError:
        yield broken("packages", "mtr is not installed in this environment", 'run `pip install -e ".[local]"`')
        return
    core = [item for item in asked if item.marker is None or item.marker.evaluate({"extra": ""})]
    faults = [fault for item in core if (fault := _fault(item))]
    if faults:
        yield broken("packages", "; ".join(faults), "run `pip install -e .`")
    else:
        yield fine("packages", ", ".join(f"{item.name} {version(item.name)}" for item in core))
    for extra, purpose in EXTRAS.items():
        mine = [item for item in asked if item not in core and item.marker and item.marker.evaluate({"extra": extra})]
        yield _examine_extra(extra, purpose, mine)


def _examine_extra(extra: str, purpose: str, asked: list[Requirement]) -> Finding:
    faults = [fault for item in asked if (fault := _fault(item))]
    if faults:
        return doubtful(f"extra {extra}", f"{'; '.join(faults)}: no {purpose}", f'run `pip install -e ".[{extra}]"`')
    return fine(f"extra {extra}", ", ".join(f"{item.name} {version(item.name)}" for item in asked))


def _fault(asked: Requirement) -> str | None:
    try:
        found = version(asked.name)
    except PackageNotFoundError:
        return f"{asked.name} is missing"
    return (
        None if asked.specifier.contains(found, prereleases=True) else f"{asked.name} {found} is not {asked.specifier}"
    )


def examine_graph_file(root: Path) -> Iterator[Finding]:
    """Each graph in langgraph.json names a module that exists; nothing when there is no such file."""
    path = root / "langgraph.json"
    if not path.is_file():
        return
    try:
        graphs = {str(name): str(spec) for name, spec in json.loads(path.read_text(encoding="utf-8"))["graphs"].items()}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        yield broken("langgraph.json", f"{path} has no readable table of graphs: {error}", f"run `git checkout {path}`")
        return
    lost = [f"{name} → {spec}" for name, spec in graphs.items() if not _leads_to_a_module(spec)]
    if lost:
        yield broken("langgraph.json", f"no such module: {', '.join(lost)}", f"correct the path in {path}")
    else:
        yield fine("langgraph.json", ", ".join(graphs))


def _leads_to_a_module(spec: str) -> bool:
    module, colon, name = spec.partition(":")
    try:
        return bool(colon and name) and find_spec(module) is not None
    except (ModuleNotFoundError, ValueError):
        return False

"""A new domain from another one, and what a domain changed."""

import difflib
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from mtr.errors import InputError
from mtr.prompts.folders import (
    DOMAIN_FILE,
    MODEL_DOMAIN,
    domain_folder,
    domain_name,
    domains,
    own_root,
    read_text,
    shipped_root,
)


def new_domain(name: str, source: str) -> Path:
    """Copy the folder of `source` whole to a user's own domain `name`; InputError when that name is taken."""
    origin, target = domain_folder(source), own_root() / domain_name(name)
    if name in domains() or target.exists():
        raise InputError(f"there is a {name!r} already; take another name, or edit that one")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=f".{name}.") as waiting:
            ignore = shutil.ignore_patterns(".*", "__pycache__")
            shutil.copytree(origin, Path(waiting) / name, ignore=ignore).rename(target)
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError(f"cannot make {target}: {reason}; choose a folder you may write to") from error
    return target


def diff_domain(domain: str, other: str | None = None) -> str:
    """A unified diff from `other` to `domain`, file by file; empty when they are alike.

    Without `other`: the shipped domain of the same name where the domain is a user's own version of it, else `general`.
    """
    new = domain_folder(domain)
    old = domain_folder(other) if other else _counterpart(domain, new)
    names = sorted({name for folder in (old, new) for name in _files(folder)})
    return "".join(line + "\n" for name in names for line in _diff(old / name, new / name))


def _counterpart(domain: str, folder: Path) -> Path:
    shipped = shipped_root() / domain
    is_own_version = (shipped / DOMAIN_FILE).is_file() and not shipped.samefile(folder)
    return shipped if is_own_version else domain_folder(MODEL_DOMAIN)


def _files(folder: Path) -> Iterator[str]:
    for path in folder.rglob("*"):
        if path.suffix in (".md", ".yaml") and path.is_file():
            yield path.relative_to(folder).as_posix()


def _diff(old: Path, new: Path) -> Iterator[str]:
    before, after = read_text(old), read_text(new)
    return difflib.unified_diff(
        (before or "").splitlines(),
        (after or "").splitlines(),
        "/dev/null" if before is None else str(old),
        "/dev/null" if after is None else str(new),
        lineterm="",
    )

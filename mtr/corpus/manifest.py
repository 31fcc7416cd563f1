"""The manifest of a corpus: how it was made and what is in it, all that `mtr corpus show` states."""

import hashlib
from collections.abc import Iterable
from pathlib import Path

from pydantic import ValidationError

from mtr.corpus.options import CorpusOptions
from mtr.corpus.readers.draft import Skipped
from mtr.errors import InputError
from mtr.records import Record
from mtr.storage import replace_text

LAYOUT = 1
"""Number of the folder's layout; a corpus of another one must be built again."""


class Counts(Record):
    """What was read, left out and kept. Characters and tokens are those of the passages."""

    documents: int
    documents_read: int
    passages: int
    characters: int
    tokens: int
    clusters: int
    languages: dict[str, int]
    encodings: dict[str, int]
    dropped: dict[str, int]
    kept_pairs: int
    skipped: tuple[Skipped, ...]


class BuildRun(Record):
    """What varies from build to build of the same corpus: passages embedded, reused and removed, and the time."""

    embedded: int
    reused: int
    removed: int
    seconds: float


class CorpusManifest(Record):
    """How a corpus was made. `state` is a hash of the passages, to tell a folder whose files do not belong together."""

    layout: int = LAYOUT
    name: str
    sources: tuple[str, ...]
    options: CorpusOptions
    counts: Counts
    collection: str
    dimension: int
    state: str
    run: BuildRun


def state_of(keys: Iterable[str]) -> str:
    """A hash of the row keys, in order: the same for the same passages in the same order."""
    return hashlib.sha256("\n".join(keys).encode()).hexdigest()


def write_manifest(folder: Path, manifest: CorpusManifest) -> None:
    """Written last: a folder without it is no corpus."""
    replace_text(folder / "manifest.json", manifest.model_dump_json(indent=2) + "\n")


def read_manifest(folder: Path) -> CorpusManifest:
    """InputError when it is missing, damaged, or of another layout."""
    path = folder / "manifest.json"
    try:
        manifest = CorpusManifest.model_validate_json(path.read_bytes())
    except FileNotFoundError as error:
        raise InputError(f"no corpus {folder.name!r} here; {_existing(folder.parent)}") from error
    except (OSError, ValidationError) as error:
        raise InputError(f"{path} cannot be read; build {folder.name!r} again with `mtr corpus build`") from error
    if manifest.layout != LAYOUT:
        raise InputError(f"{path} has layout {manifest.layout}, not {LAYOUT}; build {folder.name!r} again")
    return manifest


def corpora(folder: Path) -> list[CorpusManifest]:
    """The manifests of all corpora in a folder of corpora, by name."""
    return [read_manifest(folder / name) for name in _names(folder)]


def _names(folder: Path) -> list[str]:
    return sorted(path.parent.name for path in folder.glob("*/manifest.json") if not path.parent.name.startswith("."))


def _existing(folder: Path) -> str:
    make = "make one with `mtr corpus build PATH... --name NAME` or `mtr corpus build --demo`"
    names = _names(folder)
    return f"there are: {', '.join(names)}; or {make}" if names else make

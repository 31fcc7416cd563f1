"""Which files there are to read under the given paths: sorted, each real file once, with a reason where one is not."""

import os
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from mtr.corpus.readers.draft import Skipped
from mtr.errors import InputError


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file to read, and its path relative to the given folder (its name alone when it was given itself)."""

    path: Path
    relative: Path


@dataclass
class _Walk:
    endings: Collection[str]
    files: list[SourceFile] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    seen: dict[tuple[int, int], Path] = field(default_factory=dict)
    folders: set[tuple[int, int]] = field(default_factory=set)
    unknown: Counter[str] = field(default_factory=Counter)

    def skip(self, path: Path, reason: str) -> None:
        self.skipped.append(Skipped(source=readable(path), reason=reason))


def find_files(paths: Sequence[Path], endings: Collection[str]) -> tuple[list[SourceFile], list[Skipped]]:
    """The files under `paths` with one of `endings`, folders recursively, hidden names inside folders left out."""
    walk = _Walk(endings)
    for path in paths:
        try:
            path.stat()
        except OSError as error:
            raise InputError(f"{readable(path)}: {error.strerror}; give files or folders that can be read") from error
        if path.is_dir():
            walk.unknown.clear()
            _folder(walk, path, path)
            for ending, count in sorted(walk.unknown.items()):
                kind = f"ending {ending}" if ending else "no ending"
                walk.skip(path, f"{count} file{'s' * (count > 1)} with {kind}, which no reader knows")
        elif path.suffix.lower() in endings:
            _file(walk, path, Path(path.name))
        else:
            walk.skip(path, f"no reader knows this ending; known are {', '.join(sorted(endings))}")
    return walk.files, walk.skipped


def _folder(walk: _Walk, root: Path, folder: Path) -> None:
    try:
        status = folder.stat()
        if (status.st_dev, status.st_ino) in walk.folders:
            walk.skip(folder, "a folder that was read already, or a link loop")
            return
        walk.folders.add((status.st_dev, status.st_ino))
        entries = [(path, path.is_dir()) for path in _visible(sorted(folder.iterdir()))]
    except OSError as error:
        walk.skip(folder, f"cannot be read: {error.strerror}")
        return
    for path, is_folder in entries:
        if is_folder:
            _folder(walk, root, path)
        elif path.suffix.lower() in walk.endings:
            _file(walk, path, path.relative_to(root))
        else:
            walk.unknown[path.suffix.lower()] += 1


def _visible(entries: Sequence[Path]) -> Iterator[Path]:
    return (path for path in entries if not path.name.startswith("."))


def _file(walk: _Walk, path: Path, relative: Path) -> None:
    try:
        status = path.stat()
    except OSError as error:
        walk.skip(path, f"{'a link that leads nowhere' if path.is_symlink() else 'cannot be read'}: {error.strerror}")
        return
    if not path.is_file():
        walk.skip(path, "not a regular file")
        return
    key = (status.st_dev, status.st_ino)
    if key in walk.seen:
        walk.skip(path, f"the same file as {readable(walk.seen[key])}")
        return
    walk.seen[key] = path
    walk.files.append(SourceFile(path, relative))


def readable(path: Path) -> str:
    """A path as text that can be written anywhere: bytes of a name that are no UTF-8 become U+FFFD."""
    return os.fsencode(path).decode("utf-8", "replace")

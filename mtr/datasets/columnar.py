"""Rows of Parquet and Arrow files, read with pyarrow where it is installed."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from mtr.datasets.foreign import Foreign, checked
from mtr.errors import InputError

R = TypeVar("R", bound=Foreign)
SUFFIXES = frozenset({".parquet", ".arrow"})


def read_columnar(path: Path, kind: type[R]) -> Iterator[tuple[str, R]]:
    """The rows, each with where it stands: `file[3]`. An .arrow file may be a stream, as `save_to_disk` writes it.

    InputError: pyarrow is not installed, the file is damaged, or a field is wrong.
    """
    place = 0
    for batch in _batches(path):
        for row in batch:
            where = f"{path}[{place}]"
            yield where, checked(row, kind, where)
            place += 1


def _batches(path: Path) -> Iterator[list[dict[str, object]]]:
    try:
        import pyarrow  # noqa: PLC0415 - an optional package
        import pyarrow.parquet  # noqa: PLC0415
    except ImportError as error:
        message = "needs the package pyarrow: run `pip install pyarrow`, or convert the file to JSON lines"
        raise InputError(f"{path}: reading {path.suffix} {message}") from error
    try:
        if path.suffix == ".parquet":
            with pyarrow.parquet.ParquetFile(path) as file:
                yield from (batch.to_pylist() for batch in file.iter_batches(batch_size=1000))
            return
        with pyarrow.memory_map(str(path)) as source:
            yield from (batch.to_pylist() for batch in _record_batches(source, pyarrow))
    except (pyarrow.ArrowInvalid, OSError) as error:
        raise InputError(f"{path}: cannot be read ({error}); fetch the file again") from error


def _record_batches(source: Any, pyarrow: Any) -> Iterable[Any]:
    """The batches of either kind of Arrow file; a stream is tried first."""
    try:
        stream: Iterable[Any] = pyarrow.ipc.open_stream(source)
        return stream
    except pyarrow.ArrowInvalid:
        reader = pyarrow.ipc.open_file(source)
        return (reader.get_batch(place) for place in range(reader.num_record_batches))

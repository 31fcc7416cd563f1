"""Disk, memory and Chroma."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

from mtr.doctor.finding import Finding, broken, doubtful, fine
from mtr.errors import InputError
from mtr.llm.weights import cache_folder
from mtr.retrieval.store import chroma_url, row_counts
from mtr.storage import home

LITTLE_DISK, TOO_LITTLE_DISK = 2 * 2**30, 200 * 2**20
EMBEDDED_MODEL_MEMORY = 3 * 2**30


def examine_machine() -> Iterator[Finding]:
    """The parts of the machine that MTR writes to."""
    yield examine_disk("disk", home())
    yield examine_disk("cache disk", cache_folder())
    yield from _examine_memory()
    yield from examine_chroma()


def examine_disk(subject: str, folder: Path) -> Finding:
    """Whether the disk of a folder, which need not exist yet, can be written to and has room."""
    there = next(place for place in (folder, *folder.parents) if place.exists())
    free = shutil.disk_usage(there).free
    room = f"{free / 2**30:.1f} GiB free for {folder}"
    if not os.access(there, os.W_OK):
        return broken(subject, f"{there} cannot be written to", "set MTR_HOME or XDG_CACHE_HOME to a folder of yours")
    if free < TOO_LITTLE_DISK:
        return broken(subject, room, "free some space, or set MTR_HOME or XDG_CACHE_HOME to another disk")
    if free < LITTLE_DISK:
        return doubtful(subject, room, "free some space before large corpora or `mtr models fetch`")
    return fine(subject, room)


def _examine_memory() -> Iterator[Finding]:
    """Memory that is free or can be freed; nothing where the system does not tell."""
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
        available = next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable"))
    except (OSError, StopIteration):
        return
    room = f"{available / 2**30:.1f} GiB available"
    if available < EMBEDDED_MODEL_MEMORY:
        yield doubtful("memory", f"{room}; the embedded model wants 3 GiB", "close other programs, or use an endpoint")
    else:
        yield fine("memory", room)


def examine_chroma() -> Iterator[Finding]:
    """A passage stored in a new folder is found again; the store in use opens and counts its rows."""
    try:
        import chromadb  # noqa: PLC0415 - takes a second or two
    except ImportError as error:
        yield broken("chroma", f"cannot be imported: {error}", "run `pip install -e .`")
        return
    yield _try_chroma(chromadb)
    url = chroma_url()
    if url is None and not (home() / "chroma").is_dir():
        return
    where = url or str(home() / "chroma")
    try:
        counts = row_counts(url=url)
    except InputError as error:
        mend = (
            "start it with `chroma run`, or unset MTR_CHROMA_URL" if url else f"remove {where}, build the corpora again"
        )
        yield broken("chroma store", f"{where}: {error}", mend)
    else:
        yield fine("chroma store", f"{where}: {len(counts)} collections, {sum(counts.values())} rows")


def _try_chroma(chromadb: ModuleType) -> Finding:
    vectors = [[1.0, 0.0], [0.0, 1.0]]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        try:
            client = chromadb.PersistentClient(folder, chromadb.Settings(anonymized_telemetry=False))
            collection = client.create_collection("doctor", embedding_function=None)
            collection.upsert(ids=["a", "b"], embeddings=vectors)
            found = collection.query(query_embeddings=vectors[1:], n_results=1)["ids"]
        except (chromadb.errors.ChromaError, OSError, RuntimeError, ValueError) as error:
            return broken(
                "chroma", f"{chromadb.__version__} failed: {error}", "run `pip install --force-reinstall chromadb`"
            )
    if found != [["b"]]:
        return broken("chroma", f"{chromadb.__version__} found {found}", "run `pip install --force-reinstall chromadb`")
    return fine("chroma", f"{chromadb.__version__} stores and finds")

"""Vectors of the demo corpus that come with the project, so that nobody waits minutes for what never changes.

`demo_vectors.npz` holds `keys` (n, 32) uint8, the sha256 under which the door keeps a vector (of model, kind, text),
and `vectors` (n, d) float32, as the embedded model gives them. A passage with another text, as of another Python, is
not among the keys and is embedded as any other. `python -m mtr.corpus.demo_vectors` writes the file anew.
"""

import asyncio
from pathlib import Path

import numpy as np

from mtr.llm import current_door, embed
from mtr.llm.vectors import Vectors, vector_key
from mtr.retrieval.searchable import searchable_text
from mtr.settings import DEFAULT_EMBEDDING_MODEL

FILE = Path(__file__).with_suffix(".npz")


def shipped_vectors() -> Vectors:
    """The vectors by key."""
    with np.load(FILE, allow_pickle=False) as arrays:
        keys, vectors = arrays["keys"], np.asarray(arrays["vectors"], dtype=np.float32)
    return {key.tobytes(): vector for key, vector in zip(keys, vectors, strict=True)}


async def keep_shipped_vectors(model: str) -> int:
    """Put the vectors where the door looks for kept ones, unless they are there; how many are new."""
    if model != DEFAULT_EMBEDDING_MODEL:
        return 0
    door = await current_door()
    shipped = await asyncio.to_thread(shipped_vectors)
    known = await door.vectors.find(list(shipped))
    new = {key: vector for key, vector in shipped.items() if key not in known}
    if new:
        await door.vectors.keep(new)
    return len(new)


async def _write() -> None:
    from mtr.corpus.corpus import open_corpus  # noqa: PLC0415 - only for writing the file
    from mtr.llm import open_door  # noqa: PLC0415

    texts = [searchable_text(passage) for passage in open_corpus("demo").passages.values()]
    async with open_door():
        vectors = await embed(texts, model=DEFAULT_EMBEDDING_MODEL, kind="passage")
    keys = [vector_key(DEFAULT_EMBEDDING_MODEL, "passage", text) for text in texts]
    np.savez_compressed(FILE, keys=np.frombuffer(b"".join(keys), np.uint8).reshape(-1, 32), vectors=vectors)


if __name__ == "__main__":
    asyncio.run(_write())

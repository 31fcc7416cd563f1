"""`embed`: texts in, unit vectors out, each text paid for once."""

import asyncio
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from mtr.errors import EndpointError, InputError
from mtr.llm.door import Door, current_door
from mtr.llm.vectors import Vector, Vectors, vector_key
from mtr.settings import Endpoint, split_model
from mtr.spent import EMBEDDING
from mtr.steps import count_done

Kind = Literal["passage", "query"]

TEXTS, CHARACTERS = 64, 100_000


async def embed(texts: Sequence[str], *, model: str, kind: Kind) -> NDArray[np.float32]:
    """Vectors of the texts by `model` (`endpoint/model`): float32, (n, d), rows L2-normalised, in the texts' order.

    `kind` matters to models that tell passages from queries. Equal texts are embedded once, also at the same time.
    Raises as `complete` does, and `InputError` for a blank text.
    """
    blank = next((place for place, text in enumerate(texts) if not text.strip()), None)
    if blank is not None:
        raise InputError(f"text {blank} of {len(texts)} to embed is blank; leave it out")
    if not texts:
        return np.zeros((0, 0), dtype=np.float32)
    door = await current_door()
    work = _Embedding(door, door.settings.endpoint_of(model), model, kind)
    keys = [vector_key(model, kind, text) for text in texts]
    vectors = await work.obtain(dict(zip(keys, texts, strict=True)))
    if len({len(vector) for vector in vectors.values()}) > 1:
        raise EndpointError(f"{model} gives vectors of another length than the ones kept: use another model name")
    return np.stack([vectors[key] for key in keys])


@dataclass(frozen=True, slots=True, eq=False)
class _Embedding:
    """One call of `embed`."""

    door: Door
    endpoint: Endpoint
    model: str
    kind: Kind

    async def obtain(self, texts: Mapping[bytes, str]) -> dict[bytes, Vector]:
        """The vector of each key: kept ones, those already under way, and the rest in chunks."""
        vectors = dict(await self.door.vectors.find(list(texts)))
        missing = {key: text for key, text in texts.items() if key not in vectors}
        if not missing:
            self.door.meter.replayed(self.model, EMBEDDING)
        count_done(len(vectors))
        tasks = [asyncio.create_task(self._land(chunk)) for chunk in self._chunks_for(missing)]
        try:
            for landed in await asyncio.gather(*tasks):
                vectors |= landed
        finally:
            for task in tasks:
                task.cancel()
        return vectors

    def _chunks_for(self, missing: Mapping[bytes, str]) -> list["_Chunk"]:
        """Chunks that hold all missing texts; those of other calls where they are already being embedded."""
        under_way = self.door.flights().chunks
        own = {key: text for key, text in missing.items() if key not in under_way}
        chunks = {id(chunk): chunk for key in missing if (chunk := under_way.get(key)) is not None}
        for part in _parts(own):
            chunk = _Chunk(self, part)
            chunks[id(chunk)] = chunk
            under_way.update(dict.fromkeys(part, chunk))
        return list(chunks.values())

    async def _land(self, chunk: "_Chunk") -> Vectors:
        landed, _ = await self.door.flights().join(chunk, chunk.embed)
        count_done(len(landed))
        return landed

    async def vectors(self, texts: Sequence[str]) -> Vector:
        """The vectors of a few texts, (n, d), paid for now."""
        if self.endpoint.base_url is None:
            return await self._locally(texts)
        connection = await self.door.connection(self.endpoint)
        name, started = split_model(self.model)[1], time.perf_counter()
        async with connection.slot(self.model) as limit:
            found, usage = await connection.vectors(texts, name, limit, self.model)
        self.door.meter.paid(
            self.model, EMBEDDING, usage, time.perf_counter() - started, self.endpoint.prices.get(name)
        )
        return found

    async def _locally(self, texts: Sequence[str]) -> Vector:
        async with self.door.flights().local:
            started = time.perf_counter()
            found = await asyncio.to_thread(_embed_here, self.model, texts, self.kind)
        self.door.meter.paid(self.model, EMBEDDING, None, time.perf_counter() - started, None)
        return found


def _embed_here(model: str, texts: Sequence[str], kind: Kind) -> Vector:
    """The vectors by a model inside this process."""
    from mtr.llm.local import EMBEDDING_MODEL, embed_local  # noqa: PLC0415
    from mtr.llm.sentence_models import ENDPOINT, embed_by_sentence_model  # noqa: PLC0415

    endpoint, name = split_model(model)
    if endpoint == ENDPOINT:
        return embed_by_sentence_model(name, texts, kind)
    if name != EMBEDDING_MODEL:
        raise InputError(f"the embedded embedding model is {endpoint}/{EMBEDDING_MODEL}, not {model}")
    return embed_local(texts, kind)


@dataclass(frozen=True, slots=True, eq=False)
class _Chunk:
    """Texts that are embedded by one request; each chunk is itself only."""

    work: _Embedding
    texts: Mapping[bytes, str]

    async def embed(self) -> Vectors:
        """The unit vectors, kept before they are returned."""
        try:
            rows = await self.work.vectors(list(self.texts.values()))
            unit = rows / np.linalg.norm(rows, axis=1, keepdims=True)
            vectors = dict(zip(self.texts, unit.astype(np.float32), strict=True))
            await self.work.door.vectors.keep(vectors)
        finally:
            under_way = self.work.door.flights().chunks
            for key in self.texts:
                under_way.pop(key, None)
        return vectors


def _parts(texts: Mapping[bytes, str]) -> Iterator[dict[bytes, str]]:
    """The texts in order, in parts of at most `TEXTS` texts and, but for one long text, `CHARACTERS` characters."""
    part: dict[bytes, str] = {}
    size = 0
    for key, text in texts.items():
        if part and (len(part) >= TEXTS or size + len(text) > CHARACTERS):
            yield part
            part, size = {}, 0
        part[key] = text
        size += len(text)
    if part:
        yield part

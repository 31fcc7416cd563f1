"""Retrievers by what a user writes: `bm25`, `dense:MODEL`, `chroma`, `hybrid`, `python:module:name`, `http:URL`."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version

from mtr.errors import InputError
from mtr.llm.local import EMBEDDING_MODEL
from mtr.retrieval.analyzers import ANALYZERS
from mtr.retrieval.chroma_retriever import ChromaRetriever
from mtr.retrieval.dense import DenseRetriever
from mtr.retrieval.http_retriever import HttpRetriever, checked_url
from mtr.retrieval.hybrid import HybridRetriever
from mtr.retrieval.protocols import Retriever
from mtr.retrieval.python_retriever import PythonRetriever, load_object
from mtr.retrieval.sparse import SparseRetriever
from mtr.settings import Settings, split_model

Maker = Callable[[], Retriever]
KINDS = ("bm25[:ANALYZER]", "dense[:MODEL]", "chroma[:MODEL]", "hybrid[:PART+PART…]", "python:MODULE:NAME", "http:URL")
_WEIGHT = re.compile(r"(?P<weight>\d+(?:\.\d+)?)\*(?P<part>.+)")


@dataclass(frozen=True)
class Surroundings:
    """What a retriever depends on apart from its name: settings, and the analyzer that suits the passages."""

    settings: Settings
    analyzer: str


def retriever_maker(spec: str, around: Surroundings) -> Maker:
    """Makes a fresh retriever at each call; whatever is wrong with the spec is an InputError now.

    Parts of a hybrid may carry weights, `hybrid:0.3*bm25+0.7*dense:MODEL`, all of them or none.
    """
    kind, _, rest = spec.partition(":")
    if rest.startswith("//"):
        kind, rest = "http", spec
    if kind not in _MAKERS:
        raise InputError(f"no retriever {spec!r}; there are {', '.join(KINDS)}")
    return _MAKERS[kind](spec, rest, around)


def full_name(spec: str, around: Surroundings) -> str:
    """The spec with all that it leaves open filled in: what decides whether kept results still hold."""
    kind, _, rest = spec.partition(":")
    if kind == "bm25":
        return f"bm25:{ANALYZERS[rest or around.analyzer].version}"
    if kind == "dense":
        return f"dense:{rest or around.settings.model_for('embedding')}"
    if kind == "chroma":
        return f"chroma {version('chromadb')}:{rest or around.settings.model_for('embedding')}"
    if kind == "hybrid":
        parts, weights = _parts_of(spec, rest)
        return f"hybrid:{'+'.join(full_name(part, around) for part in parts)}:{weights or 'rank'}"
    return spec


def _bm25(spec: str, rest: str, around: Surroundings) -> Maker:
    analyzer = ANALYZERS.get(rest or around.analyzer)
    if analyzer is None:
        raise InputError(f"{spec}: no analyzer {rest!r}; there are {', '.join(ANALYZERS)}")
    return lambda: SparseRetriever(spec, analyzer)


def _dense(spec: str, rest: str, around: Surroundings) -> Maker:
    model = _embedding_model(spec, rest, around)
    return lambda: DenseRetriever(spec, model)


def _chroma(spec: str, rest: str, around: Surroundings) -> Maker:
    model = _embedding_model(spec, rest, around)
    return lambda: ChromaRetriever(spec, model)


def _embedding_model(spec: str, rest: str, around: Surroundings) -> str:
    model = rest or around.settings.model_for("embedding")
    endpoint = around.settings.endpoint_of(model)
    endpoint.api_key()
    if endpoint.name == "local" and split_model(model)[1] != EMBEDDING_MODEL:
        raise InputError(f"{spec}: the embedded embedding model is local/{EMBEDDING_MODEL}")
    return model


def _hybrid(spec: str, rest: str, around: Surroundings) -> Maker:
    parts, weights = _parts_of(spec, rest)
    makers = [retriever_maker(part, around) for part in parts]
    return lambda: HybridRetriever(spec, [make() for make in makers], weights)


def _parts_of(spec: str, rest: str) -> tuple[list[str], list[float] | None]:
    parts = (rest or "bm25+dense").split("+")
    weighed = [_WEIGHT.fullmatch(part) for part in parts]
    if len(parts) < 2 or (any(weighed) and not all(weighed)):
        raise InputError(f"{spec}: name two parts or more, joined by +, with a weight each or none: 0.3*bm25+0.7*dense")
    found = [match for match in weighed if match]
    if not found:
        return parts, None
    return [match["part"] for match in found], [float(match["weight"]) for match in found]


def _python(spec: str, rest: str, around: Surroundings) -> Maker:
    load_object(rest)
    return lambda: PythonRetriever(spec, load_object(rest))


def _http(spec: str, rest: str, around: Surroundings) -> Maker:
    checked_url(rest, around.settings.retriever_hosts)
    return lambda: HttpRetriever(spec, rest, around.settings.retriever_hosts)


_MAKERS: dict[str, Callable[[str, str, Surroundings], Maker]] = {
    "bm25": _bm25,
    "dense": _dense,
    "chroma": _chroma,
    "hybrid": _hybrid,
    "python": _python,
    "http": _http,
}

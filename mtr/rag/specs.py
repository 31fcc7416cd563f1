"""Systems by what a user writes: `builtin:ENDPOINT/MODEL`, `http:URL`, `python:MODULE:NAME`, `answers:FILE`."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from mtr.benchmarking.job import analyzer_for
from mtr.benchmarking.options import BenchOptions
from mtr.benchmarking.systems import Agents, Line, line_up
from mtr.datasets.fingerprint import fingerprint
from mtr.datasets.records import AnyTurn, Dataset
from mtr.errors import InputError
from mtr.llm.serving import check_model
from mtr.rag.answers_file import AnswersFile
from mtr.rag.builtin import BuiltinSystem, Write
from mtr.rag.given import KnownPassages
from mtr.rag.http_system import HttpSystem
from mtr.rag.options import RagOptions
from mtr.rag.python_system import PythonSystem
from mtr.rag.ranking import Rankings
from mtr.rag.systems import RagSystem
from mtr.retrieval.specs import Surroundings
from mtr.settings import Price, Settings

KINDS = ("builtin:ENDPOINT/MODEL", "http:URL", "python:MODULE:NAME", "answers:FILE.jsonl")
_NAMED = re.compile(r"(?P<name>[A-Za-z0-9][\w.@+-]*)=(?P<spec>.+)")


class RagAgents(Agents, Protocol):
    """What asks a model, handed in by the command line."""

    def answerer(self, model: str) -> Write:
        """The conversational answerer that asks this model; InputError where it cannot be asked."""

    def answerer_fingerprint(self) -> str:
        """What decides its replies besides the texts: prompt and code, as a hash."""


@dataclass(frozen=True)
class Around:
    """What systems depend on apart from their names. `turns` are those drawn."""

    options: RagOptions
    dataset: Dataset
    turns: Sequence[AnyTurn]
    settings: Settings
    agents: RagAgents


def systems_of(around: Around) -> tuple[RagSystem, ...]:
    """Every system that the options name; InputError for the first that cannot be made. Nothing is called."""
    known = KnownPassages(around.dataset.passages)
    found: list[RagSystem] = []
    for written in around.options.systems:
        match = _NAMED.fullmatch(written)
        name, spec = (match["name"], match["spec"]) if match else ("", written)
        kind, _, rest = spec.partition(":")
        if rest.startswith("//"):
            kind, rest = "http", spec
        if kind not in _MAKERS or not rest:
            raise InputError(f"no system {written!r}; there are {', '.join(KINDS)}, each also as NAME=…")
        found += _MAKERS[kind](name, spec, rest, around, known)
    return tuple(found)


def _http(name: str, spec: str, rest: str, around: Around, known: KnownPassages) -> Iterator[RagSystem]:
    yield HttpSystem(name or spec, rest, known, around.settings.retriever_hosts)


def _python(name: str, spec: str, rest: str, around: Around, known: KnownPassages) -> Iterator[RagSystem]:
    yield PythonSystem(name or spec, rest, known)


def _answers(name: str, spec: str, rest: str, around: Around, known: KnownPassages) -> Iterator[RagSystem]:
    path = Path(rest)
    yield AnswersFile(name or path.stem, path, (turn.query_id for turn in around.dataset.turns), known)


def _builtin(name: str, spec: str, rest: str, around: Around, known: KnownPassages) -> Iterator[RagSystem]:
    """One for each retriever, query strategy and funnel named; the row's name tells them apart where needed."""
    check_model(rest, around.settings)
    line, options = _line(around), around.options
    rows = [one for one in line.systems if bool(one.funnel) == bool(options.rerank)]
    for row in rows:
        label = name or spec
        yield BuiltinSystem(
            label if len(rows) == 1 else f"{label}·{row.name}",
            rest,
            Rankings(row, line, around.dataset, around.turns, max(options.ks)),
            around.agents.answerer(rest),
            price=_price(rest, around.settings),
            made_by=around.agents.answerer_fingerprint(),
        )


def _line(around: Around) -> Line:
    """As of `mtr bench`; neither k nor the sample enter the keys, so that answers are kept when those change."""
    options = around.options
    bench = BenchOptions(
        retrievers=options.retrievers, queries=options.queries, rerank=options.rerank, query_tokens=options.query_tokens
    )
    where = Surroundings(around.settings, analyzer_for(around.dataset))
    return line_up(bench, where, around.agents, fingerprint(around.dataset))


def _price(model: str, settings: Settings) -> Price | None:
    """The embedded model is free."""
    endpoint = settings.endpoint_of(model)
    if endpoint.base_url is None:
        return Price(prompt=0.0)
    return endpoint.prices.get(model.partition("/")[2])


_Maker = Callable[[str, str, str, Around, KnownPassages], Iterator[RagSystem]]
_MAKERS: dict[str, _Maker] = {"http": _http, "python": _python, "answers": _answers, "builtin": _builtin}

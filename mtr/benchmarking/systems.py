"""The systems of a benchmark: a retriever, a query strategy, and the funnel behind them, by their names."""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from typing import Protocol

from mtr.benchmarking.options import BenchOptions
from mtr.errors import InputError
from mtr.retrieval.funnel import Stage
from mtr.retrieval.protocols import QueryStrategy, Reranker
from mtr.retrieval.query_specs import query_strategy
from mtr.retrieval.specs import Maker, Surroundings, full_name, retriever_maker

_STAGE = re.compile(r"(?P<spec>.+?)(?:@(?P<depth>[1-9]\d*))?")
DEPTH = 20
"""Passages a reranker looks at unless the user says otherwise."""


class Agents(Protocol):
    """What asks a model; the command line hands it in."""

    def rewriter(self, name: str, model: str, most: int) -> QueryStrategy:
        """The strategy that has a model write the standalone query, of which the last `most` tokens are kept."""

    def reranker(self, spec: str) -> Reranker:
        """The reranker of this spec; InputError lists those there are."""

    def fingerprint(self, spec: str) -> str:
        """What decides its replies besides the texts: prompts and settings, as a hash; empty for what asks nobody."""


@dataclass(frozen=True)
class Funnel:
    """Rerankers one behind the other, under the name the user wrote; no stage at all is the first stage alone."""

    name: str
    stages: tuple[Stage, ...] = ()


@dataclass(frozen=True)
class System:
    """One row of the table. `name` holds no white space; `key` changes with anything that could change its run."""

    name: str
    retriever: str
    strategy: str
    funnel: str
    key: str


@dataclass(frozen=True)
class Line:
    """What the options name, made: retrievers, strategies and funnels by their specs, and every system."""

    makers: Mapping[str, Maker]
    strategies: Mapping[str, QueryStrategy]
    funnels: Mapping[str, Funnel]
    systems: tuple[System, ...]


def line_up(options: BenchOptions, around: Surroundings, agents: Agents, fingerprint: str) -> Line:
    """Make everything the options name; InputError for the first that cannot be. Nothing is called.

    `fingerprint` is that of the data set.
    """
    makers = {spec: retriever_maker(spec, around) for spec in options.retrievers}
    strategies = {spec: query_strategy(spec, options.query_tokens, agents.rewriter) for spec in options.queries}
    funnels = {name: _funnel(name, agents) for name in ("", *options.rerank)}
    shared = [fingerprint, options.k, options.query_tokens, options.sample, options.seed if options.sample else None]
    systems = []
    for retriever, strategy, funnel in product(makers, strategies, funnels):
        said = [
            full_name(retriever, around),
            strategy,
            agents.fingerprint(strategy),
            funnel,
            agents.fingerprint(funnel),
        ]
        key = hashlib.sha256(json.dumps([shared, said]).encode()).hexdigest()
        name = "·".join(filter(None, (retriever, strategy, funnel)))
        systems.append(System("_".join(name.split()), retriever, strategy, funnel, key))
    return Line(makers, strategies, funnels, tuple(systems))


def first_depth(funnel: str) -> int:
    """How many passages the first stage of a funnel looks at, by the funnel's name."""
    match = _STAGE.fullmatch(funnel.partition("+")[0])
    return int(match["depth"] or DEPTH) if match else DEPTH


def _funnel(name: str, agents: Agents) -> Funnel:
    """`SPEC@DEPTH`, several joined by `+`, each looking at no more passages than the one before."""
    stages = []
    for part in filter(None, name.split("+")):
        match = _STAGE.fullmatch(part)
        if match is None:
            raise InputError(f"--rerank {name}: write SPEC@DEPTH, several joined by +")
        stages.append(Stage(agents.reranker(match["spec"]), int(match["depth"] or DEPTH)))
    depths = [stage.depth for stage in stages]
    if depths != sorted(depths, reverse=True):
        raise InputError(f"--rerank {name}: each stage looks at fewer passages than the one before, or as many")
    return Funnel(name, tuple(stages))

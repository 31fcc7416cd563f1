"""Query strategies by what a user writes: `last_turn`, `history:3`, `rewritten:MODEL`."""

from collections.abc import Callable
from functools import partial

from mtr.errors import InputError
from mtr.retrieval.protocols import QueryStrategy
from mtr.retrieval.queries import TurnStrategy, all_queries, last_turn, standalone, with_history

KINDS = ("last_turn", "history", "history:N", "all_queries", "standalone", "rewritten:MODEL")

Rewriters = Callable[[str, str, int], QueryStrategy]
"""(name, model, most tokens) → the strategy that asks this model; the command line hands it in."""


def query_strategy(spec: str, most_tokens: int, rewriters: Rewriters) -> QueryStrategy:
    """The strategy; what is wrong with the spec is an InputError. Long queries keep their last `most_tokens` tokens."""
    kind, _, rest = spec.partition(":")
    match kind, rest:
        case "last_turn", "":
            return TurnStrategy(spec, partial(last_turn, most=most_tokens))
        case "standalone", "":
            return TurnStrategy(spec, partial(standalone, most=most_tokens))
        case "all_queries", "":
            return TurnStrategy(spec, partial(all_queries, most=most_tokens))
        case "history", "":
            return TurnStrategy(spec, partial(with_history, most=most_tokens))
        case "history", number if number.isdecimal():
            return TurnStrategy(spec, partial(with_history, turns=int(number), most=most_tokens))
        case "rewritten", model if model:
            return rewriters(spec, model, most_tokens)
    raise InputError(f"no query strategy {spec!r}; there are {', '.join(KINDS)}")

"""The parts of a data set that are searched apart: a subset's turns in the passages of that subset."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mtr.datasets.records import AnyPassage, AnyTurn, Dataset
from mtr.errors import InputError
from mtr.seeding import seeded


@dataclass(frozen=True)
class Part:
    """Turns and the passages they are searched for in. `subset` is empty where the whole is one part."""

    subset: str
    passages: Mapping[str, AnyPassage]
    turns: tuple[AnyTurn, ...]


def judged_turns(dataset: Dataset, sample: int | None, seed: int) -> tuple[AnyTurn, ...]:
    """The turns that gold is marked for, or a sample of them drawn by seed, in the set's order.

    InputError: there is none, or there are no passages to search in.
    """
    turns = tuple(turn for turn in dataset.turns if turn.gold)
    if not turns:
        raise InputError(f"{dataset.name} marks no gold, so that nothing can be scored; name another data set")
    if not dataset.passages:
        raise InputError(f"{dataset.name} has no passages to search in; see `mtr datasets lint` for what it lacks")
    if sample is None or sample >= len(turns):
        return turns
    drawn = seeded(seed, "bench", "sample").sample(range(len(turns)), sample)
    return tuple(turns[place] for place in sorted(drawn))


def parts_of(dataset: Dataset, turns: Sequence[AnyTurn]) -> tuple[Part, ...]:
    """A part for each subset where every turn's subset has passages of its own, as published; else one part."""
    theirs = {turn.subset for turn in turns}
    have = {passage.subset for passage in dataset.passages.values()}
    if "" in theirs or not theirs <= have or have == theirs == {next(iter(theirs))}:
        return (Part("", dataset.passages, tuple(turns)),)
    return tuple(
        Part(
            subset,
            {name: passage for name, passage in dataset.passages.items() if passage.subset == subset},
            tuple(turn for turn in turns if turn.subset == subset),
        )
        for subset in sorted(theirs)
    )

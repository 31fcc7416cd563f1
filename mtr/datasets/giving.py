"""What each layout gives, for `mtr datasets list`: a set of a layout may still lack it, which its notes then say."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

Given = Literal["yes", "some", "no"]


class Gives(NamedTuple):
    """Whether sets of a layout have answers, standalone queries, gold and passage texts.

    `yes`: for every turn; `some`: for some turns, or where the files for it lie beside; `no`: never.
    """

    answers: Given
    standalone: Given
    gold: Given
    passages: Given


GIVES: Mapping[str, Gives] = MappingProxyType(
    {
        "own": Gives("yes", "yes", "yes", "yes"),
        "beir": Gives("no", "some", "some", "yes"),
        "mtrag": Gives("some", "some", "some", "yes"),
        "mtrag_un": Gives("yes", "no", "some", "yes"),
        "qrecc": Gives("some", "some", "some", "some"),
        "quac": Gives("yes", "no", "yes", "yes"),
        "doc2dial": Gives("yes", "no", "some", "yes"),
        "topiocqa": Gives("some", "no", "some", "some"),
        "inscit": Gives("yes", "no", "some", "yes"),
        "coral": Gives("yes", "yes", "yes", "yes"),
        "chatrag_bench": Gives("yes", "no", "some", "yes"),
        "mtr_bench": Gives("yes", "no", "yes", "yes"),
        "cast": Gives("some", "some", "some", "some"),
        "converted": Gives("some", "some", "some", "some"),
    }
)

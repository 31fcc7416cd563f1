"""A human study of an audit's items: the same turns that judges get, as a sheet for people."""

from collections.abc import Sequence

from mtr.datasets.records import AnyTurn, Dataset
from mtr.evaluation.marked import Item, Scale

SCALES = {
    "query_evidence_alignment": Scale(low=1, high=5),
    "answer_faithfulness": Scale(low=1, high=5),
    "answer_quality": Scale(low=1, high=5),
}
"""What people are asked, on the judges' own scales; a criterion whose inputs no item has is left out."""


def items_of(dataset: Dataset, turns: Sequence[AnyTurn]) -> tuple[Item, ...]:
    """The turns as rows of a sheet, each with the gold passages that the corpus has a text of."""
    return tuple(
        Item(
            item_id=turn.query_id,
            conversation_id=turn.conversation_id,
            history=turn.history,
            query=turn.query,
            passages=dataset.gold_texts(turn),
            answer=turn.answer or "",
        )
        for turn in turns
    )


def scales_for(items: Sequence[Item]) -> dict[str, Scale]:
    """The criteria that at least one item can be marked by."""
    passages, answers = any(item.passages for item in items), any(item.answer for item in items)
    can = {
        "query_evidence_alignment": passages,
        "answer_faithfulness": passages and answers,
        "answer_quality": answers,
    }
    return {name: scale for name, scale in SCALES.items() if can[name]}

"""An answer before the ensemble: whether it refuses first, where that is not known, then its criteria."""

from collections.abc import Awaitable, Callable, Mapping, Sequence

from mtr.answers import Answered
from mtr.datasets.records import AnyPassage, AnyTurn, Dataset
from mtr.evaluation.rag_turns import REFUSES, refused_of
from mtr.judging.asking import Docket
from mtr.verdicts import JudgedTurn, Unasked

Judge = Callable[[Docket, Sequence[str]], Awaitable[JudgedTurn]]
"""Puts a docket before the ensemble by the criteria of these names; the command line hands it in."""

REFUSED = "the system refused to answer"


def docket_of(dataset: Dataset, turn: AnyTurn, answered: Answered, writers: tuple[str, ...]) -> Docket:
    """The turn with the system's answer in place of the set's own, which is the reference.

    Where the set says that the turn cannot be answered there is no reference.
    """
    answerable = turn.answerable is not False
    known = (turn.answer, *turn.other_answers) if answerable else ()
    return Docket(
        turn=turn.model_copy(update={"answer": answered.answer, "written_by": writers}),
        gold=dataset.gold_texts(turn) if answerable else (),
        retrieved=texts_of(answered, dataset.passages),
        reference=tuple(dict.fromkeys(one.strip() for one in known if one and one.strip())),
    )


def texts_of(answered: Answered, passages: Mapping[str, AnyPassage]) -> tuple[AnyPassage, ...] | None:
    """What was retrieved, with its texts; passages without any are left out. None where the system does not say."""
    if answered.retrieved is None:
        return None
    found: dict[str, AnyPassage] = {}
    for rank, one in enumerate(answered.retrieved, 1):
        held = passages.get(one.passage_id)
        if one.text.strip():
            name = f"{one.passage_id} as retrieved" if held else one.passage_id or f"retrieved {rank}"
            found.setdefault(name, AnyPassage(passage_id=name, text=one.text))
        elif held is not None and held.text.strip():
            found.setdefault(held.passage_id, held)
    return tuple(found.values())


async def judged_answer(docket: Docket, answered: Answered, criteria: Sequence[str], judge: Judge) -> JudgedTurn:
    """What the ensemble says. A refusal, and an answer that is not there, is put before nobody, with the reason.

    Errors are those of `judge`.
    """
    if answered.answer is None:
        return unjudged(docket.turn, criteria, answered.fault)
    first = await judge(docket, (REFUSES,)) if answered.refused is None else unjudged(docket.turn, (), "")
    refused = refused_of(answered, first)
    rest = unjudged(docket.turn, criteria, REFUSED) if refused else await judge(docket, criteria)
    return rest.model_copy(
        update={
            "unasked": (*first.unasked, *rest.unasked),
            "verdicts": (*first.verdicts, *rest.verdicts),
            "tallies": (*first.tallies, *rest.tallies),
        }
    )


def unjudged(turn: AnyTurn, criteria: Sequence[str], reason: str) -> JudgedTurn:
    """A turn that was put before nobody."""
    return JudgedTurn(
        query_id=turn.query_id,
        conversation_id=turn.conversation_id,
        turn=turn.turn,
        query=turn.query,
        move=turn.move,
        subset=turn.subset,
        gold=tuple(gold.passage_id for gold in turn.gold),
        unasked=tuple(Unasked(query_id=turn.query_id, criterion=name, reason=reason) for name in criteria),
    )

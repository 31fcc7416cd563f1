"""MTR's own data-set folder (layout in mtr/datasets/own.py), read strictly and seen as any other data set.

Everything is there: history as typed, answers, gold, evidence, hard negatives, moves. The manifest names the models
that wrote the turns. The tiers of a question set are its subsets. The licence is its maker's affair: None.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path

from mtr.datasets.gathering import Passages, assistant, gather, user
from mtr.datasets.own import query_id
from mtr.datasets.own_reading import read_dataset
from mtr.datasets.records import AnyPassage, AnyTurn, Dataset, Gold, Said
from mtr.records import Conversation, Passage

LAYOUT = "own"
WRITERS = ("user_simulator", "answerer", "contextualizer")
"""The roles whose models write what a judge reads."""


def load(path: Path) -> Dataset:
    """The data set in the folder `path`."""
    own = read_dataset(path)
    passages = Passages()
    for passage in own.passages.values():
        passages.add(any_passage(passage))
    languages = {conversation.language for conversation in own.conversations}
    return gather(
        path,
        LAYOUT,
        passages,
        (
            turn
            for conversation in own.conversations
            for turn in turns_of(conversation, writers_of(own.manifest.models))
        ),
        language=languages.pop() if len(languages) == 1 else None,
    )


def writers_of(models: Mapping[str, str]) -> tuple[str, ...]:
    """The models, by role, that wrote what a judge reads: each once, in the order of the roles."""
    return tuple(dict.fromkeys(models[role] for role in WRITERS if role in models))


def any_passage(passage: Passage) -> AnyPassage:
    """A passage of ours as of any data set."""
    return AnyPassage(
        passage_id=passage.passage_id,
        title=passage.title,
        heading=passage.heading,
        text=passage.text,
        document_id=passage.document_id,
    )


def turns_of(conversation: Conversation, written_by: tuple[str, ...]) -> Iterator[AnyTurn]:
    """The turns of a conversation of ours, each with what was said before it."""
    history: list[Said] = []
    for turn in conversation.turns:
        yield AnyTurn(
            query_id=query_id(conversation.conversation_id, turn.turn),
            conversation_id=conversation.conversation_id,
            turn=turn.turn,
            query=turn.query,
            history=tuple(history),
            standalone_query=turn.standalone_query,
            answer=turn.answer,
            gold=tuple(Gold(passage_id=passage_id) for passage_id in turn.gold),
            evidence=turn.evidence,
            hard_negatives=tuple(candidate.passage_id for candidate in turn.hard_negatives),
            move=turn.move,
            subset=conversation.subset,
            answerable=turn.answerable,
            written_by=written_by,
        )
        history += [user(turn.query), assistant(turn.answer)]

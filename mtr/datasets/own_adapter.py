"""MTR's own data-set folder (layout in mtr/datasets/own.py), read strictly and seen as any other data set.

Everything is there: history as typed, answers, gold, evidence, hard negatives, moves. The manifest names the models
that wrote the turns. There are no subsets. The licence is its maker's affair: None.
"""

from collections.abc import Iterator
from pathlib import Path

from mtr.datasets.gathering import Passages, assistant, gather, user
from mtr.datasets.own import query_id
from mtr.datasets.own_reading import OwnDataset, read_dataset
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
        passages.add(_passage(passage))
    languages = {conversation.language for conversation in own.conversations}
    return gather(
        path,
        LAYOUT,
        passages,
        (turn for conversation in own.conversations for turn in _turns(conversation, _writers(own))),
        language=languages.pop() if len(languages) == 1 else None,
    )


def _writers(own: OwnDataset) -> tuple[str, ...]:
    """The models that wrote, each once, in the order of the roles."""
    models = own.manifest.models
    return tuple(dict.fromkeys(models[role] for role in WRITERS if role in models))


def _passage(passage: Passage) -> AnyPassage:
    return AnyPassage(
        passage_id=passage.passage_id,
        title=passage.title,
        heading=passage.heading,
        text=passage.text,
        document_id=passage.document_id,
    )


def _turns(conversation: Conversation, written_by: tuple[str, ...]) -> Iterator[AnyTurn]:
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
            answerable=True,
            written_by=written_by,
        )
        history += [user(turn.query), assistant(turn.answer)]

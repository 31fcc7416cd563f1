"""mtRAG's retrieval tasks of a data set: the last query, the standalone query or all queries so far, and their qrels.

retrieval_tasks/NAME/NAME_{lastturn,rewrite,questions}.jsonl  {"_id": "CONVERSATION<::>TURN", "text": "|user|: …"}
retrieval_tasks/NAME/qrels/dev.tsv                            query-id, corpus-id, score, under a header
corpora/NAME.jsonl                                            the passages

Like mtRAG's own, they hold the turns with gold only, and each message of the user begins with its speaker.
"""

import re
from collections.abc import Callable, Iterable, Iterator

from mtr.datasets.converted import passage_line
from mtr.datasets.own import QRELS_HEADER
from mtr.datasets.records import AnyTurn, Dataset
from mtr.errors import InputError
from mtr.storage import json_line

SEPARATOR = "<::>"
PREFIX = "|user|: "
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")


def task_id(turn: AnyTurn) -> str:
    """The id of the turn in mtRAG's files."""
    return f"{turn.conversation_id}{SEPARATOR}{turn.turn}"


def task_name(dataset: Dataset) -> str:
    """The data set's name as the beginning of a file's name."""
    return _UNSAFE.sub("-", dataset.name).strip("-.") or "set"


def task_files(dataset: Dataset) -> dict[str, Callable[[], Iterable[str]]]:
    """What each file holds, by its name. InputError: two turns share an id, or no turn has gold."""
    turns = tuple(turn for turn in dataset.turns if turn.gold)
    _check(dataset, turns)
    name = task_name(dataset)
    tasks = f"retrieval_tasks/{name}"
    files: dict[str, Callable[[], Iterable[str]]] = {
        f"corpora/{name}.jsonl": lambda: map(passage_line, dataset.passages.values()),
        f"{tasks}/{name}_lastturn.jsonl": lambda: (_line(turn, [turn.query]) for turn in turns),
        f"{tasks}/{name}_rewrite.jsonl": lambda: _rewrites(turns),
        f"{tasks}/{name}_questions.jsonl": lambda: (_line(turn, _asked(turn)) for turn in turns),
        f"{tasks}/qrels/dev.tsv": lambda: _qrels(turns),
    }
    if all(turn.standalone_query is None for turn in turns):
        del files[f"{tasks}/{name}_rewrite.jsonl"]
    return files


def _check(dataset: Dataset, turns: tuple[AnyTurn, ...]) -> None:
    if not turns:
        raise InputError(
            f"{dataset.name} has no turn with gold, so there is no retrieval task; convert it with --to own"
        )
    seen: dict[str, str] = {}
    for turn in turns:
        other = seen.setdefault(task_id(turn), turn.query_id)
        if other != turn.query_id:
            raise InputError(
                f"queries {other!r} and {turn.query_id!r} are both {task_id(turn)!r}; convert with --to own"
            )
        if SEPARATOR in turn.conversation_id or any(mark in turn.conversation_id for mark in "\t\n\r"):
            raise InputError(
                f"conversation id {turn.conversation_id!r} holds a separator of mtRAG's; convert with --to own"
            )


def _line(turn: AnyTurn, queries: Iterable[str]) -> str:
    return json_line({"_id": task_id(turn), "text": "\n".join(PREFIX + query for query in queries)})


def _asked(turn: AnyTurn) -> list[str]:
    return [*(said.text for said in turn.history if said.speaker == "user"), turn.query]


def _rewrites(turns: Iterable[AnyTurn]) -> Iterator[str]:
    return (_line(turn, [turn.standalone_query]) for turn in turns if turn.standalone_query is not None)


def _qrels(turns: Iterable[AnyTurn]) -> Iterator[str]:
    yield QRELS_HEADER
    for turn in turns:
        for gold in turn.gold:
            yield f"{task_id(turn)}\t{gold.passage_id}\t{gold.grade}\n"

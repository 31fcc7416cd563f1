"""INSCIT: information seeking over Wikipedia with clarifications and several references. Passages CC BY-SA.

*.json  {"<conversation>": {"seedArticle", "turns": [{"context": [query, answer, …, query], "prevEvidence",
        "labels": [{"responseType", "response", "evidence": [{"passage_id", "passage_text", "passage_titles"}]}]}]}}

The last of `context` is the query, the rest the history. Two people answer two thirds of the turns, with different
gold: the first response is the answer, others are other answers, gold is all their evidence together. A response
without evidence says that nothing was found: a turn is unanswerable when all of its responses are such, answerable when
one answers or asks back, and None when all there is is "no answer, but relevant information". The passages are those
that serve as evidence anywhere, also in `prevEvidence`: a closed pool, unless a `corpus.jsonl` lies beside.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated

from pydantic import BeforeValidator, Field

from mtr.datasets.foreign import Foreign, find_file, find_files, need_file, read_json
from mtr.datasets.gathering import Passages, gather, passage_at, read_corpus
from mtr.datasets.records import AnyPassage, AnyTurn, Dataset, Gold
from mtr.datasets.said_before import alternating, answer_of
from mtr.errors import InputError

LAYOUT = "inscit"
LICENCE = "passages of Wikipedia CC BY-SA; the conversations state none"
ANSWERS = frozenset({"directAnswer", "clarification"})
NOTHING = "noAnswerNoRelevantInfo"


def _titles(value: object) -> object:
    return " > ".join(map(str, value)) if isinstance(value, list) else value or ""


class _Evidence(Foreign):
    passage_id: str = Field(min_length=1)
    passage_text: str
    passage_titles: Annotated[str, BeforeValidator(_titles)] = ""


class _Label(Foreign):
    response_type: str = Field(alias="responseType", default="")
    response: str
    evidence: tuple[_Evidence, ...] = ()

    def says_nothing(self) -> bool:
        """Whether this person found no answer and nothing near one."""
        return self.response_type == NOTHING or (not self.evidence and self.response_type not in ANSWERS)


class _Turn(Foreign):
    context: tuple[str, ...] = Field(min_length=1)
    previous: object = Field(alias="prevEvidence", default=None)
    labels: tuple[_Label, ...] = ()


class _Conversation(Foreign):
    turns: tuple[_Turn, ...]


def load(path: Path) -> Dataset:
    """The data set in the file `path`, or in all JSON files of the folder `path`."""
    folder = path.parent if path.is_file() else path
    files = [path] if path.is_file() else find_files(path, "*.json") or [need_file(path, "*.json")]
    passages = Passages()
    corpus = find_file(folder, "corpus.jsonl")
    if corpus:
        read_corpus(corpus, passages)
    pool = Passages() if corpus else passages
    kinds = Counter[str]()
    turns = [
        turn
        for file in files
        for name, conversation in read_json(file, dict[str, _Conversation]).items()
        for turn in _turns(file, name, conversation, kinds, pool)
    ]
    notes = [f"responses: {', '.join(f'{kind} {n}' for kind, n in sorted(kinds.items()))}"]
    if not corpus:
        notes.append("no corpus beside: the passages are those that are evidence of some turn")
    several = sum(bool(turn.other_answers) for turn in turns)
    notes.append(f"{several} of {len(turns)} turns have more than one reference answer")
    return gather(path, LAYOUT, passages, turns, notes=notes, repeats=True, licence=LICENCE, language="en")


def _turns(
    file: Path, name: str, conversation: _Conversation, kinds: Counter[str], pool: Passages
) -> Iterator[AnyTurn]:
    for place, turn in enumerate(conversation.turns, 1):
        where = f"{file}: {name}.turns.{place - 1}"
        if len(turn.context) % 2 == 0:
            message = "an odd number ends with the query, mend the file"
            raise InputError(f"{where}.context: {len(turn.context)} texts; {message}")
        for passage in (*_passages(turn), *_previous(turn.previous, f"{where}.prevEvidence")):
            pool.add(passage)
        kinds.update(label.response_type or "unnamed" for label in turn.labels)
        yield _turn(name, place, turn)


def _passages(turn: _Turn) -> Iterator[AnyPassage]:
    for label in turn.labels:
        for one in label.evidence:
            yield AnyPassage(passage_id=one.passage_id, title=one.passage_titles, text=one.passage_text)


def _previous(value: object, where: str) -> Iterator[AnyPassage]:
    """The evidence of earlier turns, nested a list per turn deep, or not."""
    if isinstance(value, list):
        for one in value:
            yield from _previous(one, where)
    elif isinstance(value, Mapping) and "passage_text" in value:
        title, text = _titles(value.get("passage_titles")), value["passage_text"]
        yield passage_at(where, passage_id=value.get("passage_id"), text=text, title=title)


def _turn(name: str, place: int, turn: _Turn) -> AnyTurn:
    answers = [text for text in (answer_of(label.response) for label in turn.labels) if text is not None]
    gold = dict.fromkeys(one.passage_id for label in turn.labels for one in label.evidence)
    return AnyTurn(
        query_id=f"{name}_{place}",
        conversation_id=name,
        turn=place,
        query=turn.context[-1],
        history=alternating(turn.context[:-1]),
        answer=answers[0] if answers else None,
        other_answers=tuple(dict.fromkeys(text for text in answers[1:] if text != answers[0])),
        gold=tuple(Gold(passage_id=passage_id) for passage_id in gold),
        answerable=_answerable(turn.labels),
    )


def _answerable(labels: tuple[_Label, ...]) -> bool | None:
    if any(label.response_type in ANSWERS for label in labels):
        return True
    return False if labels and all(label.says_nothing() for label in labels) else None

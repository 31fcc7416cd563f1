"""TREC CAsT 2019 to 2022: topics with turns, judged in depth. Topics MIT; the collections have terms of their own.

*topics*.json  a list: {"number", "title", "turn": [{"number", "raw_utterance", "manual_rewritten_utterance",
               "passage" (2021: the canonical answer)}]}; 2022: "utterance", "response", and in the tree
               {"number": "1-2", "parent": "1-1", "participant": "User" or "System"}
*resolved*.tsv 2019: the standalone queries, `<topic>_<turn>` and text
*qrel*         TREC qrels, graded 0 to 4; 0 is judged and no gold

The path is a topics file or its folder, where the fullest topics file is taken (manual before automatic, tree before
flattened). Query ids are `<topic>_<number>`, as in the qrels. 2019 has no answers; later years have one for most turns.
In 2022 a topic is a tree: the history of a turn is the path to it, `turn` its depth, and turns on different paths may
have the same number; the flattened file repeats the shared turns, which count once. Most topics of 2019 are not judged
at all. Passages come from a `corpus.jsonl` beside, or there are none.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path

from pydantic import Field

from mtr.datasets.foreign import Foreign, find_file, find_files, need_file, read_json, text_lines
from mtr.datasets.gathering import Passages, assistant, gather, read_corpus, user
from mtr.datasets.judgements import Judgements, read_judgements
from mtr.datasets.records import AnyTurn, Dataset, Said
from mtr.datasets.said_before import answer_of
from mtr.errors import InputError

LAYOUT = "cast"
LICENCE = "MIT (topics)"
TOPICS = (
    "*manual*topics*.json",
    "*topics_tree*.json",
    "*annotated*topics*.json",
    "*evaluation_topics_v*.json",
    "*topics*.json",
)


class _Turn(Foreign):
    number: str = Field(min_length=1)
    raw_utterance: str | None = None
    utterance: str | None = None
    rewrite: str | None = Field(alias="manual_rewritten_utterance", default=None)
    passage: str | None = None
    response: str | None = None
    parent: str | None = None
    participant: str = "User"

    def query(self) -> str | None:
        """What the user said, None in a turn of the system's."""
        return None if self.participant == "System" else self.raw_utterance or self.utterance or ""

    def answer(self) -> str | None:
        """What the assistant said."""
        return answer_of(self.response or self.passage)


class _Topic(Foreign):
    number: str = Field(min_length=1)
    turn: tuple[_Turn, ...]


def load(path: Path) -> Dataset:
    """The data set in the folder `path`, or of the topics file `path`."""
    folder = path.parent if path.is_file() else path
    file = path if path.is_file() else need_file(folder, *TOPICS)
    qrels = [one for one in find_files(folder, "*qrel*") if one.is_file()]
    judgements = read_judgements(*qrels)
    resolved = find_file(folder, "*resolved*.tsv")
    standalone = _read_resolved(resolved) if resolved else {}
    corpus = find_file(folder, "corpus.jsonl")
    passages = Passages()
    if corpus:
        read_corpus(corpus, passages)
    turns = [turn for topic in read_json(file, list[_Topic]) for turn in _turns(file, topic, judgements, standalone)]
    unjudged = len({turn.query_id for turn in turns} - judgements.judged.keys())
    notes = [f"topics: {file.name}"]
    if not qrels:
        notes.append(f"no gold: {folder}/*qrel* is not there")
    elif unjudged:
        notes.append(f"{unjudged} turns are not judged at all")
    if not corpus:
        notes.append(f"no passages: {folder}/corpus.jsonl is not there, so no texts")
    notes += judgements.notes()
    return gather(path, LAYOUT, passages, turns, notes=notes, licence=LICENCE, language="en")


def _read_resolved(file: Path) -> dict[str, str]:
    found: dict[str, str] = {}
    for number, line in text_lines(file):
        name, tab, text = line.partition("\t")
        if not tab:
            raise InputError(f"{file}:{number}: no tab; a line has a query id and the standalone query")
        found.setdefault(name.strip(), text.strip())
    return found


def _turns(file: Path, topic: _Topic, judgements: Judgements, standalone: Mapping[str, str]) -> Iterator[AnyTurn]:
    places = {turn.number: turn for turn in topic.turn}
    tree = any(turn.parent for turn in topic.turn)
    for place, turn in enumerate(topic.turn):
        query = turn.query()
        if query is None:
            continue
        before = _path(file, topic, turn, places) if tree else topic.turn[:place]
        replies = [one.answer() for one in topic.turn if one.parent == turn.number and one.query() is None]
        answers = [text for text in (turn.answer(), *replies) if text]
        name = f"{topic.number}_{turn.number}"
        yield AnyTurn(
            query_id=name,
            conversation_id=topic.number,
            turn=1 + sum(one.query() is not None for one in before),
            query=query,
            history=tuple(said for one in before for said in _said(one)),
            standalone_query=turn.rewrite or standalone.get(name),
            answer=answers[0] if answers else None,
            other_answers=tuple(answers[1:]),
            gold=judgements.of(name),
        )


def _path(file: Path, topic: _Topic, turn: _Turn, places: Mapping[str, _Turn]) -> tuple[_Turn, ...]:
    """The turns above one in the tree, the first one first."""
    above: list[_Turn] = []
    while turn.parent is not None:
        if turn.parent not in places or places[turn.parent] in above:
            where = f"{file}: topic {topic.number}, turn {turn.number}"
            raise InputError(f"{where}: parent: {turn.parent!r} is no turn above it; mend the tree")
        turn = places[turn.parent]
        above.append(turn)
    return tuple(reversed(above))


def _said(turn: _Turn) -> Iterator[Said]:
    query = turn.query()
    if query is not None:
        yield user(query)
    answer = turn.answer()
    if answer is not None:
        yield assistant(answer)

"""BEIR folders, the layout most retrieval sets are published in. Each set has a licence of its own: None.

corpus.jsonl   {"_id", "title", "text", …}
queries.jsonl  {"_id", "text", …}
qrels/*.tsv    query-id, corpus-id, score, under a header

One file of qrels is a split, and `test` is the one that scores are published for: it is read where it is there, then
`dev`, then the first by name; the path of a qrels file names another. Queries that only other splits judge are left
out; queries that none judges stay, without gold. An id `<conversation>::<turn>` makes turns of queries: the queries
before are its history. Answers and the assistant's part of the history do not exist in BEIR. A
`standalone_queries.jsonl` beside, as MTR writes it, is read. In some sets (ArguAna) queries are passages too: BEIR
drops a passage that has the query's own id, so it is no gold here either.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path

from pydantic import Field

from mtr.datasets.foreign import Foreign, find_file, find_files, need_file, read_lines, stem
from mtr.datasets.gathering import Passages, gather, read_corpus, user
from mtr.datasets.judgements import Judgements, read_judgements
from mtr.datasets.query_ids import split_query_id
from mtr.datasets.records import AnyTurn, Dataset
from mtr.errors import InputError

LAYOUT = "beir"
SPLITS = ("test.tsv", "dev.tsv", "*.tsv")


class _Query(Foreign):
    query_id: str = Field(alias="_id", min_length=1)
    text: str


def load(path: Path) -> Dataset:
    """The data set in the folder `path`, or that of one of its qrels files."""
    folder = path.parent.parent if path.is_file() else path
    chosen = path if path.is_file() else _split(folder)
    passages = Passages()
    read_corpus(need_file(folder, "corpus.jsonl"), passages)
    queries, repeated = _read_queries(need_file(folder, "queries.jsonl"))
    rewrites = find_file(folder, "standalone_queries.jsonl")
    standalone = _read_queries(rewrites)[0] if rewrites else {}
    judgements = read_judgements(chosen)
    others = [file for file in find_files(chosen.parent, "*.tsv") if file != chosen]
    elsewhere = read_judgements(*others).judged.keys() - judgements.judged.keys()
    kept = {query_id: text for query_id, text in queries.items() if query_id not in elsewhere}
    notes = _notes(queries, kept, judgements, passages, chosen, repeated)
    turns = _turns(kept, queries, standalone, judgements)
    return gather(folder, LAYOUT, passages, turns, notes=tuple(notes))


def _split(folder: Path) -> Path:
    chosen = find_file(folder / "qrels", *SPLITS)
    if chosen is None:
        raise InputError(f"{folder}/qrels has no .tsv file; BEIR keeps its qrels there")
    return chosen


def _read_queries(path: Path) -> tuple[dict[str, str], int]:
    """Texts by id, and how many lines have an id that stood before; the first is kept."""
    texts: dict[str, str] = {}
    lines = 0
    for _, line in read_lines(path, _Query):
        lines += 1
        texts.setdefault(line.query_id, line.text)
    return texts, lines - len(texts)


def _turns(
    kept: Mapping[str, str], queries: Mapping[str, str], standalone: Mapping[str, str], judgements: Judgements
) -> Iterator[AnyTurn]:
    conversations: dict[str, list[tuple[int, str]]] = {}
    for query_id, text in queries.items():
        conversation_id, turn = split_query_id(query_id)
        conversations.setdefault(conversation_id, []).append((turn, text))
    for query_id, text in kept.items():
        conversation_id, turn = split_query_id(query_id)
        before = sorted(one for one in conversations[conversation_id] if one[0] < turn)
        yield AnyTurn(
            query_id=query_id,
            conversation_id=conversation_id,
            turn=turn,
            query=text,
            history=tuple(user(text) for _, text in before),
            standalone_query=standalone.get(query_id),
            gold=tuple(gold for gold in judgements.of(query_id) if gold.passage_id != query_id),
        )


def _notes(
    queries: Mapping[str, str],
    kept: Mapping[str, str],
    judgements: Judgements,
    passages: Passages,
    chosen: Path,
    repeated: int,
) -> Iterator[str]:
    yield f"the split is {stem(chosen)}"
    if len(kept) < len(queries):
        yield f"{len(queries) - len(kept)} of {len(queries)} queries are judged in other splits only; they are left out"
    if repeated:
        yield f"{repeated} lines of queries.jsonl have the id of another one; the first is kept"
    lost = len(judgements.judged.keys() - queries.keys())
    if lost:
        yield f"{lost} judged queries are not in queries.jsonl; they are left out"
    also = len(queries.keys() & passages.found.keys())
    if also:
        yield f"{also} queries have the id of a passage; that passage is no gold of theirs, and no answer in a run"
    if any(split_query_id(query_id)[1] > 1 for query_id in queries):
        yield "histories hold the queries only: the layout has no answers"
    yield from judgements.notes()

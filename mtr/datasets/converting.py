"""Writes any data set as files that others read: our BEIR layout with its turns, or mtRAG's retrieval tasks."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from mtr.datasets.card import card
from mtr.datasets.converted import MARK, ConvertedNote, Target, passage_line, read_note
from mtr.datasets.mtrag_tasks import task_files
from mtr.datasets.own import QRELS_HEADER
from mtr.datasets.records import AnyTurn, Dataset
from mtr.datasets.staging import is_staged, write_staged
from mtr.errors import InputError
from mtr.storage import check_can_be_made, json_line, replace_lines

Lines = Callable[[], Iterable[str]]
CARD = "README.md"
_BREAKS = "\t\n\r"


def convert(dataset: Dataset, folder: Path, *, to: Target = "own", command: str = "") -> ConvertedNote:
    """Write the data set and its card; the same data set and command give the same bytes.

    InputError: an id cannot stand in such a file, or `folder` holds what no conversion wrote.
    """
    old = _written_before(folder)
    _check_ids(dataset)
    files = task_files(dataset) if to == "mtrag" else _own_files(dataset)
    note = ConvertedNote(
        written_as=to,
        name=dataset.name,
        layout=dataset.layout,
        language=dataset.language,
        licence=dataset.licence,
        notes=dataset.notes,
        command=command,
        files=(*files, CARD, MARK),
    )
    _write(folder, files, dataset, note)
    for name in set(old) - set(note.files):
        (folder / name).unlink(missing_ok=True)
    return note


def _write(folder: Path, files: Mapping[str, Lines], dataset: Dataset, note: ConvertedNote) -> None:
    def fill(stage: Path) -> None:
        for name, lines in files.items():
            replace_lines(stage / name, lines())
        replace_lines(stage / CARD, [card(dataset, note)])
        replace_lines(stage / MARK, [note.model_dump_json(indent=2) + "\n"])

    write_staged(folder, note.files, fill)


def _written_before(folder: Path) -> tuple[str, ...]:
    """The files of an earlier conversion; InputError when the folder holds something else."""
    check_can_be_made(folder, "the data set")
    if not folder.exists() or not any(folder.iterdir()):
        return ()
    if is_staged(folder) and not (folder / MARK).exists():
        return ()
    try:
        return read_note(folder).files
    except InputError as error:
        message = f"{folder} is not empty and no conversion wrote it; name another folder with --out, or empty this one"
        raise InputError(message) from error


def _check_ids(dataset: Dataset) -> None:
    seen: set[str] = set()
    for turn in dataset.turns:
        if turn.query_id in seen:
            raise InputError(
                f"query {turn.query_id!r} stands twice; `mtr datasets lint` names each place, mend it first"
            )
        seen.add(turn.query_id)
    gold = (one.passage_id for turn in dataset.turns for one in turn.gold)
    for kind, names in (("query", seen), ("passage", dataset.passages), ("gold passage", gold)):
        for name in names:
            if any(mark in name for mark in _BREAKS):
                raise InputError(f"the id of {kind} {name!r} holds a tab or a line end; qrels cannot: rename it")


def _own_files(dataset: Dataset) -> dict[str, Lines]:
    files: dict[str, Lines] = {
        "corpus.jsonl": lambda: map(passage_line, dataset.passages.values()),
        "queries.jsonl": lambda: (_query_line(turn, turn.query) for turn in dataset.turns),
        "standalone_queries.jsonl": lambda: _standalone_lines(dataset.turns),
        "qrels/test.tsv": lambda: _qrels_lines(dataset.turns),
        "turns.jsonl": lambda: (json_line(turn.model_dump(mode="json")) for turn in dataset.turns),
    }
    if all(turn.standalone_query is None for turn in dataset.turns):
        del files["standalone_queries.jsonl"]
    return files


def _query_line(turn: AnyTurn, text: str) -> str:
    return json_line({"_id": turn.query_id, "text": text})


def _standalone_lines(turns: Iterable[AnyTurn]) -> Iterator[str]:
    return (_query_line(turn, turn.standalone_query) for turn in turns if turn.standalone_query is not None)


def _qrels_lines(turns: Iterable[AnyTurn]) -> Iterator[str]:
    yield QRELS_HEADER
    for turn in turns:
        for gold in turn.gold:
            yield f"{turn.query_id}\t{gold.passage_id}\t{gold.grade}\n"

"""Which layout a path has, where its files leave no doubt."""

from collections.abc import Callable, Mapping
from pathlib import Path

from mtr.datasets.columnar import SUFFIXES
from mtr.datasets.converted import is_converted
from mtr.datasets.foreign import find_file, find_files, peek

Fields = Mapping[str, object]
PATTERNS = ("*.json", "*.jsonl")


def recognise(path: Path) -> str | None:
    """The name of the layout, None when it could be none or several. Nothing but files and fields is looked at.

    Of all layouts only the published MTR-Bench comes in columns.
    """
    if path.is_dir():
        named = _of_folder(path)
        if named is not None:
            return named
    if path.suffix in SUFFIXES:
        return "mtr_bench"
    files = [path] if path.is_file() else [file for pattern in PATTERNS for file in find_files(path, pattern)]
    found = {layout for file in files for layout in _of_content(peek(file))}
    return found.pop() if len(found) == 1 else None


def _of_folder(folder: Path) -> str | None:
    """By the names of files, for the layouts that are folders."""
    if (folder / "manifest.json").is_file() and (folder / "conversations.jsonl").is_file():
        return "own"
    if is_converted(folder):
        return "converted"
    if (folder / "retrieval_tasks").is_dir() or find_file(folder, f"{folder.resolve().name}_lastturn.jsonl"):
        return "mtrag"
    if find_file(folder, "corpus.jsonl") and find_file(folder, "queries.jsonl") and (folder / "qrels").is_dir():
        return "beir"
    if any(find_files(folder, f"*{suffix}") for suffix in SUFFIXES):
        return "mtr_bench"
    return None


def _of_content(value: object) -> list[str]:
    """All layouts that have such an object, or a list of such objects."""
    first = value[0] if isinstance(value, list) and value else value
    if not isinstance(first, Mapping):
        return []
    return [layout for layout, fits in _MARKS.items() if fits(first)]


def _has(*names: str) -> Callable[[Fields], bool]:
    return lambda row: all(name in row for name in names)


def _inside(row: Fields, *names: str) -> Fields:
    """The first object at the end of a path of fields that hold lists; an empty one where the path breaks off."""
    for name in names:
        below = row.get(name)
        first = below[0] if isinstance(below, list) and below else below
        if not isinstance(first, Mapping):
            return {}
        row = first
    return row


def _is_quac(row: Fields) -> bool:
    """Squad has the same outline; only QuAC's questions say `followup` and `yesno`."""
    return _has("followup", "yesno")(_inside(row, "data", "paragraphs", "qas"))


def _is_qrecc(row: Fields) -> bool:
    own = ("Truth_answer", "Truth_passages", "Truth_rewrite", "Rewrite")
    return _has("Conversation_no", "Turn_no")(row) and any(name in row for name in own)


def _is_topiocqa(row: Fields) -> bool:
    return _has("Conversation_no", "Turn_no")(row) and ("Topic" in row or "Rationale" in row)


def _is_inscit(row: Fields) -> bool:
    first = next(iter(row.values()), None)
    return isinstance(first, Mapping) and "seedArticle" in first and "turns" in first


def _is_coral(row: Fields) -> bool:
    return "conv_id" in row and "golden_docs_pids" in _inside(row, "turns")


def _is_doc2dial(row: Fields) -> bool:
    return any(name in row for name in ("dial_data", "doc_data", "dial_id"))


def _is_chatrag_bench(row: Fields) -> bool:
    return _has("messages", "answers", "ctxs")(row) and "ground_truth_document_idx" not in row


def _is_cast(row: Fields) -> bool:
    turn = _inside(row, "turn")
    return "number" in row and "number" in turn and ("raw_utterance" in turn or "utterance" in turn)


_MARKS: Mapping[str, Callable[[Fields], bool]] = {
    "mtrag_un": _has("task_id", "input", "targets", "answerability"),
    "qrecc": _is_qrecc,
    "quac": _is_quac,
    "doc2dial": _is_doc2dial,
    "topiocqa": _is_topiocqa,
    "inscit": _is_inscit,
    "coral": _is_coral,
    "chatrag_bench": _is_chatrag_bench,
    "mtr_bench": _has("messages", "ground_truth_document_idx"),
    "cast": _is_cast,
}

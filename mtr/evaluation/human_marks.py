"""Answers that people have marked, from anyone's file: the layouts by name, and which one a file has.

Your own marks come as one of
- CSV: the columns of `mtr.evaluation.people` (item_id, query, `<criterion> (<low>-<high>)` …); a row for each item, or
  for each item and `person`;
- JSON lines: a `MarkedAnswer` a line: item_id, conversation_id, history [{speaker, text}], query, passages
  [{passage_id, title, text}], answer, marks {criterion: [number or null, …]}, scales {criterion: {low, high}}.
"""

from collections.abc import Callable, Mapping
from pathlib import Path

from mtr.datasets.foreign import peek, read_rows, text_lines
from mtr.errors import InputError
from mtr.evaluation.faithdial_marks import load_faithdial
from mtr.evaluation.marked import MarkedAnswer
from mtr.evaluation.mtrag_marks import load_mtrag
from mtr.evaluation.people_reading import read_people_sheets
from mtr.storage import home


def load_own(path: Path) -> tuple[MarkedAnswer, ...]:
    """Marks in one of our own two layouts; JSON, also as one list, where the file begins as JSON does."""
    if isinstance(peek(path), dict | list):
        return tuple(answer for _, answer in read_rows(path, MarkedAnswer))
    return read_people_sheets([path])


LAYOUTS: Mapping[str, Callable[[Path], tuple[MarkedAnswer, ...]]] = {
    "mtrag": load_mtrag,
    "faithdial": load_faithdial,
    "own": load_own,
}


PUBLISHED: Mapping[str, tuple[str, str]] = {
    "mtrag": ("human_evaluations", "the mt-rag-benchmark repository of IBM"),
    "faithdial": ("gold_wow.csv", "FaithDial's repository, audit of the benchmarks"),
}
"""Published marks by name: how their file's name begins, and where to get it."""


def find_labels(labels: str) -> tuple[Path, str | None]:
    """The file that is meant, and its layout where the name says it: a path, or a name of `PUBLISHED`.

    A published file is looked for in the current folder, then in `labels/` of MTR's home; InputError for neither.
    """
    if labels not in PUBLISHED or Path(labels).exists():
        return Path(labels), None
    begins, source = PUBLISHED[labels]
    folders = [Path(), home() / "labels"]
    files = [path for folder in folders for path in sorted(folder.glob(f"{begins}*")) if path.is_file()]
    if not files:
        raise InputError(
            f"the marks of {labels} are a file that begins with {begins}, and neither this folder nor {folders[1]} "
            f"has it; get it from {source}, or give its path"
        )
    return files[0], labels


def load_marks(path: Path, layout: str | None = None) -> tuple[MarkedAnswer, ...]:
    """The marked answers of a file, at least one; its layout is recognised where it is not named.

    InputError names file, line and field of the first thing wrong, or lists the layouts.
    """
    name = layout or recognise(path)
    if name not in LAYOUTS:
        raise InputError(f"{name!r} is no layout of marks; choose one of {', '.join(LAYOUTS)}")
    answers = LAYOUTS[name](path)
    if not answers:
        raise InputError(f"{path} holds no marked answer; name another file")
    ids = [answer.item_id for answer in answers]
    if len(set(ids)) < len(ids):
        twice = next(one for place, one in enumerate(ids) if one in ids[:place])
        raise InputError(f"{path}: item {twice!r} stands twice; item ids are unique")
    return answers


def recognise(path: Path) -> str:
    """The layout by the first line: mtRAG's has `human`, FaithDial's a column BEGIN, any other is our own."""
    first = peek(path)
    if isinstance(first, dict | list):
        return "mtrag" if "human" in first else "own"
    header = next((line for _, line in text_lines(path)), "")
    return "faithdial" if "BEGIN" in header.split(",") else "own"

"""Which files of a layout are rows, so that lint can read them a second time and name lines."""

from pathlib import Path

from mtr.datasets.converted import is_converted
from mtr.datasets.foreign import find_file, find_files
from mtr.datasets.lint.material import Material
from mtr.datasets.lint.reading import add_passages, add_qrels, add_queries
from mtr.datasets.mtrag_adapter import POOLS, TASKS
from mtr.datasets.mtrag_tasks import PREFIX

_BEIR_LIKE = ("own", "beir", "converted")


def raw_layout(path: Path, layout: str | None) -> str | None:
    """`beir` or `mtrag` where the files of `layout` are rows, None where they are not or do not say what they are."""
    if is_converted(path) or layout in _BEIR_LIKE:
        return "beir"
    return "mtrag" if layout == "mtrag" else None


def add_rows(material: Material, path: Path, raw: str) -> None:
    """The rows of every file of the layout `raw`, as `raw_layout` names it."""
    if raw == "mtrag":
        for folder in _subsets(path):
            _add_subset(material, folder, path if (path / TASKS).is_dir() else path.parent.parent)
        return
    folder = path.parent.parent if path.is_file() else path
    if corpus := find_file(folder, "corpus.jsonl"):
        add_passages(material, corpus)
    for name, part in (("queries.jsonl", "query"), ("standalone_queries.jsonl", "standalone query")):
        if queries := find_file(folder, name):
            add_queries(material, queries, part)
    for qrels in [path] if path.is_file() else find_files(folder / "qrels", "*.tsv"):
        add_qrels(material, qrels)


def _subsets(path: Path) -> list[Path]:
    tasks = path / TASKS
    return sorted(place for place in tasks.iterdir() if place.is_dir()) if tasks.is_dir() else [path]


def _add_subset(material: Material, folder: Path, root: Path) -> None:
    subset = folder.resolve().name
    if pool := find_file(root, *(f"{place}/{subset}.jsonl" for place in POOLS)):
        add_passages(material, pool)
    else:
        material.without_corpus.update((str(qrels), subset) for qrels in find_files(folder / "qrels", "*.tsv"))
    for part in ("lastturn", "rewrite"):
        if queries := find_file(folder, f"{subset}_{part}.jsonl"):
            add_queries(material, queries, part, PREFIX)
    for qrels in find_files(folder / "qrels", "*.tsv"):
        add_qrels(material, qrels)

"""Which layout a path has, where its files leave no doubt."""

from pathlib import Path

from mtr.datasets.foreign import find_file


def recognise(path: Path) -> str | None:
    """The name of the layout, None when it could be none or several."""
    if path.is_dir():
        return _of_folder(path)
    return None


def _of_folder(folder: Path) -> str | None:
    if (folder / "manifest.json").is_file() and (folder / "conversations.jsonl").is_file():
        return "own"
    if (folder / "retrieval_tasks").is_dir() or find_file(folder, f"{folder.resolve().name}_lastturn.jsonl"):
        return "mtrag"
    if find_file(folder, "corpus.jsonl") and find_file(folder, "queries.jsonl") and (folder / "qrels").is_dir():
        return "beir"
    return None

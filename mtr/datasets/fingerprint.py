"""What a data set holds, as a hash: results kept for one are never taken for those of another."""

import hashlib

from mtr.datasets.records import Dataset


def fingerprint(dataset: Dataset) -> str:
    """A sha256 of its turns and passages, in their order."""
    digest = hashlib.sha256()
    for turn in dataset.turns:
        digest.update(turn.model_dump_json().encode())
    for passage in dataset.passages.values():
        digest.update(passage.model_dump_json().encode())
    return digest.hexdigest()

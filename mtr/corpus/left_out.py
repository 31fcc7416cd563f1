"""What a build left out: the lines of `dropped.jsonl`."""

from mtr.records import Record


class DroppedPassage(Record):
    """A passage that did not survive: the filter's reason, what it found, and how the passage begins."""

    passage_id: str
    source: str
    reason: str
    detail: str
    beginning: str

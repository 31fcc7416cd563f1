"""What a reader hands back: the text of a document before it has an id, or why there is none."""

from mtr.records import Record

# What parsers of binary formats raise on damaged files beside their own errors.
BROKEN = (ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError, OverflowError, AssertionError)


class Skipped(Record):
    """A source that gave no document, and why; `source` is a file, `file:line`, or a folder."""

    source: str
    reason: str


class Draft(Record):
    """A document as read. `row` is its line in a file of many, `record_id` the content of its id column."""

    text: str
    title: str = ""
    encoding: str | None = None
    row: int | None = None
    record_id: str | None = None


class Columns(Record):
    """Which columns of a JSON-lines or CSV file hold text, title and id; without an id the line number names a row."""

    text: str = "text"
    title: str = "title"
    record_id: str | None = None


class NotReadError(Exception):
    """A file that cannot become a document; caught where files are walked and recorded as skipped."""

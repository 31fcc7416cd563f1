"""One line of the doctor's report."""

from typing import Literal

from mtr.records import Record

Level = Literal["ok", "warn", "wrong"]


class Finding(Record):
    """What was looked at and how it is; `mend` is what to do about it, None when all is well."""

    level: Level
    subject: str
    detail: str
    mend: str | None = None


def fine(subject: str, detail: str) -> Finding:
    """All is well."""
    return Finding(level="ok", subject=subject, detail=detail)


def doubtful(subject: str, detail: str, mend: str) -> Finding:
    """Something is missing that not everybody needs."""
    return Finding(level="warn", subject=subject, detail=detail, mend=mend)


def broken(subject: str, detail: str, mend: str) -> Finding:
    """This will fail."""
    return Finding(level="wrong", subject=subject, detail=detail, mend=mend)

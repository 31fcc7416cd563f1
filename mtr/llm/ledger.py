"""The ledger: every reply that was paid for, kept before it is used, found again by what was asked."""

import json
import sqlite3
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mtr.errors import InputError
from mtr.llm.records import Chance, RawReply, Request, Usage, sha256
from mtr.llm.sqlite_thread import SqliteThread, insert, select
from mtr.prompts import Message
from mtr.records import Record

SCHEMA = """
CREATE TABLE IF NOT EXISTS texts (sha256 BLOB PRIMARY KEY, text TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS requests (
    key TEXT PRIMARY KEY, endpoint TEXT NOT NULL, model TEXT NOT NULL, domain TEXT NOT NULL, role TEXT NOT NULL,
    prompt TEXT NOT NULL, messages TEXT NOT NULL, temperature REAL NOT NULL, max_tokens INTEGER NOT NULL,
    reply_schema BLOB NOT NULL, sample INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS replies (
    key TEXT NOT NULL, ask INTEGER NOT NULL, text TEXT NOT NULL, finish_reason TEXT, refusal TEXT, chances TEXT,
    how TEXT, error TEXT, probability REAL, prompt_tokens INTEGER, cached_tokens INTEGER, completion_tokens INTEGER,
    seconds REAL NOT NULL, at REAL NOT NULL, PRIMARY KEY (key, ask));
"""
REPLY = (
    "SELECT key, ask, text, finish_reason, refusal, chances, prompt_tokens, cached_tokens, completion_tokens, seconds"
)


class Attempt(Record):
    """One reply to a request: `how` it was read, or the `error` for which it was rejected."""

    text: str
    finish_reason: str | None
    refusal: str | None
    how: str | None
    error: str | None
    probability: float | None
    usage: Usage | None
    seconds: float
    at: float


class LedgerEntry(Record):
    """What is known of a request: as sent, the reply that was read (None: none was), and the rejected ones."""

    key: str
    model: str
    domain: str
    role: str
    prompt_sha256: str
    messages: tuple[Message, ...]
    temperature: float
    max_tokens: int
    sample: int
    accepted: Attempt | None
    rejected: tuple[Attempt, ...]


@dataclass(frozen=True, slots=True)
class Paid:
    """A reply to be kept. `ask` is 1, or 2 when it was asked for again; `how` or `error` as in `Attempt`."""

    request: Request
    domain: str
    role: str
    prompt_sha256: str
    ask: int
    raw: RawReply
    how: str | None
    error: str | None
    probability: float | None


@dataclass(frozen=True, slots=True)
class _Find:
    key: str


@dataclass(frozen=True, slots=True)
class _Look:
    key: str


class Ledger:
    """Several processes may hold one open; the first reply kept for a request is the one that counts."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._thread: SqliteThread[Paid | _Find | _Look] = SqliteThread(
            path, SCHEMA, self._handle, name="ledger", reads=(_Find, _Look)
        )

    async def find(self, key: str) -> tuple[RawReply, ...]:
        """The replies to a request, in the order they were asked for; empty when it was never paid for."""
        found: tuple[RawReply, ...] = await self._thread.ask(_Find(key))
        return found

    async def keep(self, paid: Paid) -> RawReply:
        """Returns when it is on disk: the reply now in the ledger, another process's when that was first."""
        kept: RawReply = await self._thread.ask(paid)
        return kept

    def entry(self, key: str) -> LedgerEntry:
        """Everything about a request, for traces; blocks, so not for use inside an event loop."""
        found: LedgerEntry | None = self._thread.submit(_Look(key)).result()
        if found is None:
            raise InputError(f"ledger {self.path}: no request with the key '{key}'")
        return found

    def close(self) -> None:
        """Finish writing and close the file."""
        self._thread.close()

    def _handle(self, connection: sqlite3.Connection, jobs: Sequence[Paid | _Find | _Look]) -> list[object]:
        paid = [job for job in jobs if isinstance(job, Paid)]
        sent_back = self._keep(connection, paid) if paid else {}
        found = _replies(connection, sorted({job.key for job in jobs if isinstance(job, _Find)}))
        answers: list[object] = []
        for job in jobs:
            if isinstance(job, Paid):
                answers.append(sent_back.get((job.request.key, job.ask), job.raw))
            elif isinstance(job, _Find):
                answers.append(tuple(raw for _, raw in sorted(found.get(job.key, {}).items())))
            else:
                answers.append(_entry(connection, job.key))
        return answers

    def _keep(self, connection: sqlite3.Connection, paid: list[Paid]) -> dict[tuple[str, int], RawReply]:
        """Write the group; what was already there under the same key and ask."""
        texts = {digest: text for job in paid for digest, text in _texts(job.request)}
        insert(connection, "texts", list(texts.items()))
        insert(connection, "requests", [_request_row(job) for job in paid])
        if insert(connection, "replies", [_reply_row(job) for job in paid]) < len(paid):
            kept = _replies(connection, sorted({job.request.key for job in paid}))
            return {(key, ask): raw for key, asks in kept.items() for ask, raw in asks.items()}
        return {}


def _texts(request: Request) -> list[tuple[bytes, str]]:
    said = [(digest, said.content) for digest, said in zip(request.hashes, request.messages, strict=True)]
    return [*said, (sha256(request.reply_schema), request.reply_schema)]


def _request_row(paid: Paid) -> tuple[object, ...]:
    asked = paid.request
    said = json.dumps([[m.role, digest.hex()] for m, digest in zip(asked.messages, asked.hashes, strict=True)])
    name = (asked.key, asked.endpoint, asked.model, paid.domain, paid.role, paid.prompt_sha256)
    return (*name, said, asked.temperature, asked.max_tokens, sha256(asked.reply_schema), asked.sample)


def _reply_row(paid: Paid) -> tuple[object, ...]:
    raw, usage = paid.raw, paid.raw.usage
    chances = None if raw.chances is None else json.dumps([[item.token, item.logprob] for item in raw.chances])
    tokens = (usage.prompt_tokens, usage.cached_tokens, usage.completion_tokens) if usage else (None, None, None)
    said = (paid.request.key, paid.ask, raw.text, raw.finish_reason, raw.refusal, chances)
    return (*said, paid.how, paid.error, paid.probability, *tokens, raw.seconds, time.time())


def _replies(connection: sqlite3.Connection, keys: Sequence[str]) -> dict[str, dict[int, RawReply]]:
    """Raw replies by key and ask."""
    found: dict[str, dict[int, RawReply]] = {}
    for key, ask, text, finish_reason, refusal, chances, *tokens, seconds in select(
        connection, f"{REPLY} FROM replies WHERE key IN (%s)", keys
    ):
        listed = None if chances is None else tuple(Chance(token, logprob) for token, logprob in json.loads(chances))
        raw = RawReply(text, finish_reason, refusal, listed, _usage(tokens), seconds)
        found.setdefault(key, {})[ask] = raw
    return found


def _usage(tokens: Sequence[Any]) -> Usage | None:
    if tokens[0] is None:
        return None
    return Usage(prompt_tokens=tokens[0], cached_tokens=tokens[1], completion_tokens=tokens[2])


def _entry(connection: sqlite3.Connection, key: str) -> LedgerEntry | None:
    row = connection.execute(
        "SELECT endpoint, model, domain, role, prompt, messages, temperature, max_tokens, sample "
        "FROM requests WHERE key = ?",
        (key,),
    ).fetchone()
    if row is None:
        return None
    said = [(role, bytes.fromhex(digest)) for role, digest in json.loads(row[5])]
    texts = dict(
        select(connection, "SELECT sha256, text FROM texts WHERE sha256 IN (%s)", [digest for _, digest in said])
    )
    attempts = _attempts(connection, key)
    return LedgerEntry(
        key=key,
        model=f"{row[0]}/{row[1]}",
        domain=row[2],
        role=row[3],
        prompt_sha256=row[4],
        messages=tuple(Message(role=role, content=texts[digest]) for role, digest in said),
        temperature=row[6],
        max_tokens=row[7],
        sample=row[8],
        accepted=next((attempt for attempt in attempts if attempt.error is None), None),
        rejected=tuple(attempt for attempt in attempts if attempt.error is not None),
    )


def _attempts(connection: sqlite3.Connection, key: str) -> list[Attempt]:
    rows = connection.execute(
        "SELECT text, finish_reason, refusal, how, error, probability, seconds, at, "
        "prompt_tokens, cached_tokens, completion_tokens FROM replies WHERE key = ? ORDER BY ask",
        (key,),
    ).fetchall()
    return [
        Attempt(
            text=row[0],
            finish_reason=row[1],
            refusal=row[2],
            how=row[3],
            error=row[4],
            probability=row[5],
            seconds=row[6],
            at=row[7],
            usage=_usage(row[8:]),
        )
        for row in rows
    ]

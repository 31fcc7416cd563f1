"""What a failed call means: try again, give up on this item, stop the batch, or leave a parameter out."""

import email.utils
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

import openai

NEVER = frozenset({400, 401, 402, 403, 404, 422})
RETRIED = frozenset({408, 409, 425, 429})
QUOTA = re.compile(r"insufficient_quota|exceeded your current quota|billing|payment required|credit balance", re.I)
TOO_LONG = re.compile(
    r"context.{0,3}(?:length|window|size)|maximum context|too many tokens|prompt is too long|input tokens exceed"
    r"|exceed.{0,30}(?:context|token limit)|(?:too large|too long)",
    re.I,
)
WITHHELD = re.compile(r"content.{0,3}(?:filter|policy|management)|safety", re.I)
MALFORMED = (ValueError, KeyError, TypeError, AttributeError, IndexError)


class Way(Enum):
    """What to do about a fault."""

    RETRY = "retry"
    GIVE_UP = "give up"
    STOP = "stop"
    LEAVE_OUT = "leave out"


@dataclass(frozen=True, slots=True)
class Fault:
    """A failed call. `words` are the endpoint's; `after` seconds it asked to wait; `parameter` to leave out.

    `malformed`: a success by its status, but without what was asked for.
    """

    way: Way
    words: str
    after: float | None = None
    parameter: str | None = None
    malformed: bool = False


def fault_of(error: Exception, sent: Mapping[str, tuple[str, ...]]) -> Fault:
    """Judge what a client raised; `sent` maps parameters the endpoint may not know to the words that name them."""
    if isinstance(error, openai.APIStatusError):
        return _status_fault(error, sent)
    if isinstance(error, openai.APIConnectionError):
        cause = error.__cause__
        detail = f": {cause}" if cause and str(cause) else ""
        return Fault(Way.RETRY, f"the connection failed ({type(cause or error).__name__}{detail})")
    said = error.args[0] if error.args and isinstance(error.args[0], dict) else {}
    words = shorten(str(said.get("message") or error or type(error).__name__))
    if QUOTA.search(f"{said.get('code')} {words}") or said.get("code") in NEVER:
        return Fault(Way.STOP, words)
    return Fault(Way.RETRY, f"the endpoint's answer is not what was asked for: {words}", malformed=True)


def _status_fault(error: openai.APIStatusError, sent: Mapping[str, tuple[str, ...]]) -> Fault:
    status, words = error.status_code, f"{error.status_code}: {_words(error)}"
    if status >= 500 or status in RETRIED:
        if status == 429 and QUOTA.search(f"{error.code or ''} {words}"):
            return Fault(Way.STOP, words)
        return Fault(Way.RETRY, words, after=_retry_after(error.response.headers.get("retry-after")))
    if status in (400, 422) and not (TOO_LONG.search(words) and "context" in words):
        for parameter, names in sent.items():
            if error.param == parameter or any(name in words for name in names):
                return Fault(Way.LEAVE_OUT, words, parameter=parameter)
    if status == 413 or (status in (400, 422) and (TOO_LONG.search(words) or WITHHELD.search(words))):
        return Fault(Way.GIVE_UP, words)
    return Fault(Way.STOP, words)


def _words(error: openai.APIStatusError) -> str:
    body = error.body
    if isinstance(body, dict) and isinstance(body.get("message"), str):
        return shorten(str(body["message"]))
    return shorten(error.response.text or error.message)


def _retry_after(header: str | None) -> float | None:
    """Seconds to wait, from a number or a date; None when there is neither."""
    if not header:
        return None
    try:
        return max(0.0, float(header))
    except ValueError:
        pass
    try:
        return max(0.0, email.utils.parsedate_to_datetime(header).timestamp() - time.time())
    except ValueError:
        return None


def shorten(words: str, limit: int = 400) -> str:
    """On one line, and not longer than `limit` characters."""
    line = " ".join(words.split())
    return line if len(line) <= limit else line[: limit - 1] + "…"

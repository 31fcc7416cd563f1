"""The model hub as a source of weights: the official file over HTTP, resumed by range."""

import http.client
import os
import queue
import ssl
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path

from mtr.errors import InputError
from mtr.llm.weights import BLOCK, Progress, Watch, Weights

FIRST_ANSWER_SECONDS = 5.0
READ_SECONDS = 30.0
TRIES = 3


def hub_url(weights: Weights) -> str:
    """The file's address; `HF_ENDPOINT` names a mirror, as it does for the hub's own tools."""
    base = os.environ.get("HF_ENDPOINT") or "https://huggingface.co"
    if not base.startswith(("https://", "http://")):
        raise InputError(f"HF_ENDPOINT is {base!r}: it must begin with https:// or http://")
    return f"{base.rstrip('/')}/{weights.hub}/resolve/main/{weights.file}"


def read_from_hub(weights: Weights, part: Path, watch: Watch) -> None:
    """Append to `part` until it is whole; what is already there is kept.

    Raises InputError when the hub gives no first answer within five seconds, tries included, refuses, or fails three
    times in a row without a new byte.
    """
    url, failures, began = hub_url(weights), 0, time.monotonic()
    while (before := _size(part)) < weights.bytes:
        try:
            patience = FIRST_ANSWER_SECONDS - (time.monotonic() - began if failures else 0)
            _append_once(url, part, weights, watch, patience)
        except urllib.error.HTTPError as error:
            if error.code < 500:
                raise InputError(f"the hub answered {error.code} {error.reason} for {url}") from error
            reason = f"{error.code} {error.reason}"
        except (urllib.error.URLError, http.client.HTTPException, ssl.SSLError, ConnectionError, TimeoutError) as error:
            reason = str(error) or type(error).__name__
        else:
            reason = "the body ended early"
        if _size(part) > before:
            failures, began = 0, time.monotonic()
        elif (failures := failures + 1) == TRIES:
            raise InputError(f"the hub failed {TRIES} times without a new byte ({reason}) for {url}")
        else:
            time.sleep(failures)


def _append_once(url: str, part: Path, weights: Weights, watch: Watch, patience: float) -> None:
    start = _size(part)
    with _first_answer(url, start, patience) as answer, part.open("ab") as file:
        if start and answer.status != http.client.PARTIAL_CONTENT:
            file.truncate(0)
            start = 0
        while block := answer.read(min(BLOCK, weights.bytes - start)):
            file.write(block)
            start += len(block)
            watch(Progress("hub", start, weights.bytes))


def _first_answer(url: str, start: int, patience: float) -> http.client.HTTPResponse:
    """The opened answer from byte `start`; the clock also covers name look-up and every address tried."""
    answers: queue.Queue[http.client.HTTPResponse | OSError | http.client.HTTPException] = queue.Queue()
    late = threading.Event()

    def ask() -> None:
        request = urllib.request.Request(url, headers={"Range": f"bytes={start}-"} if start else {})
        try:
            answer = urllib.request.urlopen(request, timeout=READ_SECONDS)
        except (OSError, http.client.HTTPException) as error:
            answers.put(error)
            return
        answers.put(answer)
        if late.is_set():
            answer.close()

    threading.Thread(target=ask, daemon=True).start()
    try:
        answer = answers.get(timeout=max(patience, 0.0))
    except queue.Empty:
        late.set()
        raise InputError(f"the hub did not answer within {FIRST_ANSWER_SECONDS:g} s: {url}") from None
    if isinstance(answer, Exception):
        raise answer
    return answer


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0

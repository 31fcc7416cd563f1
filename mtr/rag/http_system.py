"""A RAG system behind HTTP, on this machine or on one that `mtr.toml` names: one turn at a time.

Sent:     POST {"query_id": "c1::2", "query": "…", "history": [{"speaker": "user", "text": "…"}], "k": 5, "subset": ""}
Answered: {"answer": "…", "passages": [{"id": "p7"}, {"text": "…"}], "refused": false}
"""

import hashlib
import ssl
import time
from collections.abc import Sequence
from json import JSONDecodeError

from mtr.answers import Answered
from mtr.datasets.records import AnyTurn
from mtr.errors import EndpointError
from mtr.rag.given import KnownPassages, answered_of, read_given
from mtr.rag.systems import Ks, asked_of
from mtr.retrieval.http_retriever import checked_url

SECONDS = 120.0


class HttpSystem:
    """Asks a server for answers. Tokens and dollars are what it says itself; seconds are measured here."""

    models: tuple[str, ...] = ()

    def __init__(
        self, name: str, url: str, known: KnownPassages, hosts: Sequence[str] = (), seconds: float = SECONDS
    ) -> None:
        """`hosts`: machines that may be asked beside this one; `seconds`: the most that one answer may take."""
        self.name, self.description, self._known = name, f"the server at {url}", known
        self._url, self._seconds = checked_url(url, hosts, what="RAG system"), seconds
        # Loading certificates takes longer than a short answer, so it is done once.
        self._verify = ssl.create_default_context() if url.startswith("https:") else False
        self.key = hashlib.sha256(url.encode()).hexdigest()

    def ks(self, wanted: Sequence[int]) -> Ks:
        """All of them."""
        return tuple(wanted)

    async def answer(self, turn: AnyTurn, k: int | None) -> Answered:
        """EndpointError: no answer in time, an error status, no JSON; InputError: an answer of another shape."""
        import httpx  # noqa: PLC0415

        start = time.perf_counter()
        async with httpx.AsyncClient(timeout=self._seconds, trust_env=False, verify=self._verify) as client:
            try:
                reply = await client.post(self._url, json=asked_of(turn, k))
                given = reply.raise_for_status().json()
            except httpx.TimeoutException as error:
                raise EndpointError(
                    f"{self._url} did not answer {turn.query_id!r} within {self._seconds:g} s; "
                    "see that it runs, then give the same command again"
                ) from error
            except (httpx.HTTPError, JSONDecodeError, UnicodeDecodeError) as error:
                raise EndpointError(
                    f"{self._url} gave no answer to {turn.query_id!r}: {error}; see that it runs"
                ) from error
        taken = time.perf_counter() - start
        found = read_given(given, f"{self.name} for {turn.query_id!r}")
        return answered_of(self.name, turn, k, found, self._known, seconds=taken)

"""A retriever behind HTTP, on this machine or on one that `mtr.toml` names. It has its own index.

Sent:     POST {"queries": {"c1::1": "text", …}, "k": 100, "subset": ""}
Answered: {"rankings": {"c1::1": [["passage id", 12.3], …], …}}, or ids alone, the best first
"""

import ipaddress
from collections.abc import Iterator, Mapping, Sequence
from json import JSONDecodeError
from typing import Any
from urllib.parse import urlsplit

from mtr.errors import EndpointError, InputError
from mtr.relevance import Run
from mtr.retrieval.answered import run_of
from mtr.retrieval.searchable import Searchable
from mtr.steps import count_done

QUERIES = 32
SECONDS = 60.0


class HttpRetriever:
    """Asks a server for rankings, some queries at a time."""

    def __init__(self, name: str, url: str, hosts: Sequence[str] = (), seconds: float = SECONDS) -> None:
        """`hosts`: machines that may be asked beside this one; `seconds`: the most that one request may take."""
        self.name, self._url, self._seconds = name, checked_url(url, hosts), seconds
        self._subset = ""

    async def index(self, passages: Sequence[Searchable]) -> None:
        """Nothing is sent: the server has its own index. The subset, where there is one, goes with each request."""
        subsets = {getattr(passage, "subset", "") for passage in passages}
        self._subset = subsets.pop() if len(subsets) == 1 else ""

    async def retrieve(self, queries: Mapping[str, str], k: int) -> Run:
        """Ask for all queries. EndpointError: no answer in time, an error status, or no JSON; InputError: rubbish."""
        import httpx  # noqa: PLC0415

        found: dict[str, Any] = {}
        async with httpx.AsyncClient(timeout=self._seconds, trust_env=False, follow_redirects=False) as client:
            for part in _parts(queries):
                body = {"queries": part, "k": k, "subset": self._subset}
                try:
                    answer = await client.post(self._url, json=body)
                    rankings = answer.raise_for_status().json()
                except httpx.TimeoutException as error:
                    raise EndpointError(
                        f"{self._url} did not answer {len(part)} queries within {self._seconds:g} s; "
                        "see that it runs, then give the same command again"
                    ) from error
                except (httpx.HTTPError, JSONDecodeError, UnicodeDecodeError) as error:
                    raise EndpointError(f"{self._url} gave no rankings: {error}; see that it runs") from error
                found |= run_of(self.name, part, k, self._rankings(rankings)).rankings
                count_done(len(part))
        return Run(self.name, found)

    def _rankings(self, answer: object) -> object:
        if not isinstance(answer, dict) or "rankings" not in answer:
            raise InputError(f'{self._url} answered without "rankings"; see docs/bench.md for what is expected')
        return answer["rankings"]


def checked_url(url: str, hosts: Sequence[str], what: str = "retriever") -> str:
    """The URL, if it leads to this machine or to one of the hosts; else an InputError."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username:
        raise InputError(f"{url!r} is no address of a {what}; write it like http:http://127.0.0.1:9000/search")
    if not _here(parts.hostname) and parts.hostname not in hosts:
        raise InputError(
            f"{parts.hostname} is another machine: queries are sent there only when mtr.toml says "
            f'retriever_hosts = ["{parts.hostname}"]'
        )
    return url


def _here(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _parts(queries: Mapping[str, str]) -> Iterator[dict[str, str]]:
    rows = list(queries.items())
    for start in range(0, len(rows), QUERIES):
        yield dict(rows[start : start + QUERIES])

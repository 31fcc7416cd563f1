"""What every test starts from: a home of its own, no keys, no proxies, and on request no network but loopback."""

import os
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from hypothesis import settings

# A run that fails must fail again, and a busy machine is no failure; `HYPOTHESIS_SEARCH=1 make test` looks for more.
settings.register_profile("repeatable", derandomize=not os.environ.get("HYPOTHESIS_SEARCH"), deadline=None)
settings.load_profile("repeatable")

os.environ["LANGGRAPH_STRICT_MSGPACK"] = "true"

# Numba does not say that two processes may fill one cache at the same moment, so each of a parallel run has its own.
if worker := os.environ.get("PYTEST_XDIST_WORKER"):
    os.environ.setdefault("NUMBA_CACHE_DIR", str(Path(__file__).parents[1] / ".pytest_cache" / "numba" / worker))

PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy")
# Where each audit event of the interpreter carries the address: (host, port), a path, or a host name.
ADDRESS_OF = {
    "socket.connect": 1,
    "socket.sendto": 1,
    "socket.sendmsg": 1,
    "socket.getaddrinfo": 0,
    "socket.gethostbyname": 0,
}
_watching: list[list[str]] = []
# Files that start servers, models or processes of their own: begun first, so that no core waits for the last of them.
SLOW = ("test_studio", "test_private", "test_local", "test_audit", "test_ledger", "test_dialogue_retries")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Slow files first, else in the order found."""
    items.sort(key=lambda item: item.path.stem not in SLOW)


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """`MTR_HOME` in a temporary folder, and an environment that cannot reach a paid endpoint."""
    home = tmp_path / "mtr-home"
    monkeypatch.setenv("MTR_HOME", str(home))
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "MTR_CONFIG", *PROXIES):
        monkeypatch.delenv(name, raising=False)
    return home


def _leaves_the_machine(event: str, address: object) -> bool:
    if address is None or (event in {"socket.connect", "socket.sendto", "socket.sendmsg"} and not _is_pair(address)):
        return False
    host = address[0] if isinstance(address, tuple) else address
    name = host.decode() if isinstance(host, bytes) else str(host or "localhost")
    return not (name in {"localhost", "::1"} or name.startswith("127."))


def _is_pair(address: object) -> bool:
    """An internet address; that of a unix socket is a plain path."""
    return isinstance(address, tuple)


@cache
def _install_hook() -> None:
    """Audit hooks see every socket of the interpreter, also TLS ones, and stay for good: hence the switch."""

    def hook(event: str, arguments: tuple[object, ...]) -> None:
        if not _watching or event not in ADDRESS_OF:
            return
        address = arguments[ADDRESS_OF[event]]
        if _leaves_the_machine(event, address):
            _watching[-1].append(f"{event} {address!r}")
            raise PermissionError(f"the test reached for the network: {event} {address!r}")

    sys.addaudithook(hook)


@pytest.fixture
def loopback_only() -> Iterator[list[str]]:
    """Refuse every connection, datagram and name look-up that leaves the machine; a test that tried one fails.

    Yields the list of what was refused; clear it in a test that provokes a refusal on purpose.
    """
    _install_hook()
    refused: list[str] = []
    _watching.append(refused)
    yield refused
    _watching.remove(refused)
    assert not refused, f"connections that leave the machine were attempted: {refused}"

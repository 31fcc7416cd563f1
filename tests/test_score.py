"""`mtr score`: tables, JSON, the per-query file, conversations, and what is refused."""

import json
import sys
from pathlib import Path

import pytest

from mtr.cli import main
from mtr.errors import InputError
from mtr.evaluation.metrics import parse_metrics
from mtr.evaluation.run_comparison import by_conversation, by_query, by_separator, compare_runs, score_runs
from mtr.relevance import Qrels, Run, read_qrels, write_qrels, write_run

QRELS = Qrels({f"c{n // 3}::{n % 3 + 1}": {"gold": 1, "other": 0} for n in range(60)})


def run_of(name: str, hits: int, *, queries: int = 60) -> Run:
    """A run that has the gold first for the first `hits` queries, and second for the rest."""
    order = [(("gold", 2.0), ("other", 1.0)) if n < hits else (("gold", 1.0), ("other", 2.0)) for n in range(queries)]
    return Run.ranked(name, dict(zip(QRELS.grades, order, strict=False)))


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """Qrels and three runs: good, nearly as good, and a bad one that lacks ten queries and has one too many."""
    write_qrels(tmp_path / "qrels.txt.gz", QRELS)
    bad = run_of("bad", 6, queries=50)
    runs = (
        run_of("good", 57),
        run_of("alike", 56),
        Run("bad", {**bad.rankings, "strange": bad.rankings["c0::1"]}),
    )
    for run in runs:
        write_run(tmp_path / f"{run.name}.trec.gz", run)
    return tmp_path


def mtr(monkeypatch: pytest.MonkeyPatch, *words: object) -> int:
    """The exit code of `mtr score WORDS`."""
    monkeypatch.setattr(sys, "argv", ["mtr", "score", *map(str, words)])
    with pytest.raises(SystemExit) as stopped:
        main()
    return int(stopped.value.code or 0)


def test_one_run(files: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert mtr(monkeypatch, files / "qrels.txt.gz", files / "bad.trec.gz", "--metric", "R@1", "--metric", "MRR") == 0
    out = capsys.readouterr().out.splitlines()
    assert out[0] == "# qrels.txt.gz: 60 judged queries of 20 conversations"
    assert out[1].split("\t") == [
        "run", "R@1", "95 % interval", "MRR", "95 % interval", "scored", "missing, count 0", "not judged, dropped",
    ]  # fmt: skip
    cells = out[2].split("\t")
    assert (cells[0], cells[1], cells[3], *cells[5:]) == ("bad", "0.10000", "0.46667", "50 of 60", "10", "1")
    assert "pair" not in "".join(out)


def test_several_runs(files: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    names = [files / f"{name}.trec.gz" for name in ("good", "alike", "bad")]
    assert mtr(monkeypatch, files / "qrels.txt.gz", *names) == 0
    out = capsys.readouterr().out
    for metric in ("R@1", "R@5", "R@20", "MRR@20", "nDCG@20"):
        assert f"# {metric}: every pair" in out
    assert "R@1: 2 of 3 pairs told apart at 0.05 (67 %); best good, worst bad, gap 0.8500" in out


def test_json_and_the_scores_of_queries(
    files: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = files / "queries.jsonl"
    words = ("--metric", "Recall@1", "--json", "--per-query", lines, "--queries")
    assert mtr(monkeypatch, files / "qrels.txt.gz", files / "good.trec.gz", files / "bad.trec.gz", *words) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["queries"], found["conversations"]) == (60, 60)
    assert found["runs"][0]["means"]["R@1"]["mean"] == pytest.approx(0.95)
    assert found["comparisons"][0]["discrimination"]["share"] == 1.0
    rows = [json.loads(line) for line in lines.read_text(encoding="utf-8").splitlines()]
    assert len(rows) == 120 and sum(row["missing"] for row in rows) == 10
    assert rows[0] == {"run": "good", "query_id": "c0::1", "missing": False, "scores": {"R@1": 1.0}}


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (("--metric", "ndcg@x", "--metric", "R"), "'ndcg' is none of"),
        (("--metric", "ndcg@x", "--metric", "R"), "'R' needs a cutoff"),
        (("nowhere.trec",), "nowhere.trec does not exist"),
    ],
)
def test_faults_end_with_two(
    files: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: tuple[str, ...],
    fault: str,
) -> None:
    assert mtr(monkeypatch, files / "qrels.txt.gz", files / "good.trec.gz", *words) == 2
    captured = capsys.readouterr()
    assert captured.err.startswith("error: ") and fault in captured.err and captured.out == ""


def test_a_run_of_other_queries_is_refused() -> None:
    metrics = parse_metrics(["R@1"])
    strange = Run.ranked("r", {"x-1": [("gold", 1.0)]})
    with pytest.raises(
        InputError, match=r"none of the 60 judged queries \(such as 'c0::1'\); ids there look like 'x-1'"
    ):
        score_runs(QRELS, [strange], metrics)
    with pytest.raises(InputError, match="it has no other either"):
        score_runs(QRELS, [Run.ranked("r", {"c0::1": []})], metrics)
    with pytest.raises(InputError, match="two runs are called 'r'"):
        score_runs(QRELS, [run_of("r", 1), run_of("r", 2)], metrics)


def test_files_of_one_name_are_told_apart_by_their_paths(
    files: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    other = files / "other" / "good.trec"
    write_run(other, run_of("good", 10))
    assert mtr(monkeypatch, files / "qrels.txt.gz", files / "good.trec.gz", other, "--metric", "R@1") == 0
    assert f"\n{other}\t0.16667" in capsys.readouterr().out


def test_conversations_of_query_ids() -> None:
    assert [by_conversation(name) for name in ("a::2", "b<::>10", "31_4", "::1")] == ["a", "b", "31_4", "::1"]
    assert [by_separator("_")(name) for name in ("31_4", "a_b_1", "31", "_1")] == ["31", "a_b", "31", "_1"]
    assert by_query("a::2") == "a::2"


def test_whole_conversations_give_wider_intervals() -> None:
    scores = score_runs(QRELS, [run_of("r", 30)], parse_metrics(["R@1"]))
    by, single = (compare_runs(scores, seed=1, conversation_of=one) for one in (by_conversation, by_query))
    assert (by.conversations, single.conversations, by.comparisons) == (20, 60, ())
    first, second = by.runs[0].means["R@1"], single.runs[0].means["R@1"]
    assert first.mean == second.mean == 0.5
    assert (first.high or 0) - (first.low or 0) > 1.3 * ((second.high or 0) - (second.low or 0))


def test_judged_queries_without_anything_relevant_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "q.txt").write_text("a 0 p 1\nb 0 p 0\n", encoding="utf-8")
    write_run(tmp_path / "r.run", Run.ranked("r", {"a": [("p", 1.0)]}))
    assert len(read_qrels(tmp_path / "q.txt").grades) == 2
    assert mtr(monkeypatch, tmp_path / "q.txt", tmp_path / "r.run", "--metric", "R@1") == 0
    assert "1 judged queries have no relevant passage" in capsys.readouterr().err

"""Qrels and runs: read, written, ordered as trec_eval orders, and refused with the line that is wrong."""

import gzip
from pathlib import Path

import numpy as np
import pytest

from mtr.errors import InputError
from mtr.relevance import Qrels, Run, read_qrels, read_run, run_name, write_beir_qrels, write_qrels, write_run

QRELS = Qrels({"c<::>1": {"p1": 2, "p2": 0}, "c<::>2": {"p1": 1}})
RUN = Run.ranked("bm25", {"c<::>1": [("p2", 0.1), ("p1", 1 / 3)], "c<::>2": [("p1", -1e-7)]})


def test_order_is_score_as_a_32_bit_float_then_id_both_descending() -> None:
    scores = [("a", 1.0), ("b", 1.0 + 1e-9), ("B", 1.0), ("é", 1.0), ("z", 0.5), ("10", 2.0), ("9", 2.0)]
    ranking = Run.ranked("r", {"q": scores}).rankings["q"]
    assert ranking.passage_ids == ("9", "10", "é", "b", "a", "B", "z")
    assert ranking.scores == (2.0, 2.0, 1.0, 1.0 + 1e-9, 1.0, 1.0, 0.5)
    assert list(ranking)[-1] == ("z", 0.5) and len(ranking) == 7
    assert Run.ranked("r", {"q": reversed(scores)}).rankings["q"] == ranking


def test_scores_of_numpy_are_taken() -> None:
    run = Run.ranked("r", {"q": zip(["a", "b"], np.array([1, 2], dtype=np.float32), strict=True)})
    assert run.rankings["q"].scores == (2.0, 1.0) and type(run.rankings["q"].scores[0]) is float


@pytest.mark.parametrize("name", ["qrels.txt", "qrels.txt.gz"])
def test_qrels_are_read_back_equal(tmp_path: Path, name: str) -> None:
    for write in (write_qrels, write_beir_qrels):
        write(tmp_path / name, QRELS)
        assert read_qrels(tmp_path / name) == QRELS
    if name.endswith(".gz"):
        first = (tmp_path / name).read_bytes()
        write_beir_qrels(tmp_path / name, QRELS)
        assert first == (tmp_path / name).read_bytes()
        assert gzip.decompress(first).startswith(b"query-id\tcorpus-id\tscore\nc<::>1\tp1\t2\n")


def test_ids_with_blanks_need_beirs_layout(tmp_path: Path) -> None:
    blanks = Qrels({"a query": {"a passage": 1}})
    write_beir_qrels(tmp_path / "q.tsv", blanks)
    assert read_qrels(tmp_path / "q.tsv") == blanks


@pytest.mark.parametrize("name", ["a.trec", "a.trec.gz"])
def test_runs_are_read_back_equal(tmp_path: Path, name: str) -> None:
    write_run(tmp_path / name, RUN)
    assert read_run(tmp_path / name, "bm25") == RUN
    assert read_run(tmp_path / name).name == "a"


def test_the_lines_of_a_run(tmp_path: Path) -> None:
    write_run(tmp_path / "a.trec", RUN)
    assert (tmp_path / "a.trec").read_text(encoding="utf-8").splitlines() == [
        "c<::>1 Q0 p1 1 0.3333333333333333 bm25",
        "c<::>1 Q0 p2 2 0.1 bm25",
        "c<::>2 Q0 p1 1 -1e-07 bm25",
    ]


def test_scores_decide_and_ranks_do_not(tmp_path: Path) -> None:
    path = tmp_path / "a.run"
    path.write_text("q Q0 low 1 1 t\nr Q0 x 1 5 t\n\nq\tQ0\thigh\t2\t3e0\tt\n", encoding="utf-8")
    assert read_run(path).rankings["q"].passage_ids == ("high", "low")


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("q Q0 p2 2 1.0", "5 columns; a run has six"),
        ("q Q0 p2 2 1.0 my tag", "7 columns"),
        ("q Q0 p2 2 best t", "score: 'best' is not a finite number"),
        ("q Q0 p2 2 nan t", "score: 'nan'"),
        ("q Q0 p2 2 -inf t", "score: '-inf'"),
        ("q Q0 p2 2 1_0 t", "score: '1_0'"),
        ("q Q0 p1 2 0.5 t", "passage 'p1' stands twice under query 'q'"),
    ],
)
def test_a_bad_line_of_a_run_is_named(tmp_path: Path, line: str, fault: str) -> None:
    path = tmp_path / "a.run"
    path.write_text(f"q Q0 p1 1 1.0 t\n{line}\n", encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_run(path)
    assert f"{path}:2: {fault}" in str(caught.value)


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("q 0 p2", ":2: score: 'p2' is not a whole number"),
        ("q 0 p2 1 x", ":2: 'q 0 p2 1 x' needs"),
        ("q 0 p2 1.5", ":2: score: '1.5' is not a whole number"),
        ("q 0 p1 1", ":2: passage 'p1' is judged twice for query 'q'"),
    ],
)
def test_a_bad_line_of_qrels_is_named(tmp_path: Path, line: str, fault: str) -> None:
    path = tmp_path / "q.txt"
    path.write_text(f"q 0 p1 1\n{line}\n", encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_qrels(path)
    assert f"{path}{fault}" in str(caught.value)


def test_a_file_that_is_not_there_or_has_no_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="does not exist"):
        read_run(tmp_path / "none")
    (tmp_path / "empty").write_text("query-id\tcorpus-id\tscore\n", encoding="utf-8")
    with pytest.raises(InputError, match="holds no judgements"):
        read_qrels(tmp_path / "empty")


@pytest.mark.parametrize(
    ("pairs", "fault"),
    [
        ([("p", float("nan"))], "score nan is not a finite number"),
        ([("p", float("inf"))], "score inf is not a finite number"),
        ([("p", 1e39)], "beyond a 32-bit float"),
        ([("p", 1.0), ("o", 2.0), ("p", 3.0)], "passage 'p' stands twice"),
        ([(7, 1.0)], "passage id 7 is not text"),
    ],
)
def test_rankings_that_say_nothing_are_refused(pairs: list[tuple[str, float]], fault: str) -> None:
    with pytest.raises(InputError, match=f"run r: query 'q': .*{fault}"):
        Run.ranked("r", {"q": pairs})


def test_ids_are_text() -> None:
    with pytest.raises(InputError, match="query id 1 is not text"):
        Run.ranked("r", {1: []})  # type: ignore[dict-item]
    for grades in ({1: {"p": 1}}, {"q": {1: 1}}, {"q": {"p": 1.5}}, {"q": {"p": True}}):
        with pytest.raises(InputError, match=r"not text|not a whole number"):
            Qrels(grades)  # type: ignore[arg-type]


def test_white_space_does_not_fit_in_trec_files(tmp_path: Path) -> None:
    for name in ("a b", "a\u00a0b", "", " a"):
        with pytest.raises(InputError, match="holds white space"):
            write_qrels(tmp_path / "q", Qrels({"q": {name: 1}}))
        with pytest.raises(InputError, match="holds white space"):
            write_run(tmp_path / "r", Run.ranked("r", {name: [("p", 1.0)]}))
        with pytest.raises(InputError, match="the run's name"):
            write_run(tmp_path / "r", Run.ranked(name, {"q": [("p", 1.0)]}))
    with pytest.raises(InputError, match="holds a tab"):
        write_beir_qrels(tmp_path / "q", Qrels({"q": {"a\tb": 1}}))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("file", "name"),
    [("bge.lastturn.trec.gz", "bge.lastturn"), ("bm25.run", "bm25"), ("run", "run"), (".run", ".run"), ("a.b", "a.b")],
)
def test_a_run_is_called_as_its_file(file: str, name: str) -> None:
    assert run_name(Path("runs") / file) == name

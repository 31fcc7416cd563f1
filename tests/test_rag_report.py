"""What `mtr rag` prints and writes: estimate, table, reports; texts from elsewhere stay text."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from support import jurors, rag_towers
from support.endpoint import TestEndpoint

from mtr.auditing.options import AuditOptions
from mtr.cli.ragging import RagOrder, run_rag
from mtr.errors import InputError
from mtr.evaluation.rag import RagSummary
from mtr.evaluation.rag_turns import RAG_CRITERIA, Right
from mtr.rag.note import RagNote
from mtr.rag.options import RagOptions, checked_rag_options
from mtr.rag.standing import RagStanding
from mtr.settings import load_settings

ORDER = RagOrder(out=None, concurrency=None, budget_tokens=None, budget_usd=None, dry_run=False)


@pytest.fixture
def jury(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestEndpoint]:
    """An endpoint that answers and judges, and an empty current folder."""
    monkeypatch.chdir(tmp_path)
    with TestEndpoint(reply=rag_towers.model) as endpoint:
        settings = jurors.write_settings(tmp_path / "mtr.toml", endpoint.base_url)
        with settings.open("a") as file:
            file.write("[endpoints.jury.prices]\none = { prompt = 10.0, completion = 10.0 }\n")
        monkeypatch.setenv("MTR_CONFIG", str(settings))
        yield endpoint


def options(*systems: str, ks: tuple[int, ...] = (1, 2)) -> RagOptions:
    judging = AuditOptions.checked(domain="general", judges=("jury/one",), criteria=RAG_CRITERIA, sample=300, seed=7)
    return checked_rag_options(systems=systems, ks=ks, right=Right(), judging=judging)


def test_a_dry_run_counts_and_calls_nothing(jury: TestEndpoint, capsys: pytest.CaptureFixture[str]) -> None:
    dry = RagOrder(out=None, concurrency=None, budget_tokens=None, budget_usd=None, dry_run=True)
    run_rag(options("builtin:jury/one"), rag_towers.towers(4, unanswerable=1), load_settings(), dry)
    rows = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    calls = {row[1]: int(row[3]) for row in rows if len(row) == 7 and row[0].startswith("builtin")}
    assert calls == {
        "rag_answerer": 8,
        "faithfulness_to_retrieved": 8,
        "answer_relevance": 8,
        "answer_completeness": 6,
    }
    assert not jury.calls and not list(Path.cwd().glob("rag"))


def test_the_table_and_the_files(jury: TestEndpoint, capsys: pytest.CaptureFixture[str]) -> None:
    run_rag(options("builtin:jury/one"), rag_towers.towers(4), load_settings(), ORDER)
    lines = capsys.readouterr().out.splitlines()
    table = [line.split("\t") for line in lines if line.startswith("builtin:jury/one\t")]
    assert [row[1:3] for row in table] == [["1", "4 of 4"], ["2", "4 of 4"]]
    assert [row[-1] for row in table] == ["0.0044", "0.0044"], "4 answers of 110 tokens at $10 a million"
    assert "best k     builtin:jury/one: 1, not told apart from 2, by right answers on 4 turns" in lines
    (out,) = (Path.cwd() / "rag").iterdir()
    assert {path.name for path in out.iterdir()} == {
        "answers.jsonl", "verdicts.jsonl", "per_turn.jsonl", "summary.json", "report.md", "report.html", "rag.json"
    }  # fmt: skip
    summary = RagSummary.model_validate_json((out / "summary.json").read_bytes())
    note = RagNote.model_validate_json((out / "rag.json").read_bytes())
    assert summary.turns == 4 and {one.role for one in note.usage} >= {"rag_answerer", "judges/answer_relevance"}
    assert sum(one.calls for one in note.usage) == sum(jury.calls.values())


def test_retrieval_is_told_until_the_first_answer() -> None:
    standing = RagStanding(asked=20, kept=0, kept_turns=0, what="bm25: answers")
    assert standing.text(1.0, ()) == "bm25: answers: 0 of 20 · 0 calls · 0 tokens · $0.0000"
    standing.retrieved = 1216
    assert standing.text(1.0, ()) == "bm25: answers: 0 of 20 · 1,216 steps of retrieval · 0 calls · 0 tokens · $0.0000"
    standing.done = 1
    assert "retrieval" not in standing.text(1.0, ())


def test_another_folder_is_not_written_into(jury: TestEndpoint, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("mine")
    order = RagOrder(out=tmp_path / "mine", concurrency=None, budget_tokens=None, budget_usd=None, dry_run=False)
    with pytest.raises(InputError, match="holds no RAG evaluation of MTR's"):
        run_rag(options("builtin:jury/one"), rag_towers.towers(1), load_settings(), order)
    assert not jury.calls


def test_texts_of_others_stay_texts_in_reports(jury: TestEndpoint, tmp_path: Path) -> None:
    dataset = rag_towers.towers(2)
    evil = f"{dataset.passages['p1'].text} <script>alert(1)</script> | [x](http://x) </td>"
    lines: list[dict[str, object]] = [
        {"query_id": turn.query_id, "answer": evil, "passages": ["<img src=x>"]} for turn in dataset.turns
    ]
    path = rag_towers.write_lines(tmp_path / "a.jsonl", lines)
    order = RagOrder(out=tmp_path / "out", concurrency=None, budget_tokens=None, budget_usd=None, dry_run=False)
    run_rag(options(f"b=answers:{path}", f"answers:{path}"), dataset, load_settings(), order)
    html, markdown = (tmp_path / "out" / "report.html").read_text(), (tmp_path / "out" / "report.md").read_text()
    assert "<script>" not in html and "<img" not in html and "&lt;script&gt;" in html
    assert "<script>" not in markdown and "[x](http" not in markdown
    assert "Which system?" in html and "Which system?" in markdown

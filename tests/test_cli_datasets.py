"""`mtr datasets`: what is printed where, how findings are cut and counted, and what the exit code says."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from support.beir_folders import CORPUS, QRELS, clean_lines, clean_set, passage_text, row, write_beir, write_lines
from typer.testing import CliRunner, Result

from mtr.cli.datasets import app
from mtr.datasets.adapters import ADAPTERS
from mtr.datasets.converted import load
from mtr.datasets.converting import convert
from mtr.datasets.counting import count
from mtr.datasets.giving import GIVES
from mtr.datasets.records import AnyPassage, AnyTurn, Dataset, Gold
from mtr.datasets.showing import sample_turns, turn_text
from mtr.errors import InputError


def run(*words: object) -> Result:
    return CliRunner().invoke(app, [str(word) for word in words], catch_exceptions=False)


def test_list_tells_what_each_layout_gives() -> None:
    lines = run("list").stdout.splitlines()
    assert lines[1] == "layout\twhat it is\tanswers\tstandalone queries\tgold\tpassages"
    assert {line.split("\t")[0] for line in lines[2:] if line} == set(ADAPTERS) == set(GIVES)
    assert all(len(line.split("\t")) == 6 for line in lines[2:] if line)


def test_show_counts_notes_and_three_turns(tmp_path: Path) -> None:
    shown = run("show", write_beir(tmp_path / "harbours")).stdout
    for line in ("layout\tbeir", "licence\tnot stated", "conversations\t3", "turns\t6", "passages\t7", "1\t6"):
        assert f"\n{line}\n" in shown
    assert "6 of 6 turns have no answer" in shown
    assert shown.count("turn 2 · ") == 3 and shown.count("  user ") == 3
    assert passage_text(2) in " ".join(shown.replace("│", " ").split())
    assert shown == run("show", tmp_path / "harbours", "--seed", 0).stdout


def test_the_sample_prefers_turns_with_gold_and_history_and_is_drawn_by_the_seed() -> None:
    dataset = clean_set()
    assert [turn.turn for turn in sample_turns(dataset)] == [2, 2, 2]
    assert len(sample_turns(dataset, n=5)) == 5 and len(sample_turns(dataset, n=99)) == 6
    drawn = {tuple(turn.query_id for turn in sample_turns(dataset, seed=seed, n=1)) for seed in range(9)}
    assert len(drawn) > 1


def test_a_turn_in_text_is_cut_plain_and_says_what_is_not_given() -> None:
    long = AnyPassage(passage_id="p\x1b[31m", title="Tides", heading="Low", text="word " * 200)
    turn = AnyTurn(
        query_id="c::1",
        conversation_id="c",
        turn=1,
        query="when?\x1b[2J",
        gold=tuple(Gold(passage_id=name, grade=2) for name in ("p\x1b[31m", "gone", "x", "y")),
        answerable=False,
    )
    text = turn_text(Dataset(name="d", layout="x", passages={long.passage_id: long}, turns=(turn,)), turn)
    assert "\x1b" not in text and len(text) < 1200
    for words in ("Tides › Low", "grade 2", "gone, grade 2 (not in the corpus)", "(and 1 more)", "…", "(not given)"):
        assert words in text
    assert "(said to be unanswerable)" in text


def test_counts_of_a_data_set() -> None:
    turns = (*clean_set().turns[:-1], clean_set().turns[-1].model_copy(update={"gold": (), "answerable": False}))
    counts = count(clean_set().model_copy(update={"turns": turns, "passages": {}}))
    assert (counts.conversations, counts.turns, counts.answers, counts.gold, counts.unanswerable) == (3, 6, 6, 5, 1)
    assert (counts.passages, counts.gold_passages, counts.gold_in_corpus) == (0, 5, 0)
    assert counts.gold_per_turn == {0: 1, 1: 5}


def with_repeats(files: dict[str, list[str]]) -> None:
    files[CORPUS] += [row(str(n), passage_text(7), title="") for n in range(10, 15)]


def test_lint_shows_the_first_of_each_rule_and_counts_all(tmp_path: Path) -> None:
    folder = write_beir(tmp_path, with_repeats)
    result = run("lint", folder, "--first", 2)
    lines = result.stdout.splitlines()
    assert lines[0] == f"{folder / CORPUS}:8: warning: text-repeat: '10' has the text of '7'"
    assert len([line for line in lines if ": warning: text-repeat: " in line]) == 2
    assert "warning: text-repeat: more of these are counted below; --all shows them" in lines
    assert "warning\ttext-repeat\t5\ta passage whose text stands under another id" in lines
    assert run("lint", folder, "--all").stdout.count(": warning: text-repeat: ") == 5


def test_lint_in_json_is_every_finding_and_nothing_else(tmp_path: Path) -> None:
    result = run("lint", write_beir(tmp_path, with_repeats), "--json", "--first", 1)
    findings = [json.loads(line) for line in result.stdout.splitlines()]
    assert [(one["rule"], one["line"], one["id"]) for one in findings] == [
        ("text-repeat", line, str(line + 2)) for line in range(8, 13)
    ]
    assert result.stderr == "warning\ttext-repeat\t5\n"


@pytest.mark.parametrize(
    ("line", "code"),
    [(None, 0), ("c1::1\t1\t1", 1), ("c1::1\t99\t1", 3)],
)
def test_the_exit_code_says_how_bad_it_is(tmp_path: Path, line: str | None, code: int) -> None:
    files = clean_lines()
    files[QRELS] += [line] if line else []
    assert run("lint", write_lines(tmp_path, files)).exit_code == code


def test_a_note_alone_is_no_fault(tmp_path: Path) -> None:
    convert(clean_set(), tmp_path / "set", to="mtrag")
    (tmp_path / "set/corpora/harbours.jsonl").unlink()
    result = run("lint", tmp_path / "set")
    assert result.exit_code == 0 and "note\tnot-checked\t1" in result.stdout


def test_an_id_cannot_steer_the_terminal(tmp_path: Path) -> None:
    files = clean_lines()
    files[QRELS].append("c1::1\t\x1b[31mred\u202e\t1")
    shown = run("lint", write_lines(tmp_path, files)).stdout
    assert "\x1b" not in shown and "\u202e" not in shown and "gold-missing" in shown


def test_convert_writes_what_is_read_back_and_says_how_it_was_made(tmp_path: Path) -> None:
    folder, out = write_beir(tmp_path / "our harbours"), tmp_path / "set"
    result = run("convert", folder, "--format", "beir", "--out", out)
    assert result.stdout == f"{out}: 7 files; read {out / 'README.md'}\n"
    assert load(out).turns[0].query_id == "c1::1" and load(out).layout == "beir"
    assert f"mtr datasets convert '{folder}' --format beir --out {out} --to own" in (out / "README.md").read_text()
    assert run("lint", out).exit_code == 0
    assert "layout\tbeir" in run("show", out).stdout
    assert run("convert", out, "--out", tmp_path / "tasks", "--to", "mtrag").exit_code == 0
    assert "layout\tmtrag" in run("show", tmp_path / "tasks").stdout


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["show", "nothing"], "does not exist"),
        (["lint", ".", "--format", "bear"], "--format knows: own"),
        (["convert", "set", "--out", "mine"], "no conversion wrote it"),
    ],
)
def test_errors_say_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], says: str) -> None:
    monkeypatch.chdir(tmp_path)
    write_beir(tmp_path / "set")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/thesis.tex").write_text("precious")
    with pytest.raises(InputError, match=says):
        run(*words)


def test_help_is_quick_to_import() -> None:
    heavy = "numpy pydantic pyarrow py3langid"
    code = f"import sys, mtr.cli.datasets; print([name for name in {heavy.split()!r} if name in sys.modules])"
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "[]\n"

"""`mtr calibrate`, `mtr audit sample` and `mtr audit compare`, from files to files with judges on loopback."""

import csv
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from support import jurors
from support.endpoint import TestEndpoint, chat_body, last_message
from typer.testing import CliRunner, Result

from mtr.auditing.calibrations import StoredCut, cuts_for, store_cuts, stored_cuts
from mtr.auditing.job import prepare
from mtr.auditing.options import AuditOptions
from mtr.cli import app
from mtr.datasets.converting import convert
from mtr.datasets.records import AnyPassage
from mtr.evaluation.marked import MarkedAnswer, Scale
from mtr.judging.cuts import evened
from mtr.prompts import prompt_hashes
from mtr.settings import load_settings
from mtr.storage import write_records

WRONG = "999 lamps"


def timid(body: dict[str, object]) -> "str | dict[str, object]":
    """Tells right from wrong, but its P(yes) of what is right lies near 0.3, so that one half is no good cut."""
    text = last_message(body)
    if "response_format" in body:
        return jurors.honest(body)
    chances = {"no": -2.3, "yes": -4.6} if WRONG in text else {"no": -0.36, "yes": -1.2}
    return chat_body("no", chances=chances)


@pytest.fixture
def jury(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestEndpoint]:
    """Timid judges, and a folder of one's own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MTR_HOME", str(tmp_path / "home"))
    with TestEndpoint(reply=timid) as endpoint:
        monkeypatch.setenv("MTR_CONFIG", str(jurors.write_settings(tmp_path / "mtr.toml", endpoint.base_url)))
        yield endpoint


def marked(count: int) -> list[MarkedAnswer]:
    """Every second answer is wrong, and people say so, one of them a little less."""
    answers = []
    for number, name in enumerate(jurors.NAMES[:count], 1):
        wrong = number % 2 == 0
        passage = AnyPassage(passage_id=f"p{number}", text=jurors.statement(name, number))
        lamps = WRONG if wrong else f"{number + 20} lamps"
        answers.append(
            MarkedAnswer(
                item_id=f"item-{number}",
                query=f"How many lamps has the tower of {name}?",
                passages=(passage,),
                answer=f"The tower of {name} has {lamps}.",
                marks={"faithfulness": (1, 2) if wrong else (5, 4)},
                scales={"faithfulness": Scale(low=1, high=5)},
            )
        )
    return answers


def mtr(*words: str) -> Result:
    """A command; its output has the errors too."""
    return CliRunner().invoke(app, list(words))


def test_a_cut_is_found_kept_and_used(jury: TestEndpoint, tmp_path: Path) -> None:
    write_records(tmp_path / "marks.jsonl", marked(20))
    result = mtr("calibrate", "--labels", "marks.jsonl", "--judge", "jury/one", "--out", "figures.jsonl")
    assert result.exit_code == 0, result.output
    rows = [json.loads(line) for line in (tmp_path / "figures.jsonl").read_text().splitlines()]
    assert {(row["criterion"], row["reading"]) for row in rows} == {
        ("answer_faithfulness", "written"),
        ("answer_supported", "written"),
        ("answer_supported", "P(yes)"),
    }
    (sure,) = [row["calibration"] for row in rows if row["reading"] == "P(yes)"]
    assert sure["auc"]["value"] == 1 and sure["unseen"]["balanced_accuracy"] == 1 and sure["measured"] == 20
    assert 0.09 < sure["cut"]["cut"] < 0.31
    (cut,) = stored_cuts()
    assert cut.cut == sure["cut"]["cut"]
    assert cuts_for(["jury/one", "jury/two"], "general") == {"jury/one on answer_supported": cut.cut}


def test_a_cut_of_another_prompt_is_not_used(jury: TestEndpoint) -> None:
    cut = StoredCut(
        judge="jury/one",
        criterion="atomic",
        prompt="0" * 64,
        cut=0.2,
        auc=1,
        balanced_accuracy=1,
        measured=9,
        source="x",
    )
    store_cuts([cut])
    assert cuts_for(["jury/one"], "general") == {}
    store_cuts([cut.model_copy(update={"prompt": prompt_hashes("general")["judges/atomic"]})])
    assert cuts_for(["jury/one"], "general") == {"jury/one on atomic": 0.2} and len(stored_cuts()) == 1


@pytest.mark.parametrize(
    ("probability", "cut", "wanted"),
    [(0, 0.2, 0), (0.1, 0.2, 0.25), (0.2, 0.2, 0.5), (0.6, 0.2, 0.75), (1, 1, 1), (1, 0, 1)],
)
def test_probabilities_are_evened_about_the_cut(probability: float, cut: float, wanted: float) -> None:
    assert evened(probability, cut) == pytest.approx(wanted)


def test_another_cut_is_another_audit(jury: TestEndpoint) -> None:
    def batch(cuts: dict[str, float]) -> str:
        options = AuditOptions.checked(
            domain="general",
            judges=("jury/one",),
            criteria=("atomic",),
            sample=9,
            seed=7,
            cuts=cuts,
        )
        return prepare(options, jurors.towers(3), load_settings(), "code").batch

    assert batch({}) != batch({"jury/one on atomic": 0.2})


def test_marks_that_the_file_lacks_are_named(jury: TestEndpoint, tmp_path: Path) -> None:
    write_records(tmp_path / "marks.jsonl", marked(4))
    result = mtr("calibrate", "--labels", "marks.jsonl", "--judge", "jury/one", "--criteria", "answer_quality")
    assert isinstance(result.exception, ValueError) and "faithfulness" in str(result.exception)
    assert not jury.sent


def test_a_sheet_goes_out_and_comes_back(jury: TestEndpoint, tmp_path: Path) -> None:
    convert(jurors.towers(8), tmp_path / "set", command="made by hand")
    assert mtr("audit", "sample", "set", "--for-people", "sheet.csv", "--sample", "6").exit_code == 0
    with (tmp_path / "sheet.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 6
    for number, row in enumerate(rows):
        row["answer_faithfulness (1-5)"] = str(5 - number % 2)
    with (tmp_path / "filled.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    words = ("--judge", "jury/one", "--criteria", "answer_faithfulness", "--out", "figures.jsonl")
    result = mtr("calibrate", "--labels", "filled.csv", *words)
    assert result.exit_code == 0, result.output
    assert json.loads((tmp_path / "figures.jsonl").read_text().splitlines()[0])["calibration"]["measured"] == 6


def test_audits_side_by_side(jury: TestEndpoint, tmp_path: Path) -> None:
    for name, turns in (("small", 2), ("large", 4)):
        convert(jurors.towers(turns).model_copy(update={"name": name}), tmp_path / name, command="made by hand")
        result = mtr("audit", name, "--judge", "jury/one", "--criteria", "atomic", "--out", f"audit-{name}")
        assert result.exit_code == 0, result.output
        assert (tmp_path / f"audit-{name}" / "report.html").is_file()
    result = mtr("audit", "compare", "audit-small", "audit-large", "--out", "both")
    assert result.exit_code == 0 and "small" in result.output and "large" in result.output
    assert "small" in (tmp_path / "both" / "compare.html").read_text()
    assert mtr("audit", "compare", "audit-small").exit_code != 0

"""`mtr bench explain`: what a reranker mended, spoiled and left, told from a finished benchmark."""

import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest
from support.beir_folders import write_beir
from support.conversations import make_conversation, make_passage, make_steps
from support.endpoint import Body, TestEndpoint, last_message
from support.jurors import sure, towers
from support.manifests import make_manifest
from typer.testing import CliRunner

from mtr.benchmarking.explain import ExplainOptions, explain
from mtr.benchmarking.systems import first_depth
from mtr.cli import app
from mtr.datasets.own import Made, write_dataset
from mtr.datasets.records import AnyTurn, Gold
from mtr.errors import InputError
from mtr.evaluation.metrics import Metric
from mtr.evaluation.report.rerank_report import rerank_html, rerank_markdown
from mtr.evaluation.reranking import Grouping, Outcome, RerankStudy, clearest, study_reranking
from mtr.relevance import Run

METRIC = Metric(measure="nDCG", cutoff=1)
CASES: Mapping[str, tuple[str, str, Outcome, tuple[int | None, int | None]]] = {
    "mended": ("xyG", "Gxy", "mended", (3, 1)),
    "spoiled": ("Gxy", "xGy", "spoiled", (1, 2)),
    "stayed": ("xGy", "yxG", "not_mended", (2, 3)),
    "better already": ("Gxy", "Gyx", "kept", (1, 1)),
    "below the top": ("xyzG", "yzxG", "out_of_reach", (4, 4)),
    "not to be lifted from below": ("xyzG", "Gxyz", "out_of_reach", (4, 4)),
    "not found": ("xyz", "zyx", "out_of_reach", (None, None)),
    "nothing ranked": ("", "", "out_of_reach", (None, None)),
    "after lacks some": ("xyG", "G", "mended", (3, 1)),
}
"""Rankings before and after, a letter a passage, G the gold; of the top 3 what came of it and where gold stood."""


def turn(name: str, place: int) -> AnyTurn:
    """A turn of a conversation of its own."""
    return AnyTurn(
        query_id=name, conversation_id=f"c{place}", turn=1, query=f"query of {name}", gold=(Gold(passage_id="G"),)
    )


def run(name: str, rankings: Mapping[str, str]) -> Run:
    """Letters in their order."""
    pairs = {key: [(letter, -float(place)) for place, letter in enumerate(text)] for key, text in rankings.items()}
    return Run.ranked(name, pairs)


def study(cases: Mapping[str, tuple[str, str]]) -> RerankStudy:
    """The top 3 of each ranking, grouped by the length of the name."""
    turns = [turn(name, place) for place, name in enumerate(cases)]
    runs = tuple(run(name, {key: texts[place] for key, texts in cases.items()}) for place, name in enumerate("ba"))
    grouping = Grouping("length", {name: "long" if len(name) > 8 else "short" for name in cases}, ("short", "long"))
    return study_reranking(turns, (runs[0], runs[1]), METRIC, 3, [grouping, Grouping("none", {}, ("x",))], 7)


@pytest.mark.parametrize("name", CASES)
def test_what_came_of_a_turn(name: str) -> None:
    before, after, outcome, places = CASES[name]
    found = study({name: (before, after)}).turns[0]
    assert (found.outcome, (found.gold[0].before, found.gold[0].after)) == (outcome, places)
    assert found.best == float("G" in before[:3])


def test_means_by_group_are_those_of_the_turns() -> None:
    found = study({name: texts[:2] for name, texts in CASES.items()})
    assert (found.whole.before.mean, found.whole.after.mean, found.whole.best.mean) == (2 / 9, 3 / 9, 5 / 9)
    assert found.whole.difference.mean == pytest.approx(1 / 9) and found.whole.difference.clusters == 9
    assert found.whole.difference.low is not None and found.whole.difference.low < 0 < 1 / 9
    assert list(found.groups) == ["length"], "a grouping that knows no turn is left out"
    short, long = found.groups["length"]
    assert (short.name, short.before.asked, long.name, long.before.asked) == ("short", 3, "long", 6)
    assert short.before.mean == pytest.approx(1 / 3)


def test_the_clearest_turns_come_first() -> None:
    found = study(
        {"a": ("xGy", "yxG"), "b": ("Gxy", "Gyx"), "c": ("xyG", "yGx"), "d": ("xyzG", "zyxG"), "e": ("x", "x")}
    )
    assert [one.query_id for one in clearest(found, "not_mended", 9, "G")] == ["a", "c"], "lowest gold first"
    assert [one.query_id for one in clearest(found, "out_of_reach", 9, "G")] == ["e", "d"], "not found at all first"
    assert len(clearest(found, "not_mended", 1, "G")) == 1 and clearest(found, "mended", 3, "G") == ()


def test_depths_of_funnels() -> None:
    assert [first_depth(one) for one in ("llm:a/b", "llm:a/b@5", "cross:m@100+llm:a/b@20")] == [20, 5, 100]


def test_what_the_report_shows_and_what_it_escapes() -> None:
    dataset = towers(9)
    bad = dataset.turns[0].model_copy(update={"query": "<b>who</b> | *what*?", "gold": (Gold(passage_id="gone"),)})
    dataset = dataset.model_copy(update={"turns": (bad, *dataset.turns[1:])})
    before = Run.ranked("b", {one.query_id: [("p9", 2.0), ("p2", 1.0), ("p7", 0.5)] for one in dataset.turns[:8]})
    after = Run.ranked("a", {one.query_id: [("p2", 2.0), ("p7", 1.0), ("p9", 0.5)] for one in dataset.turns[:8]})
    found = study_reranking(dataset.turns, (before, after), METRIC, 2, [], 7)
    text, page = rerank_markdown(found, dataset, 9), rerank_html(found, dataset, 9)
    for part in (
        "# What does reranking the top 2 do? a",
        "nDCG@1 is 0.0000 before reranking and 0.1111 after it, on 9 turns of 3 conversations",
        "1 were mended and 0 spoiled",
        "for 8 no gold is among the best 2 of b",
        "### c0::2, turn 2, shift: nDCG@1 0.0000 → 1.0000, best order 1.0000",
        "| gold, place 2 → 1 | p2, Tower of Alderford: The tower of",
        "| first after | p2, the gold |",
        "| said before | user: How many lamps has the tower of Alderton? / assistant: Some. |",
        "nothing was ranked",
    ):
        assert part in text, part
    assert "<b>" not in text + page.replace("<b></b>", "") and "8 of 9 turns; the clearest 8:" in page


@pytest.fixture
def finished(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A benchmark with and without a funnel."""
    made = [Made(conversation=make_conversation(f"d-{n}", first=n), steps=make_steps()) for n in (1, 2)]
    write_dataset(tmp_path / "set", tuple(make_passage(n) for n in range(8)), iter(made), make_manifest())

    def model(body: Body) -> "str | Body":
        return sure("part 1 " in last_message(body).split("<query-")[0])

    with TestEndpoint(reply=model) as endpoint:
        (tmp_path / "mtr.toml").write_text(f'[endpoints.house]\nbase_url = "{endpoint.base_url}"\n')
        monkeypatch.setenv("MTR_CONFIG", str(tmp_path / "mtr.toml"))
        command = ["bench", str(tmp_path / "set"), "--rerank", "llm:house/m@3", "--out", str(tmp_path / "out")]
        result = CliRunner().invoke(app, command, catch_exceptions=False)
        assert result.exit_code == 0, result.output
    return tmp_path / "out"


def explained(*arguments: object) -> str:
    """What the command prints."""
    result = CliRunner().invoke(app, ["bench", "explain", *map(str, arguments)], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_from_the_command_line(finished: Path) -> None:
    text = explained(finished, "--out", finished)
    assert "# What does reranking the top 3 do? bm25·last_turn·llm:house/m@3" in text
    for part in ("### By type of query", "### By move", "| all turns | ", "## Mended", "## Out of reach"):
        assert part in text
    assert (finished / "explain.md").read_text() == text.rstrip("\n") + "\n"
    assert "<h1>What does reranking" in (finished / "explain.html").read_text()
    assert "top 2 do" in explained(finished, "--rerank", "llm:house/m@3", "--k", 2, "--cases", 0)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rerank": "llm:other"}, "name one reranked system; there are bm25·last_turn·llm:house/m@3"),
        ({"depth": 4}, "looked at the best 3 passages only"),
        ({"metric": "nDGC@5"}, "'nDGC' is none of"),
        ({"dataset": Path("nowhere")}, "does not exist here; give where it lies with --dataset"),
    ],
)
def test_what_cannot_be_explained(finished: Path, options: Mapping[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        explain(finished, ExplainOptions(**options))  # type: ignore[arg-type]


def test_the_data_set_may_have_moved_and_must_be_the_same(finished: Path) -> None:
    moved = finished.parent / "moved"
    (finished.parent / "set").rename(moved)
    with pytest.raises(InputError, match="does not exist here"):
        explain(finished, ExplainOptions())
    assert explain(finished, ExplainOptions(dataset=moved))[0].depth == 3
    with pytest.raises(InputError, match="is not the data set that was benchmarked"):
        explain(finished, ExplainOptions(dataset=write_beir(finished.parent / "other"), layout="beir"))


def test_a_benchmark_without_a_funnel_or_with_lost_files(finished: Path) -> None:
    with pytest.raises(InputError, match="is no finished benchmark"):
        explain(finished / "runs", ExplainOptions())
    plain = finished.parent / "plain"
    command = ["bench", str(finished.parent / "set"), "--out", str(plain)]
    assert CliRunner().invoke(app, command, catch_exceptions=False).exit_code == 0
    with pytest.raises(InputError, match="holds no funnel, so nothing was reranked"):
        explain(plain, ExplainOptions())
    shutil.rmtree(finished / "systems")
    with pytest.raises(InputError, match="cannot be read"):
        explain(finished, ExplainOptions())

"""A RAG evaluation as a whole: planted faults show on their own criterion, nothing is paid twice, null has a reason."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from support import jurors, rag_towers
from support.endpoint import Body, TestEndpoint
from support.rag_runs import run

from mtr.answers import Answered
from mtr.datasets.records import Gold
from mtr.errors import BudgetError, InputError, ShortfallError
from mtr.evaluation.rag import RECALL, RIGHT, ArmFigures
from mtr.evaluation.rag_turns import COMPLETE, FAITHFUL, RAG_CRITERIA, RELEVANT, RagTurn, Right
from mtr.rag.options import parse_ks
from mtr.storage import read_records


@pytest.fixture
def jury(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestEndpoint]:
    """An endpoint that answers and judges."""
    with TestEndpoint(reply=rag_towers.model) as endpoint:
        monkeypatch.setenv("MTR_CONFIG", str(jurors.write_settings(tmp_path / "mtr.toml", endpoint.base_url)))
        yield endpoint


def low(arm: ArmFigures) -> list[str]:
    """The criteria on which not every answer has full marks."""
    return [one.criterion for one in arm.criteria if one.mean.mean != 5]


def cases(arm: ArmFigures) -> dict[str, int]:
    """The four cases that there are."""
    return {one.name: one.count for one in arm.cases if one.count}


async def test_planted_faults_show_on_their_own_criterion_alone(jury: TestEndpoint, tmp_path: Path) -> None:
    dataset = rag_towers.towers(6, per_conversation=1)
    systems = rag_towers.planted_systems(tmp_path, dataset)
    summary = await run(dataset, tmp_path / "rag", *systems)
    assert {arm.system: low(arm) for arm in summary.arms} == {
        "clean": [],
        "unfaithful": [FAITHFUL],
        "off_the_point": [RELEVANT],
        "incomplete": [COMPLETE],
    }
    assert [arm.right.count for arm in summary.arms] == [6, 0, 0, 0]
    (by_right,) = [one for one in summary.comparisons if one.measure == RIGHT]
    apart = {frozenset((test.first, test.second)) for test in by_right.tests if test.p_holm < 0.2}
    assert apart == {frozenset(("clean", name)) for name in ("unfaithful", "off_the_point", "incomplete")}


async def test_the_four_cases_trace_a_bad_answer_to_retrieval_or_generation(jury: TestEndpoint, tmp_path: Path) -> None:
    dataset = rag_towers.towers(4)
    full, part = rag_towers.FAULTS["clean"], rag_towers.FAULTS["incomplete"]
    lines = [(1, full, "p1"), (2, part, "p2"), (3, full, "p1"), (4, part, "p1")]
    path = rag_towers.write_lines(
        tmp_path / "four.jsonl",
        [
            {"query_id": dataset.turns[n - 1].query_id, "answer": answer(n), "passages": [gold]}
            for n, answer, gold in lines
        ],
    )
    summary = await run(dataset, tmp_path / "rag", f"answers:{path}", right=Right(by=(COMPLETE,)))
    (arm,) = summary.arms
    assert cases(arm) == {"found, right": 1, "found, wrong": 1, "not found, right": 1, "not found, wrong": 1}
    shown = {one.name: one.examples[0].query_id for one in arm.cases}
    assert list(shown.values()) == [dataset.turns[place].query_id for place in (0, 1, 2, 3)]
    report = (tmp_path / "rag" / "report.md").read_text()
    assert "1 had gold among what was retrieved" in report and "1 had none, so that retrieval is" in report


async def test_the_cut_of_a_right_answer_is_a_knob(jury: TestEndpoint, tmp_path: Path) -> None:
    dataset = rag_towers.towers(3)
    path = rag_towers.write_answers(tmp_path / "part.jsonl", dataset, rag_towers.FAULTS["incomplete"])
    counts = []
    for place, right in enumerate((Right(), Right(at=3), Right(by=(FAITHFUL, RELEVANT)))):
        summary = await run(dataset, tmp_path / f"rag{place}", f"answers:{path}", right=right)
        counts.append(summary.arms[0].right.count)
    assert counts == [0, 3, 3]


async def test_refusals_are_right_only_where_nothing_answers(jury: TestEndpoint, tmp_path: Path) -> None:
    dataset = rag_towers.towers(6, unanswerable=3)
    answers = [rag_towers.DONT_KNOW, "The tower is tall.", rag_towers.DONT_KNOW] * 2
    lines: list[dict[str, object]] = [
        {"query_id": turn.query_id, "answer": answer, "passages": ["p1"]}
        for turn, answer in zip(dataset.turns, answers, strict=True)
    ]
    lines[5]["refused"] = True
    summary = await run(dataset, tmp_path / "rag", f"answers:{rag_towers.write_lines(tmp_path / 'a.jsonl', lines)}")
    (arm,) = summary.arms
    found = arm.refusals
    assert (found.refused, found.right, found.answered_unanswerable, found.unknown) == (4, 2, 1, 0)
    rows = {row.query_id: row for row in read_records(tmp_path / "rag" / "per_turn.jsonl", RagTurn)}
    assert [rows[turn.query_id].right for turn in dataset.turns] == [False, False, False, True, False, True]
    assert rows[dataset.turns[0].query_id].reasons == dict.fromkeys(RAG_CRITERIA, "the system refused to answer")
    assert [one.mean.asked for one in arm.criteria] == [2, 2, 1]


async def test_a_sweep_finds_the_least_k_that_is_enough(jury: TestEndpoint, tmp_path: Path) -> None:
    """Half of the golds stand third in the ranking of BM25."""
    dataset = rag_towers.towers(16, per_conversation=1, hidden=8)
    summary = await run(dataset, tmp_path / "rag", "builtin:jury/one", ks=parse_ks("1,3,5"))
    assert [arm.k for arm in summary.arms] == [1, 3, 5]
    sweeps = {one.measure: one for one in summary.sweeps}
    assert sweeps.keys() == {RIGHT, *RAG_CRITERIA, RECALL}
    recall = [sweeps[RECALL].means[k].mean for k in (1, 3, 5)]
    assert recall == [0.5, 1, 1]
    assert sweeps[RIGHT].best == 3 and sweeps[RIGHT].alike == (5,)
    tokens = [arm.cost.tokens for arm in summary.arms]
    assert tokens == [110, 110, 110] and all(arm.cost.counted == 16 for arm in summary.arms)
    html = (tmp_path / "rag" / "report.html").read_text()
    assert html.count('<svg viewBox="0 0 640') == 3 and "not told apart from 5" in html


async def test_no_k_is_best_where_every_answer_is_wrong(jury: TestEndpoint, tmp_path: Path) -> None:
    dataset = rag_towers.towers(4, per_conversation=1)
    lines: list[dict[str, object]] = [
        {"query_id": turn.query_id, "k": k, "answer": rag_towers.FAULTS["off_the_point"](number), "refused": False}
        for number, turn in enumerate(dataset.turns, 1)
        for k in (1, 2)
    ]
    path = rag_towers.write_lines(tmp_path / "lost.jsonl", lines)
    right = Right(by=(RELEVANT,))
    summary = await run(dataset, tmp_path / "rag", f"lost=answers:{path}", ks=(1, 2), right=right)
    (sweep,) = [one for one in summary.sweeps if one.measure == RIGHT]
    assert (sweep.best, sweep.turns) == (None, 4)
    html = (tmp_path / "rag" / "report.html").read_text()
    assert "best by right answers is none, every k has 0 (4 turns)" in html
    assert "It is the best of" not in html


async def test_several_systems_are_drawn_together_and_compared_at_each_k(jury: TestEndpoint, tmp_path: Path) -> None:
    dataset, paths = rag_towers.towers(6, per_conversation=1), {}
    for name, at_two in (("steady", "clean"), ("greedy", "off_the_point")):
        lines: list[dict[str, object]] = [
            {"query_id": turn.query_id, "k": k, "answer": rag_towers.FAULTS[fault](number), "refused": False}
            for number, turn in enumerate(dataset.turns, 1)
            for k, fault in ((1, "clean"), (2, at_two))
        ]
        paths[name] = rag_towers.write_lines(tmp_path / f"{name}.jsonl", lines)
    right = Right(by=(RELEVANT, COMPLETE))
    systems = (f"{name}=answers:{path}" for name, path in paths.items())
    summary = await run(dataset, tmp_path / "rag", *systems, ks=(1, 2, 3), right=right)
    best = {one.system: (one.best, one.alike) for one in summary.sweeps if one.measure == RIGHT}
    assert best == {"steady": (1, (2,)), "greedy": (1, ())}
    by_k = {one.k: one.tests[0].p_holm for one in summary.comparisons if one.measure == RIGHT}
    assert by_k == {1: 1.0, 2: 2 / 2**6}
    unmeasured = [one for one in summary.sweeps if one.measure in {FAITHFUL, RECALL}]
    assert all(one.turns == 0 and one.best is None for one in unmeasured)
    html = (tmp_path / "rag" / "report.html").read_text()
    assert html.count('<svg viewBox="0 0 640') == 3, "right answers, relevance, completeness"
    assert "Relevance, k 2, 6 turns" in html and "not measured at every k" in html


async def test_run_again_it_pays_nothing_and_another_k_pays_for_itself_alone(
    jury: TestEndpoint, tmp_path: Path
) -> None:
    dataset = rag_towers.towers(4)
    await run(dataset, tmp_path / "rag", "builtin:jury/one", ks=(1,))
    paid = sum(jury.calls.values())
    assert paid == 4 * (1 + 3)
    again = await run(dataset, tmp_path / "rag", "builtin:jury/one", ks=(1,))
    assert sum(jury.calls.values()) == paid and again.arms[0].right.count == 4
    await run(dataset, tmp_path / "more", "builtin:jury/one", ks=(1, 2))
    asked = [json.dumps(body["messages"]) for body in jury.sent]
    assert len(asked) == len(set(asked)) and sum(jury.calls.values()) > paid


async def test_a_run_out_of_budget_goes_on_where_it_was(jury: TestEndpoint, tmp_path: Path) -> None:
    dataset = rag_towers.towers(6)
    with pytest.raises(BudgetError):
        await run(dataset, tmp_path / "rag", "builtin:jury/one", tokens=2_000)
    assert not (tmp_path / "rag").exists() and 0 < sum(jury.calls.values()) < 24
    summary = await run(dataset, tmp_path / "rag", "builtin:jury/one")
    asked_again = sum(jury.calls.values()) - 24
    assert 0 <= asked_again < 3, "only what was under way beside the call that was refused"
    assert summary.arms[0].right.count == 6


async def test_what_is_lacking_is_null_with_the_reason(jury: TestEndpoint, tmp_path: Path) -> None:
    bare = rag_towers.towers(4)
    turns = (
        bare.turns[0].model_copy(update={"answer": None, "gold": ()}),
        bare.turns[1].model_copy(update={"answer": None}),
        *bare.turns[2:],
    )
    dataset = bare.model_copy(update={"turns": turns})
    clean = rag_towers.FAULTS["clean"]
    lines: list[dict[str, object]] = [
        {"query_id": turns[0].query_id, "answer": clean(1), "passages": ["p1"]},
        {"query_id": turns[1].query_id, "answer": clean(2)},
        {"query_id": turns[2].query_id, "answer": clean(3), "passages": [{"text": "Of another corpus."}]},
    ]
    summary = await run(dataset, tmp_path / "rag", f"answers:{rag_towers.write_lines(tmp_path / 'a.jsonl', lines)}")
    rows = list(read_records(tmp_path / "rag" / "per_turn.jsonl", RagTurn))
    assert [row.reasons for row in rows] == [
        {COMPLETE: "the set has neither a reference answer nor gold"},
        {FAITHFUL: "the system does not say what it retrieved"},
        {},
        dict.fromkeys(RAG_CRITERIA, "the file has no answer to this turn"),
    ]
    assert [row.retrieval_reason for row in rows] == [
        "no gold is marked",
        "the system does not say what it retrieved",
        "a passage was given by a text that the corpus does not hold",
        "the file has no answer to this turn",
    ]
    assert rows[1].scores[COMPLETE] == 5, "the gold stands in for the reference"
    assert [row.right for row in rows] == [None, None, False, None]
    assert [arm.undecided for arm in summary.arms] == [4] and summary.arms[0].answered == 3


async def test_passages_by_text_are_recognised_and_other_texts_judged_as_given(
    jury: TestEndpoint, tmp_path: Path
) -> None:
    dataset = rag_towers.towers(2)
    own = dataset.passages["p1"].text
    lines: list[dict[str, object]] = [
        {"query_id": dataset.turns[0].query_id, "answer": own, "passages": [{"text": f"  {own} \n"}]},
        {
            "query_id": dataset.turns[1].query_id,
            "answer": "It is old.",
            "passages": [{"id": "p2", "text": "It is old."}],
        },
    ]
    await run(dataset, tmp_path / "rag", f"answers:{rag_towers.write_lines(tmp_path / 'a.jsonl', lines)}")
    kept = list(read_records(tmp_path / "rag" / "answers.jsonl", Answered))
    retrieved = [(one.passage_id, one.text) for answer in kept for one in answer.retrieved or ()]
    assert retrieved == [("p1", ""), ("p2", "It is old.")]
    first, second = read_records(tmp_path / "rag" / "per_turn.jsonl", RagTurn)
    assert first.scores[FAITHFUL] == 5 and first.found and second.found and second.scores[FAITHFUL] == 5


async def test_two_judges_that_differ_and_one_that_says_nothing(jury: TestEndpoint, tmp_path: Path) -> None:
    def mute(body: Body) -> "str | Body":
        return "I would rather not say." if body["model"] == "two" else rag_towers.model(body)

    jury.reply = mute
    dataset = rag_towers.towers(2)
    path = rag_towers.write_answers(tmp_path / "a.jsonl", dataset, rag_towers.FAULTS["clean"], refused=False)
    summary = await run(dataset, tmp_path / "rag", f"answers:{path}", judges=("jury/one", "jury/two"))
    assert [(one.abstained, one.unreadable) for one in summary.arms[0].criteria] == [(2, 6)] * 3
    verdicts = [json.loads(line) for line in (tmp_path / "rag" / "verdicts.jsonl").read_text().splitlines()]
    assert len(verdicts) == 12 and {one["system"] for one in verdicts} == {"a"}


async def test_an_answerer_that_cannot_be_read_has_no_answer(jury: TestEndpoint, tmp_path: Path) -> None:
    jury.reply = "No JSON."
    summary = await run(rag_towers.towers(2), tmp_path / "rag", "builtin:jury/one")
    (arm,) = summary.arms
    assert arm.answered == 0 and arm.no_answer == {"no reply of the answerer could be read": 2}
    assert arm.right.share is None and "not measured" in (tmp_path / "rag" / "report.md").read_text()


async def test_an_endpoint_that_fails_leaves_the_rest_for_another_run(jury: TestEndpoint, tmp_path: Path) -> None:
    with (tmp_path / "mtr.toml").open("a") as file:
        file.write("deadline_seconds = 2\n")
    dataset = rag_towers.towers(4)
    path = rag_towers.write_answers(tmp_path / "a.jsonl", dataset, rag_towers.FAULTS["clean"], refused=False)
    broken = rag_towers.query_of(2)
    jury.reply = lambda body: rag_towers.failing(body, broken)
    with pytest.raises(ShortfallError, match=r"1 turns were not answered or not judged"):
        await run(dataset, tmp_path / "rag", f"answers:{path}", judges=("other/one",))
    assert len(list(read_records(tmp_path / "rag" / "per_turn.jsonl", RagTurn))) == 3
    jury.reply = rag_towers.model
    summary = await run(dataset, tmp_path / "rag", f"answers:{path}", judges=("other/one",))
    assert summary.arms[0].right.count == 4


async def test_gold_that_counts_for_nothing_is_no_gold(jury: TestEndpoint, tmp_path: Path) -> None:
    dataset = rag_towers.towers(1)
    turn = dataset.turns[0].model_copy(update={"gold": (Gold(passage_id="p1", grade=0),)})
    dataset = dataset.model_copy(update={"turns": (turn,)})
    path = rag_towers.write_answers(tmp_path / "a.jsonl", dataset, rag_towers.FAULTS["clean"])
    summary = await run(dataset, tmp_path / "rag", f"answers:{path}")
    assert summary.arms[0].not_retrieved == {"no gold is marked": 1}


@pytest.mark.parametrize(
    ("text", "ks"), [("5", (5,)), ("1,3,5,10", (1, 3, 5, 10)), ("1..4", (1, 2, 3, 4)), ("7,1..3, 2", (1, 2, 3, 7))]
)
def test_ks(text: str, ks: tuple[int, ...]) -> None:
    assert parse_ks(text) == ks


@pytest.mark.parametrize("text", ["", "0", "1..", "3..1", "a", "1.5", "-2", "1;2", "1..5000"])
def test_what_is_no_k(text: str) -> None:
    with pytest.raises(InputError, match=r"--k .*: write numbers from 1 to 1000"):
        parse_ks(text)

"""Question sets: exact counts or a named shortfall, no repeats, the same bytes however run, nothing paid twice."""

import asyncio
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.endpoint import Body, TestEndpoint, as_json, chat_body
from support.question_world import CORPUS, Script, build_world, endpoint, reply, role_of

from mtr.batch_store import open_store
from mtr.cli.asking import question_maker
from mtr.corpus.corpus import open_corpus
from mtr.corpus_job import Terms
from mtr.datasets.own_adapter import load
from mtr.errors import BudgetError, InputError, ShortfallError
from mtr.llm import Budget, open_door
from mtr.meter import spent_by
from mtr.prompts import load_domain
from mtr.questions.diversity import distinct, evenness
from mtr.questions.job import QuestionJob, prepare
from mtr.questions.options import ROLES, QuestionOptions
from mtr.questions.records import Attempted, PlainQuestion
from mtr.questions.run import Finished, make_questions
from mtr.questions.similarity import Scale, Sieve, calibrated_scale
from mtr.settings import load_settings
from mtr.storage import read_records

MODEL = "stations/script"


@pytest.fixture(scope="module")
def running() -> Iterator[TestEndpoint]:
    with endpoint() as started:
        yield started


@pytest.fixture(scope="module")
def world(running: TestEndpoint, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A home with a corpus of sixty stations; the path of the settings."""
    folder = tmp_path_factory.mktemp("world")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MTR_HOME", str(folder / "home"))
        yield asyncio.run(build_world(folder, running.base_url, 60))


@pytest.fixture(autouse=True)
def at_home(world: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MTR_HOME", str(world.parent / "home"))


def options(**changes: Any) -> QuestionOptions:
    values: dict[str, Any] = {
        "corpus": CORPUS,
        "count": 7,
        "easy": 40,
        "medium": 35,
        "hard": 25,
        "unanswerable": 1,
        "domain": "general",
        "seed": 7,
        "models": dict.fromkeys(ROLES, MODEL),
    }
    return QuestionOptions.checked(**{**values, **changes})


async def run(
    world: Path, out: Path, *, concurrency: int = 4, tokens: int | None = None, ledger: str = "l", **changes: Any
) -> Finished:
    """Make a set into `out`, with a store beside it."""
    settings = await asyncio.to_thread(load_settings, world)
    job: QuestionJob = prepare(options(**changes), settings, "code")

    async def nobody(item: str, attempted: Attempted) -> None:
        """Nobody is told."""

    async with (
        open_door(settings, budget=Budget(tokens=tokens), ledger=out.parent / f"{ledger}.sqlite") as door,
        open_store(out.parent / f"{out.name}.sqlite") as store,
    ):
        terms = Terms(out=out, concurrency=concurrency, human_usd=None, meter=lambda: spent_by(door))
        return await make_questions(job, question_maker(job), store, terms, nobody)


def files(folder: Path) -> dict[str, object]:
    """Every file's bytes; of the manifest all but what may vary."""
    found: dict[str, object] = {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}
    manifest = json.loads((folder / "manifest.json").read_text())
    del manifest["run"]
    return found | {"manifest.json": manifest}


async def test_exact_counts_the_same_bytes_and_a_set_that_others_read(
    world: Path, running: TestEndpoint, tmp_path: Path
) -> None:
    running.reply = Script()
    finished = await run(world, tmp_path / "one", concurrency=1)
    assert {one.tier: (one.asked, one.delivered) for one in finished.summary.tiers} == {
        "easy": (3, 3),
        "medium": (2, 2),
        "hard": (2, 2),
        "unanswerable": (1, 1),
    }
    await run(world, tmp_path / "many", concurrency=8, ledger="other")
    assert files(tmp_path / "one") == files(tmp_path / "many")
    lines = list(read_records(tmp_path / "one" / "questions.jsonl", PlainQuestion))
    passages = open_corpus(CORPUS).passages
    assert Counter(line.difficulty for line in lines) == {"easy": 3, "medium": 2, "hard": 2, "unanswerable": 1}
    assert len({line.question for line in lines}) == 8
    assert all(passages[e.passage_id].text[e.start : e.end] == e.text for line in lines for e in line.evidence)
    dataset = load(tmp_path / "one")
    assert [turn.query_id for turn in dataset.turns] == [line.id for line in lines]
    assert [turn.subset for turn in dataset.turns] == [line.difficulty for line in lines]
    assert [turn.answerable for turn in dataset.turns] == [line.difficulty != "unanswerable" for line in lines]
    checks = {(one.check, one.tier): (one.seen, one.passed) for one in finished.summary.acceptance}
    assert checks["verify_need", "medium"] == (2, 2) and checks["verify_absence", "unanswerable"] == (1, 1)


async def test_a_model_that_always_repeats_itself_ends_with_a_shortfall(
    world: Path, running: TestEndpoint, tmp_path: Path
) -> None:
    """Whatever facts it is shown, it asks for one thing."""

    def always(body: Body) -> Body:
        role = role_of(body)
        if role == "query_writer":
            return chat_body(as_json(query="Who painted the red valve in station Alder?"))
        return reply(body)

    running.reply = always
    with pytest.raises(ShortfallError) as caught:
        await run(world, tmp_path / "set", count=1, medium=0, hard=0, unanswerable=4)
    message = str(caught.value)
    assert "unanswerable" in message and "attempts given up" in message
    finished = json.loads((tmp_path / "set" / "summary.json").read_text())
    assert {one["tier"]: one["delivered"] for one in finished["tiers"]}["unanswerable"] == 1
    assert sum(one["passed"] < one["seen"] for one in finished["acceptance"] if one["check"] == "no repeat") == 1


async def test_a_stopped_set_goes_on_and_pays_nothing_twice(world: Path, running: TestEndpoint, tmp_path: Path) -> None:
    running.reply = script = Script()
    await run(world, tmp_path / "whole", ledger="whole")
    once = len(script.asked)
    running.reply = again = Script()
    with pytest.raises(BudgetError):
        await run(world, tmp_path / "set", tokens=6000)
    assert 0 < len(again.asked) < once and not (tmp_path / "set").exists()
    await run(world, tmp_path / "set")
    assert len(again.asked) == once
    assert files(tmp_path / "set") == files(tmp_path / "whole")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"count": 0}, "--count 0"),
        ({"easy": -1}, "--easy -1"),
        ({"easy": 0, "medium": 0, "hard": 0}, "all 0"),
        ({"domain": "nowhere"}, "no domain 'nowhere'"),
        ({"corpus": "nowhere"}, "nowhere"),
    ],
)
def test_a_wrong_order_is_named(world: Path, change: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        prepare(options(**change), load_settings(world), "code")


async def test_the_first_of_those_that_repeat_stays(world: Path, tmp_path: Path) -> None:
    queries = [
        ("a", "When does the red pump open in station Alder?"),
        ("b", "when does the red pump open in station alder"),
        ("c", "Who founded the harbour museum?"),
        ("d", "When does the red pump open in station Alder now?"),
        ("e", "When does the green crane stop in station Bremon?"),
    ]
    sieve = Sieve(Scale(unrelated=0.2, pairs=1), "stations/vectors")
    async with open_door(load_settings(world), ledger=tmp_path / "ledger.sqlite"):
        found = await sieve.repeats(queries)
    assert [(one.item, one.of) for one in found] == [("b", "a"), ("d", "a")]
    assert found[0].similarity == 1.0 and 0.85 <= found[1].similarity < 1


async def test_the_scale_begins_at_unrelated_facts(world: Path, tmp_path: Path) -> None:
    corpus, domain = open_corpus(CORPUS), load_domain("general")
    async with open_door(load_settings(world), ledger=tmp_path / "ledger.sqlite"):
        scale = await calibrated_scale(corpus, domain, 7)
    assert scale.pairs > 100 and 0 < scale.unrelated < 0.9
    assert (scale.similarity(scale.unrelated), scale.similarity(1.0)) == (0, 1)
    assert scale.similarity(scale.cosine) == pytest.approx(0.85)


def test_figures_of_diversity() -> None:
    assert evenness([3, 3, 3]) == pytest.approx(1.0)
    assert evenness([5, 1]) == pytest.approx(0.6500224)
    assert evenness([4]) is None
    assert distinct(["a b c", "a b d"], 1) == pytest.approx(4 / 6)
    assert distinct(["a b c", "a b d"], 2) == pytest.approx(3 / 4)
    assert distinct(["桥在哪", "桥在这"], 1) == pytest.approx(4 / 6)
    assert distinct([], 1) is None

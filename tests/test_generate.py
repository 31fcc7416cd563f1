"""Generating: exact counts or a named shortfall, the same bytes however it was run, costs of all runs."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from support.conversations import make_conversation, make_passage, make_steps
from support.manifests import make_spent

from mtr.batch_store import Outcome, open_store
from mtr.corpus.corpus import Corpus
from mtr.corpus_job import Terms, bind_models
from mtr.datasets.manifest import Manifest
from mtr.datasets.own import Made
from mtr.datasets.own_reading import read_dataset
from mtr.errors import BudgetError, EndpointError, InputError, ShortfallError
from mtr.generation.estimate import PER_KEPT_TURN, estimate
from mtr.generation.job import Job
from mtr.generation.options import ROLES, GenerateOptions, share
from mtr.generation.run import generate, standing
from mtr.seeding import seeded
from mtr.settings import Endpoint, Price, Settings
from mtr.spent import Spent

TURNS = 3
Make = Callable[[str, int], Awaitable[Outcome[Made]]]


@pytest.fixture(autouse=True)
def mtr_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of its own for each test."""
    monkeypatch.setenv("MTR_HOME", str(tmp_path / "home"))
    return tmp_path


def options(**changes: Any) -> GenerateOptions:
    """Options for twelve conversations."""
    values: dict[str, Any] = {
        "corpus": "parts",
        "conversations": 12,
        "turns": TURNS,
        "domain": "general",
        "seed": 7,
        "models": dict.fromkeys(ROLES, "local/m"),
        "switch_share": 0.5,
        "far_reference_share": 0.1,
        "uniqueness": "retry",
    }
    return GenerateOptions.checked(**{**values, **changes})


def make_job(conversations: int = 12) -> Job:
    """A job over forty passages."""
    passages = {f"doc:{n}": make_passage(n) for n in range(40)}
    return Job(
        options=options(conversations=conversations),
        corpus=cast(Corpus, SimpleNamespace(name="parts", passages=passages)),
        fingerprint="f" * 64,
        prompts={"answerer": "a" * 64},
        thresholds={"local/m": {"gold": 0.5}},
        batch="b" * 64,
        items=tuple(f"parts-{n:04d}" for n in range(1, conversations + 1)),
    )


async def made_by_arithmetic(item: str, attempt: int) -> Outcome[Made]:
    """Depends on item and attempt alone; a third of the first attempts is abandoned, finishing order is mixed."""
    draw = seeded(3, item, attempt)
    await asyncio.sleep(draw.random() / 200)
    if attempt == 0 and draw.random() < 0.34:
        return Outcome(reason="passages spent")
    conversation = make_conversation(item, turns=TURNS, first=draw.randint(1, 30))
    return Outcome(value=Made(conversation=conversation, steps=make_steps(TURNS)))


async def nothing(item: str, made: Made) -> None:
    """Nobody is told."""


async def run(
    out: Path,
    make: Make = made_by_arithmetic,
    concurrency: int = 4,
    job: Job | None = None,
    meter: Callable[[], tuple[Spent, ...]] = lambda: (make_spent(),),
) -> Manifest:
    """Generate into `out`."""
    terms = Terms(out=out, concurrency=concurrency, human_usd=2.0, meter=meter)
    async with open_store(out.parent / f"{out.name}.sqlite") as store:
        return await generate(job or make_job(), make, store, terms, nothing)


def files(folder: Path) -> dict[str, object]:
    """Every file's bytes; of the manifest all but what may vary."""
    found: dict[str, object] = {
        str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }
    manifest = json.loads((folder / "manifest.json").read_text())
    del manifest["run"]
    return found | {"manifest.json": manifest}


async def test_exactly_as_many_as_asked_for(tmp_path: Path) -> None:
    manifest = await run(tmp_path / "set")
    dataset = read_dataset(tmp_path / "set")
    assert [one.conversation_id for one in dataset.conversations] == list(make_job().items)
    assert all(len(one.turns) == TURNS for one in dataset.conversations)
    assert manifest == dataset.manifest
    assert (manifest.counts.asked, manifest.counts.delivered, manifest.counts.turns) == (12, 12, 36)
    assert manifest.counts.abandoned
    assert {one.reason for one in manifest.counts.abandoned} == {"passages spent"}


async def test_the_same_bytes_whatever_the_concurrency(tmp_path: Path) -> None:
    for concurrency in (1, 8):
        await run(tmp_path / str(concurrency), concurrency=concurrency)
    assert files(tmp_path / "1") == files(tmp_path / "8")


async def test_a_stopped_job_goes_on_and_counts_what_every_run_has_used(tmp_path: Path) -> None:
    made = 0

    async def stops(item: str, attempt: int) -> Outcome[Made]:
        nonlocal made
        made += 1
        if made > 6:
            raise BudgetError("the cap is near")
        return await made_by_arithmetic(item, attempt)

    out = tmp_path / "set"
    with pytest.raises(BudgetError):
        await run(out, stops, concurrency=1)
    assert not out.exists()
    async with open_store(tmp_path / "set.sqlite") as store:
        before = await standing(make_job(), store)
    assert 0 < before.kept < 12 and before.kept_turns == before.kept * TURNS
    manifest = await run(out)
    await run(tmp_path / "other")
    assert files(out) == files(tmp_path / "other")
    assert manifest.run.runs == 2
    assert manifest.run.usage == (
        make_spent(calls=20, prompt_tokens=2000, cached_tokens=800, completion_tokens=400).model_copy(
            update={"seconds": 10.0, "usd": 1.0}
        ),
    )
    assert manifest.run.per_kept_turn.tokens == pytest.approx(2400 / 36)
    assert manifest.run.per_kept_turn.ratio_to_human == pytest.approx(1.0 / 36 / 2.0)


async def test_a_run_that_uses_nothing_is_no_run(tmp_path: Path) -> None:
    await run(tmp_path / "set")
    again = await run(tmp_path / "set", meter=tuple)
    assert again.run.runs == 1


async def test_a_shortfall_is_named_and_the_rest_is_written(tmp_path: Path) -> None:
    async def make(item: str, attempt: int) -> Outcome[Made]:
        if item == "parts-0003":
            return Outcome(reason=f"no fact left in attempt {attempt}")
        if item == "parts-0005":
            raise EndpointError("503 three times")
        return await made_by_arithmetic(item, attempt)

    with pytest.raises(ShortfallError) as caught:
        await run(tmp_path / "set", make)
    message = str(caught.value)
    assert "10 of 12 conversations could be made" in message
    assert "parts-0005: 503 three times" in message
    assert "parts-0003: 5 attempts abandoned, the last one: no fact left in attempt 4" in message
    assert "run the same command again" in message
    dataset = read_dataset(tmp_path / "set")
    assert len(dataset.conversations) == 10
    assert dataset.manifest.counts.delivered == 10 and dataset.manifest.counts.failed[0].item == "parts-0005"


async def test_nothing_made_writes_nothing(tmp_path: Path) -> None:
    async def make(item: str, attempt: int) -> Outcome[Made]:
        return Outcome(reason="no")

    with pytest.raises(ShortfallError, match="0 of 12"):
        await run(tmp_path / "set", make)
    assert not (tmp_path / "set").exists()


async def test_a_foreign_folder_is_refused_before_anything_is_made(tmp_path: Path) -> None:
    (tmp_path / "set").mkdir()
    (tmp_path / "set" / "letter.txt").write_text("mine")

    async def make(item: str, attempt: int) -> Outcome[Made]:
        raise AssertionError

    with pytest.raises(InputError, match="is not empty"):
        await run(tmp_path / "set", make)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"turns": 0}, "--turns 0"),
        ({"conversations": -1}, "--conversations -1"),
        ({"switch_share": 1.5}, "--switch-share 1.5"),
        ({"far_reference_share": -0.1}, "--far-reference-share -0.1"),
        ({"uniqueness": "maybe"}, "--uniqueness maybe"),
    ],
)
def test_options_out_of_range_are_named(change: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        options(**change)


def test_models_by_role() -> None:
    settings = Settings(roles={"answerer": "openai/a"})
    bound = bind_models(ROLES, settings, "", {"contextualizer": "openai/c", "topic_planner": ""})
    assert (bound["answerer"], bound["contextualizer"]) == ("openai/a", "openai/c")
    assert bound["topic_planner"].startswith("local/")
    assert set(bind_models(ROLES, settings, "x/y", {}).values()) == {"x/y"}


def test_short_conversations_ask_for_no_share_unless_told() -> None:
    assert (share(None, 0.5, 4), share(None, 0.5, 2), share(0.3, 0.5, 2)) == (0.5, 0.0, 0.3)


def test_the_estimate_is_stated_averages_times_turns() -> None:
    priced = Endpoint(name="e", base_url="http://127.0.0.1:1/v1", prices={"m": Price(prompt=1.0, completion=2.0)})
    settings = Settings(endpoints={"e": priced, **Settings().endpoints})
    models = dict.fromkeys(ROLES, "e/m") | {"contextualizer": "local/m"}
    lines = {one.role: one for one in estimate(options(models=models), settings)}
    assert set(lines) == set(ROLES)
    turns, average = 12 * TURNS, PER_KEPT_TURN["answerer"]
    assert lines["answerer"].calls == average.calls * turns
    usd = (average.prompt_tokens * turns + 2 * average.completion_tokens * turns) / 1e6
    assert lines["answerer"].usd == pytest.approx(usd)
    assert lines["contextualizer"].usd == 0.0

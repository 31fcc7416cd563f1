"""A manifest for tests of files."""

from mtr.datasets.manifest import CorpusNote, Counts, Manifest, RunNote, Tally, per_kept_turn
from mtr.spent import Spent
from support.conversations import make_conversation


def make_spent(role: str = "answerer", **changes: object) -> Spent:
    """Ten calls of one role."""
    spent = Spent(
        model="local/m",
        role=role,
        calls=10,
        replayed=0,
        unmeasured=0,
        prompt_tokens=1000,
        cached_tokens=400,
        completion_tokens=200,
        seconds=5.0,
        usd=0.5,
    )
    return spent.model_copy(update=changes)


def make_manifest() -> Manifest:
    """The manifest of the two conversations that test_own writes."""
    tally = Tally()
    for name in ("demo-0001", "demo-0002"):
        tally.add(make_conversation(name))
    usage = (make_spent(),)
    return Manifest(
        batch="b" * 64,
        versions={"mtr": "0.1.0", "python": "3.11"},
        options={"conversations": 2, "turns": 3},
        seed=7,
        domain="general",
        prompts={"answerer": "a" * 64},
        models={"answerer": "local/m"},
        thresholds={"local/m": {"gold": 0.5}},
        corpus=CorpusNote(name="demo", fingerprint="f" * 64, passages=8),
        counts=Counts(asked=2, delivered=2, turns=6),
        shares=tally.shares(),
        run=RunNote(
            created="2026-01-01T00:00:00Z",
            seconds=60.0,
            runs=1,
            concurrency=1,
            usage=usage,
            per_kept_turn=per_kept_turn(usage, 6, 60.0, None),
        ),
    )

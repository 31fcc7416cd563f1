"""A RAG evaluation as a whole: planted faults show on their own criterion, nothing is paid twice, null has a reason."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from support import jurors, rag_towers
from support.endpoint import TestEndpoint

from mtr.auditing.options import checked_options
from mtr.batch_store import open_store
from mtr.cli.ragging import judge_of, rag_job
from mtr.datasets.records import Dataset
from mtr.evaluation.rag import RagSummary
from mtr.evaluation.rag_turns import COMPLETE, FAITHFUL, RAG_CRITERIA, RELEVANT, RagTurn, Right
from mtr.generation.meter import spent_by
from mtr.llm import open_door
from mtr.rag.options import checked_rag_options
from mtr.rag.run import RagTerms, rag
from mtr.settings import load_settings
from mtr.storage import home, read_records


@pytest.fixture
def jury(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestEndpoint]:
    """An endpoint that answers and judges."""
    with TestEndpoint(reply=rag_towers.model) as endpoint:
        monkeypatch.setenv("MTR_CONFIG", str(jurors.write_settings(tmp_path / "mtr.toml", endpoint.base_url)))
        yield endpoint


async def run(
    dataset: Dataset, out: Path, *systems: str, judges: tuple[str, ...] = ("jury/one",), **changes: object
) -> RagSummary:
    """Run an evaluation to its end."""
    judging = checked_options(domain="general", judges=judges, criteria=RAG_CRITERIA, sample=300, seed=7)
    options = checked_rag_options(**{"systems": systems, "right": Right(), "judging": judging, **changes})
    settings = load_settings()
    job = rag_job(options, dataset, settings)
    async with open_door(settings) as door, open_store(home() / "batches.sqlite") as store:
        terms = RagTerms(
            out=out,
            concurrency=8,
            meter=lambda: spent_by(door),
            judge=judge_of(judging),
            step=lambda standing: None,
        )
        return await rag(job, store, terms)


def scores(summary: RagSummary) -> dict[str, list[float | None]]:
    """The means of faithfulness, relevance and completeness by system."""
    return {arm.system: [one.mean.mean for one in arm.criteria] for arm in summary.arms}


async def test_planted_faults_show_on_their_own_criterion_alone(jury: TestEndpoint, tmp_path: Path) -> None:
    dataset = rag_towers.towers(12)
    systems = [
        f"answers:{rag_towers.write_answers(tmp_path / f'{name}.jsonl', dataset, wrong)}"
        for name, wrong in rag_towers.FAULTS.items()
    ]
    summary = await run(dataset, tmp_path / "rag", *systems)
    low = {
        name: [criterion for criterion, mean in zip(RAG_CRITERIA, means, strict=True) if mean != 5]
        for name, means in scores(summary).items()
    }
    assert low == {"clean": [], "unfaithful": [FAITHFUL], "off_the_point": [RELEVANT], "incomplete": [COMPLETE]}

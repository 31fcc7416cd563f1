"""Running a RAG evaluation in a test, the command line left out."""

from pathlib import Path

from mtr.auditing.options import AuditOptions
from mtr.batch_store import open_store
from mtr.cli.ragging import judge_of, rag_job
from mtr.datasets.records import Dataset
from mtr.evaluation.rag import RagSummary
from mtr.evaluation.rag_turns import RAG_CRITERIA, Right
from mtr.llm import Budget, open_door
from mtr.meter import spent_by
from mtr.rag.options import checked_rag_options
from mtr.rag.run import RagTerms, rag
from mtr.settings import load_settings
from mtr.storage import home


async def run(
    dataset: Dataset,
    out: Path,
    *systems: str,
    judges: tuple[str, ...] = ("jury/one",),
    tokens: int | None = None,
    **changes: object,
) -> RagSummary:
    """Run an evaluation to its end; `changes` are of its options, `tokens` is its budget."""
    judging = AuditOptions.checked(domain="general", judges=judges, criteria=RAG_CRITERIA, sample=300, seed=7)
    options = checked_rag_options(**{"systems": systems, "right": Right(), "judging": judging, **changes})
    settings = load_settings()
    job = rag_job(options, dataset, settings)
    async with (
        open_door(settings, budget=Budget(tokens=tokens)) as door,
        open_store(home() / "batches.sqlite") as store,
    ):
        terms = RagTerms(
            out=out, concurrency=8, meter=lambda: spent_by(door), judge=judge_of(judging), step=lambda standing: None
        )
        return await rag(job, store, terms)

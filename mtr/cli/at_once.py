"""`mtr generate --audit`: each conversation before the ensemble once it is whole, the audit written at the end."""

from asyncio import to_thread
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import typer

from mtr.auditing.calibrations import cuts_for
from mtr.auditing.dockets import Dockets
from mtr.auditing.job import prepare
from mtr.auditing.options import SAMPLE, AuditOptions
from mtr.auditing.run import AuditTerms, audit
from mtr.batch_store import BatchStore
from mtr.cli.auditing import print_end
from mtr.cli.judgements import code_of_judgements, judged_turn, judgement_maker, judging_context
from mtr.datasets.adapters import load_dataset
from mtr.datasets.own_adapter import any_passage, turns_of, writers_of
from mtr.datasets.records import AnyTurn, Dataset
from mtr.errors import EndpointError, FatalEndpointError
from mtr.evaluation.audit_records import AuditSummary
from mtr.generation.job import Job
from mtr.judging.asking import Docket
from mtr.llm import Door
from mtr.llm.serving import check_model, check_weights, concurrency_of
from mtr.meter import of_judges, spent_by
from mtr.progress import spending
from mtr.records import Conversation
from mtr.settings import Settings
from mtr.verdicts import CRITERIA, JudgedTurn


@dataclass(frozen=True)
class Found:
    """The audit of what was generated: its summary, its folder, what it took."""

    summary: AuditSummary
    folder: Path
    took: str

    def print(self) -> None:
        """Print it as `mtr audit` does."""
        print_end(self.summary, self.folder, self.took)


class AtOnce:
    """The ensemble that waits beside a generation, behind the same door and under the same budget.

    Its replies are on the ledger when the audit asks for them again. InputError: a judge cannot be asked.
    """

    def __init__(self, job: Job, settings: Settings, judges: tuple[str, ...]) -> None:
        self._job, self._settings = job, settings
        for judge in judges:
            check_model(judge, settings)
        check_weights(judges, settings)
        self.options = _options(job, judges)

    @cached_property
    def _dockets(self) -> Dockets:
        passages = {name: any_passage(passage) for name, passage in self._job.corpus.passages.items()}
        return Dockets(Dataset(name=self._job.stem, layout="own", passages=passages, turns=()))

    def _docket(self, turn: AnyTurn) -> Docket:
        return self._dockets.of(turn)

    async def judge(self, conversation: Conversation) -> None:
        """Judge every turn. An endpoint's failure is told and left to the audit at the end, which asks again."""
        context = judging_context(self.options)
        for turn in turns_of(conversation, writers_of(self._job.options.models)):
            docket = await to_thread(self._docket, turn)
            try:
                await judged_turn(docket, context)
            except FatalEndpointError:
                raise
            except EndpointError as error:
                typer.echo(f"{turn.query_id} could not be judged yet: {error}", err=True)

    async def audit(self, out: Path, door: Door, store: BatchStore) -> Found:
        """Audit the data set as written, into its folder `audit`. Errors as of `mtr.auditing.run.audit`."""
        dataset = await to_thread(load_dataset, out, "own")
        job = prepare(self.options, dataset, self._settings, code_of_judgements())
        terms = AuditTerms(
            out=out / "audit",
            concurrency=concurrency_of(self.options.models, self._settings),
            meter=lambda: of_judges(spent_by(door), judges=True),
        )
        summary = await audit(job, judgement_maker(job), store, terms, _already_shown)
        return Found(summary, terms.out, ", ".join(spending(terms.meter())))


async def _already_shown(item: str, judged: JudgedTurn) -> None:
    """The progress of the generation has counted it."""


def _options(job: Job, judges: tuple[str, ...]) -> AuditOptions:
    return AuditOptions.checked(
        domain=job.options.domain,
        judges=judges,
        criteria=CRITERIA,
        cuts=cuts_for(judges, job.options.domain),
        sample=max(SAMPLE, job.options.conversations * job.options.turns),
        seed=job.options.seed,
    )

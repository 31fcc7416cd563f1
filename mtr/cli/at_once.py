"""`mtr generate --audit`: each conversation before the ensemble once it is whole, the audit written at the end."""

from asyncio import to_thread
from functools import cached_property
from pathlib import Path

import typer

from mtr.auditing.dockets import Dockets
from mtr.auditing.job import AuditJob, prepare
from mtr.auditing.options import SAMPLE, AuditOptions, checked_options
from mtr.cli.auditing import AuditOrder, run_audit
from mtr.cli.judgements import code_of_judgements, judged_turn, judging_context
from mtr.datasets.adapters import load_dataset
from mtr.datasets.own_adapter import any_passage, turns_of, writers_of
from mtr.datasets.records import AnyTurn, Dataset
from mtr.errors import EndpointError, FatalEndpointError
from mtr.generation.job import Job
from mtr.judging.asking import Docket
from mtr.records import Conversation
from mtr.settings import Settings
from mtr.verdicts import CRITERIA


class AtOnce:
    """The ensemble that waits beside a generation. Its replies are on the ledger when the audit asks for them again."""

    def __init__(self, job: Job, settings: Settings, judges: tuple[str, ...]) -> None:
        self._job, self._settings = job, settings
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

    def audit(self, out: Path) -> None:
        """Audit the data set as written, into its folder `audit`."""
        job: AuditJob = prepare(self.options, load_dataset(out, "own"), self._settings, code_of_judgements())
        run_audit(job, self._settings, AuditOrder(out / "audit", None, None, None))


def _options(job: Job, judges: tuple[str, ...]) -> AuditOptions:
    return checked_options(
        domain=job.options.domain,
        judges=judges,
        criteria=CRITERIA,
        sample=max(SAMPLE, job.options.conversations * job.options.turns),
        seed=job.options.seed,
    )

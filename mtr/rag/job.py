"""A checked RAG evaluation: data set, systems, judges and criteria fit each other, and each batch has its name."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mtr.auditing.dockets import drawn_turns
from mtr.auditing.job import criteria_of
from mtr.datasets.fingerprint import fingerprint
from mtr.datasets.records import AnyTurn, Dataset
from mtr.errors import InputError
from mtr.evaluation.rag_turns import REFUSES
from mtr.llm.serving import check_model
from mtr.prompts import prompt_hashes
from mtr.rag.options import RagOptions
from mtr.rag.systems import RagSystem
from mtr.settings import Settings
from mtr.verdicts import Criterion, criterion


@dataclass(frozen=True)
class Arm:
    """One system at one k: a row of the table."""

    system: RagSystem
    k: int | None

    @property
    def name(self) -> str:
        """How tables call it where several k are shown."""
        return self.system.name if self.k is None else f"{self.system.name} @{self.k}"


@dataclass(frozen=True)
class RagJob:
    """What is to be answered and judged: `turns` are those drawn, `prompts` the sha256 of each judge's.

    `agents` are the models that rewrite queries, rerank and answer.
    """

    options: RagOptions
    dataset: Dataset
    turns: Mapping[str, AnyTurn]
    systems: tuple[RagSystem, ...]
    criteria: tuple[Criterion, ...]
    prompts: Mapping[str, str]
    code: str
    fingerprint: str
    agents: tuple[str, ...]

    @property
    def arms(self) -> tuple[Arm, ...]:
        """Every system at every k it answers with."""
        return tuple(Arm(one, k) for one in self.systems for k in one.ks(self.options.ks))

    @property
    def models(self) -> tuple[str, ...]:
        """Every chat model that may be asked, each once."""
        return tuple(dict.fromkeys((*self.agents, *self.options.judging.models)))

    @property
    def batch(self) -> str:
        """What the accounts of its runs are kept under."""
        return _hash({"kind": "rag", "batches": [self.verdicts_batch(one) for one in self.systems]})

    def items(self, system: RagSystem) -> Mapping[str, tuple[int | None, AnyTurn]]:
        """The items of a system's batches: a turn at each k in turn, since one prompt is the start of the next."""
        ks = system.ks(self.options.ks)
        return {item_of(k, name): (k, turn) for name, turn in self.turns.items() for k in ks}

    def answers_batch(self, system: RagSystem) -> str:
        """The batch of a system's answers, whatever k, sample and judges are: another sample keeps what there is."""
        return _hash({"kind": "rag answers", "name": system.name, "key": system.key, "dataset": self.fingerprint})

    def verdicts_batch(self, system: RagSystem) -> str:
        """The batch of the verdicts on a system's answers by these judges."""
        options = self.options.judging.model_dump(exclude={"sample"})
        shape = {"kind": "rag verdicts", "code": self.code, "options": options, "prompts": dict(self.prompts)}
        return _hash({**shape, "answers": self.answers_batch(system)})


def item_of(k: int | None, query_id: str) -> str:
    """The name of a turn at a k within its batch."""
    return f"{'-' if k is None else k} {query_id}"


def prepare(
    options: RagOptions,
    dataset: Dataset,
    systems: Sequence[RagSystem],
    settings: Settings,
    code: str,
    agents: Sequence[str],
) -> RagJob:
    """Check the evaluation; InputError says what is wrong. Nothing is called.

    `code` is that of the judgements, `agents` the models that rewrite queries, rerank and answer.
    """
    for model in options.judging.models:
        check_model(model, settings)
    criteria = criteria_of(options.judging)
    domain = options.judging.domain
    hashes = prompt_hashes(domain)
    names = [one.name for one in systems]
    if twice := [name for name in names if names.count(name) > 1]:
        raise InputError(f"two systems are called {twice[0]}; name one of them: --system NAME={twice[0]}")
    job = RagJob(
        options=options,
        dataset=dataset,
        turns={turn.query_id: turn for turn in drawn_turns(dataset, options.judging.sample, options.judging.seed)},
        systems=tuple(systems),
        criteria=criteria,
        prompts={one.role: hashes[one.role] for one in (*criteria, criterion(domain, REFUSES))},
        code=code,
        fingerprint=fingerprint(dataset),
        agents=tuple(agents),
    )
    if not job.turns:
        raise InputError(f"{dataset.name} has no turn to answer; see `mtr datasets show`")
    for one in systems:
        if not one.ks(options.ks):
            raise InputError(f"{one.name} has no answer for k {', '.join(map(str, options.ks))}; see --k")
    return job


def _hash(shape: Mapping[str, object]) -> str:
    return hashlib.sha256(json.dumps(shape, sort_keys=True).encode()).hexdigest()

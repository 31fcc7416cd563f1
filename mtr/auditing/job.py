"""A checked audit: data set, judges and criteria fit each other, and the batch they make has its name."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from mtr.auditing.dockets import Dockets, drawn_turns
from mtr.auditing.options import AuditOptions
from mtr.datasets.fingerprint import fingerprint
from mtr.datasets.records import AnyTurn, Dataset
from mtr.errors import InputError
from mtr.judging.asking import check_inputs
from mtr.llm.serving import check_model
from mtr.prompts import domains, prompt_hashes, roles
from mtr.settings import Settings
from mtr.verdicts import ALIGNMENT, Criterion, criterion


@dataclass(frozen=True)
class AuditJob:
    """What is to be judged: `turns` are those drawn, `prompts` the sha256 of each criterion's."""

    options: AuditOptions
    dataset: Dataset
    criteria: tuple[Criterion, ...]
    turns: Mapping[str, AnyTurn]
    prompts: Mapping[str, str]
    batch: str

    @property
    def items(self) -> tuple[str, ...]:
        """The query ids of the turns drawn."""
        return tuple(self.turns)

    @cached_property
    def dockets(self) -> Dockets:
        """Made on first use: a dry run and a finished audit need no index."""
        return Dockets(self.dataset)


def prepare(options: AuditOptions, dataset: Dataset, settings: Settings, code: str) -> AuditJob:
    """Check the audit against endpoints, prompts and data set; InputError says what is wrong. Nothing is called."""
    for model in options.models:
        check_model(model, settings)
    criteria = criteria_of(options)
    if not dataset.turns:
        raise InputError(f"{dataset.name} has no turn to judge; see `mtr datasets show`")
    turns = drawn_turns(dataset, options.sample, options.seed)
    hashes = prompt_hashes(options.domain)
    prompts = {one.role: hashes[one.role] for one in _asked_with(criteria, options.domain)}
    shape = {
        "kind": "audit",
        "code": code,
        "options": options.model_dump(),
        "dataset": fingerprint(dataset),
        "prompts": prompts,
    }
    return AuditJob(
        options=options,
        dataset=dataset,
        criteria=criteria,
        turns={turn.query_id: turn for turn in turns},
        prompts=prompts,
        batch=hashlib.sha256(json.dumps(shape, sort_keys=True).encode()).hexdigest(),
    )


def _asked_with(criteria: tuple[Criterion, ...], domain: str) -> tuple[Criterion, ...]:
    """The criteria, and alignment where a choice may make it ask whether a passage is missing gold."""
    confirms = any(one.reply == "choice" for one in criteria)
    return (*criteria, criterion(domain, ALIGNMENT)) if confirms else criteria


def criteria_of(options: AuditOptions) -> tuple[Criterion, ...]:
    """The criteria named; InputError lists those that the domain has."""
    if options.domain not in domains():
        raise InputError(f"no domain {options.domain!r}; there are: {', '.join(domains())}; see `mtr prompts new`")
    known = [role.removeprefix("judges/") for role in roles(options.domain) if role.startswith("judges/")]
    for name in options.criteria:
        if name not in known:
            raise InputError(
                f"--criteria {name}: domain {options.domain} has no such criterion; it has {', '.join(known)}"
            )
    criteria = tuple(criterion(options.domain, name) for name in dict.fromkeys(options.criteria))
    check_inputs(criteria)
    return criteria

"""Runs a calibration for `mtr calibrate`: the batch of judgements, the table of figures, the cuts put on disk."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass

import typer

from mtr.auditing.calibrating import Reading, readings
from mtr.auditing.calibrations import StoredCut, store_cuts
from mtr.auditing.job import AuditJob
from mtr.auditing.run import judge_turns
from mtr.cli.auditing import AuditOrder, judging
from mtr.cli.judgements import judgement_maker
from mtr.cli.tables import print_table
from mtr.errors import ShortfallError
from mtr.evaluation.marked import MarkedAnswer
from mtr.evaluation.resampling import Estimate
from mtr.llm.serving import check_weights
from mtr.settings import Settings
from mtr.storage import write_records
from mtr.verdicts import JudgedTurn

HEADINGS = ("judge", "criterion", "reading", "n", "Pearson", "Spearman", "Kendall", "AUC", "cut", "unseen")


@dataclass(frozen=True)
class Comparison:
    """What is compared: the job, the marked answers of its turns, the human criterion of each of ours."""

    job: AuditJob
    answers: tuple[MarkedAnswer, ...]
    marks: Mapping[str, str]
    store: bool


def run_calibration(comparison: Comparison, settings: Settings, order: AuditOrder) -> None:
    """Run it and print the figures; Ctrl-C ends with exit code 130."""
    check_weights(comparison.job.options.judges, settings)
    try:
        judged, took = asyncio.run(_judge(comparison.job, settings, order))
    except KeyboardInterrupt:
        raise typer.Exit(130) from None
    job = comparison.job
    found = readings(comparison.answers, judged, job.criteria, comparison.marks, seed=job.options.seed)
    _print(comparison, found)
    typer.echo(f"took {took}")
    if order.out:
        write_records(order.out, found)
        typer.echo(f"figures {order.out}")
    if comparison.store:
        _store(job, found)


async def _judge(job: AuditJob, settings: Settings, order: AuditOrder) -> tuple[tuple[JudgedTurn, ...], str]:
    async with judging(job, settings, order) as session:
        report = await judge_turns(job, judgement_maker(job), session.store, session.terms, session.whole)
        if report.short:
            reasons = [*(one.reason for one in report.failed), *(one.reason for one in report.abandoned)]
            first = next(iter(reasons), "")
            raise ShortfallError(f"{report.delivered} of {report.asked} items could be judged: {first}; run it again")
        return tuple(session.store.wholes(job.batch, job.items, JudgedTurn)), session.took()


def _print(comparison: Comparison, found: tuple[Reading, ...]) -> None:
    title = f"{len(comparison.answers)} marked answers of {comparison.job.dataset.name}, intervals 95 % by conversation"
    print_table(title, HEADINGS, [_row(one) for one in found])
    shown: set[str] = set()
    for one in found:
        if one.marks in shown:
            continue
        shown.add(one.marks)
        people, ceiling = one.calibration.people, one.calibration.ceiling
        alpha = "not measured" if people.alpha is None else f"{people.alpha:.2f}"
        pearson = _estimate(ceiling.pearson) or "not measured: one mark an item"
        typer.echo(f"people on {one.marks}: alpha {alpha}, each against the mean of the others: Pearson {pearson}")


def _row(one: Reading) -> tuple[object, ...]:
    figures = one.calibration
    unseen = figures.unseen.balanced_accuracy
    return (
        one.judge,
        one.criterion,
        one.reading,
        f"{figures.measured} of {figures.asked}",
        _estimate(figures.judge.pearson),
        _estimate(figures.judge.spearman),
        _estimate(figures.judge.kendall),
        _estimate(figures.auc),
        None if figures.cut.cut is None else f"{figures.cut.cut:.3f}",
        None if unseen is None else f"{unseen:.2f} balanced",
    )


def _estimate(one: Estimate) -> str | None:
    if one.value is None:
        return None
    return f"{one.value:.2f}" if one.low is None else f"{one.value:.2f} [{one.low:.2f}, {one.high:.2f}]"


def _store(job: AuditJob, found: tuple[Reading, ...]) -> None:
    cuts = [
        StoredCut(
            judge=one.judge,
            criterion=one.criterion,
            prompt=job.prompts[f"judges/{one.criterion}"],
            cut=one.calibration.cut.cut,
            auc=one.calibration.auc.value,
            balanced_accuracy=one.calibration.unseen.balanced_accuracy,
            measured=one.calibration.measured,
            source=job.dataset.name,
        )
        for one in found
        if one.reading == "P(yes)" and one.calibration.cut.cut is not None
    ]
    store_cuts(cuts)
    for cut in cuts:
        typer.echo(f"kept for later audits: {cut.judge} on {cut.criterion} says yes from {cut.cut:.3f}")

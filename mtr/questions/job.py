"""A checked order for a question set, with its plan."""

from dataclasses import dataclass

from mtr.corpus_job import CorpusJob, check_order, corpus_job
from mtr.errors import InputError
from mtr.prompts import DomainSettings
from mtr.questions.options import ROLES, QuestionOptions
from mtr.questions.plan import Plan, plan_questions
from mtr.settings import Settings

PROMPTED = {*ROLES, "query_writers", "contextualizers"}
"""Whose prompts shape questions."""


@dataclass(frozen=True)
class QuestionJob(CorpusJob[QuestionOptions]):
    """What is to be made; `items` are question ids."""

    domain: DomainSettings
    plan: Plan


def prepare(options: QuestionOptions, settings: Settings, code: str) -> QuestionJob:
    """Check the order against endpoints, prompts and corpus, and draw its plan. Nothing is called.

    `code` is a fingerprint of the code that will make the questions. InputError says what is wrong.
    """
    domain = check_order(options, settings)
    if options.unanswerable and not domain.words("refusal"):
        raise InputError(f"domain {options.domain!r} has no phrases `refusal`, what to say where there is no answer")
    counts = options.counts
    job = corpus_job(options, sum(counts.values()), settings, code, PROMPTED)
    plan = plan_questions(job.corpus, counts, options.seed, domain)
    return QuestionJob(**vars(job), domain=domain, plan=plan)

"""A checked order: options, corpus and prompts fit each other, and the set they make has its batch and its plan."""

import hashlib
import json
import re
from dataclasses import dataclass

from mtr.corpus.corpus import Corpus, open_corpus
from mtr.errors import InputError
from mtr.generation.job import corpus_fingerprint
from mtr.llm.serving import check_model
from mtr.prompts import DomainSettings, domains, load_domain, prompt_hashes
from mtr.questions.options import ROLES, QuestionOptions
from mtr.questions.plan import Plan, plan_questions
from mtr.settings import Settings
from mtr.thresholds import thresholds_for

PROMPTED = {*ROLES, "query_writers", "contextualizers"}
"""Whose prompts shape questions."""

ATTEMPTS = 5
"""Attempts at one question, each from other passages."""


@dataclass(frozen=True)
class QuestionJob:
    """What is to be made. `prompts` are sha256 by role, of domain.yaml too; `items` are question ids, by slot."""

    options: QuestionOptions
    corpus: Corpus
    domain: DomainSettings
    plan: Plan
    fingerprint: str
    prompts: dict[str, str]
    thresholds: dict[str, dict[str, float]]
    batch: str
    items: tuple[str, ...]

    @property
    def stem(self) -> str:
        """The corpus's name without spaces: what question ids and the folder begin with."""
        return self.items[0].rpartition("-")[0]

    def slot(self, item: str) -> int:
        """The number of a question, from 0."""
        return int(item.rpartition("-")[2]) - 1


def prepare(options: QuestionOptions, settings: Settings, code: str) -> QuestionJob:
    """Check the order against endpoints, prompts and corpus, and draw its plan. Nothing is called.

    `code` is a fingerprint of the code that will make the questions. InputError says what is wrong.
    """
    models = sorted(set(options.models.values()))
    for model in models:
        check_model(model, settings)
    if options.domain not in domains():
        raise InputError(f"no domain {options.domain!r}; there are: {', '.join(domains())}; see `mtr prompts new`")
    domain = load_domain(options.domain)
    if options.unanswerable and not domain.words("refusal"):
        raise InputError(f"domain {options.domain!r} has no phrases `refusal`, what to say where there is no answer")
    counts, corpus = options.counts, open_corpus(options.corpus)
    fingerprint, prompts = corpus_fingerprint(corpus), _prompts(options.domain, domain)
    thresholds = {model: thresholds_for(model, settings.thresholds).model_dump() for model in models}
    shape = {
        "code": code,
        "options": options.model_dump(),
        "corpus": fingerprint,
        "prompts": prompts,
        "thresholds": thresholds,
    }
    return QuestionJob(
        options=options,
        corpus=corpus,
        domain=domain,
        plan=plan_questions(corpus, counts, options.seed, domain),
        fingerprint=fingerprint,
        prompts=prompts,
        thresholds=thresholds,
        batch=hashlib.sha256(json.dumps(shape, sort_keys=True).encode()).hexdigest(),
        items=_items(corpus.name, sum(counts.values())),
    )


def _prompts(name: str, domain: DomainSettings) -> dict[str, str]:
    hashes = {role: sha for role, sha in prompt_hashes(name).items() if role.partition("/")[0] in PROMPTED}
    settings = domain.model_dump_json()
    return dict(sorted({**hashes, "domain.yaml": hashlib.sha256(settings.encode()).hexdigest()}.items()))


def _items(corpus: str, count: int) -> tuple[str, ...]:
    stem, width = re.sub(r"[\s:]+", "-", corpus), max(4, len(str(count)))
    return tuple(f"{stem}-{number:0{width}}" for number in range(1, count + 1))

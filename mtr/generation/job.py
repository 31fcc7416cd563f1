"""A checked order: options, corpus and prompts fit each other, and the batch they make has its name."""

import hashlib
import json
import re
from dataclasses import dataclass

from mtr.conversation.plan import Shares, plan_moves
from mtr.corpus.corpus import Corpus, open_corpus
from mtr.errors import InputError
from mtr.generation.options import FEWEST_TURNS, ROLES, GenerateOptions
from mtr.llm.serving import check_model
from mtr.prompts import domains, load_domain, prompt_hashes
from mtr.settings import Settings
from mtr.thresholds import thresholds_for

PROMPTED = {*ROLES, "contextualizers"}
"""Whose prompts shape conversations; those of judges, the query rewriter and the reranker do not."""

ATTEMPTS = 5
"""Attempts at one conversation, each with another seed."""


@dataclass(frozen=True)
class Job:
    """What is to be made. `prompts` are sha256 by role, of domain.yaml too; `items` are conversation ids, by slot."""

    options: GenerateOptions
    corpus: Corpus
    fingerprint: str
    prompts: dict[str, str]
    thresholds: dict[str, dict[str, float]]
    batch: str
    items: tuple[str, ...]

    @property
    def stem(self) -> str:
        """The corpus's name without spaces: what conversation ids and the folder begin with."""
        return self.items[0].rpartition("-")[0]

    def slot(self, item: str) -> int:
        """The number of a conversation, from 0."""
        return int(item.rpartition("-")[2]) - 1


def prepare(options: GenerateOptions, settings: Settings, code: str) -> Job:
    """Check the order against endpoints, prompts and corpus; InputError says what is wrong. Nothing is called.

    `code` is a fingerprint of the code that will make the conversations.
    """
    for model in sorted(set(options.models.values())):
        check_model(model, settings)
    if options.domain not in domains():
        raise InputError(f"no domain {options.domain!r}; there are: {', '.join(domains())}; see `mtr prompts new`")
    corpus = open_corpus(options.corpus)
    _check_shares(options)
    fingerprint = corpus_fingerprint(corpus)
    prompts = _prompts(options.domain)
    models = sorted(set(options.models.values()))
    thresholds = {model: thresholds_for(model, settings.thresholds).model_dump() for model in models}
    shape = {
        "code": code,
        "options": options.model_dump(),
        "corpus": fingerprint,
        "prompts": prompts,
        "thresholds": thresholds,
    }
    return Job(
        options=options,
        corpus=corpus,
        fingerprint=fingerprint,
        prompts=prompts,
        thresholds=thresholds,
        batch=hashlib.sha256(json.dumps(shape, sort_keys=True).encode()).hexdigest(),
        items=_items(corpus.name, options.conversations),
    )


def _check_shares(options: GenerateOptions) -> None:
    if options.switch_share and options.turns < FEWEST_TURNS:
        raise InputError(f"--switch-share {options.switch_share} needs --turns {FEWEST_TURNS} or more")
    shares = Shares(
        conversations=options.conversations,
        turns=options.turns,
        switch_share=options.switch_share,
        far_reference_share=options.far_reference_share,
    )
    plan_moves(options.seed, 0, shares)


def _prompts(domain: str) -> dict[str, str]:
    hashes = {role: sha for role, sha in prompt_hashes(domain).items() if role.partition("/")[0] in PROMPTED}
    settings = load_domain(domain).model_dump_json()
    return dict(sorted({**hashes, "domain.yaml": hashlib.sha256(settings.encode()).hexdigest()}.items()))


def _items(corpus: str, conversations: int) -> tuple[str, ...]:
    stem = re.sub(r"[\s:]+", "-", corpus)
    width = max(4, len(str(conversations)))
    return tuple(f"{stem}-{number:0{width}}" for number in range(1, conversations + 1))


def corpus_fingerprint(corpus: Corpus) -> str:
    """A sha256 of what conversations see of a corpus: passages, clusters, and how passages are found."""
    digest = hashlib.sha256(corpus.manifest.state.encode())
    digest.update(corpus.manifest.options.model_dump_json(exclude={"chroma_url"}).encode() + b"\n")
    for cluster in corpus.clusters:
        digest.update(cluster.model_dump_json().encode() + b"\n")
    return digest.hexdigest()

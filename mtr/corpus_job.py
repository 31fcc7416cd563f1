"""A checked order, whatever is made of a corpus: options, corpus and prompts fit, and its batch has a name."""

import hashlib
import json
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from mtr.corpus.corpus import Corpus, open_corpus
from mtr.errors import InputError
from mtr.llm.serving import check_model
from mtr.options import Options
from mtr.prompts import DomainSettings, domains, load_domain, prompt_hashes
from mtr.settings import Settings
from mtr.spent import Spent
from mtr.thresholds import thresholds_for

ATTEMPTS = 5
"""Attempts at one thing that is made, each with another seed."""


class JobOptions(Options):
    """What a user always chooses; `models` names one for each role."""

    corpus: str
    domain: str
    seed: int
    models: dict[str, str]


O = TypeVar("O", bound=JobOptions)  # noqa: E741


@dataclass(frozen=True)
class CorpusJob(Generic[O]):
    """What is to be made; `items` are its ids, by slot. `prompts` are sha256 by role, of domain.yaml too."""

    options: O
    corpus: Corpus
    fingerprint: str
    prompts: dict[str, str]
    thresholds: dict[str, dict[str, float]]
    batch: str
    items: tuple[str, ...]

    @property
    def stem(self) -> str:
        """The corpus's name without spaces: what ids and the folder begin with."""
        return self.items[0].rpartition("-")[0]

    def slot(self, item: str) -> int:
        """The number of an item, from 0."""
        return int(item.rpartition("-")[2]) - 1


@dataclass(frozen=True)
class Terms:
    """How to run, as opposed to what to make. `meter` tells what this process has used since it began."""

    out: Path
    concurrency: int
    human_usd: float | None
    meter: Callable[[], tuple[Spent, ...]]


def check_order(options: JobOptions, settings: Settings) -> DomainSettings:
    """The domain ordered; InputError when there is none of that name, or a model cannot be reached as written."""
    for model in sorted(set(options.models.values())):
        check_model(model, settings)
    if options.domain not in domains():
        raise InputError(f"no domain {options.domain!r}; there are: {', '.join(domains())}; see `mtr prompts new`")
    return load_domain(options.domain)


def corpus_job(options: O, count: int, settings: Settings, code: str, prompted: Collection[str]) -> CorpusJob[O]:
    """The job that makes so many things. `code` is a fingerprint of the code that makes them, `prompted` names the
    roles whose prompts shape them; all of it enters the batch's name. InputError when the corpus cannot be opened.
    """
    corpus = open_corpus(options.corpus)
    fingerprint, prompts = corpus_fingerprint(corpus), _prompts(options.domain, prompted)
    models = sorted(set(options.models.values()))
    language = load_domain(options.domain).language
    thresholds = {model: thresholds_for(model, language, settings.thresholds).model_dump() for model in models}
    shape = {
        "code": code,
        "options": options.model_dump(),
        "corpus": fingerprint,
        "prompts": prompts,
        "thresholds": thresholds,
    }
    return CorpusJob(
        options=options,
        corpus=corpus,
        fingerprint=fingerprint,
        prompts=prompts,
        thresholds=thresholds,
        batch=hashlib.sha256(json.dumps(shape, sort_keys=True).encode()).hexdigest(),
        items=_items(corpus.name, count),
    )


def bind_models(roles: Collection[str], settings: Settings, model: str, by_role: Mapping[str, str]) -> dict[str, str]:
    """A model for each role: the role's own, else `model`, else what the settings bind, else the embedded one."""
    return {role: by_role.get(role) or model or settings.model_for(role) for role in roles}


def corpus_fingerprint(corpus: Corpus) -> str:
    """A sha256 of what is seen of a corpus: passages, clusters, and how passages are found."""
    digest = hashlib.sha256(corpus.manifest.state.encode())
    digest.update(corpus.manifest.options.model_dump_json(exclude={"chroma_url"}).encode() + b"\n")
    for cluster in corpus.clusters:
        digest.update(cluster.model_dump_json().encode() + b"\n")
    return digest.hexdigest()


def _prompts(domain: str, prompted: Collection[str]) -> dict[str, str]:
    hashes = {role: sha for role, sha in prompt_hashes(domain).items() if role.partition("/")[0] in prompted}
    settings = load_domain(domain).model_dump_json()
    return dict(sorted({**hashes, "domain.yaml": hashlib.sha256(settings.encode()).hexdigest()}.items()))


def _items(corpus: str, count: int) -> tuple[str, ...]:
    stem, width = re.sub(r"[\s:]+", "-", corpus), max(4, len(str(count)))
    return tuple(f"{stem}-{number:0{width}}" for number in range(1, count + 1))

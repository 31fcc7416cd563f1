"""What a model's P(yes) has to reach: measured on a data set, and proposed as a row of mtr/thresholds.toml.

    python -m benchmarks.thresholds DATASET --model local/qwen2.5-coder-1.5b --domain general --corpus demo [--pairs 60]

Asks with the prompts of the run: does the gold answer the standalone query, do the nearest other passages of the whole
corpus; are the answers stated in their gold, and the same answers made wrong by code. Right and wrong are what the
data set says: one that the same model has gated flatters it, since only golds above its cut are in it; take one gated
by another model, or read first. An endpoint without log probabilities gets its rates, and needs no row.
"""

import argparse
import asyncio
import sys
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from agents.answer_verifier import verify_support
from benchmarks.thresholds.corruptions import negation_flipped, number_changed, sentence_added
from benchmarks.thresholds.cuts import (
    FALSE_PASS_OF_SECOND_GOLD,
    FALSE_PASS_OF_SUPPORT,
    area,
    best_cut,
    margin,
    print_cuts,
    strict_cut,
)
from mtr.binding import Binding
from mtr.conversation.showing import shown_passages
from mtr.corpus.corpus import open_corpus
from mtr.datasets.own_reading import read_dataset
from mtr.errors import InputError, MtrError
from mtr.llm import YesNo, open_door
from mtr.prompts import DomainSettings, load_domain
from mtr.records import Passage, Turn
from mtr.retrieval.collection import Collection, open_collection
from mtr.seeding import seeded
from mtr.thresholds import Thresholds, lead

RIVALS, SEED = 3, 7


@dataclass(frozen=True)
class Ruled:
    """A yes or no, and P(yes) where the endpoint gives it."""

    yes: bool
    probability: float | None


@dataclass
class Found:
    """All rulings: on gold, on the others (by query, in the same order), on answers, on answers made wrong by kind."""

    gold: list[Ruled] = field(default_factory=list)
    others: list[list[Ruled]] = field(default_factory=list)
    answers: list[Ruled] = field(default_factory=list)
    wrong: defaultdict[str, list[Ruled]] = field(default_factory=lambda: defaultdict(list))


@dataclass(frozen=True)
class Setting:
    """What every question to the model shares."""

    collection: Collection
    domain: str
    model: str

    @property
    def settings(self) -> DomainSettings:
        """The words of the domain."""
        return load_domain(self.domain)

    def binding(self, role: str) -> Binding:
        """The model in a role of the domain."""
        return Binding(role=role, domain=self.domain, model=self.model)


async def ask(setting: Setting, turn: Turn, found: Found) -> None:
    """One turn's questions: its gold, its rivals, its answer, and the answer made wrong."""
    passages = setting.collection.corpus.passages
    gold = [passages[passage_id] for passage_id in turn.gold]
    near = await setting.collection.nearest(turn.standalone_query, RIVALS + len(gold))
    others = [passages[passage_id] for passage_id in near if passage_id not in turn.gold][:RIVALS]
    found.gold.append(await _answers(setting, turn, gold[0]))
    found.others.append([await _answers(setting, turn, other) for other in others])
    found.answers.append(await _supported(setting, turn, turn.answer, gold))
    for kind, answer in _made_wrong(turn.answer, others, setting.settings).items():
        if answer is not None:
            found.wrong[kind].append(await _supported(setting, turn, answer, gold))


def _made_wrong(answer: str, others: Sequence[Passage], settings: DomainSettings) -> dict[str, str | None]:
    return {
        "number changed": number_changed(answer),
        "negation flipped": negation_flipped(answer),
        "another passage's sentence added": sentence_added(answer, others[-1], settings) if others else None,
    }


async def _answers(setting: Setting, turn: Turn, passage: Passage) -> Ruled:
    values = {"passage": shown_passages([passage]), "query": turn.standalone_query}
    completion = await setting.binding("uniqueness_verifier").ask(values, YesNo)
    return Ruled(completion.reply.yes, completion.probability)


async def _supported(setting: Setting, turn: Turn, answer: str, gold: Sequence[Passage]) -> Ruled:
    ruling = await verify_support(
        setting.binding("answer_verifier"), turn.standalone_query, answer, gold, Thresholds(support=0.5)
    )
    return Ruled(ruling.verdict.passed is True, ruling.verdict.probability)


def report(found: Found, model: str) -> None:
    """Print the tables and the proposal; rates alone where there were no log probabilities."""
    others = [ruled for ruling in found.others for ruled in ruling]
    wrong = [ruled for ruling in found.wrong.values() for ruled in ruling]
    if any(ruled.probability is None for ruled in (*found.gold, *others, *found.answers, *wrong)):
        _report_words(found, others, wrong)
        return
    gold, answers = _chances(found.gold), _chances(found.answers)
    print_cuts("the passage answers the query", gold, _chances(others))
    print_cuts("the answer is supported", answers, _chances(wrong))
    for kind, rulings in found.wrong.items():
        print(f"  {kind}: {len(rulings)} wrong, AUC {area(answers, _chances(rulings)):.3f}")
    rivals = [max(_chances(ruling), default=0.0) for ruling in found.others]
    leads = [lead(own, rival) for own, rival in zip(gold, rivals, strict=True)]
    cut = best_cut(gold, _chances(others))
    second = max(cut, strict_cut(gold, _chances(others), FALSE_PASS_OF_SECOND_GOLD))
    print("\nproposed for mtr/thresholds.toml, to be read beside the tables:\n")
    print(f'["{model}"]\ngold = {cut:.2f}\nmargin = {margin(leads):.2f}')
    print(f"support = {strict_cut(answers, _chances(wrong), FALSE_PASS_OF_SUPPORT):.2f}\nsecond_gold = {second:.2f}")


def _report_words(found: Found, others: Sequence[Ruled], wrong: Sequence[Ruled]) -> None:
    print("\nthe endpoint gives no log probabilities: the written word counts, and no row is needed")
    rows = {"the passage answers the query": (found.gold, others), "the answer is supported": (found.answers, wrong)}
    for title, (right, false) in rows.items():
        print(f"{title}: yes to {_yes(right)} of {len(right)} right, to {_yes(false)} of {len(false)} wrong")


def _chances(rulings: Sequence[Ruled]) -> list[float]:
    return [ruled.probability for ruled in rulings if ruled.probability is not None]


def _yes(rulings: Sequence[Ruled]) -> int:
    return sum(ruled.yes for ruled in rulings)


async def run(order: argparse.Namespace) -> None:
    """Draw the turns by seed, ask, report."""
    corpus = open_corpus(order.corpus)
    dataset = read_dataset(order.dataset)
    turns = [turn for conversation in dataset.conversations for turn in conversation.turns]
    if missing := sorted({name for turn in turns for name in turn.gold} - corpus.passages.keys()):
        raise InputError(f"{order.dataset} was not made from corpus {corpus.name!r}: it has no passage {missing[0]!r}")
    drawn = seeded(SEED, "thresholds").sample(turns, min(order.pairs, len(turns)))
    setting = Setting(open_collection(corpus), order.domain, order.model)
    found = Found()
    async with open_door():
        for number, turn in enumerate(drawn, 1):
            await ask(setting, turn, found)
            print(f"\r{number} of {len(drawn)} turns", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    report(found, order.model)


def main() -> int:
    """Read the command line and measure; 2 for an order that cannot be carried out."""
    parser = argparse.ArgumentParser(description="Measure the thresholds of a model")
    parser.add_argument("dataset", type=Path, help="a folder made by `mtr generate`")
    parser.add_argument("--model", required=True, help="endpoint/model")
    parser.add_argument("--domain", default="general")
    parser.add_argument("--corpus", default="demo")
    parser.add_argument("--pairs", type=int, default=60, help="turns to ask about")
    try:
        asyncio.run(run(parser.parse_args()))
    except MtrError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""What a model's P(yes) has to reach: measured on a data set, and proposed as a row of mtr/thresholds.toml.

    python -m benchmarks.thresholds DATASET --model local/qwen2.5-coder-1.5b --domain general --corpus demo [--pairs 60]

    python -m benchmarks.thresholds --marked SQUAD.json --model MODEL --domain general_zh --corpus cmrc

Asks with the prompts of the run: does the gold answer the standalone query, do the nearest other passages of the whole
corpus; are the answers stated in their gold, and the same answers made wrong by code. Right and wrong are what the
data set says: one that the same model has gated flatters it, since only golds above its cut are in it; take one gated
by another model, or read first. `--marked` takes what people asked and marked instead, for the cuts on passages alone:
a near passage counts as wrong where it lacks the marked words. An endpoint without log probabilities gets its rates,
and needs no row.
"""

import argparse
import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

from benchmarks.thresholds.asking import Found, Setting, ask_marked, ask_turn
from benchmarks.thresholds.marked import marked_questions
from benchmarks.thresholds.report import report
from mtr.corpus.corpus import Corpus, open_corpus
from mtr.datasets.own_reading import read_dataset
from mtr.errors import InputError, MtrError
from mtr.llm import open_door
from mtr.records import Turn
from mtr.retrieval.collection import open_collection
from mtr.seeding import seeded

SEED = 7

T = TypeVar("T")


async def run(order: argparse.Namespace) -> None:
    """Draw by seed, ask, report."""
    corpus = open_corpus(order.corpus)
    setting = Setting(open_collection(corpus), order.domain, order.model)
    found = Found()
    if order.marked:
        await _each(
            marked_questions(order.marked, corpus.passages.values()),
            order.pairs,
            lambda one: ask_marked(setting, one, found),
        )
    else:
        await _each(_turns(order.dataset, corpus), order.pairs, lambda one: ask_turn(setting, one, found))
    report(found, order.model, setting.settings.language)


async def _each(things: list[T], count: int, ask: Callable[[T], Awaitable[None]]) -> None:
    drawn = seeded(SEED, "thresholds").sample(things, min(count, len(things)))
    async with open_door():
        for number, thing in enumerate(drawn, 1):
            await ask(thing)
            print(f"\r{number} of {len(drawn)} queries", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)


def _turns(folder: Path, corpus: Corpus) -> list[Turn]:
    turns = [turn for conversation in read_dataset(folder).conversations for turn in conversation.turns]
    if missing := sorted({name for turn in turns for name in turn.gold} - corpus.passages.keys()):
        raise InputError(f"{folder} was not made from corpus {corpus.name!r}: it has no passage {missing[0]!r}")
    return turns


def main() -> int:
    """Read the command line and measure; 2 for an order that cannot be carried out."""
    parser = argparse.ArgumentParser(description="Measure the thresholds of a model")
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("dataset", type=Path, nargs="?", help="a folder made by `mtr generate`")
    source.add_argument("--marked", type=Path, help="questions with marked answers, in the layout of SQuAD")
    parser.add_argument("--model", required=True, help="endpoint/model")
    parser.add_argument("--domain", default="general")
    parser.add_argument("--corpus", default="demo")
    parser.add_argument("--pairs", type=int, default=60, help="queries to ask about")
    try:
        asyncio.run(run(parser.parse_args()))
    except MtrError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())

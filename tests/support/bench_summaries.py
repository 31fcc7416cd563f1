"""Summaries of benchmarks for tests of reports, made of drawn rankings by the code that makes real ones."""

from collections.abc import Sequence
from functools import cache

from mtr.datasets.records import AnyPassage, AnyTurn, Dataset, Gold
from mtr.evaluation.benchmark import BenchSummary, StageCost, SystemFigures, missed_by_all, qrels_of
from mtr.evaluation.breakdowns import breakdowns_of
from mtr.evaluation.metrics import parse_metrics
from mtr.evaluation.run_comparison import RunFigures, compare_runs, score_runs
from mtr.records import Move
from mtr.relevance import Run
from mtr.seeding import seeded

MOVES: tuple[Move, ...] = ("open", "follow_up", "shift", "switch", "follow_up", "return")
QUERIES = ("What is it?", "How is it lit?", "Why?", "Is it open?", "lamps", "How does it differ from the old tower?")
THREE = ("bm25·last_turn", "dense·last_turn", "dense·last_turn·llm:house/m@20")
METRICS = ("R@1", "R@5", "R@20", "MRR@20", "nDCG@10")


def make_turns(text: str = "", conversations: int = 16) -> tuple[AnyTurn, ...]:
    """Six turns a conversation, one of them a hard switch; queries of every type, `text` behind each."""
    return tuple(
        AnyTurn(
            query_id=f"c{one}::{turn}",
            conversation_id=f"c{one}",
            turn=turn,
            query=f"{QUERIES[turn - 1]}{text}",
            gold=(Gold(passage_id=f"p{one}.{turn}"),),
            move=MOVES[turn - 1],
        )
        for one in range(conversations)
        for turn in range(1, len(MOVES) + 1)
    )


def make_run(name: str, quality: float, turns: Sequence[AnyTurn]) -> Run:
    """Gold stands nearer to the top the higher the quality; that of the last turn is never found."""
    rankings = {}
    for turn in turns[:-1]:
        place = int(seeded(5, name, turn.query_id).expovariate(quality))
        others = [f"other{number}" for number in range(20)]
        ids = [*others[:place], turn.gold[0].passage_id, *others[place:]][:20]
        rankings[turn.query_id] = [(one, 1.0 / rank) for rank, one in enumerate(ids, 1)]
    return Run.ranked(name, rankings)


def make_cost(
    stage: str, seconds: float, *, calls: int = 0, replayed: int = 0, tokens: int | None = 0, usd: float | None = 0.0
) -> StageCost:
    """A stage of 48 items."""
    return StageCost(stage=stage, seconds=seconds, items=48, calls=calls, replayed=replayed, tokens=tokens, usd=usd)


def make_system(name: str, figures: RunFigures, costs: tuple[StageCost, ...]) -> SystemFigures:
    """A system by its name's parts."""
    retriever, strategy, funnel = parts_of_name(name)
    return SystemFigures(
        name=name,
        retriever=retriever,
        strategy=strategy,
        funnel=funnel,
        figures=figures,
        without_query=0,
        unknown=0,
        costs=costs,
    )


def make_costs(name: str, number: int) -> tuple[StageCost, ...]:
    """The stages of a system, as a benchmark notes them: a funnel's first stages stand with the system without it."""
    retriever, strategy, funnel = parts_of_name(name)
    if funnel:
        return (make_cost(f"rerank {name} 1", 24.0, calls=900, replayed=60, tokens=90_000, usd=0.45),)
    return (
        make_cost(f"queries {strategy}", 0.048),
        make_cost(f"index {retriever}", 100.0),
        make_cost(f"retrieve {name}", 0.48 * 1.7**number),
    )


def parts_of_name(name: str) -> tuple[str, str, str]:
    """Retriever, strategy and funnel."""
    retriever, _, rest = name.partition("·")
    strategy, _, funnel = rest.partition("·")
    return retriever, strategy, funnel


@cache
def make_bench(
    names: tuple[str, ...] = THREE,
    *,
    dataset: str = "towers",
    metrics: tuple[str, ...] = METRICS,
    language: str | None = "en",
    text: str = "",
) -> BenchSummary:
    """A benchmark of the systems, each a little better than the one before; `text` stands behind every query."""
    turns = make_turns(text)
    passages = {one.gold[0].passage_id: AnyPassage(passage_id=one.gold[0].passage_id, text="x") for one in turns}
    read = Dataset(name=dataset, layout="own", passages=passages, turns=turns, language=language)
    runs = [make_run(name, 0.12 + 0.12 * number, turns) for number, name in enumerate(names)]
    wanted = parse_metrics(metrics)
    scores = score_runs(qrels_of(turns), runs, wanted)
    compared = compare_runs(scores, seed=7)
    main = next((one for one in wanted if one.measure == "nDCG"), wanted[0])
    return BenchSummary(
        dataset=dataset,
        layout="own",
        turns=len(turns),
        turns_of=len(turns),
        judged=len(turns),
        conversations=compared.conversations,
        passages=len(passages),
        parts=(),
        k=20,
        seed=7,
        metric=str(main),
        metrics=tuple(map(str, wanted)),
        systems=tuple(
            make_system(name, figures, make_costs(name, number))
            for number, (name, figures) in enumerate(zip(names, compared.runs, strict=True))
        ),
        comparisons=compared.comparisons,
        breakdowns=breakdowns_of(read, turns, scores, main, 7),
        missed=missed_by_all(turns, runs),
        ceiling=None,
        audit=None,
        versions={"mtr": "0.1.0"},
        notes=(),
    )

"""Metrics: textbook examples by hand, a second implementation, trec_eval's own code, and laws that must hold."""

import random
from collections.abc import Mapping, Sequence

import numpy as np
import pytest
import pytrec_eval
from hypothesis import given, settings
from hypothesis import strategies as st
from support.naive_metrics import in_order, naive

from mtr.errors import InputError
from mtr.evaluation.metrics import DEFAULT_METRICS, Metric, parse_metrics, score_run
from mtr.evaluation.metrics.gains import dcg, exponential_gain, linear_gain
from mtr.relevance import Qrels, Run

NAMES = ("R", "P", "F1", "Success", "MRR", "MAP", "nDCG", "nDCG_exp", "judged")
ALL = parse_metrics([*(f"{name}@{k}" for name in NAMES for k in (1, 3, 5, 50)), "MRR", "MAP", "nDCG", "nDCG_exp"])
BINARY = parse_metrics([f"{name}(rel=2)@{k}" for name in ("R", "P", "F1", "Success", "MRR", "MAP") for k in (1, 4)])


def one(metric: str, ranking: Sequence[str], grades: Mapping[str, int]) -> float:
    """A metric of one ranking, given in order."""
    (parsed,) = parse_metrics([metric])
    run = Run.ranked("r", {"q": [(name, -float(place)) for place, name in enumerate(ranking)]})
    return score_run(Qrels({"q": grades}), run, [parsed]).mean(parsed)


def every(ranking: Sequence[str], grades: Mapping[str, int]) -> dict[str, float]:
    """All metrics of one ranking, by name."""
    run = Run.ranked("r", {"q": [(name, -float(place)) for place, name in enumerate(ranking)]})
    scores = score_run(Qrels({"q": grades}), run, ALL)
    return {str(metric): scores.mean(metric) for metric in ALL}


def marked(ranks: Sequence[int], relevant: int) -> tuple[list[str], dict[str, int]]:
    """Nine passages, relevant at the ranks; the relevant passages beyond them are not found."""
    grades = {f"p{rank}": 1 for rank in ranks} | {f"lost{place}": 1 for place in range(relevant - len(ranks))}
    return [f"p{rank}" for rank in range(1, 10)], grades


@pytest.mark.parametrize(
    ("metric", "ranks", "relevant", "value"),
    [
        ("R@5", (1, 3, 4), 10, 0.3),
        ("P@5", (1, 3, 4), 10, 0.6),
        ("F1@5", (1, 3, 4), 10, 0.4),
        ("Success@5", (1, 3, 4), 10, 1.0),
        ("Success@2", (3,), 1, 0.0),
        ("MAP", (1, 4, 7), 3, 0.642857),
        ("MAP@4", (1, 4, 7), 3, 0.5),
        ("MAP", (1, 4), 4, 0.375),
        ("MRR@3", (3, 4), 2, 0.333333),
        ("MRR@2", (3, 4), 2, 0.0),
        ("P@20", (1, 2), 2, 0.1),
        ("nDCG@3", (2,), 1, 0.630930),
        ("nDCG@1", (2,), 1, 0.0),
        ("judged@4", (1, 3), 2, 0.5),
    ],
)
def test_textbook(metric: str, ranks: Sequence[int], relevant: int, value: float) -> None:
    assert one(metric, *marked(ranks, relevant)) == pytest.approx(value, abs=1e-6)


def test_first_hits_at_one_three_and_five() -> None:
    rankings = {f"q{rank}": [(f"p{place}", -float(place)) for place in range(1, 8)] for rank in (1, 3, 5)}
    qrels = Qrels({f"q{rank}": {f"p{rank}": 1} for rank in (1, 3, 5)})
    (metric,) = parse_metrics(["MRR"])
    assert score_run(qrels, Run.ranked("r", rankings), [metric]).mean(metric) == pytest.approx(0.511, abs=5e-4)


def test_the_two_gains() -> None:
    grades = np.array([[3, 2, 0]])
    assert dcg(exponential_gain(grades), 3)[0] == pytest.approx(8.89, abs=5e-3)
    assert dcg(linear_gain(grades), 3)[0] == pytest.approx(3 + 2 / np.log2(3))
    ranking, judged = ["b", "a"], {"a": 3, "b": 1}
    assert one("nDCG@2", ranking, judged) == pytest.approx((1 + 3 / np.log2(3)) / (3 + 1 / np.log2(3)))
    assert one("nDCG_exp@2", ranking, judged) == pytest.approx((1 + 7 / np.log2(3)) / (7 + 1 / np.log2(3)))


def test_the_least_relevant_grade() -> None:
    assert one("R(rel=2)@1", ["a", "b"], {"a": 1, "b": 2, "c": 3}) == 0.0
    assert one("R(rel=2)@2", ["a", "b"], {"a": 1, "b": 2, "c": 3}) == 0.5


def test_negative_grades_are_worth_nothing() -> None:
    assert one("nDCG@2", ["bad", "a"], {"bad": -2, "a": 1}) == one("nDCG@2", ["other", "a"], {"a": 1})
    assert one("judged@2", ["bad", "a"], {"bad": -2, "a": 1}) == 1.0


def test_missing_counts_nothing_and_unjudged_is_dropped() -> None:
    qrels = Qrels({"a": {"p": 1}, "b": {"p": 1}, "c": {"p": 1}, "none": {"p": 0}})
    run = Run.ranked("r", {"a": [("p", 1.0)], "b": [], "none": [("p", 1.0)], "strange": [("p", 1.0)]})
    scores = score_run(qrels, run, ALL)
    assert (scores.missing, scores.unjudged, scores.nothing_relevant) == (("b", "c"), ("strange",), ("none",))
    (metric,) = parse_metrics(["R@5"])
    assert scores.values[metric].tolist() == [1.0, 0.0, 0.0, 0.0]
    assert scores.mean(metric) == 0.25


def test_a_run_without_any_ranking_and_qrels_without_a_query() -> None:
    scores = score_run(Qrels({"a": {"p": 1}}), Run.ranked("r", {}), ALL)
    assert all(values.tolist() == [0.0] for values in scores.values.values())
    with pytest.raises(InputError, match="no query"):
        score_run(Qrels({}), Run.ranked("r", {}), ALL)


def test_the_usual_metrics() -> None:
    assert [str(metric) for metric in DEFAULT_METRICS] == ["R@1", "R@5", "R@20", "MRR@20", "nDCG@20"]


unhurried = settings(deadline=None, max_examples=40)
passages = st.sampled_from([f"p{place}" for place in range(12)] + ["é", "z", "Z", "\U0001f600", "\uffff"])
rankings = st.dictionaries(passages, st.sampled_from([0.0, 0.5, 0.5 + 1e-9, 1.0, -3.0, 1e-30]), max_size=12)
judgements = st.dictionaries(passages, st.integers(-1, 4), min_size=1, max_size=9)
queries = st.sampled_from(["a", "b", "c", "d"])


@unhurried
@given(st.dictionaries(queries, judgements, min_size=1), st.dictionaries(queries, rankings))
def test_equal_to_a_second_implementation(qrels: dict[str, dict[str, int]], run: dict[str, dict[str, float]]) -> None:
    scores = score_run(
        Qrels(qrels), Run.ranked("r", {name: pairs.items() for name, pairs in run.items()}), ALL + BINARY
    )
    for metric, values in scores.values.items():
        wanted = [
            naive(metric.measure, in_order(run.get(name, {})), grades, metric.cutoff, metric.rel)
            for name, grades in qrels.items()
        ]
        assert values.tolist() == pytest.approx(wanted, abs=1e-12), metric
        assert all(0.0 <= value <= 1.0 + 1e-12 for value in values)


@unhurried
@given(judgements, rankings, st.randoms(use_true_random=False))
def test_the_order_of_input_does_not_matter(
    grades: dict[str, int], ranking: dict[str, float], shuffler: random.Random
) -> None:
    mixed = shuffler.sample(list(ranking.items()), len(ranking))
    regraded = dict(shuffler.sample(list(grades.items()), len(grades)))
    first = score_run(Qrels({"q": grades}), Run.ranked("r", {"q": ranking.items()}), ALL)
    second = score_run(Qrels({"q": regraded}), Run.ranked("r", {"q": mixed}), ALL)
    assert all((first.values[metric] == second.values[metric]).all() for metric in ALL)


@unhurried
@given(judgements, st.lists(passages, min_size=2, max_size=12, unique=True), st.data())
def test_a_better_passage_further_up_never_hurts(
    grades: dict[str, int], ranking: list[str], data: st.DataObject
) -> None:
    upper = data.draw(st.integers(0, len(ranking) - 2))
    lower = data.draw(st.integers(upper + 1, len(ranking) - 1))
    better = list(ranking)
    if grades.get(ranking[lower], 0) > grades.get(ranking[upper], 0):
        better[upper], better[lower] = better[lower], better[upper]
    before, after = every(ranking, grades), every(better, grades)
    assert not [name for name in before if not name.startswith("judged") and after[name] < before[name] - 1e-12]


@unhurried
@given(judgements, st.lists(passages, max_size=12, unique=True))
def test_more_ranks_never_find_less(grades: dict[str, int], ranking: list[str]) -> None:
    found = every(ranking, grades)
    for measure in ("R", "Success", "MRR", "MAP"):
        values = [found[f"{measure}@{k}"] for k in (1, 3, 5, 50)]
        assert values == sorted(values)


@unhurried
@given(judgements)
def test_the_best_order_is_worth_one(grades: dict[str, int]) -> None:
    found = every(sorted(grades, key=lambda name: -grades[name]), grades)
    if any(grade > 0 for grade in grades.values()):
        best = [found[name] for name in ("nDCG", "nDCG_exp", "nDCG@3", "MAP", "MRR", "R@50", "Success@1")]
        assert best == pytest.approx([1.0] * 7)


TREC = {
    "ndcg_cut_5": "nDCG@5",
    "ndcg_cut_20": "nDCG@20",
    "ndcg": "nDCG",
    "recall_5": "R@5",
    "P_5": "P@5",
    "success_5": "Success@5",
    "map": "MAP",
    "map_cut_5": "MAP@5",
    "recip_rank": "MRR",
}


@pytest.mark.parametrize("seed", range(8))
def test_equal_to_trec_eval(seed: int) -> None:
    """Scores of a grid that C floats hold exactly, so that both sides see the same ties."""
    draw = random.Random(seed)
    names = [f"p{place}" for place in range(40)]
    qrels = {f"q{n}": {p: draw.choice((0, 0, 1, 2, 3)) for p in draw.sample(names, 12)} for n in range(60)}
    run = {f"q{n}": {p: draw.randrange(8) / 4 for p in draw.sample(names, draw.randrange(1, 30))} for n in range(5, 70)}
    measures = {"ndcg_cut.5,20", "ndcg", "recall.5", "P.5", "success.5", "map", "map_cut.5", "recip_rank"}
    theirs = pytrec_eval.RelevanceEvaluator(qrels, measures).evaluate(run)
    ours = score_run(
        Qrels(qrels),
        Run.ranked("r", {q: pairs.items() for q, pairs in run.items()}),
        parse_metrics(list(TREC.values())),
    )
    for name, metric in zip(TREC, ours.values, strict=True):
        wanted = [theirs.get(query, {name: 0.0})[name] for query in qrels]
        assert ours.values[metric].tolist() == pytest.approx(wanted, abs=1e-12), name
    assert len(ours.missing) == 5 and len(ours.unjudged) == 10


@pytest.mark.parametrize(
    ("names", "spelled"),
    [
        (["nDCG@10", "nDCG_exp@3"], ["nDCG@10", "nDCG_exp@3"]),
        (["Recall@5", "R@5", "Precision@2", "RR@20", "AP", "Hit@1"], ["R@5", "P@2", "MRR@20", "MAP", "Success@1"]),
        (["Recall( rel = 2 )@10", "MAP(rel=3)"], ["R(rel=2)@10", "MAP(rel=3)"]),
        (["R(rel=1)@10", " judged@10 "], ["R@10", "judged@10"]),
    ],
)
def test_names(names: list[str], spelled: list[str]) -> None:
    metrics = parse_metrics(names)
    assert [str(metric) for metric in metrics] == spelled
    assert parse_metrics(spelled) == metrics


def test_all_faults_are_reported_together() -> None:
    wrong = ["ndcg@10", "R", "P@0", "MAP(rel=0)@5", "nDCG(rel=2)@x", "F1@ 5", "@3", "R@5@6", "MRR@-1", "MAP@"]
    with pytest.raises(InputError) as caught:
        parse_metrics(["nDCG@10", *wrong])
    said = str(caught.value)
    assert all(repr(name) in said for name in wrong)
    assert "'ndcg' is none of" in said and "'R' needs a cutoff, such as R@10" in said
    assert "the cutoff 'x'" in said and "takes no (rel=N)" in said and "whole grade of 1 or more" in said
    assert "'nDCG@10'" not in said


@pytest.mark.parametrize(
    "arguments",
    [{"measure": "R"}, {"measure": "nDCG", "rel": 2}, {"measure": "MAP", "cutoff": 0}, {"measure": "MAP", "rel": 0}],
)
def test_a_metric_without_meaning_cannot_be_made(arguments: dict[str, object]) -> None:
    with pytest.raises(ValueError):
        Metric.model_validate(arguments)

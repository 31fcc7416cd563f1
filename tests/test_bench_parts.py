"""What of a data set is benchmarked, and by which options: parts, samples, subsets, refusals."""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from support.benches import job_of
from support.jurors import towers

from mtr.benchmarking.files import check_bench_folder, stem_of
from mtr.benchmarking.job import analyzer_for
from mtr.benchmarking.options import checked_options, read_bench_file
from mtr.benchmarking.parts import judged_turns
from mtr.datasets.records import AnyPassage
from mtr.errors import InputError
from mtr.evaluation.benchmark import qrels_of
from mtr.evaluation.breakdowns import breakdowns_of
from mtr.evaluation.metrics import Metric, score_run
from mtr.relevance import Run


def test_turns_around_a_switch() -> None:
    dataset = towers(9, per_conversation=3)
    moves = ("open", "switch", "follow_up", "open", "shift", "shift", "open", "shift", "switch")
    turns = tuple(turn.model_copy(update={"move": move}) for turn, move in zip(dataset.turns, moves, strict=True))
    dataset = dataset.model_copy(update={"turns": turns})
    metric = Metric(measure="R", cutoff=1)
    run = Run.ranked("r", {turn.query_id: [(turn.gold[0].passage_id, 1.0)] for turn in turns[:2]})
    scores = [score_run(qrels_of(turns), run, [metric])]
    found = {one.by: one.groups for one in breakdowns_of(dataset, turns, scores, metric, 7)}
    around = {group.name: (group.means["r"].mean, group.means["r"].asked) for group in found["hard switch"]}
    assert around == {"before the switch": (1 / 3, 3), "the switch itself": (0.5, 2), "after the switch": (0.0, 1)}
    assert [group.name for group in found["move"]] == ["open", "follow up", "shift", "switch"]
    assert [group.name for group in found["turn"]] == ["1", "2", "3"]


def test_a_sample_is_drawn_by_seed_among_judged_turns() -> None:
    dataset = towers(30)
    bare = dataset.turns[0].model_copy(update={"gold": ()})
    dataset = dataset.model_copy(update={"turns": (bare, *dataset.turns[1:])})
    drawn = judged_turns(dataset, 10, 7)
    assert drawn == judged_turns(dataset, 10, 7) != judged_turns(dataset, 10, 8)
    assert len(drawn) == 10 and bare not in drawn and len(judged_turns(dataset, None, 7)) == 29


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"turns": ()}, "marks no gold"),
        ({"passages": {}}, "has no passages to search in"),
    ],
)
def test_a_set_that_cannot_be_benchmarked(change: Mapping[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        job_of(towers(3).model_copy(update=change))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"metrics": ("nDCG",  "R")}, "R needs a cutoff|'R' needs a cutoff"),
        ({"rerank": ("other:x",)}, "no reranker 'other:x'; there are llm:MODEL"),
        ({"rerank": ("llm:local/qwen2.5-coder-1.5b@5+llm:local/qwen2.5-coder-1.5b@9",)}, "fewer passages than the one"),
        ({"queries": ("rewritten:nowhere/x",)}, "no endpoint 'nowhere'"),
    ],
)  # fmt: skip
def test_options_that_cannot_be(options: Mapping[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        job_of(towers(3), **options)


def test_the_analyzer_is_that_of_the_language() -> None:
    english = towers(9).model_copy(update={"language": None})
    assert analyzer_for(english) == "lucene_english"
    assert analyzer_for(english.model_copy(update={"language": "de"})) == "words"
    chinese = {"p": AnyPassage(passage_id="p", text="青石桥建于1736年，由于河道改线，它在1962年被整体迁移到城南公园。")}
    assert analyzer_for(english.model_copy(update={"passages": chinese})) == "words"


def test_a_file_says_the_same_and_the_command_line_goes_before_it(tmp_path: Path) -> None:
    path = tmp_path / "bench.toml"
    path.write_text('dataset = "set"\nretrievers = ["bm25", "dense"]\nk = 50\nout = "results"\nformat = "beir"\n')
    file = read_bench_file(path)
    assert (file.dataset, file.out, file.format) == (tmp_path / "set", tmp_path / "results", "beir")
    options = checked_options(file, {"k": 10, "retrievers": (), "seed": None})
    assert (options.retrievers, options.k, options.queries) == (("bm25", "dense"), 10, ("last_turn",))
    path.write_text("retriever = 1\n")
    with pytest.raises(InputError, match=r"bench\.toml: retriever: Extra inputs"):
        read_bench_file(path)
    with pytest.raises(InputError, match="named twice under queries"):
        checked_options(None, {"queries": ("last_turn", "last_turn")})
    with pytest.raises(InputError, match=r"--k 0"):
        checked_options(None, {"k": 0})


def test_a_folder_of_something_else_is_not_written_into(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("dear")
    with pytest.raises(InputError, match="holds no benchmark"):
        check_bench_folder(tmp_path)
    with pytest.raises(InputError, match="is a file"):
        check_bench_folder(tmp_path / "letter.txt")


def test_file_names_are_plain_and_tell_systems_apart() -> None:
    names = ["bm25·last_turn", "dense:a/b·last_turn", "dense:a-b·last_turn", "http:http://x/../../y·q", "d" * 300]
    stems = [stem_of(name) for name in names]
    assert stems[0] == "bm25.last_turn" and len(set(stems)) == 5
    assert all(re.fullmatch(r"[\w.-]{1,140}", stem) and not stem.startswith(".") for stem in stems)

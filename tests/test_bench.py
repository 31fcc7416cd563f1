"""`mtr bench`: systems lined up, ranked, kept, scored and told."""

import gzip
import json
from pathlib import Path

import pytest
from support.beir_folders import write_beir
from support.benches import job_of, result, score
from support.conversations import make_conversation, make_passage, make_steps
from support.endpoint import Body, TestEndpoint, as_json, last_message
from support.foreign import MTRAG, write
from support.jurors import sure, towers
from support.manifests import make_manifest
from typer.testing import CliRunner

from mtr.benchmarking.parts import parts_of
from mtr.benchmarking.run import BenchTerms, bench
from mtr.cli import app
from mtr.datasets.adapters import load_dataset
from mtr.datasets.own import Made, write_dataset
from mtr.datasets.records import Gold
from mtr.errors import InputError
from mtr.evaluation.benchmark import BenchSummary
from mtr.relevance import read_run


async def test_the_folder_and_what_it_holds(tmp_path: Path) -> None:
    job = job_of(towers(12), queries=("last_turn", "all_queries"), k=5, metrics=("R@1", "nDCG@3"))
    summary = await result(job, tmp_path / "out")
    files = sorted(str(file.relative_to(tmp_path / "out")) for file in (tmp_path / "out").rglob("*") if file.is_file())
    assert files == [
        "per_query.jsonl",
        "report.html",
        "report.md",
        "results.jsonl",
        "runs/bm25.all_queries.trec.gz",
        "runs/bm25.last_turn.trec.gz",
        "summary.json",
        "systems/bm25.all_queries.json",
        "systems/bm25.last_turn.json",
    ]
    run = read_run(tmp_path / "out/runs/bm25.last_turn.trec.gz")
    assert len(run.rankings) == 12 and max(map(len, run.rankings.values())) <= 5
    assert run.rankings["c0::2"].passage_ids[0] == "p2"
    assert score(summary, "bm25·last_turn", "R@1") == 1.0
    every = dict(read_run(tmp_path / "out/runs/bm25.all_queries.trec.gz").rankings["c0::2"])
    assert every["p1"] == every["p2"], "the tower asked about before is found as well"
    assert summary.turns == 12 and summary.conversations == 4 and summary.metric == "nDCG@3"
    assert summary.comparisons[0].discrimination is not None
    lines = (tmp_path / "out/per_query.jsonl").read_text().splitlines()
    assert len(lines) == 24 and json.loads(lines[0])["scores"] == {"R@1": 1.0, "nDCG@3": 1.0}
    assert [cost.stage for cost in summary.systems[0].costs] == [
        "queries last_turn",
        "index bm25",
        "retrieve bm25·last_turn",
    ]


async def test_the_report_tells_what_was_found(tmp_path: Path) -> None:
    dataset = towers(12)
    lost = dataset.turns[4].model_copy(update={"gold": (Gold(passage_id="gone"),)})
    turns = (*dataset.turns[:4], lost, *dataset.turns[5:])
    dataset = dataset.model_copy(update={"turns": turns, "notes": ("nobody has read this",)})
    summary = await result(job_of(dataset, queries=("last_turn", "standalone")), tmp_path / "out")
    report = (tmp_path / "out/report.md").read_text()
    assert [one.query_id for one in summary.missed] == ["c1::2"]
    assert summary.ceiling is not None and summary.ceiling.means["R@5"] == pytest.approx(11 / 12)
    for text in (
        "bm25·last_turn is best by nDCG@20, 0.9167, of 2 systems on 12 of 12 judged turns of 4 conversations",
        "Not audited",
        "1 of 12 gold passages are not in the corpus",
        "| all gold that the corpus holds | 0.9167 |",
        "c1::2, turn 2: How many lamps has the tower of",
        "## nDCG@20 by turn",
        "## nDCG@20 by move",
        "tells 0 of 1 pairs of systems apart",
        "nobody has read this",
        "lucene-english/1",
    ):
        assert text in report


async def test_a_second_run_keeps_what_is_finished(tmp_path: Path) -> None:
    first = await result(job_of(towers(6)), tmp_path / "out")
    said: list[str] = []
    second = await result(job_of(towers(6), queries=("last_turn", "standalone")), tmp_path / "out", said)
    assert "bm25·last_turn: kept from an earlier run" in said
    assert not any(line.startswith("retrieve bm25·last_turn") for line in said)
    assert second.systems[0] == first.systems[0]
    said.clear()
    await result(job_of(towers(6), k=7), tmp_path / "out", said)
    assert not any("kept" in line for line in said), "another k is another ranking"
    said.clear()
    await result(job_of(towers(9), k=7), tmp_path / "out", said)
    assert not any("kept" in line for line in said), "another data set is another ranking"


async def test_fresh_ranks_anew_and_can_be_gone_on_with(tmp_path: Path) -> None:
    job, out, said = job_of(towers(6), queries=("last_turn", "standalone")), tmp_path / "out", []
    first = await result(job, out)
    run = out / "runs/bm25.standalone.trec.gz"
    await bench(job, BenchTerms(out=out, meter=tuple, say=said.append, fresh=True))
    assert not any("kept" in line for line in said) and sum("queries ranked" in line for line in said) == 2
    said.clear()

    def stop(line: str) -> None:
        said.append(line)
        if line.startswith("retrieve bm25·standalone"):
            raise RuntimeError("stopped")

    with pytest.raises(RuntimeError, match="stopped"):
        await bench(job, BenchTerms(out=out, meter=tuple, say=stop, fresh=True))
    said.clear()
    again = await result(job, out, said)
    assert [line for line in said if "kept" in line] == ["bm25·last_turn: kept from an earlier run"]
    assert run.is_file() and [one.figures for one in again.systems] == [one.figures for one in first.systems]


async def test_ids_with_blanks_are_kept_whole(tmp_path: Path) -> None:
    dataset = towers(3)
    passages = {
        f"a {name}": one.model_copy(update={"passage_id": f"a {name}"}) for name, one in dataset.passages.items()
    }
    turns = tuple(
        turn.model_copy(update={"query_id": f"q {place}", "gold": (Gold(passage_id=f"a p{place}"),)})
        for place, turn in enumerate(dataset.turns, 1)
    )
    dataset = dataset.model_copy(update={"passages": passages, "turns": turns})
    first = await result(job_of(dataset), tmp_path / "out")
    assert "q%201 Q0 a%20p1 1 " in _text(tmp_path / "out/runs/bm25.last_turn.trec.gz")
    assert (await result(job_of(dataset), tmp_path / "out")).systems == first.systems
    assert score(first, "bm25·last_turn", "R@1") == 1.0


def _text(path: Path) -> str:
    return gzip.decompress(path.read_bytes()).decode()


async def test_a_beir_set_drops_the_passage_that_is_the_query(tmp_path: Path) -> None:
    folder = write_beir(tmp_path / "set", lambda lines: lines["queries.jsonl"].append(lines["corpus.jsonl"][6]))
    (folder / "qrels/test.tsv").write_text((folder / "qrels/test.tsv").read_text() + "7\t3\t1\n")
    await result(job_of(load_dataset(folder), k=3), tmp_path / "out")
    ranking = read_run(tmp_path / "out/runs/bm25.last_turn.trec.gz").rankings["7"]
    assert len(ranking) == 3 and "7" not in ranking.passage_ids


async def test_each_turn_is_searched_for_in_its_own_subset(tmp_path: Path) -> None:
    files = {**MTRAG, "corpus_pool/land.jsonl": [{"_id": "p3", "text": "A ferry sails when it was lit."}]}
    dataset = load_dataset(write(tmp_path / "set", files))
    assert {part.subset: sorted(part.passages) for part in parts_of(dataset, dataset.turns)} == {
        "land": ["p3"],
        "sea": ["p1", "p2"],
    }
    summary = await result(job_of(dataset), tmp_path / "out")
    run = read_run(tmp_path / "out/runs/bm25.last_turn.trec.gz")
    assert run.rankings["b<::>1"].passage_ids == ("p3",) and "p3" not in run.rankings["a<::>1"].passage_ids
    assert summary.parts == ("land", "sea")


def test_rewriting_and_reranking_by_a_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = [Made(conversation=make_conversation(f"d-{n}", first=n), steps=make_steps()) for n in (1, 2)]
    write_dataset(tmp_path / "set", tuple(make_passage(n) for n in range(8)), iter(made), make_manifest())

    def model(body: Body) -> "str | Body":
        if body["messages"][0]["content"].startswith("You prepare queries"):
            return as_json(query="What is the value?")
        return sure("part 1 " in last_message(body).split("<query-")[0])

    with TestEndpoint(reply=model) as endpoint:
        (tmp_path / "mtr.toml").write_text(f'[endpoints.house]\nbase_url = "{endpoint.base_url}"\n')
        monkeypatch.setenv("MTR_CONFIG", str(tmp_path / "mtr.toml"))
        command = ["bench", str(tmp_path / "set"), "--query", "last_turn", "--query", "rewritten:house/m"]
        command += ["--rerank", "llm:house/m@3", "--out", str(tmp_path / "out"), "--metric", "R@1"]
        first = CliRunner().invoke(app, command, catch_exceptions=False)
        assert first.exit_code == 0, first.output
        calls = sum(endpoint.calls.values())
        (tmp_path / "out/systems/bm25.last_turn.json").unlink()
        second = CliRunner().invoke(app, command, catch_exceptions=False)
        assert second.exit_code == 0 and sum(endpoint.calls.values()) == calls, "everything was on the ledger"
    summary = BenchSummary.model_validate_json((tmp_path / "out/summary.json").read_bytes())
    assert [one.name for one in summary.systems] == [
        "bm25·last_turn",
        "bm25·last_turn·llm:house/m@3",
        "bm25·rewritten:house/m",
        "bm25·rewritten:house/m·llm:house/m@3",
    ]
    costs = {cost.stage: cost for one in summary.systems for cost in one.costs}
    assert costs["queries rewritten:house/m"].calls == 4, "first turns have nothing to rewrite"
    assert costs["rerank bm25·last_turn·llm:house/m@3 1"].tokens > 0  # type: ignore[operator]
    assert "told apart" in first.output and "not audited" in first.output


def test_replies_that_cannot_be_read_leave_things_as_they_were_and_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = [Made(conversation=make_conversation(f"d-{n}", first=n), steps=make_steps()) for n in (1, 2)]
    write_dataset(tmp_path / "set", tuple(make_passage(n) for n in range(8)), iter(made), make_manifest())
    with TestEndpoint(reply=lambda body: "?!") as endpoint:
        (tmp_path / "mtr.toml").write_text(f'[endpoints.house]\nbase_url = "{endpoint.base_url}"\n')
        monkeypatch.setenv("MTR_CONFIG", str(tmp_path / "mtr.toml"))
        command = ["bench", str(tmp_path / "set"), "--query", "last_turn", "--query", "rewritten:house/m"]
        command += ["--rerank", "llm:house/m@3", "--rerank", "list:house/m@3", "--out", str(tmp_path / "out")]
        found = CliRunner().invoke(app, command, catch_exceptions=False)
    assert found.exit_code == 0, found.output
    systems = BenchSummary.model_validate_json((tmp_path / "out/summary.json").read_bytes()).systems
    told = {one.name: [(left.stage, left.count, left.asked) for left in one.unreadable] for one in systems}
    turns, later = systems[0].figures.judged, systems[0].figures.judged - 2
    assert told["bm25·last_turn"] == []
    assert told["bm25·last_turn·llm:house/m@3"] == [("llm:house/m", turns, turns)]
    rewritten = ("rewritten:house/m", later, turns)
    assert told["bm25·rewritten:house/m·list:house/m@3"] == [rewritten, ("list:house/m", turns, turns)]
    runs = [read_run(path) for path in sorted((tmp_path / "out/runs").iterdir())]
    assert len(runs) == 6 and len({str([one.passage_ids for one in run.rankings.values()]) for run in runs}) == 1
    sentence = f"{later} of {turns} left as they were by rewritten:house/m, reply unreadable"
    assert sentence in found.stdout and sentence in (tmp_path / "out/report.md").read_text()
    assert '"unreadable": [{"stage"' in (tmp_path / "out/results.jsonl").read_text()


def test_a_set_is_needed() -> None:
    result = CliRunner().invoke(app, ["bench"])
    assert isinstance(result.exception, InputError) and "name a data set" in str(result.exception)

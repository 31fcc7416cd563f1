"""The adapters by name, and the one way to open a data set of any layout."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from mtr.datasets import (
    beir_adapter,
    cast_adapter,
    chatrag_bench_adapter,
    converted,
    coral_adapter,
    doc2dial_adapter,
    inscit_adapter,
    mtr_bench_adapter,
    mtrag_adapter,
    mtrag_un_adapter,
    own_adapter,
    qrecc_adapter,
    quac_adapter,
    topiocqa_adapter,
)
from mtr.datasets.recognising import recognise
from mtr.datasets.records import Dataset
from mtr.errors import InputError


@dataclass(frozen=True)
class Adapter:
    """How one layout is read; `description` is a line for `mtr datasets list`."""

    name: str
    description: str
    load: Callable[[Path], Dataset]


ADAPTERS: Mapping[str, Adapter] = {
    adapter.name: adapter
    for adapter in (
        Adapter("own", "a folder that `mtr generate` wrote", own_adapter.load),
        Adapter("converted", "a folder that `mtr datasets convert` wrote, read back whole", converted.load),
        Adapter("beir", "corpus.jsonl, queries.jsonl and qrels/*.tsv", beir_adapter.load),
        Adapter("mtrag", "mtRAG: retrieval_tasks/ and corpus_pool/, or one subset", mtrag_adapter.load),
        Adapter("mtrag_un", "MTRAG-UN: reference.jsonl and qrels/", mtrag_un_adapter.load),
        Adapter("qrecc", "QReCC and SCAI-QReCC-21: files of turns, joined", qrecc_adapter.load),
        Adapter("quac", "QuAC: data, paragraphs, qas; sections are cut into passages", quac_adapter.load),
        Adapter("doc2dial", "Doc2Dial and MultiDoc2Dial: documents and dialogues", doc2dial_adapter.load),
        Adapter("topiocqa", "TopiOCQA: turns, and gold_passages_info beside", topiocqa_adapter.load),
        Adapter("inscit", "INSCIT: conversations with one or two references a turn", inscit_adapter.load),
        Adapter("coral", "CORAL: conversations, and the corpus as .tsv", coral_adapter.load),
        Adapter("chatrag_bench", "ChatRAG-Bench: one subset, or all", chatrag_bench_adapter.load),
        Adapter("mtr_bench", "MTR-Bench as published: JSON lines, Parquet or Arrow", mtr_bench_adapter.load),
        Adapter("cast", "TREC CAsT 2019 to 2022: topics and qrels", cast_adapter.load),
    )
}


def load_dataset(path: Path, layout: str | None = None) -> Dataset:
    """The data set at `path`. Without a layout it is recognised, where that is unmistakable; InputError lists names."""
    if not path.exists():
        raise InputError(f"{path} does not exist; name the file or folder of a data set")
    names = ", ".join(ADAPTERS)
    if layout is not None and layout not in ADAPTERS:
        raise InputError(f"there is no layout {layout!r}; --format knows: {names}")
    found = layout or recognise(path)
    if found is None:
        raise InputError(f"the layout of {path} is not plain to see; give it with --format, one of: {names}")
    return ADAPTERS[found].load(path)

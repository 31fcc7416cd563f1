"""A few passages about animals, for retrievers and rerankers."""

from collections.abc import Mapping

from mtr.datasets.records import AnyPassage
from mtr.relevance import Run

TEXTS = {
    "cat": "A cat sleeps all day and hunts mice.",
    "dog": "A dog barks at strangers at night.",
    "owl": "An owl hunts mice at night.",
    "blank": " ",
}


def corpus(texts: Mapping[str, str] = TEXTS) -> dict[str, AnyPassage]:
    return {name: AnyPassage(passage_id=name, text=text) for name, text in texts.items()}


def ids(run: Run, query: str = "q") -> list[str]:
    return list(run.rankings[query].passage_ids)

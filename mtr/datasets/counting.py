"""What a data set holds, counted; `mtr datasets show` prints it and the data card states it."""

from collections import Counter

from mtr.datasets.records import Dataset
from mtr.records import Record


class SetCounts(Record):
    """Counts of a data set. `gold_per_turn`: how many turns have how many gold passages, 0 included, by number."""

    conversations: int
    turns: int
    standalone_queries: int
    answers: int
    gold: int
    unanswerable: int
    passages: int
    gold_passages: int
    gold_in_corpus: int
    gold_per_turn: dict[int, int]


def count(dataset: Dataset) -> SetCounts:
    """Count the data set once."""
    turns = dataset.turns
    per_turn = Counter(len(turn.gold) for turn in turns)
    gold = {one.passage_id for turn in turns for one in turn.gold}
    return SetCounts(
        conversations=len({turn.conversation_id for turn in turns}),
        turns=len(turns),
        standalone_queries=sum(turn.standalone_query is not None for turn in turns),
        answers=sum(turn.answer is not None for turn in turns),
        gold=sum(bool(turn.gold) for turn in turns),
        unanswerable=sum(turn.answerable is False for turn in turns),
        passages=len(dataset.passages),
        gold_passages=len(gold),
        gold_in_corpus=sum(passage_id in dataset.passages for passage_id in gold),
        gold_per_turn=dict(sorted(per_turn.items())),
    )


def count_rows(counts: SetCounts) -> list[tuple[str, int]]:
    """The counts in words, as a card or a table lists them."""
    return [
        ("conversations", counts.conversations),
        ("turns", counts.turns),
        ("turns with a standalone query", counts.standalone_queries),
        ("turns with an answer", counts.answers),
        ("turns with gold", counts.gold),
        ("turns said to be unanswerable", counts.unanswerable),
        ("passages", counts.passages),
        ("different gold passages", counts.gold_passages),
        ("of these in the corpus", counts.gold_in_corpus),
    ]

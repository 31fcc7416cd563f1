"""How tests look at a data set read by an adapter: short pictures of turns."""

from mtr.datasets.records import AnyTurn, Dataset


def by_id(dataset: Dataset) -> dict[str, AnyTurn]:
    """The turns by query id."""
    return {turn.query_id: turn for turn in dataset.turns}


def history(turn: AnyTurn) -> list[str]:
    """`u: …` and `a: …`, in order."""
    return [f"{said.speaker[0]}: {said.text}" for said in turn.history]


def gold(turn: AnyTurn) -> list[tuple[str, int]]:
    """Passage and grade."""
    return [(one.passage_id, one.grade) for one in turn.gold]


def golds(dataset: Dataset) -> dict[str, list[str]]:
    """Gold passages by query id."""
    return {turn.query_id: [one.passage_id for one in turn.gold] for turn in dataset.turns}


def places(dataset: Dataset) -> list[tuple[str, str, int]]:
    """Query id, conversation, turn."""
    return [(turn.query_id, turn.conversation_id, turn.turn) for turn in dataset.turns]

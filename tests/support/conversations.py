"""Passages and conversations made by arithmetic, for tests of files and batches."""

from mtr.records import Candidate, Conversation, Evidence, Passage, Span, Step, Turn


def make_passage(number: int) -> Passage:
    """Passage `number` of one document; its second sentence is the fact."""
    text = f"Part {number} opens here. The value of part {number} is {number * 7}. It ends."
    return Passage(
        passage_id=f"doc:{number}",
        document_id="doc",
        title="Parts",
        heading=f"Part {number}",
        text=text,
        span=Span(start=number * 1000, end=number * 1000 + len(text)),
        source="parts.txt",
        language="en",
    )


def make_turn(turn: int, passage: Passage, move: str = "follow_up", refers_to: int | None = None) -> Turn:
    """A turn answered by the second sentence of `passage`."""
    start = passage.text.index("The value")
    end = passage.text.index("It ends.") - 1
    fact = passage.text[start:end]
    return Turn(
        turn=turn,
        move="open" if turn == 1 else move,
        refers_to=refers_to,
        query=f"and {passage.heading.lower()}?" if turn > 1 else f"value of {passage.heading}?",
        standalone_query=f"value of {passage.heading}?",
        answer=fact,
        gold=(passage.passage_id,),
        evidence=(Evidence(passage_id=passage.passage_id, start=start, end=end, text=fact),),
        hard_negatives=(Candidate(passage_id="doc:0", rank=1, probability=0.125, answers=False),),
        attempts=1,
    )


def make_conversation(name: str, turns: int = 3, first: int = 1) -> Conversation:
    """A conversation over the passages `first`, `first` + 1 …"""
    return Conversation(
        conversation_id=name,
        domain="general",
        language="en",
        clusters=("c0",),
        turns=tuple(make_turn(n, make_passage(first + n - 1)) for n in range(1, turns + 1)),
    )


def make_steps(turns: int = 3) -> tuple[Step, ...]:
    """Two steps a turn."""
    return tuple(
        Step(step_id=f"{turn}.1.{node}", turn=turn, attempt=1, node=node, outcome="kept", calls=(f"key-{turn}-{node}",))
        for turn in range(1, turns + 1)
        for node in ("simulate_user", "write_answer")
    )

"""Delivered turns laid out for a reader: every turn of a data set, with room for two labels.

    python -m benchmarks.turns DATASET > turns.md

A reader fills in both labels of each row: the standalone query, and the query as typed in its conversation, each right,
flawed or wrong. Right means natural and clear in its context, answered by the gold, by no other passage, and the answer
faithful. `python -m benchmarks.turns --count turns.md` counts them.
"""

import re
import sys
from collections import Counter
from pathlib import Path

from mtr.datasets.own_reading import OwnDataset, read_dataset
from mtr.records import Turn

LABELS = ("right", "flawed", "wrong")
_LABELLED = re.compile(r"^labels: standalone (\w+), in context (\w+)", re.MULTILINE)


def main(arguments: list[str]) -> int:
    """Print the turns of a data set, or the counts of a labelled page."""
    if len(arguments) == 2 and arguments[0] == "--count":
        print(counted(Path(arguments[1]).read_text(encoding="utf-8")))
        return 0
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    print(laid_out(read_dataset(Path(arguments[0]))))
    return 0


def laid_out(dataset: OwnDataset) -> str:
    """A section a conversation, a paragraph a turn."""
    parts: list[str] = []
    for conversation in dataset.conversations:
        parts.append(f"## {conversation.conversation_id} ({conversation.style}; {conversation.persona})")
        parts += [_turn(turn) for turn in conversation.turns]
    return "\n\n".join(parts)


def _turn(turn: Turn) -> str:
    rivals = ", ".join("?" if c.probability is None else f"{c.probability:.2f}" for c in turn.hard_negatives)
    lines = [
        f"**{turn.turn}. {turn.move}**, {turn.attempts} drafts, gold `{turn.gold[0]}`, rivals {rivals}",
        f"query: {turn.query}",
        "standalone: (the same)" if turn.query == turn.standalone_query else f"standalone: {turn.standalone_query}",
        f"answer: {turn.answer}",
        f"evidence: {' … '.join(' '.join(e.text.split()) for e in turn.evidence)}",
        "labels: standalone _, in context _",
    ]
    return "\\\n".join(lines)


def counted(page: str) -> str:
    """How many of how many carry each label, in both forms."""
    rows = [match.groups() for match in _LABELLED.finditer(page)]
    lines = []
    for name, column in (("standalone", 0), ("in context", 1)):
        counts = Counter(row[column] for row in rows)
        strange = set(counts) - set(LABELS)
        if strange:
            raise SystemExit(f"unknown or missing label: {', '.join(sorted(strange))}; use {', '.join(LABELS)}")
        lines.append(f"{name}: " + ", ".join(f"{counts[label]} of {len(rows)} {label}" for label in LABELS))
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

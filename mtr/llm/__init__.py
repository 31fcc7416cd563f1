"""The one door to models: `complete` for replies, `embed` for vectors, `open_door` around them."""

from mtr.llm.budget import Budget
from mtr.llm.complete import complete
from mtr.llm.door import Door, current_door, open_door
from mtr.llm.embed import embed
from mtr.llm.ledger import Attempt, Ledger, LedgerEntry
from mtr.llm.records import Completion, Usage
from mtr.llm.reply import Reply, Scored, YesNo

__all__ = [
    "Attempt",
    "Budget",
    "Completion",
    "Door",
    "Ledger",
    "LedgerEntry",
    "Reply",
    "Scored",
    "Usage",
    "YesNo",
    "complete",
    "current_door",
    "embed",
    "open_door",
]

"""Query ids that name their conversation: `<conversation>::<turn>` here, `<conversation><::><turn>` in mtRAG."""

import re

_PAIR = re.compile(r"^(?P<conversation>.+?)(?:<::>|::)(?P<turn>[1-9]\d*)$", re.DOTALL)


def split_query_id(query_id: str) -> tuple[str, int]:
    """Conversation and turn. An id of another kind is a conversation of one turn."""
    match = _PAIR.match(query_id)
    return (match["conversation"], int(match["turn"])) if match else (query_id, 1)

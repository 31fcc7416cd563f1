"""Which records may be read back from a checkpoint, for every reader in the process.

With `LANGGRAPH_STRICT_MSGPACK` a compiled graph lists the types that its schemas reach and lends the list to its
checkpointer. LangGraph's server copies the graph for each run, which forgets the list, and reads checkpoints on its own
before an edit of the state. Then our records come back as plain dicts, with a warning each. The list of all types that
are safe is the one place that every reader looks at.
"""

from typing import Any, TypeVar

from langgraph.checkpoint.serde import _msgpack
from langgraph.graph.state import CompiledStateGraph

G = TypeVar("G", bound=CompiledStateGraph[Any, Any, Any, Any])


def with_readable_records(compiled: G) -> G:
    """The graph, once the types of its schemas count as safe; where nothing is strict, nothing is listed."""
    _msgpack.SAFE_MSGPACK_TYPES |= compiled._serde_allowlist or frozenset()
    return compiled

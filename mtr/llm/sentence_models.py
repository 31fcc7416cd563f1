"""Embedding models of sentence-transformers, by name: an extra, loaded when first asked for, kept for the process."""

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from mtr.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

ENDPOINT = "sentence-transformers"
INSTALL = 'run `pip install -e ".[sentence-transformers]"`'

_lock = threading.Lock()
_models: dict[str, Any] = {}


def embed_by_sentence_model(
    name: str, texts: Sequence[str], kind: Literal["passage", "query"]
) -> "NDArray[np.float32]":
    """Vectors of the texts, float32, (n, d), by the model of this name or folder; blocks, one batch at a time.

    The model's own prompts for queries and documents are used where it has them. InputError when the package is not
    installed or the model can neither be found here nor fetched.
    """
    import numpy as np  # noqa: PLC0415

    with _lock:
        model = _models.get(name) or _models.setdefault(name, _load(name))
        encode = model.encode_query if kind == "query" else model.encode_document
        return np.asarray(encode(list(texts), convert_to_numpy=True, show_progress_bar=False), dtype=np.float32)


def _load(name: str) -> Any:
    try:
        from sentence_transformers import SentenceTransformer  # noqa: PLC0415
    except ImportError as error:
        raise InputError(f"{ENDPOINT}/{name} needs the package sentence-transformers ({error}); {INSTALL}") from error
    try:
        return SentenceTransformer(name)
    except (OSError, ValueError) as error:
        raise InputError(
            f"{ENDPOINT}/{name} cannot be loaded: {error}; name a model of the hub or its folder"
        ) from error

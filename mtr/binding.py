"""Who plays a role in a run: the domain, the model, and the prompt; and asking in that role."""

from collections.abc import Mapping
from typing import TypeVar

from mtr.llm import Completion, Reply, complete
from mtr.prompts import render
from mtr.records import Record

R = TypeVar("R", bound=Reply)
_TEMPERATURE_OF_RETRIES = 0.7


class Binding(Record):
    """A role bound to a model by the run; `prompt` is Markdown that replaces the domain's file, None for the file."""

    role: str
    domain: str
    model: str
    prompt: str | None = None

    async def ask(self, values: Mapping[str, str], reply: type[R], *, sample: int = 0) -> Completion[R]:
        """Render the role's prompt and complete it; a later sample is drawn at a higher temperature.

        Rendering looks whether files have changed, which takes less than handing it to a thread.

        Raises:
            ReplyError: when the reply could not be read, also when asked again.
        """
        warmer = _TEMPERATURE_OF_RETRIES if sample else None
        rendered = render(self.domain, self.role, values, text=self.prompt, temperature=warmer)
        return await complete(rendered, reply, model=self.model, sample=sample)

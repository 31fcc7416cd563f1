"""What the knobs of every graph that makes turns have in common: a corpus, a domain, and who plays which role."""

from typing import Any, Self

from langgraph.runtime import Runtime
from pydantic import BaseModel, ConfigDict, Field

from mtr.binding import Binding
from mtr.prompts import prompt_text

_SHOWN_DOMAIN = "general"
_ROLE_MODEL = "Model of the {role}, as endpoint/model; empty: the one of every role."


def role_model(role: str) -> Any:
    """The knob that gives a role a model of its own."""
    return Field(default="", description=_ROLE_MODEL.format(role=role))


def editor(role: str, node: str) -> Any:
    """The knob that shows a role's prompt on its node, to be edited there."""
    return Field(
        default=prompt_text(_SHOWN_DOMAIN, role),
        description="The prompt as sent. Left as it is, the domain's own file is used; edited, this text is.",
        json_schema_extra={"langgraph_type": "prompt", "langgraph_nodes": [node]},
    )


class Casting(BaseModel):
    """A corpus, a domain, and a model for each role; the fields of a role are `ROLE_model` and `ROLE_prompt`."""

    model_config = ConfigDict(extra="forbid")

    corpus: str = Field(default="demo", description="Name of a built corpus; see `mtr corpus list`.")
    domain: str = Field(default="general", description="Folder of prompts; see `mtr prompts list`.")
    model: str = Field(default="local/qwen2.5-coder-1.5b", description="Model of every role, as endpoint/model.")

    @classmethod
    def of(cls, runtime: Runtime[Self]) -> Self:
        """The context of a run; the defaults for a caller that passed none."""
        return runtime.context or cls()

    def model_of(self, role: str) -> str:
        """The model bound to a role."""
        return str(getattr(self, f"{role}_model") or self.model)

    def binding(self, role: str, style: str = "") -> Binding:
        """Who plays the role, in one of its styles if it has some; an edited prompt replaces the domain's file."""
        field = f"{style}_{role}_prompt" if style else f"{role}_prompt"
        shown = type(self).model_fields[field].default if field in type(self).model_fields else ""
        text = getattr(self, field, "")
        return Binding(
            role=f"{role}s/{style}" if style else role,
            domain=self.domain,
            model=self.model_of(role),
            prompt=text if text.strip() and text != shown else None,
        )

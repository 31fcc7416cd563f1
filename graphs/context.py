"""The knobs of the dialogue graph: what Studio shows as its form, and a run on the command line fills in."""

from typing import Any, Literal, Self

from langgraph.runtime import Runtime
from pydantic import BaseModel, ConfigDict, Field

from mtr.binding import Binding
from mtr.conversation.plan import Shares
from mtr.prompts import prompt_text

_SHOWN_DOMAIN = "general"
_ROLE_MODEL = "Model of the {role}, as endpoint/model; empty: the one above."


def _role_model(role: str) -> Any:
    return Field(default="", description=_ROLE_MODEL.format(role=role))


def _editor(role: str, node: str) -> Any:
    return Field(
        default=prompt_text(_SHOWN_DOMAIN, role),
        description="The prompt as sent. Left as it is, the domain's own file is used; edited, this text is.",
        json_schema_extra={"langgraph_type": "prompt", "langgraph_nodes": [node]},
    )


class Context(BaseModel):
    """How a conversation is made. Every knob has a default, so an empty form runs on the demo corpus."""

    model_config = ConfigDict(extra="forbid")

    corpus: str = Field(default="demo", description="Name of a built corpus; see `mtr corpus list`.")
    domain: str = Field(default="general", description="Folder of prompts; see `mtr prompts list`.")
    turns: int = Field(default=4, ge=1, le=50, description="Turns of the conversation.")
    seed: int = Field(default=7, description="The same seed and replies give the same conversation.")
    conversations: int = Field(default=1, ge=1, description="Size of the batch over which the shares are exact.")
    switch_share: float = Field(default=0.5, ge=0, le=1, description="Share of conversations with a hard topic switch.")
    far_reference_share: float = Field(
        default=0.1, ge=0, le=1, description="Share of turns whose wording refers two or more turns back."
    )
    uniqueness: Literal["retry", "multi-gold"] = Field(
        default="retry", description="Another passage answers too: retry with another fact, or take it as further gold."
    )
    rivals: int = Field(
        default=3, ge=1, le=20, description="Nearest other passages put before the uniqueness verifier."
    )
    query_tries: int = Field(
        default=1, ge=1, le=4, description="Drafts per fact; from the second on the model is told what was wrong."
    )
    answer_tries: int = Field(default=2, ge=1, le=4, description="Drafts of an answer before the fact is given up.")
    wording_tries: int = Field(
        default=2, ge=1, le=4, description="Wordings tried before the standalone query is typed."
    )
    passage_tries: int = Field(
        default=10, ge=1, le=30, description="Passages tried before the conversation is abandoned."
    )
    model: str = Field(default="local/qwen2.5-coder-1.5b", description="Model of every role, as endpoint/model.")
    user_simulator_model: str = _role_model("user simulator")
    uniqueness_verifier_model: str = _role_model("uniqueness verifier")
    answerer_model: str = _role_model("answerer")
    answer_verifier_model: str = _role_model("answer verifier")
    topic_planner_model: str = _role_model("topic planner")
    contextualizer_model: str = _role_model("contextualizer")
    user_simulator_prompt: str = _editor("user_simulator", "simulate_user")
    uniqueness_verifier_prompt: str = _editor("uniqueness_verifier", "verify_uniqueness")
    answerer_prompt: str = _editor("answerer", "write_answer")
    answer_verifier_prompt: str = _editor("answer_verifier", "verify_answer")
    topic_planner_prompt: str = _editor("topic_planner", "plan_topic")
    plain_contextualizer_prompt: str = _editor("contextualizers/plain", "contextualize")
    terse_contextualizer_prompt: str = _editor("contextualizers/terse", "contextualize")
    long_winded_contextualizer_prompt: str = _editor("contextualizers/long_winded", "contextualize")

    @classmethod
    def of(cls, runtime: Runtime[Self]) -> Self:
        """The context of a run; the defaults for a caller that passed none."""
        return runtime.context or cls()

    @property
    def shares(self) -> Shares:
        """What the batch aims at."""
        return Shares(
            conversations=self.conversations,
            turns=self.turns,
            switch_share=self.switch_share,
            far_reference_share=self.far_reference_share,
        )

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

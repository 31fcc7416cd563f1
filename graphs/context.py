"""The knobs of the dialogue graph: what Studio shows as its form, and a run on the command line fills in."""

from typing import Literal

from pydantic import Field

from graphs.casting import Casting, editor, role_model
from mtr.conversation.plan import Shares


class Context(Casting):
    """How a conversation is made. Every knob has a default, so an empty form runs on the demo corpus."""

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
    user_simulator_model: str = role_model("user simulator")
    uniqueness_verifier_model: str = role_model("uniqueness verifier")
    answerer_model: str = role_model("answerer")
    answer_verifier_model: str = role_model("answer verifier")
    topic_planner_model: str = role_model("topic planner")
    contextualizer_model: str = role_model("contextualizer")
    user_simulator_prompt: str = editor("user_simulator", "simulate_user")
    uniqueness_verifier_prompt: str = editor("uniqueness_verifier", "verify_uniqueness")
    answerer_prompt: str = editor("answerer", "write_answer")
    answer_verifier_prompt: str = editor("answer_verifier", "verify_answer")
    topic_planner_prompt: str = editor("topic_planner", "plan_topic")
    plain_contextualizer_prompt: str = editor("contextualizers/plain", "contextualize")
    terse_contextualizer_prompt: str = editor("contextualizers/terse", "contextualize")
    long_winded_contextualizer_prompt: str = editor("contextualizers/long_winded", "contextualize")

    @property
    def shares(self) -> Shares:
        """What the batch aims at."""
        return Shares(
            conversations=self.conversations,
            turns=self.turns,
            switch_share=self.switch_share,
            far_reference_share=self.far_reference_share,
        )

"""The state of the dialogue graph, in the words a person reads in Studio."""

from pydantic import BaseModel, ConfigDict, Field

from mtr.conversation.plan import PlannedTurn
from mtr.conversation.wording import Wording
from mtr.corpus.facts import Fact
from mtr.records import Candidate, Conversation, Evidence, Step, Turn, Verdict


class DialogueInput(BaseModel):
    """Which conversation of the batch to make; the empty form makes the first."""

    model_config = ConfigDict(extra="forbid")

    conversation_id: str = Field(default="demo-0001", description="Its name in the data set.")
    seed_item: int = Field(default=0, ge=0, description="Its number in the batch, from 0; enters every draw.")
    attempt: int = Field(default=0, ge=0, description="How often it was begun before; another one draws anew.")
    cluster_id: str = Field(default="", description="Cluster to open with; empty: drawn by seed.")


class DialogueOutput(BaseModel):
    """A whole conversation, or the reason why there is none; and what every node did."""

    conversation: Conversation | None = None
    abandoned: str = ""
    steps: list[Step] = Field(default_factory=list)


class DialogueState(DialogueInput, DialogueOutput):
    """Everything a node may read. What belongs to one turn is reset when the next begins."""

    style: str = "plain"
    persona: str = ""
    plan: list[PlannedTurn] = Field(default_factory=list)
    turns: list[Turn] = Field(default_factory=list, description="Kept turns.")
    failed: list[str] = Field(
        default_factory=list, description="Places of facts given up: asked again, they fail again."
    )

    turn: int = Field(default=1, description="The turn being made, from 1.")
    start: str = Field(default="", description="Cluster or passage the turn sets out from, at an opening or a switch.")
    topic_try: int = 0
    tried_passages: list[str] = Field(default_factory=list)
    passage_id: str = ""
    facts: list[Fact] = Field(default_factory=list, description="Facts of the passage still to be tried, best first.")
    query_try: int = Field(default=0, description="Drafts made of the query about the first of these facts.")
    attempts: int = Field(default=0, description="Drafts of a query in this turn.")
    feedback: str = Field(default="", description="What was wrong with the last draft; empty when it passed.")

    standalone_query: str = ""
    candidates: list[Candidate] = Field(default_factory=list, description="The gold and its nearest rivals, as judged.")
    gold: list[str] = Field(default_factory=list)
    answer: str = ""
    answer_try: int = 0
    evidence: list[Evidence] = Field(default_factory=list)
    verdicts: list[Verdict] = Field(default_factory=list)
    query: str = Field(default="", description="The query as typed in context.")
    rewords: bool = Field(default=False, description="Whether a wording other than the standalone query is wanted.")
    wording_try: int = 0
    wording_fault: str = ""

    @property
    def planned(self) -> PlannedTurn:
        """The plan of the turn being made."""
        return self.plan[self.turn - 1]

    @property
    def wording(self) -> Wording:
        """What the query as typed starts from."""
        return Wording.of(self.planned, self.turns, self.standalone_query, self.style)

    @property
    def fact(self) -> Fact:
        """The fact being asked about."""
        return self.facts[0]

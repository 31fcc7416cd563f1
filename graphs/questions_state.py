"""The state of the questions graph, in the words a person reads in Studio."""

from pydantic import BaseModel, ConfigDict, Field

from mtr.conversation.wording import Wording
from mtr.query_types import QueryType
from mtr.questions.passage_sets import Group
from mtr.questions.records import Claimed, Question
from mtr.questions.tiers import Tier
from mtr.records import Candidate, Step, Verdict


class QuestionInput(BaseModel):
    """Which question of the set to make; the empty form makes an easy one."""

    model_config = ConfigDict(extra="forbid")

    question_id: str = Field(default="demo-0001", description="Its name in the data set.")
    seed_item: int = Field(default=0, ge=0, description="Its number in the set, from 0; enters every draw.")
    attempt: int = Field(default=0, ge=0, description="How often it was begun before; another one draws anew.")
    tier: Tier = Field(default="easy", description="How hard it is to be.")
    wanted: QueryType | None = Field(default=None, description="What it should ask for, where the facts allow it.")
    skip: int = Field(default=0, ge=0, description="Groups of facts that other questions of these passages ask for.")
    anchors: list[str] = Field(default_factory=list, description="Passages to begin with; after them: drawn by seed.")


class QuestionOutput(BaseModel):
    """A question, or the reason why there is none; and what every node did."""

    question: Question | None = None
    abandoned: str = ""
    steps: list[Step] = Field(default_factory=list)


class QuestionState(QuestionInput, QuestionOutput):
    """Everything a node may read. What belongs to one passage set is reset when the next is drawn."""

    style: str = "plain"
    persona: str = ""
    sets: int = Field(default=0, description="Passage sets drawn so far.")
    attempts: int = Field(default=0, description="Drafts of a query so far.")
    looked_at: int = Field(default=0, description="Passages looked at so far, in the order to try.")

    passage_set: list[str] = Field(default_factory=list, description="The passages the query is to need.")
    groups: list[Group] = Field(default_factory=list, description="Facts of them, a group a draft; empty: give it up.")
    query_try: int = Field(default=0, description="Drafts made from this passage set.")
    feedback: str = Field(default="", description="What was wrong with the last draft; empty when it passed.")

    standalone_query: str = ""
    halves: list[str] = Field(default_factory=list, description="What it was joined from, where it was.")
    candidates: list[Candidate] = Field(default_factory=list, description="Passages asked one by one, as judged.")
    verdicts: list[Verdict] = Field(default_factory=list)
    answer: str = ""
    reasoning: str = ""
    answer_try: int = 0
    claims: list[Claimed] = Field(default_factory=list, description="The claims with the sentences they rest on.")
    query: str = Field(default="", description="The query as typed.")
    rewords: bool = Field(default=False, description="Whether a wording other than the standalone query is wanted.")
    wording_try: int = 0
    wording_fault: str = ""

    @property
    def group(self) -> Group:
        """The facts of the draft being made; the last ones again when all have been used."""
        return self.groups[min(max(self.query_try - 1, 0), len(self.groups) - 1)]

    @property
    def repeats(self) -> int:
        """How often the facts of the next draft have been used before."""
        return max(self.query_try - len(self.groups) + 1, 0)

    @property
    def wording(self) -> Wording:
        """What the query as typed starts from: nothing was said before."""
        return Wording(query=self.standalone_query, leans_on=None, style=self.style)

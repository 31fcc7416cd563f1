"""What the model is asked to find its cuts, by the prompts of the run."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from agents.answer_verifier import verify_support
from benchmarks.thresholds.corruptions import negation_flipped, number_changed, sentence_added
from benchmarks.thresholds.marked import Marked
from mtr.binding import Binding
from mtr.conversation.showing import shown_passages
from mtr.llm import YesNo
from mtr.prompts import DomainSettings, load_domain
from mtr.records import Passage, Turn
from mtr.retrieval.collection import Collection
from mtr.thresholds import Thresholds

RIVALS = 3


@dataclass(frozen=True)
class Ruled:
    """A yes or no, and P(yes) where the endpoint gives it."""

    yes: bool
    probability: float | None


@dataclass
class Found:
    """All rulings: on gold, on the others (by query, in the same order), on answers, on answers made wrong by kind."""

    gold: list[Ruled] = field(default_factory=list)
    others: list[list[Ruled]] = field(default_factory=list)
    answers: list[Ruled] = field(default_factory=list)
    wrong: defaultdict[str, list[Ruled]] = field(default_factory=lambda: defaultdict(list))


@dataclass(frozen=True)
class Setting:
    """What every question to the model shares."""

    collection: Collection
    domain: str
    model: str

    @property
    def settings(self) -> DomainSettings:
        """The words of the domain."""
        return load_domain(self.domain)

    def binding(self, role: str) -> Binding:
        """The model in a role of the domain."""
        return Binding(role=role, domain=self.domain, model=self.model)


async def ask_turn(setting: Setting, turn: Turn, found: Found) -> None:
    """One turn's questions: its gold, its rivals, its answer, and the answer made wrong."""
    gold = [setting.collection.corpus.passages[passage_id] for passage_id in turn.gold]
    others = await _near(setting, turn.standalone_query, gold)
    await _ask_of_passages(setting, turn.standalone_query, gold[0], others, found)
    found.answers.append(await _supported(setting, turn, turn.answer, gold))
    for kind, answer in _made_wrong(turn.answer, others, setting.settings).items():
        if answer is not None:
            found.wrong[kind].append(await _supported(setting, turn, answer, gold))


async def ask_marked(setting: Setting, marked: Marked, found: Found) -> None:
    """One marked question: the passage that holds what was marked, and those near it that do not."""
    near = await _near(setting, marked.query, [marked.gold])
    others = [passage for passage in near if marked.answer not in passage.text]
    await _ask_of_passages(setting, marked.query, marked.gold, others, found)


async def _near(setting: Setting, query: str, gold: Sequence[Passage]) -> list[Passage]:
    near = await setting.collection.nearest(query, RIVALS + len(gold))
    without = [passage_id for passage_id in near if passage_id not in {one.passage_id for one in gold}]
    return [setting.collection.corpus.passages[passage_id] for passage_id in without[:RIVALS]]


async def _ask_of_passages(
    setting: Setting, query: str, gold: Passage, others: Sequence[Passage], found: Found
) -> None:
    found.gold.append(await _answers(setting, query, gold))
    found.others.append([await _answers(setting, query, other) for other in others])


def _made_wrong(answer: str, others: Sequence[Passage], settings: DomainSettings) -> dict[str, str | None]:
    return {
        "number changed": number_changed(answer),
        "negation flipped": negation_flipped(answer),
        "another passage's sentence added": sentence_added(answer, others[-1], settings) if others else None,
    }


async def _answers(setting: Setting, query: str, passage: Passage) -> Ruled:
    values = {"passage": shown_passages([passage]), "query": query}
    completion = await setting.binding("uniqueness_verifier").ask(values, YesNo)
    return Ruled(completion.reply.yes, completion.probability)


async def _supported(setting: Setting, turn: Turn, answer: str, gold: Sequence[Passage]) -> Ruled:
    ruling = await verify_support(
        setting.binding("answer_verifier"), turn.standalone_query, answer, gold, Thresholds(support=0.5)
    )
    return Ruled(ruling.verdict.passed is True, ruling.verdict.probability)

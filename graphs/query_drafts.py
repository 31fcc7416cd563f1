"""Who drafts a query of the questions graph, by its tier and by how often it was tried."""

from agents.query_writer import write_joined_query
from agents.user_simulator import draft_query
from graphs.questions_context import QuestionsContext
from graphs.questions_state import QuestionState
from mtr.prompts import DomainSettings
from mtr.query_types import TYPES
from mtr.questions.halves import joined
from mtr.questions.passage_sets import offered_type
from mtr.questions.types import COMPARISON
from mtr.records import Record


class Drafted(Record):
    """A standalone query before any check; `halves` when it was drafted fact by fact, else none."""

    query: str
    calls: tuple[str, ...]
    halves: tuple[str, ...] = ()


async def draft_of_tier(
    state: QuestionState, context: QuestionsContext, settings: DomainSettings, *, advice: str, sample: int
) -> Drafted:
    """Easy: the user simulator asks for the fact. The other tiers: the query writer asks for all of them at once.

    A medium query that failed is asked for fact by fact then, and code joins the halves: that is easier to do, though
    it never asks how one fact bears on the other.

    Raises:
        ReplyError: when a reply could not be read.
    """
    simulator = context.binding("user_simulator")
    if state.tier == "easy":
        draft = await draft_query(simulator, state.group[0], advice=advice, sample=sample)
        return Drafted(query=draft.query, calls=(draft.call,))
    if state.tier == "medium" and state.query_try > 1 and settings.words("halves"):
        drafts = [await draft_query(simulator, fact, advice="", sample=sample) for fact in state.group]
        halves = tuple(one.query for one in drafts)
        return Drafted(query=joined(halves, settings), calls=tuple(one.call for one in drafts), halves=halves)
    writer, opening = context.binding("query_writer", state.tier), _opening(state, settings)
    written = await write_joined_query(writer, state.group, opening=opening, advice=advice, sample=sample)
    return Drafted(query=written.query, calls=(written.call,))


def _opening(state: QuestionState, settings: DomainSettings) -> str:
    """How a query of the wanted type may begin; empty for any, and where the facts of a medium one do not offer it."""
    openings = dict(zip(TYPES, settings.words("type_openings"), strict=False))
    free = state.tier == "medium" and state.wanted != COMPARISON
    if state.wanted is None or (free and state.wanted not in {offered_type(fact, settings) for fact in state.group}):
        return ""
    return openings.get(state.wanted, "")

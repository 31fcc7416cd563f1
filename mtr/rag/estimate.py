"""What a RAG evaluation will take: calls are counted, prompts rendered with stand-ins; nothing is called.

What will be retrieved and answered is not known: passages drawn from the corpus stand in for the one, the set's own
answer for the other.
"""

from collections.abc import Iterator, Sequence
from statistics import fmean

from mtr.answers import Answered, Retrieved
from mtr.datasets.records import AnyTurn
from mtr.evaluation.rag_turns import REFUSES
from mtr.judging.asking import asks_of
from mtr.judging.showing import shown_values
from mtr.llm.tokens import count_tokens
from mtr.prompts import RenderedPrompt, load_domain, render
from mtr.rag.job import RagJob
from mtr.rag.judging import docket_of, texts_of
from mtr.rag.showing import ANSWERER, answerer_values
from mtr.rag.systems import RagSystem
from mtr.records import Record
from mtr.seeding import seeded
from mtr.settings import Settings
from mtr.verdicts import Criterion, JudgedBy, criterion

_RENDERED_TURNS = 10

_ANSWER = 80
_WRITTEN: dict[JudgedBy, int] = {"yes_no": 1, "scale": 60, "choice": 60, "claims": 250}
_STAND_IN = "It is not known yet what the answer will be, nor how long; two sentences stand in for it."


class CallsEstimate(Record):
    """Calls of one model for one purpose; tokens over all of them. `usd` is None where the model has no price."""

    system: str
    purpose: str
    model: str
    calls: int
    prompt_tokens: int
    completion_tokens: int
    usd: float | None


def estimate(job: RagJob, settings: Settings) -> tuple[CallsEstimate, ...]:
    """A line for each answerer, and for each criterion and judge. Rewriting, reranking and repeats come on top."""
    return tuple(line for system in job.systems for line in _of_system(job, system, settings))


def _of_system(job: RagJob, system: RagSystem, settings: Settings) -> Iterator[CallsEstimate]:
    arms = [_Arm(job, k) for k in system.ks(job.options.ks)]
    for model in system.models:
        rendered = [prompt for arm in arms for prompt in arm.answering()]
        yield _line(system.name, ANSWERER, model, len(arms) * len(job.turns), rendered, _ANSWER, settings)
    unknown = () if system.models else (criterion(job.options.judging.domain, REFUSES),)
    for one in (*unknown, *job.criteria):
        calls = sum(arm.calls(one) for arm in arms)
        rendered = [prompt for arm in arms for prompt in arm.judging(one)]
        for judge in job.options.judging.judges:
            yield _line(system.name, one.name, judge, calls, rendered, _WRITTEN[one.reply], settings)


class _Arm:
    """One k with its stand-ins."""

    def __init__(self, job: RagJob, k: int | None) -> None:
        self._job, self._k = job, k
        self._turns = list(job.turns.values())
        self._words = load_domain(job.options.judging.domain)
        self._ids = sorted(job.dataset.passages)

    def answering(self) -> Iterator[RenderedPrompt]:
        """The answerer's prompts of a few turns."""
        for turn in self._turns[:_RENDERED_TURNS]:
            passages = texts_of(self._answer(turn), self._job.dataset.passages) or ()
            values = answerer_values(turn, passages, self._words)
            yield render(self._job.options.judging.domain, ANSWERER, values)

    def judging(self, one: Criterion) -> Iterator[RenderedPrompt]:
        """A criterion's prompts of a few turns."""
        for turn in self._turns[:_RENDERED_TURNS]:
            docket = docket_of(self._job.dataset, turn, self._answer(turn), ())
            for ask in asks_of(docket, one, self._job.options.judging.seed)[0]:
                values = shown_values(docket, ask, one, self._words)
                yield render(self._job.options.judging.domain, one.role, values)

    def calls(self, one: Criterion) -> int:
        """The asks of a criterion over all turns."""
        dockets = (docket_of(self._job.dataset, turn, self._answer(turn), ()) for turn in self._turns)
        return sum(len(asks_of(docket, one, self._job.options.judging.seed)[0]) for docket in dockets)

    def _answer(self, turn: AnyTurn) -> Answered:
        draw = seeded(self._job.options.judging.seed, "stand-ins", turn.query_id)
        ids = draw.sample(self._ids, min(self._k or 1, len(self._ids)))
        return Answered(
            system="",
            k=self._k,
            query_id=turn.query_id,
            answer=turn.answer or _STAND_IN,
            refused=False,
            retrieved=tuple(Retrieved(passage_id=name) for name in ids),
        )


def _line(
    system: str,
    purpose: str,
    model: str,
    calls: int,
    rendered: Sequence[RenderedPrompt],
    written: int,
    settings: Settings,
) -> CallsEstimate:
    price = settings.price_of(model)
    lengths = [sum(count_tokens(message.content) for message in one.messages) for one in rendered]
    read = round(calls * fmean(lengths)) if lengths else 0
    return CallsEstimate(
        system=system,
        purpose=purpose,
        model=model,
        calls=calls,
        prompt_tokens=read,
        completion_tokens=calls * written,
        usd=None if price is None else price.usd(read, 0, calls * written),
    )

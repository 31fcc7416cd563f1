"""What an audit will take: every ask is counted, its prompt rendered for a few turns; nothing is called."""

from statistics import fmean

from mtr.auditing.job import AuditJob
from mtr.judging.asking import asks_of
from mtr.judging.showing import shown_values
from mtr.llm.tokens import count_tokens
from mtr.prompts import load_domain, render
from mtr.records import Record
from mtr.settings import Settings
from mtr.verdicts import JudgedBy

_RENDERED_TURNS = 20
_WRITTEN: dict[JudgedBy, int] = {"yes_no": 1, "scale": 60, "choice": 60, "claims": 250}


class AskEstimate(Record):
    """Asks of one judge on one criterion; tokens over all of them. `usd` is None where the model has no price."""

    criterion: str
    judge: str
    calls: int
    prompt_tokens: int
    completion_tokens: int
    usd: float | None


def estimate(job: AuditJob, settings: Settings) -> tuple[AskEstimate, ...]:
    """A line for each criterion and judge. Repeats, adjudication and confirmation come on top."""
    counts = dict.fromkeys((one.name for one in job.criteria), 0)
    lengths: dict[str, list[int]] = {one.name: [] for one in job.criteria}
    words = load_domain(job.options.domain)
    for number, turn in enumerate(job.turns.values()):
        docket = job.dockets.of(turn)
        for one in job.criteria:
            asks, _ = asks_of(docket, one, job.options.seed)
            counts[one.name] += len(asks)
            for ask in asks[:1] if number < _RENDERED_TURNS else ():
                prompt = render(job.options.domain, one.role, shown_values(docket, ask, one, words))
                lengths[one.name].append(sum(count_tokens(message.content) for message in prompt.messages))
    return tuple(
        _line(one.name, one.reply, judge, counts[one.name], lengths[one.name], settings)
        for one in job.criteria
        for judge in job.options.judges
    )


def _line(name: str, reply: JudgedBy, judge: str, calls: int, lengths: list[int], settings: Settings) -> AskEstimate:
    price = settings.price_of(judge)
    read, written = round(calls * fmean(lengths)) if lengths else 0, calls * _WRITTEN[reply]
    return AskEstimate(
        criterion=name,
        judge=judge,
        calls=calls,
        prompt_tokens=read,
        completion_tokens=written,
        usd=None if price is None else price.usd(read, 0, written),
    )

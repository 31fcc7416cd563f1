"""The evidence verifier rules whether the spans quoted for a claim state it, seeing nothing but these spans."""

from collections.abc import Mapping, Sequence

from mtr.binding import Binding
from mtr.corpus.facts import code_in_backticks, topic_of
from mtr.llm import YesNo
from mtr.prompts import DomainSettings, passage_block
from mtr.questions.records import Claimed
from mtr.records import Passage, Record, Verdict
from mtr.thresholds import Thresholds

CRITERION = "claim support"


class EvidenceRuling(Record):
    """A verdict for each claim asked, up to the first that is not stated; `fault` is empty when all are."""

    verdicts: tuple[Verdict, ...]
    calls: tuple[str, ...]
    fault: str = ""


async def verify_claims(
    binding: Binding,
    claims: Sequence[Claimed],
    passages: Mapping[str, Passage],
    cuts: Thresholds,
    settings: DomainSettings,
) -> EvidenceRuling:
    """Ask of each claim whether its own spans state it; stop at the first that they do not.

    The query is not shown: a claim that answers half of it reads as a doubtful answer, however well it is quoted.

    Raises:
        ReplyError: when a reply could not be read.
    """
    verdicts: list[Verdict] = []
    calls: list[str] = []
    for claimed in claims:
        spans = [(topic_of(passages[e.passage_id], e.start), code_in_backticks(e.text)) for e in claimed.evidence]
        values = {"passage": passage_block(spans), "claim": claimed.claim}
        judged = await binding.ask(values, YesNo)
        passed = cuts.is_stated(judged.probability, judged.reply.yes)
        verdicts.append(
            Verdict(criterion=CRITERION, judge=binding.model, passed=passed, probability=judged.probability)
        )
        calls.append(judged.key)
        if not passed:
            fault = settings.fault("claim_not_quoted", claim=claimed.claim)
            return EvidenceRuling(verdicts=tuple(verdicts), calls=tuple(calls), fault=fault)
    return EvidenceRuling(verdicts=tuple(verdicts), calls=tuple(calls))

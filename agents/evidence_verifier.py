"""The evidence verifier rules whether the spans quoted for a claim state it, seeing nothing but these spans."""

from collections.abc import Mapping, Sequence

from mtr.binding import Binding
from mtr.corpus.facts import topic_of
from mtr.corpus.markup import shown
from mtr.llm import YesNo
from mtr.prompts import DomainSettings, passage_block
from mtr.questions.records import Claimed
from mtr.records import Passage, Record, Verdict
from mtr.thresholds import Thresholds

CRITERION = "claim support"


class EvidenceRuling(Record):
    """The claims that their spans state, a verdict for each; `fault` is empty when enough of them are."""

    stated: tuple[Claimed, ...]
    verdicts: tuple[Verdict, ...]
    calls: tuple[str, ...]
    fault: str = ""


async def verify_claims(
    binding: Binding,
    claims: Sequence[Claimed],
    passages: Mapping[str, Passage],
    cuts: Thresholds,
    settings: DomainSettings,
    *,
    spare: int = 0,
) -> EvidenceRuling:
    """Ask of each claim whether its own spans state it; up to `spare` claims may fail, one more ends it.

    The query is not shown: a claim that answers half of it reads as a doubtful answer, however well it is quoted.

    Raises:
        ReplyError: when a reply could not be read.
    """
    stated: list[Claimed] = []
    verdicts: list[Verdict] = []
    calls: list[str] = []
    fault = ""
    for claimed in claims:
        spans = [(topic_of(passages[e.passage_id], e.start), shown(e.text)) for e in claimed.evidence]
        judged = await binding.ask({"passage": passage_block(spans), "claim": claimed.claim}, YesNo)
        calls.append(judged.key)
        if cuts.is_stated(judged.probability, judged.reply.yes):
            verdict = Verdict(criterion=CRITERION, judge=binding.model, passed=True, probability=judged.probability)
            stated.append(claimed)
            verdicts.append(verdict)
        elif len(calls) - len(stated) > spare:
            fault = settings.fault("claim_not_quoted", claim=claimed.claim)
            break
    return EvidenceRuling(stated=tuple(stated), verdicts=tuple(verdicts), calls=tuple(calls), fault=fault)

"""How to read a report: what the words and numbers mean."""

from mtr.evaluation.audit import NOISE_BELOW
from mtr.evaluation.report.tables import Section


def guide_section() -> Section:
    """The same for every audit."""
    return Section(
        key="guide",
        title="How to read this",
        items=(
            f"Gold that does not answer (annotation noise): gold passages that score below {NOISE_BELOW:g} of 5 when "
            "judges are asked whether they answer the query in the light of the history.",
            "Missing evidence: turns for which the judges chose the same passage without a mark over the gold in every "
            "order of the candidates, and held, when asked about it alone, that it answers.",
            "Evidence completeness: how often a gold passage is chosen among hard negatives. Which of several gold "
            "passages is chosen does not matter. It is a share; 1 + 4 × share only serves comparison.",
            "Faithfulness: whether the claims of the answer are stated in its gold passages. A claim counts as "
            "supported only with a quote that stands there word for word.",
            "The line beside a number runs from 1 to 5, or from 0 to 100 %; the thick part is the interval.",
            "Intervals are 95 % ranges over conversations drawn again and again: turns of one conversation share "
            "their faults. With few conversations they are wide, and they say nothing of faults all judges share.",
            "“290 of 300” means that 290 of the 300 asked were measured. What was not measured enters no mean; it "
            "is never counted as 0.",
            "Unreadable: replies that could not be read and were asked again. Abstained: a judge without a verdict. "
            "Tie: verdicts without a winner, left open. Split: judges further apart than allowed; an adjudicator, "
            "where there was one, decided.",
            "Judges are models. A finding is a place to look at, not a proof: read the texts beside it.",
        ),
    )

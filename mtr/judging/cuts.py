"""Calibrated cuts of P(yes): what counts as yes differs from model to model and from criterion to criterion."""


def cut_name(judge: str, criterion: str) -> str:
    """How a cut is called: it belongs to a judge on a criterion."""
    return f"{judge} on {criterion}"


def evened(probability: float, cut: float) -> float:
    """P(yes) stretched so that the cut lies at one half: then judges with different cuts can be averaged.

    Linear on both sides of the cut; 0, the cut and 1 become 0, 0.5 and 1.
    """
    if probability < cut:
        return 0.5 * probability / cut
    return 1.0 if cut >= 1 else 0.5 + 0.5 * (probability - cut) / (1 - cut)

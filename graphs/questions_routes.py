"""Where the questions graph goes after a node: every retry edge, by what the node left in the state."""

from typing import Literal

from graphs.questions_state import QuestionState


def after_draw_passages(state: QuestionState) -> Literal["write_query", "abandon"]:
    """Passage sets spent: give up."""
    return "abandon" if state.abandoned else "write_query"


def after_check_query(
    state: QuestionState,
) -> Literal["verify_need", "verify_absence", "write_query", "draw_passages"]:
    """A faulty query gives way to another draft."""
    if state.feedback:
        return _another_draft(state)
    return "verify_absence" if state.tier == "unanswerable" else "verify_need"


def after_verify_need(state: QuestionState) -> Literal["write_answer", "write_query", "draw_passages"]:
    """A query that does not need all its passages gives way to another draft."""
    return _another_draft(state) if state.feedback else "write_answer"


def after_verify_absence(
    state: QuestionState,
) -> Literal["contextualize", "keep_question", "write_query", "draw_passages"]:
    """A query that some passage answers gives way to another draft."""
    return _another_draft(state) if state.feedback else _worded(state)


def after_check_evidence(
    state: QuestionState,
) -> Literal["verify_evidence", "write_answer", "write_query", "draw_passages"]:
    """An answer with a fault is written again; its tries spent, its query is given up."""
    return _another_answer(state) if state.feedback else "verify_evidence"


def after_verify_evidence(
    state: QuestionState,
) -> Literal["contextualize", "keep_question", "write_answer", "write_query", "draw_passages"]:
    """An answer with a claim that its sentences do not state is written again."""
    return _another_answer(state) if state.feedback else _worded(state)


def after_check_context(state: QuestionState) -> Literal["keep_question", "contextualize"]:
    """A faulty wording is tried again; its tries spent, the standalone query is typed."""
    return _worded(state)


def _another_draft(state: QuestionState) -> Literal["write_query", "draw_passages"]:
    return "write_query" if state.groups else "draw_passages"


def _another_answer(state: QuestionState) -> Literal["write_answer", "write_query", "draw_passages"]:
    return "write_answer" if state.standalone_query else _another_draft(state)


def _worded(state: QuestionState) -> Literal["contextualize", "keep_question"]:
    return "contextualize" if state.rewords else "keep_question"

"""The knobs of the questions graph: what Studio shows as its form, and a run on the command line fills in."""

from pydantic import Field

from graphs.casting import Casting, editor, role_model


class QuestionsContext(Casting):
    """How a question is made. Every knob has a default, so an empty form runs on the demo corpus."""

    seed: int = Field(default=7, description="The same seed and replies give the same question.")
    rivals: int = Field(default=3, ge=1, le=20, description="Nearest other passages asked whether they answer too.")
    absence_depth: int = Field(
        default=8, ge=1, le=50, description="Nearest passages asked before a query counts as unanswerable."
    )
    query_tries: int = Field(
        default=3,
        ge=1,
        le=6,
        description="Drafts of a query from one passage set, each from other facts while they last.",
    )
    answer_tries: int = Field(
        default=3,
        ge=1,
        le=6,
        description="Drafts of an answer, each told what was wrong, before its query is given up.",
    )
    wording_tries: int = Field(
        default=2, ge=1, le=4, description="Wordings tried before the standalone query is typed."
    )
    set_tries: int = Field(default=3, ge=1, le=10, description="Passage sets drawn before the question is abandoned.")
    user_simulator_model: str = role_model("user simulator, who writes easy queries")
    query_writer_model: str = role_model("query writer, who writes the others")
    uniqueness_verifier_model: str = role_model("uniqueness verifier")
    need_verifier_model: str = role_model("need verifier")
    answerer_model: str = role_model("answerer, who answers easy and medium queries")
    answer_writer_model: str = role_model("answer writer, who answers hard queries")
    evidence_verifier_model: str = role_model("evidence verifier")
    contextualizer_model: str = role_model("contextualizer")
    user_simulator_prompt: str = editor("user_simulator", "write_query")
    medium_query_writer_prompt: str = editor("query_writers/medium", "write_query")
    hard_query_writer_prompt: str = editor("query_writers/hard", "write_query")
    unanswerable_query_writer_prompt: str = editor("query_writers/unanswerable", "write_query")
    uniqueness_verifier_prompt: str = editor("uniqueness_verifier", "verify_need")
    need_verifier_prompt: str = editor("need_verifier", "verify_need")
    answerer_prompt: str = editor("answerer", "write_answer")
    answer_writer_prompt: str = editor("answer_writer", "write_answer")
    evidence_verifier_prompt: str = editor("evidence_verifier", "verify_evidence")
    plain_contextualizer_prompt: str = editor("contextualizers/plain", "contextualize")
    terse_contextualizer_prompt: str = editor("contextualizers/terse", "contextualize")
    long_winded_contextualizer_prompt: str = editor("contextualizers/long_winded", "contextualize")

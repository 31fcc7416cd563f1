"""A checked order for conversations."""

from mtr.conversation.plan import Shares, plan_moves
from mtr.corpus_job import CorpusJob, check_order, corpus_job
from mtr.errors import InputError
from mtr.generation.options import FEWEST_TURNS, ROLES, GenerateOptions
from mtr.settings import Settings

PROMPTED = {*ROLES, "contextualizers"}
"""Whose prompts shape conversations; those of judges, the query rewriter and the reranker do not."""

Job = CorpusJob[GenerateOptions]
"""What is to be made; `items` are conversation ids."""


def prepare(options: GenerateOptions, settings: Settings, code: str) -> Job:
    """Check the order against endpoints, prompts and corpus; InputError says what is wrong. Nothing is called.

    `code` is a fingerprint of the code that will make the conversations.
    """
    check_order(options, settings)
    _check_shares(options)
    return corpus_job(options, options.conversations, settings, code, PROMPTED)


def _check_shares(options: GenerateOptions) -> None:
    if options.switch_share and options.turns < FEWEST_TURNS:
        raise InputError(f"--switch-share {options.switch_share} needs --turns {FEWEST_TURNS} or more")
    shares = Shares(
        conversations=options.conversations,
        turns=options.turns,
        switch_share=options.switch_share,
        far_reference_share=options.far_reference_share,
    )
    plan_moves(options.seed, 0, shares)

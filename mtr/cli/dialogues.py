"""The dialogue graph as a batch sees it: a conversation id and an attempt in, a conversation or a reason out."""

from importlib.util import find_spec
from pathlib import Path

from mtr.batch import Make
from mtr.batch_store import Outcome
from mtr.datasets.own import Made
from mtr.generation.job import Job
from mtr.generation.versions import code_fingerprint

SHAPING = ("agents", "graphs", "mtr.conversation")


def code_of_conversations() -> str:
    """The fingerprint of the code that shapes conversations, found without importing it."""
    specs = [find_spec(name) for name in SHAPING]
    return code_fingerprint(Path(spec.origin).parent for spec in specs if spec is not None and spec.origin)


def dialogue_maker(job: Job) -> Make[Made]:
    """A function that runs the graph for one attempt at one conversation."""
    from graphs.context import Context
    from graphs.dialogue import DialogueInput, DialogueOutput, graph

    options = job.options
    context = Context(
        corpus=options.corpus,
        domain=options.domain,
        seed=options.seed,
        turns=options.turns,
        conversations=options.conversations,
        switch_share=options.switch_share,
        far_reference_share=options.far_reference_share,
        uniqueness=options.uniqueness,
        model=options.models["answerer"],
        **{f"{role}_model": model for role, model in options.models.items()},
    )

    async def make(item: str, attempt: int) -> Outcome[Made]:
        order = DialogueInput(conversation_id=item, seed_item=job.slot(item), attempt=attempt)
        state = await graph.ainvoke(order.model_dump(), context=context)
        output = DialogueOutput.model_validate(state)
        if output.conversation is None:
            return Outcome(reason=output.abandoned)
        return Outcome(value=Made(conversation=output.conversation, steps=tuple(output.steps)))

    return make

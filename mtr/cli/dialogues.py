"""The dialogue graph as a batch sees it: a conversation id and an attempt in, a conversation or a reason out."""

from collections.abc import Callable, Iterable
from importlib.util import find_spec
from pathlib import Path

from mtr.batch import Make
from mtr.batch_store import Outcome
from mtr.datasets.own import Made
from mtr.generation.job import Job
from mtr.versions import code_fingerprint

SHAPING = ("agents", "graphs", "mtr.conversation", "mtr.corpus.facts", "mtr.words", "mtr.binding")


def code_of_conversations() -> str:
    """The fingerprint of the code that shapes conversations, found without importing it."""
    return code_of(SHAPING)


def code_of(names: Iterable[str]) -> str:
    """The fingerprint of the packages and modules of these names, found without importing them."""
    return code_fingerprint(_place(name) for name in names)


def _place(name: str) -> Path:
    """A package's folder, or a module's file."""
    spec = find_spec(name)
    assert spec is not None and spec.origin is not None
    path = Path(spec.origin)
    return path.parent if path.name == "__init__.py" else path


def dialogue_maker(job: Job, on_turn: Callable[[str, int], None] = lambda item, turns: None) -> Make[Made]:
    """A function that runs the graph for one attempt at one conversation; `on_turn` hears how many turns it has."""
    from graphs.context import Context
    from graphs.dialogue import graph
    from graphs.dialogue_state import DialogueInput, DialogueOutput

    context = Context.model_validate(
        {
            **job.options.model_dump(exclude={"models"}),
            **{f"{role}_model": model for role, model in job.options.models.items()},
        }
    )

    async def make(item: str, attempt: int) -> Outcome[Made]:
        order = DialogueInput(conversation_id=item, seed_item=job.slot(item), attempt=attempt)
        on_turn(item, 0)
        state: object = None
        async for mode, said in graph.astream(order, context=context, stream_mode=["values", "custom"]):
            if mode == "custom" and isinstance(said, dict):
                on_turn(item, int(said["turns_kept"]))
            else:
                state = said
        output = DialogueOutput.model_validate(state)
        if output.conversation is None:
            return Outcome(reason=output.abandoned)
        return Outcome(value=Made(conversation=output.conversation, steps=tuple(output.steps)))

    return make

"""Who listens to calls: Studio's stream of messages and tracers hear of each call as of any chat model's."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from langchain_core.callbacks.manager import AsyncCallbackManager
from langchain_core.messages import AIMessage, convert_to_messages
from langchain_core.messages.ai import UsageMetadata
from langchain_core.outputs import ChatGeneration, LLMResult
from langchain_core.runnables.config import var_child_runnable_config

from mtr.llm.records import RawReply, Usage
from mtr.prompts import Message


class Heard:
    """What a call brought, filled in by whoever made it."""

    reply: RawReply | None = None


@asynccontextmanager
async def told(model: str, messages: Sequence[Message]) -> AsyncIterator[Heard]:
    """Tell the callbacks of the running graph that the block asks `model`, and with what it came back."""
    heard = Heard()
    manager = AsyncCallbackManager.configure((var_child_runnable_config.get() or {}).get("callbacks"))
    if not manager.handlers:
        yield heard
        return
    said = convert_to_messages([(message.role, message.content) for message in messages])
    [run] = await manager.on_chat_model_start({"name": model}, [said], invocation_params={"model": model})
    try:
        yield heard
    except BaseException as error:
        await run.on_llm_error(error)
        raise
    await run.on_llm_end(LLMResult(generations=[[ChatGeneration(message=_message(heard.reply))]]))


def _message(reply: RawReply | None) -> AIMessage:
    if reply is None:
        return AIMessage("")
    return AIMessage(
        reply.text,
        usage_metadata=None if reply.usage is None else _usage(reply.usage),
        response_metadata={"finish_reason": reply.finish_reason},
    )


def _usage(usage: Usage) -> UsageMetadata:
    tokens = usage.prompt_tokens, usage.completion_tokens
    return UsageMetadata(input_tokens=tokens[0], output_tokens=tokens[1], total_tokens=sum(tokens))

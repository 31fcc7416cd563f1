"""A trace as text to read: what each node did in a turn, what it asked, what came back, how it was read."""

import textwrap
from collections.abc import Iterable, Mapping

from mtr.llm.ledger import Attempt, LedgerEntry
from mtr.records import Step
from mtr.transcript import printable


def trace_text(steps: Iterable[Step], entries: Mapping[str, LedgerEntry], *, full: bool = False) -> str:
    """The steps in order. `entries` are those the ledger has; a call that is not among them is said to be missing."""
    parts: list[str] = []
    turn = 0
    for step in steps:
        if step.turn != turn:
            turn = step.turn
            parts.append(f"turn {turn}\n{'═' * 72}\n")
        parts.append(_step(step, entries, full))
    return "\n".join(parts)


def _step(step: Step, entries: Mapping[str, LedgerEntry], full: bool) -> str:
    again = f" · try {step.attempt}" if step.attempt > 1 else ""
    lines = [f"{step.node}{again} · {printable(step.outcome)}\n"]
    for number, key in enumerate(step.calls, 1):
        lines.append(f"  call {number} of {len(step.calls)} · {key[:12]}\n")
        entry = entries.get(key)
        lines.append(_entry(entry, full) if entry else "    not in this ledger: see MTR_HOME, or generate again\n")
    return "".join(lines)


def _entry(entry: LedgerEntry, full: bool) -> str:
    asked = f"{entry.role} of {entry.domain} · {entry.model} · temperature {entry.temperature} · sample {entry.sample}"
    parts = [f"    {asked}\n", _prompt(entry, full)]
    parts += [_attempt(attempt, "rejected") for attempt in entry.rejected]
    parts.append(_attempt(entry.accepted, "reply") if entry.accepted else "    no reply could be read\n")
    return "".join(parts)


def _prompt(entry: LedgerEntry, full: bool) -> str:
    *before, last = entry.messages
    if full:
        return "".join(_block(f"prompt, {message.role}", message.content) for message in entry.messages)
    folded = sum(len(message.content) for message in before)
    note = f"    prompt  {len(before)} messages before, {folded:,} characters (--full shows them)\n" if before else ""
    return note + _block(f"prompt, {last.role}", last.content)


def _attempt(attempt: Attempt, name: str) -> str:
    head = [_usage(attempt), f"{attempt.seconds:.1f} s"]
    if attempt.finish_reason not in (None, "stop"):
        head.append(f"ended by {attempt.finish_reason}")
    text = _block(f"{name} ({', '.join(head)})", attempt.refusal or attempt.text)
    if attempt.error is not None:
        return f"{text}    rejected because {printable(attempt.error)}\n"
    probability = "" if attempt.probability is None else f", P(yes) {attempt.probability:.3f}"
    return f"{text}    read  {attempt.how}{probability}\n"


def _usage(attempt: Attempt) -> str:
    if attempt.usage is None:
        return "tokens not reported"
    usage = attempt.usage
    read = f"{usage.prompt_tokens:,} tokens read, {usage.cached_tokens:,} of them cached"
    return f"{read}, {usage.completion_tokens:,} written"


def _block(title: str, text: str) -> str:
    body = textwrap.indent(printable(text).strip("\n"), "    │ ", lambda line: True)
    return f"    {title}\n{body}\n"

"""What a judge is shown of a turn: every text that is not ours stands between fences it cannot close."""

from collections.abc import Mapping, Sequence

from mtr.datasets.records import AnyPassage, Said
from mtr.judging.asking import MOST_TOGETHER, Docket
from mtr.prompts import DomainSettings, fenced_text, passage_block
from mtr.retrieval.searchable import Searchable
from mtr.verdicts import Ask, Criterion

LETTERS = "ABCDEFGH"
CUT = " […]"
_LONGEST_ALONE, _LONGEST_AMONG = 8_000, 2_000
_LONGEST_TOGETHER, _FEW_RETRIEVED = 24_000, 10
_MESSAGES, _LONGEST_MESSAGE = 8, 600
_NOTHING = "-"


def shown_values(docket: Docket, ask: Ask, one: Criterion, settings: DomainSettings) -> Mapping[str, str]:
    """The values of the criterion's inputs. Texts are cut, with a mark: a passage alone at 8,000 characters, among
    others at 2,000; the history keeps its last 8 messages.
    """
    turn = docket.turn
    shown = [docket.passages[name] for name in ask.shown]
    values = {
        "history": lambda: shown_history(turn.history, settings),
        "query": lambda: " ".join(turn.query.split()),
        "answer": lambda: fenced_text("answer", cut((turn.answer or "").strip(), _LONGEST_ALONE)),
        "passage": lambda: passage_block([(shown_title(shown[0]), cut(shown[0].text, _LONGEST_ALONE))]),
        "passages": lambda: passage_block([(shown_title(p), cut(p.text, _LONGEST_ALONE // len(shown))) for p in shown]),
        "candidates": lambda: _candidates(shown),
        "retrieved": lambda: shown_retrieved(docket.retrieved or ()),
        "reference": lambda: _reference(docket),
    }
    return {name: values[name]() for name in one.inputs}


def cut(text: str, longest: int) -> str:
    """The text, its end left out with a mark where it is longer."""
    return text if len(text) <= longest else text[:longest].rstrip() + CUT


def _candidates(shown: Sequence[AnyPassage]) -> str:
    rows = zip(LETTERS, shown, strict=False)
    return passage_block(
        [(f"{letter}: {shown_title(p)}".rstrip(": "), cut(p.text, _LONGEST_AMONG)) for letter, p in rows]
    )


def shown_retrieved(passages: Sequence[AnyPassage]) -> str:
    """What a RAG system retrieved, best first: its answerer and its judges see the same. A dash where that is nothing.

    Each is cut at 2,400 characters, or at its share of 24,000 where there are more than ten: ten have to fit into a
    window of 8,192 tokens, and at another k a passage has to be the same.
    """
    if not passages:
        return _NOTHING
    longest = _LONGEST_TOGETHER // max(len(passages), _FEW_RETRIEVED)
    return passage_block([(shown_title(one), cut(one.text, longest)) for one in passages])


def _reference(docket: Docket) -> str:
    """The answers that the data set gives, else its gold passages."""
    if docket.reference:
        return "\n\n".join(fenced_text("reference", cut(one, _LONGEST_AMONG)) for one in docket.reference)
    gold = docket.gold[:MOST_TOGETHER]
    return passage_block([(shown_title(one), cut(one.text, _LONGEST_ALONE // len(gold))) for one in gold])


def shown_title(passage: Searchable) -> str:
    """Title and heading above a passage, each once."""
    parts = dict.fromkeys(part for part in (passage.title, passage.heading) if part)
    return " - ".join(parts)


def shown_history(history: Sequence[Said], settings: DomainSettings) -> str:
    """The last 8 messages between fences, each cut at 600 characters; a dash where nothing was said."""
    if not history:
        return _NOTHING
    names = dict(zip(("user", "assistant"), (*settings.words("speakers"), "", "")[:2], strict=True))
    lines = [f"{names[said.speaker]}{cut(' '.join(said.text.split()), _LONGEST_MESSAGE)}" for said in history]
    left_out = [CUT.strip()] if len(lines) > _MESSAGES else []
    return fenced_text("conversation", "\n".join([*left_out, *lines[-_MESSAGES:]]))

"""How passages and history stand in a prompt: fenced, without markup, the same bytes every time."""

from collections.abc import Sequence

from mtr.corpus.facts import topic_of
from mtr.corpus.markup import shown
from mtr.prompts import DomainSettings, passage_block
from mtr.records import Evidence, Passage, Turn


def shown_passages(passages: Sequence[Passage]) -> str:
    """The passages between fences that no document can close, each under its title and heading."""
    return passage_block([(topic_of(passage), shown(passage.text)) for passage in passages])


def numbered_passages(passages: Sequence[Passage], sentences: Sequence[Evidence]) -> str:
    """The passages between fences, each of their sentences, given in order, behind its number from 1, as `[S1]`."""
    numbered = []
    for passage in passages:
        pieces, end = list[str](), 0
        for number, sentence in enumerate(sentences, 1):
            if sentence.passage_id == passage.passage_id:
                pieces += [passage.text[end : sentence.start], f"[S{number}] "]
                end = sentence.start
        numbered.append((topic_of(passage), shown("".join((*pieces, passage.text[end:])))))
    return passage_block(numbered)


def shown_history(turns: Sequence[Turn], settings: DomainSettings) -> str:
    """The conversation so far, a line for each query and answer, with the domain's names of the two speakers."""
    user, assistant = (*settings.words("speakers"), "", "")[:2]
    return "\n".join(f"{user}{turn.query}\n{assistant}{turn.answer}" for turn in turns)

"""The rule about language: queries in another language than the passages that answer them.

A short query is often taken for another language, so one is believed from 60 letters on, or by its script; shorter
ones count together, conversation by conversation.
"""

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from mtr.corpus.languages import detect_language
from mtr.datasets.lint.finding import Hit, Rule
from mtr.datasets.lint.material import Material
from mtr.datasets.lint.rows import Place
from mtr.datasets.records import AnyTurn, Dataset

LOOKED_AT = 1_000
"""Turns whose language is looked at; whole conversations, evenly spaced."""

_ENOUGH = 60
_NO_LANGUAGE = "zxx"
_GOLD_CHARACTERS = 1_000
_OF_THE_SET = 50
_BY_SCRIPT = ("ja", "ko", "th", "el", "he", "zh")


@lru_cache(maxsize=10_000)
def _sure_language(text: str) -> str | None:
    """The language of the text, None where it is too short to be believed."""
    if sum(map(str.isalpha, text)) >= _ENOUGH:
        found = detect_language(text)
        return None if found == _NO_LANGUAGE else found
    return next((code for code in (_script_of(text),) if code in _BY_SCRIPT), None)


def _script_of(text: str) -> str | None:
    return None if text.isascii() else detect_language(text)


def _sampled(dataset: Dataset) -> list[list[AnyTurn]]:
    """Conversations, evenly spaced, with about `LOOKED_AT` turns together."""
    found: dict[str, list[AnyTurn]] = {}
    for turn in dataset.turns:
        found.setdefault(turn.conversation_id, []).append(turn)
    step = -(-len(dataset.turns) // LOOKED_AT) or 1
    return list(found.values())[::step]


def _of_the_set(dataset: Dataset) -> set[str]:
    """The language stated, else that of most of fifty passages; none where these do not tell."""
    if dataset.language:
        return {dataset.language.split("-")[0].lower()}
    passages = list(dataset.passages.values())
    chosen = passages[:: max(1, len(passages) // _OF_THE_SET)][:_OF_THE_SET]
    told = (_sure_language(passage.text[:_GOLD_CHARACTERS]) for passage in chosen)
    counts = Counter(language for language in told if language is not None)
    return {language for language, _ in counts.most_common(1)}


def _of_gold(dataset: Dataset, turns: list[AnyTurn]) -> set[str]:
    """The languages of the gold passages, of the first turn that tells."""
    for turn in turns:
        found = (_sure_language(passage.text[:_GOLD_CHARACTERS]) for passage in dataset.gold_texts(turn)[:3])
        known = {language for language in found if language is not None}
        if known:
            return known
    return set()


def _mismatch(material: Material) -> Iterator[Hit]:
    dataset = material.dataset
    if dataset is None or not dataset.passages:
        return
    usual = _of_the_set(dataset)
    for turns in _sampled(dataset):
        for group in _believed(turns):
            language = _sure_language("\n".join(_query(turn) for turn in group))
            if language is None:
                continue
            passages = _of_gold(dataset, group) or usual
            if passages and language not in passages:
                named = " and ".join(map(repr, sorted(passages)))
                message = f"the query is in {language!r}, its passages are in {named}"
                yield Hit(material.place_of(group[0]), group[0].query_id, message)


def _query(turn: AnyTurn) -> str:
    return turn.standalone_query or turn.query


def _believed(turns: list[AnyTurn]) -> Iterator[list[AnyTurn]]:
    """Each turn whose query tells its language alone, then all others of the conversation together."""
    others: list[AnyTurn] = []
    for turn in turns:
        if _sure_language(_query(turn)) is None:
            others.append(turn)
        else:
            yield [turn]
    if others:
        yield others


def _not_checked(material: Material) -> Iterator[Hit]:
    dataset = material.dataset
    if dataset is None:
        return
    looked_at = sum(len(turns) for turns in _sampled(dataset))
    if dataset.passages and looked_at < len(dataset.turns):
        message = f"language-mismatch looked at {looked_at:,} of {len(dataset.turns):,} turns"
        yield Hit(material.whole, "", message)
    if not dataset.passages:
        yield Hit(material.whole, "", "the set has no passage texts: what needs them was not checked")
        return
    for file, subset in material.without_corpus.items():
        yield Hit(Place(file), "", f"subset {subset!r} has no passages: its gold was not looked for")


LANGUAGE_RULES = (
    Rule("language-mismatch", "warning", "a query in another language than its passages", _mismatch),
    Rule("not-checked", "note", "what could not be checked, or only in part", _not_checked),
)

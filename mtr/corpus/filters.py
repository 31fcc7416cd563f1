"""Passages that no query should be about: too little text, boilerplate of many documents, navigation.

Each dropped passage carries its filter and what was found. A document that is one passage with a sentence in it is
never dropped for its shortness.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence

from pydantic import Field

from mtr.corpus.prose import ends_sentence
from mtr.errors import InputError
from mtr.records import Passage, Record

TOO_LITTLE_TEXT = "too little text"
BOILERPLATE = "boilerplate"
NAVIGATION = "navigation"

_UNSPACED = re.compile(
    r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\U00020000-\U0003ffff]"
)
_WORD = re.compile(r"[^\W\d_](?:[^\W\d_]|[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0900-\u0dff])+")
_LINK = re.compile(r"!?\[[^\]\n]*\]\([^)\n]*\)|<?https?://\S+|www\.\S+")
_BREADCRUMB = re.compile(r"^\s*[^\n>»›/|·•]{1,40}(?:\s+[>»›/|·•]\s+[^\n>»›/|·•]{1,40}){2,}$")
_CONTENTS_LINE = re.compile(r"^.{2,100}?(?:\s*\.\s?){3,}\s*\d{1,4}\s*$|^\s*\d+(?:\.\d+)*\.?\s+\S.{0,80}?\s+\d{1,4}\s*$")
_RULING = re.compile(r"[-=+_*~.#|]{2,}|[|\s]")
_SHAPE = re.compile(r"[\W\d_]+")
_LABEL = re.compile(r"(?:[-*•+]\s+)?[^\W\d_]+(?:[ &'’-]+[^\W\d_]+){0,2}$")
_UNSPACED_PER_WORD = 2
_MOST_CRUMBS = 2
_FEWEST_GUIDES = 3
_FEWEST_LABELS = 6
_LABEL_SHARE = 0.8


class FilterOptions(Record):
    """When a passage is dropped. A word has two letters or more; two letters of a script without spaces make one."""

    fewest_words: int = Field(default=8, ge=0, description="fewer words than this are too little text")
    repeated_in: int = Field(default=5, ge=2, description="a line or passage in so many documents is boilerplate")
    repeated_share: float = Field(default=0.2, gt=0, le=1, description="and in this share of all documents")
    boilerplate_share: float = Field(default=0.7, gt=0, le=1, description="of a passage's letters in repeated lines")
    link_share: float = Field(default=0.6, gt=0, le=1, description="of a passage's lines that are links or contents")
    prose_words: int = Field(default=25, ge=0, description="so many words beside the links make it no navigation")
    letter_share: float = Field(default=0.3, ge=0, le=1, description="letters among all that is not space")


class Dropped(Record):
    """A passage left out: `reason` is the filter's name, `detail` what it found."""

    passage_id: str
    reason: str
    detail: str


class FilterResult(Record):
    """The passages kept, in order, those dropped, and how many each filter took."""

    kept: tuple[Passage, ...]
    dropped: tuple[Dropped, ...]
    counts: dict[str, int]


def filter_passages(passages: Iterable[Passage], options: FilterOptions | None = None) -> FilterResult:
    """Apply the filters in order; the first that objects names the reason. InputError when nothing survives."""
    passages = tuple(passages)
    options = options or FilterOptions()
    whole = _whole_documents(passages)
    repeated = _Repeated(passages, options)
    filters: tuple[tuple[str, Callable[[Passage], str]], ...] = (
        (TOO_LITTLE_TEXT, lambda passage: _too_little(passage, options, passage.passage_id in whole)),
        (NAVIGATION, lambda passage: _navigation(passage, options)),
        (BOILERPLATE, repeated.found),
    )
    kept, dropped = [], []
    for passage in passages:
        objection = next(((name, detail) for name, test in filters if (detail := test(passage))), None)
        if objection is None:
            kept.append(passage)
        else:
            dropped.append(Dropped(passage_id=passage.passage_id, reason=objection[0], detail=objection[1]))
    counts = dict.fromkeys((name for name, _ in filters), 0) | Counter(one.reason for one in dropped)
    if passages and not kept:
        raise InputError(_nothing_left(len(passages), counts, dropped[0]))
    return FilterResult(kept=tuple(kept), dropped=tuple(dropped), counts=counts)


def _nothing_left(given: int, counts: dict[str, int], example: Dropped) -> str:
    took = ", ".join(f"{name} {count}" for name, count in counts.items() if count)
    return (
        f"none of the {given} passages survives the filters ({took}), "
        f"for example {example.passage_id}: {example.detail}; give documents with more running text"
    )


def _whole_documents(passages: Sequence[Passage]) -> set[str]:
    """The passages that are their document's only one."""
    counts = Counter(passage.document_id for passage in passages)
    return {passage.passage_id for passage in passages if counts[passage.document_id] == 1}


def count_words(text: str) -> float:
    """Words of two letters or more; in scripts without spaces every two letters count as one."""
    unspaced = len(_UNSPACED.findall(text))
    return unspaced / _UNSPACED_PER_WORD + len(_WORD.findall(_UNSPACED.sub(" ", text)))


def _too_little(passage: Passage, options: FilterOptions, whole: bool) -> str:
    words = count_words(passage.text)
    if words >= options.fewest_words or (whole and words >= 1 and _has_sentence(passage.text)):
        return ""
    return f"{words:g} words, fewer than {options.fewest_words}"


def _has_sentence(text: str) -> bool:
    return any(ends_sentence(line) for line in text.splitlines() if line.strip())


def _navigation(passage: Passage, options: FilterOptions) -> str:
    solid = _RULING.sub("", passage.text)
    letters = sum(map(str.isalpha, solid)) / max(1, len(solid))
    if letters < options.letter_share:
        return f"{letters:.0%} letters, the rest is numbers and punctuation"
    lines = [line.strip() for line in passage.text.splitlines() if line.strip()]
    crumbs = [line for line in lines if _BREADCRUMB.match(line) and not ends_sentence(line)]
    guides = [line for line in lines if _is_link(line) or _CONTENTS_LINE.match(line)]
    guides += crumbs if len(crumbs) <= _MOST_CRUMBS else []
    many = len(guides) >= options.link_share * len(lines) and (len(guides) >= _FEWEST_GUIDES or guides == lines)
    if many and count_words(" ".join(set(lines) - set(guides))) < options.prose_words:
        return f"{len(guides)} of {len(lines)} lines are links, contents or breadcrumbs"
    labels = sum(bool(_LABEL.match(line)) for line in lines)
    if len(lines) >= _FEWEST_LABELS and labels >= _LABEL_SHARE * len(lines):
        return f"{labels} of {len(lines)} lines are labels of a menu"
    return ""


def _is_link(line: str) -> bool:
    """Whether a line leads elsewhere instead of saying something."""
    beside = _LINK.sub("", line)
    return beside != line and count_words(beside) <= 2 and not ends_sentence(beside.strip(" -*•|"))


class _Repeated:
    """Which lines and passages stand in many documents. Digits and punctuation do not tell two lines apart."""

    def __init__(self, passages: Sequence[Passage], options: FilterOptions) -> None:
        self._options = options
        documents = len({passage.document_id for passage in passages})
        self._least = max(options.repeated_in, options.repeated_share * documents)
        self._homes: defaultdict[str, set[str]] = defaultdict(set)
        for passage in passages:
            for key in {*map(_key, passage.text.splitlines()), _key(passage.text)}:
                self._homes[key].add(passage.document_id)

    def found(self, passage: Passage) -> str:
        """What is repeated in the passage, or ""."""
        lines = [key for line in passage.text.splitlines() if (key := _key(line))]
        repeated = [key for key in lines if self._often(key)]
        share = sum(map(len, repeated)) / max(1, sum(map(len, lines)))
        if share < self._options.boilerplate_share:
            return ""
        homes = min(len(self._homes[key]) for key in repeated)
        return f"{share:.0%} of its text stands in {homes} documents or more"

    def _often(self, key: str) -> bool:
        return len(self._homes[key]) >= self._least


def _key(line: str) -> str:
    return _SHAPE.sub(" ", line).strip().casefold()

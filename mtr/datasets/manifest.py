"""The manifest of a data set: what made it, what it holds, what it cost. All that varies by run is under `run`."""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Literal

from pydantic import ValidationError

from mtr.batch import Abandoned, Failed
from mtr.errors import InputError
from mtr.records import MOVES, Conversation, Record
from mtr.spent import Spent, tokens_of, usd_of

OptionValue = str | int | float | bool | None


class Share(Record):
    """`n` of `of`: a share is never given without what it rests on."""

    n: int
    of: int


class CorpusNote(Record):
    """Which corpus the data set was made from."""

    name: str
    fingerprint: str
    passages: int


class Counts(Record):
    """Conversations asked for and delivered, turns kept, and why the rest are missing."""

    asked: int
    delivered: int
    turns: int
    abandoned: tuple[Abandoned, ...] = ()
    failed: tuple[Failed, ...] = ()


class Shares(Record):
    """What the conversations are made of, counted in turns, but styles and `switched` in conversations."""

    moves: dict[str, Share]
    styles: dict[str, Share]
    switched: Share
    far_references: Share


class PerTurn(Record):
    """Cost of one kept turn, over all runs of the batch; `usd` is None where a price is not known."""

    tokens: float | None
    seconds: float | None
    usd: float | None
    human_usd: float | None = None
    ratio_to_human: float | None = None


class RunNote(Record):
    """What differs from run to run: time, use of models, and the options that do not shape the result."""

    created: str
    seconds: float
    runs: int
    concurrency: int
    usage: tuple[Spent, ...]
    per_kept_turn: PerTurn


class Manifest(Record):
    """manifest.json of a data-set folder. Two runs of a batch differ in `run` only."""

    kind: Literal["mtr data set"] = "mtr data set"
    layout: int = 1
    batch: str
    versions: dict[str, str]
    options: dict[str, OptionValue]
    seed: int
    domain: str
    prompts: dict[str, str]
    models: dict[str, str]
    thresholds: dict[str, dict[str, float]]
    corpus: CorpusNote
    counts: Counts
    shares: Shares
    run: RunNote


class Tally:
    """Counts shares while conversations go by, so that they need not be in memory together."""

    def __init__(self) -> None:
        self.conversations = self.turns = self.switched = self.far = 0
        self.moves: Counter[str] = Counter()
        self.styles: Counter[str] = Counter()

    def add(self, conversation: Conversation) -> None:
        """Count one conversation."""
        moves = [turn.move for turn in conversation.turns]
        self.conversations += 1
        self.turns += len(moves)
        self.switched += "switch" in moves
        self.far += sum(t.refers_to is not None and t.refers_to <= t.turn - 2 for t in conversation.turns)
        self.moves.update(moves)
        self.styles[conversation.style] += 1

    def shares(self) -> Shares:
        """What was counted so far; every move is listed, also those that never came."""
        return Shares(
            moves={move: Share(n=self.moves[move], of=self.turns) for move in MOVES},
            styles={style: Share(n=n, of=self.conversations) for style, n in sorted(self.styles.items())},
            switched=Share(n=self.switched, of=self.conversations),
            far_references=Share(n=self.far, of=self.turns),
        )


def per_kept_turn(usage: Iterable[Spent], turns: int, seconds: float, human_usd: float | None) -> PerTurn:
    """Cost of a turn: everything spent, also on what was abandoned, over the turns kept. `seconds` is wall time."""
    lines = list(usage)
    if not turns:
        return PerTurn(tokens=None, seconds=None, usd=None, human_usd=human_usd)
    tokens, usd = tokens_of(lines), usd_of(lines)
    each = None if usd is None else usd / turns
    return PerTurn(
        tokens=None if tokens is None else tokens / turns,
        seconds=seconds / turns,
        usd=each,
        human_usd=human_usd,
        ratio_to_human=None if each is None or not human_usd else each / human_usd,
    )


def read_manifest(folder: Path) -> Manifest:
    """The manifest of a data-set folder; InputError names the file and the field that is wrong."""
    path = folder / "manifest.json"
    if not path.is_file():
        raise InputError(f"{path} does not exist; {folder} is no data set of MTR's (make one with `mtr generate`)")
    try:
        return Manifest.model_validate_json(path.read_bytes())
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"]) or "file"
        raise InputError(f"{path}: {field}: {first['msg']}; is this a manifest of MTR's?") from error

"""Calibrated cuts on disk: one for each judge and criterion, made by `mtr calibrate`, used by every later audit."""

import json
from collections.abc import Iterable, Sequence

from pydantic import Field, TypeAdapter, ValidationError

from mtr.errors import InputError
from mtr.judging.cuts import cut_name
from mtr.prompts import prompt_hashes
from mtr.records import Record
from mtr.storage import home, replace_text

_FILE = "calibrations.json"


class StoredCut(Record):
    """A cut of P(yes), what it was found on, and how it did on conversations it was not chosen on.

    `prompt` is the sha256 of the criterion's prompt: another text asks something else, and the cut is not used.
    """

    judge: str
    criterion: str
    prompt: str
    cut: float = Field(ge=0, le=1)
    auc: float | None
    balanced_accuracy: float | None
    measured: int
    source: str


_LIST = TypeAdapter(list[StoredCut])


def stored_cuts() -> list[StoredCut]:
    """All cuts on disk; InputError when the file cannot be read."""
    path = home() / _FILE
    try:
        return _LIST.validate_json(path.read_bytes())
    except FileNotFoundError:
        return []
    except (OSError, ValidationError) as error:
        raise InputError(f"{path} cannot be read: {error}; mend it or delete it") from error


def store_cuts(new: Iterable[StoredCut]) -> None:
    """Put cuts on disk, each in place of an older one of the same judge and criterion."""
    kept = {cut_name(one.judge, one.criterion): one for one in (*stored_cuts(), *new)}
    rows = [kept[name].model_dump(mode="json") for name in sorted(kept)]
    replace_text(home() / _FILE, json.dumps(rows, indent=2, ensure_ascii=False) + "\n")


def cuts_for(judges: Sequence[str], domain: str) -> dict[str, float]:
    """The cuts of these judges by name, of criteria whose prompt in the domain is still the one asked with."""
    prompts = prompt_hashes(domain)
    return {
        cut_name(one.judge, one.criterion): one.cut
        for one in stored_cuts()
        if one.judge in judges and prompts.get(f"judges/{one.criterion}") == one.prompt
    }

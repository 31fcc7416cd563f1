"""A domain's table `faults` held against that of `general`: the checks say what stands there, with its places."""

from collections.abc import Iterator

from mtr.prompts.folders import MODEL_DOMAIN
from mtr.prompts.places import has_stray_brace, places
from mtr.prompts.records import DomainSettings, Fault
from mtr.prompts.yaml_text import line_of

_TABLE = "faults"


def table_faults(own: DomainSettings, model: DomainSettings, text: str, path: str) -> Iterator[Fault]:
    """Codes and places that are missing or never used, by line; `text` and `path` are those of the own file."""
    if model.faults and not own.faults:
        yield Fault(path=path, line=1, message=f"the key `{_TABLE}` is missing; copy the table from {MODEL_DOMAIN}")
        return
    for code in sorted(model.faults.keys() - own.faults.keys()):
        message = f"{_TABLE}: `{code}` is missing; {MODEL_DOMAIN} has it"
        yield Fault(path=path, line=line_of(text, _TABLE), message=message)
    for code, said in own.faults.items():
        for message in _messages(said, model.faults.get(code)):
            yield Fault(path=path, line=line_of(text, _TABLE, code), message=f"{_TABLE}: `{code}` {message}")


def _messages(said: str, model: str | None) -> Iterator[str]:
    if model is None:
        yield f"is never said; {MODEL_DOMAIN} does not have it"
        return
    for name in sorted(places(model) - places(said)):
        yield f"has no place {{{name}}}; {MODEL_DOMAIN} has it"
    for name in sorted(places(said) - places(model)):
        yield f"has a place {{{name}}} that is never filled; {MODEL_DOMAIN} does not have it"
    if has_stray_brace(said):
        yield "has a brace that belongs to no place; write {name} in small letters, digits and _"

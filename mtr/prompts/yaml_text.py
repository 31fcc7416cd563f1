"""YAML into a record, every fault with its line; plain scalars stay text, so `no` in a word list is a word."""

from collections.abc import Iterator
from typing import TypeVar

import yaml
from pydantic import BaseModel, ValidationError

from mtr.prompts.records import Fault

R = TypeVar("R", bound=BaseModel)
_MESSAGES = {"tuple_type": "must be a list", "mapping_type": "must be a mapping", "string_type": "must be text"}


def read_yaml(text: str, kind: type[R], path: str, first_line: int = 1) -> tuple[R | None, list[Fault]]:
    """The record, or None and the faults. `first_line` is the file's line on which `text` begins."""
    try:
        node = yaml.compose(text, Loader=yaml.BaseLoader)
        value = yaml.load(text, Loader=yaml.BaseLoader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = first_line if mark is None else first_line + mark.line
        return None, [Fault(path=path, line=line, message=f"not YAML: {getattr(error, 'problem', None) or error}")]
    if node is not None and not isinstance(node, yaml.MappingNode):
        return None, [Fault(path=path, line=first_line, message="must be a mapping of `key: value` lines")]
    faults = [Fault(path=path, line=first_line + line, message=text) for line, text in _repeated_keys(node)]
    try:
        return kind.model_validate(value or {}), faults
    except ValidationError as error:
        for detail in error.errors():
            line = first_line + _line_of(node, detail["loc"])
            faults.append(
                Fault(path=path, line=line, message=_plain(detail["type"], detail["loc"], detail["msg"], kind))
            )
        return None, faults


def line_of(text: str, *keys: str) -> int:
    """The line (from 1) of the deepest of nested keys that a sound YAML text holds, 1 for none."""
    return 1 + _line_of(yaml.compose(text, Loader=yaml.BaseLoader), keys)


def _repeated_keys(node: yaml.Node | None) -> Iterator[tuple[int, str]]:
    if not isinstance(node, yaml.MappingNode):
        return
    seen: set[str] = set()
    for key, value in node.value:
        if key.value in seen:
            yield key.start_mark.line, f"the key `{key.value}` is there twice"
        seen.add(str(key.value))
        yield from _repeated_keys(value)


def _line_of(node: yaml.Node | None, loc: tuple[int | str, ...]) -> int:
    """The line (from 0) of the deepest part of `loc` that the text holds."""
    line = 0
    for part in loc:
        if isinstance(node, yaml.MappingNode):
            pair = next(((key, value) for key, value in node.value if key.value == part), None)
        elif isinstance(node, yaml.SequenceNode) and isinstance(part, int):
            pair = (node.value[part], node.value[part])
        else:
            pair = None
        if pair is None:
            break
        line, node = pair[0].start_mark.line, pair[1]
    return line


def _plain(error: str, loc: tuple[int | str, ...], words: str, kind: type[BaseModel]) -> str:
    name = ".".join(str(part) for part in loc)
    if error == "missing":
        return f"the key `{name}` is missing"
    if error == "extra_forbidden":
        return f"unknown key `{name}`; known are {', '.join(kind.model_fields)}"
    return f"`{name}`: {_MESSAGES.get(error, words.removeprefix('Value error, '))}"

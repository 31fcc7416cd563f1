"""Plain text and Markdown. Front matter (YAML between `---`, TOML between `+++`) gives the title and is cut off."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import yaml

from mtr.corpus.readers.decoding import decode, read_bytes
from mtr.corpus.readers.draft import Columns, Draft

_FRONT = re.compile(r"(---|\+\+\+)[ \t]*\n(.{0,65536}?)(?:^|\n)(?:\1|\.\.\.)[ \t]*(?:\n|$)", re.DOTALL)


def read_text(path: Path, _columns: Columns) -> Iterator[Draft]:
    """The one document of a text file."""
    decoded = decode(read_bytes(path))
    title, text = cut_front_matter(decoded.text)
    yield Draft(text=text, title=title, encoding=decoded.encoding)


def cut_front_matter(text: str) -> tuple[str, str]:
    """The title that front matter gives, or "", and the text after it; what is no front matter stays."""
    match = _FRONT.match(text)
    if match is None:
        return "", text
    try:
        fields = tomllib.loads(match[2]) if match[1] == "+++" else yaml.safe_load(match[2])
    except (tomllib.TOMLDecodeError, yaml.YAMLError, ValueError, RecursionError):
        return "", text
    if not isinstance(fields, dict):
        return "", text
    title = fields.get("title")
    return (str(title).strip() if isinstance(title, str | int | float) else ""), text[match.end() :]

"""Front matter: YAML between `---` or TOML between `+++` at the head of a text. It gives the title and is cut off."""

import re
import tomllib

import yaml

_FRONT = re.compile(r"(---|\+\+\+)[ \t]*\n(.{0,65536}?)(?:^|\n)(?:\1|\.\.\.)[ \t]*(?:\n|$)", re.DOTALL)


def cut_front_matter(text: str) -> tuple[str, str]:
    """The title that front matter gives, or "", and the text after it; what cannot be read as front matter stays."""
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

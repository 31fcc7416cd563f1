"""The picture of the dialogue graph in README.md, drawn from the graph itself: `python -m graphs.picture`."""

import re
from pathlib import Path

from graphs.dialogue import graph
from mtr.storage import replace_text

BEGIN, END = "<!-- graph:begin -->", "<!-- graph:end -->"
README = Path(__file__).parents[1] / "README.md"
_FRONT = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
_STYLE = re.compile(r"^\s*(?:classDef|style|linkStyle|class)\b.*\n?", re.MULTILINE)


def mermaid() -> str:
    """The graph in Mermaid's language, without colours."""
    plain = _STYLE.sub("", _FRONT.sub("", graph.get_graph().draw_mermaid()))
    plain = re.sub(r":::\w+", "", plain).replace("\t", "    ").replace("&nbsp;", " ")
    return re.sub(r"<p>__(\w+)__</p>", lambda label: label[1].capitalize(), plain).strip()


def with_picture(text: str) -> str:
    """The text with the picture between its two markers; ValueError when a marker is missing."""
    before, _, rest = text.partition(BEGIN)
    _, found, after = rest.partition(END)
    if not found:
        raise ValueError(f"the text has no place for the picture: {BEGIN} and {END}")
    return f"{before}{BEGIN}\n```mermaid\n{mermaid()}\n```\n{END}{after}"


if __name__ == "__main__":
    replace_text(README, with_picture(README.read_text(encoding="utf-8")))

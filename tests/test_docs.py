"""README and guide kept true: the picture of the graph, every command line in them, every link."""

import re
import shlex
from pathlib import Path

import pytest
from click import Command, Context
from typer.core import TyperGroup
from typer.main import get_command

from graphs.picture import README, mermaid, with_picture
from mtr.cli import app

PROJECT = Path(__file__).parents[1]
PAGES = sorted([*PROJECT.glob("*.md"), *PROJECT.glob("docs/**/*.md"), *PROJECT.glob("*/README.md")])
ORDER = re.compile(r"^\s*(mtr (?!\.\.\.)[^#\n]*?)(?:\s{2,}.*|\s+#.*)?$", re.MULTILINE)
INLINE = re.compile(r"`(mtr [^`\n]+)`")
LINK = re.compile(r"\]\((?!https?:|#)([^)#\s]+)")
NAMES = [str(page.relative_to(PROJECT)) for page in PAGES]


def text_of(page: str) -> str:
    """A page without the transcript of the demo, which is output."""
    text = (PROJECT / page).read_text(encoding="utf-8")
    return re.sub(r"<!-- demo:begin -->.*?<!-- demo:end -->", "", text, flags=re.DOTALL)


def command_of(line: str) -> tuple[Command, list[str]]:
    """The command that a line leads to, and the words left for it; a group where the line ends with its name."""
    command: Command = get_command(app)
    words = shlex.split(line)[1:]
    while isinstance(command, TyperGroup) and words:
        _, found, words = command.resolve_command(Context(command), words)
        assert found is not None
        command = found
    return command, words


def test_the_picture_in_the_readme_is_that_of_the_graph() -> None:
    text = README.read_text(encoding="utf-8")
    assert with_picture(text) == text, "run: python -m graphs.picture"
    assert "simulate_user --> check_query;" in mermaid() and "class" not in mermaid()


def test_a_text_without_a_place_for_the_picture_is_refused() -> None:
    with pytest.raises(ValueError, match="no place for the picture"):
        with_picture("# MTR\n")


@pytest.mark.parametrize("page", NAMES)
def test_every_command_line_is_one_that_mtr_takes(page: str) -> None:
    for line in ORDER.findall(text_of(page)):
        command, words = command_of(line)
        command.make_context("mtr", words)


def test_a_line_that_mtr_does_not_take_would_be_found() -> None:
    command, words = command_of("mtr generate handbook --colour red")
    with pytest.raises(Exception, match="--colour"):
        command.make_context("mtr", words)


@pytest.mark.parametrize("page", NAMES)
def test_every_command_named_in_a_sentence_exists(page: str) -> None:
    for line in INLINE.findall(text_of(page)):
        command, words = command_of(line)
        known = {name for option in command.params for name in option.opts} | {"--help"}
        assert {word for word in words if word.startswith("--")} <= known, line


@pytest.mark.parametrize("page", NAMES)
def test_every_link_leads_somewhere(page: str) -> None:
    lost = [link for link in LINK.findall(text_of(page)) if not ((PROJECT / page).parent / link).exists()]
    assert lost == []


def test_the_make_targets_of_the_readme_exist() -> None:
    makefile = (PROJECT / "Makefile").read_text(encoding="utf-8")
    named = set(re.findall(r"\bmake ([a-z-]+)\b", text_of("README.md"))) - {"a"}
    assert {"demo", "test"} <= named
    assert all(re.search(rf"^{name}:", makefile, re.MULTILINE) for name in named)

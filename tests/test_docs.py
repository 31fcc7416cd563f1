"""README and guide kept true: the picture of the graph, every command line in them, every link."""

import re
import shlex
from pathlib import Path

import click
import pytest
import typer

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


def command_of(words: list[str]) -> tuple[click.Command, click.Context, list[str]]:
    """The command that the words lead to, and the words left for it."""
    command: click.Command = typer.main.get_command(app)
    context = click.Context(command, info_name="mtr")
    while isinstance(command, click.Group) and words:
        _, found, words = command.resolve_command(context, words)
        assert found is not None
        command, context = found, click.Context(found, parent=context, info_name=found.name)
    return command, context, words


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
        command, context, words = command_of(shlex.split(line)[1:])
        command.parse_args(context, words)


@pytest.mark.parametrize("page", NAMES)
def test_every_command_named_in_a_sentence_exists(page: str) -> None:
    for line in INLINE.findall(text_of(page)):
        command, _, words = command_of(shlex.split(line)[1:])
        known = {name for option in command.params for name in option.opts} | {"--help", "--version"}
        assert {word for word in words if word.startswith("--")} <= known, line


@pytest.mark.parametrize("page", NAMES)
def test_every_link_leads_somewhere(page: str) -> None:
    lost = [link for link in LINK.findall(text_of(page)) if not ((PROJECT / page).parent / link).exists()]
    assert lost == []


def test_the_make_targets_of_the_readme_exist() -> None:
    makefile = (PROJECT / "Makefile").read_text(encoding="utf-8")
    named = set(re.findall(r"\bmake ([a-z]+)\b", text_of("README.md"))) - {"a"}
    assert {"demo", "test"} <= named
    assert all(re.search(rf"^{name}:", makefile, re.MULTILINE) for name in named)

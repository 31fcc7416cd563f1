"""Faults in prompts and in a domain's settings: each is told with its file and line."""

from pathlib import Path

import pytest
from support.prompt_files import PREFIX, SETTINGS, enter_empty, prompt, write_domain

from mtr.errors import InputError
from mtr.prompts import load_domain, render
from mtr.prompts.checking import check_domain


@pytest.fixture(autouse=True)
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty current folder; returns the root of a user's own domains in it."""
    return enter_empty(tmp_path, monkeypatch)


def faults_of(text: str) -> list[str]:
    """What `render` says of a text, without the path: `line: message`."""
    with pytest.raises(InputError) as caught:
        render("tiny", "answerer", {"passages": "p", "query": "q"}, text=text)
    return [line.split("(edited):", 1)[1] for line in str(caught.value).splitlines()]


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("# User\nhi\n", ["1: must begin with a header between two `---` lines"]),
        ("---\ndescription: x\n# User\nhi\n", ["1: must begin with a header between two `---` lines"]),
        ("---\n---\n# User\nhi\n", ["2: the key `description` is missing", "2: the key `inputs` is missing"]),
        ("---\n- a\n---\n# User\nhi\n", ["2: must be a mapping of `key: value` lines"]),
        ("---\ndescription: x\ninputs: [\n---\n# User\nhi\n", ["3: not YAML: "]),
        (prompt("# User\nhi\n", "query"), ["3: `inputs`: must be a list"]),
        (prompt("# User\n{{a}}\n", "[a, A]"), ["3: `inputs.1`: String should match pattern"]),
        (prompt("# User\n{{a}}\n", "[a, a]"), ["3: `inputs`: named twice: a"]),
        (prompt("# User\nhi\n", extra="model: gpt\n"), ["4: unknown key `model`; known are description, inputs"]),
        (prompt("# User\nhi\n", extra="temperature: warm\n"), ["4: `temperature`: Input should be a valid number"]),
        (prompt("# User\nhi\n", extra="temperature: nan\n"), ["4: `temperature`: "]),
        (prompt("# User\nhi\n", extra="max_tokens: 0\n"), ["4: `max_tokens`: "]),
        (prompt("# User\nhi\n", extra="reply: prose\n"), ["4: `reply`: Input should be 'json', 'yes_no'"]),
        (prompt("# User\nhi\n", extra="prefix: ../x.md\n"), ["4: `prefix`: String should match pattern"]),
        (prompt("# User\nhi\n", extra="reply: json\nreply: json\n"), ["5: the key `reply` is there twice"]),
        (prompt("# User\nhi\n", extra="prefix: none.md\n"), ["4: no prefix file prompts/tiny/none.md"]),
        (prompt("# User\n\n1\n{{b}}\n", "[a]"), ["8: {{b}} is not among the declared", "3: the input `a` is declared"]),
        (prompt("# User\nx\n{{ a }}\n", "[]"), ["7: {{ a }} is no placeholder"]),
        (prompt("# User\n{{A}} {{a-b}}\n"), ["6: {{A}} is no placeholder", "6: {{a-b}} is no placeholder"]),
        (prompt("hello\n# User\nhi\n"), ["5: text before the first message's border"]),
        (prompt("# User\nhi\n# user\n"), ["7: looks like a border"]),
        (prompt("# User\nhi\n# User \n"), ["7: looks like a border"]),
        (prompt("# User\nhi\n## Assistant:\n"), ["7: looks like a border"]),
        (prompt("nothing\n"), ["5: holds no message", "5: text before"]),
        (prompt(""), ["5: holds no message"]),
        (prompt("# System\nS\n"), ["5: the last message must be a `# User`"]),
        (prompt("# User\na\n# Assistant\nb\n"), ["7: the last message must be a `# User`"]),
        (prompt("# User\na\n# User\nb\n"), ["7: `# User` twice, without `# Assistant` between"]),
        (prompt("# Assistant\na\n# User\nb\n"), ["5: `# Assistant` without a `# User` before it"]),
        (
            prompt("# User\na\n# System\nb\n# Assistant\nc\n# User\nd\n"),
            ["7: `# System` may stand only once, and first"],
        ),
        (prompt("# System\na\n# System\nb\n# User\nd\n"), ["7: `# System` may stand only once, and first"]),
        (prompt("# User\n\n \n# Assistant\nb\n# User\nc\n"), ["5: an empty message"]),
        (prompt("# User\nhi\n\ufffd\n"), ["7: holds bytes that are not UTF-8"]),
    ],
)
def test_every_fault_has_its_line(own: Path, text: str, faults: list[str]) -> None:
    write_domain(own)
    said = faults_of(text)
    assert len(said) == len(faults)
    assert all(line.startswith(fault) for line, fault in zip(said, faults, strict=True)), said


def test_faults_of_a_prefix_name_the_prefix_file(own: Path) -> None:
    role = prompt("# System\nagain\n# User\nhi\n", extra="prefix: shared.md\n")
    write_domain(
        own, asker=role, other=role, shared=PREFIX.replace("one?", "{{one}}").replace("shared", "s\ninputs: []")
    )
    faults = [str(fault) for fault in check_domain("tiny") if "shared" in fault.path or "asker" in fault.path]
    assert faults == [
        "prompts/tiny/asker.md:6: `# System` may stand only once, and first",
        "prompts/tiny/shared.md:3: unknown key `inputs`; known are description",
        "prompts/tiny/shared.md:8: a prefix holds no placeholders; {{one}} belongs into the roles' files",
    ]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (SETTINGS + "colour: red\n", "8: unknown key `colour`"),
        (SETTINGS.replace("language: en", "language: english"), "2: `language`"),
        (SETTINGS.replace("[no, not, never]", "no"), "7: `phrases.negations`: must be a list"),
        (SETTINGS.replace("language: en\n", ""), "1: the key `language` is missing"),
        (SETTINGS + "  negations: [x]\n", "8: the key `negations` is there twice"),
        (SETTINGS.replace("styles:", "styles: {plain"), "5: not YAML"),
        (SETTINGS.replace("[a new colleague]", "[]"), "3: `personas`"),
    ],
)
def test_faults_of_the_settings_have_lines(own: Path, text: str, fault: str) -> None:
    (write_domain(own) / "domain.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        load_domain("tiny")
    assert str(caught.value).startswith(f"prompts/tiny/domain.yaml:{fault}")

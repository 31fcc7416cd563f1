"""`mtr prompts`: what each command prints, and its exit code."""

import shutil
from pathlib import Path

import pytest
from support.prompt_files import ANSWERER, prompt, write_domain
from typer.testing import CliRunner, Result

from mtr.cli.prompts import app
from mtr.errors import InputError
from mtr.prompts.folders import shipped_root


@pytest.fixture(autouse=True)
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty current folder, and two shipped domains; returns the root of a user's own domains."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MTR_PROMPTS", raising=False)
    shipped = tmp_path / "shipped"
    judge = prompt("# User\n{{a}}\n", "[a]", "reply: yes_no\n")
    write_domain(shipped, "general", judges__tone=judge)
    write_domain(shipped, "general_zh", judges__tone=judge)
    monkeypatch.setattr("mtr.prompts.folders._SHIPPED", shipped)
    return tmp_path / "prompts"


def run(*arguments: str) -> Result:
    result = CliRunner().invoke(app, list(arguments))
    if isinstance(result.exception, InputError):
        raise result.exception
    return result


def test_list_shows_domains_roles_and_hashes(own: Path) -> None:
    write_domain(own, "broken", answerer="no header")
    lines = run("list").stdout.splitlines()
    assert lines[0] == "broken  a domain for tests [en]  prompts/broken"
    assert lines[1].split(maxsplit=2)[0::2] == ["answerer", "(faulty: see mtr prompts check)"]
    roles = ["answerer", "judges/tone"]
    assert [line.split()[0] for line in lines[2:]] == ["general", *roles, "general_zh", *roles]
    assert len(lines[3].split()[1]) == 12


def test_show_prints_the_expansion(own: Path) -> None:
    prefix = "---\ndescription: shared\n---\n# System\nYou help.\n# User\none?\n# Assistant\nno\n"
    write_domain(own, asker=prompt("# User\n{{q}}\n", "[q]", "prefix: shared.md\n"), shared=prefix)
    shown = run("show", "tiny", "asker").stdout
    assert "file: prompts/tiny/asker.md\n" in shown
    assert "inputs: q\nprefix: shared.md\ntemperature: 0\nmax_tokens: 512\n" in shown
    assert shown.endswith("\n# System\nYou help.\n\n# User\none?\n\n# Assistant\nno\n\n# User\n{{q}}\n")


def test_show_marks_placeholders_on_a_terminal(own: Path) -> None:
    write_domain(own)
    shown = CliRunner().invoke(app, ["show", "tiny", "answerer"], color=True).stdout
    assert "Query: \x1b[33m\x1b[1m{{query}}\x1b[0m" in shown


def test_new_copies_a_domain_whole(own: Path) -> None:
    made = run("new", "medicine", "--from", "general")
    assert made.stdout == "prompts/medicine\n"
    files = sorted(path.relative_to(own).as_posix() for path in own.rglob("*") if path.is_file())
    assert files == ["medicine/answerer.md", "medicine/domain.yaml", "medicine/judges/tone.md"]
    assert (own / "medicine" / "answerer.md").read_text(encoding="utf-8") == ANSWERER
    assert run("check", "medicine").exit_code == 0
    assert (own / "medicine").stat().st_mode & 0o055 == (own.stat().st_mode & 0o055)


@pytest.mark.parametrize(
    ("name", "source", "said"),
    [
        ("general", "general", "there is a 'general' already"),
        ("tiny", "general", "there is a 'tiny' already"),
        ("../up", "general", "is no name for a domain"),
        ("Medicine", "general", "is no name for a domain"),
        ("medicine", "nothing", "there is no domain 'nothing'; known are general, general_zh, tiny"),
    ],
)
def test_new_refuses(own: Path, name: str, source: str, said: str) -> None:
    write_domain(own)
    with pytest.raises(InputError, match=said):
        run("new", name, "--from", source)
    assert [path.name for path in own.iterdir()] == ["tiny"]


def test_new_leaves_nothing_half_made(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("shutil.copytree", full)
    with pytest.raises(InputError, match="cannot make prompts/medicine: No space left on device"):
        run("new", "medicine")
    assert list(own.iterdir()) == []


def test_check_reports_every_fault_at_once(own: Path) -> None:
    run("new", "medicine")
    folder = own / "medicine"
    example = '# User\n{{a}}\n# Assistant\n{\n  "reason": "x",\n}\n# User\nmore {{query}}\n'
    (folder / "answerer.md").write_text(prompt(example, "[a, query]", "reply: json\n"), encoding="utf-8")
    (folder / "Judge-2.md").write_text("", encoding="utf-8")
    (folder / "extra.md").write_bytes(prompt("# User\nhi \xe9\n").encode("latin-1"))
    (folder / "domain.yaml").write_text("description: x\nlanguage: EN\n", encoding="utf-8")
    shutil.rmtree(folder / "judges")
    result = run("check", "medicine")
    assert result.exit_code == 1
    assert result.stderr == "medicine: 10 faults\n"
    assert result.stdout.splitlines() == [
        "prompts/medicine/Judge-2.md: no role can have this name; use small letters, digits and _",
        "prompts/medicine/answerer.md:3: the input `passages` is missing; general has it",
        "prompts/medicine/answerer.md:3: the input `a` is never filled; general does not have it",
        "prompts/medicine/answerer.md:4: the reply must be left out, as in general",
        "prompts/medicine/answerer.md:11: the reply is json, but this example is not: "
        + "Expecting property name enclosed in double quotes",
        "prompts/medicine/domain.yaml:1: the key `personas` is missing",
        "prompts/medicine/domain.yaml:1: the key `styles` is missing",
        "prompts/medicine/domain.yaml:2: `language`: String should match pattern '^[a-z]{2,3}$'",
        "prompts/medicine/extra.md:6: holds bytes that are not UTF-8; save it as UTF-8",
        "prompts/medicine/judges/tone.md: is missing; copy it from general",
    ]


def test_check_names_a_list_that_nothing_reads(own: Path) -> None:
    folder = own / "medicine"
    run("new", "medicine")
    settings = folder / "domain.yaml"
    settings.write_text(settings.read_text(encoding="utf-8").replace("negations", "negation"), encoding="utf-8")
    said = "prompts/medicine/domain.yaml:7: phrases: nothing reads the list `negation`; lists are negations\n"
    assert run("check", "medicine").stdout == said


def test_check_looks_into_a_folder_without_settings(own: Path) -> None:
    run("new", "medicine")
    (own / "medicine" / "domain.yaml").unlink()
    result = run("check", "medicine")
    assert (result.exit_code, result.stdout) == (
        1,
        "prompts/medicine/domain.yaml: is missing; copy one from another domain\n",
    )


def test_check_without_a_name_checks_all(own: Path) -> None:
    write_domain(own, answerer=prompt("# User\nhi\n"))
    result = run("check")
    assert result.exit_code == 1
    assert result.stderr == "general: no fault\ngeneral_zh: no fault\ntiny: 3 faults\n"


def test_check_of_an_unknown_domain_lists_the_known() -> None:
    with pytest.raises(InputError, match="there is no domain 'nothing'; known are general, general_zh"):
        run("check", "nothing")


def test_diff_shows_what_a_domain_changed(own: Path) -> None:
    run("new", "medicine")
    assert run("diff", "medicine").stdout == ""
    changed = ANSWERER.replace("You answer.", "You answer a doctor.")
    (own / "medicine" / "answerer.md").write_text(changed, encoding="utf-8")
    (own / "medicine" / "judges" / "tone.md").unlink()
    said = run("diff", "medicine").stdout
    assert "+++ prompts/medicine/answerer.md\n" in said
    assert "-You answer.\n+You answer a doctor.\n" in said
    assert "+++ /dev/null\n" in said
    assert run("diff", "medicine", "general_zh").stdout.count("@@") == said.count("@@")


def test_diff_of_an_own_version_compares_with_the_shipped_one(own: Path) -> None:
    write_domain(own, "general_zh", answerer=ANSWERER.replace("You", "Do"))
    said = run("diff", "general_zh").stdout
    assert "shipped/general_zh/answerer.md" in said
    assert "-You answer.\n+Do answer.\n" in said


def test_the_shipped_folder_holds_general(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    assert (shipped_root() / "general").is_dir()

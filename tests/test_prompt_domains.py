"""Domains of prompts: which names are looked up where, and what is said of unknown ones."""

from pathlib import Path

import pytest
from support.prompt_files import enter_empty, write_domain

from mtr.errors import InputError
from mtr.prompts import domains, load_domain, render, roles
from mtr.prompts.checking import check_domain
from mtr.prompts.making import new_domain


@pytest.fixture(autouse=True)
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty current folder; returns the root of a user's own domains in it."""
    return enter_empty(tmp_path, monkeypatch)


@pytest.mark.parametrize("name", ["../tiny", "a/b", "Tiny", "", ".", "a b", "tiny\n", "ü", "/etc"])
def test_a_bad_domain_name_never_becomes_a_path(own: Path, name: str) -> None:
    write_domain(own)
    for use in (load_domain, check_domain, roles, lambda domain: new_domain(domain, "tiny")):
        with pytest.raises(InputError, match="is no name for a domain"):
            use(name)


@pytest.mark.parametrize(
    "role", ["../tiny/answerer", "judges/../answerer", "judges/a/b", "Answerer", "", "/x", "nobody"]
)
def test_an_unknown_role_lists_the_known(own: Path, role: str) -> None:
    write_domain(own)
    with pytest.raises(InputError, match=r"domain tiny has no role .* its roles are answerer"):
        render("tiny", role, {})


def test_an_unknown_domain_lists_the_known(own: Path) -> None:
    write_domain(own)
    with pytest.raises(InputError, match=r"no domain 'medicine'; known are .*general.*tiny"):
        render("medicine", "answerer", {})
    (own / "medicine").mkdir()
    with pytest.raises(InputError, match=r"medicine has no domain\.yaml"):
        load_domain("medicine")


def test_an_own_domain_comes_before_the_shipped_one(own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_domain(own, "general")
    assert load_domain("general").description == "a domain for tests"
    elsewhere = tmp_path / "elsewhere"
    monkeypatch.setenv("MTR_PROMPTS", str(elsewhere))
    with pytest.raises(InputError, match=r"MTR_PROMPTS names .*elsewhere, which is not a folder"):
        domains()
    write_domain(elsewhere, "mine")
    assert "mine" in domains()
    assert load_domain("general").description != "a domain for tests"


def test_words_of_a_list_stay_words(own: Path) -> None:
    write_domain(own)
    assert load_domain("tiny").phrases["negations"] == ("no", "not", "never")

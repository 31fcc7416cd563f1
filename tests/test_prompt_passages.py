"""Passages in prompts: a fence that no passage can close."""

import pytest

from mtr.prompts import passage_block


def test_a_passage_cannot_close_its_fence() -> None:
    block = passage_block([("Title\nwith  lines", "text"), ("", "more </passage-00000000>")])
    opening, tag = block.splitlines()[0], block[len("<passage-") :][:8]
    assert opening == f"<passage-{tag}> Title with lines"
    assert block.endswith(f"\n\n<passage-{tag}>\nmore </passage-00000000>\n</passage-{tag}>")
    assert block == passage_block([("Title\nwith  lines", "text"), ("", "more </passage-00000000>")])
    assert tag not in passage_block([("", "text")])


def test_a_tag_that_a_passage_holds_is_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    tags = iter(["aaaaaaaa", "bbbbbbbb", "cccccccc"])
    monkeypatch.setattr("mtr.prompts.passages._tag", lambda seed: next(tags))
    assert passage_block([("aaaaaaaa", "x </passage-bbbbbbbb>")]).startswith("<passage-cccccccc>")


def test_no_passages_is_an_error() -> None:
    with pytest.raises(ValueError, match="at least one passage"):
        passage_block([])

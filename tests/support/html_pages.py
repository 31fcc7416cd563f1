"""A page of a report as a test looks at it: parsed strictly, or shown by a browser; and a text that attacks."""

import os
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest

ATTACK = "</details></td><script>alert(1)</script><img src=//x.test/a onerror='alert(2)'>\" onload=\"alert(3) &amp;"
VOID = {"meta", "br", "circle", "line"}


class Page(HTMLParser):
    """Reads a page strictly: which elements and attributes it has, whether every tag is closed, and its text."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.shown: list[str] = []
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.shown.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.shown).split())


def shown_by_a_browser(html: str, folder: Path) -> str:
    """The page as chromium has it once loaded; skips the test where there is none."""
    browser = shutil.which("chromium")
    if browser is None:
        pytest.skip("chromium is not installed")
    path = folder / "report.html"
    path.write_text(html, encoding="utf-8")
    command = [browser, "--headless", "--disable-gpu", "--no-first-run", "--disable-extensions", "--dump-dom"]
    command += [f"--user-data-dir={folder / 'profile'}", *(["--no-sandbox"] if os.geteuid() == 0 else [])]
    done = subprocess.run([*command, path.as_uri()], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr[-500:]
    return done.stdout

"""Lint of a path: its data set as the adapter gives it, and its files once more where they have lines."""

from collections.abc import Iterator
from pathlib import Path

from mtr.datasets.adapters import ADAPTERS, load_dataset
from mtr.datasets.lint.files import add_rows, raw_layout
from mtr.datasets.lint.finding import Finding
from mtr.datasets.lint.given import add_given
from mtr.datasets.lint.material import Material
from mtr.datasets.lint.rules import examine
from mtr.datasets.recognising import recognise
from mtr.datasets.records import Dataset
from mtr.errors import InputError


def lint(path: Path, layout: str | None = None) -> Iterator[Finding]:
    """The findings, rule by rule.

    A set that its adapter refuses is a finding where its files are rows, and an InputError where they are not.
    """
    return examine(_material(path, layout))


def lint_dataset(dataset: Dataset, file: str) -> Iterator[Finding]:
    """The findings of a data set in memory; their place is `file` and the id."""
    material = Material(file, dataset)
    add_given(material, dataset)
    return examine(material)


def _material(path: Path, layout: str | None) -> Material:
    raw = (
        raw_layout(path, layout or recognise(path))
        if path.exists() and (layout is None or layout in ADAPTERS)
        else None
    )
    try:
        dataset = load_dataset(path, layout)
    except InputError as error:
        if raw is None:
            raise
        material = Material(str(path), refusal=str(error))
    else:
        material = Material(str(path), dataset)
        if raw is None:
            add_given(material, dataset)
    if raw is not None:
        add_rows(material, path, raw)
    return material

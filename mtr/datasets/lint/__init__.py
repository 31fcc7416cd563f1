"""Lint of data sets: a table of rules over their rows and turns, each finding with file, line and id.

A rule is one line of the table in `rules.py`. It never changes a data set, and judges nothing that needs a model.
"""

from mtr.datasets.lint.finding import Finding, Rule, Severity
from mtr.datasets.lint.rules import RULES, examine
from mtr.datasets.lint.run import lint, lint_dataset

__all__ = ["RULES", "Finding", "Rule", "Severity", "examine", "lint", "lint_dataset"]

"""`mtr doctor`: what on this machine is as it should be, what is not, and the command that mends it."""

from collections.abc import Iterator
from pathlib import Path

from mtr.doctor.endpoints import examine_endpoints
from mtr.doctor.finding import Finding, Level
from mtr.doctor.installation import examine_installation
from mtr.doctor.machine import examine_machine
from mtr.doctor.models import examine_models

__all__ = ["Finding", "Level", "examine"]

ROOT = Path(__file__).parents[2]


def examine(root: Path = ROOT) -> Iterator[Finding]:
    """Findings one by one, as soon as each is known; `root` is the folder of the repository."""
    yield from examine_installation(root)
    yield from examine_machine()
    yield from examine_models()
    yield from examine_endpoints()

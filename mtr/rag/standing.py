"""How far an evaluation is, for the progress line."""

import time
from dataclasses import dataclass, field

from mtr.progress import Standing, duration, spending
from mtr.spent import Spent


@dataclass
class RagStanding(Standing):
    """One stage of one system: its answers, or the verdicts on them.

    `retrieved` counts the passages embedded, queries written and candidates reranked before the first answer.
    """

    what: str = ""
    retrieved: int = 0
    begun: float = field(default_factory=time.monotonic)

    def so_far(self) -> str:
        """What there is, in words."""
        return f"{self.what}: {self.kept + self.done} of {self.asked} are kept"

    def text(self, seconds: float, usage: tuple[Spent, ...]) -> str:
        """One line; the rate is that of the stage."""
        parts = [f"{self.what}: {self.kept + self.done} of {self.asked}"]
        if self.done:
            gone = time.monotonic() - self.begun
            parts.append(f"{duration((self.asked - self.kept - self.done) * gone / self.done)} left")
        elif self.retrieved:
            parts.append(f"{self.retrieved:,} steps of retrieval")
        return " · ".join([*parts, *spending(usage)])

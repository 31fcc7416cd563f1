"""Randomness: one independent `random.Random` per (seed, item, purpose), whatever runs beside it."""

import hashlib
import random


def seeded(seed: int, *names: str | int) -> random.Random:
    """A generator that depends on the seed and the names alone, the same on every machine and Python."""
    text = "\x1f".join(str(part) for part in (seed, *names))
    return random.Random(int.from_bytes(hashlib.sha256(text.encode()).digest()[:16], "big"))

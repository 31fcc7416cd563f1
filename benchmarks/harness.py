"""What the benchmarks share: CPU seconds of this process with its threads and children, and ratios within one run."""

import argparse
import os
import platform
import resource
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Generic, TypeVar

T = TypeVar("T")
U = TypeVar("U")


@dataclass(frozen=True)
class Measured(Generic[T]):
    """What a piece of work returned, and the seconds it took; on a busy machine trust the CPU seconds."""

    result: T
    cpu: float
    wall: float


def cpu_seconds() -> float:
    """CPU seconds so far: user and system, all threads, and children that have ended."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def measure(work: Callable[[], T], repeat: int = 1) -> Measured[T]:
    """Do the work `repeat` times, and take the time that needed least CPU: others share the caches and the cores."""
    return min((_once(work) for _ in range(repeat)), key=lambda run: run.cpu)


def measure_in_turn(one: Callable[[], T], other: Callable[[], U], repeat: int) -> tuple[Measured[T], Measured[U]]:
    """As `measure`, by turns, since a machine that others use is slower at one time than another."""
    pairs = [(_once(one), _once(other)) for _ in range(repeat)]
    return min((pair[0] for pair in pairs), key=lambda run: run.cpu), min(
        (pair[1] for pair in pairs), key=lambda run: run.cpu
    )


def _once(work: Callable[[], T]) -> Measured[T]:
    cpu, wall = cpu_seconds(), time.perf_counter()
    result = work()
    return Measured(result, cpu_seconds() - cpu, time.perf_counter() - wall)


def size_options(description: str) -> bool:
    """Read the command line; whether `--small` is given."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--small", action="store_true", help="a tenth of the size or less, for a quick look")
    return bool(parser.parse_args().small)


def print_machine(packages: Sequence[str]) -> None:
    """The cores and the versions that a figure belongs to."""
    versions = ", ".join(f"{package} {version(package)}" for package in packages)
    print(f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}, {versions}")


def print_figure(name: str, value: float, goal: str, reached: bool) -> bool:
    """One figure with its goal; returns whether it was reached."""
    print(f"{name}: {value:.4g} (goal {goal}) {'reached' if reached else 'NOT REACHED'}")
    return reached

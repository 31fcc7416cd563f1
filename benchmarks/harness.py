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
    runs = []
    for _ in range(repeat):
        cpu, wall = cpu_seconds(), time.perf_counter()
        result = work()
        runs.append(Measured(result, cpu_seconds() - cpu, time.perf_counter() - wall))
    return min(runs, key=lambda run: run.cpu)


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

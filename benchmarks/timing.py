"""How the comparisons of this folder are timed, told and kept: one protocol for all scripts.

A script gives `measure` one function for each comparison. The function makes the inputs, compares the
answers, and returns a `Work` or a `Limit`. Peer and ours are then called in turn, as often in a row as
takes 20 ms together, and the medians of the rounds make the line. A loop that costs the same for every
replicate is timed on few of them and scaled.
"""

from __future__ import annotations

import csv
import importlib.metadata
import os
import platform
import statistics
import sys
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

ROUNDS, FEWEST, BUDGET = 15, 3, 25.0  # rounds, and how many there are at least when they take over 25 s
COLUMNS = ("work", "peer", "peer ms", "skeval ms", "ratio", "goal", "script")
ROWS = "SKEVAL_BENCHMARK_ROWS"  # environment variable: a file to which the rows are added


class Work(NamedTuple):
    """Something that a peer and skeval both do; the goal is a ratio of times."""

    what: str
    peer: str  # name of the distribution
    theirs: Callable[[], Any]
    ours: Callable[[], Any]
    goal: float
    scale: float = 1.0  # what the peer's whole work costs over the part that is timed


class Limit(NamedTuple):
    """Something that has no peer: its time in milliseconds, and the most that it may take."""

    what: str
    ms: float
    goal: float


def measure(*makers: Callable[[], Work | Limit]) -> None:
    """Print a line for each comparison; one that fails, or lacks its peer, says so and stops no other."""
    failed = []
    print(machine())
    print(line(COLUMNS))
    for make in makers:
        try:
            keep(row_of(make()))
        except ModuleNotFoundError as error:
            print(f"{name_of(make)}: {error.name} is not installed")
        except Exception as error:
            failed.append(name_of(make))
            print(f"{failed[-1]} failed: {type(error).__name__}: {error}")
    if failed:
        raise SystemExit(1)


def row_of(work: Work | Limit) -> dict[str, str]:
    """Time a work and return its row."""
    script = Path(sys.argv[0]).name
    if isinstance(work, Limit):
        cells = (work.what, "none", "", digits(work.ms), "", f"{work.goal:g} ms", script)
    else:
        theirs, ours = medians(work.theirs, work.ours)
        theirs, peer = theirs * work.scale, version(work.peer)
        times = (digits(1e3 * theirs), digits(1e3 * ours), digits(theirs / ours))
        cells = (work.what, peer, *times, digits(work.goal), script)
    return dict(zip(COLUMNS, cells, strict=True))


def keep(row: dict[str, str]) -> None:
    """Print a row, and add it to the file that the environment names."""
    print(line(row.values()), "" if met(row) else "  goal missed", flush=True)
    if ROWS in os.environ:
        with open(os.environ[ROWS], "a", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerow(row.values())


def met(row: dict[str, str]) -> bool:
    """Tell whether a row reaches its goal."""
    if not row["ratio"]:
        return float(row["skeval ms"]) <= float(row["goal"].removesuffix(" ms"))
    return float(row["ratio"]) >= float(row["goal"])


def line(cells: Any) -> str:
    """Align the cells of a row; the script is left out."""
    what, peer, theirs, ours, ratio, goal, _ = cells
    return f"{what:62} {peer:26} {theirs:>9} {ours:>9} {ratio:>8} {goal:>8}"


def medians(theirs: Callable[[], Any], ours: Callable[[], Any]) -> tuple[float, float]:
    """Return the seconds of both, called in turn."""
    pairs: list[tuple[float, float]] = []
    start = time.perf_counter()
    while len(pairs) < FEWEST or (len(pairs) < ROUNDS and time.perf_counter() - start < BUDGET):
        pairs.append((seconds(theirs), seconds(ours)))
    one, other = (statistics.median(times) for times in zip(*pairs, strict=True))
    return one, other


def seconds(function: Callable[[], Any]) -> float:
    """Return the time of one call: of as many in a row as take 20 ms together."""
    start, n_calls, passed = time.perf_counter(), 0, 0.0
    while passed < 0.02:
        function()
        n_calls, passed = n_calls + 1, time.perf_counter() - start
    return passed / n_calls


def digits(value: float) -> str:
    """Write three significant digits, without an exponent."""
    return np.format_float_positional(float(f"{value:.3g}"), trim="-")


def power(n: int) -> str:
    """Write a power of ten."""
    return f"1e{len(str(n)) - 1}"


def version(name: str) -> str:
    """Return a distribution's name and version."""
    return f"{name} {importlib.metadata.version(name)}"


def name_of(make: Callable[..., Any]) -> str:
    return getattr(make, "func", make).__name__


def machine() -> str:
    """Say where this runs. numpy's sort decides the ranked scores, and differs between processors."""
    values = np.random.default_rng(0).normal(size=1_000_000)
    sort = statistics.median(seconds(lambda: np.sort(values)) for _ in range(5))
    packages = ", ".join(version(name) for name in ("numpy", "scipy", "scikit-learn"))
    return (
        f"{os.cpu_count()} cores of {processor()}, {platform.system()}, Python {platform.python_version()}, "
        f"{packages}, {date.today()}; np.sort of a million floats takes {1e3 * sort:.0f} ms."
    )


def processor() -> str:
    """Name the processor."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()

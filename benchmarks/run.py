"""Every comparison with a peer, and the distance to what the machine can do at all, in one command.

    python benchmarks/run.py           # makes build/benchmarks-venv, installs the peers, runs all there
    python benchmarks/run.py --save    # and keeps the tables that docs/trust.rst shows
    python benchmarks/run.py --here    # in the running environment, with the peers that it has
    python benchmarks/run.py --only posthoc answers
    python benchmarks/run.py --limits  # only the distance to the limits, some seconds

Each script compares the answers first and then prints the medians of interleaved runs in
milliseconds: the peer's time, ours, their ratio and the goal. The table of all of them comes last. A
full run takes under 15 minutes on two idle cores.
"""

from __future__ import annotations

import argparse
import csv
import os
import subprocess
import sys
import tempfile
import venv
from collections.abc import Callable
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent
ROOT = FOLDER.parent
TIMED = ("metrics", "intervals", "exact_tests", "posthoc", "bias_variance", "bootstrap_error", "runner")


def main() -> int:
    """Run what is asked for; return the number of scripts that failed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--save", action="store_true", help="write results.csv, answers.csv, machine.txt")
    parser.add_argument("--here", action="store_true", help="use the running environment")
    parser.add_argument("--only", nargs="+", choices=(*TIMED, "answers"), help="run these scripts alone")
    parser.add_argument("--limits", action="store_true", help="only the distance to the limits")
    parser.add_argument("--table", metavar="FILE", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.save and options.only:
        parser.error("--save keeps all of a run: it does not go with --only")
    if options.limits:
        limits()
        return 0
    if options.table:
        table(Path(options.table), save=options.save)
        return 0
    python = sys.executable if options.here else environment()
    if hasattr(os, "getloadavg"):
        print(f"load of the machine at the start: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    save = ["--save"] if options.save else []
    with tempfile.TemporaryDirectory() as folder:
        rows = Path(folder) / "rows.csv"
        calls = [["run.py", "--limits"], *([f"{name}.py"] for name in TIMED), ["answers.py", *save]]
        if options.only:
            calls = [[f"{name}.py"] for name in options.only]
        failed = [call[0] for call in calls if not ran(python, call, rows)]
        if rows.exists():
            ran(python, ["run.py", "--table", str(rows), *save], rows)
    print(f"\nfailed: {', '.join(failed)}" if failed else "\nall comparisons ran")
    return len(failed)


def ran(python: str, call: list[str], rows: Path) -> bool:
    """Run a script of this folder; tell whether it succeeded."""
    print(f"\n== {call[0]}", flush=True)
    variables = {**os.environ, "MPLBACKEND": "agg", "SKEVAL_BENCHMARK_ROWS": str(rows)}
    return not subprocess.run([python, str(FOLDER / call[0]), *call[1:]], cwd=ROOT, env=variables).returncode


def environment() -> str:
    """Return the Python of an environment with this package and the peers."""
    folder = ROOT / "build" / "benchmarks-venv"
    python = folder / "bin" / "python"
    if not python.exists():
        venv.create(folder, with_pip=True)
    install = [str(python), "-m", "pip", "install", "-q"]
    package, peers = ["-e", f"{ROOT}[plot]"], FOLDER / "requirements.txt"
    if subprocess.run([*install, *package, "-r", str(peers)]).returncode:
        # One of the peers cannot be had: the others one by one.
        subprocess.run([*install, *package], check=True)
        for line in peers.read_text(encoding="utf-8").splitlines():
            if line and not line.startswith("#") and subprocess.run([*install, line]).returncode:
                print(f"{line} cannot be installed")
    return str(python)


def table(path: Path, *, save: bool) -> None:
    """Print all rows, and keep them with a sentence on the machine."""
    from timing import COLUMNS, line, machine, met

    with path.open(encoding="utf-8", newline="") as file:
        rows = [dict(zip(COLUMNS, row, strict=True)) for row in csv.reader(file)]
    measured = machine()
    print(measured, line(COLUMNS), sep="\n")
    for row in rows:
        print(line(row.values()), "" if met(row) else "  goal missed")
    if save:
        with (FOLDER / "results.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
        (FOLDER / "machine.txt").write_text(f"Measured on {measured}\n", encoding="utf-8")


def limits() -> None:
    """Print our time over that of the one step of the machine that cannot be left out."""
    import numpy as np
    from timing import medians

    from skeval.comparison import delong_test
    from skeval.metrics import ConfusionMatrix, RankedScores

    n = 1_000_000
    generator = np.random.default_rng(0)
    y, predicted = generator.integers(0, 2, (2, n))
    score = generator.normal(size=n) + y
    other = score + generator.normal(size=n)
    both = np.concatenate([y, predicted])
    ranked = RankedScores.from_predictions(y[:10_000], score[:10_000])
    matrix = ConfusionMatrix.from_predictions(y, predicted)
    steps: list[tuple[str, Callable[[], Any], str, Callable[[], Any]]] = [
        (
            "confusion matrix, n = 1e6",
            lambda: ConfusionMatrix.from_predictions(y, predicted),
            "copy of both arrays",
            both.copy,
        ),
        (
            "AUC, n = 1e6",
            lambda: RankedScores.from_predictions(y, score).roc_auc(),
            "one sort of the scores",
            lambda: np.sort(score),
        ),
        (
            "DeLong's test, n = 1e6",
            lambda: delong_test(y, score, other),
            "two argsorts",
            lambda: (np.argsort(score), np.argsort(other)),
        ),
        (
            "1,000 replicates of the AUC, n = 1e4",
            lambda: ranked.bootstrap("roc_auc", 1_000, random_state=0),
            "1e7 random numbers",
            lambda: generator.random(10_000_000),
        ),
        (
            "1e5 replicates of accuracy",
            lambda: matrix.bootstrap("accuracy", 100_000, random_state=0),
            "1e5 multinomials of 4",
            lambda: generator.multinomial(n, [0.25] * 4, size=100_000),
        ),
    ]
    print(f"{'work':40} {'ours':>10}  {'limit':26} {'time':>10} {'over limit':>11}")
    for work, ours, name, limit in steps:
        least, mine = medians(limit, ours)
        print(f"{work:40} {1e3 * mine:7.2f} ms  {name:26} {1e3 * least:7.2f} ms {mine / least:10.1f}x")


if __name__ == "__main__":
    sys.exit(main())

"""Every comparison with a peer, and the distance to what the machine can do at all, in one command.

    python benchmarks/run.py           # makes build/benchmarks-venv, installs the peers, runs all there
    python benchmarks/run.py --here    # in the running environment, with the peers that it has
    python benchmarks/run.py --limits  # only the distance to the limits, some seconds

Each script compares the answers first and then prints the medians of interleaved runs: the peer's
time, ours, their ratio and the goal. They run one after the other; the machine should be idle.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import time
import venv
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
SCRIPTS = ("metrics", "intervals", "exact_tests", "posthoc", "bias_variance", "runner")


def main() -> int:
    """Run what is asked for; return 0 if every script ran."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--here", action="store_true", help="use the running environment")
    parser.add_argument("--limits", action="store_true", help="only the distance to the limits")
    options = parser.parse_args()
    if options.limits:
        limits()
        return 0
    python = sys.executable if options.here else environment()
    failed = []
    for arguments in (["run.py", "--limits"], *([f"{name}.py"] for name in SCRIPTS)):
        print(f"\n== {arguments[0]}", flush=True)
        command = [python, str(ROOT / "benchmarks" / arguments[0]), *arguments[1:]]
        if subprocess.run(command, cwd=ROOT, env={**os.environ, "MPLBACKEND": "agg"}).returncode:
            failed.append(arguments[0])
    print(f"\nfailed: {', '.join(failed)}" if failed else "\nall comparisons ran")
    return len(failed)


def environment() -> str:
    """Return the Python of an environment with this package and the peers."""
    folder = ROOT / "build" / "benchmarks-venv"
    python = folder / "bin" / "python"
    if not python.exists():
        venv.create(folder, with_pip=True)
    wanted = ["-e", f"{ROOT}[plot]", "-r", str(ROOT / "benchmarks" / "requirements.txt")]
    subprocess.run([str(python), "-m", "pip", "install", "-q", *wanted], check=True)
    return str(python)


def limits() -> None:
    """Print our time over that of the one step of the machine that cannot be left out."""
    import numpy as np

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
        seconds: dict[str, list[float]] = {"ours": [], "limit": []}
        for _ in range(5):
            for key, function in (("ours", ours), ("limit", limit)):
                start = time.perf_counter()
                function()
                seconds[key].append(time.perf_counter() - start)
        mine, least = (statistics.median(seconds[key]) for key in ("ours", "limit"))
        print(f"{work:40} {1e3 * mine:7.2f} ms  {name:26} {1e3 * least:7.2f} ms {mine / least:10.1f}x")


if __name__ == "__main__":
    sys.exit(main())

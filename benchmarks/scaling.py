"""How time grows with the number of samples, from 1e3 to 1e7; writes build/scaling.png.

python benchmarks/scaling.py              # up to 1e7, a minute and 2 GB
python benchmarks/scaling.py --largest 6
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from skeval.comparison import delong_test, mcnemar_test
from skeval.intervals import metric_interval
from skeval.metrics import ConfusionMatrix, RankedScores

BUDGET = 2.0  # seconds a cell may take for its repetitions


def works(n: int) -> dict[str, Callable[[], Any]]:
    """Return the calls that are timed on n samples."""
    generator = np.random.default_rng(n)
    y, predicted, other = generator.integers(0, 2, (3, n))
    score = generator.normal(size=n) + y
    words = np.array(["bad", "good"])[y]
    return {
        "confusion matrix, integers": lambda: ConfusionMatrix.from_predictions(y, predicted).mcc(),
        "confusion matrix, strings": lambda: ConfusionMatrix.from_predictions(words, words[::-1]).mcc(),
        "AUC": lambda: RankedScores.from_predictions(y, score).roc_auc(),
        "McNemar": lambda: mcnemar_test(y, predicted, other),
        "DeLong, two models": lambda: delong_test(y, score, score + predicted),
        "F1, BCa, 9,999 replicates": lambda: metric_interval("f1", y, predicted, random_state=0),
    }


def seconds(function: Callable[[], Any]) -> float:
    """Return the median of the runs that fit the budget, at least two."""
    times: list[float] = []
    while len(times) < 2 or (sum(times) < BUDGET and len(times) < 50):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def main() -> None:
    """Print a table, and draw it where matplotlib is installed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--largest", type=int, default=7, help="power of ten (default: 7)")
    sizes = [10**power for power in range(3, parser.parse_args().largest + 1)]
    found = {n: {name: seconds(call) for name, call in works(n).items()} for n in sizes}
    names = list(found[sizes[0]])
    print(f"{'seconds':28}" + "".join(f"{n:>11.0e}" for n in sizes) + f"{'slope':>8}")
    for name in names:
        row = [found[n][name] for n in sizes]
        slope = np.log10(row[-1] / row[-2]) if len(row) > 1 else np.nan
        print(f"{name:28}" + "".join(f"{value:11.5f}" for value in row) + f"{slope:8.2f}")
    try:
        from matplotlib import pyplot
    except ImportError:
        return
    _, ax = pyplot.subplots()
    for name in names:
        ax.loglog(sizes, [found[n][name] for n in sizes], marker="o", label=name)
    ax.set(xlabel="samples", ylabel="seconds")
    ax.legend()
    target = Path(__file__).resolve().parents[1] / "build" / "scaling.png"
    target.parent.mkdir(exist_ok=True)
    ax.get_figure().savefig(target, dpi=120)
    print(target)


if __name__ == "__main__":
    main()

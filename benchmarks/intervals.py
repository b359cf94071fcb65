"""Speed of the intervals against peers: one process, in turn, medians, answers compared first.

Run as ``python benchmarks/intervals.py`` from the root of the repository. The comparison with
MLstatkit is skipped where that package is not installed.

The peers' loops over scikit-learn are timed on few replicates and scaled to 1,000: their cost is
the same for every replicate.
"""

from __future__ import annotations

import importlib
import platform
import statistics
import time
from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np
import sklearn
from sklearn.metrics import f1_score, roc_auc_score

from skeval.intervals import metric_interval
from skeval.intervals._auc import delong_covariance

N_RESAMPLES = 1000
ROUNDS = 7


def main() -> None:
    """Print one line per comparison."""
    print(f"numpy {np.__version__}, scikit-learn {sklearn.__version__}, {processor()}")
    print(f"{'work':58} {'peer':>12} {'skeval':>12} {'ratio':>8} {'goal':>7}")
    for n_classes, goal in ((2, 5000), (10, 500)):
        report(*macro_f1(n_classes), goal)
    report(*auc(), 40)
    try:
        peer = importlib.import_module("MLstatkit").Delong_test
    except ModuleNotFoundError:
        print("DeLong: MLstatkit is not installed")
    else:
        report(*delong(peer), 200)


def report(what: str, peer: Callable[[], Any], scale: float, ours: Callable[[], Any], goal: float) -> None:
    """Time both in turn and print the medians."""
    peer(), ours()
    pairs = [(seconds(peer) * scale, seconds(ours)) for _ in range(ROUNDS)]
    theirs, mine = (statistics.median(times) for times in zip(*pairs, strict=True))
    print(f"{what:58} {theirs * 1e3:9.1f} ms {mine * 1e3:9.2f} ms {theirs / mine:7.0f}x {goal:6}x")


def seconds(function: Callable[[], Any]) -> float:
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


def macro_f1(n_classes: int) -> tuple[str, Callable[[], Any], float, Callable[[], Any]]:
    """Percentile interval of macro-F1 at n = 1e5: a loop over resampled rows against resampled cells."""
    rng, n, few = np.random.default_rng(0), 100_000, 5
    y = rng.integers(0, n_classes, n)
    pred = np.where(rng.random(n) < 0.25, rng.integers(0, n_classes, n), y)

    def loop(n_resamples: int) -> list[float]:
        rows = rng.integers(0, n, size=(n_resamples, n))
        return [f1_score(y[row], pred[row], average="macro") for row in rows]

    def ours() -> Any:
        return metric_interval(
            "f1_macro", y, pred, method="percentile", n_resamples=N_RESAMPLES, random_state=0
        )

    compare(f1_score(y, pred, average="macro"), loop(60), ours())
    work = f"macro-F1, 1,000 replicates, n = 1e5, K = {n_classes}"
    return work, lambda: loop(few), N_RESAMPLES / few, ours


def auc() -> tuple[str, Callable[[], Any], float, Callable[[], Any]]:
    """Percentile interval of the AUC at n = 1e5."""
    rng, n, few = np.random.default_rng(0), 100_000, 5
    y = rng.integers(0, 2, n)
    score = rng.normal(size=n) + y

    def loop(n_resamples: int) -> list[float]:
        rows = rng.integers(0, n, size=(n_resamples, n))
        return [roc_auc_score(y[row], score[row]) for row in rows]

    def ours() -> Any:
        return metric_interval(
            "roc_auc", y, score, method="percentile", n_resamples=N_RESAMPLES, random_state=0
        )

    compare(roc_auc_score(y, score), loop(60), ours())
    return "AUC, 1,000 replicates, n = 1e5", lambda: loop(few), N_RESAMPLES / few, ours


def compare(estimate: float, replicates: list[float], result: Any) -> None:
    """Check that the figure is the same and that its replicates spread alike."""
    assert abs(estimate - result.estimate) < 1e-12
    ratio = float(np.std(replicates, ddof=1)) / result.standard_error
    assert 0.7 < ratio < 1.4, f"the replicates spread {ratio:.2f} times as far"


def delong(peer: Callable[..., Any]) -> tuple[str, Callable[[], Any], float, Callable[[], Any]]:
    """DeLong's tests of all pairs of 10 models at n = 1e4: pairs one by one against one covariance."""
    rng, n, n_models = np.random.default_rng(0), 10_000, 10
    y = rng.integers(0, 2, n)
    scores = rng.normal(size=(n_models, n)) + y
    pairs = list(combinations(range(n_models), 2))

    def theirs() -> list[Any]:
        return [peer(y, scores[i], scores[j], return_ci=False, return_auc=False) for i, j in pairs]

    def ours() -> list[float]:
        aucs, covariance = delong_covariance(y == 1, scores)
        return [
            (aucs[i] - aucs[j]) / (covariance[i, i] + covariance[j, j] - 2 * covariance[i, j]) ** 0.5
            for i, j in pairs
        ]

    z = [float(result[0]) for result in theirs()]
    assert np.allclose(np.abs(z), np.abs(ours()), atol=1e-6)
    return "DeLong, 10 models, 45 pairs, n = 1e4, against MLstatkit", theirs, 1, ours


def processor() -> str:
    """Name the processor, on which sort-bound ratios depend."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            names = [line.partition(":")[2].strip() for line in file if line.startswith("model name")]
        return names[0] if names else platform.processor()
    except OSError:
        return platform.processor()


if __name__ == "__main__":
    main()

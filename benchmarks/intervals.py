"""Speed of the intervals against peers.

Run as ``python benchmarks/intervals.py`` from the root of the repository.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np
from sklearn.metrics import f1_score, roc_auc_score
from timing import Work, measure, power

from skeval.comparison import delong_pairwise, delong_test
from skeval.intervals import metric_interval

N_RESAMPLES = 1000


def main() -> None:
    """Print one line per comparison."""
    measure(
        partial(macro_f1, 2, 5000),
        partial(macro_f1, 10, 500),
        partial(macro_f1, 100, 20),
        macro_f1_bca,
        partial(auc, 1_000, 50),
        partial(auc, 100_000, 5),
        two_models,
        ten_models,
    )


def labels(n: int, n_classes: int) -> tuple[Any, Any]:
    """True labels, and predictions of which a quarter are drawn anew."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, n_classes, n)
    return y, np.where(rng.random(n) < 0.25, rng.integers(0, n_classes, n), y)


def macro_f1(n_classes: int, goal: float) -> Work:
    """Percentile interval of macro-F1: a loop over resampled rows against resampled cells."""
    what = f"macro-F1, 1,000 replicates, n = 1e5, K = {n_classes}, loop there"
    return percentile(
        what, "f1_macro", partial(f1_score, average="macro"), labels(100_000, n_classes), 5, goal
    )


def auc(n: int, few: int) -> Work:
    """Percentile interval of the AUC."""
    what = f"AUC, 1,000 replicates, n = {power(n)}, loop there"
    y, scores = ranked(n, 1)
    return percentile(what, "roc_auc", roc_auc_score, (y, scores[0]), few, 40)


def percentile(
    what: str, metric: str, function: Callable[..., float], data: tuple[Any, Any], few: int, goal: float
) -> Work:
    rng, (y, predicted) = np.random.default_rng(1), data

    def loop(n_resamples: int) -> list[float]:
        rows = rng.integers(0, len(y), size=(n_resamples, len(y)))
        return [function(y[row], predicted[row]) for row in rows]

    def ours() -> Any:
        return metric_interval(
            metric, y, predicted, method="percentile", n_resamples=N_RESAMPLES, random_state=0
        )

    found = ours()
    assert abs(function(y, predicted) - found.estimate) < 1e-12
    ratio = float(np.std(loop(60), ddof=1)) / found.standard_error
    assert 0.7 < ratio < 1.4, f"the replicates spread {ratio:.2f} times as far"
    return Work(what, "scikit-learn", lambda: loop(few), ours, goal, scale=N_RESAMPLES / few)


def macro_f1_bca() -> Work:
    """BCa interval of macro-F1 with 9,999 replicates at n = 1e4."""
    peer = importlib.import_module("confidenceinterval").f1_score

    def theirs(data: tuple[Any, Any], n_resamples: int) -> Any:
        return peer(*data, average="macro", method="bootstrap_bca", n_resamples=n_resamples, random_state=0)

    def ours(data: tuple[Any, Any]) -> Any:
        return metric_interval("f1_macro", *data, method="bca", n_resamples=9999, random_state=0)

    small, found = labels(400, 3), ours(labels(400, 3))
    estimate, (low, high) = theirs(small, 1999)
    assert abs(estimate - found.estimate) < 1e-8  # the peer adds 1e-9 to its denominators
    # Both ends vary with the replicates: a sixth of a standard error.
    np.testing.assert_allclose((found.low, found.high), (low, high), atol=found.standard_error / 6)
    # The peer's jackknife evaluates the measure once per sample, whatever the number of replicates.
    n, few = 10_000, 99
    data = labels(n, 3)
    what = "macro-F1, BCa, 9,999 replicates, n = 1e4, K = 3"
    scale = (9999 + n) / (few + n)
    return Work(what, "confidenceinterval", lambda: theirs(data, few), lambda: ours(data), 5000, scale)


def ranked(n: int, n_models: int) -> tuple[Any, Any]:
    """Labels of two classes, and a row of scores for each model."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, n)
    return y, rng.normal(size=(n_models, n)) + y


def two_models() -> Work:
    """DeLong's test of two models at n = 1e5."""
    peer = importlib.import_module("MLstatkit").Delong_test
    y, (a, b) = ranked(100_000, 2)

    def theirs() -> Any:
        return peer(y, a, b, return_ci=False, return_auc=False)

    def ours() -> Any:
        return delong_test(y, a, b)

    assert abs(abs(float(theirs()[0])) - abs(ours().statistic)) < 1e-6
    return Work("DeLong's test of 2 models, n = 1e5", "MLstatkit", theirs, ours, 20)


def ten_models() -> Work:
    """DeLong's tests of all pairs of 10 models at n = 1e4: pairs one by one against one covariance."""
    peer = importlib.import_module("MLstatkit").Delong_test
    y, scores = ranked(10_000, 10)
    pairs = list(combinations(range(10), 2))
    named = {f"model {number}": score for number, score in enumerate(scores)}

    def theirs() -> list[Any]:
        return [peer(y, scores[i], scores[j], return_ci=False, return_auc=False) for i, j in pairs]

    def ours() -> Any:
        return delong_pairwise(y, named)

    z = [float(result[0]) for result in theirs()]
    np.testing.assert_allclose(np.abs(z), np.abs(ours().statistic), atol=1e-6)
    return Work("DeLong's tests of 10 models, 45 pairs, n = 1e4", "MLstatkit", theirs, ours, 200)


if __name__ == "__main__":
    main()

"""Speed of the bias-variance aggregation against mlxtend: one process, in turn, medians.

Run as ``python benchmarks/bias_variance.py`` from the root of the repository, with mlxtend
installed. mlxtend gets an estimator that answers from a table, so that its time is that of
its aggregation; ours gets the same table. The answers that both have are compared first.
"""

from __future__ import annotations

import importlib
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from skeval.diagnosis._decompositions import squared_parts, zero_one_parts

N_ROUNDS, N_TEST, GOAL, TIMES = 200, 10_000, 5, 15


class Table:
    """Predicts the next row of a table, for any X."""

    def __init__(self, rows: Any) -> None:
        self.rows, self.next = rows, 0

    def fit(self, X: Any, y: Any) -> Table:
        return self

    def predict(self, X: Any) -> Any:
        self.next += 1
        return self.rows[(self.next - 1) % len(self.rows)]


def main() -> None:
    """Print one line per loss."""
    try:
        peer = importlib.import_module("mlxtend.evaluate").bias_variance_decomp
    except ModuleNotFoundError:
        print("mlxtend is not installed")
        return
    rng = np.random.default_rng(0)
    print(
        f"{'aggregation, 200 rounds, 1e4 samples':40} {'mlxtend':>12} {'skeval':>12} {'ratio':>8} {'goal':>6}"
    )
    for n_classes in (2, 10):
        labels, truth = rng.integers(0, n_classes, (N_ROUNDS, N_TEST)), rng.integers(0, n_classes, N_TEST)
        targets = truth[:, None]
        report(
            f"0-1 loss, K = {n_classes}",
            lambda labels=labels, truth=truth: theirs(peer, labels, truth, "0-1_loss"),
            lambda labels=labels, targets=targets, k=n_classes: (
                zero_one_parts(labels, targets, k, definition="domingos").values
            ),
            ("loss", "bias", "variance"),
        )
    values, truth = rng.normal(size=(N_ROUNDS, N_TEST)), rng.normal(size=N_TEST)
    report(
        "squared loss",
        lambda: theirs(peer, values, truth, "mse"),
        lambda: squared_parts(values, truth[:, None]).values,
        ("loss", "bias_squared", "variance"),
    )


def theirs(peer: Callable[..., Any], rows: Any, truth: Any, loss: str) -> Any:
    few = np.zeros((10, 1)), np.zeros(10)
    return peer(Table(rows), *few, np.zeros((N_TEST, 1)), truth, loss=loss, num_rounds=N_ROUNDS)


def report(what: str, peer: Callable[[], Any], ours: Callable[[], Any], terms: tuple[str, ...]) -> None:
    """Compare the answers, time both in turn, print the medians."""
    expected, values = peer(), ours()
    np.testing.assert_allclose([values[term].mean() for term in terms], expected)
    pairs = [(seconds(peer), seconds(ours)) for _ in range(TIMES)]
    slow, fast = (statistics.median(times) for times in zip(*pairs, strict=True))
    print(f"{what:40} {slow * 1e3:9.1f} ms {fast * 1e3:9.2f} ms {slow / fast:7.1f}x {GOAL:5}x")


def seconds(function: Callable[[], Any]) -> float:
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


if __name__ == "__main__":
    main()

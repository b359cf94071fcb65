"""Speed of the bias-variance aggregation.

Run as ``python benchmarks/bias_variance.py`` from the root of the repository. mlxtend gets an estimator
that answers from a table, so that its time is that of its aggregation; ours gets the same table. The
aggregation alone has no public name here: it is a step of `skeval.diagnosis.bias_variance`.
"""

from __future__ import annotations

import importlib
from functools import partial
from typing import Any

import numpy as np
from timing import Work, measure

from skeval.diagnosis._decompositions import squared_parts, zero_one_parts

N_ROUNDS, N_TEST, GOAL = 200, 10_000, 5


def main() -> None:
    """Print one line per loss."""
    measure(partial(zero_one, 2), partial(zero_one, 10), squared)


class Table:
    """Predicts the next row of a table, for any X."""

    def __init__(self, rows: Any) -> None:
        self.rows, self.next = rows, 0

    def fit(self, X: Any, y: Any) -> Table:
        return self

    def predict(self, X: Any) -> Any:
        self.next += 1
        return self.rows[(self.next - 1) % len(self.rows)]


def decomposition(rows: Any, truth: Any, loss: str) -> Any:
    peer = importlib.import_module("mlxtend.evaluate").bias_variance_decomp
    few = np.zeros((10, 1)), np.zeros(10)
    return peer(Table(rows), *few, np.zeros((N_TEST, 1)), truth, loss=loss, num_rounds=N_ROUNDS)


def zero_one(n_classes: int) -> Work:
    rng = np.random.default_rng(0)
    labels, truth = rng.integers(0, n_classes, (N_ROUNDS, N_TEST)), rng.integers(0, n_classes, N_TEST)

    def ours() -> Any:
        return zero_one_parts(labels, truth[:, None], n_classes, definition="domingos").values

    theirs = partial(decomposition, labels, truth, "0-1_loss")
    agree(theirs(), ours(), ("loss", "bias", "variance"))
    what = f"bias and variance, 0-1 loss, K = {n_classes}, 200 rounds, n = 1e4"
    return Work(what, "mlxtend", theirs, ours, GOAL)


def squared() -> Work:
    rng = np.random.default_rng(0)
    values, truth = rng.normal(size=(N_ROUNDS, N_TEST)), rng.normal(size=N_TEST)

    def ours() -> Any:
        return squared_parts(values, truth[:, None]).values

    theirs = partial(decomposition, values, truth, "mse")
    agree(theirs(), ours(), ("loss", "bias_squared", "variance"))
    return Work("bias and variance, squared loss, 200 rounds, n = 1e4", "mlxtend", theirs, ours, GOAL)


def agree(expected: Any, values: Any, terms: tuple[str, ...]) -> None:
    np.testing.assert_allclose([values[term].mean() for term in terms], expected)


if __name__ == "__main__":
    main()

"""The exact null distribution of Friedman's statistic, ties included."""

from __future__ import annotations

import math
from itertools import permutations

import numpy as np

from skeval.utils._validation import FloatArray, IntArray

# Additions that "auto" allows itself (under a second), and those that "exact" refuses.
AUTO_WORK = 4_000_000
MAX_WORK = 30_000_000
# States are counted in an array of up to so many cells.
_MAX_CELLS = 10_000_000


def is_feasible(n_datasets: int, n_methods: int) -> bool:
    """Say whether the exact p-value is quick to compute."""
    return _work(n_datasets, n_methods) <= AUTO_WORK


def n_arrangements(ranks: IntArray) -> int:
    """Return how many different orders a row of ranks has."""
    _, counts = np.unique(ranks, return_counts=True)
    return math.factorial(len(ranks)) // math.prod(math.factorial(count) for count in counts.tolist())


def exact_pvalue(doubled_ranks: IntArray) -> float:
    """Return P(chi2 >= observed) when each data set's ranks are ordered at random.

    The columns are exchangeable, so a state is the sorted vector of rank sums; the first
    row needs no ordering, and the last no state.

    Parameters
    ----------
    doubled_ranks : ndarray of int of shape (n_datasets, n_methods)
        Twice the ranks, whole numbers with mid-ranks too.
    """
    n_datasets, n_methods = doubled_ranks.shape
    if _work(n_datasets, n_methods) > MAX_WORK:
        raise ValueError(
            f"method='exact' is too slow for {n_datasets} data sets of {n_methods} methods: use "
            "method='iman-davenport', which is accurate for a table of this size."
        )
    centered = doubled_ranks - doubled_ranks.mean(axis=1, keepdims=True).astype(np.int64)
    observed = int((centered.sum(axis=0) ** 2).sum())
    rows = np.sort(centered, axis=1)
    orders = {row.tobytes(): _orders(row) for row in np.unique(rows, axis=0)}
    # Rows with ties make the sums half-integers, hence more states: they come last.
    rows = rows[np.argsort([-orders[row.tobytes()].shape[1] for row in rows], kind="stable")]
    states, weights = rows[0][:, None], np.ones(1)
    for row in rows[1:-1]:
        states, weights = _add_row(states, weights, orders[row.tobytes()])
    return _tail(states, weights, orders[rows[-1].tobytes()], observed)


def critical_squares(n_methods: int, alpha: float, n_most: int) -> list[float]:
    """Return the least sum of squares whose exact p-value is at most `alpha`, inf where none is.

    For 2, 3, ..., `n_most` data sets without ties, as far as `is_feasible`; the squares are
    those of the rank sums, doubled and centered.
    """
    row = 2 * np.arange(n_methods) - (n_methods - 1)
    found: list[float] = []
    states, weights, n_datasets = row[:, None], np.ones(1), 2
    while n_datasets <= n_most and is_feasible(n_datasets, n_methods):
        states, weights = _add_row(states, weights, _orders(row))
        squares, where = np.unique((states**2).sum(axis=0), return_inverse=True)
        pvalues = np.cumsum(np.bincount(where, weights=weights)[::-1])[::-1]
        found.append(float(np.append(squares, np.inf)[(pvalues > alpha).sum()]))
        n_datasets += 1
    return found


def _work(n_datasets: int, n_methods: int) -> float:
    """Return about how many additions the sum over sorted vectors takes, ties aside."""
    return float(n_methods) ** (n_methods - 3) * float(n_datasets) ** n_methods


def _orders(row: IntArray) -> IntArray:
    """Return the different orders of a row, a column each."""
    return np.unique(np.array(list(permutations(row.tolist()))), axis=0).T


def _add_row(states: IntArray, weights: FloatArray, orders: IntArray) -> tuple[IntArray, FloatArray]:
    """Return sorted sums (a column each) and their probabilities after one more row."""
    sums = (states[:, :, None] + orders[:, None, :]).reshape(len(states), -1)
    _sort_columns(sums)
    # The sums are centered: all but the last tell a state.
    low = sums[:-1].min(axis=1)
    span = sums[:-1].max(axis=1) - low + 1
    key = np.zeros(sums.shape[1], dtype=np.int64)
    for value, least, width in zip(sums[:-1], low, span, strict=True):
        key = key * width + (value - least)
    share = np.repeat(weights / orders.shape[1], orders.shape[1])
    if np.prod(span.astype(np.float64)) <= _MAX_CELLS:
        total = np.asarray(np.bincount(key, weights=share), dtype=np.float64)
        found = np.flatnonzero(total)
        weights = total[found]
    else:
        found, where = np.unique(key, return_inverse=True)
        weights = np.asarray(np.bincount(where, weights=share), dtype=np.float64)
    first = np.array(np.unravel_index(found, tuple(span))) + low[:, None]
    return np.concatenate([first, -first.sum(axis=0, keepdims=True)]), weights


def _sort_columns(sums: IntArray) -> None:
    """Sort each column in place by exchanges of neighboring rows, all columns at once."""
    n = len(sums)
    for step in range(n):
        for row in range(step % 2, n - 1, 2):
            smaller = np.minimum(sums[row], sums[row + 1])
            np.maximum(sums[row], sums[row + 1], out=sums[row + 1])
            sums[row] = smaller


def _tail(states: IntArray, weights: FloatArray, orders: IntArray, observed: int) -> float:
    """Return the probability that the squares of the sums reach `observed` after the last row."""
    squares = (states**2).sum(axis=0)[:, None] + 2 * states.T @ orders + (orders**2).sum(axis=0)
    return float(((squares >= observed).mean(axis=1) * weights).sum())

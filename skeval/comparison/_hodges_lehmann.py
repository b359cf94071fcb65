"""The Hodges-Lehmann estimate: the median of all averages of two differences, and its interval."""

from __future__ import annotations

import math

import numpy as np
from scipy import stats

from skeval.comparison._sign_flips import positive_sum_pmf
from skeval.utils._validation import IntArray

# Up to so many pairs the interval comes from the exact distribution of the statistic.
EXACT_PAIRS = 200


def hodges_lehmann(units: IntArray) -> float:
    """Return the median of (d_i + d_j)/2 over i <= j, in the units of the differences.

    Parameters
    ----------
    units : ndarray of int of shape (n,)
        Differences as whole numbers.
    """
    ordered = np.sort(units)
    n_averages = len(units) * (len(units) + 1) // 2
    middle = {(n_averages + 1) // 2, n_averages // 2 + 1}  # one place, or two
    return sum(_walsh_sum(ordered, place) for place in middle) / (2 * len(middle))


def hodges_lehmann_interval(
    units: IntArray, unit: float, alternative: str, level: float
) -> tuple[float, float]:
    """Return the interval of the values that Wilcoxon's test does not reject as the difference."""
    tail = (1 - level) / 2 if alternative == "two-sided" else 1 - level
    ordered, n_cut = np.sort(units), n_critical(len(units), tail)
    n_averages = len(units) * (len(units) + 1) // 2
    low, high = -np.inf, np.inf
    if n_cut and alternative != "less":
        low = _walsh_sum(ordered, n_cut) / 2 * unit
    if n_cut and alternative != "greater":
        high = _walsh_sum(ordered, n_averages - n_cut + 1) / 2 * unit
    return low, high


def n_critical(n_pairs: int, tail: float) -> int:
    """Return the number of values of the statistic, from 0 on, whose probability is at most `tail`."""
    if n_pairs <= EXACT_PAIRS:
        below = np.cumsum(positive_sum_pmf(np.arange(1, n_pairs + 1)))
        return int((below <= tail * (1 + 1e-12)).sum())
    mean = n_pairs * (n_pairs + 1) / 4
    spread = math.sqrt(mean * (2 * n_pairs + 1) / 6)
    return max(0, math.floor(mean - float(stats.norm.isf(tail)) * spread + 0.5))


def _walsh_sum(ordered: IntArray, place: int) -> int:
    """Return the sum d_i + d_j, i <= j, that is number `place` (from 1) in ascending order.

    By halving the interval of whole numbers that it may be; counting the sums up to a
    number takes one search per difference.
    """
    low, high = 2 * int(ordered[0]), 2 * int(ordered[-1])
    while low < high:
        middle = (low + high) // 2
        in_any_order = int(np.searchsorted(ordered, middle - ordered, side="right").sum())
        with_itself = int((2 * ordered <= middle).sum())
        if (in_any_order + with_itself) // 2 >= place:
            high = middle
        else:
            low = middle + 1
    return low

"""P-values adjusted for several comparisons."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from skeval.utils._validation import FloatArray, IntArray, check_option, to_floats

# Terms of Rom's sum: the next one is below 1e-18 of the first.
_ROM_TERMS = 45


def _bonferroni(ordered: FloatArray) -> FloatArray:
    return len(ordered) * ordered


def _holm(ordered: FloatArray) -> FloatArray:
    return np.maximum.accumulate(np.arange(len(ordered), 0, -1) * ordered)


def _hochberg(ordered: FloatArray) -> FloatArray:
    return _running_minimum(np.arange(len(ordered), 0, -1) * ordered)


def _hommel(ordered: FloatArray) -> FloatArray:
    """Return the largest Simes p-value of the sets of hypotheses that hold each one."""
    n = len(ordered)
    adjusted = ordered.copy()
    for size in range(2, n + 1):
        # The worst set of this size that holds hypothesis i: the largest p-values and i.
        largest = size * ordered[n - size + 1 :] / np.arange(2, size + 1)
        simes = np.minimum(largest.min(), size * ordered)
        simes[n - size + 1 :] = simes[n - size]
        adjusted = np.maximum(adjusted, simes)
    return adjusted


def _holland(ordered: FloatArray) -> FloatArray:
    return np.maximum.accumulate(_sidak(ordered, np.arange(len(ordered), 0, -1)))


def _finner(ordered: FloatArray) -> FloatArray:
    n = len(ordered)
    return np.maximum.accumulate(_sidak(ordered, n / np.arange(1, n + 1)))


def _sidak(p: FloatArray, power: NDArray[Any]) -> FloatArray:
    """Return 1 - (1 - p)^power with the digits of small p-values kept."""
    with np.errstate(divide="ignore"):  # p = 1: its logarithm is -inf, and the result 1
        return -np.expm1(power * np.log1p(-p))


def _li(ordered: FloatArray) -> FloatArray:
    below = ordered + (1 - ordered[-1])
    return np.divide(ordered, below, out=np.zeros_like(ordered), where=below > 0)


def _rom(ordered: FloatArray) -> FloatArray:
    """Return the running minimum of the levels at which each p-value is Rom's critical value."""
    p, n = ordered[::-1], len(ordered)
    rank = np.arange(1, n + 1)
    # The critical value of rank i at level a lies between a/i and -log(1 - a)/i.
    low, high = -np.expm1(-rank * p), np.minimum(rank * p, 1)
    reached = np.diag(_rom_critical(np.ones(n), n))
    level = np.where(p > reached, 1.0, high)
    open_ = (low < high) & (p <= reached) & (rank > 2)
    if open_.any():
        level[open_] = _rom_level(p[open_], rank[open_], low[open_], high[open_])
    return np.minimum.accumulate(level)[::-1]


def _rom_level(p: FloatArray, rank: IntArray, low: FloatArray, high: FloatArray) -> FloatArray:
    """Return the levels at which the critical values equal `p`: secants of smooth, convex curves."""

    def excess(level: FloatArray) -> FloatArray:
        return _rom_critical(level, int(rank[-1]))[rank - 1, np.arange(len(level))] - p

    before, level = high, low
    value_before, value = excess(before), excess(level)
    for _ in range(50):
        rise = value - value_before
        slope = np.divide(level - before, rise, out=np.zeros_like(level), where=rise != 0)
        before, value_before = level, value
        level = np.clip(level - value * slope, low, high)
        if (np.abs(level - before) <= 1e-15 * level).all():
            break
        value = excess(level)
    return level


def _rom_critical(level: FloatArray, n: int) -> FloatArray:
    """Return Rom's critical values of the largest to the smallest of n p-values, a column per level.

    i c_i = sum_{j=1}^{i-1} level^j - sum_{m=2}^{i-1} C(i, m) c_{i-m+1}^m, c_1 the level.
    """
    critical = np.empty((n, len(level)))
    critical[0] = level
    power = geometric = level
    for i in range(2, n + 1):
        m = np.arange(2, min(i - 1, _ROM_TERMS) + 1)[:, None]
        terms = special.binom(i, m) * critical[i - m[:, 0]] ** m
        critical[i - 1] = (geometric - terms.sum(axis=0)) / i
        power = power * level
        geometric = geometric + power
    return critical


def _benjamini_hochberg(ordered: FloatArray) -> FloatArray:
    return _running_minimum(len(ordered) / np.arange(1, len(ordered) + 1) * ordered)


def _running_minimum(values: FloatArray) -> FloatArray:
    """Return the smallest of each value and those after it."""
    return np.minimum.accumulate(values[::-1])[::-1]


# Each takes p-values in ascending order and returns them adjusted, in that order.
ADJUSTMENTS: dict[str, Callable[[FloatArray], FloatArray]] = {
    "bonferroni": _bonferroni,
    "holm": _holm,
    "hochberg": _hochberg,
    "hommel": _hommel,
    "holland": _holland,
    "finner": _finner,
    "rom": _rom,
    "li": _li,
    "benjamini-hochberg": _benjamini_hochberg,
}


def adjust_pvalues(p: ArrayLike, *, method: str) -> FloatArray:
    """Adjust p-values for the number of comparisons made.

    Parameters
    ----------
    p : array-like of shape (n_comparisons,)
        Each in [0, 1]. A nan stays where it is and does not count as a comparison.
    method : str
        Which of these:

        - "bonferroni", "holm": the probability of any false rejection is at most alpha,
          whatever the dependence. Holm rejects whatever Bonferroni rejects.
        - "hochberg", "hommel", "rom": the same where the tests are independent or
          positively dependent. Hommel and Rom reject whatever Hochberg rejects.
        - "holland": the same where P(all p_i > c_i) is at least the product of the
          P(p_i > c_i): independent tests, two-sided tests of normal statistics.
        - "li": the same where the tests are independent; hardly any power where the largest
          p-value is near 1. With a shared control it rejects too often (7 %, measured).
        - "finner": the same where, besides, all hypotheses are true. Where some are false it
          rejects the others too often (9 %, measured).
        - "benjamini-hochberg": the expected share of false ones among the rejections is at
          most alpha, where the tests are independent or positively dependent.

    Returns
    -------
    ndarray of shape (n_comparisons,)
        Reject where the adjusted p-value is at most alpha. Never above 1, and in the order
        of `p`.

    Raises
    ------
    ValueError
        An unknown method, or a value outside [0, 1].

    Notes
    -----
    Of n p-values in ascending order the i-th becomes, "holland": max_{j <= i}
    1 - (1 - p_j)^(n - j + 1); "finner": max_{j <= i} 1 - (1 - p_j)^(n/j); "li":
    p_i/(p_i + 1 - p_n); "rom": the smallest level at which Rom's step-up procedure rejects
    it (not the ratio of critical values at one level, which holds at that level only).

    Statistics that share a control or a method are correlated; the sizes measured on such
    comparisons are in the documentation.

    References
    ----------
    Holm (1979), Scandinavian Journal of Statistics 6; Hochberg (1988), Hommel (1988) and
    Rom (1990, recursion of section 2), Biometrika 75, 75 and 77; Holland & Copenhaver
    (1987), Biometrics 43; Finner (1993), Journal of the American Statistical Association
    88; Li (2008), Journal of Statistical Planning and Inference 138; Benjamini & Hochberg
    (1995), Journal of the Royal Statistical Society B 57.

    Examples
    --------
    >>> from skeval.comparison import adjust_pvalues
    >>> adjust_pvalues([0.01, 0.04, 0.03], method="holm")
    array([0.03, 0.06, 0.06])
    """
    check_option(method, "method", ADJUSTMENTS)
    pvalues = to_floats(p, "p").copy()
    if pvalues.ndim != 1:
        raise ValueError(f"p must be one-dimensional, got an array of shape {pvalues.shape}.")
    known = np.flatnonzero(~np.isnan(pvalues))
    outside = known[(pvalues[known] < 0) | (pvalues[known] > 1)]
    if len(outside):
        raise ValueError(f"p must lie in [0, 1], got {pvalues[outside[0]]} at position {outside[0]}.")
    order = known[np.argsort(pvalues[known], kind="stable")]
    if len(order):
        pvalues[order] = np.minimum(ADJUSTMENTS[method](pvalues[order]), 1)
    return pvalues

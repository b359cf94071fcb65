"""P-values adjusted for several comparisons."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from skeval.utils._validation import FloatArray, check_option


def _bonferroni(ordered: FloatArray) -> FloatArray:
    return len(ordered) * ordered


def _holm(ordered: FloatArray) -> FloatArray:
    return np.maximum.accumulate(np.arange(len(ordered), 0, -1) * ordered)


def _hochberg(ordered: FloatArray) -> FloatArray:
    return _running_minimum(np.arange(len(ordered), 0, -1) * ordered)


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
    "benjamini-hochberg": _benjamini_hochberg,
}


def adjust_pvalues(p: ArrayLike, *, method: str) -> FloatArray:
    """Adjust p-values for the number of comparisons made.

    Parameters
    ----------
    p : array-like of shape (n_comparisons,)
        Each in [0, 1]. A nan stays where it is and does not count as a comparison.
    method : {"bonferroni", "holm", "hochberg", "benjamini-hochberg"}
        "bonferroni" and "holm" keep the probability of any false rejection at alpha,
        whatever the dependence; "hochberg" too, where the tests are independent or
        positively dependent; "benjamini-hochberg" keeps the expected share of false ones
        among the rejections. Holm rejects whatever Bonferroni rejects.

    Returns
    -------
    ndarray of shape (n_comparisons,)
        Reject where the adjusted p-value is at most alpha. Never above 1, and in the order
        of `p`.

    Raises
    ------
    ValueError
        An unknown method, or a value outside [0, 1].

    References
    ----------
    Holm (1979), Scandinavian Journal of Statistics 6; Hochberg (1988), Biometrika 75;
    Benjamini & Hochberg (1995), Journal of the Royal Statistical Society B 57.

    Examples
    --------
    >>> from skeval.comparison import adjust_pvalues
    >>> adjust_pvalues([0.01, 0.04, 0.03], method="holm")
    array([0.03, 0.06, 0.06])
    """
    check_option(method, "method", ADJUSTMENTS)
    pvalues = np.array(p, dtype=np.float64)
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

"""Intervals for a proportion of counts: accuracy, error rate, recall and other shares."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betainccinv, betaincinv, ndtri

from skeval.exceptions import DegenerateDataWarning
from skeval.intervals._result import IntervalResult
from skeval.utils._validation import FloatArray, check_level, check_option, check_shape, describe
from skeval.utils._warnings import warn_user

Ends = tuple[Any, Any]


def proportion_interval(
    n_successes: ArrayLike, n_samples: ArrayLike, *, method: str = "wilson", confidence_level: float = 0.95
) -> IntervalResult:
    """Confidence interval of a proportion from counts.

    Parameters
    ----------
    n_successes : int or array-like of int
        Samples counted (right answers, errors, positives found), from 0 to `n_samples`.
    n_samples : int or array-like of int
        Samples that could have been counted, at least 1. Arrays broadcast.
    method : {"wilson", "clopper-pearson", "jeffreys", "agresti-coull", "wald"}, default="wilson"
        - "wilson": inverts the score test; coverage near the level on average, also for
          small samples and shares near 0 or 1.
        - "clopper-pearson": inverts the exact binomial test; coverage never below the
          level, mostly above it.
        - "jeffreys": equal-tailed posterior interval under the prior Beta(1/2, 1/2), with
          the end set to 0 at no success and to 1 at no failure.
        - "agresti-coull": the Wald form after adding z^2/2 successes and z^2/2 failures,
          cut at 0 and 1; wider than Wilson near 0 and 1.
        - "wald": p +- z sqrt(p (1 - p)/n), cut at 0 and 1; for comparison with published
          figures only: it has no width at p = 0 and 1, and covers badly near them.
    confidence_level : float, default=0.95
        Strictly between 0 and 1.

    Returns
    -------
    IntervalResult
        Floats, or arrays of the common shape. ``standard_error`` is sqrt(p (1 - p)/n).

    Raises
    ------
    ValueError
        Counts that are negative, broken or more than there are samples, or no samples.

    Warns
    -----
    DegenerateDataWarning
        Wald's interval at p = 0 or 1.

    Notes
    -----
    The samples are independent and `n_samples` does not depend on the outcome. Fractional
    weights are no counts; see `metric_interval`.

    References
    ----------
    Wilson (1927), Journal of the American Statistical Association 22, 209-212. Clopper &
    Pearson (1934), Biometrika 26, 404-413. Brown, Cai & DasGupta (2001), "Interval
    estimation for a binomial proportion", Statistical Science 16, 101-133: the Wilson,
    Agresti-Coull and Jeffreys intervals of section 3.

    Examples
    --------
    >>> from skeval.intervals import proportion_interval
    >>> print(proportion_interval(97, 100))
    proportion 0.97, 0.95 interval [0.9155, 0.9897] (Wilson): probability that a new sample is counted.
    >>> low, high = proportion_interval(0, 50, method="clopper-pearson")
    >>> low, round(high, 3)
    (0.0, 0.071)
    >>> proportion_interval([45, 48], 50).low.round(3)
    array([0.786, 0.865])
    """
    check_option(method, "method", PROPORTION_METHODS)
    level = check_level(confidence_level, "confidence_level")
    x, n = _counts(n_successes, "n_successes"), _counts(n_samples, "n_samples")
    try:
        x, n = np.broadcast_arrays(x, n)
    except ValueError as error:
        raise ValueError(
            f"n_successes and n_samples must have shapes that go together, got {x.shape} and {n.shape}."
        ) from error
    if not x.size:
        raise ValueError("n_successes must hold at least one count, got none.")
    if (n < 1).any():
        raise ValueError(f"n_samples must be at least 1, got {n.min():g}: no samples, no proportion.")
    if (x > n).any():
        where = int(np.flatnonzero(x > n)[0])
        raise ValueError(
            f"n_successes must not exceed n_samples, got {x.flat[where]:g} of {n.flat[where]:g}."
        )
    name, ends, reference = _METHODS[method]
    share = x / n
    low, high = ends(x, n, (1 - level) / 2)
    if method == "wald" and ((x == 0) | (x == n)).any():
        warn_user(
            "degenerate: Wald's interval has no width where the share is 0 or 1; use method='wilson' or "
            "'clopper-pearson'.",
            DegenerateDataWarning,
        )
    # At 0 and n the ends are known; rounding must not push an end over the share or out of [0, 1].
    low = np.where(x == 0, 0.0, np.clip(low, 0, share))
    high = np.where(x == n, 1.0, np.clip(high, share, 1))
    return IntervalResult(
        estimate=_plain(share),
        low=_plain(low),
        high=_plain(high),
        confidence_level=level,
        measure="proportion",
        method=name,
        estimand="probability that a new sample is counted",
        reference=reference,
        standard_error=_plain(np.sqrt(share * (1 - share) / n)),
    )


def _counts(values: ArrayLike, name: str) -> FloatArray:
    check_shape(values, name)
    array = np.asarray(values)
    if array.dtype.kind not in "iuf":
        raise ValueError(f"{name} must hold counts, got {describe(values)}.")
    array = array.astype(np.float64)
    broken = ~((array >= 0) & (array <= 2.0**53) & (array == np.floor(array)))
    if broken.any():
        raise ValueError(
            f"{name} must hold whole numbers not less than 0, got {array[broken].flat[0]}; "
            "for fractional weights see metric_interval(); the largest count is 2**53."
        )
    return array


def _wilson(x: FloatArray, n: FloatArray, tail: float) -> Ends:
    z = -ndtri(tail)
    half = z * np.sqrt(x * (n - x) / n + z**2 / 4)
    return (x + z**2 / 2 - half) / (n + z**2), (x + z**2 / 2 + half) / (n + z**2)


def _clopper_pearson(x: FloatArray, n: FloatArray, tail: float) -> Ends:
    # Beta parameters must be positive; the ends at x = 0 and x = n are set by the caller.
    low = betaincinv(np.maximum(x, 1), n - x + 1, tail)
    high = betainccinv(x + 1, np.maximum(n - x, 1), tail)
    return low, high


def _jeffreys(x: FloatArray, n: FloatArray, tail: float) -> Ends:
    return betaincinv(x + 0.5, n - x + 0.5, tail), betainccinv(x + 0.5, n - x + 0.5, tail)


def _agresti_coull(x: FloatArray, n: FloatArray, tail: float) -> Ends:
    z = -ndtri(tail)
    return _wald(x + z**2 / 2, n + z**2, tail)


def _wald(x: FloatArray, n: FloatArray, tail: float) -> Ends:
    half = -ndtri(tail) * np.sqrt(x / n * (1 - x / n) / n)
    return x / n - half, x / n + half


def _plain(value: Any) -> Any:
    return value.item() if np.ndim(value) == 0 else value


_SURVEY = "Brown, Cai & DasGupta (2001), Statistical Science 16, 101-133"
_METHODS: dict[str, tuple[str, Callable[[FloatArray, FloatArray, float], Ends], str]] = {
    "wilson": ("Wilson", _wilson, _SURVEY),
    "clopper-pearson": ("Clopper-Pearson", _clopper_pearson, "Clopper & Pearson (1934), Biometrika 26"),
    "jeffreys": ("Jeffreys", _jeffreys, _SURVEY),
    "agresti-coull": ("Agresti-Coull", _agresti_coull, _SURVEY),
    "wald": ("Wald", _wald, _SURVEY),
}
PROPORTION_METHODS = tuple(_METHODS)

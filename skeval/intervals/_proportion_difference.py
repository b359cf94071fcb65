"""Intervals for the difference of two shares: paired (two models, one test set) or independent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr, ndtri

from skeval.exceptions import DegenerateDataWarning
from skeval.intervals._proportion import proportion_interval
from skeval.intervals._result import IntervalResult
from skeval.utils._validation import check_level, check_option, describe
from skeval.utils._warnings import warn_user

Ends = tuple[float, float]

# Halvings of an interval of length 2 until nothing is left of it.
_HALVINGS = 60


def paired_difference_interval(
    table: ArrayLike, *, method: str = "newcombe", confidence_level: float = 0.95
) -> IntervalResult:
    """Confidence interval of the difference of two shares on the same samples, from a 2 x 2 table.

    For the accuracies of two models on one test set.

    Parameters
    ----------
    table : array-like of int of shape (2, 2)
        ``[[both, only the first], [only the second, neither]]``: how many samples both
        models get right, and so on; as `mcnemar_from_table` takes it.
    method : {"newcombe", "tango", "bonett-price", "agresti-min", "wald"}, default="newcombe"
        - "newcombe": from the Wilson intervals of the two shares and their correlation
          (square-and-add, phi with continuity correction).
        - "tango": inverts the score test.
        - "bonett-price": Wald after adding one sample to each of the discordant cells.
        - "agresti-min": Wald after adding half a sample to each cell.
        - "wald": for comparison with published figures only; no width without discordant
          samples.
    confidence_level : float, default=0.95
        Strictly between 0 and 1.

    Returns
    -------
    IntervalResult
        ``estimate`` is first minus second.

    Raises
    ------
    ValueError
        Counts that are negative, broken, or all zero; another shape.

    Warns
    -----
    DegenerateDataWarning
        Wald's interval without discordant samples.

    References
    ----------
    Newcombe (1998), Statistics in Medicine 17, 2635-2650, method 10. Tango (1998),
    Statistics in Medicine 17, 891-908. Bonett & Price (2012), Journal of Educational and
    Behavioral Statistics 37, 479-488. Agresti & Min (2005), Statistics in Medicine 24,
    729-740.

    Examples
    --------
    >>> from skeval.intervals import paired_difference_interval
    >>> result = paired_difference_interval([[160, 25], [10, 5]])
    >>> f"{result.estimate:.3f} [{result.low:.3f}, {result.high:.3f}]"
    '0.075 [0.017, 0.135]'
    """
    check_option(method, "method", _PAIRED)
    level = check_level(confidence_level, "confidence_level")
    counts = _counts(table, "table", "[[both, only the first], [only the second, neither]]")
    z = -float(ndtri((1 - level) / 2))
    name, ends, reference = _PAIRED[method]
    n_samples, first, second = int(counts.sum()), int(counts[0, 1]), int(counts[1, 0])
    if n_samples == 0:
        raise ValueError("table must hold at least one sample, got none.")
    if method == "wald" and first + second == 0:
        warn_user(
            "degenerate: Wald's interval has no width where no sample is discordant; use method='newcombe' "
            "or 'tango'.",
            DegenerateDataWarning,
        )
    estimate = (first - second) / n_samples
    return _result(estimate, ends(counts, z), level, name, reference, _paired_error(counts))


def independent_difference_interval(
    n_successes: ArrayLike, n_samples: ArrayLike, *, method: str = "newcombe", confidence_level: float = 0.95
) -> IntervalResult:
    """Confidence interval of the difference of two shares of independent samples.

    For the accuracies of two models on two test sets.

    Parameters
    ----------
    n_successes, n_samples : array-like of int of shape (2,)
        Counted samples, and samples, of the first and the second set.
    method : {"newcombe", "miettinen-nurminen", "mee", "agresti-caffo", "wald"}, \
default="newcombe"
        - "newcombe": from the Wilson intervals of the two shares (hybrid score).
        - "miettinen-nurminen": inverts the score test, variance times N/(N - 1).
        - "mee": inverts the score test.
        - "agresti-caffo": Wald after adding one success and one failure to each set.
        - "wald": for comparison with published figures only.
    confidence_level : float, default=0.95
        Strictly between 0 and 1.

    Returns
    -------
    IntervalResult
        ``estimate`` is first minus second.

    Raises
    ------
    ValueError
        Counts that are negative, broken or more than there are samples; no samples.

    Warns
    -----
    DegenerateDataWarning
        Wald's interval where both shares are 0 or 1.

    References
    ----------
    Newcombe (1998), Statistics in Medicine 17, 873-890, method 10. Miettinen & Nurminen
    (1985), Statistics in Medicine 4, 213-226. Mee (1984), Biometrics 40, 1175-1176. Agresti
    & Caffo (2000), The American Statistician 54, 280-288.

    Examples
    --------
    >>> from skeval.intervals import independent_difference_interval
    >>> result = independent_difference_interval([56, 48], [70, 80])
    >>> f"{result.estimate:.3f} [{result.low:.3f}, {result.high:.3f}]"
    '0.200 [0.052, 0.334]'
    """
    check_option(method, "method", _INDEPENDENT)
    level = check_level(confidence_level, "confidence_level")
    counts = _counts([n_successes, n_samples], "n_successes and n_samples", "two numbers each")
    x, n = counts
    if (n < 1).any():
        raise ValueError(f"n_samples must be at least 1, got {int(n.min())}: no samples, no proportion.")
    if (x > n).any():
        where = int(np.flatnonzero(x > n)[0])
        raise ValueError(f"n_successes must not exceed n_samples, got {int(x[where])} of {int(n[where])}.")
    z = -float(ndtri((1 - level) / 2))
    name, ends, reference = _INDEPENDENT[method]
    p = x / n
    error = float((p * (1 - p) / n).sum() ** 0.5)
    if method == "wald" and error == 0:
        warn_user(
            "degenerate: Wald's interval has no width where both shares are 0 or 1; use method='newcombe'.",
            DegenerateDataWarning,
        )
    return _result(float(p[0] - p[1]), ends(x, n, z), level, name, reference, error)


def _result(
    estimate: float, ends: Ends, level: float, name: str, reference: str, error: float
) -> IntervalResult:
    return IntervalResult(
        estimate=estimate,
        low=max(-1.0, min(ends[0], estimate)),
        high=min(1.0, max(ends[1], estimate)),
        confidence_level=level,
        measure="difference of proportions",
        method=name,
        estimand="probability that a new sample is counted, first minus second",
        reference=reference,
        standard_error=error,
    )


def _counts(values: Any, name: str, shape: str) -> Any:
    try:
        array = np.asarray(values)
    except ValueError as error:
        raise ValueError(f"{name} must be {shape}, got {describe(values)}.") from error
    if array.shape != (2, 2) or array.dtype.kind not in "iuf":
        raise ValueError(f"{name} must be {shape}, got {describe(values)}.")
    array = array.astype(np.float64)
    if not (np.isfinite(array) & (array >= 0) & (array == np.floor(array))).all():
        raise ValueError(f"{name} must hold whole numbers not less than 0, got {array.tolist()}.")
    return array


# --- paired: counts = [[both, only the first], [only the second, neither]]


def _paired_error(counts: Any, added: float = 0.0) -> float:
    """Return the standard error of the difference, `added` samples in each discordant cell."""
    first, second = counts[0, 1] + added, counts[1, 0] + added
    n_samples = counts.sum() + 2 * added
    return float((first + second - (first - second) ** 2 / n_samples) ** 0.5 / n_samples)


def _paired_wald(counts: Any, z: float) -> Ends:
    centre = (counts[0, 1] - counts[1, 0]) / counts.sum()
    half = z * _paired_error(counts)
    return centre - half, centre + half


def _agresti_min(counts: Any, z: float) -> Ends:
    return _paired_wald(counts + 0.5, z)


def _bonett_price(counts: Any, z: float) -> Ends:
    centre = (counts[0, 1] - counts[1, 0]) / (counts.sum() + 2)
    half = z * _paired_error(counts, added=1.0)
    return centre - half, centre + half


def _paired_newcombe(counts: Any, z: float) -> Ends:
    n_samples = counts.sum()
    margins = np.array([counts.sum(axis=1), counts.sum(axis=0)])  # of the first, of the second model
    spread = float(np.prod(margins)) ** 0.5
    covariance = float(counts[0, 0] * counts[1, 1] - counts[0, 1] * counts[1, 0])
    if covariance > 0:  # Newcombe's continuity correction
        covariance = max(0.0, covariance - n_samples / 2)
    correlation = covariance / spread if spread else 0.0
    return _square_and_add(margins[:, 0], np.array([n_samples, n_samples]), z, correlation)


def _tango(counts: Any, z: float) -> Ends:
    n_samples, first, second = counts.sum(), counts[0, 1], counts[1, 0]

    def misfit(delta: float) -> float:
        linear = (2 * n_samples - first + second) * delta - first - second
        root = max(0.0, linear**2 + 8 * n_samples * second * delta * (1 - delta)) ** 0.5
        share = (root - linear) / (4 * n_samples)  # of samples that only the second gets right
        variance = max(0.0, n_samples * (2 * share + delta * (1 - delta)))
        return float((first - second - n_samples * delta) ** 2 - z**2 * variance)

    return _score_ends(misfit, (first - second) / n_samples)


# --- independent: counts and sizes of the two sets


def _square_and_add(x: Any, n: Any, z: float, correlation: float = 0.0) -> Ends:
    """Combine two Wilson intervals to one of the difference."""
    p = x / n
    (low_1, low_2), (high_1, high_2) = _wilson(x, n, z)
    downs = p[0] - low_1, high_2 - p[1]
    ups = high_1 - p[0], p[1] - low_2
    down, up = (max(0.0, a**2 - 2 * correlation * a * b + b**2) ** 0.5 for a, b in (downs, ups))
    difference = float(p[0] - p[1])
    return float(difference - down), float(difference + up)


def _wilson(x: Any, n: Any, z: float) -> tuple[Any, Any]:
    result = proportion_interval(x, n, confidence_level=float(2 * ndtr(z) - 1))
    return result.low, result.high


def _independent_wald(x: Any, n: Any, z: float) -> Ends:
    p = x / n
    half = z * float((p * (1 - p) / n).sum() ** 0.5)
    difference = float(p[0] - p[1])
    return difference - half, difference + half


def _agresti_caffo(x: Any, n: Any, z: float) -> Ends:
    return _independent_wald(x + 1, n + 2, z)


def _mee(x: Any, n: Any, z: float, factor: float = 1.0) -> Ends:
    def misfit(delta: float) -> float:
        second = _restricted_share(x, n, delta)
        shares = np.clip([second + delta, second], 0, 1)
        variance = factor * float((shares * (1 - shares) / n).sum())
        return float((x[0] / n[0] - x[1] / n[1] - delta) ** 2 - z**2 * variance)

    return _score_ends(misfit, float(x[0] / n[0] - x[1] / n[1]))


def _miettinen_nurminen(x: Any, n: Any, z: float) -> Ends:
    return _mee(x, n, z, factor=float(n.sum() / (n.sum() - 1)))


def _restricted_share(x: Any, n: Any, delta: float) -> float:
    """Return the most likely share of the second set where the difference is `delta`.

    The root of a cubic in trigonometric form (Miettinen & Nurminen 1985, appendix I).
    """
    total, counted = n.sum(), x.sum()
    square = ((n[0] + 2 * n[1]) * delta - total - counted) / (3 * total)
    linear = ((n[1] * delta - total - 2 * x[1]) * delta + counted) / (3 * total)
    constant = x[1] * delta * (1 - delta) / (2 * total)
    q = square**3 - 1.5 * linear * square + constant
    p = np.copysign(max(0.0, square**2 - linear) ** 0.5, q)
    angle = (np.pi + np.arccos(np.clip(q / p**3, -1, 1) if p else 0.0)) / 3
    return float(np.clip(2 * p * np.cos(angle) - square, max(0.0, -delta), min(1.0, 1 - delta)))


def _score_ends(misfit: Callable[[float], float], estimate: float) -> Ends:
    """Return where the misfit, below 0 round the estimate, becomes positive on either side."""
    ends = []
    for outside in (-1.0, 1.0):
        inside = estimate
        for _ in range(_HALVINGS):
            middle = (inside + outside) / 2
            if misfit(middle) > 0:
                outside = middle
            else:
                inside = middle
        ends.append((inside + outside) / 2)
    return ends[0], ends[1]


_Method = tuple[str, Callable[..., Ends], str]
_PAIRED: dict[str, _Method] = {
    "newcombe": ("Newcombe", _paired_newcombe, "Newcombe (1998), Statistics in Medicine 17, 2635-2650"),
    "tango": ("Tango", _tango, "Tango (1998), Statistics in Medicine 17, 891-908"),
    "bonett-price": ("Bonett-Price", _bonett_price, "Bonett & Price (2012), JEBS 37, 479-488"),
    "agresti-min": ("Agresti-Min", _agresti_min, "Agresti & Min (2005), Statistics in Medicine 24, 729-740"),
    "wald": ("Wald", _paired_wald, "Newcombe (1998), Statistics in Medicine 17, 2635-2650, method 1"),
}
_INDEPENDENT: dict[str, _Method] = {
    "newcombe": ("Newcombe", _square_and_add, "Newcombe (1998), Statistics in Medicine 17, 873-890"),
    "miettinen-nurminen": (
        "Miettinen-Nurminen",
        _miettinen_nurminen,
        "Miettinen & Nurminen (1985), Statistics in Medicine 4, 213-226",
    ),
    "mee": ("Mee", _mee, "Mee (1984), Biometrics 40, 1175-1176"),
    "agresti-caffo": (
        "Agresti-Caffo",
        _agresti_caffo,
        "Agresti & Caffo (2000), The American Statistician 54, 280-288",
    ),
    "wald": ("Wald", _independent_wald, "Newcombe (1998), Statistics in Medicine 17, 873-890, method 1"),
}

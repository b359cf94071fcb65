"""The ends of a bootstrap interval: basic, and bias-corrected and accelerated (BCa)."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from skeval.utils._resamples import percentile_ends
from skeval.utils._validation import FloatArray, IntArray

Ends = tuple[float, float]


def basic_ends(replicates: FloatArray, estimate: float, tail: float) -> Ends:
    """Reflect the percentile interval at the estimate (Davison & Hinkley 1997, equation 5.6)."""
    low, high = percentile_ends(replicates, (tail, 1 - tail))
    return 2 * estimate - high, 2 * estimate - low


def bca_tails(
    replicates: FloatArray, estimate: float, acceleration: float, tail: float
) -> tuple[float, float] | None:
    """Return the tails that BCa takes of the replicates (Efron & Tibshirani 1993, equation 14.10).

    Replicates equal to the estimate count half: measures of counts take few values.

    Returns
    -------
    tuple or None
        None where BCa is undefined: all replicates lie on one side of the estimate, or the
        acceleration is unknown, or too large for these tails.
    """
    close = equal_to(replicates, estimate)
    below = float(((replicates < estimate) & ~close).mean() + close.mean() / 2)
    if not 0 < below < 1 or np.isnan(acceleration):
        return None
    bias = float(ndtri(below))
    tails = []
    for z in (float(ndtri(tail)), -float(ndtri(tail))):
        shrink = 1 - acceleration * (bias + z)
        if shrink <= 0:
            return None
        tails.append(float(ndtr(bias + (bias + z) / shrink)))
    return tails[0], tails[1]


def equal_to(replicates: FloatArray, value: float) -> NDArray[np.bool_]:
    """Return which replicates equal a value up to rounding."""
    return np.asarray(np.abs(replicates - value) <= 1e-12 * max(1.0, abs(value)))


def acceleration_of(cases: Iterable[tuple[FloatArray, IntArray, IntArray]]) -> float:
    """Return the acceleration from a jackknife.

    sum(l^3/n^3) / (6 sum(l^2/n^2)^(3/2)) with l = (n - 1)(mean of the left-out values - the
    left-out value), over the n cases of each stratum (Davison & Hinkley 1997, section 5.3.2).

    Parameters
    ----------
    cases : iterable of (values, counts, strata)
        The measure without one unit, how many units give that value, and their stratum.

    Returns
    -------
    float
        nan where a left-out value is undefined, or none differs.
    """
    values, counts, strata = (np.concatenate(part) for part in zip(*cases, strict=True))
    cubes = squares = 0.0
    for stratum in np.unique(strata):
        chosen = strata == stratum
        each, count = values[chosen], counts[chosen]
        size = int(count.sum())
        if size > 1:  # a single unit is drawn every time
            influence = (size - 1) * ((each @ count) / size - each)
            cubes += float((influence / size) ** 3 @ count)
            squares += float((influence / size) ** 2 @ count)
    return cubes / (6 * squares**1.5) if squares > 0 else np.nan

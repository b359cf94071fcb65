"""The range of independent standard normals: Nemenyi's null distribution, right in the far tail."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike
from scipy import optimize, special

from skeval.utils._validation import FloatArray, check_int

# Beyond these the integrand is below the last digit of the integral.
_LOWER_MASS = 1e-18
_REACH_OF_ONE, _REACH_OF_TAIL = 8.5, 6.5


def range_sf(q: ArrayLike, n_methods: int) -> FloatArray:
    """Return P(range of `n_methods` standard normals > q).

    k Int phi(z) {Phi(z)^(k-1) - [Phi(z) - Phi(z-q)]^(k-1)} dz, z the largest: the tail is
    summed itself, and so keeps its digits where 1 - cdf has none left.

    Parameters
    ----------
    q : array-like
        Not negative.
    n_methods : int
        k, at least 2.
    """
    k = check_int(n_methods, "n_methods", minimum=2)
    values = np.asarray(q, dtype=np.float64)
    # The largest of k lies above `low`; far in the tail it is around q/2.
    low = special.ndtri(_LOWER_MASS ** (1 / (k - 1)))
    high = max(_REACH_OF_ONE, values.max(initial=0) / 2 + _REACH_OF_TAIL)
    # The trapezoidal rule on a smooth function that vanishes at both ends: 13 digits with this step.
    step = 0.2 if k <= 50 else 0.1
    z = np.arange(low, high, step)
    below = special.ndtr(z)
    weight = step * k * np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi) * below ** (k - 1)
    share = np.minimum(special.ndtr(z - values[..., None]) / below, 1)
    with np.errstate(divide="ignore"):  # q = 0: the share is 1, its logarithm -inf, the bracket 1
        bracket = -np.expm1((k - 1) * np.log1p(-share))
    return np.where(values > 0, np.minimum(bracket @ weight, 1), 1.0)


@lru_cache(maxsize=128)  # a study asks for the same quantile at every table
def range_isf(pvalue: float, n_methods: int) -> float:
    """Return the q with P(range > q) = `pvalue`."""
    k = check_int(n_methods, "n_methods", minimum=2)
    # One pair alone gives a lower bound, the sum over all pairs an upper one.
    low = -(2**0.5) * float(special.ndtri(pvalue / 2))
    high = -(2**0.5) * float(special.ndtri(pvalue / (k * (k - 1))))
    if k == 2:
        return low

    def excess(q: float) -> float:
        return float(np.log(range_sf(q, k))) - np.log(pvalue)

    return float(optimize.brentq(excess, low, high, xtol=1e-13, rtol=1e-14))

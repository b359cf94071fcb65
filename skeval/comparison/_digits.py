"""Scores rounded to ten digits, so that those which tie as decimals tie."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from skeval.utils._validation import FloatArray

# Scores that agree in this many digits of the largest beside them tie.
DIGITS = 10


def to_digits(scores: FloatArray, largest: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Return scores as whole numbers of a unit, the tenth digit of `largest`, and the unit.

    Parameters
    ----------
    scores : ndarray
    largest : array-like of float
        The size that gives the digits, broadcast against `scores`; 0 where all are 0.
    """
    size = np.asarray(largest, dtype=np.float64)
    exponent = np.floor(np.log10(np.where(size > 0, size, 1.0)))
    # A power of ten below 1e-307 has few digits or none: such scores are enlarged first.
    enlarged = np.where(exponent < -300, 300.0, 0.0)
    shares = scores * 10.0**enlarged / 10.0 ** (exponent + enlarged)
    return np.rint(shares * 10.0 ** (DIGITS - 1)), 10.0 ** (exponent - DIGITS + 1)

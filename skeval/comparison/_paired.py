"""Scores of two methods on the same data sets or samples, and their differences in whole units."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skeval.comparison._digits import to_digits
from skeval.exceptions import MissingScoreError
from skeval.model_selection._cv_scores import CVScores
from skeval.model_selection._paired_scores import ROUNDING
from skeval.utils._validation import (
    LARGEST,
    FloatArray,
    IntArray,
    check_option,
    check_same_length,
    check_vector,
    to_floats,
)


class Pairs(NamedTuple):
    """Scores of two methods, none missing, and how many pairs were given."""

    a: FloatArray
    b: FloatArray
    n_total: int

    @property
    def differences(self) -> FloatArray:
        """a - b, and exactly 0 where only rounding differs."""
        differences = self.a - self.b
        return np.where(np.abs(differences) <= self.rounding, 0.0, differences)

    @property
    def rounding(self) -> float:
        """A difference no larger than this is rounding of the scores."""
        return ROUNDING * float(np.abs([self.a, self.b]).max())

    @property
    def counts(self) -> dict[str, int]:
        """Pairs used and given, for the details of a result."""
        return {"n_used": len(self.a), "n_total": self.n_total}


def check_pairs(a: Any, b: Any, *, nan_policy: str = "raise") -> Pairs:
    """Return the scores of two methods as arrays of one length.

    Parameters
    ----------
    a, b : array-like of shape (n_pairs,)
        Positions count, an index does not.
    nan_policy : {"raise", "omit"}, default="raise"
        "omit" drops the pairs where a score is missing.
    """
    check_option(nan_policy, "nan_policy", ("raise", "omit"))
    (first, first_missing), (second, second_missing) = (
        _read(values, name, nan_policy) for name, values in (("a", a), ("b", b))
    )
    n_total = check_same_length(a=first, b=second)
    keep = ~(first_missing | second_missing)
    if not keep.any():
        raise ValueError(f"a and b must have a pair without a missing score, got none in {n_total}.")
    return Pairs(first[keep], second[keep], n_total)


def _read(values: Any, name: str, nan_policy: str) -> tuple[FloatArray, NDArray[np.bool_]]:
    """Return one method's scores, 0 where one is missing, and where that is."""
    if isinstance(values, (Mapping, CVScores)):
        raise ValueError(
            f"{name} must be an array with one score per data set or sample. Scores of the splits of one "
            "data set are not independent: compare those by corrected_resampled_ttest."
        )
    scores = to_floats(values, name)
    missing = np.isnan(scores)
    if missing.any() and nan_policy == "raise":
        raise MissingScoreError(
            f"{name} must not be missing, got nan at position {int(missing.argmax())} (counted from 0): "
            "mend that score, or drop the pair."
        )
    array = check_vector(np.where(missing, 0.0, scores), name, largest=LARGEST)
    return array, missing.reshape(array.shape)


def whole_units(pairs: Pairs) -> tuple[IntArray, float]:
    """Return the differences as whole numbers, and the score that one unit is.

    Scores are rounded to ten significant digits of the largest first: differences that tie
    as decimals tie, and scores in percent give the same numbers as shares.
    """
    # A unit below 1e-309 would have no digits.
    largest = max(float(np.abs([pairs.a, pairs.b]).max()), 1e-300)
    (first, second), unit = to_digits(np.array([pairs.a, pairs.b]), largest)
    return (first - second).astype(np.int64), float(unit)

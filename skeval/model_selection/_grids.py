"""Grids of parameter values, and the number of fits that a search will take."""

from __future__ import annotations

import numbers
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import ParameterGrid, check_cv

from skeval.utils._validation import check_int, check_real


def parameter_range(low: float, high: float, step: float) -> NDArray[Any]:
    """Return low, low + step, ... up to high, which is included where the steps reach it.

    Parameters
    ----------
    low, high : int or float
        Ends of the range, finite; `high` not less than `low`.
    step : int or float
        Step, greater than 0.

    Returns
    -------
    ndarray of shape (n_values,)
        int64 where all three are ints, else float64.

    Raises
    ------
    ValueError
        An end is not finite, `high` is below `low`, or `step` is not positive; an int is too
        large for int64.

    Notes
    -----
    The sums are those of the decimals as written, so that 3 steps of 0.05 are 0.15 and
    not 0.15000000000000002.

    Examples
    --------
    >>> from skeval.model_selection import parameter_range
    >>> print(parameter_range(0, 0.2, 0.05))
    [0.   0.05 0.1  0.15 0.2 ]
    >>> print(parameter_range(1, 9, 2))
    [1 3 5 7 9]
    """
    values = (low, high, step)
    whole = all(isinstance(value, numbers.Integral) for value in values)
    bounds = np.finfo(float).max
    first, last = (
        check_real(value, name, low=-bounds, high=bounds) for value, name in ((low, "low"), (high, "high"))
    )
    check_real(step, "step", low=0, high=bounds, closed="right")
    if last < first:
        raise ValueError(f"high must not be less than low={low}, got {high}.")
    start, end, width = (Fraction(int(value)) if whole else Fraction(repr(float(value))) for value in values)
    if whole and not all(-(2**63) <= int(value) < 2**63 for value in values):
        raise ValueError(f"low, high and step must be ints below 2**63 in size, got {values}; give floats.")
    steps = range((end - start) // width + 1)
    if whole:
        return np.array([int(start + width * which) for which in steps], dtype=np.int64)
    return np.array([float(start + width * which) for which in steps])


def count_fits(grid: Mapping[str, Any] | Iterable[Mapping[str, Any]], cv: Any) -> int:
    """Return how many models a search over `grid` with `cv` fits: candidates x splits.

    The final fit of the winner on all samples is one more.

    Parameters
    ----------
    grid : dict or list of dict
        What ``GridSearchCV`` takes; ``{}`` is one candidate: a plain cross-validation.
    cv : int, splitter or iterable of (train, test)
        What scikit-learn takes for ``cv``. For leave-one-out give the number of samples.

    Returns
    -------
    int

    Raises
    ------
    ValueError
        The splitter needs the data to count its splits.

    Examples
    --------
    Three parameters with five values each, in a 10-fold cross-validation:

    >>> from skeval.model_selection import count_fits, parameter_range
    >>> values = parameter_range(0, 0.2, 0.05)
    >>> count_fits({"alpha": values, "l1_ratio": values, "tol": values}, cv=10)
    1250
    """
    candidates = len(ParameterGrid(grid))
    if isinstance(cv, numbers.Integral):
        return candidates * check_int(cv, "cv", minimum=2)
    try:
        return candidates * int(check_cv(cv).get_n_splits())
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"cv={cv!r} does not tell its number of splits without data ({error}); "
            "give that number itself as cv."
        ) from error

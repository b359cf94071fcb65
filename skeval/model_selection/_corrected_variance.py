"""The variance of a mean over splits that share training rows (Nadeau & Bengio 2003, equation 9)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from skeval.utils._validation import FloatArray


def size_ratio(n_train: ArrayLike, n_test: ArrayLike) -> float:
    """Return mean n_test / mean n_train of the distinct rows of splits."""
    return float(np.asarray(n_test).mean() / np.asarray(n_train).mean())


def variance_factor(n_splits: int, ratio: float) -> float:
    """Return 1/J + n_test/n_train, by which the variance over J splits becomes that of their mean."""
    return 1 / n_splits + ratio


def corrected_variance(scores: FloatArray, ratio: float) -> Any:
    """Return the variance of the mean over splits, corrected for shared training rows.

    Parameters
    ----------
    scores : ndarray of shape (..., n_splits)
        Scores, or what else each split gives.
    ratio : float
        Test rows per training row, as `size_ratio` gives it; 0 for independent runs.
    """
    return variance_factor(scores.shape[-1], ratio) * scores.var(axis=-1, ddof=1)

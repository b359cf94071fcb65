"""Proper scores of predicted probabilities: log loss and Brier scores, means of losses per sample."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from skeval.metrics._pointwise import brier_losses, log_losses, multiclass_brier_losses
from skeval.metrics._ranked_counts import Floats
from skeval.utils._validation import check_sample_weight


def log_loss(
    y_true: Any,
    y_prob: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Mean of minus the logarithm of the probability given to the true class.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Labels.
    y_prob : array-like of shape (n_samples,) or (n_samples, K)
        Probability of the positive class, or of every class, rows that sum to 1. Cut to
        [eps, 1 - eps], eps the precision of the floats, as in scikit-learn.
    labels : array-like of shape (K,), default=None
        Classes of the columns, also those that `y_true` lacks; None: its sorted labels.
    pos_label : label or None, default=None
        Of one column: None is 1 (True) for labels within {0, 1}, {-1, 1} or {False, True};
        otherwise it must be named.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights, not negative.

    Returns
    -------
    float
        Not negative.

    Raises
    ------
    ValueError
        Probabilities outside [0, 1] or that do not sum to 1, or labels without a column.

    References
    ----------
    Good (1952), "Rational decisions", Journal of the Royal Statistical Society B 14, 107-114.

    Examples
    --------
    >>> from skeval.metrics import log_loss
    >>> y_prob = [[0.7, 0.2, 0.1], [0.5, 0.3, 0.2], [0.2, 0.6, 0.2], [0.3, 0.5, 0.2]]
    >>> round(log_loss([0, 0, 1, 1], y_prob, labels=[0, 1, 2]), 4)
    0.5634
    """
    return _mean(log_losses(y_true, y_prob, "y_prob", labels=labels, pos_label=pos_label), sample_weight)


def brier_score(
    y_true: Any, y_prob: ArrayLike, *, pos_label: Any = None, sample_weight: ArrayLike | None = None
) -> float:
    """Brier score of two classes: mean squared error of the probability of the positive class.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Labels of two classes.
    y_prob : array-like of shape (n_samples,)
        Probability of the positive class.
    pos_label : label or None, default=None
        None is 1 (True) for labels within {0, 1}, {-1, 1} or {False, True}; otherwise it must
        be named.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights, not negative.

    Returns
    -------
    float
        In [0, 1]; the smaller, the better. 0.25 for a constant 1/2.

    Raises
    ------
    ValueError
        Probabilities outside [0, 1], or more than two classes.

    References
    ----------
    Brier (1950), "Verification of forecasts expressed in terms of probability", Monthly
    Weather Review 78, 1-3; half of its equation 2, as usual for two classes.

    Examples
    --------
    >>> from skeval.metrics import brier_score
    >>> brier_score(["bad", "good", "bad", "good"], [0.9, 0.8, 0.2, 0.85], pos_label="bad")
    0.503125
    """
    return _mean(brier_losses(y_true, y_prob, "y_prob", pos_label=pos_label), sample_weight)


def multiclass_brier_score(
    y_true: Any,
    y_prob: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Brier score of K classes: mean of the squared errors of the probabilities, summed over classes.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Labels.
    y_prob : array-like of shape (n_samples, K)
        Probability of every class, rows that sum to 1.
    labels : array-like of shape (K,), default=None
        Classes of the columns, also those that `y_true` lacks; None: its sorted labels.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights, not negative.

    Returns
    -------
    float
        In [0, 2]; the smaller, the better. For two classes twice `brier_score`.

    Raises
    ------
    ValueError
        Probabilities outside [0, 1] or that do not sum to 1, or labels without a column.

    References
    ----------
    Brier (1950), "Verification of forecasts expressed in terms of probability", Monthly
    Weather Review 78, 1-3, equation 2.

    Examples
    --------
    >>> from skeval.metrics import multiclass_brier_score
    >>> round(multiclass_brier_score([0, 2], [[0.7, 0.2, 0.1], [0.0, 0.5, 0.5]]  , labels=[0, 1, 2]), 3)
    0.32
    """
    return _mean(multiclass_brier_losses(y_true, y_prob, "y_prob", labels=labels), sample_weight)


def _mean(losses: Floats, sample_weight: ArrayLike | None) -> float:
    if not len(losses):
        raise ValueError("y_true and y_prob hold no samples.")
    return float(np.average(losses, weights=check_sample_weight(sample_weight, len(losses))))

"""Functions of unequal costs: of labels by a cost matrix, of scores by the cost curve."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from skeval.metrics._confusion import ConfusionMatrix
from skeval.metrics._cost import CostCurve
from skeval.metrics._ranking import RankedScores
from skeval.utils._labels import to_labels
from skeval.utils._validation import check_shape


def cost_sensitive_error(
    y_true: Any,
    y_pred: Any,
    *,
    cost: ArrayLike,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Mean cost of the predictions.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,)
        Labels.
    cost : array-like of shape (K, K)
        ``cost[i, j]``: cost of predicting ``labels[j]`` for a sample of ``labels[i]``.
    labels : array-like of shape (K,), default=None
        Classes in the order of the rows of `cost`. May be left out only where the labels
        are the row numbers 0, ..., K - 1 (or False, True).
    sample_weight : array-like of shape (n_samples,), default=None
        Weights, not negative.

    Returns
    -------
    float
        sum(counts x cost) / n_samples, in the unit of `cost`.

    Raises
    ------
    ValueError
        `cost` does not fit the labels, or the order of its rows is not known.

    Examples
    --------
    >>> from skeval.metrics import cost_sensitive_error
    >>> cost_sensitive_error(["ill", "well", "well"], ["well", "well", "ill"],
    ...                      cost=[[0, 10], [1, 0]], labels=["ill", "well"])
    3.6666666666666665
    """
    labels = _cost_labels(y_true, y_pred, cost, labels)
    matrix = ConfusionMatrix.from_predictions(y_true, y_pred, labels=labels, sample_weight=sample_weight)
    return float(matrix.cost(cost))


def cost_sensitive_accuracy(
    y_true: Any,
    y_pred: Any,
    *,
    cost: ArrayLike,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """1 - cost / largest possible cost: the share of the cost at stake that was avoided.

    Parameters
    ----------
    y_true, y_pred, cost, labels, sample_weight
        As in `cost_sensitive_error`; no cost is negative.

    Returns
    -------
    float
        1 - sum(counts x cost) / sum_i n_i max_j cost[i, j].

    Raises
    ------
    ValueError
        As in `cost_sensitive_error`, or a cost is negative.

    Examples
    --------
    >>> from skeval.metrics import cost_sensitive_accuracy
    >>> cost_sensitive_accuracy(["ill", "well", "well"], ["ill", "well", "ill"],
    ...                         cost=[[0, 10], [1, 0]], labels=["ill", "well"])
    0.9166666666666666
    """
    labels = _cost_labels(y_true, y_pred, cost, labels)
    matrix = ConfusionMatrix.from_predictions(y_true, y_pred, labels=labels, sample_weight=sample_weight)
    return float(matrix.cost_sensitive_accuracy(cost))


def _cost_labels(y_true: Any, y_pred: Any, cost: ArrayLike, labels: ArrayLike | None) -> ArrayLike:
    """Return the classes of the rows of `cost`: as named, or 0, ..., K - 1 where they can be no others."""
    if labels is not None:
        return labels
    size = (*check_shape(cost, "cost"), 1)[0]
    for name, values in (("y_true", y_true), ("y_pred", y_pred)):
        seen = to_labels(values, name)
        if seen.dtype.kind == "U" or (len(seen) and not (seen.min() >= 0 and seen.max() < size)):
            raise ValueError(
                "labels must name the classes in the order of the rows of cost; only labels "
                f"0, ..., {size - 1} are known without."
            )
    return np.arange(size)


def cost_curve(
    y_true: Any,
    y_score: ArrayLike,
    *,
    cost_fn: float = 1,
    cost_fp: float = 1,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
) -> CostCurve:
    """Cost curve of Drummond & Holte with its lower envelope.

    A threshold with rates (FPR, TPR) is the line from (0, FPR) to (1, FNR) over
    P(+)cost = p cost_fn / (p cost_fn + (1 - p) cost_fp), p the share of positives.

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight
        As in `break_even_score`.
    cost_fn, cost_fp : float, default=1
        Cost of missing a positive and of a false alarm; from 1e-60 to 1e60.

    Returns
    -------
    CostCurve
        Corners of the lower envelope, the threshold to run between them, ``area()``.

    Raises
    ------
    ValueError
        Only one class is present.

    References
    ----------
    Drummond & Holte (2006), "Cost curves", Machine Learning 65, section 3.

    Examples
    --------
    >>> from skeval.metrics import cost_curve
    >>> curve = cost_curve([0, 1, 1, 0], [0.1, 0.9, 0.4, 0.5])
    >>> curve.area()
    0.125
    """
    ranked = RankedScores.from_predictions(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)
    return ranked.cost_curve(cost_fn=cost_fn, cost_fp=cost_fp)

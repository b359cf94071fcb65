"""Metric functions that scikit-learn lacks, a line each on top of the two statistics."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from skeval.metrics._confusion import ConfusionMatrix
from skeval.metrics._cost import CostCurve
from skeval.metrics._ranking import RankedScores
from skeval.utils._labels import to_labels


def error_rate(y_true: Any, y_pred: Any, *, sample_weight: ArrayLike | None = None) -> float:
    """Share of wrong predictions.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,)
        Labels of any number of classes.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights, not negative.

    Returns
    -------
    float
        In [0, 1]; 1 - accuracy.

    Examples
    --------
    >>> from skeval.metrics import error_rate
    >>> error_rate(["a", "b", "b", "a"], ["a", "b", "a", "a"])
    0.25
    """
    return float(ConfusionMatrix.from_predictions(y_true, y_pred, sample_weight=sample_weight).error_rate())


def specificity_score(
    y_true: Any,
    y_pred: Any,
    *,
    labels: ArrayLike | None = None,
    average: str | None = "binary",
    pos_label: Any = None,
    zero_division: Any = "warn",
    sample_weight: ArrayLike | None = None,
) -> Any:
    """Specificity, the true negative rate: TN / (TN + FP).

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,)
        Labels.
    labels : array-like of shape (K,), default=None
        Classes in the order wanted; None: sorted, as seen.
    average : {"binary", "macro", "micro", "weighted"} or None, default="binary"
        "binary": with `pos_label` as the positive class; None: each class against the rest.
    pos_label : label or None, default=None
        None: 1 (True) for labels within {0, 1}, {-1, 1} or {False, True}; otherwise it must
        be named.
    zero_division : {"warn", 0, 1, nan}, default="warn"
        Value where there is no negative sample; "warn" is 0 with a warning.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights, not negative.

    Returns
    -------
    float or ndarray of shape (K,)
        In [0, 1].

    Examples
    --------
    >>> from skeval.metrics import specificity_score
    >>> specificity_score([0, 0, 1, 1], [0, 1, 1, 1])
    0.5
    """
    matrix = ConfusionMatrix.from_predictions(y_true, y_pred, labels=labels, sample_weight=sample_weight)
    return matrix.specificity(average=average, pos_label=pos_label, zero_division=zero_division)


def g_mean_score(y_true: Any, y_pred: Any, *, sample_weight: ArrayLike | None = None) -> float:
    """Geometric mean of the recalls of the classes.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,)
        Labels of any number of classes.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights, not negative.

    Returns
    -------
    float
        In [0, 1]: sqrt(TPR TNR) for two classes, the K-th root of the product of the
        recalls for K. A class without true samples is left out with a warning.

    References
    ----------
    Kubat & Matwin (1997), "Addressing the curse of imbalanced training sets", ICML.

    Examples
    --------
    >>> from skeval.metrics import g_mean_score
    >>> round(g_mean_score([0, 0, 1, 0, 1, 1], [0, 0, 0, 0, 0, 1]), 4)
    0.5774
    """
    return float(ConfusionMatrix.from_predictions(y_true, y_pred, sample_weight=sample_weight).g_mean())


def adjusted_g_mean_score(
    y_true: Any, y_pred: Any, *, pos_label: Any = None, sample_weight: ArrayLike | None = None
) -> float:
    """Adjusted geometric mean of Batuwita & Palade (2009).

    (G-mean + TNR Nn) / (1 + Nn) where TPR > 0, else 0, with Nn the share of negatives.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,)
        Labels of two classes.
    pos_label : label or None, default=None
        The rare class; None as in `specificity_score`.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights, not negative.

    Returns
    -------
    float
        In [0, 1].

    References
    ----------
    Batuwita & Palade (2009), "A new performance measure for class imbalance learning",
    ICMLA, equation for AGm.

    Examples
    --------
    One positive found among 100 samples with 10 false alarms:

    >>> from skeval.metrics import adjusted_g_mean_score
    >>> y_true = [1] + [0] * 99
    >>> y_pred = [1] * 11 + [0] * 89
    >>> round(adjusted_g_mean_score(y_true, y_pred), 3)
    0.924
    """
    matrix = ConfusionMatrix.from_predictions(y_true, y_pred, sample_weight=sample_weight)
    return float(matrix.adjusted_g_mean(pos_label=pos_label))


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
    size = len(np.atleast_1d(cost))
    if labels is None:
        for name, values in (("y_true", y_true), ("y_pred", y_pred)):
            seen = to_labels(values, name)
            if seen.dtype.kind == "U" or (len(seen) and not (seen.min() >= 0 and seen.max() < size)):
                raise ValueError(
                    "labels must name the classes in the order of the rows of cost; only labels "
                    f"0, ..., {size - 1} are known without."
                )
        labels = np.arange(size)
    matrix = ConfusionMatrix.from_predictions(y_true, y_pred, labels=labels, sample_weight=sample_weight)
    return float(matrix.cost(cost))


def break_even_score(
    y_true: Any, y_score: ArrayLike, *, pos_label: Any = None, sample_weight: ArrayLike | None = None
) -> float:
    """Break-even point: precision = recall when as many are called positive as there are.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Labels of two classes.
    y_score : array-like of shape (n_samples,)
        Higher means more positive.
    pos_label : label or None, default=None
        As in `specificity_score`.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights, not negative.

    Returns
    -------
    float
        In [0, 1]; a group of tied scores across the cut is interpolated inside the group.

    Examples
    --------
    >>> from skeval.metrics import break_even_score
    >>> break_even_score([1, 0, 1, 0], [0.9, 0.8, 0.3, 0.1])
    0.5
    """
    ranked = RankedScores.from_predictions(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)
    return float(ranked.break_even_score())


def rank_loss(
    y_true: Any, y_score: ArrayLike, *, pos_label: Any = None, sample_weight: ArrayLike | None = None
) -> float:
    """Share of (positive, negative) pairs in the wrong order, ties half: 1 - AUC.

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight
        As in `break_even_score`.

    Returns
    -------
    float
        In [0, 1]; nan with a warning where only one class is present.

    Examples
    --------
    >>> from skeval.metrics import rank_loss
    >>> rank_loss([0, 1, 1, 0], [0.1, 0.9, 0.4, 0.4])
    0.125
    """
    ranked = RankedScores.from_predictions(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)
    return float(ranked.rank_loss())


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
        Cost of missing a positive and of a false alarm; positive.

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

"""Functions of scores that scikit-learn lacks, a line each on top of the ranked scores."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from skeval.metrics._ranking import RankedScores


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
        None: 1 (True) for labels within {0, 1}, {-1, 1} or {False, True}; otherwise it must
        be named.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights, not negative.

    Returns
    -------
    float
        In [0, 1]; a group of tied scores across the cut is interpolated inside the group.

    Raises
    ------
    ValueError
        Lengths differ, no samples, scores that are missing, infinite or of more than one
        column, more than two classes, a positive class that is unknown or not named, or
        weights that are negative or all zero.

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

    Raises
    ------
    ValueError
        As in `break_even_score`.

    Examples
    --------
    >>> from skeval.metrics import rank_loss
    >>> rank_loss([0, 1, 1, 0], [0.1, 0.9, 0.4, 0.4])
    0.125
    """
    ranked = RankedScores.from_predictions(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)
    return float(ranked.rank_loss())


def pr_area(
    y_true: Any, y_score: ArrayLike, *, pos_label: Any = None, sample_weight: ArrayLike | None = None
) -> float:
    """Area under the precision-recall curve, interpolated as Davis & Goadrich do.

    Between two cut-offs true and false positives grow along a straight line, so that the
    precision follows a hyperbola. `sklearn.metrics.average_precision_score` is the sum of
    steps, another figure.

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight
        As in `break_even_score`.

    Returns
    -------
    float
        In [0, 1]; nan with a warning where there is no positive sample.

    Raises
    ------
    ValueError
        As in `break_even_score`.

    References
    ----------
    Davis & Goadrich (2006), "The relationship between precision-recall and ROC curves", ICML,
    equation 1.

    Examples
    --------
    >>> from skeval.metrics import pr_area
    >>> round(pr_area([0, 1, 1, 0], [0.1, 0.9, 0.4, 0.6]), 4)
    0.7973
    """
    ranked = RankedScores.from_predictions(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)
    return float(ranked.pr_area())

"""Curves as data: ROC and P-R points, and the area between P-R points."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from skeval.metrics._ranked_counts import Floats, Numbers, steps


def trapezoid_area(y: Floats, x: Floats) -> float:
    """Area under straight lines between points."""
    return float((np.diff(x) * (y[1:] + y[:-1])).sum() / 2)


def interpolated_pr_area(true_positives: Numbers, false_positives: Numbers) -> Floats:
    """Area under P-R points (..., n_thresholds) times the number of positives.

    Between two points TP and FP move along a straight line, so that the precision is
    t / (width t + offset) at t true positives; its integral has a closed form.
    """
    step, rise = steps(true_positives), steps(false_positives)
    start, start_fp = true_positives - step, false_positives - rise
    slope = rise / np.where(step == 0, 1, step)  # false positives per true positive
    width, offset = 1 + slope, start_fp - slope * start
    before = start + start_fp
    # Nothing is predicted before the first point: there the offset is 0.
    growth = np.where(before == 0, 1, (true_positives + false_positives) / np.where(before == 0, 1, before))
    pieces = np.where(step == 0, 0, (step - offset * np.log(growth) / width) / width)
    return np.asarray(pieces.sum(axis=-1))


@dataclass(frozen=True)
class RocCurve:
    """Points of a ROC curve from (0, 0) to (1, 1); unpacks as in scikit-learn.

    Attributes
    ----------
    fpr, tpr : ndarray of shape (n_thresholds + 1,)
        False and true positive rate when predicting positive at ``score >= threshold``.
    thresholds : ndarray of shape (n_thresholds + 1,)
        Distinct scores, descending, after inf (nothing is predicted positive).

    Examples
    --------
    >>> from skeval.metrics import RankedScores
    >>> ranked = RankedScores.from_predictions([0, 1, 1, 0], [0.1, 0.9, 0.4, 0.4])
    >>> fpr, tpr, thresholds = ranked.roc_curve()
    >>> fpr, tpr
    (array([0. , 0. , 0.5, 1. ]), array([0. , 0.5, 1. , 1. ]))
    """

    fpr: Floats
    tpr: Floats
    thresholds: Floats

    def __iter__(self) -> Iterator[Floats]:
        return iter((self.fpr, self.tpr, self.thresholds))


@dataclass(frozen=True)
class PrCurve:
    """Points of a precision-recall curve, one per distinct score, recall not descending.

    Attributes
    ----------
    precision, recall, thresholds : ndarray of shape (n_thresholds,)
        At ``score >= threshold``; thresholds descend.
    true_positives, false_positives : ndarray of shape (n_thresholds,)
        The counts the points come from: between two points they, not the precision, are
        interpolated linearly.

    Examples
    --------
    >>> from skeval.metrics import RankedScores
    >>> ranked = RankedScores.from_predictions([0, 1, 1, 0], [0.1, 0.9, 0.4, 0.6])
    >>> curve = ranked.pr_curve()
    >>> curve.recall, curve.precision.round(3)
    (array([0.5, 0.5, 1. , 1. ]), array([1.   , 0.5  , 0.667, 0.5  ]))
    >>> round(curve.area(), 3)
    0.797
    """

    precision: Floats
    recall: Floats
    thresholds: Floats
    true_positives: Floats
    false_positives: Floats

    def __iter__(self) -> Iterator[Floats]:
        return iter((self.precision, self.recall, self.thresholds))

    def area(self) -> float:
        """Area under the interpolated curve (Davis & Goadrich 2006).

        Between two points TP and FP move along a straight line, so the precision is a
        hyperbola in the recall; before the first point it is that point's precision. nan
        where there is no positive sample.
        """
        area = interpolated_pr_area(self.true_positives, self.false_positives)
        positives = self.true_positives[-1]
        return float(area / positives) if positives else np.nan

"""Curves as data: ROC and P-R points, the area between P-R points, dominance."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def trapezoid_area(y: Floats, x: Floats) -> float:
    """Area under straight lines between points."""
    return float((np.diff(x) * (y[1:] + y[:-1])).sum() / 2)


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
        tp = np.concatenate([[0.0], self.true_positives])
        fp = np.concatenate([[0.0], self.false_positives])
        step, start = np.diff(tp), tp[:-1]
        use = step > 0
        step, start = step[use], start[use]
        slope = np.diff(fp)[use] / step  # false positives per true positive
        width = 1 + slope
        offset = fp[:-1][use] - slope * start  # fp = offset + slope * tp
        # Integral of t / (width t + offset) over [start, start + step].
        below, above = width * start + offset, width * (start + step) + offset
        with np.errstate(divide="ignore", invalid="ignore"):
            logarithm = np.where(offset == 0, 0.0, offset * np.log(above / below))
        # From (0, 0) the line has offset 0; below = 0 arises only there.
        pieces = (step - logarithm / width) / width
        return float(pieces.sum() / tp[-1]) if tp[-1] else np.nan

"""Unequal costs: the check of a cost matrix, and the cost curve of scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import isotonic_regression

from skeval.metrics._curves import trapezoid_area
from skeval.metrics._ranked_counts import Numbers
from skeval.utils._labels import LabelArray, plain
from skeval.utils._validation import LARGEST, SMALLEST, check_real, check_shape, to_floats

Floats = NDArray[np.float64]
# Directions closer than this are the same up to rounding.
_ON_A_LINE = 1e-12


@dataclass(frozen=True)
class CostCurve:
    """Normalized expected cost of the best threshold at every operating point.

    Attributes
    ----------
    probability_cost : ndarray of shape (n_vertices,)
        P(+)cost at the corners of the lower envelope, ascending from 0 to 1.
    normalized_cost : ndarray of shape (n_vertices,)
        Height of the envelope there, in [0, 0.5].
    thresholds : ndarray of shape (n_vertices - 1,)
        Cut-off to run between two corners; inf predicts all negative.
    fpr, fnr : ndarray of shape (n_lines,)
        Ends at 0 and at 1 of the line of every threshold, the trivial classifiers included.
    cost_fn, cost_fp : float
        Cost of missing a positive and of a false alarm.

    Examples
    --------
    >>> from skeval.metrics import cost_curve
    >>> curve = cost_curve([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.1], cost_fn=5)
    >>> curve.probability_cost.round(3), curve.normalized_cost.round(3)
    (array([0. , 0.6, 1. ]), array([0. , 0.2, 0. ]))

    Where one case in ten is positive, predict positive from this score on:

    >>> curve.threshold_at(curve.probability_cost_at(0.1))
    0.8
    """

    probability_cost: Floats
    normalized_cost: Floats
    thresholds: Floats
    fpr: Floats
    fnr: Floats
    cost_fn: float
    cost_fp: float

    def area(self) -> float:
        """Area under the lower envelope: expected cost over uniform P(+)cost."""
        return trapezoid_area(self.normalized_cost, self.probability_cost)

    def probability_cost_at(self, prevalence: ArrayLike) -> Any:
        """P(+)cost of a share of positives: p cost_fn / (p cost_fn + (1 - p) cost_fp).

        Parameters
        ----------
        prevalence : float or array-like
            Share of positives, in [0, 1].

        Returns
        -------
        float or ndarray
            In [0, 1], in the shape of `prevalence`.

        Raises
        ------
        ValueError
            A share outside [0, 1].
        """
        share = _check_share(prevalence, "prevalence")
        miss = share * self.cost_fn
        value = miss / (miss + (1 - share) * self.cost_fp)
        return value.item() if value.ndim == 0 else value

    def cost_at(self, probability_cost: ArrayLike) -> Any:
        """Height of the lower envelope at given values of P(+)cost.

        Parameters
        ----------
        probability_cost : float or array-like
            P(+)cost, in [0, 1].

        Returns
        -------
        float or ndarray
            In [0, 0.5], in the shape of `probability_cost`.

        Raises
        ------
        ValueError
            A value outside [0, 1].
        """
        share = _check_share(probability_cost, "probability_cost")
        value = np.asarray(np.interp(share, self.probability_cost, self.normalized_cost))
        return value.item() if value.ndim == 0 else value

    def threshold_at(self, probability_cost: float) -> float:
        """Cut-off with the least cost at a value of P(+)cost.

        Parameters
        ----------
        probability_cost : float
            P(+)cost, in [0, 1].

        Returns
        -------
        float
            Predict positive at ``score >= cut-off``; inf predicts all negative. At a
            corner, where two cost the same, the higher one.

        Raises
        ------
        ValueError
            A value outside [0, 1].
        TypeError
            It is not a single number.
        """
        x = check_real(probability_cost, "probability_cost", low=0, high=1)
        piece = int(np.searchsorted(self.probability_cost[1:-1], x, side="left"))
        return float(self.thresholds[piece])


def _check_share(value: ArrayLike, name: str) -> Floats:
    share = to_floats(value, name)
    if not ((share >= 0) & (share <= 1)).all():
        raise ValueError(f"{name} must lie in [0, 1], got {value!r}.")
    return share


def check_cost_matrix(cost: ArrayLike, labels: LabelArray) -> Floats:
    """Return the cost matrix, one row and one column per label in their order."""
    check_shape(cost, "cost")
    matrix = to_floats(cost, "cost")
    if matrix.shape != (len(labels), len(labels)):
        raise ValueError(
            f"cost must have one row and one column per label {[plain(label) for label in labels]}, "
            f"got shape {matrix.shape}."
        )
    if not (np.abs(matrix) <= LARGEST).all():
        raise ValueError(
            f"cost must hold finite numbers of at most {LARGEST:g} in size, got {np.abs(matrix).max():g}; "
            "choose a larger unit of cost."
        )
    return matrix


def cost_curve_from_counts(
    false_positives: Numbers,
    true_positives: Numbers,
    thresholds: Floats,
    *,
    cost_fn: float = 1,
    cost_fp: float = 1,
) -> CostCurve:
    """Build the cost curve of the counts at every threshold, from none positive to all.

    The threshold of (FPR, TPR) is the line from FPR to FNR.
    """
    cost_fn, cost_fp = (
        check_real(cost, name, low=SMALLEST, high=LARGEST)
        for cost, name in ((cost_fn, "cost_fn"), (cost_fp, "cost_fp"))
    )
    fpr, fnr = false_positives / false_positives[-1], 1 - true_positives / true_positives[-1]
    keep = _upper_hull(false_positives, true_positives)
    # A trivial classifier that is never better than its neighbour leaves no corner.
    if fpr[keep[1]] == 0:
        keep = keep[1:]
    if len(keep) > 1 and fnr[keep[-2]] == 0:
        keep = keep[:-1]
    corner_fpr, corner_fnr = fpr[keep], fnr[keep]
    # Neighbours on the hull cross where FPR (1 - x) + FNR x agree.
    rise, fall = np.diff(corner_fpr), -np.diff(corner_fnr)
    crossing = rise / (rise + fall)
    x = np.concatenate([[0.0], crossing, [1.0]])
    height = np.concatenate(
        [[corner_fpr[0]], corner_fpr[:-1] * (1 - crossing) + corner_fnr[:-1] * crossing, [corner_fnr[-1]]]
    )
    return CostCurve(x, height, thresholds[keep], fpr, fnr, cost_fn, cost_fp)


def _upper_hull(x: Numbers, y: Numbers) -> NDArray[np.int64]:
    """Return the corners of the upper convex hull of points that ascend in x and y from 0.

    Along the hull the direction only turns down: it is the antitonic regression of the
    directions of the steps. Points on a line, up to rounding, are no corners.
    """
    _, length = _directions(x, y)
    points = np.append(np.flatnonzero(length), len(x) - 1)  # the last one of equal points
    direction, length = _directions(x, y, points)
    corners = points[isotonic_regression(direction, weights=length, increasing=False).blocks]
    # Anew from the corners: what the regression has added up is rounded more often.
    turns = np.diff(_directions(x, y, corners)[0]) < -_ON_A_LINE
    return corners[np.concatenate([[True], turns, [True]])]


def _directions(x: Numbers, y: Numbers, points: Any = slice(None)) -> tuple[Floats, Floats]:
    """Return share of the rise in the steps between points, 1 for straight up, and their lengths."""
    run, rise = np.diff(x[points]) / x[-1], np.diff(y[points]) / y[-1]
    length = run + rise
    return rise / np.where(length > 0, length, 1), length

"""Unequal costs: cost-sensitive error of labels, and the cost curve of scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skeval.metrics._curves import RocCurve, trapezoid_area
from skeval.utils._labels import LabelArray, plain
from skeval.utils._validation import check_real, describe

Floats = NDArray[np.float64]


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
        """P(+)cost of a share of positives: p cost_fn / (p cost_fn + (1 - p) cost_fp)."""
        share = _check_share(prevalence, "prevalence")
        miss = share * self.cost_fn
        value = miss / (miss + (1 - share) * self.cost_fp)
        return value.item() if value.ndim == 0 else value

    def cost_at(self, probability_cost: ArrayLike) -> Any:
        """Height of the lower envelope at given values of P(+)cost."""
        share = _check_share(probability_cost, "probability_cost")
        value = np.asarray(np.interp(share, self.probability_cost, self.normalized_cost))
        return value.item() if value.ndim == 0 else value

    def threshold_at(self, probability_cost: float) -> float:
        """Cut-off with the least cost at a value of P(+)cost."""
        x = check_real(probability_cost, "probability_cost", low=0, high=1)
        piece = int(np.searchsorted(self.probability_cost[1:-1], x, side="left"))
        return float(self.thresholds[piece])


def _check_share(value: ArrayLike, name: str) -> Floats:
    share = np.asarray(value, dtype=np.float64)
    if not ((share >= 0) & (share <= 1)).all():
        raise ValueError(f"{name} must lie in [0, 1], got {value!r}.")
    return share


def check_cost_matrix(cost: ArrayLike, labels: LabelArray) -> Floats:
    """Return the cost matrix, one row and one column per label in their order."""
    given = np.asarray(cost)
    if given.dtype.kind not in "biuf":
        raise ValueError(f"cost must hold numbers, got {describe(cost)}.")
    matrix = given.astype(np.float64)
    if matrix.shape != (len(labels), len(labels)):
        raise ValueError(
            f"cost must have one row and one column per label {[plain(label) for label in labels]}, "
            f"got shape {matrix.shape}."
        )
    if not np.isfinite(matrix).all():
        raise ValueError("cost must hold finite numbers, got nan or inf.")
    return matrix


def cost_curve_from_rates(curve: RocCurve, *, cost_fn: float = 1, cost_fp: float = 1) -> CostCurve:
    """Build the cost curve of a ROC curve: a point (FPR, TPR) is the line from FPR to FNR."""
    cost_fn = check_real(cost_fn, "cost_fn", low=0, closed="neither")
    cost_fp = check_real(cost_fp, "cost_fp", low=0, closed="neither")
    fpr, fnr = curve.fpr, 1 - curve.tpr
    if np.isnan(fpr).any() or np.isnan(fnr).any():
        raise ValueError("The cost curve needs samples of both classes, got one class only.")
    keep = _upper_hull(curve.fpr, curve.tpr)
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
    return CostCurve(x, height, curve.thresholds[keep], fpr, fnr, cost_fn, cost_fp)


def _upper_hull(x: Floats, y: Floats) -> NDArray[np.int64]:
    """Return the corners of the upper convex hull of points sorted by x and y (Andrew 1979).

    Points on a line, up to rounding, are no corners.
    """
    hull: list[int] = []
    for point in range(len(x)):
        while len(hull) >= 2:
            a, b = hull[-2], hull[-1]
            if (x[b] - x[a]) * (y[point] - y[a]) >= (y[b] - y[a]) * (x[point] - x[a]) - 1e-15:
                hull.pop()
            else:
                break
        hull.append(point)
    return np.array(hull)

"""Whether one curve encloses another, and where they cross."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from skeval.metrics._curves import PrCurve, RocCurve
from skeval.metrics._ranked_counts import Floats

# Rates that should be equal differ by rounding.
_SLACK = 1e-12


@dataclass(frozen=True)
class Dominance:
    """How two curves lie to each other.

    Attributes
    ----------
    winner : {"a", "b", "equal"} or None
        The curve that is nowhere below the other and somewhere above; None where they cross.
    crossings : ndarray of shape (n_crossings, 2)
        Points where the better curve changes: (false positive rate, true positive rate) of
        ROC curves, (recall, precision) of P-R curves, from the strictest cut-off on. Where
        the curves run together between, the point where they meet.

    Examples
    --------
    >>> from skeval.metrics import RankedScores, dominance
    >>> y = [1, 1, 0, 0]
    >>> a = RankedScores.from_predictions(y, [0.9, 0.8, 0.3, 0.1]).roc_curve()
    >>> b = RankedScores.from_predictions(y, [0.9, 0.2, 0.3, 0.1]).roc_curve()
    >>> dominance(a, b)
    Dominance(winner='a', crossings=array([], shape=(0, 2), dtype=float64))
    """

    winner: str | None
    crossings: Floats


def dominance(curve_a: RocCurve | PrCurve, curve_b: RocCurve | PrCurve) -> Dominance:
    """Compare two curves everywhere.

    Where one ROC curve encloses the other, its model costs least at every class share and
    every ratio of costs; where they cross, which model is better depends on these.

    Parameters
    ----------
    curve_a, curve_b : RocCurve or PrCurve
        Two of one kind.

    Returns
    -------
    Dominance
        ``winner`` is "a", "b", "equal" or None; ``crossings`` are points.

    Raises
    ------
    TypeError
        Curves of two kinds, or something else.
    ValueError
        A curve of one class only.

    Notes
    -----
    Exact: between neighboring points of either curve both are straight lines, of P-R curves
    in the counts (Davis & Goadrich 2006), which is a hyperbola in the precision. On one data
    set, ROC curves and P-R curves give the same winner (theorem 3.2 there). Differences up to
    1e-12 count as none.

    References
    ----------
    Davis & Goadrich (2006), "The relationship between precision-recall and ROC curves", ICML.
    Provost & Fawcett (2001), "Robust classification for imprecise environments", Machine
    Learning 42, 203-231.

    Examples
    --------
    >>> from skeval.metrics import RankedScores, dominance
    >>> y = [1, 1, 0, 0]
    >>> a = RankedScores.from_predictions(y, [0.9, 0.2, 0.8, 0.3])
    >>> b = RankedScores.from_predictions(y, [0.8, 0.7, 0.9, 0.1])
    >>> result = dominance(a.roc_curve(), b.roc_curve())
    >>> result.winner, result.crossings
    (None, array([[0.5, 0.5]]))
    >>> dominance(a.pr_curve(), b.pr_curve()).crossings
    array([[0.5, 0.5]])
    """
    kinds = {type(curve) for curve in (curve_a, curve_b)}
    if kinds not in ({RocCurve}, {PrCurve}):
        raise TypeError(
            "curve_a and curve_b must be two RocCurve or two PrCurve, got "
            f"{type(curve_a).__name__} and {type(curve_b).__name__}."
        )
    lines = [_line(curve) for curve in (curve_a, curve_b)]
    if not all(np.isfinite(points).all() for line in lines for points in line):
        raise ValueError("dominance() needs curves of both classes, got one of one class only.")
    # P-R curves end at the negatives per positive of their data; each goes on straight up.
    last = max(false[-1] for false, _ in lines)
    turned = [_turn(np.append(false, last), np.append(true, 1.0)) for false, true in lines]
    along = np.unique(np.concatenate([position for position, _ in turned]))
    heights = [np.interp(along, position, height) for position, height in turned]
    lead = heights[0] - heights[1]
    lead[np.abs(lead) <= _SLACK * max(1.0, last)] = 0.0
    ahead, behind = bool((lead > 0).any()), bool((lead < 0).any())
    if not (ahead and behind):
        return Dominance("a" if ahead else "b" if behind else "equal", np.empty((0, 2)))
    at, height = _sign_changes(along, lead, heights[0])
    false, true = (at - height) / 2, (at + height) / 2
    if kinds == {RocCurve}:
        return Dominance(None, np.column_stack([false, true]))
    return Dominance(None, np.column_stack([true, true / (true + false)]))


def _line(curve: Any) -> tuple[Floats, Floats]:
    """Return a curve as a broken line that never falls: false positives and true positives.

    As shares of their class for a ROC curve, per positive for a P-R curve.
    """
    if isinstance(curve, RocCurve):
        return curve.fpr, curve.tpr
    positives = curve.true_positives[-1] or np.nan
    return np.append(0.0, curve.false_positives / positives), np.append(0.0, curve.true_positives / positives)


def _turn(false: Floats, true: Floats) -> tuple[Floats, Floats]:
    """Return the line turned by 45 degrees: so it has one height everywhere, steps included."""
    return true + false, true - false


def _sign_changes(along: Floats, lead: Floats, height: Floats) -> tuple[Floats, Floats]:
    """Return where the lead changes its sign, and the height there."""
    some = np.flatnonzero(lead)
    turns = np.flatnonzero(np.sign(lead[some[1:]]) != np.sign(lead[some[:-1]]))
    # The lead is straight from the last point that has it to the next, which has 0 or the other sign.
    before = some[turns]
    part = lead[before] / (lead[before] - lead[before + 1])
    return _between(along, before, part), _between(height, before, part)


def _between(values: Floats, before: Any, part: Floats) -> Floats:
    return values[before] + part * (values[before + 1] - values[before])

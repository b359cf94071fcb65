"""The ROC curve."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from skeval.metrics import RankedScores
from skeval.plotting._curves import (
    curve_label,
    draw_curve,
    draw_curve_legend,
    draw_once,
    positive_class,
    unit_square,
)
from skeval.plotting._ranked_curve import RankedCurveDisplay
from skeval.plotting._text import label_axes
from skeval.utils._validation import check_real, check_same_length, check_vector

_HINT = "AUC below 1/2: do the scores\nbelong to the other class?"
_SIDE = 5.2  # inches, of a figure of our own


class RocDisplay(RankedCurveDisplay):
    """ROC curve: true positive rate against false positive rate over all cut-offs.

    Made by `from_predictions`, `from_estimator` or `from_result`; pass the ``ax_`` of one Display to the
    next to compare curves.

    Parameters
    ----------
    fpr, tpr : array-like of shape (n_points,)
        False and true positive rates in [0, 1], ascending.
    roc_auc : float or None, default=None
        Area under the curve, for the legend.
    name : str or None, default=None
        Name of the curve in the legend.
    pos_label : label or None, default=None
        The positive class, for the axis labels.

    Attributes
    ----------
    line_ : matplotlib Line2D
        The curve.
    ax_ : matplotlib Axes
        Axes with the curve.
    figure_ : matplotlib Figure
        Figure that holds them.

    Raises
    ------
    ValueError
        Lengths differ, fewer than two points, rates outside [0, 1] or that descend, or an
        area outside [0, 1].

    Notes
    -----
    Samples of equal score move the curve along a slanted line, so that the area is the share
    of (positive, negative) pairs in the right order, ties counting half. The area is never
    flipped: below 1/2 the legend asks whether the scores belong to the other class.

    References
    ----------
    .. [1] T. Fawcett (2006). An introduction to ROC analysis. Pattern Recognition Letters
       27, 861-874; algorithms 1 and 3.

    Examples
    --------
    >>> from skeval.plotting import RocDisplay
    >>> display = RocDisplay.from_predictions([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], name="a model")
    >>> display.roc_auc
    0.75
    >>> display.figure_.savefig("roc.pdf")
    """

    _CURVE = "A ROC curve"
    line_: Any

    def __init__(
        self,
        fpr: ArrayLike,
        tpr: ArrayLike,
        *,
        roc_auc: float | None = None,
        name: str | None = None,
        pos_label: Any = None,
    ) -> None:
        self.fpr = _check_rate(fpr, "fpr")
        self.tpr = _check_rate(tpr, "tpr")
        check_same_length(fpr=self.fpr, tpr=self.tpr)
        self.roc_auc = None if roc_auc is None else check_real(roc_auc, "roc_auc", low=0, high=1)
        self.name = name
        self.pos_label = pos_label

    @classmethod
    def from_result(
        cls, result: RankedScores, *, name: str | None = None, ax: Any = None, **plot_options: Any
    ) -> Self:
        """Draw the curve of ranked scores.

        Parameters
        ----------
        result : RankedScores
            From `skeval.metrics.RankedScores.from_predictions` or ``from_chunks``.
        name : str or None, default=None
            Name of the curve in the legend.
        ax : matplotlib Axes or None, default=None
            None: a new figure.
        **plot_options : dict
            Passed to `plot`.

        Returns
        -------
        RocDisplay
            Drawn.

        Raises
        ------
        ValueError
            Only one class is present, or `result` is a stack of replicates.
        """
        curve = cls._check_ranked(result).roc_curve()
        display = cls(curve.fpr, curve.tpr, roc_auc=result.roc_auc(), name=name, pos_label=result.pos_label)
        return display.plot(ax, **plot_options)

    def plot(
        self,
        ax: Any = None,
        *,
        name: str | None = None,
        chance_level: bool = True,
        curve_kwargs: dict[str, Any] | None = None,
        chance_kwargs: dict[str, Any] | None = None,
    ) -> Self:
        """Draw the curve; on axes that hold curves already it gets a style of its own.

        Parameters
        ----------
        ax : matplotlib Axes or None, default=None
            None: a new figure.
        name : str or None, default=None
            Name of the curve in the legend; None: that of the Display.
        chance_level : bool, default=True
            Whether to draw the diagonal, once on the same axes.
        curve_kwargs : dict or None, default=None
            For the curve (matplotlib Line2D).
        chance_kwargs : dict or None, default=None
            For the diagonal (matplotlib Line2D).

        Returns
        -------
        RocDisplay
            This Display.
        """
        ax = self._start(ax, size=(_SIDE, _SIDE), layout="compressed")
        if chance_level:
            draw_once(ax, "chance", [0, 1], [0, 1], chance_kwargs)
        figures = [] if self.roc_auc is None else [f"AUC = {self.roc_auc:.3f}"]
        label = curve_label(self.name if name is None else name, figures, "ROC curve")
        self.line_ = draw_curve(ax, self.fpr, self.tpr, label, curve_kwargs)
        positive = positive_class(self.pos_label)
        label_axes(ax, f"False positive rate{positive}", f"True positive rate{positive}")
        unit_square(ax, equal=True)
        old = ax.get_legend()
        asked = old is not None and old.get_title().get_text() == _HINT
        hint = _HINT if asked or (self.roc_auc is not None and self.roc_auc < 0.5) else None
        draw_curve_legend(ax, loc="upper left" if hint else "lower right", title=hint)
        return self


def _check_rate(values: ArrayLike, name: str) -> Any:
    rate = check_vector(values, name, minimum_size=2).copy()
    if rate.min() < 0 or rate.max() > 1 or (np.diff(rate) < 0).any():
        raise ValueError(f"{name} must hold rates in [0, 1] that do not descend.")
    return rate

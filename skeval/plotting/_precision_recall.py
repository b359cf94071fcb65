"""The precision-recall curve, on lines of equal F1."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from skeval.metrics import PrCurve, RankedScores
from skeval.plotting._base import SOFT_INK, merge_style
from skeval.plotting._curves import (
    curve_label,
    draw_curve,
    draw_curve_legend,
    draw_once,
    positive_class,
    unit_square,
)
from skeval.plotting._ranked_curve import RankedCurveDisplay
from skeval.plotting._text import axes_inches, label_axes
from skeval.utils._validation import check_real

_SIDE = 5.4  # inches, of a figure of our own
_STEP = 0.01  # of recall, between two points of a drawn hyperbola
_EQUAL_F1 = "equal F1, value at the right"
_PAD = 0.3  # inches at the right, for these values
_POINTS = 8.0


class PrDisplay(RankedCurveDisplay):
    """Precision-recall curve: precision against recall over all cut-offs.

    Made by `from_predictions`, `from_estimator` or `from_result`; pass the ``ax_`` of one
    Display to the next to compare curves. Behind the curves lie lines of equal F1, the
    precision of predicting everything as positive ("chance"), and the diagonal, on which
    precision equals recall: a dot marks where the curve meets it, the break-even point.

    Parameters
    ----------
    curve : PrCurve
        What ``RankedScores.pr_curve`` returned.
    average_precision : float or None, default=None
        For the legend.
    break_even : float or None, default=None
        Break-even score, for the dot and the legend.
    name : str or None, default=None
        Name of the curve in the legend.
    pos_label : label or None, default=None
        The positive class, for the axis labels.

    Attributes
    ----------
    line_ : matplotlib Line2D
        The curve.
    break_even_ : matplotlib Line2D or None
        The dot.
    ax_ : matplotlib Axes
        Axes with the curve.
    figure_ : matplotlib Figure
        Figure that holds them.

    Raises
    ------
    TypeError
        `curve` is no PrCurve.
    ValueError
        A curve without positive samples, or a figure outside [0, 1].

    Notes
    -----
    Between two cut-offs the true and false positives move along a straight line, so that the
    precision follows a hyperbola [1]_: that is drawn, not a straight line, which would promise
    too much. The area under it is ``RankedScores.pr_area()``. The legend has the average
    precision, the area under steps.

    References
    ----------
    .. [1] J. Davis, M. Goadrich (2006). The relationship between precision-recall and ROC
       curves. ICML; section 4.
    .. [2] P. Flach, M. Kull (2015). Precision-recall-gain curves: PR analysis done right.
       NeurIPS 28; section 2, for lines of equal F1.

    Examples
    --------
    >>> from skeval.plotting import PrDisplay
    >>> display = PrDisplay.from_predictions([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], name="a model")
    >>> round(display.average_precision, 3), display.break_even
    (0.833, 0.5)
    >>> display.figure_.savefig("precision-recall.pdf")
    """

    _CURVE = "A precision-recall curve"
    line_: Any
    break_even_: Any

    def __init__(
        self,
        curve: PrCurve,
        *,
        average_precision: float | None = None,
        break_even: float | None = None,
        name: str | None = None,
        pos_label: Any = None,
    ) -> None:
        if not isinstance(curve, PrCurve):
            raise TypeError(f"curve must be a PrCurve, got {type(curve).__name__}; see from_predictions().")
        if not np.isfinite(curve.recall).all():
            raise ValueError("curve must have positive samples: the recall is nan without any.")
        self.curve, self.name, self.pos_label = curve, name, pos_label
        self.average_precision = _check_share(average_precision, "average_precision")
        self.break_even = _check_share(break_even, "break_even")

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
        PrDisplay
            Drawn.

        Raises
        ------
        ValueError
            Only one class is present, or `result` is a stack of replicates.
        """
        display = cls(
            cls._check_ranked(result).pr_curve(),
            average_precision=result.average_precision(),
            break_even=result.break_even_score(),
            name=name,
            pos_label=result.pos_label,
        )
        return display.plot(ax, **plot_options)

    def plot(
        self,
        ax: Any = None,
        *,
        name: str | None = None,
        f1_levels: Sequence[float] = (0.2, 0.4, 0.6, 0.8),
        chance_level: bool = True,
        curve_kwargs: dict[str, Any] | None = None,
        f1_kwargs: dict[str, Any] | None = None,
        chance_kwargs: dict[str, Any] | None = None,
        break_even_kwargs: dict[str, Any] | None = None,
    ) -> Self:
        """Draw the curve; on axes that hold curves already it gets a style of its own.

        Parameters
        ----------
        ax : matplotlib Axes or None, default=None
            None: a new figure.
        name : str or None, default=None
            Name of the curve in the legend; None: that of the Display.
        f1_levels : sequence of float in (0, 1), default=(0.2, 0.4, 0.6, 0.8)
            Values of F1 that get a line, once on the same axes; empty: none.
        chance_level : bool, default=True
            Whether to draw the share of the positives, once on the same axes for each share.
        curve_kwargs : dict or None, default=None
            For the curve (matplotlib Line2D).
        f1_kwargs : dict or None, default=None
            For the lines of equal F1 (matplotlib Line2D).
        chance_kwargs : dict or None, default=None
            For the line of chance (matplotlib Line2D).
        break_even_kwargs : dict or None, default=None
            For the dot (matplotlib Line2D).

        Returns
        -------
        PrDisplay
            This Display.
        """
        ax = self._start(ax, size=(_SIDE, _SIDE), layout="compressed")
        positive = positive_class(self.pos_label)
        label_axes(ax, f"Recall{positive}", f"Precision{positive}")
        unit_square(ax, equal=True)
        if len(f1_levels):
            _draw_equal_f1(ax, f1_levels, f1_kwargs)
        if self.break_even is not None:
            style = {"color": "#9a9a9a", "linestyle": "--", "linewidth": 0.8}
            draw_once(ax, "precision = recall", [0, 1], [0, 1], None, **style)
        if chance_level:
            share = self.curve.precision[-1]
            draw_once(ax, f"chance: {share:.3g} positive", [0, 1], [share, share], chance_kwargs)
        figures = {"AP": self.average_precision, "break-even": self.break_even}
        told = [f"{what} = {value:.3f}" for what, value in figures.items() if value is not None]
        label = curve_label(self.name if name is None else name, told, "P-R curve")
        self.line_ = draw_curve(ax, *self._points(), label, curve_kwargs)
        self.break_even_ = None
        if self.break_even is not None:
            dot = {"color": self.line_.get_color(), "marker": "o", "markersize": 7, "linestyle": ""}
            dot |= {"markeredgecolor": "white", "zorder": 4, "label": "_"}
            dot = merge_style("lines.Line2D", dot, break_even_kwargs)
            (self.break_even_,) = ax.plot([self.break_even], [self.break_even], **dot)
        draw_curve_legend(ax, loc="lower left", pad=_PAD if len(f1_levels) else 0.0)
        return self

    def _points(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return recall and precision from recall 0 on, dense enough that hyperbolas look like it."""
        true, false = self.curve.true_positives, self.curve.false_positives
        pieces = np.ceil(np.diff(true) / (true[-1] * _STEP)).clip(1).astype(np.int64)
        piece = np.repeat(np.arange(len(pieces)), pieces)
        within = np.arange(len(piece)) - np.repeat(np.cumsum(pieces) - pieces, pieces)
        at = np.append(piece + within / pieces[piece], len(pieces))
        true, false = (np.interp(at, np.arange(len(true)), counts) for counts in (true, false))
        some = true + false > 0
        precision = true[some] / (true + false)[some]
        # Before the first cut-off the precision is that of the first.
        return np.append(0.0, true[some] / true[-1]), np.append(precision[0], precision)


def _draw_equal_f1(ax: Any, levels: Sequence[float], given: dict[str, Any] | None) -> None:
    """Draw lines of equal F1, once on the axes; their values stand at the right."""
    if _EQUAL_F1 in [line.get_label() for line in ax.lines]:
        return
    size = min(_POINTS, 0.08 * 72 * min(axes_inches(ax)))
    for which, level in enumerate(sorted(levels)):
        f1 = check_real(level, "f1_levels", low=0, high=1, closed="neither")
        recall = np.linspace(f1 / (2 - f1), 1, 100)
        style = {"color": "#c4c4c4", "linewidth": 0.8, "linestyle": "-", "zorder": 0.5}
        style["label"] = "_" if which else _EQUAL_F1
        draw_once(ax, f"F1 = {f1:g}", recall, f1 * recall / (2 * recall - f1), given, **style)
        words = {"fontsize": size, "color": SOFT_INK, "ha": "left", "va": "center", "clip_on": False}
        ax.text(1.03, f1 / (2 - f1), f"{f1:g}", **words)


def _check_share(value: float | None, name: str) -> float | None:
    return None if value is None else check_real(value, name, low=0, high=1)

"""The cost curve: what the best cut-off costs at every share of positives, under unequal costs."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from skeval.metrics import CostCurve, RankedScores
from skeval.plotting._base import INK, merge_style
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
from skeval.utils._optional import import_optional
from skeval.utils._validation import check_real

_SIZE = (6.4, 4.8)  # inches, of a figure of our own
_MOST_LINES = 40  # one per cut-off


class CostCurveDisplay(RankedCurveDisplay):
    """Cost curve: normalized expected cost against the probability cost P(+)cost.

    Made by `from_predictions`, `from_estimator` or `from_result`; pass the ``ax_`` of one
    Display to the next to compare curves. Every cut-off is a straight line from its false
    positive rate at the left to its false negative rate at the right; the curve is the lower
    envelope of all, the two trivial classifiers included. The curve that is lower at the
    costs and the share of positives where a model will run is the better one there.

    Parameters
    ----------
    curve : CostCurve
        What `skeval.metrics.cost_curve` or ``RankedScores.cost_curve`` returned.
    name : str or None, default=None
        Name of the curve in the legend.
    pos_label : label or None, default=None
        The positive class, for the axis label.

    Attributes
    ----------
    line_ : matplotlib Line2D
        The lower envelope.
    cut_offs_ : matplotlib LineCollection or None
        The lines of single cut-offs.
    operating_point_ : matplotlib Line2D or None
        Mark at the share of positives asked for.
    ax_ : matplotlib Axes
        Axes with the curve.
    figure_ : matplotlib Figure
        Figure that holds them.

    Raises
    ------
    TypeError
        `curve` is no CostCurve.

    Notes
    -----
    P(+)cost = p cost_fn / (p cost_fn + (1 - p) cost_fp) at a share p of positives. The cost
    is normalized: 1 is that of being always wrong; the better of the two trivial classifiers
    costs at most 1/2. The legend has the area under the curve: the expected cost where all
    values of P(+)cost are equally likely.

    References
    ----------
    .. [1] C. Drummond, R. C. Holte (2006). Cost curves: an improved method for visualizing
       classifier performance. Machine Learning 65, 95-130.

    Examples
    --------
    >>> from skeval.plotting import CostCurveDisplay
    >>> y_true, y_score = [1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.1]
    >>> display = CostCurveDisplay.from_predictions(y_true, y_score, cost_fn=5, name="a model")
    >>> display.curve.normalized_cost.round(3)
    array([0. , 0.2, 0. ])
    >>> display.figure_.savefig("cost-curve.pdf")
    """

    _CURVE = "A cost curve"
    line_: Any
    cut_offs_: Any
    operating_point_: Any

    def __init__(self, curve: CostCurve, *, name: str | None = None, pos_label: Any = None) -> None:
        if not isinstance(curve, CostCurve):
            raise TypeError(f"curve must be a CostCurve, got {type(curve).__name__}; see from_predictions().")
        self.curve, self.name, self.pos_label = curve, name, pos_label

    @classmethod
    def from_result(
        cls,
        result: RankedScores,
        *,
        cost_fn: float = 1,
        cost_fp: float = 1,
        name: str | None = None,
        ax: Any = None,
        **plot_options: Any,
    ) -> Self:
        """Draw the cost curve of ranked scores.

        Parameters
        ----------
        result : RankedScores
            From `skeval.metrics.RankedScores.from_predictions` or ``from_chunks``.
        cost_fn, cost_fp : float, default=1
            Cost of missing a positive and of a false alarm, above 0.
        name : str or None, default=None
            Name of the curve in the legend.
        ax : matplotlib Axes or None, default=None
            None: a new figure.
        **plot_options : dict
            Passed to `plot`.

        Returns
        -------
        CostCurveDisplay
            Drawn.

        Raises
        ------
        ValueError
            Only one class is present, or `result` is a stack of replicates.
        """
        curve = cls._check_ranked(result).cost_curve(cost_fn=cost_fn, cost_fp=cost_fp)
        return cls(curve, name=name, pos_label=result.pos_label).plot(ax, **plot_options)

    def plot(
        self,
        ax: Any = None,
        *,
        name: str | None = None,
        prevalence: float | None = None,
        cut_offs: bool | None = None,
        chance_level: bool = True,
        curve_kwargs: dict[str, Any] | None = None,
        cut_off_kwargs: dict[str, Any] | None = None,
        chance_kwargs: dict[str, Any] | None = None,
    ) -> Self:
        """Draw the curve; on axes that hold curves already it gets a style of its own.

        Parameters
        ----------
        ax : matplotlib Axes or None, default=None
            None: a new figure.
        name : str or None, default=None
            Name of the curve in the legend; None: that of the Display.
        prevalence : float or None, default=None
            Share of positives where the model will run: the legend says what it costs there
            and which cut-off to use.
        cut_offs : bool or None, default=None
            Whether to draw the lines of single cut-offs, at most 40 of them; None: for the
            first curve of a new figure.
        chance_level : bool, default=True
            Whether to draw the better of the trivial classifiers, once on the same axes.
        curve_kwargs : dict or None, default=None
            For the curve (matplotlib Line2D).
        cut_off_kwargs : dict or None, default=None
            For the lines of cut-offs (matplotlib LineCollection).
        chance_kwargs : dict or None, default=None
            For the line of the trivial classifiers (matplotlib Line2D).

        Returns
        -------
        CostCurveDisplay
            This Display.
        """
        cut_offs = ax is None if cut_offs is None else cut_offs
        ax = self._start(ax, size=_SIZE, layout="compressed")
        if chance_level:
            draw_once(ax, "one class for all", [0, 0.5, 1], [0, 0.5, 0], chance_kwargs)
        figures = [f"area = {self.curve.area():.3f}"]
        label = curve_label(self.name if name is None else name, figures, "cost curve")
        x, y = self.curve.probability_cost, self.curve.normalized_cost
        self.line_ = draw_curve(ax, x, y, label, curve_kwargs)
        self.cut_offs_ = self._draw_cut_offs(ax, cut_off_kwargs) if cut_offs else None
        self.operating_point_ = None if prevalence is None else self._draw_operating_point(ax, prevalence)
        costs = f"{self.curve.cost_fn:g} : {self.curve.cost_fp:g}"
        words = f"Probability cost P(+)cost, miss : false alarm = {costs}{positive_class(self.pos_label)}"
        unit_square(ax, equal=False)
        label_axes(ax, words, "Normalized expected cost")
        # No envelope is above 1/2.
        ax.set(ylim=(-0.01, 0.52), yticks=np.linspace(0, 0.5, 3 if len(ax.get_xticks()) < 6 else 6))
        draw_curve_legend(ax, loc="upper left", share=0.5)
        return self

    def _draw_cut_offs(self, ax: Any, given: dict[str, Any] | None) -> Any:
        """Draw the line of each cut-off, of many some at equal distances."""
        collections = import_optional("matplotlib.collections", extra="plot", purpose="A Display")
        n_lines = len(self.curve.fpr)
        some = np.unique(np.linspace(0, n_lines - 1, min(n_lines, _MOST_LINES)).astype(np.int64))
        ends = [[(0, self.curve.fpr[which]), (1, self.curve.fnr[which])] for which in some]
        style = {"color": self.line_.get_color(), "linewidth": 0.6, "alpha": 0.3, "zorder": 1}
        style = merge_style("collections.LineCollection", style, given)
        return ax.add_collection(collections.LineCollection(ends, **style))

    def _draw_operating_point(self, ax: Any, prevalence: float) -> Any:
        """Mark the share of positives; the legend has cost and cut-off there."""
        share = check_real(prevalence, "prevalence", low=0, high=1)
        x = self.curve.probability_cost_at(share)
        cost, cut_off = self.curve.cost_at(x), self.curve.threshold_at(x)
        told = "none" if np.isinf(cut_off) else f"score >= {cut_off:.4g}"
        words = f"at {share:.3g} positive: cost {cost:.3f},\npositive: {told}"
        style = {"color": self.line_.get_color(), "marker": "D", "markersize": 7, "linestyle": ""}
        (mark,) = ax.plot([x], [cost], markeredgecolor=INK, zorder=4, label=words, **style)
        return mark

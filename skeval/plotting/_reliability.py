"""Reliability: whether what is predicted with probability p happens in a share p of the cases."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from skeval.intervals import proportion_interval
from skeval.metrics import ReliabilityCurve, brier_score, reliability_curve
from skeval.plotting._base import INK, Display, merge_style, own_size
from skeval.plotting._curves import (
    curve_label,
    draw_curve,
    draw_curve_legend,
    draw_once,
    positive_class,
    unit_square,
)
from skeval.plotting._text import label_axes
from skeval.utils._labels import positive_mask
from skeval.utils._response import response_values
from skeval.utils._validation import check_level, check_real

_SIZE = (5.4, 7.0)  # inches, of a figure of our own


class ReliabilityDisplay(Display):
    """Observed share of positives against the predicted probability, by bins, with intervals.

    Made by `from_predictions` or `from_estimator`; pass the ``ax_`` of one Display to the
    next to compare models.

    Parameters
    ----------
    curve : ReliabilityCurve
        What `skeval.metrics.reliability_curve` returned.
    confidence_level : float or None, default=0.95
        Of Wilson's interval of each observed share; None: no intervals. They need whole
        counts.
    brier_score : float or None, default=None
        For the legend.
    name : str or None, default=None
        Name of the model in the legend.
    pos_label : label or None, default=None
        The positive class, for the axis labels.

    Attributes
    ----------
    low, high : ndarray of shape (n_bins,) or None
        Ends of the intervals.
    line_ : matplotlib Line2D
        Observed against mean predicted.
    band_ : matplotlib LineCollection or None
        The intervals.
    counts_ax_ : matplotlib Axes or None
        Below the others, in a figure of our own: how many samples each bin holds.
    ax_ : matplotlib Axes
        Axes with the curve.
    figure_ : matplotlib Figure
        Figure that holds them.

    Raises
    ------
    TypeError
        `curve` is no ReliabilityCurve.
    ValueError
        Intervals of fractional weights, a level outside (0, 1), or a negative Brier score.

    Notes
    -----
    Each interval is for the share of positives among samples like those of its bin, one bin
    at a time: of ten intervals at 95 %, one misses the diagonal in 40 % of the cases even
    where the model is calibrated.

    References
    ----------
    .. [1] M. H. DeGroot, S. E. Fienberg (1983). The comparison and evaluation of forecasters.
       The Statistician 32, 12-22.
    .. [2] J. Bröcker, L. A. Smith (2007). Increasing the reliability of reliability diagrams.
       Weather and Forecasting 22, 651-661.

    Examples
    --------
    >>> from skeval.plotting import ReliabilityDisplay
    >>> y_true, y_prob = [0, 0, 1, 0, 1, 1], [0.1, 0.3, 0.3, 0.6, 0.8, 0.9]
    >>> display = ReliabilityDisplay.from_predictions(y_true, y_prob, n_bins=2, name="a model")
    >>> display.low.round(3), display.high.round(3)
    (array([0.061, 0.208]), array([0.792, 0.939]))
    >>> display.figure_.savefig("reliability.pdf")
    """

    line_: Any
    band_: Any
    counts_ax_: Any

    def __init__(
        self,
        curve: ReliabilityCurve,
        *,
        confidence_level: float | None = 0.95,
        brier_score: float | None = None,
        name: str | None = None,
        pos_label: Any = None,
    ) -> None:
        if not isinstance(curve, ReliabilityCurve):
            raise TypeError(
                f"curve must be a ReliabilityCurve, got {type(curve).__name__}; see from_predictions()."
            )
        self.curve, self.name, self.pos_label = curve, name, pos_label
        self.brier_score = None if brier_score is None else check_real(brier_score, "brier_score", low=0)
        self.low = self.high = None
        if confidence_level is not None:
            level = check_level(confidence_level, "confidence_level")
            if curve.n_samples.dtype.kind == "f":
                raise ValueError(
                    "Intervals need whole counts, and fractional weights are none; pass "
                    "confidence_level=None."
                )
            shares = proportion_interval(
                curve.n_positive, curve.n_samples, method="wilson", confidence_level=level
            )
            self.low, self.high = shares.low, shares.high

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_prob: ArrayLike,
        *,
        n_bins: int = 10,
        strategy: str = "uniform",
        confidence_level: float | None = 0.95,
        pos_label: Any = None,
        sample_weight: ArrayLike | None = None,
        name: str | None = None,
        ax: Any = None,
        **plot_options: Any,
    ) -> ReliabilityDisplay:
        """Draw the reliability of predicted probabilities.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            Labels of two classes.
        y_prob : array-like of shape (n_samples,)
            Probability of the positive class.
        n_bins : int, default=10
            Number of bins.
        strategy : {"uniform", "quantile"}, default="uniform"
            Bins of equal width, or of about equal weight.
        confidence_level : float or None, default=0.95
            Of the intervals; None: none.
        pos_label : label or None, default=None
            The positive class. None: 1 (True) for labels within {0, 1}, {-1, 1} or
            {False, True}; otherwise it must be named.
        sample_weight : array-like of shape (n_samples,) or None, default=None
            Weights, not negative; whole ones for intervals.
        name : str or None, default=None
            Name of the model in the legend.
        ax : matplotlib Axes or None, default=None
            None: a new figure.
        **plot_options : dict
            Passed to `plot`.

        Returns
        -------
        ReliabilityDisplay
            Drawn.
        """
        options: dict[str, Any] = {"pos_label": pos_label, "sample_weight": sample_weight}
        curve = reliability_curve(y_true, y_prob, n_bins=n_bins, strategy=strategy, **options)
        display = cls(
            curve,
            confidence_level=confidence_level,
            brier_score=brier_score(y_true, y_prob, **options),
            name=name,
            pos_label=positive_mask(y_true, pos_label)[1],
        )
        return display.plot(ax, **plot_options)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        pos_label: Any = None,
        name: str | None = None,
        ax: Any = None,
        **options: Any,
    ) -> ReliabilityDisplay:
        """Draw the reliability of a fitted binary classifier.

        Parameters
        ----------
        estimator : estimator
            Fitted, with ``predict_proba``.
        X : array-like of shape (n_samples, n_features)
            Samples that the estimator was not fitted on.
        y : array-like of shape (n_samples,)
            Their labels.
        pos_label : label or None, default=None
            The positive class, by the rule of `from_predictions`.
        name : str or None, default=None
            Name of the model; None: the class of the estimator.
        ax : matplotlib Axes or None, default=None
            None: a new figure.
        **options : dict
            Passed to `from_predictions`.

        Returns
        -------
        ReliabilityDisplay
            Drawn.
        """
        probability, _ = response_values(estimator, X, response_method="predict_proba", pos_label=pos_label)
        name = type(estimator).__name__ if name is None else name
        return cls.from_predictions(y, probability, pos_label=pos_label, name=name, ax=ax, **options)

    def plot(
        self,
        ax: Any = None,
        *,
        name: str | None = None,
        diagonal: bool = True,
        curve_kwargs: dict[str, Any] | None = None,
        band_kwargs: dict[str, Any] | None = None,
        diagonal_kwargs: dict[str, Any] | None = None,
    ) -> ReliabilityDisplay:
        """Draw the points; on axes that hold some already they get a style of their own.

        Parameters
        ----------
        ax : matplotlib Axes or None, default=None
            None: a new figure, with the counts of the bins below.
        name : str or None, default=None
            Name of the model in the legend; None: that of the Display.
        diagonal : bool, default=True
            Whether to draw the diagonal of a calibrated model, once on the same axes.
        curve_kwargs : dict or None, default=None
            For the points and the line through them (matplotlib Line2D).
        band_kwargs : dict or None, default=None
            For the intervals (matplotlib LineCollection).
        diagonal_kwargs : dict or None, default=None
            For the diagonal (matplotlib Line2D).

        Returns
        -------
        ReliabilityDisplay
            This Display.
        """
        owned = ax is None
        ax = self._start(ax, size=_SIZE, layout="constrained")
        self.counts_ax_ = self._draw_counts(ax) if owned else None
        if diagonal:
            draw_once(ax, "calibrated", [0, 1], [0, 1], diagonal_kwargs)
        figures = [] if self.brier_score is None else [f"Brier score {self.brier_score:.3f}"]
        label = curve_label(self.name if name is None else name, figures, "model")
        place = self.curve.mean_predicted
        self.line_ = draw_curve(ax, place, self.curve.observed, label, curve_kwargs, points=True)
        self.band_ = None
        if self.low is not None:
            defaults = {"color": self.line_.get_color(), "linewidth": 1.2, "alpha": 0.7}
            band = merge_style("collections.LineCollection", defaults, band_kwargs)
            self.band_ = ax.vlines(place, self.low, self.high, **band)
        label_axes(
            ax, f"Predicted probability{positive_class(self.pos_label)}", "Observed share of positives"
        )
        # Ours is nearly square, and the counts below are as wide.
        unit_square(ax, equal=own_size(self.figure_) is None)
        draw_curve_legend(ax, loc="upper left", share=0.55)
        return self

    def _draw_counts(self, ax: Any) -> Any:
        """Draw how many samples each bin holds, below the axes of a figure of our own."""
        grid = ax.get_gridspec().figure.add_gridspec(2, 1, height_ratios=(5, 1))
        ax.set_subplotspec(grid[0])
        below = self.figure_.add_subplot(grid[1], sharex=ax)
        lower, width = self.curve.lower, self.curve.upper - self.curve.lower
        below.bar(lower, self.curve.n_samples, width=width, align="edge", color="#cccccc", edgecolor=INK)
        below.set_ylabel("Samples")
        below.tick_params(labelbottom=False)
        below.spines[["top", "right"]].set_visible(False)
        return below

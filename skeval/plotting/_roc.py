"""The ROC curve."""

from __future__ import annotations

import textwrap
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from skeval.metrics import RankedScores
from skeval.plotting._base import SOFT_INK, Display, curve_style, font_families, is_own, merge_style
from skeval.utils._response import response_values
from skeval.utils._validation import check_real, check_same_length, check_vector

_CHANCE = "chance"
_HINT = "AUC below 1/2: do the scores\nbelong to the other class?"
_LEGEND_SHARE = 0.62  # of the axes, at most
_LEGEND_COLUMNS = 34  # characters, before a name is broken
_LEGEND_POINTS = 9.0
_SIDE = 5.2  # inches, of a figure of our own


class RocDisplay(Display):
    """ROC curve: true positive rate against false positive rate over all cut-offs.

    Made by `from_predictions` or `from_estimator`; pass the ``ax_`` of one Display to the
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
    >>> display.figure_.savefig("roc.pdf")  # doctest: +SKIP
    """

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
    def from_predictions(
        cls,
        y_true: Any,
        y_score: ArrayLike,
        *,
        pos_label: Any = None,
        sample_weight: ArrayLike | None = None,
        name: str | None = None,
        ax: Any = None,
        **plot_options: Any,
    ) -> RocDisplay:
        """Draw the curve of scores.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            Labels of two classes.
        y_score : array-like of shape (n_samples,)
            Higher means more positive: probability, decision value or any other number.
        pos_label : label or None, default=None
            The class that high scores belong to. None: 1 (True) for labels within {0, 1},
            {-1, 1} or {False, True}; otherwise it must be named.
        sample_weight : array-like of shape (n_samples,) or None, default=None
            Weights, not negative.
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
            Only one class is present, or `pos_label` must be named.
        """
        ranked = RankedScores.from_predictions(
            y_true, y_score, pos_label=pos_label, sample_weight=sample_weight
        )
        if not (ranked.n_positive and ranked.n_negative):
            lacking = "positive" if ranked.n_negative else "negative"
            raise ValueError(f"A ROC curve needs both classes, but y_true holds no {lacking} sample.")
        curve = ranked.roc_curve()
        display = cls(curve.fpr, curve.tpr, roc_auc=ranked.roc_auc(), name=name, pos_label=ranked.pos_label)
        return display.plot(ax, **plot_options)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        pos_label: Any = None,
        sample_weight: ArrayLike | None = None,
        name: str | None = None,
        ax: Any = None,
        **plot_options: Any,
    ) -> RocDisplay:
        """Draw the curve of a fitted binary classifier.

        Parameters
        ----------
        estimator : estimator
            Fitted, with ``decision_function`` or ``predict_proba`` (asked in this order).
        X : array-like of shape (n_samples, n_features)
            Samples that the estimator was not fitted on.
        y : array-like of shape (n_samples,)
            Their labels.
        pos_label : label or None, default=None
            The positive class, by the rule of `from_predictions`.
        sample_weight : array-like of shape (n_samples,) or None, default=None
            Weights, not negative.
        name : str or None, default=None
            Name of the curve; None: the class of the estimator.
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
            More than two classes, or only one is present, or `pos_label` must be named.
        """
        y_score, _ = response_values(estimator, X, pos_label=pos_label)
        if np.ndim(y_score) != 1:
            raise ValueError(
                "A ROC curve needs two classes, but the estimator gives a score for each of "
                f"{np.shape(y_score)[1]}; draw one class against the rest with from_predictions."
            )
        return cls.from_predictions(
            y,
            y_score,
            pos_label=pos_label,
            sample_weight=sample_weight,
            name=type(estimator).__name__ if name is None else name,
            ax=ax,
            **plot_options,
        )

    def plot(
        self,
        ax: Any = None,
        *,
        name: str | None = None,
        chance_level: bool = True,
        curve_kwargs: dict[str, Any] | None = None,
        chance_kwargs: dict[str, Any] | None = None,
    ) -> RocDisplay:
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
        owned = ax is None
        ax = self._start(ax)
        if owned:
            self.figure_.set_size_inches(_SIDE, _SIDE)
            self.figure_.set_layout_engine("compressed")
        curves = [line for line in ax.lines if not line.get_label().startswith("_")]
        index = sum(line.get_label() != _CHANCE for line in curves)
        if chance_level and index == len(curves):
            style = {"color": SOFT_INK, "linestyle": (0, (1, 3)), "linewidth": 1.2, "label": _CHANCE}
            ax.plot([0, 1], [0, 1], **merge_style("lines.Line2D", style, chance_kwargs))
        style = {"linewidth": 1.8, "label": self._label(name), **curve_style(index)}
        (self.line_,) = ax.plot(self.fpr, self.tpr, **merge_style("lines.Line2D", style, curve_kwargs))
        positive = "" if self.pos_label is None else f" (positive class: {_plain_text(str(self.pos_label))})"
        families = font_families([positive])
        ax.set_xlabel(f"False positive rate{positive}", fontfamily=families)
        ax.set_ylabel(f"True positive rate{positive}", fontfamily=families)
        ticks = np.linspace(0, 1, 6)
        ax.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), xticks=ticks, yticks=ticks, aspect="equal")
        ax.spines[["top", "right"]].set_visible(False)
        self._draw_legend(ax)
        return self

    def _label(self, name: str | None) -> str:
        name = self.name if name is None else name
        area = "" if self.roc_auc is None else f"AUC = {self.roc_auc:.3f}"
        if not name:
            return area or "ROC curve"
        # matplotlib hides a label that begins with an underscore.
        name = (" " if name.startswith("_") else "") + _plain_text(name)
        *lines, last = textwrap.wrap(name, _LEGEND_COLUMNS, drop_whitespace=False)
        if not area:
            return "\n".join([*lines, last])
        fits = len(last) + len(area) + 3 <= _LEGEND_COLUMNS
        return "\n".join([*lines, f"{last} ({area})"] if fits else [*lines, last, area])

    def _draw_legend(self, ax: Any) -> None:
        """Put the legend inside; where it has no room, beside in an own figure, else smaller."""
        old = ax.get_legend()
        hinted = old is not None and old.get_title().get_text() == _HINT
        hint = _HINT if hinted or (self.roc_auc is not None and self.roc_auc < 0.5) else None
        inside = {"loc": "upper left" if hint else "lower right"}
        size, figure, room = _LEGEND_POINTS, ax.get_figure(), ax.get_window_extent()
        beside = is_own(figure) and figure.get_size_inches()[0] > _SIDE
        for _ in range(4):  # a shrunken font is not exactly a scaled one
            width, height = self._legend(ax, hint, size, inside)
            shrink = _LEGEND_SHARE * min(room.width / width, room.height / height)
            if shrink >= 1 and not beside:
                return
            if is_own(figure):
                self._legend(ax, hint, size, {"loc": "center left", "bbox_to_anchor": (1.0, 0.5)})
                side = max(_SIDE, height / figure.dpi + 0.2)
                figure.set_size_inches(side + width / figure.dpi + 0.2, side)
                return
            size *= shrink

    def _legend(self, ax: Any, title: str | None, size: float, place: dict[str, Any]) -> tuple[float, float]:
        """Draw the legend; return its width and height in pixels."""
        labels = [line.get_label() for line in ax.lines if not line.get_label().startswith("_")]
        font = {"family": font_families(labels), "size": size}
        legend = ax.legend(
            title=title, prop=font, title_fontproperties=font, framealpha=0.9, handlelength=3, **place
        )
        box = legend.get_window_extent()
        return box.width, box.height


def _plain_text(words: str) -> str:
    """Keep matplotlib from reading $...$ as mathematics."""
    return words.replace("$", r"\$")


def _check_rate(values: ArrayLike, name: str) -> Any:
    rate = check_vector(values, name, minimum_size=2)
    if rate.min() < 0 or rate.max() > 1 or (np.diff(rate) < 0).any():
        raise ValueError(f"{name} must hold rates in [0, 1] that do not descend.")
    return rate

"""The Friedman diagram: an interval of one critical difference around each mean rank."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from skeval.plotting._base import INK, SOFT_INK, Display, merge_style, size_in_inches
from skeval.plotting._critical_difference import _check_ranks, _critical_difference_of
from skeval.plotting._rank_axis import _ticks
from skeval.plotting._sheet import Sheet, one_line
from skeval.utils._pairwise import PairwiseResult
from skeval.utils._validation import check_level, check_real

# Lengths in em (the size of the font), so that the whole drawing scales with the font.
_MARGIN, _ROW, _GAP, _TICK = 1.0, 1.7, 0.7, 2.2
_OWN_AXIS, _AXIS = 32.0, 14.0
_SHADE = "#DCEFF9"


class FriedmanDisplay(Display):
    """Friedman diagram: mean ranks over data sets, each with an interval.

    Around each mean rank lies an interval as long as the critical difference. Two methods
    whose intervals do not overlap are different; those that overlap the interval of the best
    method, which is shaded, are not told apart from it.

    Parameters
    ----------
    mean_ranks : array-like of shape (n_methods,)
        Mean rank of each method over the data sets, 1 = best; at least two methods.
    names : sequence of str of length n_methods
        Their names, each once.
    critical_difference : float
        Difference of mean ranks from which on two methods are different, above 0.
    alpha : float, default=0.05
        Level of the critical difference.
    method : str, default=""
        Name of the test, for the line under the diagram.

    Attributes
    ----------
    intervals : ndarray of shape (n_methods, 2)
        The ends as data: mean rank less and plus half the critical difference.
    ax_ : matplotlib Axes
        Axes with the diagram.
    figure_ : matplotlib Figure
        Figure that holds them.
    labels_ : list of matplotlib Text
        Names with mean ranks, in the order of `names`.
    lines_ : list of matplotlib Line2D
        The intervals, in the order of `names`.

    See Also
    --------
    CriticalDifferenceDisplay : The same result on one line, with bars.

    Notes
    -----
    Any mean-rank comparison depends on which other methods are in the table.

    References
    ----------
    .. [1] J. Demsar (2006). Statistical comparisons of classifiers over multiple data sets.
       Journal of Machine Learning Research 7, 1-30; section 3.2.2.

    Examples
    --------
    >>> from skeval.plotting import FriedmanDisplay
    >>> display = FriedmanDisplay(
    ...     [3.143, 2.000, 2.893, 1.964],
    ...     ["C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf"],
    ...     critical_difference=1.253,
    ... )
    >>> display.intervals[0].round(2).tolist()
    [2.52, 3.77]
    >>> display.plot().figure_.savefig("diagram.pdf")  # doctest: +SKIP
    """

    def __init__(
        self,
        mean_ranks: ArrayLike,
        names: Sequence[str],
        *,
        critical_difference: float,
        alpha: float = 0.05,
        method: str = "",
    ) -> None:
        self.names = tuple(str(name) for name in names)
        self.mean_ranks = _check_ranks(mean_ranks, self.names)
        self.critical_difference = check_real(
            critical_difference, "critical_difference", low=0, closed="neither"
        )
        self.alpha = check_level(alpha, "alpha")
        self.method = method

    @property
    def intervals(self) -> Any:
        """Lower and upper end of each interval."""
        return self.mean_ranks[:, None] + self.critical_difference / 2 * np.array([-1.0, 1.0])

    @classmethod
    def from_result(
        cls, result: PairwiseResult, *, alpha: float = 0.05, ax: Any = None, **plot_options: Any
    ) -> FriedmanDisplay:
        """Draw the outcome of Nemenyi's test.

        Parameters
        ----------
        result : PairwiseResult
            From `skeval.comparison.compare_scores` or `posthoc_test(method="nemenyi")`.
        alpha : float, default=0.05
            Level of the critical difference.
        ax : matplotlib Axes or None, default=None
            None: a new figure, as large as the diagram needs.
        **plot_options : dict
            Passed to `plot`.

        Returns
        -------
        FriedmanDisplay
            Drawn.

        Raises
        ------
        ValueError
            The result is not one of all pairs with a critical difference.
        """
        difference = None
        if result.mean_ranks is not None and result.control is None:
            difference = _critical_difference_of(result, alpha)
        if result.mean_ranks is None or difference is None:
            raise ValueError(
                "result must be a comparison of mean ranks of all pairs with a critical difference at "
                f"alpha={alpha}, got {result.method or 'another'}; use posthoc_test(method='nemenyi')."
            )
        display = cls(
            result.mean_ranks,
            result.methods,
            critical_difference=difference,
            alpha=alpha,
            method=result.method,
        )
        return display.plot(ax, **plot_options)

    def plot(
        self,
        ax: Any = None,
        *,
        title: str | None = None,
        line_kwargs: dict[str, Any] | None = None,
        text_kwargs: dict[str, Any] | None = None,
    ) -> FriedmanDisplay:
        """Draw the diagram.

        Parameters
        ----------
        ax : matplotlib Axes or None, default=None
            None: a new figure, as large as the diagram needs. Axes that are too small for
            the diagram get a smaller font.
        title : str or None, default=None
            Line above the diagram.
        line_kwargs : dict or None, default=None
            For the intervals (matplotlib Line2D).
        text_kwargs : dict or None, default=None
            For the names (matplotlib Text); their ``fontsize`` sets the size of the whole
            diagram.

        Returns
        -------
        FriedmanDisplay
            This Display.
        """
        sheet = Sheet(self._start(ax), owned=ax is None)
        style = {"horizontalalignment": "right", "verticalalignment": "center"}
        self.labels_ = [
            sheet.text(f"{one_line(name)}  {rank:.2f}", **merge_style("text.Text", style, text_kwargs))
            for name, rank in zip(self.names, self.mean_ranks, strict=True)
        ]
        size = float(self.labels_[0].get_fontsize())
        head = sheet.text(title or "", ha="center", va="top", fontsize=1.15 * size)
        foot = sheet.text(self._caption(), ha="left", va="top", fontsize=0.85 * size, color=SOFT_INK)
        room = sheet.room()
        width, height = sheet.fit(
            (*self.labels_, head, foot),
            lambda: self._needed(sheet, head, foot, _OWN_AXIS if room is None else _AXIS, room),
        )
        self._draw(sheet, head, foot, width, height, merge_style("lines.Line2D", {}, line_kwargs))
        return self

    def _em(self) -> float:
        return float(self.labels_[0].get_fontsize()) / 72

    def _needed(self, sheet: Sheet, head: Any, foot: Any, axis: float, room: Any) -> tuple[float, float]:
        """Return width and height in inches, the texts above and below broken into lines."""
        em = self._em()
        names = max(size_in_inches(label)[0] for label in self.labels_)
        width = names + (2 * _MARGIN + _GAP + axis) * em
        for text in (head, foot):
            sheet.wrap(text, (width if room is None else max(room[0], 1.0)) - 2 * _MARGIN * em)
        above = size_in_inches(head)[1] + 0.7 * em if head.get_text() else 0.0
        below = size_in_inches(foot)[1] + (0.2 + 2 * _TICK) * em
        return width, above + below + (2 * _MARGIN + _ROW * len(self.names)) * em

    def _draw(
        self, sheet: Sheet, head: Any, foot: Any, width: float, height: float, style: dict[str, Any]
    ) -> None:
        em, n_methods = self._em(), len(self.names)
        size = 72 * em
        names = max(size_in_inches(label)[0] for label in self.labels_)
        left, right = (_MARGIN + _GAP) * em + names, width - _MARGIN * em
        ends = self.intervals
        low, high = min(1.0, ends.min()), max(float(n_methods), ends.max())
        scale = (right - left) / (high - low)

        def x(ranks: Any) -> Any:
            return left + (ranks - low) * scale

        head.set_position((width / 2, height - _MARGIN * em))
        top = height - _MARGIN * em - (size_in_inches(head)[1] + 0.7 * em if head.get_text() else 0.0)
        bottom = top - _ROW * n_methods * em
        best = int(self.mean_ranks.argmin())
        sheet.ax.axvspan(*x(ends[best]), *(np.array([bottom, top]) / height), color=_SHADE, lw=0)
        sheet.line(x(np.array([low, high])), [bottom] * 2, linewidth=0.1 * size)
        for rank in _ticks(n_methods, _TICK * em / scale):
            sheet.line([x(rank)] * 2, [bottom, bottom - 0.4 * em], linewidth=0.1 * size)
            sheet.text(str(rank), x(rank), bottom - 0.6 * em, ha="center", va="top", fontsize=size)
        told = "mean rank (1 is best)"
        sheet.text(told, right, bottom - _TICK * em, ha="right", va="top", fontsize=size, color=SOFT_INK)
        foot.set_position((_MARGIN * em, bottom - (0.2 + 2 * _TICK) * em))
        defaults = {"color": INK, "linewidth": 0.16 * size, "marker": "|", "markersize": 0.7 * size}
        self.lines_ = []
        place = np.argsort(np.argsort(self.mean_ranks, kind="stable"))
        for label, rank, pair, row in zip(self.labels_, self.mean_ranks, ends, place, strict=True):
            y = top - _ROW * (row + 0.5) * em
            label.set_position((left - _GAP * em, y))
            self.lines_.append(sheet.line(x(pair), [y, y], **{**defaults, **style}))
            sheet.line([x(rank)], [y], marker="o", markersize=0.55 * size, color=self.lines_[-1].get_color())

    def _caption(self) -> str:
        by = f"{self.method}, alpha = {self.alpha:g}" if self.method else f"alpha = {self.alpha:g}"
        return (
            f"Two methods differ significantly where their intervals do not overlap ({by}); each is one "
            f"critical difference, {self.critical_difference:.2f}, long. Shaded: that of the best."
        )

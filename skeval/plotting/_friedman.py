"""The Friedman diagram: an interval of one critical difference around each mean rank."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from skeval.plotting._base import INK, Display, merge_style
from skeval.plotting._mean_ranks import check_ranks, critical_difference_of
from skeval.plotting._rank_axis import rank_ticks
from skeval.plotting._row_axis import TICK, RowAxis
from skeval.plotting._sheet import Sheet
from skeval.plotting._text import one_line
from skeval.utils._pairwise import PairwiseResult
from skeval.utils._validation import check_level, check_real

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

    Raises
    ------
    ValueError
        Mean ranks that cannot be, a method that is named twice, or a number out of its
        range.

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
    >>> display.plot().figure_.savefig("diagram.pdf")
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
        self.mean_ranks = check_ranks(mean_ranks, self.names)
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
            difference = critical_difference_of(result, alpha)
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
        sheet.frame(self.labels_[0], title=title, caption=self._caption())
        ends, last = self.intervals, len(self.names)
        low, high = min(1.0, ends.min()), max(float(last), ends.max())
        axis = RowAxis(sheet, self.labels_, [], low=low, high=high, told="mean rank (1 is best)")
        place = np.argsort(np.argsort(self.mean_ranks, kind="stable"))
        axis.place(place.tolist())
        best = axis.x(ends[self.mean_ranks.argmin()])
        sheet.ax.fill_between(best, *axis.ends, color=_SHADE, linewidth=0)
        axis.draw(rank_ticks(last, TICK * sheet.em / axis.inches))
        size = sheet.points
        defaults = {"color": INK, "linewidth": 0.16 * size, "marker": "|", "markersize": 0.7 * size}
        line = merge_style("lines.Line2D", defaults, line_kwargs)
        self.lines_ = []
        for rank, pair, row in zip(self.mean_ranks, ends, place, strict=True):
            y = float(axis.y(row))
            self.lines_.append(sheet.line(axis.x(pair), [y, y], **line))
            mark = {"marker": "o", "markersize": 0.55 * size, "color": self.lines_[-1].get_color()}
            sheet.line([axis.x(rank)], [y], **mark)
        return self

    def _caption(self) -> str:
        by = f"{self.method}, alpha = {self.alpha:g}" if self.method else f"alpha = {self.alpha:g}"
        return (
            f"Two methods differ significantly where their intervals do not overlap ({by}); each is one "
            f"critical difference, {self.critical_difference:.2f}, long. Shaded: that of the best."
        )

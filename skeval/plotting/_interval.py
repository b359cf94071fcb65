"""A forest of intervals: figures of several models, or differences, each with its interval."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skeval.intervals import IntervalResult
from skeval.plotting._base import PALETTE, SOFT_INK, Display, merge_style
from skeval.plotting._row_axis import RowAxis
from skeval.plotting._sheet import Sheet
from skeval.plotting._text import one_line
from skeval.utils._optional import import_optional
from skeval.utils._pairwise import PairwiseResult
from skeval.utils._results import TestResult
from skeval.utils._validation import check_level, check_real, check_same_length, check_vector

_PAD = 0.04  # of the axis, beyond the outermost ends
_MOST_DECIMALS = 6


class IntervalDisplay(Display):
    """Forest of intervals: a row for each figure, its interval as a line and in numbers.

    Parameters
    ----------
    estimates : array-like of shape (n_rows,)
        The figures.
    low, high : array-like of shape (n_rows,)
        Ends of their intervals, ``low <= estimate <= high``; an end may be infinite.
    names : sequence of str of length n_rows
        What the rows are called.
    measure : str, default=""
        Name of the figure, for the axis.
    reference : float or None, default=None
        Value to compare with, as a dashed line (0 for differences). Dots of intervals that
        do not hold it are filled, the others are hollow.
    greater_is_better : bool or None, default=None
        Which end is better, for the words at the axis; None: not said.
    confidence_level : float or None, default=None
        Of the intervals, for the line under the picture.
    method : str, default=""
        Name of the interval, for that line.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Axes with the picture.
    figure_ : matplotlib Figure
        Figure that holds them.
    labels_, values_ : list of matplotlib Text
        Names and numbers, in the order given.
    lines_, dots_ : list of matplotlib Line2D
        Intervals and figures, in the order given.

    Raises
    ------
    ValueError
        Lengths differ, an estimate that is not finite or outside its interval, or a level
        outside (0, 1).

    Notes
    -----
    Whether two intervals overlap does not say whether the figures differ: for that, draw the
    interval of the difference.

    Examples
    --------
    >>> from skeval.intervals import proportion_interval
    >>> from skeval.plotting import IntervalDisplay
    >>> accuracy = {"tree": proportion_interval(78, 100), "forest": proportion_interval(87, 100)}
    >>> display = IntervalDisplay.from_result(accuracy, greater_is_better=True)
    >>> [text.get_text() for text in display.values_]
    ['0.780 [0.689, 0.850]', '0.870 [0.790, 0.922]']
    >>> display.figure_.savefig("intervals.pdf")
    """

    def __init__(
        self,
        estimates: ArrayLike,
        low: ArrayLike,
        high: ArrayLike,
        names: Sequence[str],
        *,
        measure: str = "",
        reference: float | None = None,
        greater_is_better: bool | None = None,
        confidence_level: float | None = None,
        method: str = "",
    ) -> None:
        self.estimates = check_vector(estimates, "estimates").copy()
        self.low, self.high = np.array(low, dtype=np.float64), np.array(high, dtype=np.float64)
        self.names = tuple(str(name) for name in names)
        check_same_length(estimates=self.estimates, low=self.low, high=self.high, names=self.names)
        inside = (self.low <= self.estimates) & (self.estimates <= self.high)
        if not inside.all():
            row = int(np.flatnonzero(~inside)[0])
            raise ValueError(
                f"Intervals must hold their estimates, low <= estimate <= high, got {self.low[row]:g}, "
                f"{self.estimates[row]:g} and {self.high[row]:g} for {self.names[row]!r}; leave out what "
                "is undefined."
            )
        self.measure, self.method = measure, method
        self.reference = None if reference is None else check_real(reference, "reference")
        self.greater_is_better = greater_is_better
        level = confidence_level
        self.confidence_level = None if level is None else check_level(level, "confidence_level")

    @classmethod
    def from_result(
        cls,
        result: Mapping[str, Any] | IntervalResult | PairwiseResult,
        *,
        names: Sequence[str] | None = None,
        reference: float | None = None,
        greater_is_better: bool | None = None,
        confidence_level: float = 0.95,
        ax: Any = None,
        **plot_options: Any,
    ) -> IntervalDisplay:
        """Draw results that have intervals.

        Parameters
        ----------
        result : mapping of {str: IntervalResult or TestResult}, IntervalResult or PairwiseResult
            From `skeval.intervals` (`IntervalResult`, of one figure or of several), or from
            `skeval.comparison`: tests of differences, or a comparison of pairs.
        names : sequence of str or None, default=None
            Names of the rows of one `IntervalResult`; None: its measure, or numbers.
        reference : float or None, default=None
            Value to compare with; None: 0 for what tests and comparisons return.
        greater_is_better : bool or None, default=None
            Which end is better; None: not said.
        confidence_level : float, default=0.95
            Of tests and comparisons; an `IntervalResult` has its own.
        ax : matplotlib Axes or None, default=None
            None: a new figure, as large as the picture needs.
        **plot_options : dict
            Passed to `plot`.

        Returns
        -------
        IntervalDisplay
            Drawn.

        Raises
        ------
        ValueError
            There is no result, results have different levels, or one has no interval.
        """
        options: dict[str, Any] = {"confidence_level": check_level(confidence_level, "confidence_level")}
        if isinstance(result, PairwiseResult):
            ends = result.confidence_intervals(confidence_level)
            rows = [(result.estimate, *ends.T)]
            named = [f"{one} less {other}" for one, other in result.pairs]
            options |= {"measure": result.estimand or "difference", "method": result.method}
            reference = 0.0 if reference is None else reference
        elif isinstance(result, IntervalResult):
            rows, size = [(result.estimate, result.low, result.high)], np.size(result.estimate)
            given = [result.measure] if size == 1 else [str(which) for which in range(size)]
            named = given if names is None else list(names)
            options |= _words([result])
        else:
            named = list(result)
            rows = [_row(name, one, confidence_level) for name, one in result.items()]
            options |= _words(list(result.values()))
            tests = [isinstance(one, TestResult) for one in result.values()]
            reference = 0.0 if reference is None and any(tests) else reference
        estimates, low, high = (np.hstack(column) for column in zip(*rows, strict=True))
        options |= {"reference": reference, "greater_is_better": greater_is_better}
        display = cls(estimates, low, high, named, **options)
        return display.plot(ax, **plot_options)

    def plot(
        self,
        ax: Any = None,
        *,
        title: str | None = None,
        sort: bool = False,
        line_kwargs: dict[str, Any] | None = None,
        dot_kwargs: dict[str, Any] | None = None,
        text_kwargs: dict[str, Any] | None = None,
    ) -> IntervalDisplay:
        """Draw the rows.

        Parameters
        ----------
        ax : matplotlib Axes or None, default=None
            None: a new figure, as large as the picture needs. What given axes hold is
            cleared; axes that are too small get a smaller font.
        title : str or None, default=None
            Line above the picture.
        sort : bool, default=False
            Whether the rows stand in the order of the figures, the best (else the largest)
            first; False: in the order given.
        line_kwargs : dict or None, default=None
            For the intervals (matplotlib Line2D).
        dot_kwargs : dict or None, default=None
            For the figures (matplotlib Line2D).
        text_kwargs : dict or None, default=None
            For names and numbers (matplotlib Text); their ``fontsize`` sets the size of the
            whole picture.

        Returns
        -------
        IntervalDisplay
            This Display.
        """
        sheet = Sheet(self._start(ax), owned=ax is None)
        sides = {"verticalalignment": "center"}
        left = merge_style("text.Text", {**sides, "horizontalalignment": "right"}, text_kwargs)
        right = merge_style("text.Text", {**sides, "horizontalalignment": "left"}, text_kwargs)
        self.labels_ = [sheet.text(one_line(name), **left) for name in self.names]
        self.values_ = [sheet.text(words, **right) for words in self._numbers()]
        sheet.frame(self.labels_[0], title=title, caption=self._caption())
        low, high = self._ends()
        axis = RowAxis(sheet, self.labels_, self.values_, low=low, high=high, told=self._told())
        key = self.estimates if self.greater_is_better is False else -self.estimates
        order = np.argsort(key, kind="stable") if sort else np.arange(len(key))
        rows = np.argsort(order)
        axis.place(rows.tolist())
        ticker = import_optional("matplotlib.ticker", extra="plot", purpose="A Display")
        ticks = [value for value in ticker.MaxNLocator(6).tick_values(low, high) if low <= value <= high]
        if self.reference is not None:
            where = axis.x([self.reference] * 2)
            sheet.line(where, axis.ends, color=SOFT_INK, linestyle="--", linewidth=0.1 * sheet.points)
            ticks = [self.reference, *ticks]
        axis.draw(ticks)
        self._draw_rows(sheet, axis, rows, line_kwargs, dot_kwargs)
        return self

    def _draw_rows(
        self, sheet: Sheet, axis: RowAxis, rows: NDArray[np.int64], line_kwargs: Any, dot_kwargs: Any
    ) -> None:
        size = sheet.points
        defaults = {"color": PALETTE[0], "linewidth": 0.18 * size, "marker": "|", "markersize": 0.6 * size}
        line = merge_style("lines.Line2D", defaults, line_kwargs)
        self.lines_, self.dots_ = [], []
        for row, estimate, low, high in zip(rows, self.estimates, self.low, self.high, strict=True):
            ends = axis.x(np.clip([low, high], axis.low, axis.high))
            y = float(axis.y(row))
            self.lines_.append(sheet.line(ends, [y, y], **line))
            color = self.lines_[-1].get_color()
            for end, place, arrow in ((low, ends[0], "<"), (high, ends[1], ">")):
                if np.isinf(end):
                    sheet.line([place], [y], marker=arrow, markersize=0.6 * size, color=color)
            hollow = self.reference is not None and low <= self.reference <= high
            dot = {"color": color, "marker": "o", "markersize": 0.6 * size, "linestyle": ""}
            dot |= {"markerfacecolor": "white" if hollow else color, "markeredgewidth": 0.14 * size}
            dot = merge_style("lines.Line2D", dot, dot_kwargs)
            self.dots_.append(sheet.line([axis.x(estimate)], [y], **dot))

    def _ends(self) -> tuple[float, float]:
        """Return the ends of the axis: beyond everything finite."""
        values = np.concatenate([self.estimates, self.low, self.high])
        if self.reference is not None:
            values = np.append(values, self.reference)
        values = values[np.isfinite(values)]
        low, high = float(values.min()), float(values.max())
        pad = _PAD * (high - low) or 0.5 * abs(low) or 0.5
        return low - pad, high + pad

    def _numbers(self) -> list[str]:
        """Write figures and intervals, with as many decimals as the narrowest interval asks for."""
        widths = self.high - self.low
        widths = widths[np.isfinite(widths) & (widths > 0)]
        narrowest = widths.min() if len(widths) else 0.1
        decimals = int(np.clip(2 - np.floor(np.log10(narrowest)), 0, _MOST_DECIMALS))
        if np.abs(self.estimates).max() >= 1e7:
            return [f"{e:.4g} [{a:.4g}, {b:.4g}]" for e, a, b in zip(*self._columns(), strict=True)]
        return [
            f"{e:.{decimals}f} [{a:.{decimals}f}, {b:.{decimals}f}]"
            for e, a, b in zip(*self._columns(), strict=True)
        ]

    def _columns(self) -> tuple[Any, Any, Any]:
        return self.estimates, self.low, self.high

    def _told(self) -> str:
        better = {None: "", True: "greater is better", False: "less is better"}[self.greater_is_better]
        if not (self.measure and better):
            return self.measure or better
        return f"{self.measure} ({better})"

    def _caption(self) -> str:
        words = "Lines are confidence intervals"
        if self.confidence_level is not None:
            words = f"Lines are {100 * self.confidence_level:.4g} % confidence intervals"
        words += f" ({self.method})." if self.method else "."
        if self.reference is not None:
            words += f" Filled dots: the interval does not hold {self.reference:g}."
        return words


def _row(name: str, result: Any, confidence_level: float) -> tuple[Any, Any, Any]:
    """Return figure and ends of one result."""
    if isinstance(result, TestResult):
        return (result.estimate, *result.confidence_interval(confidence_level))
    if not isinstance(result, IntervalResult) or np.ndim(result.estimate):
        raise ValueError(
            f"result must hold an IntervalResult of one figure or a TestResult for each name, got "
            f"{type(result).__name__} for {name!r}."
        )
    return result.estimate, result.low, result.high


def _words(results: Sequence[Any]) -> dict[str, Any]:
    """Return the words that results agree on: measure, method, level."""
    if not results:
        raise ValueError("result must hold at least one interval, got none.")
    intervals = [one for one in results if isinstance(one, IntervalResult)]
    levels = {one.confidence_level for one in intervals}
    if len(levels) > 1:
        raise ValueError(f"Intervals must have one confidence level, got {sorted(levels)}.")
    words: dict[str, Any] = {"confidence_level": levels.pop()} if levels else {}
    for what in ("measure", "method"):
        found = {getattr(one, what, "difference") for one in results}
        if len(found) == 1:
            words[what] = found.pop()
    return words

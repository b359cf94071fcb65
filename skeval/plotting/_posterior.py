"""The posterior of a Bayesian comparison: a simplex of draws, a density, or three shares."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from skeval.plotting._base import INK, PALETTE, SOFT_INK, Display, merge_style
from skeval.plotting._sheet import Sheet, widest
from skeval.plotting._text import one_line, size_in_inches
from skeval.utils._optional import import_optional
from skeval.utils._results import PosteriorResult

# Lengths in em (the size of the font), so that the whole drawing scales with the font.
_OWN_SIDE, _LEAST_SIDE = 28.0, 10.0
# First better, practically equivalent, second better: apart in grey and for every color vision.
_COLORS = (PALETTE[0], "#B0B0B0", PALETTE[4])
# Corners of the simplex, with a side of 1: first better at the left, equivalent on top.
_CORNERS = np.array([[0.0, 0.0], [0.5, 0.75**0.5], [1.0, 0.0]])
_CENTER = _CORNERS.mean(axis=0)
_BINS = 60
_REACH = 4.5  # of the density, in scales


class PosteriorDisplay(Display):
    """Posterior of a comparison of two methods.

    A sampled posterior is a simplex: each draw is a point, near the corner of the region that
    it gives the largest probability; lines part the three regions. A posterior in closed form
    is a density of the difference, colored by region, the region of practical equivalence in
    grey. Where the posterior is a point, three bars show the probabilities.

    Parameters
    ----------
    result : PosteriorResult
        From `skeval.comparison.bayes_signed_rank_test` or
        `skeval.comparison.correlated_bayes_ttest`.
    names : tuple of (str, str), default=("first", "second")
        Names of the two methods.

    Attributes
    ----------
    kind : {"simplex", "density", "bars"}
        Form of the picture.
    ax_ : matplotlib Axes
        Axes with the picture.
    figure_ : matplotlib Figure
        Figure that holds them.
    labels_ : list of matplotlib Text
        The three regions with their probabilities: first better, equivalent, second better.

    Raises
    ------
    TypeError
        `result` is no PosteriorResult.
    ValueError
        `names` are not two.

    References
    ----------
    .. [1] A. Benavoli, G. Corani, J. Demsar, M. Zaffalon (2017). Time for a change: a tutorial
       for comparing multiple classifiers through Bayesian analysis. Journal of Machine
       Learning Research 18, 1-36.

    Examples
    --------
    >>> from skeval.comparison import correlated_bayes_ttest
    >>> from skeval.plotting import PosteriorDisplay
    >>> differences = [0.02, -0.01, 0.03, 0.01, 0, 0.04, 0.015, -0.005, 0.02, 0.01]
    >>> result = correlated_bayes_ttest(differences, [0] * 10, rope=0.01, n_train=90, n_test=10)
    >>> display = PosteriorDisplay(result, names=("forest", "tree")).plot()
    >>> display.kind, [label.get_text() for label in display.labels_]
    ('density', ['forest better: 0.658', 'equivalent: 0.337', 'tree better: 0.00515'])
    """

    def __init__(self, result: PosteriorResult, *, names: tuple[str, str] = ("first", "second")) -> None:
        if not isinstance(result, PosteriorResult):
            raise TypeError(
                "result must be a PosteriorResult, as bayes_signed_rank_test or correlated_bayes_ttest "
                f"returns it, got {type(result).__name__}."
            )
        if isinstance(names, str) or len(names) != 2:
            raise ValueError(f"names must be the names of the two methods, got {names!r}.")
        self.result = result
        self.names = one_line(names[0]), one_line(names[1])

    @property
    def kind(self) -> str:
        """Form of the picture."""
        if self.result.samples is not None:
            return "simplex"
        return "density" if self.result.details.get("scale") else "bars"

    @classmethod
    def from_result(
        cls,
        result: PosteriorResult,
        *,
        names: tuple[str, str] = ("first", "second"),
        ax: Any = None,
        **plot_options: Any,
    ) -> PosteriorDisplay:
        """Draw a posterior.

        Parameters
        ----------
        result : PosteriorResult
            As for the class.
        names : tuple of (str, str), default=("first", "second")
            Names of the two methods.
        ax : matplotlib Axes or None, default=None
            None: a new figure.
        **plot_options : dict
            Passed to `plot`.

        Returns
        -------
        PosteriorDisplay
            Drawn.
        """
        return cls(result, names=names).plot(ax, **plot_options)

    def plot(
        self, ax: Any = None, *, title: str | None = None, text_kwargs: dict[str, Any] | None = None
    ) -> PosteriorDisplay:
        """Draw the posterior.

        Parameters
        ----------
        ax : matplotlib Axes or None, default=None
            None: a new figure. Axes that are too small get a smaller font.
        title : str or None, default=None
            Line above the picture.
        text_kwargs : dict or None, default=None
            For the labels of the regions (matplotlib Text); their ``fontsize`` sets the size
            of the whole picture.

        Returns
        -------
        PosteriorDisplay
            This Display.
        """
        sheet = Sheet(self._start(ax), owned=ax is None)
        shares = (self.result.a_better, self.result.equivalent, self.result.b_better)
        told = (f"{self.names[0]} better", "equivalent", f"{self.names[1]} better")
        style = merge_style("text.Text", {"horizontalalignment": "center"}, text_kwargs)
        self.labels_ = [
            sheet.text(f"{words}: {share:.3g}", **style) for words, share in zip(told, shares, strict=True)
        ]
        sheet.frame(self.labels_[0], title=title, caption=self._caption())
        side = _OWN_SIDE if sheet.owned else _LEAST_SIDE
        sheet.fit(self.labels_, lambda: self._needed(sheet.em, side), fill=True)
        draw = {"simplex": self._draw_simplex, "density": self._draw_density, "bars": self._draw_bars}
        draw[self.kind](sheet, sheet.left, sheet.right, sheet.bottom, sheet.top)
        return self

    def _needed(self, em: float, side: float) -> tuple[float, float]:
        """Return width and height in inches."""
        labels = widest(self.labels_) + 2 * em + (0.4 * side * em if self.kind == "bars" else 0.0)
        height = {"simplex": 0.87 * side + 5.4, "density": 0.5 * side + 8, "bars": 9.0}[self.kind]
        return max(side * em, labels), height * em

    def _draw_simplex(self, sheet: Sheet, left: float, right: float, low: float, high: float) -> None:
        em, samples = sheet.em, self.result.samples
        assert samples is not None
        side = min(right - left, (high - low - 5.4 * em) / _CORNERS[1, 1])
        origin = np.array([(left + right - side) / 2, low + 3.4 * em])
        corners, center = origin + side * _CORNERS, origin + side * _CENTER
        self._draw_density_of_draws(sheet, samples, origin, side)
        sheet.line(*corners[[0, 1, 2, 0]].T, linewidth=0.12 * 72 * em)
        for one, other in ((0, 1), (1, 2), (2, 0)):
            edge = (corners[one] + corners[other]) / 2
            sheet.line(*np.array([center, edge]).T, linewidth=0.08 * 72 * em, linestyle="--")
        first, top, second = self.labels_
        widths = [size_in_inches(label)[0] for label in (first, second)]
        if sum(widths) + em <= side:
            ends, rows = (corners[0, 0], corners[2, 0]), (0.6, 0.6)
        else:  # one below the other
            ends, rows = (left, right), (0.6, 2.0)
        for label, edge, row, ha in zip((first, second), ends, rows, ("left", "right"), strict=True):
            label.set(position=(edge, origin[1] - row * em), horizontalalignment=ha, verticalalignment="top")
        top.set(position=corners[1] + [0, 0.6 * em], verticalalignment="bottom")

    def _draw_density_of_draws(
        self, sheet: Sheet, samples: NDArray[np.float64], origin: Any, side: float
    ) -> None:
        """Shade small hexagons by the number of draws in them, each in the color of its region."""
        places = samples @ _CORNERS
        to_rgb = import_optional("matplotlib.colors", extra="plot", purpose="A Display").to_rgb
        colors = np.array([to_rgb(color) for color in _COLORS])[samples.argmax(axis=1)]
        cells = np.rint(places * _BINS).astype(np.int64)
        key = cells[:, 0] * (_BINS + 1) + cells[:, 1]
        _, first, counts = np.unique(key, return_index=True, return_counts=True)
        x, y = (origin + side * np.array([cells[first, 0], cells[first, 1]]).T / _BINS).T
        size = (side * 72 / _BINS) ** 2
        strength = 0.15 + 0.85 * (counts / counts.max()) ** 0.5
        shades = 1 - strength[:, None] * (1 - colors[first])
        sheet.ax.scatter(x, y, s=size, c=shades, marker="s", linewidths=0)

    def _draw_density(self, sheet: Sheet, left: float, right: float, low: float, high: float) -> None:
        em, details, rope = sheet.em, self.result.details, self.result.rope
        center, scale, df = (float(details[name]) for name in ("location", "scale", "df"))
        ends = min(center - _REACH * scale, -1.5 * rope), max(center + _REACH * scale, 1.5 * rope)
        base = low + 3.6 * em
        peak = float(stats.t.pdf(0, df))
        values = np.unique(np.concatenate([np.linspace(*ends, 801), [-rope, rope]]))
        values = values[(values >= ends[0]) & (values <= ends[1])]

        def x(value: Any) -> Any:
            return left + (np.asarray(value) - ends[0]) / (ends[1] - ends[0]) * (right - left)

        height = (high - base - 4.6 * em) * stats.t.pdf((values - center) / scale, df) / peak
        for color, inside in zip(
            _COLORS, (values >= rope, np.abs(values) <= rope, values <= -rope), strict=True
        ):
            sheet.ax.fill_between(x(values[inside]), base, base + height[inside], color=color, lw=0)
        sheet.line(x(values), base + height, linewidth=0.12 * 72 * em)
        sheet.line([left, right], [base, base], linewidth=0.1 * 72 * em)
        ticker = import_optional("matplotlib.ticker", extra="plot", purpose="A Display")
        ticks = (0.0, rope, -rope, *ticker.MaxNLocator(6).tick_values(*ends))  # in the order of importance
        sheet.ticks([value for value in ticks if ends[0] <= value <= ends[1]], x, base)
        told = f"{self.names[0]} less {self.names[1]}"
        axis = sheet.text(told, (left + right) / 2, low + em, ha="center", fontsize=72 * em, color=SOFT_INK)
        if size_in_inches(axis)[0] > right - left:
            axis.set_text("first less second")
        for row, (label, color) in enumerate(zip(self.labels_, _COLORS, strict=True)):
            y = high - (1.4 * row + 0.8) * em
            sheet.ax.scatter(
                [left + 0.5 * em], [y], s=(0.8 * 72 * em) ** 2, c=color, marker="s", linewidths=0
            )
            label.set(position=(left + 1.4 * em, y), ha="left", va="center")

    def _draw_bars(self, sheet: Sheet, left: float, right: float, low: float, high: float) -> None:
        em = sheet.em
        shares = (self.result.a_better, self.result.equivalent, self.result.b_better)
        names = max(size_in_inches(label)[0] for label in self.labels_) + em
        for row, (label, share, color) in enumerate(zip(self.labels_, shares, _COLORS, strict=True)):
            y = high - (2.4 * row + 1.4) * em
            label.set(position=(left + names - em, y), ha="right", va="center")
            length = share * max(0.0, right - left - names)
            sheet.line(
                [left + names, left + names + length],
                [y, y],
                color=color,
                linewidth=72 * em,
                solid_capstyle="butt",
            )
            sheet.line([left + names] * 2, [y - 0.8 * em, y + 0.8 * em], color=INK, linewidth=0.1 * 72 * em)

    def _caption(self) -> str:
        told = {
            "simplex": "Each point is a draw from the posterior; dashed lines part the regions.",
            "density": "Posterior of the difference; grey: practically equivalent.",
            "bars": "Posterior probabilities; the posterior is a point.",
        }[self.kind]
        return f"{self.result.method}, equivalent within {self.result.rope:g}. {told}"

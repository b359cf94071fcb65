"""The multi-comparison matrix: a cell for each pair of methods."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from skeval.plotting._base import Display, merge_style
from skeval.plotting._sheet import Sheet, readable_on, widest
from skeval.plotting._text import font_families, one_line, size_in_inches
from skeval.utils._optional import import_optional
from skeval.utils._pairwise import PairwiseResult
from skeval.utils._tables import cell_text
from skeval.utils._validation import check_level

# Lengths in em (the size of the font), so that the whole drawing scales with the font.
_GAP, _PADDING, _LINE = 0.5, 1.0, 1.3
# From orange (the column is better) over white to blue (the row is better), apart for every color vision.
_COLORS = ("#B35806", "#FDB863", "#FFFFFF", "#92C5DE", "#2166AC")


class ComparisonMatrixDisplay(Display):
    """Multi-comparison matrix: what every two methods have to say to each other.

    Methods stand at the rows and the columns in the order of their mean scores, the best
    first. A cell holds the mean difference of the row's method less the column's, its wins,
    ties and losses, and the p-value of the pair, in bold where that is at most alpha. The
    color shows the mean difference.

    Parameters
    ----------
    names : sequence of str of length n_methods
        Methods in the order to draw, each once; at least two.
    differences : array-like of shape (n_methods, n_methods)
        Mean difference of the row's method less the column's, positive where the row's is
        better.
    wins, ties : array-like of int of shape (n_methods, n_methods)
        Data sets on which the row's method is better, and on which the two are equal.
    pvalues : array-like of shape (n_methods, n_methods)
        Of each pair; the diagonals of all tables are not read.
    mean_scores : array-like of shape (n_methods,) or None, default=None
        Shown beside the names of the rows.
    alpha : float, default=0.05
        Different at ``p <= alpha``.
    method : str, default=""
        Name of the test, for the line under the matrix.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Axes with the matrix.
    figure_ : matplotlib Figure
        Figure that holds them.
    cells_ : dict of {(row name, column name): matplotlib Text}
        What stands in the cells.
    row_labels_, column_labels_ : list of matplotlib Text
        Names of the methods.

    Raises
    ------
    ValueError
        Fewer than two methods, one named twice, a table of another shape, or a level
        outside (0, 1).

    References
    ----------
    .. [1] A. Ismail-Fawaz et al. (2023). An approach to multiple comparison benchmark
       evaluations that is stable under manipulation of the comparate set. arXiv 2305.11921.

    Examples
    --------
    >>> from skeval.comparison import comparison_matrix
    >>> from skeval.plotting import ComparisonMatrixDisplay
    >>> scores = {
    ...     "tree": [0.78, 0.85, 0.62, 0.85, 0.71, 0.66],
    ...     "forest": [0.84, 0.93, 0.70, 0.88, 0.75, 0.74],
    ...     "linear": [0.80, 0.88, 0.66, 0.86, 0.69, 0.70],
    ... }
    >>> display = ComparisonMatrixDisplay.from_result(comparison_matrix(scores))
    >>> print(display.cells_["forest", "tree"].get_text())
    0.06167
    6 / 0 / 0
    p = 0.0312
    """

    def __init__(
        self,
        names: Sequence[str],
        differences: ArrayLike,
        wins: ArrayLike,
        ties: ArrayLike,
        pvalues: ArrayLike,
        *,
        mean_scores: ArrayLike | None = None,
        alpha: float = 0.05,
        method: str = "",
    ) -> None:
        self.names = tuple(str(name) for name in names)
        if len(self.names) < 2 or len(set(self.names)) < len(self.names):
            raise ValueError(f"names must name at least 2 methods, each once, got {list(self.names)}.")
        shape = (len(self.names),) * 2
        tables = {"differences": differences, "wins": wins, "ties": ties, "pvalues": pvalues}
        for name, table in tables.items():
            if np.shape(table) != shape:
                raise ValueError(
                    f"{name} must have a row and a column for each of the {shape[0]} methods, got shape "
                    f"{np.shape(table)}."
                )
        self.differences = np.asarray(differences, dtype=np.float64) + 0.0  # no -0
        self.wins, self.ties = np.asarray(wins), np.asarray(ties)
        self.pvalues = np.asarray(pvalues, dtype=np.float64)
        self.mean_scores = None if mean_scores is None else np.asarray(mean_scores, dtype=np.float64)
        self.alpha = check_level(alpha, "alpha")
        self.method = method

    @classmethod
    def from_result(
        cls, result: PairwiseResult, *, alpha: float = 0.05, ax: Any = None, **plot_options: Any
    ) -> ComparisonMatrixDisplay:
        """Draw the outcome of a comparison of all pairs with wins, ties and losses.

        Parameters
        ----------
        result : PairwiseResult
            From `skeval.comparison.comparison_matrix` or `skeval.comparison.compare_scores`.
        alpha : float, default=0.05
            Different at ``pvalue <= alpha``.
        ax : matplotlib Axes or None, default=None
            None: a new figure, as large as the matrix needs.
        **plot_options : dict
            Passed to `plot`.

        Returns
        -------
        ComparisonMatrixDisplay
            Drawn.

        Raises
        ------
        ValueError
            The result is not one of all pairs with wins, ties and losses.
        """
        if result.control is not None or "wins" not in result.per_pair:
            raise ValueError(
                "result must be a comparison of all pairs with wins, ties and losses, got "
                f"{result.method or 'another'}; use comparison_matrix(scores)."
            )
        mean = result.per_pair.get("mean_difference", result.estimate)
        scores = result.details.get("mean_scores")
        display = cls(
            result.methods,
            _square(result, mean, -mean),
            _square(result, result.per_pair["wins"], result.per_pair["losses"]),
            _square(result, result.per_pair["ties"], result.per_pair["ties"]),
            result.pvalue_matrix(),
            mean_scores=None if scores is None else [scores[name] for name in result.methods],
            alpha=alpha,
            method=result.method,
        )
        return display.plot(ax, **plot_options)

    def plot(
        self, ax: Any = None, *, title: str | None = None, text_kwargs: dict[str, Any] | None = None
    ) -> ComparisonMatrixDisplay:
        """Draw the matrix.

        Parameters
        ----------
        ax : matplotlib Axes or None, default=None
            None: a new figure, as large as the matrix needs. Axes that are too small for it
            get a smaller font.
        title : str or None, default=None
            Line above the matrix.
        text_kwargs : dict or None, default=None
            For names and cells (matplotlib Text); their ``fontsize`` sets the size of the
            whole matrix.

        Returns
        -------
        ComparisonMatrixDisplay
            This Display.
        """
        sheet = Sheet(self._start(ax), owned=ax is None)
        self._write(sheet, text_kwargs)
        sheet.frame(self.row_labels_[0], title=title, caption=self._caption())
        texts = (*self.row_labels_, *self.column_labels_, *self.cells_.values())
        sheet.fit(texts, lambda: self._measure(sheet.em))
        self._draw(sheet)
        return self

    def _write(self, sheet: Sheet, text_kwargs: dict[str, Any] | None) -> None:
        """Make all texts, wherever they will stand."""
        right = {"horizontalalignment": "right", "verticalalignment": "center"}
        means = [""] * len(self.names)
        if self.mean_scores is not None:
            means = [f"  {cell_text(float(score))}" for score in self.mean_scores]
        self.row_labels_ = [
            sheet.text(one_line(name) + mean, **merge_style("text.Text", right, text_kwargs))
            for name, mean in zip(self.names, means, strict=True)
        ]
        self.column_labels_ = [
            sheet.text(one_line(name), **merge_style("text.Text", {}, text_kwargs)) for name in self.names
        ]
        self.cells_ = {}
        middle: dict[str, Any] = {"horizontalalignment": "center", "verticalalignment": "center"}
        middle["fontfamily"] = font_families(["p = 0123456789.e+-/<naif"])
        for i, row in enumerate(self.names):
            for j, column in enumerate(self.names):
                if i == j:
                    continue
                pvalue = cell_text(float(self.pvalues[i, j]), "pvalue")
                words = (
                    f"{cell_text(float(self.differences[i, j]))}\n"
                    f"{self.wins[i, j]} / {self.ties[i, j]} / {self.wins[j, i]}\n"
                    f"p {pvalue if pvalue.startswith('<') else '= ' + pvalue}"
                )
                weight = {"fontweight": "bold" if self.pvalues[i, j] <= self.alpha else "normal"}
                style = merge_style("text.Text", middle | weight, text_kwargs)
                self.cells_[row, column] = sheet.text(words, linespacing=_LINE, **style)

    def _measure(self, em: float) -> tuple[float, float]:
        """Measure the texts; keep the sizes of the parts, return that of the whole, in inches."""
        n_methods = len(self.names)
        sizes = np.array([size_in_inches(text) for text in self.cells_.values()])
        self._cell = sizes.max(axis=0) + np.array([_PADDING, 0.6 * _PADDING]) * em
        self._names = widest(self.row_labels_)
        for label in self.column_labels_:
            label.set_rotation(0)
        columns = widest(self.column_labels_)
        self._turned = columns + _GAP * em > self._cell[0]
        self._above = columns if self._turned else _LINE * em
        width = self._names + _GAP * em + n_methods * float(self._cell[0])
        return width, self._above + _GAP * em + n_methods * float(self._cell[1])

    def _draw(self, sheet: Sheet) -> None:
        """Put everything in its place."""
        em, n_methods, (across, down) = sheet.em, len(self.names), self._cell
        left, top = sheet.left + self._names + _GAP * em, sheet.top - self._above - _GAP * em
        colors = import_optional("matplotlib.colors", extra="plot", purpose="A Display")
        scale = colors.LinearSegmentedColormap.from_list("", _COLORS)
        largest = np.abs(self.differences[~np.eye(n_methods, dtype=bool)]).max()
        shades = np.where(np.eye(n_methods, dtype=bool), 0.0, self.differences) / (largest or 1.0)
        columns, rows = left + across * np.arange(n_methods + 1), top - down * np.arange(n_methods + 1)
        style = {"cmap": scale, "vmin": -1.0, "vmax": 1.0, "edgecolors": "white", "linewidth": 0.1 * 72 * em}
        sheet.ax.pcolormesh(columns, rows, shades, **style)
        place = {name: where for where, name in enumerate(self.names)}
        for (row, column), text in self.cells_.items():
            i, j = place[row], place[column]
            text.set_position((left + (j + 0.5) * across, top - (i + 0.5) * down))
            text.set_color(readable_on(scale((shades[i, j] + 1) / 2)))
        for where, (row_label, label) in enumerate(zip(self.row_labels_, self.column_labels_, strict=True)):
            row_label.set_position((left - _GAP * em, top - (where + 0.5) * down))
            label.set(
                position=(left + (where + 0.5) * across, top + _GAP * em),
                rotation=90 if self._turned else 0,
                horizontalalignment="center",
                verticalalignment="bottom",
            )

    def _caption(self) -> str:
        by = f" of the {self.method}" if self.method else ""
        return (
            "Row against column: mean difference (blue: the row is better); wins / ties / losses of the row; "
            f"p-value{by}, bold at p <= {self.alpha:g}."
        )


def _square(result: PairwiseResult, upper: Any, lower: Any) -> Any:
    """Return values of pairs as a matrix: `upper` at (a, b), `lower` at (b, a)."""
    place = {name: where for where, name in enumerate(result.methods)}
    matrix = np.zeros((len(result.methods),) * 2, dtype=np.asarray(upper).dtype)
    for (first, second), one, other in zip(result.pairs, upper, lower, strict=True):
        matrix[place[first], place[second]], matrix[place[second], place[first]] = one, other
    return matrix

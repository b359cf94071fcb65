"""How confusion matrices are laid out: a panel for each model, or for each class a bar of every model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skeval.metrics import ConfusionMatrix
from skeval.plotting._base import PALETTE, SOFT_INK
from skeval.plotting._row_axis import RowAxis
from skeval.plotting._sheet import Sheet, readable_on, widest
from skeval.plotting._text import one_line, size_in_inches
from skeval.utils._labels import plain
from skeval.utils._optional import import_optional
from skeval.utils._tables import cell_text

# Lengths in em (the size of the font), so that the whole drawing scales with the font.
_GAP, _PADDING, _LINE = 0.5, 0.8, 1.2
_BETWEEN = 1.4  # from one matrix to the next
_LEAST_PANEL = 15.0
_SHAPE = 1.5  # width to height of a figure of our own
_BAR = 0.36  # of a row, half a bar
_MOST_SHARES = 15  # classes, beyond which cells have no room for a share
# Two tints in turn for what is taken for another class: neighbors are apart in grey too.
_OTHERS = ("#F0BE94", "#FBE9DA")


def row_shares(matrix: ConfusionMatrix) -> NDArray[np.float64]:
    """Return what share of each true class went where; nan without samples of the class."""
    totals = matrix.counts.sum(axis=1, keepdims=True).astype(np.float64)
    return np.where(totals > 0, matrix.counts / np.where(totals > 0, totals, 1), np.nan)


def count_text(count: Any) -> str:
    """Write a count as a whole number, a sum of weights in four digits."""
    return str(int(count)) if float(count).is_integer() else cell_text(float(count))


class Panels:
    """A matrix for each model, in rows and columns of panels with one set of class names.

    Parameters
    ----------
    sheet : Sheet
    matrices : mapping of {str: ConfusionMatrix}
        Single ones, over the same classes.
    style : dict
        Of all texts.
    """

    def __init__(self, sheet: Sheet, matrices: Mapping[str, ConfusionMatrix], style: dict[str, Any]) -> None:
        self.sheet, self.matrices = sheet, matrices
        classes = [plain(label) for label in next(iter(matrices.values())).labels]
        self.classes, self.style, self.n_classes = classes, style, len(classes)
        self.rows = [sheet.text(one_line(label), **{**style, "ha": "right"}) for label in classes]
        self.columns = [self._write_column()]  # one for each column of panels, when these are known
        self.titles: dict[str, Any] = {}
        self.cells: dict[tuple[str, Any, Any], Any] = {}
        middle = {**style, "ha": "center"}
        for name, matrix in matrices.items():
            accuracy = f"accuracy {matrix.accuracy():.3f}" if matrix.total else "no samples"
            heading = f"{one_line(name)}: {accuracy}" if name else accuracy
            self.titles[name] = sheet.text(heading, **{**style, "ha": "left", "va": "bottom"})
            shares = row_shares(matrix)
            for i, true in enumerate(classes):
                for j, predicted in enumerate(classes):
                    words = count_text(matrix.counts[i, j])
                    if self.n_classes <= _MOST_SHARES and np.isfinite(shares[i, j]):
                        words += f"\n{100 * shares[i, j]:.0f} %"
                    self.cells[name, true, predicted] = sheet.text(words, linespacing=_LINE, **middle)

    def _write_column(self) -> list[Any]:
        return [self.sheet.text(one_line(label), **self.style) for label in self.classes]

    def draw(self, title: str | None) -> None:
        """Lay the panels out and draw them."""
        sheet = self.sheet
        caption = "Rows: true class; columns: predicted class. Cells: samples"
        caption += ", shaded by their share of the row."
        sheet.frame(next(iter(self.titles.values())), title=title, caption=caption)
        texts = [*self.rows, *self.titles.values(), *self.cells.values()]
        sheet.fit([*texts, *self.columns[0]], self._measure)
        style = {"fontsize": sheet.points, "rotation": 90 if self._turned else 0}
        while len(self.columns) < self._across:
            self.columns.append(self._write_column())
        colors = import_optional("matplotlib.colors", extra="plot", purpose="A Display")
        scale = colors.LinearSegmentedColormap.from_list("", ["#FFFFFF", PALETTE[0]])
        for where, (name, matrix) in enumerate(self.matrices.items()):
            down, across = divmod(where, self._across)
            left = sheet.left + self._names + across * (self._panel[0] + _BETWEEN * sheet.em)
            top = sheet.top - self._above - down * (self._panel[1] + _BETWEEN * sheet.em) - self._heading
            if not down:
                self._put_columns(self.columns[across], left, style)
            self._draw_panel(name, row_shares(matrix), left, top, scale)
            if not across:
                edge = left - _GAP * sheet.em
                rows = self.rows if not down else [sheet.text(row.get_text()) for row in self.rows]
                for i, (row, first) in enumerate(zip(rows, self.rows, strict=True)):
                    row.update_from(first)
                    row.set_position((edge, top - (i + 0.5) * self._cell[1]))

    def _measure(self) -> tuple[float, float]:
        """Measure the texts; return width and height of all panels in the shape that fits best."""
        em, n_classes = self.sheet.em, self.n_classes
        by_length = {len(max(text.get_text().split("\n"), key=len)): text for text in self.cells.values()}
        # Digits are of one width: the widest cell is one of those with the longest lines.
        sizes = np.array([size_in_inches(by_length[length]) for length in sorted(by_length)[-2:]])
        self._cell = sizes.max(axis=0) + np.array([_PADDING, 0.6 * _PADDING]) * em
        self._cell[0] = max(self._cell[0], _LEAST_PANEL * em / n_classes)
        width = float(self._cell[0]) * n_classes
        for text in self.titles.values():
            self.sheet.wrap(text, width)
        self._heading = max(size_in_inches(text)[1] for text in self.titles.values()) + 0.4 * em
        self._panel = width, self._heading + float(self._cell[1]) * n_classes
        for label in self.columns[0]:
            label.set_rotation(0)
        names = widest(self.columns[0])
        self._turned = names + _GAP * em > self._cell[0]
        self._above = (names if self._turned else _LINE * em) + _GAP * em
        self._names = widest(self.rows) + _GAP * em
        shapes = []
        for across in range(1, len(self.matrices) + 1):
            down = -(-len(self.matrices) // across)
            wide = self._names + across * width + (across - 1) * _BETWEEN * em
            high = self._above + down * self._panel[1] + (down - 1) * _BETWEEN * em
            room = self.sheet.room() or (_SHAPE, 1.0)
            shapes.append((min(room[0] / wide, room[1] / high), across, wide, high))
        _, self._across, wide, high = max(shapes)
        return wide, high

    def _put_columns(self, labels: list[Any], left: float, style: dict[str, Any]) -> None:
        y = self.sheet.top - self._above + _GAP * self.sheet.em
        for j, label in enumerate(labels):
            place = left + (j + 0.5) * float(self._cell[0]), y
            label.set(position=place, ha="center", va="bottom", **style)

    def _draw_panel(
        self, name: str, shares: NDArray[np.float64], left: float, top: float, scale: Any
    ) -> None:
        sheet, (across, down), edges = self.sheet, self._cell, np.arange(self.n_classes + 1)
        shades = np.nan_to_num(shares)
        sheet.ax.pcolormesh(
            left + across * edges, top - down * edges, shades, cmap=scale, vmin=0.0, vmax=1.0,
            edgecolors="#BBBBBB", linewidth=0.04 * sheet.points,
        )  # fmt: skip
        self.titles[name].set_position((left, top + 0.4 * sheet.em))
        labels = [text for key, text in self.cells.items() if key[0] == name]
        for where, text in enumerate(labels):
            i, j = divmod(where, self.n_classes)
            text.set_position((left + (j + 0.5) * across, top - (i + 0.5) * down))
            text.set_color(readable_on(scale(shades[i, j])))


def draw_bars(
    sheet: Sheet, matrices: Mapping[str, ConfusionMatrix], title: str | None, style: dict[str, Any]
) -> dict[tuple[str, Any], Any]:
    """Draw for each class a bar of every model; return the words beside the bars."""
    classes = [plain(label) for label in next(iter(matrices.values())).labels]
    shares = {name: row_shares(matrix) for name, matrix in matrices.items()}
    keys: list[tuple[str, int] | None] = []
    labels, values = [], {}
    for i, true in enumerate(classes):
        words = f"true class {one_line(true)}"
        labels.append(sheet.text(words, **{**style, "ha": "right", "fontweight": "bold"}))
        keys.append(None)
        for name, matrix in matrices.items():
            labels.append(sheet.text(one_line(name) or "all samples", **{**style, "ha": "right"}))
            keys.append((name, i))
            total, hits = (count_text(count) for count in (matrix.counts[i].sum(), matrix.counts[i, i]))
            known = np.isfinite(shares[name][i, i])
            told = f"{100 * shares[name][i, i]:.0f} %  ({hits} of {total})" if known else "no samples"
            values[name, true] = sheet.text(told, **{**style, "ha": "left"})
    caption = (
        "Dark: share of the class that was predicted right (recall). Light: what the rest was taken for."
    )
    sheet.frame(labels[0], title=title, caption=caption)
    blank = iter(values.values())
    right = [sheet.text("", **style) if key is None else next(blank) for key in keys]
    axis = RowAxis(sheet, labels, right, low=0.0, high=1.0, told="share of the samples of a class")
    axis.place(range(len(labels)))
    for row, key in enumerate(keys):
        if key is not None:
            _draw_bar(sheet, axis, row, np.nan_to_num(shares[key[0]][key[1]]), key[1], classes)
    axis.draw([0.0, 1.0, 0.5, 0.25, 0.75])
    return values


def _draw_bar(
    sheet: Sheet, axis: RowAxis, row: int, shares: NDArray[np.float64], hit: int, classes: list[Any]
) -> None:
    """Draw one bar: what was right, then the other classes, the most frequent first."""
    others = [which for which in np.argsort(-shares, kind="stable") if which != hit and shares[which] > 0]
    start, y, half = 0.0, float(axis.y(row)), _BAR * 1.7 * sheet.em
    for turn, which in enumerate([hit, *others]):
        ends = axis.x([start, start + shares[which]])
        color = _OTHERS[turn % 2] if turn else PALETTE[0]
        sheet.ax.fill_between(ends, y - half, y + half, facecolor=color, edgecolor="white", linewidth=0.5)
        start += float(shares[which])
        if not turn:
            continue
        style = {"ha": "center", "va": "center", "fontsize": 0.85 * sheet.points, "color": SOFT_INK}
        told = sheet.text(one_line(classes[which]), float(ends.mean()), y, **style)
        if size_in_inches(told)[0] > float(np.ptp(ends)) - 0.3 * sheet.em:
            told.remove()

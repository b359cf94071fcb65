"""A line of mean ranks with a label for each method: measured, laid out, drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import isotonic_regression

from skeval.plotting._base import INK, PALETTE, SOFT_INK, merge_style
from skeval.plotting._text import axes_inches, font_families, one_line, size_in_inches, wrap

# Lengths in em (the size of the font), so that the whole drawing scales with the font.
_MARGIN = 1.0
_LINE = 1.6  # from one line of text to the next
_GAP = 0.5  # between a label and its line
_LEAD = 1.2  # the shortest horizontal part of a line to a label
_FOOT = 1.2  # height in which a line leaves its mean rank for its stem
_STEM = 0.5  # the least distance of two stems: equal ranks stay visible side by side
_BAR = 1.0  # from one bar to the next
_OVERHANG = 0.3  # of a bar beyond the mean ranks of its group
_LONGEST = 2.0  # axes that a critical difference may be long; a longer one is cut off
_AXIS = 24.0  # the shortest axis on which the words above it have room
_OWN_AXIS = 32.0  # where the figure is ours
_STEP = 1.2  # from one rank to the next where the figure is ours
_TICK = 2.2  # the least distance of two tick labels


@dataclass(frozen=True)
class _Layout:
    """Where things are, in inches from the lower left corner."""

    width: float
    height: float
    axis_left: float
    scale: float  # inches per rank
    title_y: float
    difference_y: float
    axis_y: float
    groups_y: float
    foot_y: float
    rows_y: float
    caption_y: float

    def x(self, ranks: Any) -> Any:
        return self.axis_left + (ranks - 1) * self.scale


class RankAxis:
    """Mean ranks on a line, the best at the left, and a label at the side for each.

    Parameters
    ----------
    ax : matplotlib Axes
        Without content.
    ranks : ndarray of shape (n_methods,)
        Mean ranks.
    names : sequence of str
        Names of the methods.
    bold : str or None
        The name to set in bold.
    text_kwargs : dict
        For the labels.
    """

    def __init__(
        self,
        ax: Any,
        ranks: NDArray[np.float64],
        names: Sequence[str],
        *,
        bold: str | None,
        text_kwargs: dict[str, Any],
    ) -> None:
        self.ax, self.ranks = ax, ranks
        self.place = np.argsort(np.argsort(ranks, kind="stable"))
        self.n_left = (len(ranks) + 1) // 2
        self.labels = []
        for name, rank, place in zip(names, ranks, self.place, strict=True):
            left, shown = bool(place < self.n_left), one_line(name)
            words = f"{shown}  {rank:.2f}" if left else f"{rank:.2f}  {shown}"
            defaults = {
                "horizontalalignment": "right" if left else "left",
                "verticalalignment": "center",
                "fontweight": "bold" if name == bold else "normal",
            }
            self.labels.append(self._text(words, **merge_style("text.Text", defaults, text_kwargs)))

    def lay_out(
        self, *, title: str, caption: str, n_groups: int, critical_difference: float | None, owned: bool
    ) -> None:
        """Measure the texts and fix every position; an own figure takes the size that this needs."""
        size = float(self.labels[0].get_fontsize())
        self._title = self._text(title, ha="center", va="top", fontsize=1.15 * size)
        self._caption = self._text(caption, ha="left", va="top", fontsize=0.85 * size, color=SOFT_INK)
        steps = len(self.ranks) - 1
        self._n_groups, self._difference = n_groups, critical_difference or 0.0
        self._drawn_difference = min(self._difference, _LONGEST * steps)
        layout = self._plan(max(_OWN_AXIS, _STEP * steps) if owned else max(_AXIS, _STEM * steps))
        figure = self.ax.get_figure()
        if owned:
            figure.set_size_inches(layout.width, layout.height)
        else:
            width, height = axes_inches(self.ax)
            shrink = min(1.0, width / layout.width, height / layout.height)
            if shrink < 1:
                for text in (*self.labels, self._title, self._caption):
                    # 3 % to spare: a small font is not exactly a scaled large one.
                    text.set_fontsize(text.get_fontsize() * shrink * 0.97)
            layout = self._plan(0.0, width, height)
        self._layout = layout
        self.ax.set(xlim=(0, layout.width), ylim=(0, layout.height))
        self._title.set_position((layout.width / 2, layout.title_y))
        self._caption.set_position((_MARGIN * self._em, layout.caption_y))

    def _plan(self, axis: float, width: float | None = None, height: float | None = None) -> _Layout:
        """Return all positions: for an axis of so many em, or such as fill the given size in inches."""
        em, steps = self._em, len(self.ranks) - 1
        label_widths = np.array([size_in_inches(label)[0] for label in self.labels])
        side = em * (_MARGIN + _GAP + _LEAD)
        left = side + label_widths[self.place < self.n_left].max()
        right = side + label_widths[self.place >= self.n_left].max()
        if width is None:
            scale = em * axis / steps
            width = float(left + max(steps * scale + right, self._drawn_difference * scale + _MARGIN * em))
        else:
            scale = (width - left - right) / steps
            if self._difference:
                scale = min(scale, (width - left - _MARGIN * em) / self._drawn_difference)
        for text in (self._title, self._caption):
            wrap(text, width - 2 * _MARGIN * em)
        title = size_in_inches(self._title)[1] / em + 0.7 if self._title.get_text() else 0.0
        gaps = (
            _MARGIN,  # down to the top of the title
            title + (_LINE if self._difference else 0.0),  # to the bar of the critical difference
            2 * _LINE + (1.0 if self._difference else 0.4),  # to the axis
            0.9 if self._n_groups else 0.0,  # to the first bar
            _BAR * self._n_groups - 0.4 if self._n_groups else 0.0,  # to where the lines part
            _FOOT + 0.6,  # to the first row of labels
            _LINE * (self.n_left - 1) + _LINE,  # to the caption
            size_in_inches(self._caption)[1] / em + _MARGIN,
        )
        *down, bottom = np.cumsum(gaps) * em
        height = float(bottom) if height is None else height
        return _Layout(width, height, float(left), float(scale), *(float(height - y) for y in down))

    @property
    def _em(self) -> float:
        return float(self.labels[0].get_fontsize()) / 72

    def _text(self, words: str, x: float = 0.0, y: float = 0.0, **style: Any) -> Any:
        style = {"color": INK, "fontfamily": font_families([words]), "parse_math": False, **style}
        return self.ax.text(x, y, words, **style)

    def _line(self, x: Any, y: Any, **style: Any) -> Any:
        (line,) = self.ax.plot(x, y, **{"color": INK, **style})
        return line

    def draw_scale(self) -> None:
        """Draw the axis with its ticks, the words above it and the critical difference."""
        layout, em, y, last = self._layout, self._em, self._layout.axis_y, len(self.ranks)
        size = 72 * em
        self._line(layout.x(np.array([1, last])), [y, y], linewidth=0.12 * size)
        for rank in range(1, last + 1):
            self._line([layout.x(rank)] * 2, [y, y + 0.3 * em], linewidth=0.07 * size)
        for rank in rank_ticks(last, _TICK * em / layout.scale):
            self._line([layout.x(rank)] * 2, [y, y + 0.5 * em], linewidth=0.12 * size)
            self._text(str(rank), layout.x(rank), y + 0.7 * em, ha="center", fontsize=size)
        words = {"color": SOFT_INK, "va": "bottom", "fontsize": size}
        above = y + (0.9 + _LINE) * em
        arrow = [layout.axis_left, layout.axis_left + 1.8 * em]
        self._line(arrow, [above + 0.45 * em] * 2, color=SOFT_INK, linewidth=0.1 * size)
        self._line(arrow[:1], [above + 0.45 * em], color=SOFT_INK, marker="<", markersize=0.6 * size)
        self._text("better", arrow[1] + 0.4 * em, above, ha="left", **words)
        self._text("mean rank", layout.x(last), above, ha="right", **words)
        if self._difference:
            ends, y = layout.x(np.array([1, 1 + self._drawn_difference])), layout.difference_y
            is_cut = self._drawn_difference < self._difference
            self._line(
                ends,
                [y, y],
                marker="|",
                markevery=[0] if is_cut else None,
                markersize=0.8 * size,
                linewidth=0.15 * size,
            )
            if is_cut:
                self._line(ends[1:], [y], marker=">", markersize=0.6 * size)
            told = f"critical difference {self._difference:.2f}{', longer than drawn' if is_cut else ''}"
            self._text(told, ends[0], layout.difference_y + 0.5 * em, ha="left", va="bottom", fontsize=size)

    def draw_stems(self, line_kwargs: dict[str, Any]) -> list[Any]:
        """Draw a line from each mean rank to its label; return the lines in the order of the names."""
        layout, em = self._layout, self._em
        x, order = layout.x(self.ranks), np.argsort(self.place)
        room = _STEM * em * np.arange(len(x))
        stem_x = np.empty_like(x)
        stem_x[order] = isotonic_regression(x[order] - room).x + room
        style = merge_style("lines.Line2D", {"color": SOFT_INK, "linewidth": 7.0 * em}, line_kwargs)
        self._line(x, np.full_like(x, layout.axis_y), linestyle="", marker="o", markersize=25 * em)
        lines = []
        for label, place, start, stem in zip(self.labels, self.place, x, stem_x, strict=True):
            left = place < self.n_left
            row = layout.rows_y - _LINE * em * (place if left else len(x) - 1 - place)
            end = layout.axis_left - _LEAD * em if left else layout.x(len(x)) + _LEAD * em
            label.set_position((end - _GAP * em if left else end + _GAP * em, row))
            path = [layout.axis_y, layout.foot_y, layout.foot_y - _FOOT * em, row, row]
            lines.append(self._line([start, start, stem, stem, end], path, **style))
        return lines

    def passes_others(self, groups: Sequence[Sequence[int]]) -> bool:
        """Return whether the bar of some group passes over a method that is not in it."""
        return any(np.ptp(self.place[list(group)]) >= len(group) for group in groups)

    def draw_bars(self, groups: Sequence[Sequence[int]], bar_kwargs: dict[str, Any]) -> list[Any]:
        """Draw a bar over the mean ranks of each group of methods (by position among the names)."""
        layout, em = self._layout, self._em
        members = [np.sort(self.place[list(group)]) for group in groups]
        defaults = {
            "color": PALETTE[0],
            "linewidth": 72 * em * 0.34,
            "solid_capstyle": "butt",
            "zorder": 3,
            "marker": "o" if self.passes_others(groups) else "",
            "markersize": 72 * em * 0.62,
        }
        style = merge_style("lines.Line2D", defaults, bar_kwargs)
        ranks_x, lines = layout.x(np.sort(self.ranks)), []
        gaps = np.diff(ranks_x, prepend=-np.inf, append=np.inf)
        # A bar ends before the next mean rank, and of equal ones can still be seen.
        overhang = np.clip(0.4 * gaps, 0.1 * em, _OVERHANG * em)
        for level, places in enumerate(members):
            x, first, last = ranks_x[places], places[0], places[-1] + 1
            ends = [x[0] - overhang[first], *x, x[-1] + overhang[last]]
            y = layout.groups_y - level * _BAR * em
            lines.append(self._line(ends, [y] * len(ends), markevery=slice(1, len(ends) - 1), **style))
        return lines


def rank_ticks(last: int, least: float) -> list[int]:
    """Return the ranks to label: the ends, and round numbers at least `least` apart."""
    step = next(step for step in (1, 2, 5, 10, 20, 50, 100, 200, 500, last) if step >= least or step == last)
    inner = [rank for rank in range(step, last, step) if rank - 1 >= least and last - rank >= least]
    return [1, *inner, last]

"""Axes without a frame whose units are inches: for pictures that are laid out by what they say."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from skeval.plotting._base import INK, SOFT_INK
from skeval.plotting._text import axes_inches, font_families, size_in_inches, wrap

# Lengths in em (the size of the font), so that the whole drawing scales with the font.
MARGIN = 1.0
_BELOW_TITLE, _ABOVE_CAPTION = 0.7, 1.0
# A small font is not exactly a scaled large one: so much is left over.
_SPARE, _TRIES = 0.97, 8


class Sheet:
    """A blank sheet that takes the size which its content needs, or shrinks the content.

    Parameters
    ----------
    ax : matplotlib Axes
        What they hold is cleared.
    owned : bool
        Whether the Display made the figure: then the sheet fills it.

    Attributes
    ----------
    left, right, bottom, top : float
        Box of the content in inches, between title and caption; from `fit` on.
    """

    left: float
    right: float
    bottom: float
    top: float

    def __init__(self, ax: Any, *, owned: bool) -> None:
        ax.clear()
        ax.set_axis_off()
        if owned:
            ax.set_position((0, 0, 1, 1))
        self.ax, self.owned = ax, owned
        self._words: dict[Any, str] = {}

    def room(self) -> tuple[float, float] | None:
        """Return width and height of the axes in inches; None where the figure may grow."""
        return None if self.owned else axes_inches(self.ax)

    def frame(self, unit: Any, *, title: str | None, caption: str) -> None:
        """Write title and caption in sizes that follow from the text `unit`, which sets the em."""
        self._unit, size = unit, float(unit.get_fontsize())
        self._head = self.text(title or "", ha="center", va="top", fontsize=1.15 * size)
        self._foot = self.text(caption, ha="left", va="top", fontsize=0.85 * size, color=SOFT_INK)

    @property
    def em(self) -> float:
        """Size of the font in inches."""
        return float(self._unit.get_fontsize()) / 72

    @property
    def points(self) -> float:
        """Size of the font in points."""
        return float(self._unit.get_fontsize())

    def fit(
        self, texts: Iterable[Any], measure: Callable[[], tuple[float, float]], *, fill: bool = False
    ) -> None:
        """Make room for the content, and set the units to inches.

        Parameters
        ----------
        texts : iterable of matplotlib Text
            All texts of the content; their fonts shrink where the axes are too small.
        measure : callable
            Returns the width and height in inches that the content needs.
        fill : bool, default=False
            Whether the content takes all height there is.
        """
        texts, room = [*texts, self._head, self._foot], self.room()
        for _ in range(_TRIES):
            inner, height = measure()
            above, below = self._break_words((inner if room is None else max(room[0], 1.0)), room is None)
            sheet = inner + 2 * MARGIN * self.em, height + above + below + 2 * MARGIN * self.em
            factor = 1.0 if room is None else min(room[0] / sheet[0], room[1] / sheet[1])
            if factor >= 1:
                break
            for text in texts:
                text.set_fontsize(text.get_fontsize() * factor * _SPARE)
        if room is None:
            self.ax.get_figure().set_size_inches(*sheet)
        width, tall = room or sheet
        self.ax.set(xlim=(0, width), ylim=(0, tall))
        self.left, self.right = MARGIN * self.em, width - MARGIN * self.em
        self.top = tall - MARGIN * self.em - above
        self.bottom = MARGIN * self.em + below if fill else self.top - height
        self._head.set_position((width / 2, tall - MARGIN * self.em))
        self._foot.set_position((self.left, self.bottom - _ABOVE_CAPTION * self.em))

    def _break_words(self, width: float, inner: bool) -> tuple[float, float]:
        """Break title and caption into lines; return the heights that they take above and below."""
        for text in (self._head, self._foot):
            self.wrap(text, width if inner else width - 2 * MARGIN * self.em)
        above = size_in_inches(self._head)[1] + _BELOW_TITLE * self.em if self._head.get_text() else 0.0
        return above, size_in_inches(self._foot)[1] + _ABOVE_CAPTION * self.em

    def text(self, words: str, x: float = 0.0, y: float = 0.0, **style: Any) -> Any:
        """Write words as they are, in a font that has their characters."""
        style = {"color": INK, "fontfamily": font_families([words]), "parse_math": False, **style}
        return self.ax.text(x, y, words, **style)

    def wrap(self, text: Any, width: float) -> None:
        """Break what a text says, as it was written first, into lines not wider than `width` inches."""
        text.set_text(self._words.setdefault(text, text.get_text()))
        wrap(text, width)

    def line(self, x: Any, y: Any, **style: Any) -> Any:
        """Draw a line and return it."""
        (line,) = self.ax.plot(x, y, **{"color": INK, **style})
        return line

    def ticks(self, values: Iterable[float], x: Callable[[Any], Any], base: float) -> None:
        """Mark values below a horizontal axis: the first of them, and of the rest what has room."""
        taken: list[tuple[float, float]] = []
        for value in values:
            place = float(x(value))
            words = f"{value:.6g}" if abs(value) >= 1e-12 else "0"
            text = self.text(words, place, base - 0.6 * self.em, ha="center", va="top", fontsize=self.points)
            half = size_in_inches(text)[0] / 2 + 0.3 * self.em
            reach = place - half, place + half
            if any(reach[0] < other[1] and other[0] < reach[1] for other in taken):
                text.remove()
                continue
            taken.append(reach)
            self.line([place] * 2, [base, base - 0.4 * self.em], linewidth=0.1 * self.points)


def widest(texts: Iterable[Any]) -> float:
    """Return the width in inches of the widest of some texts, 0 without any."""
    return max((size_in_inches(text)[0] for text in texts), default=0.0)


def readable_on(color: Any) -> str:
    """Return the color of words on a cell of that color."""
    red, green, blue = np.asarray(color, dtype=np.float64)[:3]
    return INK if 0.299 * red + 0.587 * green + 0.114 * blue > 0.5 else "white"

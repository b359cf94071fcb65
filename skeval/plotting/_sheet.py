"""Axes without a frame whose units are inches: for pictures that are laid out by what they say."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from skeval.plotting._base import INK, font_families
from skeval.plotting._rank_axis import _wrap

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
    """

    def __init__(self, ax: Any, *, owned: bool) -> None:
        ax.clear()
        ax.set_axis_off()
        if owned:
            ax.set_position((0, 0, 1, 1))
        self.ax, self.owned = ax, owned
        self._words: dict[Any, str] = {}

    def room(self) -> tuple[float, float] | None:
        """Return width and height of the axes in inches; None where the figure may grow."""
        if self.owned:
            return None
        box, dpi = self.ax.get_window_extent(), self.ax.get_figure().dpi
        return box.width / dpi, box.height / dpi

    def fit(self, texts: Iterable[Any], measure: Callable[[], tuple[float, float]]) -> tuple[float, float]:
        """Make room for the content, and set the units to inches.

        Parameters
        ----------
        texts : iterable of matplotlib Text
            All texts; their fonts shrink where the axes are too small.
        measure : callable
            Returns the width and height in inches that the content needs.

        Returns
        -------
        tuple of (float, float)
            Width and height of the sheet.
        """
        width, height = measure()
        room = self.room()
        if room is None:
            self.ax.get_figure().set_size_inches(width, height)
        else:
            texts = list(texts)
            for _ in range(_TRIES):
                factor = min(room[0] / width, room[1] / height)
                if factor >= 1:
                    break
                for text in texts:
                    text.set_fontsize(text.get_fontsize() * factor * _SPARE)
                width, height = measure()
            width, height = room
        self.ax.set(xlim=(0, width), ylim=(0, height))
        return width, height

    def text(self, words: str, x: float = 0.0, y: float = 0.0, **style: Any) -> Any:
        """Write words as they are, in a font that has their characters."""
        style = {"color": INK, "fontfamily": font_families([words]), "parse_math": False, **style}
        return self.ax.text(x, y, words, **style)

    def wrap(self, text: Any, width: float) -> None:
        """Break what a text says, as it was written first, into lines not wider than `width` inches."""
        text.set_text(self._words.setdefault(text, text.get_text()))
        _wrap(text, width)

    def line(self, x: Any, y: Any, **style: Any) -> Any:
        """Draw a line and return it."""
        (line,) = self.ax.plot(x, y, **{"color": INK, **style})
        return line


def one_line(name: str) -> str:
    """Return a name without line breaks."""
    return " ".join(str(name).split())

"""What every Display shares: axes, styles that stay apart in grey, fonts that have the characters."""

from __future__ import annotations

import functools
import weakref
from collections.abc import Iterable
from typing import Any

from skeval.utils._optional import import_optional

# Okabe and Ito (2008): apart for every kind of color vision. Their yellow is too pale on white.
PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
LINE_STYLES: tuple[Any, ...] = ("-", "--", "-.", ":", (0, (7, 2, 1, 2, 1, 2)))
INK, SOFT_INK = "#1a1a1a", "#595959"

# Asked in this order before any other font that has the characters.
_CJK_FAMILIES = (
    "Noto Sans CJK SC",
    "Noto Sans SC",
    "Source Han Sans SC",
    "PingFang SC",
    "Hiragino Sans GB",
    "Microsoft YaHei",
    "SimHei",
    "WenQuanYi Micro Hei",
    "WenQuanYi Zen Hei",
)

# Figures that Displays made: they may grow with what is drawn on them, those of a user never.
_own_figures: weakref.WeakSet[Any] = weakref.WeakSet()


class Display:
    """Base of the Displays: ``plot`` draws, keeps the artists and returns the Display.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Axes that the last call of ``plot`` drew on.
    figure_ : matplotlib Figure
        Figure of these axes.
    """

    ax_: Any
    figure_: Any

    def _start(self, ax: Any) -> Any:
        """Return the axes to draw on: those given, or those of a new figure."""
        purpose = type(self).__name__
        pyplot = import_optional("matplotlib.pyplot", extra="plot", purpose=purpose)
        axes = import_optional("matplotlib.axes", extra="plot", purpose=purpose)
        if ax is None:
            ax = pyplot.subplots()[1]
            _own_figures.add(ax.get_figure())
        elif not isinstance(ax, axes.Axes):
            raise TypeError(f"ax must be matplotlib Axes or None, got {type(ax).__name__}.")
        self.ax_, self.figure_ = ax, ax.get_figure()
        return ax


def is_own(figure: Any) -> bool:
    """Return whether a Display made the figure."""
    return figure in _own_figures


def curve_style(index: int) -> dict[str, Any]:
    """Return color and line style of the curve of that number; 35 differ."""
    return {
        "color": PALETTE[index % len(PALETTE)],
        "linestyle": LINE_STYLES[index % len(LINE_STYLES)],
    }


def merge_style(artist: str, defaults: dict[str, Any], given: dict[str, Any] | None) -> dict[str, Any]:
    """Return the style of an artist ("lines.Line2D"), what the user gave first, aliases ("lw") resolved."""
    matplotlib = import_optional("matplotlib", extra="plot", purpose="A Display")
    module, name = artist.split(".")
    cls = getattr(import_optional(f"matplotlib.{module}", extra="plot", purpose="A Display"), name)
    return {**defaults, **matplotlib.cbook.normalize_kwargs(given or {}, cls)}


def font_families(texts: Iterable[str]) -> list[str]:
    """Return the font families set by the user, and one more if they lack a character of `texts`."""
    matplotlib = import_optional("matplotlib", extra="plot", purpose="A Display")
    families = tuple(matplotlib.rcParams["font.family"])
    wanted = frozenset(ord(letter) for text in texts for letter in text if letter.isprintable())
    return [*families, *_fallback(families, wanted)]


@functools.lru_cache(maxsize=64)
def _fallback(families: tuple[str, ...], wanted: frozenset[int]) -> tuple[str, ...]:
    """Return a family that has every character that `families` lack, if a font on this machine does."""
    fonts = import_optional("matplotlib.font_manager", extra="plot", purpose="A Display")
    missing = set(wanted)
    for family in families:
        found = fonts.findfont(fonts.FontProperties(family=[family]))
        missing -= fonts.get_font(found).get_charmap().keys()
    if not missing:
        return ()
    rank = {name: place for place, name in enumerate(_CJK_FAMILIES)}
    entries = sorted(
        fonts.fontManager.ttflist, key=lambda entry: (rank.get(entry.name, len(rank)), entry.name)
    )
    for entry in entries:
        if "Last Resort" not in entry.name and missing <= fonts.get_font(entry.fname).get_charmap().keys():
            return (entry.name,)
    return ()


def size_in_inches(text: Any) -> tuple[float, float]:
    """Return width and height of a text as it is drawn."""
    box, dpi = text.get_window_extent(), text.get_figure().dpi
    return box.width / dpi, box.height / dpi

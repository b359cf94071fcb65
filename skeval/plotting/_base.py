"""What every Display shares: the axes to draw on, and styles that stay apart in grey."""

from __future__ import annotations

import weakref
from typing import Any

from skeval.utils._optional import import_optional

# Okabe and Ito (2008): apart for every kind of color vision. Their yellow is too pale on white.
PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
INK, SOFT_INK = "#1a1a1a", "#595959"

# Figures that Displays made, with the size they began with: they may grow with what is drawn on
# them, those of a user never.
_own_figures: weakref.WeakKeyDictionary[Any, tuple[float, float]] = weakref.WeakKeyDictionary()


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

    def _start(self, ax: Any, *, size: tuple[float, float] | None = None, layout: str | None = None) -> Any:
        """Return the axes to draw on: those given, or those of a new figure of that size and layout."""
        purpose = type(self).__name__
        pyplot = import_optional("matplotlib.pyplot", extra="plot", purpose=purpose)
        axes = import_optional("matplotlib.axes", extra="plot", purpose=purpose)
        if ax is None:
            figure, ax = pyplot.subplots(figsize=size, layout=layout)
            _own_figures[figure] = tuple(figure.get_size_inches())
        elif not isinstance(ax, axes.Axes):
            raise TypeError(f"ax must be matplotlib Axes or None, got {type(ax).__name__}.")
        self.ax_, self.figure_ = ax, ax.get_figure()
        return ax


def own_size(figure: Any) -> tuple[float, float] | None:
    """Return the size in inches that a figure made by a Display began with; None for that of a user."""
    return _own_figures.get(figure)


def merge_style(artist: str, defaults: dict[str, Any], given: dict[str, Any] | None) -> dict[str, Any]:
    """Return the style of an artist ("lines.Line2D"), what the user gave first, aliases ("lw") resolved."""
    matplotlib = import_optional("matplotlib", extra="plot", purpose="A Display")
    module, name = artist.split(".")
    cls = getattr(import_optional(f"matplotlib.{module}", extra="plot", purpose="A Display"), name)
    return {**defaults, **matplotlib.cbook.normalize_kwargs(given or {}, cls)}

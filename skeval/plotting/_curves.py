"""What pictures of several curves share: styles, reference lines, words, axes from 0 to 1, the legend."""

from __future__ import annotations

import textwrap
import weakref
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from skeval.plotting._base import PALETTE, SOFT_INK, merge_style, own_size
from skeval.plotting._sheet import widest
from skeval.plotting._text import axes_inches, font_families, plain_text, wrap

# So many styles of a kind that any two share no factor: the first 40 curves differ in grey too.
_LINE_STYLES: tuple[Any, ...] = ("-", "--", "-.", ":", (0, (7, 2, 1, 2, 1, 2)))
_MARKERS = "os^vDP*X"
_MARK_EVERY = 0.14  # of the diagonal of the axes
_LEGEND_COLUMNS = 42  # characters, before a name is broken
_LEGEND_POINTS, _LEAST_POINTS = 9.0, 0.5
_BELOW_COLUMNS = 3
_SMALL_AXES = 1.8  # inches: below, fewer ticks

# What a line on some axes is: a curve, or a reference that is drawn once.
_roles: weakref.WeakKeyDictionary[Any, str] = weakref.WeakKeyDictionary()


def curve_style(index: int, *, points: bool = False) -> dict[str, Any]:
    """Return the style of the curve of that number.

    With `points` every point has a marker; otherwise curves after the fifth have a few.
    """
    style: dict[str, Any] = {
        "color": PALETTE[index % len(PALETTE)],
        "linestyle": _LINE_STYLES[index % len(_LINE_STYLES)],
        "markersize": 5.0,
    }
    if points:
        return style | {"marker": _MARKERS[index % len(_MARKERS)]}
    turn = index // len(_LINE_STYLES)
    if turn:
        start = _MARK_EVERY * (index % len(_LINE_STYLES)) / len(_LINE_STYLES)
        style |= {"marker": _MARKERS[(turn - 1) % len(_MARKERS)], "markevery": (start, _MARK_EVERY)}
    return style


def draw_curve(
    ax: Any, x: ArrayLike, y: ArrayLike, label: str, given: dict[str, Any] | None, *, points: bool = False
) -> Any:
    """Draw a curve in a style that no curve on the axes has; return the line."""
    index = sum(_roles.get(line) == "curve" for line in ax.lines)
    defaults = {"linewidth": 1.8, "label": label, **curve_style(index, points=points)}
    (line,) = ax.plot(x, y, **merge_style("lines.Line2D", defaults, given))
    _roles[line] = "curve"
    return line


def draw_once(
    ax: Any, role: str, x: ArrayLike, y: ArrayLike, given: dict[str, Any] | None, **style: Any
) -> None:
    """Draw a reference line, labeled by its role, unless the axes have it."""
    if role in {_roles.get(line) for line in ax.lines}:
        return
    defaults = {"color": SOFT_INK, "linestyle": (0, (1, 3)), "linewidth": 1.2, "label": role, **style}
    (line,) = ax.plot(x, y, **merge_style("lines.Line2D", defaults, given))
    _roles[line] = role


def curve_label(name: str | None, figures: Sequence[str], otherwise: str) -> str:
    """Return the words of a curve in the legend: its name and figures, in lines of some length."""
    told = ", ".join(figures)
    if not name:
        return told or otherwise
    # matplotlib hides a label that begins with an underscore.
    name = (" " if name.startswith("_") else "") + plain_text(name)
    *lines, last = textwrap.wrap(name, _LEGEND_COLUMNS, drop_whitespace=False) or [otherwise]
    if told and len(last) + len(told) + 3 <= _LEGEND_COLUMNS:
        return "\n".join([*lines, f"{last} ({told})"])
    return "\n".join([*lines, last, *([told] if told else [])])


def positive_class(pos_label: Any) -> str:
    """Return " (positive class: ...)", for the name of an axis; "" where it is not known."""
    return "" if pos_label is None else f" (positive class: {pos_label})"


def unit_square(ax: Any, *, equal: bool) -> None:
    """Make both axes go from 0 to 1."""
    ticks = np.linspace(0, 1, 6 if min(axes_inches(ax)) >= _SMALL_AXES else 3)
    ax.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), xticks=ticks, yticks=ticks)
    if equal:
        ax.set_aspect("equal")
    ax.spines[["top", "right"]].set_visible(False)


def draw_curve_legend(
    ax: Any, *, loc: str, share: float = 0.62, title: str | None = None, pad: float = 0.0
) -> None:
    """Put the legend inside; where it has no room, beside in an own figure, else smaller.

    Parameters
    ----------
    ax : matplotlib Axes
    loc : str
        Corner, as in matplotlib.
    share : float, default=0.62
        Of the axes, to each side, that it may take.
    title : str, optional
    pad : float, default=0.0
        Inches beside the axes that are taken.
    """
    figure, start = ax.get_figure(), own_size(ax.get_figure())
    old = ax.get_legend()
    if start is None:
        _settle(ax)
    room = share * np.array(axes_inches(ax))
    size = _LEGEND_POINTS if old is None or start else float(old.get_texts()[0].get_fontsize())
    place = {"loc": loc}
    grown = start is not None and figure.get_size_inches()[0] > start[0]
    for _ in range(6):  # a shrunken font is not exactly a scaled one
        needed = _legend(ax, size, title, place)
        shrink = float((room / needed).min())
        if shrink >= 1 and not grown:
            return
        if start is not None:
            _put_beside(ax, start, title, needed, pad)
            return
        ax.get_legend().set_in_layout(False)  # it takes no room from the axes of a user
        if size <= _LEAST_POINTS:
            return
        size = max(_LEAST_POINTS, 0.98 * shrink * size)


def _settle(ax: Any) -> None:
    """Give axes of a user the size that their layout will give them."""
    figure = ax.get_figure()
    if figure.get_layout_engine() is not None:
        figure.get_layout_engine().execute(figure)
    ax.apply_aspect()


def _put_beside(
    ax: Any, start: tuple[float, float], title: str | None, needed: tuple[float, float], pad: float
) -> None:
    """Put the legend at the right of the axes, in columns no higher than the figure, which grows."""
    columns = int(np.ceil((needed[1] + 0.2) / start[1]))
    spare = (0.1 + pad) * 72 / _LEGEND_POINTS
    place = {"loc": "center left", "bbox_to_anchor": (1.0, 0.5), "ncols": columns, "borderaxespad": spare}
    width, height = _legend(ax, _LEGEND_POINTS, title, place)
    ax.get_figure().set_size_inches(start[0] + width + pad + 0.2, max(start[1], height + 0.2))


def _legend(ax: Any, size: float, title: str | None, place: dict[str, Any]) -> tuple[float, float]:
    """Draw the legend; return its width and height in inches."""
    handles, labels = ax.get_legend_handles_labels()
    font = {"family": font_families(labels), "size": size}
    legend = ax.legend(
        handles, labels, title=title, prop=font, title_fontproperties=font,
        framealpha=0.9, handlelength=3.2, **place,
    )  # fmt: skip
    box, dpi = legend.get_window_extent(), ax.get_figure().dpi
    return box.width / dpi, box.height / dpi


def draw_legend_below(ax: Any) -> None:
    """Draw the legend below the axes of an own figure, else inside and no larger than fits."""
    figure = ax.get_figure()
    if own_size(figure) is None:
        draw_curve_legend(ax, loc="best", share=0.7)
        return
    handles, labels = ax.get_legend_handles_labels()
    font = {"family": font_families(labels), "size": _LEGEND_POINTS}
    for columns in range(_BELOW_COLUMNS, 0, -1):
        for legend in figure.legends:
            legend.remove()
        place = {"loc": "outside lower center", "ncols": columns, "frameon": False}
        legend = figure.legend(handles, labels, prop=font, handlelength=3.2, **place)
        if legend.get_window_extent().width < figure.bbox.width:
            return
    rest = legend.get_window_extent().width / figure.dpi - widest(legend.get_texts())
    for text in legend.get_texts():
        wrap(text, 0.98 * figure.get_size_inches()[0] - rest)

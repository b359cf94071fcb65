"""Words in a picture: in a font that has their characters, as they are, measured, broken into lines."""

from __future__ import annotations

import functools
import textwrap
from collections.abc import Iterable
from typing import Any

from skeval.utils._optional import import_optional

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
    "Noto Sans CJK JP",
)


def font_families(texts: Iterable[str]) -> list[str]:
    """Return the font families set by the user, and those that have the characters which they lack."""
    matplotlib = import_optional("matplotlib", extra="plot", purpose="A Display")
    families = tuple(matplotlib.rcParams["font.family"])
    generic = tuple(matplotlib.rcParams["font.sans-serif"])  # what "sans-serif" among them means
    wanted = frozenset(ord(letter) for text in texts for letter in text if letter.isprintable())
    return [*families, *_fallback(families, generic, wanted)]


@functools.lru_cache(maxsize=64)
def _fallback(families: tuple[str, ...], generic: tuple[str, ...], wanted: frozenset[int]) -> tuple[str, ...]:
    """Return families that have the characters that `families` lack, as far as fonts on this machine do."""
    fonts = import_optional("matplotlib.font_manager", extra="plot", purpose="A Display")
    missing = set(wanted)
    for family in families:
        found = fonts.findfont(fonts.FontProperties(family=[family]))
        missing -= fonts.get_font(found).get_charmap().keys()
    rank = {name: place for place, name in enumerate(_CJK_FAMILIES)}
    entries = sorted(
        (entry for entry in fonts.fontManager.ttflist if "Last Resort" not in entry.name),
        key=lambda entry: (rank.get(entry.name, len(rank)), entry.name),
    )
    chosen: list[str] = []
    while missing and entries:  # the first of those that have most
        having = [len(missing & fonts.get_font(entry.fname).get_charmap().keys()) for entry in entries]
        best = entries[having.index(max(having))]
        if not max(having):
            break
        chosen.append(best.name)
        missing -= fonts.get_font(best.fname).get_charmap().keys()
    return tuple(chosen)


def plain_text(words: str) -> str:
    """Keep matplotlib from reading $...$ as mathematics."""
    return words.replace("$", r"\$")


def one_line(name: Any) -> str:
    """Return a name without line breaks."""
    return " ".join(str(name).split())


def size_in_inches(text: Any) -> tuple[float, float]:
    """Return width and height of a text as it is drawn."""
    box, dpi = text.get_window_extent(), text.get_figure().dpi
    return box.width / dpi, box.height / dpi


def axes_inches(ax: Any) -> tuple[float, float]:
    """Return width and height of axes."""
    box, dpi = ax.get_window_extent(), ax.get_figure().dpi
    return box.width / dpi, box.height / dpi


def wrap(text: Any, width: float) -> None:
    """Break the lines of a text so that it is not wider than `width` inches."""
    words = text.get_text().replace("\n", " ")
    text.set_text(words)
    needed = size_in_inches(text)[0]
    characters = len(words)
    while needed > width and characters > 1:
        characters = max(1, int(min(0.95, width / needed) * characters))
        text.set_text(textwrap.fill(words, characters))
        needed = size_in_inches(text)[0]


def label_axes(ax: Any, x: str, y: str) -> None:
    """Name both axes, in lines shorter than they are, also when a layout makes them smaller."""
    width, height = axes_inches(ax)
    for axis, words, room in ((ax.xaxis, x, 0.85 * width), (ax.yaxis, y, 0.7 * height)):
        label = axis.label
        label.set(text=words, fontfamily=font_families([words]), parse_math=False, rotation=0)
        wrap(label, room)
    ax.yaxis.label.set_rotation(90)

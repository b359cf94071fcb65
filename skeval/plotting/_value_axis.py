"""A horizontal axis of numbers, linear or logarithmic, or of whatever values a hyper-parameter has."""

from __future__ import annotations

import numbers
import unicodedata
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skeval.plotting._text import font_families, plain_text
from skeval.utils._labels import plain
from skeval.utils._optional import import_optional

# From here on, numbers are better told apart on a logarithmic axis.
_LOG_RATIO = 20.0
# More values than this get the ticks that matplotlib chooses.
_MANY_VALUES = 20


class ValueAxis:
    """Places of values from left to right in the order given.

    Parameters
    ----------
    values : sequence
        Ascending or descending numbers are placed to scale, anything else at equal distances.
    log : bool or None, default=None
        Logarithmic or not; None: where the largest is 20 times the smallest or more, and the
        steps are not all equal.
    """

    def __init__(self, values: Sequence[Any], *, log: bool | None = None) -> None:
        self.values = tuple(plain(value) for value in values)
        self.numeric = all(
            isinstance(value, numbers.Real) and not isinstance(value, bool) for value in self.values
        )
        if self.numeric:
            places = np.array(self.values, dtype=np.float64)
            steps = np.diff(places)
            self.numeric = bool(np.isfinite(places).all() and ((steps > 0).all() or (steps < 0).all()))
        self.places: NDArray[np.float64] = places if self.numeric else np.arange(float(len(self.values)))
        positive = self.numeric and self.places.min() > 0
        if log and not positive:
            raise ValueError(
                "log_x=True needs values above 0, all different and in order, got "
                f"{', '.join(map(self.text, self.values[:6]))}; leave log_x out."
            )
        wide = positive and self.places.max() / self.places.min() >= _LOG_RATIO
        wide = wide and not np.allclose(np.diff(self.places), self.places[1] - self.places[0])
        self.log = bool(wide if log is None else log)

    @staticmethod
    def text(value: Any) -> str:
        """Write a value: six digits of a float, words as they are."""
        return f"{value:.6g}" if isinstance(value, float) else str(value)

    def borders(self) -> NDArray[np.float64]:
        """Return the middles between the places, and the ends beyond the first and the last."""
        places = np.log(self.places) if self.log else self.places
        if len(places) == 1:
            ends = places[0] + np.array([-0.5, 0.5])
            return np.exp(ends) if self.log else ends
        middle = (places[1:] + places[:-1]) / 2
        borders = np.concatenate([[2 * places[0] - middle[0]], middle, [2 * places[-1] - middle[-1]]])
        return np.exp(borders) if self.log else borders

    def draw(self, ax: Any, *, beyond: Sequence[int] = ()) -> None:
        """Set scale, direction and ticks of the axis; `beyond` has ticks besides the values."""
        ax.set_xscale("log" if self.log else "linear")
        if not self.numeric:
            ax.set_xlim(-0.5, len(self.places) - 0.5)
        elif self.places[0] > self.places[-1]:
            low, high = sorted(ax.get_xlim())
            ax.set_xlim(high, low)
        if self.numeric and len(self.values) > _MANY_VALUES:
            return
        places = np.append(self.places, beyond)
        labels = [plain_text(self.text(value)) for value in (*self.values, *beyond)]
        kept = self._with_room(ax, places, labels)
        ticker = import_optional("matplotlib.ticker", extra="plot", purpose="A Display")
        ax.xaxis.set_minor_locator(ticker.NullLocator())
        ax.set_xticks(places[kept], [labels[which] for which in kept])
        for tick in ax.get_xticklabels():
            tick.set_fontfamily(font_families(labels))

    def _with_room(self, ax: Any, places: NDArray[np.float64], labels: list[str]) -> list[int]:
        """Return which labels can stand beside each other, the last one kept first."""
        figure = ax.get_figure()
        width = ax.get_window_extent().width / figure.dpi
        size = float(ax.xaxis.get_ticklabels()[0].get_fontsize()) if ax.xaxis.get_ticklabels() else 10.0
        places = np.log(places) if self.log else places
        limits = np.array(ax.get_xlim())
        span = abs(np.diff(np.log(limits) if self.log else limits)[0])
        inches = np.abs(places - places[0]) / span * width if span else np.zeros(len(places))
        half = np.array([(0.62 * _letters(label) + 0.8) * size / 144 for label in labels])
        steps = np.diff(inches)
        if len(steps) and np.allclose(steps, steps[0]):  # every second, every third, ...
            stride = int(np.ceil(2 * half.max() / steps[0])) if steps[0] else 1
            return list(range((len(labels) - 1) % stride, len(labels), stride))
        kept = [len(labels) - 1]
        for which in range(len(labels) - 2, -1, -1):
            if inches[kept[-1]] - inches[which] >= half[which] + half[kept[-1]]:
                kept.append(which)
        return kept[::-1]


def _letters(label: str) -> int:
    """Return the length of a label, where Chinese characters are as wide as two letters."""
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in label)

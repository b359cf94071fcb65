"""Rows of labels beside one axis of numbers, and words at the right of each row."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from skeval.plotting._base import SOFT_INK
from skeval.plotting._sheet import Sheet, widest
from skeval.plotting._text import size_in_inches

# Lengths in em (the size of the font), so that the whole drawing scales with the font.
TICK = 2.2  # from the axis to the words below its ticks
_ROW, _GAP = 1.7, 0.7
_OWN_AXIS, _AXIS = 32.0, 14.0


class RowAxis:
    """Rows from top to bottom beside an axis from `low` to `high`.

    Parameters
    ----------
    sheet : Sheet
        With its frame.
    labels : sequence of matplotlib Text
        What stands at the left of the rows.
    values : sequence of matplotlib Text
        What stands at the right of the rows; as many, or none.
    low, high : float
        Ends of the axis.
    told : str
        Words below the axis.
    """

    def __init__(
        self,
        sheet: Sheet,
        labels: Sequence[Any],
        values: Sequence[Any],
        *,
        low: float,
        high: float,
        told: str,
    ) -> None:
        self.sheet, self.labels, self.values, self.low, self.high = sheet, labels, values, low, high
        self._told = sheet.text(told, ha="right", va="top", fontsize=sheet.points, color=SOFT_INK)
        sheet.fit((*labels, *values, self._told), self._measure)
        self._start = sheet.left + widest(labels) + _GAP * sheet.em
        side = widest(values) + _GAP * sheet.em if values else 0.0
        self._scale = (sheet.right - side - self._start) / (high - low)

    def _measure(self) -> tuple[float, float]:
        em = self.sheet.em
        axis = (_OWN_AXIS if self.sheet.owned else _AXIS) * em
        sides = widest(self.labels) + _GAP * em + (widest(self.values) + _GAP * em if self.values else 0.0)
        self.sheet.wrap(self._told, sides + axis)
        below = TICK * em + size_in_inches(self._told)[1] + 0.2 * em
        return sides + axis, _ROW * len(self.labels) * em + below

    @property
    def inches(self) -> float:
        """Inches per unit of the axis."""
        return float(self._scale)

    @property
    def ends(self) -> tuple[float, float]:
        """Bottom and top of the rows."""
        return float(self.y(len(self.labels) - 0.5)), float(self.y(-0.5))

    def x(self, values: Any) -> Any:
        """Return where values stand."""
        return self._start + (np.asarray(values) - self.low) * self._scale

    def y(self, row: Any) -> Any:
        """Return the middle of a row, counted from the top."""
        return self.sheet.top - _ROW * (np.asarray(row) + 0.5) * self.sheet.em

    def place(self, rows: Sequence[int]) -> None:
        """Put the labels, and the words at the right, at their rows."""
        right = float(self.x(self.high)) + _GAP * self.sheet.em
        for label, row in zip(self.labels, rows, strict=True):
            label.set_position((self._start - _GAP * self.sheet.em, float(self.y(row))))
        for text, row in zip(self.values, rows, strict=False):
            text.set_position((right, float(self.y(row))))

    def draw(self, ticks: Iterable[float]) -> None:
        """Draw the axis below the rows, with ticks where they have room, the first before the others."""
        sheet, bottom = self.sheet, self.ends[0]
        sheet.line(self.x([self.low, self.high]), [bottom] * 2, linewidth=0.1 * sheet.points)
        sheet.ticks(ticks, self.x, bottom)
        wide = size_in_inches(self._told)[0]
        edge = max(float(self.x(self.high)), sheet.left + wide)
        self._told.set_position((edge, bottom - TICK * sheet.em))

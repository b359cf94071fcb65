"""Displays of results; matplotlib is imported when a plot is drawn."""

from skeval.plotting._critical_difference import CriticalDifferenceDisplay
from skeval.plotting._roc import RocDisplay

__all__ = [
    "CriticalDifferenceDisplay",
    "RocDisplay",
]

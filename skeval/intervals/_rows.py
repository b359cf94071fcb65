"""The rows of a data set as a bootstrap sees them: distinct rows, and the units that are drawn."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skeval.utils._labels import factorize
from skeval.utils._random import draw_size, draw_units
from skeval.utils._resamples import blocks
from skeval.utils._validation import IntArray

# Multiplicities held at once: they and what is made of them stay in the cache.
_BLOCK_CELLS = 2**16
# Evaluations that a jackknife may cost; above it leaves out groups of units.
_MAX_LEFT_OUT = 1000


@dataclass(frozen=True)
class Rows:
    """Distinct rows of a data set, sorted, and the units that are drawn with replacement.

    A unit is a sample, or a group of samples that is drawn whole. Equal units are kept once,
    with their number.

    Attributes
    ----------
    true : ndarray of shape (n_rows,)
        Code of the true class.
    predicted : tuple of ndarray of shape (n_rows,)
        Code of what each model said.
    weight : ndarray of shape (n_rows,)
        What a row counts for when its unit is drawn once.
    unit : ndarray of shape (n_rows,)
        The unit that a row belongs to; 0, 1, 2, ... where rows are units.
    counts : ndarray of shape (n_units,)
        How many units of each kind the data hold.
    stratum : ndarray of shape (n_units,)
        Units are drawn within their stratum, as many as it holds.
    """

    true: IntArray
    predicted: tuple[IntArray, ...]
    weight: NDArray[Any]
    unit: IntArray
    counts: IntArray
    stratum: IntArray

    @cached_property
    def strata(self) -> list[IntArray]:
        """Units of each stratum."""
        return [np.flatnonzero(self.stratum == stratum) for stratum in np.unique(self.stratum)]

    def drawn(self, n_resamples: int, generator: np.random.Generator, width: int = 1) -> Iterator[IntArray]:
        """Yield blocks of resamples: how often each unit is drawn, shape (size, n_units).

        `width` is the number of cells that a resample becomes later: blocks are bounded by it.
        """
        for size in blocks(n_resamples, self._block(width)):
            if len(self.strata) == 1:
                yield draw_units(self.counts, size, generator)
                continue
            times = np.empty((size, len(self.counts)), dtype=np.int64)
            for units in self.strata:
                times[:, units] = draw_units(self.counts[units], size, generator)
            yield times

    def left_out(
        self, generator: np.random.Generator, width: int = 1
    ) -> Iterator[tuple[IntArray, IntArray, IntArray]]:
        """Yield blocks of a jackknife: units that stay, how many such cases there are, and their stratum.

        One unit is left out at a time; where there are too many kinds of unit for that, a
        random group of them (Efron & Narasimhan 2020, "The automatic construction of
        bootstrap confidence intervals").
        """
        if len(self.counts) <= _MAX_LEFT_OUT:
            cases = [np.array([unit]) for unit in range(len(self.counts))]
            weight, stratum = self.counts, self.stratum
        else:
            cases, strata = [], []
            for number, units in enumerate(self.strata):
                members = generator.permutation(np.repeat(units, self.counts[units]))
                groups = np.array_split(members, min(len(members), _MAX_LEFT_OUT // len(self.strata) + 1))
                cases += groups
                strata += [number] * len(groups)
            weight, stratum = np.ones(len(cases), dtype=np.int64), np.array(strata)
        block = self._block(width)
        for start in range(0, len(cases), block):
            chosen = slice(start, start + block)
            stay = np.array([self.counts - self._count(case) for case in cases[chosen]])
            yield stay, weight[chosen], stratum[chosen]

    def _count(self, units: IntArray) -> IntArray:
        return np.bincount(units, minlength=len(self.counts))

    def _block(self, width: int) -> int:
        drawn = sum(draw_size(self.counts[units]) for units in self.strata)
        return max(1, _BLOCK_CELLS // max(drawn, len(self.counts), len(self.true), width))


def collect_rows(
    true: IntArray,
    predicted: list[IntArray],
    *,
    weight: NDArray[Any] | None = None,
    importance: bool = False,
    groups: IntArray | None = None,
    stratify: bool = False,
) -> Rows:
    """Return the distinct rows and the units of a data set.

    Parameters
    ----------
    true, predicted, groups
        Codes, one per sample.
    weight
        Frequencies, or importances with `importance`.
    stratify
        Draw within each true class.
    """
    if weight is not None and not importance and not weight.all():
        keep = weight > 0
        true, predicted, weight = true[keep], [codes[keep] for codes in predicted], weight[keep]
        groups = None if groups is None else groups[keep]
    parts = [true, *predicted]
    if groups is not None:
        groups, _ = factorize(groups)
        parts.append(groups)
    elif importance and weight is not None:
        parts.append(np.unique(weight, return_inverse=True)[1])
    else:
        table = _tally(parts, weight)
        if table is not None:
            (true, *predicted), counts = table
            one, none = np.ones(len(true), dtype=np.int64), np.zeros(len(true), dtype=np.int64)
            return Rows(true, tuple(predicted), one, np.arange(len(true)), counts, true if stratify else none)
    row, first = _distinct(parts)
    size = len(first)
    if groups is not None:
        # bincount sums weights in float64, exact for frequencies below 2**53.
        carried: NDArray[Any] = np.bincount(row, weights=weight, minlength=size)
        carried = carried if importance else carried.astype(np.int64)
        unit, counts = groups[first], np.ones(int(groups.max()) + 1, dtype=np.int64)
    else:
        carried = weight[first] if importance and weight is not None else np.ones(size, dtype=np.int64)
        counts = np.bincount(row, weights=None if importance else weight, minlength=size).astype(np.int64)
        unit = np.arange(size)
    stratum = true[first] if stratify else np.zeros(len(counts), dtype=np.int64)
    return Rows(true[first], tuple(codes[first] for codes in predicted), carried, unit, counts, stratum)


def _tally(parts: list[IntArray], weight: NDArray[Any] | None) -> tuple[list[IntArray], IntArray] | None:
    """Return the combinations of codes that occur, sorted, and how often; None where too many can be."""
    sizes = [int(part.max()) + 1 for part in parts]
    if math.prod(sizes) > len(parts[0]):
        return None
    code = parts[0]
    for part, size in zip(parts[1:], sizes[1:], strict=True):
        code = code * size + part
    # bincount sums weights in float64, exact for frequencies below 2**53.
    counts = np.bincount(code, weights=weight).astype(np.int64)
    found = np.flatnonzero(counts)
    return list(np.unravel_index(found, sizes)), counts[found]


def _distinct(parts: list[IntArray]) -> tuple[IntArray, IntArray]:
    """Return the code of each sample's combination of codes, and one sample of each, in sorted order."""
    code = parts[0]
    for part in parts[1:]:
        code, seen = factorize(code * (int(part.max()) + 1) + part)
    first = np.empty(len(seen), dtype=np.int64)
    first[code] = np.arange(len(code))
    return code, first

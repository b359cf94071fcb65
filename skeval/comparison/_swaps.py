"""The null distribution of a measure when two classifiers swap their predictions at random.

Samples of one true class for which the two models predict the same two classes are alike.
Of N such samples the first model keeps a binomial number of predictions of the one class,
the second model has the rest; a measure of the confusion matrix depends on these few
numbers alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse, special

from skeval.comparison._sign_flips import Tail, sampled_tail
from skeval.metrics import ConfusionMatrix
from skeval.metrics._shares import one_per_replicate, undefined_not_told
from skeval.utils._labels import LabelArray
from skeval.utils._validation import FloatArray, IntArray

# Differences closer than this share of the measures are one value, rounded differently.
SLACK = 1e-12
# Cells of swapped matrices that "auto" looks at (about a second), and those that "exact" refuses.
AUTO_CELLS = 20_000_000
MAX_CELLS = 400_000_000
# Probability of the tables left out; a p-value far above it needs no more of them.
_LEFT_OUT = (1e-12, 1e-24, 1e-80, 1e-300, 0.0)
_FAR_ABOVE = 1e9
_BLOCK_CELLS = 1 << 18


@dataclass(frozen=True)
class Swaps:
    """Groups of like samples on which two models differ, and a measure of either model.

    Attributes
    ----------
    fixed : ndarray of int of shape (K * K, 1)
        Confusion matrix of either model, were all of every group predicted as its higher class.
    moves : sparse matrix of int of shape (K * K, n_groups)
        What predicting one sample of a group as its lower class changes.
    sizes : ndarray of int of shape (n_groups,)
        Samples in each group.
    kept : ndarray of int of shape (n_groups,)
        How many of them the first model predicts as the lower class.
    labels : ndarray of shape (K,)
    measure : callable
        ConfusionMatrix of shape (n, K, K) -> ndarray of shape (n,), greater is better.
    """

    fixed: IntArray
    moves: Any
    sizes: IntArray
    kept: IntArray
    labels: LabelArray
    measure: Callable[[ConfusionMatrix], Any]

    @classmethod
    def of(
        cls,
        codes: list[IntArray],
        labels: LabelArray,
        measure: Callable[[ConfusionMatrix], Any],
    ) -> Swaps:
        """Find the groups in the codes of true labels and of two models' predictions."""
        true, one, two = codes
        size, differ = len(labels), one != two
        low, high = np.minimum(one, two), np.maximum(one, two)
        fixed = np.bincount(true * size + high, minlength=size * size)[:, None]
        names, where, sizes = np.unique(
            ((true * size + low) * size + high)[differ], return_inverse=True, return_counts=True
        )
        kept = np.bincount(where, weights=(one < two)[differ], minlength=len(names)).astype(np.int64)
        row, group = names // size**2 * size, np.arange(len(names))
        cells = np.concatenate([row + names // size % size, row + names % size])
        steps = np.repeat([1, -1], len(names))
        moves = sparse.csr_array((steps, (cells, np.tile(group, 2))), shape=(size * size, len(names)))
        return cls(fixed, moves, sizes, kept, labels, measure)

    def values(self, kept: IntArray) -> FloatArray:
        """Return the measure of a model with `kept` (n_groups, n) samples predicted as the lower class."""
        counts = (self.fixed + self.moves @ kept).T.reshape(-1, len(self.labels), len(self.labels))
        with undefined_not_told():  # a swapped table is none of the user's
            return one_per_replicate(self.measure(ConfusionMatrix(counts, self.labels)), len(counts))

    def differences(self, kept: IntArray) -> tuple[FloatArray, FloatArray]:
        """Return first minus second model's measure, and what rounding may have added."""
        one, two = self.values(kept), self.values(self.sizes[:, None] - kept)
        return one - two, SLACK * (np.abs(one) + np.abs(two))


def exact_tail(swaps: Swaps, *, two_sided: bool, max_cells: float) -> Tail | None:
    """Return P(difference >= the observed one), or None where that takes more than `max_cells`.

    Tables of negligible probability are left out, and what they may add is added: the
    p-value is never understated.
    """
    tail = None
    for may_leave_out in _LEFT_OUT:
        windows, left_out = _windows(swaps.sizes, may_leave_out)
        if math.prod(len(log_pmf) for _, log_pmf in windows) * len(swaps.fixed) > max_cells:
            break
        log = _log_tail(swaps, windows, two_sided)
        log = float(np.logaddexp(log, math.log(left_out))) if left_out else log
        tail = Tail.from_log(log, int(swaps.sizes.sum()))
        if left_out * _FAR_ABOVE <= tail.pvalue:
            break
        max_cells = MAX_CELLS  # a small p-value is worth more time
    return tail


def _windows(sizes: IntArray, may_leave_out: float) -> tuple[list[tuple[int, FloatArray]], float]:
    """Return the numbers of each group worth looking at, and the probability of the others.

    The numbers as the smallest of them, and log P of it and of those that follow.
    """
    windows, left_out = [], 0.0
    for size in sizes.tolist():
        kept = np.arange(size + 1)
        log_pmf = -special.gammaln(kept + 1) - special.gammaln(size - kept + 1)
        log_pmf -= special.logsumexp(log_pmf)
        below = np.cumsum(np.exp(log_pmf[: size // 2]))
        low = int((below <= may_leave_out / (2 * len(sizes))).sum()) if may_leave_out else 0
        left_out += 2 * float(below[low - 1]) if low else 0.0
        windows.append((low, log_pmf[low : size + 1 - low]))
    return windows, left_out


def _log_tail(swaps: Swaps, windows: list[tuple[int, FloatArray]], two_sided: bool) -> float:
    """Return the log of the probability of all tables at least as extreme as the observed one.

    Swapping all predictions turns the table around: index i of the grid of tables and
    index i from its end have opposite differences and one probability, so half the grid
    is enough.
    """
    shape = tuple(len(log_pmf) for _, log_pmf in windows)
    total = math.prod(shape)
    [observed], [slack] = swaps.differences(swaps.kept[:, None])
    logs = [-np.inf]
    for index in _blocks((total + 1) // 2, len(swaps.fixed)):
        places = np.unravel_index(index, shape)
        kept = np.stack([low + place for (low, _), place in zip(windows, places, strict=True)])
        log_pmf = np.zeros(len(index))
        for (_, window), place in zip(windows, places, strict=True):
            log_pmf += window[place]
        difference, rounding = swaps.differences(kept)
        reached = _reached(difference, observed, slack + rounding, two_sided).astype(np.float64)
        reached += _reached(-difference, observed, slack + rounding, two_sided)
        reached[2 * index == total - 1] /= 2  # the middle is its own opposite
        hit = reached > 0
        logs.append(special.logsumexp(log_pmf[hit], b=reached[hit]) if hit.any() else -np.inf)
    return float(special.logsumexp(logs))


def _reached(difference: FloatArray, observed: float, slack: FloatArray, two_sided: bool) -> Any:
    """Say where a difference is at least as extreme as the observed one; an undefined one is."""
    if two_sided:
        difference, observed = np.abs(difference), abs(observed)
    return ~(difference < observed - slack)


def _blocks(total: int, cells: int) -> Iterator[IntArray]:
    step = max(1, _BLOCK_CELLS // cells)
    for start in range(0, total, step):
        yield np.arange(start, min(start + step, total))


def sampled_swaps(swaps: Swaps, *, two_sided: bool, n_resamples: int, generator: np.random.Generator) -> Tail:
    """Return (b + 1)/(n + 1), b of n random swaps having a difference at least as extreme."""
    [observed], [slack] = swaps.differences(swaps.kept[:, None])
    n_reached = 0
    for index in _blocks(n_resamples, max(len(swaps.fixed), len(swaps.sizes))):
        kept = generator.binomial(swaps.sizes[:, None], 0.5, size=(len(swaps.sizes), len(index)))
        difference, rounding = swaps.differences(kept)
        n_reached += int(_reached(difference, observed, slack + rounding, two_sided).sum())
    return sampled_tail(n_reached, n_resamples)

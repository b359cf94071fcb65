"""Counts at ranked scores as plain arrays: ranked, merged, rounded, drawn anew."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skeval.utils._validation import describe

Floats = NDArray[np.float64]
Numbers = NDArray[Any]
# Distinct scores, descending, with the weight of the positives and of the negatives at or above each.
Counts = tuple[Floats, Numbers, Numbers]

# Resampled counts held at once: they and what is made of them stay in the cache.
_BLOCK_CELLS = 2**16


def steps(cumulative: Numbers) -> Numbers:
    """Return what was summed along the last axis."""
    parts = np.empty_like(cumulative)
    parts[..., :1] = cumulative[..., :1]
    np.subtract(cumulative[..., 1:], cumulative[..., :-1], out=parts[..., 1:])
    return parts


def rank(score: Floats, positive: NDArray[np.bool_], weight: Numbers | None) -> Counts:
    """Rank scores; samples of weight 0 are left out."""
    if weight is None:
        # Sorting values is faster than sorting positions, and two sorted runs merge in one pass.
        above, below = np.sort(score[positive]), np.sort(score[~positive])
        runs = np.concatenate([above, below])
        order = np.argsort(runs, kind="stable")[::-1]
        distinct, end = _last_of_ties(runs[order])
        true = np.cumsum(order < len(above))[end]
        return distinct, true, end + 1 - true
    use = weight > 0
    score, positive, weight = score[use], positive[use], weight[use]
    order = np.argsort(score)[::-1]
    distinct, end = _last_of_ties(score[order])
    true, false = (np.cumsum((weight * side)[order])[end] for side in (positive, ~positive))
    return distinct, true, false


def merge(parts: Sequence[Counts]) -> Counts:
    """Return the counts of all samples together; exact for whole weights, in any order."""
    scores, *sides = zip(*parts, strict=True)
    joined = np.concatenate(scores)
    order = np.argsort(joined, kind="stable")[::-1]  # sorted runs merge in one pass
    distinct, end = _last_of_ties(joined[order])
    true, false = (np.cumsum(np.concatenate([steps(one) for one in side])[order])[end] for side in sides)
    return distinct, true, false


def round_counts(counts: Counts, decimals: int) -> Counts:
    """Round the scores, which keeps their order, and put together those that became equal."""
    score, true, false = counts
    rounded = score.copy()
    small = np.abs(score) < 2.0**52 / 10.0**decimals  # larger ones have no such decimals
    rounded[small] = np.round(score[small], decimals) + 0.0  # no -0.0
    return merge([(rounded, true, false)])


def _last_of_ties(descending: Floats) -> tuple[Floats, NDArray[np.int64]]:
    """Return the distinct values, and the last position of each."""
    last = np.ones(len(descending), dtype=bool)
    np.not_equal(descending[1:], descending[:-1], out=last[:-1])
    end = np.flatnonzero(last)
    return descending[end], end


def check_cumulative(values: ArrayLike, name: str, size: int) -> Numbers:
    """Return cumulative counts of shape (..., size): int64, or float64 where they are weights."""
    array = np.asarray(values)
    if array.ndim < 1 or array.shape[-1] != size or array.dtype.kind not in "iuf":
        raise ValueError(f"{name} must hold one number per threshold ({size}), got {describe(array)}.")
    array = np.array(array, dtype=np.float64 if array.dtype.kind == "f" else np.int64)
    if not np.isfinite(array).all() or (steps(array) < 0).any():
        raise ValueError(f"{name} must be finite, not negative and not descending.")
    return array


def draw_counts(
    counts: Counts, n_resamples: int, generator: np.random.Generator
) -> Iterator[tuple[Numbers, Numbers]]:
    """Yield blocks of the counts of samples drawn with replacement, each of shape (size, n_thresholds)."""
    # Cells in the order of the thresholds, positives and negatives side by side.
    cells = np.stack([steps(counts[1]), steps(counts[2])], axis=1)
    threshold, side = np.nonzero(cells)
    positive = 1 - side
    filled, n_samples = cells[threshold, side], int(cells.sum())
    end = np.searchsorted(threshold, np.arange(len(cells)), side="right")
    # Where every threshold has one cell, nothing need be picked.
    picked = None if np.array_equal(threshold, np.arange(len(cells))) else end
    block = max(1, _BLOCK_CELLS // max(len(filled), n_samples))
    for start in range(0, n_resamples, block):
        drawn = _draw(generator, filled, n_samples, min(block, n_resamples - start))
        true = _cumulate(drawn * positive, picked)
        both = _cumulate(drawn, picked)
        yield true, np.subtract(both, true, out=both)


def _cumulate(drawn: Numbers, picked: NDArray[np.int64] | None) -> Numbers:
    """Sum along the columns in place; return all sums, or that of the first 0, 1, ... columns as picked."""
    np.cumsum(drawn, axis=1, out=drawn)
    if picked is None:
        return drawn
    sums = np.take(drawn, picked - 1, axis=1)
    sums[:, picked == 0] = 0
    return sums


def _draw(
    generator: np.random.Generator, counts: NDArray[np.int64], n_samples: int, size: int
) -> NDArray[np.int64]:
    """Draw how often each cell is hit when `n_samples` samples are drawn with replacement."""
    if len(counts) * 8 < n_samples:  # few cells: their counts are multinomial
        return generator.multinomial(n_samples, counts / n_samples, size=size)
    drawn = generator.integers(0, n_samples, size=(size, n_samples))
    if len(counts) < n_samples:
        drawn = np.repeat(np.arange(len(counts)), counts)[drawn]
    if size > 1:
        drawn += np.arange(size)[:, None] * len(counts)
    return np.bincount(drawn.ravel(), minlength=size * len(counts)).reshape(size, len(counts))

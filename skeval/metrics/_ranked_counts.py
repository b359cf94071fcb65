"""Counts at ranked scores as plain arrays: ranked, merged, rounded, drawn anew."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skeval.utils._validation import LARGEST, describe

Floats = NDArray[np.float64]
Numbers = NDArray[Any]
# Distinct scores, descending, with the weight of the positives and of the negatives at or above each.
Counts = tuple[Floats, Numbers, Numbers]


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
        # Positions select several times faster than a mask without pattern.
        above, below = (np.sort(score[np.flatnonzero(side)]) for side in (positive, ~positive))
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
    if array.size and array.max() > LARGEST:
        raise ValueError(f"{name} must be at most {LARGEST:g}, got {array.max():g}.")
    return array

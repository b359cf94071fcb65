"""Arrays of counts: checked, spread over more labels, stacked two by two, drawn anew."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skeval.utils._labels import LabelArray, encode, plain
from skeval.utils._random import draw_size, draw_units
from skeval.utils._resamples import blocks
from skeval.utils._validation import LARGEST, SMALLEST

# Cells of resampled matrices held at once: bounds the memory of a bootstrap (16 MB).
_BLOCK_CELLS = 2_000_000


def check_counts(counts: ArrayLike, *, whole: bool = True) -> NDArray[Any]:
    """Return counts of shape (..., K, K), read-only: int64, or float64 where they are weights.

    With `whole`, floats that are all whole numbers become integers: cells that went through
    a table of scores are counts again.
    """
    array = np.array(counts)
    if array.ndim < 2 or array.shape[-1] != array.shape[-2] or not array.shape[-1]:
        raise ValueError(f"counts must have shape (..., K, K), got {array.shape}.")
    if array.dtype.kind not in "biuf":
        raise ValueError(f"counts must hold numbers, got dtype {array.dtype}.")
    if array.dtype.kind == "f":
        with np.errstate(over="ignore"):  # of a wider float: inf is refused next
            array = array.astype(np.float64, copy=False)  # 2**53 is more than float16 can hold
        if not np.isfinite(array).all():
            raise ValueError("counts must be finite, got nan or inf.")
        keep = not whole or (
            array.size and (np.abs(array).max() >= 2**53 or (array != np.floor(array)).any())
        )
        array = array.astype(np.float64 if keep else np.int64)
    else:
        array = array.astype(np.int64, copy=False)
    if array.size and array.min() < 0:
        raise ValueError(f"counts must not be negative, got {array.min()}.")
    if array.dtype.kind == "f" and array.size and array.max() > LARGEST:
        raise ValueError(f"counts must be at most {LARGEST:g}, got {array.max():g}.")
    if array.dtype.kind == "f":
        check_least(array.sum(axis=(-2, -1)), "counts")
    if array.dtype.kind == "i" and array.size and array.max() >= 2**62 // array.shape[-1] ** 2:
        raise ValueError(f"counts must sum to less than 2**62, got {array.max()} in one cell.")
    array.setflags(write=False)
    return array


def check_least(totals: Any, name: str) -> None:
    """Refuse totals of counts that are neither 0 nor of a size that can be multiplied."""
    tiny = np.asarray(totals)[(totals > 0) & (totals < SMALLEST)]
    if len(tiny):
        raise ValueError(
            f"{name} must sum to 0 or to {SMALLEST:g} at least, got {tiny[0]:g}; multiply all of them by "
            "a constant, which changes no share."
        )


def count_pairs(
    true: LabelArray, predicted: LabelArray, weight: NDArray[Any] | None, labels: LabelArray | None
) -> tuple[NDArray[Any], LabelArray]:
    """Return the counts (K, K) of pairs of labels and the labels: those given, or those seen."""
    if labels is None and weight is None and true.dtype.kind == predicted.dtype.kind == "i" and len(true):
        low = min(int(true.min()), int(predicted.min()))
        span = max(int(true.max()), int(predicted.max())) - low + 1
        # A table of all numbers in between costs less than to find the used ones first.
        if span * span <= len(true):
            pair = (true - low if low else true) * span
            pair += predicted - low if low else predicted
            table = np.bincount(pair, minlength=span * span).reshape(span, span)
            used = table.any(axis=0) | table.any(axis=1)
            return (table if used.all() else table[np.ix_(used, used)]), np.flatnonzero(used) + low
    (row, column), seen = encode({"y_true": true, "y_pred": predicted}, labels)
    size = len(seen)
    # bincount sums weights in float64, exact for whole weights below 2**53.
    cells = np.bincount(row * size + column, weights=weight, minlength=size * size)
    if weight is not None and weight.dtype.kind == "i":
        cells = cells.astype(np.int64)
    return cells.reshape(size, size), seen


def spread(counts: NDArray[Any], place: NDArray[np.int64], size: int) -> NDArray[Any]:
    """Put counts into a larger matrix at the places of their labels."""
    large = np.zeros((*counts.shape[:-2], size, size), dtype=counts.dtype)
    large[..., place[:, None], place] = counts
    return large


def two_by_two(tp: Any, fp: Any, fn: Any, tn: Any) -> NDArray[Any]:
    """Stack cells of shape (...) as matrices of shape (..., 2, 2), the positive class last."""
    return np.stack([np.stack([tn, fp], axis=-1), np.stack([fn, tp], axis=-1)], axis=-2)


def by_pair(counts: NDArray[Any]) -> tuple[NDArray[Any], ...]:
    """Return classes i < j of each pair, matrices (..., n_pairs, 2, 2) with i last, and what is dropped.

    Dropped is the weight of the samples of a pair that were predicted as a third class.
    """
    i, j = np.triu_indices(counts.shape[-1], k=1)
    cells = [counts[..., row, column] for row, column in ((i, i), (j, i), (i, j), (j, j))]
    true = counts.sum(axis=-1)
    return i, j, two_by_two(*cells), np.asarray(true[..., i] + true[..., j] - sum(cells))


def reweigh(
    counts: NDArray[Any], labels: LabelArray, positive: NDArray[np.bool_], share: float
) -> NDArray[Any]:
    """Weigh the rows of two classes so that the positive one has a share; the total stays."""
    true = counts.sum(axis=-1)
    if not (true > 0).all() or len(labels) < 2:
        rows = true.reshape(-1, len(labels))
        held = rows[rows.min(axis=-1).argmin()]
        told = [f"{weight:g} of class {plain(label)!r}" for label, weight in zip(labels, held, strict=True)]
        raise ValueError(
            f"at_prevalence() needs samples of both classes, got {' and '.join(told)}: a class without any "
            "has no rates to keep. Take more data, or pool the matrices."
        )
    wanted = np.where(positive, share, 1 - share) * true.sum(axis=-1, keepdims=True)
    return np.asarray(counts * (wanted / true)[..., None])


def draw_cells(
    counts: NDArray[np.int64], n_resamples: int, generator: np.random.Generator
) -> Iterator[NDArray[np.int64]]:
    """Yield blocks (size, K, K) of samples drawn with replacement: their cells are multinomial."""
    filled = np.flatnonzero(counts)
    width = max(counts.size, draw_size(counts.ravel()[filled]))
    for size in blocks(n_resamples, _BLOCK_CELLS // width):
        cells = np.zeros((size, counts.size), dtype=np.int64)
        cells[:, filled] = draw_units(counts.ravel()[filled], size, generator)
        yield cells.reshape(size, *counts.shape)

"""Arrays of counts: checked, spread over more labels, stacked two by two, drawn anew."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skeval.utils._labels import LabelArray, encode
from skeval.utils._random import draw_size, draw_units

# Products of four weights must not overflow.
LARGEST = 1e60
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
        if not np.isfinite(array).all():
            raise ValueError("counts must be finite, got nan or inf.")
        keep = not whole or (array.size and (array.max() >= 2**53 or (array != np.floor(array)).any()))
        array = array.astype(np.float64 if keep else np.int64)
    else:
        array = array.astype(np.int64, copy=False)
    if array.size and array.min() < 0:
        raise ValueError(f"counts must not be negative, got {array.min()}.")
    if array.dtype.kind == "f" and array.size and array.max() > LARGEST:
        raise ValueError(f"counts must be at most {LARGEST:g}, got {array.max():g}.")
    if array.dtype.kind == "i" and array.size and array.max() >= 2**62 // array.shape[-1] ** 2:
        raise ValueError(f"counts must sum to less than 2**62, got {array.max()} in one cell.")
    array.setflags(write=False)
    return array


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


def draw_cells(
    counts: NDArray[np.int64], n_resamples: int, generator: np.random.Generator
) -> Iterator[NDArray[np.int64]]:
    """Yield blocks (size, K, K) of samples drawn with replacement: their cells are multinomial."""
    filled = np.flatnonzero(counts)
    block = max(1, _BLOCK_CELLS // max(counts.size, draw_size(counts.ravel()[filled])))
    for start in range(0, n_resamples, block):
        size = min(block, n_resamples - start)
        cells = np.zeros((size, counts.size), dtype=np.int64)
        cells[:, filled] = draw_units(counts.ravel()[filled], size, generator)
        yield cells.reshape(size, *counts.shape)

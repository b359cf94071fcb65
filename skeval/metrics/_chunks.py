"""Statistics of data that come in pieces: chunks of an iterator, blocks of dask arrays."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

import numpy as np

from skeval.metrics._ranked_counts import Counts, merge, rank, round_counts
from skeval.utils._labels import LabelArray, check_binary, encode, factorize, to_labels
from skeval.utils._optional import import_optional
from skeval.utils._validation import (
    check_int,
    check_same_length,
    check_sample_weight,
    check_vector,
    describe,
)

# Distinct scores kept exactly (24 MB).
MAX_THRESHOLDS = 1_000_000
_PARTS_AT_ONCE = 8


def reduce_chunks(chunks: Any, per_chunk: Callable[..., Any], together: Callable[[list[Any]], Any]) -> Any:
    """Return `together` of what `per_chunk` makes of the arrays of each chunk; None without chunks."""
    if isinstance(chunks, (tuple, list)) and any(hasattr(array, "to_delayed") for array in chunks):
        return _reduce_blocks(chunks, per_chunk, together)
    total = None
    for number, chunk in enumerate(chunks):
        if not isinstance(chunk, (tuple, list)) or len(chunk) not in (2, 3):
            raise ValueError(
                "chunks must give tuples of two arrays, or of three with the weights, got "
                f"{describe(chunk)} as chunk {number}."
            )
        try:
            part = per_chunk(*chunk)
            total = part if total is None else together([total, part])
        except Exception as error:
            error.add_note(f"(chunk {number})")
            raise
    return total


def is_weightless(sample_weight: Any, n_samples: int) -> bool:
    """Return whether all weights are zero, which a chunk may have and whole data may not."""
    return sample_weight is not None and n_samples > 0 and np.array_equal(sample_weight, np.zeros(n_samples))


def count_chunk(count: Callable[..., Any], y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
    """Return `count`, which makes a confusion matrix, of a chunk; None of an empty one."""
    if not len(y_true) and not len(y_pred):
        return None
    if is_weightless(sample_weight, len(y_true)):
        matrix = count(y_true, y_pred)  # its labels are seen
        return matrix._like(0 * matrix.counts)
    return count(y_true, y_pred, sample_weight=sample_weight)


def add_matrices(matrices: list[Any]) -> Any:
    """Return the sum of those that are not None."""
    found = [one for one in matrices if one is not None]
    return reduce(operator.add, found) if found else None


class ScoreCounts:
    """Ranked counts of chunks, merged as they come, in bounded memory.

    The scores are kept exactly up to `max_thresholds` distinct ones. Beyond, all are rounded:
    whether that happens depends on the data alone, not on the order of the chunks.
    """

    def __init__(self, pos_label: Any, max_thresholds: int, decimals: int | None) -> None:
        self.pos_label = pos_label
        self.max_thresholds = check_int(max_thresholds, "max_thresholds", minimum=1)
        self.decimals = None if decimals is None else check_int(decimals, "decimals", minimum=0)
        self.rounded = False
        self._labels: LabelArray | None = None
        self._parts: list[Counts] = []

    def add(self, y_true: Any, y_score: Any, sample_weight: Any = None) -> ScoreCounts:
        """Add a chunk, which may be empty."""
        labels = to_labels(y_true, "y_true")
        hint = "; pass the column of the positive class"
        score = check_vector(y_score, "y_score", minimum_size=0, hint=hint)
        n_samples = check_same_length(y_true=labels, y_score=score)
        weightless = is_weightless(sample_weight, n_samples)
        weight = None if weightless else check_sample_weight(sample_weight, n_samples)
        if not n_samples:
            return self
        _, seen = factorize(labels)
        positive = labels == check_binary(seen, self.pos_label)
        self._see(seen)
        if not weightless:
            self._push(rank(score, positive, weight), rounded=False)
        return self

    def absorb(self, other: ScoreCounts) -> ScoreCounts:
        """Add the chunks of another."""
        if other.rounded and not self.rounded:
            self._round()
        if other._labels is not None:
            self._see(other._labels)
        for part in other._parts:
            self._push(part, rounded=other.rounded)
        return self

    def of_chunk(self, *arrays: Any) -> ScoreCounts:
        """Return the counts of one chunk, with the options of this."""
        return self._blank().add(*arrays)

    def of_parts(self, parts: list[ScoreCounts]) -> ScoreCounts:
        """Return the counts of all chunks of several, which stay as they are."""
        return reduce(ScoreCounts.absorb, parts, self._blank())

    def _blank(self) -> ScoreCounts:
        return ScoreCounts(self.pos_label, self.max_thresholds, self.decimals)

    def result(self) -> tuple[Counts, Any, int | None]:
        """Return the counts of all chunks, the positive class, and to how many decimals it is rounded."""
        if not self._parts:
            raise ValueError("chunks hold no samples: there is nothing to rank.")
        assert self._labels is not None
        self._merge_all()
        pos_label = check_binary(self._labels, self.pos_label)
        return self._parts[0], pos_label, self.decimals if self.rounded else None

    def _see(self, labels: LabelArray) -> None:
        known = labels if self._labels is None else self._labels
        self._labels = labels if known is labels else encode({"earlier chunks": known, "y_true": labels})[1]

    def _push(self, counts: Counts, *, rounded: bool) -> None:
        if self.rounded and self.decimals is not None and not rounded:
            counts = round_counts(counts, self.decimals)
        parts = self._parts
        parts.append(counts)
        # Parts of about one size are merged: each sample a few times only.
        while len(parts) > 1 and 2 * len(parts[-1][0]) > len(parts[-2][0]):
            parts.append(merge([parts.pop(), parts.pop()]))
        # Twice the bound, so that a merged statistic near it is not merged for every small chunk.
        if sum(len(part[0]) for part in parts) > 2 * self.max_thresholds:
            self._merge_all()

    def _merge_all(self) -> None:
        self._parts = [merge(self._parts)]
        size = len(self._parts[0][0])
        if size <= self.max_thresholds:
            return
        told = f"There are more than max_thresholds={self.max_thresholds} distinct scores"
        if self.decimals is None:
            raise ValueError(f"{told}: give decimals= to round them, 6 for probabilities, or a larger bound.")
        if self.rounded:
            raise ValueError(
                f"{told}, {size} so far, even when rounded to decimals={self.decimals}: give fewer "
                "decimals or a larger bound."
            )
        self._round()
        self._merge_all()

    def _round(self) -> None:
        assert self.decimals is not None
        self.rounded = True
        self._parts = [round_counts(part, self.decimals) for part in self._parts]


def _reduce_blocks(
    arrays: Sequence[Any], per_block: Callable[..., Any], together: Callable[[list[Any]], Any]
) -> Any:
    """As `reduce_chunks`, over the blocks of dask arrays, computed where the blocks are.

    Only what `per_block` returns leaves a block; it is put together in a tree.
    """
    dask = import_optional("dask", extra="dask", purpose="from_chunks() of dask arrays")
    if len(arrays) not in (2, 3):
        raise ValueError(f"chunks must be two dask arrays, or three with the weights, got {len(arrays)}.")
    columns = [_blocks(array, arrays[0]) for array in arrays]
    parts = [dask.delayed(per_block)(*blocks) for blocks in zip(*columns, strict=True)]
    while len(parts) > 1:
        groups = [parts[start : start + _PARTS_AT_ONCE] for start in range(0, len(parts), _PARTS_AT_ONCE)]
        parts = [dask.delayed(together)(group) for group in groups]
    return parts[0].compute()


def _blocks(array: Any, like: Any) -> list[Any]:
    """Return the blocks of a dask array as delayed values, cut as those of the first."""
    if not hasattr(array, "rechunk"):
        raise TypeError(
            f"chunks must be dask arrays all or none, got {describe(array)}; for a dask Series use "
            "to_dask_array()."
        )
    if array.ndim != 1:
        raise ValueError(f"dask arrays must be one-dimensional, got one of {array.ndim} dimensions.")
    if array.numblocks != like.numblocks or not np.array_equal(array.chunks, like.chunks, equal_nan=True):
        if array.shape != like.shape:
            raise ValueError(
                "dask arrays must have the same length, got "
                f"{like.shape[0]} and {array.shape[0]} (nan is unknown: call compute_chunk_sizes() first)."
            )
        array = array.rechunk(like.chunks)
    return list(array.to_delayed().ravel())

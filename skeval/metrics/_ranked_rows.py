"""Threshold measures of many resamples at once, from the weight of each row in each resample."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skeval.metrics._ranked_counts import Floats, Numbers
from skeval.metrics._ranking_measures import RankingMeasures
from skeval.metrics._shares import one_per_replicate
from skeval.utils._validation import IntArray


class RankedRows:
    """Rows of positives and of negatives, and where their scores stand among the thresholds.

    Parameters
    ----------
    positive, negative : ndarray of shape (n,)
        Position of the score of each row among `n_thresholds` descending ones.
    n_thresholds : int
    stack : callable
        Makes ranked scores of the cumulative counts of positives and negatives, each of
        shape (n_resamples, n_thresholds).
    """

    def __init__(
        self,
        positive: IntArray,
        negative: IntArray,
        n_thresholds: int,
        stack: Callable[[Numbers, Numbers], RankingMeasures],
    ) -> None:
        self._n_thresholds, self._stack, self._n_positive = n_thresholds, stack, len(positive)
        self._orders = [
            None if (places[1:] >= places[:-1]).all() else np.argsort(places, kind="stable")
            for places in (positive, negative)
        ]
        self._places = np.sort(positive), np.sort(negative)

    def values(self, measure: Callable[[Any], Any], weights: NDArray[Any]) -> Floats:
        """Return a measure of every resample, nan where it is undefined.

        `weights` has a column for each row, positives first. What needs no more than the
        positives and how many score above them is taken without ranked scores.
        """
        sides = weights[:, : self._n_positive], weights[:, self._n_positive :]
        positive, negative = (
            side if order is None else np.take(side, order, axis=1)
            for side, order in zip(sides, self._orders, strict=True)
        )
        if measure is RankingMeasures.rank_loss:
            return self._wrong_pairs(positive, negative)
        if measure is RankingMeasures.roc_auc:
            return 1 - self._wrong_pairs(positive, negative)
        if measure is RankingMeasures.average_precision:
            return self._average_precision(positive, negative)
        counts = (
            np.take(_cumulate(side), upto, axis=1)
            for side, upto in zip((positive, negative), self._upto, strict=True)
        )
        return one_per_replicate(measure(self._stack(*counts)), len(weights))

    def _wrong_pairs(self, positive: NDArray[Any], negative: NDArray[Any]) -> Floats:
        """Share of the pairs in the wrong order: the negatives above each positive, ties half."""
        upto = _cumulate(negative)
        wrong = np.take(upto, self._above, axis=1)
        if self._reach is not self._above:
            wrong = (wrong + np.take(upto, self._reach, axis=1)) / 2
        pairs = positive.sum(axis=1) * upto[:, -1].astype(np.float64)
        if pairs.max() >= 2**62:  # sums of whole numbers would overflow
            positive = positive.astype(np.float64)
        return _share(np.einsum("bp,bp->b", positive, wrong), pairs)

    def _average_precision(self, positive: NDArray[Any], negative: NDArray[Any]) -> Floats:
        """Mean over the positives of the precision at their score."""
        true = np.cumsum(positive, axis=1)
        total = true[:, -1].astype(np.float64) if true.shape[1] else np.zeros(len(true))
        if self._last is not None:
            true = np.take(true, self._last, axis=1)
        predicted = np.take(_cumulate(negative), self._reach, axis=1)
        predicted += true
        precision = true / (predicted + (predicted == 0))
        return _share(np.einsum("bp,bp->b", positive, precision), total)

    @cached_property
    def _above(self) -> IntArray:
        """How many negatives score above each positive."""
        positive, negative = self._places
        return np.searchsorted(negative, positive, side="left")

    @cached_property
    def _reach(self) -> IntArray:
        """How many negatives score at or above each positive; `_above` itself where none ties."""
        positive, negative = self._places
        reach = np.searchsorted(negative, positive, side="right")
        return self._above if np.array_equal(self._above, reach) else reach

    @cached_property
    def _last(self) -> IntArray | None:
        """The last of the positives of equal score, for each; None where no two are equal."""
        positive = self._places[0]
        if (positive[1:] > positive[:-1]).all():
            return None
        return np.searchsorted(positive, positive, side="right") - 1

    @cached_property
    def _upto(self) -> list[IntArray]:
        """How many positives, and how many negatives, reach each threshold."""
        every = np.arange(self._n_thresholds)
        return [np.searchsorted(places, every, side="right") for places in self._places]


def _cumulate(weights: NDArray[Any]) -> NDArray[Any]:
    """Return the sum of the first 0, 1, 2, ... columns."""
    upto = np.zeros((len(weights), weights.shape[1] + 1), dtype=weights.dtype)
    np.cumsum(weights, axis=1, out=upto[:, 1:])
    return upto


def _share(part: NDArray[Any], whole: Floats) -> Floats:
    """Divide; nan where the whole is 0. Sums of fractional weights may round above 1."""
    share = np.minimum(part / np.where(whole > 0, whole, 1), 1)
    return np.where(whole > 0, share, np.nan)

"""A measure of many resamples at once, from how often each unit was drawn."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from skeval.intervals._rows import Rows
from skeval.metrics._confusion import ConfusionMatrix
from skeval.metrics._ranking import RankedScores
from skeval.metrics._ranking_measures import RankingMeasures
from skeval.metrics._shares import one_per_replicate
from skeval.utils._labels import LabelArray
from skeval.utils._validation import FloatArray, IntArray

Measure = Callable[[Any], Any]


class LabelReplicates:
    """A measure of confusion matrices.

    Parameters
    ----------
    rows : Rows
        ``predicted`` holds class codes.
    labels : ndarray of shape (K,)
    measure : callable
        Of a stacked ConfusionMatrix.
    absent_left_out : bool
        Whether a class without any sample is left out of averages.
    compares_classes : bool
        Whether the measure is undefined in a sample of a single true class.
    """

    def __init__(
        self,
        rows: Rows,
        labels: LabelArray,
        measure: Measure,
        *,
        absent_left_out: bool,
        compares_classes: bool,
    ) -> None:
        self.rows, self.labels, self.measure = rows, labels, measure
        self.absent_left_out, self.compares_classes = absent_left_out, compares_classes
        self.width = len(labels) ** 2
        shape = len(rows.counts), self.width
        self._tables = [
            csr_array((rows.weight, (rows.unit, rows.true * len(labels) + codes)), shape=shape)
            for codes in rows.predicted
        ]

    def matrices(self, times: IntArray) -> list[ConfusionMatrix]:
        """Return the confusion matrices of each model, stacked over the resamples."""
        shape = len(times), len(self.labels), len(self.labels)
        return [
            ConfusionMatrix._build((times @ table).reshape(shape), self.labels, left_out=self.absent_left_out)
            for table in self._tables
        ]

    def __call__(self, times: IntArray) -> FloatArray:
        stacks = self.matrices(times)
        values = _difference([one_per_replicate(self.measure(stack), len(times)) for stack in stacks])
        if self.compares_classes:
            single = (stacks[0].counts.sum(axis=-1) > 0).sum(axis=-1) < 2
            values = np.where(single, np.nan, values)
        return values


class ScoreReplicates:
    """A measure of ranked scores.

    Parameters
    ----------
    rows : Rows
        ``true`` is 0 for positives and 1 for negatives; ``predicted`` holds the position of
        the score among the thresholds.
    thresholds : list of ndarray
        Distinct scores of each model, descending.
    measure : callable
        Of a stacked RankedScores. ROC AUC and rank loss are taken without making one.
    """

    def __init__(self, rows: Rows, thresholds: list[FloatArray], measure: Measure, pos_label: Any) -> None:
        self.rows, self.measure = rows, measure
        self.width = max(len(distinct) for distinct in thresholds)
        n_positive = int((rows.true == 0).sum())
        self._models = [
            _Ranking(codes[:n_positive], codes[n_positive:], distinct, pos_label)
            for codes, distinct in zip(rows.predicted, thresholds, strict=True)
        ]
        self._rows_are_units = np.array_equal(rows.unit, np.arange(len(rows.counts)))
        self._unweighted = bool((rows.weight == 1).all())
        # Numbers of pairs must not overflow.
        self._large = float(rows.weight @ rows.counts[rows.unit]) > 2**31

    def _weights(self, times: IntArray) -> NDArray[Any]:
        """Return the weight of every row in every resample."""
        times = times if self._rows_are_units else np.take(times, self.rows.unit, axis=1)
        weights = times if self._unweighted else times * self.rows.weight
        return weights.astype(np.float64) if self._large else weights

    def __call__(self, times: IntArray) -> FloatArray:
        weights = self._weights(times)
        if self.measure is RankingMeasures.rank_loss:
            return _difference([ranking.wrong_pairs(weights) for ranking in self._models])
        if self.measure is RankingMeasures.roc_auc:
            return _difference([1 - ranking.wrong_pairs(weights) for ranking in self._models])
        return _difference(
            [one_per_replicate(self.measure(ranking.scores(weights)), len(times)) for ranking in self._models]
        )


Replicates = LabelReplicates | ScoreReplicates


class _Ranking:
    """Rows of one model in the order of their scores, positives and negatives apart."""

    def __init__(self, positive: IntArray, negative: IntArray, thresholds: FloatArray, pos_label: Any):
        self.thresholds, self.pos_label, self.n_positive = thresholds, pos_label, len(positive)
        self._places = positive, negative
        self._orders = [
            None if (codes[1:] >= codes[:-1]).all() else np.argsort(codes, kind="stable")
            for codes in self._places
        ]
        if any(order is not None for order in self._orders):
            self._places = np.sort(positive), np.sort(negative)

    @cached_property
    def _upto(self) -> list[IntArray]:
        """How many positives, and how many negatives, reach each threshold."""
        every = np.arange(len(self.thresholds))
        return [np.searchsorted(codes, every, side="right") for codes in self._places]

    @cached_property
    def _above(self) -> list[IntArray]:
        """How many negatives score above each positive, and where that differs, at or above."""
        positive, negative = self._places
        above, reach = (np.searchsorted(negative, positive, side=side) for side in ("left", "right"))
        return [above] if np.array_equal(above, reach) else [above, reach]

    def _sides(self, weights: NDArray[Any]) -> list[NDArray[Any]]:
        sides = weights[:, : self.n_positive], weights[:, self.n_positive :]
        return [
            side if order is None else np.take(side, order, axis=1)
            for side, order in zip(sides, self._orders, strict=True)
        ]

    def scores(self, weights: NDArray[Any]) -> RankedScores:
        """Return the ranked scores of every resample."""
        counts = [
            np.take(_cumulate(side), upto, axis=1)
            for side, upto in zip(self._sides(weights), self._upto, strict=True)
        ]
        return _TrustedScores(self.thresholds, *counts, pos_label=self.pos_label)

    def wrong_pairs(self, weights: NDArray[Any]) -> FloatArray:
        """Share of the pairs in the wrong order, nan where there is no pair: one cumulative sum."""
        positive, negative = self._sides(weights)
        upto = _cumulate(negative)
        # Negatives above each positive, and half of those at the same score.
        wrong = np.take(upto, self._above[0], axis=1)
        if len(self._above) > 1:
            wrong = (wrong + np.take(upto, self._above[1], axis=1)) / 2
        pairs = positive.sum(axis=1) * upto[:, -1].astype(np.float64)
        area = np.einsum("bp,bp->b", positive, wrong)
        share = np.minimum(area / np.where(pairs > 0, pairs, 1), 1)  # fractions may round above
        return np.where(pairs > 0, share, np.nan)


class _TrustedScores(RankedScores):
    """Ranked scores of resamples, taken as they are: to check them would cost more than to draw them."""

    def __init__(
        self, thresholds: Any, true_positives: Any, false_positives: Any, *, pos_label: Any = 1
    ) -> None:
        self.thresholds, self.pos_label = thresholds, pos_label
        self.true_positives, self.false_positives = true_positives, false_positives


def _cumulate(weights: NDArray[Any]) -> NDArray[Any]:
    """Return the sum of the first 0, 1, 2, ... columns."""
    upto = np.zeros((len(weights), weights.shape[1] + 1), dtype=weights.dtype)
    np.cumsum(weights, axis=1, out=upto[:, 1:])
    return upto


def _difference(values: list[FloatArray]) -> FloatArray:
    return values[0] if len(values) == 1 else values[0] - values[1]

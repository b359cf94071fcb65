"""A measure of many resamples at once, from how often each unit was drawn."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from skeval.intervals._rows import Rows
from skeval.metrics._confusion import ConfusionMatrix, trusted_matrix
from skeval.metrics._ranked_rows import RankedRows
from skeval.metrics._ranking import trusted_scores
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
            trusted_matrix((times @ table).reshape(shape), self.labels, left_out=self.absent_left_out)
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
        Of a stacked RankedScores.
    """

    def __init__(self, rows: Rows, thresholds: list[FloatArray], measure: Measure, pos_label: Any) -> None:
        self.rows, self.measure = rows, measure
        self.width = max(len(distinct) for distinct in thresholds)
        n_positive = int((rows.true == 0).sum())
        self._models = [
            RankedRows(
                codes[:n_positive],
                codes[n_positive:],
                len(distinct),
                partial(trusted_scores, distinct, pos_label=pos_label),
            )
            for codes, distinct in zip(rows.predicted, thresholds, strict=True)
        ]
        self._rows_are_units = np.array_equal(rows.unit, np.arange(len(rows.counts)))
        self._unweighted = bool((rows.weight == 1).all())

    def _weights(self, times: IntArray) -> NDArray[Any]:
        """Return the weight of every row in every resample."""
        times = times if self._rows_are_units else np.take(times, self.rows.unit, axis=1)
        return times if self._unweighted else times * self.rows.weight

    def __call__(self, times: IntArray) -> FloatArray:
        weights = self._weights(times)
        return _difference([ranking.values(self.measure, weights) for ranking in self._models])


Replicates = LabelReplicates | ScoreReplicates


def _difference(values: list[FloatArray]) -> FloatArray:
    return values[0] if len(values) == 1 else values[0] - values[1]

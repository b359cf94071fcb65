"""Ranked scores: sorted once, added, resampled."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skeval.metrics._ranking_measures import RankingMeasures, ranking_measure
from skeval.metrics._shares import one_per_replicate
from skeval.utils._labels import plain, positive_mask
from skeval.utils._random import check_generator
from skeval.utils._validation import (
    check_int,
    check_same_length,
    check_sample_weight,
    check_vector,
    describe,
)

# Resampled counts held at once: bounds the memory of a bootstrap (32 MB).
_BLOCK_CELLS = 4_000_000


class RankedScores(RankingMeasures):
    """Positive and negative weight at each distinct score, descending.

    Made by `from_predictions`; adding two adds their samples.

    Parameters
    ----------
    thresholds : array-like of shape (n_thresholds,)
        Distinct scores, descending.
    true_positives, false_positives : array-like of shape (..., n_thresholds)
        Weight of the positives and of the negatives with ``score >= threshold``: not
        descending along the last axis. Leading axes stack replicates.
    pos_label : label, default=1
        The positive class.

    Attributes
    ----------
    thresholds, true_positives, false_positives, pos_label
        As given; counts are int64 for whole weights, else float64.

    Notes
    -----
    A sample is predicted positive at ``score >= threshold``. Samples of equal score move
    at once: no measure depends on the order of the samples.

    References
    ----------
    Fawcett (2006), "An introduction to ROC analysis", Pattern Recognition Letters 27,
    algorithms 1 and 3.

    Examples
    --------
    >>> from skeval.metrics import RankedScores
    >>> ranked = RankedScores.from_predictions([0, 1, 1, 0, 1], [0.1, 0.8, 0.35, 0.35, 0.9])
    >>> ranked.thresholds
    array([0.9 , 0.8 , 0.35, 0.1 ])
    >>> round(ranked.roc_auc(), 4), round(ranked.rank_loss(), 4)
    (0.9167, 0.0833)
    """

    def __init__(
        self,
        thresholds: ArrayLike,
        true_positives: ArrayLike,
        false_positives: ArrayLike,
        *,
        pos_label: Any = 1,
    ) -> None:
        self.thresholds = check_vector(thresholds, "thresholds")
        self.true_positives = _cumulative(true_positives, "true_positives", len(self.thresholds))
        self.false_positives = _cumulative(false_positives, "false_positives", len(self.thresholds))
        if self.true_positives.shape != self.false_positives.shape:
            raise ValueError("true_positives and false_positives must have the same shape.")
        if not (np.diff(self.thresholds) < 0).all():
            raise ValueError("thresholds must be distinct and descending.")
        self.pos_label = plain(pos_label)
        for array in (self.thresholds, self.true_positives, self.false_positives):
            array.setflags(write=False)

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_score: ArrayLike,
        *,
        pos_label: Any = None,
        sample_weight: ArrayLike | None = None,
    ) -> RankedScores:
        """Rank the scores of two classes.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            Labels of at most two classes.
        y_score : array-like of shape (n_samples,)
            Higher means more positive: probability, decision value or any other number;
            finite.
        pos_label : label or None, default=None
            The class that high scores belong to. None: 1 (True) for labels within {0, 1},
            {-1, 1} or {False, True}; otherwise it must be named.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights, not negative; samples of weight 0 are left out.

        Raises
        ------
        ValueError
            No sample, more than two classes, an unknown positive class, lengths that
            differ, or scores that are nan, infinite or of more than one column.
        """
        hint = "; pass the column of the positive class"
        score = check_vector(y_score, "y_score", minimum_size=0, hint=hint)
        positive, pos_label = positive_mask(y_true, pos_label)
        n_samples = check_same_length(y_true=positive, y_score=score)
        if not n_samples:
            raise ValueError("y_true and y_score hold no samples: there is nothing to rank.")
        weight = check_sample_weight(sample_weight, n_samples)
        if weight is None:
            # Sorting values is faster than sorting positions, and two sorted runs merge in one pass.
            above, below = np.sort(score[positive]), np.sort(score[~positive])
            merged = np.concatenate([above, below])
            merged.sort(kind="stable")
            thresholds = merged[np.concatenate([[True], merged[1:] != merged[:-1]])][::-1].copy()
            counts = [len(run) - np.searchsorted(run, thresholds, side="left") for run in (above, below)]
            return cls(thresholds, *counts, pos_label=pos_label)
        use = weight > 0
        score, positive, weight = score[use], positive[use], weight[use]
        order = np.argsort(-score, kind="stable")
        score = score[order]
        end = np.flatnonzero(np.concatenate([score[1:] != score[:-1], [True]]))
        counts = [np.cumsum((weight * side)[order])[end] for side in (positive, ~positive)]
        return cls(score[end], *counts, pos_label=pos_label)

    def __add__(self, other: object) -> RankedScores:
        if not isinstance(other, RankedScores):
            return NotImplemented
        if self.pos_label != other.pos_label:
            raise ValueError(
                f"Ranked scores add only for the same positive class, got pos_label={self.pos_label!r} "
                f"and {other.pos_label!r}."
            )
        joined = np.concatenate([self.thresholds, other.thresholds])
        distinct, place = np.unique(-joined, return_inverse=True)
        counts = []
        for mine, theirs in (
            (self._positives, other._positives),
            (self._negatives, other._negatives),
        ):
            if mine.ndim > 1 or theirs.ndim > 1:
                raise ValueError("Stacks of replicates do not add.")
            parts = np.concatenate([mine, theirs])
            summed = np.zeros(len(distinct), dtype=parts.dtype)
            np.add.at(summed, place, parts)
            counts.append(np.cumsum(summed))
        return RankedScores(-distinct, *counts, pos_label=self.pos_label)

    def __radd__(self, other: object) -> RankedScores:
        # sum([...]) starts from 0.
        return self if isinstance(other, int) and other == 0 else NotImplemented

    def bootstrap(
        self,
        metric: str | Callable[[RankedScores], Any],
        n_resamples: int,
        *,
        random_state: Any = None,
    ) -> NDArray[np.float64]:
        """Return a measure of samples resampled with replacement.

        The scores stay sorted: a replicate is a vector of multiplicities. Replicates are
        drawn in blocks of bounded memory.

        Parameters
        ----------
        metric : {"roc_auc", "average_precision", "break_even", "rank_loss"} or callable
            A callable takes a stacked RankedScores and returns one value per replicate.
        n_resamples : int
            At least 1.
        random_state : int, RandomState, Generator or None, default=None

        Returns
        -------
        ndarray of shape (n_resamples,)
            nan, with a warning, for a replicate that holds one class only.

        Raises
        ------
        ValueError
            Weights that are not whole numbers: they are no frequencies.
        """
        self._single("bootstrap")
        n_resamples = check_int(n_resamples, "n_resamples", minimum=1)
        kinds = self.true_positives.dtype.kind, self.false_positives.dtype.kind
        if "f" in kinds or not self.n_positive + self.n_negative:
            raise ValueError(
                "bootstrap() needs whole counts of at least one sample: fractional weights are not "
                "frequencies, resample the rows instead."
            )
        measure = ranking_measure(metric) if isinstance(metric, str) else metric
        generator = check_generator(random_state)
        cells = np.concatenate([self._positives, self._negatives])
        filled = np.flatnonzero(cells)
        counts, n_samples = cells[filled], int(cells.sum())
        block = max(1, _BLOCK_CELLS // max(len(cells), n_samples))
        values = np.empty(n_resamples)
        for start in range(0, n_resamples, block):
            size = min(block, n_resamples - start)
            drawn = np.zeros((size, len(cells)), dtype=np.int64)
            drawn[:, filled] = _resample(generator, counts, n_samples, size)
            tp, fp = (np.cumsum(part, axis=1) for part in np.split(drawn, 2, axis=1))
            resampled = RankedScores(self.thresholds, tp, fp, pos_label=self.pos_label)
            values[start : start + size] = one_per_replicate(measure(resampled), size)
        return values

    def save(self, path: str | Path) -> None:
        """Write the ranked scores to an npz file."""
        with Path(path).open("wb") as file:  # np.savez would append .npz to a path
            np.savez(
                file,
                thresholds=self.thresholds,
                true_positives=self.true_positives,
                false_positives=self.false_positives,
                pos_label=np.asarray(self.pos_label),
            )

    @classmethod
    def load(cls, path: str | Path) -> RankedScores:
        """Read ranked scores that `save` wrote; nothing in the file is executed."""
        with np.load(path, allow_pickle=False) as stored:
            return cls(
                stored["thresholds"],
                stored["true_positives"],
                stored["false_positives"],
                pos_label=stored["pos_label"].item(),
            )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RankedScores):
            return NotImplemented
        return self.pos_label == other.pos_label and all(
            np.array_equal(mine, theirs)
            for mine, theirs in (
                (self.thresholds, other.thresholds),
                (self.true_positives, other.true_positives),
                (self.false_positives, other.false_positives),
            )
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return (
            f"RankedScores(n_positive={self.n_positive}, n_negative={self.n_negative}, "
            f"n_thresholds={len(self.thresholds)}, pos_label={self.pos_label!r})"
        )


def _cumulative(values: ArrayLike, name: str, size: int) -> NDArray[Any]:
    array = np.asarray(values)
    if array.ndim < 1 or array.shape[-1] != size or array.dtype.kind not in "iuf":
        raise ValueError(f"{name} must hold one number per threshold ({size}), got {describe(array)}.")
    array = np.array(array, dtype=np.float64 if array.dtype.kind == "f" else np.int64)
    if not np.isfinite(array).all() or (np.diff(array, axis=-1, prepend=0) < 0).any():
        raise ValueError(f"{name} must be finite, not negative and not descending.")
    return array


def _resample(
    generator: np.random.Generator, counts: NDArray[np.int64], n_samples: int, size: int
) -> NDArray[np.int64]:
    """Draw how often each cell is hit when `n_samples` samples are drawn with replacement."""
    if len(counts) * 8 < n_samples:  # few cells: their counts are multinomial
        return generator.multinomial(n_samples, counts / n_samples, size=size)
    cell = np.repeat(np.arange(len(counts)), counts)
    drawn = cell[generator.integers(0, n_samples, size=(size, n_samples))]
    drawn += np.arange(size)[:, None] * len(counts)
    return np.bincount(drawn.ravel(), minlength=size * len(counts)).reshape(size, len(counts))

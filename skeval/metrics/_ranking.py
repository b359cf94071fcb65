"""Ranked scores: sorted once, added, resampled."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skeval.metrics._chunks import MAX_THRESHOLDS, ScoreCounts, reduce_chunks
from skeval.metrics._counts import check_least
from skeval.metrics._ranked_counts import Counts, Numbers, check_cumulative, merge, rank, round_counts
from skeval.metrics._ranked_rows import RankedRows
from skeval.metrics._ranking_measures import RankingMeasures, ranking_measure
from skeval.metrics._shares import undefined_not_told, warn_undefined
from skeval.metrics._stored import Arrays, Stored
from skeval.utils._labels import plain, positive_mask
from skeval.utils._random import check_generator, draw_size, draw_units
from skeval.utils._resamples import blocks
from skeval.utils._validation import (
    check_int,
    check_real,
    check_same_length,
    check_sample_weight,
    check_vector,
)

# Multiplicities held at once: they and what is made of them stay in the cache.
_BLOCK_CELLS = 2**16
# What the three arrays of counts are called in a file.
_COUNTS = ("thresholds", "true_positives", "false_positives")


class RankedScores(RankingMeasures, Stored):
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
    decimals : int or None
        Decimals that the scores were rounded to; None: as they came.

    Raises
    ------
    ValueError
        Thresholds that are not finite, distinct and descending; weights that are negative,
        descend, are not finite or do not fit the thresholds.

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

    decimals: int | None = None

    def __init__(
        self,
        thresholds: ArrayLike,
        true_positives: ArrayLike,
        false_positives: ArrayLike,
        *,
        pos_label: Any = 1,
    ) -> None:
        self.thresholds = check_vector(thresholds, "thresholds").copy()  # frozen below
        self.true_positives = check_cumulative(true_positives, "true_positives", len(self.thresholds))
        self.false_positives = check_cumulative(false_positives, "false_positives", len(self.thresholds))
        if self.true_positives.shape != self.false_positives.shape:
            raise ValueError("true_positives and false_positives must have the same shape.")
        totals = self.true_positives[..., -1] + self.false_positives[..., -1]
        check_least(totals, "true_positives and false_positives")
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
        return trusted_scores(*rank(score, positive, weight), pos_label=pos_label)

    @classmethod
    def from_chunks(
        cls,
        chunks: Iterable[Any],
        *,
        pos_label: Any = None,
        max_thresholds: int = MAX_THRESHOLDS,
        decimals: int | None = None,
    ) -> RankedScores:
        """Rank scores that come in chunks, in bounded memory.

        The result is that of `from_predictions` on all samples at once, whatever the chunks
        and their order: to the bit for whole weights.

        Parameters
        ----------
        chunks : iterable of (y_true, y_score) or (y_true, y_score, sample_weight)
            Each as in `from_predictions`; a chunk may be empty or hold one class only. Or
            one such tuple of dask arrays: each block is ranked where it is, no rows are
            gathered.
        pos_label : label or None, default=None
            As in `from_predictions`.
        max_thresholds : int, default=1_000_000
            Distinct scores kept exactly; about 100 bytes of memory for each.
        decimals : int or None, default=None
            Where there are more distinct scores than that, all are rounded to so many
            decimals, and `auc_error_bound` tells what it can have cost. None: an error then.

        Returns
        -------
        RankedScores
            Its `decimals` is None where nothing was rounded.

        Raises
        ------
        ValueError
            As in `from_predictions`, with the number of the chunk; or more distinct scores
            than `max_thresholds`, when rounded as well.

        Examples
        --------
        >>> from skeval.metrics import RankedScores
        >>> chunks = [([0, 1], [0.1, 0.8]), ([1, 0, 1], [0.35, 0.35, 0.9])]
        >>> round(RankedScores.from_chunks(iter(chunks)).roc_auc(), 4)
        0.9167
        """
        blank = ScoreCounts(pos_label, max_thresholds, decimals)
        counts = reduce_chunks(chunks, blank.of_chunk, blank.of_parts) or blank
        ranked, pos_label, rounded_to = counts.result()
        return trusted_scores(*ranked, pos_label=pos_label, decimals=rounded_to)

    def rounded(self, decimals: int) -> RankedScores:
        """Return the ranked scores with the scores rounded, those that become equal as one group.

        Parameters
        ----------
        decimals : int
            Not negative.

        Returns
        -------
        RankedScores
            Fewer thresholds; see `auc_error_bound`.

        Raises
        ------
        ValueError
            A negative number of decimals, or a stack of replicates.
        """
        self._single("rounded()")
        decimals = check_int(decimals, "decimals", minimum=0)
        if self.decimals is not None and self.decimals <= decimals:
            return self
        return trusted_scores(
            *round_counts(self._counts, decimals), pos_label=self.pos_label, decimals=decimals
        )

    def auc_error_bound(self) -> float:
        """Return by how much `roc_auc` can differ from that of the scores before rounding.

        Rounding keeps the order of scores or makes them equal: half the share of tied
        (positive, negative) pairs. 0 where nothing was rounded.
        """
        self._single("auc_error_bound()")
        if self.decimals is None or not self._pairs():
            return 0.0
        tied = self._positives.astype(np.float64) @ self._negatives.astype(np.float64)
        return float(tied / self._pairs() / 2)

    @property
    def _counts(self) -> Counts:
        return self.thresholds, self.true_positives, self.false_positives

    def __add__(self, other: object) -> RankedScores:
        if not isinstance(other, RankedScores):
            return NotImplemented
        if self.pos_label != other.pos_label:
            raise ValueError(
                f"Ranked scores add only for the same positive class, got pos_label={self.pos_label!r} "
                f"and {other.pos_label!r}."
            )
        if self.true_positives.ndim > 1 or other.true_positives.ndim > 1:
            raise ValueError("Stacks of replicates do not add.")
        mine, theirs, decimals = self, other, self.decimals
        if self.decimals != other.decimals:
            decimals = min(one.decimals for one in (self, other) if one.decimals is not None)
            mine, theirs = self.rounded(decimals), other.rounded(decimals)
        return trusted_scores(
            *merge([mine._counts, theirs._counts]), pos_label=self.pos_label, decimals=decimals
        )

    def at_prevalence(self, prevalence: float) -> RankedScores:
        """Return the ranked scores expected where the positive class has another share.

        The scores within each class stay: the ROC curve does not move, the precision does.

        Parameters
        ----------
        prevalence : float
            Share of the positive class where the model will run, in [1e-15, 1).

        Returns
        -------
        RankedScores
            With weights in place of counts, of the same total.

        Raises
        ------
        ValueError
            A share outside [1e-15, 1), samples of one class only, or a stack of replicates.
        """
        self._single("at_prevalence()")
        share = check_real(prevalence, "prevalence", low=1e-15, high=1, closed="left")
        if not self._pairs():
            raise ValueError(
                f"at_prevalence() needs samples of both classes, got {self.n_positive:g} positives and "
                f"{self.n_negative:g} negatives: take data that hold both."
            )
        total = self.n_positive + self.n_negative
        true = self.true_positives * (share * total / self.n_positive)
        false = self.false_positives * ((1 - share) * total / self.n_negative)
        return trusted_scores(self.thresholds, true, false, pos_label=self.pos_label, decimals=self.decimals)

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
        metric : {"roc_auc", "average_precision", "pr_area", "break_even", "rank_loss"} or callable
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
        measure = metric if callable(metric) else ranking_measure(str(metric))
        generator = check_generator(random_state)
        positive, negative = np.flatnonzero(self._positives), np.flatnonzero(self._negatives)
        counts = np.concatenate([self._positives[positive], self._negatives[negative]])
        stack = partial(trusted_scores, self.thresholds, pos_label=self.pos_label)
        rows = RankedRows(positive, negative, len(self.thresholds), stack)
        values = []
        for size in blocks(n_resamples, _BLOCK_CELLS // draw_size(counts)):
            times = draw_units(counts, size, generator)
            with undefined_not_told():
                values.append(rows.values(measure, times))
        replicates = np.concatenate(values)
        n_failed = int(np.isnan(replicates).sum())
        if n_failed:
            name = metric if isinstance(metric, str) else "metric"
            warn_undefined(
                f"{name} is undefined in {n_failed} of {n_resamples} replicates: they hold one class only."
            )
        return replicates

    def _to_arrays(self) -> dict[str, Any]:
        counts = dict(zip(_COUNTS, self._counts, strict=True))
        return {
            **counts,
            "pos_label": self.pos_label,
            "decimals": -1 if self.decimals is None else self.decimals,
        }

    @classmethod
    def _from_arrays(cls, arrays: Arrays) -> RankedScores:
        made = cls(*(arrays[name] for name in _COUNTS), pos_label=arrays["pos_label"].item())
        made.decimals = int(arrays["decimals"]) if arrays["decimals"] >= 0 else None
        return made

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RankedScores):
            return NotImplemented
        same = self.pos_label == other.pos_label and self.decimals == other.decimals
        return same and all(map(np.array_equal, self._counts, other._counts))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        error = f"AUC to {self.auc_error_bound():.2g}" if self.decimals is not None else ""
        return (
            f"RankedScores(n_positive={self.n_positive}, n_negative={self.n_negative}, "
            f"n_thresholds={len(self.thresholds)}, pos_label={self.pos_label!r}"
            + ("" if self.decimals is None else f", decimals={self.decimals}: {error}")
            + ")"
        )


def trusted_scores(
    thresholds: NDArray[np.float64],
    true_positives: Numbers,
    false_positives: Numbers,
    *,
    pos_label: Any,
    decimals: int | None = None,
) -> RankedScores:
    """Return ranked scores of counts that need no check; a stack of resamples too."""
    made = RankedScores.__new__(RankedScores)
    made.thresholds, made.pos_label, made.decimals = thresholds, plain(pos_label), decimals
    made.true_positives, made.false_positives = true_positives, false_positives
    for array in (thresholds, true_positives, false_positives):
        array.setflags(write=False)
    return made

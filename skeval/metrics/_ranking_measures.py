"""Every threshold measure and curve as a closed form of the counts at each threshold.

Measures work on a stack of counts of shape (..., n_thresholds) at once and return arrays
of shape (...), a float for a single one; curves and cut-offs need a single one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skeval.metrics._cost import CostCurve, cost_curve_from_counts
from skeval.metrics._curves import PrCurve, RocCurve, interpolated_pr_area
from skeval.metrics._ranked_counts import Numbers, steps
from skeval.metrics._shares import scalar, warn_undefined
from skeval.metrics._thresholds import best_threshold
from skeval.utils._validation import check_real


class RankingMeasures:
    """Measures of cumulative counts at descending thresholds; the base of `RankedScores`."""

    thresholds: NDArray[np.float64]
    true_positives: Numbers
    false_positives: Numbers
    pos_label: Any

    @property
    def _positives(self) -> Numbers:
        """Weight of the positives at each threshold, not cumulated."""
        return steps(self.true_positives)

    @property
    def _negatives(self) -> Numbers:
        return steps(self.false_positives)

    @property
    def n_positive(self) -> Any:
        """Weight of all positives, shape (...)."""
        return scalar(self.true_positives[..., -1])

    @property
    def n_negative(self) -> Any:
        """Weight of all negatives, shape (...)."""
        return scalar(self.false_positives[..., -1])

    def _defined(self, value: Any, defined: Any, measure: str) -> Any:
        """Return a share, at most 1; nan with a warning where the data hold one class only."""
        value = np.minimum(value, 1.0)  # sums of fractional weights may round above
        if np.all(defined):
            return scalar(np.asarray(value))
        first = tuple(np.argwhere(~np.asarray(defined))[0])
        none = not np.asarray(self.n_positive)[first]
        which = (
            f"positive class {self.pos_label} is missing" if none else f"all are of class {self.pos_label}"
        )
        where = f" in split {', '.join(map(str, first))}" if first else ""
        more = int(np.sum(~np.asarray(defined))) - 1
        where += f" and {more} more" if more else ""
        warn_undefined(f"{measure} is undefined{where} and nan: only one class is present, {which}.")
        return scalar(np.where(defined, value, np.nan))

    def roc_curve(self) -> RocCurve:
        """Return the ROC curve, from (0, 0) to (1, 1).

        A rate of an absent class is nan, with a warning.
        """
        self._single("roc_curve")
        both = self.n_positive > 0 and self.n_negative > 0
        if not both:
            missing = "positive" if self.n_positive == 0 else "negative"
            warn_undefined(f"The ROC curve is undefined: there is no {missing} sample, one class only.")
        fpr = _start(self.false_positives) / (self.n_negative or np.nan)
        tpr = _start(self.true_positives) / (self.n_positive or np.nan)
        return RocCurve(fpr, tpr, np.concatenate([[np.inf], self.thresholds]))

    def pr_curve(self) -> PrCurve:
        """Return the precision-recall curve, one point per distinct score.

        The recall is nan, with a warning, where there is no positive sample.
        """
        self._single("pr_curve")
        tp = self.true_positives.astype(np.float64)
        fp = self.false_positives.astype(np.float64)
        if not self.n_positive:
            warn_undefined("The precision-recall curve is undefined: there is no positive sample.")
        precision = np.where(tp + fp > 0, self._precision(), np.nan)
        return PrCurve(precision, tp / (self.n_positive or np.nan), self.thresholds, tp, fp)

    def cost_curve(self, *, cost_fn: float = 1, cost_fp: float = 1) -> CostCurve:
        """Return the cost curve with its lower envelope; see `skeval.metrics.cost_curve`."""
        self._single("cost_curve")
        if not self._pairs():
            raise ValueError(
                "The cost curve needs samples of both classes, got "
                f"{self.n_positive} positives and {self.n_negative} negatives."
            )
        return cost_curve_from_counts(
            _start(self.false_positives),
            _start(self.true_positives),
            np.concatenate([[np.inf], self.thresholds]),
            cost_fn=cost_fn,
            cost_fp=cost_fp,
        )

    def roc_auc(self, *, max_fpr: float | None = None, standardize: bool = True) -> Any:
        """Area under the ROC curve: the share of (positive, negative) pairs ranked right.

        Ties count half. It is never flipped: below 1/2 the scores rank the wrong way round.

        Parameters
        ----------
        max_fpr : float, default=None
            In (0, 1]: the area over [0, max_fpr] only.
        standardize : bool, default=True
            With `max_fpr`: McClish's scaling to [0.5, 1] for a curve above chance, as in
            scikit-learn; False gives the raw area.

        Returns
        -------
        float or ndarray of shape (...)
            In [0, 1]; nan with a warning where only one class is present.
        """
        limit = 1.0 if max_fpr is None else check_real(max_fpr, "max_fpr", low=0, high=1, closed="right")
        pairs = self._pairs()
        area = self._area() if limit == 1 else self._area_up_to(limit)
        share = area / np.where(pairs == 0, 1, pairs)
        if limit < 1 and standardize:
            chance = limit**2 / 2
            share = (1 + (share - chance) / (limit - chance)) / 2
        measure = "ROC AUC" if limit == 1 else "partial ROC AUC"
        return self._defined(share, pairs > 0, measure)

    def _pairs(self) -> Any:
        return np.asarray(self.n_positive, dtype=np.float64) * self.n_negative

    def _area(self) -> Any:
        """Pairs ranked right: each group of tied scores adds its negatives x the mean height."""
        tp, negatives = self.true_positives, self._negatives
        if np.max(self._pairs()) >= 2**61:  # sums of whole numbers would overflow
            tp = tp.astype(np.float64)
        area = np.einsum("...k,...k->...", negatives[..., 1:], tp[..., 1:] + tp[..., :-1])
        return (area + negatives[..., 0] * tp[..., 0]) / 2

    def _area_up_to(self, max_fpr: float) -> Any:
        """`_area` over the false positive rates up to `max_fpr`: the last group is cut."""
        width, height = self._negatives, self._positives
        room = max_fpr * np.asarray(self.n_negative, dtype=np.float64)
        cut = np.clip(room[..., None] - (self.false_positives - width), 0, width)
        part = cut / np.where(width == 0, 1, width)
        return (cut * (self.true_positives - height + height * part / 2)).sum(axis=-1)

    def rank_loss(self) -> Any:
        """Share of (positive, negative) pairs in the wrong order, ties half: 1 - AUC."""
        return 1 - self.roc_auc()

    def average_precision(self) -> Any:
        """Area under the step-wise P-R curve: sum of (R_k - R_{k-1}) P_k.

        nan with a warning where there is no positive sample.
        """
        area = np.einsum("...k,...k->...", self._positives, self._precision())
        return self._per_positive(area, "Average precision")

    def pr_area(self) -> Any:
        """Area under the interpolated P-R curve (Davis & Goadrich 2006).

        Between two points the precision follows a hyperbola; before the first it is that
        point's. nan with a warning where there is no positive sample.
        """
        area = interpolated_pr_area(self.true_positives, self.false_positives)
        return self._per_positive(area, "P-R area")

    def _precision(self) -> Numbers:
        """Precision at each threshold; 0 where nothing is predicted positive."""
        predicted = self.true_positives + self.false_positives
        return np.asarray(self.true_positives / (predicted + (predicted == 0)))

    def _per_positive(self, value: Any, measure: str) -> Any:
        positives = np.asarray(self.n_positive, dtype=np.float64)
        share = value / np.where(positives == 0, 1, positives)
        return self._defined(share, positives > 0, measure)

    def break_even_score(self) -> Any:
        """Precision (= recall) when as many are predicted positive as there are positives.

        A group of tied scores across that cut is interpolated inside the group. nan with a
        warning where there is no positive sample.
        """
        tp = _start(self.true_positives.astype(np.float64))
        predicted = tp + _start(self.false_positives)
        wanted = np.asarray(self.n_positive, dtype=np.float64)
        after = np.minimum((predicted < wanted[..., None]).sum(axis=-1), predicted.shape[-1] - 1)
        before = np.maximum(after - 1, 0)
        low, high = _at(predicted, before), _at(predicted, after)
        part = np.where(high > low, (wanted - low) / np.where(high > low, high - low, 1), 0.0)
        hits = _at(tp, before) + part * (_at(tp, after) - _at(tp, before))
        return self._per_positive(hits, "Break-even score")

    def threshold(self, rule: str, **params: Any) -> float:
        """Return the cut-off that a rule prefers; predict positive at ``score >= cut-off``.

        Parameters
        ----------
        rule : str
            - "youden": largest TPR - FPR.
            - "closest": ROC point closest to (0, 1).
            - "f_beta": largest F-score, ``beta=1``.
            - "cost": smallest total cost, ``cost_fn=1, cost_fp=1``, at ``prevalence``
              (default: that of the data).
            - "precision_at_least": largest recall with precision at least ``value``.
            - "recall_at_least": largest precision with recall at least ``value``.
            - "top_k": at most ``k`` samples are predicted positive.
        **params
            The numbers that the rule names above.

        Returns
        -------
        float
            inf where nothing should be predicted positive. Among equally good cut-offs the
            highest.

        Raises
        ------
        ValueError
            An unknown rule, a class that the rule needs is absent, or no cut-off reaches
            the value asked for.
        """
        self._single("threshold")
        return best_threshold(self.thresholds, self.true_positives, self.false_positives, rule, params)

    def _single(self, what: str) -> None:
        if self.true_positives.ndim > 1:
            raise ValueError(f"{what} needs single ranked scores, not a stack of replicates.")


RANKING_MEASURES: dict[str, Callable[[RankingMeasures], Any]] = {
    "roc_auc": RankingMeasures.roc_auc,
    "average_precision": RankingMeasures.average_precision,
    "pr_area": RankingMeasures.pr_area,
    "break_even": RankingMeasures.break_even_score,
    "rank_loss": RankingMeasures.rank_loss,
}


def ranking_measure(name: str) -> Callable[[RankingMeasures], Any]:
    """Return a threshold measure by name as a function of RankingMeasures."""
    if name not in RANKING_MEASURES:
        raise ValueError(f"metric must be one of {', '.join(sorted(RANKING_MEASURES))}, got {name!r}.")
    return RANKING_MEASURES[name]


def _start(cumulative: Numbers) -> Numbers:
    """Put the point where nothing is predicted positive in front."""
    return np.concatenate([np.zeros((*cumulative.shape[:-1], 1), cumulative.dtype), cumulative], axis=-1)


def _at(values: NDArray[np.float64], place: Any) -> NDArray[np.float64]:
    return np.take_along_axis(values, np.asarray(place)[..., None], axis=-1)[..., 0]

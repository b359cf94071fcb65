"""Measures of each class against the rest and their averages, from a confusion matrix.

All methods work on a stack of matrices of shape (..., K, K) at once and return arrays of
shape (...), a float for a single matrix.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skeval.metrics._shares import (
    Numbers,
    beta_squared,
    ratio,
    scalar,
    warn_left_out,
    whole_ratio,
    zero_division_rule,
)
from skeval.utils._labels import LabelArray, check_binary
from skeval.utils._validation import check_option

AVERAGE_OPTIONS = ("binary", "macro", "micro", "weighted", None)


class ClassMeasures:
    """Measures of the classes of `counts` (..., K, K) with `labels`."""

    counts: Numbers
    labels: LabelArray
    # A class of a given shape may hold no sample at all and is then left out of averages;
    # labels seen in the data, or named by the user, always count.
    _absent_left_out: bool = True

    @cached_property
    def _true(self) -> Numbers:
        return self.counts.sum(axis=-1)

    @cached_property
    def _predicted(self) -> Numbers:
        return self.counts.sum(axis=-2)

    @cached_property
    def _hits(self) -> Numbers:
        return np.diagonal(self.counts, axis1=-2, axis2=-1)

    @cached_property
    def total(self) -> Any:
        """Weight of all samples, shape (...)."""
        return scalar(self._true.sum(axis=-1))

    def binary_counts(self, pos_label: Any = None) -> tuple[Any, Any, Any, Any]:
        """Return (TP, FP, FN, TN) of at most two classes, each of shape (...).

        Parameters
        ----------
        pos_label : label or None, default=None
            The positive class. None: 1 (True) for labels within {0, 1}, {-1, 1} or
            {False, True}; otherwise it must be named.

        Returns
        -------
        tuple of four arrays of shape (...), or of four numbers

        Raises
        ------
        ValueError
            More than two classes, or the positive class is not known.
        """
        tp, fp, fn, tn = self._binary_cells(pos_label)
        return scalar(tp[..., 0]), scalar(fp[..., 0]), scalar(fn[..., 0]), scalar(tn[..., 0])

    def _binary_cells(self, pos_label: Any) -> tuple[Numbers, Numbers, Numbers, Numbers]:
        positive = check_binary(self.labels, pos_label)
        where = self.labels == positive
        tp, fp, fn, tn = self._cells
        if where.any():
            return tp[..., where], fp[..., where], fn[..., where], tn[..., where]
        # One class only, and it is the negative one.
        nothing = np.zeros_like(tp[..., :1])
        return nothing, nothing, nothing, self._true.sum(axis=-1, keepdims=True)

    @cached_property
    def _cells(self) -> tuple[Numbers, Numbers, Numbers, Numbers]:
        """(TP, FP, FN, TN) of each class against the rest, each of shape (..., K)."""
        tp, true, predicted = self._hits, self._true, self._predicted
        if self.counts.dtype.kind == "f":
            # Sums of cells: a difference of sums leaves rounding where a cell is 0.
            others = 1 - np.eye(len(self.labels))
            off = self.counts * others
            return tp, off.sum(axis=-2), off.sum(axis=-1), ((self.counts @ others) * others).sum(axis=-2)
        everything = true.sum(axis=-1, keepdims=True)
        return tp, predicted - tp, true - tp, everything - true - predicted + tp

    @cached_property
    def _summed_cells(self) -> tuple[Numbers, ...]:
        """The cells summed over the classes, each of shape (..., 1)."""
        return tuple(cell.sum(axis=-1, keepdims=True) for cell in self._cells)

    def _average(
        self, measure: str, share: Any, average: str | None, pos_label: Any, zero_division: Any
    ) -> Any:
        """Average `share` = (cells -> numerator, denominator) over the classes as asked."""
        check_option(average, "average", AVERAGE_OPTIONS)
        fill = zero_division_rule(zero_division)
        if average == "binary":
            positive = check_binary(self.labels, pos_label)
            numerator, denominator = share(*self._binary_cells(positive))
            return scalar(ratio(numerator, denominator, measure, [positive], fill)[..., 0])
        if average == "micro":
            numerator, denominator = share(*self._summed_cells)
            return scalar(ratio(numerator, denominator, f"micro {measure}", [None], fill)[..., 0])
        numerator, denominator = share(*self._cells)
        values = ratio(numerator, denominator, measure, self.labels, fill, known=self._present)
        if average is None:
            return values
        return self._mean(values, average == "weighted", f"{average} {measure}", fill)

    @cached_property
    def _present(self) -> NDArray[np.bool_]:
        """Return which classes count in averages, shape (..., K)."""
        if not self._absent_left_out:
            return np.ones(self._true.shape, dtype=bool)
        return (self._true + self._predicted) > 0

    def _mean(self, values: Numbers, weighted: bool, measure: str, fill: tuple[float, bool]) -> Any:
        """Mean over the classes present; nan values (asked for by zero_division) are left out."""
        asked_nan = fill[0] != fill[0]
        use = self._present & ~np.isnan(values) if asked_nan else self._present
        if not use.all():
            weight = self._true if weighted else np.ones_like(self._true)
            if not self._present.all():
                warn_left_out(measure, self.labels, ~self._present)
            values, weight = np.where(use, values, 0), np.where(use, weight, 0)
        elif not weighted:
            return scalar(values.sum(axis=-1) / values.shape[-1])
        else:
            weight = self._true
        total = weight.sum(axis=-1)
        if not total.all():
            # As scikit-learn: where no class has weight, all classes weigh the same.
            weight = np.where(total[..., None] == 0, use, weight)
            total = weight.sum(axis=-1)
        return whole_ratio(
            (values * weight).sum(axis=-1), total, measure, (np.nan, False) if asked_nan else fill
        )

    def precision(
        self, *, average: str | None = "binary", pos_label: Any = None, zero_division: Any = "warn"
    ) -> Any:
        """Share of the samples predicted as a class that belong to it: TP / (TP + FP).

        Parameters
        ----------
        average : {"binary", "macro", "micro", "weighted"} or None, default="binary"
            "binary": of `pos_label`; "macro": mean over classes; "weighted": mean weighted
            by the number of true samples; "micro": from the summed cells; None: one value
            per class.
        pos_label : label or None, default=None
            The positive class for ``average="binary"``; see `binary_counts`.
        zero_division : {"warn", 0, 1, nan}, default="warn"
            The value of 0/0; "warn" is 0 with a warning that names measure and class. A
            nan is left out of the averages.

        Returns
        -------
        float or ndarray
            Shape (...), or (..., K) for ``average=None``; in [0, 1].
        """
        return self._average(
            "precision", lambda tp, fp, fn, tn: (tp, tp + fp), average, pos_label, zero_division
        )

    def recall(
        self, *, average: str | None = "binary", pos_label: Any = None, zero_division: Any = "warn"
    ) -> Any:
        """Share of the samples of a class that are predicted as it: TP / (TP + FN).

        Also called sensitivity and true positive rate. Parameters and result as in
        `precision`.
        """
        return self._average(
            "recall", lambda tp, fp, fn, tn: (tp, tp + fn), average, pos_label, zero_division
        )

    def specificity(
        self, *, average: str | None = "binary", pos_label: Any = None, zero_division: Any = "warn"
    ) -> Any:
        """True negative rate: TN / (TN + FP). Parameters and result as in `precision`."""
        return self._average(
            "specificity", lambda tp, fp, fn, tn: (tn, tn + fp), average, pos_label, zero_division
        )

    def false_positive_rate(
        self, *, average: str | None = "binary", pos_label: Any = None, zero_division: Any = "warn"
    ) -> Any:
        """Share of false alarms among the negatives: FP / (FP + TN). As `precision`."""
        return self._average(
            "false positive rate", lambda tp, fp, fn, tn: (fp, tn + fp), average, pos_label, zero_division
        )

    def false_negative_rate(
        self, *, average: str | None = "binary", pos_label: Any = None, zero_division: Any = "warn"
    ) -> Any:
        """Share of the positives that are missed: FN / (FN + TP). As `precision`."""
        return self._average(
            "false negative rate", lambda tp, fp, fn, tn: (fn, tp + fn), average, pos_label, zero_division
        )

    def negative_predictive_value(
        self, *, average: str | None = "binary", pos_label: Any = None, zero_division: Any = "warn"
    ) -> Any:
        """Share of the samples predicted negative that are: TN / (TN + FN). As `precision`."""
        return self._average(
            "negative predictive value",
            lambda tp, fp, fn, tn: (tn, tn + fn),
            average,
            pos_label,
            zero_division,
        )

    def f_score(
        self,
        beta: float = 1,
        *,
        average: str | None = "binary",
        pos_label: Any = None,
        zero_division: Any = "warn",
    ) -> Any:
        """Weighted harmonic mean of precision P and recall R: (1 + b^2) P R / (b^2 P + R).

        Parameters
        ----------
        beta : float, default=1
            From 1e-30 to 1e30; above 1 recall counts more, below 1 precision.
        average, pos_label, zero_division
            As in `precision`. "macro" is the mean of the F-scores of the classes; for the F
            of the mean precision and the mean recall see `fscore_of_means`.

        Returns
        -------
        float or ndarray
            Shape (...), or (..., K) for ``average=None``; in [0, 1].
        """
        square = beta_squared(beta)

        def share(tp: Numbers, fp: Numbers, fn: Numbers, tn: Numbers) -> tuple[Numbers, Numbers]:
            hits = (1 + square) * tp
            return hits, hits + square * fn + fp

        return self._average("F-score", share, average, pos_label, zero_division)

    def jaccard(
        self, *, average: str | None = "binary", pos_label: Any = None, zero_division: Any = "warn"
    ) -> Any:
        """Jaccard index TP / (TP + FP + FN). Parameters and result as in `precision`."""
        return self._average(
            "Jaccard index", lambda tp, fp, fn, tn: (tp, tp + fp + fn), average, pos_label, zero_division
        )

    def fscore_of_means(self, *, beta: float = 1, zero_division: Any = "warn") -> Any:
        """F-score of the macro precision and the macro recall over the classes.

        Not the mean of the F-scores of the classes, which is ``f_score(average="macro")``;
        Opitz & Burst (2019) compare the two.
        """
        square = beta_squared(beta)
        precision = self.precision(average="macro", zero_division=zero_division)
        recall = self.recall(average="macro", zero_division=zero_division)
        return f_of(precision, recall, square)


def f_of(precision: Any, recall: Any, square: float = 1.0) -> Any:
    """F-score of a precision and a recall; 0 where both are 0."""
    top = (1 + square) * np.asarray(precision, dtype=np.float64) * recall
    return scalar(ratio(top, np.asarray(square * precision + recall), "F-score", [None], (0.0, False)))

"""Every label measure as a closed form of the counts of a confusion matrix.

All methods work on a stack of matrices of shape (..., K, K) at once and return arrays of
shape (...), a float for a single matrix.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skeval.metrics._cost import check_cost_matrix
from skeval.metrics._shares import (
    Numbers,
    ratio,
    scalar,
    warn_left_out,
    warn_undefined,
    whole_ratio,
    zero_division_rule,
)
from skeval.utils._labels import LabelArray, check_binary
from skeval.utils._validation import check_option, check_real

AVERAGES = ("binary", "macro", "micro", "weighted", None)


class LabelMeasures:
    """Measures of `counts` (..., K, K) with `labels`; the base of `ConfusionMatrix`."""

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
        tp, fp, fn, tn = self._cells()
        if where.any():
            return tp[..., where], fp[..., where], fn[..., where], tn[..., where]
        # One class only, and it is the negative one.
        nothing = np.zeros_like(tp[..., :1])
        return nothing, nothing, nothing, self._true.sum(axis=-1, keepdims=True)

    def _cells(self) -> tuple[Numbers, Numbers, Numbers, Numbers]:
        """Return (TP, FP, FN, TN) of each class against the rest, each of shape (..., K)."""
        tp, true, predicted = self._hits, self._true, self._predicted
        everything = true.sum(axis=-1, keepdims=True)
        return tp, predicted - tp, true - tp, everything - true - predicted + tp

    def _average(
        self, measure: str, share: Any, average: str | None, pos_label: Any, zero_division: Any
    ) -> Any:
        """Average `share` = (cells -> numerator, denominator) over the classes as asked."""
        check_option(average, "average", AVERAGES)
        fill = zero_division_rule(zero_division)
        if average == "binary":
            positive = check_binary(self.labels, pos_label)
            numerator, denominator = share(*self._binary_cells(positive))
            return scalar(ratio(numerator, denominator, measure, [positive], fill)[..., 0])
        cells = self._cells()
        if average == "micro":
            numerator, denominator = share(*(cell.sum(axis=-1, keepdims=True) for cell in cells))
            return scalar(ratio(numerator, denominator, f"micro {measure}", [None], fill)[..., 0])
        numerator, denominator = share(*cells)
        values = ratio(numerator, denominator, measure, self.labels, fill, known=self._present)
        if average is None:
            return values
        weight = self._true if average == "weighted" else np.ones_like(self._true)
        return self._mean(values, weight, f"{average} {measure}", fill)

    @cached_property
    def _present(self) -> NDArray[np.bool_]:
        """Return which classes count in averages, shape (..., K)."""
        if not self._absent_left_out:
            return np.ones(self._true.shape, dtype=bool)
        return (self._true + self._predicted) > 0

    def _mean(self, values: Numbers, weight: Numbers, measure: str, fill: tuple[float, bool]) -> Any:
        """Mean over the classes present; nan values (asked for by zero_division) are left out."""
        present = self._present
        if not present.all():
            warn_left_out(measure, self.labels, ~present)
        use = present & ~np.isnan(values)
        # As scikit-learn: where no class has weight, all classes weigh the same.
        weighted = np.where(use, weight, 0)
        without = weighted.sum(axis=-1, keepdims=True) == 0
        weighted = np.where(without, use, weighted)
        return scalar(
            ratio(
                (np.where(use, values, 0) * weighted).sum(axis=-1, keepdims=True),
                weighted.sum(axis=-1, keepdims=True),
                measure,
                [None],
                (np.nan, False) if np.isnan(fill[0]) else fill,
            )[..., 0]
        )

    # Measures of each class against the rest -------------------------------------------------

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
            Positive; above 1 recall counts more, below 1 precision.
        average, pos_label, zero_division
            As in `precision`. "macro" is the mean of the F-scores of the classes; for the F
            of the mean precision and the mean recall see `fscore_of_means`.

        Returns
        -------
        float or ndarray
            Shape (...), or (..., K) for ``average=None``; in [0, 1].
        """
        square = check_real(beta, "beta", low=0, closed="neither") ** 2
        return self._average(
            "F-score",
            lambda tp, fp, fn, tn: ((1 + square) * tp, (1 + square) * tp + square * fn + fp),
            average,
            pos_label,
            zero_division,
        )

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
        square = check_real(beta, "beta", low=0, closed="neither") ** 2
        precision = self.precision(average="macro", zero_division=zero_division)
        recall = self.recall(average="macro", zero_division=zero_division)
        return f_of(precision, recall, square)

    # Measures of two classes -----------------------------------------------------------------

    def youden_j(self, *, pos_label: Any = None, zero_division: Any = "warn") -> Any:
        """Youden's J = TPR + TNR - 1, in [-1, 1]; 0 is chance."""
        rates = {"pos_label": pos_label, "zero_division": zero_division}
        return self.recall(**rates) + self.specificity(**rates) - 1

    def positive_likelihood_ratio(self, *, pos_label: Any = None) -> Any:
        """TPR / FPR, in [0, inf); nan with a warning where FPR is 0 or a class is absent."""
        tp, fp, fn, tn = (cell[..., 0] for cell in self._binary_cells(pos_label))
        return whole_ratio(tp * 1.0 * (fp + tn), fp * 1.0 * (tp + fn), "positive likelihood ratio")

    def negative_likelihood_ratio(self, *, pos_label: Any = None) -> Any:
        """FNR / TNR, in [0, inf); nan with a warning where TNR is 0 or a class is absent."""
        tp, fp, fn, tn = (cell[..., 0] for cell in self._binary_cells(pos_label))
        return whole_ratio(fn * 1.0 * (fp + tn), tn * 1.0 * (tp + fn), "negative likelihood ratio")

    def prevalence(self, *, pos_label: Any = None) -> Any:
        """Share of the positive class among the true labels, in [0, 1]."""
        tp, fp, fn, tn = (cell[..., 0] for cell in self._binary_cells(pos_label))
        return whole_ratio(tp + fn, tp + fp + fn + tn, "prevalence")

    def adjusted_g_mean(self, *, pos_label: Any = None) -> Any:
        """Adjusted geometric mean of Batuwita & Palade (2009), in [0, 1].

        (G-mean + TNR Nn) / (1 + Nn) where TPR > 0, else 0; Nn is the share of negatives.
        """
        tp, fp, fn, tn = self._binary_cells(pos_label)
        tpr = ratio(tp, tp + fn, "adjusted G-mean", [check_binary(self.labels, pos_label)], (0.0, True))
        tnr = ratio(tn, tn + fp, "adjusted G-mean", ["negative"], (0.0, True))
        negative = ratio(tn + fp, tp + fp + fn + tn, "adjusted G-mean", [None], (0.0, False))
        adjusted = (np.sqrt(tpr * tnr) + tnr * negative) / (1 + negative)
        return scalar(np.where(tpr > 0, adjusted, 0.0)[..., 0])

    # Measures of all classes at once ---------------------------------------------------------

    def accuracy(self) -> Any:
        """Share of the weight on the diagonal, in [0, 1]."""
        return whole_ratio(self._hits.sum(axis=-1), self._true.sum(axis=-1), "accuracy")

    def error_rate(self) -> Any:
        """Share of the weight off the diagonal: 1 - accuracy, in [0, 1]."""
        total = self._true.sum(axis=-1)
        return whole_ratio(total - self._hits.sum(axis=-1), total, "error rate")

    def _recalls(self, measure: str) -> tuple[Numbers, NDArray[np.bool_]]:
        """Return the recall of each class, and which classes have true samples at all."""
        supported = self._true > 0
        if not supported.all():
            warn_left_out(measure, self.labels, ~supported, "has no true sample")
        return ratio(self._hits, self._true, measure, [None], (0.0, False)), supported

    def balanced_accuracy(self) -> Any:
        """Mean recall of the classes that have true samples, in [0, 1]."""
        recalls, supported = self._recalls("balanced accuracy")
        return whole_ratio(recalls.sum(axis=-1), supported.sum(axis=-1), "balanced accuracy")

    def g_mean(self) -> Any:
        """Geometric mean of the recalls of the classes that have true samples, in [0, 1].

        For two classes sqrt(TPR TNR); for K the K-th root of the product.
        """
        recalls, supported = self._recalls("G-mean")
        count = supported.sum(axis=-1)
        product = np.where(supported, recalls, 1.0).prod(axis=-1)
        root = product ** (1.0 / np.maximum(count, 1))
        if (count == 0).any():
            warn_undefined("G-mean is undefined: the matrix is empty.")
            root = np.where(count == 0, np.nan, root)
        return scalar(root)

    def mcc(self) -> Any:
        """Matthews correlation coefficient (Gorodkin's R_K for K classes), in [-1, 1].

        0 with a warning where it is undefined: one class only among the true or among the
        predicted labels.
        """
        true, predicted, hits = self._shares()
        covariance = hits.sum(axis=-1) - (true * predicted).sum(axis=-1)
        spread = (1 - (true**2).sum(axis=-1)) * (1 - (predicted**2).sum(axis=-1))
        flat = self._one_class(self._true) | self._one_class(self._predicted)
        return whole_ratio(
            covariance, np.where(flat, 0.0, np.sqrt(np.maximum(spread, 0))), "MCC", (0.0, True)
        )

    def kappa(self) -> Any:
        """Cohen's kappa: agreement beyond chance, at most 1.

        nan with a warning where true and predicted labels are all of one class.
        """
        true, predicted, hits = self._shares()
        chance = (true * predicted).sum(axis=-1)
        flat = self._one_class(self._true + self._predicted)
        return whole_ratio(hits.sum(axis=-1) - chance, np.where(flat, 0.0, 1 - chance), "kappa")

    def _shares(self) -> tuple[Numbers, Numbers, Numbers]:
        """Return margins and diagonal as shares: products of counts would overflow."""
        total = np.asarray(self._true.sum(axis=-1, keepdims=True), dtype=np.float64)
        total = np.where(total == 0, 1.0, total)
        return self._true / total, self._predicted / total, self._hits / total

    @staticmethod
    def _one_class(margin: Numbers) -> NDArray[np.bool_]:
        return np.asarray((margin > 0).sum(axis=-1) <= 1)

    def predicted_minus_true(self) -> Numbers:
        """Weight predicted as each class minus its true weight, shape (..., K)."""
        return np.asarray(self._predicted - self._true)

    def cost(self, cost: ArrayLike, *, normalize: bool = True) -> Any:
        """Cost-sensitive error: sum of counts x cost, per sample unless told otherwise.

        Parameters
        ----------
        cost : array-like of shape (K, K)
            ``cost[i, j]`` is the cost of predicting ``labels[j]`` for a sample of
            ``labels[i]``: rows and columns in the order of `labels`.
        normalize : bool, default=True
            Divide by the number (weight) of samples; False gives the total cost.

        Returns
        -------
        float or ndarray of shape (...)
        """
        total = (self.counts * check_cost_matrix(cost, self.labels)).sum(axis=(-2, -1))
        return whole_ratio(total, self._true.sum(axis=-1), "cost") if normalize else scalar(total)

    def cost_sensitive_accuracy(self, cost: ArrayLike) -> Any:
        """1 - sum(counts x cost) / the largest cost that these true classes could have."""
        matrix = check_cost_matrix(cost, self.labels)
        total = (self.counts * matrix).sum(axis=(-2, -1))
        worst = (self._true * matrix.max(axis=1)).sum(axis=-1)
        return 1 - whole_ratio(total, worst, "cost-sensitive accuracy")


def f_of(precision: Any, recall: Any, square: float = 1.0) -> Any:
    """F-score of a precision and a recall; 0 where both are 0."""
    top = (1 + square) * np.asarray(precision, dtype=np.float64) * recall
    return scalar(ratio(top, np.asarray(square * precision + recall), "F-score", [None], (0.0, False)))

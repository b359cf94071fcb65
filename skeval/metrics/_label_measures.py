"""Measures of two classes, and of all classes at once, from a confusion matrix."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skeval.metrics._class_measures import ClassMeasures
from skeval.metrics._cost import check_cost_matrix
from skeval.metrics._shares import Numbers, ratio, scalar, warn_left_out, warn_undefined, whole_ratio
from skeval.utils._labels import check_binary


class LabelMeasures(ClassMeasures):
    """Every label measure of `counts` (..., K, K) with `labels`; the base of `ConfusionMatrix`."""

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

    def accuracy(self) -> Any:
        """Share of the weight on the diagonal, in [0, 1]."""
        return whole_ratio(self._hits.sum(axis=-1), self._true.sum(axis=-1), "accuracy")

    def error_rate(self) -> Any:
        """Share of the weight off the diagonal: 1 - accuracy, in [0, 1]."""
        misses = self._cells[2]
        return whole_ratio(misses.sum(axis=-1), self._true.sum(axis=-1), "error rate")

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
        # A root of each recall: the product of many recalls would underflow.
        power = 1 / np.maximum(count, 1)
        root = (np.where(supported, recalls, 1.0) ** power[..., None]).prod(axis=-1)
        if (count == 0).any():
            warn_undefined("G-mean is undefined: the matrix is empty.")
            root = np.where(count == 0, np.nan, root)
        return scalar(root)

    def mcc(self) -> Any:
        """Matthews correlation coefficient (Gorodkin's R_K for K classes), in [-1, 1].

        0 with a warning where it is undefined: one class only among the true or among the
        predicted labels.
        """
        others, true, predicted, agreement = self._products()
        spread = (true * others[0]).sum(axis=-1) * (predicted * others[1]).sum(axis=-1)
        flat = self._one_class(true) | self._one_class(predicted)
        spread = np.where(flat, 0.0, np.maximum(spread, 0.0))  # rounding of weights may leave it below 0
        return whole_ratio(agreement, np.sqrt(spread), "MCC", (0.0, True))

    def kappa(self) -> Any:
        """Cohen's kappa: agreement beyond chance, at most 1.

        nan with a warning where true and predicted labels are all of one class.
        """
        others, true, _, agreement = self._products()
        flat = self._one_class(true + self._predicted)
        room = (true * others[1]).sum(axis=-1)
        return whole_ratio(agreement, np.where(flat, 0.0, room), "kappa")

    def _products(self) -> tuple[tuple[Numbers, Numbers], Numbers, Numbers, Numbers]:
        """Return what is not of each class (by truth, by prediction), the margins, and the agreement.

        The agreement is n x hits - sum of true x predicted, written class by class as
        tp tn - fp fn: differences of products that are all of the size of n^2 would lose
        the digits of a rare class. In float64, where products of counts are exact below
        2**53 and do not overflow.
        """
        n = self._true.sum(axis=-1, keepdims=True)
        hits, true, predicted = self._hits, self._true, self._predicted
        tn = n - true - predicted + hits
        agreement = hits * 1.0 * tn - (true - hits) * 1.0 * (predicted - hits)
        others = (n - true) * 1.0, (n - predicted) * 1.0
        return others, true * 1.0, predicted * 1.0, agreement.sum(axis=-1)

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
        if matrix.min() < 0:
            raise ValueError(
                f"cost must not be negative for cost_sensitive_accuracy, got {matrix.min():g}: a share of "
                "the largest cost needs costs that start at 0. Subtract from each row its smallest cost, or "
                "use cost_sensitive_error."
            )
        total = (self.counts * matrix).sum(axis=(-2, -1))
        worst = (self._true * matrix.max(axis=1)).sum(axis=-1)
        return 1 - whole_ratio(total, worst, "cost-sensitive accuracy")

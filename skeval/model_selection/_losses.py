"""Losses per sample: their values, their range and their no-information rate."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

import numpy as np

from skeval.metrics._pointwise import squared_losses, zero_one_losses
from skeval.model_selection._bootstrap_formulas import zero_one_no_information
from skeval.utils._kind import regresses
from skeval.utils._labels import encode, factorize, to_labels
from skeval.utils._validation import LARGEST, FloatArray, IntArray, check_same_length, check_vector

# What has no loss per sample.
_NOT_A_MEAN = {
    "an area under a curve": ("auc", "average_precision", "rank_loss", "break_even"),
    "a ratio of counts": ("f1", "f_score", "fbeta", "precision", "recall", "jaccard", "specificity"),
    "a function of several rates": ("balanced_accuracy", "g_mean", "matthews", "mcc", "kappa", "r2"),
}


class Loss(ABC):
    """A loss bound to its target."""

    name: str
    bounds: tuple[float, float]
    codes: IntArray | None = None
    classes: Any = None

    @abstractmethod
    def values(self, rows: IntArray, predictions: Any) -> FloatArray:
        """Return the loss of each of the rows; of none, where nothing was predicted."""

    @abstractmethod
    def no_information(self, predictions: Any, weight: Any) -> float | None:
        """Return the mean loss over all pairs of a target and a prediction."""


def make_loss(loss: Any, estimator: Any, y: Any, *, way_out: str = "use one of these") -> Loss:
    """Bind a loss to y, after checking that it suits the estimator and y.

    `way_out` is what the caller offers for what has no loss per sample.
    """
    if not isinstance(loss, str):
        if not callable(loss):
            raise ValueError(f"loss must be 'zero_one', 'squared' or a function, got {loss!r}.")
        return _Custom(loss, y)
    if loss == "zero_one":
        if regresses(estimator):
            raise ValueError(
                f"loss='zero_one' needs a classifier, got the regressor {type(estimator).__name__}; "
                "use loss='squared'."
            )
        return _ZeroOne(y)
    if loss == "squared":
        return _Squared(y)
    for kind, names in _NOT_A_MEAN.items():
        if any(name in loss for name in names):
            raise ValueError(
                f"loss={loss!r} is {kind}, not a mean of losses per sample as 'zero_one' and 'squared' are: "
                f"{way_out}."
            )
    raise ValueError(f"loss must be 'zero_one', 'squared' or a function of (y_true, y_pred), got {loss!r}.")


class _ZeroOne(Loss):
    name = "0-1 loss"
    bounds = (0.0, 1.0)

    def __init__(self, y: Any) -> None:
        self._y = to_labels(y, "y")
        self.codes, self.classes = factorize(self._y)

    def values(self, rows: IntArray, predictions: Any) -> FloatArray:
        if not len(rows):
            return np.empty(0)
        predicted = to_labels(predictions, "predictions")
        check_same_length(y=rows, predictions=predicted)
        return zero_one_losses(self._y[rows], predicted)

    def no_information(self, predictions: Any, weight: Any) -> float:
        (true, codes), labels = encode({"y": self._y, "predictions": to_labels(predictions, "predictions")})
        counts = (np.bincount(which, weights=weight, minlength=len(labels)) for which in (true, codes))
        return float(zero_one_no_information(*counts))


class _Squared(Loss):
    name = "squared loss"
    bounds = (0.0, np.inf)

    def __init__(self, y: Any) -> None:
        self._y = check_vector(y, "y", largest=LARGEST)

    def values(self, rows: IntArray, predictions: Any) -> FloatArray:
        if not len(rows):
            return np.empty(0)
        predicted = check_vector(predictions, "predictions", largest=LARGEST)
        check_same_length(y=rows, predictions=predicted)
        return squared_losses(self._y[rows], predicted)

    def no_information(self, predictions: Any, weight: Any) -> float:
        predicted = check_vector(predictions, "predictions")
        means = [float(np.average(values, weights=weight)) for values in (self._y, predicted)]
        variances = [
            float(np.average((values - mean) ** 2, weights=weight))
            for values, mean in zip((self._y, predicted), means, strict=True)
        ]
        return sum(variances) + (means[0] - means[1]) ** 2


class _Custom(Loss):
    bounds = (-np.inf, np.inf)

    def __init__(self, function: Callable[[Any, Any], Any], y: Any) -> None:
        self._function, self._y = function, np.asarray(y)
        self.name = getattr(function, "__name__", "loss").strip("<>")

    def values(self, rows: IntArray, predictions: Any) -> FloatArray:
        if not len(rows):
            return np.empty(0)
        values = np.asarray(self._function(self._y[rows], predictions))
        if values.shape != (len(rows),):
            raise ValueError(
                f"loss must return one value per sample: {len(rows)} samples, got shape {values.shape}."
            )
        return check_vector(values, "loss values", largest=LARGEST)

    def no_information(self, predictions: Any, weight: Any) -> None:
        return None

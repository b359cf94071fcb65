"""Responses of fitted models, kept: as estimators that say them again, and those of all splits together."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils.metaestimators import available_if

from skeval.utils._validation import FloatArray


def stored_model(kept: dict[str, Any], classes: NDArray[Any] | None) -> Any:
    """Return an estimator that says of any X what was kept; without classes a regressor."""
    stored: Any = FittedRegressor() if classes is None else FittedClassifier()
    stored.kept, stored.classes_ = kept, kept.get("classes")
    return stored


def merge_responses(parts: list[dict[str, Any]], classes: NDArray[Any] | None) -> dict[str, Any]:
    """Return the responses of all splits as if they were those of one model.

    Decision values are there only where every split trained on all classes.
    """
    merged: dict[str, Any] = {"predict": np.concatenate([kept["predict"] for kept in parts])}
    if classes is None:
        return merged
    merged["classes"] = classes
    if all("predict_proba" in kept for kept in parts):
        merged["predict_proba"] = np.concatenate(
            [align_columns(kept["predict_proba"], kept["classes"], classes) for kept in parts]
        )
    whole = all(np.array_equal(kept["classes"], classes) for kept in parts)
    if whole and all("decision_function" in kept for kept in parts):
        merged["decision_function"] = np.concatenate([kept["decision_function"] for kept in parts])
    return merged


def align_columns(probabilities: Any, trained: Any, classes: NDArray[Any]) -> FloatArray:
    """Return probabilities with a column for every class; 0 for one not trained on."""
    values = np.asarray(probabilities)
    if values.ndim != 2 or values.shape[1] == len(classes):
        return values
    full = np.zeros((len(values), len(classes)))
    full[:, np.searchsorted(classes, trained)] = values
    return full


def _kept(method: str) -> Any:
    return available_if(lambda self: method in self.kept)


class FittedClassifier(ClassifierMixin, BaseEstimator):
    """What a fitted classifier said of the test rows, as an estimator that says it again."""

    kept: dict[str, Any]
    classes_: Any

    def predict(self, X: Any) -> Any:
        return self.kept["predict"]

    @_kept("predict_proba")
    def predict_proba(self, X: Any) -> Any:
        return self.kept["predict_proba"]

    @_kept("decision_function")
    def decision_function(self, X: Any) -> Any:
        return self.kept["decision_function"]


class FittedRegressor(RegressorMixin, BaseEstimator):
    """As `FittedClassifier`, for a continuous target."""

    kept: dict[str, Any]
    classes_: Any

    def predict(self, X: Any) -> Any:
        return self.kept["predict"]

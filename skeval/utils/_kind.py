"""Whether an estimator classifies, regresses, or does not say."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

from sklearn.base import is_classifier, is_regressor


def classifies(estimator: Any) -> bool:
    """Return whether the estimator says that it is a classifier."""
    return _says(is_classifier, estimator)


def regresses(estimator: Any) -> bool:
    """Return whether the estimator says that it is a regressor."""
    return _says(is_regressor, estimator)


def all_classify(estimators: Mapping[str, Any]) -> bool:
    """Return whether all are classifiers; some classifiers and some not is refused."""
    classify = {name: classifies(estimator) for name, estimator in estimators.items()}
    if len(set(classify.values())) > 1:
        told = ", ".join(f"{name} {'classifies' if does else 'does not'}" for name, does in classify.items())
        raise ValueError(f"estimators must be all classifiers or all regressors: {told}.")
    return all(classify.values())


def _says(kind: Any, estimator: Any) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # scikit-learn 1.7, of what is an error later
        try:
            return bool(kind(estimator))
        except AttributeError:  # an estimator without tags
            return False

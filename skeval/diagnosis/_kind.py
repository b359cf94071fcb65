"""Whether an estimator classifies, regresses, or does not say."""

from __future__ import annotations

from typing import Any

from sklearn.base import is_classifier, is_regressor


def classifies(estimator: Any) -> bool:
    """Return whether the estimator says that it is a classifier."""
    return _says(is_classifier, estimator)


def regresses(estimator: Any) -> bool:
    """Return whether the estimator says that it is a regressor."""
    return _says(is_regressor, estimator)


def _says(kind: Any, estimator: Any) -> bool:
    try:
        return bool(kind(estimator))
    except AttributeError:  # an estimator without tags
        return False

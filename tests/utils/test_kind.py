"""What estimators say that they are."""

import pytest
from sklearn.base import BaseEstimator
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline

from skeval.utils._kind import all_classify, classifies, regresses


class Duck:
    """Has no tags."""


@pytest.mark.parametrize(
    ("estimator", "classifier", "regressor"),
    [
        (LogisticRegression(), True, False),
        (Ridge(), False, True),
        (make_pipeline(LogisticRegression()), True, False),
        (GridSearchCV(Ridge(), {}), False, True),
        (BaseEstimator(), False, False),
        (Duck(), False, False),
        (None, False, False),
    ],
)
def test_an_estimator_is_what_it_says(estimator, classifier, regressor):
    assert (classifies(estimator), regresses(estimator)) == (classifier, regressor)


def test_all_classify_or_none():
    assert all_classify({"a": LogisticRegression(), "b": LogisticRegression()})
    assert not all_classify({"a": Ridge(), "b": Duck()})
    with pytest.raises(ValueError, match="all classifiers or all regressors: a classifies, b does not"):
        all_classify({"a": LogisticRegression(), "b": Duck()})

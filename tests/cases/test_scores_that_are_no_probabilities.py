"""Logits and large scores for a ranking, and hard labels where scores are wanted."""

import numpy as np
import pytest
import sklearn.metrics
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import BaseEstimator, ClassifierMixin

from skeval.metrics import RankedScores, brier_score, get_scorer, log_loss
from tests.cases.strategies import SOME, binary_with_scores

Y = [0, 1, 1, 0, 1]
LOGITS = np.array([99.1, 99.4, 99.9, 99.6, 101.2])


def auc(y, scores):
    return RankedScores.from_predictions(y, scores).roc_auc()


def test_the_area_depends_on_the_order_alone():
    assert auc(Y, LOGITS) == auc(Y, LOGITS - 99) == auc(Y, LOGITS.astype("float32")) == pytest.approx(5 / 6)


@pytest.mark.parametrize("loss", [brier_score, log_loss])
def test_a_loss_of_probabilities_refuses_them(loss):
    with pytest.raises(ValueError, match=r"\[0, 1\]"):
        loss(Y, LOGITS)


class _Timid(ClassifierMixin, BaseEstimator):
    """Probabilities in the right order, and no positive prediction."""

    def fit(self, X, y):
        self.classes_ = np.array([0, 1])
        return self

    def predict_proba(self, X):
        return np.column_stack([1 - np.ravel(X), np.ravel(X)])

    def predict(self, X):
        return (np.ravel(X) >= 0.5).astype(int)


class _Hard(ClassifierMixin, BaseEstimator):
    """Labels only."""

    def fit(self, X, y):
        self.classes_ = np.array([0, 1])
        return self

    def predict(self, X):
        return (np.ravel(X) >= 0.5).astype(int)


def test_the_scorer_asks_for_scores_and_not_for_labels():
    X, y = [[0.1], [0.2], [0.3], [0.4]], [0, 0, 1, 1]
    assert get_scorer("roc_auc")(_Timid().fit(X, y), X, y) == 1.0
    assert sklearn.metrics.roc_auc_score(y, _Timid().fit(X, y).predict(X)) == 0.5  # what it must not be


def test_a_model_of_labels_only_is_told():
    X, y = [[0.1], [0.2], [0.3], [0.4]], [0, 0, 1, 1]
    with pytest.raises(AttributeError, match=r"predict_proba|decision_function"):
        get_scorer("roc_auc")(_Hard().fit(X, y), X, y)


@SOME
@given(binary_with_scores(), st.integers(-40, 40), st.integers(1, 2**20))
def test_any_increasing_function_of_the_scores_has_the_same_area(case, shift, scale):
    y, scores = case[0], np.array(case[1])
    expected = auc(y, scores)
    assert auc(y, scale * scores + shift) == expected
    assert auc(y, -scores) == pytest.approx(1 - expected)
    assert auc(y, scores.astype("float32")) == expected

"""Weights given to an evaluation count in the score too, row by row."""

import numpy as np
import pytest
import sklearn
from hypothesis import given
from hypothesis import strategies as st
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import PredefinedSplit, cross_validate
from sklearn.neighbors import KNeighborsClassifier

from skeval.metrics import MultiScorer, get_scorer
from skeval.model_selection import evaluate
from tests.cases.strategies import FEW

X = np.zeros((8, 1))
Y, W = np.array([0, 0, 1, 1, 0, 1, 1, 1]), np.array([1, 1, 1, 1, 1, 1, 1, 5])
CV = PredefinedSplit([0, 0, 0, 0, 1, 1, 1, 1])
ONES = DummyClassifier(strategy="constant", constant=1)


def accuracy(weight):
    found = evaluate(ONES, X, Y, cv=CV, sample_weight=weight).scores("accuracy")
    return next(iter(found.values())).scores.tolist()


def test_weights_count_in_fit_and_score():
    assert accuracy(None) == [0.5, 0.75]
    assert accuracy(W) == [0.5, 0.875]


def test_with_metadata_routing_they_reach_the_scorer():
    with sklearn.config_context(enable_metadata_routing=True):
        for scorer in (
            get_scorer("accuracy").set_score_request(sample_weight=True),
            MultiScorer(["accuracy"]).set_score_request(sample_weight=True),
        ):
            model = DummyClassifier(strategy="constant", constant=1).set_fit_request(sample_weight=True)
            found = cross_validate(model, X, Y, cv=CV, scoring=scorer, params={"sample_weight": W})
            score = found.get("test_score", found.get("test_accuracy"))
            assert score.tolist() == [0.5, 0.875]


def test_a_model_that_takes_no_weights_is_refused():
    with pytest.raises((TypeError, ValueError), match="sample_weight"):
        evaluate(KNeighborsClassifier(1), X, Y, cv=CV, sample_weight=W)


@FEW
@given(st.lists(st.integers(1, 9), min_size=8, max_size=8))
def test_any_weights_give_the_weighted_share_of_each_fold(weights):
    weights = np.array(weights)
    expected = [np.average(Y[part] == 1, weights=weights[part]) for part in (slice(0, 4), slice(4, 8))]
    assert accuracy(weights) == pytest.approx(expected)

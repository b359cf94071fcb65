"""Intervals from results: arguments that exclude each other, or that the results know already."""

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from skeval.intervals import interval_from_results
from skeval.model_selection import KFoldSplit, evaluate, nested_cross_validate

X, Y = load_iris(return_X_y=True)
CV = KFoldSplit(5, random_state=0)


@pytest.fixture(scope="module")
def done():
    return evaluate(GaussianNB(), X, Y, cv=CV)


@pytest.mark.parametrize("sizes", [{"n_train": 120}, {"n_test": 30}])
def test_sizes_are_those_of_the_splits(done, sizes):
    with pytest.raises(ValueError, match="n_train and n_test are known from the splits: leave them out"):
        interval_from_results(done, **sizes)


def test_a_score_and_a_loss_exclude_each_other(done):
    with pytest.raises(ValueError, match="metric and loss exclude each other: give one of them"):
        interval_from_results(done, metric="accuracy", loss="zero_one")


def test_scores_against_predictions_need_the_name_of_the_score(done):
    search = GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 9]}, cv=3)
    nested = nested_cross_validate(search, X, Y, cv=CV)
    for results in (nested, [0.9, 0.95, 0.9, 0.85, 1.0]):
        with pytest.raises(
            ValueError, match=r"metric must name a score where.*got None: give metric='accuracy'"
        ):
            interval_from_results(results, other=done)
    found = interval_from_results(nested, other=done, metric="accuracy")
    bayes = done.scores("accuracy")["GaussianNB"].scores
    assert found.estimate == pytest.approx(np.mean(nested.scores.scores - bayes))


def test_a_score_of_a_name_of_its_own_has_no_known_bounds():
    """Expected: Student's t of 2 degrees, 4.3027, times s = 0.1 times sqrt(1/3 + 20/40), about 0.9."""
    results = {"test_gain": np.array([0.8, 0.9, 1.0])}
    found = interval_from_results(results, metric="gain", n_train=40, n_test=20)
    half = 4.302653 * 0.1 * (1 / 3 + 20 / 40) ** 0.5
    assert tuple(found) == pytest.approx((0.9 - half, 0.9 + half))
    assert found.high > 1

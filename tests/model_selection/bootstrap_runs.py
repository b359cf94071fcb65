"""Data, models and runs that the tests of the bootstrap error share."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from skeval.model_selection import bootstrap_error
from tests.reference import load, number

# Small runs warn of much; the tests that look at a warning name it.
QUIET = [
    pytest.mark.filterwarnings(f"ignore:{message}:skeval.exceptions.ResamplingWarning")
    for message in ("At n_splits", "The training part lacks", ".* out of bag in none")
]

REFERENCE = load("09_bootstrap_632plus.json")
EXPECTED = REFERENCE["expected"]
TOLERANCE = {"rel": 0, "abs": 1e-12}  # of the reference
SMALL = [name for name in REFERENCE["inputs"] if name != "iris"]
CLASSIFIERS = {"1nn": KNeighborsClassifier(1), "majority": DummyClassifier(strategy="most_frequent")}
METHODS = (".632+", ".632", "oob")
IRIS_X, IRIS_Y = load_iris(return_X_y=True)
IRIS_X, IRIS_Y = IRIS_X[::3], IRIS_Y[::3]
NAMES = np.array(["setosa", "versicolor", "virginica"])[IRIS_Y]


def replicates(draws, n_samples):
    """Turn drawn indices into (train, test)."""
    everything = np.arange(n_samples)
    return [(np.array(drawn), np.setdiff1d(everything, drawn)) for drawn in draws]


def of_reference(name, **given):
    """Run the estimate on the data and index sets of a reference case."""
    case = REFERENCE["inputs"][name]
    X = np.array(case["x"], dtype=float)[:, None]
    cv = replicates(case["boot"], len(X))
    return bootstrap_error(CLASSIFIERS[case["clf"]], X, case["y"], cv=cv, **given)


def convention(expected, letter):
    """Return the .632+ of a convention; C keeps Err1 in the .632 part and caps it in the correction."""
    [found] = [value for name, value in expected.items() if name.startswith(f"err_632plus_{letter}:")]
    return number(found)


class Fixed(ClassifierMixin, BaseEstimator):
    """A classifier that learns nothing: X is its prediction."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.asarray(X)[:, 0]


def iris_run(X=IRIS_X, y=IRIS_Y, estimator=None, **given):
    estimator = GaussianNB() if estimator is None else estimator
    return bootstrap_error(estimator, X, y, **{"n_splits": 25, "random_state": 0, **given})


def assert_same(one, other):
    assert repr(one) == repr(other)
    assert np.array_equal(one.per_observation, other.per_observation, equal_nan=True)

"""Data, models, designs and runs that the tests of generalization_interval share."""

from itertools import pairwise

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.datasets import load_diabetes, load_iris
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from skeval.intervals import generalization_interval

# Small runs warn of much; the tests that look at a warning name it.
QUIET = [
    pytest.mark.filterwarnings(f"ignore:{message}:skeval.exceptions.ResamplingWarning")
    for message in (
        "At n_splits",
        "The training part lacks",
        "The standard error is lost",
        ".* replicates are too few",
        ".* out of bag in none",
    )
]

X, Y = load_iris(return_X_y=True)
KEEP = np.random.default_rng(0).permutation(len(Y))[:60]
X, Y = X[KEEP, :2], Y[KEEP]
TREE, BAYES = DecisionTreeClassifier(max_depth=2, random_state=0), GaussianNB()
XD, YD = (part[:80] for part in load_diabetes(return_X_y=True))
GROUPS = np.array([f"g{number}" for number in np.arange(60) // 3])

# Designs small enough for a test.
SMALL = {
    "holdout": {},
    "corrected-t": {"n_splits": 6},
    "cv-wald": {"n_splits": 4},
    "cv-wald-within": {"n_splits": 4},
    "nested-cv": {"n_splits": 4, "n_repeats": 2},
    "conservative-z": {"n_splits": 4, "n_repeats": 3},
    "oob": {"n_splits": 40},
    ".632+": {"n_splits": 40},
    "bootstrap-case-cv": {"n_splits": 20, "n_inner": 3},
    "location-shifted-bootstrap": {"n_splits": 40},
    "two-stage-bootstrap": {"n_splits": 20, "n_inner": 2},
}

METHODS = list(SMALL)
NEEDS_RATE = (".632+", "location-shifted-bootstrap", "two-stage-bootstrap")


def interval(method, estimator=TREE, X=X, y=Y, **given):
    return generalization_interval(
        estimator, X, y, method=method, **{"random_state": 0} | SMALL[method] | given
    )


class Says(ClassifierMixin, BaseEstimator):
    """Predicts what the only feature holds, whatever it is trained on."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.asarray(X)[:, 0].astype(int)


class Mean(RegressorMixin, BaseEstimator):
    def fit(self, X, y):
        self.mean_ = np.mean(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.mean_)


def splits_of(sizes):
    """Return consecutive folds of these sizes."""
    ends = np.cumsum([0, *sizes])
    everything = np.arange(ends[-1])
    return [
        (np.setdiff1d(everything, everything[start:stop]), everything[start:stop])
        for start, stop in pairwise(ends)
    ]

"""Bootstrap intervals for the error on new samples: replicates that fail, and too few of them."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.naive_bayes import GaussianNB

from skeval.exceptions import ResamplingWarning
from skeval.intervals import generalization_interval
from skeval.model_selection import BootstrapSplit

X, Y = np.arange(20)[:, None], np.repeat([0, 1], 10)
FEW = "ignore:.* replicates are too few:skeval.exceptions.ResamplingWarning"


class Demanding(ClassifierMixin, BaseEstimator):
    """Fits on `least` different samples or more; counts the fits that it refused."""

    n_refused = 0

    def __init__(self, least=1):
        self.least = least

    def fit(self, X, y):
        if len(np.unique(X)) < self.least:
            Demanding.n_refused += 1
            raise ValueError("too few different samples")
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.asarray(X)[:, 0] % 2


def two_stage(least):
    Demanding.n_refused = 0
    ask = {"method": "two-stage-bootstrap", "n_splits": 20, "n_inner": 8, "random_state": 0}
    return generalization_interval(Demanding(least), X, Y, **ask)


@pytest.mark.filterwarnings(FEW)
def test_an_inner_replicate_that_fails_costs_no_outer_sample():
    found = two_stage(least=7)  # of some 13 different samples, an inner replicate draws 8 or so
    assert Demanding.n_refused > 0
    assert found.n_failed == 0
    assert len(found.replicates) == 20


@pytest.mark.filterwarnings(FEW)
def test_an_outer_sample_of_which_every_inner_replicate_fails_is_counted():
    with pytest.warns(ResamplingWarning, match="outer bootstrap samples failed and are left out, the first"):
        found = two_stage(least=10)
    assert 0 < found.n_failed < 20
    assert len(found.replicates) == 20 - found.n_failed


def test_no_outer_sample_that_works_is_an_error():
    with pytest.raises(
        ValueError, match="All 20 outer bootstrap samples failed, the first with ValueError: too"
    ):
        two_stage(least=20)


@pytest.mark.parametrize("method", ["oob", ".632+", "location-shifted-bootstrap"])
def test_one_replicate_that_leaves_a_sample_out_is_too_few(method):
    """Drawing every sample once leaves none out."""
    everything = np.arange(20), np.arange(0)
    cv = [*BootstrapSplit(1, random_state=0).split(X), everything]
    with pytest.raises(ValueError, match=r"cv must give at least 2 bootstrap replicates.*got 1 of 2: use"):
        generalization_interval(GaussianNB(), X, Y, method=method, cv=cv)

"""Intervals for the error on new samples: groups that come whole, and weights."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import ShuffleSplit
from sklearn.neighbors import KNeighborsClassifier

from skeval.intervals import generalization_interval
from skeval.model_selection import BootstrapSplit, KFoldSplit
from tests.intervals.generalization_runs import GROUPS, METHODS, QUIET, TREE, Says, X, Y, interval

pytestmark = QUIET


# --- groups


class Whole(ClassifierMixin, BaseEstimator):
    """Majority class; refuses to train on part of a group (the second feature)."""

    def fit(self, X, y):
        counts = np.unique(np.asarray(X)[:, 1], return_counts=True)[1]
        assert (counts % 3 == 0).all(), "part of a group"
        self.classes_, sizes = np.unique(y, return_counts=True)
        self.guess_ = self.classes_[sizes.argmax()]
        self.seen_ = set(np.asarray(X)[:, 1].tolist())
        return self

    def predict(self, X):
        return np.full(len(X), self.guess_)


@pytest.mark.parametrize("method", METHODS)
def test_groups_are_split_and_drawn_whole(method):
    numbered = np.column_stack([X[:, 0], np.arange(60) // 3])
    found = interval(method, Whole(), numbered, Y % 2, groups=GROUPS)
    assert found.n_failed == 0
    assert found.low <= found.estimate <= found.high


@pytest.mark.parametrize("method", ["holdout", "cv-wald", "cv-wald-within", "nested-cv", "oob"])
def test_copies_as_groups_do_not_narrow_the_interval(method):
    # Five copies of each sample are no more than one; without groups they would be taken for five.
    place = np.repeat(np.arange(60), 5)
    error = np.random.default_rng(0).integers(0, 2, 60)[place]
    given = {"X": error[:, None], "y": np.zeros(300, dtype=int), "estimator": Says()}
    # The fixed model errs on some samples: only the sample varies.
    apart, whole = interval(method, **given), interval(method, **given, groups=place)
    ratio = (whole.high - whole.low) / (apart.high - apart.low)
    # sqrt(5) = 2.2; nested cross-validation may go up to sqrt(4) times that with four folds.
    assert 1.5 < ratio < (4.5 if method == "nested-cv" else 3.5)


@pytest.mark.parametrize("method", ["cv-wald", "nested-cv", "corrected-t", "oob"])
def test_every_sample_its_own_group_changes_little(method):
    one, two = interval(method), interval(method, groups=np.arange(60))
    assert two.standard_error == pytest.approx(one.standard_error, rel=0.5)
    splitter = {"corrected-t": ShuffleSplit(6, random_state=0), "oob": BootstrapSplit(40, random_state=0)}
    cv = list(splitter.get(method, KFoldSplit(4, random_state=0)).split(X, Y))
    alike = [
        generalization_interval(TREE, X, Y, method=method, cv=cv, groups=groups)
        for groups in (None, np.arange(60))
    ]
    # On the same splits it changes nothing; nested, the least error is that of each fold, not of all losses.
    close = 1e-2 if method == "nested-cv" else 1e-12
    assert [*alike[1], alike[1].estimate] == pytest.approx([*alike[0], alike[0].estimate], rel=close)


def test_too_few_groups_in_a_test_part_are_refused():
    with pytest.raises(ValueError, match="at least 2 groups in each test part"):
        interval("cv-wald-within", groups=np.arange(60) // 15)


# --- weights


@pytest.mark.filterwarnings("ignore:degenerate:skeval.exceptions.DegenerateDataWarning")
@pytest.mark.parametrize("method", METHODS)
def test_weights_are_used_or_refused(method):
    weight = np.where(Y == 1, 10, 1)
    if method in ("oob", ".632+", "bootstrap-case-cv", "location-shifted-bootstrap", "two-stage-bootstrap"):
        with pytest.raises(ValueError, match="sample_weight must be None for method"):
            interval(method, sample_weight=weight)
        return
    plain = interval(method, DummyClassifier(strategy="constant", constant=0))
    found = interval(method, DummyClassifier(strategy="constant", constant=0), sample_weight=weight)
    assert found.estimate > plain.estimate  # class 1 is wrong, and heavy
    if method.startswith("cv-wald"):  # every sample is tested once
        assert found.estimate == pytest.approx(np.average(Y != 0, weights=weight))


def test_weights_that_a_fit_does_not_take_are_refused():
    with pytest.raises(ValueError, match="takes no sample_weight"):
        interval("cv-wald", KNeighborsClassifier(), sample_weight=np.ones(60))

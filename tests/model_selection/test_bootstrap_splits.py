"""The replicates: those that lack a class or fail, and what is refused before the first fit."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold, ShuffleSplit
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from skeval.exceptions import ResamplingWarning
from skeval.model_selection import BootstrapSplit, KFoldSplit, WithResubstitution, bootstrap_error
from tests.model_selection.bootstrap_runs import QUIET, Fixed, replicates

pytestmark = QUIET


# --- replicates that lack a class, fail, or leave nothing out


def test_a_class_that_is_not_drawn_is_named_and_the_failed_fits_are_counted():
    X, y = [[float(i)] for i in range(10)], [0] * 8 + [1] * 2
    with (
        pytest.warns(ResamplingWarning, match=r"lacks class 1 in \d+ of 200 bootstrap .*stratify=True"),
        pytest.warns(ResamplingWarning, match="of 200 bootstrap replicates failed") as caught,
    ):
        result = bootstrap_error(LogisticRegression(), X, y, random_state=0)
    assert result.n_valid + result.n_failed == 200
    # P(class 1 is not drawn) = .8^10; 21.47 of 200 expected, sd 4.4.
    assert abs(result.n_failed - 21.47) < 5 * 4.4
    assert any(f"{result.n_failed} of 200 bootstrap replicates failed" in str(one.message) for one in caught)
    assert 0 <= result.estimate <= 1


def test_drawn_within_classes_no_fit_fails():
    X, y = [[float(i)] for i in range(10)], [0] * 8 + [1] * 2
    cv = BootstrapSplit(200, stratify=True, random_state=0)
    assert bootstrap_error(LogisticRegression(), X, y, cv=cv).n_failed == 0


def test_a_model_that_can_do_without_the_class_is_kept_and_the_class_named():
    X, y = [[float(i)] for i in range(10)], ["a"] * 8 + ["b"] * 2
    with pytest.warns(ResamplingWarning, match="lacks class 'b'"):
        result = bootstrap_error(DecisionTreeClassifier(), X, y, random_state=0)
    assert result.n_failed == 0


class Fails(Fixed):
    """Fails unless row 0 was drawn."""

    def fit(self, X, y):
        if 0 not in np.asarray(X):
            raise RuntimeError("row 0 is missing")
        return super().fit(X, y)


def test_failures_of_another_kind_tell_the_first_message():
    with pytest.warns(ResamplingWarning, match=r"\d+ of 50 bootstrap .* with RuntimeError: row 0 is missing"):
        result = bootstrap_error(
            Fails(), np.arange(12)[:, None], np.ones(12, int), n_splits=50, random_state=0
        )
    assert 0 < result.n_failed < 50


def test_if_every_replicate_fails_the_first_message_is_raised():
    cv = replicates([[1, 1, 2, 3], [2, 2, 2, 3]], 4)
    with pytest.raises(
        ValueError, match="All 2 bootstrap replicates failed, the first with RuntimeError: row 0"
    ):
        bootstrap_error(Fails(), np.arange(4)[:, None], [0, 1, 0, 1], cv=cv)


def test_a_fit_that_fails_on_all_samples_raises_as_it_is():
    with pytest.raises(RuntimeError, match="row 0 is missing"):
        bootstrap_error(Fails(), np.ones((4, 1)), [0, 1, 0, 1])


def test_samples_never_out_of_bag_are_counted_and_left_out():
    cv = replicates([[0, 0, 1, 2], [0, 1, 1, 3]], 4)
    with pytest.warns(ResamplingWarning, match="2 of 4 samples were out of bag in none of 2"):
        result = bootstrap_error(Fixed(), np.array([[0], [1], [0], [0]]), [0, 0, 0, 1], cv=cv, method="oob")
    assert np.isnan(result.per_observation[:2]).all()
    assert result.leave_one_out == 0.5


def test_replicates_that_leave_nothing_out_are_no_estimate():
    with pytest.raises(ValueError, match="No sample was ever out of bag"):
        bootstrap_error(Fixed(), np.zeros((3, 1)), [0, 1, 0], cv=[([0, 1, 2], [])])


# --- what is refused before the first fit


class NeverFit(ClassifierMixin, BaseEstimator):
    def fit(self, X, y):
        raise AssertionError("fitted before the check")

    def predict(self, X):
        raise AssertionError


class NeverFitRegressor(RegressorMixin, NeverFit):
    pass


@pytest.mark.parametrize(
    ("estimator", "y", "given", "match"),
    [
        (NeverFit(), [0, 1, None, 1], {}, "y holds a missing value at position 2"),
        (NeverFit(), [0.5, 1.5, 0.1, 2.5], {}, "y must hold class labels, got continuous values"),
        (NeverFitRegressor(), [0, 1, 0, 1], {}, "needs a classifier, got the regressor NeverFitRegressor"),
        (NeverFitRegressor(), [0, 1, np.nan, 1], {"loss": "squared"}, "y must hold finite numbers, got nan"),
        (NeverFitRegressor(), ["a", "b", "a", "b"], {"loss": "squared"}, "y must hold numbers"),
        (NeverFit(), [0, 1, 0], {}, "X has 4, y has 3"),
        (NeverFit(), [0, 1, 0, 1], {"groups": [1, 2]}, "groups must have one entry per sample"),
        (NeverFit(), [0, 1, 0, 1], {"method": ".632++"}, "method must be one of"),
        (NeverFit(), [0, 1, 0, 1], {"sample_weight": [1, 1, 1, -1]}, "sample_weight must not be negative"),
        (NeverFit(), [0, 1, 0, 1], {"cv": 5}, "n_splits=5 greater than the number of samples: n_samples=4"),
        (NeverFit(), [0, 1, 0, 1], {"cv": KFold(2)}, "split 0 trains on 2 draws of 4 samples"),
        (NeverFit(), [0, 1, 0, 1], {"cv": KFoldSplit(2)}, "split 0 trains on 2 draws of 4 samples"),
        (
            NeverFit(),
            [0, 1, 0, 1],
            {"cv": ShuffleSplit(2, test_size=1, train_size=2)},
            "does not test on exactly",
        ),
        (NeverFit(), [0, 1, 0, 1], {"cv": [([0, 0, 1, 1], [1, 2, 3])]}, "does not test on exactly"),
        (NeverFit(), [0, 1, 0, 1], {"cv": [([0, 0, 1, 9], [2, 3])]}, "from 0 to 3.*split 0 has 9"),
        (
            NeverFit(),
            [0, 1, 0, 1],
            {"cv": [([0, 0, 2.7, 3], [1])]},
            "cv must hold the row numbers .*2.7",
        ),
        (
            NeverFit(),
            [0, 1, 0, 1],
            {"cv": [([0, 0, 2, 3], [1.0])]},
            "cv must hold the row numbers .*1.0",
        ),
        (
            NeverFit(),
            [0, 1, 0, 1],
            {"cv": WithResubstitution(BootstrapSplit(2))},
            r"split 2 .* no \(all, all\)",
        ),
        (
            NeverFit(),
            [0, 1, 0, 1],
            {"cv": [([0, 0, 1, 1], [2, 3])], "groups": [0, 1, 1, 0]},
            "draws samples of one group unequally often",
        ),
        (
            NeverFit(),
            [0, 1, 0, 1],
            {"cv": [([0, 0, 1, 1, 0, 1], [2, 3])], "groups": [0, 0, 1, 1]},
            "trains on 3 draws of 2 groups",
        ),
    ],
)
def test_bad_input_is_refused_before_the_first_fit(estimator, y, given, match):
    with pytest.raises(ValueError, match=match):
        bootstrap_error(estimator, np.arange(4.0)[:, None], y, **given)


@pytest.mark.parametrize("scale", [1e200, -1e200])
def test_targets_whose_squares_are_infinite_are_refused(scale):
    y = scale * np.arange(1.0, 9.0)
    with pytest.raises(ValueError, match=r"y must hold numbers up to 1e\+60 in size, got 8e\+200"):
        bootstrap_error(NeverFitRegressor(), np.zeros((8, 1)), y, loss="squared")


def test_an_estimator_without_predict_is_refused():
    with pytest.raises(TypeError, match=r"estimator must have predict\(\), StandardScaler has not"):
        bootstrap_error(StandardScaler(), np.zeros((4, 1)), [0, 1, 0, 1])


def test_predictions_that_are_no_labels_are_refused():
    X = np.linspace(0, 0.9, 8)[:, None]
    with pytest.raises(ValueError, match="predictions must hold class labels, got continuous values"):
        bootstrap_error(Fixed(), X, np.arange(8) % 2, n_splits=5)

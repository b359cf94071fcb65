"""Leave-one-out bootstrap, .632 and .632+: the estimates by the numbers, on data of every kind, weighted."""

from collections import Counter

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, NearestCentroid
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.validation import check_is_fitted

from skeval.model_selection import BootstrapSplit, bootstrap_error
from tests.model_selection.bootstrap_runs import (
    EXPECTED,
    IRIS_X,
    IRIS_Y,
    METHODS,
    NAMES,
    QUIET,
    REFERENCE,
    SMALL,
    TOLERANCE,
    Fixed,
    assert_same,
    convention,
    iris_run,
    of_reference,
    replicates,
)
from tests.reference import number

pytestmark = QUIET


# --- values on given index sets


@pytest.mark.parametrize("name", SMALL)
def test_small_data_give_the_exact_fractions(name):
    expected, result = EXPECTED[name], of_reference(name)
    efron = expected["with_err1_efron"]
    assert result.resubstitution == pytest.approx(number(expected["resubstitution"]), **TOLERANCE)
    assert result.leave_one_out == pytest.approx(
        number(expected["err1_efron_per_observation (never-OOB skipped)"]), **TOLERANCE
    )
    assert result.no_information == pytest.approx(number(expected["gamma"]), **TOLERANCE)
    assert result.overfitting_rate == pytest.approx(number(efron["R_clipped_to_[0,1]"]), **TOLERANCE)
    assert result.weight == pytest.approx(number(efron["w (R clipped)"]), **TOLERANCE)
    assert result.estimate == pytest.approx(convention(efron, "C"), **TOLERANCE)
    assert of_reference(name, method=".632").estimate == pytest.approx(number(efron["err_632"]), **TOLERANCE)
    assert of_reference(name, method="oob").estimate == result.leave_one_out
    each = [np.nan if value is None else number(value) for value in expected["per_observation_oob_error"]]
    assert result.per_observation == pytest.approx(each, nan_ok=True, **TOLERANCE)


@pytest.mark.parametrize("name", ["iris_nc", "iris_lda"])
def test_iris_gives_what_ipred_gives_on_the_same_index_sets(name):
    # ipred::errorest in R 4.2.2 with list.tindx, and numpy.
    X, y = load_iris(return_X_y=True)
    model = NearestCentroid() if name == "iris_nc" else LinearDiscriminantAnalysis()
    cv = replicates(REFERENCE["inputs"]["iris"]["bootstrap_indices_0_based"], 150)
    result, expected = bootstrap_error(model, X, y, cv=cv), EXPECTED[name]
    assert result.resubstitution == pytest.approx(expected["resubstitution"], **TOLERANCE)
    assert result.leave_one_out == pytest.approx(expected["err1_efron"], **TOLERANCE)
    assert result.no_information == pytest.approx(expected["gamma"], **TOLERANCE)
    assert result.overfitting_rate == pytest.approx(expected["R"], **TOLERANCE)
    assert result.weight == pytest.approx(expected["w"], **TOLERANCE)
    assert result.estimate == pytest.approx(expected["err_632plus"], **TOLERANCE)
    assert bootstrap_error(model, X, y, cv=cv, method=".632").estimate == pytest.approx(
        expected["err_632"], **TOLERANCE
    )


def test_one_nearest_neighbor_on_noise_has_resubstitution_error_0_and_632_of_the_rest():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 3)), rng.integers(0, 2, 40)
    result = bootstrap_error(KNeighborsClassifier(1), X, y, method=".632", n_splits=50, random_state=0)
    assert result.resubstitution == 0
    assert result.estimate == 0.632 * result.leave_one_out
    assert 0.35 < result.leave_one_out < 0.65


@pytest.mark.parametrize("method", METHODS)
def test_a_classifier_that_learns_nothing_has_one_error_by_every_method(method):
    predicted, y = [0, 0, 1, 0, 1, 1, 0, 1, 1, 0], [0, 0, 0, 0, 1, 1, 1, 1, 1, 1]
    result = bootstrap_error(Fixed(), np.array(predicted)[:, None], y, method=method, random_state=0)
    # Three of ten are wrong whatever is drawn; gamma = .4 x .5 + .6 x .5.
    assert result.estimate == pytest.approx(0.3, abs=1e-12)
    assert result.resubstitution == pytest.approx(0.3, abs=1e-12)
    assert result.leave_one_out == pytest.approx(0.3, abs=1e-12)
    assert result.no_information == 0.5


def test_the_no_information_rate_is_the_mean_over_all_pairs():
    rng = np.random.default_rng(1)
    y, predicted = rng.choice(list("abc"), 30), rng.choice(list("bcd"), 30)
    result = bootstrap_error(Fixed(), predicted[:, None], y, n_splits=20, random_state=0)
    assert result.no_information == pytest.approx((y[:, None] != predicted[None, :]).mean(), abs=1e-12)


def test_the_no_information_rate_needs_no_pairs():
    # 60,000 ones in the truth, 120,000 in the prediction: .3 x .4 + .7 x .6; the pairs would fill 40 GB.
    n = 200_000
    y, predicted = np.arange(n) < 60_000, np.arange(n) < 120_000
    result = bootstrap_error(Fixed(), predicted[:, None], y, n_splits=2, random_state=0, method="oob")
    assert result.no_information == pytest.approx(0.54, abs=1e-12)


# --- data of every kind


@pytest.mark.parametrize(
    ("X", "y"),
    [
        (IRIS_X.tolist(), IRIS_Y.tolist()),
        (IRIS_X, NAMES),
        (IRIS_X, NAMES.astype(object)),
        (
            pd.DataFrame(IRIS_X, columns=list("abcd"), index=np.arange(50)[::-1]),
            pd.Series(NAMES, index=np.arange(50) + 7),
        ),
        (pd.DataFrame(IRIS_X, columns=list("abcd")), pd.Series(NAMES, dtype="category")),
        (pl.DataFrame(IRIS_X, schema=list("abcd")), pl.Series(NAMES.tolist())),
        (IRIS_X, IRIS_Y.astype(float)),
    ],
    ids=["lists", "str", "object", "pandas", "category", "polars", "floats"],
)
def test_containers_and_names_of_classes_change_nothing(X, y):
    assert_same(iris_run(X, y), iris_run())


@pytest.mark.parametrize("kind", [sparse.csr_matrix, sparse.coo_matrix])
def test_sparse_data_are_taken(kind):
    tree = DecisionTreeClassifier(random_state=0)
    assert_same(iris_run(kind(IRIS_X), estimator=tree), iris_run(estimator=tree))


@pytest.mark.parametrize(
    "estimator",
    [
        make_pipeline(StandardScaler(), LogisticRegression()),
        LinearDiscriminantAnalysis(),
        DecisionTreeClassifier(random_state=0),
    ],
    ids=lambda estimator: type(estimator).__name__,
)
def test_the_number_of_workers_changes_no_bit(estimator):
    assert_same(iris_run(estimator=estimator), iris_run(estimator=estimator, n_jobs=2))


def test_estimators_are_left_unfitted():
    estimator = GaussianNB()
    iris_run(estimator=estimator)
    with pytest.raises(NotFittedError, match="not fitted"):
        check_is_fitted(estimator)


def test_every_model_is_fitted_once_per_replicate_and_once_on_all():
    fits = Counter()

    class Counted(Fixed):
        def fit(self, X, y):
            fits[len(np.unique(X))] += 1
            return super().fit(X, y)

    bootstrap_error(Counted(), np.arange(10)[:, None], np.arange(10), n_splits=20, random_state=0)
    assert fits[10] == 1
    assert fits.total() == 21


def test_an_estimator_without_base_class_will_do():
    class Duck:
        def get_params(self, deep=True):
            return {}

        def set_params(self):
            return self

        def fit(self, X, y):
            self.most = np.bincount(y).argmax()
            return self

        def predict(self, X):
            return np.full(len(X), self.most)

    assert_same(iris_run(estimator=Duck()), iris_run(estimator=DummyClassifier(strategy="most_frequent")))


def test_groups_are_drawn_whole():
    groups = np.arange(50) // 5

    class Whole(Fixed):
        def fit(self, X, y):
            times = np.bincount(np.asarray(X)[:, 0], minlength=50).reshape(10, 5)
            assert (times == times[:, :1]).all(), "part of a group"
            return super().fit(X, y)

    rows = np.arange(50)[:, None]
    assert bootstrap_error(Whole(), rows, IRIS_Y, groups=groups, n_splits=25, random_state=0).n_failed == 0
    with pytest.raises(AssertionError, match="part of a group"):
        Whole().fit(rows[1:], IRIS_Y[1:])
    result = iris_run(groups=groups, method="oob")
    by_hand = iris_run(groups=groups, method="oob", cv=BootstrapSplit(25, random_state=0))
    assert_same(result, by_hand)
    assert result.standard_error_uncorrected != iris_run(method="oob").standard_error_uncorrected


# --- weights


def test_equal_weights_are_no_weights_but_for_the_standard_error():
    weighted, plain = iris_run(sample_weight=np.full(50, 3)), iris_run()
    assert weighted.estimate == pytest.approx(plain.estimate, rel=1e-12)
    assert weighted.no_information == pytest.approx(plain.no_information, rel=1e-12)
    assert weighted.standard_error is None
    assert "standard error" not in str(weighted)
    with pytest.raises(ValueError, match="with sample_weight the standard error is not known"):
        weighted.confidence_interval()


def test_weights_enter_every_mean():
    y, predicted = np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1])

    class Weighted(Fixed):
        def fit(self, X, y, sample_weight=None):
            assert len(sample_weight) == len(y)
            return super().fit(X, y)

    result = bootstrap_error(
        Weighted(),
        predicted[:, None],
        y,
        sample_weight=[1, 5, 2, 2],
        n_splits=50,
        random_state=0,
        method="oob",
    )
    assert result.resubstitution == pytest.approx(0.5)
    assert result.leave_one_out == pytest.approx(0.5)
    # Weight of class 0: .6 in the truth, .1 in the prediction.
    assert result.no_information == pytest.approx(1 - 0.6 * 0.1 - 0.4 * 0.9)


def test_weights_reach_the_last_step_of_a_pipeline():
    pipeline = make_pipeline(StandardScaler(), GaussianNB())
    weights = np.where(IRIS_Y == 1, 50.0, 1.0)
    known = clone(pipeline).fit(IRIS_X, IRIS_Y, gaussiannb__sample_weight=weights)
    wrong, plain = (
        np.average(model.predict(IRIS_X) != IRIS_Y, weights=weights)
        for model in (known, clone(pipeline).fit(IRIS_X, IRIS_Y))
    )
    assert wrong != plain
    found = iris_run(estimator=pipeline, sample_weight=weights)
    assert found.resubstitution == pytest.approx(wrong, abs=1e-12)


def test_weights_that_would_be_lost_are_refused():
    with pytest.raises(ValueError, match="sample_weight cannot be used: fit of KNeighborsClassifier"):
        iris_run(estimator=KNeighborsClassifier(), sample_weight=np.ones(50))

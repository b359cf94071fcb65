"""Leave-one-out bootstrap, .632 and .632+: values, standard error, what is refused, what is reported."""

import itertools
import warnings
from collections import Counter

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.stats import norm
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.datasets import load_diabetes, load_iris
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import KFold, ShuffleSplit, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor, NearestCentroid
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.validation import check_is_fitted

from skeval.exceptions import MissingScoreError, ResamplingWarning
from skeval.metrics import ConfusionScorer
from skeval.model_selection import (
    BootstrapSplit,
    KFoldSplit,
    WithResubstitution,
    bootstrap_error,
    bootstrap_error_from_results,
    combine_bootstrap_error,
)
from skeval.model_selection._bootstrap_formulas import delta_method, out_of_bag_errors
from tests.reference import load, number

# Small runs warn of much; the tests that look at a warning name it.
pytestmark = [
    pytest.mark.filterwarnings(f"ignore:{message}:skeval.exceptions.ResamplingWarning")
    for message in ("At n_splits", "The training part lacks", ".* out of bag in none")
]

REFERENCE = load("09_bootstrap_632plus.json")
EXPECTED = REFERENCE["expected"]
TOLERANCE = {"rel": 0, "abs": 1e-12}  # of the reference
SMALL = [name for name in REFERENCE["inputs"] if name != "iris"]
CLASSIFIERS = {"1nn": KNeighborsClassifier(1), "majority": DummyClassifier(strategy="most_frequent")}
METHODS = (".632+", ".632", "oob")


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


# --- the formula --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("errors", "expected"),
    [
        # (resubstitution, out-of-bag, no-information): by hand from the two-term form, R = 0, 1, 0, .5, .6.
        ((0.30, 0.20, 0.50), 0.2368),
        ((0.10, 0.60, 0.50), 0.5632),
        ((0.45, 0.60, 0.45), 0.5448),
        ((0.10, 0.30, 0.50), 0.2549019607843137),
        ((0.00, 0.30, 0.50), 0.2433264887063655),
    ],
)
def test_the_two_term_form_with_a_rate_between_0_and_1(errors, expected):
    assert combine_bootstrap_error(*errors, method=".632+") == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("average", ["with_err1_efron", "with_err1_mean_over_bootstraps"])
def test_the_formula_gives_the_exact_fractions(name, average):
    # Exact fractions, and ipred 0.9-15 in R 4.2.2 where its convention is the same.
    expected = EXPECTED[name]
    err1 = "err1_efron_per_observation (never-OOB skipped)"
    if average == "with_err1_mean_over_bootstraps":
        err1 = "err1_mean_over_bootstraps (empty OOB skipped)"
    errors = [number(expected[key]) for key in ("resubstitution", err1, "gamma")]
    assert combine_bootstrap_error(*errors, method=".632") == pytest.approx(
        number(expected[average]["err_632"]), **TOLERANCE
    )
    assert combine_bootstrap_error(*errors, method=".632+") == pytest.approx(
        convention(expected[average], "C"), **TOLERANCE
    )
    assert combine_bootstrap_error(*errors, method="oob") == errors[1]


@settings(deadline=None, max_examples=200)
@given(st.lists(st.floats(0, 1), min_size=3, max_size=3))
def test_632_plus_of_rates_lies_between_the_smallest_and_the_largest_of_them(errors):
    estimate = combine_bootstrap_error(*errors)
    assert min(errors[:2]) - 1e-12 <= estimate <= max(errors[:2]) + 1e-12
    assert isinstance(estimate, float)


def test_arrays_broadcast_and_nan_stays_where_it_is():
    estimate = combine_bootstrap_error([[0.1], [0.0]], [0.3, np.nan], 0.5)
    assert estimate.shape == (2, 2)
    assert estimate[0, 0] == combine_bootstrap_error(0.1, 0.3, 0.5)
    assert np.isnan(estimate[:, 1]).all()


def test_the_formula_refuses_what_it_cannot_do():
    with pytest.raises(ValueError, match=r"no_information must be given for method='.632\+'"):
        combine_bootstrap_error(0.1, 0.3)
    with pytest.raises(ValueError, match=r"method must be one of '.632\+', '.632', 'oob', got '632'"):
        combine_bootstrap_error(0.1, 0.3, 0.5, method="632")


# --- values on given index sets -----------------------------------------------------------------------------


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


class Fixed(ClassifierMixin, BaseEstimator):
    """A classifier that learns nothing: X is its prediction."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.asarray(X)[:, 0]


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


# --- squared loss and other losses --------------------------------------------------------------------------


def test_squared_loss_has_its_own_no_information_rate():
    X, y = load_diabetes(return_X_y=True)
    X, y = X[:60], y[:60]
    result = bootstrap_error(LinearRegression(), X, y, loss="squared", n_splits=40, random_state=0)
    predicted = LinearRegression().fit(X, y).predict(X)
    assert result.resubstitution == pytest.approx(((y - predicted) ** 2).mean(), rel=1e-12)
    assert result.no_information == pytest.approx(((y[:, None] - predicted[None, :]) ** 2).mean(), rel=1e-12)
    assert result.resubstitution < result.estimate < result.no_information


def test_squared_loss_of_the_mean_by_hand():
    # y = 0, 0, 6: mean 2, squared errors 4, 4, 16; gamma = var y = 8.
    y = np.array([0.0, 0.0, 6.0])
    cv = replicates([[0, 0, 1], [1, 2, 2], [0, 2, 2]], 3)
    result = bootstrap_error(DummyRegressor(), np.zeros((3, 1)), y, loss="squared", method=".632", cv=cv)
    assert result.resubstitution == pytest.approx(8)
    assert result.no_information == pytest.approx(8)
    # Left out: 2 (mean 0: 36), 0 (mean 4: 16), 1 (mean 4: 16).
    assert result.leave_one_out == pytest.approx((36 + 16 + 16) / 3)
    assert result.estimate == pytest.approx(0.368 * 8 + 0.632 * 68 / 3)


def absolute(y_true, y_pred):
    return abs(y_true - y_pred)


def test_a_function_of_target_and_prediction_is_a_loss():
    X, y = load_diabetes(return_X_y=True)
    result = bootstrap_error(
        LinearRegression(), X[:50], y[:50], loss=absolute, method="oob", n_splits=30, random_state=0
    )
    assert result.loss == "absolute"
    assert result.no_information is None
    assert result.overfitting_rate is None
    assert result.weight == 1
    assert result.estimate == result.leave_one_out > result.resubstitution
    assert result.confidence_interval().low < result.estimate


def test_632_plus_of_a_function_is_refused():
    with pytest.raises(ValueError, match=r"needs the no-information rate.*use method='.632' or 'oob'"):
        bootstrap_error(LinearRegression(), np.zeros((4, 1)), np.arange(4.0), loss=absolute)


def test_a_loss_gives_one_value_per_sample():
    with pytest.raises(ValueError, match=r"loss must return one value per sample: 4 samples, got shape \(\)"):
        bootstrap_error(
            DummyRegressor(),
            np.zeros((4, 1)),
            np.arange(4.0),
            loss=lambda y, f: 0.0,
            method="oob",
            n_splits=5,
        )
    with pytest.raises(ValueError, match="loss values must hold finite numbers, got nan"):
        bootstrap_error(
            DummyRegressor(), np.zeros((4, 1)), np.arange(4.0), loss=lambda y, f: y * np.nan, method="oob"
        )


@pytest.mark.parametrize(
    "loss",
    ["roc_auc", "f1", "f1_macro", "balanced_accuracy", "g_mean", "average_precision", "matthews_corrcoef"],
)
def test_a_metric_that_is_no_mean_of_losses_is_refused_with_the_way_out(loss):
    with pytest.raises(ValueError, match=r"not a mean of losses per sample.*cv=BootstrapSplit"):
        bootstrap_error(GaussianNB(), np.zeros((4, 1)), [0, 1, 0, 1], loss=loss)


@pytest.mark.parametrize("loss", ["hinge", None, 3])
def test_an_unknown_loss_is_refused(loss):
    with pytest.raises(ValueError, match="loss must be 'zero_one', 'squared' or a function"):
        bootstrap_error(GaussianNB(), np.zeros((4, 1)), [0, 1, 0, 1], loss=loss)


# --- the standard error -------------------------------------------------------------------------------------


def test_the_uncorrected_standard_error_is_that_of_the_paper():
    # The D_i of E & T 1997 with divisor B in exact fractions.
    expected = EXPECTED["nn_binary_B12"]["standard_error"]
    result = of_reference("nn_binary_B12", method="oob")
    assert result.standard_error_uncorrected == pytest.approx(expected["SE_delta (divisor B)"], abs=1e-12)


def test_the_noise_is_the_variance_of_the_mean_product():
    # From the definition, with the stored q_b: e_m^2/B var_b[(N_ib - mean)(q_b - mean)], summed.
    expected = EXPECTED["nn_binary_B12"]["standard_error"]
    drawn = np.array([np.bincount(b, minlength=6) for b in REFERENCE["inputs"]["nn_binary_B12"]["boot"]])
    q = np.array([number(value) for value in expected["q_b"]])
    products = (drawn - drawn.mean(axis=0)) * (q - q.mean())[:, None]
    noise = number(expected["e_n=(1-1/n)^-n"]) ** 2 * products.var(axis=0).sum() / 12
    result = of_reference("nn_binary_B12", method="oob")
    assert result.monte_carlo_error == pytest.approx(np.sqrt(noise), abs=1e-12)
    # Twelve replicates of six samples are all noise.
    assert result.standard_error == 0
    assert "standard error" not in str(result)
    with pytest.raises(ValueError, match="lost in the Monte Carlo noise; use more replicates"):
        result.confidence_interval()


@pytest.mark.parametrize("name", EXPECTED["ideal_bootstrap_n4"])
def test_over_all_possible_draws_it_is_the_exact_derivative(name):
    # Derivative of the ideal bootstrap by enumeration of its 4^4 samples.
    case = EXPECTED["ideal_bootstrap_n4"][name]
    cv = replicates(itertools.product(range(4), repeat=4), 4)
    X = np.array(case["x"], dtype=float)[:, None]
    result = bootstrap_error(CLASSIFIERS[case["clf"]], X, case["y"], cv=cv, method="oob")
    assert result.leave_one_out == pytest.approx(number(case["Err1_ideal"]), abs=1e-12)
    assert result.standard_error_uncorrected == pytest.approx(case["SE_delta_ideal"], abs=1e-9)


def ideal_standard_error(X, y, units, strata):
    """Differentiate Err1 of the ideal bootstrap by each unit's probability, from all possible draws.

    Independent of the formula: every draw gets its probability under shifted weights.
    """
    members = [np.flatnonzero(strata == one) for one in np.unique(strata)]
    draws = [
        np.concatenate(parts)
        for parts in itertools.product(*(itertools.product(inside, repeat=len(inside)) for inside in members))
    ]
    rows = {unit: np.flatnonzero(units == unit) for unit in range(len(strata))}
    losses = np.full((len(draws), len(y)), np.nan)
    for b, drawn in enumerate(draws):
        test = np.flatnonzero(~np.isin(units, drawn))
        if len(test):
            train = np.concatenate([rows[unit] for unit in drawn])
            losses[b, test] = KNeighborsClassifier(1).fit(X[train], y[train]).predict(X[test]) != y[test]
    tested = ~np.isnan(losses)
    losses = np.nan_to_num(losses)
    size = np.array([(strata == one).sum() for one in strata])

    def err1(p):
        chance = np.array([np.prod(p[drawn]) for drawn in draws])
        each = chance @ losses / (chance @ tested)
        share = (p * size)[units]  # the weight of each sample's own unit
        return (share * each).sum() / share.sum()

    def slope(unit):
        ends = []
        for step in (1e-4, -1e-4):
            p = 1 / size
            inside = strata == strata[unit]
            p[inside] *= 1 - step
            p[unit] += step
            ends.append(err1(p))
        return (ends[0] - ends[1]) / 2e-4

    slopes = np.array([slope(unit) for unit in range(len(strata))])
    return np.sqrt(((slopes / size) ** 2).sum()), draws, rows


def test_within_classes_it_is_the_derivative_of_the_stratified_bootstrap():
    X, y = np.array([0.0, 3.0, 1.0, 2.5, 7.0])[:, None], np.array([0, 0, 1, 1, 1])
    expected, draws, _ = ideal_standard_error(X, y, np.arange(5), y)
    result = bootstrap_error(KNeighborsClassifier(1), X, y, cv=replicates(draws, 5), method="oob")
    assert result.standard_error_uncorrected == pytest.approx(expected, rel=1e-6)


def test_over_groups_it_is_the_derivative_of_the_bootstrap_of_groups():
    X = np.array([0.0, 3.0, 1.0, 2.5, 7.0, 4.0, 5.5])[:, None]
    y, groups = np.array([0, 0, 1, 1, 1, 0, 1]), np.array([0, 1, 1, 2, 3, 3, 3])
    expected, draws, rows = ideal_standard_error(X, y, groups, np.zeros(4, dtype=int))
    cv = replicates([np.concatenate([rows[unit] for unit in drawn]) for drawn in draws], 7)
    result = bootstrap_error(KNeighborsClassifier(1), X, y, cv=cv, groups=groups, method="oob")
    assert result.standard_error_uncorrected == pytest.approx(expected, rel=1e-6)


def test_the_parts_of_the_variance_add_up_and_scale_with_the_estimate():
    X, y = load_iris(return_X_y=True)
    given = {"cv": BootstrapSplit(200, random_state=0)}
    plain = bootstrap_error(LinearDiscriminantAnalysis(), X, y, method="oob", **given)
    plus = bootstrap_error(LinearDiscriminantAnalysis(), X, y, **given)
    for result in (plain, plus):
        assert result.standard_error**2 + result.monte_carlo_error**2 == pytest.approx(
            result.standard_error_uncorrected**2
        )
    assert plus.standard_error / plain.standard_error == pytest.approx(plus.estimate / plus.leave_one_out)


@pytest.mark.parametrize(("n_samples", "n_data_sets", "inflated"), [(100, 150, 1.4), (500, 60, 2.4)])
def test_the_corrected_standard_error_is_the_true_one_of_a_stable_rule(n_samples, n_data_sets, inflated):
    """A rule that no training changes and that errs on a fifth: its error has sd sqrt(.2 x .8/m).

    Uncorrected, 200 replicates give 1.4 times that at m = 100, 2.4 times at m = 500.
    """
    rng, found = np.random.default_rng(0), []
    for _ in range(n_data_sets):
        wrong = (rng.random(n_samples) < 0.2).astype(float)
        splits = BootstrapSplit(200, random_state=rng).split(np.empty(n_samples))
        trains, tests = (list(side) for side in zip(*splits, strict=True))
        losses = [wrong[test] for test in tests]
        errors = out_of_bag_errors(tests, losses, n_samples)
        found.append(delta_method(trains, tests, losses, errors))
    squared, noise = np.mean(found, axis=0)
    truth = np.sqrt(0.2 * 0.8 / n_samples)
    assert np.sqrt(squared - noise) == pytest.approx(truth, rel=0.1)
    assert np.sqrt(squared) == pytest.approx(inflated * truth, rel=0.1)


def test_noise_is_a_warning_with_the_number_of_replicates_to_use():
    X, y = load_iris(return_X_y=True)
    with pytest.warns(
        ResamplingWarning, match=r"At n_splits=100, \d\d% of .* Monte Carlo noise.* use n_splits=\d+00 "
    ):
        bootstrap_error(LinearDiscriminantAnalysis(), X, y, n_splits=100, random_state=0)


def test_enough_replicates_are_no_warning():
    predicted, y = np.arange(12) % 3 == 0, np.arange(12) % 2 == 0
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        bootstrap_error(Fixed(), predicted[:, None], y, n_splits=1000, random_state=0)
    assert [str(one.message) for one in caught if "At n_splits" in str(one.message)] == []


def test_the_interval_is_normal_and_within_the_range_of_the_loss():
    X, y = load_iris(return_X_y=True)
    result = bootstrap_error(LinearDiscriminantAnalysis(), X, y, n_splits=400, random_state=0)
    low, high = result.confidence_interval(0.5)
    half = norm.ppf(0.75) * result.standard_error
    assert (low, high) == pytest.approx((result.estimate - half, result.estimate + half))
    assert result.confidence_interval(0.9999).low == 0
    with pytest.raises(ValueError, match="confidence_level must be a number in"):
        result.confidence_interval(95)


def test_without_a_wrong_prediction_there_is_no_interval():
    y = np.arange(30) % 2
    result = bootstrap_error(Fixed(), y[:, None], y, n_splits=50, random_state=0)
    assert result.estimate == result.standard_error == 0
    with pytest.raises(ValueError, match="no loss varies"):
        result.confidence_interval()


# --- data of every kind -------------------------------------------------------------------------------------

IRIS_X, IRIS_Y = load_iris(return_X_y=True)
IRIS_X, IRIS_Y = IRIS_X[::3], IRIS_Y[::3]
NAMES = np.array(["setosa", "versicolor", "virginica"])[IRIS_Y]


def iris_run(X=IRIS_X, y=IRIS_Y, estimator=None, **given):
    estimator = GaussianNB() if estimator is None else estimator
    return bootstrap_error(estimator, X, y, **{"n_splits": 25, "random_state": 0, **given})


def assert_same(one, other):
    assert repr(one) == repr(other)
    assert np.array_equal(one.per_observation, other.per_observation, equal_nan=True)


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
            self.most = Counter(y.tolist()).most_common(1)[0][0]
            return self

        def predict(self, X):
            return np.full(len(X), self.most)

    assert 0 < iris_run(estimator=Duck()).estimate < 1


def test_groups_are_drawn_whole():
    groups = np.arange(50) // 5
    result = iris_run(groups=groups, method="oob")
    by_hand = iris_run(groups=groups, method="oob", cv=BootstrapSplit(25, random_state=0))
    assert_same(result, by_hand)
    assert result.standard_error_uncorrected != iris_run(method="oob").standard_error_uncorrected


# --- weights ------------------------------------------------------------------------------------------------


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
    assert iris_run(estimator=pipeline, sample_weight=weights).resubstitution != iris_run().resubstitution


def test_weights_that_would_be_lost_are_refused():
    with pytest.raises(ValueError, match="sample_weight cannot be used: fit of KNeighborsClassifier"):
        iris_run(estimator=KNeighborsClassifier(), sample_weight=np.ones(50))


# --- replicates that lack a class or fail -------------------------------------------------------------------


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


# --- what is refused before the first fit -------------------------------------------------------------------


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
        (NeverFit(), [0, 1, 0, 1], {"cv": 5}, "split 0 trains on 3 draws of 4 samples|n_splits=5"),
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


def test_an_estimator_without_predict_is_refused():
    with pytest.raises(TypeError, match=r"estimator must have predict\(\), StandardScaler has not"):
        bootstrap_error(StandardScaler(), np.zeros((4, 1)), [0, 1, 0, 1])


def test_predictions_that_are_no_labels_are_refused():
    X = np.linspace(0, 0.9, 8)[:, None]
    with pytest.raises(ValueError, match="predictions must hold class labels, got continuous values"):
        bootstrap_error(Fixed(), X, np.arange(8) % 2, n_splits=5)


# --- the result ---------------------------------------------------------------------------------------------


def test_the_result_reads_as_a_sentence():
    result = iris_run(n_splits=300)
    assert str(result).startswith(f".632+ bootstrap: 0-1 loss {result.estimate:.4g} (standard error ")
    assert "no-information 0.66" in str(result)
    assert str(result).endswith("300 of 300 replicates).")
    assert result.estimand == "mean 0-1 loss, on new samples, of the method trained on 50 samples"
    assert "about 32 distinct" in iris_run(method="oob").estimand
    assert "1997" in result.reference


def test_the_result_is_a_table_too():
    result = iris_run()
    frame = result.frame()
    assert frame.shape[0] == 1
    assert frame.loc[0, "estimate"] == result.estimate
    assert "<table" in result._repr_html_()
    assert ".632+ bootstrap" in result._repr_html_()


# --- from the results of cross_validate ---------------------------------------------------------------------

CV = WithResubstitution(BootstrapSplit(25, random_state=0))


def cross_validated(y=IRIS_Y, labels=(0, 1, 2), estimator=None, cv=CV, **given):
    estimator = GaussianNB() if estimator is None else estimator
    return cross_validate(estimator, IRIS_X, y, cv=cv, scoring=ConfusionScorer(list(labels)), **given)


def cells(*matrices):
    """Return what cross_validate gives for these confusion matrices, the last of the (all, all) split."""
    stack = np.array(matrices, dtype=float)
    size = stack.shape[-1]
    return {f"test_confusion_{i}_{j}": stack[:, i, j] for i in range(size) for j in range(size)}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", SMALL)
def test_cells_give_the_pooled_and_the_replicates_mean(name, method):
    # Made by hand from the stored out-of-bag predictions; exact fractions.
    case, expected = REFERENCE["inputs"][name], EXPECTED[name]
    size = max(case["y"]) + 1
    matrices = []
    for predicted in [*expected["oob_predictions"], expected["predictions_full_fit"]]:
        matrix = np.zeros((size, size))
        for true, guess in zip(case["y"], predicted, strict=True):
            if guess is not None:
                matrix[true, guess] += 1
        matrices.append(matrix)
    replicate = bootstrap_error_from_results(cells(*matrices), method=method, average="replicate")
    pooled = bootstrap_error_from_results(cells(*matrices), method=method)
    assert pooled.leave_one_out == pytest.approx(
        number(expected["err1_pooled_over_all_oob_predictions"]), **TOLERANCE
    )
    assert replicate.leave_one_out == pytest.approx(
        number(expected["err1_mean_over_bootstraps (empty OOB skipped)"]), **TOLERANCE
    )
    for result in (pooled, replicate):
        assert result.resubstitution == pytest.approx(number(expected["resubstitution"]), **TOLERANCE)
        assert result.no_information == pytest.approx(number(expected["gamma"]), **TOLERANCE)
    if method == ".632+":
        exact = convention(expected["with_err1_mean_over_bootstraps"], "C")
        assert replicate.estimate == pytest.approx(exact, **TOLERANCE)


@pytest.mark.parametrize("method", METHODS)
def test_per_observation_it_is_what_bootstrap_error_gives(method):
    results = cross_validated(return_estimator=True, return_indices=True)
    found = bootstrap_error_from_results(results, method=method, average="observation", X=IRIS_X, y=IRIS_Y)
    assert_same(found, iris_run(method=method))


def test_per_observation_with_groups_and_within_classes():
    groups = np.arange(50) // 5
    results = cross_validated(return_estimator=True, return_indices=True, groups=groups)
    found = bootstrap_error_from_results(results, average="observation", X=IRIS_X, y=IRIS_Y, groups=groups)
    assert_same(found, iris_run(groups=groups))
    inner = BootstrapSplit(25, stratify=True, random_state=0)
    results = cross_validated(cv=WithResubstitution(inner), return_estimator=True, return_indices=True)
    found = bootstrap_error_from_results(results, average="observation", X=IRIS_X, y=IRIS_Y)
    assert_same(found, iris_run(cv=inner))


def test_strings_and_train_scores_are_read():
    results = cross_validated(NAMES, sorted(set(NAMES)), return_train_score=True, return_indices=True)
    found = bootstrap_error_from_results(results)
    assert found.average == "pooled"
    assert found.n_samples == 50
    assert found.n_valid == 25
    assert repr(found) == repr(bootstrap_error_from_results(cross_validated()))


def test_other_averages_have_no_interval():
    result = bootstrap_error_from_results(cross_validated())
    assert result.standard_error is None
    with pytest.raises(
        ValueError, match="the average over pooled has no standard error here; use average='obs"
    ):
        result.confidence_interval()


@pytest.mark.parametrize("keys", [(), ("return_train_score",), ("return_indices",)])
@pytest.mark.parametrize(
    "cv", [KFold(5), KFold(3, shuffle=True, random_state=0), BootstrapSplit(9, random_state=0)]
)
def test_results_without_the_resubstitution_split_are_refused(cv, keys):
    # 50 samples in 3 parts: the first part, not the last, is larger.
    with pytest.raises(ValueError, match=r"The last split must be \(all, all\)"):
        bootstrap_error_from_results(cross_validated(cv=cv, **dict.fromkeys(keys, True)))


def test_a_largest_last_part_is_not_taken_for_all_samples():
    parts = [(np.arange(20, 50), np.arange(20)), (np.arange(20), np.arange(20, 50))]
    for keys in ({"return_train_score": True}, {"return_indices": True}):
        with pytest.raises(ValueError, match=r"The last split must be \(all, all\)"):
            bootstrap_error_from_results(cross_validated(cv=parts, **keys))


def test_a_single_split_is_refused():
    with pytest.raises(ValueError, match=r"The last split must be \(all, all\)"):
        bootstrap_error_from_results(cells([[3, 1], [0, 4]]))


def test_results_without_cells_are_refused():
    with pytest.raises(ValueError, match="has no key like 'test_confusion_0_0'"):
        bootstrap_error_from_results({"test_score": np.ones(3)})


def test_a_failed_split_is_named():
    broken = cells([[3, 1], [0, 4]], [[np.nan] * 2] * 2, [[5, 0], [0, 5]])
    with pytest.raises(MissingScoreError, match="split 1"):
        bootstrap_error_from_results(broken)


def test_per_observation_needs_models_indices_and_data():
    with pytest.raises(ValueError, match=r"needs X, y, .* results lack \['estimator', 'indices'\]"):
        bootstrap_error_from_results(cross_validated(), average="observation", X=IRIS_X, y=IRIS_Y)


def test_other_data_than_those_of_the_results_are_refused():
    results = cross_validated(return_estimator=True, return_indices=True)
    with pytest.raises(ValueError, match="X and y must be the data of the results, in the same order"):
        bootstrap_error_from_results(results, average="observation", X=IRIS_X[::-1], y=IRIS_Y)
    with pytest.raises(ValueError, match="49 samples, results have 50"):
        bootstrap_error_from_results(results, average="observation", X=IRIS_X[1:], y=IRIS_Y[1:])


def test_cross_validation_with_resubstitution_is_no_bootstrap():
    results = cross_validated(cv=WithResubstitution(5), return_estimator=True, return_indices=True)
    with pytest.raises(ValueError, match="must give bootstrap replicates"):
        bootstrap_error_from_results(results, average="observation", X=IRIS_X, y=IRIS_Y)


@settings(deadline=None, max_examples=60)
@given(
    matrices=st.lists(st.lists(st.integers(0, 6), min_size=4, max_size=4), min_size=1, max_size=5),
    everything=st.lists(st.integers(7, 20), min_size=4, max_size=4),
    average=st.sampled_from(["pooled", "replicate"]),
)
def test_632_plus_stays_between_0_and_1(matrices, everything, average):
    if not all(map(sum, matrices)):
        return
    shaped = [np.reshape(one, (2, 2)) for one in [*matrices, everything]]
    result = bootstrap_error_from_results(cells(*shaped), average=average)
    assert 0 <= result.estimate <= 1
    assert 0 <= result.overfitting_rate <= 1
    assert 0.632 <= result.weight <= 1 + 1e-12


# --- what has no standard error


def shifted_absolute(y_true, y_pred):
    return np.abs(y_true - y_pred) - 0.9


@pytest.mark.parametrize("method", [".632", "oob"])
def test_the_standard_error_in_proportion_has_no_meaning_for_a_loss_that_is_negative(method):
    # At the start: estimate -0.22 at Err1 = 0.27 gave -0.18, and an interval upside down.
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 3))
    y = X[:, 0] + rng.normal(size=40)
    result = bootstrap_error(
        KNeighborsRegressor(1), X, y, method=method, loss=shifted_absolute, n_splits=500, random_state=0
    )
    if method == "oob":  # not in proportion to anything
        low, high = result.confidence_interval()
        assert low < result.estimate < high
        return
    assert result.estimate < 0 < result.leave_one_out
    assert result.standard_error is None
    with pytest.raises(ValueError, match=r"no meaning for a loss that may be negative; add a constant"):
        result.confidence_interval()


@pytest.mark.parametrize("n_splits", [1, 2])
def test_fewer_than_three_replicates_have_no_standard_error(n_splits):
    # With two the Monte Carlo noise cannot be told: it came out as 0, and no warning with it.
    cv = BootstrapSplit(200, random_state=0)
    splits = list(itertools.islice(cv.split(IRIS_X, IRIS_Y), n_splits))
    splits[-1] = next(iter(BootstrapSplit(1, random_state=9).split(IRIS_X, IRIS_Y)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResamplingWarning)  # samples that were never out of bag
        result = bootstrap_error(GaussianNB(), IRIS_X, IRIS_Y, cv=splits)
    assert (result.standard_error, result.monte_carlo_error) == (None, None)
    with pytest.raises(ValueError, match=f"at least 3 bootstrap replicates that worked, {n_splits} did"):
        result.confidence_interval()


# --- errors that are no numbers


@pytest.mark.parametrize(
    ("errors", "match"),
    [
        (("a", 0.3, 0.5), "resubstitution must hold numbers"),
        ((0.1, [[0.1], [0.1, 0.2]], 0.5), "leave_one_out must hold numbers"),
        ((None, 0.3, 0.5), "resubstitution must be given"),
        ((np.inf, np.inf, np.inf), r"resubstitution must hold numbers up to 4e\+120 in size, or nan"),
        ((0.1, 0.3, 1e300), r"no_information must hold numbers up to 4e\+120"),
        (([0.1, 0.2], [0.1, 0.2, 0.3], 0.5), r"shapes that broadcast: resubstitution has \(2,\)"),
    ],
)
def test_errors_that_cannot_be_combined_are_refused(errors, match):
    with pytest.raises(ValueError, match=match):
        combine_bootstrap_error(*errors)


def test_the_error_of_a_missing_replicate_stays_missing():
    assert np.isnan(combine_bootstrap_error([np.nan, 0.1], 0.3, 0.5)).tolist() == [True, False]


@pytest.mark.parametrize("average", ["pooled", "replicate"])
def test_kept_indices_say_that_folds_are_no_bootstrap(average):
    results = cross_validated(cv=WithResubstitution(KFoldSplit(5)), return_indices=True)
    with pytest.raises(ValueError, match="must give bootstrap replicates"):
        bootstrap_error_from_results(results, average=average)


def test_kept_indices_of_groups_need_the_groups():
    groups = np.arange(len(IRIS_Y)) // 3
    cv = WithResubstitution(BootstrapSplit(25, random_state=0))
    results = cross_validated(cv=cv, groups=groups, return_indices=True)
    with pytest.raises(ValueError, match="give groups that are drawn whole"):
        bootstrap_error_from_results(results)
    assert 0 < bootstrap_error_from_results(results, groups=groups).estimate < 1


def test_targets_whose_squares_are_large_have_their_error():
    X, y = IRIS_X[:, :1], IRIS_X[:, 1]
    options = {"loss": "squared", "n_splits": 400, "random_state": 0}
    small, large = (bootstrap_error(LinearRegression(), X, scale * y, **options) for scale in (1, 2.0**190))
    assert large.estimate / 2.0**380 == pytest.approx(small.estimate, rel=1e-9)
    assert large.standard_error / 2.0**380 == pytest.approx(small.standard_error, rel=1e-9)


@pytest.mark.parametrize("scale", [1e200, -1e200])
def test_targets_whose_squares_are_infinite_are_refused(scale):
    y = scale * np.arange(1.0, 9.0)
    with pytest.raises(ValueError, match=r"y must hold numbers up to 1e\+60 in size, got 8e\+200"):
        bootstrap_error(NeverFitRegressor(), np.zeros((8, 1)), y, loss="squared")

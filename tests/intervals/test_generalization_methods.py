"""The methods one by one: hold-out, corrected t, Wald, nested, conservative z, the bootstraps."""

import numpy as np
import pytest
from scipy.stats import norm
from scipy.stats import t as student
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.datasets import load_iris
from sklearn.linear_model import Ridge
from sklearn.model_selection import ShuffleSplit, cross_validate
from sklearn.neighbors import KNeighborsClassifier

from skeval.exceptions import DegenerateDataWarning
from skeval.intervals import (
    generalization_interval,
    interval_from_results,
    paired_difference_interval,
    proportion_interval,
)
from skeval.model_selection import (
    BootstrapSplit,
    CVScores,
    HoldOutSplit,
    bootstrap_error,
    evaluate,
)
from tests.intervals.generalization_runs import (
    BAYES,
    METHODS,
    NEEDS_RATE,
    QUIET,
    TREE,
    XD,
    YD,
    Mean,
    Says,
    X,
    Y,
    interval,
    splits_of,
)
from tests.reference import load, number

pytestmark = QUIET
REFERENCE = load("15_confidence_intervals.json")
INPUTS, EXPECTED = REFERENCE["inputs"], REFERENCE["expected"]
BOOTSTRAP = load("09_bootstrap_632plus.json")


# --- values of the reference, through the public functions


def test_corrected_t_of_the_reference():
    case, expected = INPUTS["corrected_t"], EXPECTED["corrected_t"]
    sizes = {"n_train": case["n_train"], "n_test": case["n_test"]}
    error = interval_from_results(case["errors"], **sizes)
    assert error.estimate == pytest.approx(number(expected["error"]["estimate"]), abs=1e-12)
    assert error.standard_error**2 == pytest.approx(number(expected["error"]["variance_of_mean"]), abs=1e-12)
    assert list(error) == pytest.approx(expected["error"]["ci95"], abs=1e-10)
    assert list(
        interval_from_results(CVScores(case["errors"], **sizes), confidence_level=0.9)
    ) == pytest.approx(expected["error"]["ci90"], abs=1e-10)
    difference = interval_from_results(case["a"], other=case["b"], **sizes)
    assert list(difference) == pytest.approx(expected["difference"]["ci95"], abs=1e-10)
    assert difference.measure == "difference of score"


@pytest.mark.parametrize(
    ("name", "method", "key"),
    [
        ("cv_losses_equal_folds", "cv-wald", "ci95_all_pairs"),
        ("cv_losses_equal_folds", "cv-wald-within", "ci95_within_fold"),
    ],
)
def test_wald_of_the_reference(name, method, key):
    folds = INPUTS[name]["folds"]
    wrong = np.concatenate(folds)
    cv = splits_of([len(fold) for fold in folds])
    found = generalization_interval(
        Says(), wrong[:, None], np.zeros(len(wrong), dtype=int), method=method, cv=cv
    )
    assert list(found) == pytest.approx(EXPECTED[name][key], abs=1e-10)
    done = evaluate(Says(), wrong[:, None], np.zeros(len(wrong), dtype=int), cv=cv)
    assert list(interval_from_results(done, method=method)) == pytest.approx(EXPECTED[name][key], abs=1e-10)


@pytest.mark.parametrize(
    ("method", "key"), [("cv-wald", "ci95_all_pairs"), ("cv-wald-within", "ci95_within")]
)
def test_wald_of_unequal_folds_and_any_loss(method, key):
    folds = INPUTS["cv_losses_unequal_folds"]["folds"]
    values = np.concatenate(folds)
    found = generalization_interval(
        Mean(),
        values[:, None],
        values,
        method=method,
        loss=lambda true, predicted: true,
        cv=splits_of([len(fold) for fold in folds]),
    )
    assert list(found) == pytest.approx(EXPECTED["cv_losses_unequal_folds"][key], abs=1e-10)


class SaysSecond(Says):
    def predict(self, X):
        return np.asarray(X)[:, 1].astype(int)


def test_wald_difference_of_the_reference():
    case, expected = INPUTS["cv_loss_difference"], EXPECTED["cv_loss_difference"]
    both = np.column_stack([np.concatenate(case["A"]), np.concatenate(case["B"])])
    found = generalization_interval(
        Says(), both, np.zeros(12, dtype=int), other=SaysSecond(), method="cv-wald", cv=splits_of([4, 4, 4])
    )
    assert found.estimate == pytest.approx(number(expected["estimate"]))
    assert list(found) == pytest.approx(expected["ci95"], abs=1e-10)


@pytest.mark.parametrize("name", ["reps1", "reps2", "y2", "y3"])
def test_nested_cross_validation_of_the_reference(name):
    case = INPUTS["nested_cv"]["cases"][name]
    y = np.array(INPUTS["nested_cv"]["y"][case["y"]], dtype=float)
    cv = []
    for which in case["nested_folds"]:
        fold = np.array(INPUTS["nested_cv"]["fold_ids (1-based labels)"][which])
        cv += [(np.flatnonzero(fold != own), np.flatnonzero(fold == own)) for own in (1, 2, 3, 4)]
    found = generalization_interval(
        Mean(),
        y[:, None],
        y,
        loss="squared",
        method="nested-cv",
        cv=cv,
        confidence_level=0.9,
        bounds=(-999, 999),
    )
    expected = EXPECTED["nested_cv"][name]["paper_and_mlr3inferr"]
    assert found.estimate == pytest.approx(number(expected["err_hat"]), abs=1e-10)
    assert found.standard_error == pytest.approx(expected["se"], abs=1e-10)
    assert list(found) == pytest.approx(expected["ci90"], abs=1e-9)
    # One model for each fold and for each pair of folds.
    assert found.details["n_fits"] == len(case["nested_folds"]) * (4 + 6)


def reference_bootstrap(name):
    case = BOOTSTRAP["inputs"][name]
    X = np.array(case["x"], dtype=float)[:, None]
    cv = [(np.array(drawn), np.setdiff1d(np.arange(len(X)), drawn)) for drawn in case["boot"]]
    return X, case["y"], cv


@pytest.mark.parametrize("method", ["oob", ".632+"])
def test_out_of_bag_of_the_reference(method):
    X, y, cv = reference_bootstrap("nn_binary_B12")
    found = generalization_interval(KNeighborsClassifier(1), X, y, method=method, cv=cv)
    expected = BOOTSTRAP["expected"]["nn_binary_B12"]
    err1 = number(expected["err1_efron_per_observation (never-OOB skipped)"])
    # .632+ by the two-term form, "C" of the file, R clipped.
    [plus] = [value for key, value in expected["with_err1_efron"].items() if key.startswith("err_632plus_C:")]
    assert found.estimate == pytest.approx(err1 if method == "oob" else number(plus), abs=1e-12)


def test_the_standard_error_of_the_reference():
    # 0.29350 by Efron & Tibshirani's formula on these index sets, Monte Carlo noise included.
    X, y, cv = reference_bootstrap("nn_binary_B12")
    found = generalization_interval(KNeighborsClassifier(1), X, y, method="oob", cv=cv)
    assert found.details["standard_error_uncorrected"] == pytest.approx(0.29350, abs=5e-6)


# --- values by other routes


@pytest.mark.parametrize("method", ["oob", ".632+"])
def test_bootstrap_intervals_are_those_of_bootstrap_error(method):
    found = interval(method, n_splits=400)
    known = bootstrap_error(TREE, X, Y, method=method, n_splits=400, random_state=0)
    assert found.estimate == pytest.approx(known.estimate)
    assert found.standard_error == pytest.approx(known.standard_error)
    assert list(found) == pytest.approx(list(known.confidence_interval()))


@pytest.mark.parametrize("method", ["oob", ".632+"])
def test_replicates_drawn_within_classes_are_recognized_in_a_list_too(method):
    iris, species = load_iris(return_X_y=True)
    splitter = BootstrapSplit(60, stratify=True, random_state=0)
    errors = [
        make(BAYES, iris, species, method=method, cv=cv).standard_error
        for make in (bootstrap_error, generalization_interval)
        for cv in (splitter, list(splitter.split(iris, species)))
    ]
    assert errors[1:] == pytest.approx([errors[0]] * 3, rel=1e-12)


def test_hold_out_is_binomial_for_0_1_loss():
    found = interval("holdout")
    [(train, test)] = HoldOutSplit(random_state=np.random.default_rng(0)).split(X, Y)
    wrong = clone(TREE).fit(X[train], Y[train]).predict(X[test]) != Y[test]
    assert list(found) == list(proportion_interval(int(wrong.sum()), len(test)))
    assert (found.target, found.n_train) == ("model", len(train))


def test_hold_out_difference_is_the_paired_interval():
    found = interval("holdout", other=BAYES)
    [(train, test)] = HoldOutSplit(random_state=np.random.default_rng(0)).split(X, Y)
    a, b = (clone(model).fit(X[train], Y[train]).predict(X[test]) != Y[test] for model in (TREE, BAYES))
    table = [[(a & b).sum(), (a & ~b).sum()], [(~a & b).sum(), (~a & ~b).sum()]]
    assert list(found) == list(paired_difference_interval(table))


def test_hold_out_is_normal_for_other_losses():
    found = interval("holdout", Ridge(), XD, YD, loss="squared", confidence_level=0.9)
    [(train, test)] = HoldOutSplit(random_state=np.random.default_rng(0)).split(XD, YD)
    losses = (Ridge().fit(XD[train], YD[train]).predict(XD[test]) - YD[test]) ** 2
    half = norm.ppf(0.95) * losses.std(ddof=1) / len(test) ** 0.5
    assert list(found) == pytest.approx([losses.mean() - half, losses.mean() + half])


def test_corrected_t_by_the_formula():
    cv = ShuffleSplit(8, test_size=0.2, random_state=0)
    found = generalization_interval(TREE, X, Y, cv=cv, method="corrected-t")
    errors = 1 - cross_validate(TREE, X, Y, cv=cv)["test_score"]
    half = student.ppf(0.975, 7) * np.sqrt((1 / 8 + 12 / 48) * errors.var(ddof=1))
    assert list(found) == pytest.approx([max(0, errors.mean() - half), errors.mean() + half])


class Noted(Says):
    """Notes the rows (the second feature) that it is trained and tested on."""

    seen = []  # noqa: RUF012

    def fit(self, X, y):
        self.rows_ = X[:, 1]
        return super().fit(X, y)

    def predict(self, X):
        self.seen.append((self.rows_, X[:, 1]))
        return super().predict(X)


def test_conservative_z_by_hand():
    wrong = np.random.default_rng(0).integers(0, 2, 60)
    Noted.seen.clear()
    X = np.column_stack([wrong, np.arange(60)])
    found = interval("conservative-z", Noted(), X, np.zeros(60, dtype=int), n_splits=5, n_repeats=3)
    assert found.details == {"n_splits": 5, "n_halvings": 3, "n_fits": (2 * 3 + 1) * 5}
    # Five splits of all samples, then three times five of one half and five of the other.
    taken = [frozenset([*train, *test]) for train, test in Noted.seen]
    assert taken[:5] == [frozenset(range(60))] * 5
    for place in (5, 15, 25):
        one, other = taken[place], taken[place + 5]
        assert taken[place : place + 10] == [one] * 5 + [other] * 5
        assert len(one) == len(other) == 30
        assert not one & other
    means = np.array([wrong[test].mean() for _, test in Noted.seen])
    halves = means[5:].reshape(3, 2, 5).mean(axis=2)
    # Nadeau & Bengio 2003, section 4.2: the variance is the sum of (mu_1 - mu_2)^2 / (2 x 3).
    error = (((halves[:, 0] - halves[:, 1]) ** 2).sum() / 6) ** 0.5
    assert found.estimate == pytest.approx(means[:5].mean())
    assert found.standard_error == pytest.approx(error)
    half = 1.959963984540054 * error
    assert list(found) == pytest.approx([max(0, means[:5].mean() - half), min(1, means[:5].mean() + half)])


def test_conservative_z_sees_how_far_halves_are_apart():
    # A model that ignores what it is trained on: the means on halves differ as the halves do.
    wrong = np.random.default_rng(1).integers(0, 2, 400)
    found = interval(
        "conservative-z", Says(), wrong[:, None], np.zeros(400, dtype=int), n_splits=40, n_repeats=40
    )
    # Variance of a mean over 200 samples, half each, and of 40 random splits of 40 samples on top.
    assert found.standard_error == pytest.approx((0.25 / 200) ** 0.5, rel=0.35)


def test_location_shift_by_hand():
    cv = list(BootstrapSplit(40, random_state=3).split(X))
    found = interval("location-shifted-bootstrap", n_splits=None, cv=cv)
    known = bootstrap_error(TREE, X, Y, method=".632+", cv=cv)
    own = [(clone(TREE).fit(X[train], Y[train]).predict(X[train]) != Y[train]).mean() for train, _ in cv]
    expected = np.array(own) + known.estimate - known.resubstitution
    assert found.estimate == pytest.approx(known.estimate)
    assert found.replicates == pytest.approx(expected)
    assert list(found) == pytest.approx(
        [
            min(found.estimate, np.quantile(expected, 0.025, method="weibull")),
            max(found.estimate, np.quantile(expected, 0.975, method="weibull")),
        ]
    )


def test_bootstrap_case_cv_shifts_by_the_bias():
    found = interval("bootstrap-case-cv")
    assert found.replicates.mean() == pytest.approx(found.estimate)
    assert found.details["bias"] > 0  # fewer distinct samples: a larger error
    assert found.details["n_fits"] == 21 * 3
    assert list(found) == pytest.approx(
        [
            min(found.estimate, np.quantile(found.replicates, 0.025, method="weibull")),
            max(found.estimate, np.quantile(found.replicates, 0.975, method="weibull")),
        ]
    )


def test_bootstrap_case_cv_of_a_model_that_learns_nothing_is_the_bootstrap_of_a_mean():
    wrong = np.random.default_rng(0).integers(0, 2, 60)
    found = interval("bootstrap-case-cv", Says(), wrong[:, None], np.zeros(60, dtype=int), n_splits=400)
    assert found.estimate == pytest.approx(wrong.mean(), abs=1e-12)
    # Four Monte Carlo errors of a standard deviation from 400: 4/sqrt(800).
    assert found.replicates.std() == pytest.approx(wrong.std() / 60**0.5, rel=0.14)


def test_bootstrap_case_cv_leaves_one_case_out_where_asked():
    found = interval("bootstrap-case-cv", X=X[:12], y=np.tile([0, 1, 2], 4), n_splits=20, n_inner=99)
    assert found.details["n_folds"] == 12
    assert found.n_train == 11


# --- a sample on one side only


class Memory(ClassifierMixin, BaseEstimator):
    """Right on what it was trained on, wrong on all else: shows a sample on both sides."""

    def fit(self, X, y):
        self.classes_, self.known_ = np.unique(y), set(np.asarray(X)[:, 0].tolist())
        return self

    def predict(self, X):
        return np.array([0 if value in self.known_ else 1 for value in np.asarray(X)[:, 0].tolist()])


ALL_ZERO = np.zeros(30, dtype=int)
PLACE = np.arange(30)[:, None]


@pytest.mark.parametrize("method", sorted(set(METHODS) - {"holdout", *NEEDS_RATE}))
def test_no_sample_is_ever_on_both_sides(method):
    with pytest.warns(DegenerateDataWarning, match="degenerate"):
        found = interval(method, Memory(), PLACE, ALL_ZERO)
    assert found.estimate == 1


def test_two_stage_keeps_copies_together():
    with pytest.warns(DegenerateDataWarning, match="all 20 replicates are 0.632"):
        found = interval("two-stage-bootstrap", Memory(), PLACE, ALL_ZERO, n_inner=8)
    # err = 0, Err1 = 1, gamma = 0 on data and in every outer sample: .632 of .632+, R = 0.
    assert found.estimate == pytest.approx(0.632)
    assert found.replicates == pytest.approx(0.632)

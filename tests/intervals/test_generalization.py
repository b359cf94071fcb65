"""Intervals for the error on new samples: values, estimands, what is refused, what degenerates."""

import dataclasses
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from scipy.stats import norm
from scipy.stats import t as student
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin, clone
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import make_scorer, roc_auc_score
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    KFold,
    LeaveOneOut,
    RepeatedKFold,
    ShuffleSplit,
    TimeSeriesSplit,
    cross_val_predict,
    cross_validate,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.validation import check_is_fitted

from skeval.exceptions import DegenerateDataWarning, MissingScoreError, ResamplingWarning, SplitMismatchError
from skeval.intervals import (
    GeneralizationInterval,
    generalization_interval,
    interval_from_results,
    paired_difference_interval,
    proportion_interval,
)
from skeval.metrics import pointwise_loss
from skeval.model_selection import (
    BootstrapSplit,
    CVScores,
    HoldOutSplit,
    KFoldSplit,
    bootstrap_error,
    combine_bootstrap_error,
    evaluate,
    nested_cross_validate,
)
from tests.reference import load, number

REFERENCE = load("15_confidence_intervals.json")
INPUTS, EXPECTED = REFERENCE["inputs"], REFERENCE["expected"]
BOOTSTRAP = load("09_bootstrap_632plus.json")

# Small runs warn of much; the tests that look at a warning name it.
pytestmark = [
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
ANY_SCORE = ("corrected-t", "conservative-z")


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


def test_conservative_z_by_hand():
    found = interval("conservative-z", n_splits=5, n_repeats=3)
    assert found.details == {"n_splits": 5, "n_halvings": 3, "n_fits": (2 * 3 + 1) * 5}
    assert list(found) == pytest.approx(
        [max(0, found.estimate - 1.959963984540054 * found.standard_error), found.high]
    )


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


def test_bootstrap_case_cv_leaves_one_case_out_where_asked():
    found = interval("bootstrap-case-cv", X=X[:12], y=np.tile([0, 1, 2], 4), n_splits=20, n_inner=99)
    assert found.details["n_folds"] == 12
    assert found.n_train == 11


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
    expected = combine_bootstrap_error(0.0, 1.0, 0.0)
    assert found.estimate == pytest.approx(expected)
    assert found.replicates == pytest.approx(expected)


# --- what every method does


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("other", [None, BAYES])
def test_the_result_says_what_it_is(method, other):
    found = interval(method, other=other)
    assert isinstance(found, GeneralizationInterval)
    assert found.low <= found.estimate <= found.high
    assert found.target in ("model", "models", "method")
    assert f"trained on {found.n_train:.0f} samples" in found.estimand
    assert found.randomness in found.estimand
    assert found.reference
    assert found.details["n_fits"] > 0
    assert found.measure == ("0-1 loss" if other is None else "difference of 0-1 loss")
    assert (found.low >= 0) if other is None else (found.low >= -1)
    assert found.high <= 1
    assert found.frame().shape[0] == 1
    assert str(found).startswith(found.measure)


@pytest.mark.parametrize("method", METHODS)
def test_workers_and_seeds(method):
    one, two = interval(method), interval(method, n_jobs=2)
    assert (one.estimate, *one, one.standard_error) == (two.estimate, *two, two.standard_error)
    other = interval(method, random_state=1)
    assert tuple(other) != tuple(one)


@pytest.mark.parametrize("method", METHODS)
def test_swapping_the_models_turns_the_interval_round(method):
    one, two = (interval(method, a, other=b) for a, b in ((TREE, BAYES), (BAYES, TREE)))
    assert [-two.high, -two.estimate, -two.low] == pytest.approx([one.low, one.estimate, one.high], abs=1e-9)


@pytest.mark.parametrize("method", METHODS)
def test_the_difference_of_a_model_to_itself_is_zero(method):
    if method == "holdout":
        assert interval(method, other=TREE).estimate == 0
        return
    with pytest.warns(DegenerateDataWarning, match="degenerate"):
        found = interval(method, other=TREE)
    assert (found.estimate, *found) == (0, 0, 0)


@pytest.mark.parametrize("method", METHODS)
def test_labels_containers_and_index_do_not_matter(method):
    names = np.array(["a", "b", "c"])[Y]
    plain = interval(method)
    frame = interval(method, X=pd.DataFrame(X, index=np.arange(60)[::-1]), y=pd.Series(names))
    assert (frame.estimate, *frame) == pytest.approx((plain.estimate, *plain))
    compact = interval(method, X=sparse.csr_matrix(X), y=list(names), estimator=TREE)
    assert (compact.estimate, *compact) == pytest.approx((plain.estimate, *plain))


@pytest.mark.parametrize("method", METHODS)
def test_a_larger_level_gives_a_wider_interval(method):
    narrow, wide = (interval(method, confidence_level=level) for level in (0.8, 0.9))
    assert wide.low <= narrow.low <= narrow.high <= wide.high
    assert wide.high - wide.low > narrow.high - narrow.low


@pytest.mark.parametrize("method", METHODS)
def test_squared_loss(method):
    found = interval(method, Ridge(), XD, YD, loss="squared")
    assert 0 < found.low < found.estimate < found.high
    assert found.measure == "squared loss"
    # Another unit of y.
    scaled = interval(method, Ridge(), XD, YD * 1e-4, loss="squared")
    assert np.array([scaled.estimate, *scaled]) * 1e8 == pytest.approx([found.estimate, *found], rel=1e-6)


@pytest.mark.parametrize("method", METHODS)
def test_any_loss_per_sample(method):
    def absolute(true, predicted):
        return np.abs(true - predicted)

    if method in NEEDS_RATE:
        with pytest.raises(ValueError, match="needs the no-information rate"):
            interval(method, Ridge(), XD, YD, loss=absolute)
        return
    found = interval(method, Ridge(), XD, YD, loss=absolute)
    assert found.low < found.estimate < found.high
    assert found.measure == "absolute"


def test_a_loss_of_probabilities():
    def log_loss(true, probabilities):
        return -np.log(np.clip(probabilities[np.arange(len(true)), true], 1e-9, 1))

    found = interval("cv-wald", BAYES, loss=log_loss, response_method="predict_proba", bounds=(0, np.inf))
    score = cross_validate(
        BAYES, X, Y, cv=KFoldSplit(4, random_state=np.random.default_rng(0)), scoring="neg_log_loss"
    )["test_score"]
    assert found.estimate == pytest.approx(-score.mean())


@pytest.mark.parametrize("names", [(0, 1), ("sick", "well"), (False, True)])
@pytest.mark.parametrize("loss", ["log", "brier", "multiclass_brier"])
def test_a_named_loss_of_probabilities_needs_no_more_than_its_name(loss, names):
    X, y = load_breast_cancer(return_X_y=True)
    y = np.array(names)[y]
    found = generalization_interval(BAYES, X, y, method="cv-wald", cv=KFold(4), loss=loss)
    probabilities = cross_val_predict(BAYES, X, y, cv=KFold(4), method="predict_proba")
    if loss == "brier":
        expected = pointwise_loss(y, probabilities[:, 0], loss=loss, pos_label=names[0])
    else:
        expected = pointwise_loss(y, probabilities, loss=loss)
    assert found.estimate == pytest.approx(expected.mean())
    assert found.measure.lower() == f"{loss.replace('_', ' ')} loss"
    assert 0 <= found.low < found.estimate < found.high


def test_a_named_loss_of_two_classes_tells_the_one_of_more():
    with pytest.raises(ValueError, match="loss='brier' needs two classes, got 3; use 'multiclass_brier'"):
        generalization_interval(BAYES, *load_iris(return_X_y=True), loss="brier")
    with pytest.raises(TypeError, match=r"estimator must have predict_proba\(\), Ridge has not"):
        generalization_interval(Ridge(), XD, YD, loss="log")


def test_a_named_loss_of_numbers():
    found = generalization_interval(Ridge(), XD, YD, method="cv-wald", cv=KFold(4), loss="absolute")
    predicted = cross_val_predict(Ridge(), XD, YD, cv=KFold(4))
    assert found.estimate == pytest.approx(np.abs(YD - predicted).mean())


def test_probabilities_have_a_column_for_every_class():
    # Class "c" is in one fold alone: the model of the others knows two classes.
    y = np.array(["a", "b", "c", "a", "b", "a", "b", "a", "b"])
    shapes = []

    def loss(true, probabilities):
        shapes.append(probabilities.shape[1])
        return 1 - probabilities[np.arange(len(true)), np.searchsorted(["a", "b", "c"], true)]

    cv = splits_of([3, 3, 3])
    found = generalization_interval(
        BAYES,
        np.arange(18).reshape(9, 2) % 5,
        y,
        method="cv-wald",
        loss=loss,
        response_method="predict_proba",
        cv=cv,
        bounds=(0, 1),
    )
    assert set(shapes) == {3}
    assert 0 <= found.low <= found.high <= 1


@pytest.mark.parametrize("method", METHODS)
def test_nothing_that_was_given_is_changed(method):
    tree, before = clone(TREE), X.copy()
    interval(method, tree)
    assert np.array_equal(X, before)
    with pytest.raises(NotFittedError, match="not fitted"):
        check_is_fitted(tree)


# --- groups

GROUPS = np.array([f"g{number}" for number in np.arange(60) // 3])


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


def test_weights_that_a_fit_does_not_take_are_refused():
    with pytest.raises(ValueError, match="takes no sample_weight"):
        interval("cv-wald", KNeighborsClassifier(), sample_weight=np.ones(60))


# --- scores that are no mean of losses


@pytest.mark.parametrize("method", METHODS)
def test_any_score_or_the_way_out(method):
    if method not in ANY_SCORE:
        message = "needs a loss per sample.*use method='corrected-t' or 'conservative-z'"
        with pytest.raises(ValueError, match=message):
            interval(method, scoring="f1_macro")
        return
    found = interval(method, scoring="f1_macro")
    assert 0 <= found.low <= found.estimate <= found.high <= 1
    assert found.measure == "f1_macro"
    difference = interval(method, scoring="f1_macro", other=BAYES)
    assert difference.measure == "difference of f1_macro"
    assert difference.estimate == pytest.approx(
        found.estimate - interval(method, BAYES, scoring="f1_macro").estimate
    )


def test_the_score_of_an_estimator_without_base_class():
    class Duck:
        """Goes by the first feature, whatever it is trained on."""

        def get_params(self, deep=True):
            return {}

        def fit(self, X, y):
            return self

        def predict(self, X):
            return (X[:, 0] > 5.5).astype(int)

    found = generalization_interval(Duck(), X, Y, scoring="accuracy", random_state=0)
    known = generalization_interval(Duck(), X, Y, random_state=0)
    assert found.estimate == pytest.approx(1 - known.estimate)


def test_a_score_agrees_with_scikit_learn():
    binary = Y == 1
    cv = ShuffleSplit(5, test_size=0.3, random_state=0)
    known = cross_validate(BAYES, X, binary, cv=cv, scoring="roc_auc")["test_score"]
    for scoring in ("roc_auc", make_scorer(roc_auc_score, response_method="predict_proba")):
        found = generalization_interval(BAYES, X, binary, cv=cv, method="corrected-t", scoring=scoring)
        assert found.estimate == pytest.approx(known.mean())
    # The range of a scorer is not known, but can be told.
    told = generalization_interval(
        BAYES, X, binary, cv=cv, method="corrected-t", scoring=scoring, bounds=(0, 0.95)
    )
    assert found.high > 0.95 == told.high > known.max()


@pytest.mark.parametrize("name", ["roc_auc", "f1", "balanced_accuracy", "g_mean"])
def test_a_score_given_as_a_loss_is_refused_with_the_way_out(name):
    with pytest.raises(ValueError, match=f"'corrected-t' or 'conservative-z' as scoring='{name}'"):
        interval("cv-wald", loss=name)


# --- nothing varies


@pytest.mark.parametrize(
    "method", ["corrected-t", "cv-wald", "cv-wald-within", "nested-cv", "conservative-z", "oob"]
)
def test_no_error_at_all_gets_a_binomial_bound(method):
    with pytest.warns(
        DegenerateDataWarning, match="every 0-1 loss is 0; the interval is the Clopper-Pearson"
    ):
        found = interval(method, Says(), np.zeros((60, 1)), np.zeros(60, dtype=int))
    assert (found.estimate, found.low) == (0, 0)
    # (alpha/2)^(1/n) of n tested samples.
    assert 1 - 0.025 ** (1 / 60) - 1e-9 <= found.high <= 1 - 0.025 ** (1 / 20)


def test_no_error_on_groups_is_bounded_by_the_number_of_groups():
    with pytest.warns(DegenerateDataWarning, match="over 20 tested"):
        found = interval("cv-wald", Says(), np.zeros((60, 1)), np.zeros(60, dtype=int), groups=GROUPS)
    assert found.high == pytest.approx(1 - 0.025 ** (1 / 20))


def test_a_constant_loss_of_another_kind_warns():
    message = "nothing varies, every squared loss is 4; the interval has no width"
    with pytest.warns(DegenerateDataWarning, match=message):
        found = interval("cv-wald", Says(), np.zeros((20, 1)), np.full(20, 2.0), loss="squared")
    assert (found.low, found.high) == (4, 4)


def test_replicates_that_fail_are_counted():
    y = np.array([0] * 17 + [1] * 3)
    with pytest.warns(
        ResamplingWarning, match=r"of 60 bootstrap replicates failed and are left out, the first with"
    ):
        found = generalization_interval(
            LogisticRegression(), np.arange(20)[:, None], y, method="oob", n_splits=60, random_state=0
        )
    assert found.n_failed > 0


def test_all_replicates_failing_is_an_error():
    class Broken(Says):
        def fit(self, X, y):
            raise RuntimeError("broken")

    with pytest.raises(
        ValueError, match="All 40 bootstrap replicates failed, the first with RuntimeError: broken"
    ):
        interval("oob", Broken())
    with pytest.raises(RuntimeError, match="broken"):
        interval("cv-wald", Broken())


# --- splits that a method is not for


@pytest.mark.parametrize(
    ("method", "cv", "message"),
    [
        ("holdout", KFold(3), "takes one split, got 3"),
        ("corrected-t", HoldOutSplit(1, random_state=0), "at least 2 splits"),
        ("corrected-t", TimeSeriesSplit(3), "time-ordered"),
        (
            "cv-wald",
            RepeatedKFold(n_splits=3, n_repeats=2, random_state=0),
            "sample 0 is tested 2 times in 6",
        ),
        ("cv-wald", ShuffleSplit(3, random_state=0), "every sample is tested once"),
        ("cv-wald-within", LeaveOneOut(), "at least 2 samples in each test part"),
        ("nested-cv", KFold(2), "at least 3 folds"),
        ("nested-cv", ShuffleSplit(3, random_state=0), "every sample is tested once|same number of folds"),
        ("oob", KFold(3), "cv must give bootstrap replicates"),
        ("cv-wald", [(np.arange(60), np.arange(60))], "trained on"),
    ],
)
def test_splits_that_the_method_is_not_for(method, cv, message):
    with pytest.raises(ValueError, match=message):
        generalization_interval(TREE, X, Y, method=method, cv=cv)


def test_leave_one_out_goes_with_all_pairs():
    found = generalization_interval(TREE, X, Y, method="cv-wald", cv=LeaveOneOut())
    assert found.n_train == 59


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"method": "bayes"}, "method must be one of 'holdout'"),
        (
            {"method": "cv-wald", "n_inner": 3},
            "n_inner must be None for method='cv-wald', which takes cv, n_splits",
        ),
        ({"method": "conservative-z", "cv": KFold(3)}, "cv must be None for method='conservative-z'"),
        ({"method": "cv-wald", "n_splits": 3, "cv": KFold(3)}, "cv stands for n_splits"),
        ({"method": "nested-cv", "n_splits": 1}, "n_splits must be an integer not less than 2"),
        ({"method": "nested-cv", "n_splits": 2}, "at least 3 folds"),
        ({"method": "holdout", "test_size": 1.5}, "test_size"),
        ({"method": "conservative-z", "test_size": 0.5}, "leave nothing to train on"),
        ({"confidence_level": 1}, "confidence_level must be a number in"),
        ({"loss": "hinge"}, "loss must be one of 'zero_one', 'log', .*'hinge'.* as scoring='roc_auc', say"),
        ({"loss": "f1_macro"}, "loss must be one of .* as scoring='f1_macro', say"),
        ({"loss": "log", "method": ".632+"}, "needs the no-information rate"),
        ({"loss": "squared", "scoring": "accuracy"}, "loss and scoring exclude each other"),
        ({"response_method": "predict_proba"}, "needs a callable loss"),
        ({"response_method": "decision_function"}, "response_method must be one of"),
        ({"bounds": (1, 0)}, "low < high"),
        ({"bounds": 3}, "bounds must be two numbers"),
        ({"groups": [1, 2]}, "groups must have one entry per sample"),
        ({"random_state": -1}, "random_state"),
    ],
)
def test_bad_parameters_are_refused(given, message):
    with pytest.raises(ValueError, match=message):
        generalization_interval(TREE, X, Y, **given)


@pytest.mark.parametrize("method", METHODS)
def test_one_sample_is_refused(method):
    with pytest.raises(ValueError, match=r"at least|need as many"):
        interval(method, X=X[:1], y=[0])


@pytest.mark.parametrize("method", ["corrected-t", "oob"])
@pytest.mark.filterwarnings("ignore::skeval.exceptions.SkevalWarning")
def test_two_samples_give_no_false_certainty(method):
    found = interval(method, X=X[:2], y=[0, 1])
    assert found.high - found.low > 0.5


def test_bad_data_and_estimators_are_refused():
    with pytest.raises(ValueError, match="X and y must have the same length"):
        generalization_interval(TREE, X, Y[1:])
    with pytest.raises(ValueError, match="use loss='squared'"):
        generalization_interval(Ridge(), X, Y)
    with pytest.raises(ValueError, match="use loss='squared'"):
        generalization_interval(TREE, X, Y, other=Ridge())
    with pytest.raises(ValueError, match="continuous values"):
        generalization_interval(TREE, XD, YD + 0.5)
    with pytest.raises(TypeError, match="estimator must have fit"):
        generalization_interval(object(), X, Y)


# --- from results


def test_results_of_cross_validate():
    cv = KFoldSplit(5, n_repeats=2, random_state=0)
    results = cross_validate(TREE, X, Y, cv=cv, return_indices=True, scoring=["accuracy", "f1_macro"])
    found = interval_from_results(results, metric="accuracy")
    scores = results["test_accuracy"]
    half = student.ppf(0.975, 9) * np.sqrt((1 / 10 + 1 / 4) * scores.var(ddof=1))
    assert list(found) == pytest.approx([scores.mean() - half, min(1, scores.mean() + half)])
    assert (found.target, found.n_train, found.measure) == ("method", 48, "accuracy")
    other = cross_validate(BAYES, X, Y, cv=cv, return_indices=True, scoring=["accuracy", "f1_macro"])
    difference = interval_from_results(results, other=other, metric="accuracy")
    assert difference.estimate == pytest.approx((scores - other["test_accuracy"]).mean())
    with pytest.raises(ValueError, match="metric must name one of the scores"):
        interval_from_results(results)


@pytest.mark.parametrize("method", ["holdout", "corrected-t", "cv-wald", "cv-wald-within"])
def test_results_of_evaluate_give_what_a_run_of_its_own_gives(method):
    cv = KFoldSplit(4, random_state=0) if method != "holdout" else HoldOutSplit(random_state=0)
    done = evaluate({"tree": TREE, "bayes": BAYES}, X, Y, cv=cv)
    for given, asked in (({}, {"model": "tree"}), ({"other": BAYES}, {"model": "tree", "other": "bayes"})):
        own = generalization_interval(TREE, X, Y, method=method, cv=cv, **given)
        found = interval_from_results(done, method=method, **asked)
        assert (found.estimate, *found, found.estimand) == (own.estimate, *own, own.estimand)


def test_results_of_evaluate_with_groups_weights_and_other_losses():
    cv = GroupKFold(4)
    weight = np.arange(1, 61)
    done = evaluate(TREE, X, Y, cv=cv, groups=GROUPS, sample_weight=weight)
    own = generalization_interval(
        TREE,
        X,
        Y,
        method="cv-wald",
        cv=cv,
        groups=GROUPS,
        sample_weight=weight,
        loss=lambda a, b: (a - b) ** 2.0,
    )
    found = interval_from_results(done, method="cv-wald", groups=GROUPS, loss=lambda a, b: (a - b) ** 2.0)
    assert (found.estimate, *found) == (own.estimate, *own)
    with pytest.raises(ValueError, match="samples of one group on both sides"):
        interval_from_results(evaluate(TREE, X, Y, cv=KFoldSplit(4, random_state=0)), groups=GROUPS)


def test_a_score_of_evaluate():
    done = evaluate({"tree": TREE, "bayes": BAYES}, X, Y, cv=KFoldSplit(4, random_state=0))
    found = interval_from_results(done, model="tree", metric="g_mean")
    assert found.estimate == pytest.approx(done.scores("g_mean")["tree"].scores.mean())
    assert found.measure == "g_mean"
    with pytest.raises(ValueError, match="needs a loss per sample, which scores per split are not"):
        interval_from_results(done, model="tree", metric="g_mean", method="cv-wald")
    with pytest.raises(ValueError, match=r"model \(and other\) must be one of 'tree', 'bayes'"):
        interval_from_results(done)


def test_results_of_nested_cross_validation():
    search = GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 9]}, cv=KFoldSplit(3, random_state=0))
    nested = nested_cross_validate(search, X, Y, cv=KFoldSplit(4, random_state=1))
    scores = interval_from_results(nested)
    assert scores.estimate == pytest.approx(nested.scores.scores.mean())
    assert scores.measure == "accuracy"
    losses = interval_from_results(nested, method="cv-wald")
    assert losses.estimate == pytest.approx(1 - nested.scores.scores.mean())
    other = nested_cross_validate(search, X, Y, cv=KFoldSplit(4, random_state=1), scoring="f1_macro")
    assert interval_from_results(nested, metric="f1_macro").estimate == pytest.approx(
        other.scores.scores.mean()
    )
    tree = evaluate(TREE, X, Y, cv=KFoldSplit(4, random_state=1))
    assert interval_from_results(nested, other=tree, method="cv-wald").measure == "difference of 0-1 loss"
    assert interval_from_results(nested, other=tree, metric="accuracy").measure == "difference of accuracy"


def test_the_winner_of_a_search_has_no_honest_interval():
    search = GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 9]}, cv=4).fit(X, Y)
    for results in (search, search.cv_results_):
        with pytest.raises(ValueError, match="chosen by its score, which has no honest interval: use nested"):
            interval_from_results(results)


def test_what_results_do_not_hold_is_refused():
    results = cross_validate(TREE, X, Y, cv=4, return_indices=True)
    with pytest.raises(ValueError, match="needs a loss per sample"):
        interval_from_results(results, method="cv-wald")
    with pytest.raises(ValueError, match="loss needs predictions"):
        interval_from_results(results, loss="zero_one")
    with pytest.raises(ValueError, match="needs splits of its own"):
        interval_from_results(results, method="nested-cv")
    with pytest.raises(ValueError, match="n_train and n_test must be known"):
        interval_from_results([0.8, 0.7])
    with pytest.raises(ValueError, match="at least 2 splits"):
        interval_from_results([0.8], n_train=10, n_test=5)
    with pytest.raises(ValueError, match="groups have no part"):
        interval_from_results(results, groups=GROUPS)
    with pytest.raises(ValueError, match="needs an Evaluation of several"):
        interval_from_results(results, model="tree")
    with pytest.raises(MissingScoreError, match="split 1 is nan"):
        interval_from_results([0.8, np.nan, 0.7], n_train=10, n_test=5)


def test_results_on_other_splits_or_data_are_refused():
    one, two = (evaluate(TREE, X, Y, cv=KFoldSplit(4, random_state=seed)) for seed in (0, 1))
    with pytest.raises(SplitMismatchError, match="same splits of the same data"):
        interval_from_results(one, other=two)
    scores = [
        cross_validate(TREE, X, Y, cv=KFold(4, shuffle=True, random_state=s), return_indices=True)
        for s in (0, 1)
    ]
    with pytest.raises(SplitMismatchError, match="same splits"):
        interval_from_results(scores[0], other=scores[1])
    with pytest.raises(ValueError, match="other must be of the kind of results"):
        interval_from_results(one, other=scores[0], method="cv-wald")


def test_regression_results_have_squared_loss_by_default():
    done = evaluate(Ridge(), XD, YD, cv=KFoldSplit(4, random_state=0))
    assert interval_from_results(done, method="cv-wald").measure == "squared loss"
    with pytest.raises(ValueError, match="y is continuous; use loss='squared'"):
        interval_from_results(done, loss="zero_one")


@pytest.mark.parametrize("loss", ["auc", "f1"])
def test_a_loss_that_results_cannot_have_names_the_way_out(loss):
    done = evaluate(TREE, X, Y, cv=KFoldSplit(4, random_state=0))
    message = (
        rf"loss='{loss}' is an? .*, not a mean of losses per sample.*use method='corrected-t' with metric="
    )
    with pytest.raises(ValueError, match=message) as refused:
        interval_from_results(done, loss=loss)
    assert "632" not in str(refused.value)


def test_groups_of_an_evaluation_are_used_again():
    groups = np.repeat(np.arange(30), 5)
    X, y = load_iris(return_X_y=True)
    order = np.random.default_rng(0).permutation(150)
    cv = KFoldSplit(5, random_state=0)
    known = evaluate({"bayes": GaussianNB()}, X[order], y[order], cv=cv, groups=groups)
    found, given = (
        interval_from_results(known, method="cv-wald", **options) for options in ({}, {"groups": groups})
    )
    assert tuple(found) == tuple(given)
    assert dataclasses.replace(known, groups=None).groups is None
    plain = interval_from_results(dataclasses.replace(known, groups=None), method="cv-wald")
    assert plain.standard_error != found.standard_error


# --- bounds that the data contradict


def test_a_score_outside_the_bounds_is_named():
    # The mean, 0.667, is inside; it came back with an interval cut at 0.8.
    with pytest.raises(ValueError, match=r"every score lies in \[0.6, 0.8\], but one is 0.5: give bounds="):
        interval_from_results([0.5, 0.6, 0.9], n_train=40, n_test=20, bounds=(0.6, 0.8))


@pytest.mark.parametrize("method", METHODS)
def test_losses_outside_the_bounds_are_refused(method):
    with pytest.raises(ValueError, match=r"every 0-1 loss lies in \[0, 0.1\], but one is"):
        interval(method, bounds=(0, 0.1))


def test_two_models_are_held_to_the_bounds_of_one():
    # A difference may lie outside the range of a score.
    found = interval_from_results(
        [0.5, 0.6, 0.55], other=[0.9, 0.7, 0.85], n_train=40, n_test=20, bounds=(0.5, 1)
    )
    assert -0.5 <= found.low <= found.estimate < 0
    with pytest.raises(ValueError, match=r"but one is 0\.4"):
        interval_from_results([0.5, 0.6], other=[0.4, 0.7], n_train=40, n_test=20, bounds=(0.5, 1))


# --- what cannot be


def test_a_missing_score_is_told_with_a_way_out_that_there_is():
    with pytest.raises(MissingScoreError, match=r"split 1 is nan.*or take the split out") as caught:
        interval_from_results([0.5, np.nan], n_train=40, n_test=20)
    assert "nan_policy" not in str(caught.value)


def test_two_replicates_have_no_interval():
    with (
        pytest.warns(ResamplingWarning, match="out of bag in none of 2"),
        pytest.raises(ValueError, match=r"no confidence interval: .* at least 3 .* that worked, 2 did"),
    ):
        generalization_interval(BAYES, X, Y, method="oob", n_splits=2, random_state=0)


@pytest.mark.parametrize("method", ["corrected-t", "oob"])
def test_splits_of_other_data_are_refused(method):
    with pytest.raises(ValueError, match=r"row numbers from 0 to 59.* split 0 has 99"):
        generalization_interval(BAYES, X, Y, method=method, cv=[(range(40), [99]), (range(40), [50])])

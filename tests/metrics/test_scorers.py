"""Scorers by name: scikit-learn's numbers, its tools, the positive class, weights."""

import copy
import pickle

import numpy as np
import pytest
import sklearn
import sklearn.metrics
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine, make_classification
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import (
    GridSearchCV,
    PredefinedSplit,
    TunedThresholdClassifierCV,
    cross_val_score,
    cross_validate,
    learning_curve,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from skeval.exceptions import UndefinedMeasureWarning
from skeval.metrics import (
    ConfusionMatrix,
    MultiScorer,
    g_mean_score,
    get_scorer,
    get_scorer_names,
    needs_pos_label,
)
from skeval.metrics._scorers import scorer_measures

SHARED = sorted(set(scorer_measures()) & set(sklearn.metrics.get_scorer_names()))
# The positive class decides: two classes only.
BINARY = [name for name in SHARED if needs_pos_label(name)]
ANY_CLASSES = sorted(set(SHARED) - set(BINARY))

X, Y = load_breast_cancer(return_X_y=True)
NAMED = np.array(["malignant", "benign"])[Y]
X_HARD, Y_HARD = make_classification(600, n_features=8, flip_y=0.3, weights=[0.8], random_state=0)
# Where a measure is undefined both warn, ours with a subclass.
UNDEFINED = pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")


@pytest.fixture
def routing():
    with sklearn.config_context(enable_metadata_routing=True):
        yield


def folds(scoring, X=X, y=Y, model=None):
    model = GaussianNB() if model is None else model
    return cross_val_score(model, X, y, cv=4, scoring=scoring, error_score="raise")


def needed(name):
    """Parameters without which a scorer cannot be."""
    if "cost" in name:
        return {"cost": [[0, 1], [1, 0]]}
    return {"beta": 2} if name.startswith("f_beta") else {}


# --- names ------------------------------------------------------------------------------------


def test_names_hold_scikit_learns_and_ours_sorted():
    names = get_scorer_names()
    assert names == sorted(set(names))
    assert set(sklearn.metrics.get_scorer_names()) <= set(names)
    assert {"g_mean", "specificity", "adjusted_g_mean", "break_even", "neg_rank_loss"} <= set(names)
    assert not any(name.startswith(("error_rate", "rank_loss", "false_")) for name in names)


def test_every_name_is_a_scorer():
    for name in get_scorer_names():
        assert callable(get_scorer(name, **needed(name)))


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("g_maen", "did you mean 'g_mean'"),
        ("f1_makro", "did you mean 'f1_macro'"),
        ("zzz", "see get_scorer_names"),
    ],
)
def test_an_unknown_name_gives_a_suggestion(name, hint):
    with pytest.raises(ValueError, match=f"name must be the name of a scorer, got '{name}'; {hint}"):
        get_scorer(name)


def test_a_name_that_is_none_has_no_positive_class():
    with pytest.raises(ValueError, match="name must be the name of a scorer, got 'xx'"):
        needs_pos_label("xx")


def test_which_names_depend_on_the_positive_class():
    needing = {name for name in get_scorer_names() if needs_pos_label(name)}
    assert {"f1", "roc_auc", "average_precision", "neg_rank_loss", "neg_brier_score"} <= needing
    assert not needing & {"accuracy", "f1_macro", "g_mean", "matthews_corrcoef", "r2", "neg_log_loss"}
    of_many = {name for name in get_scorer_names() if needs_pos_label(name, n_classes=3)}
    assert needing - of_many == {"average_precision", "neg_brier_score"}


@pytest.mark.parametrize(
    ("name", "params", "error", "message"),
    [
        (
            "r2",
            {"pos_label": 1},
            ValueError,
            r"'r2' is scikit-learn's and takes no .* \['pos_label'\]",
        ),
        (
            "g_mean",
            {"pos_label": 1},
            TypeError,
            "'g_mean' got the parameters .* unexpected keyword .*pos_label",
        ),
        ("f1", {"zero_divison": 0}, TypeError, "unexpected keyword argument 'zero_divison'"),
        (
            "f1_macro",
            {"average": "micro"},
            TypeError,
            "'f1_macro' names the average, got average='micro' too",
        ),
        ("neg_cost_sensitive_error", {}, TypeError, "missing a required argument: 'cost'"),
        ("roc_auc", {"average": "macro"}, TypeError, "unexpected keyword argument 'average'"),
        ("roc_auc", {"max_fpr": 0}, ValueError, r"max_fpr must be a number in \(0, 1\], got 0"),
        ("roc_auc", {"max_fpr": "a"}, TypeError, "'roc_auc' got the parameters .*max_fpr must be a number"),
        ("f1", {"zero_division": 2}, ValueError, "zero_division must be 'warn', 0, 1 or nan, got 2"),
        ("f_beta", {"beta": -1}, ValueError, r"beta must be a number in \[1e-30"),
        ("ovr_auc", {"average": "micro"}, ValueError, "average must be one of 'macro', 'weighted'"),
        ("hand_till_auc", {"missing": "skip"}, ValueError, "missing must be one of 'nan', 'omit'"),
        ("neg_mean_pinball_loss", {"alpha": 2}, TypeError, "'neg_mean_pinball_loss' got .*alpha.* 2"),
        (
            "neg_mean_tweedie_deviance",
            {"power": 0.5},
            TypeError,
            "'neg_mean_tweedie_deviance' got the parameters .*power.* 0.5",
        ),
        ("neg_brier_score", {"labels": [0, 1]}, TypeError, "labels from classes_ of the estimator"),
    ],
)
def test_parameters_that_do_not_fit_are_refused_before_any_fit(name, params, error, message):
    with pytest.raises(error, match=message):
        get_scorer(name, **params)


# --- scikit-learn's numbers -------------------------------------------------------------------


@UNDEFINED
@pytest.mark.parametrize("load", [load_iris, load_wine, load_breast_cancer, load_digits])
def test_scores_of_any_classes_equal_those_of_scikit_learn(load):
    X, y = load(return_X_y=True)
    model = make_pipeline(StandardScaler(), DecisionTreeClassifier(max_depth=4, random_state=0))
    scoring = {name: get_scorer(name) for name in ANY_CLASSES}
    ours = cross_validate(model, X, y, cv=3, scoring=scoring, error_score="raise")
    theirs = cross_validate(model, X, y, cv=3, scoring=ANY_CLASSES, error_score="raise")
    for name in ANY_CLASSES:
        np.testing.assert_allclose(ours[f"test_{name}"], theirs[f"test_{name}"], atol=1e-12, err_msg=name)


@pytest.mark.parametrize(
    "model",
    [GaussianNB(), make_pipeline(StandardScaler(), LinearSVC()), DecisionTreeClassifier(random_state=0)],
    ids=["probabilities", "decision function", "tied scores"],
)
def test_scores_of_two_classes_equal_those_of_scikit_learn(model):
    ours = cross_validate(model, X, Y, cv=3, scoring={name: get_scorer(name) for name in BINARY})
    theirs = cross_validate(model, X, Y, cv=3, scoring=BINARY)
    for name in BINARY:
        np.testing.assert_allclose(
            ours[f"test_{name}"], theirs[f"test_{name}"], rtol=1e-12, atol=1e-12, err_msg=name
        )


@pytest.mark.parametrize("name", ["accuracy", "f1_macro", "r2"])
def test_cross_val_score_takes_a_scorer(name):
    np.testing.assert_allclose(folds(get_scorer(name)), folds(name), atol=1e-12)


def test_a_loss_is_negated():
    np.testing.assert_allclose(folds(get_scorer("neg_error_rate")), folds("accuracy") - 1, atol=1e-12)
    np.testing.assert_allclose(folds(get_scorer("neg_rank_loss")), folds("roc_auc") - 1, atol=1e-12)
    cost = [[0, 1], [1, 0]]
    values = folds(get_scorer("neg_cost_sensitive_error", cost=cost, labels=[0, 1]))
    np.testing.assert_allclose(values, folds("accuracy") - 1, atol=1e-12)


def test_parameters_reach_the_measure():
    f2 = sklearn.metrics.make_scorer(sklearn.metrics.fbeta_score, beta=2)
    np.testing.assert_allclose(folds(get_scorer("f1", beta=2)), folds(f2), atol=1e-12)
    partial = sklearn.metrics.make_scorer(
        sklearn.metrics.roc_auc_score, response_method="predict_proba", max_fpr=0.2
    )
    np.testing.assert_allclose(folds(get_scorer("roc_auc", max_fpr=0.2)), folds(partial), atol=1e-12)
    model = GaussianNB().fit(X, Y)
    ones = np.ones(5, dtype=int)
    assert get_scorer("specificity", zero_division=1)(model, X[Y == 1][:5], ones) == 1


def test_a_partial_area_is_standardized_or_raw_by_name():
    raw = folds(get_scorer("roc_auc", max_fpr=0.2, standardize=False))
    standardized = folds(get_scorer("roc_auc", max_fpr=0.2))
    # McClish: chance has the area 0.2^2 / 2 = 0.02 of at most 0.2.
    np.testing.assert_allclose(standardized, (1 + (raw - 0.02) / 0.18) / 2, atol=1e-12)


def test_the_interpolated_area_has_a_name_of_its_own():
    X, y = X_HARD, Y_HARD
    steps, area = folds("average_precision", X, y), folds(get_scorer("pr_area"), X, y)
    assert (np.abs(steps - area) < 0.02).all()
    assert (steps != area).all()


@pytest.mark.parametrize("average", ["", "_macro", "_weighted"])
def test_the_f_score_of_a_named_beta(average):
    options = {} if not average else {"average": average[1:]}
    f2 = sklearn.metrics.make_scorer(sklearn.metrics.fbeta_score, beta=2, **options)
    np.testing.assert_allclose(folds(get_scorer(f"f_beta{average}", beta=2)), folds(f2), atol=1e-12)
    with pytest.raises(TypeError, match=f"'f_beta{average}' got the parameters .*missing .*'beta'"):
        get_scorer(f"f_beta{average}")


# Three folds, of which the second holds negatives only.
SINGLE = np.array([0, 1, 0, 1, 0, 0, 0, 1, 0, 1, 0])
SINGLE_SCORE = np.array([0.1, 0.9, 0.2, 0.8, 0.3, 0.6, 0.2, 0.7, 0.6, 0.4, 0.1])
SINGLE_FOLD = np.repeat([0, 1, 2], [4, 3, 4])


class Says(ClassifierMixin, BaseEstimator):
    """A classifier that says its one feature."""

    def fit(self, X, y):
        self.classes_ = np.array([0, 1])
        return self

    def predict(self, X):
        return (X[:, 0] >= 0.5).astype(int)

    def predict_proba(self, X):
        return np.column_stack([1 - X[:, 0], X[:, 0]])


@pytest.mark.parametrize(
    ("name", "expected", "told"),
    [
        ("roc_auc", [1, np.nan, 0.75], "ROC AUC is undefined and nan: only one class is present"),
        (
            "average_precision",
            [1, np.nan, 5 / 6],
            "Average precision is undefined and nan: only one class is present",
        ),
    ],
)
def test_a_fold_of_one_class_is_nan_with_a_warning_and_never_zero(name, expected, told):
    with pytest.warns(UndefinedMeasureWarning, match=told):
        scores = cross_val_score(
            Says(), SINGLE_SCORE[:, None], SINGLE, cv=PredefinedSplit(SINGLE_FOLD), scoring=get_scorer(name)
        )
    np.testing.assert_allclose(scores, expected, atol=1e-12)


def test_a_scorer_of_ranks_asks_for_scores_and_never_for_labels():
    # predict says 0 to all.
    X, y = np.array([[0.1], [0.2], [0.3], [0.4]]), [0, 0, 1, 1]
    model = Says().fit(X, y)
    assert model.predict(X).tolist() == [0, 0, 0, 0]
    assert get_scorer("roc_auc")(model, X, y) == 1.0


# --- the positive class -----------------------------------------------------------------------


@UNDEFINED
@pytest.mark.filterwarnings("ignore:positive_likelihood_ratio ill-defined:UserWarning")  # 1.6
@pytest.mark.parametrize("name", BINARY)
def test_a_named_class_gives_what_its_code_gives(name):
    codes = (NAMED == "malignant").astype(int)
    model = make_pipeline(StandardScaler(), LogisticRegression())
    named = folds(get_scorer(name, pos_label="malignant"), y=NAMED, model=model)
    # A likelihood ratio without false alarms is nan here and 1 in scikit-learn's scorer.
    defined = np.isfinite(named)
    assert defined.all() or name == "positive_likelihood_ratio"
    theirs = folds(name, y=codes, model=model)
    np.testing.assert_allclose(named[defined], theirs[defined], rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("name", ["roc_auc", "average_precision", "neg_rank_loss", "break_even"])
def test_renaming_a_class_changes_no_score(name):
    # "malignant" is classes_[1], "a malignant" classes_[0]: the response is negated or its column chosen.
    renamed = np.where(NAMED == "malignant", "a malignant", NAMED)
    for model in (make_pipeline(StandardScaler(), LinearSVC()), GaussianNB()):
        before = folds(get_scorer(name, pos_label="malignant"), y=NAMED, model=model)
        after = folds(get_scorer(name, pos_label="a malignant"), y=renamed, model=model)
        np.testing.assert_allclose(after, before, atol=1e-12)


@pytest.mark.parametrize("name", [name for name in get_scorer_names() if needs_pos_label(name)])
def test_strings_without_a_named_class_are_an_error(name):
    X, y = np.arange(8.0).reshape(-1, 1), np.repeat(["sick", "well"], 4)
    scoring = get_scorer(name, **needed(name))
    with pytest.raises(ValueError, match=r"sick.*well") as caught:
        cross_val_score(LogisticRegression(), X, y, cv=2, scoring=scoring, error_score="raise")
    assert "pos_label" in str(caught.value)


@pytest.mark.parametrize("name", ["f1", "roc_auc", "neg_brier_score"])
def test_a_class_that_is_not_there_is_an_error(name):
    with pytest.raises(ValueError, match=r"pos_label=?.*typo"):
        folds(get_scorer(name, pos_label="typo"), y=NAMED)


@pytest.mark.parametrize("codes", [(0, 1), (-1, 1), (False, True)])
def test_usual_codes_need_no_name(codes):
    y = np.array(codes)[Y]
    for name in ("f1", "roc_auc", "specificity"):
        np.testing.assert_allclose(folds(get_scorer(name), y=y), folds(get_scorer(name)), atol=1e-12)


def test_a_fold_of_one_class_is_allowed_and_the_undefined_measure_says_so():
    model = GaussianNB().fit(X, Y)
    ones = Y == 1
    assert get_scorer("precision")(model, X[ones], Y[ones]) == 1
    with pytest.warns(
        UndefinedMeasureWarning, match="ROC AUC is undefined and nan: only one class is present"
    ):
        assert np.isnan(get_scorer("roc_auc")(model, X[ones], Y[ones]))
    with pytest.warns(UndefinedMeasureWarning, match="Average precision is undefined"):
        assert np.isnan(get_scorer("average_precision")(model, X[~ones], Y[~ones]))


# --- the response is asked for ----------------------------------------------------------------


class Ramp(ClassifierMixin, BaseEstimator):
    """Probabilities that rank right; predictions that are all 0."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        positive = np.ravel(X)
        return np.column_stack([1 - positive, positive])

    def predict(self, X):
        return (np.ravel(X) >= 0.5).astype(int)


class Labels(ClassifierMixin, BaseEstimator):
    """Predictions only."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.zeros(len(X), dtype=int)


class ProbabilityOfBad(ClassifierMixin, BaseEstimator):
    """X holds the probability of "bad"."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        bad = np.ravel(X)
        return np.column_stack([bad, 1 - bad])

    def predict(self, X):
        return np.where(np.ravel(X) >= 0.5, "bad", "good")


@pytest.mark.parametrize(
    ("name", "value"),
    [("roc_auc", 3 / 4), ("average_precision", 5 / 6), ("neg_brier_score", -13 / 64), ("f1", 4 / 5)],
)
def test_figures_of_named_strings_equal_those_by_hand(name, value):
    X, y = [[0.9], [0.2], [0.8], [0.85]], ["bad", "good", "bad", "good"]
    model = ProbabilityOfBad().fit(X, y)
    assert get_scorer(name, pos_label="bad")(model, X, y) == pytest.approx(value, abs=1e-12)
    several = MultiScorer([name], pos_label="bad", on_error="raise")
    assert several(model, X, y)[name] == pytest.approx(value, abs=1e-12)


def test_an_auc_scorer_ranks_probabilities_and_not_predictions():
    X, y = [[0.1], [0.2], [0.3], [0.4]], [0, 0, 1, 1]
    model = Ramp().fit(X, y)
    assert not model.predict(X).any()
    for name in ("roc_auc", "average_precision", "break_even"):
        assert get_scorer(name)(model, X, y) == 1
    with pytest.raises(
        AttributeError, match="Labels has none of the following attributes: decision_function"
    ):
        get_scorer("roc_auc")(Labels().fit(X, y), X, y)


@pytest.mark.parametrize("load", [load_iris, load_wine, load_digits])
@pytest.mark.parametrize("labels", [int, str])
def test_the_average_precision_of_many_classes_is_that_of_scikit_learn(load, labels):
    """Expected: of numbers, since 1.6 has no figure of strings."""
    X, codes = load(return_X_y=True)
    y = np.array([f"class {code}" for code in codes]) if labels is str else codes
    model, coded = (GaussianNB(var_smoothing=1e-2).fit(X[::3], labels[::3]) for labels in (y, codes))
    rows = slice(1, None, 3)
    for given in ({}, {"sample_weight": np.linspace(0.5, 2, len(y))[rows]}):
        expected = sklearn.metrics.get_scorer("average_precision")(coded, X[rows], codes[rows], **given)
        for scorer in (get_scorer("average_precision"), MultiScorer(["average_precision"], on_error="raise")):
            found = scorer(model, X[rows], y[rows], **given)
            assert np.ravel(list(found.values()) if isinstance(found, dict) else found) == pytest.approx(
                [expected], abs=1e-12
            )


@pytest.mark.parametrize("load", [load_iris, load_digits])
def test_the_brier_score_of_many_classes_is_that_of_scikit_learn_where_it_has_one(load):
    X, y = load(return_X_y=True)
    model = GaussianNB(var_smoothing=1e-2).fit(X[::3], y[::3])
    ours, theirs = get_scorer("neg_brier_score"), sklearn.metrics.get_scorer("neg_brier_score")
    if sklearn.__version__.startswith("1.6"):
        with pytest.raises(ValueError, match=r"'neg_brier_score' .* needs two classes, got .*'neg_multi"):
            ours(model, X, y)
        return
    weight = np.linspace(0.5, 2, len(y))
    assert ours(model, X, y) == pytest.approx(theirs(model, X, y), abs=1e-12)
    assert ours(model, X, y, sample_weight=weight) == pytest.approx(
        theirs(model, X, y, sample_weight=weight), abs=1e-12
    )
    here = y != 2  # a fold may lack a class; by definition the mean of the squares, summed over the classes
    expected = -np.square(model.predict_proba(X[here]) - np.eye(len(model.classes_))[y[here]]).sum(axis=1)
    assert ours(model, X[here], y[here]) == pytest.approx(expected.mean(), abs=1e-12)


def test_an_average_precision_without_samples_of_a_class_is_nan_with_a_warning():
    X, y = load_iris(return_X_y=True)
    model, here = GaussianNB().fit(X, y), y != 1
    with pytest.warns(UndefinedMeasureWarning, match="a mean over 3 classes, of which y_true holds 2"):
        assert np.isnan(get_scorer("average_precision")(model, X[here], y[here]))


def test_scores_of_many_classes_are_refused_with_the_way_out():
    X, y = load_iris(return_X_y=True)
    for name in ("roc_auc", "neg_rank_loss", "pr_area", "break_even"):
        with pytest.raises(ValueError, match=r"needs the scores of two classes, got 3 .*'ovr_auc'"):
            get_scorer(name)(GaussianNB().fit(X, y), X, y)
    for name in ("average_precision", "neg_brier_score"):
        with pytest.raises(ValueError, match=r"needs .*two classes, got 3"):
            get_scorer(name, pos_label=1)(GaussianNB().fit(X, y), X, y)
    with pytest.raises(ValueError, match="A binary measure needs two classes, got 3"):
        get_scorer("f1")(GaussianNB().fit(X, y), X, y)


# --- scikit-learn's tools ---------------------------------------------------------------------


@pytest.mark.parametrize("name", ["g_mean", "roc_auc", "f1_macro", "neg_error_rate"])
def test_a_scorer_survives_copying(name):
    scorer = get_scorer(name)
    model = GaussianNB().fit(X, Y)
    score = scorer(model, X, Y)
    for again in (
        copy.deepcopy(scorer),
        clone(scorer, safe=False),
        pickle.loads(pickle.dumps(scorer)),
        clone(GridSearchCV(GaussianNB(), {}, scoring=scorer)).scoring,
    ):
        assert again(model, X, Y) == score
    assert type(scorer(model, X, Y)) is float


def test_a_search_ranks_by_a_scorer():
    grid = {"var_smoothing": [1e-9, 1e-3, 1e-1]}
    search = GridSearchCV(GaussianNB(), grid, scoring=get_scorer("g_mean"), cv=3).fit(X, Y)
    expected = [np.mean(folds_of(GaussianNB(**params))) for params in search.cv_results_["params"]]
    np.testing.assert_allclose(search.cv_results_["mean_test_score"], expected, atol=1e-12)
    assert search.score(X, Y) == g_mean_score(Y, search.predict(X))


def folds_of(model):
    results = cross_validate(model, X, Y, cv=3, return_estimator=True, return_indices=True)
    pairs = zip(results["estimator"], results["indices"]["test"], strict=True)
    return [g_mean_score(Y[test], fitted.predict(X[test])) for fitted, test in pairs]


@pytest.mark.parametrize(
    ("scorer", "function", "params"),
    [
        (get_scorer("f1"), sklearn.metrics.f1_score, {}),
        (get_scorer("balanced_accuracy"), sklearn.metrics.balanced_accuracy_score, {}),
        (get_scorer("g_mean"), g_mean_score, {}),
    ],
    ids=["f1", "balanced accuracy", "g-mean"],
)
def test_a_tuned_threshold_is_that_of_the_metric(scorer, function, params):
    rare = np.r_[np.flatnonzero(Y == 0)[:40], np.flatnonzero(Y == 1)]
    tuned, plain = (
        TunedThresholdClassifierCV(GaussianNB(), scoring=scoring, cv=3).fit(X[rare], Y[rare])
        for scoring in (scorer, sklearn.metrics.make_scorer(function, **params))
    )
    assert tuned.best_threshold_ == plain.best_threshold_
    assert tuned.best_score_ == pytest.approx(plain.best_score_, abs=1e-12)


def test_a_tuned_threshold_of_a_named_class():
    scorer = get_scorer("f1", pos_label="malignant")
    tuned = TunedThresholdClassifierCV(GaussianNB(), scoring=scorer, cv=3).fit(X, NAMED)
    codes = (NAMED == "malignant").astype(int)
    plain = TunedThresholdClassifierCV(GaussianNB(), scoring="f1", cv=3).fit(X, codes)
    assert tuned.best_score_ == pytest.approx(plain.best_score_, abs=1e-12)
    assert tuned.best_threshold_ == pytest.approx(plain.best_threshold_, abs=1e-12)


def test_a_learning_curve_takes_a_scorer():
    scoring, sizes = get_scorer("g_mean"), [0.5, 1.0]
    _, _, scores = learning_curve(
        GaussianNB(), X, Y, cv=3, scoring=scoring, train_sizes=sizes, shuffle=True, random_state=0
    )
    assert scores.shape == (2, 3)
    assert (scores > 0.8).all()


def test_regression_names_are_scikit_learns():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 2)), rng.normal(size=40)
    model = LinearRegression().fit(X, y)
    assert get_scorer("r2")(model, X, y) == sklearn.metrics.r2_score(y, model.predict(X))


# --- weights ----------------------------------------------------------------------------------

FOLD = PredefinedSplit([0, 0, 0, 0, 1, 1, 1, 1])
SAMPLES = {"X": np.zeros((8, 1)), "y": [0, 0, 1, 1, 0, 1, 1, 1], "cv": FOLD}
ALWAYS_ONE = DummyClassifier(strategy="constant", constant=1)


def test_a_weight_by_keyword_is_used():
    model = GaussianNB().fit(X, Y)
    weight = np.random.default_rng(0).integers(0, 4, len(Y))
    for name in ("accuracy", "f1_macro", "roc_auc", "average_precision"):
        ours, theirs = get_scorer(name), sklearn.metrics.get_scorer(name)
        assert ours(model, X, Y, sample_weight=weight) == pytest.approx(
            theirs(model, X, Y, sample_weight=weight), abs=1e-12
        )


def test_weights_reach_the_score_through_routing(routing):
    model = copy.deepcopy(ALWAYS_ONE).set_fit_request(sample_weight=False)
    weight = [1, 1, 1, 1, 1, 1, 1, 5]
    unweighted = cross_validate(model, **SAMPLES, scoring=get_scorer("accuracy"), params={})
    assert unweighted["test_score"].tolist() == [0.5, 0.75]
    scorer = get_scorer("accuracy").set_score_request(sample_weight=True)
    weighted = cross_validate(model, **SAMPLES, scoring=scorer, params={"sample_weight": weight})
    assert weighted["test_score"].tolist() == [0.5, 0.875]
    renamed = get_scorer("accuracy").set_score_request(sample_weight="importance")
    weighted = cross_validate(model, **SAMPLES, scoring=renamed, params={"importance": weight})
    assert weighted["test_score"].tolist() == [0.5, 0.875]


@pytest.mark.skipif(
    tuple(map(int, sklearn.__version__.split(".")[:2])) < (1, 9),
    reason="no scorer of scikit-learn raises there",
)
def test_a_weight_that_nobody_asked_for_is_an_error(routing):
    model = copy.deepcopy(ALWAYS_ONE).set_fit_request(sample_weight=True)
    with pytest.raises(sklearn.exceptions.UnsetMetadataPassedError, match="sample_weight"):
        cross_validate(model, **SAMPLES, scoring=get_scorer("accuracy"), params={"sample_weight": np.ones(8)})


def test_a_scorer_is_the_measure_of_the_matrix():
    model = GaussianNB().fit(X, Y)
    cm = ConfusionMatrix.from_predictions(Y, model.predict(X))
    assert get_scorer("specificity")(model, X, Y) == cm.specificity()
    assert get_scorer("fscore_of_means")(model, X, Y) == cm.fscore_of_means()
    assert get_scorer("youden_j")(model, X, Y) == cm.youden_j()

"""AUC of many classes: published and exact values, a class that is missing, scorers."""

import copy
import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
import sklearn
import sklearn.metrics
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, PredefinedSplit, cross_val_score, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC

from skeval.exceptions import UndefinedMeasureWarning
from skeval.metrics import (
    MultiScorer,
    RankedScores,
    get_scorer,
    hand_till_auc_score,
    ovr_auc_score,
)
from tests.reference import load, number

REFERENCE = load("11_multiclass_auc.json")
Y, PROB = REFERENCE["inputs"]["y"], REFERENCE["inputs"]["prob"]
EXPECTED = REFERENCE["expected"]
BOTH = [ovr_auc_score, hand_till_auc_score]

# Two classes of three: what a fold may look like.
LACKING, SCORES = [0, 0, 1, 1], [[0.7, 0.2, 0.1], [0.5, 0.3, 0.2], [0.2, 0.6, 0.2], [0.3, 0.5, 0.2]]


def exact(value):
    return pytest.approx(value, abs=1e-12, rel=0, nan_ok=True)


# --- published and exact values ---------------------------------------------------------------------


def test_hand_and_till_equals_two_r_packages_and_fractions():
    assert hand_till_auc_score(Y, PROB) == exact(number(EXPECTED["M"]))


def test_one_against_the_rest_equals_r_and_fractions():
    classes = [number(EXPECTED["ovr_auc"][label]) for label in "abc"]
    np.testing.assert_allclose(ovr_auc_score(Y, PROB, average=None), classes, atol=1e-12)
    assert ovr_auc_score(Y, PROB) == exact(number(EXPECTED["ovr_macro"]))
    weighted = number(EXPECTED["ovr_prevalence_weighted (Provost & Domingos)"])
    assert ovr_auc_score(Y, PROB, average="weighted") == exact(weighted)


@pytest.mark.parametrize("function", BOTH)
def test_a_perfect_and_a_constant_model(function):
    one_hot = np.eye(3)[["abc".index(label) for label in Y]]
    assert function(Y, one_hot) == EXPECTED["perfect_one_hot"] == 1
    assert function(Y, np.full((len(Y), 3), 1 / 3)) == number(EXPECTED["constant_probabilities"]) == 0.5


@st.composite
def scored(draw):
    """Three classes, each present, with tied scores that sum to 1."""
    size = draw(st.integers(6, 25))
    y = np.array([0, 1, 2, *draw(st.lists(st.integers(0, 2), min_size=size - 3, max_size=size - 3))])
    counts = draw(st.lists(st.tuples(*[st.integers(1, 4)] * 3), min_size=size, max_size=size))
    score = np.array(counts, dtype=float)
    return y, score / score.sum(axis=1, keepdims=True)


@settings(deadline=None, max_examples=60)
@given(drawn=scored())
def test_both_equal_scikit_learn(drawn):
    y, score = drawn
    theirs = {
        (kind, average): sklearn.metrics.roc_auc_score(y, score, multi_class=kind, average=average)
        for kind, average in (("ovr", "macro"), ("ovr", "weighted"), ("ovo", "macro"))
    }
    assert ovr_auc_score(y, score) == exact(theirs["ovr", "macro"])
    assert ovr_auc_score(y, score, average="weighted") == exact(theirs["ovr", "weighted"])
    assert hand_till_auc_score(y, score) == exact(theirs["ovo", "macro"])


@settings(deadline=None, max_examples=60)
@given(drawn=scored(), data=st.data())
def test_frequency_weights_equal_repeated_rows(drawn, data):
    y, score = drawn
    rest = st.lists(st.integers(0, 3), min_size=len(y) - 3, max_size=len(y) - 3)
    weight = np.array([1, 1, 1, *data.draw(rest)])
    rows = np.repeat(np.arange(len(y)), weight)
    for function in BOTH:
        assert function(y, score, sample_weight=weight) == exact(function(y[rows], score[rows]))


def test_the_order_of_columns_and_rows_and_the_scale_of_a_column_change_nothing():
    y, prob = np.array(Y), np.array(PROB)
    rows, columns = np.random.default_rng(0).permutation(len(y)), [2, 0, 1]
    changed = np.exp(5 * prob[rows])[:, columns] - [0, 3, 7]  # each column keeps its order
    for function in BOTH:
        moved = function(y[rows], changed, labels=np.array(["a", "b", "c"])[columns])
        assert moved == exact(function(Y, PROB))


def test_two_classes_give_the_auc_of_two_classes():
    y, score = [0, 1, 1, 0, 1], np.array([0.1, 0.8, 0.35, 0.35, 0.9])
    auc = RankedScores.from_predictions(y, score).roc_auc()
    for function in BOTH:
        assert function(y, np.column_stack([1 - score, score])) == exact(auc)


def test_a_data_frame_counts_by_position():
    frame = pd.DataFrame(PROB, index=range(len(Y), 0, -1), columns=["a", "b", "c"])
    for function in BOTH:
        assert function(pd.Series(Y), frame) == function(Y, PROB)


# --- a class that y_true lacks ----------------------------------------------------------------------


@pytest.mark.parametrize("average", ["macro", "weighted"])
def test_a_missing_class_leaves_the_mean_over_classes_undefined(average):
    with pytest.warns(
        UndefinedMeasureWarning, match=r"One-vs-rest AUC is undefined: class 2 is not in y_true"
    ):
        assert np.isnan(ovr_auc_score(LACKING, SCORES, labels=[0, 1, 2], average=average))


def test_a_missing_class_leaves_the_mean_over_pairs_undefined():
    with pytest.warns(UndefinedMeasureWarning, match="AUC is undefined: class 2 is not in y_true"):
        assert np.isnan(hand_till_auc_score(LACKING, SCORES, labels=[0, 1, 2]))


@pytest.mark.parametrize(
    ("function", "used"),
    [(ovr_auc_score, "2 of 3 classes"), (hand_till_auc_score, "1 of 3 pairs of classes")],
)
def test_a_missing_class_is_left_out_where_asked(function, used):
    told = rf"class 2 is not in y_true and left out, the mean is over {used} \(n_classes_used=2\)"
    with pytest.warns(UndefinedMeasureWarning, match=told):
        assert function(LACKING, SCORES, labels=[0, 1, 2], missing="omit") == 1.0


def test_the_classes_that_are_there_keep_their_values():
    with pytest.warns(UndefinedMeasureWarning, match="class 2 is not in y_true"):
        values = ovr_auc_score(LACKING, SCORES, labels=[0, 1, 2], average=None)
    np.testing.assert_array_equal(values, [1.0, 1.0, np.nan])


@pytest.mark.parametrize("missing", ["nan", "omit"])
def test_values_of_each_class_are_told_of_without_a_word_on_their_mean(missing):
    told = "AUC of each class is undefined where there is no sample: class 2 is not in y_true.$"
    with pytest.warns(UndefinedMeasureWarning, match=told):
        ovr_auc_score(LACKING, SCORES, labels=[0, 1, 2], average=None, missing=missing)


def test_a_class_without_weight_is_missing():
    with pytest.warns(UndefinedMeasureWarning, match="class c is not in y_true"):
        assert np.isnan(ovr_auc_score(Y, PROB, sample_weight=[label != "c" for label in Y]))


@pytest.mark.parametrize("missing", ["nan", "omit"])
@pytest.mark.parametrize("function", BOTH)
def test_a_single_class_leaves_nothing_to_compare(function, missing):
    told = "AUC is undefined: only one class is present, 0; classes 1, 2 are not in y_true"
    with pytest.warns(UndefinedMeasureWarning, match=told):
        assert np.isnan(function([0] * 4, SCORES, labels=[0, 1, 2], missing=missing))


# --- bad input --------------------------------------------------------------------------------------


@pytest.mark.parametrize("function", BOTH)
@pytest.mark.parametrize(
    ("y", "score", "kwargs", "message"),
    [
        (LACKING, SCORES, {}, r"it has 3 columns, y_true holds 2 classes \[0, 1\]; .* with labels="),
        (LACKING, SCORES, {"labels": [0, 1]}, r"it has 3 columns, labels names 2 classes"),
        (LACKING, SCORES, {"labels": [0, 2, 3]}, r"y_true must hold only labels from \[0, 2, 3\], got 1"),
        (LACKING, [0.1, 0.2, 0.3, 0.4], {}, "one column per class"),
        (LACKING, np.zeros((3, 2)), {}, "same length"),
        ([], np.zeros((0, 2)), {"labels": [0, 1]}, "hold no samples"),
        (LACKING, [[0.1, np.nan]] * 4, {}, "y_score must hold finite numbers, got nan"),
        (LACKING, [[0.1, 0.9]] * 4, {"missing": "drop"}, "missing must be one of 'nan', 'omit'"),
        (LACKING, [[0.1, 0.9]] * 4, {"sample_weight": [1, -1, 1, 1]}, "must not be negative"),
    ],
)
def test_bad_input_is_refused(function, y, score, kwargs, message):
    with pytest.raises(ValueError, match=message):
        function(y, score, **kwargs)


def test_an_unknown_average_is_refused():
    with pytest.raises(ValueError, match="average must be one of 'macro', 'weighted', None, got 'micro'"):
        ovr_auc_score(Y, PROB, average="micro")


# --- scorers ----------------------------------------------------------------------------------------


@pytest.fixture
def routing():
    with sklearn.config_context(enable_metadata_routing=True):
        yield


@pytest.mark.parametrize("read", [load_iris, load_wine])
@pytest.mark.parametrize(
    ("name", "params", "theirs"),
    [
        ("ovr_auc", {}, "roc_auc_ovr"),
        ("ovr_auc", {"average": "weighted"}, "roc_auc_ovr_weighted"),
        ("hand_till_auc", {}, "roc_auc_ovo"),
    ],
)
def test_scores_equal_those_of_scikit_learn(read, name, params, theirs):
    X, y = read(return_X_y=True)
    ours = cross_val_score(GaussianNB(), X, y, cv=4, scoring=get_scorer(name, **params))
    np.testing.assert_allclose(ours, cross_val_score(GaussianNB(), X, y, cv=4, scoring=theirs), atol=1e-12)


def test_a_model_of_decision_values_is_ranked_by_them():
    X, y = load_wine(return_X_y=True)
    model = make_pipeline(StandardScaler(), LinearSVC()).fit(X, y)
    score = get_scorer("hand_till_auc")(model, X, y)
    assert score == hand_till_auc_score(y, model.decision_function(X))
    X, y = load_breast_cancer(return_X_y=True)
    model = make_pipeline(StandardScaler(), LinearSVC()).fit(X, y)
    expected = sklearn.metrics.roc_auc_score(y, model.decision_function(X))
    assert get_scorer("ovr_auc")(model, X, y) == pytest.approx(expected, abs=1e-12)


# Rows 100 to 149 of iris are its class 2: the third fold holds 10 of class 0 and 10 of class 1.
X_IRIS, Y_IRIS = load_iris(return_X_y=True)
FOLD = np.array([*[0, 1] * 20, *[2] * 10, *[0, 1] * 20, *[2] * 10, *[0, 1] * 25])


@pytest.mark.parametrize("name", ["ovr_auc", "hand_till_auc"])
def test_a_fold_that_lacks_a_class_is_named_and_nan_or_averaged_over_the_others(name):
    cv = PredefinedSplit(FOLD)
    with pytest.warns(UndefinedMeasureWarning, match="AUC is undefined: class 2 is not in y_true"):
        scores = cross_val_score(GaussianNB(), X_IRIS, Y_IRIS, cv=cv, scoring=get_scorer(name))
    assert np.isnan(scores).tolist() == [False, False, True]
    with pytest.warns(UndefinedMeasureWarning, match="class 2 is not in y_true and left out"):
        omit = cross_val_score(GaussianNB(), X_IRIS, Y_IRIS, cv=cv, scoring=get_scorer(name, missing="omit"))
    assert omit[2] > 0.95
    np.testing.assert_array_equal(omit[:2], scores[:2])


def test_string_labels_and_searches():
    y = load_iris().target_names[Y_IRIS]
    search = GridSearchCV(
        make_pipeline(StandardScaler(), LogisticRegression()),
        {"logisticregression__C": [0.01, 1]},
        scoring=get_scorer("ovr_auc"),
        cv=3,
    ).fit(X_IRIS, y)
    assert search.best_params_ == {"logisticregression__C": 1}
    assert get_scorer("hand_till_auc")(search, X_IRIS, y) > 0.99


def test_many_metrics_at_once_hold_the_auc_of_every_class():
    scoring = MultiScorer(["accuracy", "ovr_auc", "hand_till_auc", "neg_log_loss"])
    results = cross_validate(GaussianNB(), X_IRIS, Y_IRIS, cv=3, scoring=scoring)
    for name in ("ovr_auc", "hand_till_auc", "neg_log_loss"):
        alone = cross_val_score(GaussianNB(), X_IRIS, Y_IRIS, cv=3, scoring=get_scorer(name))
        np.testing.assert_allclose(results[f"test_{name}"], alone, atol=1e-12)


def test_weights_reach_the_scorer(routing):
    weight = np.random.default_rng(0).integers(1, 4, len(Y_IRIS))
    scorer = get_scorer("ovr_auc").set_score_request(sample_weight=True)
    results = cross_validate(
        GaussianNB().set_fit_request(sample_weight=False),
        X_IRIS,
        Y_IRIS,
        cv=3,
        scoring=scorer,
        params={"sample_weight": weight},
        return_estimator=True,
        return_indices=True,
    )
    for model, test, score in zip(
        results["estimator"], results["indices"]["test"], results["test_score"], strict=True
    ):
        prob = model.predict_proba(X_IRIS[test])
        assert score == ovr_auc_score(Y_IRIS[test], prob, sample_weight=weight[test])


def test_weights_that_nobody_asked_for_are_an_error(routing):
    with pytest.raises(sklearn.exceptions.UnsetMetadataPassedError, match="sample_weight"):
        cross_validate(
            GaussianNB().set_fit_request(sample_weight=False),
            X_IRIS,
            Y_IRIS,
            scoring=get_scorer("ovr_auc"),
            params={"sample_weight": np.ones(len(Y_IRIS))},
        )


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda scorer: pickle.loads(pickle.dumps(scorer))])
def test_a_scorer_survives_copying(duplicate):
    scorer = duplicate(get_scorer("ovr_auc", average="weighted", missing="omit"))
    assert repr(scorer) == "get_scorer('ovr_auc', average='weighted', missing='omit')"
    model = GaussianNB().fit(X_IRIS, Y_IRIS)
    expected = ovr_auc_score(Y_IRIS, model.predict_proba(X_IRIS), average="weighted")
    assert scorer(model, X_IRIS, Y_IRIS) == expected


@pytest.mark.parametrize(
    ("name", "params", "message"),
    [
        ("ovr_auc", {"average": None}, "a scorer needs one number, not average=None"),
        ("ovr_auc", {"labels": [0, 1]}, "labels from classes_ of the estimator"),
        ("hand_till_auc", {"average": "macro"}, "unexpected keyword argument 'average'"),
        ("neg_log_loss", {"pos_label": 1}, "'neg_log_loss' got .* unexpected keyword argument 'pos_label'"),
        ("neg_multiclass_brier_score", {"sample_weight": [1]}, "weights come with the data"),
    ],
)
def test_parameters_that_do_not_fit_are_refused_before_any_fit(name, params, message):
    with pytest.raises(TypeError, match=message):
        get_scorer(name, **params)


def test_a_model_that_has_no_scores_of_every_class_is_told():
    model = LinearSVC().fit(X_IRIS, Y_IRIS)
    with pytest.raises(AttributeError, match="LinearSVC has none of predict_proba, which"):
        get_scorer("neg_log_loss")(model, X_IRIS, Y_IRIS)
    four = np.where(Y_IRIS == 2, 2 + np.arange(150) % 2, Y_IRIS)
    pairs = SVC(decision_function_shape="ovo").fit(X_IRIS, four)
    with pytest.raises(
        ValueError, match=r"SVC.decision_function gives 6 columns for 4 classes \(one per pair"
    ):
        get_scorer("ovr_auc")(pairs, X_IRIS, four)
    single = GaussianNB().fit(X_IRIS[:50], Y_IRIS[:50])
    with pytest.raises(ValueError, match="was fitted on one class only"):
        get_scorer("ovr_auc")(single, X_IRIS, Y_IRIS)


def test_a_model_that_does_not_name_its_classes_is_told():
    class Nameless:
        def predict_proba(self, X):
            return np.full((len(X), 3), 1 / 3)

    with pytest.raises(
        AttributeError, match=r"Nameless has no classes_, which name the columns .*: set them in"
    ):
        get_scorer("ovr_auc")(Nameless(), X_IRIS, Y_IRIS)


def test_no_warning_where_every_class_is_there():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert ovr_auc_score(Y, PROB, missing="omit") == ovr_auc_score(Y, PROB)
        assert hand_till_auc_score(Y, PROB, missing="omit") == hand_till_auc_score(Y, PROB)

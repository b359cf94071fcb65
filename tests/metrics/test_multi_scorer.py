"""Scorers that return a dict: many metrics from one prediction, and the cells of the matrix."""

import copy
import operator
import pickle
import re
import warnings

import numpy as np
import pandas as pd
import pytest
import sklearn
import sklearn.metrics
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.dummy import DummyClassifier
from sklearn.inspection import permutation_importance
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import GridSearchCV, PredefinedSplit, RandomizedSearchCV, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

from skeval.exceptions import SkevalWarning, UndefinedMeasureWarning
from skeval.metrics import ConfusionMatrix, ConfusionScorer, MultiScorer, get_scorer

X, Y = load_breast_cancer(return_X_y=True)
NAMED = np.array(["malignant", "benign"])[Y]
X_THREE, Y_THREE = load_iris(return_X_y=True)

BINARY = ["accuracy", "f1", "precision", "recall", "jaccard", "roc_auc", "average_precision", "f1_macro"]
ANY_CLASSES = [
    "accuracy",
    "balanced_accuracy",
    "matthews_corrcoef",
    *[f"{name}_macro" for name in ("precision", "recall", "f1", "jaccard")],
    *[f"{name}_micro" for name in ("precision", "recall", "f1", "jaccard")],
    *[f"{name}_weighted" for name in ("precision", "recall", "f1", "jaccard")],
]


@pytest.fixture
def routing():
    with sklearn.config_context(enable_metadata_routing=True):
        yield


def scores_of(results):
    return {key.removeprefix("test_"): value for key, value in results.items() if key.startswith("test_")}


def assert_same_scores(ours, theirs):
    ours, theirs = scores_of(ours), scores_of(theirs)
    assert ours.keys() == theirs.keys()
    for key in ours:
        np.testing.assert_allclose(ours[key], theirs[key], atol=1e-12, err_msg=key)


class Counting(GaussianNB):
    """Counts the calls of each response method."""

    calls: dict = {}  # noqa: RUF012

    def predict(self, X):
        # GaussianNB's predict and predict_proba do not call each other.
        self.calls["predict"] = self.calls.get("predict", 0) + 1
        return super().predict(X)

    def predict_proba(self, X):
        self.calls["predict_proba"] = self.calls.get("predict_proba", 0) + 1
        return super().predict_proba(X)


# --- the same numbers -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "model",
    [GaussianNB(), make_pipeline(StandardScaler(), LinearSVC())],
    ids=["probabilities", "decision function"],
)
def test_scores_of_two_classes_equal_the_dict_of_scikit_learn(model):
    ours = cross_validate(model, X, Y, cv=4, scoring=MultiScorer(BINARY), return_train_score=True)
    theirs = cross_validate(model, X, Y, cv=4, scoring=BINARY, return_train_score=True)
    assert_same_scores(ours, theirs)
    np.testing.assert_allclose(ours["train_f1"], theirs["train_f1"], atol=1e-12)


def test_scores_of_many_classes_equal_the_dict_of_scikit_learn():
    names = [*ANY_CLASSES, "neg_log_loss", "roc_auc_ovr", "roc_auc_ovo_weighted", "top_k_accuracy"]
    ours = cross_validate(GaussianNB(), X_THREE, Y_THREE, cv=4, scoring=MultiScorer(names, on_error="raise"))
    theirs = cross_validate(GaussianNB(), X_THREE, Y_THREE, cv=4, scoring=names)
    assert_same_scores(ours, theirs)


def test_scores_of_pandas_input_and_string_labels():
    frame = pd.DataFrame(X, index=range(1000, 1000 + len(X)))
    y = pd.Series(NAMED, index=frame.index)
    names = ["f1", "roc_auc", "average_precision", "neg_brier_score"]
    scoring = MultiScorer(names, pos_label="malignant", on_error="raise")
    ours = cross_validate(GaussianNB(), frame, y, cv=4, scoring=scoring)
    codes = (NAMED == "malignant").astype(int)
    assert_same_scores(ours, cross_validate(GaussianNB(), X, codes, cv=4, scoring=names))


def test_regressors_are_scored():
    X, y = load_diabetes(return_X_y=True)
    names = ["r2", "neg_mean_squared_error", "neg_mean_absolute_error"]
    ours = cross_validate(LinearRegression(), X, y, cv=3, scoring=MultiScorer(names, on_error="raise"))
    assert_same_scores(ours, cross_validate(LinearRegression(), X, y, cv=3, scoring=names))


def test_keys_name_what_the_caller_wants():
    scorer = MultiScorer(
        {
            "acc": "accuracy",
            "loss": "neg_error_rate",
            "f2": sklearn.metrics.make_scorer(sklearn.metrics.fbeta_score, beta=2),
            "g": get_scorer("g_mean"),
            "hits": lambda cm: cm.counts.trace(),
            "named": operator.methodcaller("accuracy"),
            "first": lambda estimator, X, y: float(y[0]),
            "size": lambda estimator, X, y=None: float(len(X)),
        },
        on_error="raise",
    )
    model = GaussianNB().fit(X, Y)
    scores = scorer(model, X, Y)
    predicted = model.predict(X)
    cm = ConfusionMatrix.from_predictions(Y, predicted)
    assert scores == {
        "acc": cm.accuracy(),
        "loss": -cm.error_rate(),
        "f2": pytest.approx(sklearn.metrics.fbeta_score(Y, predicted, beta=2), abs=1e-12),
        "g": cm.g_mean(),
        "hits": (predicted == Y).sum(),
        "named": cm.accuracy(),
        "first": Y[0],
        "size": len(X),
    }
    assert list(scores) == ["acc", "loss", "f2", "g", "hits", "named", "first", "size"]
    assert all(type(score) is float for score in scores.values())


# --- one call of each response ----------------------------------------------------------------


def test_each_response_is_asked_for_once():
    model = Counting().fit(X, Y)
    model.calls.clear()
    scorers = {name: name for name in [*BINARY, "neg_log_loss", "neg_brier_score", "balanced_accuracy"]}
    scorers["own"] = sklearn.metrics.make_scorer(sklearn.metrics.hamming_loss, greater_is_better=False)
    scorers["matrix"] = lambda cm: cm.kappa()
    scorers["user"] = lambda estimator, X, y: estimator.predict(X).mean()
    MultiScorer(scorers, on_error="raise")(model, X, Y)
    assert model.calls == {"predict": 1, "predict_proba": 1}
    model.calls.clear()
    MultiScorer(["roc_auc"])(model, X, Y)
    assert model.calls == {"predict_proba": 1}


def test_other_rows_are_predicted_anew():
    scorer = MultiScorer(
        {"whole": "accuracy", "half": lambda estimator, X, y: float(len(estimator.predict(X[:50])))},
        on_error="raise",
    )
    assert scorer(GaussianNB().fit(X, Y), X, Y)["half"] == 50


def test_a_scorer_sees_the_model_as_it_is():
    def look(estimator, X, y):
        assert isinstance(estimator, GaussianNB)
        assert clone(estimator).get_params() == GaussianNB().get_params()
        return float(len(estimator.classes_))

    scorer = MultiScorer({"classes": look}, on_error="raise")
    assert scorer(GaussianNB().fit(X_THREE, Y_THREE), X_THREE, Y_THREE) == {"classes": 3}


# --- weights ----------------------------------------------------------------------------------


def test_weights_by_keyword_reach_every_metric():
    weight = np.random.default_rng(0).integers(0, 4, len(Y))
    model = GaussianNB().fit(X, Y)
    scorers = {name: name for name in [*BINARY, "neg_log_loss"]}
    scorers["total"] = lambda cm: cm.total
    scores = MultiScorer(scorers, on_error="raise")(model, X, Y, sample_weight=weight)
    assert scores.pop("total") == weight.sum()
    for name, score in scores.items():
        expected = sklearn.metrics.get_scorer(name)(model, X, Y, sample_weight=weight)
        assert score == pytest.approx(expected, abs=1e-12), name


def test_weights_reach_every_metric_through_routing(routing):
    weight = np.random.default_rng(0).random(len(Y))
    model = GaussianNB().set_fit_request(sample_weight=False)
    common = {"X": X, "y": Y, "cv": 3, "params": {"sample_weight": weight}}
    ours = cross_validate(model, **common, scoring=MultiScorer(BINARY).set_score_request(sample_weight=True))
    theirs = cross_validate(
        model,
        **common,
        scoring={
            name: sklearn.metrics.get_scorer(name).set_score_request(sample_weight=True) for name in BINARY
        },
    )
    assert_same_scores(ours, theirs)
    unweighted = cross_validate(model, X, Y, cv=3, scoring=MultiScorer(["accuracy"]), params={})
    assert not np.allclose(ours["test_accuracy"], unweighted["test_accuracy"], atol=1e-4)


@pytest.mark.parametrize("make", [lambda: MultiScorer(["accuracy"]), lambda: ConfusionScorer([0, 1])])
def test_weights_that_nobody_asked_for_are_an_error(routing, make):
    model = DummyClassifier(strategy="constant", constant=1).set_fit_request(sample_weight=True)
    sample = {"X": np.zeros((8, 1)), "y": [0, 0, 1, 1, 0, 1, 1, 1], "cv": PredefinedSplit([0, 1] * 4)}
    with pytest.raises(sklearn.exceptions.UnsetMetadataPassedError, match="sample_weight"):
        cross_validate(model, **sample, scoring=make(), params={"sample_weight": np.ones(8)})


def test_the_case_of_two_folds_with_weights(routing):
    model = DummyClassifier(strategy="constant", constant=1).set_fit_request(sample_weight=True)
    cv = PredefinedSplit([0, 0, 0, 0, 1, 1, 1, 1])
    sample = {"X": np.zeros((8, 1)), "y": [0, 0, 1, 1, 0, 1, 1, 1], "cv": cv}
    params = {"sample_weight": [1, 1, 1, 1, 1, 1, 1, 5]}
    scoring = MultiScorer(["accuracy"]).set_score_request(sample_weight=True)
    results = cross_validate(model, **sample, scoring=scoring, params=params)
    assert results["test_accuracy"].tolist() == [0.5, 0.875]
    scoring = ConfusionScorer([0, 1]).set_score_request(sample_weight=True)
    results = cross_validate(model, **sample, scoring=scoring, params=params)
    folds = ConfusionMatrix.from_cv_results(results)
    assert folds.accuracy().tolist() == [0.5, 0.875]
    assert folds.total.tolist() == [4, 8]
    scoring = MultiScorer(["accuracy"]).set_score_request(sample_weight=False)
    results = cross_validate(model, **sample, scoring=scoring, params=params)
    assert results["test_accuracy"].tolist() == [0.5, 0.75]


def test_a_request_that_would_be_ignored_is_an_error():
    with pytest.raises(RuntimeError, match=r"needs metadata routing; call sklearn\.set_config"):
        MultiScorer(["accuracy"]).set_score_request(sample_weight=True)


# --- classes that a fold lacks ----------------------------------------------------------------


@pytest.fixture
def lacking():
    """Splits of iris: the first trains without class 2, the second tests without it."""
    k = np.split(np.arange(150), 3)  # iris is sorted by class
    without = np.r_[k[0][:40], k[1][:40]], np.r_[k[0][40:], k[1][40:], k[2][40:]]
    only_two = np.r_[k[0][:40], k[1][:40], k[2][:40]], np.r_[k[0][40:], k[1][40:]]
    return [without, only_two]


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
@pytest.mark.filterwarnings("ignore:y_pred contains classes not in y_true:UserWarning")
def test_a_class_that_a_fold_lacks_changes_no_figure(lacking):
    ours = cross_validate(GaussianNB(), X_THREE, Y_THREE, cv=lacking, scoring=MultiScorer(ANY_CLASSES))
    theirs = cross_validate(GaussianNB(), X_THREE, Y_THREE, cv=lacking, scoring=ANY_CLASSES)
    assert_same_scores(ours, theirs)


@pytest.mark.filterwarnings("ignore::skeval.exceptions.UndefinedMeasureWarning")
def test_a_class_that_a_fold_lacks_loses_no_row_of_the_matrix(lacking):
    shapes, matrices = [], []

    def look(cm):
        shapes.append(cm.labels.tolist())
        matrices.append(cm)
        return cm.f_score(average="macro")

    scoring = MultiScorer({"own": look, "f1_macro": "f1_macro"})
    results = cross_validate(
        GaussianNB(), X_THREE, Y_THREE, cv=lacking, scoring=scoring, return_estimator=True
    )
    assert shapes == [[0, 1, 2]] * 2
    np.testing.assert_allclose(results["test_own"], results["test_f1_macro"], atol=1e-12)
    for cm, model, (_, test) in zip(matrices, results["estimator"], lacking, strict=True):
        expected = sklearn.metrics.confusion_matrix(
            Y_THREE[test], model.predict(X_THREE[test]), labels=[0, 1, 2]
        )
        np.testing.assert_array_equal(cm.counts, expected)


@pytest.mark.parametrize("name", ["f1_macro", "recall_weighted", "g_mean", "balanced_accuracy"])
def test_a_class_that_a_fold_lacks_is_named(lacking, name):
    train, test = lacking[1]
    model = GaussianNB().fit(X_THREE[train], Y_THREE[train])
    message = "Class 2 has neither true nor predicted samples in this split and is left out of averages"
    with pytest.warns(UndefinedMeasureWarning, match=message):
        MultiScorer([name])(model, X_THREE[test], Y_THREE[test])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        MultiScorer(["f1_macro", "recall_macro", "g_mean"])(model, X_THREE[test], Y_THREE[test])
    assert [str(warning.message) for warning in caught] == [f"{message}."]  # once for all of them


def test_given_labels_fix_the_shape_where_no_row_has_the_class():
    keep = Y_THREE < 2
    model = GaussianNB().fit(X_THREE[keep], Y_THREE[keep])
    sizes = {"size": lambda cm: len(cm.labels)}
    assert MultiScorer(sizes)(model, X_THREE[keep], Y_THREE[keep]) == {"size": 2}
    assert MultiScorer(sizes, labels=[2, 1, 0, 7])(model, X_THREE[keep], Y_THREE[keep]) == {"size": 4}
    order = MultiScorer({"first": lambda cm: cm.counts[1, 1]}, labels=["c", "a"], on_error="raise")
    letters = np.array(["a", "c"])[Y_THREE[keep]]
    model = GaussianNB().fit(X_THREE[keep], letters)
    assert order(model, X_THREE[keep], letters) == {"first": 50}  # row and column of "a"


def test_classes_come_through_pipelines_and_searches():
    keep = Y_THREE < 2
    sizes = MultiScorer({"size": lambda cm: len(cm.labels)}, on_error="raise")
    pipeline = make_pipeline(StandardScaler(), LogisticRegression())
    search = GridSearchCV(pipeline, {"logisticregression__C": [1.0]}, cv=2)
    for model in (pipeline, search):
        model.fit(X_THREE, Y_THREE)
        assert sizes(model, X_THREE[keep], Y_THREE[keep]) == {"size": 3}


def test_a_binary_metric_holds_to_one_positive_class_in_every_fold():
    # All true and predicted labels are 1, but the model knows 1 and 2: nothing says that 1 is positive.
    X, y = np.array([[0.0], [0.1], [5.0], [5.1]]), np.array([1, 1, 2, 2])
    model = GaussianNB().fit(X, y)
    for name in ("f1", "roc_auc"):
        with pytest.raises(ValueError, match=r"pos_label must name the positive class among .* \[1, 2\]"):
            MultiScorer([name], on_error="raise")(model, X[:2], y[:2])
    assert MultiScorer(["f1"], pos_label=1)(model, X[:2], y[:2]) == {"f1": 1}


# --- failures ---------------------------------------------------------------------------------


def test_a_metric_that_fails_is_nan_and_the_others_are_kept():
    with pytest.warns(UndefinedMeasureWarning, match="'f1' failed and is nan: A binary measure needs"):
        results = cross_validate(
            GaussianNB(), X_THREE, Y_THREE, cv=3, scoring=MultiScorer(["f1", "accuracy"])
        )
    assert np.isnan(results["test_f1"]).all()
    assert (results["test_accuracy"] > 0.8).all()


def test_a_metric_that_fails_raises_where_asked():
    scoring = MultiScorer(["f1", "accuracy"], on_error="raise")
    with pytest.raises(ValueError, match="A binary measure needs two classes, got 3"):
        cross_validate(GaussianNB(), X_THREE, Y_THREE, cv=3, scoring=scoring, error_score="raise")


def test_an_estimator_without_classes_is_scored_by_the_labels_of_the_split():
    class Bare:
        def predict(self, X):
            return (X[:, 0] > 0).astype(int)

        def decision_function(self, X):
            return X[:, 0]

    X, y = np.array([[-1.0], [2.0], [1.0], [-2.0], [3.0]]), [0, 1, 0, 0, 1]
    scores = MultiScorer(["roc_auc", "f1", "f1_macro"], on_error="raise")(Bare(), X, y)
    assert scores["roc_auc"] == 1
    assert scores["f1"] == sklearn.metrics.f1_score(y, [0, 1, 1, 0, 1])


def test_a_positive_class_that_is_not_named_is_told():
    with pytest.warns(UndefinedMeasureWarning, match=r"'f1' failed .* \['benign', 'malignant'\]"):
        scores = MultiScorer(["f1", "g_mean"])(GaussianNB().fit(X, NAMED), X, NAMED)
    assert np.isnan(scores["f1"])
    assert scores["g_mean"] > 0.8


def test_a_response_that_is_not_there_is_told():
    model = DummyClassifier().fit(X, np.zeros(len(X)))
    with pytest.warns(
        UndefinedMeasureWarning, match=r"'roc_auc' failed .* DummyClassifier was fitted on one"
    ):
        assert np.isnan(MultiScorer(["roc_auc"])(model, X, Y)["roc_auc"])
    with pytest.raises(AttributeError, match="LinearRegression has none of decision_function, predict_pr"):
        MultiScorer({"auc": "roc_auc"}, on_error="raise", labels=[0, 1])(LinearRegression().fit(X, Y), X, Y)


@pytest.mark.parametrize(
    ("args", "kwargs", "error", "message"),
    [
        (["accuracy"], {}, TypeError, "scorers must be a list of names or a dict, got 'accuracy'"),
        ([[]], {}, ValueError, "scorers must name at least one metric, got none"),
        ([["g_maen"]], {}, ValueError, "got 'g_maen'; did you mean 'g_mean'"),
        ([{"a": 3}], {}, TypeError, r"scorers\['a'\] must be a name, a scorer or a function"),
        ([["accuracy"]], {"on_error": "ignore"}, ValueError, "on_error must be one of 'nan', 'raise'"),
        ([["accuracy"]], {"labels": [0, 0]}, ValueError, "labels must name each class once"),
        ([["neg_cost_sensitive_error"]], {}, TypeError, "missing a required argument: 'cost'"),
    ],
)
def test_bad_arguments_are_refused_when_the_scorer_is_made(args, kwargs, error, message):
    with pytest.raises(error, match=message):
        MultiScorer(*args, **kwargs)


# --- scikit-learn's tools ---------------------------------------------------------------------


def test_a_search_refits_by_a_key():
    grid = {"var_smoothing": [1e-9, 1e-3, 1e-1]}
    search = GridSearchCV(
        GaussianNB(), grid, cv=3, scoring=MultiScorer(["g_mean", "accuracy"]), refit="g_mean"
    ).fit(X, Y)
    alone = GridSearchCV(GaussianNB(), grid, cv=3, scoring=get_scorer("g_mean")).fit(X, Y)
    assert search.best_params_ == alone.best_params_
    np.testing.assert_allclose(
        search.cv_results_["mean_test_g_mean"], alone.cv_results_["mean_test_score"], atol=1e-12
    )
    randomized = RandomizedSearchCV(
        GaussianNB(), grid, n_iter=2, cv=3, scoring=MultiScorer(["f1", "roc_auc"]), refit="f1", random_state=0
    ).fit(X, Y)
    assert set(randomized.cv_results_) >= {"mean_test_f1", "mean_test_roc_auc", "rank_test_f1"}


def test_a_scorer_survives_copying():
    scorer = MultiScorer({"acc": "accuracy", "auc": "roc_auc", "r": get_scorer("recall")}, pos_label=0)
    model = GaussianNB().fit(X, Y)
    scores = scorer(model, X, Y)
    for again in (
        copy.deepcopy(scorer),
        clone(scorer, safe=False),
        pickle.loads(pickle.dumps(scorer)),
        clone(GridSearchCV(GaussianNB(), {}, scoring=scorer)).scoring,
    ):
        assert again(model, X, Y) == scores
    assert repr(scorer) == "MultiScorer(['acc', 'auc', 'r'])"


def test_two_workers_give_the_same_scores():
    for scoring in (MultiScorer(["accuracy", "roc_auc"]), ConfusionScorer([0, 1])):
        one, two = (cross_validate(GaussianNB(), X, Y, cv=4, scoring=scoring, n_jobs=n) for n in (1, 2))
        assert_same_scores(one, two)


def test_permutation_importance_takes_many_metrics():
    model = GaussianNB().fit(X_THREE, Y_THREE)
    scoring = MultiScorer(["accuracy", "g_mean"])
    found = permutation_importance(model, X_THREE, Y_THREE, scoring=scoring, n_repeats=3, random_state=0)
    plain = permutation_importance(model, X_THREE, Y_THREE, scoring="accuracy", n_repeats=3, random_state=0)
    np.testing.assert_allclose(found["accuracy"].importances, plain.importances, atol=1e-12)
    assert set(found) == {"accuracy", "g_mean"}


# --- cells as scores --------------------------------------------------------------------------


def test_cells_sum_to_the_size_of_the_test_set():
    scorer = ConfusionScorer(["malignant", "benign"])
    cells = scores_of(cross_validate(GaussianNB(), X, NAMED, cv=5, scoring=scorer, return_indices=True))
    assert sorted(cells) == ["confusion_0_0", "confusion_0_1", "confusion_1_0", "confusion_1_1"]
    assert sum(cells.values()).tolist() == [114, 114, 114, 114, 113]
    model = GaussianNB().fit(X, NAMED)
    cm = sklearn.metrics.confusion_matrix(NAMED, model.predict(X), labels=["malignant", "benign"])
    assert list(scorer(model, X, NAMED).values()) == cm.ravel().tolist()
    weighted = scorer(model, X, NAMED, sample_weight=np.full(len(X), 0.5))
    assert list(weighted.values()) == (cm.ravel() / 2).tolist()


def test_cells_of_a_class_that_is_missing_are_zero():
    keep = Y_THREE < 2
    cells = ConfusionScorer([0, 1, 2])(GaussianNB().fit(X_THREE, Y_THREE), X_THREE[keep], Y_THREE[keep])
    assert len(cells) == 9
    assert cells["confusion_2_2"] == 0


def test_a_label_outside_the_labels_is_an_error():
    with pytest.raises(ValueError, match=r"must hold only labels from \[0, 1\], got 2 too; add it to labels"):
        cross_validate(
            GaussianNB(), X_THREE, Y_THREE, cv=3, scoring=ConfusionScorer([0, 1]), error_score="raise"
        )


def test_many_classes_are_warned_of():
    ConfusionScorer(range(30))
    message = "ConfusionScorer makes 961 scores per split for 31 classes; MultiScorer with functions"
    with pytest.warns(SkevalWarning, match=message):
        ConfusionScorer(range(31))


def test_labels_of_cells_are_checked():
    with pytest.raises(ValueError, match="labels must name each class once, got 1 twice"):
        ConfusionScorer([1, 1])
    with pytest.raises(ValueError, match="labels must name at least one class"):
        ConfusionScorer([])


def test_a_confusion_scorer_survives_copying():
    scorer = ConfusionScorer(["malignant", "benign"])
    model = GaussianNB().fit(X, NAMED)
    for again in (copy.deepcopy(scorer), pickle.loads(pickle.dumps(scorer)), clone(scorer, safe=False)):
        assert again(model, X, NAMED) == scorer(model, X, NAMED)
    assert repr(scorer) == "ConfusionScorer(['malignant', 'benign'])"


def test_a_search_carries_cells():
    search = GridSearchCV(
        GaussianNB(), {"var_smoothing": [1e-9, 1e-1]}, cv=3, scoring=ConfusionScorer([0, 1]), refit=False
    ).fit(X, Y)
    pattern = re.compile(r"split\d_test_confusion_\d_\d")
    assert sum(map(bool, map(pattern.fullmatch, search.cv_results_))) == 12
    matrices = ConfusionMatrix.from_cv_results(search.cv_results_)
    assert matrices.pooled().total == 2 * len(Y)

"""Models fitted once per split; scores, matrices and predictions of the same fits."""

from typing import ClassVar

import numpy as np
import pytest
from sklearn import config_context
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import f1_score, log_loss, roc_auc_score
from sklearn.model_selection import (
    GridSearchCV,
    KFold,
    LeaveOneOut,
    PredefinedSplit,
    cross_val_predict,
    cross_val_score,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from skeval.exceptions import MissingScoreError, UndefinedMeasureWarning
from skeval.model_selection import BootstrapSplit, HoldOutSplit, KFoldSplit, WithResubstitution, evaluate

X, Y = load_breast_cancer(return_X_y=True)
NAMED = np.where(Y == 1, "well", "sick")
LOGISTIC = make_pipeline(StandardScaler(), LogisticRegression())
CV = KFoldSplit(5, random_state=0)


@pytest.fixture(scope="module")
def evaluation():
    return evaluate({"logistic": LOGISTIC, "bayes": GaussianNB()}, X, NAMED, cv=CV, pos_label="sick")


@pytest.mark.parametrize(
    "metric", ["accuracy", "balanced_accuracy", "f1_macro", "neg_log_loss", "matthews_corrcoef"]
)
def test_scores_are_those_of_cross_val_score(evaluation, metric):
    """Expected: scikit-learn's own loop over the same splits."""
    expected = cross_val_score(LOGISTIC, X, NAMED, cv=CV, scoring=metric)
    np.testing.assert_allclose(evaluation.scores(metric)["logistic"].scores, expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("metric", ["f1", "precision", "roc_auc", "average_precision", "neg_brier_score"])
def test_binary_metrics_are_of_the_named_class(evaluation, metric):
    """Expected: scikit-learn on labels where the named class is 1."""
    expected = cross_val_score(LOGISTIC, X, 1 - Y, cv=CV, scoring=metric)
    np.testing.assert_allclose(evaluation.scores(metric)["logistic"].scores, expected, rtol=0, atol=1e-9)


def test_a_score_over_every_class_needs_no_named_class():
    X, y = load_iris(return_X_y=True)
    cv = KFoldSplit(5, random_state=0)
    found = evaluate({"bayes": GaussianNB()}, X, y, cv=cv).scores("average_precision")["bayes"]
    expected = cross_val_score(GaussianNB(), X, y, cv=cv, scoring="average_precision")
    np.testing.assert_allclose(found.scores, expected, rtol=0, atol=1e-12)


def test_renaming_the_labels_changes_no_score(evaluation):
    renamed = evaluate(
        {"bayes": GaussianNB()}, X, np.where(Y == 1, "a_well", "z_sick"), cv=CV, pos_label="z_sick"
    )
    for metric in ("f1", "roc_auc", "neg_brier_score"):
        np.testing.assert_array_equal(
            renamed.scores(metric)["bayes"].scores, evaluation.scores(metric)["bayes"].scores
        )


def test_scores_carry_the_splits(evaluation):
    scores = evaluation.scores("accuracy")["bayes"]
    assert scores.n_test.sum() == len(X)
    np.testing.assert_array_equal(scores.n_train, len(X) - scores.n_test)


def test_all_models_see_the_same_rows(evaluation):
    said = evaluation.predictions()
    assert set(said.y_pred) == {"logistic", "bayes"}
    np.testing.assert_array_equal(np.sort(said.row), np.arange(len(X)))
    np.testing.assert_array_equal(said.y_true, NAMED[said.row])


def test_confusion_keeps_one_matrix_per_split(evaluation):
    matrices = evaluation.confusion()["bayes"]
    assert matrices.counts.shape == (5, 2, 2)
    said = evaluation.predictions()
    right = (said.y_pred["bayes"] == said.y_true).mean()
    assert matrices.pooled().accuracy() == pytest.approx(right, abs=1e-15)


def test_a_class_missing_from_a_fold_keeps_its_row():
    iris, target = load_iris(return_X_y=True)
    fold = np.where(target == 2, 0, np.arange(len(target)) % 3)  # class 2 is only ever in fold 0
    counts = evaluate(GaussianNB(), iris, target, cv=PredefinedSplit(fold)).confusion()["GaussianNB"].counts
    assert counts.shape == (3, 3, 3)
    np.testing.assert_array_equal(counts[0, 2], [0, counts[0, 2, 1], 50 - counts[0, 2, 1]])
    assert counts[0, 2, 2] == 0  # the model of split 0 never saw class 2


def test_weights_reach_the_fit_and_the_score():
    """Expected by hand: the constant prediction 1 is right on weight 2 of 4 and 7 of 8."""
    y, weight, fold = [0, 0, 1, 1, 0, 1, 1, 1], [1, 1, 1, 1, 1, 1, 1, 5], [0, 0, 0, 0, 1, 1, 1, 1]
    constant = DummyClassifier(strategy="constant", constant=1)
    weighted = evaluate(constant, np.zeros((8, 1)), y, cv=PredefinedSplit(fold), sample_weight=weight)
    plain = evaluate(constant, np.zeros((8, 1)), y, cv=PredefinedSplit(fold))
    assert weighted.scores("accuracy")["DummyClassifier"].scores.tolist() == [0.5, 0.875]
    assert plain.scores("accuracy")["DummyClassifier"].scores.tolist() == [0.5, 0.75]
    assert weighted.confusion()["DummyClassifier"].total.tolist() == [4, 8]


def test_weights_go_to_the_last_step_of_a_pipeline():
    weight = np.where(Y == 1, 1, 20)
    done = evaluate(LOGISTIC, X, Y, cv=CV, sample_weight=weight)
    train, test = done.splits[0]
    alone = make_pipeline(StandardScaler(), LogisticRegression())
    alone.fit(X[train], Y[train], logisticregression__sample_weight=weight[train])
    np.testing.assert_array_equal(done.predictions().y_pred["Pipeline"][: len(test)], alone.predict(X[test]))


def test_weights_that_a_fit_does_not_take_are_refused():
    class Unweighted(ClassifierMixin, BaseEstimator):
        def fit(self, X, y):
            raise AssertionError("must not be fitted")

    with pytest.raises(ValueError, match="sample_weight cannot be used: fit of Unweighted"):
        evaluate(Unweighted(), X, Y, cv=CV, sample_weight=np.ones(len(Y)))


class NeverFit(ClassifierMixin, BaseEstimator):
    def fit(self, X, y):
        raise AssertionError("must not be fitted")


@pytest.mark.parametrize("metric", ["f1", "average_precision", "neg_brier_score"])
def test_an_unnamed_positive_class_is_one_error_before_the_first_fit(metric):
    x, y = np.arange(8.0)[:, None], ["sick"] * 4 + ["well"] * 4
    with pytest.raises(ValueError, match=r"pos_label .*'sick', 'well'"):
        evaluate(NeverFit(), x, y, cv=2, metrics=[metric])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"y": [*NAMED[:-1], None]}, "y holds a missing value at position 568"),
        ({"y": NAMED[:-1]}, "X and y must have the same length: X has 569, y has 568"),
        ({"metrics": ["f1_makro"]}, "did you mean 'f1_macro'"),
        ({"estimators": {}}, "estimators must hold at least one model"),
        ({"estimators": {"a": NeverFit(), "b": Ridge()}}, "all classifiers or all regressors"),
        ({"cv": WithResubstitution(CV)}, "split 5 tests on a row it trained on"),
    ],
)
def test_bad_input_is_refused_before_the_first_fit(change, message):
    arguments = {"estimators": NeverFit(), "y": NAMED, "cv": CV, "metrics": [], **change}
    with pytest.raises(ValueError, match=message):
        evaluate(arguments["estimators"], X, arguments["y"], cv=arguments["cv"], metrics=arguments["metrics"])


class Duck:
    """Says what it saw last; inherits from nothing."""

    def get_params(self, deep=True):
        return {}

    def fit(self, X, y):
        self.last = y[-1]
        return self

    def predict(self, X):
        return np.full(len(X), self.last)


def test_an_estimator_without_base_class_counts_as_a_regressor():
    done = evaluate(Duck(), X, Y, cv=CV)
    errors = [np.mean((Y[test] - Y[train][-1]) ** 2) for train, test in done.splits]
    np.testing.assert_allclose(done.scores("neg_mean_squared_error")["Duck"].scores, np.negative(errors))
    with pytest.raises(ValueError, match="all classifiers or all regressors: duck does not, tree classifies"):
        evaluate({"duck": Duck(), "tree": DecisionTreeClassifier()}, X, Y, cv=CV)


def test_names_of_classes_need_a_model_that_says_that_it_classifies():
    with pytest.raises(ValueError, match="y must hold numbers") as refused:
        evaluate({"duck": Duck()}, X, NAMED, cv=CV)
    assert refused.value.__notes__ == [
        "(duck must say that it classifies for labels: inherit ClassifierMixin)"
    ]


def test_a_regressor_is_told_only_that_names_are_no_numbers():
    with pytest.raises(ValueError, match="y must hold numbers") as refused:
        evaluate(Ridge(), X, NAMED, cv=CV)
    assert not hasattr(refused.value, "__notes__")


def test_a_failing_fit_names_model_and_split():
    with pytest.raises(AssertionError) as caught:
        evaluate({"mine": NeverFit()}, X, Y, cv=CV)
    assert "(model 'mine', split 0)" in caught.value.__notes__


def test_n_jobs_changes_no_bit():
    one, two = (evaluate(LOGISTIC, X, Y, cv=HoldOutSplit(4, random_state=1), n_jobs=n) for n in (1, 2))
    for metric in ("neg_log_loss", "roc_auc"):
        np.testing.assert_array_equal(
            one.scores(metric)["Pipeline"].scores, two.scores(metric)["Pipeline"].scores
        )


def test_estimators_are_left_unfitted_and_inputs_unchanged():
    model, before = GaussianNB(), X.copy()
    evaluate(model, X, Y, cv=CV)
    assert not hasattr(model, "classes_")
    np.testing.assert_array_equal(X, before)


def test_a_metric_the_model_cannot_give_is_an_error_that_names_it():
    done = evaluate({"svm": SVC()}, X[:100], Y[:100], cv=3)
    with pytest.raises(AttributeError, match="predict_proba"):
        done.scores("neg_log_loss")


def test_regression():
    """Expected: scikit-learn's own loop."""
    diabetes, target = load_diabetes(return_X_y=True)
    done = evaluate(Ridge(), diabetes, target, cv=3)
    np.testing.assert_array_equal(
        done.scores("r2")["Ridge"].scores, cross_val_score(Ridge(), diabetes, target, cv=3)
    )
    with pytest.raises(ValueError, match="y is continuous"):
        done.confusion()
    said = done.predictions()
    np.testing.assert_array_equal(said.y_pred["Ridge"], cross_val_predict(Ridge(), diabetes, target, cv=3))
    assert said.y_score == said.y_prob == {}


@pytest.mark.parametrize("container", ["pandas", "polars", "list", "sparse"])
def test_containers(container):
    expected = evaluate(DummyClassifier(), X[:60], Y[:60], cv=3).predictions().y_pred["DummyClassifier"]
    rows, target = X[:60], Y[:60]
    if container == "pandas":
        pandas = pytest.importorskip("pandas")
        rows = pandas.DataFrame(rows, index=np.arange(100, 160))
        target = pandas.Series(target, index=np.arange(60)[::-1])
    elif container == "polars":
        polars = pytest.importorskip("polars")
        rows, target = polars.DataFrame(rows), polars.Series(target)
    elif container == "list":
        rows, target = rows.tolist(), target.tolist()
    else:
        from scipy.sparse import coo_matrix

        rows = coo_matrix(rows)
    said = evaluate(DummyClassifier(), rows, target, cv=3).predictions()
    np.testing.assert_array_equal(said.y_pred["DummyClassifier"], expected)


def test_frame_has_one_row_per_model_and_prediction(evaluation):
    pytest.importorskip("pandas")
    frame = evaluation.frame()
    assert list(frame.columns) == ["model", "split", "row", "y_true", "y_pred", "y_score"]
    assert len(frame) == 2 * len(X)


def test_frame_has_no_scores_where_a_model_has_none():
    pytest.importorskip("pandas")
    mixed = {"bayes": GaussianNB(), "nearest": NearestCentroidLabels()}
    frame = evaluate(mixed, X[::10], Y[::10], cv=KFoldSplit(2, random_state=0)).frame()
    assert list(frame.columns) == ["model", "split", "row", "y_true", "y_pred"]


class NearestCentroidLabels(ClassifierMixin, BaseEstimator):
    """Predicts labels alone."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        self.centers_ = np.stack([X[y == label].mean(axis=0) for label in self.classes_])
        return self

    def predict(self, X):
        distance = ((X[:, None] - self.centers_) ** 2).sum(axis=2)
        return self.classes_[distance.argmin(axis=1)]


# --- pooled and averaged


def test_pooled_is_the_score_of_all_test_rows_together(evaluation):
    """Expected: scikit-learn's functions on the concatenated predictions."""
    said = evaluation.predictions()
    assert evaluation.pooled("f1_macro")["bayes"] == pytest.approx(
        f1_score(said.y_true, said.y_pred["bayes"], average="macro"), abs=1e-12
    )
    sick = said.y_true == "sick"
    assert evaluation.pooled("roc_auc")["bayes"] == pytest.approx(
        roc_auc_score(sick, said.y_score["bayes"]), abs=1e-12
    )
    assert evaluation.pooled("neg_log_loss")["bayes"] == pytest.approx(
        -log_loss(said.y_true, said.y_prob["bayes"]), rel=1e-6
    )


def test_pooled_and_averaged_differ_where_splits_do():
    """Expected by hand: 1 of 1 right and 1 of 3 right average 2/3, and pool to 2/4."""
    y, fold = [1, 1, 0, 0], [0, 1, 1, 1]
    always = DummyClassifier(strategy="constant", constant=1)
    done = evaluate(always, np.zeros((4, 1)), y, cv=PredefinedSplit(fold))
    assert done.scores("accuracy")["DummyClassifier"].mean() == pytest.approx(2 / 3)
    assert done.pooled("accuracy")["DummyClassifier"] == 0.5


def test_curves_and_tests_follow_from_the_pooled_scores(evaluation):
    ranked = evaluation.ranked_scores()
    assert ranked["logistic"].pos_label == "sick"
    assert ranked["logistic"].roc_auc() == pytest.approx(evaluation.pooled("roc_auc")["logistic"], abs=1e-12)
    said = evaluation.predictions()
    positive = said.y_true == "sick"
    assert roc_auc_score(positive, said.y_score["logistic"]) == pytest.approx(ranked["logistic"].roc_auc())
    assert said.y_prob["bayes"].shape == (len(Y), 2)


def test_scores_of_a_positive_class_need_two_classes_and_its_name():
    named = evaluate(GaussianNB(), X, NAMED, cv=CV)
    assert named.predictions().y_score == {}
    with pytest.raises(ValueError, match=r"pos_label .*'sick', 'well'"):
        named.ranked_scores()
    assert named.ranked_scores(pos_label="sick")["GaussianNB"].roc_auc() > 0.9
    with pytest.raises(ValueError, match="y is continuous"):
        evaluate(Ridge(), X, Y * 1.0, cv=3).ranked_scores()


def test_weights_count_in_pooled_figures():
    y, weight, fold = [0, 0, 1, 1], [1, 1, 1, 5], [0, 1, 0, 1]
    always = DummyClassifier(strategy="constant", constant=1)
    done = evaluate(always, np.zeros((4, 1)), y, cv=PredefinedSplit(fold), sample_weight=weight)
    assert done.pooled("accuracy")["DummyClassifier"] == 6 / 8


def test_pooled_probabilities_have_a_column_for_a_class_that_a_split_never_saw():
    iris, target = load_iris(return_X_y=True)
    fold = np.where(target == 2, 0, np.arange(len(target)) % 3)
    done = evaluate(GaussianNB(), iris, target, cv=PredefinedSplit(fold))
    said = done.predictions()
    assert said.y_prob["GaussianNB"].shape == (150, 3)
    assert (said.y_prob["GaussianNB"][said.split == 0, 2] == 0).all()


def test_one_of_several_models(evaluation):
    alone = evaluation.only("bayes")
    assert alone.names == ("bayes",)
    np.testing.assert_array_equal(
        alone.scores("accuracy")["bayes"].scores, evaluation.scores("accuracy")["bayes"].scores
    )
    with pytest.raises(ValueError, match="model must be one of 'logistic', 'bayes'"):
        evaluation.only("tree")


# --- measures that a split leaves undefined


def test_an_undefined_split_is_named_and_the_mean_says_what_it_left_out():
    """The last of three parts holds class 1 only: it has no AUC."""
    fold = np.r_[np.arange(40) % 2, np.full(20, 2)]
    y = np.r_[np.tile([0, 0, 1, 1], 10), np.ones(20, dtype=int)]
    done = evaluate({"bayes": GaussianNB()}, X[:60], y, cv=PredefinedSplit(fold))
    with pytest.warns(UndefinedMeasureWarning, match=r"AUC is undefined.*\(model 'bayes', split 2 of 3; nan"):
        scores = done.scores("roc_auc")["bayes"]
    assert scores.omitted == (2,)
    assert scores.n_used == 2
    assert scores.mean() == pytest.approx(np.nanmean(scores.scores))
    assert "over 2 of them" in repr(scores)
    assert "split 2 missing" in repr(scores)


def test_a_scorer_that_returns_nan_is_told_with_its_splits():
    def of_large_parts(estimator, X, y):
        return 1.0 if len(y) > 20 else np.nan

    fold = np.repeat([0, 1, 2], [30, 20, 30])
    done = evaluate({"bayes": GaussianNB()}, X[:80], NAMED[:80], cv=PredefinedSplit(fold))
    with pytest.warns(UndefinedMeasureWarning, match=r"The score is undefined \(model 'bayes', split 1 of 3"):
        assert done.scores(of_large_parts)["bayes"].omitted == (1,)


def test_a_scorer_that_looks_at_X_says_that_there_is_none(evaluation):
    with pytest.raises(AttributeError) as caught:
        evaluation.scores(lambda estimator, X, y: X.shape[0])
    assert "a scorer is given None for X" in caught.value.__notes__[0]


def test_a_measure_undefined_on_every_split_is_an_error_with_the_way_out():
    y = np.repeat([0, 1, 0, 1], 15)
    flat = evaluate(DummyClassifier(), X[:60], y, cv=PredefinedSplit(np.repeat([0, 1, 2, 3], 15)))
    with pytest.raises(
        MissingScoreError, match=r"roc_auc of model 'DummyClassifier' is undefined on every split.*pooled"
    ):
        flat.scores("roc_auc")


@pytest.mark.filterwarnings("ignore:Average precision:skeval.exceptions.UndefinedMeasureWarning")
def test_bootstrap_splits_without_a_rare_class_are_counted():
    """Eight against two: a training part lacks class 1 with probability .8^10, 21.47 of 200 splits."""
    x, y = np.arange(10.0)[:, None], np.r_[np.zeros(8, dtype=int), 1, 1]
    done = evaluate(
        {"bayes": GaussianNB()}, x, y, cv=several_tested(BootstrapSplit(200, random_state=0), x, y)
    )
    lacking = [split for split, (train, _) in enumerate(done.splits) if not y[train].any()]
    assert abs(len(lacking) - 21.47) < 5 * 4.4
    with pytest.warns(UndefinedMeasureWarning) as caught:
        scores = done.scores("roc_auc")["bayes"]
    told = [str(one.message) for one in caught]
    assert any(
        "trained on one class only" in text and f"split{'s' if len(lacking) > 1 else ''}" in text
        for text in told
    )
    assert set(lacking) <= set(scores.omitted)
    assert scores.n_used == np.isfinite(scores.scores).sum() < 200
    assert 0 <= scores.mean() <= 1


def several_tested(cv, x, y):
    """Return the splits that test two rows or more."""
    return [(train, test) for train, test in cv.split(x, y) if len(test) > 1]


@pytest.mark.parametrize("metric", ["roc_auc", "average_precision", "neg_rank_loss", "ovr_auc"])
def test_leave_one_out_cannot_rank_within_splits_and_is_pooled_instead(metric):
    rows = np.r_[0:20, 19:39]
    done = evaluate(GaussianNB(), X[rows], Y[rows], cv=LeaveOneOut())
    with pytest.raises(ValueError, match=rf"one sample, as split 0 has.*pooled\('{metric}'\)"):
        done.scores(metric)
    if metric != "ovr_auc":
        expected = getattr(done.ranked_scores()["GaussianNB"], metric.removeprefix("neg_"))()
        assert abs(done.pooled(metric)["GaussianNB"]) == pytest.approx(expected)
    with pytest.raises(ValueError, match="one sample"):
        evaluate(NeverFit(), X[rows], Y[rows], cv=LeaveOneOut(), metrics=[metric])


# --- parameters of fit, groups, workers


class Noted(ClassifierMixin, BaseEstimator):
    """Notes what every fit was given."""

    fits: ClassVar[list] = []

    def fit(self, X, y, sample_weight=None, marks=None, name=None):
        type(self).fits.append((np.asarray(X)[:, 0].astype(int), sample_weight, marks, name))
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])


ROWS = np.arange(20.0)[:, None]
LABELS = np.tile([0, 1], 10)


def test_parameters_of_fit_are_cut_to_the_training_rows():
    Noted.fits.clear()
    evaluate(Noted(), ROWS, LABELS, cv=KFold(4), params={"marks": np.arange(20) * 10, "name": "x" * 20})
    assert len(Noted.fits) == 4
    for rows, weight, marks, name in Noted.fits:
        np.testing.assert_array_equal(marks, rows * 10)
        assert weight is None
        assert name == "x" * 20


@pytest.mark.parametrize(
    ("given", "error", "match"),
    [
        ({"params": [1]}, TypeError, "params must be a dict"),
        ({"params": {"groups": LABELS}}, ValueError, "give the groups of the splits as groups="),
        (
            {"params": {"sample_weight": LABELS + 1}, "sample_weight": LABELS + 1},
            ValueError,
            "params hold 'sample_weight', which sample_weight= gives too",
        ),
    ],
)
def test_parameters_that_cannot_be_are_refused_before_the_first_fit(given, error, match):
    Noted.fits.clear()
    with pytest.raises(error, match=match):
        evaluate(Noted(), ROWS, LABELS, cv=KFold(4), **given)
    assert not Noted.fits


def test_with_metadata_routing_weights_go_to_the_step_that_asks_for_them():
    weight = np.where(Y == 1, 1, 20)
    expected = evaluate(LOGISTIC, X, Y, cv=CV, sample_weight=weight).scores("accuracy")["Pipeline"].scores
    with config_context(enable_metadata_routing=True):
        asks = make_pipeline(StandardScaler(), LogisticRegression().set_fit_request(sample_weight=True))
        asks.set_params(standardscaler=StandardScaler().set_fit_request(sample_weight=False))
        for n_jobs in (1, 2):
            found = evaluate(asks, X, Y, cv=CV, sample_weight=weight, n_jobs=n_jobs)
            np.testing.assert_array_equal(found.scores("accuracy")["Pipeline"].scores, expected)
        with pytest.raises(ValueError, match=r"no part of Pipeline asks for it.*set_fit_request"):
            evaluate(LOGISTIC, X, Y, cv=CV, sample_weight=weight)


def test_a_search_hands_its_weights_on():
    search = GridSearchCV(LogisticRegression(max_iter=5000), {"C": [1.0]}, cv=2)
    weight = np.where(Y == 1, 1, 20)
    found = evaluate(
        {"search": search, "alone": LogisticRegression(max_iter=5000)},
        X[:, :3],
        Y,
        cv=2,
        sample_weight=weight,
    )
    said = found.predictions().y_pred
    np.testing.assert_array_equal(said["search"], said["alone"])


def test_groups_are_kept_for_intervals():
    groups = np.repeat(["c", "a", "b", "d"], 5)
    done = evaluate(DummyClassifier(), ROWS, LABELS, cv=KFoldSplit(4, random_state=0), groups=groups)
    assert [len(set(part)) for part in np.split(done.groups, 4)] == [1, 1, 1, 1]
    assert len(set(done.groups)) == 4
    with pytest.raises(ValueError, match="groups"):
        evaluate(DummyClassifier(), ROWS, LABELS, cv=3, groups=groups[:-1])


def test_the_order_of_the_models_changes_no_bit():
    models = {"logistic": LOGISTIC, "tree": DecisionTreeClassifier(random_state=0, max_features=2)}
    one = evaluate(models, X, Y, cv=CV)
    two = evaluate(dict(reversed(models.items())), X, Y, cv=CV, n_jobs=2)
    for name in models:
        np.testing.assert_array_equal(one.predictions().y_score[name], two.predictions().y_score[name])


# --- splits and metrics that cannot be, before the first fit


@pytest.mark.parametrize(
    ("cv", "match"),
    [
        ([], "cv must give at least one split, got none"),
        ([(range(40), [99])], "row numbers from 0 to 59.* split 0 has 99"),
        ([(range(40), [50]), ([0, 60], [50])], "split 1 has 60"),
    ],
)
def test_splits_of_other_data_are_refused(cv, match):
    with pytest.raises(ValueError, match=match):
        evaluate(NeverFit(), X[:60], Y[:60], cv=cv)


@pytest.mark.parametrize(
    ("model", "y", "metric", "match"),
    [
        (Ridge(), X[:, 0], "roc_auc", "'roc_auc' is a score of classes, but Ridge is a regressor"),
        (Ridge(), X[:, 0], "accuracy", "'accuracy' is a score of classes"),
        (NeverFit(), Y, "r2", "'r2' is a score of numbers, but NeverFit classifies"),
        (NeverFit(), NAMED, "neg_mean_squared_error", r"get_scorer\('neg_mean_squared_error'\)"),
    ],
)
def test_a_metric_of_the_other_kind_is_refused_before_the_first_fit(monkeypatch, model, y, metric, match):
    monkeypatch.setattr(Ridge, "fit", NeverFit.fit)
    with pytest.raises(ValueError, match=match):
        evaluate(model, X, y, cv=3, metrics=[metric])


def test_a_metric_of_regression_suits_a_regressor():
    metrics = ["r2", "neg_mean_absolute_error"]
    done = evaluate(Ridge(), X[:, 1:], X[:, 0], cv=3, metrics=metrics)
    for metric in metrics:
        expected = cross_val_score(Ridge(), X[:, 1:], X[:, 0], cv=3, scoring=metric)
        np.testing.assert_allclose(done.scores(metric)["Ridge"].scores, expected, rtol=0, atol=1e-12)

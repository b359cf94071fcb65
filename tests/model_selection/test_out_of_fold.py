"""Models fitted once per split; scores, matrices and predictions of the same fits."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import PredefinedSplit, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from skeval.model_selection import HoldOutSplit, KFoldSplit, WithResubstitution, evaluate

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
    assert list(frame.columns) == ["model", "split", "row", "y_true", "y_pred"]
    assert len(frame) == 2 * len(X)

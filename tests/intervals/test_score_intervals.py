"""The report of an evaluation: every measure with its interval, averaged or pooled."""

import numpy as np
import pytest
from scipy import stats
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import f1_score
from sklearn.model_selection import GridSearchCV, LeaveOneOut, PredefinedSplit, TimeSeriesSplit
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import SVC

from skeval.exceptions import DegenerateDataWarning, SkevalWarning, UndefinedMeasureWarning
from skeval.intervals import (
    auc_interval,
    interval_from_results,
    metric_interval,
    proportion_interval,
    score_intervals,
)
from skeval.model_selection import HoldOutSplit, KFoldSplit, evaluate, nested_cross_validate

X, Y = load_breast_cancer(return_X_y=True)
NAMED = np.where(Y == 1, "well", "sick")
CV = KFoldSplit(5, random_state=0)
# Sixty rows, both classes in turn.
MIXED = np.column_stack([np.flatnonzero(Y == 0)[:30], np.flatnonzero(Y == 1)[:30]]).ravel()


@pytest.fixture(scope="module")
def evaluation():
    return evaluate({"bayes": GaussianNB(), "svm": SVC()}, X, NAMED, cv=CV, pos_label="sick")


def test_every_averaged_measure_has_the_corrected_interval(evaluation):
    """Expected: Nadeau & Bengio's t interval by hand, from the scores per split."""
    report = score_intervals(evaluation)
    scores = evaluation.scores("f1")["bayes"].scores
    half = stats.t.ppf(0.975, 4) * np.sqrt((1 / 5 + 1 / 4) * scores.var(ddof=1))
    found = report.intervals["bayes"]["f1"]
    assert found.estimate == pytest.approx(scores.mean())
    assert (found.low, found.high) == pytest.approx((scores.mean() - half, scores.mean() + half), rel=1e-3)
    assert report.figures["bayes"]["f1"] == "averaged"
    assert len(report.intervals["bayes"]) == 12
    assert found.low == interval_from_results(evaluation, model="bayes", metric="f1").low


def test_what_a_model_cannot_give_is_told_and_left_out(evaluation):
    report = score_intervals(evaluation)
    assert "neg_log_loss" not in report.intervals["svm"]
    assert "roc_auc" in report.intervals["svm"]
    assert any(note.startswith("neg_brier_score, neg_log_loss of 'svm': left out") for note in report.notes)
    with pytest.raises(AttributeError, match=r"model 'svm' has predict and decision_function only"):
        score_intervals(evaluation, metrics=["accuracy", "neg_log_loss"])


def test_a_single_split_is_pooled_with_the_interval_of_each_measure():
    """Expected: the intervals for a fitted model on its test set."""
    done = evaluate({"bayes": GaussianNB()}, X, Y, cv=HoldOutSplit(random_state=0))
    said = done.predictions()
    report = score_intervals(done, random_state=0)
    found = report.intervals["bayes"]
    right = int((said.y_true == said.y_pred["bayes"]).sum())
    assert set(report.figures["bayes"].values()) == {"pooled"}
    assert tuple(found["accuracy"]) == tuple(proportion_interval(right, len(said.row)))
    assert tuple(found["roc_auc"]) == tuple(auc_interval(said.y_true, said.y_score["bayes"]))
    f1 = metric_interval("f1", said.y_true, said.y_pred["bayes"], random_state=1)
    assert tuple(found["f1"]) == pytest.approx(tuple(f1), abs=0.01)
    losses = (said.y_prob["bayes"][:, 1] - said.y_true) ** 2
    half = stats.norm.ppf(0.975) * losses.std(ddof=1) / np.sqrt(len(losses))
    assert (found["neg_brier_score"].low, found["neg_brier_score"].high) == pytest.approx(
        (-losses.mean() - half, -losses.mean() + half)
    )
    assert found["neg_log_loss"].high <= 0


def test_leave_one_out_pools_what_a_single_row_cannot_give():
    done = evaluate({"bayes": GaussianNB()}, X[MIXED], Y[MIXED], cv=LeaveOneOut())
    report = score_intervals(done, random_state=0)
    figures = report.figures["bayes"]
    assert figures["accuracy"] == "averaged"
    assert {figures[name] for name in ("roc_auc", "f1", "g_mean", "recall")} == {"pooled"}
    assert report.intervals["bayes"]["roc_auc"].estimate == pytest.approx(done.pooled("roc_auc")["bayes"])
    assert any("pooled, a split tests a single row" in note for note in report.notes)


def test_a_measure_that_a_split_leaves_undefined_is_pooled():
    """The last part holds class 1 only."""
    fold = np.r_[np.arange(40) % 2, np.full(20, 2)]
    y = np.r_[np.tile([0, 0, 1, 1], 10), np.ones(20, dtype=int)]
    done = evaluate({"bayes": GaussianNB()}, X[:60], y, cv=PredefinedSplit(fold))
    with pytest.warns(UndefinedMeasureWarning, match="split 2 of 3"):
        report = score_intervals(done, metrics=["roc_auc"])
    assert report.figures["bayes"]["roc_auc"] == "pooled"
    assert report.notes == ("roc_auc of 'bayes': pooled, undefined on split 2 of 3",)


def test_no_error_on_any_split_has_a_bound():
    """Expected: Wilson's interval of 40 right of 40, and (alpha/2)^(1/20) for a faultless ranking."""
    y = np.tile([0, 1], 20)
    done = evaluate({"knows": GaussianNB()}, y[:, None] * 1.0, y, cv=CV)
    with pytest.warns(SkevalWarning, match="degenerate"):
        found = score_intervals(done, metrics=["accuracy", "roc_auc"]).intervals["knows"]
    assert found["accuracy"].low == pytest.approx(proportion_interval(40, 40).low)
    assert found["accuracy"].low < 0.95
    assert found["roc_auc"].low == pytest.approx(0.025 ** (1 / 20))


def test_rows_tested_several_times_and_groups_are_drawn_whole():
    """Ten copies of the test rows hold no more than one: the interval must not narrow."""
    train, test = np.arange(30, 60), np.arange(30)
    x, y = X[MIXED], Y[MIXED]
    one = evaluate({"bayes": GaussianNB()}, x, y, cv=[(train, test)])
    twice = evaluate({"bayes": GaussianNB()}, x, y, cv=[(train, test), (train, test[::-1])])
    ends = []
    for done in (one, twice):
        # The same score on every split: pooled.
        found = score_intervals(done, metrics=["precision"], random_state=0).intervals["bayes"]["precision"]
        ends.append(found.high - found.low)
    assert ends[1] > 0.8 * ends[0]
    groups = np.arange(60) // 3
    grouped = evaluate({"bayes": GaussianNB()}, x, y, cv=[(train, test)], groups=groups)
    found = score_intervals(grouped, metrics=["accuracy"], random_state=0).intervals["bayes"]["accuracy"]
    assert "10 groups, drawn whole" in found.estimand


def test_weights_count():
    weight = np.where(Y == 1, 1, 3)
    done = evaluate({"bayes": GaussianNB()}, X, Y, cv=CV, sample_weight=weight)
    single = evaluate({"bayes": GaussianNB()}, X, Y, cv=HoldOutSplit(random_state=0), sample_weight=weight)
    said = single.predictions()
    expected = f1_score(said.y_true, said.y_pred["bayes"], sample_weight=weight[said.row])
    assert score_intervals(single, metrics=["f1"], random_state=0).intervals["bayes"][
        "f1"
    ].estimate == pytest.approx(expected)
    assert score_intervals(done, metrics=["accuracy"]).intervals["bayes"][
        "accuracy"
    ].estimate == pytest.approx(done.scores("accuracy")["bayes"].mean())


def test_an_unnamed_positive_class_leaves_out_what_needs_it():
    report = score_intervals(evaluate(GaussianNB(), X, NAMED, cv=CV))
    assert "accuracy" in report.intervals["GaussianNB"]
    assert "recall" not in report.intervals["GaussianNB"]
    assert "need a positive class: name it by evaluate(..., pos_label=)" in report.notes[0]


def test_three_classes_numbers_and_nested_searches():
    iris, kinds = load_iris(return_X_y=True)
    report = score_intervals(evaluate({"bayes": GaussianNB()}, iris, kinds, cv=CV))
    assert {"f1_macro", "hand_till_auc"} <= set(report.intervals["bayes"])
    assert report.intervals["bayes"]["hand_till_auc"].high == 1  # within the range of the measure
    diabetes, target = load_diabetes(return_X_y=True)
    report = score_intervals(evaluate({"ridge": Ridge()}, diabetes, target, cv=CV))
    assert list(report.intervals["ridge"]) == ["r2", "neg_mean_squared_error", "neg_mean_absolute_error"]
    single = evaluate({"ridge": Ridge()}, diabetes, target, cv=HoldOutSplit(random_state=0))
    report = score_intervals(single)
    assert "r2" not in report.intervals["ridge"]
    assert "r2 of 'ridge': left out, there is a single split" in report.notes[0]
    search = GridSearchCV(LogisticRegression(max_iter=5000), {"C": [0.1, 1]}, cv=2)
    nested = nested_cross_validate(search, iris, kinds, cv=CV)
    assert "search" in score_intervals(nested, metrics=["accuracy"]).intervals


def test_what_cannot_be_reported_is_refused():
    with pytest.raises(TypeError, match="what evaluate or nested_cross_validate returned"):
        score_intervals([0.9, 0.8])
    ordered = evaluate({"bayes": GaussianNB()}, X, Y, cv=TimeSeriesSplit(4))
    with pytest.raises(ValueError, match="time-ordered"):
        score_intervals(ordered, metrics=["accuracy"])
    with pytest.raises(ValueError, match="time-ordered"):
        score_intervals(ordered)
    with pytest.raises(ValueError, match="did you mean 'accuracy'"):
        score_intervals(evaluate(GaussianNB(), X, Y, cv=CV), metrics=["acuracy"])
    with pytest.raises(ValueError, match="metrics must name a measure"):
        score_intervals(evaluate(GaussianNB(), X, Y, cv=CV), metrics=[])


@pytest.fixture(scope="module")
def says_labels_only():
    return evaluate({"labels": SaysLabels()}, X, Y, cv=HoldOutSplit(random_state=0))


class SaysLabels(ClassifierMixin, BaseEstimator):
    """Predicts classes, and has no scores of them."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return (np.asarray(X)[:, 0] < 15).astype(int)


@pytest.mark.parametrize(
    ("metric", "lacks"),
    [
        ("roc_auc", "scores of a positive class.* an estimator that has decision_function or predict_proba"),
        ("neg_log_loss", "predict_proba.* an estimator that has it"),
    ],
)
def test_one_split_of_a_model_without_what_a_metric_needs_is_refused(says_labels_only, metric, lacks):
    with pytest.raises(AttributeError, match=rf"model 'labels' has no {lacks}") as refused:
        score_intervals(says_labels_only, metrics=["accuracy", metric])
    assert refused.value.__notes__ == [f"(metric '{metric}' of model 'labels')"]


def test_what_a_single_split_cannot_give_is_told_once_for_all_metrics(says_labels_only):
    report = score_intervals(says_labels_only)
    assert "recall" in report.intervals["labels"]
    assert [note.partition(":")[0] for note in report.notes] == [
        "roc_auc, average_precision of 'labels'",
        "neg_brier_score, neg_log_loss of 'labels'",
    ]


def test_a_measure_that_no_split_defines_is_pooled():
    """Each test part holds one class; the AUC of all rows is 1, of which the bound is 0.025^(1/2)."""
    part = np.repeat([0, 1], 20)
    done = evaluate(
        {"knows": GaussianNB()},
        part[:, None] * 1.0,
        part,
        cv=[(np.r_[2:40], [0, 1]), (np.r_[0:38], [38, 39])],
    )
    with pytest.warns(DegenerateDataWarning, match="the AUC is 1"):
        report = score_intervals(done, metrics=["roc_auc"])
    assert report.notes == ("roc_auc of 'knows': pooled, undefined on every split",)
    assert report.intervals["knows"]["roc_auc"].low == pytest.approx(0.025 ** (1 / 2))


def test_a_single_test_row_has_no_interval():
    done = evaluate({"bayes": GaussianNB()}, X[MIXED], Y[MIXED], cv=[(np.arange(59), [59])])
    with pytest.raises(ValueError, match=r"accuracy needs two test rows \(or groups\)"):
        score_intervals(done, metrics=["accuracy"])
    with pytest.raises(ValueError, match="metrics must name a measure that has an interval, got none"):
        score_intervals(done)


def test_it_prints_a_line_per_measure_and_is_a_table(evaluation):
    report = score_intervals(evaluation, metrics=["accuracy", "recall"])
    assert str(report).splitlines()[0] == "bayes, 0.95 intervals:"
    assert str(report).splitlines()[1].startswith("  accuracy 0.9")
    assert "(averaged; corrected resampled t)" in str(report)
    assert "<table" in report._repr_html_()
    frame = report.frame()
    assert frame.shape == (4, 9)
    assert frame["figure"].tolist() == ["averaged"] * 4

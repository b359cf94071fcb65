"""Displays: each entry makes one of a result, without drawing it where that can be."""

import numpy as np
from matplotlib import pyplot

from skeval.comparison import compare_scores, comparison_matrix, correlated_bayes_ttest, posthoc_test
from skeval.diagnosis import diagnose_training_curve
from skeval.plotting import (
    BiasVarianceDisplay,
    ComparisonMatrixDisplay,
    ConfusionStackDisplay,
    CostCurveDisplay,
    CriticalDifferenceDisplay,
    FriedmanDisplay,
    IntervalDisplay,
    LearningDiagnosisDisplay,
    PosteriorDisplay,
    PrDisplay,
    ReliabilityDisplay,
    RocDisplay,
)
from tests.common.entry import Entry, table
from tests.common.lists import data
from tests.common.lists.data import of

_EPOCHS = np.arange(1, 41)
_TABLE = {"scores": table(data.TABLE)}
_SPLITS = {"a": of("numbers", data.SPLITS_A, "split"), "b": of("numbers", data.SPLITS_B, "split")}
_SCORED = {"y_true": of("labels", data.TWO), "y_score": of("numbers", data.SCORE)}
_THREADS = {"threads": "pyplot draws in one thread"}


def _closed(display):
    """Return a display whose figure pyplot has forgotten."""
    pyplot.close(display.figure_)
    return display


def _bias_variance(loss, variance):
    return _closed(BiasVarianceDisplay([1, 2, 3, 4], loss, {"variance": variance}).plot())


def _training(train_loss, validation_loss):
    return _closed(LearningDiagnosisDisplay.from_result(diagnose_training_curve(train_loss, validation_loss)))


def _posterior(a, b):
    return _closed(
        PosteriorDisplay.from_result(correlated_bayes_ttest(a, b, rope=0.01, n_train=90, n_test=10))
    )


def _reliability(y_true, y_score, *, pos_label):
    return _closed(ReliabilityDisplay.from_predictions(y_true, y_score, n_bins=3, pos_label=pos_label))


def _roc(y_true, y_score, *, pos_label):
    return _closed(RocDisplay.from_predictions(y_true, y_score, pos_label=pos_label))


def _precision_recall(y_true, y_score, *, pos_label):
    return _closed(PrDisplay.from_predictions(y_true, y_score, pos_label=pos_label))


def _cost_curve(y_true, y_score, *, pos_label):
    return _closed(CostCurveDisplay.from_predictions(y_true, y_score, pos_label=pos_label))


def _confusion_stack(y_true, y_pred, *, labels):
    return _closed(ConfusionStackDisplay.from_predictions(y_true, y_pred, labels=labels))


def _points(values):
    return of("numbers", values, "")


DISPLAYS = [
    Entry(
        "BiasVarianceDisplay",
        _bias_variance,
        {"loss": _points(np.array([5, 4, 4, 6]) / 16), "variance": _points(np.array([1, 1, 2, 4]) / 16)},
        without=_THREADS,
    ),
    Entry(
        "ComparisonMatrixDisplay",
        lambda scores: _closed(ComparisonMatrixDisplay.from_result(comparison_matrix(scores))),
        _TABLE,
        without=_THREADS,
    ),
    Entry(
        "CriticalDifferenceDisplay",
        lambda scores: _closed(CriticalDifferenceDisplay.from_result(posthoc_test(scores))),
        _TABLE,
        without=_THREADS,
    ),
    Entry(
        "FriedmanDisplay",
        lambda scores: _closed(FriedmanDisplay.from_result(compare_scores(scores, method="nemenyi"))),
        _TABLE,
        without=_THREADS,
    ),
    Entry(
        "LearningDiagnosisDisplay",
        _training,
        {
            "train_loss": _points(np.round(1024 / _EPOCHS) / 1024),
            "validation_loss": _points(np.round(1024 / _EPOCHS + _EPOCHS) / 1024),
        },
        without=_THREADS,
    ),
    Entry(
        "CriticalDifferenceDisplay of ranks",
        lambda mean_ranks: CriticalDifferenceDisplay(mean_ranks, ["a", "b", "c"], groups=[("a", "b")]),
        {"mean_ranks": _points(np.array([1.25, 1.75, 3.0]))},
    ),
    Entry(
        "FriedmanDisplay of ranks",
        lambda mean_ranks: FriedmanDisplay(mean_ranks, ["a", "b", "c"], critical_difference=0.5),
        {"mean_ranks": _points(np.array([1.25, 1.75, 3.0]))},
    ),
    Entry(
        "RocDisplay of points",
        RocDisplay,
        {"fpr": _points(np.array([0, 0.25, 1])), "tpr": _points(np.array([0, 0.75, 1]))},
    ),
    Entry(
        "LearningDiagnosisDisplay of errors",
        lambda train, cv: LearningDiagnosisDisplay([10, 20, 30], train, cv),
        {"train": _points(np.array([1, 2, 3]) / 64), "cv": _points(np.array([9, 8, 7]) / 64)},
    ),
    Entry("PosteriorDisplay", _posterior, _SPLITS, without=_THREADS),
    Entry("ReliabilityDisplay", _reliability, _SCORED, {"pos_label": 1}, without=_THREADS),
    Entry("PrDisplay", _precision_recall, _SCORED, {"pos_label": 1}, without=_THREADS),
    Entry("CostCurveDisplay", _cost_curve, _SCORED, {"pos_label": 1}, without=_THREADS),
    Entry(
        "ConfusionStackDisplay",
        _confusion_stack,
        {"y_true": of("labels", data.THREE), "y_pred": of("labels", data.THREE_PREDICTED)},
        {"labels": [0, 1, 2]},
        without=_THREADS,
        read=lambda display: [matrix.counts for matrix in display.matrices.values()],
    ),
    Entry(
        "IntervalDisplay",
        lambda estimates, low, high: IntervalDisplay(estimates, low, high, ["a", "b"]),
        {
            "estimates": _points(np.array([0.5, 0.75])),
            "low": _points(np.array([0.25, 0.5])),
            "high": _points(np.array([0.625, 1.0])),
        },
    ),
    Entry("RocDisplay", _roc, _SCORED, {"pos_label": 1}, without=_THREADS),
]

"""Intervals for measures, proportions, and the generalization error."""

import numpy as np
from sklearn.linear_model import Ridge
from sklearn.model_selection import KFold, cross_validate
from sklearn.naive_bayes import GaussianNB

from skeval.intervals import (
    auc_interval,
    generalization_interval,
    independent_difference_interval,
    interval_from_results,
    metric_interval,
    paired_difference_interval,
    proportion_interval,
    score_intervals,
)
from skeval.model_selection import evaluate
from tests.common.entry import Entry, fixed
from tests.common.lists import data
from tests.common.lists.data import of

_POSITIONS = {"order of the samples": "splits and draws are positions"}
_DRAWS = {"order of the classes": "draws go class by class, so others"}
_TWO = {"y_true": of("labels", data.TWO), "y_pred": of("labels", data.TWO_PREDICTED)}
_SCORED = {"y_true": of("labels", data.TWO), "y_score": of("numbers", data.SCORE)}
_CLASSES = {"X": of("matrix", data.X_THREE), "y": of("labels", data.THREE)}
_REAL = {"X": of("matrix", data.X), "y": of("numbers", data.Y_REAL)}
_SMALL = {"n_resamples": 60, "random_state": 0}


def _metric(name):
    def interval(y_true, y_pred, *, n_resamples, random_state, pos_label=None, method="bca"):
        return metric_interval(
            name,
            y_true,
            y_pred,
            method=method,
            n_resamples=n_resamples,
            random_state=random_state,
            pos_label=pos_label,
        )

    return interval


def _difference(y_true, y_pred, other, *, n_resamples, random_state, pos_label=None):
    return metric_interval(
        "f1",
        y_true,
        y_pred,
        other=other,
        n_resamples=n_resamples,
        random_state=random_state,
        pos_label=pos_label,
    )


def _generalization(X, y, *, random_state, n_jobs=None, **options):
    return generalization_interval(GaussianNB(), X, y, n_jobs=n_jobs, random_state=random_state, **options)


def _of_regression(X, y, *, random_state, n_jobs=None):
    return generalization_interval(
        Ridge(), X, y, loss="squared", method="cv-wald", n_jobs=n_jobs, random_state=random_state
    )


def _score_intervals(X, y, *, random_state):
    done = evaluate(GaussianNB(), X, y, cv=KFold(4))
    return score_intervals(done, metrics=["accuracy", "f1_macro"], random_state=random_state)


def _from_results(X, y):
    return interval_from_results(cross_validate(GaussianNB(), X, y, cv=KFold(4), return_indices=True))


INTERVALS = [
    Entry("proportion_interval", proportion_interval, {"n_successes": fixed(7), "n_samples": fixed(20)}),
    Entry(
        "proportion_interval exact",
        proportion_interval,
        {"n_successes": of("counts", np.array([0, 3, 20]), ""), "n_samples": fixed(20)},
        {"method": "clopper-pearson"},
    ),
    Entry(
        "independent_difference_interval",
        independent_difference_interval,
        {
            "n_successes": of("counts", np.array([15, 9]), ""),
            "n_samples": of("counts", np.array([20, 18]), ""),
        },
    ),
    Entry(
        "paired_difference_interval",
        paired_difference_interval,
        {"table": of("counts", np.array([[10, 4], [2, 5]]), "")},
    ),
    Entry("auc_interval", auc_interval, _SCORED, {"pos_label": 1}),
    Entry("metric_interval accuracy", _metric("accuracy"), _TWO, _SMALL, without=_DRAWS),
    Entry(
        "metric_interval f1",
        _metric("f1"),
        _TWO,
        {**_SMALL, "pos_label": 1, "method": "percentile"},
        without=_DRAWS,
    ),
    Entry(
        "metric_interval roc_auc", _metric("roc_auc"), _SCORED, {**_SMALL, "pos_label": 1}, without=_POSITIONS
    ),
    Entry(
        "metric_interval difference",
        _difference,
        {**_TWO, "other": of("labels", data.TWO_PREDICTED_OTHER)},
        {**_SMALL, "pos_label": 1},
        without=_DRAWS,
    ),
    Entry(
        "generalization_interval",
        _generalization,
        _CLASSES,
        {"random_state": 0, "test_size": 0.25},
        without=_POSITIONS,
    ),
    *(
        Entry(
            f"generalization_interval {method}",
            _generalization,
            _CLASSES,
            {"random_state": 0, "method": method, **options},
            without=_POSITIONS,
        )
        for method, options in {
            "holdout": {},
            "cv-wald": {"n_splits": 4},
            "nested-cv": {"n_splits": 3, "n_repeats": 2},
            "conservative-z": {"test_size": 0.25, "n_splits": 2, "n_repeats": 2},
            "oob": {"n_splits": 10},
            ".632+": {"n_splits": 10},
        }.items()
    ),
    Entry("generalization_interval squared", _of_regression, _REAL, {"random_state": 0}, without=_POSITIONS),
    Entry(
        "score_intervals",
        _score_intervals,
        _CLASSES,
        {"random_state": 0},
        without={**_POSITIONS, "generator": "the corrected t of splits draws nothing"},
    ),
    Entry("interval_from_results", _from_results, _CLASSES, without=_POSITIONS),
]

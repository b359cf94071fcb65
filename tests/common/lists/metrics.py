"""Numbers from labels and predictions."""

import numpy as np

from skeval.metrics import (
    ConfusionMatrix,
    RankedScores,
    adjusted_g_mean_score,
    average_matrices,
    break_even_score,
    brier_decomposition,
    brier_score,
    cost_curve,
    cost_sensitive_accuracy,
    cost_sensitive_error,
    dominance,
    error_rate,
    false_negative_rate,
    false_positive_rate,
    fscore_of_means,
    g_mean_score,
    hand_till_auc_score,
    log_loss,
    multiclass_brier_score,
    negative_predictive_value,
    ovr_auc_score,
    pointwise_loss,
    pr_area,
    rank_loss,
    reliability_curve,
    specificity_score,
    youden_j,
)
from tests.common.entry import Entry, fixed
from tests.common.lists import data
from tests.common.lists.data import of

_TWO = {"y_true": of("labels", data.TWO), "y_pred": of("labels", data.TWO_PREDICTED)}
_THREE = {"y_true": of("labels", data.THREE), "y_pred": of("labels", data.THREE_PREDICTED)}
_SCORED = {"y_true": of("labels", data.TWO), "y_score": of("numbers", data.SCORE)}
_BY_CLASS = {"y_true": of("labels", data.THREE), "y_score": of("matrix", data.CLASS_SCORES)}
_BY_PROBABILITY = {"y_true": of("labels", data.THREE), "y_prob": of("matrix", data.CLASS_PROBABILITIES)}
_POSITIVE = {"pos_label": 1}
_CLASSES = {"labels": [0, 1, 2]}
_COST = [[0, 1, 4], [5, 0, 2], [1, 3, 0]]


def _matrix(y_true, y_pred, *, labels=None, sample_weight=None):
    return ConfusionMatrix.from_predictions(y_true, y_pred, labels=labels, sample_weight=sample_weight)


def _one_vs_one(y_true, y_pred, *, labels=None, sample_weight=None):
    return _matrix(y_true, y_pred, labels=labels, sample_weight=sample_weight).one_vs_one()


def _averages(y_true, y_pred, *, labels=None, sample_weight=None):
    return average_matrices(
        _matrix(y_true, y_pred, labels=labels, sample_weight=sample_weight).one_vs_rest(), pos_label=1
    )


def _ranked(y_true, y_score, *, pos_label=None, sample_weight=None):
    return RankedScores.from_predictions(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)


def _curves(y_true, y_score, *, pos_label=None, sample_weight=None):
    ranked = _ranked(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)
    return ranked.roc_curve(), ranked.pr_curve(), ranked.cost_curve()


def _dominance(y_true, score_a, score_b, *, pos_label=None, sample_weight=None):
    curves = (
        _ranked(y_true, score, pos_label=pos_label, sample_weight=sample_weight).roc_curve()
        for score in (score_a, score_b)
    )
    return dominance(*curves)


def _mean_loss(y_true, y_pred, *, loss, **params):
    return float(pointwise_loss(y_true, y_pred, loss=loss, **params).mean())


METRICS = [
    Entry("error_rate", error_rate, _THREE),
    Entry("specificity_score", specificity_score, _TWO, _POSITIVE),
    Entry("specificity_score macro", specificity_score, _THREE, {"average": "macro", **_CLASSES}),
    Entry("false_positive_rate", false_positive_rate, _TWO, _POSITIVE),
    Entry("false_positive_rate micro", false_positive_rate, _THREE, {"average": "micro"}),
    Entry("false_negative_rate", false_negative_rate, _TWO, _POSITIVE),
    Entry("false_negative_rate weighted", false_negative_rate, _THREE, {"average": "weighted"}),
    Entry("negative_predictive_value", negative_predictive_value, _TWO, _POSITIVE),
    Entry(
        "negative_predictive_value by class", negative_predictive_value, _THREE, {"average": None, **_CLASSES}
    ),
    Entry("g_mean_score", g_mean_score, _THREE),
    Entry("adjusted_g_mean_score", adjusted_g_mean_score, _TWO, _POSITIVE),
    Entry("youden_j", youden_j, _TWO, _POSITIVE),
    Entry("fscore_of_means", fscore_of_means, _THREE, {"beta": 2.0}),
    Entry("cost_sensitive_error", cost_sensitive_error, _THREE, {"cost": _COST, **_CLASSES}),
    Entry("cost_sensitive_accuracy", cost_sensitive_accuracy, _THREE, {"cost": _COST, **_CLASSES}),
    Entry("ConfusionMatrix", _matrix, _THREE, _CLASSES, read=lambda found: found.counts),
    Entry("OneVsOne", _one_vs_one, _THREE, _CLASSES, read=lambda found: (found.counts, found.dropped)),
    Entry("average_matrices", _averages, _THREE, _CLASSES),
    Entry("break_even_score", break_even_score, _SCORED, _POSITIVE),
    Entry("rank_loss", rank_loss, _SCORED, _POSITIVE),
    Entry("pr_area", pr_area, _SCORED, _POSITIVE),
    Entry("cost_curve", cost_curve, _SCORED, {**_POSITIVE, "cost_fn": 3}),
    Entry(
        "RankedScores",
        _ranked,
        _SCORED,
        _POSITIVE,
        read=lambda found: (found.thresholds, found.true_positives, found.false_positives),
    ),
    Entry("RocCurve PrCurve", _curves, _SCORED, _POSITIVE),
    Entry(
        "dominance",
        _dominance,
        {
            "y_true": of("labels", data.TWO),
            "score_a": of("numbers", data.SCORE),
            "score_b": of("numbers", data.SCORE_OTHER),
        },
        _POSITIVE,
        read=lambda found: (len(found.crossings), found.crossings),
    ),
    Entry("brier_score", brier_score, _SCORED, _POSITIVE),
    Entry("brier_decomposition", brier_decomposition, _SCORED, {**_POSITIVE, "n_bins": 5}),
    Entry(
        "reliability_curve", reliability_curve, _SCORED, {**_POSITIVE, "n_bins": 4, "strategy": "quantile"}
    ),
    Entry("log_loss", log_loss, _SCORED, _POSITIVE),
    Entry("log_loss of three classes", log_loss, _BY_PROBABILITY, _CLASSES),
    Entry("multiclass_brier_score", multiclass_brier_score, _BY_PROBABILITY, _CLASSES),
    Entry("ovr_auc_score", ovr_auc_score, _BY_CLASS, _CLASSES),
    Entry("hand_till_auc_score", hand_till_auc_score, _BY_CLASS, _CLASSES),
    Entry("pointwise_loss zero-one", _mean_loss, _THREE, {"loss": "zero_one"}),
    Entry("pointwise_loss brier", _mean_loss, _SCORED, {"loss": "brier", **_POSITIVE}),
    Entry(
        "pointwise_loss pinball",
        _mean_loss,
        {"y_true": of("numbers", data.Y_REAL), "y_pred": of("numbers", data.SCORE)},
        {"loss": "pinball", "alpha": 0.75},
    ),
    Entry(
        "ConfusionMatrix of counts",
        ConfusionMatrix,
        {"counts": of("counts", np.array([[7, 2, 1], [0, 5, 1], [2, 2, 9]]), "")},
    ),
    Entry(
        "RankedScores of counts",
        RankedScores,
        {
            "thresholds": of("numbers", np.array([48, 32, 16]) / 64, ""),
            "true_positives": of("counts", np.array([3, 5, 6]), ""),
            "false_positives": of("counts", np.array([1, 2, 6]), ""),
        },
    ),
    Entry(
        "ConfusionMatrix bootstrap",
        lambda y_true, y_pred, *, random_state: _matrix(y_true, y_pred).bootstrap(
            "accuracy", 20, random_state=random_state
        ),
        _THREE,
        {"random_state": 0},
        without={"order of the classes": "draws go class by class, so others"},
    ),
    Entry(
        "RankedScores bootstrap",
        lambda y_true, y_score, *, random_state: _ranked(y_true, y_score, pos_label=1).bootstrap(
            "roc_auc", 20, random_state=random_state
        ),
        {"y_true": fixed(data.TWO), "y_score": of("numbers", data.SCORE, axis="")},
        {"random_state": 0},
    ),
]

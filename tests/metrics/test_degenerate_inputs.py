"""Every row of the table in docs/degenerate_inputs.rst."""

import re
import warnings
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import recall_score

from skeval.exceptions import UndefinedMeasureWarning
from skeval.metrics import (
    ConfusionMatrix,
    RankedScores,
    brier_score,
    error_rate,
    hand_till_auc_score,
    log_loss,
    multiclass_brier_score,
    ovr_auc_score,
    reliability_curve,
)

PAGE = Path(__file__).parents[2] / "docs" / "degenerate_inputs.rst"
ROWS = {}


def row(words):
    """Register the test of a row."""

    def register(test):
        ROWS[words] = test
        return test

    return register


def matrix(y_true, y_pred, **kwargs):
    return ConfusionMatrix.from_predictions(y_true, y_pred, **kwargs)


def ranked(y_true, y_score, **kwargs):
    return RankedScores.from_predictions(y_true, y_score, **kwargs)


def refused(message):
    return pytest.raises(ValueError, match=message)


def told(message):
    return pytest.warns(UndefinedMeasureWarning, match=message)


def undefined(function, message):
    with told(message):
        assert np.isnan(function())


@row("no samples")
def no_samples():
    with refused("hold no samples; give labels="):
        matrix([], [])
    with refused("hold no samples: there is nothing to rank"):
        ranked([], [])
    empty = matrix([], [], labels=[0, 1])
    undefined(empty.accuracy, r"accuracy is undefined \(0/0\)")
    undefined(empty.g_mean, "G-mean")
    undefined(lambda: empty.cost([[0, 1], [1, 0]]), "cost is undefined")


@row("one true class")
def one_true_class():
    negatives, positives = ranked([0, 0], [0.2, 0.3]), ranked([1, 1], [0.2, 0.3])
    for measure in ("roc_auc", "rank_loss"):
        undefined(getattr(negatives, measure), "only one class is present")
        undefined(getattr(positives, measure), "only one class is present")
    for measure in ("average_precision", "pr_area", "break_even_score"):
        undefined(getattr(negatives, measure), "positive class 1 is missing")
        assert getattr(positives, measure)() == 1
    with told("ROC curve is undefined"):
        assert np.isnan(negatives.roc_curve().tpr).all()
    one = matrix([0, 0, 0], [0, 1, 0])
    assert (one.accuracy(), one.error_rate()) == (pytest.approx(2 / 3), pytest.approx(1 / 3))
    for measure in (one.balanced_accuracy, one.g_mean):
        with told("class 1 has no true sample and is left out"):
            assert measure() == pytest.approx(2 / 3)


@row("one class among true and predicted labels")
def one_class_at_all():
    one = matrix([1, 1], [1, 1])
    with told("MCC is undefined"):
        assert one.mcc() == 0
    undefined(one.kappa, "kappa is undefined")


@row("no predicted positive")
def no_predicted_positive():
    cm = matrix([0, 1, 1], [0, 0, 0])
    with told(r"precision is undefined \(0/0\) for class 1 and set to 0"):
        assert cm.precision() == 0
    for value in (0, 1):
        assert cm.precision(zero_division=value) == value
    assert np.isnan(cm.precision(zero_division=np.nan))
    assert cm.f_score() == cm.recall() == 0
    undefined(cm.positive_likelihood_ratio, "positive likelihood ratio is undefined")
    with told("in split 1"):
        ConfusionMatrix([[[1, 1], [0, 1]], [[2, 0], [1, 0]]]).precision()


@row("constant scores")
def constant_scores():
    constant = ranked([0, 1, 0, 0], [0.5] * 4)
    assert constant.roc_auc() == 0.5
    assert constant.average_precision() == constant.pr_area() == constant.break_even_score() == 0.25
    assert constant.roc_curve().fpr.tolist() == constant.roc_curve().tpr.tolist() == [0, 1]


@row("nan or infinite scores")
def scores_that_are_not_finite():
    for value in (np.nan, np.inf, -np.inf):
        with refused("y_score must hold finite numbers, got .* at position 1"):
            ranked([0, 1], [0.1, value])
        with refused("y_score must hold finite numbers"):
            ovr_auc_score([0, 1], [[0.1, 0.2], [value, 0.3]])


@row("negative, nan or infinite weights")
def weights_that_cannot_be():
    for make in (matrix, ranked):
        with refused("sample_weight must not be negative, got -1.0 at position 1"):
            make([0, 1], [0, 1], sample_weight=[1, -1])
        for value in (np.nan, np.inf):
            with refused("sample_weight must hold finite numbers, got .* at position 1"):
                make([0, 1], [0, 1], sample_weight=[1, value])
        for value in (1e-200, 1e200):
            with refused("sample_weight must sum to a number from"):
                make([0, 1], [0, 1], sample_weight=[value, value])
        assert make([0, 1], [0, 1], sample_weight=[1e-200, 1]) is not None


@row("all weights zero")
def all_weights_zero():
    for make in (matrix, ranked):
        with refused("sample_weight must not be all zero"):
            make([0, 1], [0, 1], sample_weight=[0, 0])
    chunks = [([0, 1], [0, 1], [0, 0]), ([0, 1], [0, 1], [1, 1])]
    assert RankedScores.from_chunks(chunks).n_positive == 1
    assert ConfusionMatrix.from_chunks(chunks).total == 2


@row("some weights zero")
def some_weights_zero():
    assert ranked([0, 1, 1], [1, 2, 0], sample_weight=[1, 1, 0]) == ranked([0, 1], [1, 2])
    cm = matrix([0, 1, 2], [0, 1, 2], sample_weight=[1, 1, 0])
    assert cm.counts.shape == (3, 3)
    assert cm.total == 2


@row("a label outside ``labels``")
def a_label_outside():
    with refused(r"must hold only labels from \[0, 1\], got 2 too"):
        matrix([0, 2], [0, 1], labels=[0, 1])


@row("a class of ``labels`` without samples")
def a_named_class_without_samples():
    cm = matrix([0, 0, 1, 1], [0, 0, 1, 1], labels=[0, 1, 2])
    with told(r"recall is undefined \(0/0\) for class 2"):
        assert cm.recall(average="macro") == pytest.approx(2 / 3)
    # A nan is that of the class, and left out of the average: as scikit-learn has it.
    assert np.isnan(cm.recall(average=None, zero_division=np.nan)).tolist() == [False, False, True]
    theirs = recall_score([0, 0, 1, 1], [0, 0, 1, 1], labels=[0, 1, 2], average="macro", zero_division=np.nan)
    assert cm.recall(average="macro", zero_division=np.nan) == theirs == 1
    assert matrix([0, 0, 1, 1], [0, 0, 1, 1]).recall(average="macro") == 1


@row("a class of a given shape without samples")
def a_class_of_a_shape_without_samples():
    with told("macro recall: class 2 has neither true nor predicted samples and is left out"):
        assert ConfusionMatrix(np.diag([2, 2, 0])).recall(average="macro") == 1


@row("a class missing from ``y_true`` with scores of every class")
def a_class_that_has_columns_only():
    y, prob = [0, 0, 1, 1], [[0.7, 0.2, 0.1], [0.5, 0.3, 0.2], [0.2, 0.6, 0.2], [0.3, 0.5, 0.2]]
    for function in (ovr_auc_score, hand_till_auc_score):
        undefined(lambda function=function: function(y, prob, labels=[0, 1, 2]), "class 2 is not in y_true")
        with told("class 2 is not in y_true and left out"):
            assert function(y, prob, labels=[0, 1, 2], missing="omit") == 1
    assert log_loss(y, prob, labels=[0, 1, 2]) == pytest.approx(0.5634487322061534)
    assert 0 < multiclass_brier_score(y, prob, labels=[0, 1, 2]) < 1
    with refused("name the classes in the order of the columns with labels="):
        log_loss(y, prob)


@row("lengths that differ")
def lengths_that_differ():
    with refused("same length: y_true has 2, y_pred has 1"):
        matrix([0, 1], [0])
    with refused("same length: y_true has 2, y_score has 3"):
        ranked([0, 1], [0.1, 0.2, 0.3])
    with refused("one weight per sample: 2 samples, 3 weights"):
        ranked([0, 1], [0.1, 0.2], sample_weight=[1, 1, 1])


@row("scores of two columns for two classes")
def two_columns():
    with refused("pass the column of the positive class"):
        ranked([0, 1], [[0.9, 0.1], [0.2, 0.8]])


@row("more than two classes for a binary measure")
def three_classes():
    with refused(r"needs two classes, got 3: \[0, 1, 2\]; choose an average, or use one_vs_rest"):
        matrix([0, 1, 2], [0, 1, 2]).precision()
    with refused("needs two classes, got 3"):
        ranked([0, 1, 2], [1, 2, 3])


@row("a positive class that is not named")
def no_positive_class():
    for make in (lambda: matrix(["a", "b"], ["a", "b"]).precision(), lambda: ranked([1, 2], [1, 2])):
        with refused("pos_label must name the positive class among the labels"):
            make()
    for labels in ([0, 1], [-1, 1], [False, True]):
        assert ranked(labels, [1, 2]).roc_auc() == 1


@row("missing labels, or labels of two types")
def labels_that_are_none():
    for value in (None, np.nan):
        with refused("y_true holds a missing value at position 1"):
            matrix([0, value], [0, 1])
    with refused("Labels must be of one type"):
        matrix([0, 1], ["a", "b"])
    with refused("must hold class labels, got continuous values"):
        matrix([0, 1], [0.2, 0.7])


@row("scores that are no probabilities")
def logits():
    y, score = [0, 1, 1, 0, 1], np.array([99.1, 99.4, 99.9, 99.6, 101.2])
    assert ranked(y, score).roc_auc() == pytest.approx(5 / 6)
    for function in (brier_score, log_loss, reliability_curve):
        with refused(r"\[0, 1\]"):
            function(y, score)
    with refused("rows that sum to 1"):
        log_loss([0, 1], [[0.5, 0.4], [0.2, 0.2]])


@row("counts beyond 2\\ :sup:`63` in a product")
def large_counts():
    assert ConfusionMatrix([[50_000, 5_000], [5_000, 50_000]]).mcc() == pytest.approx(9 / 11)
    assert ConfusionMatrix(np.int32([[50_000, 5_000], [5_000, 50_000]])).kappa() == pytest.approx(9 / 11)
    assert ConfusionMatrix([[10**18, 10**18], [10**18, 2]]).mcc() == pytest.approx(-0.5)
    y = np.repeat(np.int8([0, 0, 1, 1]), [50_000, 5_000, 5_000, 50_000])
    predicted = np.repeat(np.int8([0, 1, 0, 1]), [50_000, 5_000, 5_000, 50_000])
    assert matrix(y, predicted).mcc() == pytest.approx(9 / 11)
    assert error_rate(y, predicted) == pytest.approx(1 / 11)


@pytest.mark.parametrize("words", ROWS)
def test_input(words):
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        ROWS[words]()


def test_every_row_of_the_page_is_tested():
    stated = re.findall(r"^   \* - (.+)$", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert stated == ["input", *ROWS]

"""Functions of labels and of scores that scikit-learn lacks."""

import math

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn.metrics
from hypothesis import given, settings
from hypothesis import strategies as st

from skeval.exceptions import UndefinedMeasureWarning
from skeval.metrics import (
    ConfusionMatrix,
    RankedScores,
    adjusted_g_mean_score,
    break_even_score,
    cost_curve,
    cost_sensitive_accuracy,
    cost_sensitive_error,
    error_rate,
    false_negative_rate,
    false_positive_rate,
    fscore_of_means,
    g_mean_score,
    negative_predictive_value,
    pr_area,
    rank_loss,
    specificity_score,
    youden_j,
)


def exact(value):
    return pytest.approx(value, abs=1e-12, rel=0)


# One function of labels and one of scores a line: what every one of them must do is below.
OF_LABELS = {
    "error_rate": error_rate,
    "specificity": specificity_score,
    "g_mean": g_mean_score,
    "adjusted_g_mean": adjusted_g_mean_score,
    "cost": lambda y, p, **kwargs: cost_sensitive_error(y, p, cost=[[0, 1], [5, 0]], **kwargs),
    "cost accuracy": lambda y, p, **kwargs: cost_sensitive_accuracy(y, p, cost=[[0, 1], [5, 0]], **kwargs),
    "npv": negative_predictive_value,
    "fpr": false_positive_rate,
    "fnr": false_negative_rate,
    "youden": youden_j,
    "f of means": fscore_of_means,
}
OF_SCORES = {
    "break_even": break_even_score,
    "rank_loss": rank_loss,
    "pr_area": pr_area,
    "cost_curve": lambda y, s, **kwargs: cost_curve(y, s, **kwargs).area(),
}
CONTAINERS = {
    "list": list,
    "array": np.array,
    "pandas": lambda y: pd.Series(y, index=range(len(y), 0, -1)),
    "polars": pl.Series,
}
Y, PREDICTED, SCORE = [0, 1, 1, 0, 1, 0], [0, 1, 0, 0, 1, 1], [0.1, 0.9, 0.4, 0.4, 0.8, 0.5]


@pytest.mark.parametrize("container", CONTAINERS)
@pytest.mark.parametrize("name", OF_LABELS)
def test_a_function_of_labels_takes_every_container_and_gives_a_float(name, container):
    convert, function = CONTAINERS[container], OF_LABELS[name]
    value = function(convert(Y), convert(PREDICTED))
    assert type(value) is float
    assert value == function(Y, PREDICTED)


@pytest.mark.parametrize("container", CONTAINERS)
@pytest.mark.parametrize("name", OF_SCORES)
def test_a_function_of_scores_takes_every_container_and_gives_a_float(name, container):
    convert, function = CONTAINERS[container], OF_SCORES[name]
    value = function(convert(Y), convert(SCORE))
    assert type(value) is float
    assert value == function(Y, SCORE)


@pytest.mark.parametrize("name", [*OF_LABELS, *OF_SCORES])
@settings(deadline=None, max_examples=25)
@given(weight=st.lists(st.integers(0, 4), min_size=6, max_size=6).filter(lambda w: w[0] and w[1]))
def test_weights_and_repeated_rows_agree(name, weight):
    function, guess = (OF_LABELS[name], PREDICTED) if name in OF_LABELS else (OF_SCORES[name], SCORE)
    repeated = function(np.repeat(Y, weight), np.repeat(guess, weight))
    assert function(Y, guess, sample_weight=weight) == exact(repeated)


@pytest.mark.parametrize("name", OF_LABELS)
def test_a_function_of_labels_refuses_what_does_not_fit(name):
    function = OF_LABELS[name]
    with pytest.raises(ValueError, match="y_true and y_pred must have the same length"):
        function([0, 1], [0])
    with pytest.raises(ValueError, match="y_pred must hold class labels, got continuous values"):
        function([0, 1], [0.2, 0.8])
    with pytest.raises(ValueError, match="y_true holds a missing value at position 0"):
        function([None, 1], [0, 1])
    with pytest.raises(ValueError, match="sample_weight must not be negative"):
        function([0, 1], [0, 1], sample_weight=[1, -1])


@pytest.mark.parametrize("name", [one for one in OF_LABELS if "cost" not in one])
def test_a_function_of_labels_refuses_no_samples(name):
    with pytest.raises(ValueError, match="y_true and y_pred hold no samples"):
        OF_LABELS[name]([], [])


@pytest.mark.parametrize("name", OF_SCORES)
def test_a_function_of_scores_refuses_what_does_not_fit(name):
    function = OF_SCORES[name]
    with pytest.raises(ValueError, match="y_true and y_score hold no samples"):
        function([], [])
    with pytest.raises(ValueError, match="y_score must hold finite numbers, got nan at position 1"):
        function([0, 1], [0.2, np.nan])
    with pytest.raises(ValueError, match="pass the column of the positive class"):
        function([0, 1], np.eye(2))
    with pytest.raises(
        ValueError, match=r"pos_label must name the positive class among the labels \['a', 'b'\]"
    ):
        function(["a", "b"], [0.2, 0.8])


@pytest.mark.parametrize(
    "function",
    [specificity_score, adjusted_g_mean_score, negative_predictive_value, youden_j],
)
def test_a_binary_function_of_labels_needs_a_positive_class(function):
    with pytest.raises(
        ValueError, match=r"pos_label must name the positive class among the labels \['a', 'b'\]"
    ):
        function(["a", "b"], ["a", "b"])
    assert function(["a", "b"], ["a", "b"], pos_label="a") == 1
    with pytest.raises(ValueError, match="A binary measure needs two classes, got 3"):
        function([0, 1, 2], [0, 1, 2])


def test_error_rate_is_one_minus_accuracy_of_any_classes():
    y, predicted = ["a", "b", "c", "c"], ["a", "c", "c", "b"]
    assert error_rate(y, predicted) == 1 - sklearn.metrics.accuracy_score(y, predicted) == 0.5
    assert error_rate([1, 1], [1, 1]) == 0


def test_specificity_is_the_recall_of_the_other_class():
    y, predicted = [0, 0, 1, 1, 0], [0, 1, 1, 0, 0]
    assert specificity_score(y, predicted) == sklearn.metrics.recall_score(y, predicted, pos_label=0)
    assert specificity_score(y, predicted, pos_label=0) == sklearn.metrics.recall_score(y, predicted)
    three, guess = [0, 1, 2, 2, 1], [0, 2, 2, 1, 1]
    per_class = specificity_score(three, guess, average=None)
    expected = [
        sklearn.metrics.recall_score(np.equal(three, k), np.equal(guess, k), pos_label=False)
        for k in range(3)
    ]
    assert per_class == exact(expected)
    assert specificity_score(three, guess, average="macro") == exact(np.mean(expected))
    assert specificity_score(three, guess, average="micro") == exact(8 / 10)


def test_specificity_with_weights_is_a_share():
    # Another package gave -4 here.
    y, predicted, weight = [0, 0, 1, 1], [0, 1, 1, 1], [10, 10, 1, 1]
    assert specificity_score(y, predicted, sample_weight=weight) == 0.5
    assert g_mean_score(y, predicted, sample_weight=weight) == exact(math.sqrt(0.5))


def test_specificity_without_negatives_is_undefined():
    with pytest.warns(
        UndefinedMeasureWarning, match=r"specificity is undefined \(0/0\) for class 1 and set to 0"
    ):
        assert specificity_score([1, 1], [1, 0]) == 0
    assert specificity_score([1, 1], [1, 0], zero_division=1) == 1
    assert np.isnan(specificity_score([1, 1], [1, 0], zero_division=np.nan))


def test_specificity_of_given_labels():
    assert specificity_score([0, 1], [0, 1], labels=[1, 0, 2], average=None) == exact([1, 1, 1])


PAIRS = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), min_size=1, max_size=20).filter(
    lambda rows: {(0, 0), (1, 1)} <= set(rows)
)


@settings(deadline=None, max_examples=40)
@given(pairs=PAIRS)
def test_rates_are_those_of_scikit_learn_seen_from_the_other_side(pairs):
    y, predicted = zip(*pairs, strict=True)
    recall, other = (sklearn.metrics.recall_score(y, predicted, pos_label=label) for label in (1, 0))
    assert negative_predictive_value(y, predicted) == exact(
        sklearn.metrics.precision_score(y, predicted, pos_label=0)
    )
    assert false_positive_rate(y, predicted) == exact(1 - other)
    assert false_negative_rate(y, predicted) == exact(1 - recall)
    adjusted = sklearn.metrics.balanced_accuracy_score(y, predicted, adjusted=True)
    assert youden_j(y, predicted) == exact(adjusted)


@pytest.mark.parametrize(
    ("function", "y", "predicted", "told"),
    [
        (negative_predictive_value, [0, 1], [1, 1], "negative predictive value is undefined"),
        (false_positive_rate, [1, 1], [0, 1], "false positive rate is undefined"),
        (false_negative_rate, [0, 0], [0, 1], "false negative rate is undefined"),
    ],
)
def test_a_rate_of_nothing_is_undefined(function, y, predicted, told):
    with pytest.warns(UndefinedMeasureWarning, match=told):
        assert function(y, predicted) == 0
    assert np.isnan(function(y, predicted, zero_division=np.nan))


def test_the_f_score_of_means_is_not_the_mean_of_f_scores():
    y, predicted = [0, 0, 0, 1, 1, 2], [0, 0, 1, 1, 2, 2]
    precision, recall, f_score, _ = sklearn.metrics.precision_recall_fscore_support(
        y, predicted, average="macro"
    )
    assert fscore_of_means(y, predicted) == exact(2 * precision * recall / (precision + recall))
    assert fscore_of_means(y, predicted) != pytest.approx(f_score, abs=0.01)
    assert fscore_of_means(y, predicted, beta=2) == exact(5 * precision * recall / (4 * precision + recall))


def test_g_mean_is_the_root_of_the_product_of_the_recalls():
    y, predicted = ["a", "a", "b", "b", "c", "c", "c"], ["a", "b", "b", "b", "c", "c", "a"]
    recalls = sklearn.metrics.recall_score(y, predicted, average=None)
    assert g_mean_score(y, predicted) == exact(np.prod(recalls) ** (1 / 3))


def test_g_mean_leaves_out_a_class_that_was_only_predicted():
    # Another package makes this 0: the label 2 is predicted once and never true.
    with pytest.warns(UndefinedMeasureWarning, match="G-mean: class 2 has no true sample and is left out"):
        assert g_mean_score([0, 0, 1, 1], [0, 2, 1, 1]) == exact(math.sqrt(0.5))


def test_adjusted_g_mean_is_zero_where_no_positive_is_found():
    assert adjusted_g_mean_score([1, 0, 0], [0, 0, 0]) == 0
    with pytest.warns(UndefinedMeasureWarning, match=r"adjusted G-mean is undefined \(0/0\) for class 1"):
        assert adjusted_g_mean_score([0, 0], [0, 1]) == 0


def test_cost_needs_to_know_the_order_of_its_rows():
    cost = [[0, 10], [1, 0]]
    y, predicted = ["well", "ill"], ["ill", "ill"]
    assert cost_sensitive_error(y, predicted, cost=cost, labels=["ill", "well"]) == 0.5
    assert cost_sensitive_error(y, predicted, cost=cost, labels=["well", "ill"]) == 5
    for wrong in (y, [1, 2], [-1, 1]):
        with pytest.raises(
            ValueError, match=r"labels must name the classes .* only labels 0, ..., 1 are known"
        ):
            cost_sensitive_error(wrong, wrong, cost=cost)
    assert cost_sensitive_error([False, True], [True, True], cost=cost) == 5
    # A row of a class that does not occur keeps its place.
    assert cost_sensitive_error([0, 2], [2, 0], cost=[[0, 9, 1], [9, 0, 9], [4, 9, 0]]) == 2.5


def test_cost_sensitive_accuracy_is_the_share_of_the_cost_that_was_avoided():
    # 10 + 1 + 1 at stake, 1 lost.
    cost, labels = [[0, 10], [1, 0]], ["ill", "well"]
    y, predicted = ["ill", "well", "well"], ["ill", "well", "ill"]
    assert cost_sensitive_accuracy(y, predicted, cost=cost, labels=labels) == exact(11 / 12)
    with pytest.raises(ValueError, match="labels must name the classes"):
        cost_sensitive_accuracy(y, predicted, cost=cost)


@pytest.mark.parametrize("cost", [3, [0, 1], [[0, 1]], [[0, 1, 2], [1, 0, 2]]])
def test_cost_of_another_shape_is_refused(cost):
    with pytest.raises(ValueError, match=r"cost must have one row and one column per label|only labels 0"):
        cost_sensitive_error([0, 1], [1, 0], cost=cost)


@settings(deadline=None, max_examples=40)
@given(
    samples=st.lists(st.tuples(st.integers(0, 1), st.integers(0, 4)), min_size=2, max_size=20).filter(
        lambda drawn: len({label for label, _ in drawn}) == 2
    )
)
def test_functions_of_scores_equal_the_ranking(samples):
    y, score = zip(*samples, strict=True)
    ranked = RankedScores.from_predictions(y, score)
    assert rank_loss(y, score) == exact(1 - sklearn.metrics.roc_auc_score(y, score))
    assert break_even_score(y, score) == ranked.break_even_score()
    assert cost_curve(y, score).area() == ranked.cost_curve().area()
    assert pr_area(y, score) == ranked.pr_area()


def test_break_even_is_the_precision_of_as_many_as_there_are_positives():
    y, score = [1, 0, 1, 0, 1], [0.9, 0.8, 0.7, 0.6, 0.5]
    top = np.argsort(score)[::-1][:3]
    assert break_even_score(y, score) == exact(np.take(y, top).mean())
    assert break_even_score([1, 1, 0], [0.5, 0.5, 0.5]) == exact(2 / 3)  # inside one tied group


def test_functions_and_the_matrix_are_one_implementation():
    cm = ConfusionMatrix.from_predictions(Y, PREDICTED)
    assert error_rate(Y, PREDICTED) == cm.error_rate()
    assert g_mean_score(Y, PREDICTED) == cm.g_mean()
    assert specificity_score(Y, PREDICTED) == cm.specificity()
    assert adjusted_g_mean_score(Y, PREDICTED) == cm.adjusted_g_mean()

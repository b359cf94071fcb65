"""What metric_interval measures: labels of any kind, classes in any order, functions of a statistic."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.metrics import f1_score, fbeta_score

from skeval.exceptions import UndefinedMeasureWarning
from skeval.intervals import metric_interval
from skeval.metrics import ConfusionMatrix, RankedScores
from tests.intervals.measured import ASK


def test_labels_of_any_kind_and_container_give_the_same(data):
    y, (a, _), _ = data
    expected = tuple(metric_interval("f1", y, a, **ASK))
    index = np.arange(len(y))[::-1]
    assert tuple(metric_interval("f1", list(y), pd.Series(a, index=index), **ASK)) == expected
    assert tuple(metric_interval("f1", pl.Series(y == 1), a == 1, **ASK)) == expected
    strings = [np.where(values == 1, "z_bad", "good") for values in (y, a)]
    assert tuple(metric_interval("f1", *strings, pos_label="z_bad", **ASK)) == expected
    with pytest.raises(ValueError, match=r"pos_label.*good.*z_bad"):
        metric_interval("f1", *strings)


@pytest.mark.parametrize("options", [{}, {"stratify": True}, {"groups": np.arange(30) // 2}])
def test_the_alphabetical_order_of_two_classes_changes_no_replicate(options):
    y = np.array([0, 1] * 15)
    pred = np.where(np.arange(30) % 4 == 0, 1 - y, y)
    first, second = (
        metric_interval(
            "f1", *(np.array(names)[codes] for codes in (y, pred)), pos_label="m", **options, **ASK
        )
        for names in (("a", "m"), ("z", "m"))
    )
    assert np.array_equal(first.replicates, second.replicates)
    assert tuple(first) == tuple(second) == tuple(metric_interval("f1", y, pred, **options, **ASK))


def test_the_order_of_the_classes_of_a_matrix_changes_no_replicate():
    first = metric_interval("f1", ConfusionMatrix([[9, 3], [2, 7]]), pos_label=1, **ASK)
    turned = metric_interval("f1", ConfusionMatrix([[7, 2], [3, 9]], labels=[1, 0]), pos_label=1, **ASK)
    assert np.array_equal(first.replicates, turned.replicates)


def test_a_function_of_the_matrix_is_given_the_classes_in_their_order():
    orders = []
    names = [np.where(np.arange(30) % 3 == rest, "m", "z") for rest in (0, 1)]
    metric_interval(
        lambda cm: orders.append(cm.labels.tolist()) or cm.accuracy(), *names, pos_label="m", **ASK
    )
    assert set(map(tuple, orders)) == {("m", "z")}


def test_named_labels_count_even_without_samples():
    y, pred = ["a", "b", "b", "a"] * 5, ["a", "b", "a", "a"] * 5
    two = metric_interval("f1_macro", y, pred, **ASK)
    with pytest.warns(UndefinedMeasureWarning, match="for class c and set to 0"):
        three = metric_interval("f1_macro", y, pred, labels=["a", "b", "c"], **ASK)
    assert two.estimate == pytest.approx(f1_score(y, pred, average="macro"))
    assert three.estimate == pytest.approx(
        f1_score(y, pred, labels=["a", "b", "c"], average="macro", zero_division=0)
    )
    with pytest.raises(ValueError, match="must hold only labels from"):
        metric_interval("f1_macro", y, pred, labels=["a", "c"])


def test_many_classes():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 60, 500)
    pred = np.where(rng.random(500) < 0.5, y, rng.integers(0, 60, 500))
    result = metric_interval("f1_macro", y, pred, n_resamples=500, random_state=0)
    assert result.estimate == pytest.approx(f1_score(y, pred, average="macro"), abs=1e-12)
    assert result.low < result.estimate < result.high


def test_a_callable_takes_the_stacked_statistic(data):
    y, (a, b), (score, _) = data
    cost = [[0, 1], [5, 0]]
    result = metric_interval(lambda cm: cm.cost(cost), y, a, other=b, **ASK)
    total = [np.asarray(cost)[y, pred].mean() for pred in (a, b)]
    assert result.estimate == pytest.approx(total[0] - total[1])
    assert result.measure == "difference of metric"
    named = metric_interval("roc_auc", y, score, **ASK)
    assert tuple(metric_interval(RankedScores.roc_auc, y, score, kind="scores", **ASK)) == tuple(named)
    called = metric_interval(lambda ranked: ranked.roc_auc(), y, score, kind="scores", **ASK)
    assert tuple(called) == pytest.approx(tuple(named), abs=1e-9)
    f2 = metric_interval(lambda cm: cm.f_score(2), ConfusionMatrix.from_predictions(y, a), **ASK)
    assert f2.estimate == pytest.approx(fbeta_score(y, a, beta=2), abs=1e-12)
    assert 0 < f2.low < f2.estimate < f2.high < 1


def test_a_function_of_arrays_is_refused(data):
    y, (a, _), _ = data
    with pytest.raises(TypeError, match=r"f1_score failed.*a function of .y_true, y_pred. cannot be used"):
        metric_interval(f1_score, y, a)


@pytest.mark.parametrize(
    "function",
    [lambda cm: cm.counts.sum(), lambda cm: cm.counts[0, 0], lambda cm: cm.precision(average=None)],
)
def test_a_function_that_does_not_give_one_value_per_resample_is_refused(data, function):
    y, (a, _), _ = data
    with pytest.raises(ValueError, match="metric must return one value per replicate"):
        metric_interval(function, y, a)

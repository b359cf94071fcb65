"""Resamples of a confusion matrix: their distribution, and what is not resampled."""

import math

import numpy as np
import pytest

from skeval.exceptions import UndefinedMeasureWarning
from skeval.metrics import ConfusionMatrix
from tests.metrics.matrices import THREE


@pytest.mark.parametrize("counts", [[[85, 5], [4, 6]], THREE], ids=["two classes", "three classes"])
def test_bootstrapped_accuracy_is_binomial(counts):
    # Accuracy of n resampled rows: mean p, variance p (1 - p) / n, to 4 Monte Carlo errors.
    cm, n_resamples = ConfusionMatrix(counts), 20_000
    p, n = cm.accuracy(), cm.total
    values = cm.bootstrap("accuracy", n_resamples, random_state=0)
    variance = p * (1 - p) / n
    assert values.mean() == pytest.approx(p, abs=4 * math.sqrt(variance / n_resamples))
    kurtosis = 3 + (1 - 6 * p * (1 - p)) / (n * p * (1 - p))
    error = variance * math.sqrt((kurtosis - 1) / n_resamples)
    assert values.var() == pytest.approx(variance, abs=4 * error)


@pytest.mark.parametrize("metric", ["f1_macro", "g_mean", lambda cm: cm.jaccard(average="macro")])
def test_bootstrap_of_cells_equals_resampling_rows(metric):
    rng = np.random.default_rng(0)
    cells = np.repeat(np.arange(9), np.ravel(THREE))
    drawn = [np.bincount(cells[rng.integers(0, 100, 100)], minlength=9) for _ in range(2000)]
    rows = ConfusionMatrix(np.reshape(drawn, (-1, 3, 3)))
    function = (
        metric
        if callable(metric)
        else {"f1_macro": lambda cm: cm.f_score(average="macro")}.get(metric, lambda cm: cm.g_mean())
    )
    expected = function(rows)
    values = ConfusionMatrix(THREE).bootstrap(metric, 2000, random_state=1)
    error = math.sqrt(expected.var() / 2000 + values.var() / 2000)
    assert values.mean() == pytest.approx(expected.mean(), abs=4 * error)
    assert values.std() == pytest.approx(expected.std(), rel=4 / math.sqrt(2000))
    np.testing.assert_allclose(
        np.quantile(values, [0.1, 0.5, 0.9]), np.quantile(expected, [0.1, 0.5, 0.9]), atol=0.01
    )


@pytest.mark.parametrize("block_cells", [9, 100, 10**7])
def test_the_size_of_a_block_changes_no_shape(monkeypatch, block_cells):
    monkeypatch.setattr("skeval.metrics._counts._BLOCK_CELLS", block_cells)
    values = ConfusionMatrix(THREE).bootstrap("accuracy", 25, random_state=0)
    assert values.shape == (25,)
    assert values.dtype == np.float64
    assert ConfusionMatrix(THREE).bootstrap(lambda cm: cm.total, 7, random_state=0).tolist() == [100.0] * 7


def test_a_seed_fixes_the_replicates():
    cm = ConfusionMatrix(THREE)
    np.testing.assert_array_equal(
        cm.bootstrap("accuracy", 10, random_state=3), cm.bootstrap("accuracy", 10, random_state=3)
    )


def test_an_empty_cell_stays_empty():
    cm = ConfusionMatrix([[10**6, 3], [0, 0]])
    hits = cm.bootstrap(lambda stack: stack.counts[:, 1, :].sum(axis=-1), 50, random_state=0)
    assert not hits.any()


def test_a_class_that_was_only_seen_may_leave_a_resample_and_a_given_one_may_not():
    y = [0] * 20 + [1]
    seen = ConfusionMatrix.from_predictions(y, y)
    fixed = ConfusionMatrix.from_predictions(y, y, labels=[0, 1])
    macro = {"metric": lambda cm: cm.recall(average="macro"), "n_resamples": 200, "random_state": 0}
    with pytest.warns(UndefinedMeasureWarning, match="class 1 has neither true nor predicted samples"):
        values = seen.bootstrap(**macro)
    assert set(values) == {1.0}
    with pytest.warns(UndefinedMeasureWarning, match=r"recall is undefined \(0/0\) for class 1"):
        values = fixed.bootstrap(**macro)
    assert set(values) == {0.5, 1.0}


@pytest.mark.parametrize(
    ("cm", "message"),
    [
        (ConfusionMatrix([THREE, THREE]), r"bootstrap\(\) takes a single matrix; choose one, or pooled\(\)"),
        (ConfusionMatrix([[0.5, 1], [0, 1]]), "fractional weights are not frequencies, resample the rows"),
        (
            ConfusionMatrix.from_predictions([0, 0, 1, 1], [0, 0, 1, 1], sample_weight=[0.5] * 4),
            "fractional weights are not frequencies",
        ),
        (ConfusionMatrix([[50, 50], [10, 10]]).at_prevalence(0.25), "fractional weights are not frequencies"),
        (ConfusionMatrix([[0, 0], [0, 0]]), "needs whole counts of at least one sample"),
    ],
    ids=["stack", "fractions", "fractions with whole sums", "another prevalence", "empty"],
)
def test_what_holds_no_frequencies_is_not_resampled(cm, message):
    with pytest.raises(ValueError, match=message):
        cm.bootstrap("accuracy", 10)


def test_frequency_weights_are_resampled_and_add_up():
    cm = ConfusionMatrix.from_predictions([0, 1], [0, 0], sample_weight=[3.0, 2.0])
    assert (cm + cm).bootstrap(lambda stack: stack.total, 3, random_state=0).tolist() == [10, 10, 10]


def test_a_metric_must_give_one_value_per_replicate():
    cm = ConfusionMatrix(THREE)
    for metric in (lambda stack: stack.pooled().accuracy(), lambda stack: stack.recall(average=None)):
        with pytest.raises(ValueError, match=r"metric must return one value per replicate, .* shape \(5,\)"):
            cm.bootstrap(metric, 5, random_state=0)


def test_bad_arguments_of_bootstrap_are_refused():
    cm = ConfusionMatrix(THREE)
    with pytest.raises(ValueError, match="n_resamples must be an integer not less than 1, got 0"):
        cm.bootstrap("accuracy", 0)
    with pytest.raises(
        ValueError, match="metric must be the name of a label measure, got 'auc'; there are acc"
    ):
        cm.bootstrap("auc", 5)
    with pytest.raises(ValueError, match="metric must be the name of a label measure, got 'None'"):
        cm.bootstrap(None, 5)

"""DeLong's variance and the intervals of the AUC made from it."""

import time
import tracemalloc

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

from skeval.exceptions import DegenerateDataWarning
from skeval.intervals import auc_interval
from skeval.intervals._auc import delong_covariance
from tests.reference import load, number

REFERENCE = load("07_roc_auc_delong.json")
INPUTS, EXPECTED = REFERENCE["inputs"], REFERENCE["expected"]
ASAH = INPUTS["aSAH"]
MARKERS = EXPECTED["aSAH"]["order"]


def ratio_form(y, score, auc):
    """DeLong's covariance from its definition: one kernel value a pair."""
    y, score = np.asarray(y), np.atleast_2d(score)
    above = score[:, y == 1][:, :, None] - score[:, y == 0][:, None, :]
    kernel = (np.sign(above) + 1) / 2
    by_positive, by_negative = kernel.mean(axis=2), kernel.mean(axis=1)
    return (
        np.cov(by_positive).reshape(len(score), -1) / by_positive.shape[1]
        + np.cov(by_negative).reshape(len(score), -1) / by_negative.shape[1]
    )


# --- the variance -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["fawcett2006", "ties"])
def test_variance_equals_the_exact_fraction(name):
    y, score = np.array(INPUTS[name]["y"]) == 1, np.array([INPUTS[name]["score"]])
    aucs, covariance = delong_covariance(y, score)
    assert aucs[0] == pytest.approx(number(EXPECTED[name]["auc"]), abs=1e-12)
    assert covariance[0, 0] == pytest.approx(number(EXPECTED[name]["delong_variance"]), abs=1e-12)


def test_covariance_of_three_markers_equals_proc():
    y = np.array(ASAH["outcome"]) == 1
    scores = np.array([ASAH[name] for name in MARKERS], dtype=float)
    aucs, covariance = delong_covariance(y, scores)
    assert aucs == pytest.approx([number(EXPECTED["aSAH"]["auc"][name]) for name in MARKERS], abs=1e-12)
    assert covariance == pytest.approx(np.array(EXPECTED["aSAH"]["delong_cov"]), abs=1e-10)


def test_small_pair_of_models_worked_by_hand():
    # Structural components: positives (1, 2/3, 1), negatives (1, 1, 2/3) for A; all 1 for B.
    y = np.array([1, 0, 1, 0, 1, 0]) == 1
    a, b = [0.9, 0.2, 0.3, 0.4, 0.8, 0.1], [0.6, 0.2, 0.5, 0.4, 0.8, 0.1]
    aucs, covariance = delong_covariance(y, np.array([a, b]))
    assert aucs == pytest.approx([8 / 9, 1], abs=1e-12)
    assert covariance == pytest.approx(np.array([[2 / 81, 0], [0, 0]]), abs=1e-12)


def test_models_of_the_same_ranking_differ_with_variance_exactly_0():
    rng = np.random.default_rng(0)
    y = rng.random(997) < 0.3
    score = np.round(rng.normal(size=(3, 997)) + y, 1)
    scores = np.concatenate([score, np.exp(score), score**3])
    _, covariance = delong_covariance(y, scores)
    for i, j in ((0, 3), (1, 7), (5, 2), (8, 5)):
        assert covariance[i, i] + covariance[j, j] - 2 * covariance[i, j] == 0
    assert np.array_equal(covariance, covariance.T)


@st.composite
def samples(draw):
    n = draw(st.integers(4, 30))
    y = draw(
        st.permutations([1, 1, 0, 0, *draw(st.lists(st.integers(0, 1), min_size=n - 4, max_size=n - 4))])
    )
    score = draw(st.lists(st.integers(-3, 3), min_size=n, max_size=n))
    return np.array(y), np.array(score, dtype=float)


@settings(deadline=None, max_examples=100)
@given(samples())
def test_equals_its_definition_over_all_pairs_with_ties(sample):
    y, score = sample
    aucs, covariance = delong_covariance(y == 1, np.array([score, -score, score**2]))
    scores = np.array([score, -score, score**2])
    assert aucs == pytest.approx([roc_auc_score(y, each) for each in scores], abs=1e-12)
    assert covariance == pytest.approx(ratio_form(y, scores, aucs), abs=1e-12)
    assert (np.diag(covariance) >= 0).all()


@settings(deadline=None, max_examples=50)
@given(samples(), st.data())
def test_frequency_weights_equal_repeated_rows(sample, data):
    y, score = sample
    weight = np.array(data.draw(st.lists(st.integers(1, 4), min_size=len(y), max_size=len(y))))
    repeated = delong_covariance(np.repeat(y, weight) == 1, np.repeat(score, weight)[None])
    weighted = delong_covariance(y == 1, score[None], weight=weight)
    assert weighted[0] == pytest.approx(repeated[0], abs=1e-12)
    assert weighted[1] == pytest.approx(repeated[1], abs=1e-12)


def test_large_samples_need_no_matrix_of_pairs():
    n = 200_000
    y, score = np.arange(n) % 2, np.arange(n, dtype=float)
    tracemalloc.start()
    start = time.perf_counter()
    result = auc_interval(y, score)
    seconds, (_, peak) = time.perf_counter() - start, tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert result.estimate == pytest.approx(0.500005, abs=1e-12)
    assert 0 < result.standard_error < 0.01
    assert seconds < 5
    assert peak < 50e6


# --- the intervals ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("marker", MARKERS)
@pytest.mark.parametrize("level", ["0.95", "0.90"])
def test_wald_interval_equals_proc(marker, level):
    result = auc_interval(ASAH["outcome"], ASAH[marker], method="wald-clipped", confidence_level=float(level))
    assert tuple(result) == pytest.approx(EXPECTED["aSAH"]["ci"][marker][level], abs=1e-10)


def test_wald_interval_is_cut_at_1():
    low, high = EXPECTED["ties"]["delong_ci95_unclipped"]
    assert high > 1
    result = auc_interval(INPUTS["ties"]["y"], INPUTS["ties"]["score"], method="wald-clipped")
    assert tuple(result) == (pytest.approx(low, abs=1e-10), 1.0)


def test_logit_interval_stays_inside_where_wald_leaves():
    # expit(log(8) +- 1.959963984540054 sqrt(2/81)/(8/81))
    result = auc_interval([1, 0, 1, 0, 1, 0], [0.9, 0.2, 0.3, 0.4, 0.8, 0.1])
    assert result.estimate == pytest.approx(8 / 9, abs=1e-12)
    assert tuple(result) == pytest.approx((0.26137348040581404, 0.9945012750727569), abs=1e-9)
    clipped = auc_interval([1, 0, 1, 0, 1, 0], [0.9, 0.2, 0.3, 0.4, 0.8, 0.1], method="wald-clipped")
    assert tuple(clipped) == pytest.approx((0.5809102612556272, 1.0), abs=1e-9)


@pytest.mark.parametrize("method", ["logit", "wald-clipped"])
def test_a_perfect_ranking_gets_the_bound_and_a_warning(method):
    y, score = [1, 0] * 5, [0.9, 0.1] * 5
    with pytest.warns(DegenerateDataWarning, match="degenerate: the AUC is 1"):
        result = auc_interval(y, score, method=method)
    # P(a sample without a fault) <= AUC^5
    assert tuple(result) == (pytest.approx(0.025 ** (1 / 5), abs=1e-12), 1.0)
    assert "bound" in result.method
    with pytest.warns(DegenerateDataWarning, match="degenerate: the AUC is 0"):
        turned = auc_interval(y, [-value for value in score])
    assert tuple(turned) == (0.0, pytest.approx(1 - 0.025 ** (1 / 5), abs=1e-12))


def test_the_bound_takes_the_smaller_class():
    y = [1] * 3 + [0] * 40
    with pytest.warns(DegenerateDataWarning, match="degenerate"):
        result = auc_interval(y, y, confidence_level=0.9)
    assert result.low == pytest.approx(0.05 ** (1 / 3), abs=1e-12)
    with pytest.warns(DegenerateDataWarning, match="degenerate"):
        weighted = auc_interval([1, 1, 0, 0], [2, 3, 0, 1], sample_weight=[3, 1, 4, 9])
    assert weighted.low == pytest.approx(0.025 ** (1 / 4), abs=1e-12)


def test_scores_all_equal_get_a_bound_around_one_half():
    with pytest.warns(DegenerateDataWarning, match="all scores are equal"):
        result = auc_interval([0, 1, 0, 1], [0.5] * 4)
    least = 0.025 ** (1 / 2) / 2
    assert tuple(result) == pytest.approx((least, 1 - least), abs=1e-12)
    assert result.estimate == 0.5


@pytest.mark.parametrize(("y", "name"), [([1, 0, 0, 0], "1 positive"), ([1, 1, 1, 0], "1 negative")])
def test_one_sample_of_a_class_is_refused(y, name):
    with pytest.raises(ValueError, match=f"undefined with fewer than two samples of a class, got {name}"):
        auc_interval(y, [0.9, 0.2, 0.3, 0.4])


def test_one_class_only_is_refused():
    with pytest.raises(ValueError, match="got 0 negative"):
        auc_interval([1, 1, 1], [0.1, 0.2, 0.3])


@settings(deadline=None, max_examples=100)
@given(samples(), st.sampled_from(["logit", "wald-clipped"]), st.floats(0.01, 0.999))
@pytest.mark.filterwarnings("ignore::skeval.exceptions.DegenerateDataWarning")
def test_encloses_the_estimate_within_0_and_1(sample, method, level):
    y, score = sample
    result = auc_interval(y, score, method=method, confidence_level=level)
    assert 0 <= result.low <= result.estimate <= result.high <= 1
    assert result.low < result.high


def test_only_the_order_of_scores_counts():
    y, logits = [0, 1, 1, 0, 1, 0], np.array([99.1, 99.4, 99.9, 99.6, 101.2, 99.0])
    expected = tuple(auc_interval(y, logits))
    assert tuple(auc_interval(y, logits - 99)) == expected
    assert tuple(auc_interval(y, logits.astype(np.float32))) == expected
    assert tuple(auc_interval(y, list(np.exp(logits / 10)))) == expected


def test_labels_of_any_kind_and_container_give_the_same():
    y, score = np.array([0, 1, 1, 0, 1, 0]), np.array([0.1, 0.9, 0.4, 0.5, 0.8, 0.35])
    expected = tuple(auc_interval(y, score))
    assert tuple(auc_interval(y == 1, score)) == expected
    assert tuple(auc_interval(2 * y - 1, score)) == expected
    assert tuple(auc_interval(pd.Series(y, index=range(10, 16)), pl.Series(score))) == expected
    strings = np.where(y == 1, "bad", "good")
    assert tuple(auc_interval(strings, score, pos_label="bad")) == expected
    with pytest.raises(ValueError, match=r"pos_label must name the positive class.*bad.*good"):
        auc_interval(strings, score)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"y_score": [0.1, np.nan, 0.3, 0.4]}, "y_score must hold finite numbers, got nan at position 1"),
        ({"y_score": [0.1, 0.2, 0.3]}, "must have the same length"),
        ({"y_score": [[0.1, 0.9]] * 4}, "pass the column of the positive class"),
        ({"y_true": [0, 1, 2, 1]}, "two classes, got 3"),
        ({"sample_weight": [1, 2, 0.5, 1]}, "whole numbers .frequencies.*weight_kind='importance'"),
        ({"y_true": [1, 1, 1, 1]}, "got 0 negative; the AUC itself is undefined with one class only"),
        ({"y_true": [0, 0, 0, 0]}, "got 0 positive; the AUC itself is undefined with one class only"),
        ({"y_true": [0, 0, 0, 1]}, "got 1 positive; .* use metric_interval.'roc_auc', ..., stratify=True"),
        ({"method": "delong"}, "method must be one of 'logit', 'wald-clipped'"),
    ],
)
def test_refuses_bad_input(change, message):
    arguments = {"y_true": [0, 1, 0, 1], "y_score": [0.1, 0.2, 0.3, 0.4], **change}
    with pytest.raises(ValueError, match=message):
        auc_interval(arguments.pop("y_true"), arguments.pop("y_score"), **arguments)


def test_the_result_says_that_the_model_is_fixed():
    result = auc_interval([0, 1, 0, 1, 1], [0.1, 0.2, 0.3, 0.4, 0.5])
    assert "this fitted model" in result.estimand
    assert result.measure == "roc_auc"
    assert "DeLong" in result.method
    assert "DeLong" in result.reference

"""ROC and precision-recall curves, areas and break-even: their values, and what they are."""

import time
import tracemalloc

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn.metrics
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import rankdata

from skeval.exceptions import UndefinedMeasureWarning
from skeval.metrics import RankedScores
from tests.metrics.rankings import DATA, REFERENCE, exact, positives_and_negatives, scored, stored
from tests.reference import number

# --- published and exact values


@pytest.mark.parametrize("name", DATA)
def test_every_roc_point_equals_exact_fractions(name):
    fpr, tpr, thresholds = stored(name).roc_curve()
    expected = REFERENCE["expected"][name]["roc_points"]
    assert thresholds.tolist() == [float(point["threshold"]) for point in expected]
    np.testing.assert_allclose(fpr, [number(point["fpr"]) for point in expected], atol=1e-12)
    np.testing.assert_allclose(tpr, [number(point["tpr"]) for point in expected], atol=1e-12)


@pytest.mark.parametrize("name", DATA)
def test_every_precision_recall_point_equals_exact_fractions(name):
    precision, recall, thresholds = stored(name).pr_curve()
    expected = REFERENCE["expected"][name]["pr_points"]
    assert thresholds.tolist() == [point["threshold"] for point in expected]
    np.testing.assert_allclose(precision, [number(point["precision"]) for point in expected], atol=1e-12)
    np.testing.assert_allclose(recall, [number(point["recall"]) for point in expected], atol=1e-12)


@pytest.mark.parametrize("name", DATA)
def test_areas_and_break_even_equal_exact_fractions(name):
    ranked, expected = stored(name), REFERENCE["expected"][name]
    auc = number(expected["auc"])
    assert ranked.roc_auc() == exact(auc)
    assert ranked.rank_loss() == exact(1 - auc)
    assert ranked.average_precision() == exact(number(expected["average_precision_step"]))
    # Davis & Goadrich 2006: by a closed form and by the midpoint rule, which agree to 1.2e-14.
    assert ranked.pr_curve().area() == exact(expected["pr_auc_davis_goadrich"])
    assert ranked.pr_area() == exact(expected["pr_auc_davis_goadrich"])
    # Where a tie lies across the cut, inside the tied group.
    break_even = expected["break_even"]["by_interpolation_inside_the_tie_group"]
    assert ranked.break_even_score() == exact(number(break_even))


def test_the_three_areas_of_fawcett_are_the_published_ones():
    ranked = stored("fawcett2006")
    figures = (ranked.roc_auc(), ranked.average_precision(), ranked.pr_curve().area())
    assert [round(figure, 4) for figure in figures] == [0.68, 0.7357, 0.7200]


@pytest.mark.parametrize("name", ["wfns", "s100b", "ndka"])
def test_auc_of_three_biomarkers_equals_r(name):
    # R package pROC: aSAH, outcome Poor is the positive class, never turned round.
    given_data = REFERENCE["inputs"]["aSAH"]
    ranked = RankedScores.from_predictions(given_data["outcome"], given_data[name])
    assert ranked.roc_auc() == exact(number(REFERENCE["expected"]["aSAH"]["auc"][name]))


def test_areas_of_large_data_are_exact_and_take_no_pairs():
    # Positives at the odd ranks of 200,000: (n^2/8 + n/4) of n^2/4 pairs.
    n, start = 200_000, time.perf_counter()
    tracemalloc.start()
    assert RankedScores.from_predictions(np.arange(n) % 2, np.arange(n)).roc_auc() == 0.500005
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert time.perf_counter() - start < 5
    assert peak < 50_000_000


def test_counts_beyond_the_range_of_integers_do_not_overflow():
    # 2 x 10^15 positives and negatives each: 4 x 10^30 pairs.
    weight = np.full(4, 10**15)
    ranked = RankedScores.from_predictions([1, 0, 1, 0], [4, 3, 2, 1], sample_weight=weight)
    assert ranked.roc_auc() == exact(0.75)
    assert ranked.roc_auc(max_fpr=0.5, standardize=False) == exact(0.25)


def test_more_thresholds_than_small_numbers():
    # 300 of each: every second score is a positive's; AUC by hand = (1 + 2 + ... + 300) / 300^2.
    steps = np.arange(1, 601)
    ranked = RankedScores(-steps.astype(float), (steps + 1) // 2, steps // 2)
    assert ranked.roc_auc() == pytest.approx(301 / 600, abs=1e-15)


# --- scikit-learn's numbers


@settings(deadline=None, max_examples=150)
@given(drawn=scored(), max_fpr=st.none() | st.sampled_from([0.05, 0.25, 0.5, 0.8, 1.0]))
def test_roc_auc_equals_that_of_scikit_learn(drawn, max_fpr):
    y, score, weight = drawn
    ranked = RankedScores.from_predictions(y, score, sample_weight=weight)
    if 0 in positives_and_negatives(y, weight):
        with pytest.warns(
            UndefinedMeasureWarning, match=r"ROC AUC is undefined and nan: only one class is present"
        ):
            assert np.isnan(ranked.roc_auc(max_fpr=max_fpr))
        return
    expected = sklearn.metrics.roc_auc_score(y, score, sample_weight=weight, max_fpr=max_fpr)
    assert ranked.roc_auc(max_fpr=max_fpr) == exact(expected)
    assert 0 <= ranked.roc_auc() <= 1


@settings(deadline=None, max_examples=150)
@given(drawn=scored())
def test_average_precision_equals_that_of_scikit_learn(drawn):
    y, score, weight = drawn
    ranked = RankedScores.from_predictions(y, score, sample_weight=weight)
    if positives_and_negatives(y, weight)[0] == 0:
        with pytest.warns(UndefinedMeasureWarning, match=r"Average precision is undefined .* class 1"):
            assert np.isnan(ranked.average_precision())
        return
    expected = sklearn.metrics.average_precision_score(y, score, sample_weight=weight)
    assert ranked.average_precision() == exact(expected)
    assert ranked.average_precision() <= 1


@settings(deadline=None, max_examples=80)
@given(drawn=scored())
def test_curves_equal_those_of_scikit_learn(drawn):
    y, score, weight = drawn
    positive, negative = positives_and_negatives(y, weight)
    if positive == 0 or negative == 0:
        return
    ranked = RankedScores.from_predictions(y, score, sample_weight=weight)
    fpr, tpr, thresholds = sklearn.metrics.roc_curve(y, score, sample_weight=weight, drop_intermediate=False)
    curve = ranked.roc_curve()
    np.testing.assert_allclose(curve.fpr, fpr, atol=1e-12)
    np.testing.assert_allclose(curve.tpr, tpr, atol=1e-12)
    np.testing.assert_array_equal(curve.thresholds, thresholds)
    precision, recall, thresholds = sklearn.metrics.precision_recall_curve(y, score, sample_weight=weight)
    # scikit-learn's ascends and ends in a point (recall 0, precision 1) without a score.
    curve = ranked.pr_curve()
    np.testing.assert_allclose(curve.precision[::-1], precision[:-1], atol=1e-12)
    np.testing.assert_allclose(curve.recall[::-1], recall[:-1], atol=1e-12)
    np.testing.assert_array_equal(curve.thresholds[::-1], thresholds)


# --- what the areas are


@settings(deadline=None, max_examples=100)
@given(drawn=scored(weights=st.integers(0, 3)))
def test_auc_is_the_share_of_pairs_ranked_right(drawn):
    y, score, weight = drawn
    times = np.ones(len(y), dtype=int) if weight is None else np.array(weight)
    y_rows, score_rows = np.repeat(y, times), np.repeat(score, times)
    n_positive, n_negative = positives_and_negatives(y, weight)
    if not n_positive * n_negative:
        return
    ranked = RankedScores.from_predictions(y, score, sample_weight=weight)
    # Mann-Whitney by mid-ranks of the repeated rows.
    u = rankdata(score_rows)[y_rows == 1].sum() - n_positive * (n_positive + 1) / 2
    assert ranked.roc_auc() == exact(u / (n_positive * n_negative))
    above, below = score_rows[y_rows == 1][:, None], score_rows[y_rows == 0]
    assert ranked.rank_loss() == exact(np.mean((above < below) + (above == below) / 2))
    assert ranked == RankedScores.from_predictions(y_rows, score_rows)


def test_auc_is_never_flipped():
    assert RankedScores.from_predictions([0, 0, 1, 1], [4, 3, 2, 1]).roc_auc() == 0
    assert RankedScores.from_predictions([0, 1, 1, 0], [0.9, 0.1, 0.5, 0.4]).roc_auc() == 0.25


def test_constant_scores_are_chance():
    ranked = RankedScores.from_predictions([0, 1, 1, 0, 0], [0.5] * 5)
    figures = (ranked.roc_auc(), ranked.rank_loss(), ranked.average_precision(), ranked.break_even_score())
    assert figures == exact((0.5, 0.5, 0.4, 0.4))
    assert ranked.pr_curve().area() == exact(0.4)
    assert ranked.roc_curve().fpr.tolist() == [0, 1]


def test_zero_and_minus_zero_tie():
    for weight in (None, [1, 1]):
        assert RankedScores.from_predictions([0, 1], [0.0, -0.0], sample_weight=weight).roc_auc() == 0.5


@pytest.mark.parametrize(
    "convert",
    [
        list,
        tuple,
        np.array,
        lambda s: np.array(s, dtype=np.float32),
        lambda s: np.array(s).reshape(-1, 1),
        lambda s: pd.Series(s, index=range(9, 4, -1)),
        pl.Series,
    ],
)
def test_logits_and_shifted_logits_in_any_container_give_the_same_auc(convert):
    y, logits = [0, 1, 1, 0, 1], np.array([99.1, 99.4, 99.9, 99.6, 101.2])
    for score in (logits, logits - 99, logits * 1e6):
        assert RankedScores.from_predictions(y, convert(score)).roc_auc() == exact(5 / 6)


def test_integer_scores_keep_their_order():
    y, score = [0, 1, 1, 0], np.array([1, 3, 2, 2], dtype=np.int32)
    assert RankedScores.from_predictions(y, score).roc_auc() == exact(7 / 8)
    # Two integers that are one float64 must not become a tie.
    with pytest.raises(ValueError, match=r"y_score must hold integers up to 2\*\*53"):
        RankedScores.from_predictions([0, 1], np.array([2**60, 2**60 + 1]))


def test_partial_auc_raw_and_standardized():
    # Fawcett: up to FPR 0.1 the curve has TPR 0.2 and then 0.5: raw area 0.1 x 0.2.
    ranked = stored("fawcett2006")
    raw = ranked.roc_auc(max_fpr=0.1, standardize=False)
    assert raw == exact(0.02)
    assert ranked.roc_auc(max_fpr=0.1) == exact(0.5 * (1 + (0.02 - 0.005) / (0.1 - 0.005)))
    assert ranked.roc_auc(max_fpr=1) == ranked.roc_auc() == ranked.roc_auc(max_fpr=1, standardize=False)


@pytest.mark.parametrize("value", [0, -0.1, 1.5, np.nan])
def test_a_maximal_rate_outside_its_range_is_refused(value):
    with pytest.raises(ValueError, match=r"max_fpr must be a number in \(0, 1\], got"):
        stored("ties").roc_auc(max_fpr=value)


def test_ten_times_the_negatives_move_the_precision_and_not_the_roc():
    y, score = [1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.3, 0.1]
    few = RankedScores.from_predictions(y, score)
    many = RankedScores.from_predictions(y, score, sample_weight=[1, 10, 1, 10, 10])
    np.testing.assert_array_equal(few.roc_curve().tpr, many.roc_curve().tpr)
    np.testing.assert_allclose(few.roc_curve().fpr, many.roc_curve().fpr, atol=1e-15)
    assert few.roc_auc() == exact(many.roc_auc())
    assert many.average_precision() < few.average_precision()
    assert many.pr_curve().area() < few.pr_curve().area()


@settings(deadline=None, max_examples=60)
@given(drawn=scored(weights=st.integers(1, 3), min_size=2))
def test_the_area_under_the_p_r_curve_is_that_of_its_hyperbolas(drawn):
    y, score, weight = drawn
    if not y.any():
        return
    ranked = RankedScores.from_predictions(y, score, sample_weight=weight)
    tp = np.concatenate([[0], ranked.true_positives])
    fp = np.concatenate([[0], ranked.false_positives])
    area = 0.0
    for k in range(len(tp) - 1):
        middle = (np.arange(2000) + 0.5) / 2000  # midpoint rule on the straight line of TP and FP
        hits, alarms = tp[k] + middle * (tp[k + 1] - tp[k]), fp[k] + middle * (fp[k + 1] - fp[k])
        if tp[k + 1] > tp[k]:
            area += (hits / (hits + alarms)).mean() * (tp[k + 1] - tp[k]) / tp[-1]
    assert ranked.pr_curve().area() == pytest.approx(area, abs=2e-4)


@settings(deadline=None, max_examples=60)
@given(drawn=scored(weights=st.integers(0, 3)))
def test_break_even_is_the_precision_at_as_many_predictions_as_positives(drawn):
    y, score, weight = drawn
    n_positive, _ = positives_and_negatives(y, weight)
    if not n_positive:
        return
    ranked = RankedScores.from_predictions(y, score, sample_weight=weight)
    value = ranked.break_even_score()
    assert 0 <= value <= 1
    predicted = np.concatenate([[0], ranked.true_positives + ranked.false_positives])
    hits = np.concatenate([[0], ranked.true_positives])
    assert value == exact(np.interp(n_positive, predicted, hits) / n_positive)

"""Ranked scores: ROC and precision-recall curves, areas, break-even, adding, resampling."""

import copy
import math
import pickle
import time
import tracemalloc
import warnings

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
from tests.reference import load, number

REFERENCE = load("07_roc_auc_delong.json")
DATA = ["fawcett2006", "ties", "weighted"]


def exact(value):
    return pytest.approx(value, abs=1e-12, rel=0, nan_ok=True)


def stored(name):
    given_data = REFERENCE["inputs"][name]
    weight = given_data.get("weight")
    return RankedScores.from_predictions(given_data["y"], given_data["score"], sample_weight=weight)


def quiet(function, *args, **kwargs):
    """Call without the warnings of an undefined measure; every other warning stays an error."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedMeasureWarning)
        return function(*args, **kwargs)


# --- published and exact values ---------------------------------------------------------------


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


# --- scikit-learn's numbers ---------------------------------------------------------------------

WEIGHTS = st.sampled_from([0, 1, 2, 5]) | st.sampled_from([0.0, 0.1, 0.3, 1 / 3, 2.5])


@st.composite
def scored(draw, weights=WEIGHTS, min_size=1):
    """Truth, scores with ties, and weights or none."""
    size = draw(st.integers(min_size, 30))
    y = draw(st.lists(st.integers(0, 1), min_size=size, max_size=size))
    values = draw(st.sampled_from([st.integers(0, 3), st.floats(-2, 2), st.floats(-1e300, 1e300)]))
    score = draw(st.lists(values, min_size=size, max_size=size))
    weight = draw(st.none() | st.lists(weights, min_size=size, max_size=size).filter(any))
    return np.array(y), np.array(score, dtype=float), weight


def positives_and_negatives(y, weight):
    weight = np.ones(len(y)) if weight is None else np.array(weight)
    return weight[y == 1].sum(), weight[y == 0].sum()


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


# --- what the areas are ---------------------------------------------------------------------------


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


# --- adding ---------------------------------------------------------------------------------------


@settings(deadline=None, max_examples=60)
@given(drawn=scored(weights=st.integers(1, 4), min_size=3), data=st.data())
def test_adding_chunks_in_any_order_equals_ranking_at_once(drawn, data):
    y, score, weight = drawn
    cut = sorted(data.draw(st.tuples(*[st.integers(1, len(y) - 1)] * 2)))
    if cut[0] == cut[1]:
        return
    chunks = [
        RankedScores.from_predictions(y[part], score[part], sample_weight=weight and weight[part])
        for part in (slice(0, cut[0]), slice(*cut), slice(cut[1], None))
    ]
    whole = RankedScores.from_predictions(y, score, sample_weight=weight)
    for order in data.draw(st.permutations([0, 1, 2])), [0, 1, 2]:
        summed = sum(chunks[k] for k in order)
        assert summed == whole
        assert summed.true_positives.dtype == np.int64
        np.testing.assert_array_equal(summed.thresholds, whole.thresholds)
    assert chunks[0] + (chunks[1] + chunks[2]) == (chunks[0] + chunks[1]) + chunks[2]


def test_adding_fractional_weights_equals_ranking_at_once_to_rounding():
    rng = np.random.default_rng(0)
    y, score, weight = rng.integers(0, 2, 200), rng.integers(0, 30, 200), rng.random(200)
    parts = [
        RankedScores.from_predictions(y[k::4], score[k::4], sample_weight=weight[k::4]) for k in range(4)
    ]
    whole = RankedScores.from_predictions(y, score, sample_weight=weight)
    assert sum(parts).roc_auc() == pytest.approx(whole.roc_auc(), rel=1e-12)
    assert sum(parts).average_precision() == pytest.approx(whole.average_precision(), rel=1e-12)


def test_only_rankings_of_the_same_class_add():
    a = RankedScores.from_predictions(["a", "b"], [1, 2], pos_label="a")
    b = RankedScores.from_predictions(["a", "b"], [1, 2], pos_label="b")
    with pytest.raises(ValueError, match="only for the same positive class, got pos_label='a' and 'b'"):
        a + b
    for bad in (1, "x"):
        with pytest.raises(TypeError, match=r"unsupported operand|can only concatenate"):
            a + bad
    stack = RankedScores([0.9, 0.1], [[1, 1], [0, 1]], [[0, 1], [1, 1]])
    with pytest.raises(ValueError, match="Stacks of replicates do not add"):
        stack + stack


# --- bootstrap --------------------------------------------------------------------------------------


def plain_bootstrap(y, score, name, n_resamples, seed):
    """The measure of rows drawn in a loop."""
    rng = np.random.default_rng(seed)
    rows = (rng.integers(0, len(y), len(y)) for _ in range(n_resamples))
    return np.array([getattr(RankedScores.from_predictions(y[row], score[row]), name)() for row in rows])


@pytest.mark.parametrize("n_values", [4, 1000], ids=["few distinct scores", "many"])
@pytest.mark.parametrize("name", ["roc_auc", "average_precision"])
def test_bootstrap_agrees_with_a_plain_loop_in_distribution(name, n_values):
    rng = np.random.default_rng(1)
    y = np.repeat([0, 1], [60, 40])
    score = np.round(n_values * (rng.normal(size=100) + y))
    expected = plain_bootstrap(y, score, name, 1500, seed=2)
    values = RankedScores.from_predictions(y, score).bootstrap(name, 20_000, random_state=3)
    error = math.sqrt(expected.var() / 1500 + values.var() / 20_000)
    assert values.mean() == pytest.approx(expected.mean(), abs=4 * error)
    assert values.std() == pytest.approx(expected.std(), rel=4 / math.sqrt(2 * 1500))
    quantiles = np.linspace(0.1, 0.9, 5)
    np.testing.assert_allclose(np.quantile(values, quantiles), np.quantile(expected, quantiles), atol=0.012)


@pytest.mark.parametrize("block_cells", [100, 1000, 10**7])
def test_the_size_of_a_block_changes_no_shape(monkeypatch, block_cells):
    monkeypatch.setattr("skeval.metrics._ranking._BLOCK_CELLS", block_cells)
    values = stored("fawcett2006").bootstrap("rank_loss", 33, random_state=0)
    assert values.shape == (33,)
    total = stored("fawcett2006").bootstrap(lambda r: r.n_positive + r.n_negative, 33, random_state=0)
    assert total.tolist() == [20.0] * 33


def test_replicates_of_one_class_are_nan_and_counted():
    ranked = RankedScores.from_predictions([1, 0, 0, 0, 0, 0, 0, 0], [0.9, 0.3, 0.4, 0.1, 0.2, 0.5, 0.6, 0.7])
    with pytest.warns(UndefinedMeasureWarning, match=r"roc_auc is undefined in \d+ of 4000 replicates"):
        values = ranked.bootstrap("roc_auc", 4000, random_state=0)
    # (7/8)^8 + (1/8)^8 = 0.3436 of them.
    assert np.isnan(values).mean() == pytest.approx(0.3436, abs=4 * math.sqrt(0.3436 * 0.6564 / 4000))


def test_frequency_weights_resample_like_repeated_rows():
    y, score, weight = [0, 1, 1, 0], [0.1, 0.4, 0.35, 0.35], [3, 2, 5, 4]
    weighted = RankedScores.from_predictions(y, score, sample_weight=weight)
    repeated = RankedScores.from_predictions(np.repeat(y, weight), np.repeat(score, weight))
    np.testing.assert_array_equal(
        weighted.bootstrap("roc_auc", 50, random_state=0), repeated.bootstrap("roc_auc", 50, random_state=0)
    )


def test_what_cannot_be_resampled_is_refused():
    fractional = RankedScores.from_predictions([0, 1], [0.1, 0.2], sample_weight=[0.5, 0.5])
    with pytest.raises(ValueError, match="fractional weights are not frequencies, resample the rows"):
        fractional.bootstrap("roc_auc", 5)
    with pytest.raises(ValueError, match="needs whole counts of at least one sample"):
        RankedScores([0.5], [0], [0]).bootstrap("roc_auc", 5)
    ranked = stored("ties")
    with pytest.raises(ValueError, match=r"metric must be one of average_precision, .* got 'auc'"):
        ranked.bootstrap("auc", 5)
    with pytest.raises(ValueError, match=r"metric must be one of average_precision, .* got 'None'"):
        ranked.bootstrap(None, 5)
    with pytest.raises(ValueError, match="n_resamples must be an integer not less than 1"):
        ranked.bootstrap("roc_auc", 0)
    with pytest.raises(ValueError, match=r"metric must return one value per replicate, .* shape \(5,\)"):
        ranked.bootstrap(lambda r: 0.5, 5)
    stack = RankedScores([0.9, 0.1], [[1, 1], [0, 1]], [[0, 1], [1, 1]])
    with pytest.raises(ValueError, match="bootstrap needs single ranked scores, not a stack"):
        stack.bootstrap("roc_auc", 5)


def test_replicates_of_large_data_need_little_memory():
    n = 200_000
    ranked = RankedScores.from_predictions(np.arange(n) % 2, np.random.default_rng(0).random(n))
    tracemalloc.start()
    ranked.bootstrap("roc_auc", 20, random_state=0)
    ranked.bootstrap("average_precision", 20, random_state=0)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 40_000_000  # 100 doubles per sample at 10,000 replicates would be 16 GB


# --- degenerate and bad input -------------------------------------------------------------------------


def test_one_class_leaves_named_measures_undefined():
    negatives = RankedScores.from_predictions([0, 0, 0], [0.3, 0.6, 0.2])
    for name, told in (
        ("pr_area", "P-R area is undefined .* positive class 1 is missing"),
        ("roc_auc", "ROC AUC is undefined and nan: only one class is present, positive class 1 is missing"),
        ("rank_loss", "ROC AUC is undefined"),
        ("average_precision", "Average precision is undefined .* positive class 1 is missing"),
        ("break_even_score", "Break-even score is undefined .* positive class 1 is missing"),
    ):
        with pytest.warns(UndefinedMeasureWarning, match=told):
            assert np.isnan(getattr(negatives, name)())
    with pytest.warns(UndefinedMeasureWarning, match="ROC curve is undefined: there is no positive sample"):
        curve = negatives.roc_curve()
    assert np.isnan(curve.tpr).all()
    assert curve.fpr[-1] == 1
    with pytest.warns(UndefinedMeasureWarning, match="precision-recall curve is undefined"):
        curve = negatives.pr_curve()
    assert np.isnan(curve.recall).all()
    assert curve.precision.tolist() == [0, 0, 0]
    assert np.isnan(curve.area())


def test_folds_of_which_one_holds_one_class():
    folds = [
        ([0, 1, 0, 1], [0.1, 0.9, 0.2, 0.8], 1.0, 1.0),
        ([0, 0, 0], [0.3, 0.6, 0.2], np.nan, np.nan),
        ([1, 0, 1, 0], [0.7, 0.6, 0.4, 0.1], 0.75, 5 / 6),
        ([1, 1, 1], [0.2, 0.5, 0.9], np.nan, 1.0),
    ]
    for y, score, auc, average_precision in folds:
        ranked = RankedScores.from_predictions(y, score)
        assert quiet(ranked.roc_auc) == exact(auc)
        assert quiet(ranked.average_precision) == exact(average_precision)


def test_only_positives_have_a_precision():
    positives = RankedScores.from_predictions([1, 1, 1], [0.2, 0.5, 0.9])
    assert positives.average_precision() == 1
    assert positives.break_even_score() == 1
    assert positives.pr_curve().area() == 1
    with pytest.warns(UndefinedMeasureWarning, match="only one class is present"):
        assert np.isnan(positives.roc_auc())
    with pytest.warns(UndefinedMeasureWarning, match="ROC curve is undefined: there is no negative sample"):
        assert np.isnan(positives.roc_curve().fpr).all()


def test_one_sample_and_thresholds_without_samples_bring_no_numpy_warning():
    one = RankedScores.from_predictions([1], [0.5])
    assert (one.average_precision(), one.thresholds.tolist()) == (1, [0.5])
    hollow = RankedScores([0.9, 0.5], [0, 1], [0, 2])
    assert np.isnan(hollow.pr_curve().precision[0])
    assert hollow.average_precision() == exact(1 / 3)
    assert hollow.pr_curve().area() == exact(1 / 3)


@pytest.mark.parametrize(
    ("y_true", "y_score", "kwargs", "message"),
    [
        ([0, 1], [0.1, np.nan], {}, "y_score must hold finite numbers, got nan at position 1"),
        ([0, 1], [np.inf, 0.1], {}, "y_score must hold finite numbers, got inf at position 0"),
        ([0, 1], [[0.9, 0.1], [0.2, 0.8]], {}, r"of shape \(2, 2\); pass the column of the positive class"),
        ([0, 1], np.zeros((2, 3)), {}, r"of shape \(2, 3\); pass the column of the positive class"),
        ([0, 1], ["a", "b"], {}, "y_score must hold numbers"),
        ([0, 1], np.array([1j, 1]), {}, "y_score must hold real numbers"),
        ([0, 1], [0.5], {}, "y_true and y_score must have the same length: y_true has 2, y_score has 1"),
        ([], [], {}, "y_true and y_score hold no samples: there is nothing to rank"),
        ([0, 1, 2], [1, 2, 3], {}, "A binary measure needs two classes, got 3"),
        ([0, None], [1, 2], {}, "y_true holds a missing value at position 1"),
        ([0.5, 1], [1, 2], {}, "y_true must hold class labels, got continuous values"),
        (["bad", "good"], [1, 2], {}, r"pos_label must name .* among the labels \['bad', 'good'\]"),
        (["bad", "good"], [1, 2], {"pos_label": "ugly"}, "pos_label must be one of the labels .* got 'ugly'"),
        ([1, 2], [1, 2], {}, r"pos_label must name the positive class among the labels \[1, 2\]"),
        ([0, 1], [1, 2], {"sample_weight": [1, -1]}, "sample_weight must not be negative"),
        ([0, 1], [1, 2], {"sample_weight": [0, 0]}, "sample_weight must not be all zero"),
        ([0, 1], [1, 2], {"sample_weight": [1, np.nan]}, "sample_weight must hold finite numbers"),
        ([0, 1], [1, 2], {"sample_weight": [1]}, "sample_weight must have one weight per sample"),
    ],
)
def test_bad_predictions_are_refused(y_true, y_score, kwargs, message):
    with pytest.raises(ValueError, match=message):
        RankedScores.from_predictions(y_true, y_score, **kwargs)


@pytest.mark.parametrize(
    ("thresholds", "tp", "fp", "message"),
    [
        ([0.1, 0.9], [0, 1], [1, 1], "thresholds must be distinct and descending"),
        ([0.9, 0.9], [0, 1], [1, 1], "thresholds must be distinct and descending"),
        ([0.9, 0.1], [1, 0], [1, 1], "true_positives must be finite, not negative and not descending"),
        ([0.9, 0.1], [-1, 0], [1, 1], "true_positives must be finite, not negative and not descending"),
        ([0.9, 0.1], [0, 1], [0, np.inf], "false_positives must be finite, not negative and not desc"),
        ([0.9, 0.1], [0, 1e61], [1, 1], r"true_positives must be at most 1e\+60, got 1e\+61"),
        (
            [0.9, 0.1],
            [0, 1e-200],
            [1e-200, 1e-200],
            "true_positives and false_positives must sum to 0 or to 1e-60 at least, got 2e-200",
        ),
        ([0.9, 0.1], [0, 1, 2], [1, 1], r"true_positives must hold one number per threshold \(2\)"),
        ([0.9, 0.1], [0, 1], [[1, 1]], "true_positives and false_positives must have the same shape"),
        ([], [], [], r"thresholds must hold at least 1 value\(s\), got 0"),
    ],
)
def test_bad_counts_are_refused(thresholds, tp, fp, message):
    with pytest.raises(ValueError, match=message):
        RankedScores(thresholds, tp, fp)


def test_the_positive_class_of_strings_is_the_one_named():
    # Probabilities of "bad": AUC 3/4 and average precision 5/6 by hand.
    y, score = ["bad", "good", "bad", "good"], np.array([0.9, 0.2, 0.8, 0.85])
    bad = RankedScores.from_predictions(y, score, pos_label="bad")
    assert bad.roc_auc() == exact(3 / 4)
    assert bad.average_precision() == exact(5 / 6)
    assert RankedScores.from_predictions(y, score, pos_label="good").roc_auc() == exact(1 / 4)
    assert RankedScores.from_predictions(y, -score, pos_label="good").roc_auc() == exact(3 / 4)
    renamed = ["z_bad" if label == "bad" else label for label in y]
    assert RankedScores.from_predictions(renamed, score, pos_label="z_bad").roc_auc() == exact(3 / 4)


@pytest.mark.parametrize("labels", [[0, 1], [-1, 1], [False, True], [0.0, 1.0]])
def test_the_positive_class_of_usual_codes_goes_without_saying(labels):
    y = [labels[0], labels[1], labels[1]]
    assert RankedScores.from_predictions(y, [0.1, 0.2, 0.3]).roc_auc() == 1


@pytest.mark.parametrize("measure", ["roc_curve", "pr_curve", "cost_curve", "threshold"])
def test_curves_and_cut_offs_need_a_single_ranking(measure):
    stack = RankedScores([0.9, 0.1], [[1, 1], [0, 1]], [[0, 1], [1, 1]])
    assert stack.roc_auc().tolist() == [1, 0]
    arguments = ("youden",) if measure == "threshold" else ()
    with pytest.raises(ValueError, match=f"{measure} needs single ranked scores, not a stack"):
        getattr(stack, measure)(*arguments)


@settings(deadline=None, max_examples=60)
@given(drawn=scored(weights=st.integers(0, 3), min_size=4), data=st.data())
def test_a_stack_gives_the_figure_of_each_replicate(drawn, data):
    y, score, _ = drawn
    draws = data.draw(
        st.lists(st.lists(st.integers(0, 3), min_size=len(y), max_size=len(y)), min_size=2, max_size=3)
    )
    thresholds = np.unique(score)[::-1]
    counts = [
        [[np.sum((np.array(draw) * (y == side))[score >= cut]) for cut in thresholds] for draw in draws]
        for side in (1, 0)
    ]
    stack = RankedScores(thresholds, *counts)
    singles = [RankedScores(thresholds, *one) for one in zip(*counts, strict=True)]
    for measure in (
        RankedScores.roc_auc,
        lambda r: r.roc_auc(max_fpr=0.3),
        lambda r: r.roc_auc(max_fpr=0.7, standardize=False),
        RankedScores.average_precision,
        RankedScores.pr_area,
        RankedScores.break_even_score,
    ):
        expected = [quiet(measure, one) for one in singles]
        np.testing.assert_allclose(quiet(measure, stack), expected, atol=1e-12)


# --- another share of positives -----------------------------------------------------------------------


def test_at_another_prevalence_the_roc_curve_stays_and_the_precision_moves():
    ranked = stored("fawcett2006")
    rare = ranked.at_prevalence(0.01)
    assert rare.n_positive / (rare.n_positive + rare.n_negative) == exact(0.01)
    assert rare.n_positive + rare.n_negative == exact(20)
    np.testing.assert_allclose(rare.roc_curve().fpr, ranked.roc_curve().fpr, atol=1e-12)
    np.testing.assert_allclose(rare.roc_curve().tpr, ranked.roc_curve().tpr, atol=1e-12)
    # Bayes: p TPR / (p TPR + (1 - p) FPR).
    fpr, tpr, _ = ranked.roc_curve()
    expected = 0.01 * tpr[1:] / (0.01 * tpr[1:] + 0.99 * fpr[1:])
    np.testing.assert_allclose(rare.pr_curve().precision, expected, atol=1e-12)
    # The cut-off of least cost there is the one that the rule finds with that share.
    costs = {"cost_fn": 20, "cost_fp": 1}
    assert rare.threshold("cost", **costs) == ranked.threshold("cost", prevalence=0.01, **costs)


@pytest.mark.parametrize("value", [0, 1e-310, 1, -0.1, np.nan])
def test_an_impossible_prevalence_is_refused(value):
    with pytest.raises(ValueError, match=r"prevalence must be a number in \[1e-15, 1\)"):
        stored("ties").at_prevalence(value)


def test_the_rarest_class_has_every_measure():
    rare = RankedScores.from_predictions([0, 1, 1, 0], [0.5, 0.5, 0.9, 0.1]).at_prevalence(1e-15)
    # Half of the positives come first; the rest ties with half of the negatives.
    assert rare.pr_area() == pytest.approx(0.5, abs=1e-9)
    assert rare.average_precision() == pytest.approx(0.5, abs=1e-9)
    assert rare.roc_auc() == 7 / 8


def test_a_prevalence_needs_both_classes():
    told = "needs samples of both classes, got 2 positives and 0 negatives: take data that hold both"
    with pytest.raises(ValueError, match=told):
        RankedScores.from_predictions([1, 1], [0.2, 0.4]).at_prevalence(0.5)


# --- stored, copied, shown ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "ranked",
    [
        RankedScores.from_predictions(["a", "b", "a"], [1, 2, 3], pos_label="a"),
        RankedScores.from_predictions([True, False], [1, 2]),
        RankedScores.from_predictions([0, 1], [0.1, 0.2], sample_weight=[0.5, 0.25]),
    ],
    ids=["strings", "bool", "weights"],
)
def test_a_stored_ranking_comes_back_as_it_was(ranked, tmp_path):
    for name in ("ranked.npz", "ranked"):
        ranked.save(tmp_path / name)
        loaded = RankedScores.load(str(tmp_path / name))
        assert loaded == ranked
        assert type(loaded.pos_label) is type(ranked.pos_label)
        assert loaded.true_positives.dtype == ranked.true_positives.dtype
    assert pickle.loads(pickle.dumps(ranked)) == ranked
    assert copy.deepcopy(ranked) == ranked


def test_a_ranking_shows_itself_and_is_read_only():
    ranked = stored("ties")
    assert repr(ranked) == "RankedScores(n_positive=5, n_negative=5, n_thresholds=5, pos_label=1)"
    assert ranked != 5
    for array in (ranked.thresholds, ranked.true_positives, ranked.false_positives):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    with pytest.raises(TypeError, match="unhashable"):
        hash(ranked)


def test_more_thresholds_than_small_numbers():
    # 300 of each: every second score is a positive's; AUC by hand = (1 + 2 + ... + 300) / 300^2.
    steps = np.arange(1, 601)
    ranked = RankedScores(-steps.astype(float), (steps + 1) // 2, steps // 2)
    assert ranked.roc_auc() == pytest.approx(301 / 600, abs=1e-15)

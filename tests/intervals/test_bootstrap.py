"""Bootstrap intervals of any measure: what is drawn, where the ends lie, what is refused."""

import itertools
import time
import tracemalloc
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm
from sklearn.metrics import (
    average_precision_score,
    balanced_accuracy_score,
    cohen_kappa_score,
    f1_score,
    matthews_corrcoef,
    roc_auc_score,
)

from skeval.exceptions import (
    DegenerateDataWarning,
    ResamplingWarning,
    SkevalWarning,
    UndefinedMeasureWarning,
)
from skeval.intervals import _rows, metric_interval, proportion_interval
from skeval.intervals._data import label_replicates, score_replicates
from skeval.intervals._endpoints import acceleration_of
from skeval.intervals._measures import find_measure
from skeval.metrics import ConfusionMatrix, RankedScores
from skeval.metrics._measure_names import AVERAGED_MEASURES, LABEL_MEASURES
from skeval.metrics._ranking_measures import RANKING_MEASURES

LABEL_NAMES = sorted(
    [name for name in LABEL_MEASURES if not name.startswith("cost_")]
    + list(AVERAGED_MEASURES)
    + [f"{name}_{average}" for name in AVERAGED_MEASURES for average in ("macro", "micro", "weighted")]
)
DESIGN = {"other": None, "groups": None, "sample_weight": None, "importance": False, "stratify": False}
ASK = {"n_resamples": 4999, "random_state": 0}


@pytest.fixture
def data():
    """Two classes, labels and scores of two models, some ties."""
    rng = np.random.default_rng(7)
    y = (rng.random(120) < 0.35).astype(int)
    scores = [np.round(rng.normal(size=120) + 1.2 * y, 1) for _ in range(2)]
    labels = [(score > 0.6).astype(int) for score in scores]
    return y, labels, scores


def tables_of(replicates, times):
    return [matrix.counts for matrix in replicates.matrices(times)]


# --- what is drawn ------------------------------------------------------------------------------------------


def test_replicates_follow_the_distribution_over_all_resamples_of_the_rows():
    y, pred = np.array([1, 1, 1, 0]), np.array([1, 1, 0, 0])
    rows = np.array(list(itertools.product(range(4), repeat=4)))
    exact = [f1_score(y[row], pred[row], zero_division=np.nan) for row in rows]
    exact = np.array([value for value in exact if not np.isnan(value)])
    with pytest.warns(ResamplingWarning, match="f1 is undefined in"):
        drawn = metric_interval("f1", y, pred, method="percentile", n_resamples=40_000, random_state=0)
    assert drawn.n_failed / 40_000 == pytest.approx(1 - len(exact) / 4**4, abs=0.002)
    values, counts = np.unique(np.round(exact, 9), return_counts=True)
    shares = [np.mean(np.abs(drawn.replicates - value) < 1e-8) for value in values]
    assert shares == pytest.approx(counts / counts.sum(), abs=0.012)
    assert sum(shares) == pytest.approx(1)


@pytest.mark.parametrize(
    ("name", "score"), [("roc_auc", roc_auc_score), ("average_precision", average_precision_score)]
)
def test_score_replicates_follow_the_distribution_over_all_resamples_of_the_rows(name, score):
    y, s = np.array([1, 1, 0, 0]), np.array([0.9, 0.4, 0.4, 0.6])
    rows = [row for row in itertools.product(range(4), repeat=4) if 0 < y[list(row)].sum() < 4]
    exact = np.array([score(y[list(row)], s[list(row)]) for row in rows])
    with pytest.warns(ResamplingWarning, match="single class"):
        drawn = metric_interval(name, y, s, method="percentile", n_resamples=40_000, random_state=0)
    # average precision is 1, not undefined, in a resample of positives only
    replicates = drawn.replicates if name == "roc_auc" else drawn.replicates[drawn.replicates < 1]
    exact = exact if name == "roc_auc" else exact[exact < 1]
    assert replicates.mean() == pytest.approx(exact.mean(), abs=0.005)
    assert replicates.std() == pytest.approx(exact.std(), abs=0.005)


def test_standard_error_of_accuracy_is_that_of_a_proportion():
    y, pred = np.ones(400, int), np.repeat([1, 0], [320, 80])
    result = metric_interval("accuracy", y, pred, **ASK)
    assert result.standard_error == pytest.approx((0.8 * 0.2 / 400) ** 0.5, rel=0.04)
    assert result.standard_error == result.replicates.std(ddof=1)


def test_a_pair_of_models_is_resampled_together(data):
    y, (a, b), _ = data
    result = metric_interval("accuracy", y, a, other=b, **ASK)
    only_a, only_b = np.sum((a == y) & (b != y)), np.sum((b == y) & (a != y))
    assert result.estimate == pytest.approx((only_a - only_b) / 120, abs=1e-12)
    # variance of a mean of the values 1 (only A right), -1 (only B right) and 0
    variance = ((only_a + only_b) / 120 - ((only_a - only_b) / 120) ** 2) / 120
    assert result.standard_error == pytest.approx(variance**0.5, rel=0.04)
    turned = metric_interval("accuracy", y, b, other=a, method="percentile", **ASK)
    assert turned.estimate == -result.estimate
    assert result.measure == "difference of accuracy"


def test_a_pair_of_scores_is_resampled_together(data):
    y, _, (a, b) = data
    result = metric_interval("roc_auc", y, a, other=b, **ASK)
    assert result.estimate == pytest.approx(roc_auc_score(y, a) - roc_auc_score(y, b), abs=1e-12)
    same = metric_interval("average_precision", y, a, other=a + 1e-9 * b, method="percentile", **ASK)
    assert abs(same.estimate) < 0.1
    assert same.standard_error < result.standard_error


def test_groups_are_drawn_whole(data):
    y, (a, _), (score, _) = data
    repeated, groups = np.repeat(y, 9), np.repeat(np.arange(120), 9)
    alone = metric_interval("accuracy", y, a, **ASK)
    ignored = metric_interval("accuracy", repeated, np.repeat(a, 9), **ASK)
    clustered = metric_interval("accuracy", repeated, np.repeat(a, 9), groups=groups, **ASK)
    assert ignored.standard_error == pytest.approx(alone.standard_error / 3, rel=0.05)
    assert clustered.standard_error == pytest.approx(alone.standard_error, rel=0.05)
    assert "120 groups, drawn whole" in clustered.estimand
    alone = metric_interval("roc_auc", y, score, **ASK)
    clustered = metric_interval("roc_auc", repeated, np.repeat(score, 9), groups=groups.astype(str), **ASK)
    assert clustered.estimate == pytest.approx(alone.estimate, abs=1e-12)
    assert clustered.standard_error == pytest.approx(alone.standard_error, rel=0.05)


def test_stratified_resamples_keep_the_class_counts(data):
    y, (a, b), (score, _) = data
    arguments = {**DESIGN, "other": b, "stratify": True}
    measured = find_measure("f1", y, None, None)
    replicates = label_replicates(measured, y, a, labels=None, pos_label=None, **arguments)
    times = np.concatenate(list(replicates.rows.drawn(500, np.random.default_rng(0))))
    for counts in tables_of(replicates, times):
        assert (counts.sum(axis=2) == np.bincount(y)).all()
        assert len(np.unique(counts[:, 1, 1])) > 5
    result = metric_interval("roc_auc", y, score, stratify=True, **ASK)
    assert "class counts fixed" in result.estimand
    assert "class shares random" in metric_interval("roc_auc", y, score, **ASK).estimand


def test_recall_varies_less_where_the_class_counts_are_fixed():
    y, pred = np.repeat([1, 0], [20, 180]), np.repeat([1, 0], [16, 184])
    fixed = metric_interval("recall", y, pred, stratify=True, **ASK)
    assert fixed.standard_error == pytest.approx((0.8 * 0.2 / 20) ** 0.5, rel=0.04)
    assert metric_interval("recall", y, pred, **ASK).standard_error > fixed.standard_error


@pytest.mark.parametrize("metric", ["f1_macro", "roc_auc", "average_precision"])
def test_frequency_weights_equal_repeated_rows(data, metric):
    y, (a, _), (score, _) = data
    values = a if metric == "f1_macro" else score
    weight = np.random.default_rng(1).integers(0, 4, size=len(y))
    weighted = metric_interval(metric, y, values, sample_weight=weight, **ASK)
    repeated = metric_interval(metric, np.repeat(y, weight), np.repeat(values, weight), **ASK)
    assert tuple(weighted) == pytest.approx(tuple(repeated), abs=1e-12)
    assert weighted.estimate == pytest.approx(repeated.estimate, abs=1e-12)
    assert f"{weight.sum()} samples" in weighted.estimand


def test_importance_weights_are_carried_by_the_rows(data):
    y, (a, _), (score, _) = data
    weight = np.random.default_rng(1).gamma(1, size=len(y))
    result = metric_interval("accuracy", y, a, sample_weight=weight, weight_kind="importance", **ASK)
    right = (a == y).astype(float)
    share = np.average(right, weights=weight)
    assert result.estimate == pytest.approx(share, abs=1e-12)
    # linearised variance of a ratio of two sums
    error = np.sqrt((weight**2 * (right - share) ** 2).sum()) / weight.sum()
    assert result.standard_error == pytest.approx(error, rel=0.05)
    assert "weighted by importance" in result.estimand
    ranked = metric_interval("roc_auc", y, score, sample_weight=weight, weight_kind="importance", **ASK)
    assert ranked.estimate == pytest.approx(roc_auc_score(y, score, sample_weight=weight), abs=1e-12)


def test_equal_importances_are_plain_rows(data):
    y, (a, b), _ = data
    plain = metric_interval("f1", y, a, other=b, **ASK)
    weighted = metric_interval(
        "f1", y, a, other=b, sample_weight=np.full(120, 0.5), weight_kind="importance", **ASK
    )
    assert tuple(weighted) == pytest.approx(tuple(plain), abs=1e-12)


def test_whole_numbers_are_importances_only_where_asked_for(data):
    y, (a, _), _ = data
    weight = np.where(y == 1, 10, 1)
    counted = metric_interval("accuracy", y, a, sample_weight=weight, **ASK)
    carried = metric_interval("accuracy", y, a, sample_weight=weight, weight_kind="importance", **ASK)
    assert counted.estimate == pytest.approx(carried.estimate, abs=1e-12)
    assert counted.standard_error < 0.7 * carried.standard_error


def test_groups_and_weights_together(data):
    y, (a, _), _ = data
    groups = np.arange(120) // 3
    weight = np.random.default_rng(1).integers(1, 4, size=120)
    result = metric_interval("accuracy", y, a, groups=groups, sample_weight=weight, **ASK)
    repeated = metric_interval(
        "accuracy", np.repeat(y, weight), np.repeat(a, weight), groups=np.repeat(groups, weight), **ASK
    )
    assert tuple(result) == tuple(repeated)
    importance = metric_interval(
        "accuracy", y, a, groups=groups, sample_weight=weight / 2, weight_kind="importance", **ASK
    )
    assert tuple(importance) == pytest.approx(tuple(result), abs=1e-12)


@pytest.mark.parametrize("name", ["roc_auc", "rank_loss", "average_precision", "break_even"])
def test_multiplicities_equal_repeated_rows(data, name):
    """What is taken of a resample is the measure of the rows that it holds."""
    y, _, (a, b) = data
    arguments = {**DESIGN, "other": b}
    replicates = score_replicates(find_measure(name, y, None, None), y, a, pos_label=None, **arguments)
    rows, rng = replicates.rows, np.random.default_rng(3)
    times = rng.integers(0, 3, size=(5, len(rows.counts)))
    thresholds = [np.unique(score)[::-1] for score in (a, b)]
    for count, value in zip(times, replicates(times), strict=True):
        true = np.repeat(1 - rows.true, count)
        expected = [
            RANKING_MEASURES[name](RankedScores.from_predictions(true, np.repeat(cut[place], count)))
            for cut, place in zip(thresholds, rows.predicted, strict=True)
        ]
        assert value == pytest.approx(expected[0] - expected[1], abs=1e-12)


@pytest.mark.parametrize("n_labels", [2, 5])
def test_tables_of_a_pair_are_the_margins_of_their_joint_table(n_labels):
    rng = np.random.default_rng(0)
    y, a, b = rng.integers(0, n_labels, size=(3, 300))
    arguments = {**DESIGN, "other": b}
    measured = find_measure("accuracy", y, None, None)
    replicates = label_replicates(measured, y, a, labels=None, pos_label=None, **arguments)
    first, second = tables_of(replicates, replicates.rows.counts[None])
    assert np.array_equal(first[0], ConfusionMatrix.from_predictions(y, a).counts)
    assert np.array_equal(second[0], ConfusionMatrix.from_predictions(y, b).counts)
    times = next(replicates.rows.drawn(50, rng))
    first, second = tables_of(replicates, times)
    assert (first.sum(axis=(1, 2)) == 300).all()
    assert (first.sum(axis=2) == second.sum(axis=2)).all()


def test_a_counted_statistic_stands_for_the_arrays(data):
    y, (a, _), (score, _) = data
    matrix = ConfusionMatrix.from_predictions(y, a)
    assert tuple(metric_interval("f1", matrix, **ASK)) == tuple(metric_interval("f1", y, a, **ASK))
    ranked = RankedScores.from_predictions(y, score)
    for name in ("roc_auc", "average_precision"):
        assert tuple(metric_interval(name, ranked, **ASK)) == tuple(metric_interval(name, y, score, **ASK))
    halves = [ConfusionMatrix.from_predictions(y[part], a[part]) for part in (slice(50), slice(50, None))]
    assert tuple(metric_interval("f1", sum(halves), **ASK)) == tuple(metric_interval("f1", y, a, **ASK))


def test_the_cost_does_not_depend_on_the_number_of_samples():
    matrix = ConfusionMatrix([[6 * 10**9, 10**9], [10**9, 2 * 10**9]])
    start = time.perf_counter()
    result = metric_interval("f1", matrix, n_resamples=1000, random_state=0)
    assert time.perf_counter() - start < 1
    assert result.high - result.low < 1e-4


# --- where the ends lie -------------------------------------------------------------------------------------


def bca_from_rows(y, values, measure, replicates, level=0.95):
    """BCa's ends, the jackknife one row at a time."""
    n, estimate = len(y), measure(y, values)
    left_out = np.array([measure(np.delete(y, i), np.delete(values, i)) for i in range(n)])
    influence = left_out.mean() - left_out
    acceleration = (influence**3).sum() / (6 * (influence**2).sum() ** 1.5)
    close = np.abs(replicates - estimate) < 1e-9
    bias = norm.ppf(((replicates < estimate) & ~close).mean() + close.mean() / 2)
    z = norm.ppf([(1 - level) / 2, (1 + level) / 2])
    tails = norm.cdf(bias + (bias + z) / (1 - acceleration * (bias + z)))
    # order statistics (B + 1) x tail, interpolated
    place = (len(replicates) + 1) * tails
    ordered, below = np.sort(replicates), np.floor(place).astype(int)
    return ordered[below - 1] + (place - below) * (ordered[below] - ordered[below - 1])


@pytest.mark.parametrize(
    ("name", "measure"),
    [
        ("f1", f1_score),
        ("matthews_corrcoef", matthews_corrcoef),
        ("cohen_kappa", cohen_kappa_score),
        ("balanced_accuracy", balanced_accuracy_score),
        ("roc_auc", roc_auc_score),
        ("average_precision", average_precision_score),
    ],
)
def test_bca_equals_the_textbook_form_with_a_jackknife_of_the_rows(data, name, measure):
    y, (a, _), (score, _) = data
    values = score if name in RANKING_MEASURES else a
    result = metric_interval(name, y, values, **ASK)
    assert result.estimate == pytest.approx(measure(y, values), abs=1e-12)
    expected = bca_from_rows(y, values, measure, result.replicates)
    assert tuple(result) == pytest.approx(tuple(expected), abs=1e-9)
    assert result.method == "BCa bootstrap"


def test_percentile_and_basic_take_the_same_order_statistics(data):
    y, (a, _), _ = data
    percentile = metric_interval("f1", y, a, method="percentile", n_resamples=999, random_state=0)
    ordered = np.sort(percentile.replicates)
    assert tuple(percentile) == (ordered[24], ordered[974])
    basic = metric_interval("f1", y, a, method="basic", n_resamples=999, random_state=0)
    assert tuple(basic) == pytest.approx(
        (2 * basic.estimate - percentile.high, 2 * basic.estimate - percentile.low), abs=1e-12
    )


def test_acceleration_of_strata_sums_over_them():
    values, counts = np.array([0.1, 0.4, 0.2, 0.9]), np.array([2, 3, 4, 1])
    strata = np.array([0, 0, 1, 1])
    cubes = squares = 0.0
    for stratum in (0, 1):
        each = np.repeat(values[strata == stratum], counts[strata == stratum])
        size = len(each)
        influence = (size - 1) * (each.mean() - each)
        cubes, squares = cubes + (influence**3).sum() / size**3, squares + (influence**2).sum() / size**2
    assert acceleration_of([(values, counts, strata)]) == pytest.approx(cubes / (6 * squares**1.5), rel=1e-12)


def test_a_jackknife_of_groups_of_units_comes_near_that_of_single_units(monkeypatch):
    rng = np.random.default_rng(0)
    y = (rng.random(3000) < 0.02).astype(int)
    score = rng.normal(size=3000) + 1.5 * y
    replicates = score_replicates(
        find_measure("average_precision", y, None, None), y, score, pos_label=None, **DESIGN
    )

    def acceleration():
        cases = replicates.rows.left_out(np.random.default_rng(1))
        return acceleration_of((replicates(stay), count, stratum) for stay, count, stratum in cases)

    grouped = acceleration()
    monkeypatch.setattr(_rows, "_MAX_LEFT_OUT", 10_000)
    single = acceleration()
    assert abs(single) > 0.01
    assert grouped == pytest.approx(single, abs=0.004)


@pytest.mark.parametrize("stratify", [False, True])
def test_a_grouped_jackknife_leaves_out_every_sample_once(stratify):
    rng = np.random.default_rng(0)
    true = (rng.random(5000) < 0.1).astype(np.int64)
    rows = _rows.collect_rows(
        true, [rng.integers(0, 3000, 5000)], weight=rng.integers(1, 5, 5000), stratify=stratify
    )
    blocks = list(rows.left_out(rng))
    gone = sum((rows.counts - stay).sum(axis=0) for stay, _, _ in blocks)
    assert np.array_equal(gone, rows.counts)
    assert sum(len(stay) for stay, _, _ in blocks) <= 1002
    for stay, _, stratum in blocks:
        for case, number in zip(stay, stratum, strict=True):
            assert set(rows.stratum[case < rows.counts]) == {number}


@settings(deadline=None, max_examples=150)
@given(
    st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1), st.integers(0, 1)), min_size=1, max_size=15),
    st.sampled_from([*LABEL_NAMES, *RANKING_MEASURES]),
    st.sampled_from(["bca", "percentile", "basic"]),
    st.booleans(),
    st.booleans(),
)
def test_encloses_the_estimate_within_the_range_or_refuses(rows, name, method, pair, stratify):
    """No nan, no numpy warning, whatever the data."""
    y, a, b = np.array(rows).T
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", SkevalWarning)
        try:
            result = metric_interval(
                name,
                y,
                a,
                other=b if pair else None,
                method=method,
                stratify=stratify,
                labels=[0, 1] if name in LABEL_NAMES else None,
                n_resamples=60,
                random_state=0,
            )
        except ValueError as error:
            assert "is undefined" in str(error)  # noqa: PT017
            return
    measured = find_measure(name, y, None, None)
    width = measured.high - measured.low if pair else 0
    low, high = (-width, width) if pair else (measured.low, measured.high)
    assert low - 1e-12 <= result.low <= result.estimate <= result.high <= high + 1e-12
    assert result.n_failed + len(result.replicates) == 60


@pytest.mark.parametrize("name", [*LABEL_NAMES, *RANKING_MEASURES])
def test_every_name_gives_the_measure_and_an_interval(data, name):
    y, (a, _), (score, _) = data
    labels = name in LABEL_NAMES
    result = metric_interval(name, y, a if labels else score, n_resamples=199, random_state=0)
    if labels:
        expected = find_measure(name, y, None, None).function(ConfusionMatrix.from_predictions(y, a))
    else:
        expected = RANKING_MEASURES[name](RankedScores.from_predictions(y, score))
    assert result.estimate == pytest.approx(expected, abs=1e-12)
    assert result.low < result.estimate < result.high
    assert result.measure == name


def test_f1_of_five_samples_lies_in_0_1():
    y, pred = [1, 0, 1, 0, 1], [1, 0, 0, 0, 1]
    with pytest.warns(ResamplingWarning, match="undefined in"):
        result = metric_interval("f1", y, pred, random_state=0)
    assert result.estimate == pytest.approx(4 / 5)
    assert 0 <= result.low <= 4 / 5 <= result.high <= 1


# --- degenerate data ----------------------------------------------------------------------------------------

ONE_POSITIVE = [1, 0, 0, 0, 0, 0, 0, 0], [0.9, 0.2, 0.3, 0.4, 0.95, 0.1, 0.2, 0.3]


def test_one_positive_stratified():
    result = metric_interval("roc_auc", *ONE_POSITIVE, method="percentile", stratify=True, random_state=0)
    assert result.estimate == pytest.approx(6 / 7, abs=1e-12)
    # 1 - k/7 with k of Binomial(7, 1/7): the tails are k = 3 and k = 0
    assert tuple(result) == pytest.approx((4 / 7, 1.0), abs=1e-12)
    assert result.n_failed == 0


def test_one_positive_plain_counts_the_resamples_of_a_single_class():
    with pytest.warns(
        ResamplingWarning, match=r"undefined in \d+ of 9999 resamples \(3\d\.\d%\).*single class"
    ):
        result = metric_interval("roc_auc", *ONE_POSITIVE, method="percentile", random_state=0)
    assert result.n_failed / 9999 == pytest.approx((7 / 8) ** 8, abs=0.02)
    assert np.isfinite(tuple(result)).all()


def test_bca_without_a_jackknife_falls_back_and_says_so():
    with (
        pytest.warns(ResamplingWarning, match="single class"),
        pytest.warns(
            DegenerateDataWarning, match="BCa is undefined.*percentile interval is given.*auc_interval"
        ),
    ):
        result = metric_interval("roc_auc", *ONE_POSITIVE, random_state=0)
    assert result.method == "percentile bootstrap"


@pytest.mark.parametrize("method", ["percentile", "basic", "bca"])
def test_a_perfect_ranking_has_no_width_and_a_warning_that_names_the_bound(method):
    y, score = [1, 0] * 5, [0.9, 0.1] * 5
    with pytest.warns(DegenerateDataWarning, match="degenerate: all.*not certainty.*auc_interval"):
        result = metric_interval("roc_auc", y, score, method=method, stratify=True, random_state=0)
    assert tuple(result) == (1.0, 1.0)


def test_no_error_at_all_points_to_the_wilson_interval():
    y = np.repeat([0, 1], 50)
    with pytest.warns(DegenerateDataWarning, match="degenerate.*method='wilson'"):
        assert tuple(metric_interval("accuracy", y, y, random_state=0)) == (1.0, 1.0)
    assert metric_interval("accuracy", y, y, method="wilson").low < 0.97


def test_models_that_agree_everywhere_have_a_difference_without_width(data):
    y, (a, _), (score, _) = data
    with pytest.warns(DegenerateDataWarning, match="degenerate: all 99 replicates"):
        assert tuple(metric_interval("f1", y, a, other=a, n_resamples=99, random_state=0)) == (0.0, 0.0)
    with pytest.warns(DegenerateDataWarning, match="degenerate: all 99 replicates"):
        result = metric_interval("roc_auc", y, score, other=np.exp(score), n_resamples=99, random_state=0)
    assert tuple(result) == (0.0, 0.0)


@pytest.mark.parametrize("name", ["balanced_accuracy", "g_mean", "matthews_corrcoef", "recall", "roc_auc"])
def test_a_single_true_class_is_refused(name):
    values = [0, 1, 0, 0] if name != "roc_auc" else [0.1, 0.2, 0.3, 0.4]
    with pytest.raises(ValueError, match=f"{name} is undefined on these data .a single class"):
        metric_interval(name, [0, 0, 0, 0], values)


def test_no_predicted_positive_is_refused_for_precision():
    with pytest.raises(ValueError, match="precision is undefined on these data"):
        metric_interval("precision", [0, 1, 1], [0, 0, 0])


def test_a_measure_of_two_classes_fails_in_resamples_of_a_single_class():
    y, pred = np.repeat([1, 0], [3, 57]), np.repeat([1, 0], [5, 55])
    with pytest.warns(ResamplingWarning, match="g_mean is undefined in.*single class.*stratify=True"):
        result = metric_interval("g_mean", y, pred, method="percentile", random_state=0)
    assert result.n_failed / 9999 == pytest.approx((57 / 60) ** 60, abs=0.01)
    fixed = metric_interval("g_mean", y, pred, method="percentile", stratify=True, random_state=0)
    assert fixed.n_failed == 0


def test_too_few_replicates_for_the_level_are_told(data):
    y, (a, _), _ = data
    with pytest.warns(ResamplingWarning, match="19 replicates are too few for tails of 0.025"):
        metric_interval("accuracy", y, a, n_resamples=19, method="percentile", random_state=0)


def test_warnings_about_the_data_themselves_reach_the_user():
    with pytest.warns(UndefinedMeasureWarning, match="recall is undefined .0/0. for class b"):
        metric_interval("recall_macro", ["a", "a", "c", "c"], ["a", "b", "c", "a"], random_state=0)


def test_one_sample():
    with pytest.warns(DegenerateDataWarning, match="degenerate"):
        assert tuple(metric_interval("accuracy", [1], [1], n_resamples=99, random_state=0)) == (1.0, 1.0)


# --- labels, callables, names -------------------------------------------------------------------------------


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
    assert 0 < f2.low < f2.high < 1


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


def test_the_same_seed_gives_the_same_interval(data):
    y, (a, _), (score, _) = data
    for name, values in (("f1", a), ("average_precision", score)):
        first, second = (metric_interval(name, y, values, n_resamples=199, random_state=3) for _ in range(2))
        assert np.array_equal(first.replicates, second.replicates)
        assert tuple(first) == tuple(second)
    generators = [np.random.default_rng(5), np.random.default_rng(5), np.random.RandomState(5)]
    ends = [tuple(metric_interval("f1", y, a, n_resamples=199, random_state=each)) for each in generators]
    assert ends[0] == ends[1]


def test_the_result_tells_what_it_is(data):
    y, (a, b), _ = data
    result = metric_interval("f1", y, a, n_resamples=999, random_state=0)
    assert str(result).startswith(f"f1 {result.estimate:.4g}, 0.95 interval [")
    assert "(BCa bootstrap, 999 replicates): f1 of this fitted model on the population of these 120" in str(
        result
    )
    assert (
        "the first fitted model minus that of the second"
        in metric_interval("f1", y, a, other=b, **ASK).estimand
    )
    assert result.frame().loc[0, "n_resamples"] == 999
    assert "Efron" in result.reference


# --- shares of counts by an analytic interval ---------------------------------------------------------------


@pytest.mark.parametrize("method", ["wilson", "clopper-pearson", "jeffreys", "agresti-coull"])
@pytest.mark.parametrize(
    ("name", "counted", "total"),
    [
        ("accuracy", 140, 200),
        ("error_rate", 60, 200),
        ("precision", 30, 80),
        ("recall", 30, 40),
        ("specificity", 110, 160),
        ("negative_predictive_value", 110, 120),
        ("false_positive_rate", 50, 160),
        ("false_negative_rate", 10, 40),
    ],
)
def test_shares_of_counts_have_analytic_intervals(name, counted, total, method):
    matrix = ConfusionMatrix([[110, 50], [10, 30]])
    result = metric_interval(name, matrix, method=method, confidence_level=0.9)
    expected = proportion_interval(counted, total, method=method, confidence_level=0.9)
    assert tuple(result) == tuple(expected)
    assert result.measure == name
    assert f"given the {total}" in result.estimand


@pytest.mark.parametrize(
    ("metric", "change", "message"),
    [
        ("f1", {}, "method='wilson' needs a share of counts"),
        ("recall_macro", {}, "method='wilson' needs a share of counts"),
        (lambda cm: cm.accuracy(), {}, "method='wilson' needs a share of counts"),
        ("accuracy", {"groups": [0, 0, 1, 1]}, "independent samples that count once"),
        ("accuracy", {"other": [0, 0, 1, 1]}, "independent samples that count once"),
        ("accuracy", {"stratify": True}, "independent samples that count once.*no stratify"),
        (
            "accuracy",
            {"sample_weight": [0.5, 1, 1, 1], "weight_kind": "importance"},
            "independent samples that count once",
        ),
        ("precision", {"y_pred": [0, 0, 0, 0]}, "precision is undefined"),
    ],
)
def test_other_measures_and_designs_have_none(metric, change, message):
    y, pred = [0, 1, 0, 1], change.pop("y_pred", [0, 1, 1, 1])
    with pytest.raises(ValueError, match=message):
        metric_interval(metric, y, pred, method="wilson", **change)


# --- what is refused ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("metric", "change", "message"),
    [
        ("f2", {}, "metric must be one of accuracy.*callable.*got 'f2'"),
        ("cost_sensitive_error", {}, "needs a cost matrix: pass a callable"),
        ("f1", {"method": "normal"}, "method must be one of 'bca'"),
        ("f1", {"sample_weight": [0.5, 1, 1, 1]}, "weight_kind='importance'"),
        ("f1", {"weight_kind": "importance"}, "weight_kind='importance' needs sample_weight"),
        ("f1", {"weight_kind": "inverse"}, "weight_kind must be one of"),
        ("f1", {"sample_weight": [0, 0, 0, 0]}, "sample_weight must not be all zero"),
        ("f1", {"groups": [1, 1, 1, 1]}, "at least two groups"),
        ("f1", {"groups": [1, 1, 2]}, "must have the same length"),
        ("f1", {"groups": [1, 1, 2, 2], "stratify": True}, "stratify=True cannot be had with groups"),
        ("f1", {"stratify": "yes"}, "stratify must be one of True, False"),
        ("f1", {"other": [0, 1]}, "must have the same length"),
        ("f1", {"y_pred": None}, "y_pred_or_score must hold the predicted labels"),
        ("f1", {"y_pred": [0.2, 0.4, 0.1, 0.9]}, "y_pred must hold class labels, got continuous"),
        ("f1", {"kind": "scores"}, "metric 'f1' takes labels, got scores"),
        ("f1", {"y_true": [0, 1, 2, 1]}, "needs two classes, got 3"),
        ("f1", {"n_resamples": 0}, "n_resamples must be an integer not less than 1"),
        ("f1", {"confidence_level": 1.0}, "confidence_level must be a number in"),
        ("f1", {"y_true": [], "y_pred": []}, "hold no samples"),
        ("roc_auc", {"y_pred": [0.2, np.nan, 0.1, 0.9]}, "y_score must hold finite numbers"),
        ("roc_auc", {"other": [0.2, np.inf, 0.1, 0.9]}, "other must hold finite numbers"),
        ("roc_auc", {"labels": [0, 1]}, "labels belong to a label measure"),
        (
            "roc_auc",
            {"y_true": ConfusionMatrix([[1, 2], [3, 4]])},
            "metric 'roc_auc' takes scores, got labels",
        ),
    ],
)
def test_refuses_bad_input(metric, change, message):
    arguments = {"y_true": [0, 1, 0, 1], "y_pred": [0, 1, 1, 1], **change}
    with pytest.raises(ValueError, match=message):
        metric_interval(metric, arguments.pop("y_true"), arguments.pop("y_pred"), **arguments)


def test_refuses_statistics_that_cannot_be_resampled():
    with pytest.raises(ValueError, match="fractional counts cannot be resampled"):
        metric_interval("accuracy", ConfusionMatrix([[1.5, 2], [3, 4]]))
    with pytest.raises(ValueError, match="A single ConfusionMatrix can be resampled"):
        metric_interval("accuracy", ConfusionMatrix(np.ones((3, 2, 2))))
    with pytest.raises(ValueError, match="holds no samples"):
        metric_interval("accuracy", ConfusionMatrix([[0, 0], [0, 0]]))
    with pytest.raises(ValueError, match="stands for all the data"):
        metric_interval("accuracy", ConfusionMatrix([[1, 2], [3, 4]]), groups=[1, 2])
    with pytest.raises(ValueError, match=r"stands for all the data.*weight_kind='importance'"):
        metric_interval("accuracy", ConfusionMatrix([[1, 2], [3, 4]]), weight_kind="importance")
    with pytest.raises(ValueError, match="pos_label must be that of the RankedScores, 1, got 0"):
        metric_interval("roc_auc", RankedScores.from_predictions([0, 1], [0.1, 0.2]), pos_label=0)
    with pytest.raises(ValueError, match="kind='scores' does not go with a ConfusionMatrix"):
        metric_interval("accuracy", ConfusionMatrix([[1, 2], [3, 4]]), kind="scores")
    with pytest.raises(TypeError, match="metric must be a name or a callable"):
        metric_interval(3, [0, 1], [0, 1])


# --- memory -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_memory_does_not_grow_with_the_number_of_resamples(method, monkeypatch):
    """Resamples of 10^6 scores are drawn one block at a time: only the results are kept."""
    monkeypatch.setattr(_rows, "_MAX_LEFT_OUT", 20)  # as many evaluations as resamples, for speed
    rng = np.random.default_rng(0)
    n = 10**6
    y = rng.integers(0, 2, n)
    score = rng.normal(size=n) + y
    tracemalloc.start()
    metric_interval("roc_auc", y, score, n_resamples=8, confidence_level=0.5, method=method, random_state=0)
    few = tracemalloc.get_traced_memory()[1]
    tracemalloc.reset_peak()
    metric_interval("roc_auc", y, score, n_resamples=24, confidence_level=0.5, method=method, random_state=0)
    more = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert few + 10_000 * 8 < 200e6
    assert more < few + 2e6

"""What the resamples of metric_interval draw: rows, pairs, groups, strata, weights; and at what cost."""

import itertools
import time
import tracemalloc

import numpy as np
import pytest
from sklearn.metrics import average_precision_score, f1_score, roc_auc_score

from skeval.exceptions import ResamplingWarning
from skeval.intervals import _rows, metric_interval
from skeval.intervals._data import label_replicates, score_replicates
from skeval.intervals._measures import find_measure
from skeval.metrics import ConfusionMatrix, RankedScores
from skeval.metrics._ranking_measures import RANKING_MEASURES
from tests.intervals.measured import ASK, DESIGN


def tables_of(replicates, times):
    return [matrix.counts for matrix in replicates.matrices(times)]


# --- rows, pairs, groups, strata


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
    # DeLong's variance: that of the shares of the other class that each sample is ranked right against.
    won = [
        (score[y == 1][:, None] > score[y == 0]) + (score[y == 1][:, None] == score[y == 0]) / 2
        for score in (a, b)
    ]
    parts = [np.var((won[0] - won[1]).mean(axis=axis), ddof=1) for axis in (0, 1)]
    error = (parts[0] / (y == 0).sum() + parts[1] / (y == 1).sum()) ** 0.5
    assert result.standard_error == pytest.approx(error, rel=0.05)
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


# --- weights


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


# --- counts that stand for rows


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


# --- time and memory


def test_the_cost_does_not_depend_on_the_number_of_samples():
    matrix = ConfusionMatrix([[6 * 10**9, 10**9], [10**9, 2 * 10**9]])
    start = time.perf_counter()
    result = metric_interval("f1", matrix, n_resamples=1000, random_state=0)
    assert time.perf_counter() - start < 1
    assert result.high - result.low < 1e-4


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

"""Where the ends of a bootstrap interval lie: BCa and its jackknife, percentile, basic."""

import numpy as np
import pytest
from scipy.stats import norm
from sklearn.metrics import (
    average_precision_score,
    balanced_accuracy_score,
    cohen_kappa_score,
    f1_score,
    matthews_corrcoef,
    roc_auc_score,
)

from skeval.intervals import _rows, metric_interval
from skeval.intervals._data import score_replicates
from skeval.intervals._endpoints import acceleration_of
from skeval.intervals._measures import find_measure
from skeval.metrics._ranking_measures import RANKING_MEASURES
from tests.intervals.measured import ASK, DESIGN


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

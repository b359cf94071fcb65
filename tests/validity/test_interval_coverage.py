"""Intervals hold the truth as often as they promise: exactly for proportions, by simulation else.

The simulations are kept as rows; the tests marked slow run some of their cells again.
"""

from pathlib import Path

import numpy as np
import pytest

from skeval.intervals import metric_interval
from tests.validity import interval_coverage as study

DOCS = Path(__file__).parents[2] / "docs" / "intervals.rst"
AUC, BOOTSTRAP = study.read("auc"), study.read("bootstrap")


# --- proportions: exact -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def exact():
    return {
        (method, n): study.proportion_row(method, n)
        for method in study.PROPORTION_METHODS
        for n in study.PROPORTION_SIZES
    }


@pytest.mark.parametrize("n", study.PROPORTION_SIZES)
def test_clopper_pearson_is_never_below_the_level(n):
    assert study.proportion_coverage("clopper-pearson", n).min() >= 0.95 - 1e-12


@pytest.mark.parametrize("method", ["wilson", "jeffreys"])
@pytest.mark.parametrize("n", study.PROPORTION_SIZES)
def test_wilson_and_jeffreys_are_near_the_level_on_average(exact, method, n):
    assert 0.945 <= exact[method, n]["mean"] <= 0.96


@pytest.mark.parametrize("n", study.PROPORTION_SIZES[1:])
def test_wilson_stays_above_92_percent_where_5_of_each_kind_are_expected(exact, n):
    assert exact["wilson", n]["minimum_where_5_expected"] >= 0.92


# The sizes from 10 to 300 at which the least coverage over all such p is below 92 %: from quantiles of
# scipy.stats.beta, and a grid of 20,000 values of p with all ends of intervals.
@pytest.mark.parametrize(
    ("method", "below", "least"),
    [
        ("clopper-pearson", [], 0.95),
        ("wilson", [13, 17, 19], 0.912),
        ("jeffreys", [13, 17, 18, 20, 21, 22, 23, 27, 28, *range(44, 54)], 0.9077),
    ],
)
def test_the_sizes_at_which_coverage_falls_below_92_percent_somewhere(method, below, least):
    found = {n: study.least_coverage(method, n)[0] for n in range(10, 301)}
    assert [n for n, coverage in found.items() if coverage < 0.92] == below
    assert min(found.values()) >= least - 5e-5


@pytest.mark.parametrize(("n", "percent"), [(13, 90.77), (20, 91.78), (50, 91.66), (53, 91.54), (100, 92.68)])
def test_least_coverage_of_jeffreys(n, percent):
    coverage, p = study.least_coverage("jeffreys", n)
    assert 100 * coverage == pytest.approx(percent, abs=0.006)
    assert study.proportion_coverage("jeffreys", n, p)[0] == pytest.approx(coverage, abs=1e-12)


def test_percentiles_hold_the_truth_in_63_percent_at_accuracy_99_of_100_samples():
    assert study.proportion_coverage("percentile", 100, 0.99)[0] == pytest.approx(0.633, abs=5e-4)
    assert study.proportion_coverage("wilson", 100, 0.99)[0] == pytest.approx(0.921, abs=5e-4)
    assert study.proportion_coverage("clopper-pearson", 100, 0.99)[0] == pytest.approx(0.982, abs=5e-4)


def test_the_percentile_interval_of_accuracy_is_its_binomial_limit():
    low, high = study.proportion_ends("percentile", 100)
    right = np.repeat([1, 0], [88, 12])
    result = metric_interval(
        "accuracy", np.ones(100, int), right, method="percentile", n_resamples=49_999, random_state=0
    )
    assert tuple(result) == pytest.approx((low[88], high[88]), abs=0.0101)


def test_stored_rows_of_proportions_are_what_the_enumeration_gives(exact):
    for row in study.read("proportion"):
        for key in ("mean", "minimum", "minimum_where_5_expected"):
            assert row[key] == pytest.approx(exact[row["method"], row["n"]][key], abs=1e-9, nan_ok=True)


# --- AUC and label measures: stored simulations -------------------------------------------------------------


def test_every_cell_of_the_designs_is_stored():
    assert len(AUC) == len(study.auc_cells()) * len(study.AUC_METHODS)
    assert len(BOOTSTRAP) == len(study.bootstrap_cells()) * len(study.BOOTSTRAP_METHODS)
    assert all(row["n_data_sets"] >= 2000 for row in AUC + BOOTSTRAP)
    for row in AUC + BOOTSTRAP:
        missed = row["missed_below"] + row["missed_above"]
        assert row["covered"] + missed + row.get("undefined", 0) == row["n_data_sets"]


def test_logit_delong_covers_93_percent_where_5_wrong_ranks_are_expected():
    inside = [row for row in AUC if row["method"] == "logit" and study.in_auc_domain(row)]
    assert len(inside) >= 20
    assert min(map(study.coverage, inside)) >= 0.93


def test_bootstrap_coverage_in_its_domain():
    inside = [row for row in BOOTSTRAP if study.in_bootstrap_domain(row)]
    assert len(inside) >= 30
    assert min(map(study.coverage, inside)) >= 0.93


def test_the_documentation_shows_all_cells():
    text = DOCS.read_text(encoding="utf-8")
    for table in study.tables():
        assert all(f"    {line}\n" in text for line in table.splitlines())


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::skeval.exceptions.SkevalWarning")
@pytest.mark.parametrize("number", [0, 27, 45, 71])
def test_the_simulation_of_the_auc_gives_the_stored_rows(number):
    stored = AUC[2 * number : 2 * number + 2]
    again = list(study.auc_rows(number))
    for row, kept in zip(again, stored, strict=True):
        assert row.pop("mean_width") == pytest.approx(kept["mean_width"], abs=1e-9)
        assert row == {key: value for key, value in kept.items() if key != "mean_width"}


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::skeval.exceptions.SkevalWarning")
@pytest.mark.parametrize("number", [0, 17, 34, 59])
def test_the_simulation_of_label_measures_gives_the_stored_rows(number):
    stored = BOOTSTRAP[2 * number : 2 * number + 2]
    again = list(study.bootstrap_rows(number))
    for row, kept in zip(again, stored, strict=True):
        assert row == pytest.approx(kept, abs=1e-6)

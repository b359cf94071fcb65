"""Intervals of a proportion: published values, the ends, and what the result tells."""

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom

from skeval.exceptions import DegenerateDataWarning
from skeval.intervals import IntervalResult, proportion_interval
from tests.reference import load

METHODS = ["wilson", "clopper-pearson", "jeffreys", "agresti-coull"]
REFERENCE = load("05_binomial_error_rate.json")["expected"]["confidence_intervals"]
STORED = {
    "wilson": "wilson",
    "clopper-pearson": "clopper_pearson",
    "jeffreys": "jeffreys_equal_tailed",
    "agresti-coull": "agresti_coull_untruncated",
}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("case", REFERENCE)
@pytest.mark.parametrize("level", ["0.9", "0.95", "0.99"])
def test_equals_the_values_of_r(method, case, level):
    n, x = (int(number) for number in re.findall(r"\d+", case))
    low, high = REFERENCE[case][level][STORED[method]]
    # Stored without these: Agresti-Coull is cut at 0 and 1, Jeffreys goes to 0 and 1 where
    # no sample, or every sample, is counted (Brown, Cai & DasGupta 2001).
    low, high = max(low, 0.0), min(high, 1.0)
    if method == "jeffreys":
        low, high = (0.0 if x == 0 else low), (1.0 if x == n else high)
    result = proportion_interval(x, n, method=method, confidence_level=float(level))
    assert tuple(result) == pytest.approx((low, high), abs=1e-8)
    assert result.estimate == x / n


def test_wald_is_there_by_name():
    # 0.3 +- 1.959963984540054 sqrt(0.3 x 0.7/10)
    assert tuple(proportion_interval(3, 10, method="wald")) == pytest.approx(
        (0.015974234910674, 0.584025765089326), abs=1e-12
    )


@pytest.mark.parametrize("method", METHODS)
def test_ends_are_exactly_0_and_1_where_nothing_or_everything_is_counted(method):
    assert proportion_interval(0, 17, method=method).low == 0.0
    assert proportion_interval(17, 17, method=method).high == 1.0


def test_wald_without_width_warns_and_names_a_better_interval():
    with pytest.warns(DegenerateDataWarning, match="degenerate.*method='wilson'"):
        assert tuple(proportion_interval(10, 10, method="wald")) == (1.0, 1.0)


@settings(deadline=None, max_examples=100)
@given(
    st.integers(1, 10**9).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))),
    st.sampled_from(METHODS),
    st.floats(0.01, 0.9999),
)
def test_encloses_the_estimate_within_0_and_1_and_mirrors(counts, method, level):
    x, n = counts
    result = proportion_interval(x, n, method=method, confidence_level=level)
    assert 0 <= result.low <= result.estimate <= result.high <= 1
    assert result.low < result.high
    mirrored = proportion_interval(n - x, n, method=method, confidence_level=level)
    assert (1 - mirrored.high, 1 - mirrored.low) == pytest.approx(tuple(result), abs=1e-7)


def test_clopper_pearson_inverts_the_exact_test():
    low, high = proportion_interval(7, 40, method="clopper-pearson")
    assert binom.sf(6, 40, low) == pytest.approx(0.025, abs=1e-12)
    assert binom.cdf(7, 40, high) == pytest.approx(0.025, abs=1e-12)


def test_arrays_broadcast():
    result = proportion_interval([3, 8], [[10], [20]])
    assert result.low.shape == (2, 2)
    assert result.high[1, 0] == proportion_interval(3, 20).high
    assert len(result.frame()) == 4


def test_whole_floats_are_counts():
    assert tuple(proportion_interval(3.0, np.float64(10))) == tuple(proportion_interval(3, 10))


@pytest.mark.parametrize(
    ("counts", "message"),
    [
        ((11, 10), "n_successes must not exceed n_samples, got 11 of 10"),
        (([3, 12], 10), "got 12 of 10"),
        ((0, 0), "n_samples must be at least 1, got 0"),
        ((-1, 10), "n_successes must hold whole numbers not less than 0, got -1.0"),
        ((2.5, 10), "got 2.5; for fractional weights see metric_interval"),
        ((np.nan, 10), "got nan"),
        ((3, np.inf), "n_samples must hold whole numbers not less than 0, got inf"),
        ((True, 10), "n_successes must hold counts, got True"),
        (("3", 10), "n_successes must hold counts"),
        (([1, 2, 3], [10, 20]), r"must have shapes that go together, got \(3,\) and \(2,\)"),
        (([], 10), "n_successes must hold at least one count, got none"),
    ],
)
def test_refuses_what_is_no_count(counts, message):
    with pytest.raises(ValueError, match=message):
        proportion_interval(*counts)


def test_refuses_unknown_methods_and_levels():
    with pytest.raises(ValueError, match=r"method must be one of 'wilson'.*got 'exact'"):
        proportion_interval(3, 10, method="exact")
    with pytest.raises(ValueError, match=r"confidence_level must be a number in \(0, 1\), got 95"):
        proportion_interval(3, 10, confidence_level=95)


def test_result_tells_what_it_is():
    result = proportion_interval(97, 100)
    assert isinstance(result, IntervalResult)
    assert result.confidence_interval() == (result.low, result.high)
    assert result.standard_error == pytest.approx((0.97 * 0.03 / 100) ** 0.5)
    assert str(result) == (
        "proportion 0.97, 0.95 interval [0.9155, 0.9897] (Wilson): probability that a new sample is counted."
    )
    assert "Brown, Cai & DasGupta" in result.reference
    frame = result.frame()
    assert frame.loc[0, "method"] == "Wilson"
    assert "<td>0.9155</td>" in result._repr_html_()
    assert str(proportion_interval([1, 2], 5)).startswith("2 intervals of the proportion, 0.95 Wilson:")


@pytest.mark.parametrize("count", [2**53 + 2, 2.0**53 + 2, 9e307])
def test_counts_beyond_whole_numbers_of_a_float_are_refused(count):
    with pytest.raises(
        ValueError, match=r"n_samples must hold whole numbers .* the largest count is 2\*\*53"
    ):
        proportion_interval(2, count)


@pytest.mark.parametrize(
    ("method", "n", "rel"),
    [
        *((method, 2**53, 1e-7) for method in ("wilson", "agresti-coull", "wald")),
        # Ends of scipy's beta quantiles have fewer digits from here on.
        *((method, 10**12, 1e-5) for method in ("clopper-pearson", "jeffreys")),
    ],
)
def test_of_very_many_samples_the_interval_is_that_of_the_normal_distribution(method, n, rel):
    # p +- z sqrt(p (1 - p)/n), z = 1.959963984540054.
    result = proportion_interval(n // 4, n, method=method)
    half = 1.959963984540054 * (3 / 16 / n) ** 0.5
    assert (0.25 - result.low, result.high - 0.25) == pytest.approx((half, half), rel=rel, abs=0)

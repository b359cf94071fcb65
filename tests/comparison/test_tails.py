"""Logarithms of p-values below the smallest float."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import special, stats

from skeval.comparison import (
    binomial_test,
    cochrans_q_test,
    corrected_resampled_ttest,
    five_by_two_ftest,
    friedman_test,
    mcnemar_from_table,
)
from skeval.comparison._tails import (
    keep_log,
    log_binomial,
    log_chi2_sf,
    log_f_sf,
    log_mcnemar,
    log_t_sf,
)
from skeval.exceptions import DegenerateDataWarning

# Where the float still has digits, the logarithm is that of SciPy's tail.


@settings(deadline=None, max_examples=50)
@given(t=st.floats(4, 60), df=st.floats(1, 400))
def test_student(t, df):
    assert log_t_sf(t, df) == pytest.approx(math.log(stats.t.sf(t, df)), rel=1e-9)


@settings(deadline=None, max_examples=50)
@given(f=st.floats(5, 100), df1=st.integers(1, 40), df2=st.integers(2, 200))
def test_f(f, df1, df2):
    tail = stats.f.sf(f, df1, df2)
    if tail > 1e-300:
        assert log_f_sf(f, df1, df2) == pytest.approx(math.log(tail), rel=1e-8)


def test_beyond_the_range_of_floats():
    # P(T > t) of 2 degrees of freedom is (1 - t/sqrt(2 + t^2))/2, about 1/(2 t^2).
    assert log_t_sf(1e200, 2) == pytest.approx(-math.log(2) - 400 * math.log(10), rel=1e-12)
    # P(F(2, d) > f) = (1 + 2f/d)^(-d/2); P(chi2(2) > x) = exp(-x/2); of 4 (1 + x/2) times that.
    assert log_f_sf(1e9, 2, 200) == pytest.approx(-100 * math.log1p(1e7), rel=1e-12)
    assert log_chi2_sf(5000, 2) == pytest.approx(-2500, rel=1e-14)
    assert log_chi2_sf(5000, 4) == pytest.approx(-2500 + math.log(2501), rel=1e-14)
    # Of 2m the probability of fewer than m events, Poisson with mean x/2.
    counts = np.arange(5000)
    poisson = special.logsumexp(counts * math.log(9000) - special.gammaln(counts + 1)) - 9000
    assert log_chi2_sf(18000, 10_000) == pytest.approx(poisson, rel=1e-13)
    # P(chi2(1) > x) = 2 P(Z > sqrt x).
    assert log_chi2_sf(3600, 1) == pytest.approx(math.log(2) + stats.norm.logsf(60), rel=1e-12)
    half_integer = log_chi2_sf(1600, 99)
    assert half_integer == pytest.approx(
        -800 + 48.5 * math.log(800) - special.gammaln(49.5) + math.log(1 / (1 - 48.5 / 800)), abs=0.01
    )


def test_binomial_in_whole_numbers():
    hits = sum(math.comb(3000, count) for count in range(4))
    assert log_mcnemar(3, 3000, False) == pytest.approx(math.log(2 * hits) - 3000 * math.log(2), rel=1e-12)
    mid = 2 * hits - math.comb(3000, 3)
    assert log_mcnemar(3, 3000, True) == pytest.approx(math.log(mid) - 3000 * math.log(2), rel=1e-12)
    assert log_binomial(2997, 3000, 0.5, "greater") == pytest.approx(
        math.log(hits) - 3000 * math.log(2), rel=1e-12
    )
    assert log_binomial(3, 3000, 0.5, "less") == pytest.approx(log_binomial(2997, 3000, 0.5, "greater"))
    both = log_binomial(3, 3000, 0.5, "two-sided")
    assert both == pytest.approx(math.log(2 * hits) - 3000 * math.log(2), rel=1e-12)


def test_only_where_the_float_is_too_small():
    assert keep_log(1e-299, lambda: 1 / 0) == {}
    assert keep_log(1.0, lambda: 1 / 0) == {}
    assert keep_log(0.0, lambda: -800.0) == {"log_pvalue": -800.0}
    assert keep_log(0.0, lambda: -math.inf) == {}  # an infinite statistic, not an underflow


@pytest.mark.parametrize(
    ("test", "expected"),
    [
        (lambda: mcnemar_from_table([[0, 3000], [3, 0]], method="exact"), log_mcnemar(3, 3003, False)),
        (lambda: mcnemar_from_table([[0, 3000], [3, 0]]), log_mcnemar(3, 3003, True)),
        (
            lambda: mcnemar_from_table([[0, 3000], [0, 0]], method="chi2"),
            math.log(2) + stats.norm.logsf(3000**0.5),
        ),
        (lambda: binomial_test(500, 500, error=0.01), 500 * math.log(0.01)),
        (lambda: binomial_test(3000, 3000, error=0.5), -3000 * math.log(2)),
        (lambda: cochrans_q_test([1] * 3000, [[1] * 3000, [1] * 3000, [0] * 3000]), -3000.0),
        (lambda: friedman_test([[2, 1, 0]] * 900 + [[0, 1, 2]], method="chi2"), None),
        (lambda: friedman_test([[2, 1, 0]] * 900 + [[0, 1, 2]]), None),
        (
            lambda: corrected_resampled_ttest(
                np.linspace(0.9, 0.9000001, 201), np.zeros(201), n_train=100, n_test=10
            ),
            None,
        ),
    ],
)
def test_results_keep_the_log_and_print_no_zero(test, expected):
    result = test()
    assert result.pvalue < 1e-300
    assert ", p < 1e-300 (" in str(result)
    log = result.details["log_pvalue"]
    assert log < math.log(1e-300)
    if expected is not None:
        assert log == pytest.approx(expected, rel=1e-9)


def test_a_perfectly_consistent_large_table():
    with pytest.warns(DegenerateDataWarning, match="ranks the methods identically"):
        result = friedman_test([[2, 1, 0]] * 900)
    assert result.details["log_pvalue"] == pytest.approx(-899 * math.log(6), rel=1e-12)


def test_the_f_test_of_five_times_two_folds_never_underflows_unless_infinite():
    with pytest.warns(DegenerateDataWarning, match="zero variance"):
        result = five_by_two_ftest(np.full((5, 2), 0.9), np.full((5, 2), 0.8))
    assert result.statistic == math.inf
    assert "log_pvalue" not in result.details

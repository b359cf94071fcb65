"""Nemenyi's critical difference: the quantile of k methods at any level, not that of a table."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from skeval.comparison import critical_difference, friedman_test, mean_ranks, posthoc_test
from tests.cases.strategies import SOME

SCORES = {
    "A": [0.9, 0.8, 0.9, 0.9, 0.9, 0.9, 0.8, 0.9, 0.9, 0.7],
    "B": [0.7, 0.9, 0.8, 0.8, 0.8, 0.8, 0.9, 0.7, 0.8, 0.8],
    "C": [0.8, 0.7, 0.7, 0.6, 0.7, 0.6, 0.7, 0.8, 0.6, 0.9],
    "D": [0.6, 0.6, 0.6, 0.7, 0.6, 0.7, 0.6, 0.6, 0.7, 0.6],
}


def test_four_methods_on_ten_data_sets():
    # Studentized range by R 4.2 ptukey and mpmath: q = 2.5690317725.
    found = posthoc_test(SCORES)
    assert list(mean_ranks(SCORES).values()) == pytest.approx([1.4, 2.0, 2.9, 3.7])
    assert friedman_test(SCORES, method="chi2").statistic == pytest.approx(18.36, rel=1e-9)
    assert friedman_test(SCORES, method="iman-davenport").statistic == pytest.approx(
        14.195876288659822, rel=1e-9
    )
    assert found.details["critical_difference"] == pytest.approx(1.4832311854, rel=1e-5)
    named = {"".join(pair): p for pair, p in zip(found.pairs, found.pvalue, strict=True)}
    expected = {
        "AB": 0.7263486,
        "AC": 0.0462677,
        "AD": 0.000394619,
        "BC": 0.4023760,
        "BD": 0.0170561,
        "CD": 0.5083532,
    }
    assert named == pytest.approx(expected, abs=1e-6)
    assert [set(group) for group in found.groups()] == [{"A", "B"}, {"B", "C"}, {"C", "D"}]


@pytest.mark.parametrize(
    ("k", "n", "alpha", "expected"),
    [(2, 10, 0.05, 0.6197950323), (5, 12, 0.07, 1.6794427136), (30, 20, 0.05, 10.4355989621)],
)
def test_other_sizes_and_levels(k, n, alpha, expected):
    assert critical_difference(k, n, alpha=alpha) == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize("alpha", [0, 1, -0.1, 1.5, float("nan")])
def test_a_level_outside_of_the_unit_interval_is_refused(alpha):
    with pytest.raises(ValueError, match="alpha"):
        critical_difference(4, 10, alpha=alpha)


@SOME
@given(st.integers(2, 500), st.floats(0.001, 0.5))
def test_of_two_methods_it_is_the_normal_quantile(n, alpha):
    assert critical_difference(2, n, alpha=alpha) == pytest.approx(
        stats.norm.isf(alpha / 2) / np.sqrt(n), rel=1e-6
    )


@SOME
@given(st.integers(2, 40), st.integers(2, 100), st.floats(0.001, 0.4))
def test_it_grows_with_the_methods_and_falls_with_data_sets_and_level(k, n, alpha):
    found = critical_difference(k, n, alpha=alpha)
    assert critical_difference(k + 1, n, alpha=alpha) > found
    assert critical_difference(k, n + 1, alpha=alpha) < found
    assert critical_difference(k, n, alpha=alpha + 0.05) < found

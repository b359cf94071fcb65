"""The studentized range with infinitely many degrees of freedom."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, special, stats

from skeval.comparison._studentized_range import range_isf, range_sf
from tests.reference import load

REFERENCE = load("03_studentized_range_nemenyi.json")
EXPECTED = REFERENCE["expected"]


@pytest.mark.parametrize("k", EXPECTED["survival"])
def test_survival_is_right_to_nine_digits_in_the_far_tail_too(k):
    q = REFERENCE["inputs"]["q_studentized_range_units"]
    assert range_sf(q, int(k)) == pytest.approx(EXPECTED["survival"][k], rel=1e-9, abs=0)


@pytest.mark.parametrize("k", EXPECTED["q_at_extreme_tail"])
def test_quantiles_of_tiny_probabilities(k):
    for pvalue, q in EXPECTED["q_at_extreme_tail"][k].items():
        assert range_isf(float(pvalue), int(k)) == pytest.approx(q, abs=1e-9)
        assert range_sf(q, int(k)) == pytest.approx(float(pvalue), rel=1e-9, abs=0)


@pytest.mark.parametrize("alpha", EXPECTED["critical_q_over_sqrt2"])
def test_critical_values_of_two_to_fifty_methods(alpha):
    got = [range_isf(float(alpha), k) / np.sqrt(2) for k in REFERENCE["inputs"]["k_for_critical"]]
    assert got == pytest.approx(EXPECTED["critical_q_over_sqrt2"][alpha], abs=1e-9)


@pytest.mark.parametrize(("alpha", "name"), [(0.05, "q05"), (0.10, "q10")])
def test_published_table(alpha, name):
    got = [range_isf(alpha, k) / np.sqrt(2) for k in range(2, 11)]
    assert got == pytest.approx(EXPECTED["published"][f"demsar_k2_10_{name}"], abs=0.001)


@settings(deadline=None, max_examples=50)
@given(q=st.floats(1e-3, 40))
def test_two_methods_have_the_closed_form(q):
    assert range_sf(q, 2) == pytest.approx(special.erfc(q / 2), rel=1e-9, abs=0)


@settings(deadline=None, max_examples=50)
@given(pvalue=st.floats(1e-12, 0.999), k=st.integers(2, 60))
def test_quantile_and_survival_are_inverse(pvalue, k):
    assert range_sf(range_isf(pvalue, k), k) == pytest.approx(pvalue, rel=1e-9)


@settings(deadline=None, max_examples=30)
@given(q=st.floats(0.5, 8), k=st.integers(2, 40))
def test_agrees_with_scipy_where_scipy_has_digits(q, k):
    assert range_sf(q, k) == pytest.approx(stats.studentized_range.sf(q, k, np.inf), abs=1e-10)


@pytest.mark.parametrize(("q", "k"), [(4.0, 51), (5.0, 200), (7.0, 1000), (7.0, 3000)])
def test_many_methods_by_adaptive_quadrature(q, k):
    """P(range > q) = k times the integral of phi(z) [Phi(z)^(k-1) - (Phi(z) - Phi(z - q))^(k-1)]."""

    def density(z):
        below = special.ndtr(z)
        return k * stats.norm.pdf(z) * (below ** (k - 1) - (below - special.ndtr(z - q)) ** (k - 1))

    expected, _ = integrate.quad(density, -3, 9, epsabs=0, epsrel=1e-13, limit=500, points=[0, 2, 3, 4, 5])
    assert range_sf(q, k) == pytest.approx(expected, rel=1e-12)


def test_no_range_is_certain_and_a_value_does_not_depend_on_its_neighbors():
    assert range_sf([0.0, 0.0], 5).tolist() == [1.0, 1.0]
    assert range_sf([], 5).shape == (0,)
    assert range_sf([0.5, 30.0], 5)[0] == pytest.approx(float(range_sf(0.5, 5)), rel=1e-13)


def test_one_method_has_no_range():
    with pytest.raises(ValueError, match="n_methods must be an integer not less than 2"):
        range_sf(1.0, 1)

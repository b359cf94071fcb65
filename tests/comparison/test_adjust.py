"""P-values adjusted for several comparisons."""

import math
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skeval.comparison import adjust_pvalues
from tests.reference import load

CONTROL = load("01_demsar2006.json")["expected"]["paper_ranks"]["control_C4.5"]
PAIRS = load("02_garcia_herrera2008.json")["expected"]
METHODS = (
    "bonferroni",
    "holm",
    "hochberg",
    "hommel",
    "holland",
    "finner",
    "rom",
    "li",
    "benjamini-hochberg",
)
pvalues = st.lists(st.floats(0, 1), min_size=1, max_size=20)
# Decimals, so that equal values and values at a critical value occur.
decimals = st.lists(
    st.integers(0, 1000).map(lambda thousandths: Fraction(thousandths, 1000)), min_size=1, max_size=9
)
levels = st.sampled_from([Fraction(1, 100), Fraction(1, 20), Fraction(1, 4), Fraction(4, 5)])


# --- values of R ---


@pytest.mark.parametrize(
    ("method", "column"),
    [
        ("bonferroni", "bonferroni_dunn"),
        ("holm", "holm"),
        ("hochberg", "hochberg"),
        ("hommel", "hommel"),
        ("benjamini-hochberg", "bh_fdr"),
    ],
)
def test_equals_p_adjust_of_r(method, column):
    assert adjust_pvalues(CONTROL["p"], method=method) == pytest.approx(CONTROL[column], rel=1e-12)


@pytest.mark.parametrize("method", ["holm", "hochberg", "hommel"])
def test_equals_p_adjust_of_r_on_ten_pairs(method):
    p = list(PAIRS["p_unadjusted"].values())
    # R's p-values of the normal differ in the tenth digit.
    expected = [PAIRS["adjusted"][method][pair] for pair in PAIRS["p_unadjusted"]]
    assert adjust_pvalues(p, method=method) == pytest.approx(expected, rel=1e-8)


# --- procedures worked in fractions: who is rejected at a level ---


def step_down(p, critical):
    """Reject the smallest p-values up to the first that is above its critical value."""
    rejected = set()
    for place, where in enumerate(sorted(range(len(p)), key=lambda number: p[number]), 1):
        if p[where] > critical(place):
            break
        rejected.add(where)
    return rejected


def step_up(p, critical):
    """Reject all up to the largest p-value that is at most its critical value."""
    order = sorted(range(len(p)), key=lambda number: p[number])
    reached = [place for place, where in enumerate(order, 1) if p[where] <= critical(place)]
    return set(order[: max(reached, default=0)])


def rom_critical_values(alpha, n):
    """Rom (1990), section 2: from the largest p-value to the smallest."""
    critical = [alpha, alpha / 2]
    for i in range(3, n + 1):
        powers = sum(alpha**j for j in range(1, i))
        products = sum(math.comb(i, j) * critical[j] ** (i - j) for j in range(1, i - 1))
        critical.append((powers - products) / i)
    return critical


def hommel_rejects(p, alpha):
    """Close Simes' test: reject a hypothesis if every set that holds it is rejected."""
    n = len(p)
    rejected = set(range(n))
    for size in range(1, n + 1):
        for members in combinations(range(n), size):
            ordered = sorted(p[member] for member in members)
            if not any(value <= alpha * Fraction(place, size) for place, value in enumerate(ordered, 1)):
                rejected -= set(members)
    return rejected


def li_rejects(p, alpha):
    """Li (2008): all if the largest is at most alpha, else those below a level that it sets."""
    if max(p) <= alpha:
        return set(range(len(p)))
    level = (1 - max(p)) * alpha / (1 - alpha)
    # The largest itself is kept in this step.
    return {where for where, value in enumerate(p) if value <= level and value < max(p)}


PROCEDURES = {
    "bonferroni": lambda p, alpha: {where for where, value in enumerate(p) if value <= alpha / len(p)},
    "holm": lambda p, alpha: step_down(p, lambda place: alpha / (len(p) + 1 - place)),
    "hochberg": lambda p, alpha: step_up(p, lambda place: alpha / (len(p) + 1 - place)),
    "hommel": hommel_rejects,
    "rom": lambda p, alpha: step_up(p, lambda place: rom_critical_values(alpha, len(p))[len(p) - place]),
    "li": li_rejects,
    "benjamini-hochberg": lambda p, alpha: step_up(p, lambda place: alpha * place / len(p)),
}


@pytest.mark.parametrize("method", PROCEDURES)
@settings(deadline=None, max_examples=60)
@given(p=decimals, alpha=levels)
def test_adjusted_values_reject_what_the_published_procedure_rejects(method, p, alpha):
    adjusted = adjust_pvalues([float(value) for value in p], method=method)
    near = np.abs(adjusted - float(alpha)) < 1e-12  # equal in fractions, and rounded either way
    rejected = np.isin(np.arange(len(p)), list(PROCEDURES[method](p, alpha)))
    assert ((adjusted <= float(alpha)) == rejected)[~near].all()


@pytest.mark.parametrize("method", ["holland", "finner"])
@settings(deadline=None, max_examples=60)
@given(p=decimals)
def test_adjustments_by_powers_worked_in_fractions(method, p):
    # Holland & Copenhaver (1987): 1 - (1 - p_j)^(n - j + 1); Finner (1993): 1 - (1 - p_j)^(n/j).
    n = len(p)
    expected, largest = {}, Fraction(0)
    for place, where in enumerate(sorted(range(n), key=lambda number: p[number]), 1):
        if method == "holland":
            value = 1 - (1 - p[where]) ** (n - place + 1)
            largest = max(largest, value)
        else:
            value = 1 - float(1 - p[where]) ** (n / place)
            largest = max(float(largest), value)
        expected[where] = float(largest)
    adjusted = adjust_pvalues([float(value) for value in p], method=method)
    assert adjusted == pytest.approx([expected[where] for where in range(n)], rel=1e-9, abs=1e-12)


def chance_of_no_rejection(critical):
    """Return P(no p-value at most its critical value) of independent uniform p-values, exactly."""
    integral = [Fraction(1)]  # a polynomial in the next larger p-value
    for low in sorted(critical):
        rising = [Fraction(0), *(term / power for power, term in enumerate(integral, 1))]
        rising[0] = -sum(term * low**power for power, term in enumerate(rising))
        integral = rising
    return math.factorial(len(critical)) * sum(integral)


@pytest.mark.parametrize("n", range(1, 9))
@pytest.mark.parametrize("alpha", [Fraction(1, 20), Fraction(1, 2)])
def test_size_of_rom_is_alpha_for_independent_tests(n, alpha):
    critical = rom_critical_values(alpha, n)[:n]
    assert chance_of_no_rejection(critical) == 1 - alpha
    for rank, value in enumerate(critical, 1):
        # So many equal p-values, the others 1: their adjusted value is the level of that critical value.
        p = [float(value)] * (n - rank + 1) + [1.0] * (rank - 1)
        assert adjust_pvalues(p, method="rom")[0] == pytest.approx(float(alpha), rel=1e-12)


# --- what holds for all ---


@pytest.mark.parametrize("method", METHODS)
@settings(deadline=None, max_examples=50)
@given(p=pvalues)
def test_adjusted_values_keep_the_order_and_lie_between_p_and_one(method, p):
    adjusted = adjust_pvalues(p, method=method)
    assert ((np.array(p) * (1 - 1e-12) <= adjusted) & (adjusted <= 1)).all()
    assert (np.diff(adjusted[np.argsort(p, kind="stable")]) >= 0).all()


@settings(deadline=None, max_examples=50)
@given(p=pvalues)
def test_the_procedures_are_ordered_by_power(p):
    values = {method: adjust_pvalues(p, method=method) for method in METHODS}
    for more, less in [
        ("holm", "bonferroni"),
        ("holland", "holm"),
        ("finner", "holland"),
        ("hochberg", "holm"),
        ("hommel", "hochberg"),
        ("rom", "hochberg"),
        ("benjamini-hochberg", "hommel"),
    ]:
        assert (values[more] <= values[less] * (1 + 1e-12)).all(), f"{more} against {less}"


@pytest.mark.parametrize("method", METHODS)
def test_order_of_the_input_does_not_matter(method):
    p = np.array([0.04, 0.001, 0.04, 0.3, 0.02])
    turned = adjust_pvalues(p[::-1], method=method)[::-1]
    assert adjust_pvalues(p, method=method) == pytest.approx(turned)


@pytest.mark.parametrize("method", METHODS)
def test_nan_stays_in_place_and_is_not_counted(method):
    adjusted = adjust_pvalues([0.01, math.nan, 0.03], method=method)
    assert np.isnan(adjusted).tolist() == [False, True, False]
    assert adjusted[[0, 2]] == pytest.approx(adjust_pvalues([0.01, 0.03], method=method))


@pytest.mark.parametrize("method", METHODS)
def test_one_p_and_none(method):
    assert adjust_pvalues([0.3], method=method) == pytest.approx([0.3])
    assert adjust_pvalues([], method=method).tolist() == []
    assert adjust_pvalues([math.nan], method=method).tolist() == pytest.approx([math.nan], nan_ok=True)


@pytest.mark.parametrize("method", METHODS)
def test_zero_and_one_and_a_tiny_p(method):
    adjusted = adjust_pvalues([0.0, 1e-300, 1.0], method=method)
    assert adjusted[[0, 2]].tolist() == [0.0, 1.0]
    # Li's procedure rejects none but certain ones where the largest p-value is 1.
    assert adjusted[1] == 1 if method == "li" else 1e-300 <= adjusted[1] <= 3e-300


def test_many_p_values_are_adjusted_in_time():
    p = np.random.default_rng(0).random(200) ** 4
    for method in METHODS:
        adjusted = adjust_pvalues(p, method=method)
        assert ((p * (1 - 1e-12) <= adjusted) & (adjusted <= 1)).all()


def test_input_is_not_changed():
    p = np.array([0.03, 0.01])
    adjust_pvalues(p, method="bonferroni")
    assert p.tolist() == [0.03, 0.01]


@pytest.mark.parametrize(
    ("p", "message"),
    [
        (["a"], r"p must hold numbers, got \['a'\]"),
        (["0.1"], r"p must hold numbers, got \['0.1'\]"),
        ("a", "p must hold numbers, got 'a'"),
        (None, r"p must be one-dimensional, got an array of shape \(\)"),
    ],
)
def test_text_and_nothing_are_no_pvalues(p, message):
    with pytest.raises(ValueError, match=message):
        adjust_pvalues(p, method="holm")


def test_a_masked_pvalue_is_not_known():
    # Two are known: Bonferroni doubles them.
    masked = np.ma.masked_array([0.01, 0.02, 0.03], mask=[0, 1, 0])
    assert adjust_pvalues(masked, method="bonferroni") == pytest.approx([0.02, math.nan, 0.06], nan_ok=True)


def test_bad_input_is_refused():
    with pytest.raises(ValueError, match="method must be one of 'bonferroni', 'holm'"):
        adjust_pvalues([0.1], method="sidak")
    with pytest.raises(ValueError, match=r"p must lie in \[0, 1\], got 1.2 at position 1"):
        adjust_pvalues([0.1, 1.2], method="holm")
    with pytest.raises(ValueError, match="p must be one-dimensional"):
        adjust_pvalues([[0.1]], method="holm")

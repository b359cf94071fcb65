"""The exact null distribution of Friedman's statistic."""

from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import rankdata

from skeval.comparison import _friedman_exact, friedman_test
from skeval.comparison._friedman_exact import exact_pvalue, is_feasible, n_arrangements
from tests.reference import load, number

REFERENCE = load("12_exact_friedman_wilcoxon.json")
EXPECTED = REFERENCE["expected"]


def doubled(scores):
    return np.rint(2 * rankdata(scores, axis=1)).astype(np.int64)


def by_enumeration(ranks):
    """Return P(chi2 >= observed) over all orders of all rows."""
    orders = [list(permutations(row)) for row in ranks.tolist()]
    observed = (ranks.sum(axis=0) ** 2).sum()
    squares = [(np.sum(rows, axis=0) ** 2).sum() for rows in product(*orders)]
    return np.mean(np.array(squares) >= observed)


def draw_rankings(n_draws, n_datasets, n_methods):
    """Return random rankings without ties, and the statistic of each."""
    ordered = np.tile(np.arange(1, n_methods + 1), (n_draws, n_datasets, 1))
    ranks = np.random.default_rng(0).permuted(ordered, axis=2)
    squares = (ranks.sum(axis=1) ** 2).sum(axis=1)
    return ranks, 12 / (n_datasets * n_methods * (n_methods + 1)) * squares - 3 * n_datasets * (n_methods + 1)


@pytest.mark.parametrize("case", EXPECTED["friedman_no_ties"])
def test_equals_complete_enumeration(case):
    n_methods, n_datasets = (int(part.split("=")[1]) for part in case.split(","))
    ranks, chi2 = draw_rankings(5000, n_datasets, n_methods)
    seen = 0
    for entry in EXPECTED["friedman_no_ties"][case]:
        found = np.flatnonzero(np.abs(chi2 - number(entry["chi2"])) < 1e-9)
        if len(found):
            assert exact_pvalue(2 * ranks[found[0]]) == pytest.approx(number(entry["p"]), rel=1e-12)
            seen += 1
    assert seen >= len(EXPECTED["friedman_no_ties"][case]) / 2


@pytest.mark.parametrize("name", ["example_no_ties", "example_ties"])
def test_examples_with_and_without_ties(name):
    rows, expected = REFERENCE["inputs"][name]["rows = blocks"], EXPECTED[name]
    exact = friedman_test(rows, greater_is_better=False, method="exact")
    chi2 = friedman_test(rows, greater_is_better=False, method="chi2")
    plain = friedman_test(rows, greater_is_better=False, method="chi2", ties="ignore")
    assert exact.pvalue == pytest.approx(number(expected["p_exact_permutation_within_blocks"]), rel=1e-12)
    assert chi2.statistic == pytest.approx(number(expected["chi2_tie_corrected"]), rel=1e-12)
    assert chi2.pvalue == pytest.approx(number(expected["p_chi2"]), rel=1e-10)
    assert plain.statistic == pytest.approx(number(expected["chi2_uncorrected"]), rel=1e-12)
    sums = np.array(list(exact.details["mean_ranks"].values())) * len(rows)
    assert sums == pytest.approx([number(value) for value in expected["rank_sums"]])


@settings(deadline=None, max_examples=30)
@given(
    st.sampled_from([(2, 4), (3, 4), (4, 3), (3, 2)]).flatmap(
        lambda shape: st.lists(
            st.lists(st.integers(0, 3), min_size=shape[0], max_size=shape[0]),
            min_size=shape[1],
            max_size=shape[1],
        )
    )
)
def test_equals_enumeration_whatever_is_tied(scores):
    ranks = doubled(scores)
    assert exact_pvalue(ranks) == pytest.approx(by_enumeration(ranks), rel=1e-12)


def test_perfectly_consistent_rankings_in_exact_fractions():
    assert exact_pvalue(np.array([[2, 4, 6]] * 4)) == pytest.approx(1 / 6**3, rel=1e-12)
    assert exact_pvalue(np.array([[2, 4, 6, 8]] * 30)) == pytest.approx(1 / 24**29, rel=1e-10)


def test_agrees_with_the_f_approximation_on_a_larger_table():
    scores = np.random.default_rng(0).normal([0, 0, 0, 0.5], size=(30, 4))
    exact, approximate = (friedman_test(scores, method=name).pvalue for name in ("exact", "iman-davenport"))
    assert exact == pytest.approx(approximate, rel=0.1)


def test_arrangements_of_a_row():
    assert n_arrangements(np.array([1, 2, 3, 4])) == 24
    assert n_arrangements(np.array([3, 3, 6, 8])) == 12
    assert n_arrangements(np.array([4, 4, 4])) == 1


@pytest.mark.parametrize("cells", [0, 10**6], ids=["by sorting", "in an array"])
def test_either_way_of_counting_equals_enumeration(monkeypatch, cells):
    monkeypatch.setattr(_friedman_exact, "_MAX_CELLS", cells)
    for shape in ((3, 4), (5, 3)):
        rankings = [doubled(np.random.default_rng(seed).integers(0, 9, size=shape)) for seed in range(3)]
        found = [exact_pvalue(ranks) for ranks in rankings]
        assert found == pytest.approx([by_enumeration(ranks) for ranks in rankings], rel=1e-12)
        assert len(set(found)) == 3


def test_tables_that_are_quick_and_tables_that_are_not():
    quick = [(158, 3), (31, 4), (10, 5), (5, 6)]
    assert all(is_feasible(*shape) for shape in quick)
    assert not any(is_feasible(n_datasets + 1, n_methods) for n_datasets, n_methods in quick)
    with pytest.raises(ValueError, match=r"too slow for 14 data sets of 10 methods.*iman-davenport"):
        friedman_test(np.random.default_rng(0).random((14, 10)), method="exact")

"""Scores whose differences tie as decimals and not in binary."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skeval.comparison import friedman_test, mean_ranks, wilcoxon_test
from skeval.exceptions import DegenerateDataWarning
from tests.cases.strategies import SOME

A = [0.71, 0.84, 0.63, 0.92, 0.55, 0.78]
B = [0.68, 0.81, 0.66, 0.86, 0.49, 0.72]  # differences 3, 3, -3, 6, 6, 6 hundredths


def test_ranks_are_those_of_the_decimals():
    # By enumeration of the 64 signs with mid-ranks: 8/64 and 4/64.
    found = wilcoxon_test(A, B)
    assert {found.statistic, 21 - found.statistic} == {19.0, 2.0}
    assert found.pvalue == 0.125
    assert wilcoxon_test(A, B, alternative="greater").pvalue == 0.0625


@pytest.mark.parametrize("n", [3, 20])
def test_no_difference_at_all(n):
    with pytest.warns(DegenerateDataWarning, match="all differences are zero"):
        assert wilcoxon_test([0.7] * n, [0.7] * n).pvalue == 1.0


pairs = st.lists(st.tuples(st.integers(0, 100), st.integers(0, 100)), min_size=2, max_size=12)


@SOME
@given(pairs.filter(lambda found: any(a != b for a, b in found)))
def test_hundredths_give_what_their_integers_give(found):
    a, b = np.array(found).T
    for zero_method in ("wilcoxon", "pratt"):
        whole = wilcoxon_test(a, b, zero_method=zero_method)
        decimal = wilcoxon_test(a / 100, b / 100, zero_method=zero_method)
        shifted = wilcoxon_test(a / 100 + 0.1, b / 100 + 0.1, zero_method=zero_method)
        assert tuple(decimal) == tuple(whole) == tuple(shifted)


@SOME
@given(st.lists(st.lists(st.integers(0, 5), min_size=3, max_size=3), min_size=2, max_size=6))
def test_rows_of_sums_that_differ_in_the_last_bit_tie(rows):
    table = np.array(rows)
    sums = np.array([[sum([0.1] * cell) for cell in row] for row in rows])  # 0.1 + 0.1 + 0.1 is not 0.3
    assert mean_ranks(sums) == mean_ranks(table / 10) == mean_ranks(table)
    if any(len(set(row)) > 1 for row in rows):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DegenerateDataWarning)
            assert tuple(friedman_test(sums)) == tuple(friedman_test(table))

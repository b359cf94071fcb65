"""Score tables with every score tied, some tied, and every data set in the same order."""

import math
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skeval.comparison import friedman_test, mean_ranks, posthoc_test
from skeval.exceptions import DegenerateDataWarning
from tests.cases.strategies import SOME

TIED = [[0.7, 0.7, 0.7]] * 4
SOME_TIES = [[0.80, 0.80, 0.70], [0.75, 0.70, 0.70], [0.90, 0.85, 0.80], [0.60, 0.65, 0.60]]
PERFECT = [[0.9, 0.8, 0.7]] * 4


def test_all_tied():
    with pytest.warns(DegenerateDataWarning, match="tied"):
        found = friedman_test(TIED, method="chi2")
    assert tuple(found) == (0.0, 1.0)
    assert list(mean_ranks(TIED).values()) == [2, 2, 2]


def test_some_tied():
    # R 4.2 friedman.test; chi2 = 56/13, F = 3.5.
    assert list(mean_ranks(SOME_TIES).values()) == [1.5, 1.75, 2.75]
    assert tuple(friedman_test(SOME_TIES, method="chi2")) == pytest.approx(
        (56 / 13, 0.1160370022477601), rel=1e-9
    )
    found = friedman_test(SOME_TIES, method="iman-davenport")
    assert tuple(found) == pytest.approx((3.5, 0.09831588529813383), rel=1e-9)


def test_every_data_set_in_the_same_order():
    with pytest.warns(DegenerateDataWarning, match="ranks the methods identically"):
        chi2 = friedman_test(PERFECT, method="chi2")
    assert tuple(chi2) == pytest.approx((8.0, 0.01831563888873418), rel=1e-9)
    with pytest.warns(DegenerateDataWarning, match="ranks the methods identically"):
        assert friedman_test(PERFECT, method="exact").pvalue == pytest.approx(1 / 216, rel=1e-9)
    with pytest.warns(DegenerateDataWarning, match="ranks the methods identically"):
        assert friedman_test(PERFECT, method="iman-davenport").statistic == math.inf
    with pytest.warns(DegenerateDataWarning, match="ranks the methods identically"):
        assert (posthoc_test(PERFECT, method="conover").pvalue > 0).all()


@SOME
@given(st.integers(2, 5), st.integers(2, 8))
def test_any_perfect_table_has_an_infinite_f_and_one_order_of_all(k, n):
    table = np.tile(np.arange(k, 0, -1) / 10, (n, 1))
    with pytest.warns(DegenerateDataWarning, match="ranks the methods identically"):
        found = friedman_test(table, method="iman-davenport")
    assert found.statistic == math.inf
    assert found.pvalue == pytest.approx(math.factorial(k) ** -(n - 1), rel=1e-9)


@SOME
@given(st.lists(st.lists(st.integers(0, 3), min_size=3, max_size=3), min_size=2, max_size=6))
def test_ranks_of_any_table_sum_to_what_they_must_and_no_result_is_nan(rows):
    table = np.array(rows) / 10
    assert sum(mean_ranks(table).values()) == pytest.approx(6)
    if all(len(set(row)) == 1 for row in rows):
        with pytest.warns(DegenerateDataWarning, match="tied"):
            assert friedman_test(table).pvalue == 1
    else:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DegenerateDataWarning)
            assert 0 < friedman_test(table, method="chi2").pvalue <= 1

"""McNemar's test where the two models never, or equally often, disagree."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skeval.comparison import mcnemar_from_table
from skeval.exceptions import DegenerateDataWarning
from tests.cases.strategies import SOME

METHODS = ("chi2", "chi2-corrected", "exact", "mid-p")
# By exact fractions, and R 4.2 mcnemar.test: cell [0][1] only A right, cell [1][0] only B right.
EXPECTED = {
    "balanced": ([[10, 3], [3, 5]], (0.0, 1.0), (0.0, 1.0), 1.0),
    "one": ([[10, 1], [0, 5]], (1.0, 0.31731050786291404), (0.0, 1.0), 1.0),
    "usual": (
        [[20, 12], [5, 8]],
        (49 / 17, 0.08955507441364256),
        (36 / 17, 0.14561009539686695),
        4701 / 32768,
    ),
}


@pytest.mark.parametrize("method", METHODS)
def test_models_that_never_disagree_are_not_different_with_certainty(method):
    with pytest.warns(DegenerateDataWarning, match="no discordant pairs"):
        assert tuple(mcnemar_from_table([[10, 0], [0, 5]], method=method)) == (0.0, 1.0)


@pytest.mark.parametrize("name", EXPECTED)
@pytest.mark.parametrize("dtype", ["int64", "uint8", "int32"])
def test_values(name, dtype):
    table, plain, corrected, exact = EXPECTED[name]
    table = np.array(table, dtype=dtype)
    assert tuple(mcnemar_from_table(table, method="chi2")) == pytest.approx(plain, rel=1e-9)
    assert tuple(mcnemar_from_table(table, method="chi2-corrected")) == pytest.approx(corrected, rel=1e-9)
    assert mcnemar_from_table(table, method="exact").pvalue == pytest.approx(exact, rel=1e-9)


@pytest.mark.parametrize(
    "table", [[[1, -2], [3, 4]], [[1, 2, 3], [4, 5, 6]], [[1, 2], [3, 4], [5, 6]], [1, 2]]
)
def test_what_is_no_table_of_counts_is_refused(table):
    with pytest.raises(ValueError, match="table must"):
        mcnemar_from_table(table)


@SOME
@given(st.lists(st.integers(0, 60), min_size=4, max_size=4).filter(any), st.sampled_from(METHODS))
def test_pvalues_are_in_the_unit_interval_and_one_where_the_disagreements_balance(cells, method):
    both, only_a, only_b, neither = cells
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DegenerateDataWarning)
        found = mcnemar_from_table([[both, only_a], [only_b, neither]], method=method)
        swapped = mcnemar_from_table([[both, only_b], [only_a, neither]], method=method)
    assert 0 <= found.pvalue <= 1
    assert swapped.pvalue == pytest.approx(found.pvalue, rel=1e-12)
    if only_a == only_b and method != "mid-p":
        assert found.pvalue == 1
    if method == "chi2-corrected":
        assert found.statistic <= max(0, abs(only_a - only_b)) ** 2 / max(1, only_a + only_b)

"""One missing score: the table is refused with its place, or the row is left out and not counted."""

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skeval.comparison import compare_scores, critical_difference, friedman_test, mean_ranks, posthoc_test
from tests.cases.strategies import FEW

TABLE = pd.DataFrame(
    [
        [0.82, 0.80, 0.75],
        [0.90, 0.92, 0.85],
        [0.77, float("nan"), 0.70],
        [0.70, 0.66, 0.68],
        [0.88, 0.84, 0.81],
    ],
    index=["d1", "d2", "d3", "d4", "d5"],
    columns=["A", "B", "C"],
)
CALLS = {
    "friedman_test": friedman_test,
    "posthoc_test": posthoc_test,
    "compare_scores": compare_scores,
    "mean_ranks": mean_ranks,
}


@pytest.mark.parametrize("name", CALLS)
def test_it_is_refused_with_row_and_column(name):
    with pytest.raises(ValueError, match=r"(?s)(?=.*d3)(?=.*B)(?=.*nan)"):
        CALLS[name](TABLE)


def test_the_row_is_left_out_where_asked_and_not_counted():
    # By hand: ranks of the four whole rows.
    assert mean_ranks(TABLE, nan_policy="omit") == {"A": 1.25, "B": 2.0, "C": 2.75}
    found = friedman_test(TABLE, method="chi2", nan_policy="omit")
    assert tuple(found) == pytest.approx((4.5, 0.10539922456186433), rel=1e-9)
    assert tuple(found.details["dropped"]) == ("d3",)
    after = posthoc_test(TABLE, nan_policy="omit")
    assert after.details["critical_difference"] == critical_difference(3, 4)


@FEW
@given(st.integers(0, 5), st.integers(0, 3), st.sampled_from(sorted(CALLS)))
def test_any_hole_is_named_and_the_other_rows_give_what_they_give_alone(row, column, name):
    whole = pd.DataFrame(
        [[0.1 * ((3 * i + 5 * j) % 7) for j in range(4)] for i in range(6)],
        index=[f"row{i}" for i in range(6)],
        columns=[f"column{j}" for j in range(4)],
    )
    holed = whole.copy()
    holed.iloc[row, column] = float("nan")
    with pytest.raises(ValueError, match=rf"(?s)(?=.*row{row})(?=.*column{column})"):
        CALLS[name](holed)
    ranks = mean_ranks(holed, nan_policy="omit")
    assert ranks == pytest.approx(mean_ranks(whole.drop(index=f"row{row}")))
    assert sum(ranks.values()) == pytest.approx(4 * 5 / 2)

"""Ranks and Friedman's test."""

import math
import warnings
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from skeval.comparison import friedman_test, mean_ranks
from skeval.comparison._ranks import check_score_table, rank_rows
from skeval.exceptions import DegenerateDataWarning, MissingScoreError
from tests.reference import load, number

DEMSAR = load("01_demsar2006.json")
PAPER, ROUNDED = (DEMSAR["expected"][name] for name in ("paper_ranks", "rounded_ranks"))

TIED = [[0.7, 0.7, 0.7]] * 4
TIES = [[0.80, 0.80, 0.70], [0.75, 0.70, 0.70], [0.90, 0.85, 0.80], [0.60, 0.65, 0.60]]
PERFECT = [[0.9, 0.8, 0.7]] * 4
HOLE = [
    [0.82, 0.80, 0.75],
    [0.90, 0.92, 0.85],
    [0.77, math.nan, 0.70],
    [0.70, 0.66, 0.68],
    [0.88, 0.84, 0.81],
]


def hole_frame():
    pandas = pytest.importorskip("pandas")
    return pandas.DataFrame(HOLE, index=["d1", "d2", "d3", "d4", "d5"], columns=["A", "B", "C"])


# --- Demsar's example ---


@pytest.mark.parametrize(
    ("expected", "scores", "greater_is_better"),
    [
        (PAPER, DEMSAR["inputs"]["published_ranks"], False),
        (ROUNDED, DEMSAR["inputs"]["auc"], True),
    ],
)
def test_demsar_2006(expected, scores, greater_is_better):
    def test(**options):
        return friedman_test(scores, greater_is_better=greater_is_better, **options)

    ranks = list(test().details["mean_ranks"].values())
    assert ranks == pytest.approx([number(rank) for rank in expected["average_ranks"]], rel=1e-12)
    plain, corrected = test(method="chi2", ties="ignore"), test(method="chi2")
    assert plain.statistic == pytest.approx(number(expected["chi2_F"]), rel=1e-12)
    assert plain.pvalue == pytest.approx(expected["p_chi2_F"], rel=1e-10)
    assert corrected.statistic == pytest.approx(number(expected["chi2_tie_corrected"]), rel=1e-12)
    assert corrected.pvalue == pytest.approx(expected["p_chi2_tie_corrected"], rel=1e-10)
    assert corrected.df == expected["df_chi2"]
    plain, corrected = test(method="iman-davenport", ties="ignore"), test(method="iman-davenport")
    assert plain.statistic == pytest.approx(number(expected["F_F"]), rel=1e-12)
    assert plain.pvalue == pytest.approx(expected["p_F_F"], rel=1e-10)
    assert corrected.statistic == pytest.approx(number(expected["F_tie_corrected"]), rel=1e-12)
    assert corrected.pvalue == pytest.approx(expected["p_F_tie_corrected"], rel=1e-10)
    assert corrected.df == tuple(expected["df_F"])


def test_published_figures_of_demsar():
    scores = -np.array(DEMSAR["inputs"]["published_ranks"])
    result = friedman_test(scores, method="iman-davenport", ties="ignore")
    assert round(result.details["chi2"], 2) == DEMSAR["expected"]["published"]["chi2_F"] == 9.28
    assert round(result.statistic, 2) == DEMSAR["expected"]["published"]["F_F"] == 3.69


# --- ties and degenerate tables ---


def test_all_tied_is_no_evidence():
    for method in ("auto", "exact", "chi2", "iman-davenport"):
        with pytest.warns(DegenerateDataWarning, match="tied"):
            result = friedman_test(TIED, method=method)
        assert tuple(result) == (0.0, 1.0)
        assert list(result.details["mean_ranks"].values()) == [2, 2, 2]


def test_partly_tied():
    result = friedman_test(TIES, method="chi2")
    assert list(result.details["mean_ranks"].values()) == [1.5, 1.75, 2.75]
    assert result.statistic == pytest.approx(56 / 13, rel=1e-12)
    assert result.pvalue == pytest.approx(0.1160370022477601, rel=1e-9)
    result = friedman_test(TIES, method="iman-davenport")
    assert result.statistic == pytest.approx(3.5, rel=1e-12)
    assert result.pvalue == pytest.approx(0.09831588529813383, rel=1e-9)


def test_perfectly_consistent_table():
    with pytest.warns(DegenerateDataWarning, match="ranks the methods identically"):
        exact = friedman_test(PERFECT)
    with pytest.warns(DegenerateDataWarning, match="ranks the methods identically"):
        chi2 = friedman_test(PERFECT, method="chi2")
    with pytest.warns(DegenerateDataWarning, match="ranks the methods identically"):
        f = friedman_test(PERFECT, method="iman-davenport")
    assert tuple(chi2) == pytest.approx((8.0, 0.01831563888873418), rel=1e-9)
    assert f.statistic == math.inf
    assert exact.pvalue == pytest.approx(1 / 216, rel=1e-12)
    assert f.pvalue == pytest.approx(1 / 216, rel=1e-12)


def test_perfectly_consistent_table_with_ties():
    # Three orders of a row with one tied pair: (1/3)^3.
    with pytest.warns(DegenerateDataWarning, match="ranks the methods identically"):
        result = friedman_test([[0.9, 0.9, 0.7]] * 4, method="iman-davenport")
    assert result.pvalue == pytest.approx(1 / 27, rel=1e-12)
    with pytest.warns(DegenerateDataWarning, match="ranks the methods identically"):
        assert friedman_test([[0.9, 0.9, 0.7]] * 4).pvalue == pytest.approx(1 / 27, rel=1e-12)


def test_pvalue_that_underflows_is_not_printed_as_zero():
    with pytest.warns(DegenerateDataWarning, match="ranks the methods identically"):
        result = friedman_test([list(range(10))] * 200)
    assert "p < 1e-300" in str(result)


def test_scores_that_tie_as_decimals_tie():
    row = np.array([[0.1 + 0.2, 0.3, 0.1]])
    assert rank_rows(row).tolist() == [[1.5, 1.5, 3.0]]
    assert rank_rows(row * 1e-8).tolist() == [[1.5, 1.5, 3.0]]
    assert rank_rows(row * 1e12).tolist() == [[1.5, 1.5, 3.0]]
    assert rank_rows(-row).tolist() == [[2.5, 2.5, 1.0]]
    assert rank_rows(np.zeros((1, 3))).tolist() == [[2.0, 2.0, 2.0]]


def test_rows_of_very_different_size_are_rounded_apart():
    ranks = rank_rows(np.array([[1e9, 2e9], [1e-9, 2e-9], [0.0, 1e-300]]))
    assert ranks.tolist() == [[2, 1], [2, 1], [2, 1]]


# --- the same answer in other clothes ---


@settings(deadline=None, max_examples=30)
@given(
    st.lists(st.lists(st.integers(0, 9), min_size=4, max_size=4), min_size=3, max_size=8).filter(
        lambda rows: any(len(set(row)) > 1 for row in rows) and len({tuple(row) for row in rows}) > 1
    )
)
def test_agrees_with_scipy_and_does_not_depend_on_order_or_direction(rows):
    scores = np.array(rows) / 10
    ranks = rank_rows(scores)
    if (ranks == ranks[0]).all():
        return
    result = friedman_test(scores, method="chi2")
    assert tuple(result) == pytest.approx(tuple(stats.friedmanchisquare(*scores.T)), rel=1e-9, abs=1e-12)
    for other in (scores[::-1], scores[:, ::-1], -scores, 1000 * scores + 7):
        assert tuple(friedman_test(other, method="chi2")) == pytest.approx(tuple(result), rel=1e-12)
    assert (
        friedman_test(-scores, greater_is_better=False).details["mean_ranks"]
        == (friedman_test(scores).details["mean_ranks"])
    )


def test_two_methods_are_a_sign_test():
    # 4 of 5 wins; all orders: P(at least 4 or at most 1 of 5) = 12/32.
    result = friedman_test([[1, 0], [1, 0], [1, 0], [1, 0], [0, 1]])
    assert result.pvalue == pytest.approx(12 / 32, rel=1e-12)


def test_containers_name_the_methods_and_do_not_change_the_result():
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    table = {"a": [row[0] for row in TIES], "b": [row[1] for row in TIES], "c": [row[2] for row in TIES]}
    expected = friedman_test(table)
    assert list(expected.details["mean_ranks"]) == ["a", "b", "c"]
    for frame in (pandas.DataFrame(table), polars.DataFrame(table), pandas.DataFrame(table, dtype="Float64")):
        assert friedman_test(frame) == expected
        assert friedman_test(frame).details == expected.details
    assert list(friedman_test(TIES).details["mean_ranks"]) == ["0", "1", "2"]
    assert tuple(friedman_test(TIES)) == tuple(expected)


def test_small_tables_are_exact_and_large_ones_iman_davenport():
    generator = np.random.default_rng(0)
    assert friedman_test(generator.random((14, 4))).method == "Friedman test (exact)"
    assert friedman_test(generator.random((14, 10))).method == "Friedman test (Iman-Davenport)"


# --- missing and bad scores ---


def test_missing_score_is_named():
    with pytest.raises(MissingScoreError, match=r"'B' on 'd3' is nan"):
        friedman_test(hole_frame())
    with pytest.raises(MissingScoreError, match=r"'1' on '2' is nan"):
        friedman_test(HOLE)


def test_omitting_drops_the_whole_data_set():
    result = friedman_test(hole_frame(), nan_policy="omit", method="chi2")
    assert (result.details["n_datasets"], result.details["dropped"]) == (4, ("d3",))
    assert list(result.details["mean_ranks"].values()) == [1.25, 2.0, 2.75]
    assert sum(result.details["mean_ranks"].values()) == 6
    assert tuple(result) == pytest.approx((4.5, 0.10539922456186433), rel=1e-9)


def test_missing_value_of_pandas_is_named_too():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"A": [0.1, 0.2, None], "B": [0.3, 0.1, 0.2]}, dtype="Float64")
    with pytest.raises(MissingScoreError, match="'A' on '2' is nan"):
        mean_ranks(frame)


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        ([0.1, 0.2], "must be a table"),
        ([[0.1], [0.2]], "at least 2 methods"),
        ([[0.1, 0.2]], "at least 2 data sets"),
        ([], "must be a table"),
        ({}, "must be a table"),
        ([[0.1, math.inf], [0.1, 0.2]], "finite, and up to 1e.60 in size, got inf of '1' on '0'"),
        ([[1e61, 0.1], [0.1, 0.2]], "up to 1e.60 in size, got 1e.61 of '0' on '0'"),
        ([["x", 0.1], ["y", 0.2]], "must hold numbers"),
        ({"a": [0.1, 0.2], "b": [0.1]}, "one score per data set for each method"),
    ],
)
def test_bad_tables_are_refused(scores, message):
    with pytest.raises(ValueError, match=message):
        check_score_table(scores)


def test_a_method_named_twice_is_refused():
    pandas = pytest.importorskip("pandas")
    with pytest.raises(ValueError, match="name each method once, got 'a' twice"):
        friedman_test(pandas.DataFrame(TIES, columns=["a", "b", "a"]))


def test_too_many_holes_leave_nothing():
    with pytest.raises(ValueError, match="at least 2 data sets without a missing score, got 1"):
        friedman_test([[0.1, math.nan], [0.1, 0.2]], nan_policy="omit")


@pytest.mark.parametrize(
    "columns",
    [
        {"A": 1, "B": 2},
        {"A": [[1, 2], [3, 4]], "B": [[1, 2], [3, 4]]},
        {"A": [1, 2], "B": [[1, 2], [3, 4]]},
    ],
)
def test_a_method_has_one_score_per_data_set(columns):
    with pytest.raises(ValueError, match=r"one score per data set for each method, got columns of shape"):
        mean_ranks(columns)


def test_an_iterator_is_no_column_and_no_table():
    with pytest.raises(ValueError, match=r"scores\['A'\] must hold numbers, got <generator"):
        mean_ranks({"A": (score for score in (1, 2)), "B": [1, 2]})
    with pytest.raises(ValueError, match=r"scores must hold numbers, got <generator"):
        mean_ranks(score for score in (1, 2))


@pytest.mark.parametrize("values", [["x", "y"], ["0.1", "0.2"]])
@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_a_column_of_text_belongs_into_the_index(library, values):
    frame = pytest.importorskip(library).DataFrame({"name": values, "A": [0.1, 0.2], "B": [0.3, 0.1]})
    with pytest.raises(ValueError, match=r"must hold numbers.*names of data sets belong into the index"):
        mean_ranks(frame)


MASKED = np.ma.masked_array([[0.9, 0.8], [0.7, 0.6], [0.5, 0.4]], mask=[[0, 0], [0, 1], [0, 0]])


@pytest.mark.filterwarnings("ignore:Every data set ranks the methods identically")
@pytest.mark.parametrize("table", [MASKED, list(MASKED), {"0": MASKED[:, 0], "1": MASKED[:, 1]}])
def test_a_masked_score_is_missing(table):
    with pytest.raises(MissingScoreError, match="score of '1' on '1' is nan"):
        friedman_test(table)
    with pytest.raises(MissingScoreError, match="score of '1' on '1' is nan"):
        mean_ranks(table)
    assert friedman_test(table, nan_policy="omit").details["dropped"] == ("1",)


@pytest.mark.filterwarnings("ignore:Every data set ranks the methods identically")
def test_series_are_not_paired_by_position_against_their_index():
    pandas = pytest.importorskip("pandas")
    first = pandas.Series([0.9, 0.8, 0.7, 0.6, 0.5], index=list("abcde"))
    second = pandas.Series([0.45, 0.55, 0.65, 0.75, 0.85], index=list("edcba"))
    for other in (second, second.rename(index={"a": "f"})):
        with pytest.raises(ValueError, match=r"scores\['B'\] and scores\['A'\] must have one index"):
            friedman_test({"A": first, "B": other})
    by_name = friedman_test({"A": first, "B": second[::-1]})
    assert by_name == friedman_test(pandas.DataFrame({"A": first, "B": second}))
    with pytest.raises(MissingScoreError, match="'A' on 'c' is nan"):
        friedman_test({"A": first.where(first != 0.7), "B": second[::-1]})


def test_arrays_of_pandas_have_no_index():
    pandas = pytest.importorskip("pandas")
    columns = {"A": pandas.Index([0.9, 0.8]), "B": pandas.array([0.7, 0.8]), "C": [0.1, 0.2]}
    assert mean_ranks(columns) == {"A": 1.25, "B": 1.75, "C": 3.0}


def test_the_smallest_numbers_have_ranks():
    # 1e-323 > 5e-324 > 0, the smallest numbers that floats have.
    scores = [[5e-324, 0, 1e-323], [5e-324, 0, 1e-323], [1, 2, 3]]
    assert mean_ranks(scores) == {"0": pytest.approx(7 / 3), "1": pytest.approx(8 / 3), "2": 1.0}
    assert rank_rows(np.array([[1.5e-310, 1.5e-310, 2.5e-310]])).tolist() == [[2.5, 2.5, 1.0]]


def test_the_largest_numbers_have_ranks():
    assert mean_ranks([[1e60, 0], [-1, -1e60]]) == {"0": 1.0, "1": 2.0}


def test_unknown_options_are_refused():
    for options in ({"method": "f"}, {"ties": "average"}, {"nan_policy": "drop"}):
        with pytest.raises(ValueError, match=f"{next(iter(options))} must be one of"):
            friedman_test(TIES, **options)


def test_on_a_tiny_table_only_the_exact_test_keeps_its_level():
    # All 36 pairs of further rankings beside a first one are equally probable: 7/36 is the 19 % of the docs.
    orders = list(permutations(range(3)))
    rejected = dict.fromkeys(("exact", "iman-davenport"), 0)
    for rows in product(orders, orders):
        for method in rejected:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", DegenerateDataWarning)
                rejected[method] += friedman_test([orders[0], *rows], method=method).pvalue <= 0.05
    assert rejected == {"exact": 1, "iman-davenport": 7}


def test_mean_ranks_by_name():
    assert mean_ranks({"a": [0.9, 0.8], "b": [0.7, 0.8]}) == {"a": 1.25, "b": 1.75}
    assert mean_ranks({"a": [0.9, 0.8], "b": [0.7, 0.8]}, greater_is_better=False) == {"a": 1.75, "b": 1.25}

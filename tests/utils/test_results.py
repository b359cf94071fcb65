"""What tests and intervals return."""

import math
import pickle
import sys
from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from skeval.utils._pairwise import PairwiseResult, not_different
from skeval.utils._results import ConfidenceInterval, PosteriorResult, TestResult, format_pvalue

RESULT = TestResult(
    2.0,
    0.0765,
    df=9,
    estimate=0.04,
    standard_error=0.02,
    method="some t-test",
    hypothesis="a < b",
    statistic_name="t",
    details={"n": 10},
)


def pairwise(pvalue, **fields):
    names = ("w", "x", "y", "z")
    pairs = (("w", "x"), ("w", "y"), ("w", "z"), ("x", "y"), ("x", "z"), ("y", "z"))
    filler = np.zeros(6)
    return PairwiseResult(
        names, pairs, filler, filler, filler, np.array(pvalue), method="some test", **fields
    )


# --- one test ---


def test_unpacks_as_statistic_and_pvalue():
    statistic, pvalue = RESULT
    assert (statistic, pvalue) == (2.0, 0.0765)


def test_prints_one_readable_sentence():
    assert str(RESULT) == "some t-test: t(9) = 2, p = 0.0765 (two-sided), estimate 0.04. H0: a < b."
    two = TestResult(1.5, 0.3, df=(10.0, 5.0), method="some F-test", statistic_name="F", hypothesis="equal")
    assert str(two) == "some F-test: F(10, 5) = 1.5, p = 0.3 (two-sided). H0: equal."


@pytest.mark.parametrize(
    ("pvalue", "text"),
    [
        (0.01234, "p = 0.0123"),
        (1e-299, "p = 1e-299"),
        (0.0, "p < 1e-300"),
        (math.nan, "p undefined"),
        (1.0, "p = 1"),
    ],
)
def test_pvalue_is_never_printed_as_zero(pvalue, text):
    assert format_pvalue(pvalue) == text


def test_interval_is_that_of_student_and_follows_the_alternative():
    half = stats.t.ppf(0.975, 9) * 0.02
    assert tuple(RESULT.confidence_interval()) == pytest.approx((0.04 - half, 0.04 + half))
    one_sided = stats.t.ppf(0.95, 9) * 0.02
    greater = TestResult(2.0, 0.04, df=9, estimate=0.04, standard_error=0.02, alternative="greater")
    less = TestResult(2.0, 0.96, df=9, estimate=0.04, standard_error=0.02, alternative="less")
    assert tuple(greater.confidence_interval()) == pytest.approx((0.04 - one_sided, math.inf))
    assert tuple(less.confidence_interval()) == pytest.approx((-math.inf, 0.04 + one_sided))


def test_interval_has_fields_and_plain_floats():
    interval = RESULT.confidence_interval(0.9)
    assert isinstance(interval, ConfidenceInterval)
    assert (type(interval.low), type(interval.high)) == (float, float)


def test_test_without_an_effect_has_no_interval():
    with pytest.raises(ValueError, match="The some test has no confidence interval"):
        TestResult(1.0, 0.5, method="some test").confidence_interval()


@pytest.mark.parametrize("level", [0, 1, 95, -0.5])
def test_level_must_lie_between_zero_and_one(level):
    with pytest.raises(ValueError, match="confidence_level must be a number in"):
        RESULT.confidence_interval(level)


def test_frame_has_one_row():
    pytest.importorskip("pandas")
    frame = RESULT.frame()
    assert len(frame) == 1
    assert frame["pvalue"].tolist() == [0.0765]
    assert "<table" in RESULT._repr_html_()
    assert "a &lt; b" in RESULT._repr_html_()


def test_is_frozen_pickles_and_compares_without_its_details():
    with pytest.raises(FrozenInstanceError, match="cannot assign"):
        RESULT.pvalue = 0.01
    assert pickle.loads(pickle.dumps(RESULT)) == RESULT
    assert TestResult(1.0, 0.5, details={"table": np.eye(2)}) == TestResult(1.0, 0.5)


# --- pairs ---


@pytest.mark.parametrize(
    ("pvalue", "alpha", "groups"),
    [
        # Interleaved, not contiguous in mean rank.
        ([0.001, 0.30, 0.001, 0.001, 0.40, 0.001], 0.05, [("w", "y"), ("x", "z")]),
        # w and x exactly at alpha are different.
        ([0.05, 0.001, 0.001, 0.001, 0.001, 0.20], 0.05, [("y", "z")]),
        ([0.05, 0.001, 0.001, 0.001, 0.001, 0.20], 0.01, [("w", "x"), ("y", "z")]),
        ([1.0] * 6, 0.05, [("w", "x", "y", "z")]),
        ([0.001] * 6, 0.05, []),
    ],
)
def test_groups_are_the_largest_sets_without_a_difference(pvalue, alpha, groups):
    assert pairwise(pvalue, mean_ranks=np.array([1.0, 2.0, 3.0, 4.0])).groups(alpha) == groups


def test_a_missing_pvalue_forms_no_group():
    with pytest.raises(ValueError, match="pair 'w', 'x' is nan"):
        pairwise([math.nan, 0.001, 0.001, 0.001, 0.001, 0.2]).groups()


@settings(deadline=None, max_examples=50)
@given(st.lists(st.booleans(), min_size=10, max_size=10))
def test_groups_are_maximal_and_cover_every_pair_that_is_not_different(joined):
    names = tuple("abcde")
    pairs = tuple((a, b) for place, a in enumerate(names) for b in names[place + 1 :])
    groups = [set(group) for group in not_different(names, pairs, np.array(joined) * 1.0, 0.05)]
    alike = {frozenset(pair) for pair, same in zip(pairs, joined, strict=True) if same}
    assert {frozenset((a, b)) for group in groups for a in group for b in group if a != b} == alike
    assert not any(one < other for one in groups for other in groups)
    for group in groups:
        outside = set(names) - group
        assert not any(all(frozenset((name, member)) in alike for member in group) for name in outside)


def test_matrix_is_symmetric_and_nan_where_not_compared():
    matrix = pairwise([0.1, 0.2, 0.3, 0.4, 0.5, 0.6]).pvalue_matrix()
    assert matrix.tolist() == [[1, 0.1, 0.2, 0.3], [0.1, 1, 0.4, 0.5], [0.2, 0.4, 1, 0.6], [0.3, 0.5, 0.6, 1]]
    one = np.array([0.5])
    control = PairwiseResult(("a", "b", "c"), (("a", "c"),), one, one, one, one, control="c")
    assert np.isnan(control.pvalue_matrix()[0, 1])


def test_pairwise_result_prints_tabulates_and_pickles():
    pytest.importorskip("pandas")
    result = pairwise([0.01, 0.2, 0.3, 0.4, 0.5, 0.6])
    assert str(result) == "some test: 1 of 6 pairs are different at alpha = 0.05 (4 methods)."
    assert result.frame()["a"].tolist() == ["w", "w", "w", "x", "x", "y"]
    assert "<table" in result._repr_html_()
    assert pickle.loads(pickle.dumps(result)).groups() == result.groups()
    assert result == result
    assert result != pairwise([0.01, 0.2, 0.3, 0.4, 0.5, 0.6])


def with_errors(**fields):
    numbers = np.array([0.1, -1e-7])
    return PairwiseResult(
        ("a_1", "b", "c"),
        (("a_1", "b"), ("a_1", "c")),
        numbers,
        numbers,
        np.array([0.04, 1e-320]),
        np.array([0.08, 2e-320]),
        method="some t-test",
        standard_error=np.array([0.05, 0.2]),
        df=np.array([9.0, np.inf]),
        **fields,
    )


def test_pairs_have_intervals_by_student_and_by_the_normal():
    result = with_errors()
    half = stats.t.ppf(0.975, 9) * 0.05, stats.norm.ppf(0.975) * 0.2
    expected = [[0.1 - half[0], 0.1 + half[0]], [-1e-7 - half[1], -1e-7 + half[1]]]
    assert result.confidence_intervals() == pytest.approx(np.array(expected))
    together = stats.t.ppf(1 - 0.025 / 2, 9) * 0.05
    assert result.confidence_intervals(simultaneous=True)[0] == pytest.approx(
        [0.1 - together, 0.1 + together]
    )
    assert with_errors(limits=(-0.1, 0.1)).confidence_intervals().tolist()[1] == [-0.1, 0.1]
    with pytest.raises(ValueError, match="confidence_level must be a number in"):
        result.confidence_intervals(95)
    with pytest.raises(ValueError, match="The some test has no confidence intervals"):
        pairwise([0.1] * 6).confidence_intervals()


def test_table_of_pairs_has_intervals_and_further_columns_where_there_are_any():
    pytest.importorskip("pandas")
    frame = with_errors(per_pair={"wins": np.array([3, 1])}).frame(confidence_level=0.9)
    assert list(frame) == [
        "a", "b", "estimate", "standard_error", "low", "high", "statistic", "raw_pvalue", "pvalue", "wins"
    ]  # fmt: skip
    assert frame["low"].tolist() == with_errors().confidence_intervals(0.9)[:, 0].tolist()
    assert list(pairwise([0.1] * 6).frame()) == ["a", "b", "estimate", "statistic", "raw_pvalue", "pvalue"]


def test_pairs_as_a_latex_table():
    table = with_errors(per_pair={"wins": np.array([3, 1])}).latex().splitlines()
    assert table[0] == r"\begin{tabular}{llrrrrrrrr}"
    assert table[2].startswith(r"a & b & estimate & standard\_error & low & high")
    assert table[4].startswith(r"a\_1 & b & $0.1$ & $0.05$ & $-0.01311$ & $0.2131$")
    assert table[4].endswith(r"$0.04$ & $0.08$ & $3$ \\")
    assert table[5].startswith(
        r"\textbf{\boldmath a\_1} & \textbf{\boldmath c} & \textbf{\boldmath $-10^{-7}$}"
    )
    assert "$<10^{-300}$" in table[5]
    assert table[-2:] == [r"\bottomrule", r"\end{tabular}"]
    assert r"\textbf" not in with_errors().latex(alpha=1e-321)


def test_pairs_as_html_agree_with_their_groups():
    shown = with_errors(explanation="Because <so>.")._repr_html_()
    assert "<p>Because &lt;so&gt;.</p>" in shown
    assert "<p>Not different from each other: a_1, b.</p>" in shown
    assert shown.count("font-weight: bold") == 1
    assert "<td>&lt; 1e-300</td>" in shown
    with_control = with_errors(control="a_1")._repr_html_()
    assert "Not different" not in with_control


def test_html_needs_no_pandas(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    assert "<table>" in with_errors()._repr_html_()
    assert "<table>" in RESULT._repr_html_()


def test_a_long_table_is_cut_in_html():
    names = tuple(f"m{where}" for where in range(20))
    pairs = tuple((a, b) for place, a in enumerate(names) for b in names[place + 1 :])
    filler = np.ones(len(pairs))
    shown = PairwiseResult(names, pairs, filler, filler, filler, filler)._repr_html_()
    assert "The first 100 of 190 pairs" in shown
    assert shown.count("<tr") == 101


# --- LaTeX ---


def test_a_test_as_a_latex_row():
    assert RESULT.latex() == (r"some t-test & t(9) = $2$ & $p = 0.0765$ & $0.04$ & $[-0.005243, 0.08524]$ \\")
    tiny = TestResult(50.0, 1e-310, method="5 % of_all", statistic_name="chi2", df=1)
    assert tiny.latex() == r"5 \% of\_all & chi2(1) = $50$ & $p < 10^{-300}$ &  &  \\"
    infinite = TestResult(math.inf, 0.2, statistic_name="F", method="a")
    assert r"F = $\infty$" in infinite.latex()


def test_html_of_a_test_shows_its_interval_and_the_log_of_a_tiny_pvalue():
    assert "<td>[-0.005243, 0.08524]</td>" in RESULT._repr_html_()
    tiny = TestResult(50.0, 0.0, method="z", details={"log_pvalue": -1234.5})
    assert "log p" in tiny._repr_html_()
    assert "-1234" in tiny._repr_html_()
    assert "log p" not in TestResult(1.0, 0.5, details={"log_pvalue": -0.69})._repr_html_()


def test_a_posterior_as_a_latex_row():
    result = PosteriorResult(0.7, 0.2, 0.1, estimate=0.02, rope=0.01, method="some posterior")
    assert result.latex() == r"some posterior & $0.7$ & $0.2$ & $0.1$ & $0.02$ & $0.01$ \\"


# --- posterior ---


def test_posterior_prints_tabulates_and_has_no_interval_by_itself():
    pytest.importorskip("pandas")
    result = PosteriorResult(0.7, 0.2, 0.1, estimate=0.02, rope=0.01, method="some posterior")
    assert str(result) == (
        "some posterior: P(first better) = 0.7, P(difference within 0.01) = 0.2, P(second better) = 0.1."
    )
    assert result.frame()["equivalent"].tolist() == [0.2]
    assert "<table" in result._repr_html_()
    with pytest.raises(ValueError, match="no credible interval"):
        result.credible_interval()

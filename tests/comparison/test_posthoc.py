"""Comparisons of mean ranks."""

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, stats

from skeval.comparison import (
    adjust_pvalues,
    critical_difference,
    friedman_test,
    posthoc_test,
    wilcoxon_test,
)
from skeval.comparison._posthoc import METHODS
from skeval.comparison._rank_pairs import largest_isf, largest_sf
from skeval.exceptions import DegenerateDataWarning, MissingScoreError
from tests.reference import load, number

DEMSAR = load("01_demsar2006.json")
GARCIA = load("02_garcia_herrera2008.json")
WITH_CONTROL = (
    "bonferroni",
    "holm",
    "hochberg",
    "hommel",
    "holland",
    "finner",
    "rom",
    "li",
    "benjamini-hochberg",
    "wilcoxon-holm",
)
NAMES = DEMSAR["inputs"]["algorithms"]
CRITICAL = DEMSAR["expected"]["critical"]
TABLES = {
    "paper_ranks": (DEMSAR["inputs"]["published_ranks"], False),
    "rounded_ranks": (DEMSAR["inputs"]["auc"], True),
}

# Ten data sets, four methods; the expected p-values are of the studentized range at infinity.
SCORES = np.array(
    [
        [0.9, 0.7, 0.8, 0.6],
        [0.8, 0.9, 0.7, 0.6],
        [0.9, 0.8, 0.7, 0.6],
        [0.9, 0.8, 0.6, 0.7],
        [0.9, 0.8, 0.7, 0.6],
        [0.9, 0.8, 0.6, 0.7],
        [0.8, 0.9, 0.7, 0.6],
        [0.9, 0.7, 0.8, 0.6],
        [0.9, 0.8, 0.6, 0.7],
        [0.7, 0.8, 0.9, 0.6],
    ]
)
FOUR = dict(zip("ABCD", SCORES.T, strict=True))
PVALUES = {
    "AB": 0.7263486,
    "AC": 0.0462677,
    "AD": 0.000394619,
    "BC": 0.4023760,
    "BD": 0.0170561,
    "CD": 0.5083532,
}


# --- Demsar's example ---


@pytest.mark.parametrize("name", TABLES)
def test_nemenyi_equals_that_of_r(name):
    scores, greater_is_better = TABLES[name]
    expected = DEMSAR["expected"][name]
    table = dict(zip(NAMES, np.transpose(scores), strict=True))
    result = posthoc_test(table, greater_is_better=greater_is_better)
    assert [f"{a} vs {b}" for a, b in result.pairs] == list(expected["z_all_pairs"])
    # The reference subtracts the other way round: the first mean rank less the second.
    assert -result.statistic == pytest.approx(list(expected["z_all_pairs"].values()), rel=1e-10)
    assert result.pvalue == pytest.approx(list(expected["nemenyi_p_studentized_range"].values()), abs=1e-6)
    assert result.details["critical_difference"] == pytest.approx(CRITICAL["nemenyi_CD"]["0.05"], rel=1e-6)
    assert result.details["standard_error"] == pytest.approx(CRITICAL["SE"], rel=1e-12)


@pytest.mark.parametrize("name", TABLES)
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
def test_comparisons_with_a_control_equal_those_of_r(name, method, column):
    scores, greater_is_better = TABLES[name]
    expected = DEMSAR["expected"][name]["control_C4.5"]
    table = dict(zip(NAMES, np.transpose(scores), strict=True))
    result = posthoc_test(table, method=method, control="C4.5", greater_is_better=greater_is_better)
    assert [a for a, _ in result.pairs] == expected["order"]
    assert {b for _, b in result.pairs} == {"C4.5"} == {result.control}
    assert result.statistic == pytest.approx(expected["z"], rel=1e-10)
    assert result.raw_pvalue == pytest.approx(expected["p"], rel=1e-10)
    assert result.pvalue == pytest.approx(expected[column], rel=1e-10)


def test_bonferroni_dunn_critical_difference():
    result = posthoc_test(DEMSAR["inputs"]["auc"], method="bonferroni", control=0)
    assert result.details["critical_difference"] == pytest.approx(
        CRITICAL["bonferroni_dunn_CD"]["0.05"], rel=1e-9
    )


# --- critical difference ---


@pytest.mark.parametrize("alpha", ["0.05", "0.10"])
def test_critical_difference_of_demsar(alpha):
    assert critical_difference(4, 14, alpha=float(alpha)) == pytest.approx(
        CRITICAL["nemenyi_CD"][alpha], rel=1e-6
    )


@pytest.mark.parametrize(
    ("n_methods", "n_datasets", "alpha", "expected"),
    [
        (4, 10, 0.05, 1.4832311854),
        (2, 10, 0.05, 0.6197950323),
        (5, 12, 0.07, 1.6794427136),
        (30, 20, 0.05, 10.4355989621),
    ],
)
def test_critical_difference_of_any_size_and_level(n_methods, n_datasets, alpha, expected):
    assert critical_difference(n_methods, n_datasets, alpha=alpha) == pytest.approx(expected, rel=1e-9)


def test_two_methods_use_the_normal_quantile():
    assert critical_difference(2, 9) == pytest.approx(stats.norm.ppf(0.975) / 3, rel=1e-12)


@pytest.mark.parametrize("alpha", [0, 1, -0.1, 1.5, 0.0])
def test_level_outside_zero_and_one_is_refused(alpha):
    with pytest.raises(ValueError, match="alpha must be a number in"):
        critical_difference(4, 10, alpha=alpha)


def test_sizes_too_small_are_refused():
    with pytest.raises(ValueError, match="n_methods must be an integer not less than 2"):
        critical_difference(1, 10)
    with pytest.raises(ValueError, match="n_datasets must be an integer not less than 1"):
        critical_difference(3, 0)


# --- pairs, groups and figures agree ---


def test_four_methods_on_ten_data_sets():
    result = posthoc_test(FOUR)
    assert result.mean_ranks.tolist() == [1.4, 2.0, 2.9, 3.7]
    assert ["".join(pair) for pair in result.pairs] == list(PVALUES)
    assert result.pvalue == pytest.approx(list(PVALUES.values()), abs=1e-6)
    assert result.groups(0.05) == [("A", "B"), ("B", "C"), ("C", "D")]
    friedman = friedman_test(FOUR, method="iman-davenport")
    assert friedman.details["chi2"] == pytest.approx(18.36, rel=1e-12)
    assert friedman.statistic == pytest.approx(14.195876288659822, rel=1e-12)


@settings(deadline=None, max_examples=40)
@given(
    rows=st.lists(st.permutations(range(5)), min_size=3, max_size=20),
    alpha=st.sampled_from([0.01, 0.05, 0.1, 0.3]),
)
def test_critical_difference_pvalues_and_groups_agree(rows, alpha):
    result = posthoc_test(rows)
    apart = np.abs(result.estimate) >= critical_difference(5, len(rows), alpha=alpha)
    assert (apart == (result.pvalue <= alpha)).all()
    joined = {
        frozenset(pair) for pair, value in zip(result.pairs, result.pvalue, strict=True) if value > alpha
    }
    grouped = {frozenset((a, b)) for group in result.groups(alpha) for a in group for b in group if a != b}
    assert grouped == joined


@pytest.mark.parametrize("method", ["nemenyi", "holm", "bonferroni"])
def test_turning_the_direction_turns_the_sign_and_keeps_p(method):
    one, other = (posthoc_test(sign * SCORES, method=method) for sign in (1, -1))
    assert one.statistic == pytest.approx(-other.statistic)
    assert one.pvalue == pytest.approx(other.pvalue)
    losses = posthoc_test(-SCORES, method=method, greater_is_better=False)
    assert losses.pvalue.tolist() == one.pvalue.tolist()


def test_order_of_methods_does_not_matter():
    names = dict(zip(("d", "b", "a", "c"), SCORES.T, strict=True))
    turned = dict(reversed(names.items()))
    one, other = posthoc_test(names), posthoc_test(turned)
    assert one.groups() == other.groups()
    lookup = {frozenset(pair): p for pair, p in zip(other.pairs, other.pvalue, strict=True)}
    assert [lookup[frozenset(pair)] for pair in one.pairs] == pytest.approx(one.pvalue.tolist())


def test_an_extreme_pvalue_is_not_zero():
    result = posthoc_test([[2, 1, 0]] * 200)
    assert 0 < result.pvalue.min() < 1e-80


def test_all_tied_leaves_no_difference():
    result = posthoc_test([[0.7, 0.7, 0.7]] * 4)
    assert result.pvalue.tolist() == [1.0, 1.0, 1.0]
    assert result.groups() == [("0", "1", "2")]
    with pytest.warns(DegenerateDataWarning, match="tied"):
        friedman_test([[0.7, 0.7, 0.7]] * 4)


def test_two_methods_are_one_pair():
    result = posthoc_test(SCORES[:, :2])
    assert result.pvalue == pytest.approx(2 * stats.norm.sf(np.abs(result.statistic)))


# --- control and missing scores ---


def test_groups_are_unknown_with_a_control():
    with pytest.raises(ValueError, match=r"groups\(\) needs all pairs"):
        posthoc_test(FOUR, method="holm", control="A").groups()


def test_unknown_control_and_method_are_refused():
    with pytest.raises(
        ValueError, match=r"control must be one of the methods \['A', 'B', 'C', 'D'\], got 'E'"
    ):
        posthoc_test(FOUR, method="holm", control="E")
    with pytest.raises(ValueError, match="method='nemenyi' compares all pairs"):
        posthoc_test(FOUR, control="A")
    with pytest.raises(ValueError, match="method must be one of 'nemenyi', 'bonferroni', 'holm'"):
        posthoc_test(FOUR, method="tukey")


def test_missing_score_is_named_or_its_data_set_omitted():
    holed = SCORES.copy()
    holed[4, 1] = np.nan
    with pytest.raises(MissingScoreError, match="'1' on '4' is nan"):
        posthoc_test(holed)
    result = posthoc_test(holed, nan_policy="omit")
    assert (result.details["n_datasets"], result.details["dropped"]) == (9, ("4",))
    assert result.mean_ranks.sum() == pytest.approx(10)
    assert result.details["critical_difference"] == critical_difference(4, 9)


def test_result_pickles():
    result = posthoc_test(FOUR)
    assert pickle.loads(pickle.dumps(result)).groups() == result.groups()


def test_published_holm_steps_of_demsar():
    steps = {step["classifier"]: step for step in DEMSAR["expected"]["published"]["holm_steps"]}
    table = dict(zip(NAMES, -np.transpose(DEMSAR["inputs"]["published_ranks"]), strict=True))
    result = posthoc_test(table, method="holm", control="C4.5")
    for (name, _), z, p in zip(result.pairs, result.statistic, result.pvalue, strict=True):
        assert z == pytest.approx(steps[name]["z"], abs=0.001)
        assert (p <= 0.05) == steps[name]["reject"]
    assert number(DEMSAR["expected"]["paper_ranks"]["average_ranks"][0]) == pytest.approx(
        result.mean_ranks[0]
    )


# --- Garcia and Herrera's example ---


@pytest.mark.parametrize(
    ("method", "column"),
    [
        ("nemenyi", "nemenyi_studentized_range"),
        ("bonferroni", "bonferroni (G&H call it Nemenyi)"),
        ("holm", "holm"),
        ("hochberg", "hochberg"),
        ("hommel", "hommel"),
        ("shaffer", "shaffer_static"),
        ("bergmann-hommel", "bergmann_hommel_running_max (scmamp)"),
    ],
)
def test_all_pairs_of_garcia_and_herrera(method, column):
    names, expected = GARCIA["inputs"]["algorithms"], GARCIA["expected"]
    table = dict(zip(names, np.transpose(GARCIA["inputs"]["accuracy"]), strict=True))
    result = posthoc_test(table, method=method)
    assert [f"{a} vs {b}" for a, b in result.pairs] == list(expected["z"])
    assert result.mean_ranks == pytest.approx([number(r) for r in expected["average_ranks"].values()])
    assert -result.statistic == pytest.approx(list(expected["z"].values()), rel=1e-10)
    assert result.raw_pvalue == pytest.approx(list(expected["p_unadjusted"].values()), rel=1e-10)
    assert result.pvalue == pytest.approx(list(expected["adjusted"][column].values()), rel=1e-7)
    if method == "bergmann-hommel":
        defined = list(expected["adjusted"]["bergmann_hommel_by_definition"].values())
        assert result.details["by_definition"] == pytest.approx(defined, rel=1e-10)


# --- every method ---


@pytest.mark.parametrize("method", METHODS)
def test_every_method_compares_two_methods(method):
    result = posthoc_test(SCORES[:, :2], method=method)
    assert len(result.pairs) == 1
    assert 0 < result.pvalue[0] <= 1
    assert result.details["n_datasets"] == 10


@pytest.mark.parametrize("method", METHODS)
def test_every_method_is_monotone_and_never_above_one(method):
    result = posthoc_test(np.random.default_rng(0).normal([0, 0, 0.5, 1, 2], size=(12, 5)), method=method)
    ordered = result.pvalue[np.argsort(result.raw_pvalue, kind="stable")]
    assert (np.diff(ordered) >= 0).all()
    assert (result.pvalue <= 1).all()
    assert (result.pvalue >= result.raw_pvalue * (1 - 1e-12)).all()


@pytest.mark.parametrize("method", [m for m in METHODS if m not in WITH_CONTROL and m != "mcb"])
def test_methods_for_all_pairs_take_no_control(method):
    with pytest.raises(ValueError, match=f"method='{method}' compares all pairs: leave control out"):
        posthoc_test(FOUR, method=method, control="A")


@pytest.mark.parametrize("method", WITH_CONTROL)
def test_methods_for_a_control_adjust_for_fewer_pairs(method):
    with_control = posthoc_test(FOUR, method=method, control="A")
    assert [first for first, _ in with_control.pairs] == ["B", "C", "D"]
    pairs = posthoc_test(FOUR, method=method)
    raw = dict(zip(pairs.pairs, pairs.raw_pvalue, strict=True))
    expected = [raw["A", other] for other in "BCD"]
    assert with_control.raw_pvalue == pytest.approx(expected)
    adjust = method.removeprefix("wilcoxon-")
    assert with_control.pvalue == pytest.approx(adjust_pvalues(expected, method=adjust))


# --- Conover ---


def test_conover_t_from_rank_sums():
    # Conover (1999): t = (R_b - R_a)/sqrt(2(N A - sum R^2)/((N - 1)(k - 1))), worked by hand:
    # rank sums 14, 20, 29, 37; A = 10 x 30 = 300; 2(3000 - 2806)/27 = 388/27.
    result = posthoc_test(FOUR, method="conover")
    t = np.array([6, 15, 23, 9, 17, 8]) / np.sqrt(388 / 27)
    assert result.statistic == pytest.approx(t, rel=1e-12)
    assert result.df.tolist() == [27] * 6
    raw = 2 * stats.t.sf(t, 27)
    assert result.raw_pvalue == pytest.approx(raw, rel=1e-12)
    assert result.pvalue == pytest.approx(adjust_pvalues(raw, method="holm"), rel=1e-12)
    low, high = result.confidence_intervals()[0]
    half = stats.t.ppf(0.975, 27) * np.sqrt(388 / 27) / 10
    assert (low, high) == pytest.approx((0.6 - half, 0.6 + half))


def test_conover_accounts_for_ties():
    # Rows 1.5 1.5 3 and 2 2 2 and 1 2 3: rank sums 4.5, 5.5, 8; A = 13.5 + 12 + 14 = 39.5.
    scores = [[0.8, 0.8, 0.7], [0.5, 0.5, 0.5], [0.9, 0.8, 0.7]]
    result = posthoc_test(scores, method="conover")
    error = np.sqrt(2 * (3 * 39.5 - (4.5**2 + 5.5**2 + 8**2)) / 4)
    assert result.statistic == pytest.approx(np.array([1, 3.5, 2.5]) / error, rel=1e-12)


def test_conover_flags_a_perfect_ordering():
    with pytest.warns(DegenerateDataWarning, match="ranks the methods identically"):
        result = posthoc_test([[0.9, 0.8, 0.7]] * 4, method="conover")
    assert result.statistic.tolist() == [np.inf] * 3
    assert result.raw_pvalue == pytest.approx([1 / 216] * 3)  # (3!)^-3
    with pytest.warns(DegenerateDataWarning, match="ranks the methods identically"):
        tied = posthoc_test([[0.9, 0.9, 0.7]] * 4, method="conover")
    assert tied.statistic.tolist() == [0.0, np.inf, np.inf]
    assert tied.raw_pvalue == pytest.approx([1, 1 / 27, 1 / 27])  # three orders of a row


def test_conover_on_a_table_without_any_difference():
    with pytest.warns(DegenerateDataWarning, match="All methods are tied on every data set"):
        result = posthoc_test([[0.7, 0.7, 0.7]] * 4, method="conover")
    assert result.pvalue.tolist() == [1.0, 1.0, 1.0]


# --- the best against the rest ---


def test_comparison_with_the_best_uses_one_sided_dunnett():
    # Dunnett's one-sided critical values at 5 %, infinite degrees of freedom, 1 to 4 and 9 comparisons.
    published = {2: 1.64, 3: 1.92, 4: 2.06, 5: 2.16, 10: 2.42}
    for k, critical in published.items():
        found = largest_isf(0.05, k) / 2**0.5
        assert found == pytest.approx(critical, abs=0.005)
        assert largest_sf(np.array(2**0.5 * found), k) == pytest.approx(0.05, rel=1e-9)


def test_comparison_with_the_best_of_four():
    result = posthoc_test(FOUR, method="mcb")
    assert result.control == "A"
    assert result.pairs == (("B", "A"), ("C", "A"), ("D", "A"))
    z = -np.array([0.6, 1.5, 2.3]) / np.sqrt(4 * 5 / 60)
    assert result.statistic == pytest.approx(z)
    # P(the largest of three others exceeds one by so much), by numerical integration elsewhere.
    expected = [
        integrate.quad(lambda x, s=s: stats.norm.pdf(x) * (1 - stats.norm.cdf(x - 2**0.5 * s) ** 3), -9, 9)[0]
        for s in z
    ]
    assert result.pvalue == pytest.approx(expected, abs=1e-9)
    critical = result.details["critical_difference"]
    assert ((result.pvalue <= 0.05) == (-result.estimate >= critical)).all()
    # The lead over the best of the others: of the best it may be above 0, of the others it is not.
    low, high = result.details["intervals"]["A"]
    assert (low, high) == pytest.approx((min(0, 0.6 - critical), 0.6 + critical))
    assert result.details["intervals"]["D"] == pytest.approx((-2.3 - critical, max(0, -2.3 + critical)))


def test_the_best_is_found_and_not_named():
    with pytest.raises(ValueError, match="compares with the best method, which it finds"):
        posthoc_test(FOUR, method="mcb", control="A")


def test_two_best_methods_are_told_apart_from_the_same_others():
    scores = np.column_stack([SCORES[:, 0], SCORES[:, 0], SCORES[:, 2:]])
    one, other = posthoc_test(scores, method="mcb"), posthoc_test(scores[:, [1, 0, 2, 3]], method="mcb")
    assert one.pvalue == pytest.approx(other.pvalue)
    assert one.pvalue[0] == pytest.approx(0.75)  # P(one of four is not the largest)


def test_equal_best_methods_are_left_out_by_name_whatever_their_order():
    scores = {"b": [3, 2, 3, 2], "a": [2, 3, 2, 3], "c": [1, 1, 1, 1]}
    turned = {name: scores[name] for name in "acb"}
    assert posthoc_test(scores, method="mcb").pairs == (("b", "a"), ("c", "a"))
    assert posthoc_test(turned, method="mcb").pairs == (("c", "a"), ("b", "a"))


def test_the_far_tail_of_the_comparison_with_the_best():
    assert largest_sf(np.array(2**0.5 * 30.0), 2) == pytest.approx(stats.norm.sf(30.0), rel=1e-9)


# --- pairs by themselves ---


def test_wilcoxon_holm_is_the_signed_rank_test_of_each_pair():
    generator = np.random.default_rng(1)
    scores = generator.normal([0, 0.2, 1.0], size=(12, 3)).round(2)
    result = posthoc_test(scores, method="wilcoxon-holm")
    tests = [wilcoxon_test(scores[:, i], scores[:, j]) for i, j in ((0, 1), (0, 2), (1, 2))]
    assert result.raw_pvalue.tolist() == [test.pvalue for test in tests]
    assert result.statistic.tolist() == [test.statistic for test in tests]
    assert result.estimate.tolist() == [test.estimate for test in tests]
    assert result.pvalue == pytest.approx(adjust_pvalues(result.raw_pvalue, method="holm"))
    losses = posthoc_test(-scores, method="wilcoxon-holm", greater_is_better=False)
    assert losses.pvalue.tolist() == result.pvalue.tolist()
    assert losses.estimate == pytest.approx(result.estimate)
    assert "first minus second" in result.estimand
    assert "second minus first" in losses.estimand  # a smaller loss is a positive effect


def test_another_method_in_the_table_changes_no_pair_of_wilcoxon():
    generator = np.random.default_rng(2)
    scores = generator.normal(size=(10, 5))
    few, many = (posthoc_test(scores[:, :k], method="wilcoxon-shaffer") for k in (3, 5))
    lookup = dict(zip(many.pairs, many.raw_pvalue, strict=True))
    assert few.raw_pvalue.tolist() == [lookup[pair] for pair in few.pairs]


def test_the_log_of_an_underflown_pvalue_is_kept():
    result = posthoc_test([[2, 1]] * 2000, method="holm")
    assert result.raw_pvalue[0] == 0
    z = result.statistic[0]
    assert result.details["log_raw_pvalue"][0] == pytest.approx(np.log(2) + stats.norm.logsf(z), rel=1e-12)
    assert "log_raw_pvalue" not in posthoc_test(FOUR, method="holm").details

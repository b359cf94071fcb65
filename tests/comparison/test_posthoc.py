"""Comparisons of mean ranks."""

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from skeval.comparison import critical_difference, friedman_test, posthoc_test
from skeval.exceptions import DegenerateDataWarning, MissingScoreError
from tests.reference import load, number

DEMSAR = load("01_demsar2006.json")
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

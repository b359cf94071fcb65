"""Areas under the ROC curve compared by DeLong's variance."""

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from skeval.comparison import adjust_pvalues, delong_independent_test, delong_pairwise, delong_test
from skeval.exceptions import DegenerateDataWarning
from tests.reference import load, number

REFERENCE = load("07_roc_auc_delong.json")
DATA, EXPECTED = REFERENCE["inputs"]["aSAH"], REFERENCE["expected"]["aSAH"]
MARKERS = EXPECTED["order"]
Y = DATA["outcome"]

# Six samples on which the AUCs are 8/9 and 1.
SIX = [1, 0, 1, 0, 1, 0]
A, B = [0.9, 0.2, 0.3, 0.4, 0.8, 0.1], [0.6, 0.2, 0.5, 0.4, 0.8, 0.1]


# --- values of pROC ---


@pytest.mark.parametrize("pair", EXPECTED["pairs"])
def test_paired_test_equals_that_of_proc(pair):
    expected = EXPECTED["pairs"][pair]
    first, second = pair.split("_")
    result = delong_test(Y, DATA[first], DATA[second])
    assert result.estimate == pytest.approx(number(expected["difference"]), rel=1e-12)
    assert result.statistic == pytest.approx(expected["paired_Z"], rel=1e-10)
    assert result.pvalue == pytest.approx(expected["paired_p"], rel=1e-9)
    assert result.confidence_interval() == pytest.approx(expected["paired_ci95_difference"], rel=1e-9)
    assert result.details["auc"] == pytest.approx([number(EXPECTED["auc"][name]) for name in (first, second)])
    assert (result.details["n_positive"], result.details["n_negative"]) == (41, 72)


@pytest.mark.parametrize("pair", EXPECTED["pairs"])
def test_unpaired_test_by_the_normal_and_by_welch(pair):
    expected = EXPECTED["pairs"][pair]
    first, second = pair.split("_")
    normal = delong_independent_test(Y, DATA[first], Y, DATA[second])
    welch = delong_independent_test(Y, DATA[first], Y, DATA[second], method="welch")
    assert normal.statistic == pytest.approx(expected["unpaired_D"], rel=1e-10)
    assert normal.pvalue == pytest.approx(expected["unpaired_p_normal"], rel=1e-9)
    assert normal.df is None
    assert welch.pvalue == pytest.approx(expected["unpaired_p_t"], rel=1e-9)
    assert welch.df == pytest.approx(expected["unpaired_df_welch"], rel=1e-10)


def test_two_groups_of_patients():
    expected = EXPECTED["unpaired_s100b_female_vs_male"]
    gender, outcome, marker = (np.array(DATA[name]) for name in ("gender", "outcome", "s100b"))
    female = gender == sorted(set(gender.tolist()))[0]
    sides = outcome[female], marker[female], outcome[~female], marker[~female]
    aucs = delong_independent_test(*sides).details["auc"]
    assert sorted(aucs) == pytest.approx(
        sorted(number(expected[name]) for name in ("auc_female", "auc_male"))
    )
    welch = delong_independent_test(*sides, method="welch")
    assert abs(welch.statistic) == pytest.approx(abs(expected["D"]), rel=1e-10)
    assert welch.df == pytest.approx(expected["df_welch"], rel=1e-10)
    assert welch.pvalue == pytest.approx(expected["p_t"], rel=1e-9)
    assert delong_independent_test(*sides).pvalue == pytest.approx(expected["p_normal"], rel=1e-9)


def test_all_pairs_and_the_test_of_all():
    result = delong_pairwise(Y, {name: DATA[name] for name in MARKERS})
    assert result.details["covariance"] == pytest.approx(np.array(EXPECTED["delong_cov"]), rel=1e-10)
    expected = [EXPECTED["pairs"]["_".join(pair)] for pair in result.pairs]
    assert result.statistic == pytest.approx([pair["paired_Z"] for pair in expected], rel=1e-10)
    raw = [pair["paired_p"] for pair in expected]
    assert result.raw_pvalue == pytest.approx(raw, rel=1e-9)
    assert result.pvalue == pytest.approx(adjust_pvalues(raw, method="holm"), rel=1e-9)
    intervals = [pair["paired_ci95_difference"] for pair in expected]
    assert result.confidence_intervals() == pytest.approx(np.array(intervals), rel=1e-9)
    omnibus = EXPECTED["global_test_three"]
    assert result.omnibus.statistic == pytest.approx(omnibus["chi2"], rel=1e-9)
    assert result.omnibus.df == omnibus["df"]
    assert result.omnibus.pvalue == pytest.approx(omnibus["p"], rel=1e-9)


# --- degenerate and extreme ---


@pytest.mark.parametrize("other", [A, [score**2 for score in A]])
def test_scores_that_rank_alike_do_not_differ(other):
    with pytest.warns(
        DegenerateDataWarning, match="zero variance: .* rank the positives and negatives alike"
    ):
        result = delong_test(SIX, A, other)
    assert tuple(result) == (0.0, 1.0)
    assert result.details["auc"] == pytest.approx((8 / 9, 8 / 9))
    assert tuple(result.confidence_interval()) == (0.0, 0.0)


def test_a_perfect_and_an_imperfect_model():
    result = delong_test(SIX, A, B)
    assert result.details["auc"] == pytest.approx((8 / 9, 1.0))
    assert result.details["variances"] == pytest.approx((2 / 81, 0.0))
    assert result.details["covariance"] == 0
    assert result.statistic == pytest.approx(-(0.5**0.5), rel=1e-12)
    assert result.pvalue == pytest.approx(0.4795001221869535, rel=1e-12)


def test_two_perfect_models_do_not_differ():
    with pytest.warns(DegenerateDataWarning, match="zero variance"):
        result = delong_test([0, 1, 1, 0], [0.1, 0.9, 0.8, 0.3], [0.2, 0.3, 0.9, 0.25])
    assert tuple(result) == (0.0, 1.0)


def test_a_perfect_model_against_a_reversed_one_is_flagged():
    scores = {"right": [0.1, 0.2, 0.8, 0.9], "wrong": [0.9, 0.8, 0.2, 0.1], "too": [0.1, 0.3, 0.6, 0.7]}
    with pytest.warns(DegenerateDataWarning, match="none of their samples varies, which makes z infinite"):
        result = delong_test([0, 0, 1, 1], scores["right"], scores["wrong"])
    assert result.statistic == np.inf
    assert result.estimate == 1
    assert "p < 1e-300" in str(result)
    with (
        pytest.warns(DegenerateDataWarning, match=r"(right and wrong|wrong and too) have different AUCs"),
        pytest.warns(DegenerateDataWarning, match="right and too rank"),
    ):
        pairs = delong_pairwise([0, 0, 1, 1], scores)
    assert pairs.omnibus.statistic == np.inf
    assert pairs.pvalue.tolist() == [0, 1, 0]


def test_a_model_under_two_names_leaves_the_test_of_all_one_degree_of_freedom():
    with pytest.warns(DegenerateDataWarning, match="wfns and again rank"):
        result = delong_pairwise(Y, {"wfns": DATA["wfns"], "again": DATA["wfns"], "s100b": DATA["s100b"]})
    single = delong_test(Y, DATA["wfns"], DATA["s100b"])
    assert result.omnibus.df == 1
    assert result.omnibus.statistic == pytest.approx(single.statistic**2, rel=1e-8)
    assert result.pvalue[0] == 1


def test_an_underflown_pvalue_keeps_its_log():
    generator = np.random.default_rng(0)
    y = np.repeat([0, 1], 4000)
    good, bad = y + generator.normal(size=8000) / 3, generator.normal(size=8000)
    result = delong_test(y, good, bad)
    assert result.pvalue == 0
    assert result.details["log_pvalue"] == pytest.approx(np.log(2) + stats.norm.logsf(result.statistic))
    assert "p < 1e-300" in str(result)


# --- properties ---


@settings(deadline=None, max_examples=30)
@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=8, max_size=20), st.integers(0, 99))
def test_variance_is_that_of_pairs_one_by_one(rows, seed):
    # DeLong's structural components by their definition, all pairs of a positive and a negative.
    y = np.arange(len(rows)) % 2 == 0
    scores = np.array(rows, dtype=float).T + np.random.default_rng(seed).choice([0, 0.5], size=(2, len(rows)))
    parts = [
        np.sign(score[y][:, None] - score[~y]) / 2 + 0.5 for score in scores
    ]  # 1, 1/2 or 0 for each pair
    by_positive, by_negative = (np.array([part.mean(axis=axis) for part in parts]) for axis in (1, 0))
    covariance = np.cov(by_positive) / y.sum() + np.cov(by_negative) / (~y).sum()
    variance = covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1]
    if variance < 1e-12:
        return
    result = delong_test(y, *scores)
    assert result.statistic == pytest.approx((parts[0].mean() - parts[1].mean()) / variance**0.5, rel=1e-8)


def test_swapping_the_models_mirrors_all_but_the_two_sided_pvalue():
    one, other = delong_test(SIX, A, B), delong_test(SIX, B, A)
    assert other.statistic == -one.statistic
    assert other.pvalue == one.pvalue
    low, high = one.confidence_interval(0.9)
    assert tuple(other.confidence_interval(0.9)) == pytest.approx((-high, -low))
    greater, less = (delong_test(SIX, A, B, alternative=name) for name in ("greater", "less"))
    assert greater.pvalue + less.pvalue == pytest.approx(1)
    assert delong_test(SIX, B, A, alternative="greater").pvalue == pytest.approx(less.pvalue)
    assert greater.confidence_interval().high == 1
    assert less.confidence_interval().low == -1
    # One tail of 5 % and the two of 90 % together are the same distance.
    assert greater.confidence_interval(0.95).low == pytest.approx(low)
    assert less.confidence_interval(0.95).high == pytest.approx(high)


def test_any_labels_and_containers():
    pandas = pytest.importorskip("pandas")
    named = ["ill" if label else "well" for label in SIX]
    expected = delong_test(SIX, A, B)
    assert delong_test(named, pandas.Series(A, index=range(9, 3, -1)), tuple(B), pos_label="ill") == expected
    turned = delong_test(named, [-score for score in A], [-score for score in B], pos_label="well")
    assert tuple(turned) == pytest.approx(tuple(expected))
    with pytest.raises(ValueError, match="pos_label must name the positive class"):
        delong_test(named, A, B)


def test_bad_input_is_refused():
    with pytest.raises(ValueError, match="undefined with fewer than two samples of a class, got 1 positive"):
        delong_test([1, 0, 0, 0], [0.1, 0.2, 0.3, 0.4], [0.2, 0.1, 0.3, 0.4])
    with pytest.raises(ValueError, match="score_a must hold finite numbers, got nan"):
        delong_test(SIX, [np.nan, *A[1:]], B)
    with pytest.raises(ValueError, match="y_true has 6, score_a has 5"):
        delong_test(SIX, A[1:], B)
    with pytest.raises(ValueError, match="needs two classes, got 3"):
        delong_test([0, 1, 2, 0, 1, 2], A, B)
    with pytest.raises(ValueError, match="pass the column of the positive class"):
        delong_test(SIX, np.column_stack([A, B]), B)
    with pytest.raises(ValueError, match="alternative must be one of"):
        delong_test(SIX, A, B, alternative="both")
    with pytest.raises(ValueError, match="method must be one of 'normal', 'welch'"):
        delong_independent_test(SIX, A, SIX, B, method="t")
    with pytest.raises(ValueError, match=r"dict of \{name: scores\} with at least 2 models"):
        delong_pairwise(SIX, {"a": A})
    with pytest.raises(ValueError, match="scores must name each model once"):
        delong_pairwise(SIX, {1: A, "1": B})
    with pytest.raises(ValueError, match="adjust must be one of"):
        delong_pairwise(SIX, {"a": A, "b": B}, adjust="tukey")


def test_results_pickle():
    result = delong_test(SIX, A, B)
    assert pickle.loads(pickle.dumps(result)).confidence_interval() == result.confidence_interval()
    pairs = delong_pairwise(SIX, {"a": A, "b": B})
    assert pairs.omnibus is None
    assert pickle.loads(pickle.dumps(pairs)).pvalue.tolist() == pairs.pvalue.tolist()

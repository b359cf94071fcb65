"""Wilcoxon's signed-rank test and the sign test."""

import itertools
import math
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from skeval.comparison import sign_test, wilcoxon_test
from skeval.comparison._hodges_lehmann import hodges_lehmann
from skeval.exceptions import DegenerateDataWarning, MissingScoreError
from tests.reference import load, number

ALTERNATIVES = ("two-sided", "greater", "less")
REFERENCE = load("12_exact_friedman_wilcoxon.json")
INPUTS, EXPECTED = REFERENCE["inputs"]["wilcoxon"], REFERENCE["expected"]["wilcoxon"]
DEMSAR = load("01_demsar2006.json")
# C4.5+m against C4.5
SECOND, FIRST = np.array(DEMSAR["inputs"]["auc"]).T[:2]

# Differences of 3, 3, -3, 6, 6 and 6 hundredths that no two floats agree on.
DECIMAL_A, DECIMAL_B = [0.71, 0.84, 0.63, 0.92, 0.55, 0.78], [0.68, 0.81, 0.66, 0.86, 0.49, 0.72]


def of_differences(name, **options):
    return wilcoxon_test(INPUTS[name], np.zeros(len(INPUTS[name])), **options)


# --- Wilcoxon: values of coin, exactRankTests and complete enumeration ---


@pytest.mark.parametrize("name", INPUTS)
@pytest.mark.parametrize(("zero_method", "key"), [("wilcoxon", "zeros_dropped"), ("pratt", "pratt")])
def test_exact_test_with_zeros_and_ties(name, zero_method, key):
    expected = EXPECTED[name][key]
    for alternative, p in (("two-sided", "two_sided"), ("greater", "greater"), ("less", "less")):
        result = of_differences(name, zero_method=zero_method, alternative=alternative, method="exact")
        assert result.pvalue == number(expected[f"p_exact_{p}"])
    assert result.statistic == number(expected["W_plus"])
    assert result.details["W_minus"] == number(expected["W_minus"])
    normal = of_differences(name, zero_method=zero_method, method="normal")
    assert normal.details["z"] == pytest.approx(expected["z"], abs=1e-10)
    assert normal.pvalue == pytest.approx(expected["p_normal"], abs=1e-10)


@pytest.mark.parametrize("name", INPUTS)
def test_split_zeros(name):
    expected = EXPECTED[name]["zero_split_all"]
    split = of_differences(name, zero_method="split")
    assert split.statistic == number(expected["R_plus"])
    assert split.details["W_minus"] == number(expected["R_minus"])
    assert split.details["T"] == number(expected["T"])
    # The zeros add the same to both sums: the null distribution is that of Pratt's statistic.
    assert split.pvalue == of_differences(name, zero_method="pratt").pvalue
    odd = EXPECTED[name].get("demsar_odd_zero_ignored", expected)
    demsar = of_differences(name, zero_method="demsar")
    assert demsar.statistic == number(odd["R_plus"])
    assert demsar.details["T"] == number(odd["T"])


def test_demsar_2006():
    expected = DEMSAR["expected"]["wilcoxon_C4.5_vs_C4.5+m"]
    published = DEMSAR["expected"]["published"]["wilcoxon"]
    result = wilcoxon_test(FIRST, SECOND, zero_method="demsar")
    assert result.statistic == number(expected["demsar_zero_split"]["R_plus"]) == published["R_plus"]
    assert result.details["T"] == number(expected["demsar_zero_split"]["T"]) == published["R_minus"]
    dropped = wilcoxon_test(FIRST, SECOND)
    assert dropped.pvalue == number(expected["zeros_dropped_wilcox"]["exact_two_sided_p"])
    pratt = wilcoxon_test(FIRST, SECOND, zero_method="pratt")
    assert pratt.pvalue == number(expected["pratt"]["exact_two_sided_p"])
    assert dropped.details["mean_difference"] == pytest.approx(np.mean(FIRST - SECOND), rel=1e-12)


@pytest.mark.parametrize(
    "row", REFERENCE["expected"]["critical_T_two_sided"], ids=lambda row: f"N={row['N']}"
)
def test_critical_values(row):
    n = row["N"]
    for alpha in (0.10, 0.05, 0.01):
        critical = row[f"alpha_{alpha:.2f}"]
        for t, rejected in ((critical, True), (-1 if critical is None else critical, False)):
            t = t if rejected else t + 1
            if t is None or t > n * (n + 1) // 2:
                continue
            # T = t: ranks that add up to t get a minus.
            signs, left = np.ones(n), t
            for rank in range(n, 0, -1):
                if rank <= left:
                    signs[rank - 1], left = -1, left - rank
            result = wilcoxon_test(signs * np.arange(1, n + 1), np.zeros(n), method="exact")
            assert result.details["T"] == t
            assert (result.pvalue <= alpha) == rejected


# --- Wilcoxon: what scores are ---


def test_scores_that_tie_only_as_decimals():
    result = wilcoxon_test(DECIMAL_A, DECIMAL_B)
    assert result.statistic == 19.0
    assert result.details["W_minus"] == 2.0
    assert result.pvalue == 0.125  # 8/64
    assert wilcoxon_test(DECIMAL_A, DECIMAL_B, alternative="greater").pvalue == 0.0625  # 4/64
    hundredths = [np.rint(100 * np.array(scores)).astype(int) for scores in (DECIMAL_A, DECIMAL_B)]
    assert tuple(wilcoxon_test(*hundredths)) == tuple(result)
    assert result.estimate == pytest.approx(0.045, abs=1e-15)


@settings(deadline=None, max_examples=40)
@given(seed=st.integers(0, 10**6), decimals=st.integers(1, 5), factor=st.sampled_from([100, 0.01, 1e-7, 3e8]))
def test_scale_and_order_of_the_scores_change_nothing(seed, decimals, factor):
    generator = np.random.default_rng(seed)
    a, b = generator.random((2, 12)).round(decimals)
    if (a == b).all():
        return
    for test in (wilcoxon_test, sign_test):
        one = test(a, b)
        scaled = test(factor * a, factor * b)
        assert tuple(scaled) == tuple(one)
        order = generator.permutation(12)
        assert tuple(test(a[order], b[order])) == tuple(one)


@settings(deadline=None, max_examples=40)
@given(differences=st.lists(st.integers(-5, 5), min_size=1, max_size=9).filter(any))
@pytest.mark.parametrize("zero_method", ["wilcoxon", "pratt"])
def test_equals_the_enumeration_of_all_signs(zero_method, differences):
    values = np.array(differences)
    ranked = values[values != 0] if zero_method == "wilcoxon" else values
    ranks = stats.rankdata(np.abs(ranked))[ranked != 0]
    observed = ranks[ranked[ranked != 0] > 0].sum()
    sums = np.array([np.dot(picked, ranks) for picked in itertools.product((0, 1), repeat=len(ranks))])
    center = ranks.sum() / 2
    expected = {
        "two-sided": (np.abs(sums - center) >= abs(observed - center)).mean(),
        "greater": (sums >= observed).mean(),
        "less": (sums <= observed).mean(),
    }
    for alternative in ALTERNATIVES:
        result = wilcoxon_test(values, 0 * values, zero_method=zero_method, alternative=alternative)
        assert result.pvalue == expected[alternative]


@pytest.mark.parametrize("ranks", [[1, 2, 3, 4, 5, 6], [1, 1, 2, 2, 2, 7], [0, 0, 1, 2, 2, 3, 4]])
@pytest.mark.parametrize("zero_method", ["wilcoxon", "pratt", "split", "demsar"])
def test_size_is_at_most_alpha_under_every_sign(ranks, zero_method):
    sizes = np.array(ranks)
    for alternative in ALTERNATIVES:
        pvalues = np.array(
            [
                wilcoxon_test(
                    np.array(signs) * sizes, 0 * sizes, zero_method=zero_method, alternative=alternative
                ).pvalue
                for signs in itertools.product((1, -1), repeat=len(sizes))
            ]
        )
        for alpha in np.unique(pvalues):
            assert (pvalues <= alpha).mean() <= alpha


@pytest.mark.filterwarnings("ignore:Sample size too small for normal approximation")
@pytest.mark.parametrize("n_pairs", [5, 12, 40])
def test_equals_scipy_where_nothing_ties(n_pairs):
    a, b = np.random.default_rng(n_pairs).normal([[0.3], [0]], size=(2, n_pairs))
    for alternative in ALTERNATIVES:
        peer = stats.wilcoxon(a, b, alternative=alternative, method="exact")
        assert wilcoxon_test(a, b, alternative=alternative).pvalue == pytest.approx(peer.pvalue, rel=1e-12)
        peer = stats.wilcoxon(a, b, alternative=alternative, method="approx", correction=False)
        normal = wilcoxon_test(a, b, alternative=alternative, method="normal")
        assert normal.pvalue == pytest.approx(peer.pvalue, rel=1e-10)


def test_exact_up_to_some_hundred_pairs_then_normal():
    a, b = np.random.default_rng(0).normal([[0.05], [0]], size=(2, 1000))
    assert "(exact" in wilcoxon_test(a[:400], b[:400]).method
    assert "(normal" in wilcoxon_test(a, b).method
    near = wilcoxon_test(a[:400], b[:400], method="normal").pvalue
    assert wilcoxon_test(a[:400], b[:400]).pvalue == pytest.approx(near, rel=0.02)
    many = np.arange(1.0, 20_001.0)
    with pytest.raises(ValueError, match=r"method='exact' is too slow for 20000 differences"):
        wilcoxon_test(many, 0 * many, method="exact")


def test_far_tails_keep_their_logarithm():
    differences = np.arange(1.0, 501.0)
    result = wilcoxon_test(differences, 0 * differences)
    assert result.pvalue == 2.0**-499
    far = wilcoxon_test(np.repeat(differences, 20), np.zeros(10_000))
    assert far.details["z"] > 80
    assert far.details["log_pvalue"] < -3000
    assert far.pvalue > 0
    assert "p < 1e-300" in str(far)
    certain = sign_test(np.ones(2000), np.zeros(2000))
    assert certain.details["log_pvalue"] == pytest.approx(-1999 * math.log(2), rel=1e-12)
    assert "p < 1e-300" in str(certain)


# --- Wilcoxon: the effect ---


@settings(deadline=None, max_examples=50)
@given(units=st.lists(st.integers(-50, 50), min_size=1, max_size=15))
def test_hodges_lehmann_is_the_median_of_all_averages_of_two(units):
    averages = [(one + two) / 2 for one, two in itertools.combinations_with_replacement(units, 2)]
    assert hodges_lehmann(np.array(units)) == np.median(averages)


def test_interval_holds_the_differences_that_are_not_rejected():
    a, b = np.random.default_rng(5).normal([[0.5], [0]], size=(2, 15)).round(3)
    for level in (0.9, 0.95):
        low, high = wilcoxon_test(a, b).confidence_interval(level)
        step = 1e-6
        for inside, outside in ((low + step, low - step), (high - step, high + step)):
            assert wilcoxon_test(a - inside, b).pvalue > 1 - level
            assert wilcoxon_test(a - outside, b).pvalue <= 1 - level
    low, high = wilcoxon_test(a, b, alternative="greater").confidence_interval()
    assert high == math.inf
    assert wilcoxon_test(a - low - step, b, alternative="greater").pvalue > 0.05
    assert wilcoxon_test(a - low + step, b, alternative="greater").pvalue <= 0.05


def test_interval_of_few_and_of_many_pairs():
    """R 4.2: wilcox.test(1:5, conf.int = TRUE, conf.level = .9) gives [1, 5]."""
    five = np.arange(1.0, 6.0)
    assert tuple(wilcoxon_test(five, 0 * five).confidence_interval(0.9)) == (1.0, 5.0)
    assert tuple(wilcoxon_test(five, 0 * five).confidence_interval(0.95)) == (-math.inf, math.inf)
    a, b = np.random.default_rng(0).normal([[0.2], [0]], size=(2, 250))
    low, high = wilcoxon_test(a, b).confidence_interval()
    assert wilcoxon_test(a - low, b).pvalue == pytest.approx(0.05, abs=0.002)
    assert wilcoxon_test(a - high, b).pvalue == pytest.approx(0.05, abs=0.002)


def test_effect_sizes():
    result = wilcoxon_test(DECIMAL_A, DECIMAL_B)
    assert result.details["rank_biserial"] == pytest.approx((19 - 2) / 21)
    assert result.details["probability_of_superiority"] == 5 / 6
    assert result.details["median_difference"] == pytest.approx(0.045)
    with_tie = wilcoxon_test([*DECIMAL_A, 0.5], [*DECIMAL_B, 0.5])
    assert with_tie.details["probability_of_superiority"] == 5.5 / 7
    assert with_tie.details["n_zero"] == 1


@settings(deadline=None, max_examples=40)
@given(differences=st.lists(st.integers(-9, 9), min_size=3, max_size=14).filter(any))
def test_swapping_the_methods_mirrors_everything(differences):
    a, b = np.array(differences) / 100, np.zeros(len(differences))
    one, other = wilcoxon_test(a, b), wilcoxon_test(b, a)
    assert one.pvalue == other.pvalue
    assert one.estimate == -other.estimate
    assert one.statistic == other.details["W_minus"]
    assert one.details["z"] == -other.details["z"]
    assert one.details["rank_biserial"] == -other.details["rank_biserial"]
    assert tuple(one.confidence_interval(0.8)) == tuple(-end for end in other.confidence_interval(0.8)[::-1])
    greater = wilcoxon_test(a, b, alternative="greater").pvalue
    assert greater == wilcoxon_test(b, a, alternative="less").pvalue
    signs, mirrored = sign_test(a, b), sign_test(b, a)
    assert signs.pvalue == mirrored.pvalue
    assert signs.estimate == -mirrored.estimate
    assert tuple(signs.confidence_interval()) == pytest.approx(
        tuple(-end for end in mirrored.confidence_interval()[::-1]), abs=1e-12
    )


# --- the sign test ---


def test_sign_test_of_demsar_2006():
    expected = DEMSAR["expected"]["sign_test"]
    dropped = sign_test(FIRST, SECOND)
    assert dropped.statistic == expected["ties_dropped"]["wins"]
    assert dropped.pvalue == number(expected["ties_dropped"]["p_two_sided"])
    one_sided = sign_test(FIRST, SECOND, alternative="greater")
    assert one_sided.pvalue == number(expected["ties_dropped"]["p_one_sided"])
    split = sign_test(FIRST, SECOND, ties="split")
    assert split.statistic == expected["ties_split"]["wins"]
    assert split.pvalue == number(expected["ties_split"]["p_two_sided"])
    assert split.details["wins"] == expected["wins_C4.5+m"]
    assert split.details["losses"] == expected["wins_C4.5"]
    assert split.details["n_zero"] == expected["ties"]


@pytest.mark.parametrize(
    ("key", "alternative", "alpha"),
    [
        ("exact_two_tailed_05", "two-sided", 0.05),
        ("exact_two_tailed_10", "two-sided", 0.10),
        ("exact_one_tailed_05", "greater", 0.05),
        ("exact_one_tailed_10", "greater", 0.10),
    ],
)
def test_critical_numbers_of_wins(key, alternative, alpha):
    table = DEMSAR["expected"]["sign_test"]["critical_wins"]
    for n, critical in zip(table["N"], table[key], strict=True):
        for wins in range(n // 2 + 1, n + 1):
            scores = np.repeat([1.0, -1.0], [wins, n - wins])
            rejected = sign_test(scores, np.zeros(n), alternative=alternative).pvalue <= alpha
            assert rejected == (critical is not None and wins >= critical)


def test_an_odd_tie_does_not_count():
    result = sign_test([1, 1, 1, 0, 0, 0], [0] * 6, ties="split")
    assert result.statistic == 4.0
    assert result.pvalue == stats.binomtest(4, 5).pvalue
    assert result.estimate == 3 / 5


def test_interval_of_the_sign_test_is_that_of_the_share_of_wins():
    result = sign_test(DECIMAL_A, DECIMAL_B)
    share = stats.binomtest(5, 6).proportion_ci()
    assert tuple(result.confidence_interval()) == pytest.approx((2 * share.low - 1, 2 * share.high - 1))
    one_sided = sign_test(DECIMAL_A, DECIMAL_B, alternative="greater").confidence_interval()
    assert one_sided.high == 1.0


# --- what cannot be tested ---


@pytest.mark.parametrize("test", [wilcoxon_test, sign_test])
def test_equal_scores_give_p_one_and_a_warning(test):
    for n_pairs in (1, 3, 20):
        with pytest.warns(DegenerateDataWarning, match="all differences are zero"):
            result = test([0.8] * n_pairs, [0.8] * n_pairs)
        assert result.pvalue == 1.0
        assert result.estimate == 0.0
    with pytest.warns(DegenerateDataWarning, match="all differences are zero"):
        test([0.8, 0.7, 0.9], [0.8, 0.7, 0.9], alternative="greater")


def test_one_tie_alone_leaves_no_pair():
    with pytest.warns(DegenerateDataWarning, match="all differences are zero"):
        result = sign_test([0.5], [0.5], ties="split")
    assert tuple(result) == (0.0, 1.0)
    assert tuple(result.confidence_interval()) == (-1.0, 1.0)


@pytest.mark.parametrize("test", [wilcoxon_test, sign_test])
def test_missing_scores(test):
    with pytest.raises(MissingScoreError, match=r"a must not be missing, got nan at position 1"):
        test([0.1, np.nan, 0.3], [0.2, 0.2, 0.2])
    result = test([0.1, np.nan, 0.3, 0.5], [0.2, 0.2, 0.2, np.nan], nan_policy="omit")
    assert (result.details["n_used"], result.details["n_total"]) == (2, 4)
    with pytest.raises(ValueError, match="a pair without a missing score"):
        test([np.nan], [0.1], nan_policy="omit")


@pytest.mark.parametrize(
    ("a", "b", "options", "message"),
    [
        ([], [], {}, "at least 1 value"),
        ([1, 2], [1], {}, "same length"),
        ([1, -np.inf], [1, 2], {}, "finite"),
        ({"test_score": [1]}, [1], {}, "corrected_resampled_ttest"),
        ([1, 2], [2, 1], {"zero_method": "zsplit"}, "zero_method must be one of"),
        ([1, 2], [2, 1], {"method": "approx"}, "method must be one of"),
        ([1, 2], [2, 1], {"alternative": "both"}, "alternative must be one of"),
        ([1, 2], [2, 1], {"nan_policy": "propagate"}, "nan_policy must be one of"),
    ],
)
def test_bad_input_is_refused(a, b, options, message):
    with pytest.raises(ValueError, match=message):
        wilcoxon_test(a, b, **options)


def test_results_speak_and_travel():
    for result in (wilcoxon_test(DECIMAL_A, DECIMAL_B), sign_test(DECIMAL_A, DECIMAL_B)):
        copy = pickle.loads(pickle.dumps(result))
        assert tuple(copy) == tuple(result)
        assert copy.confidence_interval() == result.confidence_interval()
    assert str(wilcoxon_test(DECIMAL_A, DECIMAL_B)).startswith(
        "Wilcoxon signed-rank test (exact, zeros: wilcoxon): W+ = 19, p = 0.125 (two-sided), estimate 0.045."
    )


@pytest.mark.parametrize("dtype", ["Float64", "Int64", "float64"])
def test_missing_scores_of_pandas(dtype):
    pandas = pytest.importorskip("pandas")
    scores = pandas.Series([3, None, 1], dtype=dtype)
    with pytest.raises(MissingScoreError, match="nan at position 1"):
        wilcoxon_test(scores, [1, 2, 2])
    assert wilcoxon_test(scores, [1, 2, 2], nan_policy="omit").details["n_used"] == 2


def test_any_container_by_position():
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    shuffled = pandas.Series(DECIMAL_A, index=[5, 4, 3, 2, 1, 0])
    assert tuple(wilcoxon_test(shuffled, polars.Series(DECIMAL_B))) == (19.0, 0.125)

"""Sizes of studies and their power."""

import math
from collections import Counter
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, stats

from skeval.comparison import (
    binomial_test,
    critical_errors,
    friedman_test,
    mcnemar_from_table,
    power_of,
    required_size,
    sign_test,
    wilcoxon_test,
)
from skeval.comparison._power_curves import SIMULATED, _critical_squares


def is_the_smallest_size_that_stays(design, target, reach=80, **assumptions):
    study = required_size(design, power=target, **assumptions)
    powers = [
        power_of(design, size, **assumptions) for size in range(max(1, study.size - 1), study.size + reach)
    ]
    assert study.power == pytest.approx(powers[min(1, study.size - 1)])
    assert min(powers[min(1, study.size - 1) :]) >= target
    return study.size == 1 or powers[0] < target


# --- binomial ---


@pytest.mark.parametrize(("error", "true_error"), [(0.3, 0.45), (0.3, 0.1), (0.05, 0.2), (0.5, 0.25)])
def test_power_of_the_binomial_test_is_the_probability_of_its_rejections(error, true_error):
    alternative = "greater" if true_error > error else "less"
    for n in (5, 17, 40):
        expected = sum(
            math.comb(n, wrong) * true_error**wrong * (1 - true_error) ** (n - wrong)
            for wrong in range(n + 1)
            if binomial_test(wrong, n, error=error, alternative=alternative).pvalue <= 0.05
        )
        assert power_of("binomial", n, error=error, true_error=true_error) == pytest.approx(
            expected, rel=1e-10
        )


def test_power_where_a_pvalue_equals_alpha():
    """Five errors of five under 1/2: p = 1/32 exactly."""
    assert power_of("binomial", 5, error=0.5, true_error=0.9, alpha=1 / 32) == pytest.approx(0.9**5)
    assert critical_errors(5, error=0.5, alpha=1 / 32) == 4


def test_no_error_allowed_and_none_made():
    """0 of n errors reject "at least 10 %" where 0.9^n <= 0.05: n = 29."""
    assert required_size("binomial", error=0.1, true_error=0.0).size == 29
    assert required_size("binomial", error=0.0, true_error=0.1).size == math.ceil(
        math.log(1 - 0.8) / math.log(0.9)
    )


def test_size_for_the_binomial_test_stays_above_the_power_asked_for():
    assert is_the_smallest_size_that_stays("binomial", 0.8, error=0.3, true_error=0.2)
    study = required_size("binomial", error=0.1, true_error=0.09)
    # The usual normal formula
    formula = ((1.6449 * math.sqrt(0.09) + 0.8416 * math.sqrt(0.0819)) / 0.01) ** 2
    assert study.size == pytest.approx(formula, rel=0.03)
    assert study.alternative == "one-sided"


# --- McNemar ---


@pytest.mark.parametrize("test", ["mid-p", "exact"])
def test_power_of_mcnemars_test_is_the_probability_of_its_rejections(test):
    n, only_a, only_b = 24, 0.35, 0.08
    expected = 0.0
    for a in range(n + 1):
        for b in range(n + 1 - a):
            if a + b and mcnemar_from_table([[n - a - b, a], [b, 0]], method=test).pvalue <= 0.05:
                ways = math.comb(n, a) * math.comb(n - a, b)
                expected += ways * only_a**a * only_b**b * (1 - only_a - only_b) ** (n - a - b)
    found = power_of("mcnemar", n, only_a=only_a, only_b=only_b, test=test)
    assert found == pytest.approx(expected, rel=1e-10)
    assert power_of("mcnemar", n, only_a=only_b, only_b=only_a, test=test) == pytest.approx(found)


def test_power_of_mcnemars_test_where_only_one_of_the_two_is_right_on_any_sample():
    """The sign test of 20 samples: 5 or fewer for either rejects, p = 0.0414 (6: p = 0.115)."""
    expected = stats.binom.cdf(5, 20, 0.7) + stats.binom.cdf(5, 20, 0.3)
    assert power_of("mcnemar", 20, only_a=0.7, only_b=0.3, test="exact") == pytest.approx(expected, rel=1e-10)


def test_size_for_mcnemars_test():
    assert is_the_smallest_size_that_stays("mcnemar", 0.8, only_a=0.2, only_b=0.1)
    study = required_size("mcnemar", only_a=0.08, only_b=0.04)
    # Connor (1987): (1.96 sqrt(d) + 0.8416 sqrt(d - delta^2))^2/delta^2 with d = 0.12, delta = 0.04
    assert study.size == pytest.approx(586, rel=0.03)
    exact = required_size("mcnemar", only_a=0.08, only_b=0.04, test="exact")
    assert exact.size > study.size  # the exact test is the more conservative one


# --- paired t ---


@pytest.mark.parametrize(
    ("effect", "alternative", "power", "expected"),
    [
        # G*Power 3.1, matched pairs: sizes it gives for dz = 0.5, 0.2, 0.8
        (0.5, "two-sided", 0.8, 34),
        (0.5, "one-sided", 0.8, 27),
        (0.2, "two-sided", 0.8, 199),
        (0.8, "two-sided", 0.95, 23),
    ],
)
def test_size_for_the_paired_t_test(effect, alternative, power, expected):
    study = required_size("paired-t", effect=effect, sd=1.0, power=power, alternative=alternative)
    assert study.size == expected
    assert (
        required_size("paired-t", effect=-2 * effect, sd=2.0, power=power, alternative=alternative).size
        == expected
    )


@pytest.mark.parametrize("alternative", ["two-sided", "one-sided"])
def test_power_of_the_paired_t_test_is_alpha_where_there_is_next_to_no_effect(alternative):
    power = power_of("paired-t", 12, effect=1e-9, sd=1.0, alpha=0.05, alternative=alternative)
    assert power == pytest.approx(0.05, rel=1e-6)


def test_power_of_the_paired_t_test_by_quadrature():
    """P(T > t) = E Phi(shift - t sqrt(chi2/df))."""
    n, shift = 12, 0.7 * math.sqrt(12)
    needed = stats.t.isf(0.025, n - 1)
    chi2 = stats.chi2.ppf((np.arange(20_000) + 0.5) / 20_000, n - 1)
    expected = stats.norm.cdf(shift - needed * np.sqrt(chi2 / (n - 1))).mean()
    expected += stats.norm.cdf(-shift - needed * np.sqrt(chi2 / (n - 1))).mean()
    assert power_of("paired-t", n, effect=0.7, sd=1.0) == pytest.approx(expected, abs=1e-4)


def test_splits_of_one_data_set_share_what_they_know():
    alone = required_size("paired-t", effect=0.02, sd=0.02)
    shared = required_size("paired-t", effect=0.02, sd=0.02, n_train=90, n_test=10)
    assert shared.size > 5 * alone.size
    assert (alone.unit, shared.unit) == ("pairs", "splits")
    with pytest.raises(ValueError, match=r"No number of splits gives power 0.8.*takes more data"):
        required_size("paired-t", effect=0.01, sd=0.02, n_train=70, n_test=30)
    most = power_of("paired-t", 10_000, effect=0.01, sd=0.02, n_train=70, n_test=30)
    assert most == pytest.approx(stats.norm.sf(1.95996 - 0.5 / math.sqrt(3 / 7)), abs=0.01)


def test_extreme_effects_give_no_warning():
    assert required_size("paired-t", effect=1000.0, sd=1.0).size == 2
    assert required_size("wilcoxon", effect=1000.0, sd=1.0).size == 6  # 2/2^6 <= 0.05 < 2/2^5
    assert power_of("paired-t", 1, effect=1.0, sd=1.0) == 0.0
    assert power_of("wilcoxon", 300, effect=50.0, sd=1.0) == 1.0


# --- sign and Wilcoxon ---


def test_power_of_the_sign_test_is_the_probability_of_its_rejections():
    for n in (4, 9, 20):
        expected = 0.0
        for wins in range(n + 1):
            scores = np.repeat([1.0, -1.0], [wins, n - wins])
            if sign_test(scores, np.zeros(n)).pvalue <= 0.05:
                expected += math.comb(n, wins) * 0.8**wins * 0.2 ** (n - wins)
        assert power_of("sign", n, win_probability=0.8) == pytest.approx(expected, rel=1e-10)
        assert power_of("sign", n, win_probability=0.2) == pytest.approx(expected, rel=1e-10)


def test_power_of_the_one_sided_sign_test_by_hand():
    # Of 9, 8 wins have P = 10/512 = .02 by chance and 7 have 46/512 = .09: 8 are needed.
    found = power_of("sign", 9, win_probability=0.8, alternative="one-sided")
    assert found == pytest.approx(9 * 0.8**8 * 0.2 + 0.8**9, rel=1e-12)


def test_size_for_the_sign_test():
    assert is_the_smallest_size_that_stays("sign", 0.8, win_probability=0.75)
    assert required_size("sign", win_probability=1.0).size == 6


@pytest.mark.parametrize(("n", "effect"), [(6, 1.5), (12, 0.8)])
def test_power_of_wilcoxons_test_as_simulated_apart(n, effect):
    differences = np.random.default_rng(99).normal(effect, size=(800, n))
    found = np.mean([wilcoxon_test(each, np.zeros(n)).pvalue <= 0.05 for each in differences])
    expected = power_of("wilcoxon", n, effect=effect, sd=1.0)
    assert found == pytest.approx(expected, abs=4 * math.sqrt(0.25 / 800))


def test_size_for_wilcoxons_test():
    """3/pi of the efficiency of the t-test: 34 pairs there are about 35.6 here."""
    assert required_size("wilcoxon", effect=0.5, sd=1.0).size == pytest.approx(36, abs=1)
    few = power_of("wilcoxon", SIMULATED, effect=0.36, sd=1.0)
    more = power_of("wilcoxon", SIMULATED + 1, effect=0.36, sd=1.0)
    assert few == pytest.approx(more, abs=0.02)  # simulation and formula meet
    one_sided = required_size("wilcoxon", effect=0.5, sd=1.0, alternative="one-sided")
    assert one_sided.size < 32


def test_power_of_wilcoxons_test_of_many_data_sets_is_normal_with_the_moments_of_w_plus():
    """W+ counts the pairs i <= j with D_i + D_j > 0: its variance is the sum of all their covariances."""
    n, effect = SIMULATED + 1, 0.3

    def expected_over_one(probability):
        return integrate.quad(
            lambda d: stats.norm.pdf(d - effect) * probability(d), -9, 9, points=[0, effect]
        )[0]

    def reached(d):  # P(D > -d)
        return stats.norm.cdf(effect + d)

    single, pair = stats.norm.cdf(effect), expected_over_one(reached)
    single_and_pair = expected_over_one(lambda d: (d > 0) * reached(d))
    two_pairs = expected_over_one(lambda d: reached(d) ** 2)
    covariances = [
        n * (single - single**2),
        n * (n - 1) / 2 * (pair - pair**2),
        2 * n * (n - 1) * (single_and_pair - single * pair),
        n * (n - 1) * (n - 2) * (two_pairs - pair**2),
    ]
    mean = n * single + n * (n - 1) / 2 * pair
    needed = n * (n + 1) / 4 + stats.norm.isf(0.025) * math.sqrt(n * (n + 1) * (2 * n + 1) / 24)
    expected = stats.norm.cdf((mean - needed) / math.sqrt(sum(covariances)))
    assert power_of("wilcoxon", n, effect=effect, sd=1.0) == pytest.approx(expected, rel=1e-9)


# --- Friedman ---


@pytest.mark.filterwarnings("ignore:Every data set ranks the methods identically")
def test_power_of_friedmans_test_as_simulated_apart():
    n, effects = 9, np.array([0.0, 0.4, 1.3])
    scores = np.random.default_rng(5).normal(size=(800, n, 3)) + effects
    found = np.mean([friedman_test(each, method="exact").pvalue <= 0.05 for each in scores])
    assert found == pytest.approx(power_of("friedman", n, effects=effects), abs=4 * math.sqrt(0.25 / 800))


def critical_squares_of_three_methods(n):
    """Return the least sum of squared, centered rank sums with P <= 5 %, over all orders of the ranks."""
    chances = {(0, 0, 0): 1.0}
    for _ in range(n):
        after = Counter()
        for sums, chance in chances.items():
            for order in permutations((-1, 0, 1)):
                after[tuple(np.add(sums, order).tolist())] += chance / 6
        chances = after
    squares = Counter()
    for sums, chance in chances.items():
        squares[sum(one**2 for one in sums)] += chance
    values = sorted(squares, reverse=True)
    levels = np.cumsum([squares[value] for value in values])
    return values[int((levels <= 0.05).sum()) - 1]


@pytest.mark.parametrize("n", [13, 20, 25])
def test_power_of_friedmans_test_where_a_level_lies_just_above_alpha(n):
    """With 13 data sets the next value of the statistic has the level .0501, and 4 points more of power."""
    scores = np.random.default_rng(7).normal([0, 0.3, 0.8], size=(20_000, n, 3))
    ranks = stats.rankdata(scores, axis=-1) - 2
    rejected = (ranks.sum(axis=1) ** 2).sum(axis=-1) >= critical_squares_of_three_methods(n) - 1e-9
    power = power_of("friedman", n, effects=[0, 0.3, 0.8])
    assert power == pytest.approx(rejected.mean(), abs=3 * math.sqrt(0.25 / 10_000 + 0.25 / 20_000))


@pytest.mark.filterwarnings("ignore:Every data set ranks the methods identically")
@pytest.mark.parametrize(("n", "k"), [(2, 3), (3, 4), (5, 5), (12, 5), (40, 4), (3, 8)])
def test_power_counts_what_friedmans_test_rejects(n, k):
    scores = np.random.default_rng(3).normal(size=(100, n, k)) + np.linspace(0, 3 / math.sqrt(n), k)
    squares = ((2 * stats.rankdata(scores, axis=-1) - k - 1).sum(axis=1) ** 2).sum(axis=-1)
    critical = _critical_squares(k, 0.05)[n - 1]
    rejected = [friedman_test(each).pvalue <= 0.05 for each in scores]
    assert (squares >= critical).tolist() == rejected
    # Two data sets and three methods have no p-value below 1/6.
    assert any(rejected) == (n > 2)
    assert not all(rejected)


@pytest.mark.parametrize("n", [3, 4, 13, 20, 25])
def test_the_critical_value_of_friedmans_test_is_that_of_all_orders(n):
    # The squares of doubled ranks are four times as large.
    assert _critical_squares(3, 0.05)[n - 1] == 4 * critical_squares_of_three_methods(n)


def test_one_data_set_shows_nothing_by_friedmans_test():
    assert power_of("friedman", 1, effects=[0] * 7 + [50]) == 0


def test_size_for_friedmans_test():
    study = required_size("friedman", effects=[0, 0, 0, 0, 1])
    assert 18 <= study.size <= 24
    assert "simulated" in study.method
    few, more = (power_of("friedman", size, effects=[0, 0.2, 0.5]) for size in (SIMULATED, SIMULATED + 1))
    assert few == pytest.approx(more, abs=0.03)  # simulation and formula meet
    assert required_size("friedman", effects=[0, 0.1, 0.2]).size > 500
    shifted = power_of("friedman", 20, effects=[5.0, 5.2, 5.5])
    assert shifted == pytest.approx(power_of("friedman", 20, effects=[0, 0.2, 0.5]), abs=0.01)


# --- all designs ---

ASSUMPTIONS = {
    "binomial": {"error": 0.3, "true_error": 0.2},
    "mcnemar": {"only_a": 0.2, "only_b": 0.1},
    "paired-t": {"effect": 0.5, "sd": 1.0},
    "sign": {"win_probability": 0.75},
    "wilcoxon": {"effect": 0.5, "sd": 1.0},
    "friedman": {"effects": [0.0, 0.3, 0.9]},
}


@pytest.mark.parametrize("design", ASSUMPTIONS)
def test_more_power_and_a_stricter_level_need_a_larger_study(design):
    sizes = [
        required_size(design, power=power, alpha=alpha, **ASSUMPTIONS[design]).size
        for power, alpha in ((0.5, 0.05), (0.8, 0.05), (0.9, 0.05), (0.9, 0.01))
    ]
    assert sizes == sorted(sizes)
    assert len(set(sizes)) == 4


@pytest.mark.parametrize("design", ASSUMPTIONS)
def test_the_result_says_what_it_holds_for(design):
    study = required_size(design, **ASSUMPTIONS[design])
    assert study.assumptions == ASSUMPTIONS[design]
    assert study.power >= study.target == 0.8
    told = str(study)
    assert told.startswith(f"{study.size} {study.unit} give {design} power")
    assert all(name in told for name in ASSUMPTIONS[design])


@settings(deadline=None, max_examples=30)
@given(size=st.integers(1, 200), shares=st.tuples(*[st.floats(0.501, 1)] * 2), alpha=st.floats(0.001, 0.2))
def test_power_grows_with_the_effect(size, shares, alpha):
    small, large = (power_of("sign", size, win_probability=share, alpha=alpha) for share in sorted(shares))
    assert 0 <= small <= large + 1e-12 <= 1 + 1e-9


@pytest.mark.parametrize(
    ("design", "assumptions", "error", "message"),
    [
        ("anova", {}, ValueError, "design must be one of"),
        ("binomial", {"error": 0.3}, TypeError, "error, true_error; true_error must be given"),
        ("sign", {"win_probability": 0.7, "sd": 1}, TypeError, "got sd too"),
        ("sign", {"win_probability": 0.5}, ValueError, "nothing to find"),
        ("sign", {"win_probability": 1.5}, ValueError, "win_probability must be a number"),
        ("binomial", {"error": 0.3, "true_error": 0.3}, ValueError, "must differ"),
        ("binomial", {"error": 0.3, "true_error": 0.2, "alternative": "two-sided"}, ValueError, "one-sided"),
        ("friedman", {"effects": [0, 1], "alternative": "one-sided"}, ValueError, "has no side"),
        ("friedman", {"effects": [1, 1, 1]}, ValueError, "effects must differ"),
        ("friedman", {"effects": [1]}, ValueError, "at least 2"),
        ("mcnemar", {"only_a": 0.7, "only_b": 0.6}, ValueError, "sum of at most 1"),
        ("mcnemar", {"only_a": 0.1, "only_b": 0.1}, ValueError, "different probabilities"),
        ("mcnemar", {"only_a": 0.1, "only_b": 0.2, "test": "chi2"}, ValueError, "test must be one of"),
        ("paired-t", {"effect": 0, "sd": 1}, ValueError, "effect must differ from 0"),
        ("paired-t", {"effect": 1, "sd": 0}, ValueError, "sd must be a number"),
        ("paired-t", {"effect": 1, "sd": 1, "n_test": 10}, TypeError, "n_train must be an integer"),
        (
            "paired-t",
            {"effect": 1e-6, "sd": 1},
            ValueError,
            r"size for power=0.8 is more than 10,000,000, with effect=1e-06, sd=1: assume an effect",
        ),
        ("paired-t", {"effect": 1, "sd": 1, "alpha": 0}, ValueError, "alpha must be"),
        ("paired-t", {"effect": 1, "sd": 1, "power": 1.0}, ValueError, "power must be"),
        ("paired-t", {"effect": 1, "sd": 1, "power": 0.04}, ValueError, "power must be above alpha"),
        (
            "paired-t",
            {"effect": 1, "sd": 1, "alternative": "greater"},
            ValueError,
            "alternative must be one of",
        ),
    ],
)
def test_bad_input_is_refused(design, assumptions, error, message):
    with pytest.raises(error, match=message):
        required_size(design, **assumptions)

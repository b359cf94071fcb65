"""The paired permutation test of the mean difference, and sums with random signs."""

import itertools
import math
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from skeval.comparison import paired_permutation_test
from skeval.comparison._sign_flips import (
    half_binomial_tail,
    lattice_tail,
    real_tail,
    saddlepoint_tail,
    sample_sums,
)
from skeval.exceptions import DegenerateDataWarning, MissingScoreError
from skeval.model_selection import CVScores

ALTERNATIVES = ("two-sided", "greater", "less")


def extreme(difference, observed, alternative):
    """The definition, with room for rounding."""
    if alternative == "two-sided":
        return abs(difference) >= abs(observed) - 1e-12
    return difference >= observed - 1e-12 if alternative == "greater" else difference <= observed + 1e-12


def flips_by_hand(differences):
    observed, found = (
        sum(differences),
        [
            sum(sign * each for sign, each in zip(signs, differences, strict=True))
            for signs in itertools.product((1, -1), repeat=len(differences))
        ],
    )
    return {
        alternative: np.mean([extreme(each, observed, alternative) for each in found])
        for alternative in ALTERNATIVES
    }


def test_fishers_example():
    """Darwin's 15 pairs of plants, eighths of an inch: 863 of 2^15 sums reach 314 (Fisher 1935)."""
    differences = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]
    zero = [0] * 15
    assert paired_permutation_test(differences, zero, alternative="greater").pvalue == 863 / 2**15
    result = paired_permutation_test(differences, zero)
    assert result.pvalue == 1726 / 2**15
    assert result.estimate == 314 / 15


@settings(deadline=None, max_examples=40)
@given(differences=st.lists(st.integers(-6, 6), min_size=1, max_size=9).filter(any))
def test_whole_scores_equal_the_enumeration_of_all_flips(differences):
    expected = flips_by_hand(differences)
    for alternative in ALTERNATIVES:
        result = paired_permutation_test(differences, [0] * len(differences), alternative=alternative)
        assert result.pvalue == expected[alternative]
        assert result.details["form"] == "exact"


@settings(deadline=None, max_examples=30)
@given(seed=st.integers(0, 10**6), n_pairs=st.integers(2, 10))
def test_real_scores_equal_the_enumeration_of_all_flips(seed, n_pairs):
    a, b = np.random.default_rng(seed).normal(size=(2, n_pairs))
    expected = flips_by_hand(a - b)
    for alternative in ALTERNATIVES:
        assert paired_permutation_test(a, b, alternative=alternative).pvalue == expected[alternative]


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_equals_scipys_exact_test(alternative):
    a, b = np.random.default_rng(0).normal([[0.4], [0]], size=(2, 11))
    peer = stats.permutation_test(
        (a, b),
        lambda x, y, axis: (x - y).mean(axis=axis),
        permutation_type="samples",
        n_resamples=np.inf,
        alternative=alternative,
        vectorized=True,
    )
    assert paired_permutation_test(a, b, alternative=alternative).pvalue == pytest.approx(peer.pvalue)


def test_decimals_tie_as_decimals():
    """0.1, 0.2 and 0.3 against -0.3 and so on: the same ties as 1, 2 and 3."""
    a, b = [0.71, 0.84, 0.63, 0.92, 0.55, 0.78], [0.68, 0.81, 0.66, 0.86, 0.49, 0.72]
    expected = flips_by_hand([3, 3, -3, 6, 6, 6])
    assert paired_permutation_test(a, b).pvalue == expected["two-sided"]
    for factor in (100, 1e-3, 1e6):
        assert paired_permutation_test(factor * np.array(a), factor * np.array(b)).pvalue == pytest.approx(
            expected["two-sided"], rel=1e-12
        )


@pytest.mark.parametrize("differences", [[1, 1, 2, -3, 4, 5, 5], [0.31, -0.12, 0.71, 0.53, 0.17, 0.29]])
def test_size_of_paired_scores_is_at_most_alpha_under_every_flip(differences):
    sizes, zero = np.array(differences), np.zeros(len(differences))
    for alternative in ALTERNATIVES:
        pvalues = np.array(
            [
                paired_permutation_test(np.array(signs) * sizes, zero, alternative=alternative).pvalue
                for signs in itertools.product((1, -1), repeat=len(sizes))
            ]
        )
        for alpha in np.unique(pvalues):
            assert (pvalues <= alpha).mean() <= alpha


def ways_of_sums(sizes):
    """Return {sum of the sizes with signs: number of ways}, in whole numbers."""
    ways = {0: 1}
    for size in sizes:
        more = {}
        for total, count in ways.items():
            for each in (total + size, total - size):
                more[each] = more.get(each, 0) + count
        ways = more
    return ways


@pytest.mark.parametrize(
    ("n_pairs", "largest"), [(30, 9), (300, 1), (300, 4), (300, 9), (1100, 1)], ids="{}".format
)
def test_far_tails_of_whole_scores_equal_those_in_whole_numbers(n_pairs, largest):
    sizes = np.random.default_rng(n_pairs).integers(1, largest + 1, n_pairs)
    ways, total = ways_of_sums(sizes.tolist()), int(sizes.sum())
    for share in (-0.5, 0.0, 0.1, 0.4, 0.8, 0.99, 1.0):
        observed = total - 2 * round(total * (1 - share) / 2)
        log = math.log(sum(count for each, count in ways.items() if each >= observed)) - n_pairs * math.log(2)
        found = lattice_tail(sizes, observed)
        assert found.log == pytest.approx(log, abs=1e-11)
        if log > -700:
            assert found.pvalue == pytest.approx(math.exp(log), rel=1e-11)


def test_a_fair_coin_in_the_far_tail():
    """Against exact binomial coefficients, far below the smallest float."""
    for n_trials, reached in ((10, 8), (700, 690), (5000, 4000), (20_000, 19_000)):
        expected = sum(math.comb(n_trials, count) for count in range(reached, n_trials + 1))
        log = math.log(expected) - n_trials * math.log(2)
        assert half_binomial_tail(reached, n_trials).log == pytest.approx(log, rel=1e-10)


def test_a_constant_difference_has_all_flips_above_the_smallest_float():
    result = paired_permutation_test(np.full(3000, 0.5), np.full(3000, 0.25))
    assert result.details["log_pvalue"] == pytest.approx(-2999 * math.log(2), rel=1e-12)
    assert result.pvalue > 0
    assert "p < 1e-300" in str(result)


@pytest.mark.parametrize("n_pairs", [8, 15, 30])
def test_the_saddlepoint_is_near_the_exact_tail(n_pairs):
    terms = np.random.default_rng(n_pairs).normal(size=n_pairs)
    for share in (0.1, 0.3, 0.5, 0.7, 0.85):
        observed = share * np.abs(terms).sum()
        exact = real_tail(terms, observed).pvalue
        if exact * 2**n_pairs < 20:
            continue  # steps of the exact tail are then no small change
        assert saddlepoint_tail(terms, observed).pvalue == pytest.approx(
            exact, rel=0.1 if n_pairs < 20 else 0.02
        )


def test_the_saddlepoint_at_its_ends():
    terms = np.random.default_rng(0).normal(size=500) + 0.1
    assert saddlepoint_tail(terms, 0.0).pvalue == pytest.approx(0.5, abs=1e-3)
    assert saddlepoint_tail(terms, 1e-9).pvalue == pytest.approx(0.5, abs=1e-3)
    assert saddlepoint_tail(terms, -5.0).pvalue + saddlepoint_tail(terms, 5.0).pvalue == pytest.approx(1)
    every = saddlepoint_tail(terms, float(np.abs(terms).sum()))
    assert every.log == pytest.approx(-500 * math.log(2), rel=1e-12)


def test_saddlepoint_by_name_is_near_monte_carlo():
    a, b = np.random.default_rng(3).normal([[0.15], [0]], size=(2, 200))
    for alternative in ALTERNATIVES:
        near = paired_permutation_test(a, b, method="saddlepoint", alternative=alternative).pvalue
        sampled = paired_permutation_test(
            a, b, alternative=alternative, n_resamples=40_000, random_state=0
        ).pvalue
        assert near == pytest.approx(sampled, abs=5 * math.sqrt(near * (1 - near) / 40_000) + 1e-4)


def test_random_sums_have_the_moments_of_random_signs():
    terms = np.arange(1.0, 20.0)
    sums = sample_sums(terms, 50_000, np.random.default_rng(0))
    spread = math.sqrt((terms**2).sum())
    assert sums.mean() == pytest.approx(0, abs=4 * spread / math.sqrt(50_000))
    assert sums.std() == pytest.approx(spread, rel=0.02)
    assert set(np.unique(np.abs(sample_sums(terms[:2], 1000, np.random.default_rng(0))))) == {1.0, 3.0}


def test_monte_carlo_of_paired_scores():
    a, b = np.random.default_rng(1).normal([[0.1], [0]], size=(2, 60))
    result = paired_permutation_test(a, b, random_state=0)
    assert result.details["form"] == "Monte Carlo"
    assert result.pvalue == paired_permutation_test(a, b, random_state=0).pvalue
    certain = paired_permutation_test(a + 9, b, n_resamples=999, random_state=0)
    assert certain.pvalue == 1 / 1000
    few = paired_permutation_test(a[:10], b[:10])
    sampled = paired_permutation_test(
        a[:10], b[:10], method="monte-carlo", n_resamples=40_000, random_state=0
    )
    assert sampled.pvalue == pytest.approx(few.pvalue, abs=0.01)


def test_equal_pairs_change_no_pvalue():
    a, b = np.array([7, 9, 6, 8, 8.0]), np.array([6, 8, 6.5, 6, 7])
    more_a, more_b = np.append(a, [3, 4, 5]), np.append(b, [3, 4, 5])
    assert paired_permutation_test(more_a, more_b).pvalue == paired_permutation_test(a, b).pvalue
    assert paired_permutation_test(more_a, more_b).details["n_different"] == 5


@settings(deadline=None, max_examples=30)
@given(seed=st.integers(0, 10**6), decimals=st.integers(1, 4))
def test_swapping_and_rescaling_paired_scores(seed, decimals):
    a, b = np.random.default_rng(seed).random((2, 8)).round(decimals)
    if (a == b).all():
        return
    one, other = paired_permutation_test(a, b), paired_permutation_test(b, a)
    assert one.estimate == -other.estimate
    assert one.pvalue == other.pvalue
    greater = paired_permutation_test(a, b, alternative="greater").pvalue
    assert greater == paired_permutation_test(b, a, alternative="less").pvalue
    assert paired_permutation_test(100 * a, 100 * b, alternative="greater").pvalue == greater


def test_equal_scores_give_p_one_and_a_warning():
    for n_pairs in (1, 3, 50):
        with pytest.warns(DegenerateDataWarning, match="all differences are zero"):
            result = paired_permutation_test([0.3] * n_pairs, [0.1 + 0.2] * n_pairs)
        assert tuple(result) == (0.0, 1.0)
        assert math.isnan(result.details["standardized_difference"])


def test_one_pair_has_p_one():
    assert paired_permutation_test([2.0], [1.0]).pvalue == 1.0
    assert paired_permutation_test([2.0], [1.0], alternative="greater").pvalue == 0.5


def test_the_result_speaks_and_travels():
    result = paired_permutation_test([7, 9, 6, 8], [6, 8, 6, 6])
    assert pickle.loads(pickle.dumps(result)) == result
    assert "paired permutation test of the mean (exact)" in str(result)
    assert result.details["standardized_difference"] == pytest.approx(1 / np.std([1, 1, 0, 2], ddof=1))
    with pytest.raises(ValueError, match="no confidence interval"):
        result.confidence_interval()


def test_missing_scores_and_scores_of_splits_are_refused():
    with pytest.raises(MissingScoreError, match=r"b must not be missing, got nan at position 1"):
        paired_permutation_test([1.0, 2.0], [1.0, np.nan])
    with pytest.raises(ValueError, match="corrected_resampled_ttest"):
        paired_permutation_test({"test_score": [1.0, 2.0]}, [1.0, 2.0])
    with pytest.raises(ValueError, match="corrected_resampled_ttest"):
        paired_permutation_test([1.0, 2.0], CVScores([1.0, 2.0]))


def test_the_size_of_the_scores_changes_no_pvalue():
    a, b = np.array([1.0, 3, 2, 5, 4]), np.array([2.0, 1, 2, 3, 1.5])
    differences = [-1.0, 2, 0, 2, 2.5]
    sums = [abs(np.dot(signs, differences)) for signs in itertools.product((1, -1), repeat=5)]
    for scale in (1, 1e-170, 1e59):
        result = paired_permutation_test(a * scale, b * scale)
        assert result.pvalue == np.mean(np.array(sums) >= 5.5)
        expected = np.mean(differences) / np.std(differences, ddof=1)
        assert result.details["standardized_difference"] == pytest.approx(expected, rel=1e-12)
    for scale in (1e61, 1e307):
        with pytest.raises(ValueError, match=r"must hold numbers up to 1e.60 in size.* divide them"):
            paired_permutation_test(a * scale, b * scale)


def test_many_fine_units_are_no_lattice_to_walk_through():
    """Differences of ten digits are whole multiples of a unit, of too many units for an array."""
    generator = np.random.default_rng(2)
    a, b = generator.integers(10**9, 10**10, size=(2, 12)).astype(float)
    signs = np.array(list(itertools.product((1, -1), repeat=12)))
    expected = np.mean(np.abs(signs @ (a - b)) >= abs((a - b).sum()))
    result = paired_permutation_test(a, b)
    assert (result.pvalue, result.details["form"]) == (expected, "exact")


@pytest.mark.parametrize(
    ("a", "b", "options", "message"),
    [
        (np.array([1j, 2]), [1, 2], {}, "a must hold real numbers"),
        ([1, 2], np.array([1, 2 + 1j]), {}, "b must hold real numbers"),
        ([], [], {}, "at least 1 value"),
        ([1, 2], [1], {}, "same length"),
        ([1, np.inf], [1, 2], {}, "finite"),
        (["x", "y"], [1, 2], {}, "must hold numbers"),
        ([[1, 2], [3, 4]], [1, 2], {}, "one-dimensional"),
        ([1, 2], [2, 1], {"method": "normal"}, "method must be one of"),
        ([1, 2], [2, 1], {"n_resamples": 0}, "n_resamples must be"),
        (
            np.random.default_rng(0).random(60),
            np.zeros(60),
            {"method": "exact"},
            r"too slow for 60 differences .* takes up to 40 of any size: use method='saddlepoint'",
        ),
    ],
)
def test_bad_scores_are_refused(a, b, options, message):
    with pytest.raises(ValueError, match=message):
        paired_permutation_test(a, b, **options)

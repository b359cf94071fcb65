"""The Bayesian signed-rank test."""

import math
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skeval.comparison import bayes_signed_rank_test
from skeval.exceptions import MissingScoreError
from tests.reference import load

REFERENCE = load("14_bayesian_tests.json")
INPUTS, EXPECTED = REFERENCE["inputs"], REFERENCE["expected"]
ACCURACIES = INPUTS["average_accuracy_54"]


def within(found, expected, n_samples, error=0.0):
    """Three standard errors of the sampler, and of the reference."""
    return abs(found - expected) <= 3 * math.hypot(
        math.sqrt(max(expected * (1 - expected), 1e-5) / n_samples), error
    )


@pytest.mark.parametrize(
    ("other", "strength", "expected"),
    [
        ("j48", 0.5, EXPECTED["signed_rank_nbc_j48"]),
        ("aode", 0.5, EXPECTED["signed_rank_nbc_aode"]["s=0.5"]),
        ("aode", 0.6, EXPECTED["signed_rank_nbc_aode"]["s=0.6"]),
    ],
)
def test_54_data_sets_as_baycomp_and_scmamp_have_them(other, strength, expected):
    result = bayes_signed_rank_test(
        ACCURACIES[other], ACCURACIES["nbc"], rope=1, prior_strength=strength, random_state=0
    )
    # The reference is b - a: left is where nbc is better.
    found = (result.b_better, result.equivalent, result.a_better)
    for each, value, error in zip(found, expected["p"], expected["mc_se"], strict=True):
        assert within(each, value, 50_000, error)


def test_two_data_sets_as_by_quadrature():
    expected = EXPECTED["signed_rank_small"]["rope=0.4"]
    result = bayes_signed_rank_test([3, -1], [0, 0], rope=0.4, random_state=0, n_samples=200_000)
    assert within(result.a_better, expected["p_right"], 200_000)
    assert within(result.equivalent, expected["p_rope"], 200_000)
    assert within(result.b_better, expected["p_left"], 200_000)


def walsh_shares(places, weights, rope):
    """The definition, pair by pair."""
    sums = np.add.outer(places, places)
    pairs = np.multiply.outer(weights, weights)
    above, below = pairs[sums > 2 * rope + 1e-12].sum(), pairs[sums < -2 * rope - 1e-12].sum()
    return above, pairs.sum() - above - below, below


@settings(deadline=None, max_examples=40)
@given(
    differences=st.lists(st.integers(-6, 6), min_size=1, max_size=9),
    rope=st.integers(0, 4),
    place=st.integers(-3, 3),
)
def test_samples_are_the_shares_of_the_pairs(differences, rope, place):
    """With the weights drawn again from the same seed."""
    places = np.append(differences, place) / 100
    result = bayes_signed_rank_test(
        places[:-1], 0 * places[:-1], rope=rope / 100, prior_place=place / 100, n_samples=5, random_state=1
    )
    generator = np.random.default_rng(1)
    weights = generator.standard_exponential((len(places), 5))
    weights[-1] = generator.standard_gamma(0.5, 5)
    for found, each in zip(result.samples, (weights / weights.sum(axis=0)).T, strict=True):
        assert found == pytest.approx(walsh_shares(places, each, rope / 100), abs=1e-12)


def test_a_pair_on_the_edge_counts_inside():
    """Averages of 0.01, all of them, in scores that are no whole floats."""
    a, b = np.array([0.31, 0.82, 0.55]), np.array([0.30, 0.81, 0.54])
    inside = bayes_signed_rank_test(a, b, rope=0.01, random_state=0)
    assert (inside.a_better, inside.equivalent, inside.b_better) == (0.0, 1.0, 0.0)
    assert bayes_signed_rank_test(a, b, rope=0.0099, random_state=0).equivalent < 1
    equal = bayes_signed_rank_test(a, a, rope=0, random_state=0)
    assert (equal.a_better, equal.equivalent, equal.b_better) == (0.0, 1.0, 0.0)


@settings(deadline=None, max_examples=30)
@given(differences=st.lists(st.integers(-9, 9), min_size=1, max_size=20), rope=st.integers(0, 5))
def test_swapping_the_methods_mirrors_the_posterior(differences, rope):
    a, b = np.array(differences) / 100, np.zeros(len(differences))
    one = bayes_signed_rank_test(a, b, rope=rope / 100, n_samples=400, random_state=0)
    other = bayes_signed_rank_test(b, a, rope=rope / 100, n_samples=400, random_state=0)
    assert one.samples == pytest.approx(other.samples[:, ::-1], abs=1e-12)
    assert one.estimate == -other.estimate
    assert one.samples.sum(axis=1) == pytest.approx(1)
    assert one.a_better + one.equivalent + one.b_better == pytest.approx(1)


def test_the_scale_of_scores_and_rope_changes_nothing():
    a, b = np.random.default_rng(0).random((2, 12)).round(3)
    shares = bayes_signed_rank_test(a, b, rope=0.05, random_state=3)
    percent = bayes_signed_rank_test(100 * a, 100 * b, rope=5, random_state=3)
    assert percent.samples == pytest.approx(shares.samples, abs=1e-12)
    assert percent.estimate == pytest.approx(100 * shares.estimate)


def test_the_prior_pulls_where_it_is_placed():
    a, b = [0.3, 0.1, -0.2, -0.1], [0.0] * 4
    at_zero = bayes_signed_rank_test(a, b, rope=0.05, prior_strength=4, random_state=0)
    for_a = bayes_signed_rank_test(a, b, rope=0.05, prior_strength=4, prior_place=1.0, random_state=0)
    assert for_a.a_better > at_zero.a_better
    assert for_a.estimate == pytest.approx((0.1 + 4) / 8)
    assert at_zero.estimate == pytest.approx(0.1 / 8)
    weak = bayes_signed_rank_test(a, b, rope=0.05, prior_strength=1e-6, random_state=0)
    assert weak.equivalent < at_zero.equivalent


def test_the_result_tells_its_errors():
    result = bayes_signed_rank_test([3, 2, 1.5], [0, 1, 1], rope=0.2, n_samples=1000, random_state=0)
    share = result.a_better
    assert result.details["monte_carlo_error"][0] == pytest.approx(math.sqrt(share * (1 - share) / 1000))
    assert result.details["mean_probabilities"] == pytest.approx(tuple(result.samples.mean(axis=0)))
    assert result.samples.shape == (1000, 3)
    assert ((result.samples >= 0) & (result.samples <= 1)).all()
    assert "P(first better)" in str(result)
    assert np.array_equal(pickle.loads(pickle.dumps(result)).samples, result.samples)
    with pytest.raises(ValueError, match="no credible interval"):
        result.credible_interval()


def test_one_data_set_and_many():
    one = bayes_signed_rank_test([0.2], [0.1], rope=0.01, random_state=0)
    assert one.a_better > one.equivalent > one.b_better == 0.0
    a, b = np.random.default_rng(0).normal([[1], [0]], size=(2, 3000))
    assert bayes_signed_rank_test(a, b, rope=0.1, n_samples=200, random_state=0).a_better == 1.0


def test_the_seed_decides():
    a, b = np.random.default_rng(0).random((2, 12))
    one, same = (bayes_signed_rank_test(a, b, rope=0.05, random_state=7) for _ in range(2))
    assert np.array_equal(one.samples, same.samples)
    assert not np.array_equal(one.samples, bayes_signed_rank_test(a, b, rope=0.05, random_state=8).samples)


def test_missing_scores():
    """A nan compares false with everything, and would be counted as inside the region."""
    with pytest.raises(MissingScoreError, match=r"b must not be missing, got nan at position 2"):
        bayes_signed_rank_test([1, 2, 3], [1, 2, math.nan], rope=1)
    result = bayes_signed_rank_test(
        [1, 2, 3], [0, 2, math.nan], rope=1, nan_policy="omit", random_state=0, n_samples=10
    )
    assert (result.details["n_used"], result.details["n_total"]) == (2, 3)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rope": -0.1}, "rope must be a number"),
        ({"rope": math.nan}, "rope must be a number"),
        ({"rope": math.inf}, "rope must be a number"),
        ({"rope": 1, "prior_strength": 0}, "prior_strength must be"),
        ({"rope": 1, "prior_place": math.inf}, "prior_place must be"),
        ({"rope": 1, "n_samples": 0}, "n_samples must be"),
        ({"rope": 1, "random_state": -1}, "random_state must be"),
        ({"rope": 1, "nan_policy": "ignore"}, "nan_policy must be one of"),
    ],
)
def test_bad_options_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        bayes_signed_rank_test([1, 2], [0, 0], **options)


def test_bad_scores_are_refused():
    with pytest.raises(ValueError, match="same length"):
        bayes_signed_rank_test([1, 2], [1], rope=1)
    with pytest.raises(ValueError, match="corrected_resampled_ttest"):
        bayes_signed_rank_test({"test_score": [1, 2]}, [1, 2], rope=1)

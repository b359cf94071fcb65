"""The z-test of two proportions from independent test sets."""

import math
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skeval.comparison import proportions_ztest
from skeval.exceptions import DegenerateDataWarning
from tests.reference import load, number

REFERENCE = load("15_confidence_intervals.json")
INPUTS, EXPECTED = (REFERENCE[part]["indep_difference"] for part in ("inputs", "expected"))

counts = st.tuples(st.integers(1, 80), st.integers(1, 80)).flatmap(
    lambda sizes: st.tuples(
        st.tuples(st.integers(0, sizes[0]), st.integers(0, sizes[1])), st.just(tuple(sizes))
    )
)


def test_two_accuracies_on_independent_test_sets():
    """90 and 70 right answers of 100 each; z and p from R 4.2 and by hand."""
    unpooled = proportions_ztest([90, 70], [100, 100])
    assert tuple(unpooled) == pytest.approx((3.6514837167011076, 0.0002607296328553162), rel=1e-12)
    pooled = proportions_ztest([90, 70], [100, 100], pooled=True)
    assert tuple(pooled) == pytest.approx((3.5355339059327373, 0.00040695201744495886), rel=1e-12)
    assert "unpooled" in str(unpooled)
    assert "(pooled)" in str(pooled)
    assert "independent" in str(unpooled)


def test_each_side_has_its_own_tail():
    """The better one first: a small p for "greater", and the rest of 1 for "less"."""
    half = 0.0002607296328553162 / 2
    assert proportions_ztest([90, 70], [100, 100], alternative="greater").pvalue == pytest.approx(half)
    assert proportions_ztest([90, 70], [100, 100], alternative="less").pvalue == pytest.approx(1 - half)
    assert proportions_ztest([70, 90], [100, 100], alternative="less").pvalue == pytest.approx(half)


@settings(deadline=None, max_examples=60)
@given(data=counts, pooled=st.booleans())
def test_swapping_the_two_sets_mirrors_the_result(data, pooled):
    successes, samples = data
    shares = np.divide(successes, samples)
    if shares[0] == shares[1] or set(shares) == {0.0, 1.0}:
        return
    one = proportions_ztest(successes, samples, pooled=pooled)
    other = proportions_ztest(successes[::-1], samples[::-1], pooled=pooled)
    assert one.statistic == pytest.approx(-other.statistic, rel=1e-12)
    assert one.pvalue == pytest.approx(other.pvalue, rel=1e-12)
    assert tuple(one.confidence_interval()) == pytest.approx(
        tuple(-end for end in other.confidence_interval()[::-1]), abs=1e-12
    )
    low, high = one.confidence_interval()
    assert -1 <= low <= one.estimate <= high <= 1


@pytest.mark.parametrize("name", INPUTS)
def test_newcombes_interval_equals_that_of_r(name):
    given_, expected = INPUTS[name], EXPECTED[name]
    result = proportions_ztest(given_["successes"], given_["n"], pooled=True)
    assert result.estimate == pytest.approx(number(expected["estimate"]), rel=1e-12)
    assert tuple(result.confidence_interval()) == pytest.approx(expected["newcombe_hybrid"], abs=1e-10)


@pytest.mark.parametrize("name", ["a", "b"])
def test_the_unpooled_standard_error_is_that_of_wald(name):
    """Half the width of the Wald interval over the normal quantile."""
    given_, (low, high) = INPUTS[name], EXPECTED[name]["wald"]
    result = proportions_ztest(given_["successes"], given_["n"])
    assert result.standard_error == pytest.approx((high - low) / 2 / 1.959963984540054, rel=1e-9)


def test_one_sided_intervals_have_one_end():
    greater = proportions_ztest([90, 70], [100, 100], alternative="greater").confidence_interval(0.95)
    both = proportions_ztest([90, 70], [100, 100]).confidence_interval(0.9)
    assert greater == pytest.approx((both.low, 1.0))
    less = proportions_ztest([90, 70], [100, 100], alternative="less").confidence_interval(0.95)
    assert less == pytest.approx((-1.0, both.high))
    for level in (0.5, 0.4):
        with pytest.raises(ValueError, match=r"above 0\.5"):
            proportions_ztest([90, 70], [100, 100], alternative="less").confidence_interval(level)


@pytest.mark.parametrize("pooled", [True, False])
@pytest.mark.parametrize("successes", [(100, 100), (0, 0)])
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_equal_shares_without_variance_give_p_one_and_a_warning(successes, pooled, alternative):
    with pytest.warns(DegenerateDataWarning, match="zero variance"):
        result = proportions_ztest(successes, (100, 100), pooled=pooled, alternative=alternative)
    assert tuple(result) == (0.0, 1.0)


def test_one_of_one_against_none_of_one_is_not_certain():
    """The unpooled variance is 0 there; a p of 0 from two samples would be absurd."""
    with pytest.raises(ValueError, match="use pooled=True"):
        proportions_ztest([1, 0], [1, 1])
    assert proportions_ztest([1, 0], [1, 1], pooled=True).pvalue == pytest.approx(0.15729920705028513)


def test_far_tails_keep_their_logarithm():
    result = proportions_ztest([9000, 1000], [10_000, 10_000])
    z = 0.8 / math.sqrt(2 * 0.09 / 10_000)
    assert result.statistic == pytest.approx(z)
    # Mills' ratio to two terms
    log = math.log(2) - z**2 / 2 - math.log(z * math.sqrt(2 * math.pi)) + math.log1p(-1 / z**2)
    assert result.details["log_pvalue"] == pytest.approx(log, rel=1e-9)
    assert result.pvalue > 0
    assert "p < 1e-300" in str(result)


def test_any_pair_of_whole_numbers():
    expected = tuple(proportions_ztest([9, 7], [10, 12]))
    for pair in (tuple, np.array, lambda values: np.array(values, dtype=np.uint8)):
        assert tuple(proportions_ztest(pair([9, 7]), pair([10, 12]))) == expected
    result = proportions_ztest((9, 7), (10, 12))
    assert pickle.loads(pickle.dumps(result)).confidence_interval() == result.confidence_interval()


@pytest.mark.parametrize(
    ("successes", "samples", "options", "error", "message"),
    [
        ([9, 11], [10, 10], {}, ValueError, "11 of 10 in the second test set"),
        ([9, -1], [10, 10], {}, ValueError, r"n_successes\[1\] must be an integer not less than 0"),
        ([9, 1], [10, 0], {}, ValueError, r"n_samples\[1\] must be an integer not less than 1"),
        ([0.9, 0.7], [100, 100], {}, TypeError, "n_successes"),
        ([9, 1, 2], [10, 10, 10], {}, ValueError, "mcnemar_test"),
        (9, 10, {}, ValueError, "must be a pair"),
        ([9, 1], [10, 10], {"alternative": "bigger"}, ValueError, "alternative must be one of"),
        ([9, 1], [10, 10], {"pooled": "yes"}, ValueError, "pooled must be one of"),
    ],
)
def test_bad_input_is_refused(successes, samples, options, error, message):
    with pytest.raises(error, match=message):
        proportions_ztest(successes, samples, **options)

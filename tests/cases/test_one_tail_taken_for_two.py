"""Differences of shares: two tails unless said, and the tail that was asked for."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from skeval.comparison import binomial_test, proportions_ztest
from skeval.exceptions import DegenerateDataWarning
from tests.cases.strategies import SOME


def test_ninety_against_seventy_of_a_hundred():
    # By fractions and R 4.2 prop.test(correct=FALSE).
    unpooled, pooled = (proportions_ztest([90, 70], [100, 100], pooled=pooled) for pooled in (False, True))
    assert tuple(unpooled) == pytest.approx((3.6514837167011076, 0.0002607296328553162), rel=1e-9)
    assert tuple(pooled) == pytest.approx((3.5355339059327373, 0.00040695201744495886), rel=1e-9)
    swapped = proportions_ztest([70, 90], [100, 100])
    assert tuple(swapped) == (-unpooled.statistic, unpooled.pvalue)
    assert "pooled" in (pooled.method + pooled.hypothesis + str(pooled.details)).lower()


def test_two_shares_of_one():
    with pytest.warns(DegenerateDataWarning, match="zero variance"):
        assert tuple(proportions_ztest([100, 100], [100, 100])) == (0.0, 1.0)


def test_fifteen_of_twenty_against_chance():
    # By integers: 21700/2^20 and twice that.
    wrong = {"n_errors": 5, "n_samples": 20, "error": 0.5}
    assert binomial_test(**wrong, alternative="two-sided").pvalue == pytest.approx(43400 / 2**20, rel=1e-12)
    assert binomial_test(**wrong, alternative="less").pvalue == pytest.approx(21700 / 2**20, rel=1e-12)


counts = st.tuples(st.integers(1, 99), st.integers(1, 99))


@SOME
@given(counts, st.booleans())
def test_the_two_tails_sum_to_one_and_two_sided_is_twice_the_smaller(successes, pooled):
    found = {
        side: proportions_ztest(list(successes), [100, 100], pooled=pooled, alternative=side)
        for side in ("two-sided", "greater", "less")
    }
    z = found["two-sided"].statistic
    assert found["greater"].pvalue == pytest.approx(stats.norm.sf(z))
    assert found["greater"].pvalue + found["less"].pvalue == pytest.approx(1)
    assert found["two-sided"].pvalue == pytest.approx(2 * min(found[s].pvalue for s in ("greater", "less")))
    assert math.copysign(1, z) == math.copysign(1, successes[0] - successes[1]) or z == 0


@SOME
@given(st.integers(0, 40), st.integers(1, 40))
def test_tails_of_a_binomial_count_share_the_count_itself(errors, more):
    n = errors + more
    greater, less = (
        binomial_test(errors, n, error=0.3, alternative=side).pvalue for side in ("greater", "less")
    )
    assert greater + less == pytest.approx(1 + stats.binom.pmf(errors, n, 0.3), rel=1e-9)

"""The corrected resampled t test: the right factor of the variance, taken whole."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from skeval.comparison import corrected_resampled_ttest, paired_ttest
from skeval.exceptions import DependenceWarning
from tests.cases.strategies import SOME

A = [0.80, 0.82, 0.85, 0.79, 0.81, 0.83, 0.84, 0.80, 0.82, 0.86]
B = [0.78, 0.80, 0.84, 0.80, 0.79, 0.80, 0.83, 0.79, 0.81, 0.82]


def test_values():
    # By fractions: t^2 = 5184/779.
    found = corrected_resampled_ttest(A, B, n_train=90, n_test=10)
    assert found.estimate == pytest.approx(2 / 125, rel=1e-9)
    assert (found.statistic, found.df) == (pytest.approx(2.579667710040067, rel=1e-9), 9)
    assert found.pvalue == pytest.approx(0.029712812581520483, rel=1e-9)
    greater = corrected_resampled_ttest(A, B, n_train=90, n_test=10, alternative="greater")
    assert greater.pvalue == pytest.approx(0.014856406290760241, rel=1e-9)
    with pytest.warns(DependenceWarning, match="train"):
        uncorrected = paired_ttest(A, B)
    assert tuple(uncorrected) == pytest.approx((3.7481702853265455, 0.0045675497854477266), rel=1e-9)


def test_without_sizes_it_is_refused_by_their_names():
    with pytest.raises(ValueError, match=r"n_train.*n_test"):
        corrected_resampled_ttest(A, B)


@SOME
@given(
    st.lists(st.integers(-50, 50), min_size=3, max_size=20).filter(lambda d: len(set(d)) > 1),
    st.integers(1, 500),
    st.integers(1, 500),
)
def test_the_statistic_is_that_of_the_formula_and_antisymmetric(hundredths, n_train, n_test):
    a = np.array(hundredths) / 100
    zero, sizes = np.zeros(len(a)), {"n_train": n_train, "n_test": n_test}
    found = corrected_resampled_ttest(a, zero, **sizes)
    error = np.sqrt(a.var(ddof=1) * (1 / len(a) + n_test / n_train))
    assert found.statistic == pytest.approx(a.mean() / error, rel=1e-9, abs=1e-12)
    assert found.pvalue == pytest.approx(2 * stats.t.sf(abs(found.statistic), len(a) - 1), rel=1e-9)
    assert corrected_resampled_ttest(zero, a, **sizes).statistic == -found.statistic

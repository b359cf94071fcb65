"""The variance of a mean over splits that share training rows."""

import numpy as np
import pytest

from skeval.model_selection._corrected_variance import corrected_variance, size_ratio, variance_factor

# Sum 0.16, sum of squares 0.0042: variance (0.0042 - 0.16^2/10)/9 = 41/225000.
DIFFERENCES = np.array([0.02, 0.02, 0.01, -0.01, 0.02, 0.03, 0.01, 0.01, 0.01, 0.04])


def test_of_one_and_of_a_stack():
    expected = 41 / 225000 * (1 / 10 + 10 / 90)
    assert corrected_variance(DIFFERENCES, 10 / 90) == pytest.approx(expected, rel=1e-12)
    stack = np.stack([DIFFERENCES, 2 * DIFFERENCES])
    assert corrected_variance(stack, 10 / 90) == pytest.approx([expected, 4 * expected], rel=1e-12)


def test_of_independent_runs_it_is_that_of_a_mean():
    assert corrected_variance(DIFFERENCES, 0) == pytest.approx(41 / 225000 / 10, rel=1e-12)


def test_the_ratio_of_unequal_sizes_is_that_of_their_means():
    assert size_ratio(90, 10) == pytest.approx(1 / 9, rel=1e-15)
    assert size_ratio([90, 90, 91], [10, 10, 9]) == pytest.approx(29 / 271, rel=1e-15)


def test_the_factor_tends_to_the_ratio_with_more_splits():
    assert variance_factor(10, 1 / 9) == pytest.approx(19 / 90, rel=1e-15)
    assert variance_factor(10**9, 1 / 9) == pytest.approx(1 / 9 + 1e-9, rel=1e-15)

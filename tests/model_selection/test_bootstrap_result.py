"""The errors of bootstrap replicates put together."""

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB

from skeval.exceptions import ResamplingWarning
from skeval.model_selection import bootstrap_error

X, Y = np.arange(6.0)[:, None], [0, 0, 0, 1, 1, 1]
CV = [([0, 1, 3, 3, 4, 5], [2]), ([0, 1, 2, 3, 5, 5], [4]), ([0, 1, 2, 2, 3, 4], [5])]


def test_weights_of_zero_on_all_that_was_out_of_bag_are_refused():
    with (
        pytest.warns(ResamplingWarning, match="3 of 6 samples were out of bag in none of 3"),
        pytest.raises(
            ValueError, match=r"sample_weight must be above 0 .* got 0 for all 3 of them: use a larger"
        ),
    ):
        bootstrap_error(GaussianNB(), X, Y, cv=CV, sample_weight=[1, 1, 0, 1, 0, 0])

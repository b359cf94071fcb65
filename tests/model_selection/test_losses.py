"""Losses of bootstrap replicates, some of which leave no sample out."""

import numpy as np
import pytest
from sklearn.dummy import DummyRegressor

from skeval.model_selection import bootstrap_error

X, Y = np.zeros((4, 1)), np.array([1.0, 2.0, 4.0, 8.0])
# Each replicate leaves one sample out and draws the next one twice.
LEAVE_ONE = [(np.r_[np.delete(range(4), left), (left + 1) % 4], [left]) for left in range(4)]
EVERYTHING = np.arange(4), np.arange(0)


@pytest.mark.filterwarnings("ignore:At n_splits:skeval.exceptions.ResamplingWarning")
@pytest.mark.parametrize(
    ("loss", "expected"),
    [
        # Means of the replicates, by hand: 4, 4.25, 4.75, 2; distances to the one left out: 3, 2.25, 0.75, 6.
        ("squared", (9 + 5.0625 + 0.5625 + 36) / 4),
        (lambda true, said: np.abs(true - said), (3 + 2.25 + 0.75 + 6) / 4),
    ],
)
def test_a_replicate_that_leaves_no_sample_out_adds_no_loss(loss, expected):
    for cv in (LEAVE_ONE, [*LEAVE_ONE, EVERYTHING], [EVERYTHING, *LEAVE_ONE]):
        result = bootstrap_error(DummyRegressor(), X, Y, loss=loss, cv=cv, method="oob")
        assert result.leave_one_out == pytest.approx(expected)
        assert result.n_valid == len(cv)

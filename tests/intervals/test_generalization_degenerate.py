"""Intervals for the error on new samples: where nothing varies, and where replicates fail."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from skeval.exceptions import DegenerateDataWarning, ResamplingWarning
from skeval.intervals import generalization_interval
from skeval.model_selection import BootstrapSplit
from tests.intervals.generalization_runs import BAYES, GROUPS, QUIET, Says, X, Y, interval

pytestmark = QUIET


# --- nothing varies


@pytest.mark.parametrize(
    "method", ["corrected-t", "cv-wald", "cv-wald-within", "nested-cv", "conservative-z", "oob"]
)
def test_no_error_at_all_gets_a_binomial_bound(method):
    with pytest.warns(
        DegenerateDataWarning, match="every 0-1 loss is 0; the interval is the Clopper-Pearson"
    ):
        found = interval(method, Says(), np.zeros((60, 1)), np.zeros(60, dtype=int))
    assert (found.estimate, found.low) == (0, 0)
    # (alpha/2)^(1/n) of n tested samples.
    assert 1 - 0.025 ** (1 / 60) - 1e-9 <= found.high <= 1 - 0.025 ** (1 / 20)


def test_no_error_on_groups_is_bounded_by_the_number_of_groups():
    with pytest.warns(DegenerateDataWarning, match="over 20 tested"):
        found = interval("cv-wald", Says(), np.zeros((60, 1)), np.zeros(60, dtype=int), groups=GROUPS)
    assert found.high == pytest.approx(1 - 0.025 ** (1 / 20))


def test_a_constant_loss_of_another_kind_warns():
    message = "nothing varies, every squared loss is 4; the interval has no width"
    with pytest.warns(DegenerateDataWarning, match=message):
        found = interval("cv-wald", Says(), np.zeros((20, 1)), np.full(20, 2.0), loss="squared")
    assert (found.low, found.high) == (4, 4)


# --- replicates that fail, or are too few


def test_replicates_that_fail_are_counted():
    y = np.array([0] * 17 + [1] * 3)
    with pytest.warns(
        ResamplingWarning, match=r"of 60 bootstrap replicates failed and are left out, the first with"
    ):
        found = generalization_interval(
            LogisticRegression(), np.arange(20)[:, None], y, method="oob", n_splits=60, random_state=0
        )
    draws = BootstrapSplit(60, random_state=0).split(y)
    assert found.n_failed == sum(len(set(y[train])) == 1 for train, _ in draws) > 0


def test_all_replicates_failing_is_an_error():
    class Broken(Says):
        def fit(self, X, y):
            raise RuntimeError("broken")

    with pytest.raises(
        ValueError, match="All 40 bootstrap replicates failed, the first with RuntimeError: broken"
    ):
        interval("oob", Broken())
    with pytest.raises(RuntimeError, match="broken"):
        interval("cv-wald", Broken())


def test_two_replicates_have_no_interval():
    with (
        pytest.warns(ResamplingWarning, match="out of bag in none of 2"),
        pytest.raises(ValueError, match=r"no confidence interval: .* at least 3 .* that worked, 2 did"),
    ):
        generalization_interval(BAYES, X, Y, method="oob", n_splits=2, random_state=0)

"""Standard error and interval of the bootstrap error: the noise in them, when there is none, what is said."""

import itertools
import re
import warnings

import numpy as np
import pytest
from scipy.stats import norm
from sklearn.datasets import load_iris
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsRegressor

from skeval.exceptions import ResamplingWarning
from skeval.model_selection import BootstrapSplit, bootstrap_error
from tests.model_selection.bootstrap_runs import IRIS_X, IRIS_Y, QUIET, Fixed, iris_run

pytestmark = QUIET


# --- standard error and interval


def test_the_parts_of_the_variance_add_up_and_scale_with_the_estimate():
    X, y = load_iris(return_X_y=True)
    given = {"cv": BootstrapSplit(200, random_state=0)}
    plain = bootstrap_error(LinearDiscriminantAnalysis(), X, y, method="oob", **given)
    plus = bootstrap_error(LinearDiscriminantAnalysis(), X, y, **given)
    for result in (plain, plus):
        assert result.standard_error**2 + result.monte_carlo_error**2 == pytest.approx(
            result.standard_error_uncorrected**2
        )
    assert plus.standard_error / plain.standard_error == pytest.approx(plus.estimate / plus.leave_one_out)


def test_noise_is_a_warning_with_the_number_of_replicates_to_use():
    X, y = load_iris(return_X_y=True)
    told = r"At n_splits=100, (\d\d)% of .* Monte Carlo noise.* use n_splits=(\d+00) "
    with pytest.warns(ResamplingWarning, match=told) as caught:
        result = bootstrap_error(LinearDiscriminantAnalysis(), X, y, n_splits=100, random_state=0)
    [(percent, needed)] = [
        map(int, found.groups()) for one in caught if (found := re.search(told, str(one.message)))
    ]
    whole, noise = result.standard_error_uncorrected**2, result.monte_carlo_error**2
    assert percent == pytest.approx(100 * noise / whole, abs=0.5)
    # The noise falls as 1/n_splits beside what it leaves: with as many as told, to a fifth or just below.
    left = noise * 100 / needed
    assert 0.15 < left / (left + max(whole - noise, whole / 10)) <= 0.2


def test_enough_replicates_are_no_warning():
    predicted, y = np.arange(12) % 3 == 0, np.arange(12) % 2 == 0
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        bootstrap_error(Fixed(), predicted[:, None], y, n_splits=1000, random_state=0)
    assert [str(one.message) for one in caught if "At n_splits" in str(one.message)] == []


def test_the_interval_is_normal_and_within_the_range_of_the_loss():
    X, y = load_iris(return_X_y=True)
    result = bootstrap_error(LinearDiscriminantAnalysis(), X, y, n_splits=400, random_state=0)
    low, high = result.confidence_interval(0.5)
    half = norm.ppf(0.75) * result.standard_error
    assert (low, high) == pytest.approx((result.estimate - half, result.estimate + half))
    assert result.confidence_interval(0.9999).low == 0
    with pytest.raises(ValueError, match="confidence_level must be a number in"):
        result.confidence_interval(95)


def test_without_a_wrong_prediction_there_is_no_interval():
    y = np.arange(30) % 2
    result = bootstrap_error(Fixed(), y[:, None], y, n_splits=50, random_state=0)
    assert result.estimate == result.standard_error == 0
    with pytest.raises(ValueError, match="no loss varies"):
        result.confidence_interval()


# --- what has no standard error


def shifted_absolute(y_true, y_pred):
    return np.abs(y_true - y_pred) - 0.9


def negative_run(method):
    """An estimate of -0.22 at Err1 = 0.27 gave a standard error of -0.18, and an interval upside down."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 3))
    y = X[:, 0] + rng.normal(size=40)
    ask = {"loss": shifted_absolute, "n_splits": 500, "random_state": 0}
    return bootstrap_error(KNeighborsRegressor(1), X, y, method=method, **ask)


def test_the_standard_error_in_proportion_has_no_meaning_for_a_loss_that_is_negative():
    result = negative_run(".632")
    assert result.estimate < 0 < result.leave_one_out
    assert result.standard_error is None
    with pytest.raises(ValueError, match=r"no meaning for a loss that may be negative; add a constant"):
        result.confidence_interval()


def test_the_leave_one_out_bootstrap_of_a_loss_that_may_be_negative_has_its_interval():
    result = negative_run("oob")  # its error is in proportion to nothing
    low, high = result.confidence_interval()
    assert low < result.estimate < high


@pytest.mark.parametrize("n_splits", [1, 2])
def test_fewer_than_three_replicates_have_no_standard_error(n_splits):
    # With two the Monte Carlo noise cannot be told: it came out as 0, and no warning with it.
    cv = BootstrapSplit(200, random_state=0)
    splits = list(itertools.islice(cv.split(IRIS_X, IRIS_Y), n_splits))
    splits[-1] = next(iter(BootstrapSplit(1, random_state=9).split(IRIS_X, IRIS_Y)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResamplingWarning)  # samples that were never out of bag
        result = bootstrap_error(GaussianNB(), IRIS_X, IRIS_Y, cv=splits)
    assert (result.standard_error, result.monte_carlo_error) == (None, None)
    with pytest.raises(ValueError, match=f"at least 3 bootstrap replicates that worked, {n_splits} did"):
        result.confidence_interval()


# --- what it says


def test_the_result_reads_as_a_sentence():
    result = iris_run(n_splits=300)
    assert str(result).startswith(f".632+ bootstrap: 0-1 loss {result.estimate:.4g} (standard error ")
    assert "no-information 0.66" in str(result)
    assert str(result).endswith("300 of 300 replicates).")
    assert result.estimand == "mean 0-1 loss, on new samples, of the method trained on 50 samples"
    assert "about 32 distinct" in iris_run(method="oob").estimand
    assert "1997" in result.reference


def test_the_result_is_a_table_too():
    result = iris_run()
    frame = result.frame()
    assert frame.shape[0] == 1
    assert frame.loc[0, "estimate"] == result.estimate
    assert "<table" in result._repr_html_()
    assert ".632+ bootstrap" in result._repr_html_()

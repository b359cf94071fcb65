"""The Bayesian correlated t-test."""

import math
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skeval.comparison import corrected_resampled_ttest, correlated_bayes_ttest
from skeval.exceptions import DegenerateDataWarning
from skeval.model_selection._cv_scores import CVScores
from tests.reference import load, number

REFERENCE = load("14_bayesian_tests.json")
INPUTS, EXPECTED = REFERENCE["inputs"], REFERENCE["expected"]
TEN = {"n_train": 9, "n_test": 1}  # a test share of 0.1
SMALL = INPUTS["small"]["differences"]


def differences(name):
    if name.startswith("sonar"):
        given_ = INPUTS["sonar_nbc_j48_rope0"]
        return np.subtract(given_["j48"], given_["nbc"])
    if name == "anneal_nbc_aode":
        given_ = INPUTS[name]
        return np.subtract(given_["nbc_percent"], given_["aode_percent"]) / 100
    return np.array(SMALL)


@pytest.mark.parametrize(
    "name",
    [
        "sonar_nbc_j48_rope0",
        "sonar_nbc_j48_rope0.5",
        "anneal_nbc_aode",
        "small",
        "small_rope0",
        "small_rho0.2",
    ],
)
def test_posterior_equals_that_of_scmamp_and_baycomp(name):
    given_, expected = INPUTS[name], EXPECTED[name]
    sizes = {"n_train": 4, "n_test": 1} if given_["rho"] == 0.2 else TEN
    scores = differences(name)
    result = correlated_bayes_ttest(scores, np.zeros(len(scores)), rope=given_["rope"], **sizes)
    assert result.a_better == pytest.approx(expected["p_right_(d>rope)"], abs=1e-10)
    assert result.equivalent == pytest.approx(expected["p_rope"], abs=1e-10)
    assert result.b_better == pytest.approx(expected["p_left_(d<-rope)"], abs=1e-10)
    assert result.estimate == pytest.approx(number(expected["posterior_mean"]), rel=1e-10)
    assert result.details["scale"] == pytest.approx(expected["posterior_scale"], rel=1e-9)
    assert result.details["df"] == expected["df"]


@settings(deadline=None, max_examples=50)
@given(
    scores=st.lists(st.integers(-20, 20), min_size=3, max_size=10).filter(
        lambda values: len(set(values)) > 1
    ),
    rope=st.floats(0, 0.1),
)
def test_probabilities_sum_to_one_and_swap_with_the_methods(scores, rope):
    scores = np.array(scores) / 100
    one = correlated_bayes_ttest(scores, np.zeros(len(scores)), rope=rope, **TEN)
    other = correlated_bayes_ttest(np.zeros(len(scores)), scores, rope=rope, **TEN)
    assert one.a_better + one.equivalent + one.b_better == pytest.approx(1, abs=1e-12)
    assert min(one.a_better, one.equivalent, one.b_better) >= 0
    assert one.a_better == pytest.approx(other.b_better, abs=1e-12)
    assert one.equivalent == pytest.approx(other.equivalent, abs=1e-12)


def test_without_a_rope_it_is_the_one_sided_corrected_t():
    zero = np.zeros(10)
    result = correlated_bayes_ttest(SMALL, zero, rope=0, **TEN)
    test = corrected_resampled_ttest(SMALL, zero, alternative="greater", **TEN)
    assert result.b_better == pytest.approx(test.pvalue, rel=1e-12)
    assert result.equivalent == 0.0
    assert tuple(result.credible_interval(0.9)) == pytest.approx(
        tuple(corrected_resampled_ttest(SMALL, zero, **TEN).confidence_interval(0.9))
    )


@pytest.mark.parametrize(
    ("value", "rope", "expected"),
    [
        (0.42, 0.2, (1, 0, 0)),
        (0.0, 0.2, (0, 1, 0)),
        (-0.42, 0.2, (0, 0, 1)),
        (0.1, 0.2, (0, 1, 0)),
        (0.2, 0.2, (0, 1, 0)),  # on the edge counts inside
        (-0.2, 0.2, (0, 1, 0)),
        (0.0, 0.0, (0, 1, 0)),
    ],
)
def test_constant_differences_put_all_mass_into_one_region(value, rope, expected):
    with pytest.warns(DegenerateDataWarning, match="zero variance"):
        result = correlated_bayes_ttest([value] * 5, [0.0] * 5, rope=rope, **TEN)
    assert (result.a_better, result.equivalent, result.b_better) == expected
    assert tuple(result.credible_interval()) == pytest.approx((value, value))


def test_a_constant_difference_on_the_edge_up_to_rounding_counts_inside():
    with pytest.warns(DegenerateDataWarning, match="zero variance"):
        result = correlated_bayes_ttest([0.8, 0.7, 0.4], [0.7, 0.6, 0.3], rope=0.1, **TEN)
    assert result.equivalent == 1.0


def test_far_tails_keep_their_digits():
    scores = 10 + np.tile([0.0, 0.1], 50)
    result = correlated_bayes_ttest(scores, np.zeros(100), rope=0.5, n_train=90, n_test=10)
    assert 0 < result.b_better < 1e-50


def test_sizes_are_read_from_the_splits():
    indices = [([0, 1, 2], [3]), ([1, 2, 3], [0]), ([0, 2, 3], [1])]
    result = correlated_bayes_ttest(CVScores([0.1, 0.3, 0.2], indices=indices), [0.1, 0.1, 0.1], rope=0.01)
    assert result.details["scale"] == pytest.approx(math.sqrt((1 / 3 + 1 / 3) * 0.01))


def test_bad_input_is_refused():
    with pytest.raises(ValueError, match="rope must be a number in"):
        correlated_bayes_ttest(SMALL, np.zeros(10), rope=-0.1, **TEN)
    with pytest.raises(ValueError, match="n_train and n_test must be known"):
        correlated_bayes_ttest(SMALL, np.zeros(10), rope=0.1)
    with pytest.raises(ValueError, match="is nan"):
        correlated_bayes_ttest([*SMALL[:9], math.nan], np.zeros(10), rope=0.1, **TEN)


def test_result_pickles_with_its_interval():
    result = correlated_bayes_ttest(SMALL, np.zeros(10), rope=0.01, **TEN)
    assert pickle.loads(pickle.dumps(result)).credible_interval() == result.credible_interval()

"""One model's error rate against a number."""

import math
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from skeval.comparison import binomial_test, critical_errors, one_sample_ttest
from skeval.exceptions import DegenerateDataWarning, DependenceWarning, MissingScoreError
from skeval.model_selection._cv_scores import CVScores
from tests.reference import load, number

BINOMIAL = load("05_binomial_error_rate.json")
T_TESTS = load("06_t_tests.json")


# --- binomial test ---


@pytest.mark.parametrize(
    ("given_", "expected"),
    list(zip(BINOMIAL["inputs"]["tests"], BINOMIAL["expected"]["tests"], strict=True)),
)
def test_binomial_pvalues_equal_those_of_r(given_, expected):
    columns = {
        "greater": "p_greater (H1: error > eps0)",
        "less": "p_less",
        "two-sided": "p_two_sided_min_likelihood (R binom.test)",
    }
    for alternative, column in columns.items():
        result = binomial_test(given_["errors"], given_["m"], error=given_["eps0"], alternative=alternative)
        assert result.pvalue == pytest.approx(expected[column], rel=1e-10)


@pytest.mark.parametrize("case", BINOMIAL["expected"]["confidence_intervals"])
def test_interval_is_that_of_clopper_and_pearson(case):
    n_samples, n_errors = (int(part.split("=")[1]) for part in case.split(","))
    result = binomial_test(n_errors, n_samples, error=0.3, alternative="two-sided")
    for level, methods in BINOMIAL["expected"]["confidence_intervals"][case].items():
        interval = result.confidence_interval(float(level))
        assert tuple(interval) == pytest.approx(methods["clopper_pearson"], abs=1e-8)


def test_one_sided_interval_is_one_end_of_a_wider_two_sided_one():
    above = binomial_test(3, 20, error=0.1).confidence_interval(0.95)
    both = binomial_test(3, 20, error=0.1, alternative="two-sided").confidence_interval(0.90)
    assert above.low == pytest.approx(both.low)
    assert above.high == 1.0


def test_accuracy_against_chance_in_exact_fractions():
    # 15 of 20 right against 1/2: the tail of Binomial(20, 1/2) is 21700 of 2**20.
    assert binomial_test(15, 20, error=0.5).pvalue == 21700 / 2**20
    assert binomial_test(15, 20, error=0.5, alternative="two-sided").pvalue == 43400 / 2**20


def test_pvalue_that_equals_alpha_as_a_decimal_is_equal_as_a_float():
    assert binomial_test(1, 1, error=0.05).pvalue == 0.05
    assert binomial_test(2, 2, error=0.1).pvalue == 0.01


def test_estimate_is_the_error_rate_and_the_sentence_says_the_hypothesis():
    result = binomial_test(3, 10, error=0.2)
    statistic, pvalue = result
    assert (statistic, result.estimate) == (3.0, 0.3)
    assert pvalue == result.pvalue
    assert "the error rate is at most 0.2" in str(result)


def test_no_error_and_only_errors():
    assert binomial_test(0, 10, error=0.1).pvalue == 1.0
    assert binomial_test(10, 10, error=0.1).pvalue == pytest.approx(1e-10, rel=1e-12)
    assert binomial_test(0, 10, error=0.1).confidence_interval().low == 0.0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n_errors": 11, "n_samples": 10}, "n_errors must not exceed n_samples"),
        ({"n_errors": -1, "n_samples": 10}, "n_errors must be an integer not less than 0"),
        ({"n_errors": 0, "n_samples": 0}, "n_samples must be an integer not less than 1"),
        ({"n_errors": 1, "n_samples": 10, "error": 1.5}, "error must be a number in"),
        ({"n_errors": 1, "n_samples": 10, "error": math.nan}, "error must be a number in"),
        ({"n_errors": 1, "n_samples": 10, "alternative": "larger"}, "alternative must be one of"),
    ],
)
def test_bad_counts_are_refused_by_name(arguments, message):
    with pytest.raises(ValueError, match=message):
        binomial_test(**({"error": 0.3} | arguments))


def test_share_of_errors_is_not_a_count():
    with pytest.raises(TypeError, match="n_errors must be an integer"):
        binomial_test(0.3, 10, error=0.3)


# --- critical number of errors ---


def test_critical_errors_equal_the_exact_table():
    wrong = [
        row
        for row in BINOMIAL["expected"]["critical"]
        if critical_errors(row[1], error=row[2], alpha=row[0], strict=True) != row[3]
        or critical_errors(row[1], error=row[2], alpha=row[0]) != row[4]
    ]
    assert wrong == []


def test_five_errors_of_ten_are_accepted_at_an_error_rate_of_thirty_percent():
    assert critical_errors(10, error=0.3) == 5
    assert binomial_test(5, 10, error=0.3).pvalue > 0.05 >= binomial_test(6, 10, error=0.3).pvalue


@settings(deadline=None, max_examples=100)
@given(
    n_samples=st.integers(1, 120),
    error=st.decimals(0, 1, places=2),
    alpha=st.decimals("0.01", "0.99", places=2),
)
def test_critical_errors_is_where_the_test_turns(n_samples, error, alpha):
    error, alpha = float(error), float(alpha)
    critical = critical_errors(n_samples, error=error, alpha=alpha)
    assert binomial_test(critical, n_samples, error=error).pvalue > alpha
    if critical < n_samples:
        assert binomial_test(critical + 1, n_samples, error=error).pvalue <= alpha


def test_critical_errors_of_a_large_test_set_is_quick_and_right():
    # The normal approximation is good to one error here: 0.1 m + 1.645 sqrt(0.09 m).
    assert critical_errors(10**6, error=0.1) == pytest.approx(10**5 + 1.6449 * 300, abs=1)


def test_level_outside_zero_and_one_is_refused():
    with pytest.raises(ValueError, match="alpha must be a number in"):
        critical_errors(10, error=0.3, alpha=1.0)


# --- one-sample t-test ---


@pytest.mark.parametrize("error", T_TESTS["expected"]["one_sample"])
def test_one_sample_t_equals_that_of_r(error):
    expected = T_TESTS["expected"]["one_sample"][error]
    errors = T_TESTS["inputs"]["one_sample"]["errors"]
    result = one_sample_ttest(errors, error=float(error))
    assert result.statistic == pytest.approx(number(expected["t"]), rel=1e-10, abs=1e-12)
    assert result.df == expected["df"]
    assert result.estimate == pytest.approx(number(expected["mean"]), abs=1e-12)
    assert tuple(result.confidence_interval()) == pytest.approx(expected["ci95_of_mean"], rel=1e-9)
    for alternative in ("two-sided", "greater", "less"):
        result = one_sample_ttest(errors, error=float(error), alternative=alternative)
        assert result.pvalue == pytest.approx(expected[f"p_{alternative.replace('-', '_')}"], rel=1e-9)


def test_errors_equal_to_the_bound_give_no_evidence():
    with pytest.warns(DegenerateDataWarning, match=r"zero variance.*identical"):
        result = one_sample_ttest([0.1, 0.1, 0.3 - 0.2], error=0.1)
    assert (result.statistic, result.pvalue) == (0.0, 1.0)


def test_constant_errors_apart_from_the_bound_are_flagged():
    with pytest.warns(DegenerateDataWarning, match=r"zero variance.*constant difference"):
        result = one_sample_ttest([0.2, 0.2, 0.2], error=0.1)
    assert (result.statistic, result.pvalue) == (math.inf, 0.0)


def test_splits_that_share_training_rows_warn():
    indices = {"train": [[0, 1], [1, 2], [0, 2]], "test": [[2], [0], [1]]}
    with pytest.warns(DependenceWarning, match="share training rows"):
        one_sample_ttest(CVScores([0.1, 0.2, 0.4], indices=indices), error=0.3)


def test_splits_that_share_no_training_row_do_not_warn():
    indices = {"train": [[0, 1], [4, 5]], "test": [[2, 3], [6, 7]]}
    assert one_sample_ttest(CVScores([0.1, 0.2], indices=indices), error=0.3).df == 1


def test_scores_of_cross_validate_are_not_taken_for_errors():
    with pytest.raises(ValueError, match=r"errors must be test errors, not a dict of scores.*1 - results"):
        one_sample_ttest({"test_score": np.array([0.9, 0.8])}, error=0.1)


@pytest.mark.parametrize(
    ("errors", "kind", "message"),
    [
        ([0.1], ValueError, "hold at least 2"),
        ([0.1, math.nan], MissingScoreError, "nan at position 1"),
        ([0.1, math.inf, 0.2], ValueError, "errors must hold finite numbers, got inf at position 1"),
        (["a", "b"], ValueError, "must hold numbers"),
        ([[0.1, 0.2], [0.3, 0.4]], ValueError, "must be one-dimensional"),
    ],
)
def test_bad_errors_are_refused(errors, kind, message):
    with pytest.raises(kind, match=message):
        one_sample_ttest(errors, error=0.1)


@pytest.mark.parametrize(
    ("error", "got"), [(math.inf, "inf"), (-math.inf, "-inf"), (math.nan, "nan"), (1e61, r"1e\+61")]
)
def test_the_error_of_the_null_hypothesis_is_a_finite_number(error, got):
    with pytest.raises(ValueError, match=rf"error must be a number in \[-1e\+60, 1e\+60\], got {got}"):
        one_sample_ttest([0.1, 0.2], error=error)


def test_errors_of_any_size_have_their_pvalue_or_are_refused():
    errors = np.array([0.12, 0.15, 0.10, 0.18, 0.13, 0.16])
    expected = stats.ttest_1samp(errors, 0.1).pvalue
    for scale in (1e-58, 1e58):
        assert one_sample_ttest(errors * scale, error=0.1 * scale).pvalue == pytest.approx(expected, rel=1e-9)
    with pytest.raises(ValueError, match=r"must reach a size of 1e-60.* multiply all of them"):
        one_sample_ttest(errors * 1e-170, error=0)
    with pytest.raises(ValueError, match=r"errors must hold numbers up to 1e.60 in size"):
        one_sample_ttest(errors * 1e155, error=0)


def test_a_masked_error_is_missing():
    with pytest.raises(MissingScoreError, match="nan at position 1"):
        one_sample_ttest(np.ma.masked_array([0.1, 0.2, 0.3], mask=[0, 1, 0]), error=0.1)


def test_results_pickle_with_their_interval():
    for result in (binomial_test(3, 10, error=0.2), one_sample_ttest([0.1, 0.2, 0.15], error=0.1)):
        again = pickle.loads(pickle.dumps(result))
        assert again.confidence_interval() == result.confidence_interval()

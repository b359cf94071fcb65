"""Five replications of two-fold cross-validation."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold, RepeatedStratifiedKFold, cross_validate
from sklearn.tree import DecisionTreeClassifier

from skeval.comparison import five_by_two_ftest, five_by_two_ttest
from skeval.exceptions import DegenerateDataWarning, MissingScoreError
from tests.reference import load, number

T_TESTS = load("06_t_tests.json")
EXPECTED = T_TESTS["expected"]["five_by_two_cv"]
DIFFERENCES = np.array(
    T_TESTS["inputs"]["five_by_two"]["p[i][j] = error(A)-error(B) on fold j of replication i"]
)
NONE = np.zeros((5, 2))
# t^2 = 40/33 with df 5, F = 37/33 with df 10 and 5, in exact fractions.
OTHER = [(0.02, -0.01), (0.03, 0.01), (0.00, 0.02), (0.04, 0.00), (0.01, 0.01)]


@pytest.mark.parametrize(("numerator", "name"), [("first", "dietterich_t"), ("mean", "zhou_t")])
def test_t_equals_that_of_exact_fractions(numerator, name):
    result = five_by_two_ttest(DIFFERENCES, NONE, numerator=numerator)
    assert result.statistic == pytest.approx(number(EXPECTED[name]["t"]), rel=1e-10)
    assert result.pvalue == pytest.approx(EXPECTED[name]["p_two_sided"], rel=1e-9)
    assert result.estimate == pytest.approx(number(EXPECTED[name]["numerator"]), rel=1e-12)
    assert result.df == 5


def test_f_equals_that_of_exact_fractions():
    result = five_by_two_ftest(DIFFERENCES, NONE)
    assert result.statistic == pytest.approx(number(EXPECTED["alpaydin_F"]["F"]), rel=1e-10)
    assert result.pvalue == pytest.approx(EXPECTED["alpaydin_F"]["p"], rel=1e-9)
    assert result.df == tuple(EXPECTED["alpaydin_F"]["df"])


def test_other_differences_in_exact_fractions():
    t_result, f_result = five_by_two_ttest(OTHER, NONE), five_by_two_ftest(OTHER, NONE)
    assert t_result.statistic == pytest.approx(math.sqrt(40 / 33), rel=1e-12)
    assert t_result.pvalue == pytest.approx(0.3210690984304231, rel=1e-9)
    assert f_result.statistic == pytest.approx(37 / 33, rel=1e-12)
    assert f_result.pvalue == pytest.approx(0.47839601009176996, rel=1e-9)


def test_t_depends_on_the_order_of_folds_and_f_does_not():
    statistics = [
        five_by_two_ttest(np.roll(DIFFERENCES, -shift, axis=0)[:, order], NONE).statistic
        for shift in range(5)
        for order in ([0, 1], [1, 0])
    ]
    assert sorted(statistics) == pytest.approx(sorted(EXPECTED["all_ten_possible_t"]), rel=1e-10)
    # F is the mean of the squares of the ten possible t.
    assert five_by_two_ftest(DIFFERENCES, NONE).statistic == pytest.approx(
        np.mean(np.square(statistics)), rel=1e-12
    )


@settings(deadline=None, max_examples=30)
@given(st.lists(st.integers(-50, 50), min_size=10, max_size=10, unique=True))
def test_swapping_the_methods_turns_the_sign_and_keeps_p(values):
    scores = np.array(values) / 100
    one, other = five_by_two_ttest(scores, np.zeros(10)), five_by_two_ttest(np.zeros(10), scores)
    assert one.statistic == -other.statistic
    assert one.pvalue == other.pvalue
    assert five_by_two_ftest(scores, np.zeros(10)).pvalue == five_by_two_ftest(np.zeros(10), scores).pvalue


def test_one_sided_pvalues_halve_the_two_sided_one():
    two_sided = five_by_two_ttest(DIFFERENCES, NONE).pvalue
    assert five_by_two_ttest(DIFFERENCES, NONE, alternative="greater").pvalue == pytest.approx(two_sided / 2)
    assert five_by_two_ttest(DIFFERENCES, NONE, alternative="less").pvalue == pytest.approx(1 - two_sided / 2)


@pytest.mark.parametrize("test", [five_by_two_ttest, five_by_two_ftest])
def test_a_method_compared_with_itself_is_no_evidence(test):
    with pytest.warns(DegenerateDataWarning, match=r"zero variance.*identical"):
        result = test(np.full((5, 2), 0.8), np.full((5, 2), 0.8))
    assert (result.statistic, result.pvalue) == (0.0, 1.0)


@pytest.mark.parametrize("test", [five_by_two_ttest, five_by_two_ftest])
def test_equal_differences_within_replications_are_infinite_and_flagged(test):
    differences = T_TESTS["inputs"]["zero_variance"]["five_by_two_all_s2_zero_nonzero_p"]
    with pytest.warns(DegenerateDataWarning, match=r"zero variance.*constant difference"):
        result = test(differences, NONE)
    assert (result.statistic, result.pvalue) == (math.inf, 0.0)


def test_no_first_difference_over_no_variance_is_no_evidence():
    with pytest.warns(DegenerateDataWarning, match="zero variance"):
        result = five_by_two_ttest([[0, 0], [0.1, 0.1], [0.1, 0.1], [0.1, 0.1], [0.1, 0.1]], NONE)
    assert (result.statistic, result.pvalue) == (0.0, 1.0)


def test_f_has_no_interval():
    with pytest.raises(ValueError, match="no confidence interval"):
        five_by_two_ftest(DIFFERENCES, NONE).confidence_interval()


def test_reads_cross_validate_in_the_order_of_the_splits():
    X, y = load_iris(return_X_y=True)
    cv = RepeatedStratifiedKFold(n_splits=2, n_repeats=5, random_state=0)
    a, b = (
        cross_validate(model, X, y, cv=cv, return_indices=True)
        for model in (LogisticRegression(max_iter=500), DecisionTreeClassifier(random_state=0))
    )
    read = five_by_two_ftest(a, b)
    assert read == five_by_two_ftest(a["test_score"].reshape(5, 2), b["test_score"].reshape(5, 2))
    assert 0 < read.pvalue <= 1


def test_splits_that_are_not_pairs_of_halves_are_refused():
    X, y = load_iris(return_X_y=True)
    results = cross_validate(
        DecisionTreeClassifier(random_state=0),
        X,
        y,
        cv=KFold(10, shuffle=True, random_state=0),
        return_indices=True,
    )
    with pytest.raises(ValueError, match="Splits 0 and 1 must be the two halves"):
        five_by_two_ftest(results, np.zeros(10))


@pytest.mark.parametrize("test", [five_by_two_ttest, five_by_two_ftest])
def test_exactly_ten_scores_are_needed(test):
    with pytest.raises(ValueError, match="exactly 10 scores"):
        test(np.arange(9), np.zeros(9))
    with pytest.raises(
        MissingScoreError, match=r"score of a on split 2 is nan .*: mend that fit: the test needs"
    ) as told:
        test([0.1, 0.2, math.nan, *range(7)], np.zeros(10))
    assert "nan_policy" not in str(told.value)  # these tests have no such option


@pytest.mark.parametrize("test", [five_by_two_ttest, five_by_two_ftest])
def test_a_masked_score_is_missing(test):
    masked = np.ma.masked_array(DIFFERENCES, mask=np.arange(10).reshape(5, 2) == 3)
    for scores in (masked, list(masked), masked.ravel()):
        with pytest.raises(MissingScoreError, match="score of a on split 3 is nan"):
            test(scores, NONE)


@pytest.mark.parametrize("test", [five_by_two_ttest, five_by_two_ftest])
def test_scores_whose_squares_would_vanish_are_refused(test):
    with pytest.raises(ValueError, match=r"must reach a size of 1e-60, or all be 0, got .*e-17"):
        test(np.array(DIFFERENCES) * 1e-170, NONE)


def test_unknown_numerator_is_refused():
    with pytest.raises(ValueError, match="numerator must be one of 'first', 'mean'"):
        five_by_two_ttest(DIFFERENCES, NONE, numerator="last")

"""Two methods on one data set: paired, corrected and equivalence t-tests."""

import math
import pickle

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold, ShuffleSplit, StratifiedKFold, TimeSeriesSplit, cross_validate
from sklearn.tree import DecisionTreeClassifier

from skeval.comparison import (
    corrected_resampled_ttest,
    correlated_bayes_ttest,
    equivalence_test,
    paired_ttest,
)
from skeval.exceptions import (
    DegenerateDataWarning,
    DependenceWarning,
    MissingScoreError,
    SplitMismatchError,
)
from skeval.model_selection._cv_scores import CVScores
from tests.reference import load, number

T_TESTS = load("06_t_tests.json")
EXPECTED = T_TESTS["expected"]

# Ten folds, the same splits for both; expected values as exact fractions: t^2 = 5184/779.
A = [0.80, 0.82, 0.85, 0.79, 0.81, 0.83, 0.84, 0.80, 0.82, 0.86]
B = [0.78, 0.80, 0.84, 0.80, 0.79, 0.80, 0.83, 0.79, 0.81, 0.82]

IRIS = load_iris(return_X_y=True)


def paired(*arguments, **options):
    with pytest.warns(DependenceWarning, match="share training rows"):
        return paired_ttest(*arguments, **options)


def check_against(result, expected, pvalues):
    assert result.statistic == pytest.approx(number(expected["t"]), rel=1e-10)
    assert result.df == expected["df"]
    assert result.estimate == pytest.approx(number(expected["mean"]), abs=1e-12)
    assert tuple(result.confidence_interval()) == pytest.approx(expected["ci95_of_mean"], rel=1e-9, abs=1e-12)
    for alternative, pvalue in pvalues.items():
        assert pvalue == pytest.approx(expected[f"p_{alternative}"], rel=1e-9)


# --- the numbers ---


def test_paired_t_equals_that_of_r():
    a, b = T_TESTS["inputs"]["paired"]["a"], T_TESTS["inputs"]["paired"]["b"]
    pvalues = {name: paired(a, b, alternative=name).pvalue for name in ("greater", "less")}
    result = paired(a, b)
    check_against(result, EXPECTED["paired_kfold"], pvalues | {"two_sided": result.pvalue})


@pytest.mark.parametrize("case", ["j10_90_10", "j10_66_34"])
def test_corrected_t_equals_that_of_r_and_of_exact_fractions(case):
    a, b = T_TESTS["inputs"]["paired"]["a"], T_TESTS["inputs"]["paired"]["b"]
    expected = EXPECTED["corrected_resampled"][case]
    sizes = {"n_train": expected["n_train"], "n_test": expected["n_test"]}
    result = corrected_resampled_ttest(a, b, **sizes)
    pvalues = {
        name: corrected_resampled_ttest(a, b, alternative=name, **sizes).pvalue
        for name in ("greater", "less")
    }
    check_against(result, expected, pvalues | {"two_sided": result.pvalue})


def test_repeated_folds_count_all_splits_of_all_repeats():
    given_ = T_TESTS["inputs"]["repeated_kfold"]
    differences = np.array(given_["differences_3_repeats_of_4_folds"])
    result = corrected_resampled_ttest(
        differences, np.zeros(12), n_train=given_["n_train"], n_test=given_["n_test"]
    )
    check_against(result, EXPECTED["corrected_repeated_kfold"], {"two_sided": result.pvalue})
    naive = paired(differences, np.zeros(12))
    check_against(naive, EXPECTED["uncorrected_repeated_kfold"], {"two_sided": naive.pvalue})


def test_correction_is_by_training_rows_not_by_all_rows():
    result = corrected_resampled_ttest(A, B, n_train=90, n_test=10)
    assert result.statistic == pytest.approx(math.sqrt(5184 / 779), rel=1e-12)
    assert result.estimate == pytest.approx(2 / 125, rel=1e-12)
    assert result.standard_error**2 == pytest.approx(41 / 225000 * (1 / 10 + 1 / 9), rel=1e-10)
    assert result.pvalue == pytest.approx(0.029712812581520483, rel=1e-9)
    greater = corrected_resampled_ttest(A, B, n_train=90, n_test=10, alternative="greater")
    assert greater.pvalue == pytest.approx(0.014856406290760241, rel=1e-9)
    naive = paired(A, B)
    assert naive.statistic == pytest.approx(3.7481702853265455, rel=1e-10)
    assert naive.pvalue == pytest.approx(0.0045675497854477266, rel=1e-9)


def test_unequal_splits_use_the_ratio_of_the_mean_sizes():
    result = corrected_resampled_ttest([0.3, 0.1, 0.2], [0, 0, 0], n_train=[90, 80, 100], n_test=[10, 20, 15])
    assert result.standard_error**2 == pytest.approx(0.01 * (1 / 3 + 45 / 270), rel=1e-12)


def test_pvalues_of_a_far_tail_keep_their_digits():
    result = corrected_resampled_ttest(
        1000 + np.tile([0.0, 1.0], 50), np.zeros(100), n_train=90, n_test=10, alternative="greater"
    )
    assert 0 < result.pvalue < 1e-100


scores = st.lists(st.floats(0, 1), min_size=3, max_size=12)


@settings(deadline=None, max_examples=50)
@given(a=scores, data=st.data())
def test_swapping_the_methods_turns_the_sign_and_keeps_p(a, data):
    b = data.draw(st.lists(st.floats(0, 1), min_size=len(a), max_size=len(a)))
    assume(np.ptp(np.array(a) - np.array(b)) > 1e-6)
    one, other = (corrected_resampled_ttest(*pair, n_train=80, n_test=20) for pair in ((a, b), (b, a)))
    assert one.statistic == -other.statistic
    assert one.pvalue == other.pvalue
    assert one.estimate == -other.estimate
    greater = corrected_resampled_ttest(a, b, n_train=80, n_test=20, alternative="greater")
    less = corrected_resampled_ttest(b, a, n_train=80, n_test=20, alternative="less")
    assert greater.pvalue == pytest.approx(less.pvalue, rel=1e-12)


def test_containers_do_not_matter():
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    expected = corrected_resampled_ttest(A, B, n_train=90, n_test=10)
    for kind in (
        tuple,
        np.array,
        polars.Series,
        lambda values: pandas.Series(values, index=range(10, 0, -1)),
    ):
        assert corrected_resampled_ttest(kind(A), kind(B), n_train=90, n_test=10) == expected


# --- zero variance ---


@pytest.mark.parametrize("test", ["paired", "corrected"])
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_a_method_compared_with_itself_is_no_evidence(test, alternative):
    with pytest.warns(DegenerateDataWarning, match=r"zero variance.*identical"):
        result = (
            paired(A, A, alternative=alternative)
            if test == "paired"
            else corrected_resampled_ttest(A, A, n_train=90, n_test=10, alternative=alternative)
        )
    assert (result.statistic, result.pvalue, result.estimate) == (0.0, 1.0, 0.0)


def test_the_same_estimator_twice_is_no_evidence():
    cv = StratifiedKFold(5, shuffle=True, random_state=0)
    one, other = (
        cross_validate(DecisionTreeClassifier(random_state=0), *IRIS, cv=cv, return_indices=True)
        for _ in range(2)
    )
    with pytest.warns(DegenerateDataWarning, match=r"zero variance.*identical"):
        result = corrected_resampled_ttest(one, other)
    assert (result.statistic, result.pvalue) == (0.0, 1.0)


@pytest.mark.parametrize("case", ["constant_nonzero", "float_noise"])
def test_constant_differences_are_infinite_and_flagged(case):
    a, b = (T_TESTS["inputs"]["zero_variance"][case][name] for name in ("a", "b"))
    with pytest.warns(DegenerateDataWarning, match=r"zero variance.*constant difference"):
        result = corrected_resampled_ttest(a, b, n_train=90, n_test=10)
    assert (result.statistic, result.pvalue) == (math.inf, 0.0)
    assert "p < 1e-300" in str(result)
    with pytest.warns(DegenerateDataWarning, match=r"zero variance.*constant difference"):
        result = corrected_resampled_ttest(b, a, n_train=90, n_test=10, alternative="greater")
    assert (result.statistic, result.pvalue) == (-math.inf, 1.0)


def test_scores_that_are_equal_but_for_rounding_are_identical():
    with pytest.warns(DegenerateDataWarning, match=r"zero variance.*identical"):
        result = corrected_resampled_ttest([0.1 + 0.2, 0.7], [0.3, 0.8 - 0.1], n_train=9, n_test=1)
    assert (result.statistic, result.pvalue) == (0.0, 1.0)


def test_small_differences_of_large_scores_are_not_taken_for_rounding():
    a, b = np.array([1e6, 1e6 + 1, 1e6 + 2]), np.array([1e6 - 1e-7, 1e6 + 1, 1e6 + 2 - 3e-7])
    result = corrected_resampled_ttest(a, b, n_train=9, n_test=1)
    assert 0 < result.statistic < math.inf


# --- what the splits must be ---


def test_sizes_are_read_from_the_splits():
    cv = ShuffleSplit(8, test_size=0.2, random_state=0)
    results = [
        cross_validate(model, *IRIS, cv=cv, return_indices=True)
        for model in (DecisionTreeClassifier(max_depth=1, random_state=0), LogisticRegression(max_iter=500))
    ]
    read = corrected_resampled_ttest(*results)
    told = corrected_resampled_ttest(
        results[0]["test_score"], results[1]["test_score"], n_train=120, n_test=30
    )
    assert read == told
    assert read.details == {"n_used": 8, "n_total": 8, "n_train": 120.0, "n_test": 30.0}


def test_sizes_that_contradict_the_splits_are_refused():
    scores_ = CVScores([0.1, 0.3], indices=[([0, 1], [2]), ([1, 2], [0])])
    with pytest.raises(ValueError, match=r"n_train is 3 but split 0 has 2"):
        corrected_resampled_ttest(scores_, [0.2, 0.1], n_train=3)


def test_unknown_sizes_are_asked_for_by_name():
    with pytest.raises(ValueError, match=r"n_train and n_test must be known.*return_indices=True"):
        corrected_resampled_ttest(A, B)
    with pytest.raises(ValueError, match="n_train and n_test must be known"):
        corrected_resampled_ttest(A, B, n_train=90)


def test_distinct_rows_of_a_bootstrap_sample_are_counted():
    indices = [([0, 0, 1, 1], [2, 3]), ([2, 3, 3, 3], [0, 1])]
    result = corrected_resampled_ttest(CVScores([0.1, 0.3], indices=indices), [0.0, 0.0])
    assert (result.details["n_train"], result.details["n_test"]) == (2.0, 2.0)


def test_different_splits_are_refused_naming_the_first():
    results = [
        cross_validate(
            DecisionTreeClassifier(random_state=0),
            *IRIS,
            cv=KFold(5, shuffle=True, random_state=seed),
            return_indices=True,
        )
        for seed in (0, 1)
    ]
    with pytest.raises(SplitMismatchError, match="split 0 differs"):
        corrected_resampled_ttest(*results)
    with pytest.raises(SplitMismatchError, match="split 0 differs"):
        paired_ttest(*results)


def test_time_ordered_splits_are_refused_with_the_reason():
    results = cross_validate(
        LogisticRegression(max_iter=500),
        np.arange(20.0)[:, None],
        [0, 1] * 10,
        cv=TimeSeriesSplit(3),
        return_indices=True,
    )
    with pytest.raises(ValueError, match=r"time-ordered.*exchangeable"):
        corrected_resampled_ttest(results, [0.1, 0.2, 0.4])


def test_two_folds_without_shuffling_are_not_time_ordered():
    indices = [([5, 6, 7], [0, 1, 2]), ([0, 1, 2], [5, 6, 7])]
    assert corrected_resampled_ttest(CVScores([0.1, 0.3], indices=indices), [0, 0]).df == 1


def test_test_rows_that_were_trained_on_are_refused():
    indices = [([0, 1, 2], [3, 4]), ([0, 1, 3], [2, 3])]
    with pytest.raises(ValueError, match="Split 1 tests on rows that it trained on"):
        corrected_resampled_ttest(CVScores([0.1, 0.3], indices=indices), [0, 0])


def test_a_last_split_on_all_rows_is_left_out():
    halves = [([0, 1], [2, 3]), ([2, 3], [0, 1])]
    with_all = CVScores([0.1, 0.3, 1.0], indices=[*halves, ([0, 1, 2, 3], [0, 1, 2, 3])])
    assert corrected_resampled_ttest(with_all, [0.0, 0.0]) == corrected_resampled_ttest(
        CVScores([0.1, 0.3], indices=halves), [0.0, 0.0]
    )


def test_folds_that_share_no_training_row_do_not_warn():
    halves = [([0, 1], [2, 3]), ([2, 3], [0, 1])]
    assert paired_ttest(CVScores([0.1, 0.3], indices=halves), [0.0, 0.0]).df == 1


@pytest.mark.parametrize("test", [paired_ttest, corrected_resampled_ttest])
def test_one_split_is_too_few(test):
    sizes = {} if test is paired_ttest else {"n_train": 90, "n_test": 10}
    with pytest.raises(ValueError, match="at least 2 splits with both scores, got 1"):
        test([0.8], [0.7], **sizes)


def test_missing_scores_are_named_or_omitted():
    broken = [*A[:3], math.nan, *A[4:]]
    with pytest.raises(MissingScoreError, match=r"score of a on split 3 is nan"):
        corrected_resampled_ttest(broken, B, n_train=90, n_test=10)
    result = corrected_resampled_ttest(broken, B, n_train=90, n_test=10, nan_policy="omit")
    rest = [number_ for where, number_ in enumerate(A) if where != 3]
    assert (result.details["n_used"], result.details["n_total"]) == (9, 10)
    assert result == corrected_resampled_ttest(
        rest, [number_ for where, number_ in enumerate(B) if where != 3], n_train=90, n_test=10
    )


def test_a_masked_score_is_missing():
    masked = np.ma.masked_array(B, mask=np.arange(len(B)) == 2)
    with pytest.raises(MissingScoreError, match="score of b on split 2 is nan"):
        paired_ttest(A, masked)
    rest = [number_ for where, number_ in enumerate(A) if where != 2]
    other = [number_ for where, number_ in enumerate(B) if where != 2]
    omitted = corrected_resampled_ttest(A, masked, n_train=90, n_test=10, nan_policy="omit")
    assert omitted == corrected_resampled_ttest(rest, other, n_train=90, n_test=10)


@pytest.mark.parametrize("values", [["1", "2"], np.array(["1", "2"]), [1j, 2]])
def test_text_and_complex_numbers_are_no_scores(values):
    with pytest.raises(ValueError, match=r"b: scores must hold (real )?numbers"):
        paired_ttest([3, 5], values)


@pytest.mark.parametrize("test", [corrected_resampled_ttest, equivalence_test, correlated_bayes_ttest])
def test_scores_whose_squares_would_vanish_or_overflow_are_refused(test):
    a, b = np.array([1.0, 3, 2, 5, 4]), np.array([2.0, 1, 2, 3, 1.5])
    options = {"n_train": 9, "n_test": 1}
    options |= {equivalence_test: {"margin": 1}, correlated_bayes_ttest: {"rope": 0}}.get(test, {})
    with pytest.raises(ValueError, match=r"must reach a size of 1e-60.* multiply all of them by a constant"):
        test(a * 1e-170, b * 1e-170, **options)
    with pytest.raises(ValueError, match=r"a: scores must be numbers up to 1e.60 in size"):
        test(a * 1e155, b * 1e155, **options)


def test_scores_of_any_other_size_have_their_pvalue():
    a, b = np.array([1.0, 3, 2, 5, 4]), np.array([2.0, 1, 2, 3, 1.5])
    for scale in (1e-59, 1, 1e59):
        with pytest.warns(DependenceWarning, match="share training rows"):
            result = paired_ttest(a * scale, b * scale)
        assert result.pvalue == pytest.approx(stats.ttest_rel(a, b).pvalue, rel=1e-9)


def test_the_smallest_scores_have_their_pvalue():
    with pytest.warns(DependenceWarning, match="share training rows"):
        result = paired_ttest([0, 1e-60, 0], [0, 0, 0])
    assert result.pvalue == pytest.approx(stats.ttest_1samp([0, 1, 0], 0).pvalue, rel=1e-12)


def test_infinite_scores_and_unknown_options_are_refused():
    with pytest.raises(ValueError, match=r"b: scores must be numbers up to .* got inf on split 1"):
        corrected_resampled_ttest([0.1, 0.2], [0.1, math.inf], n_train=9, n_test=1)
    with pytest.raises(ValueError, match="alternative must be one of"):
        corrected_resampled_ttest(A, B, n_train=9, n_test=1, alternative="bigger")
    with pytest.raises(ValueError, match="nan_policy must be one of"):
        corrected_resampled_ttest(A, B, n_train=9, n_test=1, nan_policy="propagate")


# --- equivalence ---


def test_equivalence_is_two_one_sided_corrected_tests():
    margin, sizes = 0.03, {"n_train": 90, "n_test": 10}
    result = equivalence_test(A, B, margin=margin, **sizes)
    below = corrected_resampled_ttest(np.array(A) + margin, B, alternative="greater", **sizes)
    above = corrected_resampled_ttest(np.array(A) - margin, B, alternative="less", **sizes)
    assert result.pvalue == pytest.approx(max(below.pvalue, above.pvalue), rel=1e-9)
    assert result.statistic == pytest.approx(above.statistic, rel=1e-9)
    # By hand: t = (mean - margin)/se with mean 2/125, se^2 = 41/225000 (1/10 + 1/9).
    by_hand = (2 / 125 - margin) / math.sqrt(41 / 225000 * (1 / 10 + 1 / 9))
    assert result.pvalue == pytest.approx(stats.t.cdf(by_hand, 9), rel=1e-9)


@settings(deadline=None, max_examples=50)
@given(margin=st.floats(0.001, 0.1), alpha=st.floats(0.01, 0.4))
def test_interval_at_twice_alpha_lies_inside_the_margin_exactly_where_p_is_below_alpha(margin, alpha):
    result = equivalence_test(A, B, margin=margin, n_train=90, n_test=10)
    assume(abs(result.pvalue - alpha) > 1e-9)
    low, high = result.confidence_interval(1 - 2 * alpha)
    assert (-margin < low and high < margin) == (result.pvalue < alpha)


def test_non_inferiority_looks_at_one_side_only():
    better = np.array(B) + 0.2 + np.linspace(0, 0.01, 10)
    sizes = {"n_train": 90, "n_test": 10}
    assert equivalence_test(better, B, margin=0.01, kind="non-inferiority", **sizes).pvalue < 1e-6
    assert equivalence_test(better, B, margin=0.01, **sizes).pvalue > 0.99
    assert equivalence_test(B, better, margin=0.01, kind="non-inferiority", **sizes).pvalue > 0.99


def test_identical_methods_are_equivalent_and_a_difference_on_the_margin_is_not():
    sizes = {"n_train": 90, "n_test": 10}
    with pytest.warns(DegenerateDataWarning, match="zero variance"):
        assert equivalence_test(A, A, margin=0.01, **sizes).pvalue == 0.0
    with pytest.warns(DegenerateDataWarning, match="zero variance"):
        assert equivalence_test([0.8, 0.7], [0.7, 0.6], margin=0.1, **sizes).pvalue == 1.0


@pytest.mark.parametrize("margin", [0, -0.1, math.nan])
def test_margin_must_be_above_zero(margin):
    with pytest.raises(ValueError, match="margin must be a number in"):
        equivalence_test(A, B, margin=margin, n_train=90, n_test=10)


# --- the result ---


def test_result_says_what_it_tested_and_pickles():
    result = corrected_resampled_ttest(A, B, n_train=90, n_test=10)
    assert "equally good on average" in result.hypothesis
    assert "trained on 90 rows" in result.estimand
    assert "Nadeau" in result.reference
    for one in (result, equivalence_test(A, B, margin=0.03, n_train=90, n_test=10)):
        again = pickle.loads(pickle.dumps(one))
        assert again.confidence_interval(0.9) == one.confidence_interval(0.9)


def test_warning_points_at_the_line_of_the_caller():
    with pytest.warns(DependenceWarning, match="share training rows") as caught:
        paired_ttest(A, B)
    assert caught[0].filename == __file__

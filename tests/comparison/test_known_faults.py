"""Faults that tests of this kind have had elsewhere, each named after its kind."""

import time

import numpy as np
import pytest
from scipy import stats
from sklearn.base import is_regressor
from sklearn.datasets import load_diabetes, load_iris
from sklearn.linear_model import Ridge
from sklearn.model_selection import GridSearchCV, cross_validate
from sklearn.tree import DecisionTreeClassifier

from skeval.comparison import (
    adjust_pvalues,
    bayes_signed_rank_test,
    binomial_test,
    cochrans_q_test,
    compare_candidates,
    compare_cv,
    compare_predictions,
    compare_scores,
    corrected_resampled_ttest,
    correlated_bayes_ttest,
    critical_difference,
    delong_test,
    five_by_two_ftest,
    five_by_two_ttest,
    friedman_test,
    mcnemar_from_table,
    mcnemar_test,
    paired_permutation_test,
    permutation_test,
    posthoc_test,
    proportions_ztest,
    sign_test,
    wilcoxon_test,
)
from skeval.exceptions import DegenerateDataWarning, MissingScoreError
from skeval.model_selection import FiveByTwoSplit

SPLITS = {"n_train": 90, "n_test": 10}
A = np.array([0.80, 0.82, 0.85, 0.79, 0.81, 0.83, 0.84, 0.80, 0.82, 0.86])
B = np.array([0.78, 0.80, 0.84, 0.80, 0.79, 0.80, 0.83, 0.79, 0.81, 0.82])


# --- scores per split ---


class TestCorrectedVariance:
    def test_the_standard_error_is_the_root_of_the_whole_factor(self):
        # Not sd x factor, nor sqrt(sd x factor): s^2 (1/J + n_test/n_train) = 41/225000 (1/10 + 1/9).
        result = corrected_resampled_ttest(A, B, **SPLITS)
        assert result.standard_error == pytest.approx((41 / 225000 * (1 / 10 + 1 / 9)) ** 0.5, rel=1e-12)
        assert result.statistic == pytest.approx(2.579667710040067, rel=1e-12)

    def test_the_ratio_is_that_of_test_rows_to_training_rows_not_to_all_rows(self):
        wrong = 0.016 / (41 / 225000 * (1 / 10 + 1 / 10)) ** 0.5  # n_test/n_total
        assert corrected_resampled_ttest(A, B, **SPLITS).statistic != pytest.approx(wrong, rel=1e-3)

    def test_the_number_of_splits_counts_and_not_the_number_of_rows(self):
        for rows in (100, 1000):
            sizes = {"n_train": rows * 9 // 10, "n_test": rows // 10}
            result = corrected_resampled_ttest(A, B, **sizes)
            assert (result.df, result.pvalue) == (9, pytest.approx(0.029712812581520483, rel=1e-12))

    def test_the_two_sided_pvalue_is_not_halved_nor_that_of_the_smaller_tail(self):
        result = corrected_resampled_ttest(A, B, **SPLITS)
        assert result.pvalue == pytest.approx(2 * stats.t.sf(result.statistic, 9), rel=1e-12)
        assert corrected_resampled_ttest(B, A, **SPLITS).pvalue == result.pvalue

    def test_order_of_the_splits_changes_nothing(self):
        order = np.random.default_rng(0).permutation(10)
        result = corrected_resampled_ttest(A[order], B[order], **SPLITS)
        assert result.pvalue == pytest.approx(corrected_resampled_ttest(A, B, **SPLITS).pvalue)


class TestIdenticalModels:
    @pytest.mark.parametrize(
        "test",
        [
            lambda a, b: corrected_resampled_ttest(a, b, **SPLITS),
            five_by_two_ttest,
            five_by_two_ftest,
        ],
    )
    def test_no_difference_is_zero_and_one_not_nan_or_an_error(self, test):
        with pytest.warns(DegenerateDataWarning, match="zero variance"):
            assert tuple(test(A, A)) == (0.0, 1.0)

    def test_the_same_estimator_twice(self):
        X, y = load_iris(return_X_y=True)
        tree = DecisionTreeClassifier(random_state=0)
        runs = [
            cross_validate(tree, X, y, cv=FiveByTwoSplit(random_state=0), return_indices=True)
            for _ in range(2)
        ]
        for test in (five_by_two_ttest, five_by_two_ftest, corrected_resampled_ttest):
            with pytest.warns(DegenerateDataWarning, match="zero variance: .*identical"):
                assert tuple(test(*runs)) == (0.0, 1.0)
        assert not hasattr(tree, "tree_")  # no estimator of the user is left fitted


class TestContainers:
    def test_data_frames_with_any_index_and_targets_of_regression(self):
        pandas = pytest.importorskip("pandas")
        features, target = load_diabetes(return_X_y=True)
        frame = pandas.DataFrame(features, index=range(1000, 1000 + len(features)))
        runs = {
            str(alpha): cross_validate(
                Ridge(alpha=alpha), frame, target, cv=FiveByTwoSplit(random_state=0), return_indices=True
            )
            for alpha in (0.01, 1.0, 100.0)
        }
        assert len(compare_cv(runs).pvalue) == 3
        assert five_by_two_ftest(runs["0.01"], runs["100.0"]).pvalue < 0.05
        search = GridSearchCV(Ridge(), {"alpha": [0.01, 100.0]}, cv=5).fit(frame, target)
        assert is_regressor(search.estimator)
        assert compare_candidates(search, frame, target).pvalue[0] < 0.05

    def test_plain_lists(self):
        assert correlated_bayes_ttest(A.tolist(), B.tolist(), rope=0.01, **SPLITS).a_better > 0.5
        assert bayes_signed_rank_test(A.tolist(), B.tolist(), rope=0.01, random_state=0).a_better > 0.5


class TestMissingScores:
    HOLED = np.array([0.8, np.nan, 0.7, 0.9, 0.6, 0.8, 0.7, 0.8, 0.9, 0.8])

    @pytest.mark.parametrize(
        "call",
        [
            lambda holed: corrected_resampled_ttest(holed, B, **SPLITS),
            lambda holed: correlated_bayes_ttest(holed, B, rope=0.01, **SPLITS),
            lambda holed: bayes_signed_rank_test(holed, B, rope=0.01),
            lambda holed: five_by_two_ftest(holed, B),
            lambda holed: wilcoxon_test(holed, B),
            lambda holed: sign_test(holed, B),
            lambda holed: friedman_test({"a": holed, "b": B, "c": A}),
            lambda holed: posthoc_test({"a": holed, "b": B, "c": A}),
            lambda holed: compare_scores({"a": holed, "b": B, "c": A}),
        ],
    )
    def test_are_refused_and_not_ranked_or_compared(self, call):
        with pytest.raises(MissingScoreError, match="nan"):
            call(self.HOLED)

    def test_left_out_they_do_not_count(self):
        table = {"a": self.HOLED, "b": B, "c": A}
        result = compare_scores(table, nan_policy="omit")
        assert result.details["dropped"] == ("1",)
        assert result.mean_ranks.sum() == pytest.approx(6)
        assert result.details["critical_difference"] == critical_difference(3, 9)


# --- one test set ---


class TestDiscordantPairs:
    def test_the_correction_does_not_turn_an_equal_number_round(self):
        assert tuple(mcnemar_from_table([[10, 5], [5, 5]], method="chi2-corrected")) == (0.0, 1.0)

    def test_no_pvalue_is_above_one(self):
        assert mcnemar_from_table([[10, 3], [3, 5]], method="exact").pvalue == 1.0
        assert mcnemar_from_table([[10, 3], [3, 5]]).pvalue == pytest.approx(1 - 20 / 64 / 2)

    @pytest.mark.parametrize("labels", [("no", "yes"), (-1, 1), (False, True), (7, 3)])
    def test_any_labels(self, labels):
        y, a, b = np.array([[0, 1, 1, 0, 1, 1], [0, 1, 1, 0, 1, 0], [1, 0, 1, 1, 0, 0]])
        expected = mcnemar_test(y, a, b)
        named = [np.array(labels)[codes] for codes in (y, a, b)]
        assert tuple(mcnemar_test(*named)) == tuple(expected)


class TestManyModels:
    def test_cochran_does_not_enumerate_all_patterns(self):
        y = np.ones(200, dtype=int)
        preds = np.random.default_rng(0).integers(0, 2, (60, 200))  # 2^60 patterns
        start = time.perf_counter()
        assert 0 < cochrans_q_test(y, preds).pvalue < 1
        assert time.perf_counter() - start < 1


class TestTails:
    def test_a_difference_of_proportions_is_two_sided(self):
        higher = proportions_ztest([90, 70], [100, 100])
        lower = proportions_ztest([70, 90], [100, 100])
        assert higher.pvalue == pytest.approx(0.0002607296328553162, rel=1e-9)
        assert lower.pvalue == higher.pvalue
        assert lower.statistic == -higher.statistic

    def test_equal_proportions_of_one(self):
        with pytest.warns(DegenerateDataWarning, match="zero variance"):
            assert tuple(proportions_ztest([100, 100], [100, 100])) == (0.0, 1.0)

    def test_a_binomial_sum_of_thousands_does_not_overflow(self):
        for n in (1200, 5000, 10**6):
            result = binomial_test(int(0.52 * n), n, error=0.5)
            assert result.pvalue == pytest.approx(stats.binom.sf(int(0.52 * n) - 1, n, 0.5), rel=1e-6)


class TestRankEquivalentScores:
    def test_delong_gives_one_and_not_zero(self):
        y, score = [1, 0, 1, 0, 1, 0], [0.9, 0.2, 0.3, 0.4, 0.8, 0.1]
        with pytest.warns(DegenerateDataWarning, match="zero variance"):
            assert delong_test(y, score, np.square(score)).pvalue == 1

    def test_delong_gives_a_pvalue_and_not_its_logarithm(self):
        generator = np.random.default_rng(0)
        y = np.arange(60) % 2
        result = delong_test(y, y + generator.normal(size=60), generator.normal(size=60))
        assert 0 < result.pvalue < 1

    def test_float32_scores_lose_no_digits(self):
        y, score = [1, 0, 1, 0, 1, 0], np.array([0.9, 0.2, 0.3, 0.4, 0.8, 0.1])
        result = delong_test(y, score.astype(np.float32), np.array([1, 2, 3, 4, 5, 6], dtype=np.float32))
        assert result.details["auc"][0] == pytest.approx(8 / 9, rel=1e-15)


class TestSampledPvalues:
    def test_are_never_zero(self):
        generator = np.random.default_rng(0)
        a = generator.normal(size=60) + 5
        result = paired_permutation_test(a, 0 * a, method="monte-carlo", n_resamples=99, random_state=0)
        assert result.pvalue >= 1 / 100  # the observed order counts
        y = np.arange(80) % 2
        sampled = permutation_test(y, y, 1 - y, method="monte-carlo", n_resamples=99, random_state=0)
        assert sampled.pvalue >= 1 / 100

    def test_come_from_the_random_state_and_not_from_the_global_one(self):
        results = []
        for seed in (1, 2):
            np.random.seed(seed)  # noqa: NPY002
            results.append(bayes_signed_rank_test(A, B, rope=0.01, n_samples=200, random_state=7).samples)
        assert (results[0] == results[1]).all()


# --- several data sets ---

SCORES = np.array(
    [
        [0.9, 0.7, 0.8, 0.6],
        [0.8, 0.9, 0.7, 0.6],
        [0.9, 0.8, 0.7, 0.6],
        [0.9, 0.8, 0.6, 0.7],
        [0.9, 0.8, 0.7, 0.6],
        [0.9, 0.8, 0.6, 0.7],
        [0.8, 0.9, 0.7, 0.6],
        [0.9, 0.7, 0.8, 0.6],
        [0.9, 0.8, 0.6, 0.7],
        [0.7, 0.8, 0.9, 0.6],
    ]
)


class TestCriticalValues:
    def test_the_quantile_is_that_of_k_methods_and_not_of_the_next_entry_of_a_table(self):
        # Demsar (2006), table 5(a): q of 2 to 10 methods at 5 %.
        published = [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164]
        for k, q in enumerate(published, 2):
            assert critical_difference(k, 6 * 10, alpha=0.05) == pytest.approx(
                q * np.sqrt(k * (k + 1) / 360), abs=0.001
            )

    def test_two_methods_one_critical_difference_apart_differ(self):
        result = posthoc_test(SCORES)
        assert result.details["critical_difference"] == pytest.approx(1.4832311854, rel=1e-9)
        assert [set(group) for group in result.groups()] == [{"0", "1"}, {"1", "2"}, {"2", "3"}]

    def test_degrees_of_freedom_are_infinite(self):
        finite = stats.studentized_range.ppf(0.95, 4, 4 * 9) / 2**0.5
        assert critical_difference(4, 10) < finite * np.sqrt(20 / 60) - 0.01

    @pytest.mark.parametrize("alpha", [0.07, 0.001, 0.5])
    def test_any_level(self, alpha):
        assert critical_difference(5, 12, alpha=alpha) > 0

    @pytest.mark.parametrize("k", [57, 200])
    def test_any_number_of_methods(self, k):
        assert critical_difference(k, 20) > critical_difference(56, 20)


class TestTwoMethods:
    @pytest.mark.parametrize(
        "method", ["nemenyi", "holm", "shaffer", "bergmann-hommel", "conover", "mcb", "wilcoxon-holm"]
    )
    def test_are_compared_and_do_not_crash(self, method):
        assert 0 < posthoc_test(SCORES[:, :2], method=method).pvalue[0] < 1
        assert 0 < friedman_test(SCORES[:, :2]).pvalue < 1


class TestPerfectOrder:
    def test_conover_is_flagged_and_not_nan(self):
        with pytest.warns(DegenerateDataWarning, match="ranks the methods identically"):
            result = posthoc_test([[0.9, 0.8, 0.7]] * 4, method="conover")
        assert (result.pvalue > 0).all()

    def test_iman_davenport_is_infinite_with_the_exact_pvalue(self):
        with pytest.warns(DegenerateDataWarning, match="ranks the methods identically"):
            result = friedman_test([[0.9, 0.8, 0.7]] * 4, method="iman-davenport")
        assert tuple(result) == (np.inf, pytest.approx(1 / 216))


class TestTies:
    def test_friedman_corrects_for_them(self):
        scores = [[0.8, 0.8, 0.7], [0.75, 0.7, 0.7], [0.9, 0.85, 0.8], [0.6, 0.65, 0.6]]
        assert friedman_test(scores, method="iman-davenport").statistic == pytest.approx(3.5)
        assert friedman_test(scores, method="iman-davenport", ties="ignore").statistic < 3.5

    def test_wilcoxon_sees_those_that_only_decimals_show(self):
        a, b = [0.71, 0.84, 0.63, 0.92, 0.55, 0.78], [0.68, 0.81, 0.66, 0.86, 0.49, 0.72]
        assert wilcoxon_test(a, b).pvalue == 0.125  # by enumeration, with mid-ranks
        assert wilcoxon_test(a, b, alternative="greater").pvalue == 0.0625

    def test_zero_differences_keep_the_null_distribution_right(self):
        # Pratt with a zero: the ranks 2, 3, 4 have 8 signs, so p is a multiple of 1/4 two-sided.
        result = wilcoxon_test([1.0, 2, 3, 4], [1.0, 1, 1, 1], zero_method="pratt")
        assert result.pvalue == 0.25

    def test_wins_of_the_sign_test_do_not_count_ties_as_losses(self):
        result = sign_test([1.0, 2, 3, 4, 5, 6], [1.0, 1, 1, 1, 1, 1])
        assert result.pvalue == 2 / 32


class TestDirection:
    def test_a_test_is_two_sided_whichever_method_looks_better(self):
        for a, b in ((A, B), (B, A)):
            two_sided = wilcoxon_test(a, b).pvalue
            one_sided = min(wilcoxon_test(a, b, alternative=side).pvalue for side in ("greater", "less"))
            assert two_sided == pytest.approx(2 * one_sided)

    def test_wilcoxon_is_not_half_of_what_it_should_be(self):
        assert wilcoxon_test([1.0, 2, 3, 4, 5], [0.0] * 5).pvalue == 2 / 32

    def test_greater_is_better_unless_said(self):
        result = posthoc_test({"good": [0.9, 0.8, 0.9], "bad": [0.5, 0.6, 0.5], "worse": [0.1, 0.2, 0.1]})
        assert result.methods[int(result.mean_ranks.argmin())] == "good"
        assert result.estimate[0] > 0


class TestSeveralComparisons:
    def test_holm_is_a_step_down_procedure_and_not_one_level_for_all(self):
        assert adjust_pvalues([0.01, 0.02, 0.04], method="holm") == pytest.approx([0.03, 0.04, 0.04])

    @pytest.mark.parametrize("method", ["holm", "bonferroni", "hochberg", "hommel", "finner", "rom"])
    def test_no_adjusted_pvalue_is_above_one(self, method):
        assert adjust_pvalues([0.4, 0.6, 0.9, 1.0], method=method).max() <= 1

    def test_levels_of_simultaneous_intervals_rise_with_their_number(self):
        # 1 - (1 - c)/m, not c + (1 - c)/m, which falls back to c; of one interval it is c.
        two = compare_cv({"a": A, "b": B}, **SPLITS)
        assert two.confidence_intervals(simultaneous=True).tolist() == two.confidence_intervals().tolist()
        many = compare_cv({"a": A, "b": B, "c": A[::-1], "d": B[::-1]}, **SPLITS)
        together = many.confidence_intervals(0.95, simultaneous=True)
        assert together == pytest.approx(many.confidence_intervals(1 - 0.05 / 6))

    def test_pvalues_stand_in_the_order_of_the_labels(self):
        names = ("d", "a", "c", "b")
        result = posthoc_test(dict(zip(names, SCORES.T, strict=True)))
        matrix = result.pvalue_matrix()
        assert result.methods == names
        assert (matrix == matrix.T).all()
        assert matrix[0, 3] == result.pvalue[result.pairs.index(("d", "b"))]

    def test_the_posthoc_test_does_not_wait_for_the_test_of_all(self):
        table = np.random.default_rng(3).normal(size=(6, 3))
        result = compare_scores(table)
        assert result.omnibus.pvalue > 0.05
        assert len(result.pvalue) == 3

    def test_pairs_of_one_table_are_paired(self):
        # Between data sets far apart an unpaired test sees nothing.
        level = np.linspace(0, 100, 12)
        table = {"a": level + 0.3, "b": level, "c": level - 0.3 + 0.01 * np.arange(12)}
        assert (posthoc_test(table).pvalue < 0.05).any()
        assert stats.kruskal(*table.values()).pvalue > 0.5

    def test_bars_hold_only_methods_that_are_not_different(self):
        result = posthoc_test(SCORES)
        different = {pair for pair, p in zip(result.pairs, result.pvalue, strict=True) if p <= 0.05}
        for group in result.groups():
            assert not any((a, b) in different or (b, a) in different for a in group for b in group)

    def test_another_level_gives_other_intervals(self):
        result = compare_predictions([0.0] * 10, {"a": A, "b": B}, kind="values")
        wide, narrow = (np.ptp(result.confidence_intervals(level)) for level in (0.99, 0.95))
        assert wide > narrow


def test_nothing_is_printed(capsys):
    compare_scores(SCORES)
    compare_cv({"a": A, "b": B}, **SPLITS)
    assert capsys.readouterr() == ("", "")

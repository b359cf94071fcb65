"""Tests that read predictions, scores per split, or a table of scores."""

from skeval.comparison._adjust import adjust_pvalues
from skeval.comparison._bayes_signed_rank import bayes_signed_rank_test
from skeval.comparison._bayesian import correlated_bayes_ttest
from skeval.comparison._delong import delong_independent_test, delong_pairwise, delong_test
from skeval.comparison._designs import compare_candidates, compare_cv
from skeval.comparison._error_rate import binomial_test, critical_errors, one_sample_ttest
from skeval.comparison._five_by_two import five_by_two_ftest, five_by_two_ttest
from skeval.comparison._over_datasets import compare_scores, comparison_matrix
from skeval.comparison._paired_permutation import paired_permutation_test
from skeval.comparison._permutation import permutation_test
from skeval.comparison._posthoc import critical_difference, posthoc_test
from skeval.comparison._power import StudySize, power_of, required_size
from skeval.comparison._predictions import cochrans_q_test, mcnemar_from_table, mcnemar_test
from skeval.comparison._proportions import proportions_ztest
from skeval.comparison._ranks import friedman_test, mean_ranks
from skeval.comparison._signed_rank import sign_test, wilcoxon_test
from skeval.comparison._splits import corrected_resampled_ttest, equivalence_test, paired_ttest
from skeval.comparison._test_set import compare_predictions
from skeval.utils._pairwise import PairwiseResult
from skeval.utils._results import PosteriorResult, TestResult

__all__ = [
    "PairwiseResult",
    "PosteriorResult",
    "StudySize",
    "TestResult",
    "adjust_pvalues",
    "bayes_signed_rank_test",
    "binomial_test",
    "cochrans_q_test",
    "compare_candidates",
    "compare_cv",
    "compare_predictions",
    "compare_scores",
    "comparison_matrix",
    "corrected_resampled_ttest",
    "correlated_bayes_ttest",
    "critical_difference",
    "critical_errors",
    "delong_independent_test",
    "delong_pairwise",
    "delong_test",
    "equivalence_test",
    "five_by_two_ftest",
    "five_by_two_ttest",
    "friedman_test",
    "mcnemar_from_table",
    "mcnemar_test",
    "mean_ranks",
    "one_sample_ttest",
    "paired_permutation_test",
    "paired_ttest",
    "permutation_test",
    "posthoc_test",
    "power_of",
    "proportions_ztest",
    "required_size",
    "sign_test",
    "wilcoxon_test",
]

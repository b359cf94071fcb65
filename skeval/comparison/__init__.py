"""Tests that read predictions, scores per split, or a table of scores."""

from skeval.comparison._adjust import adjust_pvalues
from skeval.comparison._bayesian import correlated_bayes_ttest
from skeval.comparison._designs import compare_cv, compare_scores
from skeval.comparison._error_rate import binomial_test, critical_errors, one_sample_ttest
from skeval.comparison._five_by_two import five_by_two_ftest, five_by_two_ttest
from skeval.comparison._posthoc import critical_difference, posthoc_test
from skeval.comparison._predictions import cochrans_q_test, mcnemar_from_table, mcnemar_test
from skeval.comparison._ranks import friedman_test, mean_ranks
from skeval.comparison._splits import corrected_resampled_ttest, equivalence_test, paired_ttest

__all__ = [
    "adjust_pvalues",
    "binomial_test",
    "cochrans_q_test",
    "compare_cv",
    "compare_scores",
    "corrected_resampled_ttest",
    "correlated_bayes_ttest",
    "critical_difference",
    "critical_errors",
    "equivalence_test",
    "five_by_two_ftest",
    "five_by_two_ttest",
    "friedman_test",
    "mcnemar_from_table",
    "mcnemar_test",
    "mean_ranks",
    "one_sample_ttest",
    "paired_ttest",
    "posthoc_test",
]

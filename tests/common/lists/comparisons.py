"""Tests and posteriors."""

import warnings

import numpy as np
from sklearn.model_selection import GridSearchCV, KFold, cross_validate
from sklearn.naive_bayes import GaussianNB
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
    comparison_matrix,
    corrected_resampled_ttest,
    correlated_bayes_ttest,
    critical_difference,
    critical_errors,
    delong_independent_test,
    delong_pairwise,
    delong_test,
    equivalence_test,
    five_by_two_ftest,
    five_by_two_ttest,
    friedman_test,
    mcnemar_from_table,
    mcnemar_test,
    mean_ranks,
    one_sample_ttest,
    paired_permutation_test,
    paired_ttest,
    permutation_test,
    posthoc_test,
    power_of,
    proportions_ztest,
    required_size,
    sign_test,
    wilcoxon_test,
)
from skeval.exceptions import DependenceWarning
from tests.common.entry import Entry, fixed, table
from tests.common.lists import data
from tests.common.lists.data import of

_SPLITS = {"a": of("numbers", data.SPLITS_A, "split"), "b": of("numbers", data.SPLITS_B, "split")}
_SIZES = {"n_train": 90, "n_test": 10}
_LABELS = {
    "y_true": of("labels", data.TWO),
    "pred_a": of("labels", data.TWO_PREDICTED),
    "pred_b": of("labels", data.TWO_PREDICTED_OTHER),
}
_SCORES = {
    "y_true": of("labels", data.TWO),
    "score_a": of("numbers", data.SCORE),
    "score_b": of("numbers", data.SCORE_OTHER),
}
_POSITIVE = {"pos_label": 1}
_TABLE = {"scores": table(data.TABLE)}
_POSITIONS = {"order of the samples": "splits are positions, so others"}
_DRAWS = {
    "order of the samples": "draws are of positions, so others",
    "order of the classes": "draws go class by class, so others",
}
_ORDER = {"order of the samples": "the statistic depends on the order of the splits, by definition"}


def _paired_ttest(a, b):
    """Scores of disjoint test sets: the warning of dependence is not what is tested here."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DependenceWarning)
        return paired_ttest(a, b)


def _cochran(y_true, pred_a, pred_b):
    return cochrans_q_test(y_true, [pred_a, pred_b, y_true])


def _predictions(y_true, pred_a, pred_b):
    return compare_predictions(y_true, {"a": pred_a, "b": pred_b})


def _scores(y_true, score_a, score_b, *, pos_label):
    return compare_predictions(y_true, {"a": score_a, "b": score_b}, kind="scores", pos_label=pos_label)


def _values(y_true, a, b):
    return compare_predictions(y_true, {"a": a, "b": b}, kind="values", loss="squared")


def _delong_pairwise(y_true, score_a, score_b, *, pos_label):
    return delong_pairwise(y_true, {"a": score_a, "b": score_b}, pos_label=pos_label)


def _compare_cv(X, y):
    models = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=2, random_state=0)}
    return compare_cv(
        {
            name: cross_validate(model, X, y, cv=KFold(4), return_indices=True)
            for name, model in models.items()
        }
    )


def _compare_candidates(X, y):
    search = GridSearchCV(GaussianNB(), {"var_smoothing": [1e-9, 10.0]}, cv=KFold(4))
    return compare_candidates(search.fit(X, y), X, y)


COMPARISONS = [
    # One method against a number.
    Entry("binomial_test", binomial_test, {"n_errors": fixed(7), "n_samples": fixed(20)}, {"error": 0.25}),
    Entry("critical_errors", critical_errors, {"n_samples": fixed(20)}, {"error": 0.25}),
    Entry(
        "one_sample_ttest",
        one_sample_ttest,
        {"errors": of("numbers", data.SPLITS_A, "split")},
        {"error": 0.75},
    ),
    # Two methods, scores per split.
    Entry("paired_ttest", _paired_ttest, _SPLITS),
    Entry("corrected_resampled_ttest", corrected_resampled_ttest, _SPLITS, _SIZES),
    Entry(
        "corrected_resampled_ttest greater",
        corrected_resampled_ttest,
        _SPLITS,
        {**_SIZES, "alternative": "greater"},
    ),
    Entry("equivalence_test", equivalence_test, _SPLITS, {**_SIZES, "margin": 0.03}),
    Entry("five_by_two_ttest", five_by_two_ttest, _SPLITS, without=_ORDER),
    Entry("five_by_two_ttest mean", five_by_two_ttest, _SPLITS, {"numerator": "mean"}, without=_ORDER),
    Entry("five_by_two_ftest", five_by_two_ftest, _SPLITS, without=_ORDER),
    Entry("correlated_bayes_ttest", correlated_bayes_ttest, _SPLITS, {**_SIZES, "rope": 0.01}),
    Entry(
        "compare_cv",
        _compare_cv,
        {"X": of("matrix", data.X_THREE), "y": of("labels", data.THREE)},
        without=_POSITIONS,
    ),
    Entry(
        "compare_candidates",
        _compare_candidates,
        {"X": of("matrix", data.X_THREE), "y": of("labels", data.THREE)},
        without=_POSITIONS,
    ),
    # Two methods, one test set or one score a data set.
    Entry("mcnemar_test", mcnemar_test, _LABELS),
    Entry("mcnemar_test corrected", mcnemar_test, _LABELS, {"method": "chi2-corrected"}),
    Entry(
        "mcnemar_from_table", mcnemar_from_table, {"table": of("counts", np.array([[20, 12], [5, 8]]), "")}
    ),
    Entry("cochrans_q_test", _cochran, _LABELS),
    Entry("permutation_test", permutation_test, _LABELS),
    Entry("permutation_test f1", permutation_test, _LABELS, {"metric": "f1", **_POSITIVE}),
    Entry(
        "permutation_test drawn",
        permutation_test,
        _LABELS,
        {"metric": "f1", "method": "monte-carlo", "n_resamples": 99, "random_state": 0, **_POSITIVE},
        without=_DRAWS,
    ),
    Entry("delong_test", delong_test, _SCORES, _POSITIVE),
    Entry(
        "delong_independent_test",
        delong_independent_test,
        {
            "y_a": of("labels", data.TWO, "first"),
            "score_a": of("numbers", data.SCORE, "first"),
            "y_b": of("labels", data.TWO, "second"),
            "score_b": of("numbers", data.SCORE_OTHER, "second"),
        },
        _POSITIVE,
    ),
    Entry("delong_pairwise", _delong_pairwise, _SCORES, _POSITIVE),
    Entry("compare_predictions", _predictions, _LABELS),
    Entry("compare_predictions scores", _scores, _SCORES, _POSITIVE),
    Entry(
        "compare_predictions values",
        _values,
        {
            "y_true": of("numbers", data.Y_REAL),
            "a": of("numbers", data.SCORE),
            "b": of("numbers", data.SCORE_OTHER),
        },
    ),
    Entry(
        "proportions_ztest",
        proportions_ztest,
        {
            "n_successes": of("counts", np.array([90, 70]), ""),
            "n_samples": of("counts", np.array([100, 100]), ""),
        },
    ),
    Entry("paired_permutation_test", paired_permutation_test, _SPLITS),
    Entry(
        "paired_permutation_test drawn",
        paired_permutation_test,
        _SPLITS,
        {"method": "monte-carlo", "n_resamples": 99, "random_state": 0},
        without=_DRAWS,
    ),
    Entry("wilcoxon_test", wilcoxon_test, _SPLITS),
    Entry("wilcoxon_test pratt", wilcoxon_test, _SPLITS, {"zero_method": "pratt"}),
    Entry("sign_test", sign_test, _SPLITS),
    Entry(
        "bayes_signed_rank_test",
        bayes_signed_rank_test,
        _SPLITS,
        {"rope": 0.01, "n_samples": 100, "random_state": 0},
        without=_DRAWS,
    ),
    # Many methods over data sets.
    Entry("mean_ranks", mean_ranks, _TABLE),
    Entry("friedman_test", friedman_test, _TABLE),
    Entry("friedman_test chi2", friedman_test, _TABLE, {"method": "chi2", "ties": "ignore"}),
    *(
        Entry(f"posthoc_test {method}", posthoc_test, _TABLE, {"method": method})
        for method in ("nemenyi", "holm", "shaffer", "bergmann-hommel", "conover", "wilcoxon-holm")
    ),
    Entry("compare_scores", compare_scores, _TABLE),
    Entry("comparison_matrix", comparison_matrix, _TABLE),
    Entry("critical_difference", critical_difference, {"n_methods": fixed(4), "n_datasets": fixed(12)}),
    Entry(
        "adjust_pvalues",
        lambda p, *, method: np.sort(adjust_pvalues(p, method=method)),
        {"p": of("numbers", np.array([1, 2, 8, 3, 40]) / 64, "row")},
        {"method": "holm"},
    ),
    # Size of a study.
    Entry("required_size", required_size, {"design": fixed("sign")}, {"win_probability": 0.8}),
    Entry("power_of", power_of, {"design": fixed("sign"), "size": fixed(20)}, {"win_probability": 0.8}),
]

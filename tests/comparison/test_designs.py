"""One call per design of experiment."""

import math
import pickle

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_validate
from sklearn.tree import DecisionTreeClassifier

from skeval.comparison import (
    adjust_pvalues,
    compare_cv,
    compare_scores,
    corrected_resampled_ttest,
    friedman_test,
    posthoc_test,
)
from skeval.exceptions import DegenerateDataWarning, MissingScoreError, SplitMismatchError

GENERATOR = np.random.default_rng(0)
SCORES = {name: shift + 0.05 * GENERATOR.random(10) for name, shift in (("a", 0.8), ("b", 0.81), ("c", 0.7))}
SIZES = {"n_train": 90, "n_test": 10}


# --- one data set ---


def test_all_pairs_are_corrected_t_tests_adjusted_together():
    result = compare_cv(SCORES, **SIZES)
    assert result.pairs == (("a", "b"), ("a", "c"), ("b", "c"))
    tests = [corrected_resampled_ttest(SCORES[a], SCORES[b], **SIZES) for a, b in result.pairs]
    assert result.statistic.tolist() == [test.statistic for test in tests]
    assert result.raw_pvalue.tolist() == [test.pvalue for test in tests]
    assert result.estimate.tolist() == [test.estimate for test in tests]
    assert result.pvalue.tolist() == adjust_pvalues(result.raw_pvalue, method="holm").tolist()
    assert result.groups() == [("a", "b")]


def test_another_adjustment_and_a_direction():
    result = compare_cv(SCORES, adjust="bonferroni", alternative="greater", **SIZES)
    one = corrected_resampled_ttest(SCORES["a"], SCORES["b"], alternative="greater", **SIZES)
    assert result.raw_pvalue[0] == one.pvalue
    assert result.pvalue[0] == min(1, 3 * one.pvalue)
    with pytest.raises(ValueError, match="method must be one of"):
        compare_cv(SCORES, adjust="tukey", **SIZES)


def test_reads_cross_validate_and_picks_a_metric():
    X, y = load_iris(return_X_y=True)
    cv = StratifiedKFold(5, shuffle=True, random_state=0)
    models = {
        "dummy": DummyClassifier(),
        "tree": DecisionTreeClassifier(random_state=0),
        "linear": LogisticRegression(max_iter=500),
    }
    results = {
        name: cross_validate(
            model, X, y, cv=cv, return_indices=True, scoring=("accuracy", "balanced_accuracy")
        )
        for name, model in models.items()
    }
    result = compare_cv(results, metric="accuracy")
    assert result.methods == ("dummy", "tree", "linear")
    assert ("tree", "linear") in result.groups()
    with pytest.raises(ValueError, match=r"dummy: metric must name one of .*'accuracy', 'balanced_accuracy'"):
        compare_cv(results)
    other = cross_validate(
        models["tree"], X, y, cv=StratifiedKFold(5, shuffle=True, random_state=1), return_indices=True
    )
    with pytest.raises(SplitMismatchError, match=r"dummy and tree must come from .* but split 0 differs"):
        compare_cv({"dummy": results["dummy"] | {"test_score": np.zeros(5)}, "tree": other}, metric="score")


def test_messages_name_the_method():
    broken = SCORES | {"b": np.array([*SCORES["b"][:9], math.nan])}
    with pytest.raises(MissingScoreError, match="score of b on split 9 is nan"):
        compare_cv(broken, **SIZES)
    result = compare_cv(broken, nan_policy="omit", **SIZES)
    assert result.details["df"].tolist() == [8, 9, 8]


def test_a_method_under_two_names_is_not_told_apart():
    with pytest.warns(DegenerateDataWarning, match="zero variance: a and again are identical"):
        result = compare_cv({"a": SCORES["a"], "again": SCORES["a"]}, **SIZES)
    assert result.pvalue.tolist() == [1.0]
    assert result.groups() == [("a", "again")]


@pytest.mark.parametrize("results", [{}, {"a": [0.1, 0.2]}, [[0.1, 0.2], [0.3, 0.4]]])
def test_at_least_two_named_methods_are_needed(results):
    with pytest.raises(ValueError, match=r"dict of \{name: scores\} with at least 2 methods"):
        compare_cv(results, **SIZES)


# --- several data sets ---

TABLE = {
    "tree": [0.78, 0.85, 0.62, 0.85, 0.71, 0.66],
    "forest": [0.84, 0.93, 0.70, 0.88, 0.75, 0.74],
    "linear": [0.80, 0.88, 0.66, 0.86, 0.69, 0.70],
}


def test_friedman_and_nemenyi_in_one_call():
    result = compare_scores(TABLE)
    assert result.omnibus == friedman_test(TABLE)
    assert result.pvalue.tolist() == posthoc_test(TABLE).pvalue.tolist()
    assert result.groups() == [("forest", "linear"), ("linear", "tree")]
    assert pickle.loads(pickle.dumps(result)).omnibus == result.omnibus


def test_direction_and_missing_scores_reach_both_tests():
    holed = {name: np.array(scores) for name, scores in TABLE.items()}
    holed["tree"][0] = math.nan
    result = compare_scores(holed, greater_is_better=False, nan_policy="omit")
    assert result.omnibus.details["n_datasets"] == result.details["n_datasets"] == 5
    assert result.methods[int(result.mean_ranks.argmin())] == "tree"


def test_remark_says_what_few_data_sets_can_show():
    generator = np.random.default_rng(0)
    remark = compare_scores(generator.random((2, 4))).details["remark"]
    assert "cannot find any difference among 4 methods" in remark
    remark = compare_scores(TABLE).details["remark"]
    assert "6 data sets are few for 3 methods" in remark
    remark = compare_scores(generator.random((40, 3))).details["remark"]
    assert "does not show the methods to be equal" in remark

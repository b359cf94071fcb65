"""A program of a user, checked by a type checker as it stands: it is read, never run."""

from typing import Any, assert_type

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier

from skeval.comparison import (
    PairwiseResult,
    PosteriorResult,
    TestResult,
    adjust_pvalues,
    compare_scores,
    corrected_resampled_ttest,
    correlated_bayes_ttest,
    critical_difference,
    critical_errors,
    mean_ranks,
)
from skeval.diagnosis import (
    BiasVarianceResult,
    LearningCurveDiagnosis,
    bias_variance,
    diagnose_learning_curve,
)
from skeval.exceptions import MissingScoreError, SkevalWarning
from skeval.intervals import GeneralizationInterval, IntervalResult, auc_interval, generalization_interval
from skeval.metrics import ConfusionMatrix, RankedScores, error_rate, get_scorer_names, rank_loss
from skeval.model_selection import (
    BootstrapErrorResult,
    BootstrapSplit,
    CVScores,
    Evaluation,
    KFoldSplit,
    bootstrap_error,
    evaluate,
)
from skeval.plotting import CriticalDifferenceDisplay, RocDisplay


def measures(y: list[str], predicted: list[str], scores: NDArray[np.float64]) -> float:
    matrix = ConfusionMatrix.from_predictions(y, predicted, labels=["bad", "good"])
    ranked = RankedScores.from_predictions(y, scores, pos_label="bad")
    assert_type(matrix + matrix, ConfusionMatrix)
    assert_type(ranked + ranked, RankedScores)
    assert_type(error_rate(y, predicted), float)
    assert_type(rank_loss(y, scores, pos_label="bad"), float)
    assert_type(get_scorer_names(), list[str])
    interval = auc_interval(y, scores, pos_label="bad", confidence_level=0.9)
    assert_type(interval, IntervalResult)
    low, high = interval
    return float(high - low) + error_rate(y, predicted)


def estimates(X: NDArray[np.float64], y: NDArray[np.int64]) -> tuple[float, float]:
    model = LogisticRegression()
    error = bootstrap_error(model, X, y, cv=BootstrapSplit(50, random_state=0))
    assert_type(error, BootstrapErrorResult)
    found = generalization_interval(model, X, y, other=DecisionTreeClassifier(), random_state=0)
    assert_type(found, GeneralizationInterval)
    done = evaluate({"linear": model}, X, y, cv=KFoldSplit(5, random_state=0))
    assert_type(done, Evaluation)
    scores: dict[str, CVScores] = done.scores("accuracy")
    assert_type(bias_variance(model, X, y, random_state=0), BiasVarianceResult)
    assert_type(diagnose_learning_curve(model, X, y, random_state=0), LearningCurveDiagnosis)
    return error.estimate, float(scores["linear"].scores.mean())


def comparisons(a: list[float], b: list[float], table: dict[str, list[float]]) -> float:
    try:
        result = corrected_resampled_ttest(a, b, n_train=90, n_test=10)
    except MissingScoreError as error:
        raise SystemExit(str(error)) from error
    assert_type(result, TestResult)
    assert_type(correlated_bayes_ttest(a, b, rope=0.01, n_train=90, n_test=10), PosteriorResult)
    statistic, pvalue = result
    assert_type(statistic, float)
    assert_type(result.pvalue, float)
    assert_type(result.confidence_interval(0.9).low, float)
    assert_type(critical_difference(4, 10), float)
    assert_type(critical_errors(100, error=0.3), int)
    assert_type(mean_ranks(table), dict[str, float])
    assert_type(adjust_pvalues([0.01, 0.04], method="holm"), NDArray[np.float64])
    pairs: PairwiseResult = compare_scores(table)
    groups: list[tuple[str, ...]] = pairs.groups(alpha=0.1)
    assert_type(CriticalDifferenceDisplay.from_result(pairs), CriticalDifferenceDisplay)
    return pvalue + len(groups)


def pictures(y: list[int], scores: list[float], ax: Any) -> RocDisplay:
    display = RocDisplay.from_predictions(y, scores, name="a model", ax=ax)
    assert_type(display, RocDisplay)
    return display


def warnings_to_ignore() -> type[UserWarning]:
    return SkevalWarning

"""Numbers from true labels and predictions: confusion matrices, ranked scores, scorers."""

from skeval.metrics._averages import AveragedMatrices, average_matrices
from skeval.metrics._classification import (
    adjusted_g_mean_score,
    break_even_score,
    cost_curve,
    cost_sensitive_error,
    error_rate,
    g_mean_score,
    rank_loss,
    specificity_score,
)
from skeval.metrics._confusion import ConfusionMatrix, OneVsOne
from skeval.metrics._cost import CostCurve
from skeval.metrics._curves import PrCurve, RocCurve
from skeval.metrics._multi_scorer import ConfusionScorer, MultiScorer
from skeval.metrics._ranking import RankedScores
from skeval.metrics._scorers import get_scorer, get_scorer_names, needs_pos_label

__all__ = [
    "AveragedMatrices",
    "ConfusionMatrix",
    "ConfusionScorer",
    "CostCurve",
    "MultiScorer",
    "OneVsOne",
    "PrCurve",
    "RankedScores",
    "RocCurve",
    "adjusted_g_mean_score",
    "average_matrices",
    "break_even_score",
    "cost_curve",
    "cost_sensitive_error",
    "error_rate",
    "g_mean_score",
    "get_scorer",
    "get_scorer_names",
    "needs_pos_label",
    "rank_loss",
    "specificity_score",
]

"""Numbers from true labels and predictions: confusion matrices, ranked scores, scorers."""

from skeval.metrics._averages import AveragedMatrices, average_matrices
from skeval.metrics._calibration import (
    BrierDecomposition,
    ReliabilityCurve,
    brier_decomposition,
    reliability_curve,
)
from skeval.metrics._classification import (
    adjusted_g_mean_score,
    error_rate,
    false_negative_rate,
    false_positive_rate,
    fscore_of_means,
    g_mean_score,
    negative_predictive_value,
    specificity_score,
    youden_j,
)
from skeval.metrics._confusion import ConfusionMatrix, OneVsOne
from skeval.metrics._cost import CostCurve
from skeval.metrics._cost_functions import cost_curve, cost_sensitive_accuracy, cost_sensitive_error
from skeval.metrics._curves import PrCurve, RocCurve
from skeval.metrics._dominance import Dominance, dominance
from skeval.metrics._multi_scorer import ConfusionScorer, MultiScorer
from skeval.metrics._multiclass_auc import hand_till_auc_score, ovr_auc_score
from skeval.metrics._pointwise import pointwise_loss
from skeval.metrics._probability import brier_score, log_loss, multiclass_brier_score
from skeval.metrics._ranking import RankedScores
from skeval.metrics._score_functions import break_even_score, pr_area, rank_loss
from skeval.metrics._scorers import get_scorer, get_scorer_names, needs_pos_label

__all__ = [
    "AveragedMatrices",
    "BrierDecomposition",
    "ConfusionMatrix",
    "ConfusionScorer",
    "CostCurve",
    "Dominance",
    "MultiScorer",
    "OneVsOne",
    "PrCurve",
    "RankedScores",
    "ReliabilityCurve",
    "RocCurve",
    "adjusted_g_mean_score",
    "average_matrices",
    "break_even_score",
    "brier_decomposition",
    "brier_score",
    "cost_curve",
    "cost_sensitive_accuracy",
    "cost_sensitive_error",
    "dominance",
    "error_rate",
    "false_negative_rate",
    "false_positive_rate",
    "fscore_of_means",
    "g_mean_score",
    "get_scorer",
    "get_scorer_names",
    "hand_till_auc_score",
    "log_loss",
    "multiclass_brier_score",
    "needs_pos_label",
    "negative_predictive_value",
    "ovr_auc_score",
    "pointwise_loss",
    "pr_area",
    "rank_loss",
    "reliability_curve",
    "specificity_score",
    "youden_j",
]

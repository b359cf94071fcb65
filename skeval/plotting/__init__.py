"""Displays of results; matplotlib is imported when a plot is drawn."""

from skeval.plotting._bias_variance import BiasVarianceDisplay
from skeval.plotting._comparison_matrix import ComparisonMatrixDisplay
from skeval.plotting._confusion_stack import ConfusionStackDisplay
from skeval.plotting._cost_curve import CostCurveDisplay
from skeval.plotting._critical_difference import CriticalDifferenceDisplay
from skeval.plotting._friedman import FriedmanDisplay
from skeval.plotting._interval import IntervalDisplay
from skeval.plotting._learning_diagnosis import LearningDiagnosisDisplay
from skeval.plotting._posterior import PosteriorDisplay
from skeval.plotting._precision_recall import PrDisplay
from skeval.plotting._reliability import ReliabilityDisplay
from skeval.plotting._roc import RocDisplay

__all__ = [
    "BiasVarianceDisplay",
    "ComparisonMatrixDisplay",
    "ConfusionStackDisplay",
    "CostCurveDisplay",
    "CriticalDifferenceDisplay",
    "FriedmanDisplay",
    "IntervalDisplay",
    "LearningDiagnosisDisplay",
    "PosteriorDisplay",
    "PrDisplay",
    "ReliabilityDisplay",
    "RocDisplay",
]

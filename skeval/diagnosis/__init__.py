"""What kind of error a model makes, and what would lower it."""

from skeval.diagnosis._bias_variance import bias_variance, bias_variance_curve
from skeval.diagnosis._bias_variance_result import BiasVarianceCurve, BiasVarianceResult
from skeval.diagnosis._diagnoses import (
    LearningCurveDiagnosis,
    TrainingCurveDiagnosis,
    ValidationCurveDiagnosis,
)
from skeval.diagnosis._error_curve import Contrast, ErrorCurve
from skeval.diagnosis._learning_curve import diagnose_learning_curve
from skeval.diagnosis._power_law import Extrapolation, PowerLaw
from skeval.diagnosis._training_curve import diagnose_training_curve
from skeval.diagnosis._validation_curve import diagnose_validation_curve

__all__ = [
    "BiasVarianceCurve",
    "BiasVarianceResult",
    "Contrast",
    "ErrorCurve",
    "Extrapolation",
    "LearningCurveDiagnosis",
    "PowerLaw",
    "TrainingCurveDiagnosis",
    "ValidationCurveDiagnosis",
    "bias_variance",
    "bias_variance_curve",
    "diagnose_learning_curve",
    "diagnose_training_curve",
    "diagnose_validation_curve",
]

"""How sure a figure is: confidence intervals for proportions, any measure, and the error on new samples."""

from skeval.intervals._auc import auc_interval
from skeval.intervals._bootstrap import metric_interval
from skeval.intervals._from_results import interval_from_results
from skeval.intervals._generalization import generalization_interval
from skeval.intervals._generalization_result import GeneralizationInterval
from skeval.intervals._proportion import proportion_interval
from skeval.intervals._proportion_difference import (
    independent_difference_interval,
    paired_difference_interval,
)
from skeval.intervals._result import IntervalResult
from skeval.intervals._score_intervals import ScoreIntervals, score_intervals

__all__ = [
    "GeneralizationInterval",
    "IntervalResult",
    "ScoreIntervals",
    "auc_interval",
    "generalization_interval",
    "independent_difference_interval",
    "interval_from_results",
    "metric_interval",
    "paired_difference_interval",
    "proportion_interval",
    "score_intervals",
]

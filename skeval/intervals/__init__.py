"""How sure a figure is: confidence intervals for proportions, for the AUC and for any measure."""

from skeval.intervals._auc import auc_interval
from skeval.intervals._bootstrap import metric_interval
from skeval.intervals._proportion import proportion_interval
from skeval.intervals._result import IntervalResult

__all__ = ["IntervalResult", "auc_interval", "metric_interval", "proportion_interval"]

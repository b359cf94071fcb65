"""Measures by name: from which statistic, within which range, with which analytic interval."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from skeval.intervals._proportion import proportion_interval
from skeval.intervals._replicates import LabelReplicates, Replicates
from skeval.intervals._result import IntervalResult
from skeval.metrics._confusion import ConfusionMatrix
from skeval.metrics._measure_names import (
    AVERAGED_MEASURES,
    AVERAGES,
    LABEL_MEASURES,
    label_measure,
    takes_pos_label,
)
from skeval.metrics._ranking import RankedScores
from skeval.metrics._ranking_measures import RANKING_MEASURES
from skeval.utils._validation import check_option

# Undefined where a sample holds a single true class.
_COMPARES_CLASSES = ("balanced_accuracy", "g_mean", "adjusted_g_mean", "matthews_corrcoef", "cohen_kappa")
_RANGES = {
    "matthews_corrcoef": (-1.0, 1.0),
    "cohen_kappa": (-1.0, 1.0),
    "youden_j": (-1.0, 1.0),
    "positive_likelihood_ratio": (0.0, np.inf),
    "negative_likelihood_ratio": (0.0, np.inf),
}
# Shares of counts as (counted, of how many) from TP, FP, FN and TN.
SHARES: dict[str, Callable[[int, int, int, int], tuple[int, int]]] = {
    "precision": lambda tp, fp, fn, tn: (tp, tp + fp),
    "recall": lambda tp, fp, fn, tn: (tp, tp + fn),
    "specificity": lambda tp, fp, fn, tn: (tn, tn + fp),
    "negative_predictive_value": lambda tp, fp, fn, tn: (tn, tn + fn),
    "false_positive_rate": lambda tp, fp, fn, tn: (fp, tn + fp),
    "false_negative_rate": lambda tp, fp, fn, tn: (fn, tp + fn),
}


@dataclass(frozen=True)
class Measured:
    """A measure with what an interval must know of it.

    Attributes
    ----------
    name : str
    function : callable
        Of a stacked ConfusionMatrix or RankedScores.
    kind : {"labels", "scores"}
    low, high : float
        Range of the measure.
    named : bool
        False for a callable.
    share : bool
        It is a share of counts.
    compares_classes : bool
        It is undefined in a sample of a single true class.
    analytic : str
        Which interval to use where the bootstrap has nothing to vary.
    """

    name: str
    function: Callable[..., Any]
    kind: str
    low: float = 0.0
    high: float = 1.0
    named: bool = True
    share: bool = False
    compares_classes: bool = False
    analytic: str = (
        "no analytic interval is known for this measure: report proportion_interval() of the recalls or "
        "other shares that it is made of"
    )


def find_measure(metric: Any, y_true: Any, kind: str | None, pos_label: Any) -> Measured:
    """Return the measure of a name or a callable.

    Raises
    ------
    ValueError
        An unknown name, a name that needs more than the data, or a kind that contradicts it.
    TypeError
        Neither a name nor a callable.
    """
    check_option(kind, "kind", (None, "labels", "scores"))
    if isinstance(y_true, (ConfusionMatrix, RankedScores)):
        held = "labels" if isinstance(y_true, ConfusionMatrix) else "scores"
        if kind not in (None, held):
            raise ValueError(f"kind={kind!r} does not go with a {type(y_true).__name__}.")
        kind = held
    if callable(metric):
        name = getattr(metric, "__name__", type(metric).__name__)
        name = "metric" if name == "<lambda>" else name
        return Measured(name, metric, kind or "labels", -np.inf, np.inf, named=False)
    if not isinstance(metric, str):
        raise TypeError(f"metric must be a name or a callable of a stacked statistic, got {metric!r}.")
    measure = _ranking(metric) if metric in RANKING_MEASURES else _label(metric, pos_label)
    if kind not in (None, measure.kind):
        raise ValueError(f"metric {metric!r} takes {measure.kind}, got {kind}.")
    return measure


def _ranking(name: str) -> Measured:
    if name in ("roc_auc", "rank_loss"):
        analytic = "use auc_interval(), which from two samples of each class on bounds even a perfect ranking"
        return Measured(name, RANKING_MEASURES[name], "scores", analytic=analytic)
    return Measured(name, RANKING_MEASURES[name], "scores")


def _label(name: str, pos_label: Any) -> Measured:
    if name.startswith("cost_sensitive"):
        raise ValueError(
            f"metric {name!r} needs a cost matrix: pass a callable, such as lambda cm: cm.cost(cost)."
        )
    base, _, average = name.rpartition("_")
    single = name in AVERAGED_MEASURES or name in LABEL_MEASURES
    if not single and not (base in AVERAGED_MEASURES and average in AVERAGES):
        known = ", ".join(sorted([*AVERAGED_MEASURES, *LABEL_MEASURES, *RANKING_MEASURES]))
        averaged = ", ".join(sorted(AVERAGED_MEASURES))
        raise ValueError(
            f"metric must be one of {known}; or one of {averaged} with _macro, _micro or _weighted; or a "
            f"callable of a stacked ConfusionMatrix or RankedScores; got {name!r}."
        )
    params: dict[str, Any] = {"pos_label": pos_label} if takes_pos_label(name) else {}
    if name in AVERAGED_MEASURES or name == "youden_j":
        params["zero_division"] = np.nan  # 0/0 is no figure to take an interval of
    low, high = _RANGES.get(name, (0.0, 1.0))
    options: dict[str, Any] = {"compares_classes": name in _COMPARES_CLASSES}
    if name in ("accuracy", "error_rate", *SHARES):
        options |= {"share": True, "analytic": "use method='wilson' or another of proportion_interval()"}
    return Measured(name, label_measure(name, **params), "labels", low, high, **options)


def share_interval(
    measured: Measured, replicates: Replicates, *, method: str, confidence_level: float, pos_label: Any
) -> IntervalResult:
    """Return the interval by `proportion_interval` of a measure that is a share of counts."""
    if not measured.share or not isinstance(replicates, LabelReplicates):
        raise ValueError(
            f"method={method!r} needs a share of counts (accuracy, error_rate, {', '.join(SHARES)}), got "
            f"metric {measured.name!r}; use method='bca'."
        )
    matrix = replicates.matrices(replicates.rows.counts[None])[0][0]
    if measured.name in SHARES:
        counted, total = SHARES[measured.name](*matrix.binary_counts(pos_label))
    else:
        right, total = int(np.trace(matrix.counts)), int(matrix.total)
        counted = right if measured.name == "accuracy" else total - right
    if not total:
        raise ValueError(f"{measured.name} is undefined on these data (0/0): there is no interval.")
    return replace(
        proportion_interval(counted, total, method=method, confidence_level=confidence_level),
        measure=measured.name,
        estimand=f"{measured.name} of this fitted model on the population of these samples, given the "
        f"{total} that it is a share of",
    )

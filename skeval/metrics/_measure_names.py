"""Label measures by name: the one list that scorers, bootstraps and evaluations look up."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from skeval.metrics._label_measures import LabelMeasures

AVERAGES = ("macro", "micro", "weighted")


def label_measure(name: str, **params: Any) -> partial[Any]:
    """Return a label measure by name as a function of a LabelMeasures.

    Names are those of scikit-learn's scorers where it has one ("accuracy", "f1_macro",
    "matthews_corrcoef"); a suffix _macro, _micro or _weighted names the average.
    """
    base, _, suffix = name.rpartition("_")
    if base in AVERAGED_MEASURES and suffix in AVERAGES:
        if "average" in params:
            raise TypeError(f"{name!r} names the average, got average={params['average']!r} too.")
        function, params = AVERAGED_MEASURES[base], {"average": suffix, **params}
    elif name in AVERAGED_MEASURES or name in LABEL_MEASURES:
        function = AVERAGED_MEASURES.get(name) or LABEL_MEASURES[name]
    else:
        known = ", ".join(sorted([*AVERAGED_MEASURES, *LABEL_MEASURES]))
        raise ValueError(f"metric must be the name of a label measure, got {name!r}; there are {known}.")
    return partial(function, **params)


AVERAGED_MEASURES: dict[str, Callable[..., Any]] = {
    "precision": LabelMeasures.precision,
    "recall": LabelMeasures.recall,
    "specificity": LabelMeasures.specificity,
    "f1": LabelMeasures.f_score,
    "jaccard": LabelMeasures.jaccard,
    "negative_predictive_value": LabelMeasures.negative_predictive_value,
    "false_positive_rate": LabelMeasures.false_positive_rate,
    "false_negative_rate": LabelMeasures.false_negative_rate,
}
LABEL_MEASURES: dict[str, Callable[..., Any]] = {
    "accuracy": LabelMeasures.accuracy,
    "error_rate": LabelMeasures.error_rate,
    "balanced_accuracy": LabelMeasures.balanced_accuracy,
    "matthews_corrcoef": LabelMeasures.mcc,
    "cohen_kappa": LabelMeasures.kappa,
    "g_mean": LabelMeasures.g_mean,
    "adjusted_g_mean": LabelMeasures.adjusted_g_mean,
    "fscore_of_means": LabelMeasures.fscore_of_means,
    "youden_j": LabelMeasures.youden_j,
    "positive_likelihood_ratio": LabelMeasures.positive_likelihood_ratio,
    "negative_likelihood_ratio": LabelMeasures.negative_likelihood_ratio,
    "cost_sensitive_error": LabelMeasures.cost,
    "cost_sensitive_accuracy": LabelMeasures.cost_sensitive_accuracy,
}
# Smaller is better: their scorers are negated and named ``neg_...``.
LOSSES = (
    "error_rate",
    "false_positive_rate",
    "false_negative_rate",
    "negative_likelihood_ratio",
    "cost_sensitive_error",
    "rank_loss",
)


def takes_pos_label(name: str) -> bool:
    """Return whether a label measure depends on the positive class."""
    return name in AVERAGED_MEASURES or name in (
        "adjusted_g_mean",
        "youden_j",
        "positive_likelihood_ratio",
        "negative_likelihood_ratio",
    )

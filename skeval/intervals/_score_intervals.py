"""The report of what was evaluated: every measure with its interval."""

from __future__ import annotations

import html
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy.special import ndtri

from skeval.exceptions import MissingScoreError
from skeval.intervals._auc import auc_interval
from skeval.intervals._bootstrap import metric_interval
from skeval.intervals._from_results import interval_from_results
from skeval.intervals._measures import SHARES, find_measure
from skeval.intervals._result import IntervalResult
from skeval.intervals._risk_formulas import Losses, mean_of
from skeval.metrics import needs_pos_label, pointwise_loss
from skeval.model_selection._cv_scores import CVScores
from skeval.model_selection._evaluation import Evaluation, OutOfFold
from skeval.model_selection._nested import NestedCVResult
from skeval.model_selection._split_indices import listed
from skeval.utils._labels import check_binary
from skeval.utils._optional import import_optional
from skeval.utils._random import check_generator
from skeval.utils._tables import html_table
from skeval.utils._validation import FloatArray, check_level, describe

_BINARY = (
    "accuracy",
    "balanced_accuracy",
    "precision",
    "recall",
    "specificity",
    "f1",
    "g_mean",
    "matthews_corrcoef",
    "roc_auc",
    "average_precision",
    "neg_brier_score",
    "neg_log_loss",
)
_MULTICLASS = (
    "accuracy",
    "balanced_accuracy",
    "precision_macro",
    "recall_macro",
    "f1_macro",
    "g_mean",
    "matthews_corrcoef",
    "hand_till_auc",
    "neg_log_loss",
)
_REGRESSION = ("r2", "neg_mean_squared_error", "neg_mean_absolute_error")
# Scores that are means of minus a loss per sample.
_LOSSES = {
    "neg_mean_squared_error": "squared",
    "neg_mean_absolute_error": "absolute",
    "neg_brier_score": "brier",
    "neg_log_loss": "log",
}


@dataclass(frozen=True, eq=False)
class ScoreIntervals:
    """Every measure of one model or several, with its interval.

    Attributes
    ----------
    intervals : dict of {str: dict of {str: IntervalResult}}
        Of each model, by metric; greater is better.
    figures : dict of {str: dict of {str: "averaged" or "pooled"}}
        Whether the figure is a mean over splits or one of all test rows together.
    notes : tuple of str
        What has no interval, and what was pooled, with the reason.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from skeval.intervals import score_intervals
    >>> from skeval.model_selection import KFoldSplit, evaluate
    >>> X, y = load_wine(return_X_y=True)
    >>> done = evaluate({"bayes": GaussianNB()}, X, y, cv=KFoldSplit(10, random_state=0))
    >>> report = score_intervals(done, metrics=["accuracy", "f1_macro"])
    >>> report.figures["bayes"]["f1_macro"]
    'averaged'
    """

    intervals: dict[str, dict[str, IntervalResult]]
    figures: dict[str, dict[str, str]] = field(repr=False)
    notes: tuple[str, ...] = ()

    def frame(self) -> Any:
        """Return a pandas DataFrame, one row per model and metric."""
        pandas = import_optional("pandas", extra="report", purpose="frame()")
        return pandas.DataFrame(self._columns())

    def _columns(self) -> dict[str, list[Any]]:
        rows = [
            {
                "model": model,
                "metric": metric,
                "figure": self.figures[model][metric],
                "estimate": found.estimate,
                "low": found.low,
                "high": found.high,
                "standard_error": found.standard_error,
                "method": found.method,
                "estimand": found.estimand,
            }
            for model, own in self.intervals.items()
            for metric, found in own.items()
        ]
        return {name: [row[name] for row in rows] for name in rows[0]}

    def __str__(self) -> str:
        lines: list[str] = []
        for model, own in self.intervals.items():
            level = next(iter(own.values())).confidence_level
            lines.append(f"{model}, {level:.4g} intervals:")
            lines += [
                f"  {metric} {found.estimate:.4g} [{found.low:.4g}, {found.high:.4g}] "
                f"({self.figures[model][metric]}; {found.method})"
                for metric, found in own.items()
            ]
        return "\n".join([*lines, *(f"{note}." for note in self.notes)])

    def _repr_html_(self) -> str:
        notes = "".join(f"<p>{html.escape(note)}.</p>" for note in self.notes)
        return f"{html_table(self._columns())}{notes}"


def score_intervals(
    evaluation: Any,
    *,
    metrics: Iterable[str] | None = None,
    confidence_level: float = 0.95,
    random_state: Any = None,
) -> ScoreIntervals:
    """Return every measure of the models that were evaluated, each with its interval.

    Parameters
    ----------
    evaluation : Evaluation or NestedCVResult
        What `evaluate` or `nested_cross_validate` returned. Nothing is fitted.
    metrics : iterable of str, default=None
        Names of `skeval.metrics.get_scorer_names`. None: a dozen usual ones for two classes,
        nine for more, three for numbers; those that a model cannot give are named in `notes`.
    confidence_level : float, default=0.95
        Strictly between 0 and 1. Of each interval by itself.
    random_state : int, RandomState, Generator or None, default=None
        For bootstrap intervals of pooled figures.

    Returns
    -------
    ScoreIntervals

    Raises
    ------
    ValueError
        Splits in time order; a metric that is not known, or undefined on the data; none that
        has an interval.
    AttributeError
        A metric named that needs what a model does not have: predict_proba, or scores.

    Warns
    -----
    DegenerateDataWarning
        A score is the same on every split, and no bound is known: its interval has no width.
    UndefinedMeasureWarning, ResamplingWarning
        A split, or resamples of the rows, leave a measure undefined.

    See Also
    --------
    interval_from_results : One measure, or the difference of two models.

    Notes
    -----
    **Averaged**, where there are two splits or more: the corrected resampled t interval of
    the scores per split, for the method trained on as many samples as a split.

    **Pooled**, over all test rows together: from a single split; where a split leaves the
    metric undefined, as leave-one-out does the AUC; and for shares and the AUC where no
    split differs. Then the interval is Wilson's for shares of counts, DeLong's for the AUC,
    and else the bootstrap of the rows (BCa); of groups, where the splits were made with
    groups, and of rows that are tested several times. It is for the models as they are
    fitted: that other training rows would have given others is not in it.

    Each interval holds at its level; all of them together hold less often.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from skeval.intervals import score_intervals
    >>> from skeval.model_selection import KFoldSplit, evaluate
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> done = evaluate({"bayes": GaussianNB()}, X, y, cv=KFoldSplit(10, random_state=0))
    >>> print(score_intervals(done, metrics=["accuracy", "recall", "roc_auc"]))
    bayes, 0.95 intervals:
      accuracy 0.9367 [0.9065, 0.9669] (averaged; corrected resampled t)
      recall 0.9663 [0.936, 0.9965] (averaged; corrected resampled t)
      roc_auc 0.9887 [0.9782, 0.9991] (averaged; corrected resampled t)
    """
    level = check_level(confidence_level, "confidence_level")
    source = evaluation.evaluation if isinstance(evaluation, NestedCVResult) else evaluation
    if not isinstance(source, Evaluation):
        raise TypeError(
            "evaluation must be what evaluate or nested_cross_validate returned, got "
            f"{describe(evaluation)}; for scores alone use interval_from_results."
        )
    chosen, notes = _usual(source) if metrics is None else (tuple(dict.fromkeys(metrics)), [])
    report = _Report(source, level, check_generator(random_state))
    for model in source.names:
        for metric in chosen:
            report.add(model, metric, optional=metrics is None)
    notes += report.notes()
    if not all(report.intervals.values()):
        raise ValueError(f"metrics must name a measure that has an interval, got none: {'; '.join(notes)}.")
    return ScoreIntervals(report.intervals, report.figures, tuple(notes))


def _usual(evaluation: Evaluation) -> tuple[tuple[str, ...], list[str]]:
    """Return the metrics of a report, and a note of those that cannot be had."""
    if evaluation.classes is None:
        return _REGRESSION, []
    if len(evaluation.classes) != 2:
        return _MULTICLASS, []
    try:
        check_binary(evaluation.classes, evaluation.pos_label)
    except ValueError:
        left = [name for name in _BINARY if needs_pos_label(name)]
        told = f"{', '.join(left)} need a positive class: name it by evaluate(..., pos_label=)"
        return tuple(name for name in _BINARY if name not in left), [told]
    return _BINARY, []


class _Report:
    """Intervals as they are found, model by model."""

    def __init__(self, evaluation: Evaluation, level: float, generator: np.random.Generator) -> None:
        self.evaluation, self.level, self.generator = evaluation, level, generator
        self.intervals: dict[str, dict[str, IntervalResult]] = {name: {} for name in evaluation.names}
        self.figures: dict[str, dict[str, str]] = {name: {} for name in evaluation.names}
        self.said = evaluation.predictions()
        # What is told of several metrics of a model is told once.
        self._told: dict[tuple[str, str], list[str]] = {}

    def notes(self) -> list[str]:
        """Return what was pooled or left out, and why."""
        return [f"{', '.join(metrics)} of {model!r}: {why}" for (model, why), metrics in self._told.items()]

    def add(self, model: str, metric: str, *, optional: bool) -> None:
        """Add one interval, or a note why there is none."""
        try:
            found, figure, why = self._find(model, metric)
        except (AttributeError, ValueError) as error:
            if not optional:
                error.add_note(f"(metric {metric!r} of model {model!r})")
                raise
            found, figure, why = None, "", f"left out, {str(error).rstrip('.')}"
        if why:
            self._told.setdefault((model, why), []).append(metric)
        if found is not None:
            self.intervals[model][metric], self.figures[model][metric] = found, figure

    def _find(self, model: str, metric: str) -> tuple[IntervalResult | None, str, str]:
        """Return the interval, what it is of, and what is to be told."""
        reason = "there is a single split"
        if len(self.evaluation.splits) > 1:
            scores, reason = self._per_split(model, metric)
            if scores is not None:
                return interval_from_results(scores, confidence_level=self.level), "averaged", ""
        found = self._pooled(model, metric)
        if found is None:
            return None, "", f"left out, {reason}, and no interval of a pooled figure is known"
        told = "" if len(self.evaluation.splits) == 1 else f"pooled, {reason}"
        return found, "pooled", told

    def _per_split(self, model: str, metric: str) -> tuple[CVScores | None, str]:
        """Return the scores per split; or None, and why the figure is not an average of them."""
        single = min(len(test) for _, test in self.evaluation.splits) == 1
        if single and metric not in ("accuracy", *_LOSSES):
            return None, "a split tests a single row"
        try:
            found = self.evaluation.only(model).scores(metric)[model]
        except MissingScoreError:
            return None, "undefined on every split"
        if found.omitted:
            return None, f"undefined on {listed(found.omitted)} of {found.n_splits}"
        if np.ptp(found.scores) == 0 and metric in ("accuracy", *SHARES, "roc_auc"):
            return None, "the same on every split"
        return found, ""

    def _pooled(self, model: str, metric: str) -> IntervalResult | None:
        said, evaluation = self.said, self.evaluation
        weight = None if evaluation.sample_weight is None else evaluation.sample_weight[said.row]
        groups = _units(said, evaluation)
        n_units = len(said.row if groups is None else np.unique(groups))
        if n_units < 2:
            raise ValueError(f"{metric} needs two test rows (or groups) for an interval, got {n_units}.")
        if metric in _LOSSES:
            return self._mean_loss(model, metric, weight, groups)
        try:
            measured = find_measure(metric, None, None, evaluation.pos_label)
        except ValueError:
            return None
        if measured.kind == "scores" and model not in said.y_score:
            raise AttributeError(
                f"model {model!r} has no scores of a positive class, which the metric needs: leave it out, "
                "or choose an estimator that has decision_function or predict_proba."
            )
        values = said.y_score[model] if measured.kind == "scores" else said.y_pred[model]
        common: dict[str, Any] = {"confidence_level": self.level, "pos_label": evaluation.pos_label}
        plain = weight is None and groups is None
        if plain and metric == "roc_auc":
            return auc_interval(said.y_true, values, **common)
        return metric_interval(
            metric,
            said.y_true,
            values,
            groups=groups,
            method="wilson" if plain and measured.share else "bca",
            sample_weight=weight,
            weight_kind="frequency" if weight is None else "importance",
            random_state=self.generator,
            **common,
        )

    def _losses(self, model: str, metric: str) -> FloatArray:
        """Return the loss of every test row."""
        said, name, classes = self.said, _LOSSES[metric], self.evaluation.classes
        if classes is None or name not in ("log", "brier"):
            return pointwise_loss(said.y_true, said.y_pred[model], loss=name)
        if model not in said.y_prob:
            raise AttributeError(
                f"model {model!r} has no predict_proba, which the metric needs: leave it out, or choose an "
                "estimator that has it."
            )
        probabilities = said.y_prob[model]
        if name == "log":
            return pointwise_loss(said.y_true, probabilities, loss=name, labels=classes)
        positive = check_binary(classes, self.evaluation.pos_label)
        column = probabilities[:, np.flatnonzero(classes == positive)[0]]
        return pointwise_loss(said.y_true, column, loss=name, pos_label=positive)

    def _mean_loss(self, model: str, metric: str, weight: Any, groups: Any) -> IntervalResult:
        """Return the normal interval of minus a mean loss."""
        losses = self._losses(model, metric)
        mean = mean_of(Losses(losses, weight, groups))
        half = -float(ndtri((1 - self.level) / 2)) * mean.variance**0.5
        return IntervalResult(
            estimate=-mean.estimate,
            low=-mean.estimate - half,
            high=min(0.0, half - mean.estimate),
            confidence_level=self.level,
            measure=metric,
            method="normal",
            estimand=f"{metric} of this fitted model on the population of these samples",
            reference="central limit theorem: mean +- z s/sqrt(n)",
            standard_error=mean.variance**0.5,
        )


def _units(said: OutOfFold, evaluation: Evaluation) -> Any:
    """Return what is drawn whole: groups, or rows that are tested several times; None where nothing is."""
    if evaluation.groups is not None:
        return evaluation.groups[said.row]
    return said.row if len(np.unique(said.row)) < len(said.row) else None

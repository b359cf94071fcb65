"""Intervals from what was fitted before: scores per split, or predictions that `evaluate` kept."""

from __future__ import annotations

from typing import Any

import numpy as np

from skeval.exceptions import SplitMismatchError
from skeval.intervals._cv_risk import (
    SplitLosses,
    check_splits,
    corrected_t,
    corrected_t_of_losses,
    hold_out,
    wald,
)
from skeval.intervals._generalization_result import GeneralizationInterval, Quantity
from skeval.intervals._risk_methods import METHODS, check_bounds, score_range
from skeval.model_selection._cv_scores import CVScores
from skeval.model_selection._data import read_data
from skeval.model_selection._evaluation import Evaluation
from skeval.model_selection._nested import NestedCVResult
from skeval.model_selection._paired_scores import pair_scores
from skeval.model_selection._sample_losses import evaluation_loss, losses_per_split
from skeval.model_selection._split_indices import same_rows
from skeval.utils._validation import check_level, check_option

# The rest draw splits of their own, or need the models.
_METHODS = ("corrected-t", "holdout", "cv-wald", "cv-wald-within")


def interval_from_results(
    results: Any,
    *,
    method: str = "corrected-t",
    model: str | None = None,
    other: Any = None,
    metric: str | None = None,
    loss: Any = None,
    groups: Any = None,
    n_train: Any = None,
    n_test: Any = None,
    bounds: tuple[float, float] | None = None,
    confidence_level: float = 0.95,
) -> GeneralizationInterval:
    """Confidence interval for a risk, or for the difference of two, from results: nothing is fitted.

    Parameters
    ----------
    results : dict, CVScores, array-like, NestedCVResult or Evaluation
        What ``cross_validate(return_indices=True)``, `nested_cross_validate` or `evaluate`
        returned, or one score per split. The last two hold predictions; scores alone go with
        "corrected-t".
    method : {"corrected-t", "holdout", "cv-wald", "cv-wald-within"}, default="corrected-t"
        As in `generalization_interval`. All but the first need predictions.
    model : str, default=None
        Name of the model in an `Evaluation` of several.
    other : str or results, default=None
        A second model on the same splits: its name in the same `Evaluation`, or results of
        the kind of `results`. The interval is for the first minus the second.
    metric : str, default=None
        For "corrected-t": name of a score, greater is better; for a dict of several scores,
        or of an `Evaluation` (instead of the loss).
    loss : {"zero_one", "squared"} or callable, default=None
        Of predictions. None: the score that `results` hold; of an `Evaluation`, 0-1 loss for
        classes, squared loss for numbers.
    groups : array-like of shape (n_samples,), default=None
        Clusters that the splits kept whole; variances are taken over groups. None: those that
        `evaluate` was given. With scores alone they have no part.
    n_train, n_test : int or array-like of shape (n_splits,), default=None
        Distinct training rows and test rows per split, where the results do not hold them.
    bounds : tuple of float, default=None
        Range (low, high) of a loss or score whose name does not tell it: ``cross_validate``
        calls every single score "score". One outside is refused.
    confidence_level : float, default=0.95
        Strictly between 0 and 1.

    Returns
    -------
    GeneralizationInterval

    Raises
    ------
    ValueError
        The method needs what the results do not hold; splits that it is not for; scores of
        several candidates of a search; groups that the splits broke up.
    SplitMismatchError
        The two models were not tested on the same splits.
    MissingScoreError
        A score is nan.

    Warns
    -----
    DegenerateDataWarning
        Nothing varies.

    See Also
    --------
    generalization_interval : Draws the splits and fits.

    Notes
    -----
    The best of several candidates was chosen by its score: the score of a search's winner
    has no honest interval. `nested_cross_validate` the search, and take the interval of that.

    References
    ----------
    As in `generalization_interval`.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.model_selection import cross_validate
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from skeval.intervals import interval_from_results
    >>> from skeval.model_selection import KFoldSplit, evaluate
    >>> X, y = load_wine(return_X_y=True)
    >>> cv = KFoldSplit(10, random_state=0)
    >>> results = cross_validate(GaussianNB(), X, y, cv=cv, return_indices=True)
    >>> print(interval_from_results(results, bounds=(0, 1)))
    score 0.9663, 0.95 interval [0.9104, 1] (corrected resampled t): mean score on new samples of
    this method trained on 160 samples (training set and test samples vary).
    >>> models = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}
    >>> done = evaluate(models, X, y, cv=cv)
    >>> less = interval_from_results(done, method="cv-wald", model="tree", other="bayes")
    >>> f"{less.estimate:.3f} [{less.low:.3f}, {less.high:.3f}]"
    '0.056 [0.013, 0.099]'
    """
    check_option(method, "method", METHODS)
    level = check_level(confidence_level, "confidence_level")
    if method not in _METHODS:
        raise ValueError(
            f"method={method!r} needs splits of its own: use generalization_interval, or one of {_METHODS}."
        )
    second = (results, other) if isinstance(other, str) else (other, None)
    sides = [(results, model), second] if other is not None else [(results, model)]
    if _has_scores_only(results, method, metric, loss):
        if groups is not None:
            raise ValueError("groups have no part in scores per split: leave them out.")
        found = [_scores(side, name, metric) for side, name in sides]
        return _from_scores(found, method, level, bounds, {"n_train": n_train, "n_test": n_test})
    if n_train is not None or n_test is not None:
        raise ValueError("n_train and n_test are known from the splits: leave them out.")
    chosen = [_evaluation(side, name) for side, name in sides]
    return _from_losses(chosen, method, loss, groups, level, bounds)


def _has_scores_only(results: Any, method: str, metric: str | None, loss: Any) -> bool:
    """Say whether to work on scores per split, not on losses per sample."""
    if isinstance(results, Evaluation):
        scores = metric is not None
    elif isinstance(results, NestedCVResult):
        scores = metric is not None or (method == "corrected-t" and loss is None)
    else:
        scores = True
        if loss is not None:
            raise ValueError(
                "loss needs predictions, which scores per split do not hold: use what evaluate or "
                "nested_cross_validate returned."
            )
    if scores and loss is not None:
        raise ValueError("metric and loss exclude each other: give one of them.")
    if scores and method != "corrected-t":
        raise ValueError(
            f"method={method!r} needs a loss per sample, which scores per split are not: use what evaluate "
            "or nested_cross_validate returned, with a loss, or method='corrected-t'."
        )
    return scores


def _evaluation(results: Any, model: str | None) -> tuple[Evaluation, str]:
    """Return the predictions, and which model's."""
    if isinstance(results, NestedCVResult):
        results = results.evaluation
    if not isinstance(results, Evaluation):
        raise ValueError(f"other must be of the kind of results, got {type(results).__name__}.")
    if model is None and len(results.names) == 1:
        return results, results.names[0]
    return results, check_option(model, "model (and other)", results.names)


def _scores(results: Any, model: str | None, metric: str | None) -> CVScores:
    if isinstance(results, NestedCVResult) and metric is None:
        return results.scores
    if isinstance(results, (Evaluation, NestedCVResult)):
        evaluation, name = _evaluation(results, model)
        if metric is None:
            raise ValueError(
                "metric must name a score where one of results and other holds scores per split and the "
                "other predictions, got None: give metric='accuracy', say."
            )
        return evaluation.only(name).scores(metric)[name]
    if model is not None:
        raise ValueError(f"model={model!r} needs an Evaluation of several models.")
    scores = CVScores.from_results(results, metric=metric)
    if scores.scores.ndim != 1:
        raise ValueError(
            f"results must hold the scores of one method, got {len(scores)} candidates. The best was chosen "
            "by its score, which has no honest interval: use nested_cross_validate; of a candidate named in "
            "advance give CVScores.from_results(results)[number]."
        )
    return scores


def _from_scores(
    found: list[CVScores], method: str, level: float, bounds: Any, sizes: dict[str, Any]
) -> GeneralizationInterval:
    way_out = "mend that fit, or take the split out"
    paired = pair_scores(found[0], found[-1], names=("results", "other"), way_out=way_out, **sizes)
    if paired.n_train is None or paired.n_test is None:
        raise ValueError(
            "n_train and n_test must be known, the rows that a split trains and tests on: pass them, or pass "
            "what cross_validate(return_indices=True) returned."
        )
    if paired.indices is not None:
        check_splits(method, paired.indices, 0, None)
    elif len(paired.differences) < 2:
        raise ValueError(f"method={method!r} needs at least 2 splits, got 1.")
    name = found[0].metric or "score"
    return corrected_t(
        Quantity(name, score_range(found[0].metric, bounds), len(found) > 1, level),
        paired.differences if len(found) > 1 else found[0].scores,
        n_train=float(paired.n_train.mean()),
        n_test=float(paired.n_test.mean()),
        seen=[one.scores for one in found],
        n_tested=0,
    )


def _from_losses(
    sides: list[tuple[Evaluation, str]], method: str, loss: Any, groups: Any, level: float, bounds: Any
) -> GeneralizationInterval:
    first = sides[0][0]
    for evaluation, _ in sides[1:]:
        _check_same_data(first, evaluation)
    codes = first.groups if groups is None else read_data(first.y, None, groups)[1]
    for number, (train, test) in enumerate(first.splits):
        if codes is not None and np.isin(codes[test], codes[train]).any():
            raise ValueError(
                f"Split {number} has samples of one group on both sides: give groups to the splits too."
            )
    check_splits(method, first.splits, len(first.y), codes)
    bound = evaluation_loss(first, loss, way_out="use method='corrected-t' with metric= in place of loss=")
    per_model = [losses_per_split(evaluation, bound)[name] for evaluation, name in sides]
    data = SplitLosses(
        first.splits, [np.stack(parts) for parts in zip(*per_model, strict=True)], first.sample_weight, codes
    )
    quantity = Quantity(
        bound.name,
        check_bounds(bounds, bound.bounds),
        len(sides) > 1,
        level,
        share=bound.name == "0-1 loss",
    )
    if method == "holdout":
        return hold_out(quantity, data)
    if method == "corrected-t":
        return corrected_t_of_losses(quantity, data)
    return wald(quantity, data, within=method == "cv-wald-within")


def _check_same_data(one: Evaluation, two: Evaluation) -> None:
    same = len(one.splits) == len(two.splits) and all(
        same_rows(mine[0], other[0]) and np.array_equal(mine[1], other[1])
        for mine, other in zip(one.splits, two.splits, strict=True)
    )
    if not same or not np.array_equal(one.y, two.y):
        raise SplitMismatchError("results and other must come from the same splits of the same data.")

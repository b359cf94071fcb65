"""Scorers by name: a measure as what scikit-learn's ``scoring`` takes."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import sklearn.metrics
from numpy.typing import ArrayLike

from skeval.metrics._callable_scorer import ClassScorer
from skeval.metrics._confusion import ConfusionMatrix
from skeval.metrics._measure_names import (
    AVERAGED_MEASURES,
    AVERAGES,
    LABEL_MEASURES,
    LOSSES,
    label_measure,
    takes_pos_label,
)
from skeval.metrics._multiclass_auc import hand_till_auc_score, ovr_auc_score
from skeval.metrics._probability import brier_score, log_loss, multiclass_brier_score
from skeval.metrics._ranking import RankedScores
from skeval.metrics._ranking_measures import RANKING_MEASURES, ranking_measure
from skeval.metrics._shares import warn_undefined
from skeval.utils._labels import check_binary, factorize, to_labels
from skeval.utils._response import THRESHOLD_METHODS

# Functions of scikit-learn, of (y_true, y_pred), that have a parameter.
_PLAIN_SCORERS: dict[str, Callable[..., Any]] = {
    "neg_mean_pinball_loss": sklearn.metrics.mean_pinball_loss,
    "neg_mean_tweedie_deviance": sklearn.metrics.mean_tweedie_deviance,
}
# Scores of regression that are not named after their loss.
_OF_NUMBERS = ("r2", "explained_variance", "d2_absolute_error_score")
# Scores of two classes that scikit-learn has of more as well.
_OF_EVERY_CLASS = ("average_precision", "neg_brier_score")
# The F-score whose beta must be named.
_WITH_BETA = {f"f_beta{end}": f"f1{end}" for end in ("", *(f"_{average}" for average in AVERAGES))}


def label_score(
    y_true: Any,
    y_pred: Any,
    *,
    measure: str,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    **params: Any,
) -> float:
    """Return a label measure by name; what `get_scorer` wraps."""
    matrix = ConfusionMatrix.from_predictions(y_true, y_pred, labels=labels, sample_weight=sample_weight)
    return float(label_measure(measure, **params)(matrix))


def ranking_score(
    y_true: Any,
    y_score: ArrayLike,
    *,
    measure: str,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
    **params: Any,
) -> float:
    """Return a threshold measure by name; what `get_scorer` wraps."""
    n_columns = (*np.shape(y_score), 1)[1]
    if n_columns > 1:
        if measure != "average_precision" or pos_label is not None:
            raise ValueError(
                f"{measure!r} needs the scores of two classes, got {n_columns} columns; of every class take "
                "'ovr_auc', 'hand_till_auc' or, without pos_label, 'average_precision'."
            )
        return _average_precision_of_classes(y_true, np.asarray(y_score), sample_weight)
    ranked = RankedScores.from_predictions(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)
    return float(ranking_measure(measure)(ranked, **params))


def _average_precision_of_classes(y_true: Any, y_score: Any, sample_weight: Any) -> float:
    """Mean over the classes of the average precision of each against the rest, as scikit-learn has it."""
    codes, classes = factorize(to_labels(y_true, "y_true"))
    if len(classes) != y_score.shape[1]:
        warn_undefined(
            f"Average precision is undefined: it is a mean over {y_score.shape[1]} classes, of which y_true "
            f"holds {len(classes)}."
        )
        return np.nan
    ranked = (
        RankedScores.from_predictions(codes == code, column, sample_weight=sample_weight)
        for code, column in enumerate(y_score.T)
    )
    return float(np.mean([one.average_precision() for one in ranked]))


def _column_log_loss(y_true: Any, y_prob: Any, *, labels: Any, sample_weight: Any = None) -> float:
    """`log_loss`; of two classes from the column of the second, whose rounding is scikit-learn's."""
    if y_prob.shape[1] == 2:
        y_prob = np.column_stack([1 - y_prob[:, 1], y_prob[:, 1]])
    return log_loss(y_true, y_prob, labels=labels, sample_weight=sample_weight)


def _brier_of_columns(
    y_true: Any, y_prob: Any, *, labels: Any, pos_label: Any = None, sample_weight: Any = None
) -> float:
    """`brier_score` of two classes; of more the sum over the classes, from the release that has it."""
    if len(labels) > 2 and pos_label is None:
        if "labels" not in inspect.signature(sklearn.metrics.brier_score_loss).parameters:
            raise ValueError(
                f"The scorer 'neg_brier_score' of this scikit-learn needs two classes, got {len(labels)}; "
                "use 'neg_multiclass_brier_score'."
            )
        return multiclass_brier_score(y_true, y_prob, labels=labels, sample_weight=sample_weight)
    classes = to_labels(labels, "classes_")
    positive = check_binary(classes, pos_label)
    column = y_prob[:, np.flatnonzero(classes == positive)[0]]
    return brier_score(y_true, column, pos_label=positive, sample_weight=sample_weight)


# Measures of the scores of every class, and the responses they are asked of.
_ANY_SCORES, _PROBABILITIES = ("predict_proba", "decision_function"), ("predict_proba",)
_CLASS_SCORERS: dict[str, tuple[Callable[..., Any], tuple[str, ...]]] = {
    "ovr_auc": (ovr_auc_score, _ANY_SCORES),
    "hand_till_auc": (hand_till_auc_score, _ANY_SCORES),
    "neg_brier_score": (_brier_of_columns, _PROBABILITIES),
    "neg_log_loss": (_column_log_loss, _PROBABILITIES),
    "neg_multiclass_brier_score": (multiclass_brier_score, _PROBABILITIES),
}


def check_params(name: str, measure: str, params: dict[str, Any]) -> None:
    """Refuse wrong parameters now: inside cross-validation the error would become nan."""
    ranking = measure in RANKING_MEASURES
    common = "pos_label" if ranking else "labels"
    own = {key: value for key, value in params.items() if key != common}
    with _named(name, params):
        function = ranking_measure(measure) if ranking else label_measure(measure, **own).func
        inspect.signature(function).bind(None, **own)
        if name in _WITH_BETA and "beta" not in params:
            raise TypeError("missing a required argument: 'beta'")
        if ranking:
            function(RankedScores([1, 0], [1, 1], [0, 1]), **own)
        elif "cost" not in own:
            own.pop("pos_label", None)
            label_measure(measure, **own)(ConfusionMatrix([[1, 1], [1, 1]]))


@contextmanager
def _named(name: str, params: dict[str, Any]) -> Iterator[None]:
    """Name the scorer in what is said of its parameters."""
    try:
        yield
    except TypeError as error:
        raise TypeError(
            f"The scorer {name!r} got the parameters {sorted(params)}: {str(error).rstrip('.')}."
        ) from error


def _function_scorer(name: str, params: dict[str, Any]) -> Callable[..., Any]:
    """Return the scorer of a function that is no closed form of counts, tried on two samples."""
    with _named(name, params):
        if {"labels", "sample_weight"} & set(params):
            raise TypeError("weights come with the data, labels from classes_ of the estimator")
        if params.get("average", "macro") is None:
            raise TypeError("a scorer needs one number, not average=None")
        if name in _PLAIN_SCORERS:
            function = _PLAIN_SCORERS[name]
            function([1.0, 2.0], [1.0, 2.0], **params)
            return sklearn.metrics.make_scorer(
                function, greater_is_better=not name.startswith("neg_"), **params
            )
        function, responses = _CLASS_SCORERS[name]
        inspect.signature(function).bind(None, None, labels=None, **params)
        own = {key: value for key, value in params.items() if key != "pos_label"}
        function([0, 1], np.eye(2), labels=[0, 1], **own)
    return ClassScorer(name, function, -1 if name.startswith("neg_") else 1, responses, params)


def _label_names() -> set[str]:
    averaged = {f"{name}_{average}" for name in AVERAGED_MEASURES for average in AVERAGES}
    return averaged | set(AVERAGED_MEASURES) | set(LABEL_MEASURES)


def scorer_measures() -> dict[str, str]:
    """Return scorer name -> measure name; losses are named ``neg_...``."""
    names = {}
    for measure in _label_names() | set(RANKING_MEASURES):
        loss = any(measure == name or measure.startswith(f"{name}_") for name in LOSSES)
        names[f"neg_{measure}" if loss else measure] = measure
    return names


def needs_pos_label(name: str, *, n_classes: int = 2) -> bool:
    """Return whether a scorer depends on which class is positive.

    Parameters
    ----------
    name : str
        One of `get_scorer_names`.
    n_classes : int, default=2
        Number of classes: of more than two, "average_precision" and "neg_brier_score" are
        over every class.

    Returns
    -------
    bool

    Raises
    ------
    ValueError
        An unknown name.

    Examples
    --------
    >>> from skeval.metrics import needs_pos_label
    >>> needs_pos_label("f1"), needs_pos_label("f1_macro")
    (True, False)
    """
    _check_name(name)
    if name in _OF_EVERY_CLASS:
        return n_classes <= 2
    measure = (scorer_measures() | _WITH_BETA).get(name, name)
    return takes_pos_label(measure) or measure in RANKING_MEASURES


def _check_name(name: str) -> None:
    known = get_scorer_names()
    if name not in known:
        import difflib  # only a message needs it

        close = difflib.get_close_matches(str(name), known, n=3)
        hint = f"did you mean {' or '.join(map(repr, close))}?" if close else "see get_scorer_names()."
        raise ValueError(f"name must be the name of a scorer, got {name!r}; {hint}")


def scores_numbers(name: str) -> bool:
    """Return whether a scorer is one of regression: of differences between numbers."""
    return name in _OF_NUMBERS or name.startswith(("neg_mean_", "neg_median_", "neg_root_", "neg_max_"))


def get_scorer_names() -> list[str]:
    """Return the names that `get_scorer` knows, scikit-learn's included.

    Returns
    -------
    list of str
        Sorted.

    Examples
    --------
    >>> from skeval.metrics import get_scorer_names
    >>> {"g_mean", "f1_macro", "r2", "neg_rank_loss"} <= set(get_scorer_names())
    True
    """
    ours = {*scorer_measures(), *_WITH_BETA, *_CLASS_SCORERS, *_PLAIN_SCORERS}
    return sorted(ours | set(sklearn.metrics.get_scorer_names()))


def get_scorer(name: str, **params: Any) -> Callable[..., Any]:
    """Return a scorer by name, for ``scoring=`` of anything in scikit-learn.

    Parameters
    ----------
    name : str
        One of `get_scorer_names`. A name that scikit-learn has gives scikit-learn's number,
        or an error where scikit-learn would choose the positive class in silence.
    **params
        Passed to the measure: ``pos_label`` for binary measures, ``zero_division``, ``beta``
        (which "f_beta" needs), ``cost`` with ``labels``, ``max_fpr`` and ``standardize`` for
        "roc_auc", ``average`` and ``missing`` for "ovr_auc", ``alpha`` for
        "neg_mean_pinball_loss", ``power`` for "neg_mean_tweedie_deviance".

    Returns
    -------
    scorer
        Called as ``scorer(estimator, X, y)``, greater is better, ``sample_weight`` by keyword.
        What ``sklearn.metrics.make_scorer`` makes; for "ovr_auc", "hand_till_auc",
        "neg_log_loss", "neg_brier_score" and "neg_multiclass_brier_score" an object of our
        own, which takes the classes of the columns from ``classes_``, so that a fold may lack
        a class.

    Raises
    ------
    ValueError
        An unknown name, parameters for a scorer of scikit-learn, or one outside its range.
    TypeError
        A parameter that the measure does not take, or one that it needs is missing.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.model_selection import cross_val_score
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from skeval.metrics import get_scorer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> cross_val_score(GaussianNB(), X, y, cv=3, scoring=get_scorer("g_mean")).round(3)
    array([0.9  , 0.931, 0.946])
    """
    ours = scorer_measures() | _WITH_BETA
    if name in ours:
        measure = ours[name]
        check_params(name, measure, params)
        sign = {"greater_is_better": not name.startswith("neg_")}
        if measure in RANKING_MEASURES:
            return sklearn.metrics.make_scorer(
                ranking_score, response_method=THRESHOLD_METHODS, measure=measure, **sign, **params
            )
        return sklearn.metrics.make_scorer(
            label_score, response_method="predict", measure=measure, **sign, **params
        )
    if name in _CLASS_SCORERS or name in _PLAIN_SCORERS:
        return _function_scorer(name, params)
    _check_name(name)
    if params:
        raise ValueError(
            f"The scorer {name!r} is scikit-learn's and takes no parameters by name, got {sorted(params)}; "
            "use sklearn.metrics.make_scorer."
        )
    return sklearn.metrics.get_scorer(name)

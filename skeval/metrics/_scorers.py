"""Scorers by name: a measure as what scikit-learn's ``scoring`` takes."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import sklearn.metrics
from numpy.typing import ArrayLike

from skeval.metrics._confusion import ConfusionMatrix
from skeval.metrics._measure_names import (
    AVERAGED_MEASURES,
    AVERAGES,
    LABEL_MEASURES,
    LOSSES,
    label_measure,
    takes_pos_label,
)
from skeval.metrics._ranking import RankedScores
from skeval.metrics._ranking_measures import RANKING_MEASURES, ranking_measure
from skeval.utils._response import THRESHOLD_METHODS

# scikit-learn's binary losses of a probability, by the name of the scorer.
_PROBABILITY_SCORERS: dict[str, Callable[..., Any]] = {"neg_brier_score": sklearn.metrics.brier_score_loss}


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
    ranked = RankedScores.from_predictions(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)
    return float(ranking_measure(measure)(ranked, **params))


def check_params(name: str, measure: str, params: dict[str, Any]) -> None:
    """Refuse wrong parameters now: inside cross-validation the error would become nan."""
    ranking = measure in RANKING_MEASURES
    common = "pos_label" if ranking else "labels"
    own = {key: value for key, value in params.items() if key != common}
    try:
        function = ranking_measure(measure) if ranking else label_measure(measure, **own).func
        inspect.signature(function).bind(None, **own)
    except TypeError as error:
        raise TypeError(
            f"The scorer {name!r} got the parameters {sorted(params)}: {str(error).rstrip('.')}."
        ) from error


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


def needs_pos_label(name: str) -> bool:
    """Return whether a scorer depends on which class is positive.

    Parameters
    ----------
    name : str
        One of `get_scorer_names`.

    Returns
    -------
    bool

    Examples
    --------
    >>> from skeval.metrics import needs_pos_label
    >>> needs_pos_label("f1"), needs_pos_label("f1_macro")
    (True, False)
    """
    measure = scorer_measures().get(name, name)
    return takes_pos_label(measure) or measure in RANKING_MEASURES or name in _PROBABILITY_SCORERS


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
    return sorted(set(scorer_measures()) | set(sklearn.metrics.get_scorer_names()))


def get_scorer(name: str, **params: Any) -> Callable[..., Any]:
    """Return a scorer by name, for ``scoring=`` of anything in scikit-learn.

    Parameters
    ----------
    name : str
        One of `get_scorer_names`. A name that scikit-learn has gives scikit-learn's number,
        or an error where scikit-learn would choose the positive class in silence.
    **params
        Passed to the measure: ``pos_label`` for binary measures, ``zero_division``,
        ``beta``, ``cost`` with ``labels``, ``max_fpr``.

    Returns
    -------
    scorer
        What ``sklearn.metrics.make_scorer`` makes: called as ``scorer(estimator, X, y)``,
        greater is better, ``sample_weight`` by keyword.

    Raises
    ------
    ValueError
        An unknown name, or parameters for a scorer of scikit-learn.
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
    ours = scorer_measures()
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
    if name in _PROBABILITY_SCORERS and params:
        return sklearn.metrics.make_scorer(
            _PROBABILITY_SCORERS[name], response_method="predict_proba", greater_is_better=False, **params
        )
    known = get_scorer_names()
    if name not in known:
        import difflib  # only a message needs it

        close = difflib.get_close_matches(str(name), known, n=3)
        hint = f"did you mean {' or '.join(map(repr, close))}?" if close else "see get_scorer_names()."
        raise ValueError(f"name must be the name of a scorer, got {name!r}; {hint}")
    if params:
        raise ValueError(
            f"The scorer {name!r} is scikit-learn's and takes no parameters by name, got {sorted(params)}; "
            "use sklearn.metrics.make_scorer."
        )
    return sklearn.metrics.get_scorer(name)

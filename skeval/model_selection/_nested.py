"""Nested cross-validation: a search run anew inside every outer split."""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import ArrayLike, NDArray
from sklearn.model_selection import check_cv

from skeval.exceptions import DependenceWarning
from skeval.metrics import get_scorer, needs_pos_label
from skeval.model_selection._cv_scores import CVScores
from skeval.model_selection._data import read_data
from skeval.model_selection._evaluation import Evaluation, OutOfFold
from skeval.model_selection._fitting import FitParams, all_responses, check_fit_params, fit_clone, run_tasks
from skeval.model_selection._out_of_fold import check_target
from skeval.model_selection._resubstitution import WithResubstitution, takes_groups
from skeval.model_selection._split_indices import disjoint_splits, refuse_single_rows
from skeval.utils._labels import check_binary
from skeval.utils._optional import import_optional
from skeval.utils._rows import take_rows
from skeval.utils._tables import html_table
from skeval.utils._validation import FloatArray
from skeval.utils._warnings import warn_user


@dataclass(frozen=True, eq=False)
class NestedCVResult:
    """A tuned model's scores, and what the search chose in each outer split.

    Attributes
    ----------
    scores : CVScores
        Score of each outer split on rows that its search never saw, with the indices.
    inner_scores : ndarray of shape (n_splits,)
        Best mean score of each inner search, which is too good; nan where the search does
        not say it.
    best_params : tuple of dict
        What each search chose.
    evaluation : Evaluation
        Outer predictions: any other metric, confusion matrices and intervals follow without
        another fit. Its one model is called "search".

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import GridSearchCV
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from skeval.model_selection import KFoldSplit, nested_cross_validate
    >>> X, y = load_iris(return_X_y=True)
    >>> search = GridSearchCV(
    ...     KNeighborsClassifier(), {"n_neighbors": [1, 15, 50]}, cv=KFoldSplit(5, random_state=0))
    >>> result = nested_cross_validate(search, X, y, cv=KFoldSplit(5, random_state=1))
    >>> print(result)
    Nested cross-validation over 5 splits: accuracy 0.9733, inner 0.9683, optimism -0.005; the
    most frequent choice in 4 of 5 splits.
    """

    scores: CVScores
    inner_scores: FloatArray
    best_params: tuple[dict[str, Any], ...]
    evaluation: Evaluation

    @property
    def optimism(self) -> FloatArray:
        """Best inner score minus outer score per split: above 0 where the search flattered itself."""
        return self.inner_scores - self.scores.scores

    @property
    def choices(self) -> list[tuple[dict[str, Any], int]]:
        """Return the different choices with the number of splits that made them, most frequent first."""
        keys = [_key(params) for params in self.best_params]
        first = {key: self.best_params[keys.index(key)] for key in keys}
        return [(first[key], count) for key, count in Counter(keys).most_common()]

    @property
    def stability(self) -> float:
        """Share of the splits that made the most frequent choice: 1 if all chose the same."""
        return self.choices[0][1] / len(self.best_params)

    def predictions(self) -> OutOfFold:
        """Return the outer predictions of all test rows."""
        return self.evaluation.predictions()

    def frame(self) -> Any:
        """Return a pandas DataFrame, one row per outer split: scores, optimism, chosen parameters."""
        pandas = import_optional("pandas", extra="report", purpose="frame()")
        return pandas.DataFrame(self._columns())

    def _columns(self) -> dict[str, Any]:
        columns: dict[str, Any] = {
            "split": np.arange(self.scores.n_splits),
            "score": self.scores.scores,
            "inner_score": self.inner_scores,
            "optimism": self.optimism,
        }
        names = dict.fromkeys(name for params in self.best_params for name in params)
        return columns | {name: [params.get(name) for params in self.best_params] for name in names}

    def __str__(self) -> str:
        inner = ""
        if np.isfinite(self.inner_scores).all():
            inner = f", inner {self.inner_scores.mean():.4g}, optimism {self.optimism.mean():.2g}"
        name = "score" if self.scores.metric is None else self.scores.metric
        return (
            f"Nested cross-validation over {self.scores.n_splits} splits: {name} "
            f"{self.scores.scores.mean():.4g}{inner}; the most frequent choice in {self.choices[0][1]} of "
            f"{len(self.best_params)} splits."
        )

    def _repr_html_(self) -> str:
        return f"<p>{html.escape(str(self))}</p>{html_table(self._columns())}"


def nested_cross_validate(
    search: Any,
    X: Any,
    y: Any,
    *,
    cv: Any,
    scoring: Any = None,
    pos_label: Any = None,
    groups: Any = None,
    sample_weight: ArrayLike | None = None,
    params: Mapping[str, Any] | None = None,
    n_jobs: int | None = None,
) -> NestedCVResult:
    """Assess a search, tuning and all: run it anew on the training rows of every outer split.

    Parameters
    ----------
    search : GridSearchCV, RandomizedSearchCV or the like
        Cloned, never fitted in place; ``refit`` must not be False.
    X : array-like of shape (n_samples, n_features)
        Any container that the estimators take.
    y : array-like of shape (n_samples,)
        Labels (int, str or bool) or, for regressors, finite numbers.
    cv : int, splitter or iterable of (train, test)
        The outer splits.
    scoring : str or scorer, default=None
        Score of the outer splits, greater is better. None: that of the search; accuracy or
        R2 where it has none. A search with several scores needs a name here.
    pos_label : label, default=None
        Positive class of binary metrics given by name; None: 1 (True) for labels within
        {0, 1}, {-1, 1} or {False, True}.
    groups : array-like of shape (n_samples,), default=None
        For the outer splits, and for the inner ones where the search's splitter takes them.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights, used in all fits and in the outer scores; in the inner scores where the
        installed scikit-learn does so.
    params : dict, default=None
        Further parameters of every ``fit`` of the search, by name, as in `evaluate`.
    n_jobs : int, default=None
        Outer splits at once. Where the search has an ``n_jobs`` of its own that is more than
        one worker, the outer loop is serial and leaves the workers to it. No number of
        workers changes a result.

    Returns
    -------
    NestedCVResult

    Raises
    ------
    TypeError
        `search` is no search.
    ValueError
        ``refit=False``; several scores and none named; lengths differ; weights that a fit
        does not take; splits that test on rows they trained on.

    Warns
    -----
    DependenceWarning
        There are groups and the splitter of the search ignores them: the choice is made on
        splits that share groups. The outer scores are not touched by it.

    See Also
    --------
    skeval.intervals.interval_from_results : An interval from the result.
    selection_bias : A correction without any fit.

    Notes
    -----
    The outer scores are those of the procedure: tune, then fit. They belong to no single
    set of parameters, and where the choices differ from split to split, none is implied.
    The final model is the search fitted on all rows.

    The result is the same on every run if the search draws its splits and candidates from
    an int ``random_state``.

    References
    ----------
    Varma & Simon (2006), Bias in error estimation when using cross-validation for model
    selection, BMC Bioinformatics 7, 91.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.model_selection import GridSearchCV
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from skeval.model_selection import KFoldSplit, nested_cross_validate
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> search = GridSearchCV(
    ...     DecisionTreeClassifier(random_state=0), {"max_depth": [1, 2, 3, 5, 8]},
    ...     cv=KFoldSplit(5, random_state=0))
    >>> result = nested_cross_validate(search, X, y, cv=KFoldSplit(5, random_state=1))
    >>> [params["max_depth"] for params in result.best_params]
    [3, 8, 2, 2, 2]
    >>> result.stability, round(float(result.optimism.mean()), 3)
    (0.6, 0.004)
    """
    _check_search(search)
    target, classes = check_target({"search": search}, y)
    n_samples, codes = read_data(X, target, groups)
    beside = check_fit_params([search], n_samples, sample_weight, params)
    scorer, name, inner_name = _outer_scorer(search, scoring, classes, pos_label)
    handed_on = _with_groups(beside, search, groups)
    splits = disjoint_splits(check_cv(cv, target, classifier=classes is not None), X, target, groups)
    if name is not None:
        refuse_single_rows(name, splits)
    inner_parallel = effective_n_jobs(getattr(search, "n_jobs", None)) > 1
    shared = (search, X, target, handed_on, scorer if name is None else None, inner_name)
    done = run_tasks(_run_outer, shared, splits, 1 if inner_parallel else n_jobs)
    outer, inner, chosen, kept = (list(part) for part in zip(*done, strict=True))
    evaluation = Evaluation(
        ("search",), splits, target, classes, pos_label, beside.weight, codes, {"search": kept}
    )
    # A score by name is made here, where what is undefined is told with the number of its split.
    scores = CVScores(outer, indices=splits) if name is None else evaluation.scores(name)["search"]
    return NestedCVResult(scores, np.array(inner), tuple(chosen), evaluation)


def _check_search(search: Any) -> None:
    if not (hasattr(search, "fit") and hasattr(search, "estimator") and hasattr(search, "refit")):
        raise TypeError(
            "search must be a search over parameters, such as GridSearchCV, got "
            f"{type(search).__name__}; for a model without tuning use evaluate."
        )
    if search.refit is False:
        raise ValueError("search must have refit other than False: its winner is scored on the outer rows.")


def _outer_scorer(search: Any, scoring: Any, classes: Any, pos_label: Any) -> tuple[Any, str | None, str]:
    """Return the scorer, its name, and what the search calls the same score ("" where it has none)."""
    own = getattr(search, "scoring", None)
    default = "r2" if classes is None else "accuracy"
    chosen = (default if own is None else own) if scoring is None else scoring
    if isinstance(chosen, (list, tuple, set, Mapping)):
        raise ValueError(
            f"scoring must name one score, or be one scorer, got {chosen!r}: the search has several."
        )
    if not isinstance(chosen, str):
        return chosen, None, "score" if chosen is own else ""
    params = {}
    if classes is not None and needs_pos_label(chosen, n_classes=len(classes)):
        params["pos_label"] = check_binary(classes, pos_label)
    # One score in the search is called "score", whatever its name.
    same = chosen == (default if own is None else own)
    return get_scorer(chosen, **params), chosen, "score" if same else chosen


def _with_groups(params: FitParams, search: Any, groups: Any) -> FitParams:
    """Return the parameters of the fits of the search, with the groups where its splitter takes them."""
    inner = getattr(search, "cv", None)
    if groups is None:
        return params
    if hasattr(inner, "split") and takes_groups(inner):
        given = {**params.given, "groups": np.asarray(groups)}
        return replace(params, given=given, per_row=params.per_row | {"groups"})
    warn_user(
        f"groups are kept together in the outer splits but not by the search's cv={inner!r}, so that "
        "the choice is made on splits that share groups: give the search a splitter that keeps them, "
        "such as KFoldSplit.",
        DependenceWarning,
    )
    return params


def _run_outer(
    search: Any,
    X: Any,
    y: NDArray[Any],
    params: FitParams,
    scorer: Any,
    inner_name: str,
    train: Any,
    test: Any,
) -> tuple[float, float, dict[str, Any], dict[str, Any]]:
    """Search on the training rows; return outer score, best inner score, choice and responses."""
    fitted = fit_clone(search, X, y, train, params)
    rows = take_rows(X, test)
    score = np.nan if scorer is None else scorer(fitted, rows, y[test], **params.score_weight(test))
    if isinstance(score, Mapping):
        raise ValueError(f"scoring must be one score, got the several {list(score)}: name one.")
    said = all_responses(fitted, rows)
    return float(score), _inner_score(fitted, inner_name), dict(fitted.best_params_), said


def _inner_score(fitted: Any, name: str) -> float:
    """Return the mean score of the candidate chosen, nan where the search has no such score."""
    table = getattr(fitted, "cv_results_", {})
    prefix = next((key for key in table if key.startswith("split0_test_") and key[12:] == name), None)
    if prefix is None or not hasattr(fitted, "best_index_"):
        return np.nan
    # The last split of WithResubstitution is no test score.
    n_splits = fitted.n_splits_ - isinstance(fitted.cv, WithResubstitution)
    scores = [table[f"split{number}_test_{name}"][fitted.best_index_] for number in range(n_splits)]
    return float(np.mean(scores))


def _key(params: Mapping[str, Any]) -> str:
    """Return what two equal choices have in common: parameters may be estimators or arrays."""
    return repr(sorted(params.items(), key=lambda item: item[0]))

"""Rules that pick the candidate of a search, for its ``refit`` parameter."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from skeval.metrics import ConfusionMatrix
from skeval.model_selection._bootstrap_cells import cell_errors, check_last_split
from skeval.model_selection._bootstrap_formulas import METHODS, combine_bootstrap_error
from skeval.model_selection._cv_scores import refuse_infinite
from skeval.utils._validation import FloatArray, check_option

# Sums of the same scores in another order differ by so little.
_ROUNDING = 1e-12


@dataclass(frozen=True, kw_only=True)
class Bootstrap632Refit:
    """Pick the candidate with the lowest .632+ (or .632, or out-of-bag) error.

    For ``GridSearchCV(..., cv=WithResubstitution(BootstrapSplit(...)),
    scoring=ConfusionScorer(labels), refit=Bootstrap632Refit())``.

    Parameters
    ----------
    method : {".632+", ".632", "oob"}, default=".632+"
        As in `combine_bootstrap_error`. ".632" favors candidates that interpolate and must
        not choose among models of different flexibility; "oob" chooses best.
    average : {"pooled", "replicate"}, default="pooled"
        Over what the out-of-bag errors are averaged: all predictions, or the replicates.

    Raises
    ------
    ValueError
        An unknown `method` or `average`; at the call, results without the cells or the last
        split that this needs, or a failed fit of every candidate.

    Notes
    -----
    Candidates with a nan cell (a failed fit) are passed over; ties go to the first.
    ``mean_test_*`` and ``rank_test_*`` of the search mix the resubstitution error into the
    mean: the errors to read are those of `errors`. The error of the winner is too low,
    because it was chosen by it: assess the search in an outer loop.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import GridSearchCV
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from skeval.metrics import ConfusionScorer
    >>> from skeval.model_selection import Bootstrap632Refit, BootstrapSplit, WithResubstitution
    >>> X, y = load_iris(return_X_y=True)
    >>> rule = Bootstrap632Refit()
    >>> search = GridSearchCV(
    ...     KNeighborsClassifier(), {"n_neighbors": [1, 15, 50]}, refit=rule,
    ...     cv=WithResubstitution(BootstrapSplit(50, random_state=0)), scoring=ConfusionScorer([0, 1, 2]))
    >>> search.fit(X, y).best_params_
    {'n_neighbors': 15}
    >>> print(rule.errors(search.cv_results_).round(3))
    [0.029 0.028 0.065]
    """

    method: str = ".632+"
    average: str = "pooled"

    def __post_init__(self) -> None:
        check_option(self.method, "method", METHODS)
        check_option(self.average, "average", ("pooled", "replicate"))

    def __call__(self, cv_results: Mapping[str, Any]) -> int:
        """Return the index of the candidate with the lowest error."""
        return first_best(-self.errors(cv_results))

    def errors(self, cv_results: Mapping[str, Any]) -> FloatArray:
        """Return the error of every candidate.

        Parameters
        ----------
        cv_results : dict
            ``cv_results_`` of the search.

        Returns
        -------
        ndarray of shape (n_candidates,)
            nan for a candidate with a failed fit.

        Raises
        ------
        ValueError
            There are no cells, or the last split is not (all, all).
        """
        cells = {key: np.asarray(value) for key, value in cv_results.items() if "_confusion_" in key}
        scores = [value for key, value in cells.items() if key.startswith("split")]
        whole = np.atleast_1d(np.isfinite(scores).all(axis=0))
        errors = np.full(len(whole), np.nan)
        if whole.any() or not scores:
            kept = {key: value[whole] for key, value in cells.items() if key.startswith("split")}
            counts = ConfusionMatrix.from_cv_results(kept).counts
            check_last_split(kept, counts)
            errors[whole] = combine_bootstrap_error(*cell_errors(counts, self.average), method=self.method)
        return errors


@dataclass(frozen=True)
class BestMeanRefit:
    """Pick the candidate with the best mean score over the splits.

    What ``refit=<name>`` does, except that a failed fit can never win: a candidate with a
    nan score is passed over, and a search where all have one is an error.

    Parameters
    ----------
    metric : str, default=None
        Name of the score where the search has several. Greater is better.

    Raises
    ------
    ValueError
        At the call: the search has no score of that name, or every candidate has a nan
        score.

    Notes
    -----
    Means that differ by rounding only are a tie, which goes to the first. Not for a search
    with `WithResubstitution`, whose last score is no test score.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import GridSearchCV
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from skeval.model_selection import BestMeanRefit, KFoldSplit
    >>> X, y = load_iris(return_X_y=True)
    >>> search = GridSearchCV(
    ...     DecisionTreeClassifier(random_state=0), {"max_depth": [1, 2, 3]},
    ...     cv=KFoldSplit(10, random_state=0), refit=BestMeanRefit())
    >>> search.fit(X, y).best_params_
    {'max_depth': 3}
    """

    metric: str | None = None

    def __call__(self, cv_results: Mapping[str, Any]) -> int:
        """Return the index of the candidate with the best mean."""
        name = "score" if self.metric is None else self.metric
        pattern = re.compile(rf"split\d+_test_{re.escape(name)}")
        scores = [value for key, value in cv_results.items() if pattern.fullmatch(key)]
        if not scores:
            known = sorted(
                key.removeprefix("mean_test_") for key in cv_results if key.startswith("mean_test_")
            )
            if not known:
                raise ValueError("cv_results must be cv_results_ of a search, got no mean_test_ scores.")
            raise ValueError(f"metric must be one of the search's scores {known}, got {self.metric!r}.")
        table = np.asarray(scores, dtype=float)
        refuse_infinite(table.T, "Scores")
        return first_best(table.mean(axis=0))


def first_best(scores: FloatArray) -> int:
    """Return the first of the highest scores, nan passed over."""
    if np.isnan(scores).all():
        raise ValueError(
            "Every candidate has a nan score: its fits failed; use error_score='raise' to see why."
        )
    best = np.nanmax(scores)
    return int(np.flatnonzero(scores >= best - _ROUNDING * abs(best))[0])

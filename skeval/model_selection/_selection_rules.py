"""Rules that pick a simpler candidate than the best, where the difference does not matter."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from skeval.model_selection._corrected_variance import corrected_variance, size_ratio
from skeval.model_selection._cv_scores import CVScores
from skeval.model_selection._paired_scores import ROUNDING
from skeval.model_selection._refit import first_best
from skeval.utils._validation import FloatArray, check_int, check_level, check_option, check_real

_DIRECTIONS = ("smaller", "larger")


@dataclass(frozen=True, kw_only=True)
class _SimplestRefit(ABC):
    """Base of the rules: reads the scores, orders the candidates, leaves `_passes` to the rule."""

    simplicity: Any
    metric: str | None = None
    n_train: Any = None
    n_test: Any = None
    test_size: float | None = None

    def __post_init__(self) -> None:
        _check_simplicity(self.simplicity)
        self._ratio()

    def __call__(self, cv_results: Mapping[str, Any]) -> int:
        """Return the index of the simplest candidate that passes."""
        passed = np.flatnonzero(self.eligible(cv_results))
        keys = _simplicity_keys(self.simplicity, [cv_results["params"][index] for index in passed])
        try:
            simplest = min(keys)
        except TypeError as error:
            raise TypeError(
                f"simplicity gives keys that cannot be ordered ({error}): give a function of the parameters "
                "that returns a number."
            ) from error
        equally = passed[[key == simplest for key in keys]]
        return int(equally[first_best(self._scores(cv_results)[equally].mean(axis=1))])

    def eligible(self, cv_results: Mapping[str, Any]) -> NDArray[np.bool_]:
        """Return which candidates pass, the best one among them.

        Parameters
        ----------
        cv_results : dict
            ``cv_results_`` of the search.

        Returns
        -------
        ndarray of bool of shape (n_candidates,)
            False for a candidate with a failed fit.

        Raises
        ------
        ValueError
            No such score, every candidate has a nan score, or there is one split only.
        """
        scores = self._scores(cv_results)
        if scores.shape[1] < 2:
            raise ValueError("A standard error needs at least 2 splits, the search has 1: use more splits.")
        whole = np.isfinite(scores).all(axis=1)
        means, passes = np.full(len(scores), np.nan), np.zeros(len(scores), dtype=bool)
        means[whole] = scores[whole].mean(axis=1)
        best = first_best(means)
        passes[whole] = self._passes(scores[whole], scores[best])
        return passes

    @abstractmethod
    def _passes(self, scores: FloatArray, best: FloatArray) -> NDArray[np.bool_]:
        """Return which candidates are no worse than the best one as the rule reads it."""

    def _scores(self, cv_results: Mapping[str, Any]) -> FloatArray:
        scores = CVScores.from_results(cv_results, metric=self.metric).scores
        if scores.ndim != 2:
            raise ValueError("cv_results must be cv_results_ of a search, got the scores of one model.")
        return scores

    def _ratio(self) -> float:
        """Return the number of test rows over the number of training rows of a split."""
        sizes = (self.n_train is not None) + (self.n_test is not None)
        if sizes == 2 and self.test_size is None:
            return size_ratio(_checked_sizes(self.n_train, "n_train"), _checked_sizes(self.n_test, "n_test"))
        if sizes == 0 and self.test_size is not None:
            share = check_real(self.test_size, "test_size", low=0, high=1, closed="neither")
            return share / (1 - share)
        raise ValueError(
            f"{type(self).__name__} needs the sizes of the splits, which cv_results_ does not hold: give "
            "test_size (the share of rows that a split tests: 0.1 for 10 folds) or both n_train and n_test."
        )

    def _standard_error(self, scores: FloatArray) -> FloatArray:
        """Return the corrected standard error of the mean over splits (last axis)."""
        return np.sqrt(np.asarray(corrected_variance(scores, self._ratio())))


@dataclass(frozen=True, kw_only=True)
class OneStandardErrorRefit(_SimplestRefit):
    """Pick the simplest candidate within one standard error of the best.

    Parameters
    ----------
    simplicity : str, list, dict or callable
        What makes a candidate simple. A parameter name: the smaller its value, the
        simpler. A dict ``{name: "smaller" or "larger"}`` says the direction, as in
        ``{"n_neighbors": "larger"}``; several names, in a dict or a list, are compared in
        their order. A function of the parameters (a dict) returns a key, smaller = simpler.
        A value of None (no limit) is the least simple; nan has no order and is refused.
    standard_error : {"difference", "mean"}, default="difference"
        Of what: each candidate's difference to the best, or the best candidate's mean (the
        rule of Breiman et al., with the variance corrected).
    metric : str, default=None
        Name of the score where the search has several. Greater is better.
    n_train, n_test : int or array-like of shape (n_splits,), default=None
        Distinct rows that a split trains and tests on.
    test_size : float, default=None
        Instead of both: the share of the rows that a split tests, 1/k for k folds, 0.368
        for bootstrap splits.

    Raises
    ------
    ValueError
        The sizes are not given: ``cv_results_`` does not hold them.

    Notes
    -----
    The standard error is that of Nadeau and Bengio, (1/J + n_test/n_train) s^2 for J
    splits. The usual sd/sqrt(J) takes splits for independent, which share training rows,
    and is too small.

    It is the standard error of the difference to the best by default. Candidates are scored
    on the same splits: what makes a split hard for all of them says nothing about which is
    better, but is part of the standard error of a mean, which therefore lets far simpler
    and clearly worse candidates pass.

    Among equally simple candidates the one with the better mean is taken, then the first.
    Candidates with a nan score are passed over.

    References
    ----------
    Breiman, Friedman, Olshen & Stone (1984), Classification and Regression Trees, section
    3.4.3. Nadeau & Bengio (2003), Machine Learning 52, equation 9.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.model_selection import GridSearchCV
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from skeval.model_selection import KFoldSplit, OneStandardErrorRefit
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> search = GridSearchCV(
    ...     DecisionTreeClassifier(random_state=0), {"max_depth": [1, 2, 3, 4, 6, None]},
    ...     cv=KFoldSplit(10, random_state=0),
    ...     refit=OneStandardErrorRefit(simplicity="max_depth", test_size=0.1))
    >>> search.fit(X, y).best_params_
    {'max_depth': 3}
    >>> search.cv_results_["mean_test_score"].round(3)
    array([0.886, 0.919, 0.93 , 0.933, 0.924, 0.923])
    """

    standard_error: str = "difference"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_option(self.standard_error, "standard_error", ("difference", "mean"))

    def _passes(self, scores: FloatArray, best: FloatArray) -> NDArray[np.bool_]:
        behind = _behind(scores, best)
        errors = self._standard_error(scores - best if self.standard_error == "difference" else best)
        return np.asarray(behind <= errors)


@dataclass(frozen=True, kw_only=True)
class NotWorseRefit(_SimplestRefit):
    """Pick the simplest candidate that is shown to be no worse than the best by a margin.

    Parameters
    ----------
    margin : float
        Largest loss of score that does not matter, above 0, in units of the score. Chosen
        before the scores are seen.
    simplicity : str, list, dict or callable
        As in `OneStandardErrorRefit`.
    alpha : float, default=0.05
        Level of the test of each candidate.
    metric : str, default=None
        Name of the score where the search has several. Greater is better.
    n_train, n_test : int or array-like of shape (n_splits,), default=None
        Distinct rows that a split trains and tests on.
    test_size : float, default=None
        Instead of both: the share of the rows that a split tests.

    Raises
    ------
    ValueError
        A margin that is not above 0; the sizes are not given.

    Notes
    -----
    Each candidate is tested for non-inferiority: the hypothesis that it is worse than the
    best by the margin or more is rejected where p <= alpha, by a one-sided corrected
    resampled t-test with J - 1 degrees of freedom. A difference that is merely "not
    significant" does not pass: with few splits nothing is significant, and such a rule
    would always take the simplest. Here few splits leave the best candidate alone.

    The best is the best of several, so that the differences to it lean to the safe side.
    Among equally simple candidates the one with the better mean is taken, then the first.
    Candidates with a nan score are passed over.

    References
    ----------
    Schuirmann (1987), Journal of Pharmacokinetics and Biopharmaceutics 15, one side.
    Nadeau & Bengio (2003), Machine Learning 52, equation 9.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.model_selection import GridSearchCV
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from skeval.model_selection import KFoldSplit, NotWorseRefit
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> rule = NotWorseRefit(margin=0.03, simplicity="max_depth", test_size=0.1)
    >>> search = GridSearchCV(
    ...     DecisionTreeClassifier(random_state=0), {"max_depth": [1, 2, 3, 4, 6, None]},
    ...     cv=KFoldSplit(10, n_repeats=5, random_state=0), refit=rule)
    >>> search.fit(X, y).best_params_
    {'max_depth': 2}
    >>> rule.eligible(search.cv_results_)
    array([False,  True,  True,  True,  True,  True])
    """

    margin: float
    alpha: float = 0.05

    def __post_init__(self) -> None:
        super().__post_init__()
        check_real(self.margin, "margin", low=0, closed="neither")
        check_level(self.alpha, "alpha")

    def _passes(self, scores: FloatArray, best: FloatArray) -> NDArray[np.bool_]:
        room = self.margin - _behind(scores, best)
        room[np.abs(room) <= _rounding(scores)] = 0.0
        errors = self._standard_error(scores - best)
        # Nothing varies: only the sign is left to judge by.
        certain = errors <= _rounding(scores)
        pvalues = stats.t.sf(room / np.where(certain, 1.0, errors), scores.shape[1] - 1)
        return np.asarray(np.where(certain, room > 0, pvalues <= self.alpha))


def _behind(scores: FloatArray, best: FloatArray) -> FloatArray:
    """Return by how much the mean of each candidate is behind; differences by rounding are none."""
    behind = np.asarray((best - scores).mean(axis=1))
    return np.where(np.abs(behind) <= _rounding(scores), 0.0, behind)


def _rounding(scores: FloatArray) -> float:
    return ROUNDING * float(np.abs(scores).max(initial=0))


def _checked_sizes(value: Any, name: str) -> NDArray[Any]:
    sizes = np.asarray(value)
    if sizes.ndim == 0:
        return np.asarray(check_int(value, name, minimum=1))
    if sizes.ndim != 1 or not len(sizes) or sizes.dtype.kind not in "iu" or sizes.min() < 1:
        raise ValueError(f"{name} must be whole numbers of rows, at least 1, got {value!r}.")
    return sizes


def _check_simplicity(simplicity: Any) -> None:
    if callable(simplicity) or (isinstance(simplicity, str) and simplicity):
        return
    names = list(simplicity) if isinstance(simplicity, (Mapping, list, tuple)) else []
    if not names or not all(isinstance(name, str) for name in names):
        raise ValueError(
            "simplicity must be a parameter name, a list of names, a dict {name: 'smaller' or 'larger'}, or "
            f"a function of the parameters, got {simplicity!r}."
        )
    if isinstance(simplicity, Mapping):
        for name, direction in simplicity.items():
            check_option(direction, f"simplicity[{name!r}]", _DIRECTIONS)


def _simplicity_keys(simplicity: Any, candidates: Sequence[Mapping[str, Any]]) -> list[Any]:
    """Return one key per candidate, smaller = simpler."""
    if callable(simplicity):
        keys = [simplicity(dict(params)) for params in candidates]
        for key, params in zip(keys, candidates, strict=True):
            if any(part != part for part in (key if isinstance(key, (tuple, list)) else [key])):
                raise ValueError(
                    f"simplicity must return keys that can be ordered, got {key!r} for {dict(params)}."
                )
        return keys
    if isinstance(simplicity, str):
        simplicity = [simplicity]
    directions = simplicity if isinstance(simplicity, Mapping) else dict.fromkeys(simplicity, "smaller")
    missing = {name for name in directions for params in candidates if name not in params}
    if missing:
        known = sorted({name for params in candidates for name in params})
        raise ValueError(
            f"simplicity names {', '.join(map(repr, sorted(missing)))}, which not every candidate has; the "
            f"search varies {known}. Give a function of the parameters."
        )
    return [
        tuple(_value_key(params[name], name, direction) for name, direction in directions.items())
        for params in candidates
    ]


def _value_key(value: Any, name: str, direction: str) -> tuple[bool, float]:
    """Return a key of one parameter: numbers in their order, None after all of them."""
    if value is None:
        return True, 0.0
    try:
        number = float(value)
    except (TypeError, ValueError) as error:
        raise TypeError(
            f"simplicity names {name!r}, whose value {value!r} is no number: give a function of the "
            "parameters that returns a number."
        ) from error
    if np.isnan(number):
        raise ValueError(
            f"simplicity names {name!r}, of which a candidate has the value nan, which has no order: give a "
            "function of the parameters that returns a number."
        )
    return False, number if direction == "smaller" else -number

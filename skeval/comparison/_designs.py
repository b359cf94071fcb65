"""One call for several methods on the splits of one data set."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
from sklearn.model_selection import check_cv

from skeval.comparison._bayesian import t_shares
from skeval.comparison._logical import PAIR_ADJUSTMENTS, adjust_pairs
from skeval.comparison._names import check_named
from skeval.comparison._splits import check_exchangeable, corrected_test
from skeval.model_selection._cv_scores import CVScores
from skeval.model_selection._paired_scores import as_scores, pair_scores
from skeval.utils._kind import classifies
from skeval.utils._pairwise import PairwiseResult
from skeval.utils._validation import check_option, check_real

# Candidates that are all compared with each other without being named.
MAX_CANDIDATES = 20

_ALTERNATIVES = (
    "equivalence_test for a claim that two do not differ; correlated_bayes_ttest for probabilities; "
    "five_by_two_ftest where fits are dear"
)


def compare_cv(
    results: Mapping[str, Any],
    *,
    metric: str | None = None,
    adjust: str = "holm",
    alternative: str = "two-sided",
    rope: float | None = None,
    n_train: Any = None,
    n_test: Any = None,
    nan_policy: str = "raise",
) -> PairwiseResult:
    """Compare all pairs of several methods on the splits of one data set.

    Every pair by `corrected_resampled_ttest`, the p-values adjusted for their number.

    Parameters
    ----------
    results : dict of {name: dict, CVScores or array-like}
        What ``cross_validate(return_indices=True)`` returned for each method on the same
        splits, greater is better.
    metric : str, default=None
        Which of several scores in the dicts.
    adjust : str, default="holm"
        A method of `adjust_pvalues`, "shaffer" or "bergmann-hommel".
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        "greater": the first of a pair, in the order of `results`, is better.
    rope : float, default=None
        Half the width of the region of practical equivalence, in units of the score: then
        the table has the posterior probabilities of `correlated_bayes_ttest` as well.
    n_train, n_test : int or array-like of shape (n_splits,), default=None
        As in `corrected_resampled_ttest`.
    nan_policy : {"raise", "omit"}, default="raise"
        "omit" drops, for a pair, the splits where one of its scores is missing.

    Returns
    -------
    PairwiseResult
        ``estimate`` is the mean difference, with its corrected standard error, degrees of
        freedom and interval. ``per_pair`` has the number of splits used and, with `rope`,
        ``a_better``, ``equivalent`` and ``b_better``. ``explanation`` says what was done, why,
        and what else could have been.

    Raises
    ------
    ValueError
        Fewer than two methods, and whatever `corrected_resampled_ttest` refuses.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.dummy import DummyClassifier
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.model_selection import StratifiedKFold, cross_validate
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from skeval.comparison import compare_cv
    >>> X, y = load_iris(return_X_y=True)
    >>> cv = StratifiedKFold(10, shuffle=True, random_state=0)
    >>> models = {
    ...     "dummy": DummyClassifier(),
    ...     "tree": DecisionTreeClassifier(random_state=0),
    ...     "linear": LogisticRegression(max_iter=500),
    ... }
    >>> results = {
    ...     name: cross_validate(model, X, y, cv=cv, return_indices=True)
    ...     for name, model in models.items()
    ... }
    >>> compare_cv(results).groups()
    [('tree', 'linear')]
    """
    named = check_named(results, "results", holds="scores", of="method")
    scores = {name: as_scores(value, metric=metric, name=name) for name, value in named.items()}
    return _compare_splits(
        _without_indices(scores, n_train, n_test),
        adjust=adjust,
        alternative=alternative,
        rope=rope,
        nan_policy=nan_policy,
    )


def compare_candidates(
    search: Any,
    X: Any = None,
    y: Any = None,
    *,
    groups: Any = None,
    n_train: Any = None,
    n_test: Any = None,
    metric: str | None = None,
    candidates: Sequence[Any] | None = None,
    adjust: str = "holm",
    rope: float | None = None,
    nan_policy: str = "raise",
) -> PairwiseResult:
    """Compare all pairs of candidates of a fitted grid or randomized search.

    Every pair by `corrected_resampled_ttest`, the p-values adjusted for their number.

    Parameters
    ----------
    search : fitted GridSearchCV or RandomizedSearchCV, or its ``cv_results_``
    X, y, groups : array-like, default=None
        What the search was fitted on: with them its splits are made again and their sizes
        read, where ``search.cv`` gives the same splits on every call.
    n_train, n_test : int or array-like of shape (n_splits,), default=None
        Rows that a split trained and tested on, instead of X and y.
    metric : str, default=None
        Which of several scores. None: the only one, or the one of ``search.refit``.
    candidates : sequence of int or str, default=None
        The candidates to compare, by row of ``cv_results_`` or by name, chosen before the
        scores were seen: the best of a search were chosen by looking, and their p-values
        would be too small. None: all, up to 20; of a larger search they must be named.
    adjust : str, default="holm"
        A method of `adjust_pvalues`, "shaffer" or "bergmann-hommel".
    rope : float, default=None
        As in `compare_cv`.
    nan_policy : {"raise", "omit"}, default="raise"
        "omit" drops, for a pair, the splits where one of its scores is missing.

    Returns
    -------
    PairwiseResult
        As that of `compare_cv`. ``methods`` are named by the parameters that differ among all
        candidates, as in "C=1, gamma=0.1"; ``details["candidates"]`` has their rows.

    Raises
    ------
    ValueError
        No sizes; a `cv` that draws new splits; more than 20 candidates and none named; a
        halving search; whatever `corrected_resampled_ttest` refuses.
    SplitMismatchError
        `X` and `y` give another number of splits than the search has.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import GridSearchCV
    >>> from sklearn.svm import SVC
    >>> from skeval.comparison import compare_candidates
    >>> X, y = load_iris(return_X_y=True)
    >>> search = GridSearchCV(SVC(), {"C": [0.001, 1, 100]}, cv=10).fit(X, y)
    >>> result = compare_candidates(search, X, y)
    >>> result.methods
    ('C=0.001', 'C=1', 'C=100')
    >>> result.groups()
    [('C=0.001', 'C=1', 'C=100')]
    """
    if metric is None and isinstance(getattr(search, "refit", None), str):
        metric = search.refit
    cv = None
    if n_train is None and n_test is None and not (X is None and y is None):
        cv = _splitter_of(search, y)
    known = CVScores.from_results(search, metric=metric, cv=cv, X=X, y=y, groups=groups)
    if known.scores.ndim != 2:
        raise ValueError("search must be a fitted GridSearchCV or RandomizedSearchCV, or its cv_results_.")
    names = _candidate_names(search, len(known))
    rows = _choose_candidates(candidates, names)
    result = _compare_splits(
        _without_indices({names[row]: known[row] for row in rows}, n_train, n_test),
        adjust=adjust,
        alternative="two-sided",
        rope=rope,
        nan_policy=nan_policy,
    )
    return replace(result, details=result.details | {"candidates": tuple(rows)})


def _splitter_of(search: Any, y: Any) -> Any:
    """Return the splitter that a fitted search used."""
    if not hasattr(search, "cv"):
        raise ValueError(
            "X and y are of use only with the fitted search: with cv_results_ pass n_train, n_test."
        )
    classifier = classifies(search.estimator)
    if classifier and y is None and not hasattr(search.cv, "split") and not isinstance(search.cv, Iterable):
        raise ValueError(
            "y must be passed too: the splits of a classifier with this cv are stratified by it."
        )
    return check_cv(search.cv, y, classifier=classifier)


def _candidate_names(search: Any, n_candidates: int) -> list[str]:
    """Name candidates by the parameters that differ among them."""
    table = getattr(search, "cv_results_", search)
    params = [dict(chosen) for chosen in table["params"]] if "params" in table else [{}] * n_candidates
    keys = list(dict.fromkeys(key for chosen in params for key in chosen))
    missing = object()
    told = [key for key in keys if len({repr(chosen.get(key, missing)) for chosen in params}) > 1] or keys
    names = [", ".join(f"{key}={chosen[key]}" for key in told if key in chosen) for chosen in params]
    if len(set(names)) < len(names) or not all(names):
        names = [f"{row}: {name}".removesuffix(": ") for row, name in enumerate(names)]
    return names


def _choose_candidates(candidates: Sequence[Any] | None, names: list[str]) -> list[int]:
    """Return the rows of the candidates to compare."""
    if candidates is None:
        if len(names) > MAX_CANDIDATES:
            raise ValueError(
                f"candidates must name which to compare: the search has {len(names)}, and all are compared "
                f"only up to {MAX_CANDIDATES}. Name them by row or name, as chosen before looking at scores."
            )
        rows = list(range(len(names)))
    else:
        rows = [names.index(one) if one in names else one for one in candidates]
    for row in rows:
        if isinstance(row, (bool, str)) or row not in range(len(names)):
            raise ValueError(
                f"candidates must hold rows of cv_results_, 0 to {len(names) - 1}, or names such as "
                f"{names[0]!r}, got {row!r}."
            )
    if len(set(rows)) < max(2, len(rows)):
        raise ValueError(f"candidates must name at least 2, each once, got {rows}.")
    return [int(row) for row in rows]


def _without_indices(scores: dict[str, CVScores], n_train: Any, n_test: Any) -> dict[str, CVScores]:
    """Return scores with sizes alone, after the splits were checked once for all pairs."""
    names = list(scores)
    best = max(names, key=lambda name: (scores[name].indices is not None, scores[name].n_train is not None))
    known = scores[best]
    for name in names:
        if name != best:
            pair_scores(
                *(known, scores[name]),
                n_train=n_train,
                n_test=n_test,
                nan_policy="omit",
                names=(best, name) if names.index(best) < names.index(name) else (name, best),
            )
    if known.indices is not None:
        check_exchangeable(known.indices)
    sizes = {
        "n_train": known.n_train if n_train is None else n_train,
        "n_test": known.n_test if n_test is None else n_test,
    }
    return {name: CVScores(one.scores, metric=one.metric, **sizes) for name, one in scores.items()}


def _compare_splits(
    scores: dict[str, CVScores], *, adjust: str, alternative: str, rope: float | None, nan_policy: str
) -> PairwiseResult:
    """Return the corrected t-tests of all pairs of methods on the same splits."""
    check_option(adjust, "adjust", PAIR_ADJUSTMENTS)
    rope = None if rope is None else check_real(rope, "rope", low=0, high=np.inf, closed="left")
    pairs = tuple(combinations(scores, 2))
    paired = [pair_scores(scores[a], scores[b], nan_policy=nan_policy, names=(a, b)) for a, b in pairs]
    tests = [corrected_test(one, alternative=alternative) for one in paired]
    estimate = np.array([test.estimate for test in tests], dtype=np.float64)
    error = np.array([test.standard_error for test in tests], dtype=np.float64)
    df = np.array([len(one.differences) - 1.0 for one in paired])
    raw = np.array([test.pvalue for test in tests])
    per_pair: dict[str, Any] = {"n_splits": np.array([len(one.differences) for one in paired])}
    if rope is not None:
        rounding = [one.rounding for one in paired]
        shares = [
            t_shares(center, scale, freedom, rope, small)
            for center, scale, freedom, small in zip(
                estimate.tolist(), error.tolist(), df.tolist(), rounding, strict=True
            )
        ]
        per_pair |= dict(zip(("a_better", "equivalent", "b_better"), np.array(shares).T, strict=True))
    return PairwiseResult(
        methods=tuple(scores),
        pairs=pairs,
        estimate=estimate,
        statistic=np.array([test.statistic for test in tests]),
        raw_pvalue=raw,
        pvalue=adjust_pairs(raw, len(scores), method=adjust),
        method=f"corrected resampled t-test of all pairs ({adjust})",
        hypothesis=tests[0].hypothesis,
        estimand=tests[0].estimand,
        reference=tests[0].reference,
        details={"alternative": alternative} | ({} if rope is None else {"rope": rope}),
        standard_error=error,
        df=df,
        per_pair=per_pair,
        explanation=(
            "The splits of one data set share training rows, so that their scores are correlated: each pair "
            f"was compared by the corrected resampled t-test, and the {len(pairs)} p-values were adjusted by "
            f"{adjust}. Alternatives: {_ALTERNATIVES}."
        ),
    )

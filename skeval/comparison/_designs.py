"""One call per design of experiment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np

from skeval.comparison._adjust import adjust_pvalues
from skeval.comparison._posthoc import critical_difference, posthoc_test
from skeval.comparison._ranks import friedman_test
from skeval.comparison._splits import corrected_test
from skeval.model_selection._paired_scores import pair_scores
from skeval.utils._results import PairwiseResult


def compare_cv(
    results: Mapping[str, Any],
    *,
    metric: str | None = None,
    adjust: str = "holm",
    alternative: str = "two-sided",
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
        A method of `adjust_pvalues`.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        "greater": the first of a pair, in the order of `results`, is better.
    n_train, n_test : int or array-like of shape (n_splits,), default=None
        As in `corrected_resampled_ttest`.
    nan_policy : {"raise", "omit"}, default="raise"
        "omit" drops, for a pair, the splits where one of its scores is missing.

    Returns
    -------
    PairwiseResult

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
    if not isinstance(results, Mapping) or len(results) < 2:
        raise ValueError("results must be a dict of {name: scores} with at least 2 methods.")
    names = tuple(map(str, results))
    pairs = tuple(combinations(names, 2))
    tests = [
        corrected_test(
            pair_scores(
                a, b, n_train=n_train, n_test=n_test, metric=metric, nan_policy=nan_policy, names=pair
            ),
            alternative=alternative,
        )
        for (a, b), pair in zip(combinations(results.values(), 2), pairs, strict=True)
    ]
    raw = np.array([test.pvalue for test in tests])
    return PairwiseResult(
        methods=names,
        pairs=pairs,
        estimate=np.array([test.estimate for test in tests]),
        statistic=np.array([test.statistic for test in tests]),
        raw_pvalue=raw,
        pvalue=adjust_pvalues(raw, method=adjust),
        method=f"corrected resampled t-test of all pairs ({adjust})",
        hypothesis=tests[0].hypothesis,
        estimand=tests[0].estimand,
        reference=tests[0].reference,
        details={
            "standard_error": np.array([test.standard_error for test in tests]),
            "df": np.array([test.df for test in tests]),
            "alternative": alternative,
        },
    )


def compare_scores(
    scores: Any, *, greater_is_better: bool = True, nan_policy: str = "raise"
) -> PairwiseResult:
    """Compare several methods over several data sets: Friedman's test, then Nemenyi's.

    Parameters
    ----------
    scores : array-like of shape (n_datasets, n_methods), data frame, or dict of {method: scores}
        One score per method and data set, as in `friedman_test`.
    greater_is_better : bool, default=True
        False for errors and losses.
    nan_policy : {"raise", "omit"}, default="raise"
        "omit" drops the data sets where a score is missing.

    Returns
    -------
    PairwiseResult
        ``omnibus`` is the result of `friedman_test`. ``details["remark"]`` says what the
        number of data sets allows to conclude.

    Raises
    ------
    ValueError
        Whatever `friedman_test` refuses.

    Examples
    --------
    >>> from skeval.comparison import compare_scores
    >>> scores = {
    ...     "tree": [0.78, 0.85, 0.62, 0.85, 0.71, 0.66],
    ...     "forest": [0.84, 0.93, 0.70, 0.88, 0.75, 0.74],
    ...     "linear": [0.80, 0.88, 0.66, 0.86, 0.69, 0.70],
    ... }
    >>> result = compare_scores(scores)
    >>> result.groups(), round(result.omnibus.pvalue, 4)
    ([('forest', 'linear'), ('linear', 'tree')], 0.0017)
    """
    omnibus = friedman_test(scores, greater_is_better=greater_is_better, nan_policy=nan_policy)
    result = posthoc_test(scores, greater_is_better=greater_is_better, nan_policy=nan_policy)
    remark = _remark(result.details["n_datasets"], len(result.methods))
    return replace(result, omnibus=omnibus, details=result.details | {"remark": remark})


def _remark(n_datasets: int, n_methods: int) -> str:
    """Say what so many data sets can show."""
    need = critical_difference(n_methods, n_datasets)
    largest = n_methods - 1
    if need > largest:
        return (
            f"With {n_datasets} data sets Nemenyi's test cannot find any difference among {n_methods} "
            f"methods: mean ranks would have to differ by {need:.2f}, and can by {largest} at most."
        )
    if n_datasets < max(10, 2 * n_methods):
        return (
            f"{n_datasets} data sets are few for {n_methods} methods: mean ranks must differ by {need:.2f}, "
            f"of at most {largest}, so a difference that was not found may well be there."
        )
    return (
        f"With {n_datasets} data sets, mean ranks that differ by less than {need:.2f} are not told apart; "
        "that does not show the methods to be equal."
    )

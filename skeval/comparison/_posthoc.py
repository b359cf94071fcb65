"""Which methods differ over several data sets: comparisons of mean ranks after Friedman's test."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
from scipy import stats

from skeval.comparison._adjust import ADJUSTMENTS, adjust_pvalues
from skeval.comparison._ranks import check_score_table, rank_rows
from skeval.comparison._studentized_range import range_isf, range_sf
from skeval.utils._results import PairwiseResult
from skeval.utils._validation import check_int, check_level, check_option

# The level of the critical difference that a result carries.
ALPHA = 0.05


def critical_difference(n_methods: int, n_datasets: int, *, alpha: float = 0.05) -> float:
    """Nemenyi's critical difference of mean ranks.

    Parameters
    ----------
    n_methods : int
        k, at least 2.
    n_datasets : int
        N, at least 1: the data sets that were used.
    alpha : float, default=0.05
        Strictly between 0 and 1.

    Returns
    -------
    float
        Two methods differ where their mean ranks are at least this far apart.

    Notes
    -----
    q sqrt(k(k + 1)/(6N)), q the upper alpha quantile of the studentized range of k normals
    with infinitely many degrees of freedom, over sqrt 2.

    References
    ----------
    Demsar (2006), JMLR 7, section 3.2.2 and Table 5(a).

    Examples
    --------
    >>> from skeval.comparison import critical_difference
    >>> round(critical_difference(4, 14), 4)
    1.2536
    """
    n_methods = check_int(n_methods, "n_methods", minimum=2)
    n_datasets = check_int(n_datasets, "n_datasets", minimum=1)
    quantile = range_isf(check_level(alpha, "alpha"), n_methods) / 2**0.5
    return quantile * _standard_error(n_methods, n_datasets)


def _standard_error(n_methods: int, n_datasets: int) -> float:
    """Return the standard error of a difference of two mean ranks, where nothing is tied."""
    return float(np.sqrt(n_methods * (n_methods + 1) / (6 * n_datasets)))


def posthoc_test(
    scores: Any,
    *,
    method: str = "nemenyi",
    control: Any = None,
    greater_is_better: bool = True,
    nan_policy: str = "raise",
) -> PairwiseResult:
    """Compare the mean ranks of all pairs of methods, or of all methods with a control.

    Parameters
    ----------
    scores : array-like of shape (n_datasets, n_methods), data frame, or dict of {method: scores}
        As in `friedman_test`.
    method : str, default="nemenyi"
        "nemenyi": the studentized range, all pairs. "holm", "hochberg", "bonferroni",
        "benjamini-hochberg": normal p-values, adjusted by `adjust_pvalues`, for all pairs or
        with a control ("bonferroni" with a control is the Bonferroni-Dunn test).
    control : str, default=None
        Name of the method to compare all others with, chosen before the scores were seen.
        The best method is not such a control: compare it with the rest by all pairs.
    greater_is_better : bool, default=True
        False for errors and losses.
    nan_policy : {"raise", "omit"}, default="raise"
        "omit" drops the data sets where a score is missing.

    Returns
    -------
    PairwiseResult
        ``estimate`` is the mean rank of the second less that of the first (positive: the
        first is better). With a control it is the second of each pair. ``details`` has the
        number of data sets, the names of those dropped, the standard error and, for
        "nemenyi" and "bonferroni", the critical difference at alpha = 0.05.

    Raises
    ------
    ValueError
        An unknown method or control; "nemenyi" with a control.
    MissingScoreError
        A score is nan.

    Notes
    -----
    z = (R_b - R_a)/sqrt(k(k + 1)/(6N)), as published, without a correction for ties: with
    many ties the test is conservative. A difference of mean ranks depends on which other
    methods are in the table (Benavoli, Corani & Mangili 2016).

    References
    ----------
    Demsar (2006), JMLR 7, section 3.2.2; Benavoli, Corani & Mangili (2016), Should we
    really use post-hoc tests based on mean-ranks?, JMLR 17.

    Examples
    --------
    >>> from skeval.comparison import posthoc_test
    >>> scores = {
    ...     "tree": [0.78, 0.85, 0.62, 0.85, 0.71, 0.66],
    ...     "forest": [0.84, 0.93, 0.70, 0.88, 0.75, 0.74],
    ...     "linear": [0.80, 0.88, 0.66, 0.86, 0.69, 0.70],
    ... }
    >>> result = posthoc_test(scores)
    >>> result.groups()
    [('forest', 'linear'), ('linear', 'tree')]
    >>> posthoc_test(scores, method="holm", control="tree").pairs
    (('forest', 'tree'), ('linear', 'tree'))
    """
    check_option(method, "method", ("nemenyi", *ADJUSTMENTS))
    table = check_score_table(scores, nan_policy=nan_policy)
    ranks = rank_rows(table.scores, greater_is_better=greater_is_better)
    sums = ranks.sum(axis=0)
    n_datasets, n_methods = ranks.shape
    first, second = _choose_pairs(table.columns, control, method)
    error = _standard_error(n_methods, n_datasets)
    difference = (sums[second] - sums[first]) / n_datasets
    statistic = difference / error
    raw = 2 * stats.norm.sf(np.abs(statistic))
    details: dict[str, Any] = {
        "n_datasets": n_datasets,
        "dropped": table.dropped,
        "standard_error": error,
    }
    if method == "nemenyi":
        # Rank sums are half-integers: many pairs are equally far apart.
        distinct, where = np.unique(np.abs(statistic), return_inverse=True)
        pvalue = range_sf(2**0.5 * distinct, n_methods)[where]
        details["critical_difference"] = critical_difference(n_methods, n_datasets, alpha=ALPHA)
    else:
        pvalue = adjust_pvalues(raw, method=method)
    if method == "bonferroni":
        details["critical_difference"] = float(stats.norm.isf(ALPHA / (2 * len(first)))) * error
    return PairwiseResult(
        methods=table.columns,
        pairs=tuple((table.columns[i], table.columns[j]) for i, j in zip(first, second, strict=True)),
        estimate=difference,
        statistic=statistic,
        raw_pvalue=raw,
        pvalue=pvalue,
        mean_ranks=sums / n_datasets,
        method="Nemenyi test" if method == "nemenyi" else f"comparison of mean ranks ({method})",
        hypothesis="the two methods have the same mean rank",
        estimand="difference of mean ranks among these methods, second minus first",
        reference="Demsar (2006), JMLR 7, section 3.2.2",
        control=None if control is None else str(control),
        details=details,
    )


def _choose_pairs(names: tuple[str, ...], control: Any, method: str) -> tuple[list[int], list[int]]:
    """Return the positions of the first and the second of each pair."""
    if control is None:
        pairs = list(combinations(range(len(names)), 2))
        return [i for i, _ in pairs], [j for _, j in pairs]
    if str(control) not in names:
        raise ValueError(f"control must be one of the methods {list(names)}, got {control!r}.")
    if method == "nemenyi":
        raise ValueError(
            "method='nemenyi' compares all pairs: leave control out, or use method='holm' with a control."
        )
    where = names.index(str(control))
    others = [number for number in range(len(names)) if number != where]
    return others, [where] * len(others)

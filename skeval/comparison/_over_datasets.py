"""One call for several methods on several data sets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np

from skeval.comparison._effects import pair_effects
from skeval.comparison._logical import PAIR_ADJUSTMENTS, adjust_pairs
from skeval.comparison._posthoc import METHODS, critical_difference, posthoc_test
from skeval.comparison._ranks import check_score_table, friedman_test, round_scores
from skeval.comparison._signed_rank import sign_test, wilcoxon_test
from skeval.utils._pairwise import PairwiseResult
from skeval.utils._results import TestResult
from skeval.utils._validation import check_option

_TESTS: dict[str, Callable[..., TestResult]] = {"wilcoxon": wilcoxon_test, "sign": sign_test}
_NAMES = {"wilcoxon": "Wilcoxon signed-rank test", "sign": "sign test"}


def compare_scores(
    scores: Any,
    *,
    greater_is_better: bool = True,
    method: str = "auto",
    control: Any = None,
    nan_policy: str = "raise",
) -> PairwiseResult:
    """Compare several methods over several data sets: Friedman's test, then a test of the pairs.

    Parameters
    ----------
    scores : array-like of shape (n_datasets, n_methods), data frame, or dict of {method: scores}
        One score per method and data set, as in `friedman_test`.
    greater_is_better : bool, default=True
        False for errors and losses.
    method : str, default="auto"
        A method of `posthoc_test`. "auto": "nemenyi"; of two methods "wilcoxon-holm"; with a
        control "holm". That depends on the number of methods, not on the scores.
    control : str, default=None
        Name of the method to compare all others with, chosen before the scores were seen.
    nan_policy : {"raise", "omit"}, default="raise"
        "omit" drops the data sets where a score is missing.

    Returns
    -------
    PairwiseResult
        That of `posthoc_test`. ``omnibus`` is the result of `friedman_test`; ``per_pair`` has
        effect sizes: mean difference, wins, ties and losses, the matched-pairs rank-biserial
        correlation, and the probability of superiority. ``explanation`` says what was done,
        why, and what else could have been; ``details["remark"]`` what the number of data sets
        allows to conclude.

    Raises
    ------
    ValueError
        Whatever `friedman_test` and `posthoc_test` refuse.

    See Also
    --------
    comparison_matrix : Pairs that do not depend on which other methods are in the table.

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
    check_option(method, "method", ("auto", *METHODS))
    table = check_score_table(scores, nan_policy=nan_policy)
    if method == "auto":
        several = "nemenyi" if control is None else "holm"
        method = several if len(table.columns) > 2 else "wilcoxon-holm"
    options: dict[str, Any] = {"greater_is_better": greater_is_better, "nan_policy": nan_policy}
    omnibus = friedman_test(scores, **options)
    result = posthoc_test(scores, method=method, control=control, **options)
    position = {name: where for where, name in enumerate(table.columns)}
    first, second = np.array([[position[name] for name in pair] for pair in result.pairs]).T
    effects = pair_effects(table.scores if greater_is_better else -table.scores, first, second)
    return replace(
        result,
        omnibus=omnibus,
        per_pair=effects,
        details=result.details | {"remark": _remark(len(table.scores), len(table.columns), method)},
        explanation=_explain(result, method),
    )


def _explain(result: PairwiseResult, method: str) -> str:
    """Say what was done and why, and name the alternatives."""
    n_datasets, n_methods = result.details["n_datasets"], len(result.methods)
    others = [name for name in ("nemenyi", "wilcoxon-holm", "bergmann-hommel", "mcb") if name != method]
    return (
        f"The {n_datasets} data sets are the sample and their scores are not on one scale, so methods were "
        f"compared by ranks within the data sets: Friedman's test of all {n_methods}, then the "
        f"{result.method}. Alternatives: method={', '.join(map(repr, others))}; comparison_matrix, whose "
        "pairs do not depend on the other methods; bayes_signed_rank_test for probabilities."
    )


def _remark(n_datasets: int, n_methods: int, method: str) -> str:
    """Say what so many data sets can show."""
    caution = "a difference that was not found may well be there"
    if method.startswith("wilcoxon"):
        least = 2.0 ** (1 - n_datasets)
        return (
            f"With {n_datasets} data sets the p-value of a pair, not adjusted, is {least:.2g} at least; "
            f"{caution}."
        )
    if method != "nemenyi":
        return f"With {n_datasets} data sets {caution}: no test shows methods to be equal."
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
            f"of at most {largest}, so {caution}."
        )
    return (
        f"With {n_datasets} data sets, mean ranks that differ by less than {need:.2f} are not told apart; "
        "that does not show the methods to be equal."
    )


def comparison_matrix(
    scores: Any,
    *,
    greater_is_better: bool = True,
    test: str = "wilcoxon",
    adjust: str | None = None,
    nan_policy: str = "raise",
) -> PairwiseResult:
    """Multi-comparison matrix: every pair of methods by itself, over several data sets.

    Mean difference, wins, ties and losses, and a p-value for each pair. A cell depends on its
    two methods alone: another method in the table changes no cell, as it may in a comparison
    of mean ranks.

    Parameters
    ----------
    scores : array-like of shape (n_datasets, n_methods), data frame, or dict of {method: scores}
        One score per method and data set, as in `friedman_test`.
    greater_is_better : bool, default=True
        False for errors and losses.
    test : {"wilcoxon", "sign"}, default="wilcoxon"
        The test of a pair: `wilcoxon_test` or `sign_test`.
    adjust : str, default=None
        None: the p-values as they are, as published; among many pairs some are small by
        chance. Otherwise a method of `adjust_pvalues`, "shaffer" or "bergmann-hommel": then
        the p-values do depend on the number of methods.
    nan_policy : {"raise", "omit"}, default="raise"
        "omit" drops the data sets where a score is missing.

    Returns
    -------
    PairwiseResult
        ``methods`` in the order of their mean scores, the best first, equal ones by name. ``estimate`` is the
        mean difference, positive where the first of the pair is better; ``per_pair`` has
        wins, ties and losses of the first, the matched-pairs rank-biserial correlation and
        the probability of superiority; ``details`` the mean scores by method.

    Raises
    ------
    ValueError
        As `friedman_test`.

    Warns
    -----
    DegenerateDataWarning
        Two methods are equal on every data set.

    References
    ----------
    Ismail-Fawaz et al. (2023), An approach to multiple comparison benchmark evaluations that
    is stable under manipulation of the comparate set, arXiv 2305.11921.

    Examples
    --------
    >>> from skeval.comparison import comparison_matrix
    >>> scores = {
    ...     "tree": [0.78, 0.85, 0.62, 0.85, 0.71, 0.66],
    ...     "forest": [0.84, 0.93, 0.70, 0.88, 0.75, 0.74],
    ...     "linear": [0.80, 0.88, 0.66, 0.86, 0.69, 0.70],
    ... }
    >>> result = comparison_matrix(scores)
    >>> result.methods
    ('forest', 'linear', 'tree')
    >>> result.pairs[0], int(result.per_pair["wins"][0]), float(result.pvalue[0])
    (('forest', 'linear'), 6, 0.03125)
    """
    check_option(test, "test", tuple(_TESTS))
    check_option(adjust, "adjust", (None, *PAIR_ADJUSTMENTS))
    table = check_score_table(scores, nan_policy=nan_policy)
    signed = table.scores if greater_is_better else -table.scores
    means = round_scores(signed.mean(axis=0)[None])[0]
    order = np.lexsort([np.array(table.columns), -means])  # equal means by name
    signed, names = signed[:, order], tuple(table.columns[where] for where in order)
    first, second = np.triu_indices(len(names), 1)
    tests = [_TESTS[test](signed[:, one], signed[:, two]) for one, two in zip(first, second, strict=True)]
    raw = np.array([result.pvalue for result in tests])
    effects = pair_effects(signed, first, second)
    order_of_two = "first minus second" if greater_is_better else "second minus first"
    return PairwiseResult(
        methods=names,
        pairs=tuple(combinations(names, 2)),
        estimate=effects.pop("mean_difference"),
        statistic=np.array([result.statistic for result in tests]),
        raw_pvalue=raw,
        pvalue=raw if adjust is None else adjust_pairs(raw, len(names), method=adjust),
        method=f"{_NAMES[test]} of every pair ({adjust or 'not adjusted'})",
        hypothesis=tests[0].hypothesis,
        estimand=f"mean difference of the scores over these data sets, {order_of_two}",
        reference="Ismail-Fawaz et al. (2023), arXiv 2305.11921",
        details={
            "mean_scores": dict(zip(names, table.scores.mean(axis=0)[order].tolist(), strict=True)),
            "n_datasets": len(table.scores),
            "dropped": table.dropped,
        },
        per_pair=effects,
    )

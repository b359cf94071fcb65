"""Which methods differ over several data sets: comparisons of pairs after Friedman's test."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np

from skeval.comparison._adjust import ADJUSTMENTS
from skeval.comparison._logical import PAIR_ADJUSTMENTS, adjust_pairs
from skeval.comparison._rank_pairs import (
    RankPairs,
    best_test,
    conover_test,
    mean_rank_test,
    nemenyi_difference,
)
from skeval.comparison._ranks import check_score_table, rank_rows
from skeval.comparison._signed_rank import wilcoxon_test
from skeval.utils._pairwise import PairwiseResult
from skeval.utils._validation import FloatArray, IntArray, check_int, check_level, check_option

_RANK_DIFFERENCE = "difference of mean ranks among these methods, second minus first"
_WILCOXON = ("wilcoxon-holm", "wilcoxon-shaffer", "wilcoxon-bergmann-hommel")
METHODS = ("nemenyi", *PAIR_ADJUSTMENTS, "conover", *_WILCOXON, "mcb")
# These compare all methods with one that was named in advance, too.
_WITH_CONTROL = (*ADJUSTMENTS, "wilcoxon-holm")


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

    Raises
    ------
    ValueError
        Fewer than 2 methods or no data set, or a level outside (0, 1).
    TypeError
        A number of methods or data sets that is no integer.

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
    return nemenyi_difference(n_methods, n_datasets, check_level(alpha, "alpha"))


def posthoc_test(
    scores: Any,
    *,
    method: str = "nemenyi",
    control: Any = None,
    greater_is_better: bool = True,
    nan_policy: str = "raise",
) -> PairwiseResult:
    """Compare all pairs of methods, or all methods with a control, over several data sets.

    Parameters
    ----------
    scores : array-like of shape (n_datasets, n_methods), data frame, or dict of {method: scores}
        As in `friedman_test`.
    method : str, default="nemenyi"
        Mean ranks, all pairs:

        - "nemenyi": the studentized range.
        - "shaffer" (static), "bergmann-hommel" (up to 12 methods): normal p-values,
          adjusted with regard to which hypotheses can be true together.
        - "conover": Conover's t with Friedman's residual variance, adjusted by Holm.

        Mean ranks, all pairs or with a control: "bonferroni" (with a control that is the
        Bonferroni-Dunn test), "holm", "hochberg", "hommel", "holland", "finner", "rom",
        "li", "benjamini-hochberg": normal p-values, adjusted by `adjust_pvalues`.

        Mean ranks, every method with the best of the others: "mcb" (Hsu).

        Pairs by themselves: "wilcoxon-holm" (all pairs or with a control),
        "wilcoxon-shaffer", "wilcoxon-bergmann-hommel": `wilcoxon_test`, adjusted.
    control : str, default=None
        Name of the method to compare all others with, chosen before the scores were seen.
        The best method is not such a control: compare it with the rest by "mcb".
    greater_is_better : bool, default=True
        False for errors and losses.
    nan_policy : {"raise", "omit"}, default="raise"
        "omit" drops the data sets where a score is missing.

    Returns
    -------
    PairwiseResult
        ``estimate`` is the mean rank of the second less that of the first (positive: the
        first is better); for "wilcoxon-..." the median of the averages of two differences of
        scores. With a control, and with "mcb", it is the second of each pair.
        ``details`` has the number of data sets, the names of those dropped, the standard
        error and, for "nemenyi", "bonferroni" and "mcb", the critical difference at
        alpha = 0.05; for "bergmann-hommel" the p-values "by_definition", which are not
        monotone; for "mcb" each method's interval of its lead over the best of the others.

    Raises
    ------
    ValueError
        An unknown method or control; a control with a method that takes none.
    MissingScoreError
        A score is nan.

    Warns
    -----
    DegenerateDataWarning
        "conover", and every data set ranks the methods identically: t is infinite, and p
        the probability that rankings agree so by chance, (k!)^-(N - 1) without ties.

    Notes
    -----
    z = (R_b - R_a)/sqrt(k(k + 1)/(6N)), as published, without a correction for ties: with
    many ties the test is conservative.

    A difference of mean ranks depends on which other methods are in the table (Benavoli,
    Corani & Mangili 2016). Where some methods differ, the normal p-values of those that do
    not are no longer valid one by one: the chance of a false rejection is kept where all
    methods are equal, and not always else. The p-values of "wilcoxon-..." are valid whatever
    the other methods, so that the chance of any false rejection is at most alpha.

    "bergmann-hommel" is the running maximum of the published definition.

    References
    ----------
    Demsar (2006), JMLR 7, section 3.2.2; Garcia & Herrera (2008), An extension on
    "Statistical comparisons of classifiers over multiple data sets" for all pairwise
    comparisons, JMLR 9, section 2; Conover (1999), Practical Nonparametric Statistics,
    section 5.8; Hsu (1996), Multiple Comparisons, section 4.1; Benavoli, Corani & Mangili
    (2016), Should we really use post-hoc tests based on mean-ranks?, JMLR 17.

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
    check_option(method, "method", METHODS)
    table = check_score_table(scores, nan_policy=nan_policy)
    ranks = rank_rows(table.scores, greater_is_better=greater_is_better)
    mean_ranks = ranks.sum(axis=0) / len(ranks)
    names = table.columns
    if method == "mcb" and control is None:
        control_name: str | None = min(zip(mean_ranks.tolist(), names, strict=True))[1]  # equal ones by name
    else:
        control_name = _check_control(control, names, method)
    pairs = RankPairs(ranks, *_choose_pairs(names, control_name))
    fields: dict[str, Any] = {"estimate": pairs.difference, "estimand": _RANK_DIFFERENCE}
    if method in _WILCOXON:
        signed = table.scores if greater_is_better else -table.scores
        fields |= _wilcoxon_pairs(signed, pairs, method.removeprefix("wilcoxon-"))
        if not greater_is_better:  # the scores were turned, so that positive still means better
            fields["estimand"] = fields["estimand"].replace("first minus second", "second minus first")
    elif method == "conover":
        fields |= conover_test(pairs)
    elif method == "mcb":
        fields |= best_test(pairs)
        intervals = dict(zip(names, map(tuple, fields["details"]["intervals"].tolist()), strict=True))
        fields["details"]["intervals"] = intervals
    else:
        fields |= mean_rank_test(pairs, method)
    fields["details"] |= {"n_datasets": len(ranks), "dropped": table.dropped}
    return PairwiseResult(
        methods=names,
        pairs=_name_pairs(names, control_name),
        mean_ranks=mean_ranks,
        control=control_name,
        **fields,
    )


def _wilcoxon_pairs(scores: FloatArray, pairs: RankPairs, adjust: str) -> dict[str, Any]:
    """Return the fields of a result: Wilcoxon's signed-rank test of every pair by itself."""
    tests = [
        wilcoxon_test(scores[:, one], scores[:, two])
        for one, two in zip(pairs.first, pairs.second, strict=True)
    ]
    raw = np.array([test.pvalue for test in tests])
    return {
        "estimate": np.array([test.estimate for test in tests]),
        "statistic": np.array([test.statistic for test in tests]),
        "raw_pvalue": raw,
        "pvalue": adjust_pairs(raw, scores.shape[1], method=adjust),
        "method": f"Wilcoxon signed-rank test of pairs ({adjust})",
        "hypothesis": tests[0].hypothesis,
        "estimand": tests[0].estimand,
        "reference": tests[0].reference,
        "details": {},
    }


def _check_control(control: Any, names: tuple[str, ...], method: str) -> str | None:
    """Return the name of the control, if one is given and the method takes one."""
    if control is None:
        return None
    if str(control) not in names:
        raise ValueError(f"control must be one of the methods {list(names)}, got {control!r}.")
    if method == "mcb":
        raise ValueError("method='mcb' compares with the best method, which it finds: leave control out.")
    if method not in _WITH_CONTROL:
        raise ValueError(
            f"method={method!r} compares all pairs: leave control out, or use method='holm' with a control."
        )
    return str(control)


def _choose_pairs(names: tuple[str, ...], control: str | None) -> tuple[IntArray, IntArray]:
    """Return the positions of the first and the second of each pair."""
    if control is None:
        first, second = np.triu_indices(len(names), 1)
        return first, second
    others = np.delete(np.arange(len(names)), names.index(control))
    return others, np.full_like(others, names.index(control))


def _name_pairs(names: tuple[str, ...], control: str | None) -> tuple[tuple[str, str], ...]:
    if control is None:
        return tuple(combinations(names, 2))
    return tuple((name, control) for name in names if name != control)

"""Two methods on several data sets: Wilcoxon's signed-rank test and the sign test."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np
from scipy import stats

from skeval.comparison._error_rate import binomial_test
from skeval.comparison._hodges_lehmann import hodges_lehmann, hodges_lehmann_interval
from skeval.comparison._paired import Pairs, check_pairs, whole_units
from skeval.comparison._sign_flips import Tail, half_binomial_tail, lattice_tail, lattice_work
from skeval.comparison._student import ALTERNATIVES
from skeval.exceptions import DegenerateDataWarning
from skeval.utils._results import TestResult
from skeval.utils._validation import IntArray, check_option
from skeval.utils._warnings import warn_user

# Additions that "auto" allows itself (up to some 700 pairs, under a second), and those that "exact" refuses.
AUTO_WORK, MAX_WORK = 2e8, 1e10

_ZERO_METHODS = ("wilcoxon", "pratt", "split", "demsar")


def wilcoxon_test(
    a: Any,
    b: Any,
    *,
    zero_method: str = "wilcoxon",
    method: str = "auto",
    alternative: str = "two-sided",
    nan_policy: str = "raise",
) -> TestResult:
    """Wilcoxon's signed-rank test of two methods on several data sets.

    Parameters
    ----------
    a, b : array-like of shape (n_datasets,)
        Scores of two methods on the same data sets, greater is better.
    zero_method : {"wilcoxon", "pratt", "split", "demsar"}, default="wilcoxon"
        What becomes of data sets on which the two are equal. "wilcoxon": dropped before
        ranking. "pratt": ranked, and their ranks dropped. "split": ranked, and their ranks
        added to both sums by halves. "demsar": as "split" after one of them is dropped if
        their number is odd.
    method : {"auto", "exact", "normal"}, default="auto"
        Null distribution. "exact": all 2^n signs of the ranks, mid-ranks where differences
        tie. "normal": z with the variance of these ranks, no continuity correction. "auto":
        exact for up to some 700 data sets, else normal.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        "greater": a is better than b.
    nan_policy : {"raise", "omit"}, default="raise"
        "omit" drops the data sets where a score is missing, and counts them in ``details``.

    Returns
    -------
    TestResult
        ``statistic`` is W+, the sum of the ranks of the data sets on which a is better.
        ``estimate`` is Hodges & Lehmann's median of all averages of two differences, in
        units of the score; its interval holds the differences that the test does not
        reject. ``details``: W- and T = min(W+, W-), z, the matched-pairs rank-biserial
        correlation (W+ - W-)/(W+ + W-), the probability of superiority (share of data sets
        on which a is better, equal ones by half), mean and median difference, numbers of
        data sets, ``log_pvalue`` (natural logarithm).

    Raises
    ------
    MissingScoreError
        A score is nan.
    ValueError
        Lengths that differ, an infinite score, a dict of cross_validate (its splits are not
        independent); ``method="exact"`` where that takes too long.

    Warns
    -----
    DegenerateDataWarning
        All differences are zero: p = 1.

    See Also
    --------
    sign_test : Counts the data sets only.
    friedman_test : For more than two methods.

    Notes
    -----
    Scores are rounded to ten significant digits of the largest before ranking, so that
    differences which tie as decimals tie: 0.71 - 0.68 and 0.66 - 0.63 do. The estimate and
    its interval are those of the rounded scores. The null hypothesis says that differences
    are symmetric about 0. The interval is that of a continuous distribution: with ties it
    is conservative.

    References
    ----------
    Wilcoxon (1945), Biometrics Bulletin 1. Pratt (1959), Journal of the American Statistical
    Association 54. Demsar (2006), JMLR 7, section 3.1.3. Hodges & Lehmann (1963), Annals of
    Mathematical Statistics 34. Kerby (2014), Comprehensive Psychology 3, for the
    rank-biserial correlation.

    Examples
    --------
    >>> from skeval.comparison import wilcoxon_test
    >>> a = [0.71, 0.84, 0.63, 0.92, 0.55, 0.78]
    >>> b = [0.68, 0.81, 0.66, 0.86, 0.49, 0.72]
    >>> result = wilcoxon_test(a, b)
    >>> result.statistic, result.pvalue, round(result.estimate, 4)
    (19.0, 0.125, 0.045)
    """
    check_option(zero_method, "zero_method", _ZERO_METHODS)
    check_option(method, "method", ("auto", "exact", "normal"))
    check_option(alternative, "alternative", ALTERNATIVES)
    pairs = check_pairs(a, b, nan_policy=nan_policy)
    units, unit = whole_units(pairs)
    signs, ranks = _doubled_ranks(units, zero_method)
    plus, minus = int(ranks[signs > 0].sum()), int(ranks[signs < 0].sum())
    halved = int(ranks[signs == 0].sum()) / 4 if zero_method in ("split", "demsar") else 0.0
    w_plus, w_minus = plus / 2 + halved, minus / 2 + halved
    sizes = ranks[signs != 0]
    if not len(sizes):
        _warn_all_equal()
    z = (plus - minus) / math.sqrt(int((sizes**2).sum())) if len(sizes) else 0.0
    if method == "auto":
        method = "exact" if lattice_work(sizes) <= AUTO_WORK else "normal"
    tail = _tail(sizes, plus - minus, method, z, alternative)
    return TestResult(
        statistic=w_plus,
        pvalue=tail.pvalue,
        estimate=hodges_lehmann(units) * unit,
        alternative=alternative,
        method=f"Wilcoxon signed-rank test ({method}, zeros: {zero_method})",
        hypothesis="the differences are symmetric about 0",
        estimand="median of the averages of two differences (first minus second) over data sets like these",
        reference="Demsar (2006), JMLR 7, section 3.1.3",
        statistic_name="W+",
        details={
            "W_plus": w_plus,
            "W_minus": w_minus,
            "T": min(w_plus, w_minus),
            "z": z,
            "rank_biserial": (w_plus - w_minus) / (w_plus + w_minus) if w_plus + w_minus else 0.0,
            "log_pvalue": tail.log,
        }
        | _effects(pairs, units),
        _interval=partial(hodges_lehmann_interval, units, unit),
    )


def _doubled_ranks(units: IntArray, zero_method: str) -> tuple[IntArray, IntArray]:
    """Return the signs of the differences that are ranked, and twice the ranks of their sizes."""
    ranked = units
    n_zero = int((units == 0).sum())
    if zero_method == "wilcoxon":
        ranked = units[units != 0]
    elif zero_method == "demsar" and n_zero % 2:
        ranked = np.delete(units, int((units == 0).argmax()))
    ranks = np.rint(2 * stats.rankdata(np.abs(ranked))).astype(np.int64)
    return np.sign(ranked), ranks


def _tail(sizes: IntArray, observed: int, method: str, z: float, alternative: str) -> Tail:
    """Return the p-value of the sum of signed ranks (doubled) by the null distribution asked for."""
    turned = {"two-sided": 1 if observed >= 0 else -1, "greater": 1, "less": -1}[alternative]
    if method == "exact":
        if lattice_work(sizes) > MAX_WORK:
            raise ValueError(
                f"method='exact' is too slow for {len(sizes)} differences: use method='normal', which is "
                "accurate for so many."
            )
        tail = lattice_tail(sizes, turned * observed)
    else:
        log = float(stats.norm.logsf(turned * z))
        tail = Tail(max(math.exp(log), math.ulp(0.0)), log)
    return tail.doubled() if alternative == "two-sided" else tail


def _effects(pairs: Pairs, units: IntArray) -> dict[str, Any]:
    """Return what both tests report beside their statistic."""
    return {
        "probability_of_superiority": float(((units > 0) + 0.5 * (units == 0)).mean()),
        "mean_difference": float(pairs.differences.mean()),
        "median_difference": float(np.median(pairs.differences)),
        "n_zero": int((units == 0).sum()),
    } | pairs.counts


def _warn_all_equal() -> None:
    warn_user(
        "all differences are zero: the two are equal everywhere, so p is set to 1.", DegenerateDataWarning
    )


def sign_test(
    a: Any,
    b: Any,
    *,
    ties: str = "drop",
    alternative: str = "two-sided",
    nan_policy: str = "raise",
) -> TestResult:
    """Sign test of two methods on several data sets: an exact binomial test of the wins.

    Parameters
    ----------
    a, b : array-like of shape (n_datasets,)
        Scores of two methods on the same data sets, greater is better.
    ties : {"drop", "split"}, default="drop"
        What becomes of data sets on which the two are equal. "drop": they do not count.
        "split": half of them count for either method; an odd one does not count.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        "greater": a is better than b.
    nan_policy : {"raise", "omit"}, default="raise"
        "omit" drops the data sets where a score is missing, and counts them in ``details``.

    Returns
    -------
    TestResult
        ``statistic`` is the number of data sets on which a is better (with its half of the
        ties). ``estimate`` is the share of wins minus the share of losses, in [-1, 1], among
        the data sets that count; its interval that of Clopper and Pearson. ``details``: wins,
        losses and ties, the probability of superiority (equal ones by half), mean and median
        difference, numbers of data sets, ``log_pvalue`` (natural logarithm).

    Raises
    ------
    MissingScoreError
        A score is nan.
    ValueError
        Lengths that differ, an infinite score, a dict of cross_validate (its splits are not
        independent).

    Warns
    -----
    DegenerateDataWarning
        No data set counts: p = 1.

    Notes
    -----
    Scores that agree in ten significant digits of the largest are equal. Splitting ties
    treats what was not observed as observed; it is offered to reproduce published figures.

    References
    ----------
    Demsar (2006), JMLR 7, section 3.1.4 (its table 3 holds one-tailed critical values).

    Examples
    --------
    >>> from skeval.comparison import sign_test
    >>> a = [0.71, 0.84, 0.63, 0.92, 0.55, 0.78, 0.81]
    >>> b = [0.68, 0.81, 0.66, 0.86, 0.49, 0.72, 0.81]
    >>> result = sign_test(a, b)
    >>> result.statistic, result.pvalue
    (5.0, 0.21875)
    """
    check_option(ties, "ties", ("drop", "split"))
    check_option(alternative, "alternative", ALTERNATIVES)
    pairs = check_pairs(a, b, nan_policy=nan_policy)
    units, _ = whole_units(pairs)
    won, lost = int((units > 0).sum()), int((units < 0).sum())
    half = (len(units) - won - lost) // 2 if ties == "split" else 0
    wins, losses = won + half, lost + half
    if not wins + losses:
        _warn_all_equal()
    reached = {"two-sided": max(wins, losses), "greater": wins, "less": losses}[alternative]
    tail = half_binomial_tail(reached, wins + losses)
    tail = tail.doubled() if alternative == "two-sided" else tail
    return TestResult(
        statistic=float(wins),
        pvalue=tail.pvalue,
        estimate=(wins - losses) / max(1, wins + losses),
        alternative=alternative,
        method=f"sign test (ties: {ties})",
        hypothesis="each of the two methods wins as often as the other",
        estimand="share of wins minus share of losses, on data sets like these that are no ties",
        reference="Demsar (2006), JMLR 7, section 3.1.4",
        statistic_name="wins",
        details={"wins": won, "losses": lost, "log_pvalue": tail.log} | _effects(pairs, units),
        _interval=partial(_net_wins_interval, wins, losses),
    )


def _net_wins_interval(wins: int, losses: int, alternative: str, level: float) -> tuple[float, float]:
    """Return the interval of wins minus losses as shares, from that of the share of wins."""
    if not wins + losses:
        return -1.0, 1.0
    test = binomial_test(wins, wins + losses, error=0.5, alternative=alternative)
    low, high = test.confidence_interval(level)
    return 2 * low - 1, 2 * high - 1

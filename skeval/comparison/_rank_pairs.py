"""Pairs of methods compared by their ranks over data sets: normal, Conover's t, and with the best."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy import optimize, special, stats

from skeval.comparison._adjust import adjust_pvalues
from skeval.comparison._friedman_exact import n_arrangements
from skeval.comparison._logical import adjust_pairs, bergmann_hommel
from skeval.comparison._studentized_range import range_isf, range_sf
from skeval.exceptions import DegenerateDataWarning
from skeval.utils._tables import SMALLEST_PRINTED
from skeval.utils._validation import FloatArray, IntArray
from skeval.utils._warnings import warn_user

# The level of the critical difference that a result carries.
ALPHA = 0.05


class RankPairs(NamedTuple):
    """Ranks of methods (rows are data sets), and the positions of the two of each pair."""

    ranks: FloatArray
    first: IntArray
    second: IntArray

    @property
    def difference(self) -> FloatArray:
        """Mean rank of the second less that of the first, from sums that are exact."""
        sums = self.ranks.sum(axis=0)
        return np.asarray((sums[self.second] - sums[self.first]) / len(self.ranks), dtype=np.float64)

    @property
    def error(self) -> float:
        """Standard error of a difference of two mean ranks, where nothing is tied."""
        return rank_error(self.ranks.shape[1], len(self.ranks))


def rank_error(n_methods: int, n_datasets: int) -> float:
    """Return sqrt(k(k + 1)/(6N))."""
    return float(np.sqrt(n_methods * (n_methods + 1) / (6 * n_datasets)))


def nemenyi_difference(n_methods: int, n_datasets: int, alpha: float) -> float:
    """Return the difference of mean ranks that is significant at `alpha`."""
    return range_isf(alpha, n_methods) / 2**0.5 * rank_error(n_methods, n_datasets)


def mean_rank_test(pairs: RankPairs, method: str) -> dict[str, Any]:
    """Return the fields of a result: normal statistics, Nemenyi's range or adjusted p-values."""
    n_methods = pairs.ranks.shape[1]
    statistic = pairs.difference / pairs.error
    size = np.abs(statistic)
    raw = 2 * special.ndtr(-size)
    details: dict[str, Any] = {"standard_error": pairs.error}
    if raw.min() < SMALLEST_PRINTED:
        details["log_raw_pvalue"] = np.log(2) + special.log_ndtr(-size)
    if method == "nemenyi":
        # Rank sums are half-integers: many pairs are equally far apart.
        distinct, where = np.unique(size, return_inverse=True)
        pvalue = range_sf(2**0.5 * distinct, n_methods)[where]
        details["critical_difference"] = nemenyi_difference(n_methods, len(pairs.ranks), ALPHA)
    elif method == "bergmann-hommel":
        pvalue, details["by_definition"] = bergmann_hommel(raw, n_methods)
    else:
        pvalue = adjust_pairs(raw, n_methods, method=method)
    if method == "bonferroni":
        details["critical_difference"] = -float(special.ndtri(ALPHA / (2 * len(raw)))) * pairs.error
    return {
        "statistic": statistic,
        "raw_pvalue": raw,
        "pvalue": pvalue,
        "method": "Nemenyi test" if method == "nemenyi" else f"comparison of mean ranks ({method})",
        "hypothesis": "the two methods have the same mean rank",
        "reference": "Demsar (2006), JMLR 7, section 3.2.2",
        "details": details,
    }


def conover_test(pairs: RankPairs) -> dict[str, Any]:
    """Return the fields of a result: Conover's t after Friedman's test, adjusted by Holm.

    t = (R_b - R_a)/sqrt(2(N A - sum R^2)/((N - 1)(k - 1))) with rank sums R and A the sum of
    all squared ranks; (N - 1)(k - 1) degrees of freedom.
    """
    n_datasets, n_methods = pairs.ranks.shape
    df = (n_datasets - 1) * (n_methods - 1)
    centered = np.rint(2 * pairs.ranks).astype(np.int64) - (n_methods + 1)  # twice the rank minus its mean
    rest = n_datasets * int((centered**2).sum()) - int((centered.sum(axis=0) ** 2).sum())
    error = (rest / (2 * df)) ** 0.5 / n_datasets
    difference = pairs.difference
    if rest:
        statistic = difference / error
        raw = 2 * stats.t.sf(np.abs(statistic), df)
    else:
        statistic = np.where(difference == 0, 0.0, np.copysign(np.inf, difference))
        chance = 1 / n_arrangements(centered[0]) ** (n_datasets - 1)
        raw = np.where(difference == 0, 1.0, chance)
        told = (
            "All methods are tied on every data set: the statistics are set to 0 and p to 1."
            if not centered.any()
            else "Every data set ranks the methods identically: Conover's t is infinite, and p is set to the "
            "probability that rankings agree so by chance."
        )
        warn_user(told, DegenerateDataWarning)
    return {
        "statistic": statistic,
        "raw_pvalue": raw,
        "pvalue": adjust_pvalues(raw, method="holm"),
        "method": "Conover's t-test of mean ranks (holm)",
        "hypothesis": "the two methods have the same mean rank",
        "reference": "Conover (1999), Practical Nonparametric Statistics, section 5.8, equation 6",
        "details": {"standard_error": error},
        "standard_error": np.full(len(difference), error),
        "df": np.full(len(difference), float(df)),
    }


def best_test(pairs: RankPairs) -> dict[str, Any]:
    """Return the fields of a result: Hsu's comparison of every method with the best of the others."""
    n_datasets, n_methods = pairs.ranks.shape
    statistic = pairs.difference / pairs.error
    critical = largest_isf(ALPHA, n_methods) / 2**0.5 * pairs.error
    means = pairs.ranks.sum(axis=0) / n_datasets
    ahead = np.array([np.delete(means, method).min() for method in range(n_methods)]) - means
    ends = np.column_stack([np.minimum(0, ahead - critical), np.maximum(0, ahead + critical)])
    return {
        "statistic": statistic,
        "raw_pvalue": special.ndtr(statistic),
        "pvalue": largest_sf(-(2**0.5) * statistic, n_methods),
        "method": "Hsu's comparison with the best",
        "hypothesis": "the first method of the pair is the best",
        "reference": "Hsu (1996), Multiple Comparisons, section 4.1",
        "details": {
            "standard_error": pairs.error,
            "critical_difference": critical,
            "intervals": ends,
        },
    }


def largest_sf(q: FloatArray, n_methods: int) -> FloatArray:
    """Return P(one of `n_methods` standard normals is more than q below the largest of the others).

    Int phi(z) {1 - Phi(z + q)^(k-1)} dz, z the one: one-sided Dunnett with equal variances.
    """
    q = np.asarray(q, dtype=np.float64)
    # For a large q the one is around -q/2, the largest around q/2.
    z = np.arange(-8.5 - max(0.0, q.max(initial=0)) / 2, 8.5, 0.1)
    weight = 0.1 * np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi)
    other = -np.expm1((n_methods - 1) * special.log_ndtr(z + q[..., None]))
    return np.minimum(other @ weight, 1)


def largest_isf(pvalue: float, n_methods: int) -> float:
    """Return the q with P(the largest of the others is more than q above one) = `pvalue`."""
    low, high = (-(2**0.5) * float(special.ndtri(pvalue / count)) for count in (1, n_methods - 1))
    if n_methods == 2:
        return low

    def excess(q: float) -> float:
        return float(largest_sf(np.array(q), n_methods)) - pvalue

    return float(optimize.brentq(excess, low, high, xtol=1e-13, rtol=1e-14))

"""Power of a test as a function of the size of the study: one function per design.

Each takes the sizes (ascending), the probability `tail` that the test spends on each side, the
number of sides, and the assumptions; it returns the power at these sizes. The assumed effect
is on the side of interest.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import special, stats

from skeval.comparison._friedman_exact import critical_squares
from skeval.comparison._hodges_lehmann import n_critical
from skeval.utils._validation import FloatArray, IntArray, check_int, check_option, check_real, check_vector

# Replicates of a simulation, and the largest number of data sets simulated.
N_REPLICATES = 10_000
SIMULATED = 64
# p-values that equal alpha but for rounding count as equal.
_EQUAL = 1 + 1e-12


def binomial(sizes: IntArray, tail: float, sides: int, *, error: float, true_error: float) -> FloatArray:
    """Exact binomial test, one-sided, of "the error rate is at most (at least) `error`"."""
    if sides == 2:
        raise ValueError("alternative must be 'one-sided' for the design 'binomial'.")
    null = check_real(error, "error", low=0, high=1)
    true = check_real(true_error, "true_error", low=0, high=1)
    if null == true:
        raise ValueError(f"true_error must differ from error, got {true_error} for both.")
    if true > null:  # many errors are few right answers
        null, true = 1 - null, 1 - true
    return np.asarray(stats.binom.cdf(_critical(sizes, tail, null), sizes, true))


def sign(sizes: IntArray, tail: float, sides: int, *, win_probability: float) -> FloatArray:
    """Exact sign test on data sets that are no ties."""
    share = check_real(win_probability, "win_probability", low=0, high=1)
    if share == 0.5:
        raise ValueError("win_probability must differ from 0.5: there is nothing to find.")
    return _rejects(sizes, _critical(sizes, tail, 0.5), max(share, 1 - share), sides)


def mcnemar(
    sizes: IntArray, tail: float, sides: int, *, only_a: float, only_b: float, test: str = "mid-p"
) -> FloatArray:
    """McNemar's test: exact over the binomial number of discordant samples."""
    check_option(test, "test", ("mid-p", "exact"))
    first, second = (
        check_real(value, name, low=0, high=1) for value, name in ((only_a, "only_a"), (only_b, "only_b"))
    )
    if first == second or first + second > 1:
        raise ValueError(
            "only_a and only_b must be the different probabilities that only A or only B is right, of a sum "
            f"of at most 1, got {only_a} and {only_b}."
        )
    discordant = first + second
    low = stats.binom.ppf(1e-16, sizes, discordant).astype(np.int64)
    width = int((stats.binom.isf(1e-16, sizes, discordant) - low).max()) + 1
    counts = low[:, None] + np.arange(width)
    given = np.arange(int(low.min()), int(counts.max()) + 1)
    rejected = _rejects(
        given, _critical(given, tail, 0.5, mid=test == "mid-p"), max(first, second) / discordant, sides
    )
    weights = stats.binom.pmf(counts, sizes[:, None], discordant)
    return np.asarray((weights * rejected[counts - given[0]]).sum(axis=1))


def _critical(sizes: IntArray, tail: float, share: float, *, mid: bool = False) -> IntArray:
    """Return the largest count whose lower tail (mid-p: less half its own probability) is at most `tail`."""
    count = stats.binom.ppf(tail, sizes, share)
    reached = stats.binom.cdf(count, sizes, share)
    if mid:
        reached = reached - stats.binom.pmf(count, sizes, share) / 2
    return np.where(reached <= tail * _EQUAL, count, count - 1).astype(np.int64)


def _rejects(sizes: IntArray, critical: IntArray, share: float, sides: int) -> FloatArray:
    """Return P(losses <= critical), and of the wins too with two sides, where wins have `share`."""
    found = stats.binom.cdf(critical, sizes, 1 - share)
    if sides == 2:
        found = found + np.where(2 * critical < sizes, stats.binom.cdf(critical, sizes, share), 0)
    return np.asarray(np.minimum(found, 1))


def paired_t(
    sizes: IntArray,
    tail: float,
    sides: int,
    *,
    effect: float,
    sd: float,
    n_train: int | None = None,
    n_test: int | None = None,
) -> FloatArray:
    """t-test of paired differences, of splits with the corrected variance: noncentral t."""
    shared = 0.0
    if n_train is not None or n_test is not None:
        shared = check_int(n_test, "n_test", minimum=1) / check_int(n_train, "n_train", minimum=1)
    size = _standardized(effect, sd)
    df = np.maximum(sizes - 1, 1)
    shift = size / np.sqrt(1 / sizes + shared)
    needed = stats.t.isf(tail, df)
    with np.errstate(divide="ignore", invalid="ignore"):  # in some of SciPy's series, on their way
        found = stats.nct.sf(needed, df, shift)
        beyond = stats.nct.cdf(-needed, df, shift) if sides == 2 else 0.0
    # nan is an underflow of the far side, or a shift too large for the series.
    found = np.where(
        np.isnan(found), special.ndtr((shift - needed) / np.sqrt(1 + needed**2 / (2 * df))), found
    )
    return np.where(sizes > 1, found + np.nan_to_num(beyond), 0.0)


def paired_t_limit(tail: float, *, effect: float, sd: float, n_train: int, n_test: int, **_: Any) -> float:
    """Return the power that no number of splits exceeds: they share their training rows."""
    shift = _standardized(effect, sd) / math.sqrt(n_test / n_train)
    return float(stats.norm.sf(stats.norm.isf(tail) - shift))


def wilcoxon(sizes: IntArray, tail: float, sides: int, *, effect: float, sd: float) -> FloatArray:
    """Wilcoxon's test of normal differences: the exact test simulated, beyond `SIMULATED` by formula."""
    size = _standardized(effect, sd)
    n = sizes.astype(np.float64)
    # P(D1 > 0), P(D1 + D2 > 0), P(D1 + D2 > 0 and D1 + D3 > 0)
    one, two = special.ndtr(size), special.ndtr(2**0.5 * size)
    three = two - 2 * special.owens_t(2**0.5 * size, 3**-0.5)
    mean = n * one + n * (n - 1) / 2 * two
    variance = (
        n * one * (1 - one)
        + n * (n - 1) / 2 * (2 * (one - two) ** 2 + 3 * two * (1 - two))
        + n * (n - 1) * (n - 2) * (three - two**2)
    )
    null_mean, null_sd = n * (n + 1) / 4, np.sqrt(n * (n + 1) * (2 * n + 1) / 24)
    needed = null_mean + stats.norm.isf(tail) * null_sd
    with np.errstate(divide="ignore"):  # no spread where every difference is above 0
        found = special.ndtr((mean - needed) / np.sqrt(np.maximum(variance, 0)))
    return _few_simulated(sizes, found, lambda: _simulated_wilcoxon(size, tail, sides))


@lru_cache(maxsize=8)
def _simulated_wilcoxon(size: float, tail: float, sides: int) -> FloatArray:
    """Return the power with 1, 2, ..., SIMULATED data sets; the same replicates serve for all."""
    generator = np.random.default_rng(0)
    plus = np.empty((N_REPLICATES, SIMULATED), dtype=np.int64)
    for block in np.array_split(plus, 50):
        differences = generator.standard_normal(block.shape) + size
        # W+ counts the pairs i <= j with a sum above 0.
        above = np.tril(differences[:, :, None] + differences[:, None, :] > 0)
        block[:] = above.sum(axis=-1).cumsum(axis=1)
    power = np.empty(SIMULATED)
    for n, w_plus in enumerate(plus.T, start=1):
        n_rejected, w_minus = n_critical(n, tail), n * (n + 1) // 2 - w_plus
        rejected = w_minus < n_rejected
        power[n - 1] = (rejected | (w_plus < n_rejected) if sides == 2 else rejected).mean()
    return power


def friedman(sizes: IntArray, tail: float, sides: int, *, effects: ArrayLike) -> FloatArray:
    """Friedman's test of normal scores: the test simulated, beyond `SIMULATED` data sets by formula."""
    shifts = check_vector(effects, "effects", minimum_size=2)
    if np.ptp(shifts) == 0:
        raise ValueError("effects must differ: there is nothing to find.")
    k = len(shifts)
    # Expected ranks, less their mean: each comparison won adds 1.
    ranks = special.ndtr((shifts[:, None] - shifts) / 2**0.5).sum(axis=1) - k / 2
    shift = 12 * sizes / (k * (k + 1)) * (ranks**2).sum()
    found = stats.ncx2.sf(stats.chi2.isf(tail, k - 1), k - 1, shift)
    return _few_simulated(sizes, found, lambda: _simulated_friedman(tuple(shifts.tolist()), tail))


@lru_cache(maxsize=8)
def _simulated_friedman(shifts: tuple[float, ...], tail: float) -> FloatArray:
    """Return the power with 1, 2, ..., SIMULATED data sets; the same replicates serve for all."""
    generator = np.random.default_rng(0)
    squares = np.empty((N_REPLICATES, SIMULATED), dtype=np.int64)  # of the sums of centered, doubled ranks
    for block in np.array_split(squares, 20):
        scores = generator.standard_normal((*block.shape, len(shifts))) + shifts
        ranks = 2 * scores.argsort(axis=-1).argsort(axis=-1) - (len(shifts) - 1)
        block[:] = (ranks.cumsum(axis=1) ** 2).sum(axis=-1)
    return np.asarray((squares >= _critical_squares(len(shifts), tail)).mean(axis=0))


def _critical_squares(n_methods: int, tail: float) -> FloatArray:
    """Return what `friedman_test` rejects with 1, 2, ..., SIMULATED data sets: this much, and more.

    One data set shows nothing; several have the exact critical values, many those of Iman and
    Davenport, (N - 1) S/(N W - S) = F for the squares S and their largest value N W.
    """
    exact = critical_squares(n_methods, tail * _EQUAL, SIMULATED)
    n = np.arange(2 + len(exact), SIMULATED + 1)
    f = stats.f.isf(tail, n_methods - 1, (n_methods - 1) * (n - 1))
    within = n * n_methods * (n_methods**2 - 1) / 3
    return np.concatenate([[np.inf], exact, f * n * within / (n - 1 + f) / _EQUAL])


def _few_simulated(sizes: IntArray, formula: FloatArray, simulated: Callable[[], FloatArray]) -> FloatArray:
    """Return the power by simulation for few data sets, by formula for more."""
    few = sizes <= SIMULATED
    if not few.any():
        return formula
    return np.where(few, simulated()[np.minimum(sizes, SIMULATED) - 1], formula)


def _standardized(effect: float, sd: float) -> float:
    """Return the size of an effect in standard deviations."""
    effect = check_real(effect, "effect", closed="neither")
    if not effect:
        raise ValueError("effect must differ from 0: there is nothing to find.")
    return abs(effect) / check_real(sd, "sd", low=0, closed="neither")

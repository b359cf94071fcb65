"""Sums whose terms have random signs: exact tails on a lattice and off it, saddlepoint, sampled.

S = sum of s_i d_i, the s_i independent and +1 or -1 with probability 1/2 each. This is the
null distribution of the paired permutation test, of Wilcoxon's statistic (d_i the ranks)
and of the sign test (d_i = 1).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import fft, optimize, special, stats

from skeval.utils._validation import FloatArray, IntArray

# Sums of real terms closer than this share of the sum of their sizes are one sum, rounded differently.
SLACK = 1e-12
# Up to here all sums of real terms are looked at, as pairs of sums of either half.
MAX_TERMS = 40
# Below 2**-1000 a probability leaves the range of floats.
_MAX_ADDED = 1000
# Up to here a probability is told from the next multiple of 2**-n in spite of rounding.
_WHOLE = 40
# Longest array of probabilities.
_MAX_LENGTH = 30_000_000
# Weight (relative to the tail) that may wrap around the ends of a transform.
_WRAPPED = 1e-20
# Frequencies below exp(-60) do not show in the tail.
_NEGLIGIBLE = -60.0


class Tail(NamedTuple):
    """A probability above 0 and its logarithm, which is right where the float underflows."""

    pvalue: float
    log: float

    @classmethod
    def from_log(cls, log: float, n_signs: int) -> Tail:
        """Return a probability over `n_signs` random signs: a whole multiple of 2**-n_signs."""
        if n_signs <= _WHOLE:  # whereby rounding can be taken out of it
            return cls.from_probability(round(math.exp(log) * 2.0**n_signs) / 2.0**n_signs)
        log = min(log, 0.0)
        return cls(max(math.exp(log), math.ulp(0.0)), log)

    @classmethod
    def from_probability(cls, probability: float) -> Tail:
        return cls(probability, math.log(probability)) if probability < 1 else cls(1.0, 0.0)

    @classmethod
    def of_one_way(cls, n_signs: int) -> Tail:
        """Return 2**-n_signs."""
        return cls(max(math.ldexp(1.0, -n_signs), math.ulp(0.0)), -n_signs * math.log(2))

    def doubled(self) -> Tail:
        """Both tails of a symmetric distribution."""
        if self.pvalue >= 0.5:
            return Tail(1.0, 0.0)
        log = self.log + math.log(2)
        return Tail(2 * self.pvalue if self.pvalue > 1e-300 else max(math.exp(log), math.ulp(0.0)), log)


# --- on a lattice: whole terms ---


def lattice_work(sizes: IntArray) -> float:
    """Return about how many additions `lattice_tail` takes."""
    if not len(sizes):
        return 0.0
    sizes = sizes // np.gcd.reduce(sizes)
    values, counts = np.unique(sizes, return_counts=True)
    return min(_adding_work(sizes), _transform_work(values, counts))


def _adding_work(sizes: IntArray) -> float:
    total = float(sizes.sum())
    return total * len(sizes) if len(sizes) <= _MAX_ADDED and total <= _MAX_LENGTH else np.inf


def _transform_work(values: IntArray, counts: IntArray) -> float:
    # A frequency costs about 40 additions for each value, until some 70 terms have made it negligible.
    n_values, reach = min(len(values), 70 * len(values) / int(counts.sum()) + 1), _reach(values, counts)
    return 40 * n_values * reach + 10_000 * len(values) if reach <= _MAX_LENGTH else np.inf


def lattice_tail(sizes: IntArray, observed: int) -> Tail:
    """Return P(S >= observed) for whole terms, exactly up to rounding.

    Parameters
    ----------
    sizes : ndarray of int of shape (n_terms,)
        Sizes of the terms, above 0.
    observed : int
        A value that S can take.
    """
    total = int(sizes.sum())
    if observed <= -total:
        return Tail(1.0, 0.0)
    unit = int(np.gcd.reduce(sizes))
    sizes, total = sizes // unit, total // unit
    needed = (observed // unit + total) // 2  # the sum of the terms with a plus must reach this
    if 2 * needed <= total:  # by symmetry, so that the tail summed is the small one
        return Tail.from_probability(1 - lattice_tail(sizes, total - 2 * needed + 2).pvalue)
    values, counts = np.unique(sizes, return_counts=True)
    if needed == total:
        return Tail.of_one_way(len(sizes))
    if _adding_work(sizes) <= _transform_work(values, counts):
        return Tail.from_probability(float(_added(np.sort(sizes))[needed:].sum()))
    return Tail.from_log(_transformed(values, counts, needed), len(sizes))


def positive_sum_pmf(sizes: IntArray) -> FloatArray:
    """Return P(sum of the terms with a plus = w) for w = 0, ..., sum of all."""
    return _added(np.sort(sizes))


def _added(sizes: IntArray) -> FloatArray:
    """Add one term after the other: all numbers are positive, so no tail is lost to rounding."""
    pmf = np.zeros(int(sizes.sum()) + 1)
    pmf[0], top = 1.0, 1
    for size in sizes.tolist():
        half = 0.5 * pmf[:top]
        pmf[:top] = half
        pmf[size : size + top] += half
        top += size
    return pmf


def _reach(values: IntArray, counts: IntArray) -> float:
    """Return a distance from the mean that W exceeds with probability _WRAPPED at most (Hoeffding)."""
    return math.sqrt(-math.log(_WRAPPED) / 2 * float((counts * values.astype(np.float64) ** 2).sum())) + 1


def _transformed(values: IntArray, counts: IntArray, needed: int) -> float:
    """Return log P(W >= needed), W the sum of the terms with a plus, by a tilted Fourier transform.

    Weighting each outcome by exp(tilt * W) moves the mean of W to `needed`: there the
    inverse transform has its digits, and the tail keeps them however small it is.
    """
    total = int((values * counts).sum())
    sizes = values.astype(np.float64)

    def lacking(tilt: float) -> float:
        return float((counts * sizes * special.expit(-tilt * sizes)).sum()) - (total - needed)

    tilt = float(optimize.brentq(lacking, 0.0, math.log(total / (total - needed)) + 1.0))
    length = fft.next_fast_len(min(total + 1, 2 * math.ceil(_reach(values, counts))), real=True)
    pmf = fft.irfft(_characteristic(values, counts, special.expit(tilt * sizes), length), length)
    beyond = np.arange(min(length // 2, total - needed) + 1)
    tail = float((pmf[(needed + beyond) % length] * np.exp(-tilt * beyond)).sum())
    log_mean = float((counts * (np.logaddexp(0, tilt * sizes) - math.log(2))).sum())
    return log_mean - tilt * needed + math.log(tail)


def _characteristic(
    values: IntArray, counts: IntArray, plus: FloatArray, length: int
) -> NDArray[np.complex128]:
    """Return E exp(-i w W) at the frequencies of a transform of `length`.

    A term of size v is added with probability `plus`, else it is 0.
    """
    frequency = np.arange(length // 2 + 1)
    log_size, angle = np.zeros(len(frequency)), np.zeros(len(frequency))
    for value, count, p in zip(values.tolist(), counts.tolist(), plus.tolist(), strict=True):
        turn = 2 * np.pi / length * (frequency * (value % length) % length)
        with np.errstate(divide="ignore"):  # half a turn of a fair term: its factor is 0
            log_size += count / 2 * np.log1p(-np.minimum(4 * p * (1 - p) * np.sin(turn / 2) ** 2, 1))
        angle += count * np.arctan2(p * np.sin(turn), 1 - p + p * np.cos(turn))
        alive = log_size > _NEGLIGIBLE
        if 2 * alive.sum() < len(alive):
            frequency, log_size, angle = frequency[alive], log_size[alive], angle[alive]
    spectrum = np.zeros(length // 2 + 1, dtype=np.complex128)
    spectrum[frequency] = np.exp(log_size - 1j * angle)
    return spectrum


# --- off the lattice: real terms ---


def real_tail(terms: FloatArray, observed: float) -> Tail:
    """Return P(S >= observed) for at most `MAX_TERMS` real terms, by all sums of either half."""
    left, right = (_all_sums(half) for half in (terms[::2], terms[1::2]))
    right.sort()
    reached = observed - SLACK * float(np.abs(terms).sum()) - left
    n_above = len(right) - np.searchsorted(right, reached)
    return Tail.from_probability(int(n_above.sum()) / 2 ** len(terms))


def _all_sums(terms: FloatArray) -> FloatArray:
    sums = np.zeros(1)
    for term in terms.tolist():
        sums = np.concatenate([sums + term, sums - term])
    return sums


def saddlepoint_tail(terms: FloatArray, observed: float) -> Tail:
    """Return P(S >= observed) by the formula of Lugannani and Rice (1980)."""
    sizes = np.abs(terms) / np.abs(terms).max()
    target, total = observed / float(np.abs(terms).max()), float(sizes.sum())
    if target < 0:
        return Tail.from_probability(1 - saddlepoint_tail(terms, -observed).pvalue)
    if target >= total * (1 - SLACK):
        return Tail.of_one_way(len(terms))

    def lacking(tilt: float) -> float:
        return float((2 * sizes * special.expit(-2 * tilt * sizes)).sum()) - (total - target)

    top = 1.0
    while lacking(top) > 0:
        top *= 2
    tilt = float(optimize.brentq(lacking, 0.0, top))
    x = tilt * sizes
    cumulant = float((x + np.log1p(np.exp(-2 * x)) - math.log(2)).sum())
    variance = float((sizes**2 * 4 * special.expit(2 * x) * special.expit(-2 * x)).sum())
    root = math.sqrt(max(0.0, 2 * (tilt * target - cumulant)))
    log = float(stats.norm.logsf(root))
    if root > 1e-4:  # below, the correction is lost in rounding, and smaller than 1e-4
        correction = 1 / (tilt * math.sqrt(variance)) - 1 / root
        log += math.log1p(math.exp(float(stats.norm.logpdf(root)) - log) * correction)
    return Tail(max(math.exp(min(log, 0.0)), math.ulp(0.0)), min(log, 0.0))


def sample_sums(terms: FloatArray, n_resamples: int, generator: np.random.Generator) -> FloatArray:
    """Draw `n_resamples` values of S.

    Eight signs are one random byte, which looks its sum up in a table of 256.
    """
    padded = np.concatenate([terms, np.zeros(-len(terms) % 8)]).reshape(-1, 8)
    signs = 1.0 - 2.0 * np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1)
    tables = padded @ signs.T
    sums = np.zeros(n_resamples)
    for table in tables:
        words = generator.integers(0, 2**64, size=-(-n_resamples // 8), dtype=np.uint64)
        sums += table.take(words.view(np.uint8)[:n_resamples])
    return sums


def sampled_tail(n_reached: int, n_resamples: int) -> Tail:
    """Return (b + 1)/(n + 1): the data themselves are one of the arrangements, so never 0."""
    return Tail.from_probability((n_reached + 1) / (n_resamples + 1))


def half_binomial_tail(n_successes: int, n_trials: int) -> Tail:
    """Return P(at least `n_successes` of `n_trials` tosses of a fair coin)."""
    return lattice_tail(np.ones(n_trials, dtype=np.int64), 2 * n_successes - n_trials)

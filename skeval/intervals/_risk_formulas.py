"""Estimates of a risk and their variances, from losses alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skeval.utils._validation import FloatArray, IntArray


class Losses(NamedTuple):
    """Losses of some samples, with their weights and the groups that they come in."""

    values: FloatArray
    weight: NDArray[Any] | None = None
    groups: IntArray | None = None


class Mean(NamedTuple):
    """A mean and the variance of it."""

    estimate: float
    variance: float


def mean_of(losses: Losses, *, small_sample: bool = True) -> Mean:
    """Return the mean loss and its variance over samples, or over groups that come whole.

    The variance is that of the linearized mean: sum over groups of (sum of w (e - mean))^2 /
    (sum w)^2, times G/(G - 1) with `small_sample`. Each sample a group of its own, without
    weights, it is s^2/n; without `small_sample` the divisor of s^2 is n.
    """
    weight = np.ones(len(losses.values)) if losses.weight is None else losses.weight
    mean = float(np.average(losses.values, weights=weight))
    parts = weight * (losses.values - mean) / weight.sum()
    if losses.groups is not None:
        parts = np.bincount(np.unique(losses.groups, return_inverse=True)[1], weights=parts)
    factor = len(parts) / (len(parts) - 1) if small_sample else 1.0
    return Mean(mean, float(factor * (parts @ parts)))


def pool(parts: Sequence[Losses]) -> Losses:
    """Return the losses of all parts together."""
    values, weights, groups = zip(*parts, strict=True)
    return Losses(
        np.concatenate(values),
        None if weights[0] is None else np.concatenate(weights),
        None if groups[0] is None else np.concatenate(groups),
    )


def all_pairs_mean(folds: Sequence[Losses]) -> Mean:
    """Return the mean over all folds, its variance with divisor n (Bayle et al. 2020, section 4)."""
    return mean_of(pool(folds), small_sample=False)


def within_fold_mean(folds: Sequence[Losses]) -> Mean:
    """Return the mean over all folds, its variance from the variances within folds.

    sigma^2/n with sigma^2 = mean over folds of n_k times the variance of the fold's mean
    (Bayle et al. 2020, section 4: the mean of the fold variances, divisor n_k - 1).
    """
    every = pool(folds)
    scaled = [len(fold.values) * mean_of(fold).variance for fold in folds]
    return Mean(mean_of(every).estimate, float(np.mean(scaled)) / len(every.values))


class NestedEstimate(NamedTuple):
    """Parts of the nested cross-validation estimate."""

    estimate: float
    standard_error: float
    inner_error: float
    outer_error: float
    bias: float
    squared_error: float  # before its root is held within the limits
    limits: tuple[float, float]


def nested_estimate(
    inner: Sequence[Losses], outer: Sequence[Losses], *, n_folds: int, n_samples: int
) -> NestedEstimate:
    """Return the estimate of nested cross-validation and its standard error.

    For outer fold f of every repeat, `inner` has the losses on the other folds of models
    trained without f and without the fold they are tested on, `outer` those on f of the
    model trained without f. With a = mean inner - mean outer loss, and b the variance of the
    mean outer loss,

        MSE = (K-1)/K mean(a^2 - b),    bias = (1 + (K-2)/K)(inner error - outer error),

    the estimate is inner error - bias (Bates, Hastie & Tibshirani 2023, algorithm 1 and
    section 4.3). The root of MSE, which may be negative, is held between the standard error
    of independent losses, s/sqrt(n), and sqrt(K) times it.
    """
    held = [mean_of(part) for part in outer]
    pivots = np.array([mean_of(part).estimate - own.estimate for part, own in zip(inner, held, strict=True)])
    squared_error = float((pivots**2 - [own.variance for own in held]).mean()) * (n_folds - 1) / n_folds
    every = pool(inner)
    if every.groups is None:
        independent = mean_of(every).variance * len(every.values) / n_samples
    else:  # a sample comes once in each part
        independent = float(np.mean([mean_of(part).variance * len(part.values) for part in inner]))
        independent /= n_samples
    lower = independent**0.5
    upper = lower * n_folds**0.5
    inner_error, outer_error = mean_of(every).estimate, mean_of(pool(outer)).estimate
    bias = (1 + (n_folds - 2) / n_folds) * (inner_error - outer_error)
    return NestedEstimate(
        estimate=inner_error - bias,
        standard_error=max(lower, min(max(0.0, squared_error) ** 0.5, upper)),
        inner_error=inner_error,
        outer_error=outer_error,
        bias=bias,
        squared_error=squared_error,
        limits=(lower, upper),
    )


def conservative_variance(half_means: FloatArray) -> float:
    """Return sum_m (mu_m1 - mu_m2)^2/(2M) from means on two halves, shape (M, 2).

    Nadeau & Bengio 2003, section 4.2: unbiased for the variance at half the sample size,
    too large at the whole.
    """
    difference = half_means[:, 0] - half_means[:, 1]
    return float((difference**2).mean() / 2)

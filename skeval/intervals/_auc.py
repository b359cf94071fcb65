"""DeLong's variance of the AUC, for one model or several, and the intervals made from it."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit, logit, ndtri

from skeval.exceptions import DegenerateDataWarning
from skeval.intervals._result import IntervalResult
from skeval.utils._labels import positive_mask
from skeval.utils._validation import (
    FloatArray,
    check_level,
    check_option,
    check_same_length,
    check_sample_weight,
    check_vector,
)
from skeval.utils._warnings import warn_user

_METHODS = {"logit": "DeLong, logit scale", "wald-clipped": "DeLong, cut at 0 and 1"}
REFERENCE = "DeLong, DeLong & Clarke-Pearson (1988), Biometrics 44, 837-845; Sun & Xu (2014)"


def auc_interval(
    y_true: Any,
    y_score: ArrayLike,
    *,
    method: str = "logit",
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
    confidence_level: float = 0.95,
) -> IntervalResult:
    """Confidence interval of the area under the ROC curve, by DeLong's variance.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Labels of two classes.
    y_score : array-like of shape (n_samples,)
        Higher means more positive: probability, decision value or any other number.
    method : {"logit", "wald-clipped"}, default="logit"
        - "logit": symmetric on the scale log(AUC/(1 - AUC)), so that it stays in [0, 1].
        - "wald-clipped": AUC +- z x standard error, cut at 0 and 1.
    pos_label : label or None, default=None
        The class that high scores belong to. None: 1 (True) for labels within {0, 1},
        {-1, 1} or {False, True}; otherwise it must be named.
    sample_weight : array-like of shape (n_samples,), default=None
        Frequencies: a whole number w stands for the sample repeated w times.
    confidence_level : float, default=0.95
        Strictly between 0 and 1.

    Returns
    -------
    IntervalResult

    Raises
    ------
    ValueError
        Fewer than two positives or two negatives (the variance is undefined), weights that
        are no frequencies, more than two classes, nan or infinite scores.

    Warns
    -----
    DegenerateDataWarning
        The AUC is 1 or 0, or all scores are equal: the variance is 0.

    Notes
    -----
    With m the smaller of the numbers of positives and negatives and q = (alpha/2)^(1/m):
    an AUC of 1 gets (q, 1) and an AUC of 0 gets (0, 1 - q), because a ranking without a
    fault has a probability of at most AUC^m. Scores that are all equal get (q/2, 1 - q/2):
    with T the probability of a tied pair, all of them tie with probability at most T^m, and
    the AUC is at most (1 - T)/2 away from 1/2.

    The interval is for this fitted model. The AUC is not turned round below 1/2.

    References
    ----------
    DeLong, DeLong & Clarke-Pearson (1988), Biometrics 44, 837-845, equations 4 to 7, in the
    form of Sun & Xu (2014), IEEE Signal Processing Letters 21, 1389-1393, algorithm 2.

    Examples
    --------
    >>> from skeval.intervals import auc_interval
    >>> y = [1, 1, 0, 1, 0, 1, 0, 0, 1, 0]
    >>> score = [0.9, 0.8, 0.7, 0.65, 0.6, 0.5, 0.4, 0.3, 0.35, 0.1]
    >>> result = auc_interval(y, score)
    >>> f"{result.estimate:.2f} [{result.low:.3f}, {result.high:.3f}]"
    '0.76 [0.350, 0.949]'
    """
    check_option(method, "method", _METHODS)
    level = check_level(confidence_level, "confidence_level")
    score = check_vector(y_score, "y_score", hint="; pass the column of the positive class")
    positive, _ = positive_mask(y_true, pos_label)
    n_samples = check_same_length(y_true=positive, y_score=score)
    weight = check_sample_weight(sample_weight, n_samples)
    aucs, covariance = delong_covariance(positive, score[None], weight=weight)
    auc, variance = float(aucs[0]), float(covariance[0, 0])
    z, tail = -float(ndtri((1 - level) / 2)), (1 - level) / 2
    error = variance**0.5
    if variance == 0:
        low, high = _bound(auc, _smaller_class(positive, weight), tail)
        told = "all scores are equal" if auc == 0.5 else f"the AUC is {auc:g}"
        warn_user(
            f"degenerate: {told}, so that DeLong's variance is 0; the interval is the bound "
            f"({low:.4g}, {high:.4g}) on the AUC of a model with such a sample.",
            DegenerateDataWarning,
        )
    elif method == "logit":
        half = z * error / (auc * (1 - auc))
        low, high = (float(expit(logit(auc) + step)) for step in (-half, half))
    else:
        low, high = max(0.0, auc - z * error), min(1.0, auc + z * error)
    return IntervalResult(
        estimate=auc,
        low=min(low, auc),
        high=max(high, auc),
        confidence_level=level,
        measure="roc_auc",
        method=_METHODS[method] if variance else "bound for a sample without variance",
        estimand="probability that this fitted model scores a new positive above a new negative, ties half",
        reference=REFERENCE,
        standard_error=error,
    )


def _bound(auc: float, smaller: int, tail: float) -> tuple[float, float]:
    """Return the interval where DeLong's variance is 0: the AUC is 0, 1/2 or 1."""
    least = tail ** (1 / smaller)
    return {1.0: (least, 1.0), 0.0: (0.0, 1 - least)}.get(auc, (least / 2, 1 - least / 2))


def _smaller_class(positive: NDArray[np.bool_], weight: NDArray[Any] | None) -> int:
    counts = np.bincount(positive, weights=weight, minlength=2)
    return int(counts.min())


def delong_covariance(
    positive: NDArray[np.bool_], scores: FloatArray, *, weight: NDArray[Any] | None = None
) -> tuple[FloatArray, FloatArray]:
    """Return the AUCs of several models on the same samples and DeLong's covariance of them.

    Parameters
    ----------
    positive : ndarray of bool of shape (n_samples,)
    scores : ndarray of float of shape (n_models, n_samples)
        Finite.
    weight : ndarray of int of shape (n_samples,), default=None
        Frequencies.

    Returns
    -------
    aucs : ndarray of shape (n_models,)
    covariance : ndarray of shape (n_models, n_models)
        Symmetric. Models with the same ranking have equal rows: the variance of their
        difference, c[i, i] + c[j, j] - 2 c[i, j], is exactly 0.

    Raises
    ------
    ValueError
        Fewer than two positives or negatives, or weights that are no frequencies.
    """
    if weight is not None and weight.dtype.kind == "f":
        raise ValueError(
            "sample_weight must hold whole numbers (frequencies) for DeLong's variance; for importance "
            "weights use metric_interval('roc_auc', ..., weight_kind='importance')."
        )
    sides = [positive, ~positive]
    counts = [side if weight is None else weight * side for side in sides]
    totals = [int(count.sum()) for count in counts]
    for total, name in zip(totals, ("positive", "negative"), strict=True):
        if total < 2:
            way = (
                "for an interval given this class use metric_interval('roc_auc', ..., stratify=True)"
                if all(totals)
                else "the AUC itself is undefined with one class only: take data that hold both"
            )
            raise ValueError(
                f"DeLong's variance is undefined with fewer than two samples of a class, got {total} {name}; "
                f"{way}."
            )
    below = np.array([_other_class_below(score, *counts) for score in scores])
    # Share of the other class that is scored below each sample, ties half.
    shares = [
        np.compress(side, below, axis=1) / other for side, other in zip(sides, totals[::-1], strict=True)
    ]
    aucs = (
        shares[0].mean(axis=1) if weight is None else (shares[0] * weight[positive]).sum(axis=1) / totals[0]
    )
    covariance = np.zeros((len(scores),) * 2)
    for side, share, centre, total in zip(sides, shares, (aucs, 1 - aucs), totals, strict=True):
        apart = share - centre[:, None]
        weighted = apart if weight is None else apart * weight[side]
        covariance += weighted @ apart.T / (total - 1) / total
    # The same ranking twice: rounding must not give their difference a variance.
    for i, j in combinations(range(len(scores)), 2):
        if aucs[i] == aucs[j] and np.array_equal(below[i], below[j]):
            covariance[j], covariance[:, j] = covariance[i], covariance[:, i]
    return aucs, covariance


def _other_class_below(score: FloatArray, positive: NDArray[Any], negative: NDArray[Any]) -> FloatArray:
    """Return how much of the other class each sample is scored above, ties half.

    `positive` and `negative` count each sample in its class; this is its mid-rank among all
    less its mid-rank in its class.
    """
    order = np.argsort(score)
    ranked = score[order]
    counts = positive[order], negative[order]
    upto: list[NDArray[Any]] = [np.cumsum(count) for count in counts]
    steps = ranked[1:] != ranked[:-1]
    if not steps.all():
        ends = np.flatnonzero(np.append(steps, True))
        for side, each in enumerate(upto):
            up = each[ends]
            upto[side] = np.repeat((up + np.append(0, up[:-1])) / 2, np.diff(ends, prepend=-1))
    below = np.empty(len(score))
    below[order] = np.where(counts[0] > 0, upto[1], upto[0])
    return below

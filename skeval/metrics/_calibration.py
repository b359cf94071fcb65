"""Do events happen as often as predicted: Murphy's parts of the Brier score, and reliability by bins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skeval.metrics._class_scores import check_probabilities
from skeval.metrics._ranked_counts import Floats
from skeval.utils._labels import positive_mask
from skeval.utils._validation import IntArray, check_int, check_option, check_same_length, check_sample_weight


@dataclass(frozen=True)
class BrierDecomposition:
    """Parts of the Brier score: brier_score = reliability - resolution + uncertainty + within_bins.

    Attributes
    ----------
    brier_score : float
        The score itself, in [0, 1].
    reliability : float
        Mean squared distance of the predicted from the observed share, over groups of
        samples; 0 is calibrated.
    resolution : float
        Variance of the observed shares of the groups; the larger, the better told apart.
    uncertainty : float
        p (1 - p) of the share p of positives, which no model changes.
    within_bins : float
        What predictions that differ within a group add; 0 where each group is one prediction.

    Examples
    --------
    >>> from skeval.metrics import brier_decomposition
    >>> parts = brier_decomposition([0, 0, 1, 0, 1, 1], [0.2, 0.2, 0.2, 0.8, 0.8, 0.8])
    >>> round(parts.reliability, 4), round(parts.resolution, 4), parts.uncertainty
    (0.0178, 0.0278, 0.25)
    """

    brier_score: float
    reliability: float
    resolution: float
    uncertainty: float
    within_bins: float


@dataclass(frozen=True)
class ReliabilityCurve:
    """Predicted and observed share of positives by bins of the predicted probability.

    Attributes
    ----------
    mean_predicted, observed : ndarray of shape (n_bins,)
        Mean prediction, and share of positives; bins without samples are left out.
    n_samples, n_positive : ndarray of shape (n_bins,)
        Samples and positives of each bin, or their weight; int64 for whole weights. What an
        interval of the observed share takes.
    lower, upper : ndarray of shape (n_bins,)
        Ends of each bin, which holds what is above the lower one (the first bin: or equal)
        and up to the upper one.

    Examples
    --------
    >>> from skeval.metrics import reliability_curve
    >>> curve = reliability_curve([0, 0, 1, 0, 1, 1], [0.1, 0.3, 0.3, 0.6, 0.8, 0.9], n_bins=2)
    >>> curve.mean_predicted.round(3), curve.observed.round(3), curve.n_samples
    (array([0.233, 0.767]), array([0.333, 0.667]), array([3, 3]))
    """

    mean_predicted: Floats
    observed: Floats
    n_samples: NDArray[Any]
    n_positive: NDArray[Any]
    lower: Floats
    upper: Floats


def brier_decomposition(
    y_true: Any,
    y_prob: ArrayLike,
    *,
    n_bins: int | None = None,
    strategy: str = "uniform",
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
) -> BrierDecomposition:
    """Split the Brier score into reliability, resolution and uncertainty.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Labels of two classes.
    y_prob : array-like of shape (n_samples,)
        Probability of the positive class.
    n_bins : int or None, default=None
        None: samples of equal prediction form a group, which is Murphy's decomposition. With
        few samples for each prediction, reliability and resolution are then both too large;
        bins help, and what they hide is told as ``within_bins``.
    strategy : {"uniform", "quantile"}, default="uniform"
        Of the bins, as in `reliability_curve`.
    pos_label : label or None, default=None
        None is 1 (True) for labels within {0, 1}, {-1, 1} or {False, True}; otherwise it must
        be named.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights, not negative.

    Returns
    -------
    BrierDecomposition
        Its parts sum to the Brier score.

    Raises
    ------
    ValueError
        Probabilities outside [0, 1], more than two classes, or no samples.

    References
    ----------
    Murphy (1973), "A new vector partition of the probability score", Journal of Applied
    Meteorology 12, 595-600, equation 8. Stephenson, Coelho & Jolliffe (2008), "Two extra
    components in the Brier score decomposition", Weather and Forecasting 23, 752-757,
    equation 10, whose two extra components are here one.

    Examples
    --------
    >>> from skeval.metrics import brier_decomposition
    >>> parts = brier_decomposition([0, 0, 1, 0, 1, 1], [0.2, 0.2, 0.2, 0.8, 0.8, 0.8])
    >>> round(parts.brier_score, 4), round(parts.reliability - parts.resolution + parts.uncertainty, 4)
    (0.24, 0.24)
    """
    positive, probability, weight = _check(y_true, y_prob, pos_label, sample_weight)
    if n_bins is None:
        _, group = np.unique(probability, return_inverse=True)
    else:
        group, _ = _bins(probability, weight, n_bins, strategy)
    share = weight / weight.sum()
    size, predicted, observed = _by_group(group, share, probability, positive)
    overall = float(share @ positive)
    apart, off = probability - predicted[group], positive - observed[group]
    return BrierDecomposition(
        brier_score=float(share @ (probability - positive) ** 2),
        reliability=float(size @ (predicted - observed) ** 2),
        resolution=float(size @ (observed - overall) ** 2),
        uncertainty=overall * (1 - overall),
        within_bins=0.0 if n_bins is None else float(share @ (apart**2 - 2 * apart * off)),
    )


def reliability_curve(
    y_true: Any,
    y_prob: ArrayLike,
    *,
    n_bins: int = 10,
    strategy: str = "uniform",
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
) -> ReliabilityCurve:
    """Compare predicted probabilities with observed shares, by bins.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Labels of two classes.
    y_prob : array-like of shape (n_samples,)
        Probability of the positive class.
    n_bins : int, default=10
        Number of bins.
    strategy : {"uniform", "quantile"}, default="uniform"
        Bins of equal width, or of about equal weight (samples of equal prediction stay
        together).
    pos_label : label or None, default=None
        None is 1 (True) for labels within {0, 1}, {-1, 1} or {False, True}; otherwise it must
        be named.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights, not negative.

    Returns
    -------
    ReliabilityCurve
        With the counts that an interval of each observed share takes: `ReliabilityDisplay`
        draws Wilson's.

    Raises
    ------
    ValueError
        Probabilities outside [0, 1], more than two classes, or no samples.

    References
    ----------
    DeGroot & Fienberg (1983), "The comparison and evaluation of forecasters", The Statistician
    32, 12-22.

    Examples
    --------
    >>> from skeval.intervals import proportion_interval
    >>> from skeval.metrics import reliability_curve
    >>> curve = reliability_curve([0, 0, 1, 0, 1, 1], [0.1, 0.3, 0.3, 0.6, 0.8, 0.9], n_bins=2)
    >>> proportion_interval(curve.n_positive, curve.n_samples).low.round(3)
    array([0.061, 0.208])
    """
    positive, probability, weight = _check(y_true, y_prob, pos_label, sample_weight)
    bins, edges = _bins(probability, weight, n_bins, strategy)
    filled, group = np.unique(bins, return_inverse=True)
    n_samples, predicted, observed = _by_group(group, weight, probability, positive)
    n_positive = np.bincount(group, weights=weight * positive)
    if weight.dtype.kind == "i":
        n_samples, n_positive = n_samples.astype(np.int64), n_positive.astype(np.int64)
    return ReliabilityCurve(predicted, observed, n_samples, n_positive, edges[filled], edges[filled + 1])


def _check(
    y_true: Any, y_prob: ArrayLike, pos_label: Any, sample_weight: ArrayLike | None
) -> tuple[Floats, Floats, NDArray[Any]]:
    """Return truth as 0 and 1, probabilities and weights of the samples that count."""
    probability = check_probabilities(y_prob, "y_prob")
    positive, _ = positive_mask(y_true, pos_label)
    n_samples = check_same_length(y_true=positive, y_prob=probability)
    if not n_samples:
        raise ValueError("y_true and y_prob hold no samples.")
    given = check_sample_weight(sample_weight, n_samples)
    weight = np.ones(n_samples, dtype=np.int64) if given is None else given
    use = weight > 0
    return positive[use].astype(np.float64), probability[use], weight[use]


def _bins(probability: Floats, weight: NDArray[Any], n_bins: int, strategy: str) -> tuple[IntArray, Floats]:
    """Return the bin of each sample, and the ends of all bins."""
    n_bins = check_int(n_bins, "n_bins", minimum=1)
    if check_option(strategy, "strategy", ("uniform", "quantile")) == "uniform":
        edges = np.linspace(0, 1, n_bins + 1)
    else:
        order = np.argsort(probability)
        upto = np.cumsum(weight[order])
        wanted = np.arange(1, n_bins) / n_bins * upto[-1]
        # The smallest prediction that has the share at or below it, in spite of rounding.
        inner = probability[order][np.searchsorted(upto, wanted * (1 - 1e-12))]
        edges = np.concatenate([[0.0], inner, [1.0]])
    return np.searchsorted(edges[1:-1], probability, side="left"), edges


def _by_group(
    group: IntArray, weight: NDArray[Any], probability: Floats, positive: Floats
) -> tuple[NDArray[Any], Floats, Floats]:
    """Return the weight of each group, its mean prediction and its share of positives."""
    size = np.bincount(group, weights=weight)
    filled = np.where(size > 0, size, 1)
    predicted, observed = (
        np.bincount(group, weights=weight * values) / filled for values in (probability, positive)
    )
    return size, predicted, observed

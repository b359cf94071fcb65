"""Decompositions of the expected loss, sample by sample, from the predictions of many training sets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skeval.utils._validation import FloatArray, IntArray

# Test samples a block: its predictions, in memory that is used again, stay in the cache.
_BLOCK = 5000


class Decomposition(NamedTuple):
    """Loss and its parts per sample; the parts named in `terms` add up to the loss."""

    values: dict[str, NDArray[Any]]
    terms: tuple[str, ...]


def squared_parts(
    predictions: FloatArray,
    targets: FloatArray,
    *,
    clean: FloatArray | None = None,
    noise: Any = None,
    unbiased: bool = False,
) -> Decomposition:
    """Decompose the squared loss.

    With t the noise-free target (`clean`, else the mean of the targets of a sample), f the
    predictions, fbar their mean, y the targets: bias^2 = (fbar - t)^2, variance =
    mean (f - fbar)^2, noise = mean (y - t)^2, cross term = 2 (fbar - t)(t - mean y).

    Parameters
    ----------
    predictions : ndarray of shape (n_rounds, n_samples)
    targets : ndarray of shape (n_samples, n_targets)
    clean : ndarray of shape (n_samples,), default=None
    noise : float or ndarray of shape (n_samples,), default=None
        Known variance of the noise, taken off bias^2.
    unbiased : bool, default=False
        Move variance/(n_rounds - 1) from bias^2 to the variance.
    """
    center = targets.mean(axis=1) if clean is None else clean
    spread = targets - center[:, None]
    mean_spread, noise_part = spread.mean(axis=1), (spread**2).mean(axis=1)
    shift, variance = _moments(predictions, center)
    bias_squared = shift**2
    values = {
        "loss": bias_squared + variance - 2 * shift * mean_spread + noise_part,
        "main_prediction": center + shift,
    }
    if noise is not None:
        noise_part = np.broadcast_to(np.asarray(noise, dtype=np.float64), shift.shape)
        bias_squared = bias_squared - noise_part
    if unbiased:
        bias_squared, variance = _correct(bias_squared, variance, len(predictions))
    values |= {"bias_squared": bias_squared, "variance": variance, "noise": noise_part}
    if clean is None:
        return Decomposition(values, ("bias_squared", "variance", "noise"))
    values["cross_term"] = -2 * shift * mean_spread
    return Decomposition(values, ("bias_squared", "variance", "noise", "cross_term"))


def _moments(predictions: FloatArray, center: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return mean less center, and variance (divisor n_rounds), over the rounds in one pass.

    Differences from the first round lose no digits: its distance from the mean is at most
    sqrt(n_rounds) standard deviations.
    """
    n_rounds, n_samples = predictions.shape
    shift, variance = predictions[0] - center, np.empty(n_samples)
    room = np.empty((n_rounds, min(_BLOCK, n_samples)))
    for start in range(0, n_samples, _BLOCK):
        part = slice(start, start + _BLOCK)
        difference = room[:, : n_samples - start]
        np.subtract(predictions[:, part], predictions[0, part], out=difference)
        mean = difference.mean(axis=0)
        shift[part] += mean
        variance[part] = np.einsum("ij,ij->j", difference, difference) / n_rounds - mean**2
    return shift, np.maximum(variance, 0.0)


def _correct(bias_squared: FloatArray, variance: FloatArray, n_rounds: int) -> tuple[FloatArray, FloatArray]:
    """Take from bias^2 what the mean of so few predictions adds to it; the sum stays."""
    if n_rounds < 2:
        raise ValueError(
            f"unbiased=True needs 2 fits that worked, {n_rounds} did: a single one shows no variance. Mend "
            "the fits, use a larger n_splits, or leave unbiased out."
        )
    excess = variance / (n_rounds - 1)
    return bias_squared - excess, variance + excess


def class_counts(codes: IntArray, n_classes: int) -> IntArray:
    """Count the codes of shape (n_rounds, n_samples) per sample: shape (n_samples, n_classes)."""
    n_samples = codes.shape[1]
    counts = np.empty((n_samples, n_classes), dtype=np.int64)
    room = np.empty((len(codes), min(_BLOCK, n_samples)), dtype=np.int64)
    for start in range(0, n_samples, _BLOCK):
        part = codes[:, start : start + _BLOCK]
        width = part.shape[1]
        cells = np.add(part, np.arange(width) * n_classes, out=room[:, :width])
        found = np.bincount(cells.ravel(), minlength=width * n_classes)
        counts[start : start + width] = found.reshape(width, n_classes)
    return counts


class Shares(NamedTuple):
    """What every definition for 0-1 loss is made of.

    Attributes
    ----------
    said, true : ndarray of shape (n_samples, n_classes)
        Shares of the predictions and of the targets that are of each class.
    main, best : ndarray of int of shape (n_samples,)
        Main prediction and optimal class.
    loss : ndarray of shape (n_samples,)
        Probability that a prediction and a target differ.
    n_rounds : int
    known : bool
        Whether `best` was given, not read off the targets.
    unbiased : bool
        Whether to correct bias^2 for `n_rounds`.
    """

    said: FloatArray
    true: FloatArray
    main: IntArray
    best: IntArray
    loss: FloatArray
    n_rounds: int
    known: bool
    unbiased: bool

    def at(self, which: str, classes: IntArray) -> FloatArray:
        """Return the share of one class per sample."""
        table: FloatArray = getattr(self, which)
        return np.take_along_axis(table, classes[:, None], axis=1)[:, 0]


def zero_one_parts(
    predictions: IntArray,
    targets: IntArray,
    n_classes: int,
    *,
    definition: str,
    clean: IntArray | None = None,
    unbiased: bool = False,
) -> Decomposition:
    """Decompose the 0-1 loss by one of `DEFINITIONS`.

    The main prediction is the class predicted most often, the optimal class the most
    frequent target (or `clean`); ties go to the smallest code.

    Parameters
    ----------
    predictions : ndarray of int of shape (n_rounds, n_samples)
        Codes below `n_classes`.
    targets : ndarray of int of shape (n_samples, n_targets)
    n_classes : int
    definition : str
    clean : ndarray of int of shape (n_samples,), default=None
    unbiased : bool, default=False
        For "kohavi-wolpert": bias^2 corrected for the number of rounds.
    """
    said = class_counts(predictions, n_classes) / len(predictions)
    true = class_counts(targets.T, n_classes) / targets.shape[1]
    shares = Shares(
        said,
        true,
        main=said.argmax(axis=1),
        best=true.argmax(axis=1) if clean is None else clean,
        loss=1 - np.einsum("ij,ij->i", said, true),
        n_rounds=len(predictions),
        known=clean is not None,
        unbiased=unbiased,
    )
    values, terms = DEFINITIONS[definition](shares)
    return Decomposition({"loss": shares.loss, "main_prediction": shares.main, **values}, terms)


def _domingos(shares: Shares) -> Decomposition:
    """Domingos 2000, theorems 1 to 3: loss = c1 noise + bias + c2 variance."""
    right = shares.at("said", shares.best)
    noise, variance = 1 - shares.at("true", shares.best), 1 - shares.at("said", shares.main)
    biased = shares.main != shares.best
    # P(prediction = target, neither optimal); of no weight where there is no noise.
    both = 1 - shares.loss - right * shares.at("true", shares.best)
    c1 = right - np.divide(both, noise, out=np.zeros_like(noise), where=noise > 0)
    share = np.divide(right, variance, out=np.zeros_like(right), where=variance > 0)
    c2 = np.where(biased, -share, 1.0)
    values = {
        "bias": biased.astype(np.float64),
        "variance": variance,
        "noise": noise,
        "c1": c1,
        "c2": c2,
        "net_variance": c2 * variance,
        "weighted_noise": c1 * noise,
        "unbiased_variance": np.where(biased, 0.0, variance),
        "biased_variance": np.where(biased, variance, 0.0),
    }
    return Decomposition(values, ("bias", "net_variance", "weighted_noise"))


def _kohavi_wolpert(shares: Shares) -> Decomposition:
    """Kohavi & Wolpert 1996: halves of sums over classes; loss = bias^2 + variance + noise."""
    said, true = shares.said, shares.true
    center = true
    if shares.known:
        center = np.zeros_like(true)
        center[np.arange(len(true)), shares.best] = 1.0
    bias_squared = ((center - said) ** 2).sum(axis=1) / 2
    variance = (1 - (said**2).sum(axis=1)) / 2
    noise = ((1 - (true**2).sum(axis=1)) + ((true - center) ** 2).sum(axis=1)) / 2
    if shares.unbiased:
        bias_squared, variance = _correct(bias_squared, variance, shares.n_rounds)
    values = {"bias_squared": bias_squared, "variance": variance, "noise": noise}
    if not shares.known:
        return Decomposition(values, ("bias_squared", "variance", "noise"))
    values["cross_term"] = ((true - center) * (center - said)).sum(axis=1)
    return Decomposition(values, ("bias_squared", "variance", "noise", "cross_term"))


def _breiman(shares: Shares) -> Decomposition:
    """Breiman 1996: all excess over the noise is bias where the main prediction is not optimal."""
    noise = 1 - shares.at("true", shares.best)
    excess, biased = shares.loss - noise, shares.main != shares.best
    values = {
        "bias": np.where(biased, excess, 0.0),
        "variance": np.where(biased, 0.0, excess),
        "noise": noise,
    }
    return Decomposition(values, ("bias", "variance", "noise"))


def _kong_dietterich(shares: Shares) -> Decomposition:
    """Kong & Dietterich 1995: the variance is what is left of the loss, and may be negative."""
    bias = (shares.main != shares.best).astype(np.float64)
    return Decomposition({"bias": bias, "variance": shares.loss - bias}, ("bias", "variance"))


def _james(shares: Shares) -> Decomposition:
    """James 2003: systematic effect and variance effect, which may be negative."""
    main, best = shares.at("true", shares.main), shares.at("true", shares.best)
    values = {"bias": best - main, "variance": shares.loss - (1 - main), "noise": 1 - best}
    return Decomposition(values, ("bias", "variance", "noise"))


DEFINITIONS: dict[str, Callable[[Shares], Decomposition]] = {
    "domingos": _domingos,
    "kohavi-wolpert": _kohavi_wolpert,
    "breiman": _breiman,
    "kong-dietterich": _kong_dietterich,
    "james": _james,
}

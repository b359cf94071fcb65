"""The inverse power law that learning curves follow: its fit, and how far it can be trusted."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import minimize_scalar

from skeval.model_selection._corrected_variance import corrected_variance, variance_factor
from skeval.utils._validation import FloatArray, check_level, check_real, check_vector

LEAST_SIZES = 4

# Exponents tried; learning curves in the literature have 0.07 to 2.
_EXPONENTS = np.geomspace(0.02, 4.0, 160)
_N_RESAMPLES = 1000


class Extrapolation(NamedTuple):
    """An extrapolated figure with its interval.

    Attributes
    ----------
    estimate : float or ndarray of shape (n_sizes,)
        From the fitted law.
    low, high : float or ndarray of shape (n_sizes,)
        Ends of its interval.

    Examples
    --------
    >>> from skeval.diagnosis import Extrapolation
    >>> estimate, low, high = Extrapolation(0.01, 0.004, 0.02)
    """

    estimate: Any
    low: Any
    high: Any


@dataclass(frozen=True, eq=False)
class PowerLaw:
    """Inverse power law of a learning curve: error(n) = a + b n^-c.

    Attributes
    ----------
    a : float
        Error that no number of samples undercuts, not negative.
    b, c : float
        Size and speed of the fall, not negative. Where b is 0 the curve does not fall.
    largest : int
        Largest training size that was fitted to.
    replicates : ndarray of shape (n_resamples, 3)
        (a, b, c) of the resampled curves, for the intervals.

    Notes
    -----
    Least squares weighted by the variances of the means, each shrunk half-way to their
    average; c is searched from 0.02 to 4. Intervals are percentiles of a parametric
    bootstrap: mean curves are drawn from a multivariate t distribution about the observed
    one, with the covariance over splits corrected for shared training rows, and fitted
    again. They hold if the curve is a power law; that it stays one cannot be seen from the
    sizes at hand.

    References
    ----------
    C. Cortes, L. Jackel, S. Solla, V. Vapnik, J. Denker (1994). Learning curves: asymptotic
    values and rate of convergence. NIPS 6; equation 2.

    Examples
    --------
    >>> import numpy as np
    >>> from skeval.diagnosis import PowerLaw
    >>> law = PowerLaw(a=0.1, b=2.0, c=0.5, largest=400, replicates=np.array([[0.1, 2.0, 0.5]]))
    >>> law.error(1600).estimate, round(law.gain(1200).estimate, 3)
    (0.15000000000000002, 0.05)
    """

    a: float
    b: float
    c: float
    largest: int
    replicates: FloatArray = field(repr=False)

    def error(self, n: ArrayLike, confidence_level: float = 0.95) -> Extrapolation:
        """Return the error when trained on n samples.

        Parameters
        ----------
        n : float or array-like of shape (n_sizes,)
            Number of training samples, at least 1.
        confidence_level : float, default=0.95
            Strictly between 0 and 1.

        Returns
        -------
        Extrapolation
            Of arrays, where n is one.

        Raises
        ------
        ValueError
            A number below 1, nan or infinite, or a level outside (0, 1).
        """
        size: Any = check_real(n, "n", low=1) if np.ndim(n) == 0 else check_vector(n, "n")
        if np.min(size) < 1:
            raise ValueError(f"n must hold numbers of samples, at least 1, got {np.min(size):g}.")
        return self._with_interval(lambda a, b, c: a + b * size**-c, confidence_level)

    def gain(self, n_more: float, confidence_level: float = 0.95) -> Extrapolation:
        """Return by how much the error falls with more samples than the largest size.

        Parameters
        ----------
        n_more : float
            Number of further training samples, not negative.
        confidence_level : float, default=0.95
            Strictly between 0 and 1.

        Returns
        -------
        Extrapolation
            Not negative: the law cannot rise.

        Raises
        ------
        ValueError
            `n_more` is negative, or a level outside (0, 1).
        """
        more = check_real(n_more, "n_more", low=0)
        return self._with_interval(
            lambda a, b, c: b * (self.largest**-c - (self.largest + more) ** -c), confidence_level
        )

    def _with_interval(self, figure: Any, confidence_level: float) -> Extrapolation:
        level = check_level(confidence_level, "confidence_level")
        estimate = np.asarray(figure(self.a, self.b, self.c))
        columns = self.replicates.T.reshape(3, -1, *(1,) * estimate.ndim)
        low, high = np.quantile(figure(*columns), [(1 - level) / 2, (1 + level) / 2], axis=0)
        ends = estimate, np.minimum(low, estimate), np.maximum(high, estimate)
        return Extrapolation(*(end.item() if end.ndim == 0 else end for end in ends))

    def __str__(self) -> str:
        return f"error(n) = {self.a:.4g} + {self.b:.4g} n^-{self.c:.3g}"


def fit_power_law(
    sizes: FloatArray, errors: FloatArray, variance_ratio: float, rng: np.random.Generator
) -> PowerLaw:
    """Fit the law to errors of shape (n_sizes, n_splits)."""
    n_splits = errors.shape[1]
    mean = errors.mean(axis=1)
    variance = corrected_variance(errors, variance_ratio)
    shrunk = variance + variance.mean()
    weight = 1 / shrunk if shrunk.all() else np.ones(len(sizes))
    relative = sizes / sizes[-1]

    # Normal draws in the space of the splits have the covariance of the splits.
    centered = (errors - mean[:, None]) / np.sqrt(n_splits - 1)
    draws = rng.standard_normal((_N_RESAMPLES, n_splits)) @ centered.T
    spread = np.sqrt((n_splits - 1) / rng.chisquare(n_splits - 1, size=(_N_RESAMPLES, 1)))
    curves = mean + np.sqrt(variance_factor(n_splits, variance_ratio)) * spread * draws

    a, b, c = _fit_curves(relative, curves, weight, _EXPONENTS)
    replicates = np.column_stack([a, b * sizes[-1] ** c, c])  # from shares of the largest size to numbers
    a, b, c = _fit_curves(relative, mean[None], weight, _finer(relative, mean, weight))
    return PowerLaw(float(a[0]), float(b[0] * sizes[-1] ** c[0]), float(c[0]), int(sizes[-1]), replicates)


def _finer(relative: FloatArray, mean: FloatArray, weight: FloatArray) -> FloatArray:
    """Return the best exponent of the grid, and the best between its neighbors."""
    start = float(_fit_curves(relative, mean[None], weight, _EXPONENTS)[2][0])
    step = _EXPONENTS[1] / _EXPONENTS[0]

    def loss(logarithm: float) -> float:
        return float(_least_squares(relative, mean[None], weight, np.exp([logarithm]))[2][0, 0])

    bounds = np.log([max(start / step, _EXPONENTS[0]), min(start * step, _EXPONENTS[-1])])
    found = minimize_scalar(loss, bounds=bounds, method="bounded", options={"xatol": 1e-10})
    return np.array([start, np.exp(found.x)])


def _fit_curves(
    relative: FloatArray, curves: FloatArray, weight: FloatArray, exponents: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return a, b and c of each curve of shape (n_curves, n_sizes), c the best of those given."""
    a, b, loss = _least_squares(relative, curves, weight, exponents)
    best, rows = loss.argmin(axis=1), np.arange(len(curves))
    return a[rows, best], b[rows, best], exponents[best]


def _least_squares(
    relative: FloatArray, curves: FloatArray, weight: FloatArray, exponents: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return a, b (neither negative) and the weighted loss, each of shape (n_curves, n_exponents)."""
    share = weight / weight.sum()
    fall = relative ** -exponents[:, None]
    mean_fall, mean_curve = fall @ share, (curves @ share)[:, None]
    centered = (fall - mean_fall[:, None]) * share
    slope = (curves - mean_curve) @ centered.T / (centered * fall).sum(axis=1)
    b = np.maximum(slope, 0.0)
    a = mean_curve - b * mean_fall
    # Where a would be negative: the law without it.
    through = np.maximum(curves @ (fall * share).T / (fall**2 @ share), 0.0)
    b, a = np.where(a < 0, through, b), np.maximum(a, 0.0)
    residuals = curves[:, None, :] - a[..., None] - b[..., None] * fall
    return a, b, residuals**2 @ share

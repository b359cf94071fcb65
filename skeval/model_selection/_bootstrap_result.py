"""What a bootstrap estimate of the error returns."""

from __future__ import annotations

import html
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy.special import ndtri

from skeval.exceptions import ResamplingWarning
from skeval.model_selection._bootstrap_formulas import (
    REFERENCE,
    combine_bootstrap_error,
    delta_method,
    out_of_bag_errors,
    out_of_bag_weight,
    overfitting_rate,
)
from skeval.utils._optional import import_optional
from skeval.utils._results import ConfidenceInterval
from skeval.utils._tables import html_table
from skeval.utils._validation import FloatArray, IntArray, check_level
from skeval.utils._warnings import warn_user

_NOISE_TOLERATED = 0.2
# With two replicates the products of which the noise is the variance are equal: it would be 0.
LEAST_REPLICATES = 3


@dataclass(frozen=True, eq=False)
class BootstrapErrorResult:
    """Bootstrap estimate of the error of a model, with its parts.

    Attributes
    ----------
    estimate : float
        The error by `method`.
    resubstitution : float
        Error on all samples of the model trained on all samples.
    leave_one_out : float
        Error on samples left out by the replicates, averaged as `average` says.
    no_information : float or None
        Error if target and prediction were unrelated; None for a loss without closed form.
    overfitting_rate : float or None
        Relative overfitting rate R, from 0 to 1.
    weight : float
        Weight of `leave_one_out` in the estimate; the rest is on `resubstitution`. (Of
        ".632+" where `leave_one_out` is above `no_information`: as if it were equal.)
    standard_error : float or None
        Standard error of the estimate, Monte Carlo noise subtracted. None where there is
        none; `confidence_interval` says why.
    standard_error_uncorrected : float or None
        The same with the noise.
    monte_carlo_error : float or None
        Square root of the noise that was subtracted: it falls with the number of
        replicates, the standard error does not.
    n_valid, n_failed : int
        Replicates that were fitted, and that raised.
    method : {".632+", ".632", "oob"}
    loss : str
        Name of the loss.
    average : {"observation", "replicate", "pooled"}
        Over what `leave_one_out` is averaged: per sample first, the means of the
        replicates, or all losses pooled.
    n_samples : int
        Number of samples.
    per_observation : ndarray of shape (n_samples,) or None
        Error of each sample over the replicates that left it out; nan where none did.
    estimand : str
        What is estimated.
    reference : str
        Where the equations are to be found.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from skeval.model_selection import bootstrap_error
    >>> X, y = load_iris(return_X_y=True)
    >>> result = bootstrap_error(KNeighborsClassifier(1), X, y, n_splits=1000, random_state=0)
    >>> print(f"{result.resubstitution:.3f} {result.leave_one_out:.3f} {result.estimate:.3f}")
    0.000 0.044 0.029
    """

    estimate: float
    resubstitution: float
    leave_one_out: float
    no_information: float | None
    overfitting_rate: float | None
    weight: float
    standard_error: float | None
    standard_error_uncorrected: float | None
    monte_carlo_error: float | None
    n_valid: int
    n_failed: int
    method: str
    loss: str
    average: str
    n_samples: int
    per_observation: FloatArray | None = field(default=None, repr=False)
    estimand: str = ""
    reference: str = REFERENCE
    _bounds: tuple[float, float] = field(default=(-np.inf, np.inf), repr=False)
    _no_interval: str = field(default="", repr=False)

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Return estimate +- z x standard_error, within the range of the loss.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Strictly between 0 and 1.

        Returns
        -------
        ConfidenceInterval
            With fields ``low`` and ``high``.

        Raises
        ------
        ValueError
            There is no standard error, or it cannot be told from 0.
        """
        level = check_level(confidence_level, "confidence_level")
        if self.standard_error is None:
            raise ValueError(f"There is no confidence interval: {self._no_interval}")
        if self.standard_error == 0:
            raise ValueError(
                "There is no confidence interval: "
                + (
                    "no loss varies, so that the standard error is 0; test on independent data."
                    if not self.standard_error_uncorrected
                    else "the standard error is lost in the Monte Carlo noise; use more replicates."
                )
            )
        half = float(ndtri((1 + level) / 2)) * self.standard_error
        low, high = self._bounds
        return ConfidenceInterval(max(low, self.estimate - half), min(high, self.estimate + half))

    def frame(self) -> Any:
        """Return the numbers as a pandas DataFrame of one row."""
        pandas = import_optional("pandas", extra="report", purpose="frame()")
        return pandas.DataFrame(self._columns())

    def _columns(self) -> dict[str, Any]:
        names = (
            "method",
            "loss",
            "average",
            "estimate",
            "standard_error",
            "resubstitution",
            "leave_one_out",
            "no_information",
            "overfitting_rate",
            "weight",
            "monte_carlo_error",
            "n_valid",
            "n_failed",
        )
        return {name: [getattr(self, name)] for name in names}

    def __str__(self) -> str:
        parts = {
            "standard error": self.standard_error or None,  # 0 is not told: it is lost in the noise
            "resubstitution": self.resubstitution,
            "leave-one-out": self.leave_one_out,
            "no-information": self.no_information,
            "overfitting rate": self.overfitting_rate,
        }
        told = ", ".join(f"{name} {value:.4g}" for name, value in parts.items() if value is not None)
        return (
            f"{self.method} bootstrap: {self.loss} {self.estimate:.4g} "
            f"({told}; {self.n_valid} of {self.n_valid + self.n_failed} replicates)."
        )

    def _repr_html_(self) -> str:
        return f"<p>{html.escape(str(self))}</p>{html_table(self._columns())}"


def assemble(
    *,
    method: str,
    average: str,
    loss: str,
    bounds: tuple[float, float],
    resubstitution: float,
    leave_one_out: float,
    no_information: float | None,
    n_samples: int,
    n_valid: int,
    n_failed: int = 0,
    per_observation: FloatArray | None = None,
    variance: tuple[float, float] | None = None,
    no_interval: str = "",
) -> BootstrapErrorResult:
    """Put a result together.

    `variance` is what `delta_method` returned, else `no_interval` says why there is none.
    """
    estimate = combine_bootstrap_error(resubstitution, leave_one_out, no_information, method=method)
    rate = None
    if no_information is not None:
        rate = float(overfitting_rate(resubstitution, leave_one_out, no_information))
    corrected = uncorrected = noise = None
    if variance is not None:
        warn_of_noise(*variance, n_valid)
        # .632 and .632+ take the standard error of Err1 in proportion to the estimate.
        scale = estimate / leave_one_out if leave_one_out else 1.0
        uncorrected, noise = (scale * float(np.sqrt(part)) for part in variance)
        corrected = scale * float(np.sqrt(max(0.0, variance[0] - variance[1])))
    trained_on = f"{n_samples} samples"
    if method == "oob":
        trained_on = f"a bootstrap sample of {n_samples} (about {0.632 * n_samples:.0f} distinct)"
    return BootstrapErrorResult(
        estimate=estimate,
        resubstitution=resubstitution,
        leave_one_out=leave_one_out,
        no_information=no_information,
        overfitting_rate=rate,
        weight=out_of_bag_weight(method, rate),
        standard_error=corrected,
        standard_error_uncorrected=uncorrected,
        monte_carlo_error=noise,
        n_valid=n_valid,
        n_failed=n_failed,
        method=method,
        loss=loss,
        average=average,
        n_samples=n_samples,
        per_observation=per_observation,
        estimand=f"mean {loss}, on new samples, of the method trained on {trained_on}",
        _bounds=bounds,
        _no_interval=no_interval,
    )


def average_observations(
    trains: list[IntArray],
    tests: list[IntArray],
    losses: list[FloatArray],
    *,
    n_samples: int,
    weight: Any = None,
    groups: IntArray | None = None,
    strata: IntArray | None = None,
) -> dict[str, Any]:
    """Return Err1 per observation and its variance (or why it has none), named as `assemble` takes them."""
    each = out_of_bag_errors(tests, losses, n_samples)
    missing = np.isnan(each)
    if missing.all():
        raise ValueError("No sample was ever out of bag: there is nothing to test on. Use more replicates.")
    if missing.any():
        warn_user(
            f"{int(missing.sum())} of {n_samples} samples were out of bag in none of {len(trains)} bootstrap "
            "replicates and are left out of the mean; use a larger n_splits.",
            ResamplingWarning,
        )
    if weight is not None and not weight[~missing].any():
        raise ValueError(
            "sample_weight must be above 0 for a sample that was out of bag, got 0 for all "
            f"{(~missing).sum()} of them: use a larger n_splits."
        )
    mean = np.average(each[~missing], weights=None if weight is None else weight[~missing])
    averaged: dict[str, Any] = {"leave_one_out": float(mean), "per_observation": each}
    if weight is not None:
        return averaged | {"no_interval": "with sample_weight the standard error is not known."}
    if len(trains) < LEAST_REPLICATES:
        why = (
            f"a standard error needs at least {LEAST_REPLICATES} bootstrap replicates that worked, "
            f"{len(trains)} did; use a larger n_splits."
        )
        return averaged | {"no_interval": why}
    return averaged | {"variance": delta_method(trains, tests, losses, each, groups=groups, strata=strata)}


def warn_of_noise(variance: float, noise: float, n_splits: int) -> None:
    if noise <= _NOISE_TOLERATED * variance:
        return
    # The noise falls as 1/n_splits; what remains is at least guessed to be a tenth.
    remains = max(variance - noise, variance / 10)
    needed = n_splits * noise / remains * (1 - _NOISE_TOLERATED) / _NOISE_TOLERATED
    digits = 10 ** int(np.log10(needed))
    warn_user(
        f"At n_splits={n_splits}, {noise / variance:.0%} of the squared standard error is Monte Carlo noise; "
        f"it is subtracted, but what remains is uncertain. For a standard error use n_splits="
        f"{int(np.ceil(needed / digits) * digits)} or so.",
        ResamplingWarning,
    )

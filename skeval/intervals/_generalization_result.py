"""What an interval for the generalization error returns, and how it says what it estimates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy import stats
from scipy.special import ndtri

from skeval.exceptions import DegenerateDataWarning
from skeval.intervals._proportion import proportion_interval
from skeval.intervals._result import IntervalResult
from skeval.intervals._risk_formulas import Mean
from skeval.utils._validation import FloatArray
from skeval.utils._warnings import warn_user

# A standard error this small beside the losses themselves is rounding.
NO_SPREAD = 1e-12


def largest(arrays: Sequence[FloatArray]) -> float:
    """Return the largest size of a number."""
    return max((float(np.abs(values).max(initial=0)) for values in arrays), default=0.0)


@dataclass(frozen=True, eq=False)
class GeneralizationInterval(IntervalResult):
    """Interval for a risk (a mean loss or score on new samples), with its estimand.

    Attributes
    ----------
    estimate, low, high, confidence_level, measure, method, estimand, reference, \
standard_error, n_resamples, n_failed, replicates
        As in `IntervalResult`; of two models: first minus second.
    target : {"model", "models", "method"}
        Whose risk: of the one model that was trained ("model"), the mean of the models of
        the folds ("models"), or the mean over training sets of the method ("method").
    n_train : float
        Number of distinct training samples that the risk belongs to.
    randomness : str
        Over what the interval varies.
    details : dict
        Numbers that went into it, by name; ``n_fits`` is the bill.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from skeval.intervals import generalization_interval
    >>> X, y = load_iris(return_X_y=True)
    >>> result = generalization_interval(GaussianNB(), X, y, method="corrected-t", random_state=0)
    >>> result.target, result.n_train
    ('method', 135.0)
    """

    target: str = ""
    n_train: float = np.nan
    randomness: str = ""
    details: dict[str, Any] = field(default_factory=dict)

    def frame(self) -> Any:
        """Return the result as a pandas DataFrame of one row, with whose risk it is."""
        return super().frame().assign(target=self.target, n_train=self.n_train)


@dataclass(frozen=True)
class Quantity:
    """A loss or score whose mean is estimated, of one model or of two.

    Attributes
    ----------
    name : str
    bounds : tuple of float
        Range for one model.
    difference : bool
        Of two models, first minus second.
    share : bool
        A 0-1 loss.
    level : float
        Confidence level.
    """

    name: str
    bounds: tuple[float, float]
    difference: bool
    level: float
    share: bool = False

    @property
    def range(self) -> tuple[float, float]:
        """Range of the estimate."""
        low, high = self.bounds
        return (low - high, high - low) if self.difference else (low, high)

    @property
    def tail(self) -> float:
        """Probability left out on either side."""
        return (1 - self.level) / 2

    def build(
        self,
        estimate: float,
        low: float,
        high: float,
        *,
        seen: Sequence[FloatArray],
        target: str,
        n_train: float,
        **words: Any,
    ) -> GeneralizationInterval:
        """Put a result together: the ends enclose the estimate, and all lie in the range.

        Parameters
        ----------
        seen : sequence of ndarray
            Losses or scores of each model, or means of them: one outside `bounds` is refused.
        """
        self._refuse_outside(seen)
        least, most = self.range
        centre = min(max(estimate, least), most)
        estimand, randomness = self._estimand(target, n_train, words.get("details", {}))
        return GeneralizationInterval(
            estimate=centre,
            low=max(least, min(low, centre)),
            high=min(most, max(high, centre)),
            confidence_level=self.level,
            measure=f"difference of {self.name}" if self.difference else self.name,
            estimand=f"{estimand} ({randomness})",
            target=target,
            n_train=n_train,
            randomness=randomness,
            **words,
        )

    def symmetric(
        self,
        mean: Mean,
        *,
        seen: Sequence[FloatArray],
        n_tested: int,
        df: float | None = None,
        method: str,
        **words: Any,
    ) -> GeneralizationInterval:
        """Return estimate +- quantile x standard error; what to do where nothing varies.

        Parameters
        ----------
        seen : sequence of ndarray
            As in `build`; their size tells rounding from spread.
        n_tested : int
            Number of independent samples (or groups) tested.
        df : float, default=None
            Degrees of freedom of a t quantile; None: normal.
        """
        error = mean.variance**0.5
        if error <= NO_SPREAD * largest(seen):
            return self._without_spread(mean.estimate, n_tested, method=method, seen=seen, **words)
        quantile = -float(ndtri(self.tail)) if df is None else float(stats.t.isf(self.tail, df))
        half = quantile * error
        return self.build(
            mean.estimate,
            mean.estimate - half,
            mean.estimate + half,
            standard_error=error,
            method=method,
            seen=seen,
            **words,
        )

    def _without_spread(
        self, estimate: float, n_tested: int, *, method: str, **words: Any
    ) -> GeneralizationInterval:
        low = high = estimate
        if self.share and not self.difference and estimate in (0.0, 1.0):
            low, high = proportion_interval(
                round(estimate * n_tested), n_tested, method="clopper-pearson", confidence_level=self.level
            )
            method = f"{method}; without spread, Clopper-Pearson over {n_tested} tested"
            told = (
                f"the interval is the Clopper-Pearson bound over {n_tested} tested: ({low:.4g}, {high:.4g})"
            )
        elif self.difference and estimate == 0:
            told = "the two models do not differ on any split; the interval has no width"
        else:
            told = "the interval has no width, which is not certainty; use more and larger splits"
        warn_user(
            f"degenerate: nothing varies, every {self.name} is {estimate:.4g}; {told}.", DegenerateDataWarning
        )
        return self.build(estimate, low, high, standard_error=0.0, method=method, **words)

    def _refuse_outside(self, seen: Sequence[FloatArray]) -> None:
        """Refuse a range that the data contradict: the ends are cut at it."""
        low, high = self.bounds
        for values in seen:
            room = NO_SPREAD * largest([values])
            outside = values[(values < low - room) | (values > high + room)]
            if outside.size:
                raise ValueError(
                    f"bounds say that every {self.name} lies in [{low:g}, {high:g}], but one is "
                    f"{outside[0]:.6g}: give bounds=(low, high) that hold them all."
                )

    def _estimand(self, target: str, n_train: float, details: dict[str, Any]) -> tuple[str, str]:
        size = f"{n_train:.0f} samples"
        what = {
            "model": f"{self.name} on new samples of {{}} trained on {size}",
            "models": f"mean {self.name} on new samples of the models of the {details.get('n_folds', '')} "
            f"folds of {{}}, trained on {size} each",
            "method": f"mean {self.name} on new samples of {{}} trained on {size}",
        }[target]
        randomness = {
            "model": "test samples vary, the training set is given",
            "models": "training and test samples vary, and with them the models",
            "method": "training set and test samples vary",
        }[target]
        whose = {"model": "this model", "models": "this method", "method": "this method"}[target]
        if self.difference:
            return f"{what.format('the first')}, less that of the second", randomness
        return what.format(whose), randomness

"""What every interval function returns."""

from __future__ import annotations

import html
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skeval.utils._optional import import_optional
from skeval.utils._results import ConfidenceInterval
from skeval.utils._tables import html_table


@dataclass(frozen=True, eq=False)
class IntervalResult:
    """A figure with its confidence interval; unpacks as ``(low, high)``.

    Attributes
    ----------
    estimate : float or ndarray
        The figure on the data.
    low, high : float or ndarray
        Ends of the interval: ``low <= estimate <= high``.
    confidence_level : float
        Level asked for; how near the coverage comes to it depends on `method`.
    measure : str
        Name of the figure.
    method : str
        Name of the interval.
    estimand : str
        What is estimated, over which randomness.
    reference : str
        Where the equation used is to be found.
    standard_error : float, ndarray or None
        Standard error of `estimate`.
    n_resamples : int or None
        Number of bootstrap replicates.
    n_failed : int
        Replicates in which the measure is undefined; they are left out.
    replicates : ndarray of shape (n_resamples - n_failed,) or None
        The measure in each replicate in which it is defined.

    Examples
    --------
    >>> from skeval.intervals import proportion_interval
    >>> result = proportion_interval(87, 100)
    >>> low, high = result
    >>> f"{result.estimate} [{low:.3f}, {high:.3f}]"
    '0.87 [0.790, 0.922]'
    """

    estimate: Any
    low: Any
    high: Any
    confidence_level: float
    measure: str
    method: str
    estimand: str
    reference: str = ""
    standard_error: Any = None
    n_resamples: int | None = None
    n_failed: int = 0
    replicates: NDArray[np.float64] | None = field(default=None, repr=False)

    def __iter__(self) -> Iterator[Any]:
        return iter((self.low, self.high))

    def confidence_interval(self) -> ConfidenceInterval:
        """Return the interval as a named tuple ``(low, high)``, at `confidence_level`."""
        return ConfidenceInterval(self.low, self.high)

    def frame(self) -> Any:
        """Return the result as a pandas DataFrame, one row per interval."""
        pandas = import_optional("pandas", extra="report", purpose="frame()")
        return pandas.DataFrame(self._columns())

    def _columns(self) -> dict[str, Any]:
        columns = {
            "measure": self.measure,
            "estimate": self.estimate,
            "low": self.low,
            "high": self.high,
            "standard_error": self.standard_error,
            "confidence_level": self.confidence_level,
            "method": self.method,
            "n_resamples": self.n_resamples,
            "n_failed": self.n_failed,
        }
        size = np.size(self.estimate)
        return {
            name: np.ravel(value) if np.ndim(value) else [value] * size for name, value in columns.items()
        }

    def __str__(self) -> str:
        method = self.method
        if self.n_resamples is not None:
            method += f", {self.n_resamples} replicates"
            method += f", {self.n_failed} of them undefined" if self.n_failed else ""
        if np.ndim(self.estimate):
            return (
                f"{np.size(self.estimate)} intervals of the {self.measure}, "
                f"{self.confidence_level:.4g} {method}: {self.estimand}."
            )
        return (
            f"{self.measure} {self.estimate:.4g}, {self.confidence_level:.4g} interval "
            f"[{self.low:.4g}, {self.high:.4g}] ({method}): {self.estimand}."
        )

    def _repr_html_(self) -> str:
        return f"<p>{html.escape(str(self))}</p>{html_table(self._columns())}"

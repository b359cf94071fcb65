"""Training and test errors along a curve, per split, with standard errors of what is made from them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from scipy import stats

from skeval.model_selection._corrected_variance import corrected_variance
from skeval.model_selection._paired_scores import ROUNDING
from skeval.utils._optional import import_optional
from skeval.utils._results import ConfidenceInterval
from skeval.utils._validation import FloatArray, check_level


class Contrast(NamedTuple):
    """A figure of a diagnosis with its standard error.

    Attributes
    ----------
    estimate : float
        Mean over splits.
    standard_error : float
        Its standard error.
    df : float
        Degrees of freedom of Student's t.
    rounding : float
        What is not larger than this is rounding, and counts as 0.

    Examples
    --------
    >>> from skeval.diagnosis import Contrast
    >>> gap = Contrast(estimate=0.1, standard_error=0.02, df=9)
    >>> gap.side(), gap.confidence_interval().low > 0
    (1, True)
    """

    estimate: float
    standard_error: float
    df: float
    rounding: float = 0.0

    def side(self, alpha: float = 0.05) -> int:
        """Return 1 if the figure is above 0, -1 if below, 0 if that cannot be told.

        Parameters
        ----------
        alpha : float, default=0.05
            Level of each of the two one-sided t-tests.

        Returns
        -------
        int

        Raises
        ------
        ValueError
            A level outside (0, 1).
        """
        level = check_level(alpha, "alpha")
        reach = max(float(stats.t.isf(level, self.df)) * self.standard_error, self.rounding)
        return int(self.estimate > reach) - int(self.estimate < -reach)

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Return the two-sided t interval.

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
            A level outside (0, 1).
        """
        level = check_level(confidence_level, "confidence_level")
        half = float(stats.t.isf((1 - level) / 2, self.df)) * self.standard_error
        return ConfidenceInterval(self.estimate - half, self.estimate + half)

    def __str__(self) -> str:
        return f"{self.estimate:.4g} (SE {self.standard_error:.2g})"


@dataclass(frozen=True, eq=False)
class ErrorCurve:
    """Training and test errors at each point of a curve, per split.

    Attributes
    ----------
    x : tuple
        Training sizes, values of a hyper-parameter, or epochs.
    x_name : str
        What they are.
    train_errors, cv_errors : ndarray of shape (n_points, n_splits)
        Errors on the rows trained on, and on the test rows (a column is a split, or a run).
    error_name : str
        What the errors are.
    variance_ratio : float
        Test rows per training row of a split, for the corrected variance; 0 for independent
        runs.

    Notes
    -----
    The variance of a mean over J splits is (1/J + n_test/n_train) s^2 [1]_: splits share
    training rows.

    References
    ----------
    .. [1] C. Nadeau, Y. Bengio (2003). Inference for the generalization error. Machine
       Learning 52, 239-281; equation 9.

    Examples
    --------
    >>> from skeval.diagnosis import diagnose_learning_curve
    >>> sizes, train, test = [10, 20], [[1, 1, 0.9], [0.9, 1, 0.9]], [[0.7, 0.8, 0.7], [0.8, 0.8, 0.9]]
    >>> curve = diagnose_learning_curve((sizes, train, test), n_test=10, baseline=0.5).curve
    >>> curve.cv_error.round(3)
    array([0.267, 0.167])
    """

    x: tuple[Any, ...]
    x_name: str
    train_errors: FloatArray = field(repr=False)
    cv_errors: FloatArray = field(repr=False)
    error_name: str
    variance_ratio: float

    @property
    def n_splits(self) -> int:
        """Number of splits, or runs."""
        return self.train_errors.shape[1]

    @property
    def train_error(self) -> FloatArray:
        """Mean training error at each point."""
        return self.train_errors.mean(axis=1)

    @property
    def cv_error(self) -> FloatArray:
        """Mean test error at each point."""
        return self.cv_errors.mean(axis=1)

    @property
    def train_standard_error(self) -> FloatArray | None:
        """Standard error of the mean training error; None of a single run."""
        return self._standard_error(self.train_errors)

    @property
    def cv_standard_error(self) -> FloatArray | None:
        """Standard error of the mean test error; None of a single run."""
        return self._standard_error(self.cv_errors)

    def _standard_error(self, errors: FloatArray) -> FloatArray | None:
        if self.n_splits < 2:
            return None
        return np.sqrt(corrected_variance(errors, self.variance_ratio))

    def contrast(self, values: FloatArray) -> Contrast:
        """Return the mean of values per split, with its standard error.

        Parameters
        ----------
        values : ndarray of shape (n_splits,)
            Made from the errors of each split.

        Returns
        -------
        Contrast
        """
        variance = float(corrected_variance(values, self.variance_ratio))
        scale = max(np.abs(self.train_errors).max(), np.abs(self.cv_errors).max())
        return Contrast(
            float(values.mean()), float(np.sqrt(variance)), len(values) - 1, ROUNDING * float(scale)
        )

    def frame(self) -> Any:
        """Return the means as a pandas DataFrame, one row per point."""
        pandas = import_optional("pandas", extra="report", purpose="frame()")
        columns: dict[str, Any] = {self.x_name: list(self.x)}
        for name in ("train_error", "train_standard_error", "cv_error", "cv_standard_error"):
            if getattr(self, name) is not None:
                columns[name] = getattr(self, name)
        return pandas.DataFrame(columns)

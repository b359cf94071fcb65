"""What the diagnoses return: a verdict in words, with its reasons, figures and remedies."""

from __future__ import annotations

import html
import math
import numbers
from dataclasses import dataclass, field
from typing import Any

from skeval.diagnosis._error_curve import Contrast, ErrorCurve
from skeval.diagnosis._judge import shown
from skeval.diagnosis._power_law import LEAST_SIZES, Extrapolation, PowerLaw
from skeval.utils._tables import html_table


class Diagnosis:
    """How every diagnosis prints."""

    verdict: str
    reasons: tuple[str, ...]
    remedies: tuple[str, ...]
    figures: dict[str, Contrast]

    def outlook(self) -> str:
        """Say what lies beyond the curve."""
        return ""

    def __str__(self) -> str:
        parts = [f"{self.verdict}: {'; '.join(self.reasons)}.", self.outlook()]
        if self.remedies:
            parts.append(f"Remedies: {'; '.join(self.remedies)}.")
        return " ".join(filter(None, parts))

    def _repr_html_(self) -> str:
        ends = [figure.confidence_interval() for figure in self.figures.values()]
        table: dict[str, list[Any]] = {
            "figure": list(self.figures),
            "estimate": [figure.estimate for figure in self.figures.values()],
            "standard error": [figure.standard_error for figure in self.figures.values()],
            "95 % interval": [f"{low:.4g} to {high:.4g}" for low, high in ends],
        }
        return f"<p>{html.escape(str(self))}</p>{html_table(table)}"


@dataclass(frozen=True, eq=False)
class LearningCurveDiagnosis(Diagnosis):
    """Verdict on a learning curve.

    Attributes
    ----------
    verdict : {"high bias", "high variance", "good", "undecided"}
        At the largest training size.
    reasons : tuple of str
        What it rests on, the main reason first.
    remedies : tuple of str
        What may help.
    figures : dict of {str: Contrast}
        Errors, gap, distances from the reference, changes from half of the samples to all;
        with standard errors.
    curve : ErrorCurve
        Errors at each size.
    reference : float or None
        Error above which errors are called high.
    reference_note : str
        What the reference is.
    baseline_error : float or None
        Error of the baseline.
    extrapolation : PowerLaw or None
        Law fitted to the CV errors; None with fewer than four sizes.
    alpha : float
        Level of the tests.

    Examples
    --------
    >>> from sklearn.datasets import make_friedman1
    >>> from sklearn.linear_model import LinearRegression
    >>> from skeval.diagnosis import diagnose_learning_curve
    >>> X, y = make_friedman1(400, random_state=0)
    >>> result = diagnose_learning_curve(LinearRegression(), X, y, target_error=1.0, random_state=0)
    >>> result.verdict, result.remedies[0]
    ('high bias', 'more features, or features of a higher degree')
    >>> gain = result.expected_gain(1000)
    >>> gain.low <= gain.estimate <= gain.high
    True
    """

    verdict: str
    reasons: tuple[str, ...]
    remedies: tuple[str, ...]
    figures: dict[str, Contrast] = field(repr=False)
    curve: ErrorCurve = field(repr=False)
    reference: float | None
    reference_note: str
    baseline_error: float | None
    extrapolation: PowerLaw | None = field(repr=False)
    alpha: float

    def expected_gain(self, n_more: int, confidence_level: float = 0.95) -> Extrapolation:
        """Return by how much more samples would lower the error, by the extrapolated curve.

        Parameters
        ----------
        n_more : int
            Training samples beyond the largest size.
        confidence_level : float, default=0.95
            Strictly between 0 and 1.

        Returns
        -------
        Extrapolation

        Raises
        ------
        ValueError
            Fewer than four sizes.
        """
        if self.extrapolation is None:
            raise ValueError(
                f"A curve is extrapolated from {LEAST_SIZES} training sizes or more, "
                f"got {len(self.curve.x)}: give more train_sizes."
            )
        return self.extrapolation.gain(n_more, confidence_level)

    def outlook(self) -> str:
        """Say what twice as many samples would buy."""
        if self.extrapolation is None:
            return ""
        more = self.extrapolation.largest
        gain, low, high = self.expected_gain(more)
        # Two digits of the upper end: what is below them is lost in the interval.
        digits = 2 if high <= 0 else max(0, 1 - math.floor(math.log10(high)))
        return (
            f"{more} more samples would buy about {gain:.{digits}f} "
            f"(95 % interval {low:.{digits}f} to {high:.{digits}f})."
        )


@dataclass(frozen=True, eq=False)
class ValidationCurveDiagnosis(Diagnosis):
    """Verdict on a hyper-parameter: at its best value, and value by value.

    Attributes
    ----------
    verdict : {"high bias", "high variance", "good", "undecided"}
        At the best value, relative to the reference.
    reasons : tuple of str
        What it rests on, the main reason first.
    remedies : tuple of str
        What may help at the best value.
    figures : dict of {str: Contrast}
        Errors at the best value, and the CV error of each other value above them.
    curve : ErrorCurve
        Errors at each value.
    verdicts : tuple of str
        One per value, relative to the best: "high bias" (underfits), "high variance"
        (overfits), "good" (not worse beyond the noise), "undecided" (worse, but not clear
        by which).
    best_index : int
        Position of the least CV error, the first of several.
    reference : float or None
        Error above which errors are called high.
    reference_note : str
        What the reference is.
    baseline_error : float or None
        Error of the baseline.
    alpha : float
        Level of the tests.

    Examples
    --------
    >>> from sklearn.datasets import make_friedman1
    >>> from sklearn.neighbors import KNeighborsRegressor
    >>> from skeval.diagnosis import diagnose_validation_curve
    >>> X, y = make_friedman1(300, noise=2.0, random_state=0)
    >>> result = diagnose_validation_curve(KNeighborsRegressor(), X, y, param_name="n_neighbors",
    ...     param_range=[200, 100, 10, 1], random_state=0)
    >>> dict(zip(result.curve.x, result.verdicts))
    {200: 'high bias', 100: 'high bias', 10: 'good', 1: 'high variance'}
    """

    verdict: str
    reasons: tuple[str, ...]
    remedies: tuple[str, ...]
    figures: dict[str, Contrast] = field(repr=False)
    curve: ErrorCurve = field(repr=False)
    verdicts: tuple[str, ...]
    best_index: int
    reference: float | None
    reference_note: str
    baseline_error: float | None
    alpha: float

    @property
    def best_value(self) -> Any:
        """Value with the least CV error, the first of several."""
        return self.curve.x[self.best_index]

    def outlook(self) -> str:
        """Say which values underfit and overfit, and whether the range ends at the best one."""
        told, values = [], self.curve.x
        for verdict, word in (("high bias", "underfit"), ("high variance", "overfit")):
            named = [shown(x) for x, found in zip(values, self.verdicts, strict=True) if found == verdict]
            if named:
                told.append(f"{', '.join(named)} {word}{'s' if len(named) == 1 else ''}")
        ordered = len(values) > 1 and all(isinstance(value, numbers.Real) for value in values)
        if ordered and self.best_value in (min(values), max(values)):
            told.append("the best value is at the end of the range: extend it")
        return f"Of {self.curve.x_name}, {'; '.join(told)}." if told else ""


@dataclass(frozen=True, eq=False)
class TrainingCurveDiagnosis(Diagnosis):
    """Verdict on a training run: underfit, overfit or good.

    Attributes
    ----------
    verdict : {"high bias", "high variance", "good", "undecided"}
        "high bias": underfit, the losses still fall, or lie above the target. "high
        variance": overfit, the validation loss has risen, or lies above the target while
        the training loss does not. "good": the validation loss has leveled off.
    reasons : tuple of str
        What it rests on, the main reason first.
    remedies : tuple of str
        What may help.
    figures : dict of {str: Contrast}
        Rise of the validation loss since its least, and changes over the last epochs.
    curve : ErrorCurve
        Losses at each epoch, a column per run.
    best_epoch : float
        Epoch of the least validation loss, of means over `window` epochs.
    window : int
        Epochs that are averaged.
    target_loss : float or None
        Loss above which losses are high.
    tolerance : float
        Share of the range of a loss below which a change is none.
    alpha : float
        Level of the tests.

    Examples
    --------
    >>> import numpy as np
    >>> from skeval.diagnosis import diagnose_training_curve
    >>> epochs = np.arange(1, 101)
    >>> result = diagnose_training_curve(1 / epochs, 0.2 + 1 / epochs + 0.002 * epochs)
    >>> result.verdict, result.remedies[0]
    ('high variance', 'stop at about epoch 22')
    """

    verdict: str
    reasons: tuple[str, ...]
    remedies: tuple[str, ...]
    figures: dict[str, Contrast] = field(repr=False)
    curve: ErrorCurve = field(repr=False)
    best_epoch: float
    window: int
    target_loss: float | None
    tolerance: float
    alpha: float

"""The verdict on a pair of training and test errors, by standard errors."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from skeval.diagnosis._error_curve import Contrast, ErrorCurve
from skeval.utils._labels import plain
from skeval.utils._validation import FloatArray

REMEDIES = {
    "high bias": (
        "more features, or features of a higher degree",
        "less regularization",
        "a more flexible model",
    ),
    "high variance": ("more samples", "fewer features", "more regularization"),
    "good": (),
    "undecided": ("more splits or repeats: cv=KFoldSplit(10, n_repeats=10)",),
}

# Without a target, errors are called high above this share of the baseline's error.
BASELINE_SHARE = 0.5


class Reference(NamedTuple):
    """Error above which errors are called high, per split, and what it is."""

    errors: FloatArray
    note: str

    @property
    def value(self) -> float:
        """Mean over splits."""
        return float(self.errors.mean())


class Verdict(NamedTuple):
    """What is said, why, and the figures it rests on."""

    verdict: str
    reasons: tuple[str, ...]
    figures: dict[str, Contrast]

    def overruled(self, why: str) -> Verdict:
        """Return "undecided", and why in the first place."""
        return self._replace(verdict="undecided", reasons=(why, *self.reasons[1:]))


def moved(change: Contrast, alpha: float, up: str, down: str) -> str:
    """Write a change in words: "rose by 0.1 (SE 0.02)"."""
    if abs(change.estimate) <= change.rounding:
        return "did not change"
    size = change._replace(estimate=abs(change.estimate))
    return (
        f"{up if change.estimate > 0 else down} by {size}{'' if change.side(alpha) else ', within its noise'}"
    )


def shown(value: Any) -> str:
    """Write the value of a hyper-parameter: six digits of a number."""
    value = plain(value)
    return f"{value:.6g}" if isinstance(value, float) else repr(value)


def make_reference(
    baseline: tuple[FloatArray, str] | None, target_error: float | None, n_splits: int
) -> Reference | None:
    """Return the reference: the target if there is one, else half of the baseline's error."""
    if target_error is not None:
        return Reference(np.full(n_splits, target_error), "target error")
    if baseline is None:
        return None
    errors, name = baseline
    return Reference(BASELINE_SHARE * errors, f"half the error of {name}")


def judge(curve: ErrorCurve, point: int, reference: Reference | None, alpha: float) -> Verdict:
    """Compare training and test error at one point with the reference and with each other."""
    train, test = curve.train_errors[point], curve.cv_errors[point]
    figures = {
        "training error": curve.contrast(train),
        "CV error": curve.contrast(test),
        "gap": curve.contrast(test - train),
    }
    told = f"training error {figures['training error']}, CV error {figures['CV error']}"
    if reference is None:
        why = "no reference says which errors are high: give baseline or target_error"
        return Verdict("undecided", (why, told), figures)
    above, excess = test - reference.errors, train - reference.errors
    figures |= {
        "CV error above the reference": curve.contrast(above),
        "training error above the reference": curve.contrast(excess),
        "training excess over the gap": curve.contrast(excess - (test - train)),
    }
    test_side, train_side, larger = (figure.side(alpha) for figure in list(figures.values())[3:])
    if test_side < 0:
        verdict, why = "good", "the CV error is below the reference"
    elif test_side == 0:
        verdict, why = "undecided", "the CV error cannot be told from the reference"
    elif train_side < 0:
        verdict, why = "high variance", "the training error is below the reference, the CV error above"
    elif larger < 0:
        verdict, why = (
            "high variance",
            "the CV error is above the reference, mostly by the gap to the training error",
        )
    elif train_side > 0 and larger > 0:
        verdict, why = "high bias", "both errors are above the reference, by more than the gap between them"
    else:
        verdict, why = (
            "undecided",
            "the CV error is above the reference, but not clearly by bias or by variance",
        )
    return Verdict(verdict, (why, told, f"the reference is {reference.value:.4g}, {reference.note}"), figures)

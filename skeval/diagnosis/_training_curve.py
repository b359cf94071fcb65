"""The training curve: losses over training time, with a verdict."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from skeval.diagnosis._diagnoses import TrainingCurveDiagnosis
from skeval.diagnosis._error_curve import Contrast, ErrorCurve
from skeval.diagnosis._judge import moved
from skeval.model_selection._paired_scores import ROUNDING
from skeval.utils._validation import LARGEST, FloatArray, check_level, check_real, check_vector, describe

_LEAST_EPOCHS = 10
_WINDOWS = 10  # parts that a run is averaged in

_REMEDIES = {
    "underfit": ("train longer", "a higher learning rate", "less regularization", "a larger model"),
    "high bias": ("a larger model", "more features", "less regularization"),
    "high variance": ("more samples", "more regularization", "a smaller model"),
    "good": (),
    "undecided": ("several runs with other seeds", "more epochs"),
}


def diagnose_training_curve(
    train_loss: ArrayLike,
    validation_loss: ArrayLike,
    *,
    epochs: ArrayLike | None = None,
    target_loss: float | None = None,
    tolerance: float = 0.02,
    alpha: float = 0.05,
) -> TrainingCurveDiagnosis:
    """Say whether a training run underfits, overfits, or stopped where it should.

    Parameters
    ----------
    train_loss, validation_loss : array-like of shape (n_epochs,) or (n_runs, n_epochs)
        Losses after each epoch, smaller is better. Runs differ by their seeds.
    epochs : array-like of shape (n_epochs,), default=None
        Number of each epoch, ascending; None: from 1.
    target_loss : float or None, default=None
        Loss above which a leveled-off loss is high; None: a run that has leveled off is
        "good".
    tolerance : float, default=0.02
        A change is none if it is smaller than this share of the range of the loss. Without
        noise every change is significant; this says which matter.
    alpha : float, default=0.05
        Level of the one-sided tests.

    Returns
    -------
    TrainingCurveDiagnosis

    Raises
    ------
    ValueError
        Shapes that differ, losses that are not finite or above 1e60 in size, epochs that do
        not ascend.

    Notes
    -----
    Losses are averaged over windows of a tenth of the run, at least one epoch. Changes
    between windows have a standard error over runs or, with a single run, from the second
    differences of the losses: noise that is independent from epoch to epoch. Noise that
    persists over epochs is seen by several runs only.

    - The validation loss has risen since its least window, and the training loss has not:
      "high variance" (overfit). As that window was chosen among many, the level is alpha
      divided by their number.
    - It still falls at the end: "high bias" (underfit).
    - It has leveled off: "good"; above `target_loss`: "high bias" if the training loss is
      above it too, "high variance" if below.
    - None of this can be shown, or there are fewer than 10 epochs: "undecided".

    Examples
    --------
    >>> import numpy as np
    >>> from skeval.diagnosis import diagnose_training_curve
    >>> epochs = np.arange(1, 201)
    >>> diagnose_training_curve(np.exp(-epochs / 20), 0.1 + np.exp(-epochs / 20)).verdict
    'good'
    >>> diagnose_training_curve(np.exp(-epochs / 200), 0.1 + np.exp(-epochs / 200)).verdict
    'high bias'
    """
    check_level(alpha, "alpha")
    tolerance = check_real(tolerance, "tolerance", low=0, high=1, closed="left")
    if target_loss is not None:
        target_loss = check_real(target_loss, "target_loss", low=-LARGEST, high=LARGEST)
    train, validation = _as_runs(train_loss, "train_loss"), _as_runs(validation_loss, "validation_loss")
    if train.shape != validation.shape:
        raise ValueError(
            f"train_loss and validation_loss must have the same shape, "
            f"got {train.shape} and {validation.shape}."
        )
    numbers = _check_epochs(epochs, train.shape[1])
    curve = ErrorCurve(tuple(numbers.tolist()), "epoch", train.T, validation.T, "loss", 0.0)
    windows = _Windows(train, validation, tolerance)
    verdict, reasons, remedies = _decide(windows, numbers, target_loss, alpha)
    return TrainingCurveDiagnosis(
        verdict=verdict,
        reasons=reasons,
        remedies=remedies,
        figures=windows.figures,
        curve=curve,
        best_epoch=windows.best_epoch(numbers),
        window=windows.width,
        target_loss=target_loss,
        tolerance=tolerance,
        alpha=alpha,
    )


def _as_runs(values: ArrayLike, name: str) -> FloatArray:
    """Return losses as an array of shape (n_runs, n_epochs)."""
    array = np.asarray(values)
    if array.ndim not in (1, 2) or not array.size:
        raise ValueError(f"{name} must have shape (n_epochs,) or (n_runs, n_epochs), got {describe(values)}.")
    flat = check_vector(array.flatten(), name, largest=LARGEST)  # a copy: the diagnosis keeps it
    return flat.reshape(-1, array.shape[-1])


def _check_epochs(epochs: ArrayLike | None, n_epochs: int) -> FloatArray:
    if epochs is None:
        return np.arange(1.0, n_epochs + 1)
    numbers = check_vector(epochs, "epochs")
    if len(numbers) != n_epochs or (np.diff(numbers) <= 0).any():
        raise ValueError(f"epochs must ascend, one number per loss ({n_epochs}), got {describe(epochs)}.")
    return numbers


class _Windows:
    """Means of the losses over windows of epochs, and changes between them."""

    def __init__(self, train: FloatArray, validation: FloatArray, tolerance: float) -> None:
        self.losses = {"training": train, "validation": validation}
        self.width = max(1, train.shape[1] // _WINDOWS)
        self.means = {name: self._averaged(loss) for name, loss in self.losses.items()}
        self.tolerance = tolerance
        self.best = int(self.means["validation"].mean(axis=0).argmin())
        self.last = self.means["validation"].shape[1] - 1
        self.before = max(0, self.last - self.width)
        self.figures = {
            "rise of the validation loss": self.change("validation", self.best, self.last),
            "rise of the training loss": self.change("training", self.best, self.last),
            "late fall of the validation loss": self.change("validation", self.last, self.before),
        }

    def _averaged(self, loss: FloatArray) -> FloatArray:
        total = np.cumsum(np.pad(loss, ((0, 0), (1, 0))), axis=1)
        return (total[:, self.width :] - total[:, : -self.width]) / self.width

    def change(self, which: str, start: int, stop: int) -> Contrast:
        """Return the loss in window `stop` less that in window `start`."""
        means = self.means[which]
        # Windows that overlap have epochs in common, whose noise cancels.
        n_own = min(abs(stop - start), self.width)
        return self._contrast(which, means[:, stop] - means[:, start], 2 * n_own)

    def level(self, which: str, above: float) -> Contrast:
        """Return the loss in the last window less a number."""
        return self._contrast(which, self.means[which][:, self.last] - above, self.width)

    def _contrast(self, which: str, values: FloatArray, n_epochs: int) -> Contrast:
        loss = self.losses[which]
        rounding = ROUNDING * float(np.abs(loss).max()) * loss.shape[1]
        estimate = float(values.mean())
        if len(values) > 1:
            error = float(values.std(ddof=1)) / np.sqrt(len(values))
            return Contrast(estimate, error, len(values) - 1, rounding)
        # A smooth curve has hardly any second difference, noise of variance s^2 has 6 s^2.
        noise = np.diff(loss[0], 2) if loss.shape[1] > 2 else np.zeros(1)
        error = float(np.sqrt((noise**2).mean() / 6 * n_epochs)) / self.width
        # They are correlated: half as many count.
        return Contrast(estimate, error, max(1.0, len(noise) / 2), rounding)

    def margin(self, which: str) -> float:
        """Return the change that is none."""
        means = self.means[which].mean(axis=0)
        return self.tolerance * float(np.ptp(means))

    def best_epoch(self, numbers: FloatArray) -> float:
        """Return the middle of the window with the least validation loss."""
        return float(numbers[self.best : self.best + self.width].mean())


def _decide(
    windows: _Windows, numbers: FloatArray, target: float | None, alpha: float
) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """Return verdict, reasons and remedies."""
    if len(numbers) < _LEAST_EPOCHS:
        told = f"{len(numbers)} epochs are too few for a trend: at least {_LEAST_EPOCHS} are needed"
        return "undecided", (told,), _REMEDIES["undecided"]
    rise, train_rise, fall = windows.figures.values()
    margin, span = windows.margin("validation"), f"from epoch {windows.best_epoch(numbers):g} to the end"
    if _beyond(rise, margin, alpha * windows.width / len(numbers)):
        told = f"{span} the validation loss {moved(rise, alpha, 'rose', 'fell')}"
        if _beyond(train_rise, windows.margin("training"), alpha):
            why = f"the training loss too: it {moved(train_rise, alpha, 'rose', 'fell')}"
            return "undecided", (told, why), ("a lower learning rate",)
        stop = f"stop at about epoch {windows.best_epoch(numbers):.0f}"
        return (
            "high variance",
            (told, "the training loss did not rise"),
            (stop, *_REMEDIES["high variance"]),
        )
    if not margin:
        return "undecided", ("the validation loss is the same at every epoch",), _REMEDIES["undecided"]
    last = (
        f"over the last {2 * windows.width} epochs the validation loss {moved(fall, alpha, 'fell', 'rose')}"
    )
    if _beyond(fall, margin, alpha):
        return "high bias", (last, "it still falls: the run stopped too early"), _REMEDIES["underfit"]
    flat = all(_beyond(fall._replace(estimate=sign * fall.estimate), -margin, alpha) for sign in (1, -1))
    if not flat:
        told = f"neither a change beyond {margin:.2g} nor its absence can be shown"
        return "undecided", (last, told), _REMEDIES["undecided"]
    return _judge_level(windows, target, alpha, (last, f"less than {margin:.2g}: it has leveled off"))


def _judge_level(
    windows: _Windows, target: float | None, alpha: float, told: tuple[str, ...]
) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """Return the verdict on a run that has leveled off."""
    if target is None:
        return "good", (*told, "no target_loss says whether that is low enough"), ()
    above = {which: windows.level(which, target) for which in windows.losses}
    windows.figures |= {f"{which} loss above the target": figure for which, figure in above.items()}
    sides = {which: figure.side(alpha) for which, figure in above.items()}
    if sides["validation"] < 0:
        return "good", (*told, "below the target"), ()
    verdict = "undecided"
    if sides["validation"] > 0:
        verdict = ("undecided", "high bias", "high variance")[sides["training"]]
    why = " and ".join(
        f"the {which} loss is {('not to be told from', 'above', 'below')[side]} the target"
        for which, side in sides.items()
    )
    return verdict, (*told, why), _REMEDIES[verdict]


def _beyond(change: Contrast, margin: float, alpha: float) -> bool:
    """Return whether a change is larger than the margin, beyond its noise."""
    return change._replace(estimate=change.estimate - margin).side(alpha) > 0

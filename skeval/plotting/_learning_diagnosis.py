"""Training and test errors along a curve, with bands, an extrapolation and the verdict in words."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from skeval.diagnosis import (
    ErrorCurve,
    LearningCurveDiagnosis,
    TrainingCurveDiagnosis,
    ValidationCurveDiagnosis,
)
from skeval.plotting._base import INK, PALETTE, SOFT_INK, Display, merge_style, own_size
from skeval.plotting._curves import draw_legend_below
from skeval.plotting._text import font_families, label_axes, plain_text
from skeval.plotting._value_axis import ValueAxis
from skeval.utils._validation import check_int, check_level, check_same_length, check_vector

_SIZE = (6.8, 4.8)  # inches, of a figure of our own
_TITLE_COLUMNS = 72  # characters of a line above an own figure
_TRAIN, _TEST = PALETTE[1], PALETTE[0]
_REGIONS = {"high bias": ("underfit", PALETTE[5]), "high variance": ("overfit", PALETTE[4])}
_N_POINTS = 100  # of the extrapolated curve

Band = tuple[ArrayLike, ArrayLike]


class LearningDiagnosisDisplay(Display):
    """Training and test errors against training size, a hyper-parameter or training time.

    Parameters
    ----------
    x : sequence of length n_points
        Sizes, values or epochs, left to right. Numbers in order are drawn to scale.
    train_error, cv_error : array-like of shape (n_points,)
        Mean errors.
    train_band, cv_band : pair of array-like of shape (n_points,), default=None
        Lower and upper ends of the bands around them.
    x_name : str, default="training samples"
        Name of `x`, for the axis.
    error_name : str, default="error"
        Name of the error, for the axis.
    test_name : str, default="cross-validation"
        What the second curve is called.
    reference : tuple of (float, str) or None, default=None
        Error above which errors are high, and what it is.
    extrapolation : array-like of shape (4, n) or None, default=None
        Sizes, errors, lower and upper ends of the extrapolated curve.
    verdicts : sequence of str or None, default=None
        One per point: those with "high bias" and "high variance" are shaded.
    best : int or None, default=None
        Position of the point to mark as the best.
    verdict : str, default=""
        The verdict, for the title.
    words : str, default=""
        More words for the title of an own figure.

    Attributes
    ----------
    train_line_, cv_line_ : matplotlib Line2D
        The curves.
    extrapolation_ : matplotlib Line2D or None
        The extrapolated curve.
    ax_ : matplotlib Axes
        Axes with the curves.
    figure_ : matplotlib Figure
        Figure that holds them.

    Raises
    ------
    ValueError
        Lengths differ, an error that is not finite, or a band whose ends are the wrong way
        round.

    Examples
    --------
    >>> from sklearn.datasets import make_friedman1
    >>> from sklearn.neighbors import KNeighborsRegressor
    >>> from skeval.diagnosis import diagnose_learning_curve
    >>> from skeval.plotting import LearningDiagnosisDisplay
    >>> X, y = make_friedman1(200, random_state=0)
    >>> result = diagnose_learning_curve(KNeighborsRegressor(), X, y, random_state=0)
    >>> display = LearningDiagnosisDisplay.from_result(result)
    >>> display.figure_.savefig("learning-curve.pdf")
    """

    train_line_: Any
    cv_line_: Any
    extrapolation_: Any

    def __init__(
        self,
        x: Sequence[Any],
        train_error: ArrayLike,
        cv_error: ArrayLike,
        *,
        train_band: Band | None = None,
        cv_band: Band | None = None,
        x_name: str = "training samples",
        error_name: str = "error",
        test_name: str = "cross-validation",
        reference: tuple[float, str] | None = None,
        extrapolation: ArrayLike | None = None,
        verdicts: Sequence[str] | None = None,
        best: int | None = None,
        verdict: str = "",
        words: str = "",
    ) -> None:
        self.x = tuple(x)
        self.train_error = check_vector(train_error, "train_error").copy()
        self.cv_error = check_vector(cv_error, "cv_error").copy()
        check_same_length(x=self.x, train_error=self.train_error, cv_error=self.cv_error, verdicts=verdicts)
        self.train_band = _check_band(train_band, "train_band", len(self.x))
        self.cv_band = _check_band(cv_band, "cv_band", len(self.x))
        self.x_name, self.error_name, self.test_name = x_name, error_name, test_name
        self.reference = reference
        self.extrapolation = None if extrapolation is None else np.asarray(extrapolation, dtype=np.float64)
        self.verdicts = None if verdicts is None else tuple(verdicts)
        self.best = best
        self.verdict, self.words = verdict, words

    @classmethod
    def from_result(
        cls,
        result: LearningCurveDiagnosis | ValidationCurveDiagnosis | TrainingCurveDiagnosis,
        *,
        confidence_level: float = 0.95,
        n_more: int | None = None,
        ax: Any = None,
        **plot_options: Any,
    ) -> LearningDiagnosisDisplay:
        """Draw a diagnosis.

        Parameters
        ----------
        result : LearningCurveDiagnosis, ValidationCurveDiagnosis or TrainingCurveDiagnosis
            From `skeval.diagnosis`.
        confidence_level : float, default=0.95
            Of the bands: t intervals of the means, at each point apart; and of the
            extrapolation.
        n_more : int or None, default=None
            Samples beyond the largest size to extrapolate to; None: as many as there are.
        ax : matplotlib Axes or None, default=None
            None: a new figure.
        **plot_options : dict
            Passed to `plot`.

        Returns
        -------
        LearningDiagnosisDisplay
            Drawn.

        Raises
        ------
        ValueError
            A level outside (0, 1), or fewer than one further sample.
        """
        level, curve = check_level(confidence_level, "confidence_level"), result.curve
        options: dict[str, Any] = {}
        if isinstance(result, TrainingCurveDiagnosis):
            options["test_name"] = "validation"
            options["best"] = int(np.abs(np.array(curve.x) - result.best_epoch).argmin())
            if result.target_loss is not None:
                options["reference"] = result.target_loss, "target loss"
        elif result.reference is not None:
            options["reference"] = result.reference, result.reference_note
        if isinstance(result, ValidationCurveDiagnosis):
            options |= {"verdicts": result.verdicts, "best": result.best_index}
        if isinstance(result, LearningCurveDiagnosis) and result.extrapolation is not None:
            options["extrapolation"] = _extrapolate(result, n_more, level)
        display = cls(
            curve.x,
            curve.train_error,
            curve.cv_error,
            train_band=_band(curve, curve.train_error, curve.train_standard_error, level),
            cv_band=_band(curve, curve.cv_error, curve.cv_standard_error, level),
            x_name=curve.x_name,
            error_name=curve.error_name,
            verdict=result.verdict,
            words=f"{result.reasons[0]}. {result.outlook()}",
            **options,
        )
        return display.plot(ax, **plot_options)

    def plot(
        self,
        ax: Any = None,
        *,
        log_x: bool | None = None,
        train_kwargs: dict[str, Any] | None = None,
        cv_kwargs: dict[str, Any] | None = None,
    ) -> LearningDiagnosisDisplay:
        """Draw the curves.

        Parameters
        ----------
        ax : matplotlib Axes or None, default=None
            None: a new figure.
        log_x : bool or None, default=None
            Logarithmic axis for `x`; None: where it is positive and the largest is 20 times
            the smallest or more.
        train_kwargs : dict or None, default=None
            For the line of the training error (matplotlib Line2D).
        cv_kwargs : dict or None, default=None
            For the line of the test error (matplotlib Line2D).

        Returns
        -------
        LearningDiagnosisDisplay
            This Display.
        """
        axis = ValueAxis(self.x, log=log_x)
        owned = ax is None
        ax = self._start(ax, size=_SIZE, layout="constrained")
        few = len(self.x) <= 30
        self._shade_regions(ax, axis)
        self.train_line_ = _draw_curve(
            ax, axis.places, self.train_error, self.train_band, train_kwargs,
            color=_TRAIN, linestyle="--", marker="s" if few else "", label="training",
        )  # fmt: skip
        self.cv_line_ = _draw_curve(
            ax, axis.places, self.cv_error, self.cv_band, cv_kwargs,
            color=_TEST, linestyle="-", marker="o" if few else "", label=self.test_name,
        )  # fmt: skip
        self.extrapolation_ = self._draw_extrapolation(ax)
        if self.reference is not None:
            value, note = self.reference
            label = plain_text(f"reference: {note}") if owned else "reference"
            ax.axhline(value, color=SOFT_INK, linestyle=(0, (1, 2)), linewidth=1.4, label=label)
        if self.best is not None:
            style = {"color": INK, "markersize": 12, "markeredgecolor": "white", "zorder": 4}
            told = plain_text(f"least at {axis.text(axis.values[self.best])}")
            place = axis.places[self.best], self.cv_error[self.best]
            ax.plot(*place, linestyle="", marker="*", label=told, **style)
        if min(self.train_error.min(), self.cv_error.min()) >= 0:
            ax.set_ylim(bottom=0)
        end = [] if self.extrapolation is None else [round(self.extrapolation[0, -1])]
        axis.draw(ax, beyond=end)
        label_axes(ax, self.x_name, self.error_name)
        ax.spines[["top", "right"]].set_visible(False)
        self._draw_title(ax)
        draw_legend_below(ax)
        return self

    def _shade_regions(self, ax: Any, axis: ValueAxis) -> None:
        """Shade where the model underfits and overfits; the first of a kind gets a label."""
        borders, named = axis.borders(), set()
        for place, verdict in enumerate(self.verdicts or ()):
            if verdict in _REGIONS:
                name, color = _REGIONS[verdict]
                label = name if name not in named else None
                hatch = "" if verdict == "high bias" else "//"
                ax.axvspan(
                    borders[place], borders[place + 1], facecolor=color, edgecolor="white", hatch=hatch,
                    alpha=0.25, linewidth=0, label=label, zorder=0,
                )  # fmt: skip
                named.add(name)
        if self.verdicts is not None:
            ax.set_xlim(*sorted((borders[0], borders[-1])))

    def _draw_extrapolation(self, ax: Any) -> Any:
        if self.extrapolation is None:
            return None
        sizes, errors, low, high = self.extrapolation
        beyond = sizes >= self.x[-1]
        ax.fill_between(
            sizes[beyond], low[beyond], high[beyond], color=_TEST, alpha=0.12, linewidth=0, hatch=".."
        )
        (line,) = ax.plot(sizes, errors, color=_TEST, linestyle=":", linewidth=2, label="extrapolated")
        return line

    def _draw_title(self, ax: Any) -> None:
        """Write the verdict; on an own figure, why and what follows too."""
        if not self.verdict:
            return
        title, words = self.verdict[0].upper() + self.verdict[1:], plain_text(self.words)
        if own_size(self.figure_) and words:
            title = "\n".join(textwrap.wrap(f"{title}: {words}", _TITLE_COLUMNS))
        ax.set_title(title, loc="left", fontsize=10, fontfamily=font_families([title]))


def _draw_curve(
    ax: Any, places: Any, values: Any, band: Any, given: dict[str, Any] | None, **style: Any
) -> Any:
    """Draw a curve with its band; return the line."""
    style = merge_style("lines.Line2D", {"linewidth": 1.8, "markersize": 4.5, **style}, given)
    (line,) = ax.plot(places, values, **style)
    if band is not None:
        ax.fill_between(places, *band, color=line.get_color(), alpha=0.18, linewidth=0)
    return line


def _check_band(band: Band | None, name: str, n_points: int) -> Any:
    if band is None:
        return None
    low, high = (check_vector(end, name) for end in band)
    if len(low) != n_points or len(high) != n_points or (low > high).any():
        raise ValueError(f"{name} must hold lower and upper ends, one of each per point ({n_points}).")
    return low, high


def _band(curve: ErrorCurve, mean: NDArray[np.float64], standard_error: Any, confidence_level: float) -> Any:
    """Return the ends of the t intervals; errors are not negative, nor are the ends then."""
    if standard_error is None:
        return None
    half = stats.t.isf((1 - confidence_level) / 2, curve.n_splits - 1) * standard_error
    least = 0.0 if mean.min() >= 0 else -np.inf
    return np.maximum(mean - half, least), mean + half


def _extrapolate(
    result: LearningCurveDiagnosis, n_more: int | None, confidence_level: float
) -> NDArray[np.float64]:
    """Return sizes, errors and ends from the smallest size to beyond the largest."""
    law: Any = result.extrapolation
    more = law.largest if n_more is None else check_int(n_more, "n_more", minimum=1)
    beyond = np.geomspace(law.largest, law.largest + more, _N_POINTS)
    sizes = np.append(np.geomspace(result.curve.x[0], law.largest, _N_POINTS)[:-1], beyond)
    return np.stack([sizes, *law.error(sizes, confidence_level)])

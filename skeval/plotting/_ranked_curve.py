"""What curves over all cut-offs share: they come from ranked scores, however these come."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from skeval.metrics import RankedScores
from skeval.plotting._base import Display
from skeval.utils._response import response_values


class RankedCurveDisplay(Display, ABC):
    """Base of the Displays of one curve over all cut-offs of the scores of two classes."""

    _CURVE = "A curve"

    @classmethod
    @abstractmethod
    def from_result(
        cls, result: RankedScores, *, name: str | None = None, ax: Any = None, **options: Any
    ) -> Self:
        """Draw the curve of ranked scores; each Display has its own."""

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_score: ArrayLike,
        *,
        pos_label: Any = None,
        sample_weight: ArrayLike | None = None,
        name: str | None = None,
        ax: Any = None,
        **options: Any,
    ) -> Self:
        """Draw the curve of scores.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            Labels of two classes.
        y_score : array-like of shape (n_samples,)
            Higher means more positive: probability, decision value or any other number.
        pos_label : label or None, default=None
            The class that high scores belong to. None: 1 (True) for labels within {0, 1},
            {-1, 1} or {False, True}; otherwise it must be named.
        sample_weight : array-like of shape (n_samples,) or None, default=None
            Weights, not negative.
        name : str or None, default=None
            Name of the curve in the legend.
        ax : matplotlib Axes or None, default=None
            None: a new figure.
        **options : dict
            Passed to `from_result`.

        Returns
        -------
        Display
            Drawn.

        Raises
        ------
        ValueError
            Only one class is present, or `pos_label` must be named.
        """
        ranked = RankedScores.from_predictions(
            y_true, y_score, pos_label=pos_label, sample_weight=sample_weight
        )
        return cls.from_result(ranked, name=name, ax=ax, **options)

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, y: Any, *, pos_label: Any = None, name: str | None = None, **options: Any
    ) -> Self:
        """Draw the curve of a fitted binary classifier.

        Parameters
        ----------
        estimator : estimator
            Fitted, with ``decision_function`` or ``predict_proba`` (asked in this order).
        X : array-like of shape (n_samples, n_features)
            Samples that the estimator was not fitted on.
        y : array-like of shape (n_samples,)
            Their labels.
        pos_label : label or None, default=None
            The positive class, by the rule of `from_predictions`.
        name : str or None, default=None
            Name of the curve; None: the class of the estimator.
        **options : dict
            ``sample_weight``, ``ax`` and others; passed to `from_predictions`.

        Returns
        -------
        Display
            Drawn.

        Raises
        ------
        ValueError
            More than two classes, or only one is present, or `pos_label` must be named.
        """
        y_score, _ = response_values(estimator, X, pos_label=pos_label)
        if np.ndim(y_score) != 1:
            raise ValueError(
                f"{cls._CURVE} needs two classes, but the estimator gives a score for each of "
                f"{np.shape(y_score)[1]}; draw one class against the rest with from_predictions."
            )
        name = type(estimator).__name__ if name is None else name
        return cls.from_predictions(y, y_score, pos_label=pos_label, name=name, **options)

    @classmethod
    def _check_ranked(cls, result: RankedScores) -> RankedScores:
        """Return ranked scores of one data set with both classes."""
        if not isinstance(result, RankedScores):
            raise TypeError(
                f"result must be RankedScores, got {type(result).__name__}; see from_predictions()."
            )
        if result.true_positives.ndim > 1:
            raise ValueError(
                f"{cls._CURVE} needs single ranked scores, not a stack of replicates, got "
                f"{len(result.true_positives)}: give those of one data set."
            )
        if not (result.n_positive and result.n_negative):
            lacking = "positive" if result.n_negative else "negative"
            raise ValueError(f"{cls._CURVE} needs both classes, but y_true holds no {lacking} sample.")
        return result

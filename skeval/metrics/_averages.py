"""Macro and micro figures over several binary confusion matrices, both F conventions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skeval.metrics._class_measures import f_of
from skeval.metrics._confusion import ConfusionMatrix
from skeval.metrics._shares import beta_squared
from skeval.utils._labels import check_binary


@dataclass(frozen=True)
class AveragedMatrices:
    """Macro and micro figures of several binary confusion matrices.

    Attributes
    ----------
    macro_precision, macro_recall : float or ndarray
        Means of the precisions and of the recalls of the matrices.
    fscore_of_means : float or ndarray
        F-score of those two means.
    mean_fscore : float or ndarray
        Mean of the F-scores of the matrices.
    micro_precision, micro_recall, micro_fscore : float or ndarray
        From the summed cells.

    Examples
    --------
    >>> from skeval.metrics import ConfusionMatrix, average_matrices
    >>> folds = ConfusionMatrix([[[8, 2], [2, 8]], [[9, 1], [5, 5]]])
    >>> figures = average_matrices(folds)
    >>> round(figures.macro_recall, 3), round(figures.macro_precision, 3)
    (0.65, 0.817)
    """

    macro_precision: Any
    macro_recall: Any
    fscore_of_means: Any
    mean_fscore: Any
    micro_precision: Any
    micro_recall: Any
    micro_fscore: Any


def average_matrices(cm: ConfusionMatrix, *, pos_label: Any = None, beta: float = 1) -> AveragedMatrices:
    """Average precision, recall and F-score over several binary confusion matrices.

    Parameters
    ----------
    cm : ConfusionMatrix of shape (..., n, 2, 2)
        The matrices of n splits or data sets, or of `ConfusionMatrix.one_vs_rest` or
        `ConfusionMatrix.one_vs_one`; the last leading axis is averaged over.
    pos_label : label or None, default=None
        The positive class; see `ConfusionMatrix.binary_counts`.
    beta : float, default=1
        Of the F-score; from 1e-30 to 1e30.

    Returns
    -------
    AveragedMatrices
        Floats, or arrays of the remaining leading axes.

    Raises
    ------
    ValueError
        A single matrix, or more than two classes.

    References
    ----------
    Forman & Scholz (2010), "Apples-to-apples in cross-validation studies", section 2, and
    Opitz & Burst (2019), arXiv:1911.03347, for the two macro F-scores.

    Examples
    --------
    >>> from skeval.metrics import ConfusionMatrix, average_matrices
    >>> folds = ConfusionMatrix([[[86, 4], [2, 8]], [[89, 1], [7, 3]], [[30, 20], [5, 45]]])
    >>> figures = average_matrices(folds)
    >>> round(figures.fscore_of_means, 4), round(figures.mean_fscore, 4), round(figures.micro_fscore, 4)
    (0.6843, 0.6462, 0.7417)
    """
    if cm.counts.ndim < 3:
        raise ValueError("average_matrices() needs several matrices, got one; see one_vs_rest().")
    if not cm.counts.shape[-3]:
        raise ValueError("average_matrices() needs several matrices, got none.")
    check_binary(cm.labels, pos_label)
    square = beta_squared(beta)
    precision, recall = cm.precision(pos_label=pos_label), cm.recall(pos_label=pos_label)
    summed = ConfusionMatrix(cm.counts.sum(axis=-3), cm.labels)
    macro_precision, macro_recall = _mean(precision), _mean(recall)
    return AveragedMatrices(
        macro_precision=macro_precision,
        macro_recall=macro_recall,
        fscore_of_means=f_of(macro_precision, macro_recall, square),
        mean_fscore=_mean(cm.f_score(beta, pos_label=pos_label)),
        micro_precision=summed.precision(pos_label=pos_label),
        micro_recall=summed.recall(pos_label=pos_label),
        micro_fscore=summed.f_score(beta, pos_label=pos_label),
    )


def _mean(values: NDArray[np.float64]) -> Any:
    mean = values.mean(axis=-1)
    return mean.item() if mean.ndim == 0 else mean

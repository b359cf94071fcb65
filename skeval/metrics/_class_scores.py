"""Scores of every class, shape (n_samples, K), with the classes of their columns."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from skeval.metrics._ranked_counts import Floats
from skeval.utils._labels import LabelArray, check_labels, encode, plain, to_labels
from skeval.utils._validation import IntArray, check_same_length, check_shape, check_vector, describe


def check_class_scores(
    y_true: Any, y_score: ArrayLike, labels: ArrayLike | None, name: str = "y_score"
) -> tuple[IntArray, Floats, LabelArray]:
    """Return the true classes as column numbers, the scores as float64, and the class of each column.

    Raises
    ------
    ValueError
        Not one column per class, a label without a column, scores that are nan or infinite,
        lengths that differ, or no samples.
    """
    truth = to_labels(y_true, "y_true")
    given = None if labels is None else check_labels(labels)
    (codes,), classes = encode({"y_true": truth}, given)
    shape = check_shape(y_score, name)
    if len(shape) != 2 or shape[1] < 2:
        raise ValueError(
            f"{name} must hold one column per class, shape (n_samples, n_classes), got {describe(y_score)}."
        )
    scores = check_vector(np.asarray(y_score).ravel(), name, minimum_size=0).reshape(shape)
    if not check_same_length(y_true=truth, **{name: scores}):
        raise ValueError(f"y_true and {name} hold no samples.")
    if len(classes) != shape[1]:
        told = "y_true holds" if given is None else "labels names"
        raise ValueError(
            f"{name} must hold one column per class: it has {shape[1]} columns, {told} {len(classes)} "
            f"classes {[plain(label) for label in classes]}; name the classes in the order of the columns "
            "with labels=."
        )
    return codes, scores, classes


def check_probabilities(y_prob: ArrayLike, name: str) -> Floats:
    """Return the probabilities of the positive class as float64."""
    hint = "; pass the column of the positive class, or use the measure of every class"
    probability = check_vector(y_prob, name, minimum_size=0, hint=hint)
    check_unit_interval(probability, name)
    return probability


def check_class_probabilities(
    y_true: Any, y_prob: ArrayLike, labels: ArrayLike | None, name: str
) -> tuple[IntArray, Floats, LabelArray]:
    """`check_class_scores` of probabilities: in [0, 1], rows that sum to 1."""
    codes, probability, classes = check_class_scores(y_true, y_prob, labels, name)
    check_unit_interval(probability, name)
    sums = probability.sum(axis=1)
    wrong = np.abs(sums - 1) > np.sqrt(precision_of(y_prob))
    if wrong.any():
        where = int(np.flatnonzero(wrong)[0])
        raise ValueError(f"{name} must hold rows that sum to 1, got {sums[where]:g} in row {where}.")
    return codes, probability, classes


def check_unit_interval(values: Floats, name: str) -> None:
    """Refuse what is no probability."""
    outside = (values < 0) | (values > 1)
    if outside.any():
        where = int(np.argwhere(outside)[0][0])
        raise ValueError(
            f"{name} must hold probabilities in [0, 1], got {values[outside][0]:g} at position {where}; "
            "scores of another kind can be ranked, or calibrated first."
        )


def precision_of(values: ArrayLike) -> float:
    """Return the relative precision of what was given, of float64 for what is no float."""
    kind = getattr(values, "dtype", None)
    if isinstance(kind, np.dtype) and kind.kind == "f":
        return float(np.finfo(kind).eps)
    return float(np.finfo(np.float64).eps)

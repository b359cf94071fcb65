"""From what a user passes to rows that can be resampled."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skeval.intervals._measures import Measured
from skeval.intervals._replicates import LabelReplicates, ScoreReplicates
from skeval.intervals._rows import collect_rows
from skeval.metrics._confusion import ConfusionMatrix, absent_left_out
from skeval.metrics._ranking import RankedScores
from skeval.utils._labels import check_labels, encode, factorize, plain, positive_mask, to_labels
from skeval.utils._validation import (
    FloatArray,
    IntArray,
    check_same_length,
    check_sample_weight,
    check_vector,
)


def label_replicates(
    measured: Measured,
    y_true: Any,
    y_pred: Any,
    *,
    other: Any,
    groups: Any,
    labels: ArrayLike | None,
    pos_label: Any,
    sample_weight: ArrayLike | None,
    importance: bool,
    stratify: bool,
) -> LabelReplicates:
    """Return the resamples of predicted labels, or of a confusion matrix."""
    if isinstance(y_true, ConfusionMatrix):
        _refuse_arrays(y_pred, other, groups, labels, sample_weight, importance or None)
        matrix = y_true
        cells = _whole(matrix.counts, "ConfusionMatrix", dimensions=2)
        codes, seen = list(np.nonzero(cells)), matrix.labels
        weight: NDArray[Any] | None = cells[tuple(codes)]
        groups, left_out = None, absent_left_out(matrix)
    else:
        arrays = {
            "y_true": to_labels(y_true, "y_true"),
            "y_pred": to_labels(_given(y_pred, "labels"), "y_pred"),
        }
        if other is not None:
            arrays["other"] = to_labels(other, "other")
        weight, groups = _design(arrays, groups, sample_weight, importance, stratify)
        codes, seen = encode(arrays, None if labels is None else check_labels(labels))
        left_out = labels is None
    if measured.named and len(seen) == 2 and plain(seen[0]) == plain(pos_label):
        # The positive class last: the cells are drawn in an order that no name changes.
        codes, seen = [1 - code for code in codes], seen[::-1]
    true, *predictions = codes
    rows = collect_rows(
        true, predictions, weight=weight, importance=importance, groups=groups, stratify=stratify
    )
    return LabelReplicates(
        rows,
        seen,
        measured.function,
        absent_left_out=left_out,
        compares_classes=measured.compares_classes,
    )


def score_replicates(
    measured: Measured,
    y_true: Any,
    y_score: Any,
    *,
    other: Any,
    groups: Any,
    pos_label: Any,
    sample_weight: ArrayLike | None,
    importance: bool,
    stratify: bool,
) -> ScoreReplicates:
    """Return the resamples of scores, or of ranked scores."""
    if isinstance(y_true, RankedScores):
        _refuse_arrays(y_score, other, groups, sample_weight, importance or None)
        if pos_label is not None and pos_label != y_true.pos_label:
            raise ValueError(
                f"pos_label must be that of the RankedScores, {y_true.pos_label!r}, got {pos_label!r}."
            )
        cumulative = np.stack([y_true.true_positives, y_true.false_positives])
        cells = np.diff(_whole(cumulative, "RankedScores", dimensions=2), axis=1, prepend=0)
        true, place = np.nonzero(cells)
        rows = collect_rows(true, [place], weight=cells[true, place], stratify=stratify)
        return ScoreReplicates(rows, [y_true.thresholds], measured.function, y_true.pos_label)
    hint = "; pass the column of the positive class"
    scores = {"y_score": check_vector(_given(y_score, "scores"), "y_score", hint=hint)}
    if other is not None:
        scores["other"] = check_vector(other, "other", hint=hint)
    positive, pos_label = positive_mask(y_true, pos_label)
    arrays = {"y_true": positive, **scores}
    weight, codes = _design(arrays, groups, sample_weight, importance, stratify)
    places, thresholds = zip(*(_descending(score) for score in scores.values()), strict=True)
    rows = collect_rows(
        1 - positive.astype(np.int64),
        list(places),
        weight=weight,
        importance=importance,
        groups=codes,
        stratify=stratify,
    )
    return ScoreReplicates(rows, list(thresholds), measured.function, pos_label)


def _descending(score: FloatArray) -> tuple[IntArray, FloatArray]:
    """Return the position of each score among the distinct scores, which descend."""
    distinct, place = np.unique(score, return_inverse=True)
    return len(distinct) - 1 - place, distinct[::-1]


def _given(values: Any, what: str) -> Any:
    if values is None:
        raise ValueError(
            f"y_pred_or_score must hold the predicted {what}: it may be left out only where "
            "y_true is a ConfusionMatrix or a RankedScores that fits the measure."
        )
    return values


def _refuse_arrays(*arrays: Any) -> None:
    if any(array is not None for array in arrays):
        raise ValueError(
            "A ConfusionMatrix or RankedScores stands for all the data: y_pred_or_score, other, groups, "
            "labels, sample_weight and weight_kind='importance' need the arrays."
        )


def _whole(counts: NDArray[Any], what: str, *, dimensions: int) -> NDArray[np.int64]:
    if counts.ndim != dimensions:
        raise ValueError(f"A single {what} can be resampled, got a stack; choose one, or pool it.")
    if counts.dtype.kind == "f":
        raise ValueError(
            f"A {what} with fractional counts cannot be resampled: they are no frequencies. Pass the arrays "
            "with sample_weight and weight_kind='importance'."
        )
    if not counts.any():
        raise ValueError(f"The {what} holds no samples: there is nothing to resample.")
    return counts


def _design(
    arrays: dict[str, NDArray[Any]],
    groups: Any,
    sample_weight: ArrayLike | None,
    importance: bool,
    stratify: bool,
) -> tuple[NDArray[Any] | None, IntArray | None]:
    """Return checked weights and group codes."""
    n_samples = check_same_length(**arrays)
    if not n_samples:
        raise ValueError(f"{' and '.join(arrays)} hold no samples: there is nothing to resample.")
    weight = check_sample_weight(sample_weight, n_samples)
    if importance:
        if weight is None:
            raise ValueError("weight_kind='importance' needs sample_weight.")
        weight = weight.astype(np.float64)
    elif weight is not None and weight.dtype.kind == "f":
        raise ValueError(
            "sample_weight must hold whole numbers where weight_kind='frequency'; for weights that express "
            "importance use weight_kind='importance'."
        )
    if groups is None:
        return weight, None
    if stratify:
        raise ValueError(
            "stratify=True cannot be had with groups: groups drawn whole do not keep class counts."
        )
    members = to_labels(groups, "groups")
    check_same_length(y_true=arrays["y_true"], groups=members)
    codes, distinct = factorize(members)
    if len(distinct) < 2:
        raise ValueError("groups must hold at least two groups, got 1: there is nothing to resample.")
    return weight, codes

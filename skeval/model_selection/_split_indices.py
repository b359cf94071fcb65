"""What the row numbers of train/test splits say: sizes, overlap, order, and running a splitter again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from skeval.metrics._ranking_measures import RANKING_MEASURES
from skeval.metrics._scorers import scorer_measures
from skeval.utils._rows import n_rows
from skeval.utils._validation import IntArray, describe

Splits = list[tuple[IntArray, IntArray]]


def as_splits(indices: Any, name: str = "indices") -> Splits:
    """Return splits as a list of (train, test) arrays of row numbers."""
    if isinstance(indices, Mapping):
        if not {"train", "test"} <= set(indices):
            raise ValueError(f"indices must have the keys 'train' and 'test', got {list(indices)}.")
        indices = zip(indices["train"], indices["test"], strict=True)
    return [(to_rows(train, name), to_rows(test, name)) for train, test in indices]


def refuse_strange_rows(splits: Splits, n_samples: int) -> None:
    """Refuse a `cv` that gives no split, or a row that the data do not have."""
    if not splits:
        raise ValueError("cv must give at least one split, got none.")
    for number, split in enumerate(splits):
        rows = np.concatenate(split)
        strange = rows[rows >= n_samples]
        if len(strange):
            raise ValueError(
                f"cv must give row numbers from 0 to {n_samples - 1}, as there are {n_samples} samples, but "
                f"split {number} has {strange[0]}: make the splits of these data."
            )


def share_training_rows(splits: Splits) -> bool:
    """Say whether any row is in the training sets of two splits."""
    distinct = [np.unique(train) for train, _ in splits]
    together = np.concatenate(distinct)
    return len(np.unique(together)) < len(together)


def are_time_ordered(splits: Splits) -> bool:
    """Say whether in every split all training rows come before all test rows."""
    return all(train.max() < test.min() for train, test in splits)


def first_leak(splits: Splits) -> int | None:
    """Return the first split that tests on a row it trained on."""
    leaks = (number for number, (train, test) in enumerate(splits) if np.isin(test, train).any())
    return next(leaks, None)


def refuse_leaks(splits: Splits) -> None:
    """Refuse results of splits that test on rows that they trained on."""
    leak = first_leak(splits)
    if leak is not None:
        raise ValueError(
            f"Split {leak} tests on rows that it trained on, so that its scores are no test scores: use "
            "splits whose training and test rows are disjoint."
        )


def refuse_time_order(splits: Splits, *, way_out: str) -> None:
    """Refuse splits whose order in time makes the corrected variance wrong."""
    if are_time_ordered(splits):
        raise ValueError(
            "These splits are time-ordered: all training rows precede all test rows. The corrected variance "
            f"assumes random splits of exchangeable rows and does not hold; {way_out}."
        )


def listed(splits: Sequence[int] | IntArray) -> str:
    """Write the numbers of splits, the first of many."""
    shown = ", ".join(str(split) for split in splits[:5]) + (", ..." if len(splits) > 5 else "")
    return f"split{'s' if len(splits) > 1 else ''} {shown}"


def disjoint_splits(splitter: Any, X: Any, y: Any, groups: Any, *, way_out: str = "") -> Splits:
    """Run a splitter; a split that tests on a row it trained on is refused, with the way out."""
    splits = as_splits(splitter.split(X, y, groups), "cv")
    refuse_strange_rows(splits, n_rows(X))
    leak = first_leak(splits)
    if leak is not None:
        told = f"; {way_out}" if way_out else ""
        raise ValueError(
            f"cv must give disjoint training and test rows, but split {leak} tests on a row it trained "
            f"on{told}."
        )
    return splits


def ranks_rows(metric: str) -> bool:
    """Say whether a metric ranks the test rows of a split against each other."""
    return scorer_measures().get(metric, metric) in RANKING_MEASURES or "auc" in metric


def refuse_single_rows(metric: str, splits: Splits, *, way_out: str = "") -> None:
    """Refuse a ranking within test parts of one row: a mean over them would look like a number."""
    single = next((number for number, (_, test) in enumerate(splits) if len(test) == 1), None)
    if ranks_rows(metric) and single is not None:
        raise ValueError(
            f"{metric!r} ranks the test rows of a split against each other and is undefined on test folds of "
            f"one sample, as split {single} has (leave-one-out?): {way_out}use parts that hold both classes, "
            "as KFoldSplit(10) makes them."
        )


def to_rows(rows: Any, name: str, *, minimum_size: int = 1) -> IntArray:
    """Return row numbers of one side of a split, from numbers or a mask."""
    array = np.asarray(rows)
    if array.dtype.kind == "b":
        array = np.flatnonzero(array)
    if array.ndim == 1 and not len(array):
        array = array.astype(np.int64)  # what is empty has no dtype of its own
    if array.ndim != 1 or len(array) < minimum_size or array.dtype.kind not in "iu" or (array < 0).any():
        raise ValueError(
            f"{name} must hold the row numbers of non-empty training and test sets, got {describe(rows)}."
        )
    return array.astype(np.int64, copy=False)


def n_distinct(rows: IntArray) -> int:
    """Count the rows, a repeated one once."""
    return int(np.count_nonzero(np.bincount(rows)))


def same_rows(mine: IntArray, other: IntArray) -> bool:
    """Say whether two sides hold the same rows equally often, in any order."""
    return np.array_equal(mine, other) or np.array_equal(np.sort(mine), np.sort(other))


def is_resubstitution(train: IntArray, test: IntArray) -> bool:
    """Say whether a split tests on all the rows that it trained on, and on no others."""
    return len(test) <= len(train) and same_rows(np.unique(train), np.unique(test))


def run_splitter(cv: Any, X: Any, y: Any, groups: Any) -> Splits:
    """Run a splitter again, if it gives the same splits again."""
    if not hasattr(cv, "split"):
        if not isinstance(cv, Iterable):
            raise ValueError(
                f"cv must be a splitter or an iterable of (train, test), got {cv!r}: what scikit-learn makes "
                "of a number depends on the estimator. Call cross_validate(return_indices=True) instead."
            )
        return as_splits(cv, "cv")
    if not _is_repeatable(cv):
        raise ValueError(
            f"cv must give the same splits again, but {cv!r} draws new ones: give it an int random_state, "
            "or call cross_validate(return_indices=True)."
        )
    if X is None and y is None:
        raise ValueError("cv needs the data that it split: pass X or y.")
    return as_splits(cv.split(np.zeros(len(y)) if X is None else X, y, groups), "cv")


def _is_repeatable(cv: Any) -> bool:
    """Say whether a splitter, or the one that it wraps, gives the same splits on every call."""
    inner = getattr(cv, "cv", None)
    if inner is not None and hasattr(inner, "split") and not _is_repeatable(inner):
        return False
    seeded = isinstance(getattr(cv, "random_state", 0), (int, np.integer))
    return seeded or getattr(cv, "shuffle", True) is False

"""Samples, targets and groups as they come: of one length, groups as codes."""

from __future__ import annotations

from typing import Any

import numpy as np

from skeval.utils._labels import LabelArray, factorize, to_labels
from skeval.utils._rows import n_rows
from skeval.utils._validation import IntArray, describe


def read_data(X: Any, y: Any, groups: Any) -> tuple[int, IntArray | None]:
    """Return the number of samples, the same in all three, and one code per sample for the groups."""
    n_samples = count_rows(X, "X")
    if y is not None and count_rows(y, "y") != n_samples:
        raise ValueError(f"X and y must have the same length: X has {n_samples}, y has {n_rows(y)}.")
    if groups is None:
        return n_samples, None
    codes, _ = by_appearance(to_labels(groups, "groups"))
    if len(codes) != n_samples:
        raise ValueError(f"groups must have one entry per sample: {n_samples} samples, {len(codes)} entries.")
    return n_samples, codes


def count_rows(values: Any, name: str) -> int:
    """Return the number of samples of a container; what is none is refused."""
    if not (values.shape if hasattr(values, "shape") else hasattr(values, "__len__")):
        raise TypeError(f"{name} must be a container of samples, got {describe(values)}.")
    return n_rows(values)


def by_appearance(labels: LabelArray) -> tuple[IntArray, LabelArray]:
    """Number labels as they appear, not as they sort: other names then give the same splits."""
    codes, uniques = factorize(labels)
    first = np.empty(len(uniques), dtype=np.int64)
    first[codes[::-1]] = np.arange(len(codes))[::-1]  # the last one written stays
    order = np.argsort(first)
    return np.argsort(order)[codes], uniques[order]

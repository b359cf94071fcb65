"""Samples, targets and groups as they come: of one length, groups as codes."""

from __future__ import annotations

from typing import Any

import numpy as np

from skeval.utils._labels import LabelArray, factorize, to_labels
from skeval.utils._rows import n_rows
from skeval.utils._validation import IntArray, describe


def read_data(X: Any, y: Any, groups: Any) -> tuple[int, IntArray | None]:
    """Return the number of samples, the same in all three, and one code per sample for the groups."""
    if not hasattr(X, "__len__") and not hasattr(X, "shape"):
        raise TypeError(f"X must be a container of samples, got {describe(X)}.")
    n_samples = n_rows(X)
    if y is not None and n_rows(y) != n_samples:
        raise ValueError(f"X and y must have the same length: X has {n_samples}, y has {n_rows(y)}.")
    if groups is None:
        return n_samples, None
    codes, _ = by_appearance(to_labels(groups, "groups"))
    if len(codes) != n_samples:
        raise ValueError(f"groups must have one entry per sample: {n_samples} samples, {len(codes)} entries.")
    return n_samples, codes


def by_appearance(labels: LabelArray) -> tuple[IntArray, LabelArray]:
    """Number labels as they appear, not as they sort: other names then give the same splits."""
    codes, uniques = factorize(labels)
    first = np.empty(len(uniques), dtype=np.int64)
    first[codes[::-1]] = np.arange(len(codes))[::-1]  # the last one written stays
    order = np.argsort(first)
    return np.argsort(order)[codes], uniques[order]

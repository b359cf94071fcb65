"""Rows of whatever scikit-learn takes as X or y."""

from __future__ import annotations

from typing import Any

import numpy as np

from skeval.utils._validation import IntArray


def n_rows(X: Any) -> int:
    """Return the number of rows (samples)."""
    return int(X.shape[0]) if hasattr(X, "shape") else len(X)


def take_rows(X: Any, rows: IntArray) -> Any:
    """Return the rows at these positions, in their order, in the container that X is."""
    if hasattr(X, "iloc"):  # pandas: positions, whatever the index
        return X.iloc[rows]
    if hasattr(X, "tocsr"):  # not every sparse format can be indexed
        return X.tocsr()[rows]
    if hasattr(X, "shape"):
        return X[rows]
    taken = [X[row] for row in rows]
    return np.asarray(taken) if isinstance(taken[0], (int, float, str, bool)) else taken

"""The cells of a confusion matrix as scores: written per split by a scorer, read back here."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skeval.exceptions import MissingScoreError
from skeval.utils._validation import describe

_KEY = re.compile(r"(?:test|split(?P<split>\d+)_test)_confusion_(?P<true>\d+)_(?P<predicted>\d+)")


def cell_scores(counts: NDArray[Any]) -> dict[str, float]:
    """Return the cells of one matrix (K, K) as a dict of numbers, one key per cell."""
    return {f"confusion_{i}_{j}": float(cell) for (i, j), cell in np.ndenumerate(counts)}


def read_cells(results: Mapping[str, Any]) -> NDArray[np.float64]:
    """Return (n_splits, K, K), or (n_candidates, n_splits, K, K) from `cv_results_`.

    Raises
    ------
    ValueError
        There are no cells.
    MissingScoreError
        A cell is nan.
    """
    if not hasattr(results, "items"):
        raise ValueError(
            "results must be the dict that cross_validate returned, or cv_results_ of a search, got "
            f"{describe(results)}."
        )
    cells: dict[tuple[int, int, int], NDArray[np.float64]] = {}
    for key, value in results.items():
        match = _KEY.fullmatch(key)
        if match:
            place = int(match["split"] or -1), int(match["true"]), int(match["predicted"])
            cells[place] = np.asarray(value, dtype=np.float64)
    if not cells:
        raise ValueError(
            "results must hold the cells of a confusion matrix, but has no key like "
            "'test_confusion_0_0'; run with scoring=ConfusionScorer(labels)."
        )
    classes = range(1 + max(max(true, predicted) for _, true, predicted in cells))
    splits = sorted({split for split, _, _ in cells})
    if len(cells) < len(splits) * len(classes) ** 2:
        raise ValueError(
            f"results must hold all cells of {len(classes)} classes in every split, but lack "
            f"{len(splits) * len(classes) ** 2 - len(cells)} of them."
        )
    # (n_searched_splits, K, K, n_splits or n_candidates)
    stack = np.array([[[cells[split, i, j] for j in classes] for i in classes] for split in splits])
    counts = stack[0].transpose(2, 0, 1) if splits == [-1] else stack.transpose(3, 0, 1, 2)
    failed = np.argwhere(np.isnan(counts))
    if len(failed):
        where = f"split {failed[0][-3]}" + (f" of candidate {failed[0][0]}" if counts.ndim == 4 else "")
        raise MissingScoreError(
            f"The confusion cells of {where} are nan: its fit or score failed; run again with "
            "error_score='raise' to see why."
        )
    return counts

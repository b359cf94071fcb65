"""Bootstrap replicates from whatever a user gives as `cv`: checked, and within what they were drawn."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from sklearn.model_selection import check_cv

from skeval.model_selection._bootstrap import BootstrapSplit
from skeval.model_selection._data import read_data
from skeval.model_selection._fitting import warn_missing_classes
from skeval.model_selection._split_indices import refuse_strange_rows, to_rows
from skeval.model_selection._strata import Split, resolve_strata
from skeval.utils._validation import IntArray


def bootstrap_splits(
    cv: Any,
    X: Any,
    y: Any,
    groups: Any,
    *,
    classes: IntArray | None,
    n_splits: int,
    random_state: Any,
) -> tuple[list[Split], IntArray | None]:
    """Return bootstrap replicates, and the strata within which they were drawn.

    Parameters
    ----------
    cv : splitter, iterable of (train, test) or None
        None: ``BootstrapSplit(n_splits, random_state=random_state)``.
    X, y, groups
        The data, for the splitter.
    classes : ndarray of int of shape (n_samples,) or None
        Class of each sample, of which splits in a list may have kept the numbers.

    Raises
    ------
    ValueError
        A split is no bootstrap replicate.
    """
    n_samples, codes = read_data(X, y, groups)
    splitter = BootstrapSplit(n_splits, random_state=random_state) if cv is None else check_cv(cv)
    # A replicate that drew every sample has an empty test part.
    splits = [
        (to_rows(train, "cv"), to_rows(test, "cv", minimum_size=0))
        for train, test in splitter.split(X, y, groups)
    ]
    refuse_strange_rows(splits, n_samples)
    check_bootstrap(splits, n_samples, codes)
    if isinstance(splitter, BootstrapSplit):
        strata = resolve_strata(y, splitter.stratify)
        return splits, None if strata is None else strata.codes
    return splits, kept_classes(classes, codes, [train for train, _ in splits])


def check_bootstrap(splits: Iterable[Split], n_samples: int, groups: IntArray | None) -> None:
    """Refuse splits that are not bootstrap replicates of the samples, or of the groups."""
    first = None if groups is None else np.unique(groups, return_index=True)[1]
    for number, (train, test) in enumerate(splits):
        counts = np.bincount(train, minlength=n_samples)
        fault = ""
        if len(counts) > n_samples or len(test) != np.count_nonzero(counts == 0) or counts[test].any():
            fault = "does not test on exactly the samples that it did not draw"
        elif first is None and len(train) != n_samples:
            fault = f"trains on {len(train)} draws of {n_samples} samples (give groups that are drawn whole)"
        elif first is not None and (counts != counts[first][groups]).any():
            fault = "draws samples of one group unequally often"
        elif first is not None and counts[first].sum() != len(first):
            fault = f"trains on {counts[first].sum()} draws of {len(first)} groups"
        if fault:
            raise ValueError(
                f"cv must give bootstrap replicates, as BootstrapSplit does, but split {number} {fault}. "
                "The fit on all samples is made apart: give no (all, all) split."
            )


def kept_classes(
    classes: IntArray | None, groups: IntArray | None, trains: Sequence[IntArray]
) -> IntArray | None:
    """Return the classes as strata, if every replicate holds each as often as the data do."""
    if classes is None or groups is not None:
        return None
    counts = np.bincount(classes)
    same = all(np.array_equal(np.bincount(classes[train], minlength=len(counts)), counts) for train in trains)
    return classes if same else None


def warn_undrawn_classes(codes: IntArray | None, classes: Any, splits: Iterable[Split]) -> None:
    """Warn of classes that replicates did not draw, where the samples have classes."""
    if codes is not None:
        warn_missing_classes(
            codes,
            classes,
            [train for train, _ in splits],
            what="bootstrap replicates",
            way_out="cv=BootstrapSplit(stratify=True) keeps every class in every replicate",
        )

"""Hold-out: random disjoint splits in two parts or three."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from skeval.exceptions import StratificationWarning
from skeval.model_selection._data import read_data
from skeval.model_selection._strata import (
    Split,
    Splitter,
    Strata,
    check_stratify,
    cross_counts,
    resolve_strata,
)
from skeval.utils._random import check_generator
from skeval.utils._validation import IntArray, check_int, check_real
from skeval.utils._warnings import warn_user


class HoldOutSplit(Splitter):
    """Random splits in a training and a test part, drawn anew for each split.

    Parameters
    ----------
    n_splits : int, default=1
        Number of splits; the mean over many (100, say) depends less on one lucky draw.
    test_size : float or int, default=0.3
        Share of the samples to test on, strictly between 0 and 1 (rounded to the nearest
        whole number of samples, at least one on each side), or their number.
    stratify : "auto", bool or int, default="auto"
        Whether each side keeps the share of each class, to within one sample. "auto":
        strings, booleans, categories and whole numbers are stratified where every class
        has two members and both sides have room for one of each; otherwise the split is
        plain, with a warning. A continuous y is left alone. True: a class that is too
        small is an error. False: never. An int k >= 2: a numeric y is cut into k quantile
        bins, which are then kept as classes are under True.
    random_state : int, RandomState, Generator or None, default=None
        An int gives the same splits on every call of `split`.

    Raises
    ------
    ValueError
        `n_splits`, `test_size` or `stratify` out of range; `split` raises for data that
        cannot be split so.
    TypeError
        `n_splits` or `test_size` is no number of its kind.

    See Also
    --------
    three_way_split : Training, validation and test part.
    KFoldSplit : Every sample is tested once.

    Notes
    -----
    The dilemma of the test size: a large test part leaves a model trained on less than
    was given, so that its error is too high; a small one gives a noisy estimate. Shares
    from 1/5 to 1/3 are usual.

    A sample that is left over by rounding goes to the class with the largest fraction,
    ties drawn at random.

    With groups, whole groups are drawn in random order, and each is taken for testing
    where that brings the test part nearer to the number of samples asked for (when
    stratified: of each class). The sizes are then met as nearly as whole groups allow,
    and a class that is too small is a warning, also under ``stratify=True``.

    Whole numbers are taken for a numeric target, not for classes, by "auto" where all are
    distinct, or where there are more than ten values with fewer than four samples each on
    average.

    Examples
    --------
    >>> import numpy as np
    >>> from skeval.model_selection import HoldOutSplit
    >>> y = np.repeat(["good", "bad"], 500)
    >>> [(train, test)] = HoldOutSplit(random_state=0).split(y, y)
    >>> len(train), len(test), int((y[test] == "bad").sum())
    (700, 300, 150)
    """

    def __init__(
        self,
        n_splits: int = 1,
        *,
        test_size: float = 0.3,
        stratify: Any = "auto",
        random_state: Any = None,
    ) -> None:
        self.n_splits = check_int(n_splits, "n_splits", minimum=1)
        self.test_size = _check_size(test_size, "test_size")
        self.stratify = check_stratify(stratify)
        self.random_state = random_state

    def _settle(
        self, n_samples: int, strata: Strata | None, groups: IntArray | None
    ) -> tuple[Strata | None, str]:
        n_test = _n_taken(self.test_size, n_samples, "test_size")
        return _settle_parts((n_samples - n_test, n_test), self.stratify, strata, groups)

    def _draw(
        self, n_samples: int, strata: IntArray | None, groups: IntArray | None, rng: np.random.Generator
    ) -> Iterator[Split]:
        n_test = _n_taken(self.test_size, n_samples, "test_size")
        for _ in range(self.n_splits):
            yield _split_once(n_samples, n_test, strata, groups, rng)


def three_way_split(
    X: Any,
    y: Any = None,
    *,
    validation_size: float = 0.2,
    test_size: float = 0.2,
    stratify: Any = "auto",
    groups: Any = None,
    random_state: Any = None,
) -> tuple[IntArray, IntArray, IntArray]:
    """Draw a training, a validation and a test part.

    The validation part is for choices (tuning, early stopping), the test part for one
    last measurement of what was chosen: an error that a choice was made by is too low.

    Parameters
    ----------
    X : array-like, DataFrame, sparse matrix or list of n_samples rows
        Only its length counts.
    y : array-like of shape (n_samples,), default=None
        Target; needed for stratification alone.
    validation_size, test_size : float or int, default=0.2
        Shares of all samples, strictly between 0 and 1, or numbers of samples.
    stratify : "auto", bool or int, default="auto"
        As in `HoldOutSplit`; a class needs three members here.
    groups : array-like of shape (n_samples,), default=None
        Whole groups go to one part.
    random_state : int, RandomState, Generator or None, default=None
        An int gives the same parts on every call.

    Returns
    -------
    train, validation, test : ndarray of int
        Positions; `train` in the order drawn, the others sorted.

    Raises
    ------
    ValueError
        As in `HoldOutSplit`, or nothing is left to train on.

    Examples
    --------
    >>> from skeval.model_selection import three_way_split
    >>> train, validation, test = three_way_split(range(50), random_state=0)
    >>> len(train), len(validation), len(test)
    (30, 10, 10)
    """
    n_samples, codes = read_data(X, y, groups)
    n_validation = _n_taken(_check_size(validation_size, "validation_size"), n_samples, "validation_size")
    n_test = _n_taken(_check_size(test_size, "test_size"), n_samples, "test_size")
    n_train = n_samples - n_validation - n_test
    if n_train < 1:
        raise ValueError(
            f"validation_size={validation_size} and test_size={test_size} leave nothing to train on: "
            f"X has {n_samples} samples."
        )
    strata, warning = _settle_parts(
        (n_train, n_validation, n_test), stratify, resolve_strata(y, check_stratify(stratify)), codes
    )
    if warning:
        warn_user(warning, StratificationWarning)
    kept = None if strata is None else strata.codes
    rng = check_generator(random_state)
    rest, test = _split_once(n_samples, n_test, kept, codes, rng, keep=2)
    train, validation = _split_once(
        len(rest),
        min(n_validation, len(rest) - 1),
        None if kept is None else kept[rest],
        None if codes is None else np.unique(codes[rest], return_inverse=True)[1],
        rng,
    )
    return rest[train], np.sort(rest[validation]), test


def _check_size(size: Any, name: str) -> float:
    """Return a share strictly between 0 and 1, or a number of samples."""
    if isinstance(size, (int, np.integer)) and not isinstance(size, bool):
        return check_int(size, name, minimum=1)
    return check_real(
        size, f"{name} (a share, or a whole number of samples)", low=0, high=1, closed="neither"
    )


def _n_taken(size: float, n_samples: int, name: str) -> int:
    """Return how many samples a share or a number takes, at least one left."""
    if n_samples < 2:
        raise ValueError(f"A split needs at least 2 samples, X has {n_samples}.")
    if isinstance(size, int):
        if size >= n_samples:
            raise ValueError(f"{name}={size} leaves nothing to train on: X has {n_samples} samples.")
        return size
    # Rounded first, so that a share written as a decimal does not lose its half to binary.
    return min(max(int(round(size * n_samples, 9) + 0.5), 1), n_samples - 1)


def _settle_parts(
    sizes: tuple[int, ...], stratify: Any, strata: Strata | None, groups: IntArray | None
) -> tuple[Strata | None, str]:
    """Check that parts of these sizes can be drawn; return the strata to keep and a warning."""
    n_groups = None if groups is None else int(groups.max()) + 1
    if n_groups is not None and n_groups < len(sizes):
        raise ValueError(f"{len(sizes)} parts need at least {len(sizes)} groups, groups names {n_groups}.")
    if strata is None:
        return None, ""
    problem = strata.smaller_than(len(sizes))
    if problem:
        problem += f", but {len(sizes)} parts need at least {len(sizes)}"
    elif min(sizes) < len(strata.names):
        problem = f"a part of {min(sizes)} sample(s) has no room for one of {len(strata.names)} classes each"
    if not problem:
        return strata, ""
    problem = f"In y, {problem}"
    if isinstance(stratify, str):
        return None, f"{problem}: the split is not stratified. Set stratify=False if that is meant."
    if groups is None:
        raise ValueError(f"{problem}. Merge or drop that class, or set stratify=False.")
    return strata, f"{problem}: whole groups balance the classes as nearly as they can."


def _split_once(
    n_samples: int,
    n_test: int,
    strata: IntArray | None,
    groups: IntArray | None,
    rng: np.random.Generator,
    keep: int = 1,
) -> Split:
    """Draw one split: train in the order drawn, test sorted; `keep` groups at least stay out of test."""
    order = rng.permutation(n_samples)
    if groups is not None:
        table = cross_counts(groups, strata)
        taken = _take_groups(table, n_test / n_samples, keep, rng)[groups[order]]
    elif strata is not None:
        taken = _take_from_strata(strata[order], n_test, rng)
    else:
        taken = np.arange(n_samples) < n_test
    return order[~taken], np.sort(order[taken])


def _take_from_strata(codes: IntArray, n_test: int, rng: np.random.Generator) -> Any:
    """Mark the first members of each stratum, as many as its share (largest remainder)."""
    counts = np.bincount(codes)
    # In integers, so that equal remainders tie exactly.
    quota, remainder = np.divmod(counts * n_test, len(codes))
    first = np.lexsort((rng.random(len(counts)), -remainder))[: n_test - quota.sum()]
    quota[first] += 1
    by_stratum = np.argsort(codes, kind="stable")
    place = np.empty(len(codes), dtype=np.int64)
    place[by_stratum] = np.arange(len(codes)) - np.repeat(np.cumsum(counts) - counts, counts)
    return place < quota[codes]


def _take_groups(table: IntArray, share: float, keep: int, rng: np.random.Generator) -> Any:
    """Mark groups for testing, in random order, where that brings every class nearer to its share.

    `table` counts the members of each class (column) in each group (row). A group g is
    taken if that lessens the squared distance to the share and leaves `keep` groups.
    """
    portions = table / np.maximum(table.sum(axis=0), 1)
    taken = np.zeros(len(table), dtype=bool)
    missing = np.full(table.shape[1], share)
    order = rng.permutation(len(table))
    left = len(table) - keep
    for group in order:
        if left and portions[group] @ (2 * missing - portions[group]) > 0:
            taken[group] = True
            missing -= portions[group]
            left -= 1
            if (missing <= 0).all():
                break
    if not taken.any():  # every group is too large: the smallest overshoot
        taken[order[((portions[order] - share) ** 2).sum(axis=1).argmin()]] = True
    return taken

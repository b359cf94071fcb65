"""k-fold cross-validation, repeated k-fold, leave-one-out, and five times two folds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from skeval.model_selection._strata import Split, Splitter, Strata, check_stratify, cross_counts
from skeval.utils._validation import IntArray, check_int, check_option


class KFoldSplit(Splitter):
    """k disjoint parts of nearly equal size, each tested once, with repeats.

    Parameters
    ----------
    n_splits : int, default=10
        Number k of parts; 5, 10 and 20 are usual. The number of samples itself is
        leave-one-out.
    n_repeats : int, default=1
        Number of repeats, each with another shuffle (10 repeats of 10 parts are usual).
        Repeats come one after the other.
    stratify : "auto", bool or int, default="auto"
        Whether the numbers of each class differ by at most one between the parts. "auto":
        strings, booleans, categories and whole numbers are stratified; a class with fewer
        members than parts is spread over as many parts as it has members, with a warning.
        A continuous y is left alone. True: a class with fewer members than parts is an
        error. False: never. An int >= 2: a numeric y is cut into so many quantile bins,
        which are then kept as classes are under True.
    shuffle : bool, default=True
        False: consecutive blocks of samples (of each class, when stratified).
    random_state : int, RandomState, Generator or None, default=None
        An int gives the same splits on every call of `split`.

    Raises
    ------
    ValueError
        `n_splits`, `n_repeats` or `stratify` out of range, or repeats without a shuffle;
        `split` raises for data that cannot be split so.
    TypeError
        `n_splits` or `n_repeats` is no integer.

    See Also
    --------
    FiveByTwoSplit : Five repeats of two parts, for the 5x2cv tests.
    count_fits : Number of fits that a search will take.

    Notes
    -----
    The sizes of the parts differ by at most one, stratified or not.

    Leave-one-out (as many parts as samples) is the same set of splits under any shuffle:
    it is never stratified, and more than one repeat is refused. It takes one fit per
    sample: a million samples are a million fits.

    With groups, whole groups go to parts: the largest first (in random order among groups
    of similar size, within a factor of two), each to the part that holds least of the same
    classes so far, or least samples when not stratified. No part is empty. Sizes are then
    as equal as whole groups allow, and a class that is too small is a warning, also under
    ``stratify=True``.

    "auto" takes whole numbers for a numeric target as `HoldOutSplit` does.

    Examples
    --------
    >>> import numpy as np
    >>> from skeval.model_selection import KFoldSplit
    >>> y = np.array(["a"] * 9 + ["b"] * 3)
    >>> for train, test in KFoldSplit(3, random_state=0).split(y, y):
    ...     print(len(train), int((y[test] == "a").sum()), int((y[test] == "b").sum()))
    8 3 1
    8 3 1
    8 3 1
    >>> KFoldSplit(10, n_repeats=10).get_n_splits()
    100
    """

    def __init__(
        self,
        n_splits: int = 10,
        *,
        n_repeats: int = 1,
        stratify: Any = "auto",
        shuffle: bool = True,
        random_state: Any = None,
    ) -> None:
        self.n_splits = check_int(n_splits, "n_splits", minimum=2)
        self.n_repeats = check_int(n_repeats, "n_repeats", minimum=1)
        self.stratify = check_stratify(stratify)
        self.shuffle = check_option(shuffle, "shuffle", (True, False))
        self.random_state = random_state
        if n_repeats > 1 and not shuffle:
            raise ValueError(
                f"n_repeats={n_repeats} needs shuffle=True: without a shuffle every repeat is the same."
            )

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Return the number of splits of all repeats; no data are needed.

        Parameters
        ----------
        X, y, groups : object
            Not used; there because scikit-learn passes them.

        Returns
        -------
        int
        """
        return self.n_splits * self.n_repeats

    def _settle(
        self, n_samples: int, strata: Strata | None, groups: IntArray | None
    ) -> tuple[Strata | None, str]:
        if self.n_splits > n_samples:
            raise ValueError(f"n_splits={self.n_splits} parts need as many samples, X has {n_samples}.")
        if groups is not None and groups.max() + 1 < self.n_splits:
            raise ValueError(
                f"n_splits={self.n_splits} parts need as many groups, groups names {groups.max() + 1}."
            )
        if self.n_splits == n_samples:  # leave-one-out
            if self.n_repeats > 1:
                raise ValueError(
                    f"n_repeats must be 1 where n_splits is the number of samples ({n_samples}), got "
                    f"{self.n_repeats}: no shuffle changes leave-one-out."
                )
            return None, ""
        problem = "" if strata is None else strata.smaller_than(self.n_splits)
        if not problem:
            return strata, ""
        problem = f"In y, {problem}, fewer than n_splits={self.n_splits}"
        if isinstance(self.stratify, str) or groups is not None:
            return strata, f"{problem}: some test parts will lack it."
        raise ValueError(f"{problem}. Use fewer parts, or stratify='auto'.")

    def _draw(
        self, n_samples: int, strata: IntArray | None, groups: IntArray | None, rng: np.random.Generator
    ) -> Iterator[Split]:
        for _ in range(self.n_repeats):
            order = rng.permutation(n_samples) if self.shuffle else np.arange(n_samples)
            if groups is None:
                part = _deal_samples(order, strata, self.n_splits)
            else:
                table = cross_counts(groups, strata)
                part = _deal_groups(table, self.n_splits, rng if self.shuffle else None)[groups]
            for which in range(self.n_splits):
                yield order[part[order] != which], np.flatnonzero(part == which)


class FiveByTwoSplit(KFoldSplit):
    """Five repeats of two parts: (repeat 0, part 0), (repeat 0, part 1), (repeat 1, part 0), ...

    The design of the 5x2cv t-test and F-test (Dietterich 1998; Alpaydin 1999).

    Parameters
    ----------
    stratify : "auto", bool or int, default="auto"
        As in `KFoldSplit`.
    random_state : int, RandomState, Generator or None, default=None
        An int gives the same splits on every call of `split`.

    Raises
    ------
    ValueError
        An unknown `stratify`; `split` raises for data that cannot be split so.

    Examples
    --------
    >>> from skeval.model_selection import FiveByTwoSplit
    >>> splits = list(FiveByTwoSplit(random_state=0).split(range(9)))
    >>> [len(test) for _, test in splits]
    [5, 4, 5, 4, 5, 4, 5, 4, 5, 4]
    """

    def __init__(self, *, stratify: Any = "auto", random_state: Any = None) -> None:
        super().__init__(2, n_repeats=5, stratify=stratify, random_state=random_state)


def _deal_samples(order: IntArray, strata: IntArray | None, n_parts: int) -> IntArray:
    """Return the part of each sample: per stratum, consecutive blocks of `order`.

    The block sizes are those of dealing out the samples one by one, stratum after stratum:
    so the strata and the totals are both even to within one.
    """
    codes = np.zeros(len(order), dtype=np.int64) if strata is None else strata
    queue = order[np.argsort(codes[order], kind="stable")]
    sizes = cross_counts(codes[queue] * n_parts + np.arange(len(queue)) % n_parts, None).ravel()
    part = np.empty(len(order), dtype=np.int64)
    part[queue] = np.repeat(np.arange(len(sizes)) % n_parts, sizes)
    return part


def _deal_groups(table: IntArray, n_parts: int, rng: np.random.Generator | None) -> IntArray:
    """Return the part of each group; `table` counts the classes (columns) in each group (row).

    A group goes to the part where it adds least to the squared class shares, the smaller
    part where these are equal: an empty part always comes first.
    """
    sizes = table.sum(axis=1)
    if rng is None:
        queue = np.argsort(-sizes, kind="stable")
    else:
        shuffled = rng.permutation(len(table))
        queue = shuffled[np.argsort(-np.frexp(sizes[shuffled])[1], kind="stable")]
    weight = 1 / np.maximum(table.sum(axis=0), 1) ** 2
    held = np.zeros((n_parts, table.shape[1]))
    part = np.empty(len(table), dtype=np.int64)
    for group in queue:
        part[group] = np.lexsort((held.sum(axis=1), held @ (weight * table[group])))[0]
        held[part[group]] += table[group]
    return part

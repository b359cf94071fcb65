"""The bootstrap: train on m samples drawn with replacement, test on those never drawn."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from skeval.model_selection._strata import Split, Splitter, Strata, check_stratify, cross_counts
from skeval.utils._validation import IntArray, check_int


class BootstrapSplit(Splitter):
    """Draw m of m samples with replacement to train on; test on the samples never drawn.

    A sample drawn twice is twice in the training part, and no sample is on both sides.

    Parameters
    ----------
    n_splits : int, default=200
        Number of bootstrap replicates.
    stratify : bool or int, default=False
        True: draw within each class, so that the training part has the numbers of each
        class that y has; a class with one member is then always in the training part. An
        int k >= 2: a numeric y is cut into k quantile bins, and drawn within those.
    random_state : int, RandomState, Generator or None, default=None
        An int gives the same splits on every call of `split`.

    Attributes
    ----------
    n_redrawn_ : int
        Replicates that left no sample out and were drawn again, counted since the last
        call of `split`. With more than ten samples there is hardly ever one.

    Raises
    ------
    ValueError
        `n_splits` or `stratify` out of range; `split` raises for data that cannot be
        resampled so.
    TypeError
        `n_splits` is no integer.

    See Also
    --------
    bootstrap_error : .632 and .632+ estimates of the error.
    WithResubstitution : Adds the split (all, all), which .632 in a search needs.

    Notes
    -----
    A sample is left out with probability (1 - 1/m)^m, which tends to 1/e = 0.368. The
    training part thus has about 0.632 m distinct samples, and its error is that of a
    model trained on fewer samples than there are: it is too high, mostly.

    With groups (clusters), G of the G groups are drawn with replacement and come whole: a
    group drawn twice brings its samples twice, and the samples of groups never drawn are
    the test part. The size of the training part then varies. Stratified, every group must
    be of one class.

    The test parts overlap and do not cover the data once: what demands a partition
    (``cross_val_predict``, stacking) refuses this splitter.

    References
    ----------
    Efron, B. and Tibshirani, R. (1997). Improvements on cross-validation: the .632+
    bootstrap method. JASA 92, 548-560.

    Examples
    --------
    >>> from skeval.model_selection import BootstrapSplit
    >>> for train, test in BootstrapSplit(2, random_state=0).split(range(6)):
    ...     print(train, test)
    [5 3 3 1 1 0] [2 4]
    [0 0 1 4 3 5] [2]
    """

    def __init__(self, n_splits: int = 200, *, stratify: Any = False, random_state: Any = None) -> None:
        self.n_splits = check_int(n_splits, "n_splits", minimum=1)
        self.stratify = check_stratify(stratify, auto=False)
        self.random_state = random_state

    def _settle(
        self, n_samples: int, strata: Strata | None, groups: IntArray | None
    ) -> tuple[Strata | None, str]:
        if n_samples < 2:
            raise ValueError(f"A bootstrap split needs at least 2 samples, X has {n_samples}.")
        if groups is not None and groups.max() == 0:
            raise ValueError("A bootstrap of groups needs at least 2 groups, groups names 1.")
        if strata is not None:
            if groups is not None:
                self._check_pure_groups(strata.codes, groups)
            units = strata.counts if groups is None else np.bincount(_unit_strata(strata.codes, groups))
            if units.max() == 1:
                raise ValueError(
                    "stratify must be False where every class has one member (or group): drawing within "
                    "classes would leave nothing to test on."
                )
        self.n_redrawn_ = 0
        return strata, ""

    @staticmethod
    def _check_pure_groups(strata: IntArray, groups: IntArray) -> None:
        mixed = (cross_counts(groups, strata) > 0).sum(axis=1) > 1
        if mixed.any():
            raise ValueError(
                f"stratify must be False where a group holds several classes, as {int(mixed.sum())} of "
                f"{len(mixed)} do: whole groups cannot be drawn within classes."
            )

    def _draw(
        self, n_samples: int, strata: IntArray | None, groups: IntArray | None, rng: np.random.Generator
    ) -> Iterator[Split]:
        n_units = n_samples if groups is None else int(groups.max()) + 1
        if strata is not None and groups is not None:
            strata = _unit_strata(strata, groups)
        for _ in range(self.n_splits):
            drawn, left_out = _draw_units(n_units, strata, rng)
            while not left_out.any():
                self.n_redrawn_ += 1
                drawn, left_out = _draw_units(n_units, strata, rng)
            if groups is None:
                yield drawn, np.flatnonzero(left_out)
            else:
                yield _rows_of(drawn, groups), np.flatnonzero(left_out[groups])


def _unit_strata(strata: IntArray, groups: IntArray) -> IntArray:
    """Return the stratum of each group, from its first sample."""
    return strata[np.unique(groups, return_index=True)[1]]


def _draw_units(n_units: int, strata: IntArray | None, rng: np.random.Generator) -> tuple[IntArray, Any]:
    """Draw as many units as there are, within strata; return them and which were left out."""
    if strata is None:
        drawn = rng.integers(0, n_units, size=n_units)
    else:
        # A random order of the draws, then a member of the same stratum for each.
        members, sizes = np.argsort(strata, kind="stable"), np.bincount(strata)
        which = strata[rng.permutation(n_units)]
        drawn = members[(np.cumsum(sizes) - sizes)[which] + rng.integers(0, sizes[which])]
    left_out = np.ones(n_units, dtype=bool)
    left_out[drawn] = False
    return drawn, left_out


def _rows_of(drawn: IntArray, groups: IntArray) -> IntArray:
    """Return the samples of the drawn groups, group after group."""
    members, sizes = np.argsort(groups, kind="stable"), np.bincount(groups)
    lengths = sizes[drawn]
    within = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    return members[np.repeat((np.cumsum(sizes) - sizes)[drawn], lengths) + within]

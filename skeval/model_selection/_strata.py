"""What the splitters share: strata and groups as integer codes, and the base class that reads them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from sklearn.model_selection import BaseCrossValidator

from skeval.exceptions import StratificationWarning
from skeval.model_selection._data import by_appearance, read_data
from skeval.utils._labels import LabelArray, factorize, plain, to_labels
from skeval.utils._random import check_generator
from skeval.utils._validation import IntArray, check_int, check_vector
from skeval.utils._warnings import warn_user

Split = tuple[IntArray, IntArray]

# Whole numbers with more distinct values than this, and few samples each, are no classes.
_MANY_VALUES = 10
_FEW_SAMPLES_EACH = 4


class Strata(NamedTuple):
    """One code per sample, and what each code is called in a message."""

    codes: IntArray
    names: list[str]
    counts: IntArray

    def smaller_than(self, minimum: int) -> str:
        """Say which strata have fewer members than `minimum`; "" if none has."""
        small = np.flatnonzero(self.counts < minimum)
        told = [
            f"{self.names[code]} has {self.counts[code]} member{'' if self.counts[code] == 1 else 's'}"
            for code in small[:5]
        ]
        return ", ".join(told) + (f" and {len(small) - 5} more are as small" if len(small) > 5 else "")


def check_stratify(stratify: Any, *, auto: bool = True) -> Any:
    """Return `stratify` if it is "auto" (where allowed), True, False or a number of bins."""
    if isinstance(stratify, bool) or (auto and isinstance(stratify, str) and stratify == "auto"):
        return stratify
    if isinstance(stratify, (int, np.integer)):
        return check_int(stratify, "stratify (a number of bins)", minimum=2)
    options = "'auto', True, False" if auto else "True, False"
    raise ValueError(f"stratify must be one of {options} or a number of quantile bins, got {stratify!r}.")


def resolve_strata(y: Any, stratify: Any) -> Strata | None:
    """Return the strata that `stratify` asks for; None: do not stratify.

    "auto" stratifies strings, booleans, categories and whole numbers. It leaves alone a y
    that is missing, continuous or has several columns, and whole numbers that are plainly
    a numeric target: all distinct, or more than ten values with fewer than four samples
    each on average.
    """
    auto = isinstance(stratify, str)
    if stratify is False or (auto and y is None):
        return None
    if y is None:
        raise ValueError(f"stratify={stratify!r} needs y: pass it to split(), or set stratify=False.")
    if stratify is not True and not auto:
        return _quantile_bins(y, stratify)
    labels = _class_labels(y)
    if labels is None and not auto:
        raise ValueError(
            "stratify=True needs one column of class labels, but y is not; for a continuous y give a "
            "number of quantile bins, as in stratify=5, or set stratify=False."
        )
    if labels is None or not len(labels):
        return None
    codes, classes = by_appearance(labels)
    if auto and labels.dtype.kind == "i" and _is_numeric_target(len(classes), len(labels)):
        return None
    return Strata(codes, [f"class {plain(label)!r}" for label in classes], np.bincount(codes))


def _class_labels(y: Any) -> LabelArray | None:
    """Return y as labels; None where it is continuous or has several columns or fields."""
    try:
        return to_labels(y, "y")
    except ValueError as not_labels:
        array = np.asarray(y)
        if (array.ndim > 1 and array.shape[1:] != (1,)) or array.dtype.kind in "cVmM":
            return None
        try:
            check_vector(array, "y")
        except ValueError:
            raise not_labels from None
        return None


def _is_numeric_target(n_values: int, n_samples: int) -> bool:
    return n_values == n_samples or n_values > max(_MANY_VALUES, n_samples / _FEW_SAMPLES_EACH)


def _quantile_bins(y: Any, n_bins: int) -> Strata:
    """Cut a numeric y at its quantiles; equal values share a bin, empty bins go."""
    values = check_vector(y, "y")
    edges = np.quantile(values, np.arange(1, n_bins) / n_bins)
    codes, bins = factorize(np.searchsorted(edges, values, side="right"))
    return Strata(codes, [f"bin {which + 1} of {n_bins}" for which in bins], np.bincount(codes))


def cross_counts(rows: IntArray, columns: IntArray | None) -> IntArray:
    """Return how many samples have each pair of codes; one column where `columns` is None."""
    if columns is None:
        return np.bincount(rows)[:, None]
    height, width = int(rows.max()) + 1, int(columns.max()) + 1
    return np.bincount(rows * width + columns, minlength=height * width).reshape(height, width)


class Splitter(BaseCrossValidator):
    """Base of the splitters: reads X, y and groups, leaves the drawing to `_draw`."""

    # Lets groups reach split() where metadata routing is enabled.
    __metadata_request__split = {"groups": True}  # noqa: RUF012

    n_splits: int
    stratify: Any
    random_state: Any

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Return the number of splits; no data are needed.

        Parameters
        ----------
        X, y, groups : object
            Not used; there because scikit-learn passes them.

        Returns
        -------
        int
        """
        return self.n_splits

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[Split]:
        """Draw the splits.

        Parameters
        ----------
        X : array-like, DataFrame, sparse matrix or list of n_samples rows
            Only its length counts.
        y : array-like of shape (n_samples,), default=None
            Target, of any label type; needed for stratification alone.
        groups : array-like of shape (n_samples,), default=None
            Group of each sample, of any label type, no entry missing. A group is never
            on both sides of a split.

        Yields
        ------
        train : ndarray of int
            Positions of the training samples, in the order drawn.
        test : ndarray of int
            Positions of the test samples, sorted.

        Raises
        ------
        ValueError
            Too few samples, groups or members of a class; lengths differ; a label or a
            group is missing.

        Warns
        -----
        StratificationWarning
            Once per call, where a class is too small and `stratify` is not strict.
        """
        n_samples, codes = read_data(X, y, groups)
        strata, warning = self._settle(n_samples, resolve_strata(y, self.stratify), codes)
        if warning:
            warn_user(warning, StratificationWarning)
        return self._draw(
            n_samples, None if strata is None else strata.codes, codes, check_generator(self.random_state)
        )

    @abstractmethod
    def _settle(
        self, n_samples: int, strata: Strata | None, groups: IntArray | None
    ) -> tuple[Strata | None, str]:
        """Check sizes; return the strata to keep, and what to warn of."""

    @abstractmethod
    def _draw(
        self, n_samples: int, strata: IntArray | None, groups: IntArray | None, rng: np.random.Generator
    ) -> Iterator[Split]:
        """Yield the splits."""

"""One more split, (all, all), after those of another splitter."""

from __future__ import annotations

import numbers
from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.model_selection import BaseCrossValidator, check_cv

from skeval.model_selection._data import read_data
from skeval.model_selection._k_fold import KFoldSplit
from skeval.model_selection._strata import Split
from skeval.utils._validation import check_int


class WithResubstitution(BaseCrossValidator):
    """The splits of another splitter, then one last split (all samples, all samples).

    The score of that last split is the resubstitution score: of the model trained on all
    samples, on those same samples. With ``cv=WithResubstitution(BootstrapSplit(...))`` and
    cells from `ConfusionScorer`, ``cross_validate`` and ``GridSearchCV`` hold all that
    .632 and .632+ need.

    Parameters
    ----------
    cv : int, splitter or iterable of (train, test)
        What scikit-learn takes for ``cv``; an int k is ``KFoldSplit(k, shuffle=False)``.

    Raises
    ------
    ValueError
        `cv` is no splitter, fewer than 2 parts, or has the resubstitution split already.
    TypeError
        `cv` is a bool.

    See Also
    --------
    Bootstrap632Refit : Picks the candidate of a search by .632 or .632+.
    bootstrap_error_from_results : Reads a ``cross_validate`` result.

    Warnings
    --------
    scikit-learn expects that train and test have no sample in common, and this breaks it
    on purpose. Whatever averages over splits mixes the resubstitution score into the mean:
    in a search ``mean_test_*``, ``std_test_*``, ``rank_test_*`` (and ``best_score_`` where
    ``refit`` is a name) are not estimates of an error. Pass it to ``cross_validate`` or to
    a search with ``refit=Bootstrap632Refit()``, and to nothing else: not to
    ``learning_curve``, ``validation_curve``, ``RFECV``, ``permutation_test_score``,
    ``LogisticRegressionCV``, ``CalibratedClassifierCV``, ``TunedThresholdClassifierCV`` or
    a halving search, which run and mislead.

    Examples
    --------
    >>> from skeval.model_selection import KFoldSplit, WithResubstitution
    >>> cv = WithResubstitution(KFoldSplit(2, shuffle=False))
    >>> for train, test in cv.split(range(4)):
    ...     print(train, test)
    [2 3] [0 1]
    [0 1] [2 3]
    [0 1 2 3] [0 1 2 3]
    """

    # Lets groups reach split(), which hands them on or refuses them.
    __metadata_request__split = {"groups": True}  # noqa: RUF012

    def __init__(self, cv: Any) -> None:
        if isinstance(cv, WithResubstitution):
            raise ValueError("cv has the resubstitution split already.")
        # A generator would be spent after one use, and cannot be copied.
        self.cv = cv if hasattr(cv, "split") or not hasattr(cv, "__iter__") else list(cv)
        self._splitter()

    def _splitter(self) -> Any:
        """Return `cv` as a splitter."""
        if self.cv is None or isinstance(self.cv, numbers.Integral):
            return KFoldSplit(5 if self.cv is None else check_int(self.cv, "cv", minimum=2), shuffle=False)
        return check_cv(self.cv)

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Return one more than the number of splits of the inner splitter.

        Parameters
        ----------
        X, y, groups : object, default=None
            Handed to the inner splitter.

        Returns
        -------
        int
        """
        return int(self._splitter().get_n_splits(X, y, groups)) + 1

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[Split]:
        """Yield the splits of the inner splitter, then (all, all).

        Parameters
        ----------
        X : array-like, DataFrame, sparse matrix or list of n_samples rows
        y : array-like of shape (n_samples,), default=None
        groups : array-like of shape (n_samples,), default=None
            Handed to the inner splitter.

        Yields
        ------
        train, test : ndarray of int

        Raises
        ------
        ValueError
            `groups` are given and the inner splitter would ignore them.
        """
        inner = self._splitter()
        if groups is not None and not takes_groups(inner):
            raise ValueError(
                f"groups must be None: {type(inner).__name__} would ignore them; use a splitter that keeps "
                "groups together, such as BootstrapSplit."
            )
        n_samples, _ = read_data(X, y, groups)
        return self._then_all(inner.split(X, y, groups), n_samples)

    @staticmethod
    def _then_all(splits: Iterator[Split], n_samples: int) -> Iterator[Split]:
        yield from splits
        yield np.arange(n_samples), np.arange(n_samples)


def takes_groups(splitter: Any) -> bool:
    """Return whether a splitter asks for groups; one without metadata routing is trusted."""
    routing = getattr(splitter, "get_metadata_routing", None)
    if routing is None:
        return True
    return bool(routing().split.requests.get("groups"))

"""Scores per split with the rows that each split trained and tested on."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from skeval.exceptions import MissingScoreError, SplitMismatchError
from skeval.model_selection._corrected_variance import corrected_variance, size_ratio
from skeval.model_selection._split_indices import (
    Splits,
    as_splits,
    is_resubstitution,
    listed,
    n_distinct,
    refuse_leaks,
    run_splitter,
)
from skeval.utils._optional import import_optional
from skeval.utils._validation import LARGEST, FloatArray, IntArray, check_int, to_floats


class CVScores:
    """Scores of one method on the splits of one data set.

    Greater is better, as scikit-learn's scorers have it. Splits are counted from 0.

    Parameters
    ----------
    scores : array-like of shape (n_splits,) or (n_candidates, n_splits)
        nan is kept; tests refuse it. Infinite scores are refused.
    n_train, n_test : int or array-like of int of shape (n_splits,), default=None
        Distinct training rows and test rows per split. Counted where `indices` are given.
    indices : dict or iterable, default=None
        ``{"train": [...], "test": [...]}`` as `cross_validate` returns it, or pairs
        (train, test), of row numbers or boolean masks.
    train_scores : array-like of the shape of `scores`, default=None
        Scores of each split's model on its own training rows.
    metric : str, default=None
        Name of the score, for printing.

    Attributes
    ----------
    scores : ndarray of shape (n_splits,) or (n_candidates, n_splits)
    train_scores : ndarray of the same shape or None
    n_train, n_test : ndarray of shape (n_splits,) or None
    indices : list of (train, test) or None
        scikit-learn takes it as ``cv``.
    resubstitution : float, ndarray of shape (n_candidates,) or None
        Score of a last split that tests on the rows it trained on; it is no test score
        and is not in `scores`.
    metric : str or None

    Raises
    ------
    ValueError
        Shapes that do not fit; sizes below 1; a split other than the last that tests on
        the rows it trained on.
    MissingScoreError
        A score is infinite, or above 1e60 in size.

    See Also
    --------
    CVScores.from_results : Read what scikit-learn returned.

    Examples
    --------
    >>> from skeval.model_selection import CVScores
    >>> CVScores([0.9, 0.8, 0.85], n_train=100, n_test=50)
    CVScores(3 splits, mean 0.85, sd 0.05, n_train 100, n_test 50)
    """

    def __init__(
        self,
        scores: ArrayLike,
        *,
        n_train: Any = None,
        n_test: Any = None,
        indices: Any = None,
        train_scores: ArrayLike | None = None,
        metric: str | None = None,
    ) -> None:
        self.scores = _score_array(scores, "scores")
        self.train_scores = None if train_scores is None else _score_array(train_scores, "train_scores")
        if self.train_scores is not None and self.train_scores.shape != self.scores.shape:
            raise ValueError(
                f"train_scores must have the shape of scores, {self.scores.shape}, "
                f"got {self.train_scores.shape}."
            )
        self.metric = metric
        self.indices: Splits | None = None
        self.resubstitution: Any = None
        if indices is None:
            self.n_train = check_sizes(n_train, "n_train", self.n_splits)
            self.n_test = check_sizes(n_test, "n_test", self.n_splits)
        elif n_train is not None or n_test is not None:
            raise ValueError("n_train and n_test are counted from indices: give indices or sizes, not both.")
        else:
            self._take_indices(as_splits(indices))

    def _take_indices(self, splits: Splits) -> None:
        """Keep the splits and their sizes; set a last split (all, all) apart."""
        if len(splits) != self.n_splits:
            raise SplitMismatchError(
                f"indices must have one split per score: {self.n_splits} scores, {len(splits)} splits."
            )
        same = [is_resubstitution(train, test) for train, test in splits]
        if any(same[:-1]):
            raise ValueError(
                f"Split {same.index(True)} tests on the rows it was trained on; only the last split may, "
                "as the resubstitution error. Drop it: its score is not a test score."
            )
        if same[-1]:
            if self.n_splits == 1:
                raise ValueError("indices must have a split whose test rows were not trained on; got none.")
            splits, last = splits[:-1], self.scores[..., -1]
            self.resubstitution = float(last) if self.scores.ndim == 1 else last
            self.scores = self.scores[..., :-1]
            self.train_scores = None if self.train_scores is None else self.train_scores[..., :-1]
        self.indices = splits
        self.n_train = np.array([n_distinct(train) for train, _ in splits])
        self.n_test = np.array([len(test) for _, test in splits])

    @classmethod
    def from_results(
        cls,
        results: Any,
        *,
        metric: str | None = None,
        cv: Any = None,
        X: Any = None,
        y: Any = None,
        groups: Any = None,
    ) -> CVScores:
        """Read the scores that scikit-learn returned.

        Parameters
        ----------
        results : dict, data frame, fitted search, or array-like
            What `cross_validate` returned (best with ``return_indices=True``), a fitted
            search or its ``cv_results_`` (scores of shape (n_candidates, n_splits)), or
            the scores themselves.
        metric : str, default=None
            Name of one score; None where there is one only.
        cv : splitter or iterable of (train, test), default=None
            Makes the indices where `results` has none. It must give the same splits
            again: an int `random_state`, or no shuffling.
        X, y, groups : array-like, default=None
            What `cv` split; X may be left out where `y` is given.

        Returns
        -------
        CVScores

        Raises
        ------
        ValueError
            No such score, or several and none named; a `cv` that draws new splits.

        Examples
        --------
        >>> from sklearn.datasets import load_iris
        >>> from sklearn.model_selection import KFold, cross_validate
        >>> from sklearn.tree import DecisionTreeClassifier
        >>> X, y = load_iris(return_X_y=True)
        >>> cv = KFold(5, shuffle=True, random_state=0)
        >>> tree = DecisionTreeClassifier(random_state=0)
        >>> results = cross_validate(tree, X, y, cv=cv, return_indices=True)
        >>> scores = CVScores.from_results(results)
        >>> scores.n_train, scores.n_test
        (array([120, 120, 120, 120, 120]), array([30, 30, 30, 30, 30]))
        """
        if isinstance(results, cls):
            if metric is not None and results.metric not in (None, metric):
                raise ValueError(f"metric is {metric!r} but these are scores of {results.metric!r}.")
            return results
        table = _as_mapping(results)
        train: Any = None
        indices: Any = None
        if table is None:
            scores = results
        elif any(_SEARCH_KEY.match(str(key)) for key in table):
            scores, train, metric = _read_search(table, metric)
        else:
            metric = _choose_metric([key[5:] for key in map(str, table) if key.startswith("test_")], metric)
            scores, train = table[f"test_{metric}"], table.get(f"train_{metric}")
            indices = table.get("indices")
        if indices is None and cv is not None:
            indices = run_splitter(cv, X, y, groups)
        return cls(scores, indices=indices, train_scores=train, metric=metric)

    @property
    def n_splits(self) -> int:
        """Number of splits with a test score."""
        return self.scores.shape[-1]

    @property
    def optimism(self) -> FloatArray:
        """Test error minus training error per split: training score minus test score."""
        if self.train_scores is None:
            raise ValueError("optimism needs training scores: call cross_validate(return_train_score=True).")
        return self.train_scores - self.scores

    @property
    def omitted(self) -> tuple[int, ...]:
        """Splits whose score is missing for the method, or for any candidate; counted from 0."""
        missing = np.isnan(self.scores).reshape(-1, self.n_splits).any(axis=0)
        return tuple(np.flatnonzero(missing).tolist())

    @property
    def n_used(self) -> int:
        """Number of splits that `mean` is taken over."""
        return self.n_splits - len(self.omitted)

    def mean(self) -> Any:
        """Return the mean score over the splits that are not `omitted`.

        Returns
        -------
        float, or ndarray of shape (n_candidates,)
            An average over splits, not a pooled figure. Candidates are compared on the splits
            that all of them have.

        Raises
        ------
        MissingScoreError
            No split has a score.
        """
        if not self.n_used:
            raise MissingScoreError(
                f"A mean needs a score, but all {self.n_splits} splits miss one: mend those fits, or use "
                "larger test parts that hold every class."
            )
        used = np.delete(self.scores, self.omitted, axis=-1).mean(axis=-1)
        return float(used) if self.scores.ndim == 1 else used

    def standard_error(self) -> Any:
        """Return the standard error of the mean score, corrected for shared training rows.

        Returns
        -------
        float, or ndarray of shape (n_candidates,)
            sqrt((1/J + n_test/n_train) s^2), Nadeau & Bengio (2003), equation 9; nan where
            a score is.

        Raises
        ------
        ValueError
            Fewer than two splits, or their sizes are not known; a split tests on rows that it
            trained on.
        """
        if self.n_splits < 2 or self.n_train is None or self.n_test is None:
            raise ValueError(
                "A standard error needs at least 2 splits and their sizes: pass what "
                "cross_validate(return_indices=True) returned, or n_train and n_test."
            )
        refuse_leaks(self.indices or [])
        error = np.sqrt(corrected_variance(self.scores, size_ratio(self.n_train, self.n_test)))
        return float(error) if self.scores.ndim == 1 else error

    def frame(self) -> Any:
        """Return a pandas DataFrame with one row per split (and candidate)."""
        pandas = import_optional("pandas", extra="report", purpose="frame()")
        n_candidates = self.scores.size // self.n_splits
        columns: dict[str, Any] = {}
        if self.scores.ndim == 2:
            columns["candidate"] = np.repeat(np.arange(n_candidates), self.n_splits)
        columns["split"] = np.tile(np.arange(self.n_splits), n_candidates)
        columns["score"] = self.scores.ravel()
        if self.train_scores is not None:
            columns["train_score"] = self.train_scores.ravel()
        for name, sizes in (("n_train", self.n_train), ("n_test", self.n_test)):
            if sizes is not None:
                columns[name] = np.tile(sizes, n_candidates)
        return pandas.DataFrame(columns)

    def __len__(self) -> int:
        return len(self.scores)

    def __getitem__(self, candidate: int) -> CVScores:
        """Return the scores of one candidate of a search."""
        if self.scores.ndim == 1:
            raise TypeError("These are the scores of one method; .scores holds them per split.")
        row = check_int(candidate, "candidate")
        chosen = CVScores(
            self.scores[row],
            train_scores=None if self.train_scores is None else self.train_scores[row],
            metric=self.metric,
        )
        chosen.n_train, chosen.n_test, chosen.indices = self.n_train, self.n_test, self.indices
        if self.resubstitution is not None:
            chosen.resubstitution = float(self.resubstitution[row])
        return chosen

    def __repr__(self) -> str:
        parts = [f"{self.n_splits} split{'s' if self.n_splits > 1 else ''}"]
        if self.scores.ndim == 2:
            parts.insert(0, f"{len(self)} candidates")
        else:
            known = self.scores[~np.isnan(self.scores)]
            over = f" over {self.n_used} of them" if self.omitted else ""
            parts += [f"mean {known.mean():.4g}{over}"] if len(known) else []
            parts += [f"sd {known.std(ddof=1):.2g}"] if len(known) > 1 else []
            parts += [f"{listed(self.omitted)} missing"] if self.omitted else []
        for name, sizes in (("n_train", self.n_train), ("n_test", self.n_test)):
            if sizes is not None:
                low, high = sizes.min(), sizes.max()
                parts.append(f"{name} {low}" if low == high else f"{name} {low} to {high}")
        told = "" if self.metric in (None, "score") else f"{self.metric}: "
        return f"CVScores({told}{', '.join(parts)})"


def _score_array(values: Any, name: str) -> FloatArray:
    array = to_floats(values, name).copy()
    if array.ndim not in (1, 2) or not array.size:
        raise ValueError(
            f"{name} must have shape (n_splits,) or (n_candidates, n_splits) and not be empty, "
            f"got {array.shape}."
        )
    refuse_infinite(array, name)
    return array


def refuse_infinite(scores: FloatArray, name: str) -> None:
    """Refuse scores whose mean or variance would be infinite; nan, which tells a failed fit, is kept."""
    bad = np.abs(scores) > LARGEST
    if bad.any():
        where = int(bad.any(axis=0).argmax() if scores.ndim == 2 else bad.argmax())
        raise MissingScoreError(
            f"{name} must be numbers up to {LARGEST:g} in size, or nan for a failed fit, got "
            f"{scores[bad][0]:g} on split {where} (counted from 0): mend that fit, or take the split out."
        )


def check_sizes(value: Any, name: str, n_splits: int) -> IntArray | None:
    """Return a number of rows per split, from one number or one per split."""
    if value is None:
        return None
    array = np.asarray(value)
    if array.dtype.kind not in "iu" or array.shape not in ((), (n_splits,)) or array.min() < 1:
        raise ValueError(
            f"{name} must be whole numbers of rows, at least 1: one, or one per split ({n_splits}), "
            f"got {value!r}."
        )
    return np.broadcast_to(array.astype(np.int64), (n_splits,))


_SEARCH_KEY = re.compile(r"split(\d+)_test_(.+)")


def _as_mapping(results: Any) -> Mapping[str, Any] | None:
    """Return results by name; None for plain scores."""
    results = getattr(results, "cv_results_", results)
    if hasattr(results, "columns"):
        results = {str(name): np.asarray(results[name]) for name in results.columns}
    return results if isinstance(results, Mapping) else None


def _choose_metric(found: Iterable[str], metric: str | None) -> str:
    metrics = list(dict.fromkeys(found))
    listed = ", ".join(repr(name) for name in metrics[:10]) + (", ..." if len(metrics) > 10 else "")
    if not metrics:
        raise ValueError(
            "results must hold test scores, as cross_validate or a search returns them; got none."
        )
    if metric is None and len(metrics) > 1:
        raise ValueError(f"metric must name one of the scores in results: {listed}.")
    if metric is not None and metric not in metrics:
        raise ValueError(f"metric must be one of the scores in results, {listed}, got {metric!r}.")
    return metrics[0] if metric is None else metric


def _read_search(table: Mapping[str, Any], metric: str | None) -> tuple[Any, Any, str]:
    """Return scores, training scores and the name of the metric from `cv_results_`."""
    if "n_resources" in table:
        raise ValueError(
            "results of a halving search score candidates on different amounts of data, which cannot be "
            "compared; use the results of a grid or randomized search."
        )
    matches = [match for match in map(_SEARCH_KEY.fullmatch, map(str, table)) if match]
    metric = _choose_metric([match[2] for match in matches], metric)
    splits = sorted(int(match[1]) for match in matches if match[2] == metric)
    scores = np.column_stack([table[f"split{number}_test_{metric}"] for number in splits])
    if f"split0_train_{metric}" not in table:
        return scores, None, metric
    return scores, np.column_stack([table[f"split{number}_train_{metric}"] for number in splits]), metric

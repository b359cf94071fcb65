"""The confusion matrix: counted once, added, stacked, split into pairs, resampled."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skeval.metrics._cells import read_cells
from skeval.metrics._chunks import add_matrices, count_chunk, reduce_chunks
from skeval.metrics._counts import by_pair, check_counts, count_pairs, draw_cells, reweigh, spread, two_by_two
from skeval.metrics._label_measures import LabelMeasures
from skeval.metrics._measure_names import label_measure
from skeval.metrics._shares import one_per_replicate
from skeval.metrics._stored import Arrays, Stored
from skeval.utils._labels import LabelArray, check_binary, check_labels, encode, plain, to_labels
from skeval.utils._optional import import_optional
from skeval.utils._random import check_generator
from skeval.utils._validation import check_int, check_real, check_same_length, check_sample_weight


class ConfusionMatrix(LabelMeasures, Stored):
    """Counts of true against predicted classes, and every label measure made from them.

    Parameters
    ----------
    counts : array-like of shape (..., K, K)
        ``counts[..., i, j]`` is the number (weight) of samples of true class ``labels[i]``
        predicted as ``labels[j]``. Leading axes stack matrices: splits, candidates,
        replicates. Whole numbers are kept as int64.
    labels : array-like of shape (K,), default=None
        Classes in the order of rows and columns; None: 0, ..., K - 1.

    Attributes
    ----------
    counts : ndarray of shape (..., K, K), int64 or float64, read-only
    labels : ndarray of shape (K,)
    total : int, float or ndarray of shape (...)
        Weight of all samples of a matrix.

    Raises
    ------
    ValueError
        Counts that are not square, negative or not finite, or labels that do not fit them.

    Notes
    -----
    A class of a given shape that holds neither true nor predicted samples is left out of
    averages over classes, with a warning that names it. Labels that `from_predictions` saw
    or was given always count, as in scikit-learn.

    Examples
    --------
    >>> from skeval.metrics import ConfusionMatrix
    >>> cm = ConfusionMatrix.from_predictions([0, 1, 1, 0, 1], [0, 1, 0, 0, 1])
    >>> cm.counts
    array([[2, 0],
           [1, 2]])
    >>> round(cm.f_score(), 3), round(cm.g_mean(), 3)
    (0.8, 0.816)

    Matrices of two batches add up to the matrix of both:

    >>> (cm + cm).total
    10
    """

    def __init__(self, counts: ArrayLike, labels: ArrayLike | None = None) -> None:
        self.counts = check_counts(counts)
        size = self.counts.shape[-1]
        self.labels = np.arange(size) if labels is None else check_labels(labels)
        if len(self.labels) != size:
            raise ValueError(
                f"labels must name one class per row of counts: {size} rows, {len(self.labels)} labels."
            )
        self._labels_seen = False

    def _like(self, counts: NDArray[Any]) -> ConfusionMatrix:
        counts = check_counts(counts, whole=False)
        return trusted_matrix(counts, self.labels, seen=self._labels_seen, left_out=self._absent_left_out)

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_pred: Any,
        *,
        labels: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> ConfusionMatrix:
        """Count true against predicted labels.

        Parameters
        ----------
        y_true, y_pred : array-like of shape (n_samples,)
            Labels: int, str or bool in any container (pandas and polars too). Positions
            count, an index does not.
        labels : array-like of shape (K,), default=None
            Classes in the order wanted; None: the sorted union of those seen.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights, not negative.

        Returns
        -------
        ConfusionMatrix
            A single matrix of shape (K, K).

        Raises
        ------
        ValueError
            Lengths differ, a label is missing or not among `labels`, strings against
            numbers, continuous values, or no samples and no labels.
        """
        true, predicted = to_labels(y_true, "y_true"), to_labels(y_pred, "y_pred")
        n_samples = check_same_length(y_true=true, y_pred=predicted)
        weight = check_sample_weight(sample_weight, n_samples)
        given = None if labels is None else check_labels(labels)
        cells, seen = count_pairs(true, predicted, weight, given)
        if not len(seen):
            raise ValueError("y_true and y_pred hold no samples; give labels= for an empty matrix.")
        return trusted_matrix(cells, seen, seen=given is None, left_out=False)

    @classmethod
    def from_chunks(cls, chunks: Iterable[Any], *, labels: ArrayLike | None = None) -> ConfusionMatrix:
        """Count labels that come in chunks; only the cells are kept.

        Parameters
        ----------
        chunks : iterable of (y_true, y_pred) or (y_true, y_pred, sample_weight)
            Each as in `from_predictions`; a chunk may be empty. Or one such tuple of dask
            arrays: each block is counted where it is, no rows are gathered.
        labels : array-like of shape (K,), default=None
            As in `from_predictions`, for all chunks together.

        Returns
        -------
        ConfusionMatrix
            That of `from_predictions` on all samples at once, whatever the order.

        Raises
        ------
        ValueError
            As in `from_predictions`, with the number of the chunk, or a chunk that is no tuple.
        """
        given = None if labels is None else check_labels(labels)
        count = partial(count_chunk, partial(ConfusionMatrix.from_predictions, labels=given))
        summed = reduce_chunks(chunks, count, add_matrices)
        return cls.from_predictions([], [], labels=given) if summed is None else summed

    @classmethod
    def from_cv_results(
        cls, results: Mapping[str, Any], *, labels: ArrayLike | None = None
    ) -> ConfusionMatrix:
        """Collect the cells that `ConfusionScorer` wrote, one matrix per split.

        Parameters
        ----------
        results : dict
            What ``cross_validate(scoring=ConfusionScorer(labels))`` returned, or
            ``cv_results_`` of a search with that scoring.
        labels : array-like of shape (K,), default=None
            The labels that the scorer was given; None: 0, ..., K - 1.

        Returns
        -------
        ConfusionMatrix
            Shape (n_splits, K, K), or (n_candidates, n_splits, K, K) from a search.

        Raises
        ------
        ValueError
            There are no cells in `results`.
        MissingScoreError
            A cell is nan: the fit or the score of a split failed.
        """
        return cls(read_cells(results), labels)

    def __add__(self, other: object) -> ConfusionMatrix:
        if not isinstance(other, ConfusionMatrix):
            return NotImplemented
        if self.counts.shape[:-2] != other.counts.shape[:-2]:
            raise ValueError(
                "Confusion matrices add only where they are stacked alike, got counts of shape "
                f"{self.counts.shape} and {other.counts.shape}; see pooled()."
            )
        both_seen = self._labels_seen and other._labels_seen
        if np.array_equal(self.labels, other.labels) and self.labels.dtype.kind == other.labels.dtype.kind:
            left_out = self._absent_left_out or other._absent_left_out
            summed = check_counts(self.counts + other.counts, whole=False)
            return trusted_matrix(summed, self.labels, seen=both_seen, left_out=left_out)
        if not both_seen:
            raise ValueError(
                "Confusion matrices add only over equal labels in equal order, got "
                f"{[plain(label) for label in self.labels]} and {[plain(label) for label in other.labels]}; "
                "build both with the same labels=."
            )
        (mine, theirs), union = encode({"a": self.labels, "b": other.labels})
        summed = spread(self.counts, mine, len(union)) + spread(other.counts, theirs, len(union))
        return trusted_matrix(check_counts(summed, whole=False), union, seen=True, left_out=False)

    def __radd__(self, other: object) -> ConfusionMatrix:
        # sum([...]) starts from 0.
        return self if isinstance(other, int) and other == 0 else NotImplemented

    def __getitem__(self, index: Any) -> ConfusionMatrix:
        """Return the matrices at an index of the leading axes."""
        if self.counts.ndim == 2:
            raise TypeError("A single confusion matrix has no leading axis to index; see counts.")
        flat = self.counts.reshape(-1, *self.counts.shape[-2:])
        return self._like(flat[np.arange(len(flat)).reshape(self.counts.shape[:-2])[index]])

    def __len__(self) -> int:
        if self.counts.ndim == 2:
            raise TypeError("A single confusion matrix has no length; see total.")
        return len(self.counts)

    def pooled(self) -> ConfusionMatrix:
        """Sum over all leading axes: one matrix of all samples."""
        return self._like(self.counts.reshape(-1, *self.counts.shape[-2:]).sum(axis=0))

    def one_vs_rest(self) -> ConfusionMatrix:
        """Return the matrix of each class against the rest.

        Returns
        -------
        ConfusionMatrix
            Shape (..., K, 2, 2) with labels False (the rest) and True (the class).
        """
        return trusted_matrix(two_by_two(*self._cells), np.array([False, True]))

    def one_vs_one(self) -> OneVsOne:
        """Return the matrix of each unordered pair of classes (i, j), i < j, i positive.

        Only samples of the two classes count; predictions outside the pair are dropped and
        counted.

        Returns
        -------
        OneVsOne
            A ConfusionMatrix of shape (..., K (K - 1) / 2, 2, 2) with labels False and
            True (class i), and the attributes ``pairs`` and ``dropped``.
        """
        i, j, cells, dropped = by_pair(self.counts)
        pairs = [(plain(self.labels[a]), plain(self.labels[b])) for a, b in zip(i, j, strict=True)]
        return OneVsOne(cells, pairs, dropped)

    def at_prevalence(self, prevalence: float, *, pos_label: Any = None) -> ConfusionMatrix:
        """Return the matrix expected where the positive class has another share.

        The rates within each class stay; each row is weighed anew, the total stays.

        Parameters
        ----------
        prevalence : float
            Share of the positive class where the model will run, in [1e-15, 1).
        pos_label : label, default=None
            As in `binary_counts`.

        Returns
        -------
        ConfusionMatrix
            Of weights in place of counts.

        Raises
        ------
        ValueError
            A share outside [1e-15, 1), a matrix without samples of one of the classes, more than
            two classes, or a positive class that is unknown or not named.
        """
        share = check_real(prevalence, "prevalence", low=1e-15, high=1, closed="left")
        positive = self.labels == check_binary(self.labels, pos_label)
        return self._like(reweigh(self.counts, self.labels, positive, share))

    def _to_arrays(self) -> dict[str, Any]:
        flags = {"seen": self._labels_seen, "left_out": self._absent_left_out}
        return {"counts": self.counts, "labels": self.labels, **flags}

    @classmethod
    def _from_arrays(cls, arrays: Arrays) -> ConfusionMatrix:
        counts, labels = check_counts(arrays["counts"], whole=False), check_labels(arrays["labels"])
        return trusted_matrix(counts, labels, seen=bool(arrays["seen"]), left_out=bool(arrays["left_out"]))

    def bootstrap(
        self,
        metric: str | Callable[[ConfusionMatrix], Any],
        n_resamples: int,
        *,
        random_state: Any = None,
    ) -> NDArray[np.float64]:
        """Return a measure of matrices resampled with replacement.

        A resample of rows changes the matrix only through its cells, whose counts are then
        multinomial: drawing them directly is the exact distribution at a cost that does not
        depend on the number of samples.

        Parameters
        ----------
        metric : str or callable
            Name of a measure of labels, such as "f1_macro": as in `get_scorer_names`, losses
            without their ``neg_``; an unknown one is refused with a list. Or a function of a
            stacked ConfusionMatrix that returns one value per matrix.
        n_resamples : int
            At least 1.
        random_state : int, RandomState, Generator or None, default=None

        Returns
        -------
        ndarray of shape (n_resamples,)

        Raises
        ------
        ValueError
            A stack (pool it first), an unknown measure, or counts that are not whole numbers:
            weights that express importance are no frequencies, resample rows instead.
        """
        n_resamples = check_int(n_resamples, "n_resamples", minimum=1)
        if self.counts.ndim > 2:
            raise ValueError("bootstrap() takes a single matrix; choose one, or pooled().")
        if self.counts.dtype.kind == "f" or not self.total:
            raise ValueError(
                "bootstrap() needs whole counts of at least one sample: fractional weights are not "
                "frequencies, resample the rows instead."
            )
        measure = metric if callable(metric) else label_measure(str(metric))
        left_out = absent_left_out(self)
        values = [
            one_per_replicate(measure(trusted_matrix(cells, self.labels, left_out=left_out)), len(cells))
            for cells in draw_cells(self.counts, n_resamples, check_generator(random_state))
        ]
        return np.concatenate(values)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ConfusionMatrix):
            return NotImplemented
        return bool(np.array_equal(self.counts, other.counts) and np.array_equal(self.labels, other.labels))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        names = [plain(label) for label in self.labels]
        if self.counts.ndim > 2:
            return f"ConfusionMatrix of shape {self.counts.shape}, labels {names}"
        return f"ConfusionMatrix({self.counts.tolist()}, labels={names})"

    def frame(self) -> Any:
        """Return a single matrix as a pandas DataFrame, true classes in rows."""
        if self.counts.ndim > 2:
            raise ValueError("frame() shows a single matrix; choose one, or pooled().")
        pandas = import_optional("pandas", extra="report", purpose="frame()")
        names = [plain(label) for label in self.labels]
        index, columns = (pandas.Index(names, name=side) for side in ("true", "predicted"))
        return pandas.DataFrame(self.counts, index, columns)


def trusted_matrix(
    counts: NDArray[Any], labels: LabelArray, *, seen: bool = False, left_out: bool = True
) -> ConfusionMatrix:
    """Return a matrix of counts that need no check; its labels were `seen`, absent ones are `left_out`."""
    matrix = ConfusionMatrix.__new__(ConfusionMatrix)
    matrix.counts, matrix.labels = counts, labels
    matrix._labels_seen, matrix._absent_left_out = seen, left_out
    counts.setflags(write=False)
    return matrix


def absent_left_out(matrix: ConfusionMatrix) -> bool:
    """Return whether averages leave out a class that a resample lacks: one only seen, none that was given."""
    return matrix._labels_seen or matrix._absent_left_out


class OneVsOne(ConfusionMatrix):
    """Matrices of pairs of classes, as `ConfusionMatrix.one_vs_one` returns them.

    Attributes
    ----------
    counts : ndarray of shape (..., n_pairs, 2, 2)
        The second row and column are those of the first class of the pair.
    pairs : list of (label, label)
        The pairs in the order of the last leading axis; the first is positive.
    dropped : ndarray of shape (..., n_pairs)
        Weight of the samples of a pair that were predicted as a third class.

    Examples
    --------
    >>> from skeval.metrics import ConfusionMatrix
    >>> cm = ConfusionMatrix([[5, 1, 2], [0, 7, 1], [1, 1, 8]], labels=["a", "b", "c"])
    >>> pairs = cm.one_vs_one()
    >>> pairs.pairs, pairs.dropped
    ([('a', 'b'), ('a', 'c'), ('b', 'c')], array([3, 2, 1]))
    >>> pairs.recall().round(3)
    array([0.833, 0.714, 0.875])
    """

    def __init__(self, counts: ArrayLike, pairs: list[tuple[Any, Any]], dropped: NDArray[Any]) -> None:
        super().__init__(counts, [False, True])
        self.counts = check_counts(counts, whole=False)
        self.pairs, self.dropped = pairs, dropped

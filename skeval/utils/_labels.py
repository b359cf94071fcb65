"""Class labels of any container and dtype as plain arrays and integer codes."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skeval.utils._validation import IntArray, describe

LabelArray = NDArray[Any]


def to_labels(values: Any, name: str) -> LabelArray:
    """Return labels as a 1-D array of bool, int64 or str.

    Accepts lists, tuples, arrays, pandas (nullable and categorical too) and polars.
    Positions count, an index does not. Whole floats become integers.

    Raises
    ------
    ValueError
        Missing labels, continuous values, more than one column, or labels of mixed types.
    """
    array = _as_array(values, name)
    if array.ndim == 2 and array.shape[1] == 1:
        array = array.ravel()
    if array.ndim != 1:
        raise ValueError(
            f"{name} must be one-dimensional class labels, got {describe(values)}; "
            "multi-label targets are not supported."
        )
    kind: str = array.dtype.kind
    if kind in "OT":  # T: numpy's strings of variable width
        array, kind = _from_objects(array.astype(object, copy=False), name)
    if kind == "f":
        array = array.astype(np.float64, copy=False)  # 2**53 is more than float16 can hold
        missing = np.isnan(array)
        if missing.any():
            raise _missing(name, int(np.flatnonzero(missing)[0]))
        if not (np.abs(array) < 2**53).all() or (array != np.floor(array)).any():
            raise ValueError(
                f"{name} must hold class labels, got continuous values; "
                "labels are integers, strings or booleans."
            )
        return array.astype(np.int64)
    if kind in "iu":
        if array.dtype == np.uint64 and len(array) and array.max() >= 2**63:
            raise ValueError(f"{name} must hold labels below 2**63, got {array.max()}.")
        return array.astype(np.int64, copy=False)
    if kind == "b":
        return array
    if kind == "U":  # in the byte order of this machine
        return array.astype(array.dtype.newbyteorder("="), copy=False)
    raise ValueError(f"{name} must hold integers, strings or booleans, got {describe(array)}.")


def _as_array(values: Any, name: str) -> NDArray[Any]:
    """Return any container as an array, missing entries refused."""
    if isinstance(values, np.ndarray):
        if isinstance(values, np.ma.MaskedArray) and np.ma.getmaskarray(values).any():
            raise _missing(name, int(np.flatnonzero(np.ma.getmaskarray(values).ravel())[0]))
        return values
    if hasattr(values, "isna"):  # pandas
        missing = np.asarray(values.isna())
        if missing.any():
            raise _missing(name, int(np.flatnonzero(missing.ravel())[0]))
        return np.asarray(values)
    if hasattr(values, "null_count") and hasattr(values, "to_numpy"):  # polars, arrow
        if hasattr(values, "is_null"):
            missing = np.asarray(values.is_null())
            if missing.any():
                raise _missing(name, int(np.flatnonzero(missing)[0]))
        return np.asarray(values)
    if isinstance(values, (str, bytes)) or not hasattr(values, "__len__"):
        if hasattr(values, "__array__"):
            return np.asarray(values)
        raise ValueError(f"{name} must be an array of class labels, got {describe(values)}.")
    try:
        array = np.asarray(values)
    except ValueError as error:
        raise ValueError(
            f"{name} must be one-dimensional class labels, got rows of different lengths."
        ) from error
    if array.dtype.kind == "U" and array.ndim == 1 and not hasattr(values, "dtype"):
        # numpy turns [1, "a"] into strings without a word.
        array = np.array(list(values), dtype=object)
    return array


def _from_objects(array: NDArray[Any], name: str) -> tuple[NDArray[Any], str]:
    """Return an object array with its native dtype."""
    types = {type(value) for value in array.tolist()}
    if all(issubclass(kind, str) for kind in types):
        return array.astype(str), "U"
    if all(issubclass(kind, (bool, np.bool_)) for kind in types):
        return array.astype(bool), "b"
    for where, value in enumerate(array.tolist()):
        nan = isinstance(value, (float, np.floating)) and value != value
        if nan or value is None or type(value).__name__ in ("NAType", "NaTType"):
            raise _missing(name, where)
    told = ", ".join(sorted(kind.__name__ for kind in types))
    refused = ValueError(f"{name} must hold labels of one type (integers, strings or booleans), got {told}.")
    if bool in types and len(types) > 1:
        raise refused
    if all(issubclass(kind, (int, np.integer)) for kind in types):
        try:
            return array.astype(np.int64), "i"
        except OverflowError as error:
            raise ValueError(f"{name} must hold labels below 2**63, got larger ones.") from error
    if all(issubclass(kind, (int, float, np.integer, np.floating)) for kind in types):
        return array.astype(np.float64), "f"
    raise refused


def _missing(name: str, where: int) -> ValueError:
    return ValueError(
        f"{name} holds a missing value at position {where}; drop that sample or give it a label."
    )


def factorize(array: LabelArray) -> tuple[IntArray, LabelArray]:
    """Return integer codes and the sorted distinct labels of a `to_labels` array."""
    if not len(array):
        return np.empty(0, dtype=np.int64), array
    if array.dtype.kind == "b":
        array_int, uniques = factorize(array.astype(np.int64))
        return array_int, uniques.astype(bool)
    if array.dtype.kind == "U":
        return _factorize_strings(array)
    low, high = int(array.min()), int(array.max())
    if high - low > 4 * len(array) + 1000:
        uniques, codes = np.unique(array, return_inverse=True)
        return codes, uniques
    shifted = array - low
    present = np.bincount(shifted) > 0
    if present.all():
        return shifted, np.arange(low, high + 1)
    return (np.cumsum(present) - 1)[shifted], np.flatnonzero(present) + low


def _factorize_strings(array: LabelArray) -> tuple[IntArray, LabelArray]:
    """Factorize strings character by character: a few passes over integers sort no text."""
    width = array.dtype.itemsize // 4
    characters = np.ascontiguousarray(array).view(np.uint32).reshape(len(array), width)
    codes = np.zeros(len(array), dtype=np.int64)
    for column in _used_columns(characters):
        step, seen = factorize(characters[:, column].astype(np.int64))
        if len(seen) > 1:
            codes, _ = factorize(codes * len(seen) + step)
    first = np.empty(int(codes.max()) + 1, dtype=np.int64)
    first[codes[::-1]] = np.arange(len(array))[::-1]  # the last one written stays
    return codes, array[first]


def _used_columns(characters: NDArray[np.uint32]) -> IntArray:
    """Return the columns that are not all padding; long rows are reduced faster than short ones."""
    n_rows, width = characters.shape
    whole = n_rows // 64 * 64
    used = characters[whole:].any(axis=0)
    if whole:
        used |= characters[:whole].reshape(-1, 64 * width).max(axis=0).reshape(64, width).any(axis=0)
    return np.flatnonzero(used)


def check_labels(labels: Any) -> LabelArray:
    """Return the given labels as an array, in their order; repeated labels are refused."""
    array = to_labels(labels, "labels")
    if not len(array):
        raise ValueError("labels must name at least one class, got none.")
    codes, uniques = factorize(array)
    if len(uniques) < len(array):
        repeated = uniques[int(np.flatnonzero(np.bincount(codes) > 1)[0])]
        raise ValueError(f"labels must name each class once, got {plain(repeated)!r} twice.")
    return array.copy()  # it may be the array of the caller


def encode(
    arrays: dict[str, LabelArray], labels: LabelArray | None = None
) -> tuple[list[IntArray], LabelArray]:
    """Return codes of several label arrays in one set of labels.

    Parameters
    ----------
    arrays : dict of {name: array from to_labels}
    labels : array or None
        None: the sorted union of what the arrays hold.

    Raises
    ------
    ValueError
        Strings against numbers, or a label that is not among `labels`.
    """
    kinds = {
        name: "strings" if array.dtype.kind == "U" else "numbers"
        for name, array in arrays.items()
        if len(array)
    }
    if labels is not None:
        kinds["labels"] = "strings" if labels.dtype.kind == "U" else "numbers"
    if len(set(kinds.values())) > 1:
        told = ", ".join(f"{name} holds {kind}" for name, kind in kinds.items())
        raise ValueError(f"Labels must be of one type, but {told}; convert one of them.")
    filled = [array for array in arrays.values() if len(array)]
    if not filled:
        seen = np.empty(0, dtype=np.int64) if labels is None else labels
        return [np.empty(0, dtype=np.int64) for _ in arrays], seen
    joined, uniques = factorize(np.concatenate(filled) if len(filled) > 1 else filled[0])
    if labels is None:
        labels = uniques
    else:
        joined = _positions(uniques, labels, arrays)[joined]
    ends = np.cumsum([len(array) for array in arrays.values()]).tolist()
    return [joined[start:end] for start, end in pairwise([0, *ends])], labels


def _positions(uniques: LabelArray, labels: LabelArray, arrays: dict[str, LabelArray]) -> IntArray:
    """Return where each distinct label stands among `labels`."""
    order = np.argsort(labels, kind="stable")
    found = np.minimum(np.searchsorted(labels, uniques, sorter=order), len(labels) - 1)
    position = order[found]
    unknown = labels[position] != uniques
    if unknown.any():
        told = ", ".join(repr(plain(label)) for label in uniques[unknown][:5])
        raise ValueError(
            f"{' and '.join(arrays)} must hold only labels from "
            f"{[plain(label) for label in labels]}, got {told} too; add it to labels or drop those samples."
        )
    return position


def plain(label: Any) -> Any:
    """Return a numpy scalar as the Python value that a user would write."""
    return label.item() if isinstance(label, np.generic) else label


def resolve_pos_label(labels: LabelArray, pos_label: Any) -> Any:
    """Return the positive label.

    None means 1 (True) where the labels are within {0, 1}, {-1, 1} or {False, True},
    one class included; otherwise it must be named.
    """
    present = [plain(label) for label in labels]
    if pos_label is None:
        if labels.dtype.kind != "U" and (set(present) <= {0, 1} or set(present) <= {-1, 1}):
            return True if labels.dtype.kind == "b" else 1
        raise ValueError(
            f"pos_label must name the positive class among the labels {present}: "
            "it is known without a name only for labels 0/1, -1/1 and False/True."
        )
    pos_label = plain(pos_label)
    if pos_label in present:
        return pos_label
    if len(present) > 1 or isinstance(pos_label, str) != (labels.dtype.kind == "U"):
        raise ValueError(f"pos_label must be one of the labels {present}, got {pos_label!r}.")
    return pos_label


def check_binary(labels: LabelArray, pos_label: Any) -> Any:
    """Return the positive label of at most two labels, or say that there are more."""
    if len(labels) > 2:
        raise ValueError(
            f"A binary measure needs two classes, got {len(labels)}: {[plain(label) for label in labels]}; "
            "choose an average, or use one_vs_rest()."
        )
    return resolve_pos_label(labels, pos_label)


def positive_mask(y_true: Any, pos_label: Any, name: str = "y_true") -> tuple[NDArray[np.bool_], Any]:
    """Return which samples are positive, and the positive label (two classes at most)."""
    array = to_labels(y_true, name)
    _, uniques = factorize(array)
    pos_label = check_binary(uniques, pos_label)
    return array == pos_label, pos_label

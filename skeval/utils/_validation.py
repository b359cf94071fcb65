"""Checks of arguments: every message names the parameter, the rule, what came and the way out."""

from __future__ import annotations

import numbers
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

# Products of four sums of weights must neither overflow nor underflow: sums lie in [SMALLEST, LARGEST].
SMALLEST = 1e-60  # not 1/LARGEST, which is a bit larger
LARGEST = 1e60


def check_int(value: Any, name: str, *, minimum: int | None = None) -> int:
    """Return `value` as an int; a bool, a float or a value below `minimum` is refused."""
    rule = "an integer" if minimum is None else f"an integer not less than {minimum}"
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, numbers.Integral):
        raise TypeError(f"{name} must be {rule}, got {value!r}.")
    if minimum is not None and value < minimum:
        raise ValueError(f"{name} must be {rule}, got {value!r}.")
    return int(value)


def check_real(
    value: Any,
    name: str,
    *,
    low: float = -np.inf,
    high: float = np.inf,
    closed: str = "both",
    infinite: bool = False,
) -> float:
    """Return `value` as a float inside the interval from `low` to `high`.

    `closed` is "both", "neither", "left" or "right". nan is refused, and inf unless `infinite`.
    """
    left = closed in ("both", "left") and (infinite or low > -np.inf)
    right = closed in ("both", "right") and (infinite or high < np.inf)
    rule = f"a number in {'[' if left else '('}{low:g}, {high:g}{']' if right else ')'}"
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, numbers.Real):
        raise TypeError(f"{name} must be {rule}, got {value!r}.")
    number = float(value)
    above = number >= low if left else number > low
    below = number <= high if right else number < high
    if not (above and below):
        raise ValueError(f"{name} must be {rule}, got {value!r}.")
    return number


def check_level(value: Any, name: str) -> float:
    """Return a confidence level or an alpha: strictly between 0 and 1."""
    return check_real(value, name, low=0, high=1, closed="neither")


def check_option(value: Any, name: str, options: Iterable[Any]) -> Any:
    """Return `value` if it is one of `options`."""
    allowed = tuple(options)
    if isinstance(value, str) and value in allowed:
        return value
    if not any(value is option or (type(value) is type(option) and value == option) for option in allowed):
        listed = ", ".join(repr(option) for option in allowed)
        raise ValueError(f"{name} must be one of {listed}, got {value!r}.")
    return value


def check_vector(
    values: ArrayLike, name: str, *, minimum_size: int = 1, hint: str = "", largest: float = np.inf
) -> FloatArray:
    """Return `values` as a 1-D float64 array without nan or inf.

    The message names the first position that is not finite; `hint` is the way out of a
    second dimension. Integers that float64 would make equal are refused; so are numbers
    above `largest` in size: LARGEST, where they will be squared and summed.
    """
    array = to_floats(values, name)
    if array.ndim == 2 and 1 in array.shape:
        array = array.ravel()
    if array.ndim != 1:
        raise ValueError(f"{name} must be one-dimensional, got an array of shape {array.shape}{hint}.")
    if len(array) < minimum_size:
        raise ValueError(f"{name} must hold at least {minimum_size} value(s), got {len(array)}.")
    finite = np.isfinite(array)
    if not finite.all():
        where = int(np.flatnonzero(~finite)[0])
        raise ValueError(
            f"{name} must hold finite numbers, got {array[where]} at position {where}; "
            "drop or mend that entry first."
        )
    if largest < np.inf and len(array) and np.abs(array).max() > largest:
        raise ValueError(
            f"{name} must hold numbers up to {largest:g} in size, got {np.abs(array).max():.3g}; divide them "
            "by a constant first."
        )
    return array


def to_floats(values: Any, name: str, *, hint: str = "") -> FloatArray:
    """Return numbers of any container and shape as float64, nan where one is missing or masked.

    Complex numbers, text, dates, and integers that float64 would make equal are refused.
    """
    kind = ""
    try:
        if isinstance(values, (list, tuple)) and any(isinstance(row, np.ma.MaskedArray) for row in values):
            values = np.ma.array(values)  # numpy would drop the masks
        kind = _kind(values)
        if kind in "cUSMm":  # numpy would make real numbers of them without a word
            raise TypeError("complex numbers, text or dates")
        if isinstance(values, np.ma.MaskedArray):
            array = np.ma.filled(values.astype(np.float64), np.nan)
        elif hasattr(values, "isna") and hasattr(values, "to_numpy"):  # pandas: NA is no float
            array = values.to_numpy(dtype=np.float64, na_value=np.nan)
        else:
            array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        sort = "real numbers" if kind == "c" else "numbers"
        raise ValueError(f"{name} must hold {sort}, got {describe(values)}{hint}.") from error
    if kind in ("i", "u") and array.size and np.abs(array).max() > 2**53:
        raise ValueError(
            f"{name} must hold integers up to 2**53 in size, got {np.abs(array).max():.0f}; "
            "subtract a constant first, or give floats."
        )
    return array


def _kind(values: Any) -> str:
    """Return the kind of dtype, "U" for objects among which there is text."""
    known = getattr(getattr(values, "dtype", None), "kind", None)
    kind: str = np.asarray(values).dtype.kind if known is None else known
    if kind == "O" and any(isinstance(one, (str, bytes)) for one in np.asarray(values, dtype=object).flat):
        return "U"
    return kind


def check_shape(values: Any, name: str) -> tuple[int, ...]:
    """Return the shape of an array-like; rows of different lengths have none."""
    try:
        return np.shape(values)
    except ValueError as error:
        raise ValueError(f"{name} must have rows of one length, got rows of different lengths.") from error


def check_same_length(**arrays: Any) -> int:
    """Return the common length of the named arrays (None is passed over)."""
    lengths = {name: len(array) for name, array in arrays.items() if array is not None}
    if len(set(lengths.values())) > 1:
        told = ", ".join(f"{name} has {length}" for name, length in lengths.items())
        raise ValueError(f"{' and '.join(lengths)} must have the same length: {told}.")
    return next(iter(lengths.values()))


def check_sample_weight(sample_weight: ArrayLike | None, n_samples: int) -> NDArray[Any] | None:
    """Return weights as a 1-D array, int64 where they are whole numbers, else float64.

    Weights are finite, not negative, not all zero, and of a size that can be multiplied.
    Whole weights stay integers so that sums of them are exact.
    """
    if sample_weight is None:
        return None
    weight = check_vector(sample_weight, "sample_weight", minimum_size=0)
    if len(weight) != n_samples:
        raise ValueError(
            f"sample_weight must have one weight per sample: {n_samples} samples, {len(weight)} weights."
        )
    if (weight < 0).any():
        where = int(np.flatnonzero(weight < 0)[0])
        raise ValueError(f"sample_weight must not be negative, got {weight[where]} at position {where}.")
    if len(weight) and not weight.any():
        raise ValueError("sample_weight must not be all zero: no sample would count.")
    with np.errstate(over="ignore"):
        total = float(weight.sum())
    if len(weight) and not SMALLEST <= total <= LARGEST:
        raise ValueError(
            f"sample_weight must sum to a number from {SMALLEST:g} to {LARGEST:g}, got {total:g}; "
            "multiply all weights by a constant, which changes no share."
        )
    whole = bool((weight == np.floor(weight)).all()) and total < 2**53
    return weight.astype(np.int64) if whole else weight


def describe(value: Any) -> str:
    """Return a short description of a value for a message."""
    shape = getattr(value, "shape", None)
    if shape is not None:
        return f"{type(value).__name__} of shape {tuple(shape)} and dtype {getattr(value, 'dtype', '?')}"
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."

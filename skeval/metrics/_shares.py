"""Shares: 0/0 by one documented rule, with a warning that names measure, class and split."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skeval.exceptions import UndefinedMeasureWarning
from skeval.utils._labels import LabelArray, plain
from skeval.utils._validation import check_real
from skeval.utils._warnings import warn_user

Numbers = NDArray[Any]


def zero_division_rule(value: Any) -> tuple[float, bool]:
    """Return the value of 0/0 and whether to warn."""
    if isinstance(value, str) and value == "warn":
        return 0.0, True
    if isinstance(value, (int, float, np.number)) and (value in (0, 1) or np.isnan(value)):
        return float(value), False
    raise ValueError(f"zero_division must be 'warn', 0, 1 or nan, got {value!r}.")


def beta_squared(beta: Any) -> float:
    """Return the square of the beta of an F-score, which can be multiplied by any count."""
    return check_real(beta, "beta", low=1e-30, high=1e30) ** 2


def ratio(
    numerator: Any,
    denominator: Any,
    measure: str,
    classes: Any,
    fill: tuple[float, bool],
    known: NDArray[np.bool_] | None = None,
) -> Numbers:
    """Divide; a division by 0 gives the fill value with a warning that names measure, class and split.

    `known` marks the entries worth a warning (classes that are left out have their own).
    """
    denominator = np.asarray(denominator)
    if denominator.all():
        return np.asarray(numerator / denominator)
    zero = denominator == 0
    value, warn = fill
    told = zero if known is None else zero & known
    if warn and told.any():
        why = "division by 0" if (np.asarray(numerator)[told] != 0).any() else "0/0"
        warn_undefined(f"{measure} is undefined ({why}){_where(classes, told)} and set to {value:g}.")
    return np.where(zero, value, numerator / np.where(zero, 1, denominator))


def whole_ratio(
    numerator: Any, denominator: Any, measure: str, fill: tuple[float, bool] = (np.nan, True)
) -> Any:
    """`ratio` of two arrays of shape (...) that belong to no single class."""
    if np.ndim(denominator) == 0:
        if denominator:
            return scalar(numerator / denominator)
    elif denominator.all():
        return numerator / denominator
    top, bottom = np.asarray(numerator)[..., None], np.asarray(denominator)[..., None]
    return scalar(ratio(top, bottom, measure, [None], fill)[..., 0])


def _where(classes: Any, mask: NDArray[np.bool_]) -> str:
    """Say which class, and which entry of a stack, a mask of shape (..., n_classes) marks."""
    first = np.argwhere(mask)[0]
    label = classes[first[-1]] if len(classes) > 1 else classes[0]
    told = "" if label is None else f" for class {plain(label)}"
    if mask.ndim > 1:
        index = ", ".join(str(step) for step in first[:-1])
        told += f" in split {index}" if mask.ndim == 2 else f" at ({index})"
    more = int(mask.sum()) - 1
    return told + (f" and {more} more" if more else "")


def warn_left_out(
    measure: str,
    labels: LabelArray,
    absent: NDArray[np.bool_],
    why: str = "has neither true nor predicted samples",
) -> None:
    gone = absent.reshape(-1, len(labels)).any(axis=0)
    names = [str(plain(label)) for label in labels[gone]]
    split = (
        "" if absent.ndim == 1 else f" (first in split {', '.join(map(str, np.argwhere(absent)[0][:-1]))})"
    )
    warn_undefined(f"{measure}: class {', '.join(names)} {why}{split} and is left out.")


def warn_undefined(message: str) -> None:
    warn_user(message, UndefinedMeasureWarning)


@contextmanager
def undefined_not_told() -> Iterator[None]:
    """Pass over warnings of undefined measures: resamples are counted and told of at the end."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedMeasureWarning)
        yield


def scalar(value: Any) -> Any:
    """Return a 0-dimensional array as a Python number."""
    return value.item() if getattr(value, "ndim", 1) == 0 else value


def one_per_replicate(values: Any, size: int) -> NDArray[np.float64]:
    """Return what a metric made of a stack of replicates, one number for each."""
    array = np.asarray(values, dtype=np.float64)
    if array.shape != (size,):
        raise ValueError(
            f"metric must return one value per replicate, an array of shape ({size},), got {array.shape}."
        )
    return array

"""Data sets of an experiment: arrays, bunches, files, OpenML, or a function that loads."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import sklearn.datasets
from numpy.typing import NDArray

from skeval.utils._labels import encode, to_labels
from skeval.utils._optional import import_optional
from skeval.utils._rows import n_rows
from skeval.utils._validation import check_vector, describe

_FORMS = (
    "(X, y), (X, y, groups), a Bunch of scikit-learn, a function without arguments that returns one of "
    'these, a path that ends in .csv or .parquet, {"path": ..., "target": ...}, or the number of a data set '
    "on OpenML"
)


class Data(NamedTuple):
    """One data set, its target checked: labels as a plain array, or finite numbers."""

    X: Any
    y: NDArray[Any]
    groups: Any
    classes: NDArray[Any] | None


@dataclass(frozen=True)
class Source:
    """Where a data set comes from.

    Attributes
    ----------
    name : str
    read : callable without arguments
        Returns (X, y, groups).
    """

    name: str
    read: Callable[[], tuple[Any, Any, Any]]

    def load(self, *, classify: bool) -> Data:
        """Return the data set with its target checked; errors name it.

        Parameters
        ----------
        classify : bool
            Whether `y` holds class labels.
        """
        try:
            X, y, groups = self.read()
            target = to_labels(y, "y") if classify else check_vector(y, "y")
            if not len(target) or n_rows(X) != len(target):
                raise ValueError(
                    "X and y must have the same length, at least 1: "
                    f"X has {n_rows(X)} rows, y has {len(target)}."
                )
            if groups is not None and len(groups) != len(target):
                raise ValueError(f"groups must have one value per row: {len(groups)} for {len(target)} rows.")
        except Exception as error:
            error.add_note(f"(data set {self.name!r})")
            raise
        classes = encode({"y": target})[1] if classify else None
        return Data(X, target, None if groups is None else np.asarray(groups), classes)


def as_source(name: str, given: Any) -> Source:
    """Return the source of a data set from whatever a user gave."""
    if isinstance(given, (str, PathLike)):
        return Source(name, _reader({"path": given}))
    if isinstance(given, int) and not isinstance(given, bool):
        return Source(name, _reader({"openml": given}))
    if isinstance(given, Mapping) and ({"path", "openml", "load"} & set(given)):
        return Source(name, _reader(given))
    if callable(given):
        return Source(name, lambda: _unpack(given(), name))
    parts = _unpack(given, name)
    return Source(name, lambda: parts)


def _unpack(given: Any, name: str) -> tuple[Any, Any, Any]:
    """Return (X, y, groups) from a tuple or a Bunch."""
    if isinstance(given, Mapping) and {"data", "target"} <= set(given):
        return given["data"], given["target"], given.get("groups")
    if isinstance(given, (tuple, list)) and len(given) in (2, 3):
        X, y, *groups = given
        return X, y, groups[0] if groups else None
    raise ValueError(f"datasets[{name!r}] must be {_FORMS}; got {describe(given)}.")


def _reader(given: Mapping[str, Any]) -> Callable[[], tuple[Any, Any, Any]]:
    """Return the function that reads a file, or fetches from OpenML."""
    allowed = {
        "path": ("path", "target", "groups"),
        "openml": ("openml", "target"),
        "load": ("load", "params"),
    }
    kind = next(name for name in allowed if name in given)
    unknown = set(given) - set(allowed[kind])
    if unknown:
        raise ValueError(
            f"A data set with {kind!r} may have {', '.join(map(repr, allowed[kind]))}; "
            f"got {sorted(unknown)} too."
        )
    if kind == "path":
        path = Path(given["path"])
        if path.suffix.lower() not in _READERS:
            raise ValueError(f"A file of data must end in {', '.join(_READERS)}, got {str(path)!r}.")
        return lambda: _read_file(path, given.get("target"), given.get("groups"))
    if kind == "openml":
        target = {"target_column": given["target"]} if "target" in given else {}
        return lambda: _unpack(sklearn.datasets.fetch_openml(data_id=given["openml"], **target), "openml")
    return lambda: _unpack(given["load"](**given.get("params", {})), "load")


_READERS = {".csv": "read_csv", ".parquet": "read_parquet", ".pq": "read_parquet"}


def _read_file(path: Path, target: str | None, groups: str | None) -> tuple[Any, Any, Any]:
    """Read a table; X is a DataFrame of the other columns."""
    pandas = import_optional("pandas", extra="report", purpose=f"Reading {path.suffix} files")
    with path.open("rb") as file:  # whose error names a file that is not there
        table = getattr(pandas, _READERS[path.suffix.lower()])(file)
    names = [str(name) for name in table.columns]
    for role, column in (("target", "target" if target is None else target), ("groups", groups)):
        if column is not None and column not in names:
            raise ValueError(
                f"{path} has no column {column!r} for {role}; name one of {names}: "
                '{"path": ..., "target": <column>, "groups": <column>}.'
            )
    y = table["target" if target is None else target]
    used = [y.name, *([] if groups is None else [groups])]
    return table.drop(columns=used), y, None if groups is None else table[groups].to_numpy()

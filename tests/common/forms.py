"""The forms in which labels, numbers, rows and tables may come."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import polars as pl

from tests.common.entry import Entry


class Form(NamedTuple):
    """Another form of values; `label` makes the same of one label."""

    convert: Callable[[np.ndarray], Any]
    label: Callable[[Any], Any] = lambda label: label
    applies: Callable[[np.ndarray], bool] = lambda values: True


def _text(values: np.ndarray) -> np.ndarray:
    return values.astype(str)


def _binary(values: np.ndarray) -> bool:
    return set(values.tolist()) <= {0, 1}


def _read_only(values: np.ndarray) -> np.ndarray:
    values = values.copy()
    values.flags.writeable = False
    return values


def _strided(values: np.ndarray) -> np.ndarray:
    """Return a view of every second row of a larger array."""
    return np.repeat(values, 2, axis=0)[::2]


def _series(values: np.ndarray, dtype: str | None = None) -> pd.Series:
    """Return a Series whose index counts backwards: positions count, the index does not."""
    return pd.Series(values, index=range(len(values) - 1, -1, -1), dtype=dtype)


def _frame(values: np.ndarray) -> pd.DataFrame:
    return pd.DataFrame(
        values,
        index=range(len(values) + 9, 9, -1),
        columns=[f"c{number}" for number in range(values.shape[1])],
    )


_ARRAYS = {
    "read-only": Form(_read_only),
    "every second of an array": Form(_strided),
    "other byte order": Form(lambda values: values.astype(values.dtype.newbyteorder())),
}

LABEL_DTYPES = {
    **{
        name: Form(lambda values, name=name: values.astype(name))
        for name in ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
    },
    "float32": Form(lambda values: values.astype("float32")),
    "float64": Form(lambda values: values.astype("float64")),
    "bool": Form(lambda values: values.astype(bool), bool, _binary),
    "str": Form(_text, str),
    "object of int": Form(lambda values: values.astype(object)),
    "object of str": Form(lambda values: _text(values).astype(object), str),
    "pandas Int64": Form(lambda values: _series(values, "Int64")),
    "pandas Float64": Form(lambda values: _series(values, "Float64")),
    "pandas boolean": Form(lambda values: _series(values, "boolean"), bool, _binary),
    "pandas string": Form(lambda values: _series(_text(values), "string"), str),
    "pandas category": Form(lambda values: _series(values, "category")),
    "pandas category of str": Form(lambda values: _series(_text(values), "category"), str),
    "polars Int8": Form(lambda values: pl.Series(values, dtype=pl.Int8)),
    "polars Boolean": Form(lambda values: pl.Series(values.astype(bool)), bool, _binary),
    "polars String": Form(lambda values: pl.Series(_text(values).tolist()), str),
    "polars Categorical": Form(lambda values: pl.Series(_text(values).tolist(), dtype=pl.Categorical), str),
}
# Of targets that a model is fitted to: scikit-learn refuses the first, the others add only time.
_NOT_OF_MODELS = (
    "object of int",
    *("int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32"),
    *("pandas Float64", "pandas string", "pandas category", "polars Int8", "polars Categorical"),
)
LABEL_CONTAINERS = {
    "list": Form(lambda values: values.tolist()),
    "tuple": Form(lambda values: tuple(values.tolist())),
    "pandas": Form(_series),
    "polars": Form(pl.Series),
    **_ARRAYS,
}

COUNT_DTYPES = {
    name: Form(lambda values, name=name: values.astype(name))
    for name in ("int8", "int16", "int32", "uint8", "uint16", "uint32", "uint64")
}
COUNT_CONTAINERS = {
    "list": Form(lambda values: values.tolist()),
    "tuple": Form(lambda values: tuple(values.tolist())),
    **_ARRAYS,
}

NUMBER_DTYPES = {
    "float32": Form(lambda values: values.astype("float32")),
    "object": Form(lambda values: values.astype(object)),
    "pandas Float64": Form(lambda values: _series(values, "Float64")),
    "polars Float32": Form(lambda values: pl.Series(values, dtype=pl.Float32)),
}
NUMBER_CONTAINERS = {
    "list": Form(lambda values: values.tolist()),
    "tuple": Form(lambda values: tuple(values.tolist())),
    "pandas": Form(_series),
    "polars": Form(pl.Series),
    **_ARRAYS,
}

ROW_CONTAINERS = {
    "list of lists": Form(lambda values: values.tolist()),
    "column by column": Form(np.asfortranarray),
    "pandas": Form(_frame),
    "polars": Form(lambda values: pl.DataFrame(values, schema=[f"c{i}" for i in range(values.shape[1])])),
    **_ARRAYS,
}
TABLE_CONTAINERS = {
    **ROW_CONTAINERS,
    "dict of columns": Form(lambda values: {f"c{i}": column for i, column in enumerate(values.T.tolist())}),
}


def rewritten(entry: Entry, form: Form, kind: str) -> tuple[dict[str, Any], dict[str, Any]] | None:
    """Return values and options with the inputs of that kind in another form; None where it is none."""
    given = {name: one.values for name, one in entry.inputs.items() if one.kind == kind}
    if not given or not all(form.applies(values) for values in given.values()):
        return None
    options = dict(entry.options)
    if kind == "labels":
        options = relabeled(options, form.label)
    return {name: form.convert(values.copy()) for name, values in given.items()}, options


def relabeled(options: dict[str, Any], label: Callable[[Any], Any]) -> dict[str, Any]:
    """Return options with the labels that they name written otherwise."""
    changed = dict(options)
    if changed.get("pos_label") is not None:
        changed["pos_label"] = label(changed["pos_label"])
    if changed.get("labels") is not None:
        changed["labels"] = [label(one) for one in changed["labels"]]
    return changed


def in_forms(entry: Entry, forms: dict[str, dict[str, Form]]) -> Iterator[tuple[str, Any, Any]]:
    """Return name, values and options of each form that fits the entry; `forms` is by kind."""
    for kind, named in forms.items():
        for name, form in named.items():
            if "matrix" in entry.kinds() and name in _NOT_OF_MODELS:
                continue
            found = rewritten(entry, form, kind)
            if found is not None:
                yield f"{kind} as {name}", *found

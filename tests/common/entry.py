"""How to call a public object, and how to read the numbers of what it returns."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

Path = tuple[str, ...]


@dataclasses.dataclass(frozen=True)
class Input:
    """Values of one argument.

    `kind` says what they are, and so in which forms they may come: "labels", "numbers",
    "counts", "matrix" (rows of numbers for a model), "table" (data sets x methods) or "fixed"
    (one form only).
    Inputs of the same `axis` belong together row by row; "" is none.
    """

    kind: str
    values: Any
    axis: str = "sample"


def labels(*values: Any, axis: str = "sample") -> Input:
    return Input("labels", np.array(values), axis)


def numbers(*values: float, axis: str = "sample") -> Input:
    return Input("numbers", np.array(values), axis)


def matrix(values: Any, axis: str = "sample") -> Input:
    return Input("matrix", np.array(values), axis)


def table(values: Any) -> Input:
    return Input("table", np.array(values), "data set")


def fixed(values: Any) -> Input:
    return Input("fixed", values, "")


@dataclasses.dataclass(frozen=True)
class Entry:
    """A public object and a call of it.

    `name` is the public name, and after a space the form in which it is called. `inputs` are
    passed by position, `options` by keyword. `without` names the properties that do not hold,
    each with the reason. `read` picks the numbers out of the result; None: all of them.
    """

    name: str
    call: Callable[..., Any]
    inputs: Mapping[str, Input]
    options: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    without: Mapping[str, str] = dataclasses.field(default_factory=dict)
    read: Callable[[Any], Any] | None = None

    @property
    def public_name(self) -> str:
        return self.name.partition(" ")[0]

    def values(self) -> dict[str, Any]:
        """Return fresh values of the inputs."""
        return {
            name: given.values.copy() if isinstance(given.values, np.ndarray) else given.values
            for name, given in self.inputs.items()
        }

    def result(self, values: Mapping[str, Any] | None = None, **options: Any) -> Any:
        """Call with these values in the place of the own ones."""
        return self.call(*{**self.values(), **(values or {})}.values(), **{**self.options, **options})

    def numbers(self, values: Mapping[str, Any] | None = None, **options: Any) -> list[tuple[Path, float]]:
        """Return the numbers of the result."""
        return self.numbers_of(self.result(values, **options))

    def numbers_of(self, result: Any) -> list[tuple[Path, float]]:
        return numbers_in(result if self.read is None else self.read(result))

    def kinds(self) -> set[str]:
        return {given.kind for given in self.inputs.values()}

    def takes(self, parameter: str) -> bool:
        """Return whether the call has this parameter."""
        return parameter in inspect.signature(self.call).parameters


def parts_of(value: Any) -> Iterator[tuple[str, Any]] | None:
    """Return the named parts of a container or of an object of the package; None of anything else."""
    if isinstance(value, Mapping):
        return ((str(key), part) for key, part in value.items())
    if isinstance(value, (list, tuple)):
        names = getattr(value, "_fields", range(len(value)))
        return ((str(name), part) for name, part in zip(names, value, strict=True))
    if isinstance(value, np.ndarray):
        return ((str(place), part) for place, part in np.ndenumerate(value))
    if type(value).__module__.startswith("skeval.") and hasattr(value, "__dict__"):
        return ((name, part) for name, part in vars(value).items() if not name.startswith("_"))
    return None


def objects_in(value: Any) -> Iterator[Any]:
    """Return an object and all that it holds."""
    yield value
    if not isinstance(value, np.ndarray):
        for _, part in parts_of(value) or ():
            yield from objects_in(part)


def numbers_in(value: Any, path: Path = ()) -> list[tuple[Path, float]]:
    """Return all numbers of a result with the place of each; words are passed over."""
    if isinstance(value, (bool, int, float, np.number, np.bool_)):
        return [(path, float(value))]
    found: list[tuple[Path, float]] = []
    for name, part in parts_of(value) or ():
        found += numbers_in(part, (*path, name))
    return found


# Places of a result that hold labels themselves, and so their names and types.
_HOLD_LABELS = {"pos_label", "labels", "classes", "y", "y_true", "y_pred", "pairs", "main_prediction"}


def without_labels(found: list[tuple[Path, float]]) -> list[tuple[Path, float]]:
    """Return the numbers that are no labels."""
    return [(path, value) for path, value in found if not _HOLD_LABELS & set(path)]


def differences(
    first: list[tuple[Path, float]], second: list[tuple[Path, float]], *, rel: float
) -> list[str]:
    """Return, in words, where two lists of numbers differ; rel=0: by one bit."""
    if [path for path, _ in first] != [path for path, _ in second]:
        return [f"not the same numbers: {[path for path, _ in first]} and {[path for path, _ in second]}"]
    scale = max((abs(value) for _, value in first if np.isfinite(value)), default=0.0)
    return [
        f"{'.'.join(path)}: {one!r} and {other!r}"
        for (path, one), (_, other) in zip(first, second, strict=True)
        if not (
            one == other
            or (np.isnan(one) and np.isnan(other))
            or abs(one - other) <= rel * max(1.0, min(scale, abs(one)))
        )
    ]


def assert_same(
    first: list[tuple[Path, float]], second: list[tuple[Path, float]], *, rel: float = 0.0, what: str = ""
) -> None:
    assert first, f"{what}: the result holds no number"
    assert not differences(first, second, rel=rel), f"{what}: {differences(first, second, rel=rel)[:5]}"

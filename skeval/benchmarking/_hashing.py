"""A hash of what a value is, equal in every process: no memory address, no order of a set."""

from __future__ import annotations

import hashlib
import sys
import sysconfig
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType, GeneratorType, MethodType, ModuleType
from typing import Any

import numpy as np
from scipy import sparse

_SIZE = 16
_INSTALLED = tuple(
    Path(sysconfig.get_path(name)).resolve() for name in ("purelib", "platlib", "stdlib", "platstdlib")
)
# What Python itself writes into a class.
_CLASS_BOOKKEEPING = {
    "__module__",
    "__qualname__",
    "__doc__",
    "__dict__",
    "__weakref__",
    "__annotations__",
    "__annotate_func__",
    "__annotations_cache__",
    "__firstlineno__",
    "__static_attributes__",
    "__abstractmethods__",
    "_abc_impl",
    "__orig_bases__",
    "__parameters__",
}


class UnstableError(ValueError):
    """A value cannot be recognized in another process."""


def stable_hash(*values: Any) -> str:
    """Return the hash of values as 32 hexadecimal digits.

    Arrays, tables and sparse matrices count by content, estimators by class, version and
    parameters, functions and classes of installed packages by name and version, all others
    by their code. Anything else counts by what pickle would save of it.

    Raises
    ------
    UnstableError
        A value has no content that another process could see.
    """
    return _Digester().of(values).hex()


def _hash(tag: str, *parts: bytes) -> bytes:
    state = hashlib.blake2b(tag.encode(), digest_size=_SIZE)
    for part in parts:
        state.update(len(part).to_bytes(8, "little"))
        state.update(part)
    return state.digest()


class _Digester:
    """Hashes a value from the hashes of its parts; a part that comes again is hashed once."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[bytes, Any]] = {}  # the value is kept so that its id stays its own
        self._open: list[int] = []

    def of(self, value: Any) -> bytes:
        kind = type(value)
        if kind is str:
            return _hash("str", value.encode("utf-8", "surrogatepass"))
        if kind is bytes:
            return _hash("bytes", value)
        if value is None or value is Ellipsis or kind in (bool, int, float, complex):
            return _hash(kind.__name__, repr(value).encode())
        if id(value) in self._known:
            return self._known[id(value)][0]
        if id(value) in self._open:  # a class whose method calls super() holds itself
            return _hash("cycle", str(len(self._open) - self._open.index(id(value))).encode())
        self._open.append(id(value))
        try:
            digest = self._compound(value)
        finally:
            self._open.pop()
        self._known[id(value)] = digest, value
        return digest

    def _all(self, tag: str, values: Iterable[Any]) -> bytes:
        return _hash(tag, *map(self.of, values))

    def _compound(self, value: Any) -> bytes:
        """Hash whatever is no plain number or string."""
        for matches, method in _KINDS:
            if matches(value):
                digest: bytes = getattr(self, method)(value)
                return digest
        return self._saved(value)

    def _array(self, value: Any) -> bytes:
        array = np.asarray(value)
        head = f"{array.dtype.str} {array.shape}".encode()
        if array.dtype.hasobject:
            return _hash("array", head, self._sequence(array.ravel().tolist()))
        if array.dtype.names:
            return _hash("array", head, *(self._array(array[name]) for name in array.dtype.names))
        return _hash("array", head, np.ascontiguousarray(array).tobytes())

    def _sequence(self, values: Any) -> bytes:
        tag = type(values).__name__
        if len(values) > 100 and all(type(value) is str for value in values):
            lengths = np.array([len(value) for value in values], dtype=np.int64)
            text = "".join(values).encode("utf-8", "surrogatepass")
            return _hash(f"{tag} of str", lengths.tobytes(), text)
        return self._all(tag, values)

    def _mapping(self, value: Mapping[Any, Any]) -> bytes:
        pairs = ((self.of(key), self.of(content)) for key, content in value.items())
        return _hash("dict", *(part for pair in sorted(pairs) for part in pair))

    def _set(self, value: Any) -> bytes:
        return _hash("set", *sorted(map(self.of, value)))

    def _sparse(self, value: Any) -> bytes:
        matrix = sparse.csr_array(value)
        if not matrix.has_canonical_format:
            matrix = matrix.copy()
            matrix.sum_duplicates()
        parts = matrix.data, matrix.indices.astype(np.int64), matrix.indptr.astype(np.int64)
        return self._all("sparse", (type(value).__name__, matrix.shape, *parts))

    def _table(self, value: Any) -> bytes:
        columns = [(str(name), str(value.dtypes.iloc[where])) for where, name in enumerate(value.columns)]
        cells = (self._array(value.iloc[:, where].to_numpy()) for where in range(len(columns)))
        return _hash("table", self.of(columns), *cells)

    def _polars(self, value: Any) -> bytes:
        columns = [(name, str(dtype)) for name, dtype in value.schema.items()]
        return _hash("table", self.of(columns), *(self._array(column.to_numpy()) for column in value))

    def _series(self, value: Any) -> bytes:
        return _hash("series", self.of((str(value.name), str(value.dtype))), self._array(value.to_numpy()))

    def _estimator(self, value: Any) -> bytes:
        parameters = {}
        for name, content in value.get_params(deep=False).items():
            try:
                parameters[name] = self.of(content)
            except UnstableError as error:
                raise UnstableError(f"{type(value).__name__}.{name}: {error}") from error
        return _hash("estimator", self.of(type(value)), self.of(parameters))

    def _distribution(self, value: Any) -> bytes:
        """A frozen distribution of scipy.stats holds the global random generator."""
        return self._all("distribution", (type(value.dist), value.args, dict(value.kwds)))

    def _partial(self, value: partial[Any]) -> bytes:
        return self._all("partial", (value.func, value.args, value.keywords))

    def _method(self, value: Any) -> bytes:
        return self._all("method", (value.__func__, value.__self__))

    def _named(self, value: Any) -> bytes:
        """A function or class: by name and version if it was installed, else by its code."""
        module, name = getattr(value, "__module__", None), getattr(value, "__qualname__", value.__name__)
        version = _release(module, name)
        if version is not None:
            return self._all("name", (module, name, version))
        if isinstance(value, type):
            return self._class(value)
        if isinstance(value, FunctionType):
            return self._function(value)
        return self._all("name", (module, name))

    def _function(self, value: FunctionType) -> bytes:
        cells = [_content(cell) for cell in value.__closure__ or ()]
        return self._all("function", (value.__code__, value.__defaults__, value.__kwdefaults__, cells))

    def _code(self, value: CodeType) -> bytes:
        return self._all(
            "code", (value.co_code, value.co_consts, value.co_names, value.co_varnames, value.co_freevars)
        )

    def _class(self, value: type) -> bytes:
        parts = [self.of(value.__qualname__), *map(self.of, value.__bases__)]
        for name, content in sorted(vars(value).items()):
            if name in _CLASS_BOOKKEEPING:
                continue
            try:
                parts.append(_hash(name, self.of(content)))
            except UnstableError:  # a lock, say: not what the class computes
                continue
        return _hash("class", *parts)

    def _descriptor(self, value: Any) -> bytes:
        if isinstance(value, property):
            return self._all("property", (value.fget, value.fset))
        return self._all(type(value).__name__, (value.__func__,))

    def _saved(self, value: Any) -> bytes:
        """Hash what pickle would save."""
        if isinstance(value, (GeneratorType, ModuleType)):
            raise _unstable(value)
        try:
            saved = value.__reduce_ex__(4)
        except Exception as error:
            raise _unstable(value) from error
        if isinstance(saved, str):
            return self._all("name", (type(value), saved))
        make, arguments, *rest = saved
        state, items, pairs = (*rest, None, None, None)[:3]
        lists = (list(content) if content is not None else None for content in (items, pairs))
        return self._all("saved", (type(value), make, arguments, state, *lists))


def _release(module: str | None, name: str) -> str | None:
    """Return the version of an installed module that has this name; None where there is none."""
    if module is None or "<" in name:
        return None
    package = module.partition(".")[0]
    if package in sys.stdlib_module_names and package != "__main__":
        return "stdlib"
    file = getattr(sys.modules.get(package), "__file__", None)
    if file is None or not any(Path(file).resolve().is_relative_to(folder) for folder in _INSTALLED):
        return None
    version = getattr(sys.modules[package], "__version__", None)
    return version if isinstance(version, str) else None


def _content(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # not yet filled
        return Ellipsis


def _unstable(value: Any) -> UnstableError:
    return UnstableError(
        f"a {type(value).__name__} cannot be recognized in another process; use a value that can be pickled."
    )


def _is_frame(value: Any) -> bool:
    return hasattr(value, "iloc") and hasattr(value, "columns")


def _is_distribution(value: Any) -> bool:
    return all(hasattr(value, name) for name in ("dist", "args", "kwds", "rvs"))


def _instance(*kinds: type) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, kinds)


# The first that matches wins.
_KINDS: tuple[tuple[Callable[[Any], bool], str], ...] = (
    (_instance(np.ndarray, np.generic), "_array"),
    (_instance(list, tuple), "_sequence"),
    (_instance(set, frozenset), "_set"),
    (_instance(type, FunctionType, BuiltinFunctionType, np.ufunc), "_named"),
    (_instance(CodeType), "_code"),
    (_instance(property, staticmethod, classmethod), "_descriptor"),
    (_instance(partial), "_partial"),
    (_instance(MethodType), "_method"),
    (sparse.issparse, "_sparse"),
    (_is_frame, "_table"),
    (lambda value: hasattr(value, "schema") and hasattr(value, "to_numpy"), "_polars"),
    (lambda value: hasattr(value, "iloc") and hasattr(value, "dtype"), "_series"),
    (lambda value: hasattr(value, "get_params"), "_estimator"),
    (_is_distribution, "_distribution"),
    (_instance(Mapping), "_mapping"),
)

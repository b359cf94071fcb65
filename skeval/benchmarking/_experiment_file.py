"""An experiment as a TOML file: estimators, loaders and splitters by import path."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from sklearn.pipeline import make_pipeline

_KEYS = ("estimators", "datasets", "cv", "scoring", "pos_label", "random_state")


def read_experiment(path: Path) -> dict[str, Any]:
    """Return the arguments of `Benchmark` that a file names; reading it runs what it names."""
    with path.open("rb") as file:
        try:
            content = tomllib.load(file)
        except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
            raise ValueError(f"{path} is no TOML: {error}.") from error
    unknown, missing = set(content) - set(_KEYS), {"estimators", "datasets", "cv", "scoring"} - set(content)
    if unknown or missing:
        told = f"unknown {sorted(unknown)}" if unknown else f"missing {sorted(missing)}"
        raise ValueError(
            f"{path} must have the entries {', '.join(_KEYS)} (the last two may be left out): {told}."
        )
    for name in ("estimators", "datasets"):
        if not isinstance(content[name], Mapping):
            raise ValueError(f"{path}: {name} must be a table, [{name}.NAME] for each one.")
    arguments = dict(content)
    arguments["estimators"] = {
        name: _told(f"estimators.{name}", _build, given) for name, given in content["estimators"].items()
    }
    arguments["datasets"] = {
        name: _told(f"datasets.{name}", _dataset, given, path.parent)
        for name, given in content["datasets"].items()
    }
    arguments["cv"] = _told("cv", _build, content["cv"])
    return arguments


def _told(where: str, make: Callable[..., Any], *arguments: Any) -> Any:
    """Name the entry in the message of whatever goes wrong with it."""
    try:
        return make(*arguments)
    except Exception as error:
        raise ValueError(f"[{where}]: {type(error).__name__}: {error}") from error


def _build(given: Any) -> Any:
    """Make objects of tables with "class", "steps" or "import", also inside parameters."""
    if isinstance(given, list):
        return [_build(one) for one in given]
    if not isinstance(given, Mapping):
        return given
    if "class" in given:
        _only(given, "class", "params")
        return _look_up(given["class"])(**_build(given.get("params", {})))
    if "steps" in given:
        _only(given, "steps")
        return make_pipeline(*_build(given["steps"]))
    if "import" in given:
        _only(given, "import")
        return _look_up(given["import"])
    return {key: _build(value) for key, value in given.items()}


def _dataset(given: Any, folder: Path) -> Any:
    """Return a data set as `Benchmark` takes it; paths start at the folder of the file."""
    if not isinstance(given, Mapping) or not ({"path", "openml", "load"} & set(given)):
        raise ValueError('needs "path", "openml" or "load"')
    made = dict(given)
    if "path" in made:
        made["path"] = folder / made["path"]
    if "load" in made:
        made["load"] = _look_up(made["load"])
        made["params"] = _build(made.get("params", {}))
    return made


def _only(given: Mapping[str, Any], *allowed: str) -> None:
    unknown = set(given) - set(allowed)
    if unknown:
        raise ValueError(f"unknown entries {sorted(unknown)} beside {allowed[0]!r}")


def _look_up(path: Any) -> Any:
    """Return what an import path like "sklearn.svm.SVC" names."""
    module, _, name = path.rpartition(".") if isinstance(path, str) else ("", "", "")
    if not module:
        raise ValueError(f'an import path is a text like "sklearn.svm.SVC", got {path!r}')
    try:
        return getattr(import_module(module), name)
    except AttributeError as error:
        raise ValueError(f"the module {module} has no {name}") from error

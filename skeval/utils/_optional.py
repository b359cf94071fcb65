"""Imports of the extras, at the place of use."""

from __future__ import annotations

import importlib
from types import ModuleType


def import_optional(name: str, *, extra: str, purpose: str) -> ModuleType:
    """Import a module of an extra, or say which extra brings it."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is not None and not name.startswith(error.name.partition(".")[0]):
            raise
        raise ModuleNotFoundError(
            f"{purpose} needs {name.partition('.')[0]}, which is not installed; "
            f'install it with: pip install "scikit-eval[{extra}]"',
            name=error.name,
        ) from error

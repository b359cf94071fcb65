"""Models or methods given by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def check_named(values: Any, name: str, *, holds: str, of: str) -> dict[str, Any]:
    """Return a dict of two entries or more with its keys as text, each of them once.

    Parameters
    ----------
    values : dict
    name, holds, of : str
        What messages call the dict, its values, and what the keys name.
    """
    if not isinstance(values, Mapping) or len(values) < 2:
        raise ValueError(f"{name} must be a dict of {{name: {holds}}} with at least 2 {of}s.")
    named = {str(key): value for key, value in values.items()}
    if len(named) < len(values):
        raise ValueError(f"{name} must name each {of} once, got {list(map(str, values))}.")
    return named

"""Numbers on the command line: read, and refused in plain words."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable


def whole(rule: str, allowed: Callable[[int], bool]) -> Callable[[str], int]:
    """Return what reads a whole number of which `allowed` is true; `rule` says which these are."""

    def read(text: str) -> int:
        try:
            value: int | None = int(text)
        except ValueError:
            value = None
        if value is None or not allowed(value):
            raise argparse.ArgumentTypeError(f"must be a whole number {rule}, got {text!r}")
        return value

    return read


def real(rule: str, allowed: Callable[[float], bool]) -> Callable[[str], float]:
    """Return what reads a number of which `allowed` is true; `rule` says which these are."""

    def read(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not (math.isfinite(value) and allowed(value)):
            raise argparse.ArgumentTypeError(f"must be a number {rule}, got {text!r}")
        return value

    return read


n_jobs = whole("other than 0; -1 is one per core", lambda value: value != 0)
repeats = whole("of at least 1", lambda value: value >= 1)
level = real("strictly between 0 and 1", lambda value: 0 < value < 1)
above_zero = real("above 0", lambda value: value > 0)
zero_or_more = real("of at least 0", lambda value: value >= 0)

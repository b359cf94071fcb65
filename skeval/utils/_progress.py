"""A progress bar where there is somebody to see it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

from skeval.utils._optional import import_optional

T = TypeVar("T")


def track(items: Sequence[T], description: str) -> Iterator[T]:
    """Yield the items; a bar on a terminal's standard error counts them, if tqdm is installed."""
    try:
        tqdm = import_optional("tqdm", extra="cli", purpose="A progress bar").tqdm
    except ModuleNotFoundError:
        yield from items
        return
    # disable=None: no bar where standard error is no terminal.
    yield from tqdm(items, desc=description, disable=None, leave=False)

"""Warnings that point at the user's line, however deep they arise."""

from __future__ import annotations

import sys
import warnings


def warn_user(message: str, category: type[Warning]) -> None:
    """Warn at the first frame outside skeval."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "skeval":
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)

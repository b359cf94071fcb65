"""One random generator from whatever a user passes as ``random_state``."""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np


def check_generator(random_state: Any) -> np.random.Generator:
    """Return a Generator from an int, a RandomState, a Generator or None.

    An int gives the same generator on every call; a RandomState or a Generator is
    drawn from, so that its state moves on.
    """
    if random_state is None:
        return np.random.default_rng()
    if isinstance(random_state, np.random.Generator):
        return random_state
    if isinstance(random_state, np.random.RandomState):
        return np.random.default_rng(random_state.randint(0, 2**31, size=4, dtype=np.int64))
    if (
        isinstance(random_state, numbers.Integral)
        and not isinstance(random_state, bool)
        and int(random_state) >= 0
    ):
        return np.random.default_rng(int(random_state))
    raise ValueError(
        "random_state must be a non-negative int, a numpy RandomState, a numpy Generator or None, "
        f"got {random_state!r}."
    )


def child_seeds(random_state: Any, n_seeds: int) -> list[int]:
    """Draw one seed per parallel task, so that the number of workers changes no number."""
    return check_generator(random_state).integers(0, 2**31, size=n_seeds).tolist()

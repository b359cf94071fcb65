"""One random generator from whatever a user passes as ``random_state``."""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np
from numpy.typing import NDArray

# A binomial draw costs about as much as so many draws of an index.
_INDEX_DRAWS = 16


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


def draw_size(counts: NDArray[np.int64]) -> int:
    """Return how many numbers `draw_units` holds for one resample."""
    total, kinds = int(counts.sum()), len(counts)
    return max(1, kinds if kinds * _INDEX_DRAWS < total else total)


def draw_units(
    counts: NDArray[np.int64], n_resamples: int, generator: np.random.Generator
) -> NDArray[np.int64]:
    """Draw with replacement as many units as there are; return how often each kind comes.

    Parameters
    ----------
    counts : ndarray of shape (n_kinds,)
        How many units of each kind there are; positive.
    n_resamples : int
    generator : Generator

    Returns
    -------
    ndarray of shape (n_resamples, n_kinds)
        Multinomial counts.
    """
    total, kinds = int(counts.sum()), len(counts)
    if draw_size(counts) < total:  # few kinds
        return generator.multinomial(total, counts / total, size=n_resamples)
    drawn = generator.integers(0, total, size=(n_resamples, total))
    if total > kinds:
        drawn = np.repeat(np.arange(kinds), counts)[drawn]
    if n_resamples > 1:
        drawn += np.arange(n_resamples)[:, None] * kinds
    return np.bincount(drawn.ravel(), minlength=n_resamples * kinds).reshape(n_resamples, kinds)

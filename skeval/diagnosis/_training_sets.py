"""Training sets of equal size from one sample: with replacement, or disjoint."""

from __future__ import annotations

import numpy as np

from skeval.model_selection import BootstrapSplit
from skeval.utils._validation import IntArray

RESAMPLES = ("bootstrap", "disjoint")


def draw_training_sets(
    resample: str, n_splits: int, n_samples: int, groups: IntArray | None, rng: np.random.Generator
) -> list[IntArray]:
    """Return positions of each training set; with groups, as many whole groups in each."""
    if resample == "bootstrap":
        splitter = BootstrapSplit(n_splits, random_state=rng)
        return [train for train, _ in splitter.split(np.empty(n_samples), groups=groups)]
    units = np.arange(n_samples) if groups is None else np.unique(groups, return_inverse=True)[1]
    n_units = int(units.max()) + 1
    size = n_units // n_splits
    if size < 1:
        kind = "samples" if groups is None else "groups"
        raise ValueError(
            f"resample='disjoint' cuts the {n_units} training {kind} in n_splits={n_splits} parts, too many: "
            f"use n_splits of {n_units} at most, far fewer rather, or resample='bootstrap'."
        )
    part = np.full(n_units, n_splits)
    part[rng.permutation(n_units)[: size * n_splits]] = np.repeat(np.arange(n_splits), size)
    shuffled = rng.permutation(n_samples)
    of_sample = part[units[shuffled]]
    return [shuffled[of_sample == which] for which in range(n_splits)]

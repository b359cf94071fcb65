"""Resamples: worked off in blocks of bounded memory, and the interval that they make."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from skeval.utils._validation import FloatArray


def blocks(n_resamples: int, size: int) -> Iterator[int]:
    """Yield how many resamples to work off at a time: `size` (at least 1), at last what remains."""
    step = max(1, size)
    for start in range(0, n_resamples, step):
        yield min(step, n_resamples - start)


def percentile_ends(replicates: FloatArray, tails: tuple[float, float]) -> tuple[float, float]:
    """Return the order statistics (B + 1) x tail, interpolated (Davison & Hinkley 1997, equation 5.18)."""
    low, high = np.quantile(replicates, tails, method="weibull")
    return float(low), float(high)

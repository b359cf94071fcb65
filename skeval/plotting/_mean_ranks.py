"""Mean ranks as Displays take them: checked, and the difference that matters."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skeval.comparison import critical_difference
from skeval.utils._pairwise import PairwiseResult
from skeval.utils._validation import check_vector


def check_ranks(mean_ranks: ArrayLike, names: tuple[str, ...]) -> NDArray[np.float64]:
    """Return one mean rank for each of two methods or more, named once."""
    ranks = check_vector(mean_ranks, "mean_ranks", minimum_size=2).copy()
    if len(ranks) != len(names):
        raise ValueError(
            f"mean_ranks and names must have the same length, got {len(ranks)} ranks and {len(names)} names."
        )
    repeated = [name for name in names if names.count(name) > 1]
    if repeated:
        raise ValueError(f"names must name each method once, got {repeated[0]!r} twice.")
    if ranks.min() < 1 or ranks.max() > len(ranks):
        raise ValueError(
            f"mean_ranks must lie between 1 and the number of methods, {len(ranks)}, "
            f"got {ranks.min():g} to {ranks.max():g}."
        )
    return ranks


def critical_difference_of(result: PairwiseResult, alpha: float) -> float | None:
    """Return the critical difference at `alpha` of a result that carries the one at 0.05."""
    known = result.details.get("critical_difference")
    if known is None or alpha == 0.05:
        return known
    size = len(result.methods), result.details["n_datasets"]
    # Nemenyi's is known at any level; another test's is left out rather than drawn at a wrong one.
    return critical_difference(*size, alpha=alpha) if np.isclose(known, critical_difference(*size)) else None

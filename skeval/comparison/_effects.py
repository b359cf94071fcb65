"""How far two methods are apart over data sets: for every pair at once."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from skeval.comparison._digits import to_digits
from skeval.utils._validation import FloatArray, IntArray


def pair_effects(scores: FloatArray, first: IntArray, second: IntArray) -> dict[str, NDArray[Any]]:
    """Return effect sizes of pairs of columns, positive where the first is better.

    Mean difference; data sets on which the first wins, ties, loses; the matched-pairs
    rank-biserial correlation (W+ - W-)/(W+ + W-) without the ties; the probability of
    superiority, (wins + ties/2)/N. Scores that agree in ten digits of the largest of the
    two columns tie.

    Parameters
    ----------
    scores : ndarray of shape (n_datasets, n_methods)
        Greater is better.
    first, second : ndarray of int of shape (n_pairs,)
    """
    largest = np.abs(scores).max(axis=0)
    largest = np.maximum(largest[first], largest[second])
    one, two = scores[:, first], scores[:, second]
    (one_digits, unit), (two_digits, _) = (to_digits(column, largest) for column in (one, two))
    apart = one_digits - two_digits
    wins, losses = (apart > 0).sum(axis=0), (apart < 0).sum(axis=0)
    ties = len(scores) - wins - losses
    # Ties have the lowest ranks; the others are ranked as if those were not there.
    ranks = np.where(apart == 0, 0.0, stats.rankdata(np.abs(apart), axis=0) - ties)
    total = ranks.sum(axis=0)
    signed = (np.sign(apart) * ranks).sum(axis=0)
    mean = (one - two).mean(axis=0)
    return {
        "mean_difference": np.where(np.abs(mean) <= unit, 0.0, mean),
        "wins": wins,
        "ties": ties,
        "losses": losses,
        "rank_biserial": signed / np.where(total > 0, total, 1.0),
        "superiority": (wins + ties / 2) / len(scores),
    }

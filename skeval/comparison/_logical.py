"""All pairs of methods, adjusted with regard to logic: if A = B and B = C then A = C.

P-values of all pairs of k methods come in the order of ``itertools.combinations``.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from skeval.comparison._adjust import ADJUSTMENTS, adjust_pvalues
from skeval.utils._validation import FloatArray, IntArray, check_option

# The largest number of methods for Bergmann-Hommel: its work grows as 3^k.
MAX_METHODS = 12


def shaffer(p: FloatArray, n_methods: int) -> FloatArray:
    """Return p-values adjusted by Shaffer's static procedure.

    max_{j <= i} t_j p_j, t_j the largest number of true hypotheses once j - 1 are false.
    """
    order = np.argsort(p, kind="stable")
    left = np.arange(len(p), 0, -1)
    possible = np.array(sorted(_numbers_of_true(n_methods)))
    t = possible[np.searchsorted(possible, left, side="right") - 1]
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(np.maximum.accumulate(t * p[order]), 1)
    return adjusted


def _numbers_of_true(n_methods: int) -> set[int]:
    """Return how many pairs may be equal, over all ways to split methods into equal ones."""
    numbers = [{0}, {0}]
    for k in range(2, n_methods + 1):
        numbers.append({j * (j - 1) // 2 + rest for j in range(1, k + 1) for rest in numbers[k - j]})
    return numbers[n_methods]


def bergmann_hommel(p: FloatArray, n_methods: int) -> tuple[FloatArray, FloatArray]:
    """Return p-values adjusted by Bergmann and Hommel: the running maximum, and as defined.

    As defined: max over the exhaustive sets I that hold the pair of |I| min(p in I). A set
    is exhaustive if its pairs can be all the true ones: the pairs within the blocks of a
    partition of the methods. That is not monotone in p; its running maximum in the order of
    p is, and equal p-values get one value.
    """
    if n_methods > MAX_METHODS:
        raise ValueError(
            f"'bergmann-hommel' takes up to {MAX_METHODS} methods, got {n_methods}: use 'shaffer', which "
            "makes the same claim with a little less power."
        )
    levels, rank = np.unique(p, return_inverse=True)
    sizes, lowest = _all_sets(rank, len(levels), n_methods)
    pairs = sizes * (sizes - 1) // 2
    # A block of equal methods and the best partition of the others, at each level that the block reaches.
    whole = pairs[:, None] + _largest_partitions(pairs, lowest, len(levels), n_methods)[::-1]
    reached = np.arange(len(levels)) <= lowest[:, None]
    worst = np.where(reached, whole * levels, 0).max(axis=1)
    blocks = np.arange(len(worst))
    defined = np.empty_like(p)
    for number, (i, j) in enumerate(combinations(range(n_methods), 2)):
        both = 1 << i | 1 << j
        defined[number] = min(1.0, worst[blocks & both == both].max())
    highest = np.zeros(len(levels))
    np.maximum.at(highest, rank, defined)
    return np.maximum.accumulate(highest)[rank], defined


def _all_sets(rank: IntArray, n_levels: int, n_methods: int) -> tuple[IntArray, IntArray]:
    """Return the size of every set of methods (a bit each) and the lowest rank of p within it."""
    between = np.full((n_methods, n_methods), n_levels - 1)
    between[np.triu_indices(n_methods, 1)] = rank
    sizes, lowest = np.zeros(1, dtype=np.int64), np.array([n_levels - 1])
    for last in range(n_methods):
        to_last = np.array([n_levels - 1])
        for method in range(last):
            to_last = np.concatenate([to_last, np.minimum(to_last, between[method, last])])
        sizes = np.concatenate([sizes, sizes + 1])
        lowest = np.concatenate([lowest, np.minimum(lowest, to_last)])
    return sizes, lowest


def _largest_partitions(pairs: IntArray, lowest: IntArray, n_levels: int, n_methods: int) -> IntArray:
    """Return for every set of methods and level the most pairs that can be equal at once.

    That is over the partitions of the set into blocks whose pairs all reach the level; the
    block that holds the last method is every one of its subsets in turn, the partition of
    the others is known.
    """
    most = np.zeros((1, n_levels), dtype=np.int64)
    for last in range(n_methods):
        others = np.arange(1 << last)
        with_last = most.copy()  # the last method by itself
        for members in range(1, 1 << last):
            block = members | 1 << last
            levels = slice(lowest[block] + 1)
            rest = others[others & members == 0]
            found = with_last[rest | members, levels]
            with_last[rest | members, levels] = np.maximum(found, pairs[block] + most[rest, levels])
        most = np.concatenate([most, with_last])
    return most


# Adjustments of all pairs: those that know nothing of the pairs, and those that use their logic.
PAIR_ADJUSTMENTS = (*ADJUSTMENTS, "shaffer", "bergmann-hommel")


def adjust_pairs(p: FloatArray, n_methods: int, *, method: str) -> FloatArray:
    """Return the p-values of all pairs of methods adjusted by any of `PAIR_ADJUSTMENTS`.

    Parameters
    ----------
    p : ndarray of shape (n_methods * (n_methods - 1) / 2,)
        Without nan.
    n_methods : int
    method : str
        What users call `adjust`.
    """
    check_option(method, "adjust", PAIR_ADJUSTMENTS)
    if method == "shaffer":
        return shaffer(p, n_methods)
    if method == "bergmann-hommel":
        return bergmann_hommel(p, n_methods)[0]
    return adjust_pvalues(p, method=method)

"""Speed of comparisons over data sets: one process, in turn, medians, answers compared first.

Run as ``python benchmarks/posthoc.py`` from the root of the repository. The comparison with
scikit-posthocs is skipped where it is not installed; the other two have no peer in Python and
are held to a second.
"""

from __future__ import annotations

import importlib
import platform
import statistics
import time
from collections.abc import Callable
from itertools import permutations, product
from types import ModuleType
from typing import Any

import numpy as np
import scipy
from scipy import stats

from skeval.comparison import friedman_test, posthoc_test
from skeval.comparison._logical import bergmann_hommel, shaffer

ROUNDS = 15


def main() -> None:
    """Print one line per comparison, and fail where a goal is missed."""
    print(*(f"{module.__name__} {module.__version__}" for module in (np, scipy)), processor())
    met = [against_a_second(*bergmann_hommel_of_twelve()), against_a_second(*exact_friedman())]
    met.append(against_a_second(*exact_friedman_with_ties()))
    try:
        met.append(against_a_peer(*nemenyi(importlib.import_module("scikit_posthocs")), goal=12))
    except ModuleNotFoundError:
        print("nemenyi: scikit_posthocs is not installed")
    if not all(met):
        raise SystemExit("a goal is missed")


def against_a_peer(what: str, peer: Callable[[], Any], ours: Callable[[], Any], *, goal: float) -> bool:
    """Time both in turn and print the medians."""
    peer(), ours()
    pairs = [(seconds(peer), seconds(ours)) for _ in range(ROUNDS)]
    theirs, mine = (statistics.median(times) for times in zip(*pairs, strict=True))
    print(
        f"{what}: peer {theirs * 1e3:.1f} ms, skeval {mine * 1e3:.2f} ms, {theirs / mine:.0f}x (goal {goal}x)"
    )
    return theirs / mine >= goal


def against_a_second(what: str, ours: Callable[[], Any]) -> bool:
    mine = statistics.median(seconds(ours) for _ in range(5))
    print(f"{what}: skeval {mine * 1e3:.0f} ms (goal 1000 ms)")
    return mine < 1


def seconds(function: Callable[[], Any]) -> float:
    """Return the time of one call: of as many in a row as take 20 ms together."""
    start, n_calls, passed = time.perf_counter(), 0, 0.0
    while passed < 0.02:
        function()
        n_calls, passed = n_calls + 1, time.perf_counter() - start
    return passed / n_calls


def nemenyi(peer: ModuleType) -> tuple[str, Callable[[], Any], Callable[[], Any]]:
    """All pairs of 50 methods on 100 data sets, ranks included."""
    scores = np.random.default_rng(0).normal(size=(100, 50)) + np.linspace(0, 1, 50)

    def theirs() -> Any:
        return peer.posthoc_nemenyi_friedman(scores)

    def ours() -> Any:
        return posthoc_test(scores)

    # The peer loses the far tail: absolute agreement.
    np.testing.assert_allclose(ours().pvalue_matrix(), theirs().to_numpy(), atol=1e-7)
    return "Nemenyi, k = 50, N = 100: scikit-posthocs", theirs, ours


def bergmann_hommel_of_twelve() -> tuple[str, Callable[[], Any]]:
    """66 p-values of z statistics of 12 methods."""
    z = np.random.default_rng(0).normal(size=12) * 1.5
    first, second = np.triu_indices(12, 1)
    p = 2 * stats.norm.sf(np.abs(z[first] - z[second]) / 2**0.5)
    # There is no other one for 12 methods: it lies between Shaffer's and no adjustment.
    adjusted, _ = bergmann_hommel(p, 12)
    assert ((p <= adjusted) & (adjusted <= shaffer(p, 12) * (1 + 1e-12))).all()
    return "Bergmann-Hommel, k = 12", lambda: bergmann_hommel(p, 12)


def exact_friedman() -> tuple[str, Callable[[], Any]]:
    compare_with_enumeration(np.random.default_rng(1).normal(size=(4, 3)))
    scores = np.random.default_rng(0).normal([0, 0, 0, 0.5], size=(30, 4))
    return "exact Friedman, k = 4, N = 30", lambda: friedman_test(scores, method="exact")


def exact_friedman_with_ties() -> tuple[str, Callable[[], Any]]:
    compare_with_enumeration(np.random.default_rng(1).integers(0, 3, (4, 3)).astype(float))
    scores = np.random.default_rng(0).integers(0, 6, (30, 4)).astype(float)
    return "exact Friedman, k = 4, N = 30, ties", lambda: friedman_test(scores, method="exact")


def compare_with_enumeration(scores: Any) -> None:
    """Check an exact p-value against all orders of the ranks of all rows."""
    ranks = stats.rankdata(scores, axis=1)
    observed = (ranks.sum(axis=0) ** 2).sum()
    orders = product(*(permutations(row) for row in ranks.tolist()))
    reached = [(np.sum(rows, axis=0) ** 2).sum() >= observed - 1e-9 for rows in orders]
    np.testing.assert_allclose(friedman_test(scores, method="exact").pvalue, np.mean(reached), rtol=1e-12)


def processor() -> str:
    """Name the processor."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            names = [line.partition(":")[2].strip() for line in file if line.startswith("model name")]
        return names[0] if names else platform.processor()
    except OSError:
        return platform.processor()


if __name__ == "__main__":
    main()

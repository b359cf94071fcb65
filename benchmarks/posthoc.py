"""Speed of comparisons over data sets.

Run as ``python benchmarks/posthoc.py`` from the root of the repository. Bergmann-Hommel's adjustment
of 12 methods and the exact Friedman test have no peer in Python and are held to a second.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import statistics
from collections.abc import Callable
from functools import partial
from itertools import permutations, product
from typing import Any

import numpy as np
from scipy import stats
from timing import Limit, Work, measure, seconds

from skeval.comparison import critical_difference, friedman_test, posthoc_test


def main() -> None:
    """Print one line per comparison."""
    measure(
        partial(report, 14),
        partial(report, 1000),
        nemenyi,
        bergmann_hommel,
        exact_friedman,
        exact_friedman_with_ties,
    )


def report(n_datasets: int) -> Work:
    """Friedman's and Nemenyi's test of 10 methods, and what the peer reports with them."""
    autorank = importlib.import_module("autorank")
    # Far from normal, so that the peer's own choice of a test is this one.
    scores = np.random.default_rng(0).standard_cauchy(size=(n_datasets, 10)) + np.linspace(0, 1, 10)
    frame = importlib.import_module("pandas").DataFrame(scores, columns=[f"m{n}" for n in range(10)])

    def theirs() -> Any:
        with contextlib.redirect_stdout(io.StringIO()):
            result = autorank.autorank(frame)
            autorank.create_report(result)
        return result

    def ours() -> Any:
        return friedman_test(frame, method="chi2"), posthoc_test(frame)

    there, (friedman, _) = theirs(), ours()
    assert (there.omnibus, there.posthoc) == ("friedman", "nemenyi")
    np.testing.assert_allclose(critical_difference(10, n_datasets), there.cd, rtol=1e-4)
    np.testing.assert_allclose(friedman.pvalue, there.pvalue, rtol=1e-6)
    what = f"Friedman and Nemenyi, k = 10, N = {n_datasets}, whole report there"
    return Work(what, "autorank", theirs, ours, 20)


def nemenyi() -> Work:
    """All pairs of 50 methods on 100 data sets, ranks included."""
    peer = importlib.import_module("scikit_posthocs").posthoc_nemenyi_friedman
    scores = np.random.default_rng(0).normal(size=(100, 50)) + np.linspace(0, 1, 50)

    def theirs() -> Any:
        return peer(scores)

    def ours() -> Any:
        return posthoc_test(scores)

    # The peer's far tail is 0: absolute agreement.
    np.testing.assert_allclose(ours().pvalue_matrix(), theirs().to_numpy(), atol=1e-7)
    return Work("Nemenyi, k = 50, N = 100", "scikit-posthocs", theirs, ours, 12)


def bergmann_hommel() -> Limit:
    """66 pairs of 12 methods."""
    scores = np.random.default_rng(0).normal(size=(30, 12)) + np.linspace(0, 1, 12)

    def ours() -> Any:
        return posthoc_test(scores, method="bergmann-hommel")

    # There is no other one for 12 methods: it lies between Shaffer's and no adjustment.
    found, shaffer = ours(), posthoc_test(scores, method="shaffer").pvalue
    assert ((found.raw_pvalue <= found.pvalue) & (found.pvalue <= shaffer * (1 + 1e-12))).all()
    return limit("Bergmann-Hommel, k = 12", ours)


def exact_friedman() -> Limit:
    compare_with_enumeration(np.random.default_rng(1).normal(size=(4, 3)))
    scores = np.random.default_rng(0).normal([0, 0, 0, 0.5], size=(30, 4))
    return limit("exact Friedman, k = 4, N = 30", lambda: friedman_test(scores, method="exact"))


def exact_friedman_with_ties() -> Limit:
    compare_with_enumeration(np.random.default_rng(1).integers(0, 3, (4, 3)).astype(float))
    scores = np.random.default_rng(0).integers(0, 6, (30, 4)).astype(float)
    return limit("exact Friedman, k = 4, N = 30, ties", lambda: friedman_test(scores, method="exact"))


def limit(what: str, ours: Callable[[], Any]) -> Limit:
    return Limit(what, 1e3 * statistics.median(seconds(ours) for _ in range(5)), 1000)


def compare_with_enumeration(scores: Any) -> None:
    """Check an exact p-value against all orders of the ranks of all rows."""
    ranks = stats.rankdata(scores, axis=1)
    observed = (ranks.sum(axis=0) ** 2).sum()
    orders = product(*(permutations(row) for row in ranks.tolist()))
    reached = [(np.sum(rows, axis=0) ** 2).sum() >= observed - 1e-9 for rows in orders]
    np.testing.assert_allclose(friedman_test(scores, method="exact").pvalue, np.mean(reached), rtol=1e-12)


if __name__ == "__main__":
    main()

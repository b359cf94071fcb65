"""Speed of the exact tests against peers: one process, in turn, medians, answers compared first.

Run as ``python benchmarks/exact_tests.py`` from the root of the repository. The comparisons with
MLstatkit and baycomp are skipped where those packages are not installed.

The peers' permutations are timed on a tenth of them or fewer and scaled: their cost is the same
for every one.
"""

from __future__ import annotations

import importlib
import platform
import statistics
import time
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import scipy
import sklearn
from scipy import stats
from sklearn.metrics import f1_score

from skeval.comparison import bayes_signed_rank_test, paired_permutation_test, permutation_test

ROUNDS = 7
N_SAMPLES = 10_000
Work = tuple[str, Callable[[], Any], float, Callable[[], Any]]


def main() -> None:
    """Print one line per comparison."""
    print(*(f"{module.__name__} {module.__version__}" for module in (np, scipy, sklearn)), processor())
    print(f"{'work':66} {'peer':>12} {'skeval':>12} {'ratio':>9} {'goal':>8}")
    report(*accuracy(), 10_000)
    report(*f1_loop(), 1_000)
    for_installed("MLstatkit", f1_mlstatkit, 1_000)
    report(*whole_scores(), 500)
    report(*real_scores(), 50)
    for_installed("baycomp", signed_rank, 8)


def for_installed(name: str, work: Callable[[ModuleType], Work], goal: float) -> None:
    try:
        peer = importlib.import_module(name)
    except ModuleNotFoundError:
        print(f"{work.__name__}: {name} is not installed")
    else:
        report(*work(peer), goal)


def report(what: str, peer: Callable[[], Any], scale: float, ours: Callable[[], Any], goal: float) -> None:
    """Time both in turn and print the medians."""
    peer(), ours()
    pairs = [(seconds(peer) * scale, seconds(ours)) for _ in range(ROUNDS)]
    theirs, mine = (statistics.median(times) for times in zip(*pairs, strict=True))
    print(f"{what:66} {theirs * 1e3:9.0f} ms {mine * 1e3:9.2f} ms {theirs / mine:8.0f}x {goal:7}x")


def seconds(function: Callable[[], Any]) -> float:
    """Return the time of one call: of as many in a row as take 20 ms together."""
    start, n_calls, passed = time.perf_counter(), 0, 0.0
    while passed < 0.02:
        function()
        n_calls, passed = n_calls + 1, time.perf_counter() - start
    return passed / n_calls


def predictions() -> tuple[Any, Any, Any]:
    """True labels and two models with 12 % errors that differ on 8 % of the samples."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, N_SAMPLES)
    one = np.where(rng.random(N_SAMPLES) < 0.12, 1 - y, y)
    other = np.where(rng.random(N_SAMPLES) < 0.12, 1 - y, y)
    return y, one, np.where(rng.random(N_SAMPLES) < 0.38, other, one)


def scipy_flips(a: Any, b: Any, n_resamples: int) -> float:
    result = stats.permutation_test(
        (a, b),
        lambda x, y, axis: (x - y).mean(axis=axis),
        permutation_type="samples",
        vectorized=True,
        n_resamples=n_resamples,
        batch=100,
        rng=np.random.default_rng(0),
    )
    return float(result.pvalue)


def agree(sampled: float, n_resamples: int, exact: float) -> None:
    """Check that a sampled p-value is within four standard errors of the exact one."""
    error = (exact * (1 - exact) / n_resamples) ** 0.5
    assert abs(sampled - exact) < 4 * error + 2 / n_resamples, f"{sampled} where {exact} is exact"


def accuracy() -> Work:
    y, a, b = predictions()
    right_a, right_b = (y == a).astype(float), (y == b).astype(float)
    agree(scipy_flips(right_a, right_b, 2000), 2000, permutation_test(y, a, b).pvalue)
    what = "paired accuracy, n = 1e4: scipy's 9,999 permutations, exact here"
    return what, lambda: scipy_flips(right_a, right_b, 999), 9999 / 999, lambda: permutation_test(y, a, b)


def f1_loop() -> Work:
    y, a, b = predictions()

    def loop(n_resamples: int) -> float:
        rng, observed, reached = np.random.default_rng(0), abs(f1_score(y, a) - f1_score(y, b)), 0
        for _ in range(n_resamples):
            swap = rng.random(len(y)) < 0.5
            one, two = np.where(swap, b, a), np.where(swap, a, b)
            reached += abs(f1_score(y, one) - f1_score(y, two)) >= observed - 1e-12
        return (reached + 1) / (n_resamples + 1)

    agree(loop(400), 400, permutation_test(y, a, b, metric="f1").pvalue)
    what = "paired F1, n = 1e4: 1,000 rounds over scikit-learn, exact here"
    return what, lambda: loop(20), 1000 / 20, lambda: permutation_test(y, a, b, metric="f1")


def f1_mlstatkit(peer: ModuleType) -> Work:
    y, a, b = predictions()

    def theirs(n_rounds: int) -> float:
        return float(peer.Permutation_test(y, a, b, "f1", n_rounds, average="binary")[2])

    silence(importlib.import_module("MLstatkit.permutation"))
    agree(theirs(400), 400, permutation_test(y, a, b, metric="f1").pvalue)
    what = "paired F1, n = 1e4: 1,000 rounds of MLstatkit, exact here"
    return what, lambda: theirs(20), 1000 / 20, lambda: permutation_test(y, a, b, metric="f1")


def silence(module: Any) -> None:
    """Take the progress bar out of the peer's loop, and its cost with it."""
    module.tqdm = lambda items, **_: items


def whole_scores() -> Work:
    """Marks of 1 to 5."""
    rng = np.random.default_rng(0)
    a = rng.integers(1, 6, N_SAMPLES).astype(float)
    b = np.clip(a + rng.integers(-1, 2, N_SAMPLES), 1, 5)
    agree(scipy_flips(a, b, 2000), 2000, paired_permutation_test(a, b).pvalue)
    what = "paired whole scores, n = 1e4: scipy's 9,999, exact here"
    return what, lambda: scipy_flips(a, b, 999), 9999 / 999, lambda: paired_permutation_test(a, b)


def real_scores() -> Work:
    rng = np.random.default_rng(0)
    a, b = rng.normal([[0.02], [0.0]], 1.0, size=(2, N_SAMPLES))

    def ours() -> Any:
        return paired_permutation_test(a, b, method="monte-carlo", n_resamples=9999, random_state=0)

    near = paired_permutation_test(a, b, method="saddlepoint").pvalue
    agree(scipy_flips(a, b, 2000), 2000, near)
    agree(ours().pvalue, 9999, near)
    what = "paired real scores, n = 1e4: 9,999 sign flips, scipy's and ours"
    return what, lambda: scipy_flips(a, b, 999), 9999 / 999, ours


def signed_rank(peer: ModuleType) -> Work:
    rng, n_draws = np.random.default_rng(0), 50_000
    a, b = rng.normal(80, 10, size=54), rng.normal(0, 4, size=54)
    b = a + 0.5 + b

    def theirs() -> Any:
        return peer.SignedRankTest.probs(a, b, rope=1, nsamples=n_draws)

    def ours() -> Any:
        return bayes_signed_rank_test(b, a, rope=1, n_samples=n_draws, random_state=0)

    found = ours()
    for mine, other in zip((found.b_better, found.equivalent, found.a_better), theirs(), strict=True):
        assert abs(mine - other) < 0.012, f"{mine} here, {other} there"
    return "signed-rank with a rope, 50,000 draws, 54 data sets: baycomp", theirs, 1, ours


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

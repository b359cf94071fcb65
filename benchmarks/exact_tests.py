"""Speed of the exact tests against peers.

Run as ``python benchmarks/exact_tests.py`` from the root of the repository. The peers' permutations
are timed on a tenth of them or fewer and scaled.
"""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
from scipy import stats
from sklearn.metrics import f1_score
from timing import Work, measure

from skeval.comparison import bayes_signed_rank_test, paired_permutation_test, permutation_test

N_SAMPLES = 10_000


def main() -> None:
    """Print one line per comparison."""
    measure(accuracy, f1_loop, f1_mlstatkit, whole_scores, real_scores, signed_rank)


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

    def theirs() -> float:
        return scipy_flips(right_a, right_b, 999)

    what = "paired accuracy, n = 1e4: 9,999 permutations there, exact here"
    return Work(what, "scipy", theirs, lambda: permutation_test(y, a, b), 10_000, scale=9999 / 999)


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

    def ours() -> Any:
        return permutation_test(y, a, b, metric="f1")

    what = "paired F1, n = 1e4: 1,000 rounds of a loop there, exact here"
    return Work(what, "scikit-learn", lambda: loop(20), ours, 1_000, scale=1000 / 20)


def f1_mlstatkit() -> Work:
    peer = importlib.import_module("MLstatkit")
    y, a, b = predictions()

    def theirs(n_rounds: int) -> float:
        return float(peer.Permutation_test(y, a, b, "f1", n_rounds, average="binary")[2])

    def ours() -> Any:
        return permutation_test(y, a, b, metric="f1")

    # Takes the progress bar out of the peer's loop, and its cost with it.
    importlib.import_module("MLstatkit.permutation").tqdm = lambda items, **_: items
    agree(theirs(400), 400, ours().pvalue)
    what = "paired F1, n = 1e4: 1,000 rounds there, exact here"
    return Work(what, "MLstatkit", lambda: theirs(20), ours, 1_000, scale=1000 / 20)


def whole_scores() -> Work:
    """Marks of 1 to 5."""
    rng = np.random.default_rng(0)
    a = rng.integers(1, 6, N_SAMPLES).astype(float)
    b = np.clip(a + rng.integers(-1, 2, N_SAMPLES), 1, 5)
    agree(scipy_flips(a, b, 2000), 2000, paired_permutation_test(a, b).pvalue)

    def ours() -> Any:
        return paired_permutation_test(a, b)

    what = "paired whole scores, n = 1e4: 9,999 sign flips there, exact here"
    return Work(what, "scipy", lambda: scipy_flips(a, b, 999), ours, 500, scale=9999 / 999)


def real_scores() -> Work:
    rng = np.random.default_rng(0)
    a, b = rng.normal([[0.02], [0.0]], 1.0, size=(2, N_SAMPLES))

    def ours() -> Any:
        return paired_permutation_test(a, b, method="monte-carlo", n_resamples=9999, random_state=0)

    near = paired_permutation_test(a, b, method="saddlepoint").pvalue
    agree(scipy_flips(a, b, 2000), 2000, near)
    agree(ours().pvalue, 9999, near)
    what = "paired real scores, n = 1e4: 9,999 sign flips"
    return Work(what, "scipy", lambda: scipy_flips(a, b, 999), ours, 50, scale=9999 / 999)


def signed_rank() -> Work:
    peer = importlib.import_module("baycomp")
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
    return Work("signed-rank with a rope, 50,000 draws, 54 data sets", "baycomp", theirs, ours, 8)


if __name__ == "__main__":
    main()

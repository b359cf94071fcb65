"""Logarithms of p-values that are below the smallest float."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import special, stats

from skeval.utils._tables import SMALLEST_PRINTED


def keep_log(pvalue: float, logarithm: Callable[[], float]) -> dict[str, Any]:
    """Return the entry ``log_pvalue`` for the details of a result, where the p-value needs one."""
    if not pvalue < SMALLEST_PRINTED:
        return {}
    value = float(logarithm())
    return {"log_pvalue": value} if np.isfinite(value) else {}


def log_t_sf(t: float, df: float) -> float:
    """Return log P(T > t) of Student's t, for t > 0."""
    return float(np.log(0.5)) + _log_beta_tail(2 * np.log(t) - np.log(df), df / 2, 0.5)


def log_f_sf(f: float, df1: float, df2: float) -> float:
    """Return log P(F > f), for f > 0."""
    return _log_beta_tail(np.log(f) + np.log(df1) - np.log(df2), df2 / 2, df1 / 2)


def _log_beta_tail(log_odds: float, a: float, b: float) -> float:
    """Return the log of the incomplete beta function I_x(a, b) with x = 1/(1 + odds), for a small x.

    x^a (1 - x)^b F(a + b, 1; a + 1; x)/(a B(a, b)): a series of positive terms.
    """
    log_x, log_rest = -np.logaddexp(0, log_odds), -np.logaddexp(0, -log_odds)
    series = np.log(special.hyp2f1(a + b, 1, a + 1, np.exp(log_x)))
    return float(a * log_x + b * log_rest + series - np.log(a) - special.betaln(a, b))


def log_chi2_sf(x: float, df: float) -> float:
    """Return log P(chi-squared > x), for an x far above df."""
    if np.isinf(x):
        return -np.inf
    a = df / 2
    # The asymptotic series: its terms fall as 2a/x, and end at the a-th where df is even.
    terms = np.cumprod((a - np.arange(1, a + 60)) / (x / 2))
    return float((a - 1) * np.log(x / 2) - x / 2 - special.gammaln(a) + np.log1p(terms.sum()))


def log_binomial(n_hits: int, n_trials: int, share: float, alternative: str) -> float:
    """Return the log of the p-value of the exact binomial test."""
    logs = stats.binom.logpmf(np.arange(n_trials + 1), n_trials, share)
    if alternative == "greater":
        return float(special.logsumexp(logs[n_hits:]))
    if alternative == "less":
        return float(special.logsumexp(logs[: n_hits + 1]))
    return float(special.logsumexp(logs[logs <= logs[n_hits] + 1e-7]))


def log_mcnemar(fewer: int, discordant: int, mid: bool) -> float:
    """Return the log of McNemar's exact p-value, 2 F, or of its mid-p, 2 F - f."""
    logs = stats.binom.logpmf(np.arange(fewer + 1), discordant, 0.5)
    below = float(special.logsumexp(logs))
    return below + float(np.log(2 - np.exp(logs[-1] - below) if mid else 2.0))

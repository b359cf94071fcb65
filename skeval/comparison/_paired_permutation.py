"""The paired permutation test of the mean difference of two methods' scores."""

from __future__ import annotations

from typing import Any

import numpy as np

from skeval.comparison._paired import Pairs, check_pairs, whole_units
from skeval.comparison._permutation import REFERENCE
from skeval.comparison._sign_flips import (
    MAX_TERMS,
    SLACK,
    Tail,
    lattice_tail,
    lattice_work,
    real_tail,
    saddlepoint_tail,
    sample_sums,
    sampled_tail,
)
from skeval.comparison._student import ALTERNATIVES
from skeval.exceptions import DegenerateDataWarning
from skeval.utils._random import check_generator
from skeval.utils._results import TestResult
from skeval.utils._validation import FloatArray, check_int, check_option
from skeval.utils._warnings import warn_user

# Additions that "auto" allows (under a second), and those that "exact" refuses.
AUTO_WORK, MAX_WORK = 3e8, 1e10
# Where few real terms can be summed in all ways, a lattice must be cheaper than that.
_FEW_WORK = 1e7


def paired_permutation_test(
    a: Any,
    b: Any,
    *,
    method: str = "auto",
    alternative: str = "two-sided",
    n_resamples: int = 9999,
    random_state: Any = None,
) -> TestResult:
    """Paired permutation test of the mean difference of two methods' scores.

    Under the null hypothesis each difference is as likely to have the other sign: flipping
    signs at random gives the null distribution of the mean difference.

    Parameters
    ----------
    a, b : array-like of shape (n_pairs,)
        Scores of two methods on the same samples or data sets, greater is better.
    method : {"auto", "exact", "monte-carlo", "saddlepoint"}, default="auto"
        "exact": over all 2^n sign flips; for up to 40 differences, or any number of them
        that are whole multiples of one unit (integers, decimals of a few digits).
        "monte-carlo": `n_resamples` random flips. "saddlepoint": the approximation of
        Lugannani & Rice, for real scores, right to about a percent from 10 pairs on, in
        the far tail too. "auto": exact where that takes less than a second, else
        "monte-carlo".
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        "greater": a is better than b.
    n_resamples : int, default=9999
        Random flips of the Monte Carlo form, at least 1.
    random_state : int, RandomState, Generator or None, default=None
        For the Monte Carlo form.

    Returns
    -------
    TestResult
        ``statistic`` and ``estimate`` are the mean of a - b. ``details``: the number of
        pairs and of those that differ, the standardized mean difference (mean over standard
        deviation of the differences, divisor n - 1), ``log_pvalue`` (natural logarithm), the form of the
        test.

    Raises
    ------
    MissingScoreError
        A score is nan.
    ValueError
        Lengths that differ, an infinite score, a dict of cross_validate (its splits are not
        independent); ``method="exact"`` where that takes too long.

    Warns
    -----
    DegenerateDataWarning
        All differences are zero: p = 1.

    See Also
    --------
    wilcoxon_test : The same for ranks of the differences, which no outlier moves.

    Notes
    -----
    The null hypothesis says that the differences are independent and symmetric about 0. On
    a lattice, the null distribution is a product of cosines; its inverse Fourier transform
    is taken after an exponential tilt to the observed mean, so that far tails keep their
    digits. A mean within 1e-12 of the observed one counts as at least as extreme. The Monte
    Carlo form has p = (b + 1)/(n_resamples + 1), which is never 0.

    References
    ----------
    Fisher (1935), The Design of Experiments, section 21. Zmigrod, Vieira & Cotterell (2022),
    Exact paired-permutation testing for structured test statistics, Proceedings of NAACL.
    Lugannani & Rice (1980), Advances in Applied Probability 12.

    Examples
    --------
    >>> from skeval.comparison import paired_permutation_test
    >>> a = [7, 9, 6, 8, 8, 9, 7, 8]
    >>> b = [6, 8, 6, 6, 7, 9, 5, 7]
    >>> result = paired_permutation_test(a, b)
    >>> result.estimate, result.pvalue
    (1.0, 0.03125)
    """
    check_option(method, "method", ("auto", "exact", "monte-carlo", "saddlepoint"))
    check_option(alternative, "alternative", ALTERNATIVES)
    n_resamples = check_int(n_resamples, "n_resamples", minimum=1)
    pairs = check_pairs(a, b)
    differences = pairs.differences
    mean = float(differences.mean())
    facts: dict[str, Any] = {"form": "exact"}
    if differences.any():
        tail, facts = _flips_tail(pairs, method, alternative, n_resamples, random_state)
    else:
        warn_user(
            "all differences are zero: the two have the same scores, so p is set to 1.", DegenerateDataWarning
        )
        tail = Tail(1.0, 0.0)
    return TestResult(
        statistic=mean,
        pvalue=tail.pvalue,
        estimate=mean,
        alternative=alternative,
        method=f"paired permutation test of the mean ({facts['form']})",
        hypothesis="the differences are symmetric about 0",
        estimand="mean difference of the scores, first minus second",
        reference=REFERENCE,
        statistic_name="mean difference",
        details={
            "n_pairs": len(differences),
            "n_different": int(np.count_nonzero(differences)),
            "standardized_difference": _standardized(differences, pairs.rounding),
            "log_pvalue": tail.log,
        }
        | facts,
    )


def _standardized(differences: FloatArray, rounding: float) -> float:
    """Return the mean over the standard deviation, nan where that is rounding."""
    size = float(np.abs(differences).max())
    shares = differences / size if size else differences  # the squares of tiny numbers would vanish
    spread = float(shares.std(ddof=min(1, len(shares) - 1)))
    return float(shares.mean()) / spread if spread * size > rounding else np.nan


def _flips_tail(
    pairs: Pairs, method: str, alternative: str, n_resamples: int, random_state: Any
) -> tuple[Tail, dict[str, Any]]:
    """Return the tail of the sum of the differences, and how it was found."""
    two_sided = alternative == "two-sided"
    differences = -pairs.differences if alternative == "less" else pairs.differences
    terms = differences[differences != 0]
    observed = abs(float(terms.sum())) if two_sided else float(terms.sum())
    if method == "saddlepoint":
        tail, form = saddlepoint_tail(terms, observed), {"form": "saddlepoint"}
        return tail.doubled() if two_sided else tail, form
    if method != "monte-carlo":
        exact = _exact_tail(pairs, terms, observed, alternative, AUTO_WORK if method == "auto" else MAX_WORK)
        if exact is not None:
            return exact.doubled() if two_sided else exact, {"form": "exact"}
        if method == "exact":
            raise ValueError(
                f"method='exact' is too slow for {len(terms)} differences that are not whole multiples, in "
                f"small numbers, of a common unit; it takes up to {MAX_TERMS} of any size: use "
                "method='saddlepoint' or method='monte-carlo'."
            )
    sums = sample_sums(terms, n_resamples, check_generator(random_state))
    reached = (np.abs(sums) if two_sided else sums) >= observed - SLACK * float(np.abs(terms).sum())
    tail = sampled_tail(int(reached.sum()), n_resamples)
    return tail, {"form": "Monte Carlo", "n_resamples": n_resamples}


def _exact_tail(
    pairs: Pairs, terms: FloatArray, observed: float, alternative: str, max_work: float
) -> Tail | None:
    """Return P(sum of the differences with random signs >= observed), or None where that takes too long."""
    units, unit = whole_units(pairs)
    few = len(terms) <= MAX_TERMS
    if (np.abs(pairs.differences - units * unit) <= pairs.rounding).all():
        sizes, total = np.abs(units[units != 0]), int(units.sum())
        if lattice_work(sizes) <= (min(_FEW_WORK, max_work) if few else max_work):
            turned = {"two-sided": abs(total), "greater": total, "less": -total}
            return lattice_tail(sizes, turned[alternative])
    return real_tail(terms, observed) if few else None

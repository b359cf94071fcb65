"""One model's error rate against a number."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from itertools import accumulate
from typing import Any

import numpy as np
from scipy import stats

from skeval.comparison._student import ALTERNATIVES, student_test, without_rounding
from skeval.comparison._tails import keep_log, log_binomial
from skeval.exceptions import DependenceWarning, MissingScoreError
from skeval.model_selection._cv_scores import CVScores
from skeval.model_selection._paired_scores import ROUNDING, check_not_tiny
from skeval.model_selection._split_indices import share_training_rows
from skeval.utils._results import TestResult
from skeval.utils._validation import (
    LARGEST,
    FloatArray,
    check_int,
    check_level,
    check_option,
    check_real,
    check_vector,
    to_floats,
)
from skeval.utils._warnings import warn_user

# Up to here p-values are exact fractions; beyond, no p-value equals an alpha of a few digits.
EXACT_SAMPLES = 500

_BOUNDS = {"greater": "at most", "less": "at least", "two-sided": ""}


def binomial_test(n_errors: int, n_samples: int, *, error: float, alternative: str = "greater") -> TestResult:
    """Exact binomial test of an error rate on one test set.

    Parameters
    ----------
    n_errors : int
        Wrong predictions, from 0 to `n_samples`.
    n_samples : int
        Test samples, at least 1, none of them trained on.
    error : float
        The error rate of the null hypothesis, in [0, 1].
    alternative : {"greater", "less", "two-sided"}, default="greater"
        "greater": the error rate is above `error`. "two-sided" sums the outcomes that are
        no more probable than the one seen.

    Returns
    -------
    TestResult
        ``statistic`` is the number of errors, ``estimate`` the error rate, its interval
        that of Clopper and Pearson.

    Raises
    ------
    ValueError, TypeError
        Counts that are not whole or out of range; `error` outside [0, 1].

    See Also
    --------
    critical_errors : The largest number of errors that is still accepted.

    Notes
    -----
    `error` is read as the decimal that it prints as, and up to 500 samples the p-value is
    the exact fraction, rounded once: p = alpha is met where it is equal in decimals.

    References
    ----------
    Clopper & Pearson (1934), The use of confidence or fiducial limits illustrated in the
    case of the binomial, Biometrika 26.

    Examples
    --------
    >>> from skeval.comparison import binomial_test
    >>> result = binomial_test(6, 10, error=0.3)
    >>> round(result.pvalue, 4)
    0.0473
    >>> low, high = result.confidence_interval()
    >>> round(low, 3), high
    (0.304, 1.0)
    """
    check_option(alternative, "alternative", ALTERNATIVES)
    n_samples = check_int(n_samples, "n_samples", minimum=1)
    n_errors = check_int(n_errors, "n_errors", minimum=0)
    if n_errors > n_samples:
        raise ValueError(f"n_errors must not exceed n_samples, got {n_errors} errors of {n_samples} samples.")
    rate = _exact(error, "error")
    log: dict[str, Any] = {}
    if n_samples <= EXACT_SAMPLES:
        exact = _exact_pvalue(n_errors, n_samples, rate, alternative)
        pvalue = float(exact)
        if exact:  # 0 is the p-value of what cannot happen, not an underflow
            log = keep_log(pvalue, lambda: math.log(exact.numerator) - math.log(exact.denominator))
    else:
        pvalue = float(stats.binomtest(n_errors, n_samples, float(rate), alternative).pvalue)
        log = keep_log(pvalue, lambda: log_binomial(n_errors, n_samples, float(rate), alternative))
    return TestResult(
        statistic=float(n_errors),
        pvalue=pvalue,
        estimate=n_errors / n_samples,
        alternative=alternative,
        method="binomial test",
        hypothesis=f"the error rate is {_BOUNDS[alternative]} {float(rate):g}".replace("  ", " "),
        estimand="error rate of the model on new samples of the population of the test set",
        reference="Clopper & Pearson (1934), Biometrika 26",
        statistic_name="errors",
        details={"n_errors": n_errors, "n_samples": n_samples, "error": float(rate)} | log,
        _interval=partial(_clopper_pearson, n_errors, n_samples),
    )


def critical_errors(n_samples: int, *, error: float, alpha: float = 0.05, strict: bool = False) -> int:
    """Largest number of errors with which "the error rate is at most `error`" is still accepted.

    Parameters
    ----------
    n_samples : int
        Test samples, at least 1.
    error : float
        The error rate of the null hypothesis, in [0, 1].
    alpha : float, default=0.05
        Reject at p <= alpha.
    strict : bool, default=False
        Reject at p < alpha instead, as some textbooks have it. The two differ only where
        a p-value equals alpha.

    Returns
    -------
    int
        `n_samples` where no number of errors is rejected.

    Raises
    ------
    ValueError
        No sample, an error rate outside [0, 1], or a level outside (0, 1).
    TypeError
        A number of samples that is no integer, or another number that is none.

    Notes
    -----
    `error` and `alpha` are read as the decimals that they print as, and a p-value that
    may equal alpha is compared as a fraction.

    Examples
    --------
    >>> from skeval.comparison import critical_errors
    >>> critical_errors(10, error=0.3)
    5
    >>> critical_errors(1, error=0.05), critical_errors(1, error=0.05, strict=True)
    (0, 1)
    """
    n_samples = check_int(n_samples, "n_samples", minimum=1)
    rate = _exact(error, "error")
    check_level(alpha, "alpha")
    level = _exact(alpha, "alpha")

    def rejected(n_errors: int) -> bool:
        pvalue: Any = float(stats.binom.sf(n_errors - 1, n_samples, float(rate)))
        if n_samples <= EXACT_SAMPLES and math.isclose(pvalue, level, rel_tol=1e-9):
            pvalue = _exact_pvalue(n_errors, n_samples, rate, "greater")
            return bool(pvalue < level) if strict else bool(pvalue <= level)
        return bool(pvalue <= float(level))

    accepted = int(stats.binom.isf(float(level), n_samples, float(rate)))
    while accepted > 0 and rejected(accepted):
        accepted -= 1
    while accepted < n_samples and not rejected(accepted + 1):
        accepted += 1
    return accepted


def _exact(value: Any, name: str) -> Fraction:
    """Return a number in [0, 1] as the fraction that its decimal form says."""
    number = check_real(value, name, low=0, high=1)
    return value if isinstance(value, Fraction) else Fraction(repr(number))


def _exact_pvalue(n_errors: int, n_samples: int, rate: Fraction, alternative: str) -> Fraction:
    """Return the binomial p-value in whole numbers over one denominator."""
    wrong, right = rate.numerator, rate.denominator - rate.numerator
    powers = accumulate([1] + [right] * n_samples, int.__mul__)
    rights = list(powers)[::-1]
    weights = [math.comb(n_samples, count) * wrong**count * rights[count] for count in range(n_samples + 1)]
    if alternative == "greater":
        total = sum(weights[n_errors:])
    elif alternative == "less":
        total = sum(weights[: n_errors + 1])
    else:
        total = sum(weight for weight in weights if weight <= weights[n_errors])
    return Fraction(total, rate.denominator**n_samples)


def _clopper_pearson(n_errors: int, n_samples: int, alternative: str, level: float) -> tuple[float, float]:
    result: Any = stats.binomtest(n_errors, n_samples, alternative=alternative)
    interval = result.proportion_ci(confidence_level=level, method="exact")
    return float(interval.low), float(interval.high)


def one_sample_ttest(errors: Any, *, error: float, alternative: str = "two-sided") -> TestResult:
    """One-sample t-test of the mean of several test errors.

    Parameters
    ----------
    errors : array-like of shape (n_splits,) or CVScores
        Test errors of one method (not scores: ``1 - accuracy``).
    error : float
        The mean error of the null hypothesis.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        "greater": the mean error is above `error`.

    Returns
    -------
    TestResult
        t with k - 1 degrees of freedom; ``estimate`` is the mean error.

    Raises
    ------
    ValueError
        Fewer than two errors, or one that is infinite.
    MissingScoreError
        An error is nan.

    Warns
    -----
    DependenceWarning
        `errors` is a CVScores, unless its indices show that no two splits share a
        training row. An array is taken to hold independent errors.
    DegenerateDataWarning
        All errors are equal.

    Notes
    -----
    The test assumes independent errors, as from separate test sets. Errors on splits of
    one data set are not: the variance is underestimated and the test rejects too often.

    Examples
    --------
    >>> from skeval.comparison import one_sample_ttest
    >>> result = one_sample_ttest([0.12, 0.15, 0.10, 0.18, 0.13, 0.16], error=0.10)
    >>> round(result.statistic, 3), round(result.pvalue, 4)
    (3.381, 0.0197)
    """
    error = check_real(error, "error", low=-LARGEST, high=LARGEST)
    check_option(alternative, "alternative", ALTERNATIVES)
    values = _check_errors(errors)
    distances = values - error
    effect, standard_error = without_rounding(
        float(distances.mean()),
        float(values.std(ddof=1)) / len(values) ** 0.5,
        distances,
        ROUNDING * check_not_tiny(np.append(values, error)),
        names=("the errors", f"the error of {error:g}"),
    )
    return student_test(
        effect,
        standard_error,
        len(values) - 1,
        alternative=alternative,
        estimate=float(values.mean()),
        method="one-sample t-test of test errors",
        hypothesis=f"the mean error is {_BOUNDS[alternative]} {error:g}".replace("  ", " "),
        estimand="mean test error of the method",
        reference="Student (1908), Biometrika 6",
        details={"n_used": len(values), "error": error},
    )


def _check_errors(errors: Any) -> FloatArray:
    """Return test errors as an array, with a warning where their splits share training rows."""
    if isinstance(errors, Mapping) or hasattr(errors, "columns"):
        raise ValueError(
            "errors must be test errors, not a dict of scores: pass "
            "CVScores(1 - results['test_score'], indices=results['indices'])."
        )
    values = errors.scores if isinstance(errors, CVScores) else to_floats(errors, "errors")
    if values.ndim != 1 or len(values) < 2:
        raise ValueError(f"errors must be one-dimensional and hold at least 2, got shape {values.shape}.")
    if np.isnan(values).any():
        where = int(np.isnan(values).argmax())
        raise MissingScoreError(f"errors must not be missing, got nan at position {where} (counted from 0).")
    if isinstance(errors, CVScores) and (errors.indices is None or share_training_rows(errors.indices)):
        warn_user(
            "Splits of one data set share training rows, so this t-test rejects too often: read it with "
            "care, or test one model on one test set with binomial_test.",
            DependenceWarning,
        )
    return check_vector(values, "errors", largest=LARGEST)

"""Two shares from two independent test sets."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

from scipy import stats

from skeval.comparison._student import ALTERNATIVES, t_ratio
from skeval.exceptions import DegenerateDataWarning
from skeval.intervals import IntervalResult, independent_difference_interval
from skeval.utils._results import TestResult
from skeval.utils._validation import check_int, check_option
from skeval.utils._warnings import warn_user

_HYPOTHESES = {
    "two-sided": "the two proportions are equal",
    "greater": "the first proportion is not above the second",
    "less": "the first proportion is not below the second",
}


def proportions_ztest(
    n_successes: Any, n_samples: Any, *, pooled: bool = False, alternative: str = "two-sided"
) -> TestResult:
    """z-test of two proportions from two independent test sets.

    Of two accuracies, say, where each model was tested on samples of its own. For two
    models on the same test set use `mcnemar_test`: their results are paired.

    Parameters
    ----------
    n_successes : pair of int
        Samples counted (right answers, positives found) in the first and the second set.
    n_samples : pair of int
        Samples of the two sets, at least 1 each.
    pooled : bool, default=False
        Variance under the null hypothesis: False: p1 (1 - p1)/n1 + p2 (1 - p2)/n2. True:
        p (1 - p)(1/n1 + 1/n2), p the share in both sets together.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        "greater": the first proportion is above the second.

    Returns
    -------
    TestResult
        z; ``estimate`` is the first proportion minus the second. The interval is Newcombe's,
        whichever variance the test has. ``details``: both proportions, ``log_pvalue``
        (natural logarithm), whether the variance is pooled.

    Raises
    ------
    ValueError, TypeError
        Counts that are not whole or out of range. ``pooled=False`` with one proportion 0 and
        the other 1: this variance is then 0, however few the samples are.

    Warns
    -----
    DegenerateDataWarning
        Both proportions are 0, or both are 1: z = 0 and p = 1.

    See Also
    --------
    mcnemar_test : Two models on one test set.
    skeval.intervals.independent_difference_interval : Other intervals.

    Notes
    -----
    The normal approximation needs some ten samples counted and not counted in either set.
    Newcombe's interval combines the Wilson intervals (l_i, u_i) of the two: p1 - p2 -
    sqrt((p1 - l1)^2 + (u2 - p2)^2) and p1 - p2 + sqrt((u1 - p1)^2 + (p2 - l2)^2).

    References
    ----------
    Newcombe (1998), Interval estimation for the difference between independent proportions:
    comparison of eleven methods, Statistics in Medicine 17, 873-890, method 10.

    Examples
    --------
    >>> from skeval.comparison import proportions_ztest
    >>> result = proportions_ztest([90, 70], [100, 100])
    >>> round(result.statistic, 3), round(result.pvalue, 5)
    (3.651, 0.00026)
    >>> low, high = result.confidence_interval()
    >>> round(low, 3), round(high, 3)
    (0.09, 0.306)
    """
    check_option(pooled, "pooled", (True, False))
    check_option(alternative, "alternative", ALTERNATIVES)
    x1, x2 = _pair(n_successes, "n_successes", 0)
    n1, n2 = _pair(n_samples, "n_samples", 1)
    for x, n, which in ((x1, n1, "first"), (x2, n2, "second")):
        if x > n:
            raise ValueError(
                f"n_successes must not exceed n_samples, got {x} of {n} in the {which} test set."
            )
    p1, p2, p = x1 / n1, x2 / n2, (x1 + x2) / (n1 + n2)
    variance = p * (1 - p) * (1 / n1 + 1 / n2) if pooled else p1 * (1 - p1) / n1 + p2 * (1 - p2) / n2
    if not variance and p1 != p2:
        raise ValueError(
            "pooled=False has zero variance where one proportion is 0 and the other 1, which makes any "
            "difference look certain: use pooled=True."
        )
    if not variance:
        warn_user(
            f"zero variance: both proportions are {p1:g}, so z is set to 0 and p to 1.",
            DegenerateDataWarning,
        )
    z = t_ratio(p1 - p2, math.sqrt(variance))
    log = float(stats.norm.logsf({"two-sided": abs(z), "greater": z, "less": -z}[alternative]))
    log = min(0.0, log + math.log(2)) if alternative == "two-sided" else log if variance else 0.0
    return TestResult(
        statistic=z,
        pvalue=max(math.exp(log), math.ulp(0.0)),
        estimate=p1 - p2,
        standard_error=math.sqrt(variance),
        alternative=alternative,
        method=f"z-test of two independent proportions ({'pooled' if pooled else 'unpooled'})",
        hypothesis=_HYPOTHESES[alternative],
        estimand="difference of the proportions on new samples, first minus second",
        reference="Newcombe (1998), Statistics in Medicine 17, 873-890",
        statistic_name="z",
        details={"proportions": (p1, p2), "pooled": pooled, "log_pvalue": log},
        _interval=partial(difference_ends, independent_difference_interval, ((x1, x2), (n1, n2))),
    )


def _pair(values: Any, name: str, minimum: int) -> tuple[int, int]:
    """Return two whole numbers."""
    items = values.tolist() if hasattr(values, "tolist") else values
    if not isinstance(items, (list, tuple)) or len(items) != 2:
        raise ValueError(
            f"{name} must be a pair, one number for each of two independent test sets, got {values!r}; for "
            "two models on the same test set use mcnemar_test."
        )
    first, second = (
        check_int(value, f"{name}[{place}]", minimum=minimum) for place, value in enumerate(items)
    )
    return first, second


def difference_ends(
    interval: Callable[..., IntervalResult], counts: tuple[Any, ...], alternative: str, level: float
) -> tuple[float, float]:
    """Return the interval of a difference of shares; one-sided where the alternative is."""
    if alternative != "two-sided":
        if level <= 0.5:
            raise ValueError(f"confidence_level of a one-sided interval must be above 0.5, got {level}.")
        level = 2 * level - 1
    low, high = interval(*counts, confidence_level=level)
    return low if alternative != "less" else -1.0, high if alternative != "greater" else 1.0

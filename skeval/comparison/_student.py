"""From an effect, its standard error and degrees of freedom to a result: every t-test ends here."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import stats

from skeval.comparison._tails import keep_log, log_t_sf
from skeval.exceptions import DegenerateDataWarning
from skeval.utils._results import TestResult
from skeval.utils._validation import FloatArray, check_option
from skeval.utils._warnings import warn_user

ALTERNATIVES = ("two-sided", "greater", "less")

HYPOTHESES = {
    "two-sided": "the two methods are equally good on average",
    "greater": "the first method is not better than the second",
    "less": "the first method is not worse than the second",
}

# A spread this small beside the values themselves is rounding.
NO_SPREAD = 1e-12


def student_test(
    effect: float,
    standard_error: float,
    df: float,
    *,
    alternative: str,
    estimate: float | None = None,
    details: dict[str, Any],
    **words: Any,
) -> TestResult:
    """Return the t-test of "the effect is 0"; `estimate` is what the result reports (None: the effect)."""
    check_option(alternative, "alternative", ALTERNATIVES)
    statistic = t_ratio(effect, standard_error)
    pvalue = student_pvalue(statistic, df, alternative) if standard_error or effect else 1.0
    sides = np.log(2) if alternative == "two-sided" else 0.0
    log = keep_log(pvalue, lambda: sides + log_t_sf(abs(statistic), df))
    return TestResult(
        statistic=statistic,
        pvalue=pvalue,
        df=df,
        estimate=effect if estimate is None else estimate,
        standard_error=standard_error,
        alternative=alternative,
        statistic_name="t",
        details=details | log,
        **words,
    )


def t_ratio(effect: float, standard_error: float) -> float:
    """Divide; nothing over nothing is no effect, something over nothing is infinite."""
    if standard_error:
        return effect / standard_error
    return float(np.copysign(np.inf, effect)) if effect else 0.0


def student_pvalue(statistic: float, df: float, alternative: str) -> float:
    """Return the p-value of a t statistic."""
    if alternative == "greater":
        return float(stats.t.sf(statistic, df))
    if alternative == "less":
        return float(stats.t.cdf(statistic, df))
    return float(2 * stats.t.sf(abs(statistic), df))


def without_rounding(
    effect: float,
    standard_error: float,
    values: FloatArray,
    rounding: float,
    names: tuple[str, str] = ("a", "b"),
) -> tuple[float, float]:
    """Return effect and standard error; where `values` are constant, exact zeros and a warning."""
    size, pair = float(np.abs(values).max()), " and ".join(names)
    if size <= rounding:
        warn_zero_variance(f"{pair} are identical on every split; a test of difference gives 0 and p = 1.")
        return 0.0, 0.0
    if is_constant(values, rounding):
        warn_zero_variance(
            f"{pair} have a constant difference of {values[0]:.4g} on every split, which makes the "
            "statistic infinite. Check that the scores were not copied or rounded."
        )
        return effect, 0.0
    return effect, standard_error


def is_constant(values: FloatArray, rounding: float) -> bool:
    """Say whether values along the last axis differ by rounding alone."""
    limit = max(rounding, NO_SPREAD * float(np.abs(values).max()))
    return bool((np.ptp(values, axis=-1) <= limit).all())


def warn_zero_variance(what: str) -> None:
    """Warn that there is no variance to compare an effect with."""
    warn_user(f"zero variance: {what}", DegenerateDataWarning)

"""Areas under the ROC curve compared: DeLong's test of models on one test set, or on two."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np
from scipy import linalg, special, stats

from skeval.comparison._logical import adjust_pairs
from skeval.comparison._names import check_named
from skeval.comparison._student import ALTERNATIVES, student_pvalue, t_ratio, warn_zero_variance
from skeval.comparison._tails import keep_log, log_chi2_sf
from skeval.intervals._auc import REFERENCE, delong_covariance
from skeval.utils._labels import positive_mask
from skeval.utils._pairwise import PairwiseResult
from skeval.utils._results import TestResult
from skeval.utils._validation import FloatArray, check_option, check_same_length, check_vector

_HYPOTHESES = {
    "two-sided": "the two models have the same AUC",
    "greater": "the AUC of the first model is not above that of the second",
    "less": "the AUC of the first model is not below that of the second",
}
# A variance of a difference this small beside the variances themselves is rounding.
_NO_VARIANCE = 1e-14


def delong_test(
    y_true: Any, score_a: Any, score_b: Any, *, pos_label: Any = None, alternative: str = "two-sided"
) -> TestResult:
    """DeLong's test of the AUCs of two models on one test set.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Labels of two classes, two samples of each at least.
    score_a, score_b : array-like of shape (n_samples,)
        The two models' scores of the same samples; higher means more positive.
    pos_label : label, default=None
        The class that high scores belong to. None: 1 (True) for labels within {0, 1},
        {-1, 1} or {False, True}; otherwise it must be named.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        "greater": the AUC of a is above that of b.

    Returns
    -------
    TestResult
        ``statistic`` is z, positive where a has the larger AUC. ``estimate`` is the AUC of a
        less that of b, its interval within [-1, 1]. ``details``: both AUCs, their variances
        and covariance, the numbers of positives and negatives.

    Raises
    ------
    ValueError
        Lengths that differ, more than two classes, fewer than two samples of a class, a
        score that is missing or infinite.

    Warns
    -----
    DegenerateDataWarning
        The two rank the positives and negatives alike: z = 0, p = 1. Or the AUCs differ and
        the variance of the difference is 0: z is infinite.

    Notes
    -----
    It is about these two trained models on new samples, not about the methods. An AUC below
    1/2 is not turned round. For nested models (b is a with fewer features, fitted on the same
    samples) the test is invalid; on a test set that neither was fitted on it holds.

    References
    ----------
    DeLong, DeLong & Clarke-Pearson (1988), Comparing the areas under two or more correlated
    receiver operating characteristic curves, Biometrics 44, equation 5, in the form of Sun &
    Xu (2014), IEEE Signal Processing Letters 21.

    Examples
    --------
    >>> from skeval.comparison import delong_test
    >>> y = [1, 0, 1, 0, 1, 0]
    >>> result = delong_test(y, [0.9, 0.2, 0.3, 0.4, 0.8, 0.1], [0.6, 0.2, 0.5, 0.4, 0.8, 0.1])
    >>> round(result.estimate, 4), round(result.statistic, 4), round(result.pvalue, 4)
    (-0.1111, -0.7071, 0.4795)
    """
    check_option(alternative, "alternative", ALTERNATIVES)
    named = {"score_a": score_a, "score_b": score_b}
    positive, scores = _check_scores(y_true, named, pos_label)
    aucs, covariance = delong_covariance(positive, scores)
    variances = float(covariance[0, 0]), float(covariance[1, 1])
    return _auc_test(
        aucs,
        float(_of_difference(*variances, covariance[0, 1])),
        np.inf,
        alternative=alternative,
        method="DeLong's test",
        estimand="AUC of these two trained models on new samples, first minus second",
        details={
            "variances": variances,
            "covariance": float(covariance[0, 1]),
            "n_positive": int(positive.sum()),
            "n_negative": int((~positive).sum()),
        },
    )


def delong_independent_test(
    y_a: Any,
    score_a: Any,
    y_b: Any,
    score_b: Any,
    *,
    method: str = "normal",
    pos_label: Any = None,
    alternative: str = "two-sided",
) -> TestResult:
    """Test of two AUCs from different samples, with DeLong's variance of each.

    Parameters
    ----------
    y_a, score_a : array-like of shape (n_samples_a,)
        Labels of two classes, and the scores of the first model.
    y_b, score_b : array-like of shape (n_samples_b,)
        Labels and scores of other samples, by the second model or the same.
    method : {"normal", "welch"}, default="normal"
        "welch": Student's t with Welch's degrees of freedom, from the numbers of samples.
    pos_label : label, default=None
        As in `delong_test`.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        "greater": the AUC of a is above that of b.

    Returns
    -------
    TestResult
        As that of `delong_test`.

    Raises
    ------
    ValueError
        As `delong_test`.

    Warns
    -----
    DegenerateDataWarning
        Both variances are 0.

    Notes
    -----
    For two models on the same samples `delong_test` has far more power.

    References
    ----------
    DeLong, DeLong & Clarke-Pearson (1988), Biometrics 44; Welch (1947), Biometrika 34.

    Examples
    --------
    >>> from skeval.comparison import delong_independent_test
    >>> y, score = [1, 0, 1, 0, 1, 0], [0.9, 0.2, 0.3, 0.4, 0.8, 0.1]
    >>> other_y, other_score = [0, 0, 1, 1, 0], [0.3, 0.6, 0.5, 0.7, 0.2]
    >>> result = delong_independent_test(y, score, other_y, other_score)
    >>> round(result.statistic, 4), round(result.pvalue, 4)
    (0.1961, 0.8445)
    """
    check_option(alternative, "alternative", ALTERNATIVES)
    check_option(method, "method", ("normal", "welch"))
    sides = [
        _check_scores(y, {f"score_{side}": score}, pos_label, f"y_{side}")
        for side, y, score in (("a", y_a, score_a), ("b", y_b, score_b))
    ]
    found = [delong_covariance(positive, scores) for positive, scores in sides]
    variances = np.array([covariance[0, 0] for _, covariance in found])
    sizes = np.array([len(positive) for positive, _ in sides])
    total = float(variances.sum())
    df = np.inf
    if method == "welch" and total:
        df = total**2 / float((variances**2 / (sizes - 1)).sum())
    return _auc_test(
        np.array([aucs[0] for aucs, _ in found]),
        total,
        df,
        alternative=alternative,
        method="DeLong's test of independent samples" + (" (Welch)" if method == "welch" else ""),
        estimand="AUC on new samples like the first minus AUC on new samples like the second",
        details={
            "variances": tuple(variances.tolist()),
            "n_positive": tuple(int(positive.sum()) for positive, _ in sides),
            "n_negative": tuple(int((~positive).sum()) for positive, _ in sides),
        },
    )


def delong_pairwise(
    y_true: Any, scores: Mapping[str, Any], *, adjust: str = "holm", pos_label: Any = None
) -> PairwiseResult:
    """DeLong's test of all pairs of several models on one test set.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Labels of two classes.
    scores : dict of {name: array-like of shape (n_samples,)}
        Each model's scores of the same samples; higher means more positive.
    adjust : str, default="holm"
        A method of `adjust_pvalues`, "shaffer" or "bergmann-hommel".
    pos_label : label, default=None
        As in `delong_test`.

    Returns
    -------
    PairwiseResult
        ``estimate`` is the AUC of the first less that of the second. ``omnibus`` is the test
        that all AUCs are equal, for three models or more. ``details``: the AUCs by name and
        their covariance.

    Raises
    ------
    ValueError
        Fewer than two models; whatever `delong_test` refuses.

    Warns
    -----
    DegenerateDataWarning
        Two models rank the positives and negatives alike.

    References
    ----------
    DeLong, DeLong & Clarke-Pearson (1988), Biometrics 44, equations 5 and 6.

    Examples
    --------
    >>> from skeval.comparison import delong_pairwise
    >>> y = [1, 0, 1, 0, 1, 0, 1, 0]
    >>> scores = {
    ...     "a": [0.9, 0.2, 0.3, 0.4, 0.8, 0.1, 0.7, 0.6],
    ...     "b": [0.6, 0.2, 0.5, 0.4, 0.8, 0.1, 0.9, 0.3],
    ...     "c": [0.1, 0.5, 0.6, 0.2, 0.4, 0.7, 0.3, 0.8],
    ... }
    >>> result = delong_pairwise(y, scores)
    >>> result.pvalue.round(3)
    array([0.386, 0.082, 0.001])
    """
    named = check_named(scores, "scores", holds="scores", of="model")
    names = tuple(named)
    positive, values = _check_scores(y_true, named, pos_label)
    aucs, covariance = delong_covariance(positive, values)
    first, second = np.triu_indices(len(names), 1)
    effect = aucs[first] - aucs[second]
    variance = np.diag(covariance)
    error = np.sqrt(_of_difference(variance[first], variance[second], covariance[first, second]))
    pairs = tuple(combinations(names, 2))
    statistic = np.array(
        [_ratio(e, s, " and ".join(pair)) for e, s, pair in zip(effect, error, pairs, strict=True)]
    )
    raw = 2 * special.ndtr(-np.abs(statistic))
    return PairwiseResult(
        methods=names,
        pairs=pairs,
        estimate=effect,
        statistic=statistic,
        raw_pvalue=raw,
        pvalue=adjust_pairs(raw, len(names), method=adjust),
        method=f"DeLong's test of all pairs ({adjust})",
        hypothesis=_HYPOTHESES["two-sided"],
        estimand="AUC of these trained models on new samples, first minus second",
        reference=REFERENCE,
        omnibus=_all_equal(aucs, covariance, names) if len(names) > 2 else None,
        details={
            "auc": dict(zip(names, aucs.tolist(), strict=True)),
            "covariance": covariance,
            "n_positive": int(positive.sum()),
            "n_negative": int((~positive).sum()),
        },
        standard_error=error,
        df=np.full(len(pairs), np.inf),
        limits=(-1.0, 1.0),
    )


def _check_scores(
    y_true: Any, scores: Mapping[str, Any], pos_label: Any, name: str = "y_true"
) -> tuple[Any, FloatArray]:
    """Return which samples are positive, and a row of scores for each model."""
    positive, _ = positive_mask(y_true, pos_label, name)
    rows = {
        model: check_vector(score, model, hint="; pass the column of the positive class")
        for model, score in scores.items()
    }
    check_same_length(**{name: positive}, **rows)
    return positive, np.array(list(rows.values()))


def _of_difference(one: Any, other: Any, covariance: Any) -> Any:
    """Return the variance of a difference, 0 where it is rounding."""
    variance = one + other - 2 * covariance
    return np.where(variance > _NO_VARIANCE * (one + other), variance, 0.0)


def _ratio(effect: float, error: float, names: str = "the two models") -> float:
    """Return z; where there is no variance 0 or an infinite one, with a warning."""
    if not error:
        warn_zero_variance(
            f"{names} have different AUCs and none of their samples varies, which makes z infinite."
            if effect
            else f"{names} rank the positives and negatives alike; a test of difference gives 0 and p = 1."
        )
    return t_ratio(float(effect), float(error))


def _auc_test(
    aucs: FloatArray,
    variance: float,
    df: float,
    *,
    alternative: str,
    details: dict[str, Any],
    method: str,
    estimand: str,
) -> TestResult:
    """Return the test of the difference of two AUCs."""
    effect, error = float(aucs[0] - aucs[1]), variance**0.5
    statistic = _ratio(effect, error)
    pvalue = student_pvalue(statistic, df, alternative) if error or effect else 1.0

    def log_pvalue() -> float:
        sides = np.log(2) if alternative == "two-sided" else 0.0
        return float(sides + special.log_ndtr(-abs(statistic)))

    return TestResult(
        statistic=statistic,
        pvalue=pvalue,
        df=None if np.isinf(df) else df,
        estimate=effect,
        standard_error=error,
        alternative=alternative,
        method=method,
        hypothesis=_HYPOTHESES[alternative],
        estimand=estimand,
        reference=REFERENCE,
        statistic_name="z" if np.isinf(df) else "t",
        details={"auc": tuple(aucs.tolist())} | details | keep_log(pvalue, log_pvalue),
        _interval=partial(_interval, effect, error, df),
    )


def _interval(effect: float, error: float, df: float, alternative: str, level: float) -> tuple[float, float]:
    """Return the interval of a difference of AUCs, within [-1, 1]."""
    tail = (1 - level) / 2 if alternative == "two-sided" else 1 - level
    half = float(stats.t.isf(tail, df)) * error
    low = -1.0 if alternative == "less" else max(-1.0, effect - half)
    return low, 1.0 if alternative == "greater" else min(1.0, effect + half)


def _all_equal(aucs: FloatArray, covariance: FloatArray, names: tuple[str, ...]) -> TestResult:
    """Return the chi-squared test that all AUCs are equal."""
    contrast = np.column_stack([np.ones(len(aucs) - 1), -np.eye(len(aucs) - 1)])
    effects = contrast @ aucs
    # Models that rank alike leave a direction without variance: it is left out.
    inverse, rank = linalg.pinvh(contrast @ covariance @ contrast.T, rtol=1e-10, return_rank=True)
    statistic, df = float(effects @ inverse @ effects), int(rank)
    explained = contrast @ covariance @ contrast.T @ inverse @ effects
    if np.abs(effects - explained).max() > 1e-9:  # AUCs that differ without any variance
        statistic, df = np.inf, len(effects)
    pvalue = float(stats.chi2.sf(statistic, df)) if df else 1.0
    return TestResult(
        statistic=statistic,
        pvalue=pvalue,
        df=df,
        method="DeLong's test of all models",
        hypothesis="all models have the same AUC",
        estimand="AUCs of these trained models on new samples",
        reference=REFERENCE,
        statistic_name="chi2",
        details={"auc": dict(zip(names, aucs.tolist(), strict=True))}
        | keep_log(pvalue, lambda: log_chi2_sf(statistic, df)),
    )

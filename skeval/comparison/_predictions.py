"""Models on one test set, compared by which samples each gets right."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from skeval.comparison._tails import keep_log, log_chi2_sf, log_mcnemar
from skeval.exceptions import DegenerateDataWarning
from skeval.utils._labels import encode, to_labels
from skeval.utils._results import TestResult
from skeval.utils._validation import IntArray, check_option, check_same_length, describe
from skeval.utils._warnings import warn_user

_MCNEMAR = {
    "mid-p": "McNemar test (mid-p)",
    "exact": "McNemar test (exact)",
    "chi2": "McNemar test (chi-squared)",
    "chi2-corrected": "McNemar test (chi-squared, continuity-corrected)",
}


def mcnemar_test(y_true: Any, pred_a: Any, pred_b: Any, *, method: str = "mid-p") -> TestResult:
    """McNemar's test of two classifiers on one test set.

    Parameters
    ----------
    y_true, pred_a, pred_b : array-like of shape (n_samples,)
        True labels and the two models' labels of the same samples.
    method : {"mid-p", "exact", "chi2", "chi2-corrected"}, default="mid-p"
        As in `mcnemar_from_table`.

    Returns
    -------
    TestResult
        As `mcnemar_from_table` returns it.

    Raises
    ------
    ValueError
        Lengths that differ, labels of two kinds, missing labels, no sample.

    Warns
    -----
    DegenerateDataWarning
        The two are right on the same samples: no discordant pair, p = 1.

    Notes
    -----
    The samples must be one test set that neither model was trained on. Predictions pooled
    over the folds of a cross-validation come from several models that share training
    data: the test is then conditional on the fitted models and rejects equal methods too
    often (9.6 % where 5 % are meant, measured with unstable models). Compare methods by
    `corrected_resampled_ttest`.

    Examples
    --------
    >>> from skeval.comparison import mcnemar_test
    >>> y = ["cat", "dog", "dog", "cat", "dog", "cat", "dog", "dog"]
    >>> a = ["cat", "dog", "dog", "cat", "dog", "cat", "dog", "cat"]
    >>> b = ["dog", "dog", "cat", "cat", "cat", "dog", "dog", "cat"]
    >>> result = mcnemar_test(y, a, b)
    >>> result.estimate, round(result.pvalue, 4)
    (0.5, 0.0625)
    """
    right_a, right_b = right_or_wrong(y_true, {"pred_a": pred_a, "pred_b": pred_b})
    table = np.bincount(2 * (1 - right_a) + (1 - right_b), minlength=4).reshape(2, 2)
    return mcnemar_from_table(table, method=method)


def mcnemar_from_table(table: ArrayLike, *, method: str = "mid-p") -> TestResult:
    """McNemar's test from the table of right and wrong.

    Parameters
    ----------
    table : array-like of int of shape (2, 2)
        ``[[both right, only A right], [only B right, both wrong]]``.
    method : {"mid-p", "exact", "chi2", "chi2-corrected"}, default="mid-p"
        With b and c the counts of only A and only B right, F and f the distribution and
        the probabilities of Binomial(b + c, 1/2): "mid-p": 2 F(min(b, c)) - f(min(b, c)),
        and 1 - f(b)/2 where b = c; "exact": 2 F(min(b, c)), at most 1; "chi2":
        (b - c)^2/(b + c); "chi2-corrected": max(0, abs(b - c) - 1)^2/(b + c).

    Returns
    -------
    TestResult
        ``statistic`` is min(b, c) or chi-squared. ``estimate`` is the accuracy of A minus
        that of B, (b - c)/n, with its Wald interval for paired samples, within [-1, 1].

    Raises
    ------
    ValueError
        A table that is not 2 x 2, holds negative or broken counts, or no sample.

    Warns
    -----
    DegenerateDataWarning
        No discordant pair: p = 1.

    References
    ----------
    Fagerland, Lydersen & Laake (2013), The McNemar test for binary matched-pairs data:
    mid-p and asymptotic are better than exact conditional, BMC Medical Research
    Methodology 13:91.

    Examples
    --------
    >>> from skeval.comparison import mcnemar_from_table
    >>> round(mcnemar_from_table([[59, 6], [16, 80]]).pvalue, 6)
    0.03469
    """
    check_option(method, "method", tuple(_MCNEMAR))
    counts = _check_table(table)
    only_a, only_b, total = int(counts[0, 1]), int(counts[1, 0]), int(counts.sum())
    discordant, fewer = only_a + only_b, min(only_a, only_b)
    if not discordant:
        warn_user(
            "no discordant pairs: the two are right on the same samples, so p is set to 1 and the interval "
            "of their difference has no width.",
            DegenerateDataWarning,
        )
    statistic, pvalue, log = float(fewer), 1.0, {}
    if method in ("chi2", "chi2-corrected"):
        apart = abs(only_a - only_b)
        apart = max(0, apart - 1) if method == "chi2-corrected" else apart
        statistic = apart**2 / discordant if discordant else 0.0
        pvalue = float(stats.chi2.sf(statistic, 1))
        log = keep_log(pvalue, lambda: log_chi2_sf(statistic, 1))
    elif discordant:
        below = float(stats.binom.cdf(fewer, discordant, 0.5))
        at = float(stats.binom.pmf(fewer, discordant, 0.5))
        if method == "exact":
            pvalue = min(1.0, 2 * below)
        else:
            pvalue = 1 - at / 2 if only_a == only_b else 2 * below - at
        log = keep_log(pvalue, lambda: log_mcnemar(fewer, discordant, method == "mid-p"))
    effect = (only_a - only_b) / total
    error = max(0.0, discordant - (only_a - only_b) ** 2 / total) ** 0.5 / total
    return TestResult(
        statistic=statistic,
        pvalue=pvalue,
        df=1 if method in ("chi2", "chi2-corrected") else None,
        estimate=effect,
        standard_error=error,
        method=_MCNEMAR[method],
        hypothesis="the two models have the same error rate",
        estimand="accuracy of these two trained models on new samples, first minus second",
        reference="Fagerland, Lydersen & Laake (2013), BMC Medical Research Methodology 13:91",
        statistic_name="min(b, c)" if method in ("mid-p", "exact") else "chi2",
        details={"table": counts, "n_samples": total, "only_a": only_a, "only_b": only_b} | log,
        _interval=partial(_wald, effect, error),
    )


def _check_table(table: ArrayLike) -> IntArray:
    """Return a 2 x 2 table of counts as int64."""
    array = np.asarray(table)
    if array.shape != (2, 2) or array.dtype.kind not in "iuf" or np.ma.is_masked(table):
        raise ValueError(
            "table must be a 2 x 2 table of counts [[both right, only A right], [only B right, both wrong]], "
            f"got {describe(table)}."
        )
    if not ((array >= 0) & (array <= 2**53) & (array == np.floor(array))).all():
        raise ValueError(f"table must hold whole counts, not negative and up to 2**53, got {array.tolist()}.")
    if not array.any():
        raise ValueError("table must count at least one sample, got none.")
    return array.astype(np.int64)


def _wald(effect: float, error: float, alternative: str, level: float) -> tuple[float, float]:
    """Return the Wald interval of the difference of two paired shares."""
    half = float(stats.norm.isf((1 - level) / 2)) * error
    return max(-1.0, effect - half), min(1.0, effect + half)


def cochrans_q_test(y_true: Any, preds: Any) -> TestResult:
    """Cochran's Q test that several classifiers have the same error rate on one test set.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True labels.
    preds : dict of {name: array-like} or array-like of shape (n_models, n_samples)
        Predicted labels of two models or more.

    Returns
    -------
    TestResult
        Q with k - 1 degrees of freedom (chi-squared approximation). ``details`` has each
        model's accuracy.

    Raises
    ------
    ValueError
        Fewer than two models, lengths that differ, no sample.

    Warns
    -----
    DegenerateDataWarning
        All models are right on the same samples: Q = 0, p = 1.

    Notes
    -----
    With two models Q is McNemar's chi-squared without correction. The approximation needs
    some tens of samples on which the models differ.

    References
    ----------
    Cochran (1950), The comparison of percentages in matched samples, Biometrika 37.

    Examples
    --------
    >>> from skeval.comparison import cochrans_q_test
    >>> y = [1, 1, 0, 0, 1, 0, 1, 1]
    >>> preds = {
    ...     "a": [1, 1, 0, 0, 1, 0, 1, 0],
    ...     "b": [1, 0, 0, 1, 1, 0, 0, 0],
    ...     "c": [0, 0, 0, 1, 1, 0, 1, 0],
    ... }
    >>> result = cochrans_q_test(y, preds)
    >>> result.statistic, result.df, round(result.pvalue, 4)
    (4.5, 2, 0.1054)
    """
    try:
        named = dict(preds) if isinstance(preds, Mapping) else dict(enumerate(preds))
    except TypeError as error:
        raise ValueError(
            "preds must be a dict of {name: labels} or an array of shape (n_models, n_samples), got "
            f"{describe(preds)}."
        ) from error
    if len(named) < 2:
        raise ValueError(f"preds must hold the predictions of at least 2 models, got {len(named)}.")
    right = np.array(right_or_wrong(y_true, {f"preds[{name!r}]": labels for name, labels in named.items()}))
    n_models = len(right)
    per_model, per_sample = right.sum(axis=1), right.sum(axis=0)
    spread = int((per_sample * (n_models - per_sample)).sum())
    deviations = n_models * per_model - per_model.sum()
    statistic = (n_models - 1) * float((deviations**2).sum()) / (n_models * spread) if spread else 0.0
    if not spread:
        warn_user(
            "no discordant samples: all models are right on the same samples, so Q is set to 0 and p to 1.",
            DegenerateDataWarning,
        )
    pvalue = float(stats.chi2.sf(statistic, n_models - 1))
    return TestResult(
        statistic=statistic,
        pvalue=pvalue,
        df=n_models - 1,
        method="Cochran's Q test",
        hypothesis="all models have the same error rate",
        estimand="accuracies of these trained models on new samples",
        reference="Cochran (1950), Biometrika 37",
        statistic_name="Q",
        details={
            "accuracy": dict(zip(named, right.mean(axis=1).tolist(), strict=True)),
            "n_samples": right.shape[1],
        }
        | keep_log(pvalue, lambda: log_chi2_sf(statistic, n_models - 1)),
    )


def right_or_wrong(y_true: Any, preds: Mapping[str, Any]) -> list[IntArray]:
    """Return 1 where a prediction is right, else 0, for each model."""
    arrays = {name: to_labels(labels, name) for name, labels in preds.items()}
    true = to_labels(y_true, "y_true")
    if not check_same_length(y_true=true, **arrays):
        raise ValueError("y_true must hold at least one sample, got none.")
    codes, _ = encode({"y_true": true} | arrays)
    return [(code == codes[0]).astype(np.int64) for code in codes[1:]]

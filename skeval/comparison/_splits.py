"""Two methods on one data set, compared by their scores per split."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from scipy import stats

from skeval.comparison._student import (
    HYPOTHESES,
    student_pvalue,
    student_test,
    t_ratio,
    without_rounding,
)
from skeval.exceptions import DependenceWarning
from skeval.model_selection._corrected_variance import corrected_variance, size_ratio
from skeval.model_selection._paired_scores import PairedScores, pair_scores
from skeval.model_selection._split_indices import (
    Splits,
    refuse_leaks,
    refuse_time_order,
    share_training_rows,
)
from skeval.utils._results import TestResult
from skeval.utils._validation import check_option, check_real
from skeval.utils._warnings import warn_user


def paired_ttest(
    a: Any,
    b: Any,
    *,
    metric: str | None = None,
    alternative: str = "two-sided",
    nan_policy: str = "raise",
) -> TestResult:
    """Paired t-test over splits, as if they were independent.

    Splits of one data set share training rows, so the variance is underestimated and the
    test rejects far too often: `corrected_resampled_ttest` is the one to use. This one is
    for comparison with published figures, and for scores that are independent in truth.

    Parameters
    ----------
    a, b : array-like of shape (n_splits,), CVScores or dict
        Scores of two methods on the same splits, greater is better; a dict as
        `cross_validate` returns it.
    metric : str, default=None
        Which of several scores in a dict.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        "greater": a is better than b.
    nan_policy : {"raise", "omit"}, default="raise"
        "omit" drops the splits where a score is missing, and counts them in ``details``.

    Returns
    -------
    TestResult
        t with J - 1 degrees of freedom. ``estimate`` is the mean of a - b.

    Raises
    ------
    MissingScoreError
        A score is nan.
    SplitMismatchError
        a and b come from different splits.

    Warns
    -----
    DependenceWarning
        Unless the indices show that no two splits share a training row.
    DegenerateDataWarning
        All differences are equal.

    See Also
    --------
    corrected_resampled_ttest : The same with the variance corrected.

    References
    ----------
    Dietterich (1998), Approximate statistical tests for comparing supervised
    classification learning algorithms, Neural Computation 10, section 3.4.

    Examples
    --------
    >>> import warnings
    >>> from skeval.comparison import paired_ttest
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     result = paired_ttest([0.81, 0.79, 0.84, 0.80], [0.79, 0.78, 0.82, 0.81])
    >>> round(result.statistic, 3), round(result.pvalue, 3)
    (1.414, 0.252)
    """
    paired = pair_scores(a, b, metric=metric, nan_policy=nan_policy)
    n_splits = _at_least_two(paired)
    if paired.indices is None or share_training_rows(paired.indices):
        warn_user(
            "Splits of one data set share training rows, so this paired t-test rejects too often (51 % "
            "where 5 % are meant, on 30 hold-outs): use corrected_resampled_ttest.",
            DependenceWarning,
        )
    effect, error = without_rounding(
        float(paired.differences.mean()),
        float(paired.differences.std(ddof=1)) / n_splits**0.5,
        paired.differences,
        paired.rounding,
        paired.names,
    )
    return student_test(
        effect,
        error,
        n_splits - 1,
        alternative=alternative,
        method="paired t-test over splits",
        hypothesis=HYPOTHESES.get(alternative, ""),
        estimand="mean difference of the scores, first minus second",
        reference="Dietterich (1998), Neural Computation 10, section 3.4",
        details=paired.counts,
    )


def corrected_resampled_ttest(
    a: Any,
    b: Any,
    *,
    n_train: Any = None,
    n_test: Any = None,
    metric: str | None = None,
    alternative: str = "two-sided",
    nan_policy: str = "raise",
) -> TestResult:
    """Corrected resampled t-test of Nadeau and Bengio.

    For k-fold cross-validation, repeated or not, repeated hold-out, and the bootstrap.

    Parameters
    ----------
    a, b : array-like of shape (n_splits,), CVScores or dict
        Scores of two methods on the same splits, greater is better; a dict as
        ``cross_validate(return_indices=True)`` returns it.
    n_train, n_test : int or array-like of shape (n_splits,), default=None
        Distinct training rows and test rows per split. Read from the splits where a or b
        carries them.
    metric : str, default=None
        Which of several scores in a dict.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        "greater": a is better than b.
    nan_policy : {"raise", "omit"}, default="raise"
        "omit" drops the splits where a score is missing, and counts them in ``details``.

    Returns
    -------
    TestResult
        t with J - 1 degrees of freedom, J the number of all splits of all repeats.
        ``estimate`` is the mean of a - b.

    Raises
    ------
    ValueError
        No sizes; fewer than two splits; splits in time order, or with test rows that were
        trained on: the correction does not hold there.
    MissingScoreError
        A score is nan.
    SplitMismatchError
        a and b come from different splits.

    Warns
    -----
    DegenerateDataWarning
        All differences are equal.

    Notes
    -----
    The variance of the mean difference is (1/J + n_test/n_train) s^2. With splits of
    unequal size the ratio is mean n_test / mean n_train. Repeated rows of a bootstrap
    sample count once. A last split that tests on the rows it trained on is left out.

    References
    ----------
    Nadeau & Bengio (2003), Inference for the generalization error, Machine Learning 52,
    equation 9.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.model_selection import RepeatedStratifiedKFold, cross_validate
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from skeval.comparison import corrected_resampled_ttest
    >>> X, y = load_iris(return_X_y=True)
    >>> cv = RepeatedStratifiedKFold(n_splits=5, n_repeats=3, random_state=0)
    >>> tree, linear = (
    ...     cross_validate(model, X, y, cv=cv, return_indices=True)
    ...     for model in (DecisionTreeClassifier(random_state=0), LogisticRegression(max_iter=500))
    ... )
    >>> result = corrected_resampled_ttest(linear, tree)
    >>> result.df, result.details["n_train"], result.details["n_test"]
    (14, 120.0, 30.0)
    >>> low, high = result.confidence_interval()
    >>> low < result.estimate < high
    True
    """
    paired = pair_scores(a, b, n_train=n_train, n_test=n_test, metric=metric, nan_policy=nan_policy)
    return corrected_test(paired, alternative=alternative)


def corrected_test(paired: PairedScores, *, alternative: str) -> TestResult:
    """Return the corrected resampled t-test of paired scores."""
    effect, error = corrected_effect(paired)
    return student_test(
        effect,
        error,
        len(paired.differences) - 1,
        alternative=alternative,
        method="corrected resampled t-test",
        hypothesis=HYPOTHESES.get(alternative, ""),
        estimand=_risk_difference(paired),
        reference="Nadeau & Bengio (2003), Machine Learning 52, equation 9",
        details=_with_sizes(paired),
    )


def corrected_effect(paired: PairedScores) -> tuple[float, float]:
    """Return the mean difference and its corrected standard error, where the correction holds."""
    _at_least_two(paired)
    if paired.n_train is None or paired.n_test is None:
        raise ValueError(
            "n_train and n_test must be known, the rows that a split trains and tests on: pass them, or "
            "pass what cross_validate(return_indices=True) returned."
        )
    if paired.indices is not None:
        check_exchangeable(paired.indices)
    variance = corrected_variance(paired.differences, size_ratio(paired.n_train, paired.n_test))
    return without_rounding(
        float(paired.differences.mean()),
        float(variance) ** 0.5,
        paired.differences,
        paired.rounding,
        paired.names,
    )


def check_exchangeable(splits: Splits) -> None:
    """Refuse splits for which the corrected variance does not hold."""
    refuse_time_order(splits, way_out="compare the two on one later test period instead")
    refuse_leaks(splits)


def _at_least_two(paired: PairedScores) -> int:
    n_splits = len(paired.differences)
    if n_splits < 2:
        raise ValueError(
            f"The test needs at least 2 splits with both scores, got {n_splits}: use more splits."
        )
    return n_splits


def _risk_difference(paired: PairedScores) -> str:
    size = "" if paired.n_train is None else f" trained on {np.mean(paired.n_train):.4g} rows"
    return f"difference of the mean scores of the two methods{size}, first minus second"


def _with_sizes(paired: PairedScores) -> dict[str, Any]:
    """Return counts of splits and mean sizes for the details of a result."""
    sizes = {"n_train": paired.n_train, "n_test": paired.n_test}
    return paired.counts | {name: float(np.asarray(size).mean()) for name, size in sizes.items()}


def equivalence_test(
    a: Any,
    b: Any,
    *,
    margin: float,
    kind: str = "equivalence",
    n_train: Any = None,
    n_test: Any = None,
    metric: str | None = None,
    nan_policy: str = "raise",
) -> TestResult:
    """Test that two methods differ by less than a margin: two one-sided corrected t-tests.

    A small p-value shows equivalence; a large p-value of a test of difference does not.

    Parameters
    ----------
    a, b : array-like of shape (n_splits,), CVScores or dict
        As in `corrected_resampled_ttest`.
    margin : float
        Largest difference that does not matter, above 0, in units of the score. Chosen
        before the scores are seen.
    kind : {"equivalence", "non-inferiority"}, default="equivalence"
        "non-inferiority": a is worse than b by less than the margin.
    n_train, n_test, metric, nan_policy
        As in `corrected_resampled_ttest`.

    Returns
    -------
    TestResult
        The p-value is the larger of the two one-sided ones, the statistic that of the
        same side. ``confidence_interval(1 - 2 * alpha)`` lies inside the margin exactly
        where p < alpha.

    Raises
    ------
    ValueError
        As `corrected_resampled_ttest`, and a margin that is not above 0.

    References
    ----------
    Schuirmann (1987), A comparison of the two one-sided tests procedure and the power
    approach for assessing the equivalence of average bioavailability, Journal of
    Pharmacokinetics and Biopharmaceutics 15; variance of Nadeau & Bengio (2003).

    Examples
    --------
    >>> from skeval.comparison import equivalence_test
    >>> a = [0.81, 0.79, 0.84, 0.80, 0.82, 0.80, 0.83, 0.81, 0.79, 0.82]
    >>> b = [0.80, 0.80, 0.83, 0.80, 0.81, 0.81, 0.83, 0.80, 0.79, 0.82]
    >>> result = equivalence_test(a, b, margin=0.02, n_train=90, n_test=10)
    >>> bool(result.pvalue <= 0.05)
    True
    """
    margin = check_real(margin, "margin", low=0, closed="neither")
    check_option(kind, "kind", ("equivalence", "non-inferiority"))
    paired = pair_scores(a, b, n_train=n_train, n_test=n_test, metric=metric, nan_policy=nan_policy)
    effect, error = corrected_effect(paired)
    df = len(paired.differences) - 1
    from_below, from_above = (
        0.0 if abs(distance) <= paired.rounding else distance
        for distance in (effect + margin, effect - margin)
    )
    tests = [(_boundary_pvalue(from_below, error, df, "greater"), t_ratio(from_below, error))]
    if kind == "equivalence":
        tests.append((_boundary_pvalue(from_above, error, df, "less"), t_ratio(from_above, error)))
    pvalue, statistic = max(tests, key=lambda test: test[0])
    side = "either way" if kind == "equivalence" else "in favor of the second"
    return TestResult(
        statistic=statistic,
        pvalue=pvalue,
        df=df,
        estimate=effect,
        standard_error=error,
        alternative=kind,
        method=f"{kind} test, corrected resampled t",
        hypothesis=f"the methods differ by {margin:g} or more {side}",
        estimand=_risk_difference(paired),
        reference="Schuirmann (1987); Nadeau & Bengio (2003), Machine Learning 52, equation 9",
        statistic_name="t",
        details=_with_sizes(paired) | {"margin": margin},
        _interval=partial(two_sided_interval, effect, error, df),
    )


def _boundary_pvalue(effect: float, error: float, df: float, alternative: str) -> float:
    """Return a one-sided p-value; 1 where a constant difference lies on the margin itself."""
    return student_pvalue(t_ratio(effect, error), df, alternative) if error or effect else 1.0


def two_sided_interval(
    effect: float, error: float, df: float, alternative: str, level: float
) -> tuple[float, float]:
    """Return the t interval around an effect, whatever the alternative."""
    half = float(stats.t.isf((1 - level) / 2, df)) * error
    return effect - half, effect + half

"""The validation curve: errors against a hyper-parameter, with a verdict on each value."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sklearn.base import clone

from skeval.diagnosis._curve_data import (
    Scoring,
    baseline_errors,
    given_baseline,
    read_curve_data,
    read_scores,
    refuse_fit_params,
    resolve_scoring,
    score_points,
)
from skeval.diagnosis._diagnoses import ValidationCurveDiagnosis
from skeval.diagnosis._error_curve import Contrast, ErrorCurve
from skeval.diagnosis._judge import REMEDIES, judge, make_reference, shown
from skeval.utils._random import check_generator
from skeval.utils._validation import LARGEST, check_int, check_level, check_real, describe


def diagnose_validation_curve(
    estimator: Any,
    X: Any = None,
    y: Any = None,
    *,
    param_name: str,
    param_range: Iterable[Any],
    cv: Any = None,
    scoring: Any = None,
    best_score: float | None = None,
    baseline: Any = None,
    target_error: float | None = None,
    groups: Any = None,
    sample_weight: Any = None,
    params: Mapping[str, Any] | None = None,
    n_train: int | None = None,
    n_test: int | None = None,
    alpha: float = 0.05,
    n_jobs: int | None = None,
    random_state: Any = None,
) -> ValidationCurveDiagnosis:
    """Say which values of a hyper-parameter underfit, which overfit, and how good the best is.

    Parameters
    ----------
    estimator : estimator object, or tuple of arrays
        A model; or what scikit-learn's ``validation_curve`` returned, (training scores, test
        scores), or its Display: they need no X and y, but `n_train`, `n_test` and a score
        for `baseline`.
    X : array-like, DataFrame, sparse matrix or list of n_samples rows
    y : array-like of shape (n_samples,)
        Labels for a classifier, else numbers.
    param_name : str
        Name of the hyper-parameter, as ``set_params`` takes it.
    param_range : iterable
        Its values.
    cv, scoring, best_score, baseline, target_error, groups : as in `diagnose_learning_curve`
        Splits and scores.
    sample_weight, params : as in `diagnose_learning_curve`
        Weights of the rows, and parameters of every ``fit``.
    n_train, n_test : int or None, default=None
        Training and test samples of a split, with arrays only.
    alpha : float, default=0.05
        Level of the tests; for the comparisons with the best value, of all together.
    n_jobs, random_state : as in `diagnose_learning_curve`
        Workers; seed of the default `cv`.

    Returns
    -------
    ValidationCurveDiagnosis

    Raises
    ------
    MissingScoreError
        A score is nan.
    ValueError
        No value, fewer than two splits, splits in time order, scores above `best_score`.

    Notes
    -----
    Each value is compared with the one of least CV error, by a one-sided t-test on the same
    splits with the variance corrected for shared training rows [1]_, at level
    alpha/(number of values - 1). A value that is worse is called "high bias" where its
    training error has grown by more than its gap, "high variance" where the gap has grown
    by more, "undecided" where that cannot be told; one that is not worse is "good".

    The verdict on the best value is that of `diagnose_learning_curve`, without a trend. Its
    CV error is the least of several, and too low for that: report the error of nested
    cross-validation.

    References
    ----------
    .. [1] C. Nadeau, Y. Bengio (2003). Inference for the generalization error. Machine
       Learning 52, 239-281; equation 9.

    Examples
    --------
    >>> from sklearn.datasets import make_friedman1
    >>> from sklearn.neighbors import KNeighborsRegressor
    >>> from skeval.diagnosis import diagnose_validation_curve
    >>> X, y = make_friedman1(300, noise=2.0, random_state=0)
    >>> result = diagnose_validation_curve(KNeighborsRegressor(), X, y, param_name="n_neighbors",
    ...     param_range=[200, 50, 10, 1], random_state=0)
    >>> result.best_value
    10
    """
    check_level(alpha, "alpha")
    if target_error is not None:
        target_error = check_real(target_error, "target_error", low=0, high=LARGEST)
    values = tuple(param_range)
    if not values:
        raise ValueError(f"param_range must hold at least one value of {param_name}, got none.")
    if hasattr(estimator, "fit"):
        if n_train is not None or n_test is not None:
            raise ValueError(
                "n_train and n_test are counted from the splits of an estimator: leave them out."
            )
        data = read_curve_data(
            estimator,
            X,
            y,
            groups=groups,
            sample_weight=sample_weight,
            params=params,
            cv=cv,
            rng=check_generator(random_state),
            scoring=scoring,
        )
        rule = resolve_scoring(scoring, best_score, classify=data.classes is not None)
        trains = [train for train, _ in data.splits]
        points = [(clone(estimator).set_params(**{param_name: value}), trains) for value in values]
        errors = score_points(data, points, rule, n_jobs)
        curve = ErrorCurve(values, param_name, *errors, rule.error_name, data.variance_ratio)
        base: Any = baseline_errors(baseline, data, rule)
    else:
        refuse_fit_params(sample_weight, params)
        rule = resolve_scoring(scoring, best_score, classify=None)
        curve = _read_curve(estimator, rule, values, param_name, n_train, n_test)
        base = given_baseline(baseline, rule, curve.n_splits)
    reference = make_reference(base, target_error, curve.n_splits)
    best = int(curve.cv_error.argmin())
    verdict = judge(curve, best, reference, alpha)
    verdicts, figures = _compare_with_best(curve, best, alpha)
    return ValidationCurveDiagnosis(
        verdict=verdict.verdict,
        reasons=(f"at {param_name}={shown(values[best])} {verdict.reasons[0]}", *verdict.reasons[1:]),
        remedies=REMEDIES[verdict.verdict],
        figures={**verdict.figures, **figures},
        curve=curve,
        verdicts=verdicts,
        best_index=best,
        reference=None if reference is None else reference.value,
        reference_note="" if reference is None else reference.note,
        baseline_error=None if base is None else float(base[0].mean()),
        alpha=alpha,
    )


def _read_curve(
    scores: Any, rule: Scoring, values: tuple[Any, ...], param_name: str, n_train: Any, n_test: Any
) -> ErrorCurve:
    """Return the curve from what scikit-learn's validation_curve returned."""
    if hasattr(scores, "train_scores"):  # its Display
        scores = scores.train_scores, scores.test_scores
    if not isinstance(scores, (tuple, list)) or len(scores) != 2:
        raise TypeError(
            "estimator must have fit(), or be what scikit-learn's validation_curve returned: "
            f"(training scores, test scores); got {describe(scores)}."
        )
    errors = read_scores(scores[0], scores[1], rule, len(values))
    if n_train is None or n_test is None:
        raise ValueError(
            "n_train and n_test must be given with score arrays: the training and test samples of a split, "
            "which the standard errors depend on."
        )
    ratio = check_int(n_test, "n_test", minimum=1) / check_int(n_train, "n_train", minimum=1)
    return ErrorCurve(values, param_name, *errors, rule.error_name, ratio)


def _compare_with_best(
    curve: ErrorCurve, best: int, alpha: float
) -> tuple[tuple[str, ...], dict[str, Contrast]]:
    """Return a verdict on each value, and by how much each other one is worse than the best."""
    level = alpha / max(1, len(curve.x) - 1)
    gaps = curve.cv_errors - curve.train_errors
    verdicts, figures = [], {}
    for point, value in enumerate(curve.x):
        worse = curve.contrast(curve.cv_errors[point] - curve.cv_errors[best])
        by_training = curve.train_errors[point] - curve.train_errors[best]
        balance = curve.contrast(by_training - (gaps[point] - gaps[best]))
        if point != best:
            figures[f"CV error above the best, {curve.x_name}={shown(value)}"] = worse
        verdict = "good"
        if worse.side(level) > 0:
            verdict = ("undecided", "high bias", "high variance")[balance.side(level)]
        verdicts.append(verdict)
    return tuple(verdicts), figures

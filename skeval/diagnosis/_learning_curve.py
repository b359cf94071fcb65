"""The learning curve: errors against the number of training samples, with a verdict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from skeval.diagnosis._curve_data import (
    Data,
    Scoring,
    baseline_errors,
    given_baseline,
    read_curve_data,
    read_scores,
    refuse_fit_params,
    resolve_scoring,
    score_points,
)
from skeval.diagnosis._diagnoses import LearningCurveDiagnosis
from skeval.diagnosis._error_curve import ErrorCurve
from skeval.diagnosis._judge import REMEDIES, Verdict, judge, make_reference, moved
from skeval.diagnosis._power_law import LEAST_SIZES, fit_power_law
from skeval.utils._random import check_generator
from skeval.utils._validation import (
    LARGEST,
    IntArray,
    check_int,
    check_level,
    check_real,
    check_vector,
    describe,
)

DEFAULT_SIZES = (0.1, 0.16, 0.25, 0.4, 0.63, 1.0)


def diagnose_learning_curve(
    estimator: Any,
    X: Any = None,
    y: Any = None,
    *,
    train_sizes: Sequence[float] = DEFAULT_SIZES,
    cv: Any = None,
    scoring: Any = None,
    best_score: float | None = None,
    baseline: Any = None,
    target_error: float | None = None,
    groups: Any = None,
    sample_weight: Any = None,
    params: Mapping[str, Any] | None = None,
    n_test: int | None = None,
    alpha: float = 0.05,
    n_jobs: int | None = None,
    random_state: Any = None,
) -> LearningCurveDiagnosis:
    """Say whether a model suffers from bias or from variance, and what more samples would buy.

    High bias: training and CV error are both high and close. High variance: the training
    error is low, the CV error high, with a gap that more samples narrow.

    Parameters
    ----------
    estimator : estimator object, or tuple of arrays
        A model; or what scikit-learn's ``learning_curve`` returned, (sizes, training scores,
        test scores), or its Display: they need no X and y, but `n_test` and a score for
        `baseline`.
    X : array-like, DataFrame, sparse matrix or list of n_samples rows
    y : array-like of shape (n_samples,)
        Labels for a classifier, else numbers.
    train_sizes : sequence of float or int, default=(0.1, 0.16, 0.25, 0.4, 0.63, 1.0)
        Shares of the training rows, in (0, 1], or numbers of samples. A smaller training
        set is part of the larger ones; labels keep their shares in each, and groups come
        one after the other.
    cv : int, splitter or iterable of (train, test), default=None
        None: ``KFoldSplit(10)``; an int: that many parts.
    scoring : str, scorer or None, default=None
        None: "accuracy" for classifiers, "neg_mean_squared_error" for regressors (of
        arrays: a score whose best value is 1). The error is `best_score` - score. A score of
        two classes whose labels are not 0/1, -1/1 or False/True needs its positive class:
        ``get_scorer("f1", pos_label=...)`` with ``best_score=1``.
    best_score : float or None, default=None
        Score of a perfect model; None: 0 for names that begin with ``"neg_"``, else 1.
    baseline : estimator, float or None, default=None
        None: ``DummyClassifier`` or ``DummyRegressor``, on the same splits. A float is its
        score.
    target_error : float or None, default=None
        Error above which errors are high; None: half of the baseline's error.
    groups : array-like of shape (n_samples,), default=None
        Passed to `cv`.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights of the rows, used in the fits and in the scores.
    params : dict, default=None
        Further parameters of every ``fit`` of the model, by name: what has one entry per sample
        is cut to the training rows, as in scikit-learn's ``cross_validate``.
    n_test : int or None, default=None
        Test samples of a split, with arrays only.
    alpha : float, default=0.05
        Level of the one-sided t-tests that the verdict rests on.
    n_jobs : int, default=None
        Fits at once. It changes no bit of the result, if the estimator's own
        ``random_state`` is set.
    random_state : int, RandomState, Generator or None, default=None
        For the default `cv`, the order of the training samples, and the intervals.

    Returns
    -------
    LearningCurveDiagnosis

    Raises
    ------
    MissingScoreError
        A score is nan.
    ValueError
        Fewer than two splits, splits in time order, sizes that do not fit, scores above
        `best_score`.

    Notes
    -----
    At the largest size, with R the reference and all differences per split, tested by t with
    the variance corrected for shared training rows [1]_:

    - CV error below R: "good"; not to be told from R: "undecided".
    - CV error above R, training error below R: "high variance".
    - Both above R: "high bias" where the training error is above R by more than the gap
      between the two errors, "high variance" where by less, else "undecided".

    One size shows no trend: "undecided". So is a gap that widens with more samples.

    Half of the baseline's error is half-way from guessing to perfection. It stands for a
    statement that only the user can make: what error can be reached. Label noise and bias
    look the same; where the noise is known, give `target_error`.

    The remedy "more samples" is put in figures by an inverse power law (`PowerLaw`), fitted
    to four sizes or more.

    References
    ----------
    .. [1] C. Nadeau, Y. Bengio (2003). Inference for the generalization error. Machine
       Learning 52, 239-281; equation 9.

    Examples
    --------
    >>> from sklearn.datasets import make_friedman1
    >>> from sklearn.tree import DecisionTreeRegressor
    >>> from skeval.diagnosis import diagnose_learning_curve
    >>> X, y = make_friedman1(300, noise=3.0, random_state=0)
    >>> result = diagnose_learning_curve(DecisionTreeRegressor(random_state=0), X, y, random_state=0)
    >>> result.verdict
    'high variance'
    """
    check_level(alpha, "alpha")
    if target_error is not None:
        target_error = check_real(target_error, "target_error", low=0, high=LARGEST)
    rng = check_generator(random_state)
    if hasattr(estimator, "fit"):
        if n_test is not None:
            raise ValueError("n_test is counted from the splits of an estimator: leave it out.")
        data = read_curve_data(
            estimator,
            X,
            y,
            groups=groups,
            sample_weight=sample_weight,
            params=params,
            cv=cv,
            rng=rng,
            scoring=scoring,
        )
        rule = resolve_scoring(scoring, best_score, classify=data.classes is not None)
        curve = _fit_curve(estimator, data, train_sizes, rule, n_jobs, rng)
        base: Any = baseline_errors(baseline, data, rule)
    else:
        refuse_fit_params(sample_weight, params)
        rule = resolve_scoring(scoring, best_score, classify=None)
        curve = _read_curve(estimator, rule, n_test)
        base = given_baseline(baseline, rule, curve.n_splits)
    reference = make_reference(base, target_error, curve.n_splits)
    verdict = _with_trend(curve, judge(curve, -1, reference, alpha), alpha)
    law = None
    if len(curve.x) >= LEAST_SIZES:
        law = fit_power_law(np.array(curve.x, dtype=np.float64), curve.cv_errors, curve.variance_ratio, rng)
    return LearningCurveDiagnosis(
        verdict=verdict.verdict,
        reasons=verdict.reasons,
        remedies=REMEDIES[verdict.verdict],
        figures=verdict.figures,
        curve=curve,
        reference=None if reference is None else reference.value,
        reference_note="" if reference is None else reference.note,
        baseline_error=None if base is None else float(base[0].mean()),
        extrapolation=law,
        alpha=alpha,
    )


def _read_curve(curve: Any, rule: Scoring, n_test: Any) -> ErrorCurve:
    """Return the curve from what scikit-learn's learning_curve returned."""
    if hasattr(curve, "train_sizes"):  # its Display
        curve = curve.train_sizes, curve.train_scores, curve.test_scores
    if not isinstance(curve, (tuple, list)) or len(curve) < 3:
        raise TypeError(
            "estimator must have fit(), or be what scikit-learn's learning_curve returned: (sizes, training "
            f"scores, test scores); got {describe(curve)}."
        )
    sizes = check_vector(curve[0], "training sizes")
    train_errors, cv_errors = read_scores(curve[1], curve[2], rule, len(sizes))
    if n_test is None:
        raise ValueError(
            "n_test must be given with score arrays: the test samples of a split, which the standard errors "
            "depend on."
        )
    if sizes.min() < 1 or len(np.unique(sizes)) < len(sizes):
        raise ValueError(f"training sizes must be different and at least 1, got {sizes}.")
    ratio = check_int(n_test, "n_test", minimum=1) / sizes.max()
    order = np.argsort(sizes)
    shown = tuple(int(size) for size in sizes[order])
    return ErrorCurve(
        shown, "training samples", train_errors[order], cv_errors[order], rule.error_name, float(ratio)
    )


def _fit_curve(
    estimator: Any, data: Data, train_sizes: Sequence[float], rule: Scoring, n_jobs: int | None, rng: Any
) -> ErrorCurve:
    sizes = _resolve_sizes(train_sizes, min(len(train) for train, _ in data.splits))
    ordered = [_nested_order(train, data, rng) for train, _ in data.splits]
    points = [(estimator, [train[:size] for train in ordered]) for size in sizes]
    train_errors, cv_errors = score_points(data, points, rule, n_jobs)
    return ErrorCurve(
        tuple(sizes), "training samples", train_errors, cv_errors, rule.error_name, data.variance_ratio
    )


def _resolve_sizes(train_sizes: Sequence[float], largest: int) -> list[int]:
    """Return numbers of samples, ascending, each once."""
    given = np.asarray(train_sizes)
    if given.ndim != 1 or not len(given) or given.dtype.kind not in "iuf":
        raise ValueError(f"train_sizes must be shares or numbers of samples, got {describe(train_sizes)}.")
    if given.dtype.kind == "f":
        if not (given > 0).all() or (given > 1).any():
            raise ValueError(
                f"train_sizes must be shares in (0, 1], or whole numbers, got {list(train_sizes)}."
            )
        given = np.maximum((given * largest).round(), 1)
    if given.min() < 1 or given.max() > largest:
        raise ValueError(
            f"train_sizes must lie between 1 and the smallest training set of cv, {largest}, "
            f"got {given.min():g} to {given.max():g}."
        )
    return [int(size) for size in np.unique(given)]


def _nested_order(train: IntArray, data: Data, rng: np.random.Generator) -> IntArray:
    """Shuffle training rows so that every beginning has the shares of the classes, or whole groups."""
    shuffled = rng.permutation(train)
    if data.groups is not None:
        rank = rng.permutation(int(data.groups.max()) + 1)
        return shuffled[np.argsort(rank[data.groups[shuffled]], kind="stable")]
    if data.classes is None:
        return shuffled
    codes = data.classes[shuffled]
    counts = np.bincount(codes)
    by_class = np.argsort(codes, kind="stable")
    place = np.empty(len(codes))
    place[by_class] = np.arange(len(codes)) - np.repeat(np.cumsum(counts) - counts, counts)
    # Members of a class at equal distances, from a start of its own.
    return shuffled[np.argsort((place + rng.random(len(counts))[codes]) / counts[codes], kind="stable")]


def _with_trend(curve: ErrorCurve, verdict: Verdict, alpha: float) -> Verdict:
    """Add what happened from about half of the samples to all; one size gives no verdict."""
    if len(curve.x) < 2:
        return verdict.overruled("one training size shows no trend: give two sizes at least")
    sizes = np.log(np.asarray(curve.x, dtype=np.float64))
    half = int(np.abs(sizes[:-1] - (sizes[-1] - np.log(2))).argmin())
    gaps = curve.cv_errors - curve.train_errors
    fall = curve.contrast(curve.cv_errors[half] - curve.cv_errors[-1])
    narrowing = curve.contrast(gaps[half] - gaps[-1])
    told = (
        f"from {curve.x[half]} to {curve.x[-1]} samples the CV error {moved(fall, alpha, 'fell', 'rose')}, "
        f"the gap {moved(narrowing, alpha, 'narrowed', 'widened')}"
    )
    figures = {**verdict.figures, "fall of the CV error": fall, "narrowing of the gap": narrowing}
    verdict = verdict._replace(reasons=(*verdict.reasons, told), figures=figures)
    if verdict.verdict == "high variance" and narrowing.side(alpha) < 0:
        return verdict.overruled("variance alone does not widen the gap with more samples")
    return verdict

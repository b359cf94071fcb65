"""The data of a curve: splits, scores turned into errors, and the error of a baseline."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.model_selection import check_cv

from skeval.exceptions import MissingScoreError
from skeval.metrics import get_scorer, get_scorer_names, needs_pos_label
from skeval.model_selection import KFoldSplit
from skeval.model_selection._data import read_data
from skeval.model_selection._fitting import NO_PARAMS, FitParams, check_fit_params, fit_clone, run_tasks
from skeval.model_selection._split_indices import Splits, are_time_ordered, disjoint_splits, n_distinct
from skeval.utils._kind import classifies
from skeval.utils._labels import LabelArray, check_binary, factorize, plain, to_labels
from skeval.utils._rows import n_rows, take_rows
from skeval.utils._validation import (
    LARGEST,
    FloatArray,
    IntArray,
    check_int,
    check_real,
    check_vector,
    to_floats,
)

_ERROR_NAMES = {
    "accuracy": "error rate",
    "balanced_accuracy": "balanced error rate",
    "neg_mean_squared_error": "mean squared error",
}
_N_SPLITS = 10


class Scoring(NamedTuple):
    """A scorer, and the score of a perfect model: errors are counted from there."""

    scorer: Callable[..., Any] | None
    best: float
    error_name: str

    def errors(self, scores: Any, what: str) -> FloatArray:
        """Return best - score; a missing score is refused, and one better than the best."""
        array = np.asarray(scores, dtype=np.float64)
        bad = ~(np.abs(array) <= LARGEST)  # nan among them
        if bad.any():
            raise MissingScoreError(
                f"{what} must be finite, and up to {LARGEST:g} in size, but {np.count_nonzero(bad)} of "
                f"{array.size} are not: mend those fits (too few samples for a class?) or leave that point "
                "out."
            )
        if array.size and array.max() > self.best + 1e-9 * max(1.0, abs(self.best)):
            raise ValueError(
                f"{what} hold {array.max():.6g}, better than a perfect model's {self.best:g}: "
                "give best_score, the score of a perfect model."
            )
        return self.best - array


def resolve_scoring(scoring: Any, best_score: float | None, *, classify: bool | None) -> Scoring:
    """Return the scorer and its best value; without a model (`classify` None) only the latter."""
    if best_score is not None:
        best_score = check_real(best_score, "best_score", low=-LARGEST, high=LARGEST)
    if scoring is None and classify is not None:
        scoring = "accuracy" if classify else "neg_mean_squared_error"
    if scoring is None or isinstance(scoring, str):
        name = scoring or "score"
        loss = name.startswith("neg_")
        best = (0.0 if loss else 1.0) if best_score is None else best_score
        told = _ERROR_NAMES.get(name, name.removeprefix("neg_") if loss else f"{best:g} - {name}")
        return Scoring(None if scoring is None else get_scorer(scoring), best, told.replace("_", " "))
    if not callable(scoring):
        raise TypeError(f"scoring must be the name of a score, a scorer or None, got {scoring!r}.")
    if best_score is None:
        raise ValueError(
            "best_score must be given with a scorer of your own: the score of a perfect model (1 for an "
            "accuracy, 0 for a negated loss), from which errors are counted."
        )
    return Scoring(scoring, best_score, f"{best_score:g} - score")


class Data(NamedTuple):
    """Data of one curve: what is fitted and tested, on which splits."""

    X: Any
    y: Any
    splits: Splits
    classes: IntArray | None  # codes of the labels
    groups: IntArray | None
    params: FitParams = NO_PARAMS

    @property
    def variance_ratio(self) -> float:
        """Test rows per training row, a repeated one counted once."""
        n_train, n_test = np.mean([[n_distinct(train), len(test)] for train, test in self.splits], axis=0)
        return float(n_test / n_train)


def read_curve_data(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    groups: Any,
    sample_weight: Any,
    params: Any,
    cv: Any,
    rng: Any,
    scoring: Any,
) -> Data:
    """Check the data and run the splitter."""
    if X is None or y is None:
        raise ValueError("X and y must be given with an estimator.")
    n_samples, group_codes = read_data(X, y, groups)
    beside = check_fit_params([estimator], n_samples, sample_weight, params)
    codes = None
    if classifies(estimator):
        codes, labels = factorize(to_labels(y, "y"))
        if isinstance(scoring, str) and needs_pos_label(scoring, n_classes=len(labels)):
            _check_positive_known(scoring, labels)
    else:
        check_vector(y, "y", largest=LARGEST)
    if cv is None or isinstance(cv, (int, np.integer)):
        cv = KFoldSplit(_N_SPLITS if cv is None else check_int(cv, "cv", minimum=2), random_state=rng)
    splits = disjoint_splits(check_cv(cv), X, y, groups)
    if len(splits) < 2:
        raise ValueError(f"cv must give at least 2 splits for a standard error, got {len(splits)}.")
    if are_time_ordered(splits):
        raise ValueError(
            "cv splits in time order: a standard error over such splits is not known, so that there is no "
            "diagnosis by it. Use splits that do not depend on the order, if the samples allow them."
        )
    return Data(X, y, splits, codes, group_codes, beside)


def _check_positive_known(scoring: str, labels: LabelArray) -> None:
    """Refuse a score by name that does not say which of these labels is positive."""
    try:
        check_binary(labels, None)
    except ValueError as error:
        ways = [f"'{scoring}_macro'"] if f"{scoring}_macro" in get_scorer_names() else []
        if len(labels) <= 2:
            rule, best = "does not say which class is positive", 0 if scoring.startswith("neg_") else 1
            ways.insert(0, f"get_scorer({scoring!r}, pos_label=...) with best_score={best}")
        else:
            rule = "is a score of two classes"
            ways.append("'balanced_accuracy'")
        raise ValueError(
            f"scoring={scoring!r} {rule}, and y holds the labels {[plain(label) for label in labels]}: give "
            f"scoring={', or '.join(ways)}."
        ) from error


def score_points(
    data: Data, points: list[tuple[Any, list[IntArray]]], scoring: Scoring, n_jobs: int | None
) -> tuple[FloatArray, FloatArray]:
    """Fit each point's estimator on its training rows of every split.

    Parameters
    ----------
    points : list of (estimator, training rows per split)

    Returns
    -------
    train_errors, cv_errors : ndarray of shape (n_points, n_splits)
    """
    items = [
        (estimator, train, test)
        for estimator, trains in points
        for train, (_, test) in zip(trains, data.splits, strict=True)
    ]
    scores = np.array(run_tasks(_fit_and_score, (data.X, data.y, data.params, scoring.scorer), items, n_jobs))
    train, test = scores.T.reshape(2, len(points), len(data.splits))
    return scoring.errors(train, "The training scores"), scoring.errors(test, "The test scores")


def _fit_and_score(
    X: Any, y: Any, params: FitParams, scorer: Any, estimator: Any, train: IntArray, test: IntArray
) -> tuple[float, float]:
    """Return the scores on the rows trained on and on the test rows."""
    try:
        fitted = fit_clone(estimator, X, y, train, params)
        on_train, on_test = (
            float(scorer(fitted, take_rows(X, rows), take_rows(y, rows), **params.score_weight(rows)))
            for rows in (train, test)
        )
    except Exception as error:
        error.add_note(f"({type(estimator).__name__} on {len(train)} training samples)")
        raise
    return on_train, on_test


def baseline_errors(baseline: Any, data: Data, scoring: Scoring) -> tuple[FloatArray, str]:
    """Return the baseline's error on each split, trained on all its training rows, and its name."""
    if baseline is None:
        baseline = DummyRegressor() if data.classes is None else DummyClassifier()
        data = data._replace(params=FitParams(data.params.weight))  # the rest is for the model
    elif not hasattr(baseline, "fit"):
        return given_baseline(baseline, scoring, len(data.splits))
    else:
        data = data._replace(params=check_fit_params([baseline], n_rows(data.X), data.params.weight))
    trains = [train for train, _ in data.splits]
    with warnings.catch_warnings():
        # A constant prediction leaves measures undefined: that is no news.
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        _, errors = score_points(data, [(baseline, trains)], scoring, None)
    return errors[0], type(baseline).__name__


def given_baseline(baseline: Any, scoring: Scoring, n_splits: int) -> Any:
    """Return the error of a baseline whose score is given, for each split; None without one."""
    if baseline is None:
        return None
    score = check_real(baseline, "baseline (a score)")
    return scoring.errors(np.full(n_splits, score), "The scores of the baseline"), "the baseline"


def refuse_fit_params(sample_weight: Any, params: Any) -> None:
    """Refuse what only fits can use."""
    if sample_weight is not None or params is not None:
        raise ValueError("sample_weight and params are for the fits of an estimator: leave them out.")


def read_scores(
    train_scores: Any, test_scores: Any, scoring: Scoring, n_points: int
) -> tuple[FloatArray, FloatArray]:
    """Return the errors of given scores, each of shape (n_points, n_splits)."""
    train, test = to_floats(train_scores, "training scores"), to_floats(test_scores, "test scores")
    if train.shape != test.shape or train.ndim != 2 or len(train) != n_points or train.shape[1] < 2:
        raise ValueError(
            f"Training and test scores must both have shape ({n_points}, n_splits), at least 2 splits, "
            f"got {train.shape} and {test.shape}."
        )
    if scoring.scorer is None and scoring.best == 1 and test.max() <= 0:
        raise ValueError(
            "No test score is above 0: are they negated losses? Say so by scoring='neg_...', "
            "or give best_score."
        )
    return scoring.errors(train, "The training scores"), scoring.errors(test, "The test scores")

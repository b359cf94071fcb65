"""Every model fitted once per split; what it said of the test rows, kept for any metric."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from numpy.typing import ArrayLike, NDArray
from sklearn.model_selection import check_cv

from skeval.metrics import get_scorer, needs_pos_label
from skeval.metrics._scorers import scores_numbers
from skeval.model_selection._data import read_data
from skeval.model_selection._evaluation import Evaluation
from skeval.model_selection._fitting import FitParams, all_responses, check_fit_params, fit_clone, run_tasks
from skeval.model_selection._split_indices import Splits, disjoint_splits, refuse_single_rows
from skeval.utils._kind import all_classify, regresses
from skeval.utils._labels import check_binary, encode, to_labels
from skeval.utils._rows import take_rows
from skeval.utils._validation import LARGEST, check_vector


def evaluate(
    estimators: Any,
    X: Any,
    y: Any,
    *,
    cv: Any,
    metrics: Iterable[str] = (),
    pos_label: Any = None,
    groups: Any = None,
    sample_weight: ArrayLike | None = None,
    params: Mapping[str, Any] | None = None,
    n_jobs: int | None = None,
) -> Evaluation:
    """Fit each model once per split and keep what it says of the test rows.

    Scores by any metric, confusion matrices, and predictions for tests on one test set then
    follow without another fit. All models see the same splits.

    Parameters
    ----------
    estimators : dict of {name: estimator}, or one estimator
        All classifiers or all regressors, as which a model counts that does not say what it
        is; cloned, never fitted in place. One estimator is named after its class.
    X : array-like of shape (n_samples, n_features)
        Any container that the estimators take.
    y : array-like of shape (n_samples,)
        Labels (int, str or bool) or, for regressors, finite numbers.
    cv : int, splitter or iterable of (train, test)
        As in scikit-learn; run once.
    metrics : iterable of str, default=()
        Names of metrics that will be asked for: what they need is checked before the
        first fit.
    pos_label : label, default=None
        Positive class of binary metrics; None: 1 (True) for labels within {0, 1}, {-1, 1}
        or {False, True}.
    groups : array-like of shape (n_samples,), default=None
        Passed to `cv`, and kept for intervals.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights of the rows, used in the fits and in the scores.
    params : dict, default=None
        Further parameters of every ``fit``, by name, as in scikit-learn's
        ``cross_validate``: what has one entry per sample is cut to the training rows.
    n_jobs : int, default=None
        Fits at once. The number changes no result: every fit runs on one thread of linear
        algebra.

    Returns
    -------
    Evaluation

    Raises
    ------
    ValueError
        Lengths differ, labels are missing, weights that a `fit` does not take, a metric
        of the other kind than the models (regression or classes) or whose positive class is
        not named, an AUC of test folds of one sample; all before the first fit.

    Notes
    -----
    With metadata routing enabled, `params` and weights go to the ``fit`` of the model, which
    routes them on: a pipeline must have been told which step asks for them.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from skeval.model_selection import KFoldSplit, evaluate
    >>> X, y = load_iris(return_X_y=True)
    >>> models = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}
    >>> done = evaluate(models, X, y, cv=KFoldSplit(5, random_state=0))
    >>> {name: float(cv.scores.mean().round(3)) for name, cv in done.scores("g_mean").items()}
    {'bayes': 0.952, 'tree': 0.935}
    >>> done.confusion()["bayes"].pooled().total
    150
    """
    named = dict(estimators) if isinstance(estimators, Mapping) else {type(estimators).__name__: estimators}
    if not named:
        raise ValueError("estimators must hold at least one model, got none.")
    target, classes = check_target(named, y)
    n_samples, codes = read_data(X, target, groups)
    beside = check_fit_params(named.values(), n_samples, sample_weight, params)
    metrics = tuple(metrics)
    for metric in metrics:
        check_metric(metric, named.values(), classes, pos_label)
    splitter = check_cv(cv, target, classifier=classes is not None)
    splits = disjoint_splits(
        splitter, X, target, groups, way_out="for the resubstitution error use bootstrap_error"
    )
    for metric in metrics:
        refuse_single_rows(
            metric, splits, way_out="leave it out of metrics and use pooled() of the result, or "
        )
    items = [(name, split) for name in named for split in range(len(splits))]
    kept = run_tasks(fit_and_respond, (named, splits, X, target, beside), items, n_jobs)
    per_model = {
        name: kept[start * len(splits) : (start + 1) * len(splits)] for start, name in enumerate(named)
    }
    return Evaluation(tuple(named), splits, target, classes, pos_label, beside.weight, codes, per_model)


def check_target(named: dict[str, Any], y: Any) -> tuple[NDArray[Any], NDArray[Any] | None]:
    """Return the target as a plain array, and its classes where the models classify."""
    if all_classify(named):
        target = to_labels(y, "y")
        return target, encode({"y": target})[1]
    try:
        return check_vector(y, "y", largest=LARGEST), None
    except ValueError as error:
        silent = [name for name, estimator in named.items() if not regresses(estimator)]
        if silent:
            told = ", ".join(map(str, silent))
            error.add_note(f"({told} must say that it classifies for labels: inherit ClassifierMixin)")
        raise


def check_metric(name: str, estimators: Iterable[Any], classes: NDArray[Any] | None, pos_label: Any) -> None:
    """Refuse what a metric cannot be had of; a model that does not say what it is may have any."""
    get_scorer(name)
    of_numbers = scores_numbers(name)
    for estimator in estimators:
        if regresses(estimator) if not of_numbers else classes is not None:
            does = "is a regressor" if classes is None else "classifies"
            raise ValueError(
                f"{name!r} is a score of {'numbers' if of_numbers else 'classes'}, but "
                f"{type(estimator).__name__} {does}: choose a score of what it predicts, or give the scorer "
                f"itself, get_scorer({name!r}), which is taken as it is."
            )
    if classes is not None and needs_pos_label(name, n_classes=len(classes)):
        check_binary(classes, pos_label)


def fit_and_respond(
    named: dict[str, Any],
    splits: Splits,
    X: Any,
    y: NDArray[Any],
    params: FitParams,
    name: str,
    split: int,
) -> dict[str, Any]:
    """Fit on the training rows of a split and return every response for its test rows."""
    train, test = splits[split]
    try:
        return all_responses(fit_clone(named[name], X, y, train, params), take_rows(X, test))
    except Exception as error:
        error.add_note(f"(model {name!r}, split {split})")
        raise

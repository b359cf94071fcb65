"""Every model fitted once per split; what it said of the test rows, kept for any metric."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from numpy.typing import ArrayLike, NDArray
from sklearn.base import is_classifier
from sklearn.model_selection import check_cv

from skeval.metrics import get_scorer, needs_pos_label
from skeval.model_selection._evaluation import Evaluation
from skeval.model_selection._fitting import FitParams, all_responses, check_fit_params, fit_clone, run_tasks
from skeval.model_selection._split_indices import Splits, disjoint_splits, refuse_single_rows
from skeval.model_selection._strata import read_data
from skeval.utils._labels import check_binary, encode, to_labels
from skeval.utils._rows import n_rows, take_rows
from skeval.utils._validation import check_vector


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
        All classifiers or all regressors; cloned, never fitted in place. One estimator is
        named after its class.
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
        whose positive class is not named, an AUC of test folds of one sample; all before
        the first fit.

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
    if n_rows(X) != len(target):
        raise ValueError(f"X and y must have the same length: X has {n_rows(X)}, y has {len(target)}.")
    beside = check_fit_params(named.values(), len(target), sample_weight, params)
    metrics = tuple(metrics)
    for metric in metrics:
        check_metric(metric, classes, pos_label)
    codes = read_data(X, target, groups)[1]
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
    classify = {name: is_classifier(estimator) for name, estimator in named.items()}
    if len(set(classify.values())) > 1:
        told = ", ".join(f"{name} {'classifies' if does else 'does not'}" for name, does in classify.items())
        raise ValueError(f"estimators must be all classifiers or all regressors: {told}.")
    if not all(classify.values()):
        return check_vector(y, "y"), None
    target = to_labels(y, "y")
    return target, encode({"y": target})[1]


def check_metric(name: str, classes: NDArray[Any] | None, pos_label: Any) -> None:
    get_scorer(name)
    if needs_pos_label(name) and classes is not None:
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

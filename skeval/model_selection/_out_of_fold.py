"""Every model fitted once per split; what it said of the test rows, kept for any metric."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin, is_classifier
from sklearn.model_selection import check_cv
from sklearn.utils.metaestimators import available_if

from skeval.metrics import ConfusionMatrix, get_scorer, needs_pos_label
from skeval.model_selection._cv_scores import CVScores
from skeval.model_selection._fitting import fit_clone, run_tasks, weight_name
from skeval.model_selection._split_indices import Splits, as_splits, first_leak
from skeval.utils._labels import check_binary, encode, to_labels
from skeval.utils._optional import import_optional
from skeval.utils._rows import n_rows, take_rows
from skeval.utils._validation import check_sample_weight, check_vector

_METHODS = ("predict", "predict_proba", "decision_function")


@dataclass(frozen=True)
class OutOfFold:
    """Out-of-fold predictions of several models, row by row.

    Attributes
    ----------
    row, split : ndarray of shape (n_predictions,)
        Position in X, and the split that tested it; a row may come several times.
    y_true : ndarray of shape (n_predictions,)
    y_pred : dict of {name: ndarray of shape (n_predictions,)}

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from skeval.model_selection import KFoldSplit, evaluate
    >>> X, y = load_iris(return_X_y=True)
    >>> said = evaluate({"bayes": GaussianNB()}, X, y, cv=KFoldSplit(5, random_state=0)).predictions()
    >>> int((said.y_pred["bayes"] == said.y_true).sum())
    143
    """

    row: NDArray[np.int64]
    split: NDArray[np.int64]
    y_true: NDArray[Any]
    y_pred: dict[str, NDArray[Any]]


@dataclass(frozen=True)
class Evaluation:
    """Models evaluated on the same splits; every metric follows without another fit.

    Attributes
    ----------
    names : tuple of str
        The models.
    splits : list of (train, test)
        Row numbers of each split.
    y : ndarray of shape (n_samples,)
    classes : ndarray of shape (K,) or None
        All classes of `y`, sorted; None for regression.
    pos_label : label or None
        Positive class of binary metrics, as it was given.
    sample_weight : ndarray of shape (n_samples,) or None
        Weights that fits and scores used.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from skeval.model_selection import KFoldSplit, evaluate
    >>> X, y = load_iris(return_X_y=True)
    >>> done = evaluate({"bayes": GaussianNB()}, X, y, cv=KFoldSplit(5, random_state=0))
    >>> done.scores("accuracy")["bayes"].scores.round(3)
    array([0.9  , 0.967, 1.   , 0.933, 0.967])
    """

    names: tuple[str, ...]
    splits: Splits
    y: NDArray[Any]
    classes: NDArray[Any] | None
    pos_label: Any = None
    sample_weight: Any = field(default=None, repr=False)
    _responses: dict[str, list[dict[str, Any]]] = field(default_factory=dict, repr=False)

    def scores(self, metric: Any, **params: Any) -> dict[str, CVScores]:
        """Return one score per split and model: an average over splits is a mean of these.

        Parameters
        ----------
        metric : str or scorer
            A name of `skeval.metrics.get_scorer_names`, or a scorer called as
            ``scorer(estimator, X, y)`` that does not look at X.
        **params
            Passed to `get_scorer`.

        Returns
        -------
        dict of {name: CVScores}
            Greater is better.

        Raises
        ------
        ValueError
            The metric cannot be had from what was kept; the message names model and split.
        """
        scorer, name = metric, None
        if isinstance(metric, str):
            name = metric
            if needs_pos_label(metric) and self.classes is not None:
                # One positive class for all splits, whatever labels a split happens to have.
                named = params.get("pos_label", self.pos_label)
                params = {**params, "pos_label": check_binary(self.classes, named)}
            scorer = get_scorer(metric, **params)
        splits = range(len(self.splits))
        return {
            model: CVScores(
                [self._score(scorer, model, split) for split in splits], indices=self.splits, metric=name
            )
            for model in self.names
        }

    def _score(self, scorer: Any, model: str, split: int) -> float:
        test = self.splits[split][1]
        kept = self._responses[model][split]
        stored: Any = _StoredRegressor() if self.classes is None else _StoredClassifier()
        stored.kept, stored.classes_ = kept, kept.get("classes")
        weight = {} if self.sample_weight is None else {"sample_weight": self.sample_weight[test]}
        try:
            return float(scorer(stored, None, self.y[test], **weight))
        except Exception as error:
            error.add_note(f"(model {model!r}, split {split})")
            raise

    def confusion(self) -> dict[str, ConfusionMatrix]:
        """Return the confusion matrices of each model, shape (n_splits, K, K).

        ``.pooled()`` of one gives the matrix of all test rows together: figures from it
        are pooled, not averaged over splits.

        Raises
        ------
        ValueError
            The target is continuous.
        """
        if self.classes is None:
            raise ValueError("confusion() needs class labels, but y is continuous.")
        matrices = {}
        for model in self.names:
            counts = []
            for (_, test), kept in zip(self.splits, self._responses[model], strict=True):
                weight = None if self.sample_weight is None else self.sample_weight[test]
                one = ConfusionMatrix.from_predictions(
                    self.y[test], kept["predict"], labels=self.classes, sample_weight=weight
                )
                counts.append(one.counts)
            matrices[model] = ConfusionMatrix(np.stack(counts), self.classes)
        return matrices

    def predictions(self) -> OutOfFold:
        """Return the predictions of all test rows, the same rows for every model."""
        tests = [test for _, test in self.splits]
        row = np.concatenate(tests)
        predicted = {
            model: np.concatenate([kept["predict"] for kept in self._responses[model]])
            for model in self.names
        }
        split = np.repeat(np.arange(len(tests)), [len(test) for test in tests])
        return OutOfFold(row, split, self.y[row], predicted)

    def frame(self) -> Any:
        """Return the predictions as a pandas DataFrame: model, split, row, y_true, y_pred."""
        pandas = import_optional("pandas", extra="report", purpose="frame()")
        said = self.predictions()
        parts = [
            pandas.DataFrame(
                {
                    "model": model,
                    "split": said.split,
                    "row": said.row,
                    "y_true": said.y_true,
                    "y_pred": values,
                }
            )
            for model, values in said.y_pred.items()
        ]
        return pandas.concat(parts, ignore_index=True)


def _kept(method: str) -> Any:
    return available_if(lambda self: method in self.kept)


class _StoredClassifier(ClassifierMixin, BaseEstimator):
    """What a fitted classifier said of the test rows, as an estimator that says it again."""

    kept: dict[str, Any]
    classes_: Any

    def predict(self, X: Any) -> Any:
        return self.kept["predict"]

    @_kept("predict_proba")
    def predict_proba(self, X: Any) -> Any:
        return self.kept["predict_proba"]

    @_kept("decision_function")
    def decision_function(self, X: Any) -> Any:
        return self.kept["decision_function"]


class _StoredRegressor(RegressorMixin, BaseEstimator):
    """As `_StoredClassifier`, for a continuous target."""

    kept: dict[str, Any]
    classes_: Any

    def predict(self, X: Any) -> Any:
        return self.kept["predict"]


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
        Passed to `cv`.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights of the rows, used in the fits and in the scores.
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
        whose positive class is not named; all before the first fit.

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
    target, classes = _check_target(named, y)
    if n_rows(X) != len(target):
        raise ValueError(f"X and y must have the same length: X has {n_rows(X)}, y has {len(target)}.")
    weight = check_sample_weight(sample_weight, len(target))
    for estimator in named.values():
        if weight is not None:
            weight_name(estimator)
    for metric in metrics:
        _check_metric(metric, classes, pos_label)
    splitter = check_cv(cv, target, classifier=classes is not None)
    splits = as_splits(splitter.split(X, target, groups))
    leak = first_leak(splits)
    if leak is not None:
        raise ValueError(
            f"cv must give disjoint training and test rows, but split {leak} tests on a row it trained on; "
            "for the resubstitution error use bootstrap_error."
        )
    items = [(name, split) for name in named for split in range(len(splits))]
    kept = run_tasks(_respond, (named, splits, X, target, weight), items, n_jobs)
    per_model = {
        name: kept[start * len(splits) : (start + 1) * len(splits)] for start, name in enumerate(named)
    }
    return Evaluation(tuple(named), splits, target, classes, pos_label, weight, per_model)


def _check_target(named: dict[str, Any], y: Any) -> tuple[NDArray[Any], NDArray[Any] | None]:
    """Return the target as a plain array, and its classes where the models classify."""
    classify = {name: is_classifier(estimator) for name, estimator in named.items()}
    if len(set(classify.values())) > 1:
        told = ", ".join(f"{name} {'classifies' if does else 'does not'}" for name, does in classify.items())
        raise ValueError(f"estimators must be all classifiers or all regressors: {told}.")
    if not all(classify.values()):
        return check_vector(y, "y"), None
    target = to_labels(y, "y")
    return target, encode({"y": target})[1]


def _check_metric(name: str, classes: NDArray[Any] | None, pos_label: Any) -> None:
    get_scorer(name)
    if needs_pos_label(name) and classes is not None:
        check_binary(classes, pos_label)


def _respond(
    named: dict[str, Any],
    splits: Splits,
    X: Any,
    y: NDArray[Any],
    weight: NDArray[Any] | None,
    name: str,
    split: int,
) -> dict[str, Any]:
    """Fit on the training rows of a split and return every response for its test rows."""
    train, test = splits[split]
    try:
        fitted = fit_clone(named[name], X, y, train, weight)
        rows = take_rows(X, test)
        said = {method: getattr(fitted, method)(rows) for method in _METHODS if hasattr(fitted, method)}
    except Exception as error:
        error.add_note(f"(model {name!r}, split {split})")
        raise
    return {**said, "classes": getattr(fitted, "classes_", None)}

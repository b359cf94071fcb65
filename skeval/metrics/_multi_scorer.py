"""Scorers that return a dict: many metrics, or the cells of the matrix, from one prediction."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from skeval.exceptions import SkevalWarning, UndefinedMeasureWarning
from skeval.metrics._callable_scorer import CallableScorer
from skeval.metrics._cells import cell_scores
from skeval.metrics._confusion import ConfusionMatrix
from skeval.metrics._counts import spread
from skeval.metrics._measure_names import label_measure, takes_pos_label
from skeval.metrics._ranking import RankedScores
from skeval.metrics._ranking_measures import RANKING_MEASURES, ranking_measure
from skeval.metrics._scorers import check_params, get_scorer, needs_pos_label, scorer_measures
from skeval.utils._labels import LabelArray, check_binary, check_labels, encode, factorize, plain, to_labels
from skeval.utils._response import response_values
from skeval.utils._validation import check_option
from skeval.utils._warnings import warn_user

_MANY_CLASSES = 30
# Means over classes that have no average in their name.
_MEANS = ("balanced_accuracy", "fscore_of_means", "g_mean")
_RESPONSES = ("predict", "predict_proba", "decision_function")


class MultiScorer(CallableScorer):
    """Many metrics from one call of each response method.

    Label metrics come from one confusion matrix, threshold metrics from one ranking.

    Parameters
    ----------
    scorers : list of str, or dict of {key: str, scorer or callable}
        Names of `get_scorer_names`. A dict may also hold scorers, called as
        ``scorer(estimator, X, y)``, and functions of one argument, a `ConfusionMatrix` of
        the split over all classes.
    labels : array-like of shape (K,), default=None
        Classes that fix the shape of the matrix for functions of it; None: ``classes_`` of
        the estimator and what else the split holds.
    pos_label : label, default=None
        Positive class of binary metrics; None as in `ConfusionMatrix.binary_counts`.
    on_error : {"nan", "raise"}, default="nan"
        A metric that fails is nan with a warning and the others are kept, or raises.

    Raises
    ------
    ValueError
        No scorer, an unknown name, labels named twice, or an unknown `on_error`.
    TypeError
        A scorer that is no name and cannot be called, or a name that needs parameters:
        "f_beta" and the costs; give `get_scorer` of it.

    Notes
    -----
    For ``cross_validate``, ``GridSearchCV`` and ``RandomizedSearchCV`` (with
    ``refit=<key>``, a callable or False) and ``permutation_importance``. What takes a
    single score (``cross_val_score``, ``learning_curve``, halving searches) needs
    `get_scorer`.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.model_selection import cross_validate
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from skeval.metrics import MultiScorer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> scoring = MultiScorer(["accuracy", "g_mean", "roc_auc"])
    >>> results = cross_validate(GaussianNB(), X, y, cv=3, scoring=scoring)
    >>> results["test_roc_auc"].round(3)
    array([0.979, 0.99 , 0.991])
    """

    def __init__(
        self,
        scorers: Iterable[str] | Mapping[str, Any],
        *,
        labels: ArrayLike | None = None,
        pos_label: Any = None,
        on_error: str = "nan",
    ) -> None:
        super().__init__()
        if isinstance(scorers, str):
            raise TypeError(f"scorers must be a list of names or a dict, got {scorers!r}.")
        self.scorers = dict(scorers) if isinstance(scorers, Mapping) else {name: name for name in scorers}
        if not self.scorers:
            raise ValueError("scorers must name at least one metric, got none.")
        self.labels = labels if labels is None else check_labels(labels)
        self.pos_label = pos_label
        self.on_error = check_option(on_error, "on_error", ("nan", "raise"))
        self._plan = {key: self._resolve(key, value) for key, value in self.scorers.items()}

    def _resolve(self, key: str, value: Any) -> tuple[str, Any, float]:
        """Return (what the metric is made from, its function, its sign)."""
        names = scorer_measures()
        if isinstance(value, str) and value in names:
            measure, sign = names[value], -1.0 if value.startswith("neg_") else 1.0
            check_params(value, measure, {})
            if measure in RANKING_MEASURES:
                return "ranking", ranking_measure(measure), sign
            if takes_pos_label(measure):
                return "binary", label_measure(measure, pos_label=self.pos_label), sign
            averaged = measure.endswith(("_macro", "_weighted")) or measure in _MEANS
            return ("averaged" if averaged else "labels"), label_measure(measure), sign
        if isinstance(value, str):
            named = self.pos_label is not None and needs_pos_label(value)
            return "scorer", get_scorer(value, **({"pos_label": self.pos_label} if named else {})), 1.0
        if not callable(value):
            raise TypeError(
                f"scorers[{key!r}] must be a name, a scorer or a function of a ConfusionMatrix, "
                f"got {value!r}."
            )
        return ("scorer" if _is_scorer(value) else "matrix"), value, 1.0

    def __call__(
        self, estimator: Any, X: Any, y: Any, sample_weight: ArrayLike | None = None
    ) -> dict[str, float]:
        """Return {key: score} of a fitted estimator on X, y."""
        data = _Split(CachedResponses(estimator, X), X, y, sample_weight, self)
        scores = {}
        for key, (source, function, sign) in self._plan.items():
            try:
                scores[key] = sign * float(data.evaluate(source, function))
            except Exception as error:
                if self.on_error == "raise":
                    raise
                warn_user(f"The metric {key!r} failed and is nan: {error}", UndefinedMeasureWarning)
                scores[key] = np.nan
        return scores

    def __repr__(self) -> str:
        return f"MultiScorer({list(self.scorers)})"


def _is_scorer(value: Any) -> bool:
    """A scorer takes (estimator, X[, y]); a function of a matrix needs one argument."""
    if hasattr(value, "get_metadata_routing"):
        return True
    try:
        parameters = inspect.signature(value).parameters.values()
    except (TypeError, ValueError):
        return False
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    needed = [one for one in parameters if one.kind in positional and one.default is one.empty]
    return len(needed) >= 2


class _Split:
    """What one call of a MultiScorer has to work on, each statistic made at most once."""

    def __init__(self, estimator: Any, X: Any, y: Any, sample_weight: Any, scorer: MultiScorer) -> None:
        self.estimator, self.X, self.y = estimator, X, y
        self.sample_weight, self.scorer = sample_weight, scorer
        self._made: dict[str, Any] = {}

    def evaluate(self, source: str, function: Callable[..., Any]) -> Any:
        if function is RANKING_MEASURES["average_precision"] and self._averages_classes():
            source, function = "scorer", get_scorer("average_precision")
        if source == "scorer":
            weight = {} if self.sample_weight is None else {"sample_weight": self.sample_weight}
            return function(self.estimator, self.X, self.y, **weight)
        if source not in self._made:
            self._made[source] = getattr(self, f"_{source}")()
        return function(self._made[source])

    def _averages_classes(self) -> bool:
        """Say whether average precision is a mean over more than two classes, as in scikit-learn."""
        return self.scorer.pos_label is None and len(getattr(self.estimator, "classes_", ())) > 2

    def _labels(self) -> ConfusionMatrix:
        """The matrix over the labels of this split: figures are then scikit-learn's."""
        if "labels" not in self._made:
            self._made["labels"] = ConfusionMatrix.from_predictions(
                self.y, self.estimator.predict(self.X), sample_weight=self.sample_weight
            )
        return self._made["labels"]

    def _averaged(self) -> ConfusionMatrix:
        self._name_absent()
        return self._labels()

    def _binary(self) -> ConfusionMatrix:
        """The same: every split must hold to one positive class, whatever labels it happens to have."""
        check_binary(self._classes(self._labels().labels), self.scorer.pos_label)
        return self._labels()

    def _classes(self, seen: LabelArray) -> LabelArray:
        """All classes: as given, or of the estimator and the distinct ones seen in this split."""
        if self.scorer.labels is not None:
            return self.scorer.labels
        classes = getattr(self.estimator, "classes_", None)
        known = seen if classes is None else to_labels(classes, "classes_")
        return seen if np.array_equal(known, seen) else encode({"classes_": known, "y": seen})[1]

    def _matrix(self) -> ConfusionMatrix:
        """The matrix over all classes, for functions of it; averages leave out absent ones."""
        seen = self._labels()
        classes = self._classes(seen.labels)
        (place,), _ = encode({"y": seen.labels}, classes)
        return ConfusionMatrix(spread(seen.counts, place, len(classes)), classes)

    def _name_absent(self) -> None:
        seen = self._labels().labels
        classes = self._classes(seen)
        absent = seen[:0] if classes is seen else np.setdiff1d(classes, seen)
        if len(absent):
            names = ", ".join(str(plain(label)) for label in absent)
            warn_user(
                f"Class {names} has neither true nor predicted samples in this split "
                "and is left out of averages.",
                UndefinedMeasureWarning,
            )

    def _ranking(self) -> RankedScores:
        _, seen = factorize(to_labels(self.y, "y"))
        check_binary(self._classes(seen), self.scorer.pos_label)
        score, _ = response_values(self.estimator, self.X, pos_label=self.scorer.pos_label)
        return RankedScores.from_predictions(
            self.y, score, pos_label=self.scorer.pos_label, sample_weight=self.sample_weight
        )


class CachedResponses:
    """A fitted estimator that computes each response once; an instance of its class to all."""

    def __init__(self, estimator: Any, X: Any) -> None:
        self._estimator, self._X = estimator, X
        self._kept: dict[str, Any] = {}

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return self._estimator.__class__

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._estimator, name)
        if name not in _RESPONSES:
            return value

        def respond(X: Any) -> Any:
            if X is not self._X:
                return value(X)
            if name not in self._kept:
                self._kept[name] = value(X)
            return self._kept[name]

        respond.__name__ = name  # scikit-learn reads it
        return respond


class ConfusionScorer(CallableScorer):
    """The cells of the confusion matrix as scores, one key per cell.

    Parameters
    ----------
    labels : array-like of shape (K,)
        All classes, in the order of rows and columns. They fix the keys: no split loses a
        row or a column.

    Raises
    ------
    ValueError
        No labels, or one that is missing or named twice.

    Notes
    -----
    Read the cells back with `ConfusionMatrix.from_cv_results`. A true or predicted label
    outside `labels` is an error. For more than 30 classes a warning tells how many keys
    that makes.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import cross_validate
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from skeval.metrics import ConfusionMatrix, ConfusionScorer
    >>> X, y = load_iris(return_X_y=True)
    >>> results = cross_validate(GaussianNB(), X, y, cv=5, scoring=ConfusionScorer([0, 1, 2]))
    >>> ConfusionMatrix.from_cv_results(results, labels=[0, 1, 2]).pooled().counts
    array([[50,  0,  0],
           [ 0, 47,  3],
           [ 0,  4, 46]])
    """

    def __init__(self, labels: ArrayLike) -> None:
        super().__init__()
        self.labels = check_labels(labels)
        size = len(self.labels)
        if size > _MANY_CLASSES:
            warn_user(
                f"ConfusionScorer makes {size * size} scores per split for {size} classes; "
                "MultiScorer with functions of the matrix makes few.",
                SkevalWarning,
            )

    def __call__(
        self, estimator: Any, X: Any, y: Any, sample_weight: ArrayLike | None = None
    ) -> dict[str, float]:
        """Return {"confusion_{i}_{j}": weight of true labels[i] predicted as labels[j]}."""
        matrix = ConfusionMatrix.from_predictions(
            y, estimator.predict(X), labels=self.labels, sample_weight=sample_weight
        )
        return cell_scores(matrix.counts)

    def __repr__(self) -> str:
        return f"ConfusionScorer({[plain(label) for label in self.labels]})"

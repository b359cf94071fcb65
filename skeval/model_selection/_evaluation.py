"""What models said of the rows that they were not trained on: any metric follows without another fit."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skeval.exceptions import MissingScoreError, UndefinedMeasureWarning
from skeval.metrics import ConfusionMatrix, RankedScores, get_scorer, needs_pos_label
from skeval.model_selection._cv_scores import CVScores
from skeval.model_selection._split_indices import Splits, listed, ranks_rows, refuse_single_rows
from skeval.model_selection._stored_responses import merge_responses, stored_model
from skeval.utils._labels import check_binary
from skeval.utils._optional import import_optional
from skeval.utils._response import THRESHOLD_METHODS, response_values
from skeval.utils._validation import FloatArray, IntArray, check_option
from skeval.utils._warnings import warn_user


@dataclass(frozen=True)
class OutOfFold:
    """Out-of-fold predictions of several models, row by row.

    Attributes
    ----------
    row, split : ndarray of shape (n_predictions,)
        Position in X, and the split that tested it; a row may come several times.
    y_true : ndarray of shape (n_predictions,)
    y_pred : dict of {name: ndarray of shape (n_predictions,)}
    y_score : dict of {name: ndarray of shape (n_predictions,)}
        Scores of the positive class, of the models that have any, for two classes of which
        the positive one is known; else empty. The models of different splits may score on
        different scales.
    y_prob : dict of {name: ndarray of shape (n_predictions, K)}
        Probabilities of the classes, sorted as in `Evaluation`, of the models that give them.

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
    y_score: dict[str, FloatArray] = field(default_factory=dict)
    y_prob: dict[str, FloatArray] = field(default_factory=dict)


@dataclass(frozen=True)
class Evaluation:
    """Models evaluated on the same splits; every metric follows without another fit.

    A figure is **averaged** where every split has one of its own (`scores`), and **pooled**
    where all test rows make one together (`pooled`, `confusion` with ``.pooled()``,
    `ranked_scores`, `predictions`).

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
    groups : ndarray of int of shape (n_samples,) or None
        Codes of the groups that the splits were made with.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from skeval.model_selection import KFoldSplit, evaluate
    >>> X, y = load_iris(return_X_y=True)
    >>> done = evaluate({"bayes": GaussianNB()}, X, y, cv=KFoldSplit(5, random_state=0))
    >>> done.scores("accuracy")["bayes"].scores.round(3)
    array([0.9  , 0.967, 1.   , 0.933, 0.967])
    >>> round(done.pooled("accuracy")["bayes"], 4)
    0.9533
    """

    names: tuple[str, ...]
    splits: Splits
    y: NDArray[Any]
    classes: NDArray[Any] | None
    pos_label: Any = None
    sample_weight: Any = field(default=None, repr=False)
    groups: IntArray | None = field(default=None, repr=False)
    _responses: dict[str, list[dict[str, Any]]] = field(default_factory=dict, repr=False)

    def scores(self, metric: Any, **params: Any) -> dict[str, CVScores]:
        """Return one score per split and model: a mean of these is averaged over splits.

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
            Greater is better; nan where a split leaves the metric undefined.

        Raises
        ------
        ValueError
            The metric cannot be had from what was kept; the message names model and split.
            It ranks rows, and a split tests a single one.
        MissingScoreError
            The metric is undefined on every split.

        Warns
        -----
        UndefinedMeasureWarning
            What the metric says of some splits, with their numbers (counted from 0).
        """
        scorer, name = self._scorer(metric, params)
        if name is not None:
            refuse_single_rows(name, self.splits, way_out=f"use pooled({name!r}), of all test rows, or ")
        return {model: self._scores_of(scorer, name, model) for model in self.names}

    def pooled(self, metric: Any, **params: Any) -> dict[str, float]:
        """Return one score per model of all test rows together: pooled, not averaged.

        Parameters
        ----------
        metric, **params : as in `scores`

        Returns
        -------
        dict of {name: float}
            Greater is better. A row that several splits test counts each time.

        Raises
        ------
        ValueError
            As in `scores`.

        Notes
        -----
        Where a metric ranks scores (AUC), those of different models, one per split, are
        ranked among each other: shifts between the models lower the figure. For leave-one-out
        it is the only way.

        References
        ----------
        Forman & Scholz (2010), Apples-to-apples in cross-validation studies, SIGKDD
        Explorations 12, 49-57.
        """
        scorer, _ = self._scorer(metric, params)
        rows = np.concatenate([test for _, test in self.splits])
        return {model: self._apply(scorer, self._merged(model), rows, model) for model in self.names}

    def ranked_scores(self, *, pos_label: Any = None) -> dict[str, RankedScores]:
        """Return the ranked scores of all test rows together: curves follow from them.

        Parameters
        ----------
        pos_label : label, default=None
            The positive class; None: that of the evaluation.

        Returns
        -------
        dict of {name: RankedScores}
            Pooled: see the notes of `pooled`.

        Raises
        ------
        ValueError
            There are not two classes, or the positive one is not named.
        AttributeError
            A model has neither ``predict_proba`` nor ``decision_function``.
        """
        if self.classes is None:
            raise ValueError("ranked_scores() needs two classes, but y is continuous.")
        positive = check_binary(self.classes, self.pos_label if pos_label is None else pos_label)
        rows = np.concatenate([test for _, test in self.splits])
        weight = None if self.sample_weight is None else self.sample_weight[rows]
        ranked = {}
        for model in self.names:
            scores = self._positive_scores(self._merged(model), positive)
            ranked[model] = RankedScores.from_predictions(
                self.y[rows], scores, pos_label=positive, sample_weight=weight
            )
        return ranked

    def only(self, model: str) -> Evaluation:
        """Return the evaluation of one of the models.

        Parameters
        ----------
        model : str
            One of `names`.

        Returns
        -------
        Evaluation
        """
        name = check_option(model, "model", self.names)
        return replace(self, names=(name,), _responses={name: self._responses[name]})

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
        merged = {model: self._merged(model) for model in self.names}
        probabilities = {
            model: said["predict_proba"] for model, said in merged.items() if "predict_proba" in said
        }
        return OutOfFold(row, split, self.y[row], predicted, self._known_scores(merged), probabilities)

    def frame(self) -> Any:
        """Return the predictions as a pandas DataFrame: model, split, row, y_true, y_pred.

        With ``y_score`` where every model has scores of the positive class.
        """
        pandas = import_optional("pandas", extra="report", purpose="frame()")
        said = self.predictions()
        parts = []
        for model, values in said.y_pred.items():
            columns = {"model": model, "split": said.split, "row": said.row, "y_true": said.y_true}
            columns["y_pred"] = values
            if len(said.y_score) == len(said.y_pred):
                columns["y_score"] = said.y_score[model]
            parts.append(pandas.DataFrame(columns))
        return pandas.concat(parts, ignore_index=True)

    # --- from the responses kept to scores

    def _scorer(self, metric: Any, params: dict[str, Any]) -> tuple[Any, str | None]:
        """Return the scorer, and its name if it has one."""
        if not isinstance(metric, str):
            return metric, None
        if self.classes is not None and needs_pos_label(metric, n_classes=len(self.classes)):
            # One positive class for all splits, whatever labels a split happens to have.
            named = params.get("pos_label", self.pos_label)
            params = {**params, "pos_label": check_binary(self.classes, named)}
        return get_scorer(metric, **params), metric

    def _scores_of(self, scorer: Any, name: str | None, model: str) -> CVScores:
        """Score every split of a model; what is said of a split is told with its number."""
        scores: list[float] = []
        told: dict[tuple[type[Warning], str], list[int]] = {}
        one_class = UndefinedMeasureWarning, f"{name} is undefined: the model was trained on one class only"
        for split, (_, test) in enumerate(self.splits):
            kept = self._responses[model][split]
            trained = kept.get("classes")
            if name is not None and trained is not None and ranks_rows(name) and len(trained) < 2:
                scores.append(np.nan)
                told.setdefault(one_class, []).append(split)
                continue
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                scores.append(self._apply(scorer, kept, test, model, f", split {split}"))
            for warning in caught:
                told.setdefault((warning.category, str(warning.message).rstrip(".")), []).append(split)
        missing = np.flatnonzero(np.isnan(scores))
        if len(missing) == len(scores):
            reason = next((f": {message}" for _, message in told), "")
            raise MissingScoreError(
                f"{name or 'The score'} of model {model!r} is undefined on every split{reason}. Use "
                "evaluate(...).pooled(), which takes all test rows together, or larger test parts that hold "
                "every class."
            )
        silent = sorted(set(missing.tolist()).difference(*told.values()))
        if silent:
            told[UndefinedMeasureWarning, f"{name or 'The score'} is undefined"] = silent
        for (category, message), where in told.items():
            nan = [split for split in where if split in missing]
            lost = f"; nan in {listed(nan)}, which a mean leaves out" if nan else ""
            warn_user(f"{message} (model {model!r}, {listed(where)} of {len(scores)}{lost}).", category)
        return CVScores(scores, indices=self.splits, metric=name)

    def _apply(self, scorer: Any, kept: dict[str, Any], rows: IntArray, model: str, where: str = "") -> float:
        weight = {} if self.sample_weight is None else {"sample_weight": self.sample_weight[rows]}
        stored = stored_model(kept, self.classes)
        try:
            return float(scorer(stored, None, self.y[rows], **weight))
        except Exception as error:
            if isinstance(error, AttributeError) and type(stored).__name__ in str(error):
                able = " and ".join(method for method in kept if method != "classes")
                raise AttributeError(
                    f"model {model!r} has {able} only, but the metric asks for more (predict_proba?): leave "
                    "it out, or choose an estimator that has it."
                ) from error
            error.add_note(f"(model {model!r}{where}; a scorer is given None for X)")
            raise

    def _merged(self, model: str) -> dict[str, Any]:
        return merge_responses(self._responses[model], self.classes)

    def _positive_scores(self, merged: dict[str, Any], positive: Any) -> FloatArray:
        stored = stored_model(merged, self.classes)
        return np.asarray(response_values(stored, None, pos_label=positive)[0])

    def _known_scores(self, merged: dict[str, dict[str, Any]]) -> dict[str, FloatArray]:
        """Return the scores of the positive class of each model that has them."""
        if self.classes is None or len(self.classes) != 2:
            return {}
        try:
            positive = check_binary(self.classes, self.pos_label)
        except ValueError:  # not named
            return {}
        return {
            model: self._positive_scores(said, positive)
            for model, said in merged.items()
            if any(method in said for method in THRESHOLD_METHODS)
        }

"""What an experiment is made of: estimators, data sets, splits, scores; and the key of every task."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.model_selection import check_cv

from skeval.benchmarking._datasets import Data, Source
from skeval.benchmarking._hashing import UnstableError, stable_hash
from skeval.metrics import MultiScorer, get_scorer, needs_pos_label
from skeval.model_selection._split_indices import (
    Splits,
    are_time_ordered,
    disjoint_splits,
    n_distinct,
    refuse_single_rows,
)
from skeval.utils._kind import all_classify
from skeval.utils._labels import check_binary, plain
from skeval.utils._rows import n_rows


class Method(NamedTuple):
    """One estimator of an experiment."""

    name: str
    estimator: Any
    key: str


@dataclass(frozen=True)
class Problem:
    """One data set with its splits, as it was checked; the rows themselves are not kept."""

    source: Source
    key: str
    split_keys: tuple[str, ...]
    sizes: tuple[tuple[int, int], ...]  # distinct training rows, test rows
    n_samples: int
    n_features: int | None
    classes: NDArray[Any] | None
    pos_label: Any
    time_ordered: bool


def check_estimators(estimators: Any) -> tuple[list[Method], bool]:
    """Return the estimators with their keys, and whether they classify."""
    if not isinstance(estimators, Mapping) or not estimators:
        raise ValueError("estimators must be a dict of {name: estimator} with at least one.")
    methods = []
    for name, estimator in estimators.items():
        if isinstance(estimator, type) or not all(hasattr(estimator, need) for need in ("fit", "get_params")):
            raise TypeError(
                f"estimators[{name!r}] must be an estimator of scikit-learn's kind, got {estimator!r}."
            )
        try:
            key = stable_hash(estimator)
        except UnstableError as error:
            raise UnstableError(
                f"estimators[{name!r}] cannot be recognized when the experiment is run again: {error}"
            ) from error
        methods.append(Method(str(name), clone(estimator), key))
    check_names([method.name for method in methods], "estimators")
    return methods, all_classify({method.name: method.estimator for method in methods})


def check_names(names: list[str], what: str) -> None:
    """Refuse names that are empty or come twice."""
    for name in names:
        if not name.strip():
            raise ValueError(f"{what} must have names that are not empty, got {names}.")
        if names.count(name) > 1:
            raise ValueError(f"{what} must name each one once, got {name!r} twice.")


def check_scoring(scoring: Any) -> dict[str, Any]:
    """Return the scores as {name: name of a scorer, scorer, or function of a ConfusionMatrix}."""
    if isinstance(scoring, MultiScorer):
        return dict(scoring.scorers)
    if isinstance(scoring, str):
        scoring = [scoring]
    elif callable(scoring):
        scoring = {"score": scoring}
    elif not isinstance(scoring, (Mapping, Iterable)):
        raise TypeError(f"scoring must be a name, a list of names, a dict or a scorer, got {scoring!r}.")
    scorers = MultiScorer(scoring).scorers  # unknown names are refused here
    for scorer in scorers.values():
        if isinstance(scorer, str):
            get_scorer(scorer)
    check_names([str(name) for name in scorers], "scoring")
    return {str(name): scorer for name, scorer in scorers.items()}


def make_splits(cv: Any, data: Data, name: str) -> Splits:
    """Run the splitter on a data set."""
    try:
        splitter = check_cv(cv, data.y, classifier=data.classes is not None)
        return disjoint_splits(splitter, data.X, data.y, data.groups)
    except Exception as error:
        error.add_note(f"(splits of data set {name!r})")
        raise


def split_keys(splits: Splits) -> tuple[str, ...]:
    """Return the hash of the rows of each split."""
    return tuple(stable_hash(train, test) for train, test in splits)


def prepare(
    source: Source, cv: Any, *, classify: bool, scorers: Mapping[str, Any], pos_label: Any
) -> Problem:
    """Load a data set, check it against splitter and scores, and take down what identifies it."""
    data = source.load(classify=classify)
    splits = make_splits(cv, data, source.name)
    keys = split_keys(splits)
    if keys != split_keys(make_splits(cv, data, source.name)):
        raise ValueError(
            f"cv must give the same splits when the experiment is run again, but {cv!r} draws new ones: "
            "give it an int random_state."
        )
    check_scores(scorers, data, pos_label, source.name)
    for scorer in scorers.values():
        if isinstance(scorer, str):
            refuse_single_rows(scorer, splits)
    shape: tuple[int, ...] = getattr(data.X, "shape", ())
    return Problem(
        source,
        data_key(data, source.name),
        keys,
        tuple((n_distinct(train), len(test)) for train, test in splits),
        n_rows(data.X),
        int(shape[1]) if len(shape) > 1 else None,
        data.classes,
        pos_label,
        are_time_ordered(splits),
    )


def data_key(data: Data, name: str) -> str:
    """Return the hash of the content of a data set."""
    try:
        return stable_hash(data.X, data.y, data.groups)
    except UnstableError as error:
        raise UnstableError(f"datasets[{name!r}] cannot be recognized again: {error}") from error


def check_scores(scorers: Mapping[str, Any], data: Data, pos_label: Any, name: str) -> None:
    """Score a dummy on all rows: what a metric refuses, it refuses before the first fit."""
    named = {key: value for key, value in scorers.items() if isinstance(value, str)}
    try:
        for scorer in named.values():
            if data.classes is not None and needs_pos_label(scorer, n_classes=len(data.classes)):
                check_binary(data.classes, pos_label)
        if not named:
            return
        dummy = DummyRegressor() if data.classes is None else DummyClassifier(strategy="prior")
        rows = np.zeros((len(data.y), 1))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            scoring = MultiScorer(named, labels=data.classes, pos_label=pos_label, on_error="raise")
            scoring(dummy.fit(rows, data.y), rows, data.y)
    except Exception as error:
        error.add_note(f"(scores on data set {name!r})")
        raise


def task_seed(random_state: int, problem: Problem, split: int) -> int:
    """Return the seed of a split: the same for every estimator."""
    return int(stable_hash(random_state, problem.key, split, problem.split_keys[split])[:7], 16)


def task_key(problem: Problem, method: Method, split: int, seed: int, scoring_key: str) -> str:
    """Return what identifies a task in any process."""
    return stable_hash(
        problem.source.name,
        problem.key,
        method.name,
        method.key,
        split,
        problem.split_keys[split],
        seed,
        scoring_key,
    )


def scoring_key(scorers: Mapping[str, Any], pos_label: Any) -> str:
    """Return the hash of what is scored."""
    try:
        return stable_hash(dict(scorers), plain(pos_label))
    except UnstableError as error:
        raise UnstableError(
            f"scoring cannot be recognized when the experiment is run again: {error}"
        ) from error

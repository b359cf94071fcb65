"""Fits of clones on splits: in parallel, parameters passed on, one thread of linear algebra each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import NDArray
from sklearn import get_config
from sklearn.base import clone
from sklearn.pipeline import Pipeline
from sklearn.utils.metadata_routing import get_routing_for_object
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import has_fit_parameter
from threadpoolctl import threadpool_limits

from skeval.exceptions import ResamplingWarning
from skeval.utils._labels import plain
from skeval.utils._rows import n_rows, take_rows
from skeval.utils._validation import IntArray, check_sample_weight
from skeval.utils._warnings import warn_user

# Few enough chunks of work to cost nothing, enough to share it evenly.
_CHUNKS_PER_WORKER = 8
# What a fitted model may say of rows, the first as every model can.
_RESPONSES = ("predict", "predict_proba", "decision_function")


def run_tasks(
    task: Callable[..., Any], shared: tuple[Any, ...], items: Iterable[tuple[Any, ...]], n_jobs: int | None
) -> list[Any]:
    """Run ``task(*shared, *item)`` for every item; results in their order, whatever `n_jobs`."""
    work = list(items)
    n_workers = effective_n_jobs(n_jobs)
    n_chunks = 1 if n_workers == 1 else min(len(work), n_workers * _CHUNKS_PER_WORKER)
    ends = np.linspace(0, len(work), n_chunks + 1).astype(int)
    chunks = [work[start:stop] for start, stop in pairwise(ends)]
    done = Parallel(n_jobs=n_jobs)(delayed(_run_chunk)(task, shared, chunk) for chunk in chunks)
    return [result for chunk in done for result in chunk]


def _run_chunk(task: Callable[..., Any], shared: tuple[Any, ...], items: list[tuple[Any, ...]]) -> list[Any]:
    # Sums of several threads differ in the last bits: one thread makes n_jobs change nothing.
    with threadpool_limits(limits=1):
        return [task(*shared, *item) for item in items]


def try_tasks(
    task: Callable[..., Any],
    shared: tuple[Any, ...],
    items: Iterable[tuple[Any, ...]],
    n_jobs: int | None,
    *,
    what: str,
) -> tuple[list[Any], list[int]]:
    """Run tasks as `run_tasks` does, but leave out those that fail.

    Parameters
    ----------
    what : str
        What the tasks are, for messages.

    Returns
    -------
    results, and the numbers of the items that they are of

    Raises
    ------
    ValueError
        All failed.

    Warns
    -----
    ResamplingWarning
        Some failed.
    """
    outcomes = run_tasks(_try, (task, shared), items, n_jobs)
    errors = [error for _, error in outcomes if error]
    if errors and len(errors) == len(outcomes):
        raise ValueError(f"All {len(outcomes)} {what} failed, the first with {errors[0]}")
    if errors:
        warn_user(
            f"{len(errors)} of {len(outcomes)} {what} failed and are left out, the first with {errors[0]}",
            ResamplingWarning,
        )
    kept = [number for number, (_, error) in enumerate(outcomes) if not error]
    return [outcomes[number][0] for number in kept], kept


def _try(task: Callable[..., Any], shared: tuple[Any, ...], *item: Any) -> tuple[Any, str]:
    """Return the result of a task, and what went wrong."""
    try:
        return task(*shared, *item), ""
    except Exception as error:
        return None, f"{type(error).__name__}: {error}"


def warn_missing_classes(
    codes: IntArray, classes: Any, trains: Sequence[IntArray], *, what: str, way_out: str
) -> None:
    """Warn of classes of which training parts hold no sample.

    Parameters
    ----------
    codes : ndarray of int of shape (n_samples,)
        Class of each sample, as its place in `classes`.
    classes : ndarray of shape (n_classes,)
    trains : sequence of ndarray of int
        Training rows.
    what, way_out : str
        What the training parts are of, and what to do or to know, for the message.
    """
    lacking = sum(np.bincount(codes[train], minlength=len(classes)) == 0 for train in trains)
    rare = np.argsort(-lacking, kind="stable")[: min(3, np.count_nonzero(lacking))]
    if len(rare):
        names = ", ".join(f"class {plain(classes[one])!r} in {lacking[one]}" for one in rare)
        warn_user(f"The training part lacks {names} of {len(trains)} {what}; {way_out}.", ResamplingWarning)


@dataclass(frozen=True)
class FitParams:
    """What every fit is given beside X and y.

    Attributes
    ----------
    weight : ndarray of shape (n_samples,) or None
        Weights of the rows.
    given : dict
        Parameters of ``fit`` by name.
    per_row : frozenset of str
        Those of `given` that have one entry per row, of which a fit gets its own.
    """

    weight: NDArray[Any] | None = None
    given: Mapping[str, Any] = field(default_factory=dict)
    per_row: frozenset[str] = frozenset()

    def of(self, estimator: Any, rows: IntArray) -> dict[str, Any]:
        """Return the parameters of a fit on these rows."""
        params = {
            name: take_rows(value, rows) if name in self.per_row else value
            for name, value in self.given.items()
        }
        if self.weight is not None:
            params[weight_name(estimator)] = self.weight[rows]
        return params

    def score_weight(self, rows: IntArray) -> dict[str, NDArray[Any]]:
        """Return what a scorer takes for these rows, beside the data."""
        return {} if self.weight is None else {"sample_weight": self.weight[rows]}


NO_PARAMS = FitParams()


def check_fit_params(
    estimators: Iterable[Any], n_samples: int, sample_weight: Any = None, params: Any = None
) -> FitParams:
    """Check weights and parameters before the first fit.

    Raises
    ------
    ValueError
        Weights that a `fit` does not take or that come twice; groups among the parameters.
    TypeError
        `params` is no dict.
    """
    weight = check_sample_weight(sample_weight, n_samples)
    names = {weight_name(estimator) for estimator in estimators} if weight is not None else set()
    if params is None:
        return FitParams(weight)
    if not isinstance(params, Mapping) or not all(isinstance(name, str) for name in params):
        raise TypeError(f"params must be a dict of the parameters of fit by name, got {params!r}.")
    if "groups" in params:
        raise ValueError("params go to fit; give the groups of the splits as groups=.")
    twice = sorted(names & set(params))
    if twice:
        raise ValueError(f"params hold {twice[0]!r}, which sample_weight= gives too: give one of them.")
    per_row = frozenset(name for name, value in params.items() if _has_rows(value, n_samples))
    return FitParams(weight, dict(params), per_row)


def _has_rows(value: Any, n_samples: int) -> bool:
    """Say whether a parameter has one entry per sample, as scikit-learn does."""
    if isinstance(value, (str, bytes, Mapping)) or not (hasattr(value, "__len__") or hasattr(value, "shape")):
        return False
    return np.shape(value) != () and n_rows(value) == n_samples


def fit_clone(estimator: Any, X: Any, y: Any, train: IntArray, params: FitParams = NO_PARAMS) -> Any:
    """Fit a clone on the training rows, with their share of the parameters."""
    return clone(estimator).fit(take_rows(X, train), take_rows(y, train), **params.of(estimator, train))


def all_responses(fitted: Any, rows: Any) -> dict[str, Any]:
    """Return what a fitted model says of rows by every method it has, and its classes."""
    said = {method: getattr(fitted, method)(rows) for method in _RESPONSES if hasattr(fitted, method)}
    return {**said, "classes": getattr(fitted, "classes_", None)}


def weight_name(estimator: Any) -> str:
    """Return the name under which `fit` takes sample weights.

    Raises
    ------
    ValueError
        It takes none: weights would be lost in silence.
    """
    kind = type(estimator).__name__
    if has_fit_parameter(estimator, "sample_weight"):
        return "sample_weight"
    if get_config()["enable_metadata_routing"]:
        if get_routing_for_object(estimator).consumes("fit", ["sample_weight"]):
            return "sample_weight"
        raise ValueError(
            f"sample_weight cannot be used: metadata routing is enabled, and no part of {kind} asks for it; "
            "call set_fit_request(sample_weight=True) on the step that is to be fitted with weights."
        )
    if isinstance(estimator, Pipeline) and has_fit_parameter(estimator.steps[-1][1], "sample_weight"):
        return f"{estimator.steps[-1][0]}__sample_weight"
    if hasattr(estimator, "refit") and hasattr(estimator, "estimator"):  # a search hands its weights on
        return weight_name(estimator.estimator)
    raise ValueError(
        f"sample_weight cannot be used: fit of {kind} takes no sample_weight; "
        "leave it out, or choose an estimator that takes it."
    )

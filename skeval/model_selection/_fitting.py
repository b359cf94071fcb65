"""Fits of clones on splits: in parallel, weights passed on, one thread of linear algebra each."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from sklearn.base import clone
from sklearn.pipeline import Pipeline
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import has_fit_parameter
from threadpoolctl import threadpool_limits

from skeval.utils._rows import take_rows
from skeval.utils._validation import IntArray


def run_tasks(
    task: Callable[..., Any], arguments: Iterable[tuple[Any, ...]], n_jobs: int | None
) -> list[Any]:
    """Run one task per tuple of arguments; results in their order, whatever `n_jobs`."""
    return list(Parallel(n_jobs=n_jobs)(delayed(_one_thread)(task, *one) for one in arguments))


def _one_thread(task: Callable[..., Any], *arguments: Any) -> Any:
    # Sums of several threads differ in the last bits: one thread makes n_jobs change nothing.
    with threadpool_limits(limits=1):
        return task(*arguments)


def fit_clone(estimator: Any, X: Any, y: Any, train: IntArray, sample_weight: Any = None) -> Any:
    """Fit a clone on the training rows, with their weights."""
    weight = {} if sample_weight is None else {weight_name(estimator): sample_weight[train]}
    return clone(estimator).fit(take_rows(X, train), take_rows(y, train), **weight)


def weight_name(estimator: Any) -> str:
    """Return the name under which `fit` takes sample weights.

    Raises
    ------
    ValueError
        It takes none: weights would be lost in silence.
    """
    if isinstance(estimator, Pipeline):
        name, last = estimator.steps[-1]
        if has_fit_parameter(last, "sample_weight"):
            return f"{name}__sample_weight"
    elif has_fit_parameter(estimator, "sample_weight"):
        return "sample_weight"
    raise ValueError(
        f"sample_weight cannot be used: fit of {type(estimator).__name__} takes no sample_weight; "
        "leave it out, or choose an estimator that takes it."
    )

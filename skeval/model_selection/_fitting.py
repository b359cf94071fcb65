"""Fits of clones on splits: in parallel, weights passed on, one thread of linear algebra each."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Any

import numpy as np
from joblib import effective_n_jobs
from sklearn.base import clone
from sklearn.pipeline import Pipeline
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import has_fit_parameter
from threadpoolctl import threadpool_limits

from skeval.utils._rows import take_rows
from skeval.utils._validation import IntArray

# Few enough chunks of work to cost nothing, enough to share it evenly.
_CHUNKS_PER_WORKER = 8


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

"""One task: fit on the training rows, score on the test rows, tell all that happened."""

from __future__ import annotations

import json
import multiprocessing
import os
import platform
import threading
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import import_module
from typing import Any

import joblib
import numpy as np
import scipy
import sklearn
from numpy.typing import NDArray
from sklearn.base import clone

from skeval.benchmarking._limits import limited_memory, one_thread, recorder, run_limited
from skeval.metrics import ConfusionMatrix, MultiScorer
from skeval.metrics._multi_scorer import CachedResponses
from skeval.utils._labels import plain
from skeval.utils._rows import take_rows
from skeval.utils._validation import IntArray

_LONGEST_TRACEBACK = 20_000
_MOST_WARNINGS = 20


@dataclass(frozen=True)
class Job:
    """What a task is told beside its estimator and its data."""

    key: str
    train: IntArray
    test: IntArray
    seed: int
    scorers: Mapping[str, Any]
    classes: NDArray[Any] | None
    pos_label: Any
    time_limit: float | None
    memory_limit: float | None
    keep_predictions: bool
    run_process: int
    config: Mapping[str, Any]


@dataclass
class Outcome:
    """What a task tells: plain Python values, cheap to send and to store."""

    key: str
    scores: dict[str, float] = field(default_factory=dict)
    cells: list[int] | None = None  # true, predicted, count of every cell that is not 0
    fit_time: float | None = None
    score_time: float | None = None
    warnings: list[tuple[str, str, int]] = field(default_factory=list)  # category, message, how often
    error_type: str | None = None
    error_message: str | None = None
    traceback: str | None = None
    environment: str = ""
    predictions: dict[str, Any] | None = None


def run_task(estimator: Any, X: Any, y: Any, job: Job) -> Outcome:
    """Fit and score; an exception becomes part of the outcome."""
    end_with(job.run_process)
    outcome = Outcome(job.key, environment=environment())
    with sklearn.config_context(**job.config), one_thread, recorder:
        try:
            with limited_memory(job.memory_limit):
                run_limited(lambda: _fit_and_score(estimator, X, y, job, outcome), job.time_limit)
        except (Exception, SystemExit) as error:
            describe_failure(outcome, error)
        outcome.warnings = _summarize(recorder.caught)
    return outcome


def start_worker(parent: int) -> None:
    """Begin a worker process: one that begins when the run is gone already ends at once."""
    is_child = type(multiprocessing.current_process()).__module__.startswith("joblib.")
    if is_child and os.name == "posix" and os.getppid() != parent:
        os._exit(1)
    end_with(parent)


@lru_cache(maxsize=1)
def end_with(parent: int) -> None:
    """Let this worker process end when the process that started it is gone, however it ended."""
    if os.getppid() != parent:  # no worker of its own: the run itself, or one of a cluster
        return

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _fit_and_score(estimator: Any, X: Any, y: Any, job: Job, outcome: Outcome) -> None:
    model = seeded(clone(estimator), job.seed)
    scorer = MultiScorer(job.scorers, labels=job.classes, pos_label=job.pos_label)
    X_train, y_train = take_rows(X, job.train), take_rows(y, job.train)
    X_test, y_test = take_rows(X, job.test), take_rows(y, job.test)
    start = time.perf_counter()
    model.fit(X_train, y_train)
    fitted = time.perf_counter()
    outcome.fit_time = fitted - start
    said = CachedResponses(model, X_test)
    scores = scorer(said, X_test, y_test)
    if job.classes is not None:
        matrix = ConfusionMatrix.from_predictions(y_test, said.predict(X_test), labels=job.classes)
        outcome.cells = _cells(matrix.counts)
    outcome.score_time = time.perf_counter() - fitted
    if job.keep_predictions:
        outcome.predictions = _predictions(said, X_test, y_test, job)
    outcome.scores = scores


def seeded(estimator: Any, seed: int) -> Any:
    """Set every `random_state` that is None, of the estimator and of those inside it."""
    unset = [
        name
        for name, value in estimator.get_params(deep=True).items()
        if value is None and (name == "random_state" or name.endswith("__random_state"))
    ]
    return estimator.set_params(**dict.fromkeys(unset, seed)) if unset else estimator


def _cells(counts: NDArray[Any]) -> list[int]:
    true, predicted = np.nonzero(counts)
    return np.column_stack([true, predicted, counts[true, predicted]]).astype(np.int64).ravel().tolist()


def cells_to_counts(cells: list[int], n_classes: int) -> NDArray[np.int64]:
    """Return the matrix that `Outcome.cells` tells of."""
    counts = np.zeros((n_classes, n_classes), dtype=np.int64)
    true, predicted, count = np.array(cells, dtype=np.int64).reshape(-1, 3).T
    counts[true, predicted] = count
    return counts


def _predictions(said: Any, X_test: Any, y_test: Any, job: Job) -> dict[str, Any]:
    """Return what the model says of the test rows, by column."""
    columns: dict[str, Any] = {"row": job.test, "y_true": y_test, "y_pred": np.asarray(said.predict(X_test))}
    for method in ("predict_proba", "decision_function"):
        if not hasattr(said, method):
            continue
        values = np.asarray(getattr(said, method)(X_test))
        if values.ndim == 1:
            columns[method] = values
            continue
        for number, values_of_class in enumerate(values.T):
            columns[f"{method}_{plain(said.classes_[number])}"] = values_of_class
    return columns


def describe_failure(outcome: Outcome, error: BaseException) -> None:
    """Write an exception into the outcome; a score without its fit is none."""
    outcome.scores, outcome.cells, outcome.predictions = {}, None, None
    outcome.error_type = type(error).__name__
    outcome.error_message = str(error)
    told = "".join(traceback.format_exception(error))
    outcome.traceback = told[-_LONGEST_TRACEBACK:]


def _summarize(caught: list[warnings.WarningMessage]) -> list[tuple[str, str, int]]:
    told = Counter((one.category.__name__, str(one.message)[:1000]) for one in caught)
    return [(*what, count) for what, count in told.most_common(_MOST_WARNINGS)]


@lru_cache(maxsize=1)
def environment() -> str:
    """Return the versions that this process runs on, as JSON."""
    versions = {
        "python": platform.python_version(),
        # By name: a room does not import from the root.
        "skeval": import_module("skeval").__version__,
        "scikit-learn": sklearn.__version__,
        "numpy": np.__version__,
        "scipy": scipy.__version__,
        "joblib": joblib.__version__,
        "platform": platform.platform(),
        "machine": platform.machine(),
        "processors": os.cpu_count(),
    }
    return json.dumps(versions)

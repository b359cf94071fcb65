"""Tasks on joblib, whatever its backend: outcomes one by one, as they end."""

from __future__ import annotations

import os
import warnings
from collections.abc import Generator
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from joblib import Parallel, delayed, effective_n_jobs

from skeval.benchmarking._task import Outcome, describe_failure, environment, run_task, start_worker

# Tasks that a backend which gives no outcome before all have ended gets at once, per worker.
_BLOCK_PER_WORKER = 8

Call = tuple[Any, Any, Any, Any]


def outcomes(
    calls: list[Call], n_jobs: int | None, *, isolate: bool = False
) -> Generator[Outcome, None, None]:
    """Yield the outcome of every call of `run_task`, in the order in which they end.

    A worker process that dies takes nothing along but its task: tasks that may have killed
    it run once more, each alone, and one that kills its worker again has failed.

    Parameters
    ----------
    calls : list of (estimator, X, y, Job)
    n_jobs : int or None
    isolate : bool
        Run no task in this process or on a cluster, but in worker processes of this machine.
    """
    n_workers = effective_n_jobs(n_jobs)
    if isolate and n_workers == 1:
        yield from map(_run_alone, calls)
        return
    options = {"n_jobs": n_workers, "backend": "loky"} if isolate else {"n_jobs": n_jobs}
    left = {call[3].key: call for call in calls}
    while left:
        try:
            for outcome in _run(list(left.values()), n_workers, options):
                del left[outcome.key]
                yield outcome
        except BrokenProcessPool:
            n_suspects = 2 * n_workers + 1  # those that were handed out, at most
            for call in list(left.values())[:n_suspects]:
                outcome = _run_alone(call)
                del left[outcome.key]
                yield outcome


def _run(calls: list[Call], n_workers: int, options: dict[str, Any]) -> Generator[Outcome, None, None]:
    parallel = _streaming(options)
    if parallel is None:
        yield from _run_blocks(calls, n_workers, options)
        return
    ended = parallel(delayed(run_task)(*call) for call in calls)
    try:
        yield from ended
    finally:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that it stops tasks is what is wanted
            ended.close()


def _streaming(options: dict[str, Any]) -> Any:
    """Return a Parallel that tells of each task as it ends; None where the backend cannot."""
    # A worker without a task yet must end with this process, too. joblib below 1.5 takes no initializer.
    for more in ({"initializer": start_worker, "initargs": (os.getpid(),)}, {}):
        try:
            return Parallel(batch_size=1, return_as="generator_unordered", **options, **more)
        except TypeError:
            continue
        except ValueError:  # multiprocessing, Ray's backend
            return None
    return None


def _run_blocks(calls: list[Call], n_workers: int, options: dict[str, Any]) -> Generator[Outcome, None, None]:
    size = _BLOCK_PER_WORKER * n_workers
    with Parallel(batch_size=1, **options) as parallel:
        for start in range(0, len(calls), size):
            yield from parallel(delayed(run_task)(*call) for call in calls[start : start + size])


def _run_alone(call: Call) -> Outcome:
    """Run a task in a process of its own; the end of that process is the task's failure."""
    try:
        # Two workers: joblib runs a single one in this process.
        (outcome,) = Parallel(n_jobs=2, backend="loky")([delayed(run_task)(*call)])
    except BrokenProcessPool as error:
        outcome = Outcome(call[3].key, environment=environment())
        describe_failure(outcome, error)
        outcome.error_message = "The worker process died: killed for want of memory, or crashed."
    return outcome

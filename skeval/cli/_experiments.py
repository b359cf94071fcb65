"""``skeval run``, ``skeval status`` and ``skeval report``: experiments in a file."""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import isnan
from pathlib import Path
from typing import Any

from skeval.cli import _options
from skeval.cli._tables import InputError

_RUN = """\
Run an experiment: every estimator on every split of every data set.

EXPERIMENT.toml names them by import path; reading it runs what it names, so run only files that
you trust as you trust a script:

    scoring = ["accuracy", "g_mean"]

    [estimators.tree]
    class = "sklearn.tree.DecisionTreeClassifier"
    params = {max_depth = 3}

    [estimators.svm]
    steps = [{class = "sklearn.preprocessing.StandardScaler"}, {class = "sklearn.svm.SVC"}]

    [datasets.iris]
    load = "sklearn.datasets.load_iris"

    [datasets.mine]
    path = "mine.csv"
    target = "species"

    [cv]
    class = "skeval.model_selection.KFoldSplit"
    params = {n_splits = 10, n_repeats = 3, random_state = 0}

Results go into the store as each fit ends. The same command after an interruption goes on where
it stopped; whatever was changed in the file runs anew. A fit that fails is told at the end, and
the status is 0 all the same."""

_STATUS = """\
Tell how far an experiment is, also while it runs: fits done, failed and pending by estimator."""

_REPORT = """\
Write the report of an experiment: one HTML file with tables, tests, diagrams, intervals, run
times, failures and versions, that needs nothing beside it."""


def add_experiments(commands: Any, add: Callable[..., Any]) -> None:
    """Add the three commands: `add` makes one from its name, function and texts."""
    run = add(
        commands,
        "run",
        _run,
        help="run an experiment, or go on with it",
        description=_RUN,
        example="skeval run experiment.toml --n-jobs 8",
    )
    _add_run_options(run)
    status = add(
        commands,
        "status",
        _status,
        help="tell how far an experiment is",
        description=_STATUS,
        example="skeval status experiment.db",
    )
    report = add(
        commands,
        "report",
        _report,
        help="write the report of an experiment",
        description=_REPORT,
        example="skeval report experiment.db -o report.html",
    )
    for command in (status, report):
        command.add_argument("store", metavar="STORE", help="file that skeval run wrote")
    report.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        default="report.html",
        help="file to write, in the place of an older one, but never of a database (default: %(default)s)",
    )
    report.add_argument("--title", default=None, help="heading (default: the name of the store)")
    report.add_argument(
        "--alpha", type=_options.level, default=0.05, help="level of the tests (default: 0.05)"
    )


def _add_run_options(run: Any) -> None:
    run.add_argument("experiment", metavar="EXPERIMENT.toml", help="estimators, data sets, splitter, scores")
    run.add_argument("--store", metavar="STORE", help="file for the results (default: EXPERIMENT.db)")
    run.add_argument(
        "--n-jobs",
        metavar="N",
        type=_options.n_jobs,
        default=1,
        help="fits at once; -1 for one per core (default: 1)",
    )
    run.add_argument(
        "--dask", metavar="ADDRESS", help="run on the Dask cluster whose scheduler has this address"
    )
    run.add_argument(
        "--time-limit", metavar="SECONDS", type=_options.above_zero, help="a fit that takes longer has failed"
    )
    run.add_argument(
        "--memory-limit",
        metavar="MB",
        type=_options.above_zero,
        help="a fit that takes more megabytes has failed (Linux; not with --dask, whose workers have a "
        "limit of their own)",
    )
    run.add_argument(
        "--resume",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="go on with what the store has (the default), or run every fit again",
    )
    run.add_argument("--retry-failed", action="store_true", help="run the fits again that failed")
    run.add_argument("--predictions", action="store_true", help="keep predictions in STORE.predictions")
    run.add_argument(
        "--wait",
        metavar="SECONDS",
        type=_options.zero_or_more,
        default=0.0,
        help="wait so long for another run on the same store (default: 0)",
    )


@contextmanager
def _bad_input(what: Any) -> Iterator[None]:
    """Tell bad input in one line: the file that cannot be used, or else `what`; the error; its notes."""
    from skeval.exceptions import StoreError

    try:
        yield
    except (OSError, ValueError, TypeError, ModuleNotFoundError) as error:
        if isinstance(error, StoreError):  # names the store itself
            text = str(error)
        elif isinstance(error, OSError) and error.filename is not None:
            text = f"{error.filename}: {error.strerror}"
        else:
            text = f"{what}: {error}"
        told = " ".join([text, *getattr(error, "__notes__", ())])
        raise InputError(" ".join(told.split())) from error


def _run(options: argparse.Namespace) -> None:
    from sklearn.exceptions import FitFailedWarning

    from skeval.benchmarking import Benchmark
    from skeval.benchmarking._records import some

    if options.dask is not None and options.memory_limit is not None:
        raise InputError("--memory-limit is not for --dask: give the cluster's workers a limit of their own")
    warnings.simplefilter("default", FitFailedWarning)
    path = Path(options.experiment)
    # Modules of the user lie beside the file.
    sys.path.insert(0, str(path.parent.resolve()))
    with _bad_input(path):
        experiment = Benchmark.from_toml(path)
    store = path.with_suffix(".db") if options.store is None else Path(options.store)
    size = f"{some(len(experiment.methods), 'estimator')}, {some(len(experiment.datasets), 'data set')}"
    print(f"{path}: {size}; results in {store}", flush=True)
    with _cluster(options.dask), _bad_input(path):
        result = experiment.run(
            store=store,
            n_jobs=options.n_jobs,
            time_limit=options.time_limit,
            memory_limit=options.memory_limit,
            resume=options.resume,
            retry_failed=options.retry_failed,
            predictions=options.predictions,
            wait=options.wait,
        )
    _print_scores(result)
    print(f"Next: skeval report {store} -o report.html")


@contextmanager
def _cluster(address: str | None) -> Iterator[None]:
    """Run joblib on a Dask cluster."""
    if address is None:
        yield
        return
    from joblib import parallel_config

    from skeval.utils._optional import import_optional

    with _bad_input(f"--dask {address}"):
        client = import_optional("distributed", extra="dask", purpose="--dask").Client(address)
    with client, parallel_config(backend="dask"):
        yield


def _print_scores(result: Any) -> None:
    from skeval.cli._tables import print_table

    for metric in result.metrics:
        print(f"\nMean {metric}")
        rows = []
        for dataset in result.datasets:
            means = [scores.scores.mean() for scores in result.cv_scores(dataset, metric).values()]
            rows.append([dataset, *("" if isnan(mean) else f"{mean:.4f}" for mean in means)])
        print_table(["data set", *result.methods], rows)
    print(f"\n{result.n_done} fits done, {result.n_failed} failed, {result.n_pending} pending")


def _status(options: argparse.Namespace) -> None:
    from skeval.benchmarking import BenchmarkResult
    from skeval.benchmarking._lock import is_running
    from skeval.cli._tables import print_table

    with _bad_input(options.store):
        result = BenchmarkResult.load(options.store)
        running = is_running(Path(options.store))
    run = result.last_run
    state = f"running as process {run['pid']} on {run['host']}" if running else "not running"
    print(f"{options.store}: {state}; last run from {run['started']} to {run['finished'] or '(not ended)'}")
    counts = result.count_tasks()
    print_table(
        ["estimator", "done", "failed", "pending"],
        [[name, *map(str, counted)] for name, counted in counts.items()],
    )
    total = len(result)
    ended = f"{result.n_done} of {total} fits done, {result.n_failed} failed, {result.n_pending} pending"
    print(f"{ended} ({100 * (total - result.n_pending) / total:.0f} % ended)")


def _report(options: argparse.Namespace) -> None:
    from skeval.benchmarking import BenchmarkResult
    from skeval.cli._output import start_drawing

    start_drawing()
    title = Path(options.store).stem if options.title is None else options.title
    with _bad_input(options.store):
        result = BenchmarkResult.load(options.store)
    with _bad_input(options.output):
        written = result.report(options.output, alpha=options.alpha, title=title)
    print(f"Written: {written}")

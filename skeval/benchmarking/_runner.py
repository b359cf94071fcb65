"""Run an experiment: every estimator on every split of every data set, resumed where it stopped."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

from sklearn import get_config

from skeval.benchmarking._datasets import as_source
from skeval.benchmarking._design import (
    Problem,
    check_estimators,
    check_names,
    check_scoring,
    data_key,
    make_splits,
    prepare,
    scoring_key,
    split_keys,
    task_key,
    task_seed,
)
from skeval.benchmarking._experiment_file import read_experiment
from skeval.benchmarking._limits import can_limit_memory, one_thread
from skeval.benchmarking._parallel import outcomes
from skeval.benchmarking._predictions import PredictionFiles
from skeval.benchmarking._progress import progress_bar, tell_failures
from skeval.benchmarking._records import Records
from skeval.benchmarking._results import BenchmarkResult
from skeval.benchmarking._store import Plan, Store
from skeval.benchmarking._task import Job
from skeval.metrics import MultiScorer
from skeval.utils._labels import plain
from skeval.utils._validation import check_int, check_real


class Benchmark:
    """Many estimators on many data sets, on the same splits, with results that survive a crash.

    Parameters
    ----------
    estimators : dict of {name: estimator}
        All classifiers or all regressors; cloned, never fitted in place.
    datasets : dict of {name: data set}
        A data set is one of:

        - ``(X, y)``, ``(X, y, groups)`` or a Bunch of scikit-learn;
        - a function without arguments that returns one of these: called when its turn comes,
          so that one such data set is in memory at a time;
        - a path that ends in .csv or .parquet, with the target in the column "target", or
          ``{"path": ..., "target": column, "groups": column}``;
        - the number of a data set on OpenML, or ``{"openml": number, "target": column}``.
    cv : int, splitter, list of (train, test), or dict of {name of a data set: one of these}
        As in scikit-learn. It must give the same splits on every call: an int
        `random_state`, or no shuffling.
    scoring : str, list of str, dict, or scorer
        As in `skeval.metrics.MultiScorer`; greater is better.
    pos_label : label or dict of {name of a data set: label}, default=None
        Positive class of binary metrics; None: 1 (True) for labels within {0, 1}, {-1, 1} or
        {False, True}.
    random_state : int, default=0
        Every split gets a seed from it, which is set as ``random_state`` of an estimator
        where that is None, so that a run can be repeated to the last bit.

    Attributes
    ----------
    methods : tuple of str
        Names of the estimators.
    datasets : tuple of str
        Names of the data sets.
    metrics : tuple of str
        Names of the scores.

    Raises
    ------
    ValueError
        No estimator or no data set, estimators of both kinds, an unknown score, a data set
        of none of these forms, or a `cv` or `pos_label` that does not name every data set
        once.
    TypeError
        An entry of `estimators` that is no estimator, or of `scoring` that is no score.

    Notes
    -----
    A task is one estimator on one split of one data set. Its key is made of the content of
    the data set, the rows of the split, the class, the version and the parameters of the
    estimator, the scores and the seed: a task whose key is in the store is not run again, and
    whatever changed has another key. A class or function that is not of an installed package
    counts by its code; what that code uses by a global name is not looked into.

    Examples
    --------
    >>> from sklearn.datasets import load_iris, load_wine
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from skeval.benchmarking import Benchmark
    >>> from skeval.model_selection import KFoldSplit
    >>> experiment = Benchmark(
    ...     {"bayes": GaussianNB(), "tree": DecisionTreeClassifier()},
    ...     {"iris": load_iris(), "wine": load_wine()},
    ...     cv=KFoldSplit(5, random_state=0),
    ...     scoring=["accuracy", "g_mean"],
    ... )
    >>> result = experiment.run()
    >>> print(result.to_markdown("accuracy"))
    | data set | bayes | tree |
    |---|---|---|
    | iris | **0.953** | 0.940 ≈ |
    | wine | **0.955** | 0.899 ≈ |
    | mean rank | **1.00** | 2.00 ≈ |
    """

    def __init__(
        self,
        estimators: Mapping[str, Any],
        datasets: Mapping[str, Any],
        *,
        cv: Any,
        scoring: Any,
        pos_label: Any = None,
        random_state: int = 0,
    ) -> None:
        self._methods, self._classify = check_estimators(estimators)
        if not isinstance(datasets, Mapping) or not datasets:
            raise ValueError("datasets must be a dict of {name: data set} with at least one.")
        self._sources = [as_source(str(name), given) for name, given in datasets.items()]
        self.datasets = tuple(source.name for source in self._sources)
        check_names(list(self.datasets), "datasets")
        self.methods = tuple(method.name for method in self._methods)
        self._scorers = check_scoring(scoring)
        self.metrics = tuple(self._scorers)
        is_list = hasattr(cv, "__iter__") and not hasattr(cv, "split") and not isinstance(cv, Mapping)
        self.cv = list(cv) if is_list else cv
        if pos_label is None and isinstance(scoring, MultiScorer):
            pos_label = scoring.pos_label
        self.pos_label = pos_label
        for what, given in (("cv", cv), ("pos_label", pos_label)):
            if isinstance(given, Mapping) and set(map(str, given)) != set(self.datasets):
                raise ValueError(
                    f"{what} must name every data set once, {list(self.datasets)}, got {list(given)}."
                )
        self.random_state = check_int(random_state, "random_state", minimum=0)

    @classmethod
    def from_toml(cls, path: Any) -> Benchmark:
        """Read an experiment from a TOML file.

        Estimators, loaders and splitters are named by import path: reading the file imports
        and runs them, so read only files that you trust as you trust a script.

        Parameters
        ----------
        path : path
            The page "Experiments" explains the file.

        Returns
        -------
        Benchmark

        Raises
        ------
        ValueError
            An entry is missing, unknown or wrong; the message names it.
        """
        return cls(**read_experiment(Path(path)))

    def run(
        self,
        *,
        store: Any = None,
        n_jobs: int | None = None,
        progress: bool = True,
        time_limit: float | None = None,
        memory_limit: float | None = None,
        resume: bool = True,
        retry_failed: bool = False,
        predictions: bool = False,
        wait: float = 0.0,
    ) -> BenchmarkResult:
        """Run what is not in the store yet.

        Parameters
        ----------
        store : path, default=None
            SQLite file for the results, made if it is not there; None: in memory only.
        n_jobs : int, default=None
            Tasks at once, as in joblib; its backend (threads, processes, Dask) may be chosen
            with ``joblib.parallel_config``. The number changes no score: every task runs on
            one thread of linear algebra.
        progress : bool, default=True
            A bar on a terminal or in a notebook, if tqdm is installed.
        time_limit : float, default=None
            Seconds that the fit and the scores of a task may take; one that takes longer has
            failed. Compiled code that does not return to Python is not interrupted.
        memory_limit : float, default=None
            Megabytes (2**20 bytes) that a task may take beyond what its process holds when it
            begins; one that takes more has failed. Linux only. Every task then runs in a
            worker process of this machine, whatever backend is chosen.
        resume : bool, default=True
            False: run every task again.
        retry_failed : bool, default=False
            Run the tasks again that failed.
        predictions : bool, default=False
            Keep the predictions of the test rows as Parquet files in the folder
            ``<store>.predictions`` (needs pandas and pyarrow).
        wait : float, default=0
            Seconds to wait for another run on the same store.

        Returns
        -------
        BenchmarkResult

        Raises
        ------
        ValueError
            Data, labels, splits or scores that cannot work; before the first fit.
        StoreError
            The store cannot be written, or is none; StoreBusyError: another run has it.

        Warns
        -----
        FitFailedWarning
            Fits failed; the run went on, and ``failures()`` of the result tells them.
        """
        if time_limit is not None:
            check_real(time_limit, "time_limit", low=0, closed="neither")
        if memory_limit is not None:
            check_real(memory_limit, "memory_limit", low=0, closed="neither")
            if not can_limit_memory():
                raise ValueError("memory_limit works on Linux only: leave it out on this system.")
        check_real(wait, "wait", low=0, infinite=True)
        if n_jobs == 0:
            raise ValueError("n_jobs must be a whole number other than 0, or None; -1 is one per core.")
        if predictions and store is None:
            raise ValueError("predictions=True keeps files beside the store: name a store.")
        problems = self._prepare()  # before there is a store: what is refused here leaves none behind
        plans = self._plan(problems)
        with Store(store, write=True, wait=wait) as opened:
            opened.begin(self._describe(problems), plans)
            files = PredictionFiles(store) if predictions else None
            if not resume:
                opened.forget(plan.key for plan in plans)
            todo = _to_do(plans, opened.done(), retry_failed, files)
            n_done = len(plans) - sum(map(len, todo.values()))
            with one_thread, progress_bar(len(plans), n_done, progress) as advance:
                for problem in problems:
                    due = todo.get(problem.source.name)
                    if due:
                        make = partial(self._job, problem, (time_limit, memory_limit), files is not None)
                        run = partial(outcomes, n_jobs=n_jobs, isolate=memory_limit is not None)
                        self._run_problem(problem, due, make, run, opened, files, advance)
            opened.finish()
            records = Records.read(opened)
        tell_failures(records)
        return BenchmarkResult(records, None if store is None else Path(store))

    def _of(self, given: Any, name: str) -> Any:
        """Return what was given for one data set, or for all."""
        return (
            {str(key): value for key, value in given.items()}[name] if isinstance(given, Mapping) else given
        )

    def _prepare(self) -> list[Problem]:
        return [
            prepare(
                source,
                self._of(self.cv, source.name),
                classify=self._classify,
                scorers=self._scorers,
                pos_label=self._of(self.pos_label, source.name),
            )
            for source in self._sources
        ]

    def _plan(self, problems: list[Problem]) -> list[Plan]:
        """Return all tasks in the order of the result: data set, estimator, split."""
        plans: list[Plan] = []
        for problem in problems:
            scored = scoring_key(self._scorers, problem.pos_label)
            seeds = [task_seed(self.random_state, problem, split) for split in range(len(problem.split_keys))]
            for method in self._methods:
                for split, (seed, sizes) in enumerate(zip(seeds, problem.sizes, strict=True)):
                    key = task_key(problem, method, split, seed, scored)
                    plans.append(
                        Plan(
                            key,
                            len(plans),
                            problem.source.name,
                            problem.key,
                            method.name,
                            method.key,
                            split,
                            problem.split_keys[split],
                            *sizes,
                            seed,
                        )
                    )
        return plans

    def _describe(self, problems: list[Problem]) -> dict[str, Any]:
        """Return what the store keeps of the design."""
        datasets = [
            {
                "name": problem.source.name,
                "n_samples": problem.n_samples,
                "n_features": problem.n_features,
                "n_splits": len(problem.split_keys),
                "classes": None if problem.classes is None else [plain(label) for label in problem.classes],
                "pos_label": plain(problem.pos_label),
                "time_ordered": problem.time_ordered,
                "cv": repr(self._of(self.cv, problem.source.name))[:2000],
            }
            for problem in problems
        ]
        return {
            "metrics": list(self.metrics),
            "estimators": [{"name": name, "repr": repr(one)} for name, one, _ in self._methods],
            "datasets": datasets,
            "random_state": self.random_state,
        }

    def _job(self, problem: Problem, limits: Any, keep: bool, plan: Plan, split: Any) -> Job:
        (train, test), (time_limit, memory_limit) = split, limits
        return Job(
            plan.key,
            train,
            test,
            plan.seed,
            self._scorers,
            problem.classes,
            problem.pos_label,
            time_limit,
            memory_limit,
            keep,
            os.getpid(),
            get_config(),
        )

    def _run_problem(
        self,
        problem: Problem,
        due: list[Plan],
        make: Any,
        run: Any,
        store: Store,
        files: PredictionFiles | None,
        advance: Any,
    ) -> None:
        """Run the tasks of one data set; its rows are in memory meanwhile."""
        data = problem.source.load(classify=self._classify)
        splits = make_splits(self._of(self.cv, problem.source.name), data, problem.source.name)
        if data_key(data, problem.source.name) != problem.key or split_keys(splits) != problem.split_keys:
            raise ValueError(
                f"The data set {problem.source.name!r} was another one when it was loaded again."
            )
        models = {method.name: method.estimator for method in self._methods}
        by_key = {plan.key: plan for plan in due}
        calls = [(models[plan.estimator], data.X, data.y, make(plan, splits[plan.split])) for plan in due]
        with closing(run(calls)) as ended:
            for outcome in ended:
                if files is not None and outcome.predictions is not None:
                    files.write(outcome)
                store.record(outcome)
                advance(by_key[outcome.key], outcome)


def _to_do(
    plans: list[Plan], done: Mapping[str, bool], retry_failed: bool, files: PredictionFiles | None
) -> dict[str, list[Plan]]:
    """Return the tasks to run by data set, split by split."""
    todo: dict[str, list[Plan]] = {}
    for plan in sorted(plans, key=lambda plan: plan.split):
        failed = done.get(plan.key)
        ended = failed is not None and not (failed and retry_failed)
        if not ended or (files is not None and not failed and not files.has(plan.key)):
            todo.setdefault(plan.dataset, []).append(plan)
    return todo

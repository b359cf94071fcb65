"""What an experiment costs beside its fits: per task, against a loop of cross_validate, and when it is read.

Run as ``python benchmarks/runner.py`` from the root of the repository.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_validate
from threadpoolctl import threadpool_limits
from timing import Limit, Work, measure, seconds

from skeval.benchmarking import Benchmark, BenchmarkResult
from skeval.benchmarking._store import Plan, Store
from skeval.benchmarking._task import Outcome, environment
from skeval.model_selection import KFoldSplit

ROUNDS = 3


def main() -> None:
    """Print one line per work."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        measure(
            partial(overhead, folder, 1),
            partial(overhead, folder, 2),
            partial(against_a_loop, folder),
            partial(reading, folder),
        )


def toy(seed: int, n_samples: int = 200) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_samples, 10))
    return X, (X[:, 0] + rng.normal(size=n_samples) > 0).astype(int)


def overhead(folder: Path, n_jobs: int) -> Limit:
    """Time per task beyond fit and score of a trivial estimator, with a store."""
    models = {f"dummy {n}": DummyClassifier(constant=n) for n in range(4)}
    data = {f"data {n}": toy(n) for n in range(5)}
    cv = KFoldSplit(10, n_repeats=10, random_state=0)
    experiment = Benchmark(models, data, cv=cv, scoring=["accuracy", "g_mean"])
    if n_jobs > 1:
        experiment.run(n_jobs=n_jobs)  # workers start once
    found = []
    for number in range(ROUNDS):
        store = folder / f"overhead {n_jobs} {number}.db"
        start = time.perf_counter()
        experiment.run(store=store, n_jobs=n_jobs)
        wall = time.perf_counter() - start
        columns = BenchmarkResult.load(store).frame()
        own = float((columns.fit_time + columns.score_time).sum()) / n_jobs
        found.append((wall - own) / len(columns) * 1e3)
    what = f"overhead per task of an experiment, {len(columns)} tasks, n_jobs={n_jobs}"
    return Limit(what, statistics.median(found), 5)


def against_a_loop(folder: Path) -> Work:
    """Wall time against cross_validate over the same tasks, one thread of linear algebra each."""
    models = {
        "forest": RandomForestClassifier(20, random_state=0),
        "logistic": LogisticRegression(),
        "dummy": DummyClassifier(),
    }
    data = {f"data {n}": toy(n, 500) for n in range(3)}
    cv = KFoldSplit(10, n_repeats=2, random_state=0)
    scoring = ["accuracy", "f1_macro", "balanced_accuracy"]
    experiment, stores = Benchmark(models, data, cv=cv, scoring=scoring), count()

    def loop() -> list[Any]:
        with threadpool_limits(1):
            return [
                cross_validate(model, X, y, cv=cv, scoring=scoring, return_indices=True)
                for X, y in data.values()
                for model in models.values()
            ]

    def ours() -> Any:
        return experiment.run(store=folder / f"loop {next(stores)}.db")

    accuracy = np.concatenate([scores["test_accuracy"] for scores in loop()])
    np.testing.assert_allclose(np.sort(ours().frame().accuracy), np.sort(accuracy))
    what = "experiment of 180 tasks, loop of cross_validate there"
    return Work(what, "scikit-learn", loop, ours, 1 / 1.1)


def reading(folder: Path) -> Limit:
    """Time to read 100,000 rows with three scores each."""
    n_datasets, n_methods, n_splits = 20, 50, 100
    store = folder / "big.db"
    about = {"n_splits": n_splits, "classes": [0, 1], "pos_label": None, "time_ordered": False}
    design = {
        "metrics": ["accuracy", "g_mean", "roc_auc"],
        "estimators": [{"name": f"method {n}", "repr": ""} for n in range(n_methods)],
        "datasets": [{"name": f"data {n}", **about} for n in range(n_datasets)],
    }
    names = [(d, m, s) for d in range(n_datasets) for m in range(n_methods) for s in range(n_splits)]
    plans = [
        Plan(f"{n:032}", n, f"data {d}", "d" * 32, f"method {m}", "m" * 32, s, f"{s:032}", 900, 100, 0)
        for n, (d, m, s) in enumerate(names)
    ]
    rng = np.random.default_rng(0)
    cells = [0, 0, 50, 0, 1, 3, 1, 0, 4, 1, 1, 43]
    with Store(store, write=True) as opened:
        opened.begin(design, plans)
        for plan in plans:
            scores = dict(zip(design["metrics"], rng.random(3).tolist(), strict=True))
            opened.record(Outcome(plan.key, scores, cells, 0.01, 0.001, environment=environment()))
    times = [seconds(lambda: BenchmarkResult.load(store).frame()) for _ in range(ROUNDS)]
    return Limit("100,000 stored rows read into a table", 1e3 * statistics.median(times), 1000)


if __name__ == "__main__":
    main()

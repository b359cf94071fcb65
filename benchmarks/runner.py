"""What an experiment costs beside its fits: per task, against a loop of cross_validate, and when it is read.

Run: ``python benchmarks/runner.py``. Goals: less than 5 ms per task beyond the fit and the score (a trivial
estimator, 2,000 tasks), not above 1.1 times the loop, and 100,000 stored rows read in less than a second.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_validate
from threadpoolctl import threadpool_limits

from skeval.benchmarking import Benchmark, BenchmarkResult
from skeval.benchmarking._store import Plan, Store
from skeval.benchmarking._task import Outcome, environment
from skeval.model_selection import KFoldSplit

ROUNDS = 3


def main() -> None:
    if hasattr(os, "getloadavg"):
        print(f"load of the machine at the start: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    with tempfile.TemporaryDirectory() as folder:
        for n_jobs in (1, 2):
            overhead(Path(folder), n_jobs)
        against_a_loop(Path(folder))
        reading(Path(folder))


def seconds(function: Callable[[], Any]) -> tuple[float, float]:
    """Return wall and processor time of a call."""
    wall, cpu = time.perf_counter(), time.process_time()
    function()
    return time.perf_counter() - wall, time.process_time() - cpu


def toy(seed: int, n_samples: int = 200) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_samples, 10))
    return X, (X[:, 0] + rng.normal(size=n_samples) > 0).astype(int)


def overhead(folder: Path, n_jobs: int) -> None:
    """Time per task beyond fit and score, with a store."""
    models = {f"dummy {n}": DummyClassifier(constant=n) for n in range(4)}
    data = {f"data {n}": toy(n) for n in range(5)}
    cv = KFoldSplit(10, n_repeats=10, random_state=0)
    experiment = Benchmark(models, data, cv=cv, scoring=["accuracy", "g_mean"])
    if n_jobs > 1:
        experiment.run(n_jobs=n_jobs)  # workers start once
    found = []
    for number in range(ROUNDS):
        store = folder / f"overhead {n_jobs} {number}.db"
        wall, _ = seconds(lambda store=store: experiment.run(store=store, n_jobs=n_jobs))
        columns = BenchmarkResult.load(store).frame()
        own = float((columns.fit_time + columns.score_time).sum()) / n_jobs
        found.append((wall - own) / len(columns) * 1e3)
    report(f"overhead per task, {len(columns)} tasks, n_jobs={n_jobs}", statistics.median(found), "ms", 5)


def against_a_loop(folder: Path) -> None:
    """Wall time against cross_validate over the same tasks, one thread of linear algebra each."""
    models = {
        "forest": RandomForestClassifier(20, random_state=0),
        "logistic": LogisticRegression(),
        "dummy": DummyClassifier(),
    }
    data = {f"data {n}": toy(n, 500) for n in range(3)}
    cv = KFoldSplit(10, n_repeats=2, random_state=0)
    scoring = ["accuracy", "f1_macro", "balanced_accuracy"]

    def loop() -> None:
        with threadpool_limits(1):
            for X, y in data.values():
                for model in models.values():
                    cross_validate(model, X, y, cv=cv, scoring=scoring, return_indices=True)

    ratios = []
    for number in range(ROUNDS):
        theirs, _ = seconds(loop)
        experiment = Benchmark(models, data, cv=cv, scoring=scoring)
        ours, _ = seconds(
            lambda experiment=experiment, number=number: experiment.run(store=folder / f"loop {number}.db")
        )
        ratios.append(ours / theirs)
    report("wall time over that of a loop of cross_validate", statistics.median(ratios), "x", 1.1)


def reading(folder: Path) -> None:
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
    for what, found in zip(("", ", processor time"), zip(*times, strict=True), strict=True):
        report(f"100,000 rows read into a table{what}", statistics.median(found), "s", 1)


def report(what: str, value: float, unit: str, goal: float) -> None:
    print(f"{what:55} {value:8.2f} {unit:2} (goal: {goal:g} {unit})", flush=True)


if __name__ == "__main__":
    main()

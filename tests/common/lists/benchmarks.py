"""Experiments of many models on many data sets."""

import numpy as np
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB

from skeval.benchmarking import Benchmark
from skeval.model_selection import KFoldSplit
from tests.common.entry import Entry
from tests.common.lists import data
from tests.common.lists.data import of


def _benchmark(X, y, *, random_state, n_jobs=None):
    return Benchmark(
        {"bayes": GaussianNB(), "dummy": DummyClassifier()},
        {"first": (X, y), "second": (X, y)},
        cv=KFoldSplit(3, random_state=random_state),
        scoring=["accuracy"],
    ).run(n_jobs=n_jobs, progress=False)


def _read(result):
    return {name: np.asarray(result.scores("accuracy")[name]) for name in ("bayes", "dummy")}


BENCHMARKS = [
    Entry(
        "Benchmark",
        _benchmark,
        {"X": of("matrix", data.X_THREE), "y": of("labels", data.THREE)},
        {"random_state": 0},
        without={
            "order of the samples": "splits are positions, drawn by the seed",
            "generator": "an experiment that can be resumed needs an int",
        },
        read=_read,
    ),
]

"""Small experiments, and estimators that sleep, fail, warn or write down what they do."""

import os
import time
import warnings

import numpy as np
from sklearn.tree import DecisionTreeClassifier

from skeval.benchmarking import Benchmark
from skeval.model_selection import KFoldSplit


def toy(n_samples=60, seed=0, labels=(0, 1)):
    """Two classes that overlap."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_samples, 3))
    positive = X[:, 0] + rng.normal(size=n_samples) > 0
    return X, np.where(positive, labels[1], labels[0])


def small(estimators, **options):
    """Return an experiment on two data sets, five splits each."""
    settings = {
        "datasets": {"first": toy(seed=0), "second": toy(seed=1)},
        "cv": KFoldSplit(5, random_state=0),
        "scoring": ["accuracy", "g_mean"],
    } | options
    return Benchmark(estimators, settings.pop("datasets"), **settings)


class Failing(DecisionTreeClassifier):
    """Fails on about half of all training sets."""

    def fit(self, X, y, sample_weight=None, check_input=True):
        if fails_on(X):
            raise RuntimeError("the sum is <odd>")
        return super().fit(X, y)


def fails_on(X):
    """Say whether `Failing` fails on these training rows."""
    return int(1000 * np.abs(X).sum()) % 2 == 1


class Sleeping(DecisionTreeClassifier):
    """Takes `min_samples_leaf` times 0.1 s to fit."""

    def fit(self, X, y, sample_weight=None, check_input=True):
        end = time.perf_counter() + 0.1 * self.min_samples_leaf
        while time.perf_counter() < end:
            time.sleep(0.005)
        return super().fit(X, y)


class Warning_(DecisionTreeClassifier):
    """Warns three times in every fit."""

    def fit(self, X, y, sample_weight=None, check_input=True):
        for _ in range(3):
            warnings.warn(f"depth {self.max_depth}", UserWarning, stacklevel=2)
        return super().fit(X, y)


class Hungry(DecisionTreeClassifier):
    """Takes `min_samples_leaf` times 100 MB while it fits."""

    def fit(self, X, y, sample_weight=None, check_input=True):
        held = np.ones(self.min_samples_leaf * 100 * 2**17)
        super().fit(X, y)
        del held
        return self


class Dying(DecisionTreeClassifier):
    """Ends its process."""

    def fit(self, X, y, sample_weight=None, check_input=True):
        os._exit(1)


class Logged(DecisionTreeClassifier):
    """Writes a line into a file when a fit begins."""

    def __init__(self, log="", name="", *, max_depth=None, max_features=None, random_state=None):
        super().__init__(max_depth=max_depth, max_features=max_features, random_state=random_state)
        self.log = log
        self.name = name

    def fit(self, X, y, sample_weight=None, check_input=True):
        with open(self.log, "a", encoding="utf-8") as file:
            file.write(f"{self.name} {self.random_state}\n")
        time.sleep(float(os.environ.get("SKEVAL_TEST_PAUSE", "0.004")))
        return super().fit(X, y)


class LoggedFailing(Logged):
    """Fails in every fit, and writes it down."""

    def fit(self, X, y, sample_weight=None, check_input=True):
        super().fit(X, y)
        raise RuntimeError("always")


def logged_experiment(log):
    """Return an experiment of 240 short tasks whose fits write into `log`; its scores vary by seed."""
    estimators = {
        name: Logged(str(log), name, max_depth=depth, max_features=1)
        for name, depth in (("one", 1), ("two", 2), ("deep", None))
    }
    datasets = {"first": toy(seed=0), "second": toy(seed=1, labels=("no", "yes"))}
    cv = KFoldSplit(10, n_repeats=4, random_state=0)
    return Benchmark(estimators, datasets, cv=cv, scoring=["accuracy", "g_mean", "f1_macro"])

"""Speed of the measures against peers.

Run as ``python benchmarks/metrics.py`` from the root of the repository. Sorting decides the lines of
ranked scores: on some processors numpy's sort with AVX-512 is several times slower than that with
AVX2; ``NPY_DISABLE_CPU_FEATURES="X86_V4 AVX512_ICL AVX512_SPR"`` turns the former off.
"""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
import tracemalloc
from functools import partial
from typing import Any

import numpy as np
from sklearn import metrics
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.model_selection import GridSearchCV, cross_validate
from timing import Work, measure, power

from skeval.metrics import ConfusionMatrix, MultiScorer, RankedScores

PEER = "scikit-learn"
NAMES = (
    "accuracy",
    "balanced_accuracy",
    "f1_macro",
    "f1_micro",
    "f1_weighted",
    "precision_macro",
    "precision_micro",
    "precision_weighted",
    "recall_macro",
    "recall_weighted",
    "jaccard_macro",
    "matthews_corrcoef",
)


def main() -> None:
    """Print one line per comparison."""
    memory()
    measure(
        partial(labels, "int", 10_000, 10, 100),
        partial(labels, "str", 10_000, 10, 60),
        partial(labels, "int", 1_000_000, 2, 100),
        partial(labels, "str", 1_000_000, 2, 60),
        validation,
        search,
        curves,
        auc,
        average_precision,
        pycm,
        imports,
    )


class Says(ClassifierMixin, BaseEstimator):
    """A classifier that needs no time: it says its first feature, or whether that is above a cut-off."""

    def __init__(self, cut: float = 0.5) -> None:
        self.cut = cut

    def fit(self, X: Any, y: Any) -> Says:
        self.classes_ = np.unique(y)
        return self

    def predict(self, X: Any) -> Any:
        return X[:, 0] if len(self.classes_) != 2 else self.classes_[(X[:, 0] > self.cut).astype(int)]

    def predict_proba(self, X: Any) -> Any:
        return np.column_stack([1 - X[:, 0], X[:, 0]])


def labels(kind: str, n: int, n_classes: int, goal: float) -> Work:
    """Twelve label metrics of one prediction."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, n_classes, n)
    predicted = np.where(rng.random(n) < 0.3, rng.integers(0, n_classes, n), y)
    if kind == "str":
        words = np.array([f"class {number}" for number in range(n_classes)])
        y, predicted = words[y], words[predicted]
    model = Said(predicted).fit(None, y)
    scorers, many, X = [metrics.get_scorer(name) for name in NAMES], MultiScorer(NAMES), np.zeros((1, 1))

    def peer() -> list[float]:
        return [scorer(model, X, y) for scorer in scorers]

    def ours() -> dict[str, float]:
        return many(model, X, y)

    assert np.allclose(peer(), list(ours().values()), atol=1e-12)
    return Work(f"12 label metrics, n = {power(n)}, K = {n_classes}, {kind} labels", PEER, peer, ours, goal)


class Said(Says):
    """A classifier that says what it was told."""

    def __init__(self, predicted: Any = None) -> None:
        self.predicted = predicted

    def predict(self, X: Any) -> Any:
        return self.predicted


def validation() -> Work:
    """Twelve metrics in 5 folds of a model that costs nothing."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 10, 10_000)
    X = np.where(rng.random(10_000) < 0.3, rng.integers(0, 10, 10_000), y)[:, None]

    def run(scoring: Any) -> dict[str, Any]:
        return cross_validate(Says(), X, y, cv=5, scoring=scoring)

    theirs, many = {name: name for name in NAMES}, MultiScorer(NAMES)
    one, other = run(theirs), run(many)
    assert all(np.allclose(one[f"test_{name}"], other[f"test_{name}"]) for name in NAMES)
    what = "cross_validate, 5 folds, 12 metrics, n = 1e4"
    return Work(what, PEER, lambda: run(theirs), lambda: run(many), 10)


def search() -> Work:
    """A grid search of a model that costs nothing, five metrics."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 2_000)
    X = np.clip(0.25 + y / 2 + rng.normal(size=2_000) / 5, 0, 1)[:, None]
    names, grid = (
        ["accuracy", "f1", "balanced_accuracy", "matthews_corrcoef", "roc_auc"],
        {"cut": np.linspace(0.3, 0.7, 40)},
    )

    def run(scoring: Any) -> dict[str, Any]:
        return GridSearchCV(Says(), grid, cv=10, scoring=scoring, refit=False).fit(X, y).cv_results_

    theirs, many = {name: name for name in names}, MultiScorer(names)
    one, other = run(theirs), run(many)
    assert all(np.allclose(one[f"mean_test_{name}"], other[f"mean_test_{name}"]) for name in names)
    return Work("GridSearchCV, 40 x 10 x 5 metrics", PEER, lambda: run(theirs), lambda: run(many), 8)


def scores(n: int) -> tuple[Any, Any]:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, n)
    return y, rng.normal(size=n) + y


def curves() -> Work:
    """AUC, average precision and both curves."""
    y, score = scores(1_000_000)

    def peer() -> list[Any]:
        return [
            metrics.roc_auc_score(y, score),
            metrics.average_precision_score(y, score),
            metrics.roc_curve(y, score, drop_intermediate=False),
            metrics.precision_recall_curve(y, score),
        ]

    def ours() -> list[Any]:
        ranked = RankedScores.from_predictions(y, score)
        return [ranked.roc_auc(), ranked.average_precision(), ranked.roc_curve(), ranked.pr_curve()]

    theirs, mine = peer(), ours()
    assert np.allclose(theirs[:2], mine[:2], atol=1e-12)
    assert all(np.allclose(one, other) for one, other in zip(theirs[2], mine[2], strict=True))
    assert np.allclose(theirs[3][0][:-1][::-1], mine[3].precision)
    return Work("AUC, AP, ROC and P-R curve, n = 1e6", PEER, peer, ours, 6)


def auc() -> Work:
    y, score = scores(1_000_000)

    def ours() -> float:
        return RankedScores.from_predictions(y, score).roc_auc()

    assert abs(metrics.roc_auc_score(y, score) - ours()) < 1e-12
    return Work("AUC, n = 1e6", PEER, lambda: metrics.roc_auc_score(y, score), ours, 3)


def average_precision() -> Work:
    """1,000 replicates at n = 1e5; the peer is a loop over resampled rows."""
    n, few, n_resamples = 100_000, 5, 1000
    rng, (y, score) = np.random.default_rng(0), scores(n)
    ranked = RankedScores.from_predictions(y, score)

    def loop(times: int) -> list[float]:
        rows = rng.integers(0, n, size=(times, n))
        return [metrics.average_precision_score(y[row], score[row]) for row in rows]

    def ours() -> Any:
        return ranked.bootstrap("average_precision", n_resamples, random_state=0)

    ratio = float(np.std(loop(60), ddof=1) / np.std(ours()))
    assert 0.7 < ratio < 1.4, f"the replicates spread {ratio:.2f} times as far"
    what = "average precision, 1,000 replicates, n = 1e5, loop there"
    return Work(what, PEER, lambda: loop(few), ours, 20, scale=n_resamples / few)


def pycm() -> Work:
    peer = importlib.import_module("pycm").ConfusionMatrix
    rng = np.random.default_rng(0)
    y = rng.integers(0, 10, 100_000)
    predicted = np.where(rng.random(100_000) < 0.3, rng.integers(0, 10, 100_000), y)

    def ours() -> list[Any]:
        cm = ConfusionMatrix.from_predictions(y, predicted)
        rates = [cm.precision, cm.recall, cm.specificity, cm.f_score, cm.negative_predictive_value]
        return [cm.accuracy(), cm.kappa(), cm.mcc(), *(rate(average=None) for rate in rates)]

    theirs, mine = peer(y, predicted), ours()
    assert np.allclose([theirs.Overall_ACC, theirs.Kappa, theirs.Overall_MCC], mine[:3])
    return Work(
        "confusion matrix and 8 measures, n = 1e5, K = 10", "pycm", lambda: peer(y, predicted), ours, 20
    )


def memory() -> None:
    """Memory above the inputs of a bootstrap at n = 1e6: the same for 10 replicates and for 10,000."""
    ranked = RankedScores.from_predictions(*scores(1_000_000))
    for name in ("roc_auc", "average_precision", "pr_area"):
        tracemalloc.start()
        ranked.bootstrap(name, 10, random_state=0)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        # A block of replicates is gone before the next; what stays is a number for each.
        needed = (peak + 10_000 * 8) / 1e6
        print(f"memory of 10,000 replicates of {name}, n = 1e6: {needed:.0f} MB (goal < 200 MB)")


def imports() -> Work:
    """A fresh process that imports the measures, compiled as an installed package is."""
    variables = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}

    def fresh(module: str) -> None:
        subprocess.run([sys.executable, "-c", f"import {module}"], check=True, env=variables)

    fresh("skeval.metrics")  # keeps the bytecode
    what = "import of skeval.metrics, of sklearn.metrics there"
    return Work(what, PEER, partial(fresh, "sklearn.metrics"), partial(fresh, "skeval.metrics"), 1 / 1.1)


if __name__ == "__main__":
    main()

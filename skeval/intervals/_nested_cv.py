"""The interval of nested cross-validation: every pair of folds left out together."""

from __future__ import annotations

import numpy as np

from skeval.intervals._generalization_result import GeneralizationInterval, Quantity
from skeval.intervals._risk_formulas import Losses, Mean, nested_estimate
from skeval.intervals._risk_runs import RiskRunner, contrast
from skeval.model_selection._split_indices import Splits
from skeval.utils._validation import FloatArray, IntArray

_BATES = "Bates, Hastie & Tibshirani (2023), JASA 119, 1434-1445, algorithm 1"


def nested_cv(quantity: Quantity, runner: RiskRunner, repeats: list[Splits]) -> GeneralizationInterval:
    """Return the interval from one or more k-fold partitions.

    The model without folds f and g is the inner model of f that is tested on g, and that of g
    tested on f: K + K(K-1)/2 fits per repeat, not K^2.
    """
    n_folds = len(repeats[0])
    tests = [[test for _, test in splits] for splits in repeats]
    items = [item for folds in tests for item in _left_out(folds, runner.data.n_samples)]
    done = runner.run(items)
    per_repeat = len(items) // len(repeats)
    inner: list[Losses] = []
    outer: list[Losses] = []
    for number, folds in enumerate(tests):
        losses = [contrast(values) for values in done[number * per_repeat :][:per_repeat]]
        outer += [runner.carry(losses[f], folds[f]) for f in range(n_folds)]
        inner += _inner_losses(runner, folds, losses[n_folds:])
    found = nested_estimate(inner, outer, n_folds=n_folds, n_samples=runner.data.n_samples)
    return quantity.symmetric(
        Mean(found.estimate, found.standard_error**2),
        seen=done,
        n_tested=runner.data.n_units,
        method="nested cross-validation",
        reference=_BATES,
        target="model",
        n_train=float(runner.data.n_samples),
        details={
            "n_folds": n_folds,
            "n_repeats": len(repeats),
            "bias": found.bias,
            "inner_error": found.inner_error,
            "outer_error": found.outer_error,
            "squared_error": found.squared_error,
            "limits": found.limits,
            "n_fits": len(items) * len(runner.estimators),
        },
    )


def _left_out(folds: list[IntArray], n_samples: int) -> Splits:
    """Return the fits of one repeat: without each fold, then without each pair f > g, tested on f and g."""
    fold_of = np.empty(n_samples, dtype=np.int64)
    for number, test in enumerate(folds):
        fold_of[test] = number
    single = [(np.flatnonzero(fold_of != f), test) for f, test in enumerate(folds)]
    double = [
        (np.flatnonzero((fold_of != f) & (fold_of != g)), np.concatenate([folds[f], folds[g]]))
        for f in range(len(folds))
        for g in range(f)
    ]
    return single + double


def _inner_losses(runner: RiskRunner, folds: list[IntArray], pairs: list[FloatArray]) -> list[Losses]:
    """Return the inner losses of each fold, from the losses of the pairs f > g."""
    values: list[list[FloatArray]] = [[] for _ in folds]
    rows: list[list[IntArray]] = [[] for _ in folds]
    remaining = iter(pairs)
    for f in range(len(folds)):
        for g in range(f):
            on_f, on_g = np.split(next(remaining), [len(folds[f])])
            for own, losses, tested in ((g, on_f, folds[f]), (f, on_g, folds[g])):
                values[own].append(losses)
                rows[own].append(tested)
    return [
        runner.carry(np.concatenate(own), np.concatenate(tested))
        for own, tested in zip(values, rows, strict=True)
    ]

""".632 and .632+ read from the confusion cells that a cross-validation or a search has kept."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from skeval.metrics import ConfusionMatrix
from skeval.model_selection._bootstrap_formulas import METHODS, zero_one_no_information
from skeval.model_selection._bootstrap_result import BootstrapErrorResult, assemble, average_observations
from skeval.model_selection._bootstrap_splits import check_bootstrap, kept_classes
from skeval.model_selection._data import read_data
from skeval.model_selection._losses import make_loss
from skeval.utils._rows import take_rows
from skeval.utils._validation import FloatArray, check_option

_NO_INTERVAL = "the average over {} has no standard error here; use average='observation'."


def bootstrap_error_from_results(
    results: Mapping[str, Any],
    *,
    method: str = ".632+",
    average: str = "pooled",
    X: Any = None,
    y: Any = None,
    groups: Any = None,
) -> BootstrapErrorResult:
    """Estimate the error from what ``cross_validate`` returned: 0-1 loss, nothing is fitted.

    Parameters
    ----------
    results : dict
        Of ``cross_validate(..., cv=WithResubstitution(BootstrapSplit(...)),
        scoring=ConfusionScorer(labels))``.
    method : {".632+", ".632", "oob"}, default=".632+"
        As in `combine_bootstrap_error`.
    average : {"pooled", "replicate", "observation"}, default="pooled"
        How the out-of-bag errors are averaged: all errors over all predictions; the mean
        of the replicates' error rates; or per sample first, as `bootstrap_error` does. The
        last needs `X`, `y`, and results with ``return_estimator=True`` and
        ``return_indices=True``.
    X : array-like, DataFrame, sparse matrix or list of n_samples rows, default=None
    y : array-like of shape (n_samples,), default=None
        The data that were cross-validated, in the same order.
    groups : array-like of shape (n_samples,), default=None
        The clusters, where they were drawn whole.

    Returns
    -------
    BootstrapErrorResult
        With a standard error for "observation" only.

    Raises
    ------
    ValueError
        There are no cells, the last split is not (all, all), the others are no bootstrap
        replicates (which indices in `results` tell), or X and y are other data.
    MissingScoreError
        A cell is nan: that split failed.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import cross_validate
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from skeval.metrics import ConfusionScorer
    >>> from skeval.model_selection import (
    ...     BootstrapSplit, WithResubstitution, bootstrap_error_from_results)
    >>> X, y = load_iris(return_X_y=True)
    >>> cv = WithResubstitution(BootstrapSplit(100, random_state=0))
    >>> tree = DecisionTreeClassifier(random_state=0)
    >>> results = cross_validate(tree, X, y, cv=cv, scoring=ConfusionScorer([0, 1, 2]))
    >>> result = bootstrap_error_from_results(results)
    >>> print(f"{result.resubstitution:.3f} {result.leave_one_out:.3f} {result.estimate:.3f}")
    0.000 0.052 0.034
    """
    check_option(method, "method", METHODS)
    check_option(average, "average", ("pooled", "replicate", "observation"))
    counts = ConfusionMatrix.from_cv_results(results).counts
    if counts.ndim != 3:
        raise ValueError("results must come from cross_validate; for a search use Bootstrap632Refit.errors.")
    check_last_split(results, counts)
    if results.get("indices") is not None:
        _check_replicates(results["indices"], groups)
    err, err1, gamma = (float(value) for value in cell_errors(counts, average))
    common: dict[str, Any] = {
        "method": method,
        "average": average,
        "loss": "0-1 loss",
        "bounds": (0.0, 1.0),
        "resubstitution": err,
        "no_information": gamma,
        "n_samples": int(counts[-1].sum()),
        "n_valid": len(counts) - 1,
    }
    if average == "observation":
        return assemble(**common, **_observe(results, counts, X, y, groups))
    return assemble(**common, leave_one_out=err1, no_interval=_NO_INTERVAL.format(average))


def cell_errors(counts: FloatArray, average: str) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return resubstitution, out-of-bag and no-information error of matrices (..., splits, K, K).

    The last split is (all, all). Splits without a test sample do not count.
    """
    total = counts.sum(axis=(-2, -1))
    wrong = total - np.trace(counts, axis1=-2, axis2=-1)
    last = counts[..., -1, :, :]
    gamma = zero_one_no_information(last.sum(axis=-1), last.sum(axis=-2))
    tested, missed = total[..., :-1], wrong[..., :-1]
    if average == "replicate":
        rates = np.divide(missed, tested, out=np.zeros(tested.shape), where=tested > 0)
        err1 = rates.sum(axis=-1) / np.count_nonzero(tested, axis=-1)
    else:
        err1 = missed.sum(axis=-1) / tested.sum(axis=-1)
    return wrong[..., -1] / total[..., -1], err1, gamma


def check_last_split(results: Mapping[str, Any], counts: FloatArray) -> None:
    """Refuse results whose last split is not (all, all).

    Exactly, where the indices are there; else it must test more samples than any other
    split, by more than one, and the cells of its training part, if there, must be the same.
    """
    if results.get("indices") is not None:
        train, test = (np.sort(results["indices"][part][-1]) for part in ("train", "test"))
        good = np.array_equal(train, test) and np.array_equal(test, np.arange(len(test)))
    else:
        total = counts.sum(axis=(-2, -1))
        good = bool((total[..., -1:] > total[..., :-1] + 1).all())
        in_training = {
            key.replace("train_confusion", "test_confusion"): value
            for key, value in results.items()
            if "train_confusion" in key
        }
        if in_training:
            trained = ConfusionMatrix.from_cv_results(in_training).counts
            good = good and np.array_equal(trained[..., -1, :, :], counts[..., -1, :, :])
    if not good or counts.shape[-3] < 2:
        raise ValueError(
            "The last split must be (all, all), and every other test fewer samples; run with "
            "cv=WithResubstitution(BootstrapSplit(...))."
        )


def _check_replicates(indices: Mapping[str, Any], groups: Any) -> None:
    """Refuse splits that are no bootstrap replicates, the last apart."""
    n_samples = len(indices["test"][-1])
    _, codes = read_data(range(n_samples), None, groups)
    check_bootstrap(zip(indices["train"][:-1], indices["test"][:-1], strict=True), n_samples, codes)


def _observe(results: Mapping[str, Any], counts: FloatArray, X: Any, y: Any, groups: Any) -> dict[str, Any]:
    """Return Err1 per observation, from the fitted models."""
    missing = [key for key in ("estimator", "indices") if key not in results]
    if missing or X is None or y is None:
        raise ValueError(
            "average='observation' needs X, y, and results of cross_validate(..., return_estimator=True, "
            f"return_indices=True); results lack {missing or 'nothing'}."
        )
    n_samples, codes = read_data(X, y, groups)
    loss = make_loss("zero_one", results["estimator"][-1], y)
    trains, tests = (list(results["indices"][part][:-1]) for part in ("train", "test"))
    if n_samples != len(results["indices"]["test"][-1]):
        raise ValueError(
            f"X and y must be the data of the results: {n_samples} samples, results have "
            f"{len(results['indices']['test'][-1])}."
        )
    losses = [
        loss.values(test, model.predict(take_rows(X, test)))
        for model, test in zip(results["estimator"][:-1], tests, strict=True)
    ]
    wrong = counts.sum(axis=(-2, -1)) - np.trace(counts, axis1=-2, axis2=-1)
    if not np.array_equal([each.sum() for each in losses], wrong[:-1]):
        raise ValueError(
            "X and y must be the data of the results, in the same order: the models make other numbers of "
            "errors on them than the cells say."
        )
    return average_observations(
        trains,
        tests,
        losses,
        n_samples=n_samples,
        groups=codes,
        strata=kept_classes(loss.codes, codes, trains),
    )

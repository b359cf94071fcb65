"""The error of a model by the bootstrap: leave-one-out bootstrap, .632 and .632+."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import check_cv

from skeval.exceptions import ResamplingWarning
from skeval.model_selection._bootstrap import BootstrapSplit
from skeval.model_selection._bootstrap_formulas import METHODS
from skeval.model_selection._bootstrap_losses import Loss, make_loss
from skeval.model_selection._bootstrap_result import BootstrapErrorResult, assemble, average_observations
from skeval.model_selection._fitting import FitParams, check_fit_params, fit_clone, run_tasks
from skeval.model_selection._strata import Split, read_data, resolve_strata
from skeval.utils._labels import plain
from skeval.utils._rows import take_rows
from skeval.utils._validation import IntArray, check_option
from skeval.utils._warnings import warn_user


def bootstrap_error(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    method: str = ".632+",
    loss: Any = "zero_one",
    cv: Any = None,
    n_splits: int = 200,
    groups: Any = None,
    sample_weight: Any = None,
    params: Mapping[str, Any] | None = None,
    n_jobs: int | None = None,
    random_state: Any = None,
) -> BootstrapErrorResult:
    """Estimate the error of a model from bootstrap replicates.

    Fits the estimator once on all samples and once per replicate, on clones.

    Parameters
    ----------
    estimator : estimator object
        With ``fit`` and ``predict``.
    X : array-like, DataFrame, sparse matrix or list of n_samples rows
    y : array-like of shape (n_samples,)
        Labels of any type for 0-1 loss, numbers for squared loss.
    method : {".632+", ".632", "oob"}, default=".632+"
        As in `combine_bootstrap_error`; "oob" is the leave-one-out bootstrap alone.
    loss : {"zero_one", "squared"} or callable, default="zero_one"
        A function of (y_true, y_pred) that returns one loss per sample goes with ".632"
        and "oob". What is no mean of losses (AUC, F1, balanced accuracy) is refused.
    cv : splitter or iterable of (train, test), default=None
        Bootstrap replicates: each trains on as many samples as there are, drawn with
        replacement, and tests on all that were not drawn. None:
        ``BootstrapSplit(n_splits, random_state=random_state)``.
    n_splits : int, default=200
        Number of replicates, where `cv` is None. 200 are enough for the estimate; its
        standard error takes more.
    groups : array-like of shape (n_samples,), default=None
        Clusters, drawn whole.
    sample_weight : array-like of shape (n_samples,), default=None
        Importances: passed to ``fit``, and used in the means. There is no standard error.
    params : dict, default=None
        Further parameters of every ``fit``, by name, as in `evaluate`.
    n_jobs : int, default=None
        Number of workers, as in scikit-learn. It changes no bit of the result, if the
        estimator's own ``random_state`` is set.
    random_state : int, RandomState, Generator or None, default=None
        For the replicates, where `cv` is None.

    Returns
    -------
    BootstrapErrorResult

    Raises
    ------
    ValueError
        Bad y, loss or weights; `cv` is no bootstrap; every replicate failed.

    Warns
    -----
    ResamplingWarning
        A replicate lacks a class or failed; a sample was never left out; the standard
        error is mostly Monte Carlo noise.

    See Also
    --------
    bootstrap_error_from_results : The same from a ``cross_validate`` result.

    Notes
    -----
    Err1 is averaged over the replicates for each sample first, then over samples. A
    replicate fails where ``fit`` or ``predict`` raises; it is left out. One that lacks a
    class but can be fitted stays in.

    The standard error is that of Err1 by the delta method after the bootstrap, less its
    Monte Carlo noise, and times estimate/Err1 for .632 and .632+. With groups it is
    computed over groups, and with ``BootstrapSplit(stratify=True)`` within classes. It
    measures how the estimate varies over samples from the same population.

    Choose models by another estimate: .632 favors those that interpolate, whose
    resubstitution error is 0.

    References
    ----------
    Efron, B. and Tibshirani, R. (1997). Improvements on cross-validation: the .632+
    bootstrap method. JASA 92, 548-560.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    >>> from skeval.model_selection import bootstrap_error
    >>> X, y = load_iris(return_X_y=True)
    >>> result = bootstrap_error(LinearDiscriminantAnalysis(), X, y, n_splits=2000, random_state=0)
    >>> round(result.estimate, 3), round(result.standard_error, 3)
    (0.023, 0.011)
    """
    check_option(method, "method", METHODS)
    n_samples, codes = read_data(X, y, groups)
    bound = make_loss(loss, estimator, y, method)
    beside = check_fit_params([estimator], n_samples, sample_weight, params)
    weight = beside.weight
    for name in ("fit", "predict"):
        if not hasattr(estimator, name):
            raise TypeError(f"estimator must have {name}(), {type(estimator).__name__} has not.")
    splitter = BootstrapSplit(n_splits, random_state=random_state) if cv is None else check_cv(cv)
    splits = [_as_split(train, test) for train, test in splitter.split(X, y, groups)]
    check_bootstrap(splits, n_samples, codes)
    everything = np.arange(n_samples)
    # First, so that what fails on all samples raises as it is, and soon.
    shared = estimator, X, y, beside
    [predictions] = run_tasks(_fit_predict, shared, [(everything, everything)], 1)
    own_losses = bound.values(everything, predictions)
    outcomes = run_tasks(_try_split, shared, splits, n_jobs)
    report_failures(bound, splits, [error for _, error in outcomes if error])
    valid = [number for number, (_, error) in enumerate(outcomes) if not error]
    trains, tests = ([splits[number][side] for number in valid] for side in (0, 1))
    losses = [bound.values(splits[number][1], outcomes[number][0]) for number in valid]
    averaged = average_observations(
        trains,
        tests,
        losses,
        n_samples=n_samples,
        weight=weight,
        groups=codes,
        strata=_strata_of(splitter, y, bound, trains, codes),
    )
    return assemble(
        method=method,
        average="observation",
        loss=bound.name,
        bounds=bound.bounds,
        resubstitution=float(np.average(own_losses, weights=weight)),
        no_information=bound.no_information(predictions, weight),
        n_samples=n_samples,
        n_valid=len(valid),
        n_failed=len(splits) - len(valid),
        **averaged,
    )


def check_bootstrap(splits: Iterable[Split], n_samples: int, groups: IntArray | None) -> None:
    """Refuse splits that are not bootstrap replicates of the samples, or of the groups."""
    first = None if groups is None else np.unique(groups, return_index=True)[1]
    for number, (train, test) in enumerate(splits):
        counts = np.bincount(train, minlength=n_samples)
        fault = ""
        if len(counts) > n_samples or len(test) != np.count_nonzero(counts == 0) or counts[test].any():
            fault = "does not test on exactly the samples that it did not draw"
        elif first is None and len(train) != n_samples:
            fault = f"trains on {len(train)} draws of {n_samples} samples"
        elif first is not None and (counts != counts[first][groups]).any():
            fault = "draws samples of one group unequally often"
        elif first is not None and counts[first].sum() != len(first):
            fault = f"trains on {counts[first].sum()} draws of {len(first)} groups"
        if fault:
            raise ValueError(
                f"cv must give bootstrap replicates, as BootstrapSplit does, but split {number} {fault}. "
                "The fit on all samples is made apart: give no (all, all) split."
            )


def constant_classes(codes: IntArray, trains: list[IntArray]) -> bool:
    """Return whether every replicate holds each class as often as the data do: drawn within classes."""
    counts = np.bincount(codes)
    return all(np.array_equal(np.bincount(codes[train], minlength=len(counts)), counts) for train in trains)


def _strata_of(
    splitter: Any, y: Any, loss: Loss, trains: list[IntArray], groups: IntArray | None
) -> IntArray | None:
    """Return the strata within which the replicates were drawn."""
    if isinstance(splitter, BootstrapSplit):
        strata = resolve_strata(y, splitter.stratify)
        return None if strata is None else strata.codes
    if groups is None and loss.codes is not None and constant_classes(loss.codes, trains):
        return loss.codes
    return None


def _as_split(train: Any, test: Any) -> Split:
    """Return integer positions; an empty test part has no dtype of its own."""
    return np.asarray(train, dtype=np.int64), np.asarray(test, dtype=np.int64)


def _try_split(
    estimator: Any, X: Any, y: Any, params: FitParams, train: IntArray, test: IntArray
) -> tuple[Any, str]:
    """Fit and predict on one split; return predictions and what went wrong."""
    try:
        return (_fit_predict(estimator, X, y, params, train, test) if len(test) else None), ""
    except Exception as error:
        return None, f"{type(error).__name__}: {error}"


def _fit_predict(
    estimator: Any, X: Any, y: Any, params: FitParams, train: IntArray, test: IntArray
) -> NDArray[Any]:
    return np.asarray(fit_clone(estimator, X, y, train, params).predict(take_rows(X, test)))


def report_failures(loss: Loss, splits: list[Split], errors: list[str]) -> None:
    """Warn of replicates that lack a class or failed; raise if all did."""
    if len(errors) == len(splits):
        raise ValueError(f"All {len(splits)} bootstrap replicates failed, the first with {errors[0]}")
    told = []
    if loss.codes is not None:
        n_classes = len(loss.classes)
        lacking = sum(np.bincount(loss.codes[train], minlength=n_classes) == 0 for train, _ in splits)
        rare = np.argsort(-lacking, kind="stable")[: min(3, np.count_nonzero(lacking))]
        if len(rare):
            names = ", ".join(f"class {plain(loss.classes[one])!r} in {lacking[one]}" for one in rare)
            told.append(
                f"The training part lacks {names} of {len(splits)} bootstrap replicates; "
                "cv=BootstrapSplit(stratify=True) keeps every class in every replicate."
            )
    if errors:
        told.append(
            f"{len(errors)} of {len(splits)} bootstrap replicates failed and are left out, the first with "
            f"{errors[0]}"
        )
    if told:
        warn_user(" ".join(told), ResamplingWarning)

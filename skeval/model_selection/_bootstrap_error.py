"""The error of a model by the bootstrap: leave-one-out bootstrap, .632 and .632+."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skeval.model_selection._bootstrap_formulas import METHODS
from skeval.model_selection._bootstrap_result import BootstrapErrorResult, assemble, average_observations
from skeval.model_selection._bootstrap_splits import bootstrap_splits, warn_undrawn_classes
from skeval.model_selection._data import read_data
from skeval.model_selection._fitting import FitParams, check_fit_params, fit_clone, run_tasks, try_tasks
from skeval.model_selection._losses import Loss, make_loss
from skeval.utils._rows import take_rows
from skeval.utils._validation import IntArray, check_option

_NEGATIVE = (
    "the standard error of .632 is that of Err1 in proportion, which has no meaning for a loss that may be "
    "negative; add a constant to the loss so that it is not, or use method='oob'."
)


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
        Bad y, loss or weights, or numbers above 1e60 in size; `cv` is no bootstrap; every
        replicate failed.

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
    computed over groups, and with ``BootstrapSplit(stratify=True)``, or a list of its
    splits, within classes. It measures how the estimate varies over samples from the same
    population. There is none of fewer than three replicates that worked, and none of .632
    for a loss that comes out negative: it has no proportion.

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
    bound = _make_loss(loss, estimator, y, method)
    beside = check_fit_params([estimator], n_samples, sample_weight, params)
    weight = beside.weight
    for name in ("fit", "predict"):
        if not hasattr(estimator, name):
            raise TypeError(f"estimator must have {name}(), {type(estimator).__name__} has not.")
    splits, strata = bootstrap_splits(
        cv, X, y, groups, classes=bound.codes, n_splits=n_splits, random_state=random_state
    )
    everything = np.arange(n_samples)
    # First, so that what fails on all samples raises as it is, and soon.
    shared = estimator, X, y, beside
    [predictions] = run_tasks(_fit_predict, shared, [(everything, everything)], 1)
    own_losses = bound.values(everything, predictions)
    said, valid = try_tasks(_fit_predict, shared, splits, n_jobs, what="bootstrap replicates")
    warn_undrawn_classes(bound.codes, bound.classes, splits)
    trains, tests = ([splits[number][side] for number in valid] for side in (0, 1))
    losses = [bound.values(test, each) for test, each in zip(tests, said, strict=True)]
    averaged = average_observations(
        trains, tests, losses, n_samples=n_samples, weight=weight, groups=codes, strata=strata
    )
    if method != "oob" and min(values.min(initial=0) for values in (own_losses, *losses)) < 0:
        averaged |= {"variance": None, "no_interval": _NEGATIVE}
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


def _make_loss(loss: Any, estimator: Any, y: Any, method: str) -> Loss:
    """Bind the loss to y, after checking that the method can be had of it."""
    if callable(loss) and method == ".632+":
        raise ValueError(
            "method='.632+' needs the no-information rate, which is known for loss='zero_one' and "
            "'squared' only; use method='.632' or 'oob'."
        )
    return make_loss(
        loss,
        estimator,
        y,
        way_out=".632 and .632+ have no meaning for it; use cross_validate with cv=BootstrapSplit(...) and "
        "that scoring",
    )


def _fit_predict(
    estimator: Any, X: Any, y: Any, params: FitParams, train: IntArray, test: IntArray
) -> NDArray[Any] | None:
    """Fit on the training rows; return predictions of the test rows, None where there are none."""
    if not len(test):
        return None
    return np.asarray(fit_clone(estimator, X, y, train, params).predict(take_rows(X, test)))

"""Fits on many training sets, and the decomposition of what they predict."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skeval.diagnosis._bias_variance_result import BiasVarianceResult
from skeval.diagnosis._decompositions import DEFINITIONS
from skeval.diagnosis._targets import Target, make_target
from skeval.diagnosis._training_sets import RESAMPLES, draw_training_sets
from skeval.exceptions import DegenerateDataWarning
from skeval.model_selection import HoldOutSplit
from skeval.model_selection._data import count_rows, read_data
from skeval.model_selection._fitting import (
    FitParams,
    check_fit_params,
    fit_clone,
    try_tasks,
    warn_missing_classes,
)
from skeval.utils._kind import classifies, regresses
from skeval.utils._labels import factorize, to_labels
from skeval.utils._random import check_generator
from skeval.utils._rows import n_rows, take_rows
from skeval.utils._validation import IntArray, check_int, check_option
from skeval.utils._warnings import warn_user

LOSSES = ("squared", "zero_one")


class Options(NamedTuple):
    """How `decompose` decomposes."""

    loss: str | None
    definition: str
    unbiased: bool
    test_size: float
    resample: str
    n_splits: int
    n_jobs: int | None


class Samples(NamedTuple):
    """The data as they were given."""

    X: Any
    y: Any
    groups: Any = None
    X_test: Any = None
    y_test: Any = None
    y_clean: Any = None
    noise: Any = None
    sample_weight: Any = None
    params: Any = None


def decompose(
    estimators: list[Any],
    names: list[str],
    data: Samples,
    options: Options,
    random_state: Any,
) -> list[BiasVarianceResult]:
    """Fit every estimator on the same training sets; return one result each."""
    loss = _check_options(estimators[0], options)
    X, y, groups, X_test, y_test, y_clean, noise, sample_weight, params = data
    if (X_test is None) != (y_test is None):
        raise ValueError("X_test and y_test go together: give both or neither.")
    if y is None:
        raise ValueError("y must hold the target of every sample of X, got None.")
    n_samples, codes = read_data(X, y, groups)
    beside = check_fit_params(estimators, n_samples, sample_weight, params)
    rng = check_generator(random_state)
    pool, test = np.arange(n_samples), None
    if X_test is None:
        [(pool, test)] = HoldOutSplit(
            test_size=options.test_size,
            stratify="auto" if loss == "zero_one" else False,
            random_state=rng,
        ).split(X, y, groups)
        X_test, y_test = take_rows(X, test), take_rows(y, test)
        y_clean, noise = (_held_out(values, test, n_samples) for values in (y_clean, noise))
    target = make_target(loss, y, y_test, y_clean, noise, n_test=count_rows(X_test, "X_test"))
    drawn = draw_training_sets(
        options.resample, options.n_splits, len(pool), None if codes is None else codes[pool], rng
    )
    trains = [pool[rows] for rows in drawn]
    if options.n_splits == 1:
        warn_user(
            "With n_splits=1 the variance is 0 whatever the method: draw more training sets.",
            DegenerateDataWarning,
        )
    if loss == "zero_one":
        warn_missing_classes(
            *factorize(to_labels(y, "y")[pool]),
            drawn,
            what="rounds",
            way_out="a model cannot predict a class that it was not trained on",
        )
    weight = _test_weight(beside, test)
    results = []
    for estimator, name in zip(estimators, names, strict=True):
        predictions, _ = try_tasks(
            _fit_predict,
            (estimator, X, y, X_test, beside),
            [(train,) for train in trains],
            options.n_jobs,
            what=f"fits{name}",
        )
        results.append(_result(target, predictions, options, trains, test, weight))
    return results


def _check_options(estimator: Any, options: Options) -> str:
    """Check what needs no data; return the loss."""
    for method in ("fit", "predict"):
        if not hasattr(estimator, method):
            raise TypeError(f"estimator must have {method}(), {type(estimator).__name__} has not.")
    loss = options.loss
    if loss is None:
        loss = "zero_one" if classifies(estimator) else "squared"
    check_option(loss, "loss", LOSSES)
    check_option(options.definition, "definition", DEFINITIONS)
    check_option(options.resample, "resample", RESAMPLES)
    check_int(options.n_splits, "n_splits", minimum=2 if options.unbiased else 1)
    if loss == "zero_one" and regresses(estimator):
        raise ValueError(
            f"loss='zero_one' needs a classifier, got the regressor {type(estimator).__name__}; "
            "use loss='squared'."
        )
    if loss == "squared" and options.definition != "domingos":
        raise ValueError(
            f"definition={options.definition!r} is one of 0-1 loss; squared loss has a single definition: "
            "leave definition out."
        )
    if options.unbiased and loss == "zero_one" and options.definition != "kohavi-wolpert":
        raise ValueError(
            f"unbiased=True corrects a squared bias, but definition={options.definition!r} has none; use "
            "definition='kohavi-wolpert', or leave unbiased out."
        )
    return loss


def _held_out(values: Any, test: IntArray, n_samples: int) -> Any:
    """Return the test rows of what has one entry per sample; one number stays as it is."""
    if values is None or np.ndim(values) == 0:
        return values
    if n_rows(values) != n_samples:
        raise ValueError(
            f"y_clean and noise must have one entry per sample of X where no X_test is given: {n_samples} "
            f"samples, {n_rows(values)} entries."
        )
    return take_rows(values, test)


def _test_weight(params: FitParams, test: IntArray | None) -> NDArray[Any] | None:
    """Return the weights of the test samples; None where they count equally."""
    if params.weight is None or test is None:
        return None
    weight: NDArray[Any] = params.weight[test]
    if not weight.any():
        raise ValueError("sample_weight is zero for every sample held out: no test sample would count.")
    return weight


def _fit_predict(
    estimator: Any, X: Any, y: Any, X_test: Any, params: FitParams, train: IntArray
) -> NDArray[Any]:
    return np.asarray(fit_clone(estimator, X, y, train, params).predict(X_test))


def _result(
    target: Target,
    predictions: list[NDArray[Any]],
    options: Options,
    trains: list[IntArray],
    test: IntArray | None,
    weight: NDArray[Any] | None,
) -> BiasVarianceResult:
    values, terms = target.decompose(predictions, options.definition, options.unbiased)
    means = {
        name: float(np.average(each, weights=weight))
        for name, each in values.items()
        if name != "main_prediction"
    }
    if target.noise is not None and means["noise"] > means["loss"]:
        warn_user(
            f"The known noise, {means['noise']:.4g}, exceeds the loss, {means['loss']:.4g}: bias^2 comes out "
            f"negative, {means['bias_squared']:.4g}. noise is a variance, not a standard deviation, in the "
            "squared units of y; is it that of these targets?",
            DegenerateDataWarning,
        )
    parts = {term: means[term] for term in terms if target.separates_noise or "noise" not in term}
    n_train = round(sum(map(len, trains)) / len(trains))
    drawn = "drawn with replacement" if options.resample == "bootstrap" else "that share no sample"
    return BiasVarianceResult(
        loss=means["loss"],
        bias=means.get("bias"),
        bias_squared=means.get("bias_squared"),
        variance=means["variance"],
        noise=means.get("noise") if target.separates_noise else None,
        cross_term=means.get("cross_term"),
        parts=parts,
        per_sample=values,
        loss_name=target.name,
        definition=options.definition,
        unbiased=options.unbiased,
        n_rounds=len(predictions),
        n_failed=len(trains) - len(predictions),
        n_train=n_train,
        n_test=len(values["loss"]),
        test_index=test,
        noise_note=target.noise_note(options.definition),
        estimand=f"mean {target.name} on the test samples of the method trained on {n_train} samples, over "
        f"training sets {drawn}",
        reference=target.reference(options.definition),
    )

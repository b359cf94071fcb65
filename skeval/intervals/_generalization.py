"""Intervals for the error of a model on new samples, from resampling the data it is trained on."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from skeval.intervals._generalization_result import GeneralizationInterval, Quantity
from skeval.intervals._risk_methods import METHODS, Design, check_bounds, score_interval, score_range
from skeval.intervals._risk_runs import Data, RiskRunner
from skeval.metrics import get_scorer_names, pointwise_loss
from skeval.metrics._pointwise import POINTWISE_LOSSES
from skeval.model_selection._data import read_data
from skeval.model_selection._fitting import check_fit_params
from skeval.model_selection._losses import Loss, make_loss
from skeval.utils._labels import encode, to_labels
from skeval.utils._random import check_generator
from skeval.utils._validation import FloatArray, check_level, check_option

# Losses of pointwise_loss that take probabilities.
_PROBABILISTIC = ("log", "brier", "multiclass_brier")
_LARGEST_LOSS = {"brier": 1.0, "multiclass_brier": 2.0}


def generalization_interval(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    method: str = "corrected-t",
    other: Any = None,
    loss: Any = "zero_one",
    scoring: Any = None,
    response_method: str = "predict",
    groups: Any = None,
    sample_weight: ArrayLike | None = None,
    params: Mapping[str, Any] | None = None,
    cv: Any = None,
    n_splits: int | None = None,
    n_repeats: int | None = None,
    n_inner: int | None = None,
    test_size: float | None = None,
    bounds: tuple[float, float] | None = None,
    confidence_level: float = 0.95,
    n_jobs: int | None = None,
    random_state: Any = None,
) -> GeneralizationInterval:
    """Confidence interval for the risk of a model on new samples, or for the difference of two.

    The methods estimate different things: ``estimand`` of the result says whose risk it is,
    at how many training samples, and over what it varies.

    Parameters
    ----------
    estimator : estimator object
        With ``fit`` and ``predict``; cloned, never fitted in place.
    X : array-like, DataFrame, sparse matrix or list of n_samples rows
    y : array-like of shape (n_samples,)
        Labels of any type for 0-1 loss, numbers for squared loss.
    method : str, default="corrected-t"
        - "holdout": one split; Wilson's interval for 0-1 loss (Newcombe's paired one of two
          models), else normal. Risk of the model trained on the training part.
        - "corrected-t": random splits, variance (1/J + n_test/n_train) s^2. Mean risk of the
          method at the size of the training parts.
        - "cv-wald", "cv-wald-within": k-fold cross-validation, variance of all losses or
          within folds. Mean risk of the models of the folds.
        - "nested-cv": nested cross-validation, which estimates the mean squared error of the
          cross-validation. Risk of the model trained on all samples.
        - "conservative-z": how far means on two halves are apart; mostly too wide. As
          "corrected-t".
        - "oob": leave-one-out bootstrap with its standard error by the delta method. Mean
          risk at the size of a bootstrap sample.
        - ".632+": .632+ bootstrap, standard error in proportion. Mean risk at size n.
        - "bootstrap-case-cv": quantiles of the cross-validated error of bootstrap samples,
          less their bias. Mean risk at the size of the training parts.
        - "location-shifted-bootstrap": quantiles of the replicates' resubstitution errors,
          shifted to .632+. Mean risk at size n.
        - "two-stage-bootstrap": quantiles of .632+ of bootstrap samples. Mean risk at size n.
    other : estimator object, default=None
        A second estimator: the interval is for the risk of the first minus that of the
        second, on the same splits, losses paired sample by sample.
    loss : str or callable, default="zero_one"
        A name of `skeval.metrics.pointwise_loss`: "zero_one" and "squared" go with every
        method; "log", "brier" and "multiclass_brier" are given the probabilities. Or a
        function of (y_true, y_pred) that returns one loss per sample.
    scoring : str or scorer, default=None
        Instead of a loss, for "corrected-t" and "conservative-z": any score, such as
        "roc_auc" or "f1"; greater is better.
    response_method : {"predict", "predict_proba"}, default="predict"
        What a callable `loss` is given as y_pred; probabilities have one column for each
        class of y.
    groups : array-like of shape (n_samples,), default=None
        Clusters of dependent samples: they are split and drawn whole, and variances are
        taken over groups.
    sample_weight : array-like of shape (n_samples,), default=None
        Importances: passed to ``fit``, and used in means and variances. Not for bootstrap
        methods, whose variance with weights is not known.
    params : dict, default=None
        Further parameters of every ``fit``, by name, as in `evaluate`.
    cv : splitter or iterable of (train, test), default=None
        Instead of the method's own splits: one split for "holdout", any for "corrected-t",
        one k-fold partition for "cv-wald", one or more for "nested-cv", bootstrap replicates
        for "oob", ".632+" and "location-shifted-bootstrap".
    n_splits : int, default=None
        Random splits of "corrected-t" (25), folds of "cv-wald" (10) and "nested-cv" (5),
        splits of each half of "conservative-z" (15), bootstrap replicates (1000 for "oob" and
        ".632+", whose standard error takes many; 200, and 100 for "bootstrap-case-cv").
    n_repeats : int, default=None
        Partitions of "nested-cv" (10), halvings of "conservative-z" (10).
    n_inner : int, default=None
        Folds of "bootstrap-case-cv" (10; as many as there are samples: leave one case out,
        as published), inner replicates of "two-stage-bootstrap" (10).
    test_size : float or int, default=None
        Share or number of samples to test, of "holdout" (0.3), "corrected-t" and
        "conservative-z" (0.1).
    bounds : tuple of float, default=None
        Range (low, high) of a loss or score whose name does not tell it; one outside is refused.
    confidence_level : float, default=0.95
        Strictly between 0 and 1.
    n_jobs : int, default=None
        Fits at once. It changes no bit of the result, if the estimator's own
        ``random_state`` is set.
    random_state : int, RandomState, Generator or None, default=None
        For the splits.

    Returns
    -------
    GeneralizationInterval
        ``details["n_fits"]`` is the bill.

    Raises
    ------
    ValueError
        A loss or score that the method cannot take, splits that it is not for, a parameter
        that it does not have, too few samples or groups.
    MissingScoreError
        The score of a split is nan.

    Warns
    -----
    DegenerateDataWarning
        Nothing varies: no error was made, say. A 0-1 loss then gets an exact binomial bound.
    ResamplingWarning
        Bootstrap replicates failed, or are too few.

    See Also
    --------
    interval_from_results : From results that are there already.

    Notes
    -----
    Splits are stratified for class labels, as `KFoldSplit` and `HoldOutSplit` do it;
    bootstrap samples are not. Ends are cut at the range of the loss, and always enclose the
    estimate.

    No interval for the risk of the model trained on these very samples is exact: resampling
    trains other models. The coverage of each, measured, is in the documentation.

    References
    ----------
    Nadeau & Bengio (2003), Inference for the generalization error, Machine Learning 52,
    equation 9 and section 4.2. Bayle, Bayle, Janson & Mackey (2020), Cross-validation
    confidence intervals for test error, NeurIPS 33. Bates, Hastie & Tibshirani (2023),
    Cross-validation: what does it estimate and how well does it do it?, JASA 119. Efron &
    Tibshirani (1997), Improvements on cross-validation, JASA 92. Jiang, Varma & Simon
    (2008), Calculating confidence intervals for prediction error in microarray
    classification using resampling. Noma et al. (2021), Confidence intervals of prediction
    accuracy measures based on the bootstrap-based optimism correction methods.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from skeval.intervals import generalization_interval
    >>> X, y = load_wine(return_X_y=True)
    >>> tree = DecisionTreeClassifier(random_state=0)
    >>> result = generalization_interval(tree, X, y, random_state=0)
    >>> f"{result.estimate:.3f} [{result.low:.3f}, {result.high:.3f}]"
    '0.084 [0.025, 0.144]'
    >>> result.estimand
    'mean 0-1 loss on new samples of this method trained on 160 samples (training set and test samples vary)'
    >>> less = generalization_interval(tree, X, y, other=GaussianNB(), random_state=0)
    >>> f"{less.estimate:.3f} [{less.low:.3f}, {less.high:.3f}]"
    '0.069 [0.022, 0.116]'
    """
    check_option(method, "method", METHODS)
    level = check_level(confidence_level, "confidence_level")
    design = Design.of(
        method, cv=cv, n_splits=n_splits, n_repeats=n_repeats, n_inner=n_inner, test_size=test_size
    )
    estimators = (estimator,) if other is None else (estimator, other)
    n_samples, codes = read_data(X, y, groups)
    if isinstance(loss, str) and loss in _PROBABILISTIC:
        response_method = "predict_proba"
    _check_estimators(estimators, response_method)
    data = Data(
        X, y, n_samples, check_fit_params(estimators, n_samples, sample_weight, params), codes, groups
    )
    generator = check_generator(random_state)
    if data.weight is not None and not METHODS[method].weights:
        raise ValueError(
            f"sample_weight must be None for method={method!r}: the variance of its bootstrap with weights "
            "is not known; use method='corrected-t', 'nested-cv' or 'cv-wald'."
        )
    if scoring is not None:
        _check_scored(method, loss, scoring)
        return score_interval(
            method,
            design,
            estimators,
            data,
            scoring=scoring,
            bounds=score_range(scoring, bounds),
            level=level,
            n_jobs=n_jobs,
            generator=generator,
        )
    bound = _bind_loss(method, loss, response_method, estimators, y)
    runner = RiskRunner(
        estimators=estimators,
        data=data,
        loss=bound,
        classes=encode({"y": to_labels(y, "y")})[1] if response_method == "predict_proba" else None,
        response=response_method,
        n_jobs=n_jobs,
    )
    limits = check_bounds(bounds, bound.bounds)
    quantity = Quantity(bound.name, limits, other is not None, level, share=loss == "zero_one")
    return METHODS[method].compute(quantity, runner, design, generator)


def _check_estimators(estimators: tuple[Any, ...], response_method: str) -> None:
    check_option(response_method, "response_method", ("predict", "predict_proba"))
    for estimator in estimators:
        for name in ("fit", response_method):
            if not hasattr(estimator, name):
                raise TypeError(f"estimator must have {name}(), {type(estimator).__name__} has not.")


def _check_scored(method: str, loss: Any, scoring: Any) -> None:
    if not METHODS[method].any_score:
        able = " or ".join(repr(name) for name in METHODS if METHODS[name].any_score)
        raise ValueError(
            f"method={method!r} needs a loss per sample, which scoring={scoring!r} does not give: use "
            f"method={able}, which take any score, or a loss."
        )
    if loss != "zero_one":
        raise ValueError("loss and scoring exclude each other: give one of them.")


def _bind_loss(method: str, loss: Any, response_method: str, estimators: tuple[Any, ...], y: Any) -> Loss:
    """Return the loss bound to y, after checking that it suits the method and the estimators."""
    if isinstance(loss, str) and loss not in POINTWISE_LOSSES:
        scoring = loss if loss in get_scorer_names() else "roc_auc"
        raise ValueError(
            f"loss must be one of {', '.join(map(repr, POINTWISE_LOSSES))} or a function that returns one "
            f"loss per sample, got {loss!r}. What is no mean of losses per sample (AUC, F1, balanced "
            f"accuracy, G-mean) goes with method='corrected-t' or 'conservative-z' as scoring={scoring!r}, "
            "say."
        )
    named = isinstance(loss, str) and loss not in ("zero_one", "squared")
    if (callable(loss) or named) and METHODS[method].no_information:
        raise ValueError(
            f"method={method!r} needs the no-information rate, which is known for loss='zero_one' and "
            "'squared' only; use method='oob', 'nested-cv' or 'corrected-t'."
        )
    if named:
        return _pointwise(loss, y)
    if response_method != "predict" and not callable(loss):
        raise ValueError(f"response_method={response_method!r} needs a callable loss, got loss={loss!r}.")
    bound = [make_loss(loss, estimator, y) for estimator in estimators]  # checks each
    return bound[0]


def _pointwise(name: str, y: Any) -> Loss:
    """Return a loss of `pointwise_loss`, of the columns of probabilities where it takes them."""
    params: dict[str, Any] = {"loss": name}
    if name in _PROBABILISTIC:
        params["labels"] = encode({"y": to_labels(y, "y")})[1]
        if name == "brier" and len(params["labels"]) > 2:
            raise ValueError(
                f"loss='brier' needs two classes, got {len(params['labels'])}; use 'multiclass_brier'."
            )
    bound = make_loss(partial(_of_columns if name == "brier" else pointwise_loss, **params), None, y)
    bound.name = f"{name.replace('_', ' ').replace('brier', 'Brier')} loss"
    bound.bounds = (0.0, _LARGEST_LOSS.get(name, np.inf))
    return bound


def _of_columns(y_true: Any, y_prob: Any, *, loss: str, labels: Any) -> FloatArray:
    """Return the loss from one column of two: which class is positive changes no Brier score."""
    return pointwise_loss(y_true, y_prob[:, -1], loss=loss, pos_label=labels[-1])

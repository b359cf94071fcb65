"""Bias and variance of a learning method, from fits on many training sets of equal size."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sklearn.base import clone

from skeval.diagnosis._bias_variance_result import BiasVarianceCurve, BiasVarianceResult
from skeval.diagnosis._rounds import Options, Samples, decompose


def bias_variance(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    loss: str | None = None,
    definition: str = "domingos",
    X_test: Any = None,
    y_test: Any = None,
    y_clean: Any = None,
    noise: Any = None,
    test_size: float = 0.3,
    resample: str = "bootstrap",
    n_splits: int = 200,
    unbiased: bool = False,
    groups: Any = None,
    sample_weight: Any = None,
    params: Mapping[str, Any] | None = None,
    n_jobs: int | None = None,
    random_state: Any = None,
) -> BiasVarianceResult:
    """Split the expected loss of a learning method into bias, variance and noise.

    Clones of the estimator are fitted on many training sets of equal size; what they predict
    for the same test samples is compared.

    Parameters
    ----------
    estimator : estimator object
        With ``fit`` and ``predict``.
    X : array-like, DataFrame, sparse matrix or list of n_samples rows
        Samples that training sets are drawn from and, without `X_test`, test samples too.
    y : array-like of shape (n_samples,)
        Numbers for squared loss, labels of any type for 0-1 loss.
    loss : {"squared", "zero_one"} or None, default=None
        None: "zero_one" for a classifier, else "squared".
    definition : {"domingos", "kohavi-wolpert", "breiman", "kong-dietterich", "james"}, default="domingos"
        For 0-1 loss; see Notes. Squared loss has the first only.
    X_test : as `X`, default=None
        Test samples; None: a random part of `X` is held out.
    y_test : array-like of shape (n_test,) or (n_test, n_targets), default=None
        Their targets. Several columns are repeated observations of the target of the same
        sample, which separate the noise.
    y_clean : array-like of shape (n_test,), or (n_samples,) without `X_test`, default=None
        Known noise-free targets (simulated data), which separate the noise.
    noise : float or array-like of the shape of `y_clean`, default=None
        Known variance of the noise in `y`, for squared loss: it is taken off bias^2.
    test_size : float or int, default=0.3
        Share or number of the samples held out, without `X_test`. Labels are stratified
        as in `HoldOutSplit`; whole groups are held out.
    resample : {"bootstrap", "disjoint"}, default="bootstrap"
        Training sets drawn with replacement, each as large as what they are drawn from; or
        disjoint random parts of equal size, which need many samples (what is left over by
        rounding is not used).
    n_splits : int, default=200
        Number of training sets.
    unbiased : bool, default=False
        Correct bias^2 for the number of training sets: variance/(n_splits - 1) goes from
        bias^2 to the variance, and bias^2 of a sample may be negative. For squared loss and
        "kohavi-wolpert".
    groups : array-like of shape (n_samples,), default=None
        Clusters, drawn whole: the training sets then have equally many groups.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights of the rows of `X`, used in the fits; and in the means over test samples, where
        these are held out of `X`. (The samples of `X_test` count equally.)
    params : dict, default=None
        Further parameters of every ``fit``, by name: what has one entry per row of `X` is cut
        to the training set, as in scikit-learn's ``cross_validate``.
    n_jobs : int, default=None
        Fits at once. It changes no bit of the result, if the estimator's own
        ``random_state`` is set.
    random_state : int, RandomState, Generator or None, default=None
        For the test part and the training sets.

    Returns
    -------
    BiasVarianceResult

    Raises
    ------
    ValueError
        Bad targets, or numbers above 1e60 in size; a definition or option that the loss has
        not, too few samples for the parts asked for, every fit failed, or all but one with
        `unbiased`.

    Warns
    -----
    ResamplingWarning
        A training set lacks a class, or a fit failed and is left out.
    DegenerateDataWarning
        A single training set: its variance is 0 whatever the method. A known `noise` above
        the loss: bias^2 comes out negative.

    See Also
    --------
    bias_variance_curve : The same over a hyper-parameter.

    Notes
    -----
    Squared loss, with f the predictions for a sample over training sets, fbar their mean,
    and t its noise-free target: bias^2 = (fbar - t)^2, variance = mean (f - fbar)^2 (divisor
    n_splits), noise = mean (y - t)^2, all averaged over samples.

    - One label per sample, nothing known: t = y. The noise is part of bias^2.
    - Several targets per sample: t is their mean.
    - `y_clean` known: t is it, and loss = bias^2 + variance + noise + cross term, the last
      being the mean of 2 (fbar - t)(t - y), which tends to 0 with many test samples.

    0-1 loss, with the main prediction (predicted most often) and the optimal class (most
    frequent target, or `y_clean`); ties go to the smallest label:

    - "domingos" [1]_: bias 1 where the main prediction is not optimal, variance = share of
      predictions that are not the main one; loss = c1 noise + bias + c2 variance, c2 = 1
      for unbiased samples and -P(optimal | not main) for biased ones.
    - "kohavi-wolpert" [2]_: half the sums over classes of (P(target) - P(prediction))^2,
      and so on; loss = bias^2 + variance + noise.
    - "breiman" [3]_: the loss in excess of the noise is bias for biased samples, variance
      for the others.
    - "kong-dietterich" [4]_: bias as in [1]_, the rest of the loss is variance: it may be
      negative and holds the noise.
    - "james" [5]_: systematic effect P(optimal) - P(main) of the targets, and variance
      effect; the latter may be negative.

    With one label per sample, label noise cannot be told from bias and variance.

    Bootstrap training sets share samples and repeat some, so that the variance is that over
    resamples of the given data. Disjoint parts are independent, but smaller.

    References
    ----------
    .. [1] P. Domingos (2000). A unified bias-variance decomposition and its applications.
       ICML; theorems 1 to 3.
    .. [2] R. Kohavi, D. Wolpert (1996). Bias plus variance decomposition for zero-one loss
       functions. ICML.
    .. [3] L. Breiman (1996). Bias, variance, and arcing classifiers. Technical report 460,
       University of California, Berkeley.
    .. [4] E. Kong, T. Dietterich (1995). Error-correcting output coding corrects bias and
       variance. ICML.
    .. [5] G. James (2003). Variance and bias for general loss functions. Machine Learning
       51, 115-135.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from skeval.diagnosis import bias_variance
    >>> X, y = load_iris(return_X_y=True)
    >>> result = bias_variance(KNeighborsClassifier(1), X, y, random_state=0)
    >>> print(f"{result.loss:.4f} = {result.bias:.4f} + {result.parts['net_variance']:.4f}")
    0.0724 = 0.0667 + 0.0058
    """
    options = Options(loss, definition, unbiased, test_size, resample, n_splits, n_jobs)
    data = Samples(X, y, groups, X_test, y_test, y_clean, noise, sample_weight, params)
    [result] = decompose([estimator], [""], data, options, random_state)
    return result


def bias_variance_curve(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    param_name: str,
    param_range: Iterable[Any],
    loss: str | None = None,
    definition: str = "domingos",
    X_test: Any = None,
    y_test: Any = None,
    y_clean: Any = None,
    noise: Any = None,
    test_size: float = 0.3,
    resample: str = "bootstrap",
    n_splits: int = 200,
    unbiased: bool = False,
    groups: Any = None,
    sample_weight: Any = None,
    params: Mapping[str, Any] | None = None,
    n_jobs: int | None = None,
    random_state: Any = None,
) -> BiasVarianceCurve:
    """Decompose the loss at each value of a hyper-parameter.

    All values are fitted on the same training sets and tested on the same samples.

    Parameters
    ----------
    estimator, X, y : as in `bias_variance`
        The model and its data.
    param_name : str
        Name of the hyper-parameter, as ``set_params`` takes it.
    param_range : iterable
        Its values, simplest model first for the textbook picture.
    loss, definition, X_test, y_test, y_clean, noise, test_size, resample, n_splits : as in `bias_variance`
        What is decomposed, and by which samples.
    unbiased, groups, sample_weight, params, n_jobs, random_state : as in `bias_variance`
        Further options.

    Returns
    -------
    BiasVarianceCurve

    Raises
    ------
    ValueError
        As `bias_variance` does; no value; a name that the estimator has not.

    Warns
    -----
    ResamplingWarning, DegenerateDataWarning
        As `bias_variance` does.

    See Also
    --------
    skeval.plotting.BiasVarianceDisplay : Draws the curve.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from skeval.diagnosis import bias_variance_curve
    >>> X, y = load_iris(return_X_y=True)
    >>> curve = bias_variance_curve(KNeighborsClassifier(), X, y, param_name="n_neighbors",
    ...     param_range=[60, 30, 10, 5, 1], n_splits=50, random_state=0)
    >>> curve.best_value
    10
    """
    values = tuple(param_range)
    if not values:
        raise ValueError(f"param_range must hold at least one value of {param_name}, got none.")
    options = Options(loss, definition, unbiased, test_size, resample, n_splits, n_jobs)
    data = Samples(X, y, groups, X_test, y_test, y_clean, noise, sample_weight, params)
    estimators = [clone(estimator).set_params(**{param_name: value}) for value in values]
    names = [f" at {param_name}={value!r}" for value in values]
    results = decompose(estimators, names, data, options, random_state)
    return BiasVarianceCurve(param_name, values, tuple(results))

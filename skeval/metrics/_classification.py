"""Functions of labels that scikit-learn lacks, a line each on top of the confusion matrix."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from skeval.metrics._confusion import ConfusionMatrix


def error_rate(y_true: Any, y_pred: Any, *, sample_weight: ArrayLike | None = None) -> float:
    """Share of wrong predictions.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,)
        Labels of any number of classes.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights, not negative.

    Returns
    -------
    float
        In [0, 1]; 1 - accuracy.

    Raises
    ------
    ValueError
        Lengths differ, no samples, a label is missing, strings against numbers, continuous
        values, or weights that are negative or all zero.

    Examples
    --------
    >>> from skeval.metrics import error_rate
    >>> error_rate(["a", "b", "b", "a"], ["a", "b", "a", "a"])
    0.25
    """
    return float(ConfusionMatrix.from_predictions(y_true, y_pred, sample_weight=sample_weight).error_rate())


def specificity_score(
    y_true: Any,
    y_pred: Any,
    *,
    labels: ArrayLike | None = None,
    average: str | None = "binary",
    pos_label: Any = None,
    zero_division: Any = "warn",
    sample_weight: ArrayLike | None = None,
) -> Any:
    """Specificity, the true negative rate: TN / (TN + FP).

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,)
        Labels.
    labels : array-like of shape (K,), default=None
        Classes in the order wanted; None: sorted, as seen.
    average : {"binary", "macro", "micro", "weighted"} or None, default="binary"
        "binary": with `pos_label` as the positive class; None: each class against the rest.
    pos_label : label or None, default=None
        None: 1 (True) for labels within {0, 1}, {-1, 1} or {False, True}; otherwise it must
        be named.
    zero_division : {"warn", 0, 1, nan}, default="warn"
        Value where there is no negative sample; "warn" is 0 with a warning.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights, not negative.

    Returns
    -------
    float or ndarray of shape (K,)
        In [0, 1].

    Raises
    ------
    ValueError
        As in `error_rate`; a label that is not among `labels`, an unknown option; with
        ``average="binary"`` more than two classes, or a positive class that is unknown or
        not named.

    Examples
    --------
    >>> from skeval.metrics import specificity_score
    >>> specificity_score([0, 0, 1, 1], [0, 1, 1, 1])
    0.5
    """
    matrix = ConfusionMatrix.from_predictions(y_true, y_pred, labels=labels, sample_weight=sample_weight)
    return matrix.specificity(average=average, pos_label=pos_label, zero_division=zero_division)


def negative_predictive_value(
    y_true: Any,
    y_pred: Any,
    *,
    labels: ArrayLike | None = None,
    average: str | None = "binary",
    pos_label: Any = None,
    zero_division: Any = "warn",
    sample_weight: ArrayLike | None = None,
) -> Any:
    """Negative predictive value: TN / (TN + FN).

    Parameters
    ----------
    y_true, y_pred, labels, average, pos_label, sample_weight
        As in `specificity_score`.
    zero_division : {"warn", 0, 1, nan}, default="warn"
        Value where no sample is predicted negative; "warn" is 0 with a warning.

    Returns
    -------
    float or ndarray of shape (K,)
        In [0, 1].

    Raises
    ------
    ValueError
        As in `specificity_score`.

    Examples
    --------
    >>> from skeval.metrics import negative_predictive_value
    >>> negative_predictive_value([0, 0, 1, 1], [0, 1, 0, 0])
    0.3333333333333333
    """
    matrix = ConfusionMatrix.from_predictions(y_true, y_pred, labels=labels, sample_weight=sample_weight)
    return matrix.negative_predictive_value(average=average, pos_label=pos_label, zero_division=zero_division)


def false_positive_rate(
    y_true: Any,
    y_pred: Any,
    *,
    labels: ArrayLike | None = None,
    average: str | None = "binary",
    pos_label: Any = None,
    zero_division: Any = "warn",
    sample_weight: ArrayLike | None = None,
) -> Any:
    """False positive rate, the share of false alarms among the negatives: FP / (FP + TN).

    Parameters
    ----------
    y_true, y_pred, labels, average, pos_label, sample_weight
        As in `specificity_score`.
    zero_division : {"warn", 0, 1, nan}, default="warn"
        Value where there is no negative sample; "warn" is 0 with a warning.

    Returns
    -------
    float or ndarray of shape (K,)
        In [0, 1].

    Raises
    ------
    ValueError
        As in `specificity_score`.

    Examples
    --------
    >>> from skeval.metrics import false_positive_rate
    >>> false_positive_rate([0, 0, 1, 1], [0, 1, 1, 1])
    0.5
    """
    matrix = ConfusionMatrix.from_predictions(y_true, y_pred, labels=labels, sample_weight=sample_weight)
    return matrix.false_positive_rate(average=average, pos_label=pos_label, zero_division=zero_division)


def false_negative_rate(
    y_true: Any,
    y_pred: Any,
    *,
    labels: ArrayLike | None = None,
    average: str | None = "binary",
    pos_label: Any = None,
    zero_division: Any = "warn",
    sample_weight: ArrayLike | None = None,
) -> Any:
    """False negative rate, the share of positives that are missed: FN / (FN + TP).

    Parameters
    ----------
    y_true, y_pred, labels, average, pos_label, sample_weight
        As in `specificity_score`.
    zero_division : {"warn", 0, 1, nan}, default="warn"
        Value where there is no positive sample; "warn" is 0 with a warning.

    Returns
    -------
    float or ndarray of shape (K,)
        In [0, 1].

    Raises
    ------
    ValueError
        As in `specificity_score`.

    Examples
    --------
    >>> from skeval.metrics import false_negative_rate
    >>> false_negative_rate([0, 0, 1, 1], [0, 1, 0, 1])
    0.5
    """
    matrix = ConfusionMatrix.from_predictions(y_true, y_pred, labels=labels, sample_weight=sample_weight)
    return matrix.false_negative_rate(average=average, pos_label=pos_label, zero_division=zero_division)


def youden_j(
    y_true: Any, y_pred: Any, *, pos_label: Any = None, sample_weight: ArrayLike | None = None
) -> float:
    """Youden's J: TPR + TNR - 1.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,)
        Labels of two classes.
    pos_label : label or None, default=None
        As in `specificity_score`.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights, not negative.

    Returns
    -------
    float
        In [-1, 1]; 0 is chance. A rate of a class without samples is 0, with a warning.

    Raises
    ------
    ValueError
        As in `error_rate`; more than two classes, or a positive class that is unknown or
        not named.

    References
    ----------
    Youden (1950), "Index for rating diagnostic tests", Cancer 3, 32-35.

    Examples
    --------
    >>> from skeval.metrics import youden_j
    >>> youden_j([0, 0, 1, 1], [0, 1, 1, 1])
    0.5
    """
    matrix = ConfusionMatrix.from_predictions(y_true, y_pred, sample_weight=sample_weight)
    return float(matrix.youden_j(pos_label=pos_label))


def fscore_of_means(
    y_true: Any,
    y_pred: Any,
    *,
    beta: float = 1,
    labels: ArrayLike | None = None,
    zero_division: Any = "warn",
    sample_weight: ArrayLike | None = None,
) -> float:
    """F-score of the macro precision and the macro recall: the other macro-F1.

    scikit-learn's macro-F1 is the mean of the F-scores of the classes, another figure.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,)
        Labels of any number of classes.
    beta : float, default=1
        From 1e-30 to 1e30; above 1 recall counts more.
    labels, zero_division, sample_weight
        As in `specificity_score`.

    Returns
    -------
    float
        In [0, 1].

    Raises
    ------
    ValueError
        As in `error_rate`; a label that is not among `labels`, a beta that is not positive,
        or an unknown `zero_division`.

    References
    ----------
    Opitz & Burst (2019), "Macro F1 and Macro F1", arXiv:1911.03347, equation for the second.

    Examples
    --------
    >>> from sklearn.metrics import f1_score
    >>> from skeval.metrics import fscore_of_means
    >>> y_true, y_pred = [0, 0, 0, 1, 1, 2], [0, 0, 1, 1, 2, 2]
    >>> round(fscore_of_means(y_true, y_pred), 4), round(f1_score(y_true, y_pred, average="macro"), 4)
    (0.6933, 0.6556)
    """
    matrix = ConfusionMatrix.from_predictions(y_true, y_pred, labels=labels, sample_weight=sample_weight)
    return float(matrix.fscore_of_means(beta=beta, zero_division=zero_division))


def g_mean_score(y_true: Any, y_pred: Any, *, sample_weight: ArrayLike | None = None) -> float:
    """Geometric mean of the recalls of the classes.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,)
        Labels of any number of classes.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights, not negative.

    Returns
    -------
    float
        In [0, 1]: sqrt(TPR TNR) for two classes, the K-th root of the product of the
        recalls for K. A class without true samples is left out with a warning.

    Raises
    ------
    ValueError
        As in `error_rate`.

    References
    ----------
    Kubat & Matwin (1997), "Addressing the curse of imbalanced training sets", ICML.

    Examples
    --------
    >>> from skeval.metrics import g_mean_score
    >>> round(g_mean_score([0, 0, 1, 0, 1, 1], [0, 0, 0, 0, 0, 1]), 4)
    0.5774
    """
    return float(ConfusionMatrix.from_predictions(y_true, y_pred, sample_weight=sample_weight).g_mean())


def adjusted_g_mean_score(
    y_true: Any, y_pred: Any, *, pos_label: Any = None, sample_weight: ArrayLike | None = None
) -> float:
    """Adjusted geometric mean of Batuwita & Palade (2009).

    (G-mean + TNR Nn) / (1 + Nn) where TPR > 0, else 0, with Nn the share of negatives.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,)
        Labels of two classes.
    pos_label : label or None, default=None
        The rare class; None as in `specificity_score`.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights, not negative.

    Returns
    -------
    float
        In [0, 1].

    Raises
    ------
    ValueError
        As in `error_rate`; more than two classes, or a positive class that is unknown or
        not named.

    References
    ----------
    Batuwita & Palade (2009), "A new performance measure for class imbalance learning",
    ICMLA, equation for AGm.

    Examples
    --------
    One positive found among 100 samples with 10 false alarms:

    >>> from skeval.metrics import adjusted_g_mean_score
    >>> y_true = [1] + [0] * 99
    >>> y_pred = [1] * 11 + [0] * 89
    >>> round(adjusted_g_mean_score(y_true, y_pred), 3)
    0.924
    """
    matrix = ConfusionMatrix.from_predictions(y_true, y_pred, sample_weight=sample_weight)
    return float(matrix.adjusted_g_mean(pos_label=pos_label))

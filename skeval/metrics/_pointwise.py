"""The loss of each sample: what intervals, bootstraps and tests need; a mean is the figure."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from skeval.metrics._class_scores import check_class_probabilities, check_probabilities, precision_of
from skeval.metrics._ranked_counts import Floats
from skeval.utils._labels import encode, positive_mask, to_labels
from skeval.utils._validation import (
    LARGEST,
    check_option,
    check_real,
    check_same_length,
    check_shape,
    check_vector,
)


def pointwise_loss(y_true: Any, y_pred: Any, *, loss: str, **params: Any) -> Floats:
    """Return the loss of each sample.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Labels, or numbers for the losses of regression.
    y_pred : array-like of shape (n_samples,) or (n_samples, K)
        What the loss takes.
    loss : str
        - "zero_one": 1 where the predicted label is wrong.
        - "log": minus the logarithm of the probability given to the true class, which is cut
          to [eps, 1 - eps] with eps the precision of the floats; from the probability of the
          positive class, or one column per class.
        - "brier": squared error of the probability of the positive class, in [0, 1].
        - "multiclass_brier": sum over the classes of the squared errors of their
          probabilities, in [0, 2]; for two classes twice "brier".
        - "squared", "absolute": of the difference of two numbers.
        - "pinball": ``alpha`` times what is missing, ``1 - alpha`` times what is too much.
    **params
        ``pos_label`` of "brier" and of "log" with one column: None is 1 (True) for labels
        within {0, 1}, {-1, 1} or {False, True}, otherwise it must be named. ``labels``, the
        classes of the columns, of "multiclass_brier" and of "log". ``alpha`` of "pinball", in
        [0, 1], default 0.5.

    Returns
    -------
    ndarray of shape (n_samples,)
        float64.

    Raises
    ------
    ValueError
        An unknown loss, probabilities outside [0, 1] or that do not sum to 1, lengths that
        differ, missing or infinite values.
    TypeError
        A parameter that the loss does not take.

    Examples
    --------
    >>> from skeval.metrics import pointwise_loss
    >>> pointwise_loss(["a", "b", "b"], ["a", "a", "b"], loss="zero_one")
    array([0., 1., 0.])
    >>> pointwise_loss([1, 0, 1], [0.9, 0.2, 0.5], loss="brier").round(2)
    array([0.01, 0.04, 0.25])
    >>> pointwise_loss([3.0, 5.0], [2.0, 7.0], loss="pinball", alpha=0.9)
    array([0.9, 0.2])
    """
    function = POINTWISE_LOSSES[check_option(loss, "loss", POINTWISE_LOSSES)]
    try:
        inspect.signature(function).bind(y_true, y_pred, **params)
    except TypeError as error:
        raise TypeError(f"loss={loss!r} got the parameters {sorted(params)}: {error}.") from error
    return function(y_true, y_pred, **params)


def zero_one_losses(y_true: Any, y_pred: Any) -> Floats:
    """1 where the predicted label is not the true one."""
    arrays = {"y_true": to_labels(y_true, "y_true"), "y_pred": to_labels(y_pred, "y_pred")}
    check_same_length(**arrays)
    (true, predicted), _ = encode(arrays)
    return (true != predicted).astype(np.float64)


def _residuals(y_true: Any, y_pred: Any) -> Floats:
    true, predicted = (
        check_vector(values, name, minimum_size=0, largest=LARGEST)
        for name, values in (("y_true", y_true), ("y_pred", y_pred))
    )
    check_same_length(y_true=true, y_pred=predicted)
    return true - predicted


def squared_losses(y_true: Any, y_pred: Any) -> Floats:
    """Square of the difference."""
    return _residuals(y_true, y_pred) ** 2


def absolute_losses(y_true: Any, y_pred: Any) -> Floats:
    """Size of the difference."""
    return np.abs(_residuals(y_true, y_pred))


def pinball_losses(y_true: Any, y_pred: Any, *, alpha: float = 0.5) -> Floats:
    """alpha x what the prediction lacks, (1 - alpha) x what it has too much."""
    share = check_real(alpha, "alpha", low=0, high=1)
    missing = _residuals(y_true, y_pred)
    return np.maximum(share * missing, (share - 1) * missing)


def log_losses(
    y_true: Any,
    y_pred: ArrayLike,
    name: str = "y_pred",
    /,
    *,
    labels: ArrayLike | None = None,
    pos_label: Any = None,
) -> Floats:
    """Minus the logarithm of the probability given to the true class; messages call them `name`."""
    shape = check_shape(y_pred, name)
    if len(shape) < 2 or shape[-1] == 1:
        if labels is not None:
            raise ValueError(f"labels name the columns of {name}, which has one; name pos_label.")
        positive, probability = _binary(y_true, y_pred, name, pos_label)
        given = np.where(positive, probability, 1 - probability)
    else:
        if pos_label is not None:
            raise ValueError("pos_label belongs to one column of probabilities; name the columns by labels.")
        codes, probabilities, _ = check_class_probabilities(y_true, y_pred, labels, name)
        given = probabilities[np.arange(len(codes)), codes]
    eps = precision_of(y_pred)
    return -np.log(np.clip(given, eps, 1 - eps))


def brier_losses(y_true: Any, y_pred: ArrayLike, name: str = "y_pred", /, *, pos_label: Any = None) -> Floats:
    """Squared error of the probability of the positive class."""
    positive, probability = _binary(y_true, y_pred, name, pos_label)
    return (probability - positive) ** 2


def multiclass_brier_losses(
    y_true: Any, y_pred: ArrayLike, name: str = "y_pred", /, *, labels: ArrayLike | None = None
) -> Floats:
    """Sum over the classes of the squared errors of their probabilities."""
    codes, probabilities, _ = check_class_probabilities(y_true, y_pred, labels, name)
    return ((probabilities - np.eye(probabilities.shape[1])[codes]) ** 2).sum(axis=1)


def _binary(y_true: Any, y_prob: ArrayLike, name: str, pos_label: Any) -> tuple[Any, Floats]:
    probability = check_probabilities(y_prob, name)
    positive, _ = positive_mask(y_true, pos_label)
    check_same_length(y_true=positive, **{name: probability})
    return positive, probability


POINTWISE_LOSSES: dict[str, Callable[..., Floats]] = {
    "zero_one": zero_one_losses,
    "log": log_losses,
    "brier": brier_losses,
    "multiclass_brier": multiclass_brier_losses,
    "squared": squared_losses,
    "absolute": absolute_losses,
    "pinball": pinball_losses,
}

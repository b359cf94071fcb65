"""AUC of many classes: one against the rest, and Hand & Till's mean over pairs."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from skeval.metrics._class_scores import check_class_scores
from skeval.metrics._ranked_counts import Floats
from skeval.metrics._shares import warn_undefined
from skeval.utils._labels import LabelArray, plain
from skeval.utils._validation import check_option, check_sample_weight


def ovr_auc_score(
    y_true: Any,
    y_score: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    average: str | None = "macro",
    missing: str = "nan",
    sample_weight: ArrayLike | None = None,
) -> Any:
    """ROC AUC of each class against the rest, and their mean.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Labels.
    y_score : array-like of shape (n_samples, K)
        Scores of each class; higher means more of that class. Only the order within a column
        counts.
    labels : array-like of shape (K,), default=None
        Classes of the columns; None: the sorted labels of `y_true`.
    average : {"macro", "weighted"} or None, default="macro"
        "macro": mean over the classes; "weighted": weighted by their share among the true
        labels; None: one value per class.
    missing : {"nan", "omit"}, default="nan"
        A class that is not in `y_true` has no AUC: the mean is undefined, or taken over the
        others. Either way a warning names it.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights, not negative.

    Returns
    -------
    float or ndarray of shape (K,)
        In [0, 1]; nan, with a warning, where undefined.

    Raises
    ------
    ValueError
        Scores that are not one finite column per class, or labels without a column.

    References
    ----------
    Provost & Domingos (2000), "Well-trained PETs", for the weighted mean.

    Examples
    --------
    >>> from skeval.metrics import ovr_auc_score
    >>> y_true = ["a", "a", "b", "b", "c", "c"]
    >>> y_score = [[0.8, 0.1, 0.1], [0.4, 0.5, 0.1], [0.2, 0.7, 0.1], [0.5, 0.3, 0.2], [0.1, 0.3, 0.6],
    ...            [0.1, 0.2, 0.7]]
    >>> ovr_auc_score(y_true, y_score, average=None)
    array([0.875 , 0.8125, 1.    ])
    >>> round(ovr_auc_score(y_true, y_score), 4)
    0.8958
    """
    check_option(average, "average", ("macro", "weighted", None))
    areas, weight, classes = _pairwise_areas(y_true, y_score, labels, missing, sample_weight)
    others = weight * (1 - np.eye(len(weight)))
    rest = others.sum(axis=1)
    total = np.where(others > 0, areas * others, 0).sum(axis=1)
    values = np.where((weight > 0) & (rest > 0), total / np.where(rest > 0, rest, 1), np.nan)
    told = "One-vs-rest AUC" if average else "One-vs-rest AUC of each class"
    _warn_missing(told, classes, weight, missing if average else "each", "classes", len(weight))
    if average is None:
        return values
    return _mean(values, weight if average == "weighted" else np.ones_like(weight), missing)


def hand_till_auc_score(
    y_true: Any,
    y_score: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    missing: str = "nan",
    sample_weight: ArrayLike | None = None,
) -> float:
    """Hand & Till's M: mean over pairs of classes of how well the scores tell them apart.

    For classes i and j, A(i|j) is the probability that the score of class i is higher for a
    sample of i than for one of j, ties half; M is the mean of A(i|j) over all ordered pairs.
    It does not depend on the shares of the classes.

    Parameters
    ----------
    y_true, y_score, labels, sample_weight
        As in `ovr_auc_score`.
    missing : {"nan", "omit"}, default="nan"
        A pair with a class that is not in `y_true` has no AUC: the mean is undefined, or
        taken over the other pairs. Either way a warning names the class.

    Returns
    -------
    float
        In [0, 1]; nan, with a warning, where undefined.

    Raises
    ------
    ValueError
        As in `ovr_auc_score`.

    References
    ----------
    Hand & Till (2001), "A simple generalisation of the area under the ROC curve for multiple
    class classification problems", Machine Learning 45, 171-186, equation 7.

    Examples
    --------
    >>> from skeval.metrics import hand_till_auc_score
    >>> y_true = ["a", "a", "b", "b", "c", "c"]
    >>> y_score = [[0.8, 0.1, 0.1], [0.4, 0.5, 0.1], [0.2, 0.7, 0.1], [0.5, 0.3, 0.2], [0.1, 0.3, 0.6],
    ...            [0.1, 0.2, 0.7]]
    >>> round(hand_till_auc_score(y_true, y_score), 4)
    0.8958
    """
    areas, weight, classes = _pairwise_areas(y_true, y_score, labels, missing, sample_weight)
    size = len(weight)
    _warn_missing("Hand & Till's AUC", classes, weight, missing, "pairs of classes", size * (size - 1) // 2)
    pairs = areas[~np.eye(size, dtype=bool)]
    return _mean(pairs, np.ones_like(pairs), missing)


def _pairwise_areas(
    y_true: Any, y_score: ArrayLike, labels: ArrayLike | None, missing: str, sample_weight: ArrayLike | None
) -> tuple[Floats, Floats, LabelArray]:
    """Return A(i|j) of all classes, shape (K, K), nan without samples; the class weights; the classes."""
    check_option(missing, "missing", ("nan", "omit"))
    codes, scores, classes = check_class_scores(y_true, y_score, labels)
    size = len(classes)
    checked = check_sample_weight(sample_weight, len(codes))
    each = np.ones(len(codes)) if checked is None else checked.astype(np.float64)
    weight: Floats = np.bincount(codes, weights=each, minlength=size).astype(np.float64)
    areas = np.full((size, size), np.nan)
    here = weight > 0
    for which in np.flatnonzero(here):
        score, own = scores[:, which], codes == which
        order = np.argsort(score[own])
        sorted_own = score[own][order]
        upto = np.concatenate([[0.0], np.cumsum(each[own][order])])
        below, reach = (upto[np.searchsorted(sorted_own, score, side=side)] for side in ("left", "right"))
        # Share of the class that scores above each sample, ties half; its mean over each class.
        above = 1 - (below + reach) / (2 * weight[which])
        sums = np.bincount(codes, weights=each * above, minlength=size)
        areas[which, here] = np.clip(sums[here] / weight[here], 0, 1)
    return areas, weight, classes


def _mean(values: Floats, weight: Floats, missing: str) -> float:
    """Weighted mean: nan if a value is undefined, or of the others."""
    use = ~np.isnan(values)
    if not use.any() or (missing == "nan" and not use.all()):
        return np.nan
    return float((values[use] * weight[use]).sum() / weight[use].sum())


def _warn_missing(
    measure: str, classes: LabelArray, weight: Floats, missing: str, what: str, n_total: int
) -> None:
    """Name the classes without samples, and say what is done about them."""
    gone, here = classes[weight == 0], int((weight > 0).sum())
    if not len(gone):
        return
    names = ", ".join(str(plain(label)) for label in gone)
    told = f"class {names} is not in y_true" if len(gone) == 1 else f"classes {names} are not in y_true"
    if here < 2:
        only = f"only one class is present, {plain(classes[weight > 0][0])}" if here else "no sample counts"
        warn_undefined(f"{measure} is undefined: {only}; {told}.")
    elif missing == "each":
        warn_undefined(f"{measure} is undefined where there is no sample: {told}.")
    elif missing == "nan":
        warn_undefined(f"{measure} is undefined: {told}; missing='omit' averages over the others.")
    else:
        used = here if what == "classes" else here * (here - 1) // 2
        warn_undefined(
            f"{measure}: {told} and left out, the mean is over {used} of {n_total} {what} "
            f"(n_classes_used={here})."
        )

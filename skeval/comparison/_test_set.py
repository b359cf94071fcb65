"""One call for several trained models on one test set."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
from scipy import stats

from skeval.comparison._delong import delong_pairwise
from skeval.comparison._logical import PAIR_ADJUSTMENTS, adjust_pairs
from skeval.comparison._names import check_named
from skeval.comparison._predictions import cochrans_q_test, mcnemar_from_table, right_or_wrong
from skeval.comparison._student import t_ratio, warn_zero_variance
from skeval.intervals._auc import delong_covariance
from skeval.metrics._pointwise import absolute_losses, squared_losses
from skeval.model_selection._paired_scores import check_not_tiny
from skeval.utils._labels import factorize, positive_mask, to_labels
from skeval.utils._pairwise import PairwiseResult
from skeval.utils._validation import (
    LARGEST,
    FloatArray,
    IntArray,
    check_option,
    check_same_length,
    check_vector,
)

_LOSSES: dict[str, Callable[[Any, Any], FloatArray]] = {
    "squared": squared_losses,
    "absolute": absolute_losses,
}
_WHAT = {"labels": "accuracy", "scores": "AUC", "values": "mean loss"}
_CONDITIONAL = "these trained models on new samples"
# A spread this small beside the values themselves is rounding.
_NO_SPREAD = 1e-12


def compare_predictions(
    y_true: Any,
    predictions: Mapping[str, Any],
    *,
    kind: str = "labels",
    groups: Any = None,
    loss: Any = None,
    adjust: str = "holm",
    pos_label: Any = None,
) -> PairwiseResult:
    """Compare all pairs of several trained models on one test set.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True labels or, for ``kind="values"``, true numbers.
    predictions : dict of {name: array-like of shape (n_samples,)}
        What two models or more said of the same samples, which none was trained on.
    kind : {"labels", "scores", "values"}, default="labels"
        - "labels": predicted classes, compared by accuracy: McNemar's mid-p test of each
          pair, and Cochran's Q of all where there are more than two.
        - "scores": scores of the positive class, compared by AUC: DeLong's test.
        - "values": predicted numbers, compared by the mean of a loss: paired t-test of the
          losses of the samples.
    groups : array-like of shape (n_samples,), default=None
        The cluster of each sample, where samples come in clusters (questions about one text,
        images of one patient). Then the differences of each pair are tested with
        cluster-robust standard errors, whatever the kind.
    loss : {"squared", "absolute"} or callable, default=None
        For ``kind="values"``; None: "squared". A callable takes the true numbers and the
        predictions and returns a loss per sample: ``lambda y, p: -p`` for points that
        somebody gave.
    adjust : str, default="holm"
        A method of `adjust_pvalues`, "shaffer" or "bergmann-hommel".
    pos_label : label, default=None
        For ``kind="scores"``, as in `delong_test`.

    Returns
    -------
    PairwiseResult
        ``estimate`` is positive where the first of a pair is better: difference of
        accuracies, of AUCs, or mean loss of the second less that of the first, with standard
        error and interval. ``explanation`` says what was done, why, and what else could have
        been. ``per_pair``: samples that only one of the two got right ("labels"), or the
        share of samples with the smaller loss, equal ones by half ("values").

    Raises
    ------
    ValueError
        Fewer than two models, lengths that differ, missing values, fewer than two clusters,
        a `loss` where there is none.

    Warns
    -----
    DegenerateDataWarning
        Two models do not differ on any sample.

    Notes
    -----
    The test depends on the kind of predictions and on whether there are clusters, not on what
    they hold. It speaks of these trained models; to compare the methods that trained them use
    `compare_cv`.

    With G clusters the variance of an estimate is G/(G - 1) sum S_g^2/n^2 (known as CR1), S_g
    the sum over a cluster of the deviations of its samples from the estimate; of an AUC, of
    its influence function. The test has G - 1 degrees of freedom. That is good from some 20
    clusters on; with fewer, or very unequal ones, it rejects too often.

    References
    ----------
    Fagerland, Lydersen & Laake (2013), BMC Medical Research Methodology 13:91; DeLong, DeLong
    & Clarke-Pearson (1988), Biometrics 44; Cameron & Miller (2015), A practitioner's guide to
    cluster-robust inference, Journal of Human Resources 50; Obuchowski (1997), Nonparametric
    analysis of clustered ROC curve data, Biometrics 53.

    Examples
    --------
    >>> from skeval.comparison import compare_predictions
    >>> y = ["cat", "dog", "dog", "cat", "dog", "cat", "dog", "dog"]
    >>> predictions = {
    ...     "a": ["cat", "dog", "dog", "cat", "dog", "cat", "dog", "cat"],
    ...     "b": ["dog", "dog", "cat", "cat", "cat", "dog", "dog", "cat"],
    ... }
    >>> result = compare_predictions(y, predictions)
    >>> float(result.estimate[0]), round(float(result.pvalue[0]), 4)
    (0.5, 0.0625)
    """
    check_option(kind, "kind", tuple(_WHAT))
    check_option(adjust, "adjust", PAIR_ADJUSTMENTS)
    named = check_named(predictions, "predictions", holds="predictions", of="model")
    if loss is not None and kind != "values":
        raise ValueError(f"loss is for kind='values', got kind={kind!r} and loss={loss!r}: leave it out.")
    if groups is not None:
        return _clustered(y_true, named, kind, groups, loss, adjust, pos_label)
    if kind == "labels":
        return _labels(y_true, named, adjust)
    if kind == "values":
        return _values(y_true, named, loss, adjust)
    return replace(
        delong_pairwise(y_true, named, adjust=adjust, pos_label=pos_label),
        explanation=_explain(
            "The models scored the same samples, so that their AUCs are correlated: each pair was compared "
            "by DeLong's test",
            len(named),
            adjust,
            "metric_interval(..., other=...) for another measure of the scores; kind='labels' for classes",
        ),
    )


def _labels(y_true: Any, predictions: Mapping[str, Any], adjust: str) -> PairwiseResult:
    """Return McNemar's tests of all pairs, with Cochran's Q of all."""
    names, pairs = tuple(predictions), tuple(combinations(predictions, 2))
    right = dict(zip(names, right_or_wrong(y_true, predictions), strict=True))
    tables = [2 * (1 - right[a]) + (1 - right[b]) for a, b in pairs]
    tests = [mcnemar_from_table(np.bincount(cells, minlength=4).reshape(2, 2)) for cells in tables]
    omnibus = cochrans_q_test(y_true, predictions) if len(names) > 2 else None
    raw = np.array([test.pvalue for test in tests])
    return PairwiseResult(
        methods=names,
        pairs=pairs,
        estimate=np.array([test.estimate for test in tests], dtype=np.float64),
        statistic=np.array([test.statistic for test in tests]),
        raw_pvalue=raw,
        pvalue=adjust_pairs(raw, len(names), method=adjust),
        method=f"McNemar test (mid-p) of all pairs ({adjust})",
        hypothesis=tests[0].hypothesis,
        estimand=f"accuracy of {_CONDITIONAL}, first minus second",
        reference=tests[0].reference,
        omnibus=omnibus,
        details={"n_samples": tests[0].details["n_samples"]},
        standard_error=np.array([test.standard_error for test in tests], dtype=np.float64),
        df=np.full(len(pairs), np.inf),
        per_pair={side: np.array([test.details[side] for test in tests]) for side in ("only_a", "only_b")},
        limits=(-1.0, 1.0),
        explanation=_explain(
            "The models labeled the same samples, so that only those count which one of two got right: each "
            "pair was compared by McNemar's mid-p test",
            len(names),
            adjust,
            "permutation_test for another measure, such as F1; mcnemar_test(method='exact'); groups= where "
            "samples come in clusters",
        ),
    )


def _values(y_true: Any, predictions: Mapping[str, Any], loss: Any, adjust: str) -> PairwiseResult:
    """Return paired t-tests of the losses of the samples."""
    losses, name = _losses(y_true, predictions, loss)
    if losses.shape[1] < 2:
        raise ValueError(f"y_true must hold at least 2 samples, got {losses.shape[1]}.")
    result = _robust_tests(
        tuple(predictions), -losses.mean(axis=1), losses.mean(axis=1, keepdims=True) - losses, adjust
    )
    return replace(
        result,
        method=f"paired t-test of the {name} losses of all pairs ({adjust})",
        estimand=f"mean {name} loss of {_CONDITIONAL}, second minus first",
        reference="Student (1908), Biometrika 6",
        per_pair=_superiority(losses),
        explanation=_explain(
            "The models predicted the same independent samples: each pair was compared by the paired t-test "
            f"of its {name} losses",
            len(predictions),
            adjust,
            "paired_permutation_test and wilcoxon_test of the losses where a few are extreme; groups= where "
            "samples come in clusters",
        ),
    )


def _clustered(
    y_true: Any,
    predictions: Mapping[str, Any],
    kind: str,
    groups: Any,
    loss: Any,
    adjust: str,
    pos_label: Any,
) -> PairwiseResult:
    """Return tests with cluster-robust standard errors."""
    per_pair: dict[str, Any] = {}
    what = _WHAT[kind]
    if kind == "labels":
        right = np.array(right_or_wrong(y_true, predictions), dtype=np.float64)
        estimate, influence = right.mean(axis=1), right - right.mean(axis=1, keepdims=True)
    elif kind == "scores":
        estimate, influence = _auc_influence(y_true, predictions, pos_label)
    else:
        losses, name = _losses(y_true, predictions, loss)
        estimate, influence = -losses.mean(axis=1), losses.mean(axis=1, keepdims=True) - losses
        per_pair, what = _superiority(losses), f"mean {name} loss"
    codes, clusters = factorize(to_labels(groups, "groups"))
    check_same_length(y_true=influence[0], groups=codes)
    if len(clusters) < 2:
        raise ValueError(f"groups must hold at least 2 clusters, got {len(clusters)}.")
    result = _robust_tests(tuple(predictions), estimate, influence, adjust, codes)
    order = "second minus first" if kind == "values" else "first minus second"
    return replace(
        result,
        method=f"paired differences of the {what}, cluster-robust, all pairs ({adjust})",
        estimand=f"{what} of {_CONDITIONAL} of new clusters, {order}",
        reference="Cameron & Miller (2015), Journal of Human Resources 50, section II",
        details={"n_samples": len(codes), "n_groups": len(clusters)},
        per_pair=per_pair,
        limits=(-np.inf, np.inf) if kind == "values" else (-1.0, 1.0),
        explanation=_explain(
            f"Samples of one cluster are not independent: the differences of the {what} were tested with "
            f"standard errors from the {len(clusters)} clusters (CR1) and {len(clusters) - 1} degrees of "
            "freedom",
            len(predictions),
            adjust,
            "metric_interval(..., other=..., groups=...), which resamples whole clusters; without groups= "
            "where the samples are independent after all",
        ),
    )


def _robust_tests(
    names: tuple[str, ...],
    estimate: FloatArray,
    influence: FloatArray,
    adjust: str,
    codes: IntArray | None = None,
) -> PairwiseResult:
    """Return t-tests of all pairs from each model's estimate and the influence of each sample.

    Without clusters each sample is one of its own: the paired t-test.
    """
    n_samples = influence.shape[1]
    codes = np.arange(n_samples) if codes is None else codes
    n_groups = int(codes.max()) + 1
    pairs, (first, second) = tuple(combinations(names, 2)), np.triu_indices(len(names), 1)
    sums = np.array([np.bincount(codes, weights=row) for row in influence])
    apart = sums[first] - sums[second]
    effect = estimate[first] - estimate[second]
    error = np.sqrt(n_groups / (n_groups - 1) * (apart**2).sum(axis=1)) / n_samples
    size = np.abs(estimate).max() + np.abs(influence).max()
    effect = np.where(np.abs(effect) <= _NO_SPREAD * size, 0.0, effect)
    error = np.where(error <= _NO_SPREAD * size, 0.0, error)
    for where in np.flatnonzero(error == 0):
        told = " and ".join(pairs[where])
        warn_zero_variance(
            f"the difference of {told} is the same everywhere, which makes the statistic infinite."
            if effect[where]
            else f"{told} do not differ; a test of difference gives 0 and p = 1."
        )
    statistic = np.array([t_ratio(float(e), float(s)) for e, s in zip(effect, error, strict=True)])
    raw = np.where((effect == 0) & (error == 0), 1.0, 2 * stats.t.sf(np.abs(statistic), n_groups - 1))
    return PairwiseResult(
        methods=names,
        pairs=pairs,
        estimate=effect,
        statistic=statistic,
        raw_pvalue=raw,
        pvalue=adjust_pairs(raw, len(names), method=adjust),
        hypothesis="the two models are equally good on average",
        details={"n_samples": n_samples},
        standard_error=error,
        df=np.full(len(pairs), n_groups - 1.0),
    )


def _losses(y_true: Any, predictions: Mapping[str, Any], loss: Any) -> tuple[FloatArray, str]:
    """Return a row of losses for each model, and the name of the loss."""
    true = check_vector(y_true, "y_true")
    values = {name: check_vector(one, name) for name, one in predictions.items()}
    check_same_length(y_true=true, **values)
    loss = "squared" if loss is None else loss
    if not callable(loss):
        check_option(loss, "loss", tuple(_LOSSES))
    function, told = (loss, "given") if callable(loss) else (_LOSSES[loss], loss)
    rows = {
        name: check_vector(function(true, one), f"loss of {name}", largest=LARGEST)
        for name, one in values.items()
    }
    check_same_length(y_true=true, **rows)
    losses = np.array(list(rows.values()))
    for numbers in (np.array([true, *values.values()]), losses):
        check_not_tiny(numbers)
    return losses, told


def _superiority(losses: FloatArray) -> dict[str, FloatArray]:
    """Return the share of samples on which the first of each pair has the smaller loss, ties by half."""
    first, second = np.triu_indices(len(losses), 1)
    won = np.sign(losses[second] - losses[first])
    return {"superiority": (won.mean(axis=1) + 1) / 2}


def _auc_influence(
    y_true: Any, predictions: Mapping[str, Any], pos_label: Any
) -> tuple[FloatArray, FloatArray]:
    """Return the AUCs, and n times what each sample adds to them."""
    positive, _ = positive_mask(y_true, pos_label)
    hint = "; pass the column of the positive class"
    scores = {name: check_vector(one, name, hint=hint) for name, one in predictions.items()}
    n_samples = check_same_length(y_true=positive, **scores)
    values = np.array(list(scores.values()))
    aucs, _ = delong_covariance(positive, values)
    ranks = stats.rankdata(values, axis=1)
    influence = np.empty_like(ranks)
    for side, sign in ((positive, 1.0), (~positive, -1.0)):
        # A sample's mid-rank among all less that in its class: how much of the other class it is above.
        above = (ranks[:, side] - stats.rankdata(values[:, side], axis=1)) / (~side).sum()
        right = above if sign > 0 else 1 - above
        influence[:, side] = n_samples / side.sum() * (right - aucs[:, None])
    return aucs, influence


def _explain(done: str, n_models: int, adjust: str, others: str) -> str:
    """Say what was done and why, and name the alternatives."""
    n_pairs = n_models * (n_models - 1) // 2
    adjusted = f", and the {n_pairs} p-values were adjusted by {adjust}" if n_pairs > 1 else ""
    return f"{done}{adjusted}. Alternatives: {others}."

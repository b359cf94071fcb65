"""Bootstrap intervals of any measure of labels or scores, of one model or of the difference of two."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from skeval.exceptions import DegenerateDataWarning, ResamplingWarning
from skeval.intervals._data import label_replicates, score_replicates
from skeval.intervals._endpoints import acceleration_of, basic_ends, bca_tails, equal_to
from skeval.intervals._measures import Measured, find_measure, share_interval
from skeval.intervals._proportion import PROPORTION_METHODS
from skeval.intervals._replicates import LabelReplicates, Replicates
from skeval.intervals._result import IntervalResult
from skeval.intervals._rows import Rows
from skeval.metrics._shares import undefined_not_told
from skeval.utils._random import check_generator
from skeval.utils._resamples import percentile_ends
from skeval.utils._validation import FloatArray, check_int, check_level, check_option
from skeval.utils._warnings import warn_user

_METHODS = {
    "bca": ("BCa bootstrap", "Efron (1987), JASA 82, 171-185; Efron & Tibshirani (1993), equation 14.10"),
    "percentile": ("percentile bootstrap", "Davison & Hinkley (1997), equation 5.18"),
    "basic": ("basic bootstrap", "Davison & Hinkley (1997), equation 5.6"),
}
_SHARE_METHODS = tuple(name for name in PROPORTION_METHODS if name != "wald")


def metric_interval(
    metric: Any,
    y_true: Any,
    y_pred_or_score: Any = None,
    *,
    other: Any = None,
    groups: Any = None,
    method: str = "bca",
    n_resamples: int = 9999,
    confidence_level: float = 0.95,
    stratify: bool = False,
    labels: ArrayLike | None = None,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
    weight_kind: str = "frequency",
    kind: str | None = None,
    random_state: Any = None,
) -> IntervalResult:
    """Confidence interval of any measure of a fitted model, or of the difference of two models.

    Parameters
    ----------
    metric : str or callable
        A label measure ("accuracy", "f1", "f1_macro", "matthews_corrcoef", "g_mean", ...), a
        threshold measure ("roc_auc", "average_precision", "pr_area", "break_even", "rank_loss"), or a
        function of a stacked `ConfusionMatrix` (of a stacked `RankedScores` with
        ``kind="scores"``) that returns one value per matrix: ``lambda cm: cm.cost(cost)``.
        A function of (y_true, y_pred) has no closed form for resamples and is refused.
    y_true : array-like of shape (n_samples,), ConfusionMatrix or RankedScores
        True labels; or the statistic itself, counted before (from chunks, say), instead of
        both arrays.
    y_pred_or_score : array-like of shape (n_samples,)
        Predicted labels, or scores where the measure takes scores.
    other : array-like of shape (n_samples,), default=None
        Labels or scores of a second model on the same samples: the interval is that of the
        first minus the second, both taken from the same resample.
    groups : array-like of shape (n_samples,), default=None
        Clusters of dependent samples (patients, documents): whole groups are drawn.
    method : {"bca", "percentile", "basic", "wilson", "clopper-pearson", "jeffreys", "agresti-coull"}, \
default="bca"
        The first three are bootstrap intervals. The rest are those of `proportion_interval`,
        for a measure that is a share of counts: accuracy, error rate, precision, recall,
        specificity, negative predictive value, false positive and false negative rate.
    n_resamples : int, default=9999
        Number of bootstrap replicates.
    confidence_level : float, default=0.95
        Strictly between 0 and 1.
    stratify : bool, default=False
        True: the number of samples of each true class is kept in every resample, and the
        interval is for these class shares. False: class shares vary as they do in samples of
        this size.
    labels : array-like of shape (K,), default=None
        Classes of a label measure; a class named here counts in averages even where it has
        no sample. None: those seen, and a class missing from a resample is left out of it.
    pos_label : label or None, default=None
        The positive class, of measures that have one. None: 1 (True) for labels within
        {0, 1}, {-1, 1} or {False, True}; otherwise it must be named.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights, not negative.
    weight_kind : {"frequency", "importance"}, default="frequency"
        "frequency": a whole number w stands for the sample repeated w times. "importance":
        rows are drawn as they are and carry their weights.
    kind : {"labels", "scores"} or None, default=None
        Which statistic a callable takes; None: labels. A name knows.
    random_state : int, RandomState, Generator or None, default=None

    Returns
    -------
    IntervalResult
        ``estimand`` says what varies; ``replicates`` holds the bootstrap distribution.

    Raises
    ------
    ValueError
        The measure is undefined on the data (a single class, 0/0), or no resample defines
        it; weights or statistics with fractions as frequencies; options that exclude each
        other; bad labels or scores.
    TypeError
        A callable that does not take a stacked statistic.

    Warns
    -----
    ResamplingWarning
        Resamples in which the measure is undefined (they are counted in ``n_failed`` and
        left out), or too few of them for the level.
    DegenerateDataWarning
        All replicates are equal, so that the interval has no width; or BCa is undefined, and
        the percentile interval is given. The message names the analytic interval to use.

    Notes
    -----
    The interval is for this fitted model: the test samples vary, the training data do not.

    A resample changes a confusion matrix only through its cells, whose counts are then
    multinomial: they are drawn directly, at a cost that does not depend on the number of
    samples. Of ranked scores the multiplicities are drawn, in blocks of bounded memory.

    BCa takes its acceleration from a jackknife: one evaluation per distinct unit (cell,
    sample or group), or, where there are more than 1,000, per random group of units. The
    ends always enclose the estimate and stay in the range of a named measure.

    References
    ----------
    Efron (1987), "Better bootstrap confidence intervals", Journal of the American
    Statistical Association 82, 171-185; Efron & Tibshirani (1993), "An introduction to the
    bootstrap", equations 14.10, 14.14 and 14.15: BCa. Davison & Hinkley (1997), "Bootstrap
    methods and their application", equations 5.6 (basic) and 5.18 (percentile), and section
    5.3.2 for strata.

    Examples
    --------
    >>> import numpy as np
    >>> from skeval.intervals import metric_interval
    >>> y = np.repeat([1, 0], [60, 140])
    >>> a = np.concatenate([np.repeat([1, 0], [48, 12]), np.repeat([1, 0], [21, 119])])
    >>> result = metric_interval("f1", y, a, random_state=0)
    >>> f"{result.estimate:.3f} [{result.low:.2f}, {result.high:.2f}]"
    '0.744 [0.65, 0.82]'
    >>> b = np.concatenate([np.repeat([1, 0], [42, 18]), np.repeat([1, 0], [21, 119])])
    >>> difference = metric_interval("f1", y, a, other=b, random_state=0)
    >>> f"{difference.estimate:.3f} [{difference.low:.2f}, {difference.high:.2f}]"
    '0.061 [0.02, 0.13]'
    """
    check_option(method, "method", (*_METHODS, *_SHARE_METHODS))
    importance = check_option(weight_kind, "weight_kind", ("frequency", "importance")) == "importance"
    level = check_level(confidence_level, "confidence_level")
    n_resamples = check_int(n_resamples, "n_resamples", minimum=1)
    measured = find_measure(metric, y_true, kind, pos_label)
    if measured.kind == "scores" and labels is not None:
        raise ValueError(f"labels belong to a label measure; {measured.name} takes scores.")
    read = label_replicates if measured.kind == "labels" else score_replicates
    replicates = read(
        measured,
        y_true,
        y_pred_or_score,
        other=other,
        groups=groups,
        stratify=check_option(stratify, "stratify", (True, False)),
        sample_weight=sample_weight,
        importance=importance,
        pos_label=pos_label,
        **({"labels": labels} if measured.kind == "labels" else {}),
    )
    if method in _SHARE_METHODS:
        if other is not None or groups is not None or importance or stratify:
            raise ValueError(
                f"method={method!r} takes independent samples that count once: no other, no groups, no "
                "importance weights and no stratify; use method='bca' or 'percentile'."
            )
        return share_interval(
            measured, replicates, method=method, confidence_level=level, pos_label=pos_label
        )
    estimand = _estimand(measured.name, replicates.rows, other, groups, stratify, importance)
    return _bootstrap_interval(
        measured, replicates, method, n_resamples, level, check_generator(random_state), estimand
    )


def _bootstrap_interval(
    measured: Measured,
    replicates: Replicates,
    method: str,
    n_resamples: int,
    level: float,
    generator: np.random.Generator,
    estimand: str,
) -> IntervalResult:
    tail = (1 - level) / 2
    least, most = measured.low, measured.high
    difference = len(replicates.rows.predicted) > 1
    if difference:
        least, most = least - most, most - least
    estimate = min(max(_estimate(measured, replicates), least), most)
    with undefined_not_told():
        drawn = replicates.rows.drawn(n_resamples, generator, replicates.width)
        values = np.concatenate([replicates(times) for times in drawn])
    valid = values[np.isfinite(values)]
    n_failed = n_resamples - len(valid)
    _warn_of_failures(measured.name, n_resamples, n_failed, tail)
    low, high, used = _ends(measured, replicates, method, valid, estimate, tail, generator)
    name, reference = _METHODS[used]
    return IntervalResult(
        estimate=estimate,
        low=max(least, min(low, estimate)),
        high=min(most, max(high, estimate)),
        confidence_level=level,
        measure=f"difference of {measured.name}" if difference else measured.name,
        method=name,
        estimand=estimand,
        reference=reference,
        standard_error=float(valid.std(ddof=1)) if len(valid) > 1 else None,
        n_resamples=n_resamples,
        n_failed=n_failed,
        replicates=valid,
    )


def _estimate(measured: Measured, replicates: Replicates) -> float:
    """Return the measure on the data."""
    data = replicates.rows.counts[None]
    try:
        with undefined_not_told():
            value = float(replicates(data)[0])
    except (TypeError, IndexError) as error:
        statistic = "ConfusionMatrix" if measured.kind == "labels" else "RankedScores"
        raise TypeError(
            f"metric must be a function of a stacked {statistic} that returns one value per resample, but "
            f"{measured.name} failed on one ({error}); a function of (y_true, y_pred) cannot be used: no "
            "closed form of its resamples is known."
        ) from error
    if not np.isfinite(value):
        raise ValueError(
            f"{measured.name} is undefined on these data (a single class, or 0/0): there is no interval."
        )
    if measured.named and isinstance(replicates, LabelReplicates):
        for stack in replicates.matrices(data):
            measured.function(stack[0])  # lets its warnings reach the user
    return value


def _warn_of_failures(name: str, n_resamples: int, n_failed: int, tail: float) -> None:
    if n_failed == n_resamples:
        raise ValueError(
            f"{name} is undefined in all {n_resamples} resamples (a single class, or 0/0): there is no "
            "interval; use a larger n_resamples, or stratify=True, which keeps every class."
        )
    if n_failed:
        warn_user(
            f"{name} is undefined in {n_failed} of {n_resamples} resamples ({n_failed / n_resamples:.1%}): "
            "they hold a single class, or none of the samples that it is a share of. They are left out; "
            "stratify=True keeps every class.",
            ResamplingWarning,
        )
    if (n_resamples - n_failed + 1) * tail < 1:
        warn_user(
            f"{n_resamples - n_failed} replicates are too few for tails of {tail:.3g}: the ends are the "
            f"extreme replicates. Use n_resamples={int(np.ceil(10 / tail))} or more.",
            ResamplingWarning,
        )


def _ends(
    measured: Measured,
    replicates: Replicates,
    method: str,
    valid: FloatArray,
    estimate: float,
    tail: float,
    generator: np.random.Generator,
) -> tuple[float, float, str]:
    """Return the ends, and the method that they come from."""
    if equal_to(valid, float(valid[0])).all():
        warn_user(
            f"degenerate: all {len(valid)} replicates of {measured.name} are {valid[0]:.4g}, so that the "
            f"interval has no width, which is not certainty; {measured.analytic}.",
            DegenerateDataWarning,
        )
        return float(valid[0]), float(valid[0]), method
    if method == "basic":
        return *basic_ends(valid, estimate, tail), method
    if method == "bca":
        with undefined_not_told():
            acceleration = acceleration_of(
                (replicates(stay), counts, strata)
                for stay, counts, strata in replicates.rows.left_out(generator, replicates.width)
            )
        tails = bca_tails(valid, estimate, acceleration, tail)
        if tails is not None:
            return *percentile_ends(valid, tails), method
        warn_user(
            f"degenerate: BCa is undefined for {measured.name} on these data (all replicates on one side of "
            "the estimate, no jackknife, or a level too close to 1); the percentile interval is given. "
            f"Better {measured.analytic}.",
            DegenerateDataWarning,
        )
    return *percentile_ends(valid, (tail, 1 - tail)), "percentile"


def _estimand(name: str, rows: Rows, other: Any, groups: Any, stratify: bool, importance: bool) -> str:
    """Say what the interval is for, and what varies."""
    what = "this fitted model" if other is None else "the first fitted model minus that of the second"
    drawn = f"{int(rows.counts.sum())} {'samples' if groups is None else 'groups, drawn whole'}"
    shares = "class counts fixed" if stratify else "class shares random"
    weights = ", rows weighted by importance" if importance else ""
    return f"{name} of {what} on the population of these {drawn} ({shares}{weights})"

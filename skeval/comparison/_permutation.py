"""The paired permutation test of two classifiers on one test set."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from skeval.comparison._proportions import difference_ends
from skeval.comparison._sign_flips import Tail, half_binomial_tail
from skeval.comparison._student import ALTERNATIVES
from skeval.comparison._swaps import AUTO_CELLS, MAX_CELLS, Swaps, exact_tail, sampled_swaps
from skeval.exceptions import DegenerateDataWarning
from skeval.intervals import paired_difference_interval
from skeval.metrics import ConfusionMatrix
from skeval.metrics._measure_names import LOSSES, label_measure, takes_pos_label
from skeval.metrics._shares import one_per_replicate
from skeval.utils._labels import encode, to_labels
from skeval.utils._random import check_generator
from skeval.utils._results import TestResult
from skeval.utils._validation import IntArray, check_int, check_option, check_same_length
from skeval.utils._warnings import warn_user

REFERENCE = "Zmigrod, Vieira & Cotterell (2022), Exact Paired-Permutation Testing, NAACL"


def permutation_test(
    y_true: Any,
    pred_a: Any,
    pred_b: Any,
    *,
    metric: str | Callable[[ConfusionMatrix], Any] = "accuracy",
    method: str = "auto",
    alternative: str = "two-sided",
    pos_label: Any = None,
    n_resamples: int = 9999,
    random_state: Any = None,
) -> TestResult:
    """Paired permutation test of two classifiers on one test set, for any label measure.

    Under the null hypothesis it does not matter which model made which of the two
    predictions for a sample: swapping them at random gives the null distribution of the
    difference of the two measures.

    Parameters
    ----------
    y_true, pred_a, pred_b : array-like of shape (n_samples,)
        True labels and the two models' labels of the same samples.
    metric : str or callable, default="accuracy"
        Name of a label measure ("accuracy", "f1", "f1_macro", "recall",
        "matthews_corrcoef", "g_mean", ...), or a function that takes a `ConfusionMatrix` of
        shape (n, K, K) and returns n values, greater is better.
    method : {"auto", "exact", "monte-carlo"}, default="auto"
        "exact": the sum over all swaps. "monte-carlo": `n_resamples` random ones. "auto":
        exact where that takes about a second at most. Accuracy and the error rate are exact
        for any number of classes, every measure of two classes up to some 100,000
        discordant samples, other measures where few samples are discordant.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        "greater": a is better than b.
    pos_label : label, default=None
        The positive class, for measures that need one. None: 1 (True) for labels within
        {0, 1}, {-1, 1} or {False, True}.
    n_resamples : int, default=9999
        Random swaps of the Monte Carlo form, at least 1.
    random_state : int, RandomState, Generator or None, default=None
        For the Monte Carlo form.

    Returns
    -------
    TestResult
        ``statistic`` and ``estimate`` are the measure of a minus that of b; for a loss
        ("error_rate", "false_positive_rate", ...) b minus a, so that a positive one says
        that a is better. ``details``: both measures, numbers of samples and of discordant
        ones, ``log_pvalue`` (natural logarithm), the form of the test. The difference of two
        accuracies has Newcombe's interval for paired shares; that of another measure, see
        `metric_interval`.

    Raises
    ------
    ValueError
        Lengths that differ, labels of two kinds, missing labels, no sample; a measure that
        is undefined for a or b; ``method="exact"`` where that takes too long.

    Warns
    -----
    DegenerateDataWarning
        No discordant sample: p = 1.

    See Also
    --------
    mcnemar_test : The mid-p form of the same test of the accuracy, less conservative.
    paired_permutation_test : For paired scores.

    Notes
    -----
    For two classes the true and false positives of a are, under the null, shifted
    independent binomials: P(difference >= observed) is a double sum over the discordant
    positives and negatives. Tables whose probability is negligible beside the p-value (a
    share of 1e-9) are left out and their probability is added, so that the p-value is never
    understated. A difference within 1e-12 of the observed one counts as at least as extreme,
    and so does one that is undefined. The Monte Carlo form draws the same numbers at random,
    p = (b + 1)/(n_resamples + 1), which is never 0.

    The null hypothesis is about these two trained models on samples like those of the test
    set; neither may have been trained on them. Predictions pooled over cross-validation
    folds come from models that share training data: compare methods by
    `corrected_resampled_ttest`.

    References
    ----------
    Zmigrod, Vieira & Cotterell (2022), Exact paired-permutation testing for structured test
    statistics, Proceedings of NAACL, section 3. Phipson & Smyth (2010), Statistical
    Applications in Genetics and Molecular Biology 9, for (b + 1)/(n + 1).

    Examples
    --------
    >>> from skeval.comparison import permutation_test
    >>> y = [1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0]
    >>> a = [1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 1]
    >>> b = [1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1]
    >>> result = permutation_test(y, a, b, metric="f1")
    >>> round(result.statistic, 4), result.pvalue
    (0.5231, 0.0625)
    >>> permutation_test(y, a, b).pvalue
    0.0625
    """
    check_option(method, "method", ("auto", "exact", "monte-carlo"))
    check_option(alternative, "alternative", ALTERNATIVES)
    n_resamples = check_int(n_resamples, "n_resamples", minimum=1)
    arrays = {
        name: to_labels(values, name)
        for name, values in (("y_true", y_true), ("pred_a", pred_a), ("pred_b", pred_b))
    }
    n_samples = check_same_length(**arrays)
    if not n_samples:
        raise ValueError("y_true must hold at least one sample, got none.")
    measure, name, is_loss = _measure(metric, pos_label)
    if metric in ("accuracy", "error_rate") and method != "monte-carlo":
        tail, facts, interval = _accuracy_tail(encode(arrays)[0], name, alternative)
    else:
        (true, *predicted), labels = encode(arrays)
        values = {
            f"measure_{model}": _observed(metric, measure, arrays["y_true"], arrays[f"pred_{model}"], labels)
            for model in "ab"
        }
        turned = (alternative == "less") != is_loss  # then b takes the first place
        swaps = Swaps.of([true, *predicted[:: -1 if turned else 1]], labels, measure)
        tail, facts = _swaps_tail(swaps, method, alternative, n_resamples, random_state)
        facts, interval = facts | values, None
    if not facts["n_discordant"]:
        warn_user(
            "no discordant samples: the two models are alike on every sample that counts, so p is set to 1.",
            DegenerateDataWarning,
        )
    first, second = ("b", "a") if is_loss else ("a", "b")
    difference = facts[f"measure_{first}"] - facts[f"measure_{second}"]
    return TestResult(
        statistic=difference,
        pvalue=tail.pvalue,
        estimate=difference,
        alternative=alternative,
        method=f"paired permutation test of the {name} ({facts['form']})",
        hypothesis="the two models' predictions are exchangeable",
        estimand=f"{name} of these two trained models on new samples, first minus second"
        + (" (sign turned: it is a loss)" if is_loss else ""),
        reference=REFERENCE,
        statistic_name="difference",
        details={"n_samples": n_samples, "log_pvalue": tail.log} | facts,
        _interval=interval,
    )


def _measure(metric: Any, pos_label: Any) -> tuple[Callable[[ConfusionMatrix], Any], str, bool]:
    """Return a measure of a stack of matrices, its name, and whether smaller is better."""
    if callable(metric):
        name = getattr(metric, "__name__", "<lambda>")
        return metric, "measure given" if name == "<lambda>" else name, False
    if not isinstance(metric, str):
        raise TypeError(f"metric must be the name of a label measure or a function, got {metric!r}.")
    if metric.startswith("cost_sensitive"):
        raise ValueError(f"metric={metric!r} needs a cost matrix: pass metric=lambda cm: -cm.cost(cost).")
    params = {"pos_label": pos_label} if takes_pos_label(metric) else {}
    return label_measure(metric, **params), metric, metric.startswith(LOSSES)


def _observed(
    metric: Any, measure: Callable[[ConfusionMatrix], Any], true: Any, predicted: Any, labels: Any
) -> float:
    """Return the measure of one model, with the warnings that belong to it."""
    if metric is measure:  # a function of a stack with the labels of both models
        counts = ConfusionMatrix.from_predictions(true, predicted, labels=labels).counts
        [value] = one_per_replicate(measure(ConfusionMatrix(counts[None], labels)), 1)
    else:
        value = measure(ConfusionMatrix.from_predictions(true, predicted))
    if np.isnan(value):
        raise ValueError(
            f"The metric {metric!r} is undefined (nan) on these predictions: choose another one."
        )
    return float(value)


def _accuracy_tail(
    codes: list[IntArray], name: str, alternative: str
) -> tuple[Tail, dict[str, Any], Callable[..., tuple[float, float]]]:
    """Return the exact tail of the number of samples that only one gets right, and the interval."""
    right_a, right_b = codes[1] == codes[0], codes[2] == codes[0]
    counted = (right_a, right_b) if name == "accuracy" else (~right_a, ~right_b)
    values = {f"measure_{model}": float(hits.mean()) for model, hits in zip("ab", counted, strict=True)}
    only_a, only_b = int((right_a & ~right_b).sum()), int((right_b & ~right_a).sum())
    only = {"two-sided": max(only_a, only_b), "greater": only_a, "less": only_b}[alternative]
    tail = half_binomial_tail(only, only_a + only_b)
    facts = {"form": "exact", "n_discordant": only_a + only_b} | values
    tail = tail.doubled() if alternative == "two-sided" else tail
    both = int((right_a & right_b).sum())
    table = [[both, only_a], [only_b, len(right_a) - both - only_a - only_b]]
    return tail, facts, partial(difference_ends, paired_difference_interval, (table,))


def _swaps_tail(
    swaps: Swaps, method: str, alternative: str, n_resamples: int, random_state: Any
) -> tuple[Tail, dict[str, Any]]:
    """Return the tail of a difference of measures, and how it was found."""
    two_sided = alternative == "two-sided"
    facts = {"form": "exact", "n_discordant": int(swaps.sizes.sum())}
    if not facts["n_discordant"]:
        return Tail(1.0, 0.0), facts
    if method != "monte-carlo":
        limit = AUTO_CELLS if method == "auto" else MAX_CELLS
        tail = exact_tail(swaps, two_sided=two_sided, max_cells=limit)
        if tail is not None:
            return tail, facts
        if method == "exact":
            raise ValueError(
                f"method='exact' takes too long for {len(swaps.labels)} classes and "
                f"{facts['n_discordant']} discordant samples: use method='monte-carlo'."
            )
    tail = sampled_swaps(
        swaps, two_sided=two_sided, n_resamples=n_resamples, generator=check_generator(random_state)
    )
    return tail, facts | {"form": "Monte Carlo", "n_resamples": n_resamples}

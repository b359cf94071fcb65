"""Cut-offs by preference: which threshold a rule chooses from counts at every threshold."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from skeval.metrics._shares import beta_squared
from skeval.utils._validation import LARGEST, check_int, check_option, check_real

Counts = NDArray[Any]
RULES = {
    "youden": (),
    "closest": (),
    "f_beta": ("beta",),
    "cost": ("cost_fn", "cost_fp", "prevalence"),
    "precision_at_least": ("value",),
    "recall_at_least": ("value",),
    "top_k": ("k",),
}


def best_threshold(
    thresholds: NDArray[np.float64], true_positives: Counts, false_positives: Counts, rule: str, params: Any
) -> float:
    """Return the threshold, or inf for "predict nothing positive", that `rule` likes best."""
    check_option(rule, "rule", RULES)
    unknown = set(params) - set(RULES[rule])
    if unknown:
        raise TypeError(
            f"The rule {rule!r} takes {', '.join(RULES[rule]) or 'no number'}, got {sorted(unknown)}."
        )
    tp = np.concatenate([[0.0], true_positives])
    fp = np.concatenate([[0.0], false_positives])
    cuts = np.concatenate([[np.inf], thresholds])
    positives, negatives = tp[-1], fp[-1]
    if rule in ("youden", "closest", "cost") and not (positives and negatives):
        raise ValueError(f"The rule {rule!r} needs samples of both classes, got one class only.")
    if rule in ("f_beta", "precision_at_least", "recall_at_least") and not positives:
        raise ValueError(f"The rule {rule!r} needs positive samples, got none.")
    if rule == "top_k":
        k = check_int(params.get("k"), "k", minimum=0)
        return float(cuts[np.flatnonzero(tp + fp <= k)[-1]])
    wish = _preference(rule, tp, fp, params)
    # The first of equally good ones, though rounding tells them apart.
    slack = 1e-12 * np.abs(wish[np.isfinite(wish)]).max()
    return float(cuts[int(np.argmax(wish >= wish.max() - slack))])


def _preference(rule: str, tp: Counts, fp: Counts, params: Any) -> Counts:
    """Return what the rule makes as large as it can, at every cut-off."""
    positives, negatives = tp[-1], fp[-1]
    tpr, fpr = tp / positives, fp / negatives if negatives else np.zeros_like(fp)
    if rule == "youden":
        return tpr - fpr
    if rule == "closest":
        return -np.hypot(fpr, 1 - tpr)
    if rule == "f_beta":
        square = beta_squared(params.get("beta", 1))
        return (1 + square) * tp / (tp + fp + square * positives)
    if rule == "cost":
        miss = check_real(params.get("cost_fn", 1), "cost_fn", low=0, high=LARGEST)
        alarm = check_real(params.get("cost_fp", 1), "cost_fp", low=0, high=LARGEST)
        share = params.get("prevalence")
        share = (
            positives / (positives + negatives)
            if share is None
            else check_real(share, "prevalence", low=0, high=1)
        )
        return -(share * miss * (1 - tpr) + (1 - share) * alarm * fpr)
    value = check_real(params.get("value"), "value", low=0, high=1)
    predicted = tp + fp
    precision = tp / np.where(predicted == 0, 1, predicted)
    # A share that should equal the value may miss it by rounding.
    slack = 1e-12
    if rule == "precision_at_least":
        reached, wanted = precision >= value - slack, tpr  # none predicted: recall 0, never the best
    else:
        reached, wanted = tpr >= value - slack, precision
    if not reached.any():
        raise ValueError(
            f"No cut-off has {rule.partition('_')[0]} at least {value:g}; the best is {precision.max():g}."
        )
    return np.where(reached, wanted, -np.inf)

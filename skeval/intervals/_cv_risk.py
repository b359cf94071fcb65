"""Intervals from hold-out, random splits and cross-validation: the splits each takes, and the formula."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skeval.exceptions import MissingScoreError
from skeval.intervals._generalization_result import GeneralizationInterval, Quantity
from skeval.intervals._proportion import proportion_interval
from skeval.intervals._proportion_difference import paired_difference_interval
from skeval.intervals._risk_formulas import Losses, Mean, all_pairs_mean, mean_of, within_fold_mean
from skeval.intervals._risk_runs import contrast
from skeval.model_selection._corrected_variance import corrected_variance, size_ratio
from skeval.model_selection._split_indices import Splits, n_distinct, refuse_leaks, refuse_time_order
from skeval.utils._validation import FloatArray, IntArray

NADEAU_BENGIO = "Nadeau & Bengio (2003), Machine Learning 52, 239-281"
_BAYLE = "Bayle, Bayle, Janson & Mackey (2020), NeurIPS 33, section 4"


@dataclass(frozen=True)
class SplitLosses:
    """Losses of one or two models on the test rows of every split.

    Attributes
    ----------
    splits : list of (train, test)
    losses : list of ndarray of shape (n_models, n_test)
    weight, groups : ndarray of shape (n_samples,) or None
    """

    splits: Splits
    losses: Sequence[FloatArray]
    weight: NDArray[Any] | None = None
    groups: IntArray | None = None

    @property
    def parts(self) -> list[Losses]:
        """Losses of each split, of two models their difference."""
        return [
            Losses(
                contrast(values),
                None if self.weight is None else self.weight[test],
                None if self.groups is None else self.groups[test],
            )
            for values, (_, test) in zip(self.losses, self.splits, strict=True)
        ]

    @property
    def common(self) -> dict[str, Any]:
        """What every interval is told: the losses, how many units were tested, training rows."""
        tested = np.concatenate([test for _, test in self.splits])
        return {
            "seen": self.losses,
            "n_tested": len(np.unique(tested if self.groups is None else self.groups[tested])),
            "n_train": mean_n_train(self.splits),
        }

    @property
    def n_fits(self) -> int:
        return sum(map(len, self.losses))


def mean_n_train(splits: Splits) -> float:
    """Return the mean number of distinct training rows."""
    return float(np.mean([n_distinct(train) for train, _ in splits]))


# --- which splits a method takes


def check_splits(method: str, splits: Splits, n_samples: int, groups: IntArray | None) -> None:
    """Refuse splits that the method is not for, before anything is fitted."""
    refuse_leaks(splits)
    if method == "holdout" and len(splits) != 1:
        raise ValueError(
            f"method='holdout' takes one split, got {len(splits)}: use method='corrected-t' for several."
        )
    if method == "corrected-t":
        _check_random(splits)
    if method in ("cv-wald", "cv-wald-within", "nested-cv"):
        _check_partition(method, splits, n_samples)
    if method in ("holdout", "cv-wald-within", "nested-cv"):
        _check_test_parts(method, splits, groups)


def _check_random(splits: Splits) -> None:
    if len(splits) < 2:
        raise ValueError(
            f"method='corrected-t' needs at least 2 splits, got {len(splits)}; 'holdout' takes one."
        )
    refuse_time_order(splits, way_out="use method='holdout' on a later period")


def _check_partition(method: str, splits: Splits, n_samples: int) -> None:
    least = 3 if method == "nested-cv" else 2
    if len(splits) < least:
        raise ValueError(f"method={method!r} needs at least {least} folds, got {len(splits)}.")
    times = np.bincount(np.concatenate([test for _, test in splits]), minlength=n_samples)
    wrong = np.flatnonzero(times != 1)
    if len(wrong):
        raise ValueError(
            f"method={method!r} takes one k-fold cross-validation, in which every sample is tested once, "
            f"but sample {wrong[0]} is tested {times[wrong[0]]} times in {len(splits)} splits: use one "
            "repeat of KFoldSplit, or method='corrected-t'."
        )


def _check_test_parts(method: str, splits: Splits, groups: IntArray | None) -> None:
    for number, (_, test) in enumerate(splits):
        size = len(test if groups is None else np.unique(groups[test]))
        if size < 2:
            raise ValueError(
                f"method={method!r} needs at least 2 {'samples' if groups is None else 'groups'} in each "
                f"test part, split {number} has {size}: use fewer splits or a larger test part."
            )


# --- the intervals


def hold_out(quantity: Quantity, data: SplitLosses) -> GeneralizationInterval:
    """Return the interval from one split: binomial for 0-1 losses, else normal."""
    [part], common = data.parts, data.common
    mean, size = mean_of(part), len(part.values)
    words: dict[str, Any] = {"target": "model", "details": {"n_test": size, "n_fits": data.n_fits}}
    if not (quantity.share and data.weight is None and data.groups is None):
        return quantity.symmetric(
            mean,
            method="hold-out, normal",
            reference="central limit theorem: mean +- z s/sqrt(n)",
            **common,
            **words,
        )
    wrong = data.losses[0] > 0.5
    if quantity.difference:
        both, (first, second) = wrong.all(axis=0).sum(), (wrong & ~wrong[::-1]).sum(axis=1)
        table = [[both, first], [second, size - both - first - second]]
        known = paired_difference_interval(table, confidence_level=quantity.level)
    else:
        known = proportion_interval(int(wrong.sum()), size, confidence_level=quantity.level)
    return quantity.build(
        mean.estimate,
        known.low,
        known.high,
        standard_error=mean.variance**0.5,
        seen=data.losses,
        method=f"hold-out, {known.method}",
        reference=known.reference,
        n_train=common["n_train"],
        **words,
    )


def corrected_t(
    quantity: Quantity,
    scores: FloatArray,
    *,
    n_train: float,
    n_test: float,
    n_fits: int | None = None,
    **common: Any,
) -> GeneralizationInterval:
    """Return the interval from one score (or mean loss, or difference) per split."""
    refuse_missing(scores)
    details: dict[str, Any] = {"n_splits": len(scores), "n_test": n_test}
    return quantity.symmetric(
        Mean(float(scores.mean()), float(corrected_variance(scores, size_ratio(n_train, n_test)))),
        df=len(scores) - 1,
        method="corrected resampled t",
        reference=f"{NADEAU_BENGIO}, equation 9",
        target="method",
        n_train=n_train,
        details=details if n_fits is None else details | {"n_fits": n_fits},
        **common,
    )


def corrected_t_of_losses(quantity: Quantity, data: SplitLosses) -> GeneralizationInterval:
    """Return the corrected resampled t interval of the mean losses of the splits."""
    means = np.array([np.average(part.values, weights=part.weight) for part in data.parts])
    n_test = float(np.mean([len(test) for _, test in data.splits]))
    return corrected_t(quantity, means, n_test=n_test, n_fits=data.n_fits, **data.common)


def refuse_missing(scores: FloatArray) -> None:
    """Raise where the score of a split is nan or infinite."""
    missing = ~np.isfinite(scores)
    if missing.any():
        where = int(missing.argmax())
        raise MissingScoreError(
            f"The score of split {where} is {scores[where]}: mend that fit, or take the split out."
        )


def wald(quantity: Quantity, data: SplitLosses, *, within: bool) -> GeneralizationInterval:
    """Return the Wald interval of one k-fold cross-validation."""
    return quantity.symmetric(
        within_fold_mean(data.parts) if within else all_pairs_mean(data.parts),
        method=f"cross-validation Wald, {'within-fold' if within else 'all-pairs'} variance",
        reference=_BAYLE,
        target="models",
        details={"n_folds": len(data.splits), "n_fits": data.n_fits},
        **data.common,
    )

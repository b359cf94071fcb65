"""The conservative z interval: how far apart the means on two halves of the data are."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from skeval.exceptions import StratificationWarning
from skeval.intervals._cv_risk import NADEAU_BENGIO, mean_n_train, refuse_missing
from skeval.intervals._generalization_result import GeneralizationInterval, Quantity
from skeval.intervals._risk_formulas import Mean, conservative_variance
from skeval.model_selection._hold_out import HoldOutSplit
from skeval.model_selection._split_indices import Splits
from skeval.utils._rows import take_rows
from skeval.utils._validation import FloatArray, IntArray


def halved_splits(
    y: Any,
    groups: IntArray | None,
    n_samples: int,
    *,
    n_splits: int,
    n_pairs: int,
    test_size: Any,
    generator: Any,
) -> Splits:
    """Return J splits of all samples, then J of either half of M random halvings.

    The halves have as many test samples as the whole, and fewer to train on.
    """
    whole = HoldOutSplit(n_splits, test_size=test_size, random_state=generator)
    everything = np.arange(n_samples)
    splits: Splits = list(whole.split(everything, y, groups))
    n_test = len(splits[0][1])
    if n_test >= n_samples // 2 or (groups is not None and groups.max() < 3):
        raise ValueError(
            f"method='conservative-z' splits halves of {n_samples // 2} samples, which leave nothing to "
            f"train on beside {n_test} test samples: use a smaller test_size or more data."
        )
    # The smaller half is tested: of the other, in random order, an odd sample is dropped.
    half_size = n_samples // 2 if groups is None else 0.5
    halvings = HoldOutSplit(n_pairs, test_size=half_size, stratify=False, random_state=generator)
    within = HoldOutSplit(n_splits, test_size=n_test, random_state=generator)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", StratificationWarning)  # said of the whole already
        for halves in halvings.split(everything, None, groups):
            size = min(map(len, halves)) if groups is None else n_samples
            for half in halves:
                rows = half[:size]
                own = None if groups is None else groups[rows]
                for train, test in within.split(rows, take_rows(y, rows), own):
                    splits.append((rows[train], rows[test]))
    return splits


def conservative_z(
    quantity: Quantity, means: FloatArray, splits: Splits, *, n_splits: int, **common: Any
) -> GeneralizationInterval:
    """Return the interval from the mean of every split of `halved_splits`."""
    refuse_missing(means)
    halves = means[n_splits:].reshape(-1, 2, n_splits).mean(axis=2)
    details = {"n_splits": n_splits, "n_halvings": len(halves), "n_fits": common.pop("n_fits")}
    return quantity.symmetric(
        Mean(float(means[:n_splits].mean()), conservative_variance(halves)),
        method="conservative z",
        reference=f"{NADEAU_BENGIO}, section 4.2",
        target="method",
        n_train=mean_n_train(splits[:n_splits]),
        details=details,
        **common,
    )

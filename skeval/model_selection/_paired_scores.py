"""Two methods' scores on the same splits, as differences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from skeval.exceptions import MissingScoreError, SplitMismatchError
from skeval.model_selection._cv_scores import CVScores, check_sizes
from skeval.model_selection._split_indices import Splits, same_rows
from skeval.utils._validation import SMALLEST, FloatArray, IntArray, check_option

# Rounding of two scores and of their difference: a few units in the last place.
ROUNDING = 16 * np.finfo(np.float64).eps


@dataclass(frozen=True)
class PairedScores:
    """Differences a - b on the splits that both have, and what is known of the splits."""

    differences: FloatArray
    rounding: float  # a difference no larger than this is rounding of the scores
    n_train: IntArray | None
    n_test: IntArray | None
    indices: Splits | None
    n_total: int
    names: tuple[str, str]

    @property
    def counts(self) -> dict[str, int]:
        """Splits used and given, for the details of a result."""
        return {"n_used": len(self.differences), "n_total": self.n_total}


def pair_scores(
    a: Any,
    b: Any,
    *,
    n_train: Any = None,
    n_test: Any = None,
    metric: str | None = None,
    nan_policy: str = "raise",
    names: tuple[str, str] = ("a", "b"),
    way_out: str = "mend that fit, or pass nan_policy='omit' to drop the split",
) -> PairedScores:
    """Pair the scores of two methods split by split.

    Parameters
    ----------
    a, b : array-like, CVScores or dict of cross_validate
    n_train, n_test : int or array-like of int, default=None
        Sizes per split, where the scores do not carry them.
    metric : str, default=None
        Which of several scores in a dict.
    nan_policy : {"raise", "omit"}, default="raise"
        "omit" drops the splits where a score is missing.
    names : tuple of str
        What messages call the two.
    way_out : str
        What can be done about a missing score.
    """
    check_option(nan_policy, "nan_policy", ("raise", "omit"))
    one, two = (as_scores(value, metric=metric, name=name) for value, name in zip((a, b), names, strict=True))
    _check_pairing(one, two, names)
    keep = np.ones(one.n_splits, dtype=bool)
    for cv_scores, name in ((one, names[0]), (two, names[1])):
        missing = np.isnan(cv_scores.scores)
        if missing.any() and nan_policy == "raise":
            raise MissingScoreError(
                f"The score of {name} on split {int(missing.argmax())} is nan (splits are counted from 0): "
                f"{way_out}."
            )
        keep &= ~missing
    first, second = one.scores[keep], two.scores[keep]
    rounding = ROUNDING * check_not_tiny(first, second)
    known = max((one, two), key=lambda scores: (scores.indices is not None, scores.n_train is not None))
    train = _merge_sizes(n_train, known.n_train, "n_train", len(keep))
    test = _merge_sizes(n_test, known.n_test, "n_test", len(keep))
    splits = known.indices
    return PairedScores(
        differences=first - second,
        rounding=rounding,
        n_train=None if train is None else train[keep],
        n_test=None if test is None else test[keep],
        indices=None if splits is None else [splits[number] for number in np.flatnonzero(keep)],
        n_total=len(keep),
        names=names,
    )


def check_not_tiny(*values: Any) -> float:
    """Return the largest size among the values of a test; those whose squares would vanish are refused."""
    size = float(np.abs(values).max(initial=0))
    if 0 < size < SMALLEST:
        raise ValueError(
            f"The numbers compared must reach a size of {SMALLEST:g}, or all be 0, got {size:g} as the "
            "largest: multiply all of them by a constant, which changes no p-value."
        )
    return size


def _merge_sizes(given: Any, known: IntArray | None, name: str, n_splits: int) -> IntArray | None:
    """Return the sizes given, or those that the scores carry; the two must agree."""
    sizes = check_sizes(given, name, n_splits)
    if sizes is None or known is None:
        return known if sizes is None else sizes
    if not np.array_equal(sizes, known):
        where = int((sizes != known).argmax())
        raise ValueError(
            f"{name} is {sizes[where]} but split {where} has {known[where]}: leave {name} out, "
            "the sizes are read from the splits."
        )
    return known


def as_scores(value: Any, *, metric: str | None = None, name: str = "scores") -> CVScores:
    """Return one method's scores as CVScores of one dimension."""
    try:
        cv_scores = CVScores.from_results(value, metric=metric)
    except ValueError as error:
        raise type(error)(f"{name}: {error}") from error
    if cv_scores.scores.ndim != 1:
        raise ValueError(
            f"{name} must hold the scores of one method, got {len(cv_scores)} candidates: "
            f"choose one, as in {name}[0]."
        )
    return cv_scores


def _check_pairing(one: CVScores, two: CVScores, names: tuple[str, str]) -> None:
    """Refuse scores that come from different splits."""
    if one.n_splits != two.n_splits:
        raise SplitMismatchError(
            f"{names[0]} and {names[1]} must come from the same splits: "
            f"{names[0]} has {one.n_splits} scores, {names[1]} has {two.n_splits}."
        )
    if one.metric != two.metric and not {one.metric, two.metric} & {None, "score"}:
        raise ValueError(
            f"{names[0]} and {names[1]} must be scores of one metric, got {one.metric!r} and {two.metric!r}."
        )
    if one.indices is not None and two.indices is not None:
        same = [
            same_rows(mine[0], other[0]) and same_rows(mine[1], other[1])
            for mine, other in zip(one.indices, two.indices, strict=True)
        ]
    else:
        same = [True] * one.n_splits
        for mine, other in ((one.n_train, two.n_train), (one.n_test, two.n_test)):
            if mine is not None and other is not None:
                same = [alike and bool(x == y) for alike, x, y in zip(same, mine, other, strict=True)]
    if not all(same):
        raise SplitMismatchError(
            f"{names[0]} and {names[1]} must come from the same splits, but split {same.index(False)} "
            "differs (splits are counted from 0): use one cv with an int random_state, or one list of "
            "splits, for both."
        )

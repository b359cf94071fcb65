"""The winner's figure, corrected for its having been chosen by that figure."""

from __future__ import annotations

import html
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from skeval.exceptions import ResamplingWarning
from skeval.model_selection._cv_scores import CVScores
from skeval.model_selection._evaluation import Evaluation
from skeval.model_selection._paired_scores import ROUNDING
from skeval.model_selection._refit import first_best
from skeval.model_selection._sample_losses import loss_matrix
from skeval.utils._labels import factorize, to_labels
from skeval.utils._optional import import_optional
from skeval.utils._random import check_generator, draw_units
from skeval.utils._resamples import blocks, percentile_ends
from skeval.utils._results import ConfidenceInterval
from skeval.utils._tables import html_table
from skeval.utils._validation import (
    FloatArray,
    IntArray,
    check_int,
    check_level,
    check_option,
    check_same_length,
    describe,
)
from skeval.utils._warnings import warn_user

_METHODS = {
    "per-split": "Tibshirani & Tibshirani (2009), Annals of Applied Statistics 3, 822-829",
    "bootstrap": "Tsamardinos, Greasidou & Borboudakis (2018), Machine Learning 107, 1895-1922, algorithm 5",
}
# Cells held at a time, so that memory does not grow with the number of replicates.
_BLOCK_CELLS = 2**22


@dataclass(frozen=True, eq=False)
class SelectionBias:
    """The figure of the best of several candidates, corrected for the choice.

    Attributes
    ----------
    index : int
        The candidate with the best figure.
    uncorrected : float
        Its figure, which is too good because it was chosen by it.
    bias : float
        By how much it is too good, in the direction of better; mostly above 0.
    estimate : float
        The corrected figure: `uncorrected` less `bias` for scores, plus `bias` for losses.
    method : {"per-split", "bootstrap"}
    estimand : str
        What `estimate` is an estimate of.
    reference : str
        Where the equations are to be found.
    replicates : ndarray of shape (n_resamples,) or None
        Loss of each replicate's winner on what the replicate left out.

    Examples
    --------
    >>> import numpy as np
    >>> from skeval.model_selection import selection_bias
    >>> losses = np.random.default_rng(0).integers(0, 2, size=(80, 30))  # thirty coins
    >>> result = selection_bias(losses, method="bootstrap", random_state=0)
    >>> f"{result.uncorrected:.2f} {result.estimate:.2f}"
    '0.41 0.55'
    """

    index: int
    uncorrected: float
    bias: float
    estimate: float
    method: str
    estimand: str
    reference: str
    replicates: FloatArray | None = field(default=None, repr=False)

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Return the percentile interval of the bootstrap replicates.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Strictly between 0 and 1.

        Returns
        -------
        ConfidenceInterval
            With fields ``low`` and ``high``.

        Raises
        ------
        ValueError
            ``method="per-split"`` has no interval.
        """
        level = check_level(confidence_level, "confidence_level")
        if self.replicates is None:
            raise ValueError(
                "There is no interval of method='per-split'; use method='bootstrap', or "
                "nested_cross_validate and interval_from_results."
            )
        return ConfidenceInterval(*percentile_ends(self.replicates, ((1 - level) / 2, (1 + level) / 2)))

    def frame(self) -> Any:
        """Return the numbers as a pandas DataFrame of one row."""
        pandas = import_optional("pandas", extra="report", purpose="frame()")
        return pandas.DataFrame(self._columns())

    def _columns(self) -> dict[str, Any]:
        names = ("method", "index", "uncorrected", "bias", "estimate")
        return {name: [getattr(self, name)] for name in names}

    def __str__(self) -> str:
        return (
            f"Candidate {self.index}: {self.uncorrected:.4g}, {self.estimate:.4g} after correction for the "
            f"choice ({self.method}, bias {self.bias:.2g}): {self.estimand}."
        )

    def _repr_html_(self) -> str:
        return f"<p>{html.escape(str(self))}</p>{html_table(self._columns())}"


def selection_bias(
    results: Any,
    *,
    method: str = "per-split",
    metric: str | None = None,
    loss: Any = None,
    groups: Any = None,
    n_resamples: int = 1000,
    random_state: Any = None,
) -> SelectionBias:
    """Correct the best candidate's figure for its having been chosen: nothing is fitted.

    Parameters
    ----------
    results : search, dict, CVScores, Evaluation or array-like
        For "per-split": a fitted search, its ``cv_results_``, or scores of shape
        (n_candidates, n_splits), greater is better. For "bootstrap": out-of-fold losses of
        shape (n_samples, n_candidates), or what `evaluate` returned for the candidates.
    method : {"per-split", "bootstrap"}, default="per-split"
        - "per-split": how much better the best candidate of each split is there than the
          candidate that is best on average, averaged over splits.
        - "bootstrap" (BBC-CV): draw samples, choose the best candidate on those drawn, take
          its loss on those left out; the mean over replicates is the corrected loss.
    metric : str, default=None
        For "per-split": name of the score where the search has several.
    loss : {"zero_one", "squared"} or callable, default=None
        For "bootstrap" of an `Evaluation`. None: 0-1 loss for classes, squared loss for
        numbers.
    groups : array-like of shape (n_samples,), default=None
        For "bootstrap": clusters, drawn whole.
    n_resamples : int, default=1000
        For "bootstrap": number of replicates.
    random_state : int, RandomState, Generator or None, default=None

    Returns
    -------
    SelectionBias

    Raises
    ------
    ValueError
        No candidate without a nan; scores of one candidate only where several are needed.

    Warns
    -----
    ResamplingWarning
        A replicate left no sample out; it is dropped.

    Notes
    -----
    "per-split" needs the test parts to be large enough for a figure of their own: not
    leave-one-out. It corrects too much where splits are small or candidates many.

    Candidates with a nan are left out. The winner is the candidate with the best mean, ties
    go to the first: for a search that picked by another rule, the correction is not meant.

    Both correct for choosing among the candidates given. What was tried before, and left
    out of the search, biases the figure as well; `nested_cross_validate` assesses the whole
    procedure.

    References
    ----------
    Tibshirani, R. J. and Tibshirani, R. (2009). A bias correction for the minimum error
    rate in cross-validation. Annals of Applied Statistics 3, 822-829, section 2.
    Tsamardinos, I., Greasidou, E. and Borboudakis, G. (2018). Bootstrapping the
    out-of-sample predictions for efficient and accurate cross-validation. Machine Learning
    107, 1895-1922.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import GridSearchCV
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from skeval.model_selection import KFoldSplit, evaluate, selection_bias
    >>> X, y = load_iris(return_X_y=True)
    >>> cv = KFoldSplit(5, random_state=0)
    >>> search = GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 5, 15, 45]}, cv=cv)
    >>> result = selection_bias(search.fit(X, y))
    >>> f"accuracy {result.uncorrected:.3f}, corrected {result.estimate:.3f}"
    'accuracy 0.967, corrected 0.960'
    >>> done = evaluate({k: KNeighborsClassifier(k) for k in (1, 5, 15, 45)}, X, y, cv=cv)
    >>> result = selection_bias(done, method="bootstrap", random_state=0)
    >>> f"error {result.uncorrected:.3f}, corrected {result.estimate:.3f}"
    'error 0.033, corrected 0.047'
    """
    check_option(method, "method", _METHODS)
    if method == "per-split":
        if loss is not None or groups is not None:
            raise ValueError("loss and groups belong to method='bootstrap'; leave them out.")
        return _per_split(_score_table(results, metric))
    if metric is not None:
        raise ValueError("metric belongs to method='per-split'; method='bootstrap' takes a loss.")
    n_resamples = check_int(n_resamples, "n_resamples", minimum=1)
    losses = _loss_table(results, loss)
    units = np.arange(len(losses)) if groups is None else factorize(to_labels(groups, "groups"))[0]
    check_same_length(losses=losses, groups=units)
    return _bootstrap(losses, units, n_resamples, check_generator(random_state))


def _score_table(results: Any, metric: str | None) -> FloatArray:
    if isinstance(results, Evaluation):
        raise ValueError(
            "method='per-split' takes a search, its cv_results_ or scores (n_candidates, n_splits), got an "
            "Evaluation; use method='bootstrap'."
        )
    scores = CVScores.from_results(results, metric=metric).scores
    if scores.ndim != 2:
        raise ValueError(
            f"method='per-split' needs the scores of all candidates, shape (n_candidates, n_splits), got "
            f"{scores.shape}."
        )
    return scores


def _per_split(scores: FloatArray) -> SelectionBias:
    whole = np.isfinite(scores).all(axis=1)
    means = np.full(len(scores), np.nan)
    means[whole] = scores[whole].mean(axis=1)
    index = first_best(means)
    bias = float((scores[whole].max(axis=0) - scores[index]).mean())
    chosen = float(means[index])
    return SelectionBias(
        index=index,
        uncorrected=chosen,
        bias=bias,
        estimate=chosen - bias,
        method="per-split",
        estimand="mean score, on new samples, of the chosen candidate trained on as many samples as a split",
        reference=_METHODS["per-split"],
    )


def _loss_table(results: Any, loss: Any) -> FloatArray:
    """Return losses (n_samples, n_candidates); a row that is nan for all was never tested."""
    if isinstance(results, Evaluation):
        table = loss_matrix(results, loss, way_out="use method='per-split' with that score per split")
    elif loss is not None:
        raise ValueError("loss belongs to an Evaluation; a table holds the losses already.")
    else:
        try:
            table = np.asarray(results, dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise ValueError(
                "method='bootstrap' takes losses of shape (n_samples, n_candidates), "
                f"got {describe(results)}."
            ) from error
        if table.ndim != 2 or not table.size:
            raise ValueError(
                "method='bootstrap' takes losses of shape (n_samples, n_candidates), "
                f"got shape {table.shape}."
            )
    untested = np.isnan(table).all(axis=1)
    if untested.any():
        raise ValueError(
            f"{int(untested.sum())} of {len(table)} samples have no loss, the first in row "
            f"{int(untested.argmax())}: every sample must be tested; use KFoldSplit."
        )
    return table


def _bootstrap(
    losses: FloatArray, units: IntArray, n_resamples: int, generator: np.random.Generator
) -> SelectionBias:
    valid = np.flatnonzero(np.isfinite(losses).all(axis=0))
    if not len(valid):
        raise ValueError("Every candidate has a nan or infinite loss: its fits failed.")
    table = losses[:, valid]
    means = table.mean(axis=0)
    index = first_best(-means)
    sizes = np.bincount(units)
    # Sums over the samples of a unit: (n_units, n_candidates).
    summed: FloatArray = np.stack(
        [np.bincount(units, weights=column).astype(np.float64) for column in table.T], axis=1
    )
    one_each = np.ones(len(sizes), dtype=np.int64)
    replicates = np.concatenate(
        [
            _winners_left_out(summed, sizes, draw_units(one_each, size, generator))
            for size in blocks(n_resamples, _BLOCK_CELLS // summed.size)
        ]
    )
    kept = replicates[~np.isnan(replicates)]
    if not len(kept):
        raise ValueError("No replicate left a sample out: there are too few samples or groups to resample.")
    if len(kept) < n_resamples:
        warn_user(
            f"{n_resamples - len(kept)} of {n_resamples} replicates left no sample out and are dropped.",
            ResamplingWarning,
        )
    estimate = float(kept.mean())
    return SelectionBias(
        index=int(valid[index]),
        uncorrected=float(means[index]),
        bias=estimate - float(means[index]),
        estimate=estimate,
        method="bootstrap",
        estimand="mean loss, on new samples, of the candidate that this way of choosing takes",
        reference=_METHODS["bootstrap"],
        replicates=kept,
    )


def _winners_left_out(summed: FloatArray, sizes: IntArray, times: IntArray) -> FloatArray:
    """Return the loss on the units left out of the candidate that is best on those drawn."""
    drawn = times @ summed / (times @ sizes)[:, None]
    best = drawn.min(axis=1, keepdims=True)
    winner = (drawn <= best + ROUNDING * np.abs(best)).argmax(axis=1)  # the first, where several are
    left_out = (times == 0).astype(np.float64)
    counts = left_out @ sizes
    total = np.einsum("bu,ub->b", left_out, summed[:, winner])
    return np.divide(total, counts, out=np.full(len(times), np.nan), where=counts > 0)

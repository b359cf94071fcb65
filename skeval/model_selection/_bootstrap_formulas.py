""".632 and .632+: how the three errors combine, the no-information rate, and the standard error."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skeval.utils._validation import LARGEST, FloatArray, IntArray, check_option, to_floats

METHODS = (".632+", ".632", "oob")
REFERENCE = "Efron & Tibshirani (1997), JASA 92, 548-560"

# As printed in the paper, not 1/e and 1 - 1/e.
_RESUBSTITUTION_SHARE, _OUT_OF_BAG_SHARE = 0.368, 0.632
_ROUNDING = 1e-12
_LARGEST_ERROR = 4 * LARGEST**2  # the square of a difference
# Counts held at a time, so that memory does not grow with the number of replicates.
_BLOCK = 2**22


def combine_bootstrap_error(
    resubstitution: ArrayLike,
    leave_one_out: ArrayLike,
    no_information: ArrayLike | None = None,
    *,
    method: str = ".632+",
) -> Any:
    """Combine the errors of a bootstrap into one estimate: the formula alone.

    Parameters
    ----------
    resubstitution : float or array-like
        Error on all samples of the model trained on all samples (err).
    leave_one_out : float or array-like
        Error of the replicates' models on the samples left out (Err1).
    no_information : float or array-like, default=None
        Error if the target had nothing to do with the prediction (gamma): the mean loss
        over all pairs of a target and a prediction. Needed for ".632+" only.
    method : {".632+", ".632", "oob"}, default=".632+"
        "oob" is `leave_one_out` itself.

    Returns
    -------
    float or ndarray
        A float where all are floats; arrays broadcast. nan where an error is nan.

    Raises
    ------
    ValueError
        Unknown method, or ".632+" without `no_information`; errors that are no numbers,
        infinite or about to be, or of shapes that do not broadcast.

    Notes
    -----
    .632 is .368 err + .632 Err1. With Err1' = min(Err1, gamma) and the relative
    overfitting rate R = (Err1' - err) / (gamma - err) if Err1' > err and gamma > err,
    else 0,

        .632+ = .632 + (Err1' - err) x .368 x .632 x R / (1 - .368 R).

    R is within [0, 1]. Where Err1 is above gamma the .632 part keeps Err1 itself; authors
    and programs differ there.

    References
    ----------
    Efron, B. and Tibshirani, R. (1997). Improvements on cross-validation: the .632+
    bootstrap method. JASA 92, 548-560, equations (24) to (32).

    Examples
    --------
    >>> from skeval.model_selection import combine_bootstrap_error
    >>> round(combine_bootstrap_error(0.0, 0.3, method=".632"), 4)
    0.1896
    >>> round(combine_bootstrap_error(0.0, 0.3, 0.5), 4)
    0.2433
    """
    check_option(method, "method", METHODS)
    if method == ".632+" and no_information is None:
        raise ValueError("no_information must be given for method='.632+'; '.632' and 'oob' need none.")
    named: dict[str, Any] = {"resubstitution": resubstitution, "leave_one_out": leave_one_out}
    if method == ".632+":
        named["no_information"] = no_information
    err, err1, *rest = _check_errors(named)
    if method == "oob":
        estimate = np.broadcast_arrays(err1, err)[0].copy()
    else:
        estimate = _RESUBSTITUTION_SHARE * err + _OUT_OF_BAG_SHARE * err1
    if method == ".632+":
        [gamma] = rest
        rate = overfitting_rate(err, err1, gamma)
        shrink = _RESUBSTITUTION_SHARE * _OUT_OF_BAG_SHARE * rate / (1 - _RESUBSTITUTION_SHARE * rate)
        estimate = estimate + (np.minimum(err1, gamma) - err) * shrink
    return float(estimate) if np.ndim(estimate) == 0 else estimate


def _check_errors(named: dict[str, Any]) -> list[FloatArray]:
    """Return errors as arrays that broadcast: numbers, nan among them."""
    arrays = []
    for name, values in named.items():
        if values is None:
            raise ValueError(f"{name} must be given: a number, or nan where it is missing.")
        array = to_floats(values, name)
        if (np.abs(array) > _LARGEST_ERROR).any():
            raise ValueError(
                f"{name} must hold numbers up to {_LARGEST_ERROR:g} in size, or nan, got {values!r}."
            )
        arrays.append(array)
    try:
        np.broadcast_shapes(*(array.shape for array in arrays))
    except ValueError as error:
        told = ", ".join(f"{name} has {array.shape}" for name, array in zip(named, arrays, strict=True))
        raise ValueError(f"{' and '.join(named)} must have shapes that broadcast: {told}.") from error
    return arrays


def overfitting_rate(err: ArrayLike, err1: ArrayLike, gamma: ArrayLike) -> FloatArray:
    """Return R, between 0 (no overfitting) and 1 (as bad as no information)."""
    err, err1, gamma = np.broadcast_arrays(np.asarray(err, dtype=float), err1, gamma)
    above, span = np.minimum(err1, gamma) - err, gamma - err
    # Errors that differ by rounding are equal: 0/0 is 0 here, not 1.
    return np.divide(above, span, out=np.zeros(err.shape), where=(above > 0) & (span > _ROUNDING * gamma))


def out_of_bag_weight(method: str, rate: float | None) -> float:
    """Return the weight of Err1 in the estimate: .632 for R = 0, 1 for R = 1."""
    if method == "oob":
        return 1.0
    if method == ".632" or rate is None:
        return _OUT_OF_BAG_SHARE
    return _OUT_OF_BAG_SHARE / (1 - _RESUBSTITUTION_SHARE * rate)


def zero_one_no_information(true: NDArray[Any], predicted: NDArray[Any]) -> Any:
    """Return 1 - sum_l p_l q_l from the weight of each class (last axis) in targets and predictions."""
    pairs = true.sum(axis=-1) * predicted.sum(axis=-1)
    return (pairs - (true * predicted).sum(axis=-1)) / pairs


def out_of_bag_errors(tests: list[IntArray], losses: list[FloatArray], n_samples: int) -> FloatArray:
    """Return the mean loss of each sample over the replicates that left it out; nan where none did."""
    rows = np.concatenate(tests)
    times = np.bincount(rows, minlength=n_samples)
    total = np.bincount(rows, weights=np.concatenate(losses), minlength=n_samples)
    return np.divide(total, times, out=np.full(n_samples, np.nan), where=times > 0)


def delta_method(
    trains: list[IntArray],
    tests: list[IntArray],
    losses: list[FloatArray],
    errors: FloatArray,
    *,
    groups: IntArray | None = None,
    strata: IntArray | None = None,
) -> tuple[float, float]:
    """Return the squared standard error of Err1, and the part of it that is Monte Carlo noise.

    The delta method after the bootstrap (Efron & Tibshirani 1997, equations 35 to 40): with N_ib how
    often replicate b drew sample i, and q_b its out-of-bag losses summed and divided by m,

        D_i = (2 + 1/(m-1)) (E_i - Err1)/m + e_m cov_b(N_ib, q_b),  e_m = (1 - 1/m)^-m,

    and the squared standard error is the sum of D_i^2. The covariance is a mean of B
    products, so that its own variance, summed, is the noise.

    The same derivation serves units that are drawn whole (groups) and draws within strata:
    m in the factors is then the number of units in the stratum, the means are those of the
    stratum, and a group brings the sum of its errors, less Err1 for each sample it has more
    than the mean group.
    """
    n_samples = len(errors)
    unit = np.arange(n_samples) if groups is None else groups
    first = np.unique(unit, return_index=True)[1]
    stratum = np.zeros(len(first), dtype=np.int64) if strata is None else strata[first]
    size = np.bincount(stratum)[stratum]

    def centered(values: NDArray[Any]) -> FloatArray:
        return values - (np.bincount(stratum, weights=values) / np.bincount(stratum))[stratum]

    # A stratum of one unit is never left out: its factor meets no loss.
    inflation = (1 - 1 / np.maximum(size, 2)) ** -size.astype(float)
    replicate = np.repeat(np.arange(len(tests)), [len(test) for test in tests])
    weighted = np.concatenate(losses) * inflation[unit[np.concatenate(tests)]]
    q = np.bincount(replicate, weights=weighted, minlength=len(tests))
    covariance, noise = _covariances(trains, first, n_samples, q - q.mean())
    mean = np.nanmean(errors)
    summed = np.bincount(unit, weights=np.where(np.isnan(errors), mean, errors))
    own: FloatArray = (2 + 1 / np.maximum(size - 1, 1)) * centered(summed) - mean * centered(
        np.bincount(unit)
    )
    return (
        float(((own + covariance) ** 2).sum() / n_samples**2),
        float(noise.sum() / n_samples**2),
    )


def _covariances(
    trains: list[IntArray], first: IntArray, n_samples: int, q: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return cov_b(N_ib, q_b) per unit i for centered q, and the variance of that mean of products."""
    moments = [np.zeros(len(first)) for _ in range(4)]
    for rows, counts in _count_blocks(trains, first, n_samples):
        part = q[rows]
        moments[0] += counts.sum(axis=0)
        moments[1] += part @ counts
        moments[2] += part**2 @ counts
        moments[3] += part**2 @ counts**2
    drawn, with_q, with_q2, squares = (moment / len(q) for moment in moments)
    second = squares - 2 * drawn * with_q2 + drawn**2 * (q @ q) / len(q)
    return with_q, np.maximum(second - with_q**2, 0) / len(q)


def _count_blocks(
    trains: list[IntArray], first: IntArray, n_samples: int
) -> Iterator[tuple[slice, FloatArray]]:
    """Yield how often each replicate drew each unit, some replicates at a time."""
    step = max(1, _BLOCK // n_samples)
    for start in range(0, len(trains), step):
        rows = slice(start, start + step)
        counts = [np.bincount(train, minlength=n_samples)[first] for train in trains[rows]]
        yield rows, np.array(counts, dtype=float)

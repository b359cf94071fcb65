"""Many methods on many data sets: ranks and Friedman's test."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from scipy import stats

from skeval.comparison._digits import to_digits
from skeval.comparison._friedman_exact import exact_pvalue, is_feasible, n_arrangements
from skeval.comparison._tails import keep_log, log_chi2_sf, log_f_sf
from skeval.exceptions import DegenerateDataWarning, MissingScoreError
from skeval.utils._results import TestResult
from skeval.utils._validation import LARGEST, FloatArray, check_option, to_floats
from skeval.utils._warnings import warn_user

_METHODS = ("auto", "exact", "iman-davenport", "chi2")


class ScoreTable(NamedTuple):
    """Scores with data sets as rows and methods as columns, none missing."""

    scores: FloatArray
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    dropped: tuple[str, ...]


def check_score_table(scores: Any, *, nan_policy: str = "raise") -> ScoreTable:
    """Return a table of scores with names, rows with a hole refused or dropped.

    Parameters
    ----------
    scores : array-like of shape (n_datasets, n_methods), data frame, or dict of {method: scores}
        Rows of a pandas frame are named by its index.
    nan_policy : {"raise", "omit"}, default="raise"
        "omit" drops the data sets where a score is missing.
    """
    check_option(nan_policy, "nan_policy", ("raise", "omit"))
    values, rows, columns = _read_table(scores)
    if values.ndim != 2 or values.shape[1] < 2:
        raise ValueError(
            "scores must be a table with data sets as rows and at least 2 methods as columns, "
            f"got shape {values.shape}."
        )
    if len(set(columns)) < len(columns):
        repeated = next(name for name in columns if columns.count(name) > 1)
        raise ValueError(f"scores must name each method once, got {repeated!r} twice.")
    missing = np.isnan(values)
    if missing.any() and nan_policy == "raise":
        row, column = np.argwhere(missing)[0]
        raise MissingScoreError(
            f"The score of {columns[column]!r} on {rows[row]!r} is nan: mend it, or pass nan_policy='omit' "
            "to drop that data set for all methods."
        )
    large = np.abs(values) > LARGEST
    if large.any():
        row, column = np.argwhere(large)[0]
        raise ValueError(
            f"Scores must be finite, and up to {LARGEST:g} in size, got {values[row, column]} of "
            f"{columns[column]!r} on {rows[row]!r}."
        )
    keep = ~missing.any(axis=1)
    if keep.sum() < 2:
        raise ValueError(f"scores must hold at least 2 data sets without a missing score, got {keep.sum()}.")
    if keep.all():
        return ScoreTable(values.copy(), rows, columns, ())  # it may be the array of the caller
    used, dropped = (tuple(rows[row] for row in np.flatnonzero(chosen)) for chosen in (keep, ~keep))
    return ScoreTable(values[keep], used, columns, dropped)


def _read_table(scores: Any) -> tuple[FloatArray, tuple[str, ...], tuple[str, ...]]:
    """Return values, names of rows and names of columns of any table."""
    if isinstance(scores, Mapping):
        array, index = _read_columns(scores)
        names: Any = scores
    else:
        array = to_floats(scores, "scores", hint="; names of data sets belong into the index")
        index, names = (getattr(scores, axis, None) for axis in ("index", "columns"))
    if array.ndim != 2:
        return array, (), ()
    rows = range(array.shape[0]) if names is None or index is None else index
    columns = range(array.shape[1]) if names is None else names
    return array, tuple(map(str, rows)), tuple(map(str, columns))


def _read_columns(scores: Mapping[Any, Any]) -> tuple[FloatArray, Any]:
    """Return the columns of a dict as one array, and the index that those of pandas have."""
    columns = {name: to_floats(column, f"scores[{name!r}]") for name, column in scores.items()}
    shapes = {name: column.shape for name, column in columns.items()}
    if len(set(shapes.values())) > 1 or any(len(shape) != 1 for shape in shapes.values()):
        raise ValueError(
            f"scores must have one score per data set for each method, got columns of shape {shapes}."
        )
    indexed = {
        name: column.index
        for name, column in scores.items()
        if hasattr(column, "isna") and hasattr(column, "index")
    }
    first = next(iter(indexed), None)
    for name, index in indexed.items():
        if not index.equals(indexed[first]):
            raise ValueError(
                f"scores[{name!r}] and scores[{first!r}] must have one index, the names of the data sets: "
                "pass a data frame, which pairs them by name, or .to_numpy() of both where their order tells."
            )
    return np.array(list(columns.values())).T, indexed.get(first)


def round_scores(scores: FloatArray) -> FloatArray:
    """Return each row as whole numbers of the tenth digit of its largest score."""
    return to_digits(scores, np.abs(scores).max(axis=1, keepdims=True))[0]


def rank_rows(scores: FloatArray, *, greater_is_better: bool = True) -> FloatArray:
    """Return ranks within each row: 1 is best, ties share their mean rank.

    Scores are rounded first, so that scores which tie as decimals tie.
    """
    rounded = round_scores(scores)
    return np.asarray(stats.rankdata(-rounded if greater_is_better else rounded, axis=1), dtype=np.float64)


def mean_ranks(scores: Any, *, greater_is_better: bool = True, nan_policy: str = "raise") -> dict[str, float]:
    """Mean rank of each method over the data sets.

    Parameters
    ----------
    scores : array-like of shape (n_datasets, n_methods), data frame, or dict of {method: scores}
    greater_is_better : bool, default=True
        False for errors and losses.
    nan_policy : {"raise", "omit"}, default="raise"
        "omit" drops the data sets where a score is missing.

    Returns
    -------
    dict of {str: float}
        1 is best; ties share their mean rank. Columns of an array are named "0", "1", ...

    Raises
    ------
    MissingScoreError
        A score is nan, with ``nan_policy="raise"``.
    ValueError
        Fewer than 2 methods or data sets; a score that is infinite or no number; a method
        named twice.

    Examples
    --------
    >>> from skeval.comparison import mean_ranks
    >>> mean_ranks({"tree": [0.8, 0.7, 0.9], "forest": [0.9, 0.7, 0.95]})
    {'tree': 1.8333333333333333, 'forest': 1.1666666666666667}
    """
    table = check_score_table(scores, nan_policy=nan_policy)
    ranks = rank_rows(table.scores, greater_is_better=greater_is_better)
    return dict(zip(table.columns, ranks.mean(axis=0).tolist(), strict=True))


def friedman_test(
    scores: Any,
    *,
    greater_is_better: bool = True,
    method: str = "auto",
    ties: str = "correct",
    nan_policy: str = "raise",
) -> TestResult:
    """Friedman's test that several methods rank equally over several data sets.

    Parameters
    ----------
    scores : array-like of shape (n_datasets, n_methods), data frame, or dict of {method: scores}
        At least 2 data sets and 2 methods. Rows of a pandas frame are named by its index;
        pandas series in a dict must have one index.
    greater_is_better : bool, default=True
        False for errors and losses.
    method : {"auto", "exact", "iman-davenport", "chi2"}, default="auto"
        Null distribution. "exact": every order of the ranks within each data set is
        equally probable. "iman-davenport": F, (N - 1) chi2/(N(k - 1) - chi2). "chi2": the
        chi-squared approximation. "auto": exact for small tables (up to 158 data sets of 3
        methods, 31 of 4, 10 of 5, 5 of 6), else Iman-Davenport.
    ties : {"correct", "ignore"}, default="correct"
        "ignore" leaves out the correction for ties, as many published tables do; the exact
        p-value is the same.
    nan_policy : {"raise", "omit"}, default="raise"
        "omit" drops the data sets where a score is missing and names them in ``details``.

    Returns
    -------
    TestResult
        ``statistic`` is chi2 or F. ``details``: both statistics and their p-values, the
        mean ranks by method, the number of data sets used, the names of those dropped.

    Raises
    ------
    MissingScoreError
        A score is nan.
    ValueError
        Fewer than 2 methods or data sets; a score that is infinite, or above 1e60 in size;
        series of different indexes; a table too large for ``method="exact"``.

    Warns
    -----
    DegenerateDataWarning
        All methods are tied on every data set (p = 1), or every data set ranks the methods
        identically (F is infinite; its p-value is then the exact one, (k!)^-(N - 1)
        without ties).

    Notes
    -----
    chi2 = 12 N/(k(k + 1)) [sum R_j^2 - k(k + 1)^2/4] with mean ranks R_j, divided by the
    correction for ties. Scores that agree in ten digits of the largest of their row tie.
    On tiny tables the Iman-Davenport approximation rejects far too often (19 % where 5 %
    are meant, at N = k = 3).

    References
    ----------
    Demsar (2006), Statistical comparisons of classifiers over multiple data sets, JMLR 7,
    section 3.2.2; Iman & Davenport (1980), Communications in Statistics A9.

    Examples
    --------
    >>> from skeval.comparison import friedman_test
    >>> scores = {
    ...     "tree": [0.78, 0.90, 0.62, 0.85, 0.71],
    ...     "forest": [0.84, 0.93, 0.70, 0.88, 0.70],
    ...     "linear": [0.80, 0.88, 0.66, 0.86, 0.69],
    ... }
    >>> result = friedman_test(scores)
    >>> round(result.statistic, 4), round(result.pvalue, 4)
    (4.8, 0.1242)
    """
    check_option(method, "method", _METHODS)
    check_option(ties, "ties", ("correct", "ignore"))
    table = check_score_table(scores, nan_policy=nan_policy)
    ranks = rank_rows(table.scores, greater_is_better=greater_is_better)
    n_datasets, n_methods = ranks.shape
    numbers = _statistics(ranks, ties)
    if method == "auto":
        method = "exact" if is_feasible(n_datasets, n_methods) else "iman-davenport"
    df: Any = {"chi2": n_methods - 1, "exact": None}.get(
        method, (n_methods - 1.0, (n_methods - 1.0) * (n_datasets - 1.0))
    )
    if method == "exact":
        pvalue = exact_pvalue(np.rint(2 * ranks).astype(np.int64))
    else:
        pvalue = numbers["p_chi2" if method == "chi2" else "p_F"]
    name = "F" if method == "iman-davenport" else "chi2"
    log = keep_log(pvalue, lambda: _log_pvalue(numbers[name], name, ranks))
    return TestResult(
        statistic=numbers[name],
        pvalue=pvalue,
        df=df,
        method={
            "exact": "Friedman test (exact)",
            "chi2": "Friedman test (chi-squared)",
            "iman-davenport": "Friedman test (Iman-Davenport)",
        }[method],
        hypothesis="all methods rank equally over the data sets",
        estimand="mean ranks over data sets like these",
        reference="Demsar (2006), JMLR 7, section 3.2.2",
        statistic_name=name,
        details=numbers
        | log
        | {
            "mean_ranks": dict(zip(table.columns, ranks.mean(axis=0).tolist(), strict=True)),
            "n_datasets": n_datasets,
            "dropped": table.dropped,
        },
    )


def _statistics(ranks: FloatArray, ties: str) -> dict[str, float]:
    """Return both statistics and their p-values, from sums in whole numbers."""
    n_datasets, n_methods = ranks.shape
    centered = np.rint(2 * ranks).astype(np.int64) - (n_methods + 1)  # twice the rank minus its mean
    between = int((centered.sum(axis=0) ** 2).sum())
    within = int((centered**2).sum())
    if not within:
        warn_user(
            "All methods are tied on every data set: the statistic is set to 0 and p to 1.",
            DegenerateDataWarning,
        )
        return {"chi2": 0.0, "p_chi2": 1.0, "F": 0.0, "p_F": 1.0}
    if ties == "ignore":
        within = n_datasets * n_methods * (n_methods**2 - 1) // 3
    chi2 = (n_methods - 1) * between / within
    rest = n_datasets * within - between
    f_ratio = (n_datasets - 1) * between / rest if rest else np.inf
    df = n_methods - 1
    p_f = float(stats.f.sf(f_ratio, df, df * (n_datasets - 1)))
    if not rest:
        warn_user(
            "Every data set ranks the methods identically: F is infinite, and its p-value is that of the "
            "exact test.",
            DegenerateDataWarning,
        )
        p_f = 1 / n_arrangements(centered[0]) ** (n_datasets - 1)
    return {"chi2": chi2, "p_chi2": float(stats.chi2.sf(chi2, df)), "F": f_ratio, "p_F": p_f}


def _log_pvalue(statistic: float, name: str, ranks: FloatArray) -> float:
    """Return the logarithm of a p-value that underflows."""
    n_datasets, df = len(ranks), ranks.shape[1] - 1
    if name == "chi2":
        return log_chi2_sf(statistic, df)
    if math.isinf(statistic):
        return -(n_datasets - 1) * math.log(n_arrangements(np.rint(2 * ranks[0]).astype(np.int64)))
    return log_f_sf(statistic, df, df * (n_datasets - 1))

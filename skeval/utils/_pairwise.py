"""What a comparison of several methods returns: a table of pairs, and who is not different from whom."""

from __future__ import annotations

import html
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from skeval.utils._optional import import_optional
from skeval.utils._tables import html_table, latex_table
from skeval.utils._validation import check_level

if TYPE_CHECKING:
    from skeval.utils._results import TestResult

# Pairs that the HTML table shows; the frame has all.
_MAX_ROWS = 100


@dataclass(frozen=True, eq=False)
class PairwiseResult:
    """Outcome of comparing every pair of methods, or all with a control.

    Attributes
    ----------
    methods : tuple of str
        Names, in the order of the input.
    pairs : tuple of (str, str)
        The pairs compared.
    estimate, statistic, raw_pvalue, pvalue : ndarray of shape (n_pairs,)
        Effect (positive: the first of the pair is better), statistic, p-value before and
        after the adjustment for several comparisons.
    mean_ranks : ndarray of shape (n_methods,) or None
        Mean ranks, 1 = best, where the comparison is over data sets.
    method : str
        Name of the test and of the adjustment.
    hypothesis, estimand, reference : str
        As in `TestResult`.
    control : str or None
        The method that all others were compared with.
    omnibus : TestResult or None
        The test of "all methods are equal" that goes with it.
    details : dict
        Further numbers by name (critical difference, number of data sets).
    standard_error, df : ndarray of shape (n_pairs,) or None
        Standard error of `estimate` and degrees of freedom (infinite: normal), where the
        test has them; the intervals come from these.
    per_pair : dict of {str: ndarray of shape (n_pairs,)}
        Further columns of the table of pairs.
    limits : tuple of (float, float)
        The least and the largest effect there can be.
    explanation : str
        What was done and why, and what else could have been, by name.

    Examples
    --------
    >>> from skeval.comparison import PairwiseResult, compare_scores
    >>> scores = {"knn": [0.84, 0.79, 0.91, 0.70, 0.66, 0.80], "svc": [0.87, 0.83, 0.92, 0.77, 0.71, 0.85],
    ...     "tree": [0.78, 0.75, 0.88, 0.71, 0.64, 0.76]}
    >>> result = compare_scores(scores)
    >>> isinstance(result, PairwiseResult)
    True
    >>> result.groups(alpha=0.05)
    [('svc', 'knn'), ('knn', 'tree')]
    """

    methods: tuple[str, ...]
    pairs: tuple[tuple[str, str], ...]
    estimate: NDArray[np.float64]
    statistic: NDArray[np.float64]
    raw_pvalue: NDArray[np.float64]
    pvalue: NDArray[np.float64]
    mean_ranks: NDArray[np.float64] | None = None
    method: str = ""
    hypothesis: str = ""
    estimand: str = ""
    reference: str = ""
    control: str | None = None
    omnibus: TestResult | None = None
    details: dict[str, Any] = field(default_factory=dict)
    standard_error: NDArray[np.float64] | None = None
    df: NDArray[np.float64] | None = None
    per_pair: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    limits: tuple[float, float] = (-np.inf, np.inf)
    explanation: str = ""

    def groups(self, alpha: float = 0.05) -> list[tuple[str, ...]]:
        """Return the largest sets of methods that are not different from each other.

        A set has at least two members, and every pair in it has ``pvalue > alpha``; sets
        may overlap, and a set need not be contiguous in mean rank.

        Parameters
        ----------
        alpha : float, default=0.05
            Two methods are different where ``pvalue <= alpha``.

        Raises
        ------
        ValueError
            With a control the pairs among the others are unknown; or a p-value is nan.
        """
        alpha = check_level(alpha, "alpha")
        if self.control is not None:
            raise ValueError(
                f"groups() needs all pairs, but these methods were compared with {self.control!r} only."
            )
        return not_different(self.methods, self.pairs, self.pvalue, alpha, self.mean_ranks)

    def confidence_intervals(
        self, confidence_level: float = 0.95, *, simultaneous: bool = False
    ) -> NDArray[np.float64]:
        """Return the two-sided intervals of `estimate`.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Strictly between 0 and 1.
        simultaneous : bool, default=False
            False: of each interval by itself. True: of all together, by Bonferroni.

        Returns
        -------
        ndarray of shape (n_pairs, 2)

        Raises
        ------
        ValueError
            The test has no standard errors.
        """
        tail = (1 - check_level(confidence_level, "confidence_level")) / 2
        if self.standard_error is None or self.df is None:
            raise ValueError(f"The {self.method} has no confidence intervals for its effects.")
        if simultaneous:
            tail /= len(self.pairs)
        half = stats.t.isf(tail, self.df) * self.standard_error
        ends = np.column_stack([self.estimate - half, self.estimate + half])
        return np.asarray(np.clip(ends, *self.limits), dtype=np.float64)

    def pvalue_matrix(self) -> NDArray[np.float64]:
        """Return the adjusted p-values as a symmetric matrix, 1 on the diagonal, nan where not compared."""
        matrix = np.full((len(self.methods),) * 2, np.nan)
        np.fill_diagonal(matrix, 1.0)
        position = {name: where for where, name in enumerate(self.methods)}
        for (first, second), pvalue in zip(self.pairs, self.pvalue, strict=True):
            matrix[position[first], position[second]] = matrix[position[second], position[first]] = pvalue
        return matrix

    def _columns(self, confidence_level: float = 0.95) -> dict[str, Any]:
        """Return the table of pairs by column."""
        columns: dict[str, Any] = {
            "a": [first for first, _ in self.pairs],
            "b": [second for _, second in self.pairs],
            "estimate": self.estimate,
        }
        if self.standard_error is not None:
            columns["standard_error"] = self.standard_error
            columns["low"], columns["high"] = self.confidence_intervals(confidence_level).T
        columns |= {"statistic": self.statistic, "raw_pvalue": self.raw_pvalue, "pvalue": self.pvalue}
        return columns | dict(self.per_pair)

    def frame(self, *, confidence_level: float = 0.95) -> Any:
        """Return a pandas DataFrame with one row per pair.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Of the ends ``low`` and ``high`` of each effect, where there are any.
        """
        pandas = import_optional("pandas", extra="report", purpose="frame()")
        return pandas.DataFrame(self._columns(confidence_level))

    def latex(self, *, alpha: float = 0.05, confidence_level: float = 0.95) -> str:
        """Return the table of pairs as a LaTeX tabular, different pairs in bold.

        Parameters
        ----------
        alpha : float, default=0.05
            Two methods are different where ``pvalue <= alpha``.
        confidence_level : float, default=0.95
            Of the ends ``low`` and ``high`` of each effect, where there are any.

        Returns
        -------
        str
            Needs the LaTeX package booktabs.
        """
        bold = self.pvalue <= check_level(alpha, "alpha")
        return latex_table(_plain(self._columns(confidence_level)), bold=bold.tolist())

    def __str__(self) -> str:
        different = int((self.pvalue <= 0.05).sum())
        against = f" with {self.control}" if self.control is not None else ""
        pairs = "pair is" if len(self.pairs) == 1 else "pairs are"
        return (
            f"{self.method}: {different} of {len(self.pairs)} {pairs} different{against} "
            f"at alpha = 0.05 ({len(self.methods)} methods)."
        )

    def _repr_html_(self) -> str:
        columns = {name: cells[:_MAX_ROWS] for name, cells in _plain(self._columns()).items()}
        told = [str(self), self.explanation, "Bold: different at alpha = 0.05."]
        if self.control is None and not np.isnan(self.pvalue).any():
            groups = "; ".join(", ".join(group) for group in self.groups())
            told.append(f"Not different from each other: {groups or 'none'}.")
        if len(self.pairs) > _MAX_ROWS:
            told.append(f"The first {_MAX_ROWS} of {len(self.pairs)} pairs; frame() has all.")
        paragraphs = "".join(f"<p>{html.escape(line)}</p>" for line in told if line)
        return paragraphs + html_table(columns, bold=(self.pvalue <= 0.05).tolist())


def _plain(columns: Mapping[str, Any]) -> dict[str, list[Any]]:
    """Return columns as lists of Python's own numbers and strings."""
    return {name: np.asarray(cells).tolist() for name, cells in columns.items()}


def not_different(
    methods: tuple[str, ...],
    pairs: tuple[tuple[str, str], ...],
    pvalue: NDArray[np.float64],
    alpha: float,
    mean_ranks: NDArray[np.float64] | None = None,
) -> list[tuple[str, ...]]:
    """Return the maximal cliques of the graph that joins methods with ``pvalue > alpha``."""
    joined: dict[str, set[str]] = {name: set() for name in methods}
    for (first, second), value in zip(pairs, pvalue, strict=True):
        if np.isnan(value):
            raise ValueError(f"The p-value of the pair {first!r}, {second!r} is nan: no group can be formed.")
        if value > alpha:
            joined[first].add(second)
            joined[second].add(first)
    place = dict(zip(methods, range(len(methods)) if mean_ranks is None else mean_ranks, strict=True))
    found: list[tuple[str, ...]] = []

    def expand(clique: set[str], candidates: set[str], excluded: set[str]) -> None:
        """Bron and Kerbosch (1973) with a pivot."""
        if not candidates and not excluded:
            if len(clique) > 1:
                found.append(tuple(sorted(clique, key=lambda name: (place[name], name))))
            return
        pivot = max(candidates | excluded, key=lambda name: len(joined[name] & candidates))
        for name in candidates - joined[pivot]:
            expand(clique | {name}, candidates & joined[name], excluded & joined[name])
            candidates = candidates - {name}
            excluded = excluded | {name}

    expand(set(), set(methods), set())
    return sorted(found, key=lambda group: [(place[name], name) for name in group])

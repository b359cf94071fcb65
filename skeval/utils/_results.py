"""What tests and intervals return: small frozen objects; what depends on a level is a method."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from skeval.utils._optional import import_optional
from skeval.utils._validation import check_level

SMALLEST_PRINTED = 1e-300


class ConfidenceInterval(NamedTuple):
    """Lower and upper end of an interval."""

    low: float
    high: float


def format_pvalue(pvalue: float) -> str:
    """Write a p-value as "p = 0.0123", never as 0."""
    if np.isnan(pvalue):
        return "p undefined"
    if pvalue < SMALLEST_PRINTED:
        return "p < 1e-300"
    return f"p = {pvalue:.3g}"


def _cells(frame: Any) -> str:
    """Return a data frame as an HTML table."""
    return str(frame.to_html(index=False, float_format=lambda value: f"{value:.4g}"))


@dataclass(frozen=True)
class TestResult:
    """Outcome of a hypothesis test.

    Unpacks as ``(statistic, pvalue)``.

    Attributes
    ----------
    statistic : float
        Value of the test statistic.
    pvalue : float
        Probability under the null hypothesis; reject at ``pvalue <= alpha``.
    df : float, tuple of float or None
        Degrees of freedom, where the null distribution has them.
    estimate : float or None
        The effect: positive where the first of two methods is better.
    standard_error : float or None
        Standard error of `estimate`, where the test has one.
    alternative : {"two-sided", "greater", "less", "equivalence", "non-inferiority"}
        The alternative hypothesis.
    method : str
        Name of the test.
    hypothesis : str
        The null hypothesis in words.
    estimand : str
        What `estimate` is an estimate of.
    reference : str
        Where the equation used is to be found.
    details : dict
        Further numbers by name (counts, other forms of the statistic).
    """

    __test__ = False  # the name is not a test class for pytest

    statistic: float
    pvalue: float
    df: float | tuple[float, float] | None = None
    estimate: float | None = None
    standard_error: float | None = None
    alternative: str = "two-sided"
    method: str = ""
    hypothesis: str = ""
    estimand: str = ""
    reference: str = ""
    statistic_name: str = "statistic"
    details: dict[str, Any] = field(default_factory=dict, compare=False)
    _interval: Callable[..., tuple[float, float]] | None = field(default=None, repr=False, compare=False)

    def __iter__(self) -> Iterator[float]:
        return iter((self.statistic, self.pvalue))

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Return the interval of `estimate`; one-sided where the alternative is.

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
            The test has no interval for its effect.
        """
        level = check_level(confidence_level, "confidence_level")
        if self._interval is not None:
            return ConfidenceInterval(*self._interval(self.alternative, level))
        if self.estimate is None or self.standard_error is None or not isinstance(self.df, (int, float)):
            raise ValueError(f"The {self.method} has no confidence interval for its effect.")
        tail = (1 - level) / 2 if self.alternative == "two-sided" else 1 - level
        half = float(stats.t.isf(tail, self.df)) * self.standard_error
        if self.alternative == "two-sided":
            return ConfidenceInterval(self.estimate - half, self.estimate + half)
        if self.alternative == "greater":
            return ConfidenceInterval(self.estimate - half, float("inf"))
        return ConfidenceInterval(float("-inf"), self.estimate + half)

    def frame(self) -> Any:
        """Return the result as a pandas DataFrame of one row."""
        pandas = import_optional("pandas", extra="report", purpose="frame()")
        row = {
            "method": self.method,
            "statistic": self.statistic,
            "df": self.df,
            "pvalue": self.pvalue,
            "estimate": self.estimate,
            "standard_error": self.standard_error,
            "alternative": self.alternative,
        }
        return pandas.DataFrame([row])

    def __str__(self) -> str:
        df = ""
        if self.df is not None:
            numbers = self.df if isinstance(self.df, tuple) else (self.df,)
            df = f"({', '.join(f'{number:g}' for number in numbers)})"
        effect = "" if self.estimate is None else f", estimate {self.estimate:.4g}"
        return (
            f"{self.method}: {self.statistic_name}{df} = {self.statistic:.4g}, "
            f"{format_pvalue(self.pvalue)} ({self.alternative}){effect}. H0: {self.hypothesis}."
        )

    def _repr_html_(self) -> str:
        return f"<p>{html.escape(str(self))}</p>{_cells(self.frame())}"


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

    def pvalue_matrix(self) -> NDArray[np.float64]:
        """Return the adjusted p-values as a symmetric matrix, 1 on the diagonal, nan where not compared."""
        matrix = np.full((len(self.methods),) * 2, np.nan)
        np.fill_diagonal(matrix, 1.0)
        position = {name: where for where, name in enumerate(self.methods)}
        for (first, second), pvalue in zip(self.pairs, self.pvalue, strict=True):
            matrix[position[first], position[second]] = matrix[position[second], position[first]] = pvalue
        return matrix

    def frame(self) -> Any:
        """Return a pandas DataFrame with one row per pair."""
        pandas = import_optional("pandas", extra="report", purpose="frame()")
        return pandas.DataFrame(
            {
                "a": [first for first, _ in self.pairs],
                "b": [second for _, second in self.pairs],
                "estimate": self.estimate,
                "statistic": self.statistic,
                "raw_pvalue": self.raw_pvalue,
                "pvalue": self.pvalue,
            }
        )

    def __str__(self) -> str:
        different = int((self.pvalue <= 0.05).sum())
        against = f" with {self.control}" if self.control is not None else ""
        pairs = "pair is" if len(self.pairs) == 1 else "pairs are"
        return (
            f"{self.method}: {different} of {len(self.pairs)} {pairs} different{against} "
            f"at alpha = 0.05 ({len(self.methods)} methods)."
        )

    def _repr_html_(self) -> str:
        return f"<p>{html.escape(str(self))}</p>{_cells(self.frame())}"


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


@dataclass(frozen=True, eq=False)
class PosteriorResult:
    """Posterior of a Bayesian comparison of two methods.

    Attributes
    ----------
    a_better, equivalent, b_better : float
        Posterior probabilities that the first is better, that the difference lies inside
        the region of practical equivalence, and that the second is better; they sum to 1.
    estimate : float
        Posterior mean of the difference, first minus second.
    rope : float
        Half the width of the region of practical equivalence, in score units.
    samples : ndarray of shape (n_samples, 3) or None
        Draws of the three probabilities, where the posterior was sampled.
    method, estimand, reference : str
        As in `TestResult`.
    """

    a_better: float
    equivalent: float
    b_better: float
    estimate: float
    rope: float
    samples: NDArray[np.float64] | None = field(default=None, repr=False)
    method: str = ""
    estimand: str = ""
    reference: str = ""
    details: dict[str, Any] = field(default_factory=dict)
    _interval: Callable[[float], tuple[float, float]] | None = field(default=None, repr=False, compare=False)

    def credible_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Return the equal-tailed posterior interval of the difference.

        Raises
        ------
        ValueError
            The posterior has no interval for the difference.
        """
        level = check_level(confidence_level, "confidence_level")
        if self._interval is None:
            raise ValueError(f"The {self.method} has no credible interval for the difference.")
        return ConfidenceInterval(*self._interval(level))

    def frame(self) -> Any:
        """Return the probabilities as a pandas DataFrame of one row."""
        pandas = import_optional("pandas", extra="report", purpose="frame()")
        return pandas.DataFrame(
            [
                {
                    "method": self.method,
                    "a_better": self.a_better,
                    "equivalent": self.equivalent,
                    "b_better": self.b_better,
                    "estimate": self.estimate,
                    "rope": self.rope,
                }
            ]
        )

    def __str__(self) -> str:
        return (
            f"{self.method}: P(first better) = {self.a_better:.3g}, "
            f"P(difference within {self.rope:g}) = {self.equivalent:.3g}, "
            f"P(second better) = {self.b_better:.3g}."
        )

    def _repr_html_(self) -> str:
        return f"<p>{html.escape(str(self))}</p>{_cells(self.frame())}"

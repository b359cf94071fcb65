"""What a test or a posterior returns: small frozen objects; what depends on a level is a method."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from skeval.utils._optional import import_optional
from skeval.utils._tables import SMALLEST_PRINTED, format_pvalue, html_table, latex_cell, latex_text
from skeval.utils._validation import check_level


class ConfidenceInterval(NamedTuple):
    """Lower and upper end of an interval."""

    low: float
    high: float


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
    statistic_name : str
        What `statistic` is called where the result is printed.
    details : dict
        Further numbers by name (counts, other forms of the statistic). ``log_pvalue`` is
        the natural logarithm of the p-value, there at least where that is below 1e-300 and
        prints as "p < 1e-300".

    Examples
    --------
    >>> from skeval.comparison import TestResult, mcnemar_from_table
    >>> result = mcnemar_from_table([[59, 6], [16, 80]])
    >>> isinstance(result, TestResult)
    True
    >>> statistic, pvalue = result
    >>> round(pvalue, 4)
    0.0347
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
        return pandas.DataFrame([self._row()])

    def _row(self) -> dict[str, Any]:
        return {
            "method": self.method,
            "statistic": self.statistic,
            "df": self.df,
            "pvalue": self.pvalue,
            "estimate": self.estimate,
            "standard_error": self.standard_error,
            "alternative": self.alternative,
        }

    def _ends(self, confidence_level: float) -> ConfidenceInterval | None:
        """Return the interval, or None where the test has none."""
        try:
            return self.confidence_interval(confidence_level)
        except ValueError:
            return None

    def latex(self, *, confidence_level: float = 0.95) -> str:
        r"""Return the result as a row of a LaTeX table.

        Cells: name of the test, statistic with degrees of freedom, p-value, effect,
        interval of the effect; the last two are empty where the test has none.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Of the interval, strictly between 0 and 1.

        Returns
        -------
        str
            Ends in two backslashes.
        """
        level = check_level(confidence_level, "confidence_level")
        sign, text = "<" if "<" in format_pvalue(self.pvalue) else "=", latex_cell(self.pvalue, "pvalue")
        name = latex_text(f"{self.statistic_name}{self._df()}")
        cells = [
            latex_text(self.method),
            f"{name} = {latex_cell(float(self.statistic))}",
            f"$p {sign} {text.strip('$<')}$",
            "" if self.estimate is None else latex_cell(float(self.estimate)),
            "",
        ]
        ends = self._ends(level)
        if ends is not None:
            cells[-1] = f"$[{', '.join(latex_cell(float(end)).strip('$') for end in ends)}]$"
        return " & ".join(cells) + r" \\"

    def _df(self) -> str:
        if self.df is None:
            return ""
        numbers = self.df if isinstance(self.df, tuple) else (self.df,)
        return f"({', '.join(f'{number:g}' for number in numbers)})"

    def __str__(self) -> str:
        effect = "" if self.estimate is None else f", estimate {self.estimate:.4g}"
        return (
            f"{self.method}: {self.statistic_name}{self._df()} = {self.statistic:.4g}, "
            f"{format_pvalue(self.pvalue)} ({self.alternative}){effect}. H0: {self.hypothesis}."
        )

    def _repr_html_(self) -> str:
        row, ends = self._row(), self._ends(0.95)
        if ends is not None:
            row |= {"95 % interval": f"[{ends.low:.4g}, {ends.high:.4g}]"}
        if self.pvalue < SMALLEST_PRINTED and "log_pvalue" in self.details:
            row |= {"log p": self.details["log_pvalue"]}
        return f"<p>{html.escape(str(self))}</p>{html_table({name: [cell] for name, cell in row.items()})}"


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
    details : dict
        Further numbers by name.

    Examples
    --------
    >>> from skeval.comparison import PosteriorResult, correlated_bayes_ttest
    >>> accuracy, other = [0.81, 0.84, 0.79, 0.83, 0.80], [0.78, 0.80, 0.79, 0.79, 0.77]
    >>> result = correlated_bayes_ttest(accuracy, other, rope=0.01, n_train=80, n_test=20)
    >>> isinstance(result, PosteriorResult)
    True
    >>> round(result.a_better, 3)
    0.911
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
        return pandas.DataFrame([self._row()])

    def _row(self) -> dict[str, Any]:
        names = ("method", "a_better", "equivalent", "b_better", "estimate", "rope")
        return {name: getattr(self, name) for name in names}

    def latex(self) -> str:
        r"""Return the result as a row of a LaTeX table.

        Cells: name of the method, the three probabilities (first better, equivalent, second
        better), posterior mean, half the width of the region of practical equivalence.

        Returns
        -------
        str
            Ends in two backslashes.
        """
        _, *numbers = self._row().values()
        cells = [latex_text(self.method), *(latex_cell(float(number)) for number in numbers)]
        return " & ".join(cells) + r" \\"

    def __str__(self) -> str:
        return (
            f"{self.method}: P(first better) = {self.a_better:.3g}, "
            f"P(difference within {self.rope:g}) = {self.equivalent:.3g}, "
            f"P(second better) = {self.b_better:.3g}."
        )

    def _repr_html_(self) -> str:
        columns = {name: [cell] for name, cell in self._row().items()}
        return f"<p>{html.escape(str(self))}</p>{html_table(columns)}"

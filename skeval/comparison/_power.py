"""How large a study must be, and what power it has."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from skeval.comparison import _power_curves as curves
from skeval.utils._validation import FloatArray, IntArray, check_int, check_level, check_option

Curve = Callable[[IntArray], FloatArray]

_LARGEST = 10_000_000
_SIMULATED = f"simulated up to {curves.SIMULATED}, {curves.N_REPLICATES} replicates from one seed; beyond, "


class _Design(NamedTuple):
    power: Callable[..., FloatArray]
    unit: str
    how: str
    reference: str


_DESIGNS = {
    "binomial": _Design(curves.binomial, "test samples", "exact", "Clopper & Pearson (1934), Biometrika 26"),
    "mcnemar": _Design(
        curves.mcnemar,
        "test samples",
        "exact over the number of discordant samples",
        "Fagerland, Lydersen & Laake (2013), BMC Medical Research Methodology 13:91",
    ),
    "paired-t": _Design(
        curves.paired_t, "pairs", "noncentral t", "Nadeau & Bengio (2003), Machine Learning 52, equation 9"
    ),
    "sign": _Design(
        curves.sign, "data sets that are no ties", "exact", "Demsar (2006), JMLR 7, section 3.1.4"
    ),
    "wilcoxon": _Design(
        curves.wilcoxon,
        "data sets",
        f"{_SIMULATED}normal with the moments of W+ for normal differences",
        "Lehmann (1975), Nonparametrics, section 4.2",
    ),
    "friedman": _Design(
        curves.friedman,
        "data sets",
        f"{_SIMULATED}noncentral chi-squared",
        "Demsar (2006), JMLR 7, section 3.2.2",
    ),
}


@dataclass(frozen=True)
class StudySize:
    """Size of a study for a power asked for.

    Attributes
    ----------
    size : int
        The smallest size from which on the power is at least `target`.
    power : float
        Power at that size.
    target : float
        Power asked for.
    unit : str
        What is counted: test samples, pairs, data sets.
    design : str
        Name of the design.
    alpha : float
        Level of the test.
    alternative : {"two-sided", "one-sided"}
    method : str
        How the power was found: exact, by formula, simulated.
    assumptions : dict
        What the size holds for.
    reference : str
        Where the test is to be found.

    Examples
    --------
    >>> from skeval.comparison import required_size
    >>> study = required_size("sign", win_probability=0.8)
    >>> study.size, round(study.power, 3)
    (23, 0.84)
    """

    size: int
    power: float
    target: float
    unit: str
    design: str
    alpha: float
    alternative: str
    method: str
    assumptions: dict[str, Any] = field(default_factory=dict)
    reference: str = ""

    def __str__(self) -> str:
        told = ", ".join(f"{name} = {value}" for name, value in self.assumptions.items())
        return (
            f"{self.size} {self.unit} give {self.design} power {self.power:.3g} (asked for: {self.target:g}) "
            f"at alpha = {self.alpha:g}, {self.alternative}, if {told} ({self.method})."
        )


def required_size(
    design: str,
    *,
    power: float = 0.8,
    alpha: float = 0.05,
    alternative: str | None = None,
    **assumptions: Any,
) -> StudySize:
    """Size that a study needs to find an effect.

    Parameters
    ----------
    design : {"binomial", "mcnemar", "paired-t", "sign", "wilcoxon", "friedman"}
        - "binomial": test samples for `binomial_test`. ``error``: the error rate of the null
          hypothesis; ``true_error``: the one assumed. One-sided, on the side of
          ``true_error``.
        - "mcnemar": test samples for `mcnemar_test`. ``only_a``, ``only_b``: probabilities
          that only A, or only B, is right on a sample; ``test``: "mid-p" (default) or "exact".
        - "paired-t": pairs for `paired_ttest`. ``effect``: mean difference; ``sd``: standard
          deviation of the differences. With ``n_train`` and ``n_test``: splits for
          `corrected_resampled_ttest`, each with so many rows.
        - "sign": data sets that are no ties for `sign_test`. ``win_probability``: that a is
          better.
        - "wilcoxon": data sets for `wilcoxon_test`. ``effect`` and ``sd`` as for "paired-t",
          for normal differences.
        - "friedman": data sets for `friedman_test`. ``effects``: mean scores of the
          methods, in standard deviations of a score within a data set, for normal scores.
    power : float, default=0.8
        Probability of finding the effect, strictly between `alpha` and 1.
    alpha : float, default=0.05
        Level of the test.
    alternative : {"two-sided", "one-sided"}, default=None
        "one-sided": the test looks on the side of the effect assumed. None: "one-sided" for
        "binomial", else "two-sided". Friedman's test has no side.
    **assumptions : float
        Those of the design.

    Returns
    -------
    StudySize

    Raises
    ------
    ValueError
        An unknown design; assumptions out of range, without an effect, or under which no
        size is enough.
    TypeError
        Assumptions that are missing or belong to another design.

    Notes
    -----
    The power of an exact test is not monotone in the size: the size returned is the first
    from which on it stays at or above `power`. More splits of the same data do not give any
    power: as the number of splits grows, the corrected variance tends to n_test/n_train
    times the variance of a difference. Assumptions come from earlier studies or from what
    would matter in use, not from the data that will be tested.

    Examples
    --------
    >>> from skeval.comparison import required_size
    >>> required_size("paired-t", effect=0.5, sd=1.0).size
    34
    >>> print(required_size("binomial", error=0.3, true_error=0.2))
    130 test samples give binomial power 0.838 (asked for: 0.8) at alpha = 0.05, one-sided,
    if error = 0.3, true_error = 0.2 (exact).
    """
    found, alpha, alternative, curve = _prepare(design, alpha, alternative, assumptions)
    target = check_level(power, "power")
    if target <= alpha:
        raise ValueError(f"power must be above alpha, got power={power} and alpha={alpha}.")
    if design == "paired-t" and assumptions.get("n_train") is not None:
        curve(np.array([2]))  # refuses what is out of range
        limit = curves.paired_t_limit(alpha / (1 + (alternative == "two-sided")), **assumptions)
        if target >= limit - 1e-6:
            raise ValueError(
                f"No number of splits gives power {power:g}: splits share training rows, and with n_train="
                f"{assumptions['n_train']} and n_test={assumptions['n_test']} the power stays below "
                f"{limit:.3g}. It takes more data, or a smaller n_test."
            )
    size = _smallest(curve, target, assumptions)
    return StudySize(
        size=size,
        power=float(curve(np.array([size]))[0]),
        target=target,
        unit="splits" if assumptions.get("n_train") is not None else found.unit,
        design=design,
        alpha=alpha,
        alternative=alternative,
        method=found.how,
        assumptions=assumptions,
        reference=found.reference,
    )


def power_of(
    design: str, size: int, *, alpha: float = 0.05, alternative: str | None = None, **assumptions: Any
) -> float:
    """Power of a study of a given size.

    Parameters
    ----------
    design : str
        As in `required_size`.
    size : int
        Test samples, pairs, splits or data sets, at least 1.
    alpha : float, default=0.05
        Level of the test.
    alternative : {"two-sided", "one-sided"}, default=None
        As in `required_size`.
    **assumptions : float
        As in `required_size`.

    Returns
    -------
    float
        Probability that the test rejects, in [0, 1].

    Raises
    ------
    ValueError, TypeError
        As `required_size`.

    Examples
    --------
    >>> from skeval.comparison import power_of
    >>> round(power_of("paired-t", 34, effect=0.5, sd=1.0), 3)
    0.808
    """
    size = check_int(size, "size", minimum=1)
    _, _, _, curve = _prepare(design, alpha, alternative, assumptions)
    return float(curve(np.array([size]))[0])


def _prepare(
    design: str, alpha: float, alternative: str | None, assumptions: dict[str, Any]
) -> tuple[_Design, float, str, Curve]:
    """Return the design, the level, the alternative, and the power as a function of the sizes."""
    found = _DESIGNS[check_option(design, "design", tuple(_DESIGNS))]
    alpha = check_level(alpha, "alpha")
    check_option(alternative, "alternative", (None, "two-sided", "one-sided"))
    if alternative is None:
        alternative = "one-sided" if design == "binomial" else "two-sided"
    if design == "friedman" and alternative == "one-sided":
        raise ValueError("alternative must be 'two-sided' for the design 'friedman': the test has no side.")
    taken = {
        name: parameter
        for name, parameter in inspect.signature(found.power).parameters.items()
        if parameter.kind is parameter.KEYWORD_ONLY
    }
    needed = [name for name, parameter in taken.items() if parameter.default is parameter.empty]
    wrong = [name for name in assumptions if name not in taken]
    missing = [name for name in needed if name not in assumptions]
    if wrong or missing:
        raise TypeError(
            f"The design {design!r} takes the assumptions {', '.join(taken)}; "
            + (f"got {', '.join(wrong)} too." if wrong else f"{', '.join(missing)} must be given.")
        )
    sides = 2 if alternative == "two-sided" else 1
    tail = alpha if design == "friedman" else alpha / sides
    return found, alpha, alternative, partial(_curve, found.power, tail, sides, assumptions)


def _curve(
    power: Callable[..., FloatArray], tail: float, sides: int, assumptions: dict[str, Any], sizes: IntArray
) -> FloatArray:
    return power(sizes, tail, sides, **assumptions)


def _smallest(curve: Curve, target: float, assumptions: dict[str, Any]) -> int:
    """Return the smallest size from which on the power stays at or above `target`."""

    def reached(size: int) -> bool:
        return bool(curve(np.array([size]))[0] >= target)

    high = 1
    while not reached(high):
        high *= 2
        if high > _LARGEST:
            told = ", ".join(f"{name}={value}" for name, value in assumptions.items())
            raise ValueError(
                f"The size for power={target:g} is more than {_LARGEST:,}, with {told}: assume an effect "
                "that would matter in use, or ask for less power."
            )
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if reached(middle) else (middle, high)
    # The power of an exact test goes up and down around its trend.
    span = 10 * math.isqrt(high) + 20
    below = np.flatnonzero(curve(np.arange(high, high + span)) < target)
    return high + (int(below[-1]) + 1 if len(below) else 0)

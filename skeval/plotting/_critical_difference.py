"""The critical-difference diagram: mean ranks on a line, bars over methods that are not different."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numpy.typing import ArrayLike

from skeval.plotting._base import Display
from skeval.plotting._mean_ranks import check_ranks, critical_difference_of
from skeval.plotting._rank_axis import RankAxis
from skeval.utils._pairwise import PairwiseResult
from skeval.utils._validation import check_level, check_real


class CriticalDifferenceDisplay(Display):
    """Critical-difference diagram: which methods differ in mean rank over data sets.

    The methods stand on a line of mean ranks, the best at the left. A bar joins methods
    that are not different from each other; methods that share no bar are different.

    Parameters
    ----------
    mean_ranks : array-like of shape (n_methods,)
        Mean rank of each method over the data sets, 1 = best; at least two methods.
    names : sequence of str of length n_methods
        Their names, each once.
    groups : sequence of sequences of str
        Sets of methods that are not different, two members or more each; a method may be
        in several sets, and a set need not be contiguous in mean rank.
    critical_difference : float or None, default=None
        Difference of mean ranks from which on two methods are different; drawn to scale.
        None where the test has no such number (step-down procedures).
    alpha : float, default=0.05
        Level at which `groups` were formed: different at ``p <= alpha``.
    control : str or None, default=None
        The one method that the others were compared with, if not all pairs were.
    method : str, default=""
        Name of the test, for the line under the diagram.

    Attributes
    ----------
    groups : tuple of tuples of str
        The bars as data.
    ax_ : matplotlib Axes
        Axes with the diagram.
    figure_ : matplotlib Figure
        Figure that holds them.
    labels_ : list of matplotlib Text
        Names with mean ranks, in the order of `names`.
    stems_ : list of matplotlib Line2D
        The line from the axis to each label, in the order of `names`.
    bars_ : list of matplotlib Line2D
        One bar per group.

    Raises
    ------
    ValueError
        Mean ranks that cannot be, a method that is named twice or unknown, a group of one,
        or a number out of its range.

    Notes
    -----
    A bar spans the mean ranks of its methods, to the scale of the axis. Below the bars the
    lines of methods whose mean ranks are equal or nearly so part, to be followed one by one.
    Where a bar passes over a method that is not in its group, dots mark the members of every
    bar. A critical difference of more than twice the axis is cut off, and says so.

    Any mean-rank comparison depends on which other methods are in the table [2]_.

    References
    ----------
    .. [1] J. Demsar (2006). Statistical comparisons of classifiers over multiple data sets.
       Journal of Machine Learning Research 7, 1-30; Figure 1.
    .. [2] A. Benavoli, G. Corani, F. Mangili (2016). Should we really use post-hoc tests
       based on mean-ranks? Journal of Machine Learning Research 17, 1-10.

    Examples
    --------
    >>> from skeval.plotting import CriticalDifferenceDisplay
    >>> display = CriticalDifferenceDisplay(
    ...     [3.143, 2.000, 2.893, 1.964],
    ...     ["C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf"],
    ...     groups=[("C4.5+m+cf", "C4.5+m", "C4.5+cf"), ("C4.5+m", "C4.5+cf", "C4.5")],
    ...     critical_difference=1.253,
    ... )
    >>> display.plot().figure_.savefig("diagram.pdf")
    """

    def __init__(
        self,
        mean_ranks: ArrayLike,
        names: Sequence[str],
        *,
        groups: Sequence[Sequence[str]],
        critical_difference: float | None = None,
        alpha: float = 0.05,
        control: str | None = None,
        method: str = "",
    ) -> None:
        self.names = tuple(str(name) for name in names)
        self.mean_ranks = check_ranks(mean_ranks, self.names)
        self.groups = tuple(_check_group(group, self.names) for group in groups)
        if critical_difference is not None:
            critical_difference = check_real(
                critical_difference, "critical_difference", low=0, closed="neither"
            )
        self.critical_difference = critical_difference
        self.alpha = check_level(alpha, "alpha")
        if control is not None and control not in self.names:
            raise ValueError(f"control must be one of the names {list(self.names)}, got {control!r}.")
        self.control = control
        self.method = method

    @classmethod
    def from_result(
        cls, result: PairwiseResult, *, alpha: float = 0.05, ax: Any = None, **plot_options: Any
    ) -> CriticalDifferenceDisplay:
        """Draw the outcome of a post-hoc test on mean ranks.

        Parameters
        ----------
        result : PairwiseResult
            From `skeval.comparison.posthoc_test` or `skeval.comparison.compare_scores`.
        alpha : float, default=0.05
            Two methods are different where ``pvalue <= alpha``.
        ax : matplotlib Axes or None, default=None
            None: a new figure, as large as the diagram needs.
        **plot_options : dict
            Passed to `plot`.

        Returns
        -------
        CriticalDifferenceDisplay
            Drawn.

        Raises
        ------
        ValueError
            The result has no mean ranks, or a p-value is nan.
        """
        if result.mean_ranks is None:
            raise ValueError(
                f"result must hold mean ranks, but {result.method or 'this comparison'} is not one over "
                "data sets; use posthoc_test or compare_scores on a table of scores."
            )
        display = cls(
            result.mean_ranks,
            result.methods,
            groups=_groups_of(result, alpha),
            critical_difference=critical_difference_of(result, alpha),
            alpha=alpha,
            control=result.control,
            method=result.method,
        )
        return display.plot(ax, **plot_options)

    def plot(
        self,
        ax: Any = None,
        *,
        title: str | None = None,
        line_kwargs: dict[str, Any] | None = None,
        bar_kwargs: dict[str, Any] | None = None,
        text_kwargs: dict[str, Any] | None = None,
    ) -> CriticalDifferenceDisplay:
        """Draw the diagram.

        Parameters
        ----------
        ax : matplotlib Axes or None, default=None
            None: a new figure, as large as the diagram needs. What given axes hold is
            cleared; axes that are too small for the diagram get a smaller font.
        title : str or None, default=None
            Line above the diagram.
        line_kwargs : dict or None, default=None
            For the lines to the labels (matplotlib Line2D).
        bar_kwargs : dict or None, default=None
            For the bars (matplotlib Line2D).
        text_kwargs : dict or None, default=None
            For the labels (matplotlib Text); their ``fontsize`` sets the size of the whole
            diagram.

        Returns
        -------
        CriticalDifferenceDisplay
            This Display.
        """
        owned = ax is None
        ax = self._start(ax)
        ax.clear()
        ax.set_axis_off()
        if owned:
            ax.set_position((0, 0, 1, 1))
        position = {name: where for where, name in enumerate(self.names)}
        groups = [[position[name] for name in group] for group in self.groups]
        axis = RankAxis(ax, self.mean_ranks, self.names, bold=self.control, text_kwargs=text_kwargs or {})
        axis.lay_out(
            title=title or "",
            caption=self._caption() + (" Dots mark its members." if axis.passes_others(groups) else ""),
            n_groups=len(groups),
            critical_difference=self.critical_difference,
            owned=owned,
        )
        axis.draw_scale()
        self.stems_ = axis.draw_stems(line_kwargs or {})
        self.bars_ = axis.draw_bars(groups, bar_kwargs or {})
        self.labels_ = axis.labels
        return self

    def _caption(self) -> str:
        by = f"({self.method}, alpha = {self.alpha:g})" if self.method else f"(alpha = {self.alpha:g})"
        if self.control is not None and not self.groups:
            return f"Every method differs significantly from {self.control} {by}."
        if self.control is not None:
            return (
                f"The bar joins {self.control} and the methods that do not differ significantly from it {by}."
            )
        if not self.groups:
            return f"Every two methods differ significantly {by}."
        return f"A bar joins methods that do not differ significantly {by}."


def _check_group(group: Sequence[str], names: tuple[str, ...]) -> tuple[str, ...]:
    members = (group,) if isinstance(group, str) else tuple(group)
    unknown = [name for name in members if name not in names]
    if unknown:
        raise ValueError(
            f"groups must hold names of methods, got {unknown[0]!r}; the names are {list(names)}."
        )
    if len(set(members)) < max(2, len(members)):
        raise ValueError(f"A group must hold two different methods or more, each once, got {list(members)}.")
    return members


def _groups_of(result: PairwiseResult, alpha: float) -> list[tuple[str, ...]]:
    """Return the bars of a result: all groups, or the control with what is not different from it."""
    if result.control is None:
        return result.groups(alpha)
    alike = [
        name
        for pair, pvalue in zip(result.pairs, result.pvalue, strict=True)
        for name in pair
        if name != result.control and pvalue > alpha
    ]
    return [(result.control, *alike)] if alike else []

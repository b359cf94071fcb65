"""Error, bias, variance and noise against the complexity of a model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from numpy.typing import ArrayLike

from skeval.diagnosis import BiasVarianceCurve
from skeval.diagnosis._bias_variance_result import term_names
from skeval.diagnosis._decompositions import DEFINITIONS
from skeval.plotting._base import INK, Display, merge_style
from skeval.plotting._curves import draw_curve, draw_legend_below
from skeval.plotting._text import label_axes, plain_text
from skeval.plotting._value_axis import ValueAxis
from skeval.utils._validation import check_option, check_same_length, check_vector

_SIZE = (6.4, 4.4)  # inches, of a figure of our own


class BiasVarianceDisplay(Display):
    """Error and the parts that add up to it, against a hyper-parameter.

    Parameters
    ----------
    param_values : sequence of length n_values
        Values of the hyper-parameter, left to right. Numbers in order are drawn to scale.
    loss : array-like of shape (n_values,)
        Mean loss at each value.
    parts : mapping of {str: array-like of shape (n_values,)}
        Terms that add up to the loss, by the names of `BiasVarianceResult`, or by others.
    definition : str, default="domingos"
        Definition of the parts, as in `skeval.diagnosis.bias_variance`: "james" calls bias
        and variance the systematic effect and the variance effect.
    param_name : str, default="complexity"
        Name of the hyper-parameter, for the axis.
    loss_name : str, default="loss"
        Name of the loss, for the axis.

    Attributes
    ----------
    line_ : matplotlib Line2D
        The loss.
    part_lines_ : dict of {str: matplotlib Line2D}
        The parts.
    best_ : matplotlib Line2D
        Mark at the least loss.
    ax_ : matplotlib Axes
        Axes with the lines.
    figure_ : matplotlib Figure
        Figure that holds them.

    Raises
    ------
    ValueError
        Lengths differ, a value is nan or infinite, or an unknown definition.

    Notes
    -----
    A net variance (Domingos) or a variance effect (James) may be negative: variance helps
    where the main prediction is wrong.

    References
    ----------
    .. [1] S. Geman, E. Bienenstock, R. Doursat (1992). Neural networks and the bias/variance
       dilemma. Neural Computation 4, 1-58.

    Examples
    --------
    >>> from skeval.plotting import BiasVarianceDisplay
    >>> parts = {"bias_squared": [4.0, 1.0, 0.5], "variance": [0.5, 1.0, 3.0]}
    >>> display = BiasVarianceDisplay([1, 2, 3], [4.5, 2.0, 3.5], parts, param_name="degree").plot()
    >>> display.figure_.savefig("bias-variance.pdf")
    """

    line_: Any
    part_lines_: dict[str, Any]
    best_: Any

    def __init__(
        self,
        param_values: Sequence[Any],
        loss: ArrayLike,
        parts: Mapping[str, ArrayLike],
        *,
        definition: str = "domingos",
        param_name: str = "complexity",
        loss_name: str = "loss",
    ) -> None:
        self.param_values = tuple(param_values)
        self.loss = check_vector(loss, "loss").copy()
        self.parts = {name: check_vector(values, f"parts[{name!r}]").copy() for name, values in parts.items()}
        check_same_length(param_values=self.param_values, loss=self.loss, **self.parts)
        self.definition = check_option(definition, "definition", DEFINITIONS)
        self.param_name = param_name
        self.loss_name = loss_name

    @classmethod
    def from_result(
        cls, curve: BiasVarianceCurve, *, ax: Any = None, **plot_options: Any
    ) -> BiasVarianceDisplay:
        """Draw what `skeval.diagnosis.bias_variance_curve` returned.

        Parameters
        ----------
        curve : BiasVarianceCurve
            Decompositions over a hyper-parameter.
        ax : matplotlib Axes or None, default=None
            None: a new figure.
        **plot_options : dict
            Passed to `plot`.

        Returns
        -------
        BiasVarianceDisplay
            Drawn.
        """
        display = cls(
            curve.param_values,
            curve.loss,
            curve.parts,
            definition=curve.results[0].definition,
            param_name=curve.param_name,
            loss_name=curve.results[0].loss_name,
        )
        return display.plot(ax, **plot_options)

    def plot(
        self,
        ax: Any = None,
        *,
        log_x: bool | None = None,
        log_y: bool = False,
        loss_kwargs: dict[str, Any] | None = None,
        part_kwargs: dict[str, Any] | None = None,
    ) -> BiasVarianceDisplay:
        """Draw the lines.

        Parameters
        ----------
        ax : matplotlib Axes or None, default=None
            None: a new figure.
        log_x : bool or None, default=None
            Logarithmic axis for the values; None: where they are positive and the largest
            is 20 times the smallest or more.
        log_y : bool, default=False
            Logarithmic axis for the loss, where a part grows without bound; what is not
            above 0 is left out.
        loss_kwargs : dict or None, default=None
            For the line of the loss (matplotlib Line2D).
        part_kwargs : dict or None, default=None
            For the lines of the parts (matplotlib Line2D).

        Returns
        -------
        BiasVarianceDisplay
            This Display.
        """
        axis = ValueAxis(self.param_values, log=log_x)
        ax = self._start(ax, size=_SIZE, layout="constrained")
        names = {term: told.replace("^2", "$^2$") for term, told in term_names(self.definition).items()}
        self.part_lines_ = {}
        for name, values in self.parts.items():
            label = names.get(name, plain_text(name))
            self.part_lines_[name] = draw_curve(ax, axis.places, values, label, part_kwargs, points=True)
        style = {"color": INK, "linewidth": 2.4, "label": plain_text(self.loss_name), "zorder": 3}
        (self.line_,) = ax.plot(axis.places, self.loss, **merge_style("lines.Line2D", style, loss_kwargs))
        best = int(self.loss.argmin())
        told = plain_text(f"least at {axis.text(axis.values[best])}")
        style = {"color": INK, "markersize": 12, "markeredgecolor": "white", "label": told, "zorder": 4}
        (self.best_,) = ax.plot(axis.places[best], self.loss[best], linestyle="", marker="*", **style)
        lowest = min(values.min() for values in (self.loss, *self.parts.values()))
        if log_y:
            ax.set_yscale("log", nonpositive="mask")
        elif lowest < 0:
            ax.axhline(0, color=INK, linewidth=0.8)
        else:
            ax.set_ylim(bottom=0)
        axis.draw(ax)
        label_axes(ax, self.param_name, self.loss_name)
        ax.spines[["top", "right"]].set_visible(False)
        draw_legend_below(ax)
        return self

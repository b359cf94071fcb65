"""Confusion matrices of several models side by side, or where the samples of each class went."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from skeval.metrics import ConfusionMatrix
from skeval.model_selection import Evaluation
from skeval.plotting._base import Display, merge_style
from skeval.plotting._confusion_layout import Panels, draw_bars
from skeval.plotting._sheet import Sheet
from skeval.utils._validation import check_option


class ConfusionStackDisplay(Display):
    """Confusion matrices of one model or several, drawn alike.

    Parameters
    ----------
    matrices : mapping of {str: ConfusionMatrix}
        One for each model, over the same classes; stacks (splits) are summed.

    Attributes
    ----------
    matrices : dict of {str: ConfusionMatrix}
        Single matrices, as drawn.
    ax_ : matplotlib Axes
        Axes with the picture.
    figure_ : matplotlib Figure
        Figure that holds them.
    titles_ : dict of {str: matplotlib Text}
        Names of the models with their accuracy, above the matrices; empty with bars.
    cells_ : dict of {(name, true class, predicted class): matplotlib Text}
        What stands in the cells; empty with bars.
    values_ : dict of {(name, true class): matplotlib Text}
        What stands beside the bars; empty with matrices.

    Raises
    ------
    ValueError
        No matrix, or matrices over different classes.
    TypeError
        A value that is no ConfusionMatrix.

    Notes
    -----
    Shades are shares of the true class (of the row): a matrix of rare classes can be read as
    one of frequent ones, and models that were tested on different numbers of samples can be
    compared.

    Examples
    --------
    >>> from skeval.plotting import ConfusionStackDisplay
    >>> y_true = ["cat", "cat", "dog", "dog", "dog"]
    >>> said = {"a model": ["cat", "dog", "dog", "dog", "dog"], "another": ["cat"] * 5}
    >>> display = ConfusionStackDisplay.from_predictions(y_true, said)
    >>> print(display.cells_["a model", "cat", "dog"].get_text())
    1
    50 %
    >>> bars = display.plot(kind="bars")
    >>> bars.values_["another", "dog"].get_text()
    '0 %  (0 of 3)'
    >>> bars.figure_.savefig("confusion.pdf")
    """

    titles_: dict[str, Any]
    cells_: dict[tuple[str, Any, Any], Any]
    values_: dict[tuple[str, Any], Any]

    def __init__(self, matrices: Mapping[str, ConfusionMatrix]) -> None:
        if not isinstance(matrices, Mapping) or not matrices:
            raise ValueError("matrices must map the names of models to confusion matrices, at least one.")
        self.matrices: dict[str, ConfusionMatrix] = {}
        for name, matrix in matrices.items():
            if not isinstance(matrix, ConfusionMatrix):
                raise TypeError(f"matrices[{name!r}] must be a ConfusionMatrix, got {type(matrix).__name__}.")
            self.matrices[str(name)] = matrix if matrix.counts.ndim == 2 else matrix.pooled()
        first = next(iter(self.matrices.values())).labels
        for name, matrix in self.matrices.items():
            if not np.array_equal(matrix.labels, first):
                raise ValueError(
                    f"matrices must be over the same classes in the same order, got {first.tolist()} and, "
                    f"for {name!r}, {matrix.labels.tolist()}; build all with the same labels=."
                )

    @classmethod
    def from_result(
        cls,
        result: Evaluation | ConfusionMatrix | Mapping[str, ConfusionMatrix],
        *,
        ax: Any = None,
        **plot_options: Any,
    ) -> ConfusionStackDisplay:
        """Draw the matrices of results.

        Parameters
        ----------
        result : Evaluation, ConfusionMatrix or mapping of {str: ConfusionMatrix}
            What `skeval.model_selection.evaluate` returned, or matrices.
        ax : matplotlib Axes or None, default=None
            None: a new figure, as large as the picture needs.
        **plot_options : dict
            Passed to `plot`.

        Returns
        -------
        ConfusionStackDisplay
            Drawn.
        """
        if isinstance(result, Evaluation):
            result = result.confusion()
        elif isinstance(result, ConfusionMatrix):
            result = {"": result}
        return cls(result).plot(ax, **plot_options)

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_pred: Any,
        *,
        labels: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
        ax: Any = None,
        **plot_options: Any,
    ) -> ConfusionStackDisplay:
        """Draw the matrices of predictions.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            True labels.
        y_pred : array-like of shape (n_samples,) or mapping of {str: array-like}
            Predicted labels of one model, or of several by name.
        labels : array-like of shape (K,) or None, default=None
            Classes in the order to draw; None: all that were seen, sorted.
        sample_weight : array-like of shape (n_samples,) or None, default=None
            Weights, not negative.
        ax : matplotlib Axes or None, default=None
            None: a new figure, as large as the picture needs.
        **plot_options : dict
            Passed to `plot`.

        Returns
        -------
        ConfusionStackDisplay
            Drawn.
        """
        said = dict(y_pred) if isinstance(y_pred, Mapping) else {"": y_pred}

        def count(classes: Any) -> dict[str, ConfusionMatrix]:
            return {
                name: ConfusionMatrix.from_predictions(
                    y_true, predicted, labels=classes, sample_weight=sample_weight
                )
                for name, predicted in said.items()
            }

        matrices = count(labels)
        if labels is None and len(matrices) > 1:
            matrices = count(sum(matrices.values()).labels)  # type: ignore[union-attr]
        return cls(matrices).plot(ax, **plot_options)

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, y: Any, *, ax: Any = None, **options: Any
    ) -> ConfusionStackDisplay:
        """Draw the matrices of fitted classifiers.

        Parameters
        ----------
        estimator : estimator or mapping of {str: estimator}
            Fitted classifiers; one is named after its class.
        X : array-like of shape (n_samples, n_features)
            Samples that they were not fitted on.
        y : array-like of shape (n_samples,)
            Their labels.
        ax : matplotlib Axes or None, default=None
            None: a new figure, as large as the picture needs.
        **options : dict
            Passed to `from_predictions`.

        Returns
        -------
        ConfusionStackDisplay
            Drawn.
        """
        one = not isinstance(estimator, Mapping)
        fitted = {type(estimator).__name__: estimator} if one else dict(estimator)
        said = {name: model.predict(X) for name, model in fitted.items()}
        return cls.from_predictions(y, said, ax=ax, **options)

    def plot(
        self,
        ax: Any = None,
        *,
        kind: str = "matrices",
        title: str | None = None,
        text_kwargs: dict[str, Any] | None = None,
    ) -> ConfusionStackDisplay:
        """Draw the matrices.

        Parameters
        ----------
        ax : matplotlib Axes or None, default=None
            None: a new figure, as large as the picture needs. What given axes hold is
            cleared; axes that are too small get a smaller font.
        kind : {"matrices", "bars"}, default="matrices"
            A matrix for each model, or for each class a bar of every model: its recall, and
            what the other samples of the class were taken for.
        title : str or None, default=None
            Line above the picture.
        text_kwargs : dict or None, default=None
            For all words (matplotlib Text); their ``fontsize`` sets the size of the picture.

        Returns
        -------
        ConfusionStackDisplay
            This Display.

        Raises
        ------
        ValueError
            An unknown `kind`.
        """
        check_option(kind, "kind", ("matrices", "bars"))
        sheet = Sheet(self._start(ax), owned=ax is None)
        self.titles_, self.cells_, self.values_ = {}, {}, {}
        style = merge_style("text.Text", {"verticalalignment": "center"}, text_kwargs)
        if kind == "bars":
            self.values_ = draw_bars(sheet, self.matrices, title, style)
        else:
            panels = Panels(sheet, self.matrices, style)
            panels.draw(title)
            self.titles_, self.cells_ = panels.titles, panels.cells
        return self

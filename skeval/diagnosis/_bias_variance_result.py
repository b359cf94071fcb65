"""What a bias-variance decomposition returns: for one model, and over a hyper-parameter."""

from __future__ import annotations

import html
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skeval.utils._labels import plain
from skeval.utils._optional import import_optional
from skeval.utils._tables import html_table
from skeval.utils._validation import FloatArray, IntArray

# What the parts are called in print, and where a definition calls them otherwise.
_TERM_NAMES = {
    "bias": "bias",
    "bias_squared": "bias^2",
    "variance": "variance",
    "noise": "noise",
    "cross_term": "cross term",
    "net_variance": "net variance",
    "weighted_noise": "weighted noise",
}
_OWN_NAMES = {"james": {"bias": "systematic effect", "variance": "variance effect"}}


def term_names(definition: str) -> dict[str, str]:
    """Return what a definition calls its parts, as text."""
    return _TERM_NAMES | _OWN_NAMES.get(definition, {})


@dataclass(frozen=True, eq=False)
class BiasVarianceResult:
    """Bias, variance and noise of a learning method; the `parts` add up to the loss.

    Attributes
    ----------
    loss : float
        Mean loss over training sets and test targets.
    bias : float or None
        Bias of the definition; None where its bias is a square.
    bias_squared : float or None
        Squared bias, of squared loss and of "kohavi-wolpert"; else None.
    variance : float
        Variance of the definition. "domingos" weights it with c2 before it adds up:
        ``parts["net_variance"]``.
    noise : float or None
        Noise, where it is separated from the rest; else None, and `noise_note` says where
        it is.
    cross_term : float or None
        Product of the errors of model and label about a known noise-free target, twice;
        None without one.
    parts : dict of {str: float}
        The terms that add up to `loss`.
    per_sample : dict of {str: ndarray of shape (n_test,)}
        Loss, main prediction and every term for each test sample; "domingos" also has
        ``c1``, ``c2`` and the variance of unbiased and of biased samples.
    loss_name : {"squared loss", "0-1 loss"}
        Which loss.
    definition : str
        Which definition.
    unbiased : bool
        Whether `bias_squared` is corrected for the number of training sets.
    n_rounds, n_failed : int
        Training sets that were fitted, and that raised.
    n_train, n_test : int
        Samples in a training set (on average, where whole groups are drawn), and test
        samples.
    test_index : ndarray of int or None
        Positions in X of the test samples; None where they were given apart.
    noise_note : str
        Where the noise is.
    estimand : str
        What is estimated, over which randomness.
    reference : str
        Where the equations are to be found.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from sklearn.tree import DecisionTreeRegressor
    >>> from skeval.diagnosis import bias_variance
    >>> X, y = load_diabetes(return_X_y=True)
    >>> result = bias_variance(DecisionTreeRegressor(random_state=0), X, y, n_splits=50, random_state=0)
    >>> abs(sum(result.parts.values()) - result.loss) < 1e-9
    True
    """

    loss: float
    bias: float | None
    bias_squared: float | None
    variance: float
    noise: float | None
    cross_term: float | None
    parts: dict[str, float]
    per_sample: dict[str, NDArray[Any]] = field(repr=False)
    loss_name: str
    definition: str
    unbiased: bool
    n_rounds: int
    n_failed: int
    n_train: int
    n_test: int
    test_index: IntArray | None = field(repr=False)
    noise_note: str
    estimand: str
    reference: str

    def frame(self) -> Any:
        """Return the figures as a pandas DataFrame of one row."""
        pandas = import_optional("pandas", extra="report", purpose="frame()")
        return pandas.DataFrame([self._row()])

    def _row(self) -> dict[str, Any]:
        return {
            "definition": self.definition,
            "loss": self.loss,
            **self.parts,
            "n_rounds": self.n_rounds,
            "n_failed": self.n_failed,
            "n_train": self.n_train,
            "n_test": self.n_test,
        }

    def __str__(self) -> str:
        names = term_names(self.definition)
        told = " + ".join(f"{names[term]} {value:.4g}" for term, value in self.parts.items())
        of = "" if self.loss_name == "squared loss" else f" ({self.definition})"
        corrected = ", corrected for the number of training sets" if self.unbiased else ""
        return (
            f"{self.loss_name}{of} {self.loss:.4g} = {told}{corrected}; {self.noise_note}. "
            f"{self.n_rounds} training sets of {self.n_train} samples, {self.n_test} test samples."
        )

    def _repr_html_(self) -> str:
        return (
            f"<p>{html.escape(str(self))}</p>{html_table({key: [cell] for key, cell in self._row().items()})}"
        )


@dataclass(frozen=True, eq=False)
class BiasVarianceCurve:
    """Bias, variance and noise over a hyper-parameter, on the same training and test samples.

    Attributes
    ----------
    param_name : str
        Name of the hyper-parameter.
    param_values : tuple
        Its values, in the order given.
    results : tuple of BiasVarianceResult
        One per value.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from sklearn.tree import DecisionTreeRegressor
    >>> from skeval.diagnosis import bias_variance_curve
    >>> X, y = load_diabetes(return_X_y=True)
    >>> curve = bias_variance_curve(DecisionTreeRegressor(random_state=0), X, y,
    ...     param_name="max_depth", param_range=[1, 2, 4, 8], n_splits=50, random_state=0)
    >>> curve.best_value
    2
    """

    param_name: str
    param_values: tuple[Any, ...]
    results: tuple[BiasVarianceResult, ...] = field(repr=False)

    @property
    def loss(self) -> FloatArray:
        """Mean loss at each value."""
        return np.array([result.loss for result in self.results])

    @property
    def parts(self) -> Mapping[str, FloatArray]:
        """Terms that add up to the loss, at each value."""
        return {
            term: np.array([result.parts[term] for result in self.results]) for term in self.results[0].parts
        }

    @property
    def best_index(self) -> int:
        """Position of the value with the least loss, the first of several."""
        return int(self.loss.argmin())

    @property
    def best_value(self) -> Any:
        """Value with the least loss, the first of several."""
        return self.param_values[self.best_index]

    def frame(self) -> Any:
        """Return the figures as a pandas DataFrame, one row per value."""
        pandas = import_optional("pandas", extra="report", purpose="frame()")
        return pandas.DataFrame(self._rows())

    def _rows(self) -> list[dict[str, Any]]:
        pairs = zip(self.param_values, self.results, strict=True)
        return [{self.param_name: value, **result._row()} for value, result in pairs]

    def __str__(self) -> str:
        return (
            f"Over {len(self.param_values)} values of {self.param_name} the loss is least at "
            f"{plain(self.best_value)!r}: {self.results[self.best_index]}"
        )

    def _repr_html_(self) -> str:
        rows = self._rows()
        table = html_table({name: [row[name] for row in rows] for name in rows[0]})
        return f"<p>{html.escape(str(self))}</p>{table}"

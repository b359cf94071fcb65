"""Scorers that are no product of make_scorer: metadata routing, and scores of every class."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn import get_config
from sklearn.utils.metadata_routing import MetadataRequest


class CallableScorer:
    """A scorer that routes ``sample_weight`` like scikit-learn's own."""

    def __init__(self) -> None:
        self._request = MetadataRequest(owner=type(self).__name__)
        self._request.score.add_request(param="sample_weight", alias=None)

    def set_score_request(self, *, sample_weight: bool | str | None = None) -> Any:
        """Ask for ``sample_weight`` when metadata routing is enabled.

        Parameters
        ----------
        sample_weight : bool, str or None, default=None
            True: use it; False: do not; None: raise if it is given; a str: under that name.

        Returns
        -------
        self

        Raises
        ------
        RuntimeError
            Metadata routing is not enabled: the request would be ignored in silence.
        """
        if not get_config()["enable_metadata_routing"]:
            raise RuntimeError(
                "set_score_request() needs metadata routing; call "
                "sklearn.set_config(enable_metadata_routing=True) first."
            )
        self._request.score.add_request(param="sample_weight", alias=sample_weight)
        return self

    def get_metadata_routing(self) -> MetadataRequest:
        """Return the metadata that this scorer asks for."""
        return self._request


class ClassScorer(CallableScorer):
    """A measure of the scores of every class, which ``classes_`` of the estimator name.

    Parameters
    ----------
    name : str
    function : callable
        ``function(y_true, y_score, *, labels, sample_weight, **params)``, `y_score` of shape
        (n_samples, K).
    sign : {1, -1}
        -1 for a loss.
    responses : tuple of str
        Response methods in the order they are asked for.
    params : dict
    """

    def __init__(
        self,
        name: str,
        function: Callable[..., Any],
        sign: int,
        responses: tuple[str, ...],
        params: dict[str, Any],
    ) -> None:
        super().__init__()
        self.name, self.function, self.sign = name, function, sign
        self.responses, self.params = responses, params

    def __call__(self, estimator: Any, X: Any, y: Any, sample_weight: ArrayLike | None = None) -> float:
        """Return the score of a fitted classifier on X, y; greater is better."""
        scores = class_responses(estimator, X, self.responses)
        # A fold may lack a class: the columns are those of the estimator.
        options = {"labels": estimator.classes_, "sample_weight": sample_weight, **self.params}
        return self.sign * float(self.function(y, scores, **options))

    def __repr__(self) -> str:
        given = "".join(f", {key}={value!r}" for key, value in self.params.items())
        return f"get_scorer({self.name!r}{given})"


def class_responses(estimator: Any, X: Any, responses: tuple[str, ...]) -> Any:
    """Return the scores of every class by the first response method that the estimator has."""
    kind = estimator.__class__.__name__
    method = next((name for name in responses if hasattr(estimator, name)), None)
    if method is None:
        raise AttributeError(f"{kind} has none of {', '.join(responses)}, which this measure needs.")
    if not hasattr(estimator, "classes_"):
        raise AttributeError(
            f"{kind} has no classes_, which name the columns of its scores: set them in fit, sorted."
        )
    scores = np.asarray(getattr(estimator, method)(X))
    if len(estimator.classes_) < 2:
        raise ValueError(
            f"{kind} was fitted on one class only ({estimator.classes_[0]!r}): its scores tell nothing apart."
        )
    if scores.ndim == 1:  # decision values of two classes
        return np.column_stack([-scores, scores])
    if scores.shape[1] != len(estimator.classes_):
        raise ValueError(
            f"{kind}.{method} gives {scores.shape[1]} columns for {len(estimator.classes_)} classes (one per "
            "pair?); use an estimator with predict_proba, or decision_function_shape='ovr'."
        )
    return scores

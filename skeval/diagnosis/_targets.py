"""The test targets of a decomposition: numbers or labels, one or several per sample, noise known or not."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skeval.diagnosis._decompositions import Decomposition, squared_parts, zero_one_parts
from skeval.utils._labels import encode, to_labels
from skeval.utils._validation import LARGEST, check_real, check_vector, describe

_REFERENCES = {
    "squared": "Geman, Bienenstock & Doursat 1992, equation 4",
    "domingos": "Domingos 2000, theorems 1 to 3",
    "kohavi-wolpert": "Kohavi & Wolpert 1996",
    "breiman": "Breiman 1996",
    "kong-dietterich": "Kong & Dietterich 1995",
    "james": "James 2003",
}


class Target(ABC):
    """Targets of the test samples, and what is known of their noise."""

    name: str
    separates_noise = False
    n_targets: int
    known: bool
    noise: Any = None

    @abstractmethod
    def decompose(self, predictions: list[NDArray[Any]], definition: str, unbiased: bool) -> Decomposition:
        """Return the parts per sample."""

    @abstractmethod
    def reference(self, definition: str) -> str:
        """Return where the equations are to be found."""

    def noise_note(self, definition: str) -> str:
        """Say where the noise is."""
        if definition == "kong-dietterich":
            return "this definition has no noise: label noise is in the variance"
        if self.known:
            return "noise about the known noise-free target"
        if self.n_targets > 1:
            return f"noise by {self.n_targets} targets per sample"
        if self.name == "squared loss" or definition == "kohavi-wolpert":
            return "one label per sample: the noise is part of bias^2"
        return "one label per sample: label noise is part of bias and variance"


def make_target(loss: str, y: Any, y_test: Any, y_clean: Any, noise: Any, *, n_test: int) -> Target:
    """Check the targets against the loss and against each other."""
    targets = _as_columns(y_test, "y_test")
    if len(targets) != n_test:
        raise ValueError(
            f"X_test and y_test must have the same length: X_test has {n_test}, y_test has {len(targets)}."
        )
    if loss == "zero_one":
        if noise is not None:
            raise ValueError("noise is a variance, for squared loss; for 0-1 loss give y_clean.")
        return _Labels(y, targets, y_clean)
    return _Numbers(y, targets, y_clean, noise)


def _as_columns(values: Any, name: str) -> NDArray[Any]:
    """Return targets as an array of shape (n_samples, n_targets), types kept."""
    listed = hasattr(values, "__len__") and not hasattr(values, "shape")
    array = np.array(list(values), dtype=object) if listed else np.asarray(values)
    if array.ndim == 1:
        array = array[:, None]
    if array.ndim != 2 or not array.size:
        raise ValueError(f"{name} must have shape (n_test,) or (n_test, n_targets), got {describe(values)}.")
    return array


def _check_clean_length(clean: NDArray[Any], n_test: int) -> None:
    if len(clean) != n_test:
        raise ValueError(
            f"y_clean must have one entry per test sample: {n_test} samples, {len(clean)} entries."
        )


class _Numbers(Target):
    name = "squared loss"

    def __init__(self, y: Any, targets: NDArray[Any], y_clean: Any, noise: Any) -> None:
        check_vector(y, "y", largest=LARGEST)
        self.targets = check_vector(targets.ravel(), "y_test", largest=LARGEST).reshape(targets.shape)
        self.n_targets, self.known = targets.shape[1], y_clean is not None
        self.clean = None
        if y_clean is not None:
            self.clean = check_vector(y_clean, "y_clean", largest=LARGEST)
            _check_clean_length(self.clean, len(targets))
        self.noise = self._check_noise(noise)
        self.separates_noise = self.known or self.n_targets > 1 or noise is not None

    def _check_noise(self, noise: Any) -> Any:
        if noise is None:
            return None
        if self.known or self.n_targets > 1:
            raise ValueError(
                "noise is known already from y_clean or from several targets per sample: give one."
            )
        if np.ndim(noise) == 0:
            return check_real(noise, "noise", low=0, high=LARGEST)
        each = check_vector(noise, "noise", largest=LARGEST)
        if len(each) != len(self.targets) or each.min() < 0:
            raise ValueError(
                f"noise must be a variance, or one per test sample ({len(self.targets)}) and not negative, "
                f"got {len(each)} with the smallest {each.min():g}."
            )
        return each

    def decompose(self, predictions: list[NDArray[Any]], definition: str, unbiased: bool) -> Decomposition:
        name = "The predictions of the estimator"
        rounds = np.stack([check_vector(each, name, largest=LARGEST) for each in predictions])
        if rounds.shape[1] != len(self.targets):
            raise ValueError(
                f"estimator must predict one number per sample: {len(self.targets)} samples, "
                f"{rounds.shape[1]} predictions."
            )
        return squared_parts(rounds, self.targets, clean=self.clean, noise=self.noise, unbiased=unbiased)

    def reference(self, definition: str) -> str:
        return _REFERENCES["squared"]

    def noise_note(self, definition: str) -> str:
        if self.noise is not None:
            return "the known variance of the noise is taken off bias^2"
        return super().noise_note(definition)


class _Labels(Target):
    name = "0-1 loss"

    def __init__(self, y: Any, targets: NDArray[Any], y_clean: Any) -> None:
        to_labels(y, "y")
        self.shape = targets.shape
        self.arrays = {"y_test": to_labels(targets.ravel(), "y_test")}
        self.n_targets, self.known = targets.shape[1], y_clean is not None
        if y_clean is not None:
            self.arrays["y_clean"] = to_labels(y_clean, "y_clean")
            _check_clean_length(self.arrays["y_clean"], len(targets))
        self.separates_noise = self.known or self.n_targets > 1

    def decompose(self, predictions: list[NDArray[Any]], definition: str, unbiased: bool) -> Decomposition:
        rounds = [to_labels(each, "The predictions of the estimator") for each in predictions]
        if {len(each) for each in rounds} != {self.shape[0]}:
            raise ValueError(
                f"estimator must predict one label per sample: {self.shape[0]} samples, "
                f"{len(rounds[0])} predictions."
            )
        arrays = {**self.arrays, "predictions": np.concatenate(rounds)}
        codes, labels = encode(arrays)
        named = dict(zip(arrays, codes, strict=True))
        values, terms = zero_one_parts(
            named["predictions"].reshape(len(rounds), -1),
            named["y_test"].reshape(self.shape),
            len(labels),
            definition=definition,
            clean=named.get("y_clean"),
            unbiased=unbiased,
        )
        values["main_prediction"] = labels[values["main_prediction"]]
        return Decomposition(values, terms)

    def reference(self, definition: str) -> str:
        return _REFERENCES[definition]

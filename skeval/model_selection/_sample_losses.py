"""Losses per sample of what `evaluate` kept."""

from __future__ import annotations

from typing import Any

import numpy as np

from skeval.model_selection._bootstrap_formulas import out_of_bag_errors
from skeval.model_selection._evaluation import Evaluation
from skeval.model_selection._losses import Loss, make_loss
from skeval.utils._validation import FloatArray


def evaluation_loss(evaluation: Evaluation, loss: Any, *, way_out: str) -> Loss:
    """Return the loss bound to the target; None is 0-1 loss for classes, squared loss for numbers.

    `way_out` is what the caller offers for what has no loss per sample.
    """
    if loss is None:
        loss = "squared" if evaluation.classes is None else "zero_one"
    if isinstance(loss, str) and loss == "zero_one" and evaluation.classes is None:
        raise ValueError("loss='zero_one' needs class labels, but y is continuous; use loss='squared'.")
    return make_loss(loss, None, evaluation.y, way_out=way_out)


def losses_per_split(evaluation: Evaluation, loss: Loss) -> dict[str, list[FloatArray]]:
    """Return {model: losses of the test rows of each split}."""
    said = evaluation.predictions()
    ends = np.cumsum([len(test) for _, test in evaluation.splits])[:-1]
    return {name: np.split(loss.values(said.row, predicted), ends) for name, predicted in said.y_pred.items()}


def loss_matrix(evaluation: Evaluation, loss: Any, *, way_out: str) -> FloatArray:
    """Return the loss of each sample by each model, shape (n_samples, n_models).

    A sample that several splits tested has the mean of its losses; nan where none did.
    """
    tests = [test for _, test in evaluation.splits]
    bound = evaluation_loss(evaluation, loss, way_out=way_out)
    per_model = losses_per_split(evaluation, bound)
    return np.column_stack(
        [out_of_bag_errors(tests, per_model[name], len(evaluation.y)) for name in evaluation.names]
    )

"""Losses of one model, or of two on the same rows, from fits on splits."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skeval.intervals._risk_formulas import Losses
from skeval.model_selection._fitting import NO_PARAMS, FitParams, fit_clone, run_tasks, try_tasks
from skeval.model_selection._losses import Loss
from skeval.model_selection._split_indices import Splits
from skeval.model_selection._stored_responses import align_columns
from skeval.utils._rows import take_rows
from skeval.utils._validation import FloatArray, IntArray


@dataclass(frozen=True)
class Data:
    """Samples, with their weights and the groups that they come in.

    Attributes
    ----------
    X, y : as they were given
    params : FitParams
        What goes to fit beside X and y; weights are used in means too.
    groups : ndarray of int or None
        Codes of the clusters.
    named_groups : array-like or None
        The clusters as they were given, for splitters.
    """

    X: Any
    y: Any
    n_samples: int
    params: FitParams = NO_PARAMS
    groups: IntArray | None = None
    named_groups: Any = None

    @property
    def weight(self) -> NDArray[Any] | None:
        """Importances of the samples."""
        return self.params.weight

    @property
    def units(self) -> IntArray:
        """What is drawn or split whole: the code of each sample."""
        return np.arange(self.n_samples) if self.groups is None else self.groups

    @property
    def n_units(self) -> int:
        """Number of samples, or of groups."""
        return int(self.units.max()) + 1


@dataclass(frozen=True)
class RiskRunner:
    """Estimators, data and loss.

    Attributes
    ----------
    estimators : tuple of one or two estimators
    data : Data
    loss : Loss
        Bound to y.
    classes : ndarray or None
        All classes of y, where `response` is "predict_proba".
    response : {"predict", "predict_proba"}
    n_jobs : int or None
    """

    estimators: tuple[Any, ...]
    data: Data
    loss: Loss
    classes: NDArray[Any] | None = None
    response: str = "predict"
    n_jobs: int | None = None

    def predictions(self, train: IntArray, rows: IntArray) -> list[NDArray[Any]]:
        """Return what each model, fitted on `train`, says of `rows`."""
        said = []
        for estimator in self.estimators:
            fitted = fit_clone(estimator, self.data.X, self.data.y, train, self.data.params)
            values = np.asarray(getattr(fitted, self.response)(take_rows(self.data.X, rows)))
            said.append(self._aligned(values, fitted))
        return said

    def losses(self, train: IntArray, rows: IntArray) -> FloatArray:
        """Return the losses on `rows` of the models fitted on `train`, shape (n_models, n_rows)."""
        if not len(rows):
            return np.empty((len(self.estimators), 0))
        return np.stack([self.loss.values(rows, said) for said in self.predictions(train, rows)])

    def run(self, splits: Splits) -> list[FloatArray]:
        """Return the losses of every split, shape (n_models, n_test); a fit that fails raises."""
        return run_tasks(
            _losses_of, (self,), ((*split, number) for number, split in enumerate(splits)), self.n_jobs
        )

    def carry(self, values: FloatArray, rows: IntArray) -> Losses:
        """Return losses of these rows, with the weights and groups of the rows."""
        return Losses(
            values,
            None if self.data.weight is None else self.data.weight[rows],
            None if self.data.groups is None else self.data.groups[rows],
        )

    def try_run(
        self, task: Any, items: Iterable[tuple[Any, ...]], what: str
    ) -> tuple[list[Any], list[int], int]:
        """Run ``task(self, *item)`` for every item; failed ones are left out, counted and told.

        Returns
        -------
        results, their numbers, and how many failed
        """
        work = list(items)
        results, kept = try_tasks(task, (self,), work, self.n_jobs, what=what)
        return results, kept, len(work) - len(kept)

    def _aligned(self, values: NDArray[Any], fitted: Any) -> NDArray[Any]:
        """Return probabilities with a column for each class of y."""
        return values if self.classes is None else align_columns(values, fitted.classes_, self.classes)


def contrast(losses: FloatArray) -> FloatArray:
    """Return the losses of one model, or first minus second of two."""
    return losses[0] if len(losses) == 1 else losses[0] - losses[1]


def difference(values: Any) -> float:
    """Return the number of one model, or first minus second of two."""
    return float(values[0]) if len(values) == 1 else float(values[0] - values[1])


def _losses_of(runner: RiskRunner, train: IntArray, test: IntArray, number: int) -> FloatArray:
    try:
        return runner.losses(train, test)
    except Exception as error:
        error.add_note(f"(split {number})")
        raise

"""Decompositions and curves."""

import numpy as np
from sklearn.linear_model import Ridge
from sklearn.naive_bayes import GaussianNB

from skeval.diagnosis import (
    bias_variance,
    bias_variance_curve,
    diagnose_learning_curve,
    diagnose_training_curve,
    diagnose_validation_curve,
)
from skeval.model_selection import KFoldSplit
from tests.common.entry import Entry
from tests.common.lists import data
from tests.common.lists.data import of

_POSITIONS = {"order of the samples": "splits are positions, drawn by the seed"}
_CLASSES = {"X": of("matrix", data.X_THREE), "y": of("labels", data.THREE)}
_REAL = {"X": of("matrix", data.X), "y": of("numbers", data.Y_REAL)}
_SIZES = (0.3, 0.45, 0.7, 1.0)
_EPOCHS = np.arange(1, 41)


def _bias_variance(X, y, *, random_state, n_jobs=None):
    return bias_variance(GaussianNB(), X, y, n_splits=6, n_jobs=n_jobs, random_state=random_state)


def _bias_variance_of_regression(X, y, *, random_state, n_jobs=None):
    return bias_variance(Ridge(), X, y, n_splits=6, n_jobs=n_jobs, random_state=random_state)


def _bias_variance_curve(X, y, *, random_state, n_jobs=None):
    grid = {"param_name": "alpha", "param_range": [10.0, 1.0, 0.1]}
    return bias_variance_curve(Ridge(), X, y, **grid, n_splits=6, n_jobs=n_jobs, random_state=random_state)


def _learning_curve(X, y, *, random_state, n_jobs=None):
    cv = KFoldSplit(3, random_state=random_state)
    found = diagnose_learning_curve(
        Ridge(), X, y, train_sizes=_SIZES, cv=cv, n_jobs=n_jobs, random_state=random_state
    )
    return found, found.extrapolation, found.expected_gain(10)


def _validation_curve(X, y, *, random_state, n_jobs=None):
    cv = KFoldSplit(3, random_state=random_state)
    grid = {"param_name": "alpha", "param_range": [100.0, 1.0, 0.01]}
    return diagnose_validation_curve(Ridge(), X, y, **grid, cv=cv, n_jobs=n_jobs, random_state=random_state)


DIAGNOSES = [
    Entry(
        "bias_variance",
        _bias_variance,
        _CLASSES,
        {"random_state": 0},
        without={
            **_POSITIONS,
            "order of the classes": "a tie of the main prediction goes to the smaller label",
        },
    ),
    Entry(
        "bias_variance squared", _bias_variance_of_regression, _REAL, {"random_state": 0}, without=_POSITIONS
    ),
    Entry(
        "bias_variance_curve",
        _bias_variance_curve,
        _REAL,
        {"random_state": 0},
        without=_POSITIONS,
    ),
    Entry("diagnose_learning_curve", _learning_curve, _REAL, {"random_state": 0}, without=_POSITIONS),
    Entry(
        "diagnose_validation_curve",
        _validation_curve,
        _REAL,
        {"random_state": 0},
        without=_POSITIONS,
    ),
    Entry(
        "diagnose_training_curve",
        diagnose_training_curve,
        {
            "train_loss": of("numbers", np.round(1024 / _EPOCHS) / 1024, "epoch"),
            "validation_loss": of("numbers", np.round(1024 / _EPOCHS + _EPOCHS) / 1024, "epoch"),
        },
        without={"order of the samples": "epochs follow each other"},
    ),
]

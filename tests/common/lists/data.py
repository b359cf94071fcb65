"""Small inputs that the lists share; every number is a multiple of 1/64, so exact in float32 too."""

import numpy as np

from tests.common.entry import Input

_rng = np.random.default_rng(20240131)

N = 24
TWO = np.array([0, 1, 1, 0, 1, 0, 0, 1, 1, 0, 1, 0, 0, 0, 1, 1, 0, 1, 0, 1, 1, 0, 0, 1])
TWO_PREDICTED = np.array([0, 1, 0, 0, 1, 1, 0, 1, 1, 0, 0, 0, 1, 0, 1, 1, 0, 1, 0, 1, 0, 0, 0, 1])
TWO_PREDICTED_OTHER = np.array([0, 0, 1, 0, 1, 1, 0, 1, 0, 0, 1, 1, 1, 0, 1, 0, 0, 1, 1, 1, 1, 0, 1, 1])
THREE = np.array([0, 1, 2] * 8)
THREE_PREDICTED = np.where(_rng.random(N) < 0.6, THREE, _rng.integers(0, 3, N))
SCORE = np.clip(np.round(64 * (0.3 * TWO + 0.7 * _rng.random(N))), 1, 63) / 64
SCORE_OTHER = np.clip(np.round(64 * (0.2 * TWO + 0.8 * _rng.random(N))), 1, 63) / 64
CLASS_SCORES = _rng.integers(1, 20, size=(N, 3))
CLASS_SCORES[np.arange(N), THREE] += 8
# Rows of probabilities that sum to 1 exactly.
CLASS_PROBABILITIES = (
    np.column_stack([CLASS_SCORES[:, 0], CLASS_SCORES[:, 1], 64 - CLASS_SCORES[:, 0] - CLASS_SCORES[:, 1]])
    / 64
)
CLASS_SCORES = CLASS_SCORES / 64
WEIGHTS = _rng.integers(1, 4, N)

X = np.round(64 * (_rng.normal(size=(N, 3)) + TWO[:, None])) / 64
X_THREE = np.round(64 * (_rng.normal(size=(N, 3)) + 1.5 * np.eye(3)[THREE])) / 64
Y_REAL = np.round(64 * (X @ [1.0, -0.5, 0.25] + 0.5 * _rng.normal(size=N))) / 64
GROUPS = np.repeat(np.arange(8), 3)

# Scores of two methods on ten splits, and of four methods on twelve data sets.
SPLITS_A = np.array([51, 52, 54, 51, 52, 53, 54, 51, 52, 55]) / 64
SPLITS_B = np.array([50, 51, 54, 51, 51, 50, 53, 51, 52, 52]) / 64
TABLE = _rng.integers(30, 60, size=(12, 1)) + np.array([6, 4, 2, 0]) + _rng.integers(-3, 4, size=(12, 4))
TABLE = TABLE / 64


def of(kind: str, values: np.ndarray, axis: str = "sample") -> Input:
    return Input(kind, values, axis)

"""Data that the tests of the bootstrap intervals share."""

import numpy as np
import pytest


@pytest.fixture
def data():
    """Two classes, labels and scores of two models, some ties."""
    rng = np.random.default_rng(7)
    y = (rng.random(120) < 0.35).astype(int)
    scores = [np.round(rng.normal(size=120) + 1.2 * y, 1) for _ in range(2)]
    labels = [(score > 0.6).astype(int) for score in scores]
    return y, labels, scores

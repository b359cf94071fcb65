"""Ranked scores that several tests take: of the reference, and drawn."""

import warnings

import numpy as np
import pytest
from hypothesis import strategies as st

from skeval.exceptions import UndefinedMeasureWarning
from skeval.metrics import RankedScores
from tests.reference import load

REFERENCE = load("07_roc_auc_delong.json")
DATA = ["fawcett2006", "ties", "weighted"]


def exact(value):
    return pytest.approx(value, abs=1e-12, rel=0, nan_ok=True)


def stored(name):
    given_data = REFERENCE["inputs"][name]
    weight = given_data.get("weight")
    return RankedScores.from_predictions(given_data["y"], given_data["score"], sample_weight=weight)


def quiet(function, *args, **kwargs):
    """Call without the warnings of an undefined measure; every other warning stays an error."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedMeasureWarning)
        return function(*args, **kwargs)


WEIGHTS = st.sampled_from([0, 1, 2, 5]) | st.sampled_from([0.0, 0.1, 0.3, 1 / 3, 2.5])


@st.composite
def scored(draw, weights=WEIGHTS, min_size=1):
    """Truth, scores with ties, and weights or none."""
    size = draw(st.integers(min_size, 30))
    y = draw(st.lists(st.integers(0, 1), min_size=size, max_size=size))
    values = draw(st.sampled_from([st.integers(0, 3), st.floats(-2, 2), st.floats(-1e300, 1e300)]))
    score = draw(st.lists(values, min_size=size, max_size=size))
    weight = draw(st.none() | st.lists(weights, min_size=size, max_size=size).filter(any))
    return np.array(y), np.array(score, dtype=float), weight


def positives_and_negatives(y, weight):
    weight = np.ones(len(y)) if weight is None else np.array(weight)
    return weight[y == 1].sum(), weight[y == 0].sum()

"""Weights and counts in one rate: weighted samples are repeated samples."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skeval.metrics import ConfusionMatrix, g_mean_score, specificity_score
from tests.cases.strategies import SOME, binary

Y, P, W = [0, 0, 1, 1], [0, 1, 1, 1], [10, 10, 1, 1]


def test_a_weighted_specificity_is_a_share():
    assert specificity_score(Y, P, sample_weight=W) == 0.5
    cm = ConfusionMatrix.from_predictions(Y, P, sample_weight=W)
    assert cm.recall() == 1.0
    assert g_mean_score(Y, P, sample_weight=W) == pytest.approx(0.7071067811865476)
    assert specificity_score(np.repeat(Y, W), np.repeat(P, W)) == 0.5


def test_the_mean_of_the_g_means_of_two_classes_is_the_g_mean():
    y, p = [0, 0, 1, 0, 1, 1], [0, 0, 0, 0, 0, 1]
    assert g_mean_score(y, p) == pytest.approx(0.5773502691896258)
    cm = ConfusionMatrix.from_predictions(y, p)
    per_class = np.sqrt(cm.recall(average=None) * cm.specificity(average=None))
    assert per_class == pytest.approx([0.5773502691896258] * 2)
    assert per_class.mean() == pytest.approx(g_mean_score(y, p))


@SOME
@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1), st.integers(1, 9)), min_size=1, max_size=20))
def test_any_weights_are_repetitions_and_every_rate_a_share(rows):
    y, p, w = np.array([(0, 0, 1), (1, 1, 1), *rows]).T
    weighted = ConfusionMatrix.from_predictions(y, p, sample_weight=w)
    repeated = ConfusionMatrix.from_predictions(np.repeat(y, w), np.repeat(p, w))
    for measure in ("precision", "recall", "specificity", "f_score", "g_mean", "accuracy", "mcc"):
        value = getattr(weighted, measure)()
        assert value == getattr(repeated, measure)()
        assert (-1 if measure == "mcc" else 0) <= value <= 1


@SOME
@given(binary(min_size=4), st.floats(0.1, 1000))
def test_a_common_factor_of_the_weights_changes_nothing(y, factor):
    p = [*y[1:], y[0]]
    assert math.isclose(
        specificity_score(y, p, sample_weight=np.full(len(y), factor)), specificity_score(y, p), rel_tol=1e-12
    )

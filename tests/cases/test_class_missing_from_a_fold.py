"""A fold of several classes that lacks one: one rule for all averages, and the class is named."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skeval.exceptions import UndefinedMeasureWarning
from skeval.metrics import ConfusionMatrix, hand_till_auc_score, log_loss, ovr_auc_score
from tests.cases.strategies import SOME

LABELS, Y = [0, 1, 2], [0, 0, 1, 1]
P = [[0.7, 0.2, 0.1], [0.5, 0.3, 0.2], [0.2, 0.6, 0.2], [0.3, 0.5, 0.2]]


def test_log_loss_is_that_of_the_classes_given():
    assert log_loss(Y, P, labels=LABELS) == pytest.approx(0.5634487322061534, rel=1e-9)


def test_the_area_of_each_class():
    with pytest.warns(UndefinedMeasureWarning, match="class 2"):
        found = ovr_auc_score(Y, P, labels=LABELS, average=None)
    assert found[:2].tolist() == [1.0, 1.0]
    assert np.isnan(found[2])


@pytest.mark.parametrize("score", [ovr_auc_score, hand_till_auc_score])
def test_both_means_of_areas_follow_one_rule(score):
    with pytest.warns(UndefinedMeasureWarning, match="class 2 is not in y_true"):
        assert np.isnan(score(Y, P, labels=LABELS))
    with pytest.warns(UndefinedMeasureWarning, match="class 2 is not in y_true and left out"):
        assert score(Y, P, labels=LABELS, missing="omit") == 1.0


def test_recall_counts_the_class_where_it_was_asked_for():
    predicted = np.argmax(P, axis=1)
    given_labels = ConfusionMatrix.from_predictions(Y, predicted, labels=LABELS)
    assert ConfusionMatrix.from_predictions(Y, predicted).balanced_accuracy() == 1.0
    with pytest.warns(UndefinedMeasureWarning, match="class 2"):
        assert given_labels.recall(average="macro") == pytest.approx(2 / 3)
    assert given_labels.recall(average="macro", zero_division=np.nan) == 1.0
    assert ConfusionMatrix.from_predictions(Y, predicted).recall(average="macro") == 1.0


@SOME
@given(st.integers(0, 3), st.permutations([0, 1, 2, 3] * 3), st.integers(0, 9))
def test_whichever_class_is_missing_is_named_by_every_mean(missing, y, seed):
    y = [label for label in y if label != missing]
    scores = np.random.default_rng(seed).dirichlet(np.ones(4), size=len(y))
    for score in (ovr_auc_score, hand_till_auc_score):
        with pytest.warns(UndefinedMeasureWarning, match=f"class {missing} is not in y_true"):
            assert np.isnan(score(y, scores, labels=[0, 1, 2, 3]))
        with pytest.warns(UndefinedMeasureWarning, match=f"class {missing} is not in y_true and left out"):
            assert 0 <= score(y, scores, labels=[0, 1, 2, 3], missing="omit") <= 1

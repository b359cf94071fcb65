"""String labels: the positive class is named, never chosen by the alphabet."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_score

from skeval.metrics import ConfusionMatrix, RankedScores, brier_score, get_scorer
from skeval.model_selection import evaluate
from tests.cases.strategies import SOME, binary_with_scores, names

Y, S = ["bad", "good", "bad", "good"], [0.9, 0.2, 0.8, 0.85]  # S = P(bad)


def test_values_of_the_named_class():
    bad = RankedScores.from_predictions(Y, S, pos_label="bad")
    assert (bad.roc_auc(), bad.average_precision()) == (3 / 4, pytest.approx(5 / 6))
    assert brier_score(Y, S, pos_label="bad") == pytest.approx(13 / 64)
    predicted = np.where(np.array(S) >= 0.5, "bad", "good")
    assert ConfusionMatrix.from_predictions(Y, predicted).f_score(pos_label="bad") == pytest.approx(4 / 5)
    assert RankedScores.from_predictions(Y, S, pos_label="good").roc_auc() == 1 / 4


def test_unnamed_it_is_refused_with_the_labels():
    with pytest.raises(ValueError, match=r"pos_label.*bad.*good"):
        RankedScores.from_predictions(Y, S)
    with pytest.raises(ValueError, match=r"pos_label.*bad.*good"):
        brier_score(Y, S)


@pytest.mark.parametrize("name", ["f1", "average_precision", "neg_brier_score"])
def test_through_cross_validation_it_is_one_error_and_no_nan(name):
    X, y = np.arange(8.0)[:, None], np.array(["sick"] * 4 + ["well"] * 4)
    with pytest.raises(ValueError, match=r"pos_label.*sick.*well"):
        evaluate(LogisticRegression(), X, y, cv=StratifiedKFold(2), metrics=[name])
    with pytest.raises(ValueError, match=r"pos_label.*sick.*well"):
        cross_val_score(
            LogisticRegression(), X, y, cv=StratifiedKFold(2), scoring=get_scorer(name), error_score="raise"
        )
    scorer = get_scorer(name, pos_label="sick")
    assert np.isfinite(
        cross_val_score(LogisticRegression(), X, y, cv=StratifiedKFold(2), scoring=scorer)
    ).all()


@pytest.mark.parametrize("labels", [(0, 1), (-1, 1), (False, True)])
def test_usual_codes_need_no_name(labels):
    assert RankedScores.from_predictions([labels[1], labels[0]], [0.9, 0.1]).roc_auc() == 1.0


@SOME
@given(binary_with_scores(), st.lists(names, min_size=2, max_size=2, unique=True))
def test_names_change_nothing_whatever_their_order(case, pair):
    y, scores = case
    named = [pair[label] for label in y]
    expected, found = (
        RankedScores.from_predictions(y, scores),
        RankedScores.from_predictions(named, scores, pos_label=pair[1]),
    )
    assert found.roc_auc() == expected.roc_auc()
    assert found.average_precision() == expected.average_precision()
    assert brier_score(named, scores, pos_label=pair[1]) == brier_score(y, scores)
    predicted = [int(score > 0.5) for score in scores]
    plain = ConfusionMatrix.from_predictions(y, predicted)
    other = ConfusionMatrix.from_predictions(named, [pair[label] for label in predicted])
    if len(set(predicted)) == 2:
        assert other.f_score(pos_label=pair[1]) == plain.f_score()

"""Folds that hold one class only: undefined, never 0 or 1, never dropped without a count."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold, LeaveOneOut, cross_validate
from sklearn.naive_bayes import GaussianNB

from skeval.benchmarking import Benchmark
from skeval.exceptions import UndefinedMeasureWarning
from skeval.metrics import RankedScores, get_scorer
from skeval.model_selection import evaluate
from tests.cases.strategies import SOME

FOLDS = [
    ([0, 1, 0, 1], [0.1, 0.9, 0.2, 0.8]),
    ([0, 0, 0], [0.3, 0.6, 0.2]),
    ([1, 0, 1, 0], [0.7, 0.6, 0.4, 0.1]),
]
ALL_POSITIVE = ([1, 1, 1], [0.2, 0.5, 0.9])


def test_the_fold_of_negatives_is_undefined_and_the_others_keep_their_values():
    ranked = [RankedScores.from_predictions(*fold) for fold in FOLDS]
    assert (ranked[0].roc_auc(), ranked[2].roc_auc()) == (1.0, 0.75)
    assert (ranked[0].average_precision(), ranked[2].average_precision()) == (1.0, pytest.approx(5 / 6))
    with pytest.warns(
        UndefinedMeasureWarning, match="only one class is present, positive class 1 is missing"
    ):
        assert np.isnan(ranked[1].roc_auc())
    with pytest.warns(UndefinedMeasureWarning, match="positive class 1 is missing"):
        assert np.isnan(ranked[1].average_precision())


def test_a_fold_of_positives():
    ranked = RankedScores.from_predictions(*ALL_POSITIVE)
    assert ranked.average_precision() == 1.0
    with pytest.warns(UndefinedMeasureWarning, match="only one class"):
        assert np.isnan(ranked.roc_auc())


def test_inside_scikit_learn_the_score_is_nan_with_the_warning():
    X, y = np.arange(12.0)[:, None], np.array([0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0])
    with pytest.warns(UndefinedMeasureWarning, match="only one class"):
        found = cross_validate(LogisticRegression(), X, y, cv=KFold(3), scoring=get_scorer("roc_auc"))
    assert np.isnan(found["test_score"]).tolist() == [False, True, False]


class Never(GaussianNB):
    """Must not be fitted."""

    def fit(self, *args, **kwargs):
        raise AssertionError("fitted")


def test_leave_one_out_with_an_area_is_refused_before_the_first_fit():
    X, y = np.arange(8.0)[:, None], np.array([0, 1] * 4)
    with pytest.raises(ValueError, match="test folds of one sample"):
        evaluate(Never(), X, y, cv=LeaveOneOut(), metrics=["roc_auc"])
    with pytest.raises(ValueError, match="test folds of one sample"):
        Benchmark({"never": Never()}, {"data": (X, y)}, cv=LeaveOneOut(), scoring=["roc_auc"]).run(
            progress=False
        )


@SOME
@given(
    st.integers(0, 1),
    st.lists(st.integers(0, 8), min_size=1, max_size=12),
    st.sampled_from(["roc_auc", "rank_loss"]),
)
def test_any_fold_of_one_class_is_undefined(label, scores, measure):
    ranked = RankedScores.from_predictions([label] * len(scores), scores)
    with pytest.warns(UndefinedMeasureWarning, match="only one class"):
        assert np.isnan(getattr(ranked, measure)())

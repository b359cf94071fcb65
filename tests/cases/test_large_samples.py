"""Many samples: no table of all pairs, no product of counts that overflows."""

import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import BaseEstimator, ClassifierMixin

from skeval.comparison import delong_test
from skeval.metrics import ConfusionMatrix, RankedScores
from skeval.model_selection import bootstrap_error
from tests.cases.strategies import SOME

CM = [[50_000, 5_000], [5_000, 50_000]]


@pytest.mark.parametrize("dtype", ["int64", "int32", "uint32"])
def test_products_of_counts_do_not_overflow(dtype):
    found = ConfusionMatrix(np.array(CM, dtype=dtype))
    assert (found.mcc(), found.kappa()) == pytest.approx((9 / 11, 9 / 11))


def test_labels_of_one_byte():
    y, p = (
        np.repeat(np.array(labels, dtype="int8"), np.ravel(CM)) for labels in ([0, 0, 1, 1], [0, 1, 0, 1])
    )
    assert ConfusionMatrix.from_predictions(y, p).mcc() == pytest.approx(9 / 11)


def test_counts_of_the_size_of_int64():
    assert ConfusionMatrix([[10**18, 10**18], [10**18, 2]]).mcc() == pytest.approx(-0.5)


class _Reads(ClassifierMixin, BaseEstimator):
    """Predicts the first column."""

    def fit(self, X, y):
        self.classes_ = np.array([0, 1])
        return self

    def predict(self, X):
        return X[:, 0]


@pytest.mark.filterwarnings("ignore::skeval.exceptions.ResamplingWarning")
def test_two_hundred_thousand_samples_in_seconds():
    n, start = 200_000, time.process_time()
    y = np.arange(n) % 2
    assert RankedScores.from_predictions(y, np.arange(n)).roc_auc() == pytest.approx(0.500005)
    assert np.isfinite(delong_test(y, np.arange(n), np.arange(n)[::-1] + 3 * y).pvalue)
    truth, predicted = (np.arange(n) < ones for ones in (60_000, 120_000))
    found = bootstrap_error(
        _Reads(), predicted.astype(int)[:, None], truth.astype(int), n_splits=2, random_state=0
    )
    assert found.no_information == pytest.approx(0.54)
    assert time.process_time() - start < 5


@SOME
@given(st.lists(st.integers(0, 10**15), min_size=4, max_size=4).filter(lambda cells: sum(cells) > 0))
def test_any_counts_have_measures_in_their_range(cells):
    found = ConfusionMatrix(np.reshape(cells, (2, 2)))
    assert 0 <= found.accuracy() <= 1
    if min(cells[0] + cells[1], cells[2] + cells[3], cells[0] + cells[2], cells[1] + cells[3]) > 0:
        assert -1 - 1e-15 <= found.mcc() <= 1 + 1e-15
        exact = (cells[0] * cells[3] - cells[1] * cells[2]) / (
            ((cells[0] + cells[1]) * (cells[2] + cells[3]) * (cells[0] + cells[2]) * (cells[1] + cells[3]))
            ** 0.5
        )
        assert found.mcc() == pytest.approx(exact, rel=1e-9, abs=1e-15)

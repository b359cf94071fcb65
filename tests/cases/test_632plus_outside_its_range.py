"""The .632+ error where the out-of-bag error exceeds the no-information error, or equals it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import BaseEstimator, ClassifierMixin

from skeval.exceptions import ResamplingWarning
from skeval.model_selection import bootstrap_error, combine_bootstrap_error
from tests.cases.strategies import SOME

# Resubstitution error, out-of-bag error, no-information error; Efron & Tibshirani (1997) with R in [0, 1]
# and the two-term form: R = 0, 1, 0, .5, .6.
CASES = [(0.30, 0.20, 0.50), (0.10, 0.60, 0.50), (0.45, 0.60, 0.45), (0.10, 0.30, 0.50), (0.00, 0.30, 0.50)]
EXPECTED = [0.2368, 0.5632, 0.5448, 0.2549019607843137, 0.2433264887063655]


def test_the_formula():
    found = combine_bootstrap_error(*np.array(CASES).T)
    assert found == pytest.approx(EXPECTED, rel=1e-9)


class _Fixed(ClassifierMixin, BaseEstimator):
    """Predicts what is written, whatever it was trained on."""

    PREDICTED = np.array([0, 0, 1, 0, 1, 1, 0, 1, 1, 0])

    def fit(self, X, y):
        self.classes_ = np.array([0, 1])
        return self

    def predict(self, X):
        return self.PREDICTED[np.ravel(X).astype(int)]


@pytest.mark.filterwarnings("ignore::skeval.exceptions.ResamplingWarning")
def test_a_model_that_does_not_learn_has_its_error_by_every_method():
    X, y = np.arange(10)[:, None], [0, 0, 0, 0, 1, 1, 1, 1, 1, 1]
    for method in (".632", ".632+"):
        found = bootstrap_error(_Fixed(), X, y, method=method, n_splits=60, random_state=0)
        assert (found.estimate, found.resubstitution, found.leave_one_out) == pytest.approx((0.3, 0.3, 0.3))
    assert found.no_information == pytest.approx(0.5)
    assert issubclass(ResamplingWarning, UserWarning)


shares = st.floats(0, 1)


@SOME
@given(shares, shares, shares)
def test_any_three_errors_give_one_between_them(resubstitution, leave_one_out, no_information):
    found = combine_bootstrap_error(resubstitution, leave_one_out, no_information)
    plain = combine_bootstrap_error(resubstitution, leave_one_out, method=".632")
    assert 0 <= found <= 1
    assert found >= plain - 1e-12
    if leave_one_out <= resubstitution or no_information <= resubstitution:
        assert found == pytest.approx(plain)

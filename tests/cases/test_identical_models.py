"""A model compared with itself: no variance, no difference, and no 0/0."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_iris
from sklearn.model_selection import cross_validate
from sklearn.tree import DecisionTreeClassifier

from skeval.comparison import (
    corrected_resampled_ttest,
    five_by_two_ftest,
    five_by_two_ttest,
    paired_permutation_test,
    sign_test,
    wilcoxon_test,
)
from skeval.exceptions import DegenerateDataWarning
from skeval.model_selection import FiveByTwoSplit
from tests.cases.strategies import SOME, hundredths

TESTS = {
    "5x2 t": five_by_two_ttest,
    "5x2 F": five_by_two_ftest,
    "corrected t": lambda a, b: corrected_resampled_ttest(a, b, n_train=90, n_test=10),
    "Wilcoxon": wilcoxon_test,
    "sign": sign_test,
    "permutation": paired_permutation_test,
}


def test_differences_that_vary():
    # By fractions: t^2 = 40/33 with 5 degrees of freedom, F = 37/33 with 10 and 5.
    differences = np.array([0.02, -0.01, 0.03, 0.01, 0.00, 0.02, 0.04, 0.00, 0.01, 0.01])
    t, f = (test(differences, np.zeros(10)) for test in (five_by_two_ttest, five_by_two_ftest))
    assert tuple(t) == pytest.approx((1.1009637651263606, 0.3210690984304231), rel=1e-9)
    assert tuple(f) == pytest.approx((37 / 33, 0.47839601009176996), rel=1e-9)


def test_the_same_estimator_twice():
    X, y = load_iris(return_X_y=True)
    run = cross_validate(
        DecisionTreeClassifier(random_state=0), X, y, cv=FiveByTwoSplit(random_state=0), return_indices=True
    )
    for name in ("5x2 t", "5x2 F", "corrected t"):
        test = {"corrected t": corrected_resampled_ttest}.get(name, TESTS[name])
        with pytest.warns(DegenerateDataWarning, match="zero variance.*identical"):
            assert tuple(test(run, run)) == (0.0, 1.0)


@pytest.mark.parametrize("name", TESTS)
@SOME
@given(st.lists(hundredths, min_size=10, max_size=10))
def test_any_scores_against_themselves_are_one_and_say_so(name, scores):
    with pytest.warns(DegenerateDataWarning, match=r"zero variance|all differences are zero"):
        found = TESTS[name](scores, scores)
    assert found.pvalue == 1.0
    assert np.isfinite(found.statistic)

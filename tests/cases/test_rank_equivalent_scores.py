"""DeLong's test on scores that rank alike: no difference, and not certainty of one."""

import numpy as np
import pytest
from hypothesis import given

from skeval.comparison import delong_test
from skeval.exceptions import DegenerateDataWarning
from tests.cases.strategies import SOME, binary_with_scores

Y = [1, 0, 1, 0, 1, 0]
A = [0.9, 0.2, 0.3, 0.4, 0.8, 0.1]
B = [0.6, 0.2, 0.5, 0.4, 0.8, 0.1]


@pytest.mark.parametrize("other", [A, [0.81, 0.04, 0.09, 0.16, 0.64, 0.01]], ids=["the same", "squares"])
def test_the_same_ranking(other):
    with pytest.warns(DegenerateDataWarning, match="zero variance"):
        found = delong_test(Y, A, other)
    assert tuple(found) == (0.0, 1.0)
    assert list(found.details["auc"]) == pytest.approx([8 / 9, 8 / 9])


def test_two_perfect_rankings():
    with pytest.warns(DegenerateDataWarning, match="zero variance"):
        assert tuple(delong_test([0, 1, 1, 0], [0.1, 0.9, 0.8, 0.3], [0.2, 0.3, 0.9, 0.25])) == (0.0, 1.0)


def test_rankings_that_differ():
    # pROC 1.18: variances 2/81 and 0, covariance 0.
    found = delong_test(Y, A, B)
    assert tuple(found) == pytest.approx((-0.7071067811865476, 0.4795001221869535), rel=1e-9)
    assert list(found.details["auc"]) == pytest.approx([8 / 9, 1.0])
    assert delong_test(Y, B, A).statistic == -found.statistic


@SOME
@given(binary_with_scores(min_size=6))
def test_an_increasing_function_of_the_scores_is_no_other_model(case):
    y, scores = [0, 1, 0, 1, *case[0][4:]], np.array(case[1])
    for other in (scores, scores**2, np.exp(5 * scores), 3 * scores - 7):
        with pytest.warns(DegenerateDataWarning, match="zero variance"):
            assert tuple(delong_test(y, scores, other)) == (0.0, 1.0)

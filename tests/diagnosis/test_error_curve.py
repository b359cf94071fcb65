"""Contrasts and curves: standard errors by the corrected variance, signs by one-sided tests."""

import numpy as np
import pytest
from scipy import stats

from skeval.diagnosis import Contrast, ErrorCurve


def curve(train, test, ratio=0.25):
    return ErrorCurve((10, 20), "training samples", np.array(train), np.array(test), "error rate", ratio)


CURVE = curve([[0.0, 0.1, 0.2], [0.1, 0.1, 0.4]], [[0.5, 0.4, 0.6], [0.2, 0.3, 0.4]])


def test_standard_error_is_that_of_nadeau_and_bengio():
    # s^2 of (.5, .4, .6) is .01; (1/3 + 1/4) .01, by equation 9 of the paper.
    assert CURVE.cv_standard_error[0] == pytest.approx(np.sqrt(0.01 * (1 / 3 + 1 / 4)))
    figure = CURVE.contrast(CURVE.cv_errors[0] - CURVE.cv_errors[1])
    expected = np.sqrt(np.var([0.3, 0.1, 0.2], ddof=1) * (1 / 3 + 1 / 4))
    assert (figure.estimate, figure.standard_error, figure.df) == pytest.approx((0.2, expected, 2))


def test_a_single_run_has_no_standard_error():
    alone = ErrorCurve((1, 2), "epoch", np.ones((2, 1)), np.ones((2, 1)), "loss", 0.0)
    assert alone.cv_standard_error is None
    assert list(alone.frame()) == ["epoch", "train_error", "cv_error"]


def test_frame_has_a_row_per_point():
    frame = CURVE.frame()
    assert list(frame["training samples"]) == [10, 20]
    np.testing.assert_allclose(frame["cv_error"], [0.5, 0.3])


@pytest.mark.parametrize("sign", [1, -1])
def test_side_is_a_one_sided_t_test(sign):
    critical = stats.t.isf(0.05, 9) * 0.1
    assert Contrast(sign * critical * 1.001, 0.1, 9).side(0.05) == sign
    assert Contrast(sign * critical * 0.999, 0.1, 9).side(0.05) == 0


def test_rounding_is_no_side():
    assert Contrast(1e-17, 0.0, 9, rounding=1e-16).side() == 0
    assert Contrast(1e-3, 0.0, 9, rounding=1e-16).side() == 1
    equal = CURVE.contrast(np.full(3, 0.1 + 0.2 - 0.3))
    assert equal.estimate != 0
    assert equal.side() == 0


def test_interval_is_a_t_interval():
    low, high = Contrast(0.5, 0.1, 9).confidence_interval(0.9)
    assert (low, high) == pytest.approx(stats.t.interval(0.9, 9, loc=0.5, scale=0.1))
    assert str(Contrast(0.5, 0.1, 9)) == "0.5 (SE 0.1)"


def test_levels_are_checked():
    with pytest.raises(ValueError, match="alpha must be a number in"):
        Contrast(0.5, 0.1, 9).side(0)
    with pytest.raises(ValueError, match="confidence_level must be a number in"):
        Contrast(0.5, 0.1, 9).confidence_interval(2)

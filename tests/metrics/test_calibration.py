"""Parts of the Brier score, and reliability by bins."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.calibration import calibration_curve

from skeval.metrics import brier_decomposition, brier_score, reliability_curve


def exact(value):
    return pytest.approx(value, abs=1e-12, rel=0)


def samples(min_size=1):
    one = st.tuples(
        st.integers(0, 1), st.sampled_from([0.0, 0.1, 0.3, 0.35, 0.5, 0.8, 1.0]) | st.floats(0, 1)
    )
    return st.lists(one, min_size=min_size, max_size=25)


# --- parts of the Brier score -----------------------------------------------------------------------


def test_parts_by_exact_fractions():
    # Two forecasts: 2/10 for three samples of which one is positive, 8/10 for three of which two are.
    parts = brier_decomposition([0, 0, 1, 0, 1, 1], [0.2, 0.2, 0.2, 0.8, 0.8, 0.8])
    shares = {Fraction(2, 10): Fraction(1, 3), Fraction(8, 10): Fraction(2, 3)}
    half = Fraction(1, 2)
    assert parts.reliability == exact(float(sum(half * (p - o) ** 2 for p, o in shares.items())))
    assert parts.resolution == exact(float(sum(half * (o - half) ** 2 for o in shares.values())))
    assert parts.uncertainty == 0.25
    assert parts.within_bins == 0
    assert parts.brier_score == exact(float(Fraction(4, 25) + half * Fraction(4, 25)))


@settings(deadline=None, max_examples=100)
@given(
    rows=samples(),
    n_bins=st.none() | st.integers(1, 6),
    strategy=st.sampled_from(["uniform", "quantile"]),
    data=st.data(),
)
def test_the_parts_sum_to_the_score(rows, n_bins, strategy, data):
    y, prob = (np.array(column) for column in zip(*rows, strict=True))
    weights = st.none() | st.lists(st.sampled_from([0, 1, 3, 0.5]), min_size=len(y), max_size=len(y)).filter(
        any
    )
    weight = data.draw(weights)
    parts = brier_decomposition(y, prob, n_bins=n_bins, strategy=strategy, sample_weight=weight)
    summed = parts.reliability - parts.resolution + parts.uncertainty + parts.within_bins
    assert summed == pytest.approx(parts.brier_score, abs=1e-14)
    assert parts.brier_score == exact(brier_score(y, prob, sample_weight=weight))
    assert min(parts.reliability, parts.resolution, parts.uncertainty) >= 0


def test_a_calibrated_forecast_has_no_reliability_term_and_a_constant_one_no_resolution():
    calibrated = brier_decomposition([0, 1, 1, 1], [0.75] * 4)
    assert (calibrated.reliability, calibrated.resolution) == (0, 0)
    assert calibrated.brier_score == exact(calibrated.uncertainty)
    perfect = brier_decomposition([0, 1, 1, 0], [0.0, 1.0, 1.0, 0.0])
    assert (perfect.brier_score, perfect.reliability) == (0, 0)
    assert perfect.resolution == perfect.uncertainty == 0.25


@pytest.mark.parametrize("y", [[1, 1, 1], [0, 0, 0]])
def test_one_class_has_no_uncertainty(y):
    parts = brier_decomposition(y, [0.2, 0.7, 0.7])
    assert parts.uncertainty == parts.resolution == 0
    assert parts.reliability == exact(parts.brier_score)


# --- reliability ------------------------------------------------------------------------------------


@settings(deadline=None, max_examples=60)
@given(rows=samples(min_size=2), n_bins=st.integers(1, 12))
def test_bins_of_equal_width_equal_those_of_scikit_learn(rows, n_bins):
    y, prob = (np.array(column) for column in zip(*rows, strict=True))
    curve = reliability_curve(y, prob, n_bins=n_bins)
    if 0 < y.sum() < len(y):  # scikit-learn needs both classes
        observed, predicted = calibration_curve(y, prob, n_bins=n_bins)
        np.testing.assert_allclose(curve.observed, observed, atol=1e-12)
        np.testing.assert_allclose(curve.mean_predicted, predicted, atol=1e-12)
    assert curve.n_samples.sum() == len(y)
    assert curve.n_positive.sum() == y.sum()
    assert ((curve.lower <= curve.mean_predicted) & (curve.mean_predicted <= curve.upper + 1e-15)).all()
    assert curve.n_samples.dtype == np.int64


def test_bins_of_equal_weight():
    prob = np.arange(1, 11) / 20
    curve = reliability_curve([0, 1] * 5, prob, n_bins=5, strategy="quantile")
    assert curve.n_samples.tolist() == [2] * 5
    np.testing.assert_allclose(curve.observed, 0.5)
    tied = reliability_curve([0, 1] * 5, [0.3] * 9 + [0.4], n_bins=5, strategy="quantile")
    assert tied.n_samples.tolist() == [9, 1]  # equal predictions stay together


@settings(deadline=None, max_examples=60)
@given(rows=samples(), strategy=st.sampled_from(["uniform", "quantile"]), data=st.data())
def test_frequency_weights_equal_repeated_rows(rows, strategy, data):
    y, prob = (np.array(column) for column in zip(*rows, strict=True))
    weight = data.draw(st.lists(st.integers(0, 3), min_size=len(y), max_size=len(y)).filter(any))
    weighted = reliability_curve(y, prob, n_bins=4, strategy=strategy, sample_weight=weight)
    repeated = reliability_curve(np.repeat(y, weight), np.repeat(prob, weight), n_bins=4, strategy=strategy)
    np.testing.assert_array_equal(weighted.n_samples, repeated.n_samples)
    np.testing.assert_array_equal(weighted.n_positive, repeated.n_positive)
    np.testing.assert_allclose(weighted.mean_predicted, repeated.mean_predicted, atol=1e-12)


def test_fractional_weights_stay_fractions():
    # Bins [0, 1/2) and [1/2, 1], by hand: weights .5 + 1.5 and 2; means of .2, .4 and of .8.
    curve = reliability_curve([0, 1, 1], [0.2, 0.4, 0.8], n_bins=2, sample_weight=[0.5, 1.5, 2.0])
    assert curve.n_samples.tolist() == [2.0, 2.0]
    assert curve.n_positive.tolist() == [1.5, 2.0]
    assert curve.mean_predicted == exact([0.35, 0.8])
    assert curve.observed == exact([0.75, 1.0])


def test_the_positive_class_is_the_one_named():
    y, prob = ["bad", "good", "bad"], [0.9, 0.2, 0.8]
    assert reliability_curve(y, prob, n_bins=2, pos_label="bad").observed.tolist() == [0, 1]
    with pytest.raises(ValueError, match="pos_label must name"):
        reliability_curve(y, prob)


@pytest.mark.parametrize("function", [reliability_curve, brier_decomposition])
@pytest.mark.parametrize(
    ("y", "prob", "kwargs", "error", "message"),
    [
        ([0, 1], [0.5, 1.5], {}, ValueError, r"probabilities in \[0, 1\], got 1.5"),
        ([], [], {}, ValueError, "hold no samples"),
        ([0, 1], [0.5], {}, ValueError, "same length"),
        ([0, 1], [0.1, 0.9], {"n_bins": 0}, ValueError, "n_bins must be an integer not less than 1"),
        ([0, 1], [0.1, 0.9], {"n_bins": 2, "strategy": "kmeans"}, ValueError, "strategy must be one of"),
        ([0, 1, 2], [0.1, 0.9, 0.5], {}, ValueError, "needs two classes, got 3"),
    ],
)
def test_bad_input_is_refused(function, y, prob, kwargs, error, message):
    with pytest.raises(error, match=message):
        function(y, prob, **kwargs)

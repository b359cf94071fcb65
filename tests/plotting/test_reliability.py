"""Reliability: observed shares with their intervals, the diagonal, the counts below."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC

from skeval.intervals import proportion_interval
from skeval.metrics import brier_score, reliability_curve
from skeval.plotting import ReliabilityDisplay

Y = [0, 0, 1, 0, 1, 1, 1, 0]
PROB = [0.1, 0.3, 0.3, 0.6, 0.8, 0.9, 0.95, 0.2]


def words(display):
    legends = display.figure_.legends or [display.ax_.get_legend()]
    return [text.get_text() for text in legends[0].get_texts()]


def test_points_and_intervals_are_those_of_the_bins():
    display = ReliabilityDisplay.from_predictions(Y, PROB, n_bins=4, confidence_level=0.9)
    curve = reliability_curve(Y, PROB, n_bins=4)
    np.testing.assert_array_equal(display.line_.get_xdata(), curve.mean_predicted)
    np.testing.assert_array_equal(display.line_.get_ydata(), curve.observed)
    shares = proportion_interval(curve.n_positive, curve.n_samples, confidence_level=0.9)
    drawn = np.array(display.band_.get_segments())
    np.testing.assert_allclose(drawn[:, 0, 1], shares.low)
    np.testing.assert_allclose(drawn[:, 1, 1], shares.high)
    np.testing.assert_allclose(drawn[:, 0, 0], curve.mean_predicted)


def test_counts_stand_below_in_a_figure_of_our_own_and_not_on_given_axes():
    display = ReliabilityDisplay.from_predictions(Y, PROB, n_bins=2)
    heights = [bar.get_height() for bar in display.counts_ax_.patches]
    assert heights == [4, 4]
    _, ax = plt.subplots()
    given = ReliabilityDisplay.from_predictions(Y, PROB, n_bins=2, ax=ax)
    assert given.ax_ is ax
    assert given.counts_ax_ is None


def test_no_intervals_where_none_are_asked_for():
    display = ReliabilityDisplay.from_predictions(Y, PROB, confidence_level=None)
    assert display.band_ is None
    assert display.low is None


def test_fractional_weights_have_no_intervals():
    weight = np.linspace(0.5, 1.5, len(Y))
    with pytest.raises(ValueError, match=r"need whole counts, .* pass confidence_level=None"):
        ReliabilityDisplay.from_predictions(Y, PROB, sample_weight=weight)
    display = ReliabilityDisplay.from_predictions(Y, PROB, sample_weight=weight, confidence_level=None)
    np.testing.assert_allclose(
        display.line_.get_ydata(), reliability_curve(Y, PROB, sample_weight=weight).observed
    )


def test_frequency_weights_count_as_repeated_rows():
    weight = [1, 2, 3, 1, 2, 1, 1, 4]
    weighted = ReliabilityDisplay.from_predictions(Y, PROB, sample_weight=weight, n_bins=3)
    repeated = ReliabilityDisplay.from_predictions(np.repeat(Y, weight), np.repeat(PROB, weight), n_bins=3)
    np.testing.assert_allclose(weighted.low, repeated.low)


def test_name_score_and_class_are_told():
    display = ReliabilityDisplay.from_predictions(
        ["no", "yes"], [0.2, 0.7], pos_label="yes", name="_model $1"
    )
    score = brier_score(["no", "yes"], [0.2, 0.7], pos_label="yes")
    assert words(display) == ["calibrated", rf" _model \$1 (Brier score {score:.3f})"]
    assert display.ax_.get_xlabel() == "Predicted probability (positive class: yes)"
    unnamed = ReliabilityDisplay(reliability_curve(Y, PROB)).plot()
    assert words(unnamed) == ["calibrated", "model"]


X_HARD, Y_HARD = make_classification(600, n_features=8, flip_y=0.2, random_state=0)


def test_two_models_on_the_same_axes_have_styles_of_their_own(check_texts):
    first = ReliabilityDisplay.from_estimator(GaussianNB().fit(X_HARD, Y_HARD), X_HARD, Y_HARD)
    model = LogisticRegression().fit(X_HARD, Y_HARD)
    second = ReliabilityDisplay.from_estimator(model, X_HARD, Y_HARD, ax=first.ax_)
    assert first.line_.get_color() != second.line_.get_color()
    assert first.line_.get_marker() != second.line_.get_marker()
    labels = words(second)
    assert labels[0] == "calibrated"
    assert [label.split()[0] for label in labels[1:]] == ["GaussianNB", "LogisticRegression"]
    check_texts(second.figure_)


def test_the_diagonal_may_be_left_out_and_styles_are_the_users():
    display = ReliabilityDisplay.from_predictions(
        Y, PROB, diagonal=False, curve_kwargs={"c": "red", "lw": 3}, band_kwargs={"lw": 5}
    )
    assert len(display.ax_.lines) == 1
    assert (display.line_.get_color(), display.line_.get_linewidth()) == ("red", 3)
    assert display.band_.get_linewidth() == 5


def test_the_first_class_may_be_the_positive_one():
    y = np.array(["yes", "no"])[Y_HARD]
    model = LogisticRegression().fit(X_HARD, y)
    display = ReliabilityDisplay.from_estimator(model, X_HARD, y, pos_label="no", n_bins=4)
    prob = model.predict_proba(X_HARD)[:, 0]
    expected = reliability_curve(y, prob, pos_label="no", n_bins=4)
    np.testing.assert_array_equal(display.curve.observed, expected.observed)


def test_bad_input_is_refused():
    with pytest.raises(TypeError, match="curve must be a ReliabilityCurve, got list"):
        ReliabilityDisplay([0.1, 0.2])
    with pytest.raises(ValueError, match=r"probabilities in \[0, 1\], got 3 at position 1"):
        ReliabilityDisplay.from_predictions([0, 1], [0.2, 3.0])
    with pytest.raises(AttributeError, match="LinearSVC has none of predict_proba"):
        ReliabilityDisplay.from_estimator(LinearSVC().fit(X_HARD, Y_HARD), X_HARD, Y_HARD)

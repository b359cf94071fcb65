"""The precision-recall curve: hyperbolas between cut-offs, the break-even point, lines of equal F1."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.metrics import average_precision_score
from sklearn.naive_bayes import GaussianNB

from skeval.metrics import PrCurve, RankedScores
from skeval.plotting import PrDisplay

Y, SCORE = [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]


def words(display):
    return [text.get_text() for text in display.ax_.get_legend().get_texts()]


def test_goes_through_the_points_of_every_cut_off():
    display = PrDisplay.from_predictions(Y, SCORE)
    points = display.line_.get_xydata().round(12).tolist()
    # From the highest score on: 1 of 1, 1 of 2, 2 of 3, 2 of 4 predicted are positive; of two positives.
    assert [0.0, 1.0] in points
    for point in ([0.5, 1.0], [0.5, 0.5], [1.0, round(2 / 3, 12)], [1.0, 0.5]):
        assert point in points


def test_between_cut_offs_the_counts_move_along_a_line():
    # Davis & Goadrich (2006), section 4: A has TP = 5, FP = 5 and B has TP = 10, FP = 30 of 20 positives;
    # between them the precisions at recalls .3, .35, .4, .45 are .375, .318, .286, .265.
    y = [1] * 5 + [0] * 5 + [1] * 5 + [0] * 25 + [1] * 10
    score = [3] * 10 + [2] * 30 + [1] * 10
    display = PrDisplay.from_predictions(y, score)
    recall, precision = display.line_.get_data()
    drawn = np.interp([0.3, 0.35, 0.4, 0.45], recall, precision)
    np.testing.assert_allclose(drawn, [0.375, 0.318, 0.286, 0.265], atol=6e-4)


def test_the_dot_is_where_precision_equals_recall():
    display = PrDisplay.from_predictions(Y, SCORE)
    assert display.break_even == 0.5
    assert display.break_even_.get_xydata().tolist() == [[0.5, 0.5]]


def test_every_curve_has_a_dot_of_its_own():
    first = PrDisplay.from_predictions(Y, SCORE)
    second = PrDisplay.from_predictions(Y, SCORE[::-1], ax=first.ax_)
    assert first.break_even_ is not second.break_even_
    assert second.break_even_.get_color() == second.line_.get_color()


def test_lines_of_equal_f1_have_that_f1_and_are_drawn_once():
    display = PrDisplay.from_predictions(Y, SCORE, f1_levels=[0.5, 0.25])
    display = PrDisplay.from_predictions(Y, SCORE, f1_levels=[0.5, 0.25], ax=display.ax_)
    lines = [line for line in display.ax_.lines if len(line.get_xdata()) == 100]
    values = []
    for line in lines:
        recall, precision = line.get_data()
        f1 = 2 * precision * recall / (precision + recall)
        np.testing.assert_allclose(f1, f1[0])
        values.append(f1[0])
    assert values == pytest.approx([0.25, 0.5])
    assert [text.get_text() for text in display.ax_.texts] == ["0.25", "0.5"]


def test_chance_is_the_share_of_positives_once_for_each():
    display = PrDisplay.from_predictions(Y, SCORE)
    display = PrDisplay.from_predictions(Y, SCORE, ax=display.ax_)
    display = PrDisplay.from_predictions([0, 0, 0, 1], SCORE, ax=display.ax_)
    assert [told for told in words(display) if "chance" in told] == [
        "chance: 0.5 positive",
        "chance: 0.25 positive",
    ]


def test_the_legend_has_average_precision_and_break_even():
    assert words(PrDisplay.from_predictions(Y, SCORE, name="a"))[-1] == "a (AP = 0.833, break-even = 0.500)"


def test_an_estimator_has_the_average_precision_of_scikit_learn():
    X, y = load_breast_cancer(return_X_y=True)
    model = GaussianNB().fit(X[::2], y[::2])
    display = PrDisplay.from_estimator(model, X[1::2], y[1::2])
    expected = average_precision_score(y[1::2], model.predict_proba(X[1::2])[:, 1])
    assert display.average_precision == pytest.approx(expected)


def test_styles_are_the_users_and_parts_may_be_left_out():
    display = PrDisplay.from_predictions(
        Y, SCORE, f1_levels=(), chance_level=False, curve_kwargs={"c": "k"}, break_even_kwargs={"marker": "x"}
    )
    assert display.line_.get_color() == "k"
    assert display.break_even_.get_marker() == "x"
    assert len(words(display)) == 2
    assert PrDisplay(display.curve).plot(plt.subplots()[1]).break_even_ is None


@pytest.mark.parametrize(("y", "lacking"), [([1, 1], "negative"), ([0, 0], "positive")])
def test_one_class_has_no_curve(y, lacking):
    with pytest.raises(ValueError, match=f"curve needs both classes, but y_true holds no {lacking} sample"):
        PrDisplay.from_predictions(y, [0.2, 0.3])


def test_what_is_no_curve_is_refused():
    with pytest.raises(TypeError, match="curve must be a PrCurve, got list"):
        PrDisplay([0.1, 0.2])
    with pytest.raises(TypeError, match="result must be RankedScores, got list"):
        PrDisplay.from_result([0.1, 0.2])
    nan = np.array([np.nan])
    with pytest.raises(ValueError, match="must have positive samples"):
        PrDisplay(PrCurve(nan, nan, np.array([1.0]), np.array([0.0]), np.array([1.0])))
    with pytest.raises(ValueError, match="average_precision must be a number in"):
        PrDisplay(RankedScores.from_predictions(Y, SCORE).pr_curve(), average_precision=1.5)
    with pytest.raises(ValueError, match="f1_levels must be a number in"):
        PrDisplay.from_predictions(Y, SCORE, f1_levels=[1.0])

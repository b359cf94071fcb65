"""The cost curve: the lower envelope, the lines of cut-offs, the operating point."""

import numpy as np
import pytest

from skeval.metrics import RankedScores, cost_curve
from skeval.plotting import CostCurveDisplay

Y, SCORE = [1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.1]


def words(display):
    return [text.get_text() for text in display.ax_.get_legend().get_texts()]


def test_draws_the_lower_envelope():
    display = CostCurveDisplay.from_predictions(Y, SCORE)
    curve = cost_curve(Y, SCORE)
    np.testing.assert_array_equal(display.line_.get_xdata(), curve.probability_cost)
    np.testing.assert_array_equal(display.line_.get_ydata(), curve.normalized_cost)


def test_every_cut_off_is_a_line_from_its_false_positive_to_its_false_negative_rate():
    display = CostCurveDisplay.from_predictions(Y, SCORE)
    # Of three positives and two negatives; the first predicts nothing positive, the last everything.
    fpr, fnr = [0, 0, 0, 0.5, 0.5, 1], [1, 2 / 3, 1 / 3, 1 / 3, 0, 0]
    segments = np.array(display.cut_offs_.get_segments())
    np.testing.assert_allclose(segments[:, 0], np.column_stack([np.zeros(6), fpr]), atol=1e-15)
    np.testing.assert_allclose(segments[:, 1], np.column_stack([np.ones(6), fnr]), atol=1e-15)


def test_many_cut_offs_are_thinned_out_and_those_of_later_curves_left_out():
    generator = np.random.default_rng(0)
    y = generator.integers(0, 2, 2000)
    first = CostCurveDisplay.from_predictions(y, generator.random(2000))
    assert len(first.cut_offs_.get_segments()) == 40
    assert CostCurveDisplay.from_predictions(Y, SCORE, ax=first.ax_).cut_offs_ is None
    assert CostCurveDisplay.from_predictions(Y, SCORE, ax=first.ax_, cut_offs=True).cut_offs_ is not None


def test_trivial_classifiers_make_one_triangle():
    first = CostCurveDisplay.from_predictions(Y, SCORE)
    second = CostCurveDisplay.from_predictions(Y, SCORE[::-1], ax=first.ax_)
    lines = [line for line in second.ax_.lines if line.get_label() == "one class for all"]
    assert [line.get_xydata().tolist() for line in lines] == [[[0, 0], [0.5, 0.5], [1, 0]]]


def test_the_triangle_may_be_left_out():
    with_it, without = (CostCurveDisplay.from_predictions(Y, SCORE, chance_level=on) for on in (True, False))
    assert "one class for all" in words(with_it)
    assert "one class for all" not in words(without)


def test_the_operating_point_tells_cost_and_cut_off():
    display = CostCurveDisplay.from_predictions(Y, SCORE, cost_fn=5, prevalence=0.1)
    # P(+)cost = .1 * 5 / (.1 * 5 + .9) = 5/14; with cut-off .8 the cost is a third of it.
    assert display.operating_point_.get_xydata()[0] == pytest.approx([5 / 14, 5 / 42])
    assert words(display)[-1] == "at 0.1 positive: cost 0.119,\npositive: score >= 0.8"


def test_where_nothing_is_to_be_predicted_positive_it_says_none():
    display = CostCurveDisplay.from_predictions([0, 1], [0.9, 0.1], prevalence=0.1)
    assert words(display)[-1].endswith("positive: none")


def test_the_costs_and_the_area_are_told():
    display = CostCurveDisplay.from_predictions(Y, SCORE, cost_fn=5, cost_fp=2, name="a")
    assert "miss : false alarm = 5 : 2" in display.ax_.get_xlabel().replace("\n", " ")
    assert words(display)[-1] == f"a (area = {display.curve.area():.3f})"


def test_ranked_scores_are_enough_and_styles_are_the_users():
    ranked = RankedScores.from_predictions(Y, SCORE)
    display = CostCurveDisplay.from_result(
        ranked, curve_kwargs={"lw": 4}, cut_off_kwargs={"lw": 2, "alpha": 1}
    )
    assert display.line_.get_linewidth() == 4
    assert display.cut_offs_.get_linewidth() == 2


def test_bad_input_is_refused():
    with pytest.raises(ValueError, match="A cost curve needs both classes, but y_true holds no negative"):
        CostCurveDisplay.from_predictions([1, 1], [0.1, 0.2])
    with pytest.raises(ValueError, match="cost_fn must be a number in"):
        CostCurveDisplay.from_predictions(Y, SCORE, cost_fn=0)
    with pytest.raises(ValueError, match="prevalence must be a number in"):
        CostCurveDisplay.from_predictions(Y, SCORE, prevalence=2)
    with pytest.raises(TypeError, match="curve must be a CostCurve, got tuple"):
        CostCurveDisplay((0, 1))

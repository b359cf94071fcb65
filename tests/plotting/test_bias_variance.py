"""The textbook picture: error and its parts against the complexity of a model."""

import sys

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pytest
from sklearn.datasets import load_diabetes, load_iris
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeRegressor

from skeval.diagnosis import bias_variance_curve
from skeval.plotting import BiasVarianceDisplay
from skeval.plotting._value_axis import ValueAxis
from tests.plotting.within_view import hide_ticks_out_of_view

PARTS = {"bias_squared": [4.0, 1.0, 0.5], "variance": [0.5, 1.0, 3.0]}
LOSS = [4.5, 2.0, 3.5]


@pytest.fixture
def check_texts(check_texts):
    return lambda figure: check_texts(hide_ticks_out_of_view(figure))


def legend_of(display):
    legend = display.ax_.get_legend() or display.figure_.legends[0]
    return [text.get_text() for text in legend.get_texts()]


def ticks_of(display):
    return [text.get_text() for text in display.ax_.get_xticklabels()]


class TestFromResult:
    @pytest.fixture
    def curve(self):
        return bias_variance_curve(
            DecisionTreeRegressor(random_state=0),
            *load_diabetes(return_X_y=True),
            param_name="max_depth",
            param_range=[1, 2, 4, 8],
            n_splits=10,
            random_state=0,
        )

    def test_draws_the_numbers_of_the_result(self, curve, check_texts):
        display = BiasVarianceDisplay.from_result(curve)
        np.testing.assert_array_equal(display.line_.get_ydata(), curve.loss)
        np.testing.assert_array_equal(display.line_.get_xdata(), curve.param_values)
        assert set(display.part_lines_) == {"bias_squared", "variance"}
        for term, line in display.part_lines_.items():
            np.testing.assert_array_equal(line.get_ydata(), curve.parts[term])
        words = check_texts(display.figure_)
        assert {"max_depth", "squared loss", "bias$^2$", "variance"} <= set(words)

    def test_marks_the_least_loss(self, curve):
        display = BiasVarianceDisplay.from_result(curve)
        assert display.best_.get_xdata()[0] == curve.best_value
        assert legend_of(display)[-1] == f"least at {curve.best_value}"

    def test_labels_are_decomposed_as_they_add_up(self, check_texts):
        curve = bias_variance_curve(
            KNeighborsClassifier(),
            *load_iris(return_X_y=True),
            param_name="n_neighbors",
            param_range=[80, 40, 10, 1],
            n_splits=20,
            random_state=0,
        )
        display = BiasVarianceDisplay.from_result(curve)
        assert legend_of(display)[:2] == ["bias", "net variance"]
        check_texts(display.figure_)
        left, right = display.ax_.get_xlim()
        assert left > right  # the simplest model stands at the left, as it was given

    def test_parts_are_called_what_the_result_calls_them(self):
        curve = bias_variance_curve(
            KNeighborsClassifier(),
            *load_iris(return_X_y=True),
            param_name="n_neighbors",
            param_range=[40, 1],
            definition="james",
            n_splits=10,
            random_state=0,
        )
        told = legend_of(BiasVarianceDisplay.from_result(curve))[:2]
        assert told == ["systematic effect", "variance effect"]
        assert all(name in str(curve) for name in told)

    def test_an_unknown_definition_is_refused(self):
        with pytest.raises(ValueError, match=r"definition must be one of .*james.*, got 'jones'"):
            BiasVarianceDisplay([1, 2, 3], LOSS, PARTS, definition="jones")


class TestAxis:
    def test_wide_ranges_are_logarithmic(self):
        assert BiasVarianceDisplay([1, 10, 100], LOSS, PARTS).plot().ax_.get_xscale() == "log"
        assert BiasVarianceDisplay([1, 2, 3], LOSS, PARTS).plot().ax_.get_xscale() == "linear"
        assert BiasVarianceDisplay([1, 10, 100], LOSS, PARTS).plot(log_x=False).ax_.get_xscale() == "linear"
        assert ValueAxis(range(1, 101)).log is False  # equal steps

    @pytest.mark.parametrize(
        "values", [["gini", "entropy", "log_loss"], [3, None, 1], [1, 1, 2], [True, False, True]]
    )
    def test_what_is_no_ordered_numbers_stands_at_equal_distances(self, values, check_texts):
        display = BiasVarianceDisplay(values, LOSS, PARTS).plot()
        np.testing.assert_array_equal(display.line_.get_xdata(), [0, 1, 2])
        assert ticks_of(display) == [str(value) for value in values]
        check_texts(display.figure_)

    def test_a_logarithm_of_words_is_refused(self):
        with pytest.raises(ValueError, match="log_x=True needs values above 0"):
            BiasVarianceDisplay(["a", "b", "c"], LOSS, PARTS).plot(log_x=True)

    @pytest.mark.parametrize("n_values", [1, 2, 12, 20, 60])
    @pytest.mark.parametrize("size", [None, (3, 2.4)])
    def test_ticks_never_touch(self, n_values, size, check_texts):
        ax = None if size is None else plt.subplots(figsize=size, layout="constrained")[1]
        values = np.round(np.geomspace(1, 1e5, n_values), 3)
        rng = np.random.default_rng(0)
        parts = {"bias_squared": rng.random(n_values), "variance": rng.random(n_values)}
        loss = sum(parts.values())
        check_texts(BiasVarianceDisplay(values, loss, parts).plot(ax).figure_)
        steps = BiasVarianceDisplay(np.arange(n_values) + 1000, loss, parts).plot()
        check_texts(steps.figure_)

    def test_ticks_of_equal_steps_are_dropped_evenly(self):
        ax = plt.subplots(figsize=(2.5, 2))[1]
        n_values = 15
        display = BiasVarianceDisplay(
            range(100, 100 + n_values), np.ones(n_values), {"variance": np.ones(n_values)}
        ).plot(ax)
        shown = [int(text) for text in ticks_of(display)]
        assert shown[-1] == 114
        assert len(set(np.diff(shown))) == 1


class TestWords:
    def test_long_and_foreign_names(self, check_texts):
        display = BiasVarianceDisplay(
            ["a_value_with_a_long_name", "$5$", "Глубина"],
            LOSS,
            {"a part of the loss with a name that is long": LOSS, "другая часть": LOSS},
            param_name="pipeline__polynomialfeatures__degree_of_the_polynomial",
            loss_name="0-1 loss",
        ).plot()
        check_texts(display.figure_)

    def test_a_negative_part_shows_the_line_of_zero(self):
        display = BiasVarianceDisplay([1, 2, 3], LOSS, {"net_variance": [-0.5, 0.1, 0.2]}).plot()
        assert display.ax_.get_ylim()[0] < 0
        assert any(line.get_ydata() == [0, 0] for line in display.ax_.lines if len(line.get_ydata()) == 2)

    def test_styles_are_the_users(self):
        display = BiasVarianceDisplay([1, 2, 3], LOSS, PARTS).plot(
            loss_kwargs={"lw": 5, "label": "error"}, part_kwargs={"alpha": 0.5}
        )
        assert display.line_.get_linewidth() == 5
        assert "error" in legend_of(display)
        assert all(line.get_alpha() == 0.5 for line in display.part_lines_.values())

    def test_a_logarithmic_loss_leaves_out_what_is_not_above_zero(self, check_texts):
        display = BiasVarianceDisplay([1, 2, 3], LOSS, {"cross_term": [0.0, -1.0, 1.0]}).plot(log_y=True)
        assert display.ax_.get_yscale() == "log"
        check_texts(display.figure_)

    def test_axes_of_a_user_keep_their_size(self, check_texts):
        figure, axes = plt.subplots(1, 2, figsize=(6, 2.5), layout="constrained")
        for ax in axes:
            display = BiasVarianceDisplay([1, 2, 3], LOSS, PARTS).plot(ax)
        assert display.figure_ is figure
        assert tuple(figure.get_size_inches()) == (6, 2.5)
        check_texts(figure)

    def test_saves_in_a_font_without_the_characters(self, check_texts):
        with matplotlib.rc_context({"font.family": "cmr10", "axes.formatter.use_mathtext": True}):
            display = BiasVarianceDisplay([1, 2, 3], LOSS, PARTS, param_name="Жук").plot()
            check_texts(display.figure_)


@pytest.mark.parametrize(
    ("loss", "parts", "match"),
    [
        ([1, 2], PARTS, "must have the same length"),
        ([1, np.nan, 2], PARTS, "loss must hold finite numbers"),
        (LOSS, {"variance": [1, 2]}, "variance has 2"),
        (LOSS, {"variance": [1, 2, np.inf]}, r"parts\['variance'\] must hold finite"),
    ],
)
def test_what_does_not_fit_is_refused(loss, parts, match):
    with pytest.raises(ValueError, match=match):
        BiasVarianceDisplay([1, 2, 3], loss, parts)


def test_without_matplotlib_the_extra_is_named(monkeypatch):
    for name in [name for name in sys.modules if name.partition(".")[0] == "matplotlib"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ModuleNotFoundError, match="BiasVarianceDisplay needs matplotlib"):
        BiasVarianceDisplay([1, 2, 3], LOSS, PARTS).plot()

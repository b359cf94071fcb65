"""The posterior of a comparison: simplex, density or bars."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

from skeval.comparison import bayes_signed_rank_test, correlated_bayes_ttest, wilcoxon_test
from skeval.exceptions import DegenerateDataWarning
from skeval.plotting import PosteriorDisplay

GENERATOR = np.random.default_rng(1)
DIFFERENCES = GENERATOR.normal(0.01, 0.03, 30)
LONG = ("gradient_boosting_with_a_name_of_40_chars", "random_forest_with_a_rather_long_name_too")


def sampled(rope=0.01):
    return bayes_signed_rank_test(DIFFERENCES, 0 * DIFFERENCES, rope=rope, n_samples=2000, random_state=0)


def closed(rope=0.01):
    return correlated_bayes_ttest(DIFFERENCES[:10], np.zeros(10), rope=rope, n_train=90, n_test=10)


def point():
    with pytest.warns(DegenerateDataWarning, match="zero variance"):
        return correlated_bayes_ttest([0.02] * 10, [0.0] * 10, rope=0.01, n_train=90, n_test=10)


FORMS = {"simplex": sampled, "density": closed, "bars": point}


@pytest.mark.parametrize("kind", FORMS)
class TestEveryForm:
    def test_says_the_probabilities(self, kind, check_texts):
        result = FORMS[kind]()
        display = PosteriorDisplay.from_result(result, names=("forest", "tree"))
        assert display.kind == kind
        words = check_texts(display.figure_)
        shares = result.a_better, result.equivalent, result.b_better
        told = ("forest better", "equivalent", "tree better")
        for text, share in zip(told, shares, strict=True):
            assert f"{text}: {share:.3g}" in words
        assert any(result.method in line for line in words)

    @pytest.mark.parametrize("names", [("a", "b"), LONG])
    def test_no_text_overlaps_or_leaves_the_figure(self, kind, names, check_texts):
        display = PosteriorDisplay.from_result(FORMS[kind](), names=names, title="Accuracy " * 12)
        check_texts(display.figure_)

    @pytest.mark.parametrize("size", [(6, 4), (9, 3), (12, 9)])
    def test_given_axes_of_any_size_hold_the_picture(self, kind, size, check_texts):
        figure, axes = plt.subplots(1, 2, figsize=size)
        axes[0].remove()
        display = PosteriorDisplay.from_result(FORMS[kind](), names=LONG, ax=axes[1], title="A title")
        assert display.ax_ is axes[1]
        assert tuple(figure.get_size_inches()) == size
        check_texts(figure)
        box = axes[1].get_window_extent()
        for label in display.labels_:
            inside = label.get_window_extent()
            assert box.x0 <= inside.x0
            assert inside.x1 <= box.x1 + 1
            assert box.y0 <= inside.y0
            assert inside.y1 <= box.y1

    def test_saves_as_vector_graphics(self, kind, tmp_path):
        display = PosteriorDisplay.from_result(FORMS[kind]())
        for form in ("pdf", "svg", "eps"):
            display.figure_.savefig(tmp_path / f"posterior.{form}")
            assert (tmp_path / f"posterior.{form}").stat().st_size > 1000

    def test_styles_are_the_users(self, kind):
        display = PosteriorDisplay(FORMS[kind]()).plot(text_kwargs={"size": 15})
        assert display.labels_[0].get_fontsize() == 15


def test_draws_lie_inside_the_triangle_near_the_corner_that_they_favor():
    display = PosteriorDisplay.from_result(sampled())
    points = display.ax_.collections[0].get_offsets()
    outline = next(line for line in display.ax_.lines if len(line.get_xdata()) == 4)
    left, top, right, _ = np.column_stack([outline.get_xdata(), outline.get_ydata()])
    assert (points[:, 1] >= left[1] - 0.02).all()
    assert (points[:, 1] <= top[1] + 0.02).all()
    assert abs(points[:, 0].mean() - left[0]) < abs(points[:, 0].mean() - right[0])  # the first is better


def test_a_density_is_colored_by_region():
    display = PosteriorDisplay.from_result(closed())
    fills = [fill for fill in display.ax_.collections if len(fill.get_paths()[0].vertices) > 50]
    # first better, equivalent, second better (a sliver)
    assert len(fills) >= 2
    assert fills[0].get_paths()[0].vertices[:, 0].min() == pytest.approx(
        fills[1].get_paths()[0].vertices[:, 0].max()
    )


def test_a_rope_wider_than_the_density_and_none():
    for rope in (0.0, 0.5):
        display = PosteriorDisplay.from_result(closed(rope))
        assert display.kind == "density"


def test_bad_input_is_refused():
    with pytest.raises(TypeError, match=r"result must be a PosteriorResult.*got TestResult"):
        PosteriorDisplay(wilcoxon_test([1.0, 2.0], [0.0, 1.0]))
    with pytest.raises(ValueError, match="names must be the names of the two methods"):
        PosteriorDisplay(closed(), names=("a",))
    with pytest.raises(ValueError, match="names must be the names of the two methods"):
        PosteriorDisplay(closed(), names="ab")
    with pytest.raises(TypeError, match="ax must be matplotlib Axes or None"):
        PosteriorDisplay(closed()).plot(plt.figure())

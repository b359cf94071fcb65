"""The Friedman diagram: an interval around each mean rank, all of it readable."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_rgb

from skeval.comparison import compare_cv, critical_difference, posthoc_test
from skeval.plotting import CriticalDifferenceDisplay, FriedmanDisplay


def table(n_methods, n_datasets=20, spread=2.0):
    """Return scores of methods whose names have 40 characters."""
    generator = np.random.default_rng(0)
    scores = generator.normal(size=(n_datasets, n_methods)) + np.linspace(0, spread, n_methods)
    names = [f"{where:02d}_a_method_whose_name_has_40_characters"[:40] for where in range(n_methods)]
    return dict(zip(names, scores.T, strict=True))


class TestIntervals:
    def test_are_one_critical_difference_long_around_the_mean_rank(self):
        result = posthoc_test(table(5))
        display = FriedmanDisplay.from_result(result)
        assert display.intervals.mean(axis=1) == pytest.approx(result.mean_ranks)
        assert np.ptp(display.intervals, axis=1) == pytest.approx(critical_difference(5, 20))

    def test_overlap_where_the_pvalues_are_above_alpha(self):
        result = posthoc_test(table(8))
        for alpha in (0.05, 0.2):
            ends = dict(
                zip(result.methods, FriedmanDisplay.from_result(result, alpha=alpha).intervals, strict=True)
            )
            for (a, b), pvalue in zip(result.pairs, result.pvalue, strict=True):
                apart = max(ends[a][0], ends[b][0]) >= min(ends[a][1], ends[b][1])
                assert apart == (pvalue <= alpha)

    def test_are_drawn_to_scale_the_best_on_top(self):
        display = FriedmanDisplay([3.0, 1.0, 2.0], "abc", critical_difference=0.5).plot()
        lengths = [np.ptp(line.get_xdata()) for line in display.lines_]
        middles = [np.mean(line.get_xdata()) for line in display.lines_]
        assert lengths == pytest.approx([lengths[0]] * 3)
        assert middles[0] - middles[1] == pytest.approx(4 * lengths[0])  # 2 ranks of 0.5 each
        heights = [line.get_ydata()[0] for line in display.lines_]
        assert heights[1] > heights[2] > heights[0]

    def test_equal_ranks_have_rows_of_their_own(self, check_texts):
        display = FriedmanDisplay([2.5] * 4, "abcd", critical_difference=1.2).plot()
        assert len({line.get_ydata()[0] for line in display.lines_}) == 4
        assert {"a  2.50", "d  2.50"} <= set(check_texts(display.figure_))


class TestReading:
    @pytest.mark.parametrize("n_methods", [2, 3, 10, 40])
    @pytest.mark.parametrize("n_datasets", [3, 200])
    def test_no_text_overlaps_or_leaves_the_figure(self, n_methods, n_datasets, check_texts):
        result = posthoc_test(table(n_methods, n_datasets))
        display = FriedmanDisplay.from_result(result, title="Accuracy on many data sets " * 3)
        words = check_texts(display.figure_)
        assert sum("40_char" in told for told in words) == n_methods

    @pytest.mark.parametrize("n_methods", [2, 10, 40])
    @pytest.mark.parametrize("size", [(6, 4), (8, 3), (12, 9)])
    def test_given_axes_of_any_size_hold_the_diagram(self, n_methods, size, check_texts):
        figure, axes = plt.subplots(1, 2, figsize=size)
        axes[0].remove()
        display = FriedmanDisplay.from_result(posthoc_test(table(n_methods)), ax=axes[1], title="A title")
        assert display.ax_ is axes[1]
        assert tuple(figure.get_size_inches()) == size
        check_texts(figure)
        box = axes[1].get_window_extent()
        for label in display.labels_:
            inside = label.get_window_extent()
            assert inside.x0 >= box.x0
            assert inside.y0 >= box.y0
            assert inside.y1 <= box.y1
        for line in display.lines_:
            assert line.get_xdata()[1] <= axes[1].get_xlim()[1]

    def test_lines_are_apart_from_white_in_grey(self):
        display = FriedmanDisplay([1, 2, 3], "abc", critical_difference=1).plot()
        for line in display.ax_.lines:
            red, green, blue = to_rgb(line.get_color())
            assert 0.299 * red + 0.587 * green + 0.114 * blue < 0.5

    def test_signs_in_a_name_are_printed_as_they_are(self, check_texts):
        display = FriedmanDisplay([1, 2], ["cost_$5$", "a\nb"], critical_difference=0.5).plot()
        assert {"cost_$5$  1.00", "a b  2.00"} <= set(check_texts(display.figure_))

    def test_styles_are_the_users(self):
        display = FriedmanDisplay([1, 2], "ab", critical_difference=0.5).plot(
            line_kwargs={"c": "red", "lw": 3}, text_kwargs={"size": 20}
        )
        assert display.lines_[0].get_color() == "red"
        assert display.lines_[0].get_linewidth() == 3
        assert display.labels_[0].get_fontsize() == 20

    def test_saves_as_vector_graphics(self, tmp_path):
        display = FriedmanDisplay([1, 2], "ab", critical_difference=0.5).plot()
        for kind in ("pdf", "svg", "eps"):
            display.figure_.savefig(tmp_path / f"diagram.{kind}")
            assert (tmp_path / f"diagram.{kind}").stat().st_size > 1000


class TestInput:
    def test_a_result_must_have_a_critical_difference_of_all_pairs(self):
        holm = posthoc_test(table(4), method="holm")
        with_control = posthoc_test(table(4), method="bonferroni", control=next(iter(table(4))))
        splits = compare_cv({"a": [0.7, 0.8, 0.9], "b": [0.6, 0.9, 0.9]}, n_train=90, n_test=10)
        for result in (holm, with_control, splits):
            with pytest.raises(
                ValueError, match=r"with a critical difference .* use posthoc_test\(method='nemenyi'\)"
            ):
                FriedmanDisplay.from_result(result)
        CriticalDifferenceDisplay.from_result(holm)  # that one can do without

    @pytest.mark.parametrize(
        ("ranks", "names", "more", "match"),
        [
            ([1, 2, 3], "ab", {}, "3 ranks and 2 names"),
            ([1, np.nan], "ab", {}, "mean_ranks must hold finite numbers"),
            ([1, 2], ["a", "a"], {}, "'a' twice"),
            ([1, 2], "ab", {"critical_difference": 0.0}, "critical_difference"),
            ([1, 2], "ab", {"alpha": 5}, "alpha"),
        ],
    )
    def test_bad_input_is_refused(self, ranks, names, more, match):
        with pytest.raises(ValueError, match=match):
            FriedmanDisplay(ranks, names, **{"critical_difference": 1.0, **more})

    def test_ax_must_be_axes(self):
        with pytest.raises(TypeError, match="ax must be matplotlib Axes or None, got Figure"):
            FriedmanDisplay([1, 2], "ab", critical_difference=1).plot(plt.figure())

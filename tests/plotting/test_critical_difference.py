"""The critical-difference diagram: what it shows, and that all of it can be read."""

import itertools
import sys

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_rgb
from scipy.stats import rankdata

from skeval.comparison import posthoc_test
from skeval.plotting import CriticalDifferenceDisplay
from skeval.utils._pairwise import PairwiseResult

FOUR = ("w", "x", "y", "z")


def pairwise(pvalues, names=FOUR, ranks=None, **more):
    """Return the result of a comparison of all pairs from a matrix of p-values."""
    pairs = tuple(itertools.combinations(names, 2))
    position = {name: where for where, name in enumerate(names)}
    flat = np.array([pvalues[position[a]][position[b]] for a, b in pairs], dtype=float)
    ranks = np.arange(1.0, len(names) + 1) if ranks is None else np.asarray(ranks, dtype=float)
    return PairwiseResult(
        methods=tuple(names),
        pairs=pairs,
        estimate=np.zeros(len(pairs)),
        statistic=np.zeros(len(pairs)),
        raw_pvalue=flat,
        pvalue=flat,
        mean_ranks=ranks,
        method="Nemenyi test",
        **more,
    )


def nemenyi_like(n_methods, n_datasets, difference, *, spread=3.0, seed=0):
    """Return ranks of random scores, names of 40 characters, and the groups within `difference`."""
    rng = np.random.default_rng(seed)
    scores = rng.normal(size=(n_datasets, n_methods)) + np.linspace(0, spread, n_methods)
    ranks = rankdata(-scores, axis=1).mean(axis=0)
    names = [f"{where:02d}_a_method_whose_name_has_40_characters"[:40] for where in range(n_methods)]
    order, groups, reached = np.argsort(ranks), [], -1
    for first in range(n_methods):
        last = int(np.flatnonzero(ranks[order] - ranks[order[first]] < difference)[-1])
        if last > max(first, reached):
            groups.append([names[where] for where in order[first : last + 1]])
            reached = last
    return ranks, names, groups


class TestGroups:
    def test_interleaved_groups_get_a_bar_each_at_different_heights_with_dots_on_members(self):
        pvalues = [
            [1, 0.001, 0.30, 0.001],
            [0.001, 1, 0.001, 0.40],
            [0.30, 0.001, 1, 0.001],
            [0.001, 0.40, 0.001, 1],
        ]
        display = CriticalDifferenceDisplay.from_result(pairwise(pvalues))
        assert [set(group) for group in display.groups] == [{"w", "y"}, {"x", "z"}]
        heights = [bar.get_ydata()[0] for bar in display.bars_]
        assert heights[0] != heights[1]
        for bar, members in zip(display.bars_, ((0, 2), (1, 3)), strict=True):
            assert bar.get_marker() == "o"
            dots = np.asarray(bar.get_xdata())[bar.get_markevery()]
            np.testing.assert_allclose(dots, [display.stems_[where].get_xdata()[1] for where in members])

    def test_bars_over_neighbors_only_have_no_dots(self):
        display = CriticalDifferenceDisplay([1, 2, 3], "abc", groups=[("a", "b")]).plot()
        assert display.bars_[0].get_marker() == ""
        assert not any("Dots" in text.get_text() for text in display.ax_.texts)

    def test_a_pvalue_at_alpha_is_a_difference(self):
        pvalues = [
            [1, 0.05, 0.001, 0.001],
            [0.05, 1, 0.001, 0.001],
            [0.001, 0.001, 1, 0.20],
            [0.001, 0.001, 0.20, 1],
        ]
        at_five = CriticalDifferenceDisplay.from_result(pairwise(pvalues), alpha=0.05)
        at_one = CriticalDifferenceDisplay.from_result(pairwise(pvalues), alpha=0.01)
        assert [set(group) for group in at_five.groups] == [{"y", "z"}]
        assert [set(group) for group in at_one.groups] == [{"w", "x"}, {"y", "z"}]

    def test_a_missing_pvalue_is_refused_with_its_pair(self):
        nan = float("nan")
        pvalues = [
            [1, nan, 0.001, 0.001],
            [nan, 1, 0.001, 0.001],
            [0.001, 0.001, 1, 0.20],
            [0.001, 0.001, 0.20, 1],
        ]
        with pytest.raises(ValueError, match=r"'w', 'x' is nan"):
            CriticalDifferenceDisplay.from_result(pairwise(pvalues))

    def test_bars_never_touch_and_end_before_the_next_stem(self):
        ranks, names, groups = nemenyi_like(12, 10, 4.0)
        display = CriticalDifferenceDisplay(ranks, names, groups=groups).plot()
        heights = [bar.get_ydata()[0] for bar in display.bars_]
        points = display.figure_.get_size_inches()[1] / np.ptp(display.ax_.get_ylim()) * 72
        gaps = -np.diff(heights) * points
        assert (gaps > display.bars_[0].get_linewidth() + 2).all()
        stems = {name: stem.get_xdata()[0] for name, stem in zip(names, display.stems_, strict=True)}
        for bar, group in zip(display.bars_, groups, strict=True):
            low, high = bar.get_xdata()[0], bar.get_xdata()[-1]
            assert {name for name, x in stems.items() if low <= x <= high} == set(group)

    @pytest.mark.parametrize("n_methods", [3, 10, 40])
    def test_a_bar_spans_the_mean_ranks_of_its_group_on_the_axis(self, n_methods):
        ranks, names, groups = nemenyi_like(n_methods, 12, n_methods / 3)
        display = CriticalDifferenceDisplay(ranks, names, groups=groups).plot()
        place = dict(zip(names, (stem.get_xdata()[0] for stem in display.stems_), strict=True))
        np.testing.assert_allclose(np.corrcoef(list(place.values()), ranks)[0, 1], 1, rtol=1e-12)
        em = display.labels_[0].get_fontsize() / 72
        assert groups
        for bar, group in zip(display.bars_, groups, strict=True):
            at = [place[name] for name in group]
            assert 0 <= min(at) - bar.get_xdata()[0] <= 0.5 * em
            assert 0 <= bar.get_xdata()[-1] - max(at) <= 0.5 * em

    def test_the_bar_of_forty_equal_methods_is_no_longer_than_a_dot(self):
        # All tied, so that no difference is to be seen, whatever room their lines need.
        names = [f"m{number}" for number in range(40)]
        display = CriticalDifferenceDisplay(
            [20.5] * 40, names, groups=[names], critical_difference=14.37
        ).plot()
        em = display.labels_[0].get_fontsize() / 72
        (bar,) = display.bars_
        difference = next(line for line in display.ax_.lines if line.get_marker() == "|")
        assert np.ptp(bar.get_xdata()) <= em < np.ptp(difference.get_xdata())

    def test_a_bar_of_equal_methods_beside_an_equal_one_that_differs_can_be_seen(self):
        display = CriticalDifferenceDisplay([2, 2, 2], "abc", groups=[("a", "b")]).plot()
        em = display.labels_[0].get_fontsize() / 72
        assert np.ptp(display.bars_[0].get_xdata()) > 0.15 * em

    def test_lines_part_below_the_bars(self):
        display = CriticalDifferenceDisplay([2, 2, 2], "abc", groups=[("a", "b", "c"), ("a", "b")]).plot()
        lowest = min(bar.get_ydata()[0] for bar in display.bars_)
        for stem in display.stems_:
            assert stem.get_xdata()[0] == stem.get_xdata()[1]
            assert stem.get_ydata()[1] < lowest

    def test_no_group_is_said_in_words(self):
        display = CriticalDifferenceDisplay([1, 2], "ab", groups=[]).plot()
        assert display.bars_ == []
        assert any("Every two methods differ" in text.get_text() for text in display.ax_.texts)


class TestControl:
    def result(self, pvalues):
        return PairwiseResult(
            methods=FOUR,
            pairs=(("x", "w"), ("x", "y"), ("x", "z")),
            estimate=np.zeros(3),
            statistic=np.zeros(3),
            raw_pvalue=np.array(pvalues),
            pvalue=np.array(pvalues),
            mean_ranks=np.array([1.2, 1.8, 3.2, 3.8]),
            method="Holm",
            control="x",
        )

    def test_one_bar_joins_the_control_with_what_is_not_different_from_it(self):
        display = CriticalDifferenceDisplay.from_result(self.result([0.3, 0.02, 0.001]))
        assert [set(group) for group in display.groups] == [{"x", "w"}]
        assert [label.get_fontweight() for label in display.labels_] == ["normal", "bold", "normal", "normal"]

    def test_all_different_from_the_control_is_said_in_words(self):
        display = CriticalDifferenceDisplay.from_result(self.result([0.03, 0.02, 0.001]))
        assert display.groups == ()
        assert any("differs significantly from x" in text.get_text() for text in display.ax_.texts)


class TestLevel:
    SCORES = np.random.default_rng(0).random((14, 4))

    @pytest.mark.parametrize(("alpha", "difference"), [(0.05, 1.254), (0.10, 1.118)])
    def test_nemenyis_critical_difference_goes_with_alpha(self, alpha, difference):
        # q = 2.569 and 2.291 for four methods (Demsar 2006, Table 5a), times sqrt(4 * 5 / (6 * 14)).
        display = CriticalDifferenceDisplay.from_result(posthoc_test(self.SCORES), alpha=alpha)
        assert display.critical_difference == pytest.approx(difference, abs=1e-3)

    def test_another_tests_critical_difference_is_not_drawn_at_a_level_it_is_not_for(self):
        result = posthoc_test(self.SCORES, method="bonferroni")
        assert CriticalDifferenceDisplay.from_result(result, alpha=0.05).critical_difference is not None
        assert CriticalDifferenceDisplay.from_result(result, alpha=0.10).critical_difference is None

    def test_bars_agree_with_the_critical_difference(self):
        display = CriticalDifferenceDisplay.from_result(posthoc_test(self.SCORES + 0.2 * np.arange(4)))
        ranks = dict(zip(display.names, display.mean_ranks, strict=True))
        joined = {pair for group in display.groups for pair in itertools.combinations(sorted(group), 2)}
        for a, b in itertools.combinations(sorted(display.names), 2):
            assert ((a, b) in joined) == (abs(ranks[a] - ranks[b]) < display.critical_difference)


class TestReading:
    def test_mean_ranks_stand_beside_the_names(self, check_texts):
        # Mean ranks of four methods on 14 data sets: Demsar 2006, section 3.2.2.
        display = CriticalDifferenceDisplay(
            [3.143, 2.000, 2.893, 1.964], ["C4.5", "m", "cf", "m+cf"], groups=[], critical_difference=1.25
        ).plot()
        words = check_texts(display.figure_)
        assert {"m+cf  1.96", "m  2.00", "3.14  C4.5", "2.89  cf"} <= set(words)

    def test_the_better_end_is_named_and_is_the_low_rank(self, check_texts):
        display = CriticalDifferenceDisplay([1, 2, 3], "abc", groups=[]).plot()
        texts = {text.get_text(): text.get_window_extent() for text in display.ax_.texts}
        check_texts(display.figure_)
        assert texts["better"].x0 < texts["mean rank"].x0
        feet = [stem.get_xdata()[0] for stem in display.stems_]
        assert feet == sorted(feet)

    def test_the_critical_difference_is_drawn_to_scale(self):
        display = CriticalDifferenceDisplay([1, 2, 3], "abc", groups=[], critical_difference=0.75).plot()
        feet = [stem.get_xdata()[0] for stem in display.stems_]
        bar = next(line for line in display.ax_.lines if line.get_marker() == "|")
        assert np.ptp(bar.get_xdata()) == pytest.approx(0.75 * (feet[1] - feet[0]))

    def test_a_critical_difference_longer_than_the_axis_stays_inside(self, check_texts):
        figure, ax = plt.subplots()
        for target in (None, ax):
            display = CriticalDifferenceDisplay(
                [1, 2], "ab", groups=[("a", "b")], critical_difference=1.386
            ).plot(target)
            bar = next(line for line in display.ax_.lines if line.get_marker() == "|")
            assert bar.get_xdata()[1] < display.ax_.get_xlim()[1]
            check_texts(display.figure_)
        assert figure is display.figure_

    @pytest.mark.parametrize("difference", [5.0, 30.0, 1000.0])
    def test_the_width_has_a_bound_whatever_the_critical_difference(self, difference, check_texts):
        display = CriticalDifferenceDisplay(
            [1.4, 1.6], "ab", groups=[("a", "b")], critical_difference=difference
        ).plot()
        assert display.figure_.get_size_inches()[0] < 12
        words = check_texts(display.figure_)
        assert f"critical difference {difference:.2f}, longer than drawn" in words
        assert any(line.get_marker() == ">" for line in display.ax_.lines)

    def test_equal_ranks_are_all_visible(self, check_texts):
        names = [f"GradientBoosting_with_long_suffix_{where:02d}" for where in range(12)]
        display = CriticalDifferenceDisplay([6.5] * 12, names, groups=[names]).plot()
        words = check_texts(display.figure_)
        assert sum("GradientBoosting" in told for told in words) == 12
        assert len(display.bars_) == 1
        stems = np.sort([stem.get_xdata()[2] for stem in display.stems_]) * 72  # inches to points
        assert (np.diff(stems) > 3 * display.stems_[0].get_linewidth()).all()
        assert len({stem.get_xdata()[0] for stem in display.stems_}) == 1

    @pytest.mark.parametrize("n_methods", [2, 3, 10, 40])
    @pytest.mark.parametrize("difference", [0.4, 6.0, 100.0])
    def test_no_text_overlaps_or_leaves_the_figure(self, n_methods, difference, check_texts):
        ranks, names, groups = nemenyi_like(n_methods, 12, difference)
        cd = min(difference, 0.9 * n_methods)
        display = CriticalDifferenceDisplay(ranks, names, groups=groups, critical_difference=cd)
        words = check_texts(display.plot(title="Accuracy on twelve data sets").figure_)
        assert sum("40_char" in told for told in words) == n_methods

    @pytest.mark.parametrize("n_methods", [2, 10, 40])
    @pytest.mark.parametrize("size", [(6, 4), (8, 3), (12, 9)])
    def test_given_axes_of_any_size_hold_the_diagram(self, n_methods, size, check_texts):
        ranks, names, groups = nemenyi_like(n_methods, 12, n_methods / 3)
        figure, axes = plt.subplots(1, 2, figsize=size)
        display = CriticalDifferenceDisplay(ranks, names, groups=groups, critical_difference=1.0)
        assert display.plot(axes[1], title="A title") is display
        assert display.ax_ is axes[1]
        assert display.figure_ is figure
        axes[0].remove()
        check_texts(figure)
        box = axes[1].get_window_extent()
        for label in display.labels_:
            inside = label.get_window_extent()
            assert inside.x0 >= box.x0
            assert inside.x1 <= box.x1
            assert inside.y0 >= box.y0

    def test_axes_with_room_to_spare_keep_the_size_of_the_font(self, check_texts):
        display = CriticalDifferenceDisplay([1.4, 2.0, 2.6], "abc", groups=[["a", "b"]])
        own = display.plot().labels_[0].get_fontsize()
        figure, ax = plt.subplots(figsize=(14, 9))
        assert display.plot(ax).labels_[0].get_fontsize() == own
        check_texts(figure)

    def test_long_titles_and_captions_are_broken_into_lines(self, check_texts):
        display = CriticalDifferenceDisplay(
            [1, 2], "ab", groups=[("a", "b")], method="a test with a long name " * 5
        )
        display.plot(title="A title that says a good deal more than has room on one line of the diagram " * 2)
        check_texts(display.figure_)

    def test_every_line_is_apart_from_white_in_grey(self):
        display = CriticalDifferenceDisplay(
            [1, 2, 3], "abc", groups=[("a", "b"), ("b", "c")], critical_difference=1
        ).plot()
        for line in display.ax_.lines:
            red, green, blue = to_rgb(line.get_color())
            assert 0.299 * red + 0.587 * green + 0.114 * blue < 0.5

    def test_a_dollar_sign_in_a_name_is_printed_as_it_is(self, check_texts):
        display = CriticalDifferenceDisplay([1, 2], ["cost_$5$", "a\nb"], groups=[]).plot()
        words = check_texts(display.figure_)
        assert "cost_$5$  1.00" in words
        assert "2.00  a b" in words

    def test_characters_that_the_font_lacks_are_taken_from_another(self, check_texts):
        with matplotlib.rc_context({"font.family": "cmr10", "axes.formatter.use_mathtext": True}):
            display = CriticalDifferenceDisplay(
                [1, 2], ["Жук", "b"], groups=[]
            ).plot()  # cmr10 has no Cyrillic
            check_texts(display.figure_)  # matplotlib's warning of a missing glyph would be an error

    def test_styles_are_the_users(self):
        display = CriticalDifferenceDisplay([1, 2], "ab", groups=[("a", "b")]).plot(
            line_kwargs={"lw": 3, "color": "red"}, bar_kwargs={"c": "black"}, text_kwargs={"size": 20}
        )
        assert display.stems_[0].get_linewidth() == 3
        assert display.bars_[0].get_color() == "black"
        assert display.labels_[0].get_fontsize() == 20

    def test_saves_as_vector_graphics(self, tmp_path):
        display = CriticalDifferenceDisplay([1, 2], "ab", groups=[("a", "b")]).plot()
        for kind in ("pdf", "svg", "eps"):
            display.figure_.savefig(tmp_path / f"diagram.{kind}")
            assert (tmp_path / f"diagram.{kind}").stat().st_size > 1000


class TestInput:
    @pytest.mark.parametrize(
        ("ranks", "names", "more", "match"),
        [
            ([1, 2, 3], "ab", {}, "3 ranks and 2 names"),
            ([1.0], "a", {}, "at least 2"),
            ([1, np.nan], "ab", {}, "mean_ranks must hold finite numbers"),
            ([1, 3], "ab", {}, "between 1 and the number of methods"),
            ([0.1, 0.9], "ab", {}, "between 1 and the number of methods"),
            ([1, 2], ["a", "a"], {}, "'a' twice"),
            ([1, 2], "ab", {"groups": [("a", "c")]}, "got 'c'"),
            ([1, 2], "ab", {"groups": [("a",)]}, "two different methods"),
            ([1, 2], "ab", {"groups": [("a", "a")]}, "two different methods"),
            ([1, 2], "ab", {"critical_difference": 0.0}, "critical_difference"),
            ([1, 2], "ab", {"alpha": 5}, "alpha"),
            ([1, 2], "ab", {"control": "c"}, "control must be one of"),
        ],
    )
    def test_bad_input_is_refused(self, ranks, names, more, match):
        with pytest.raises(ValueError, match=match):
            CriticalDifferenceDisplay(ranks, names, **{"groups": [], **more})

    def test_a_result_without_mean_ranks_points_to_what_has_them(self):
        result = PairwiseResult(
            ("a", "b"), (("a", "b"),), *(np.zeros(1) for _ in range(4)), method="Corrected t"
        )
        with pytest.raises(ValueError, match="Corrected t is not one over data sets; use posthoc_test"):
            CriticalDifferenceDisplay.from_result(result)

    def test_ax_must_be_axes(self):
        with pytest.raises(TypeError, match="ax must be matplotlib Axes or None, got Figure"):
            CriticalDifferenceDisplay([1, 2], "ab", groups=[]).plot(plt.figure())

    def test_without_matplotlib_the_extra_is_named(self, monkeypatch):
        display = CriticalDifferenceDisplay([1, 2], "ab", groups=[])
        for name in [name for name in sys.modules if name.partition(".")[0] == "matplotlib"]:
            monkeypatch.delitem(sys.modules, name)
        monkeypatch.setitem(sys.modules, "matplotlib", None)
        with pytest.raises(
            ModuleNotFoundError, match=r"CriticalDifferenceDisplay needs matplotlib.*scikit-eval\[plot\]"
        ):
            display.plot()

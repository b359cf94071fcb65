"""A forest of intervals: rows, numbers, what the dots say, results that have intervals."""

import numpy as np
import pytest

from skeval.comparison import compare_cv, corrected_resampled_ttest
from skeval.intervals import proportion_interval
from skeval.plotting import IntervalDisplay

A = [0.80, 0.82, 0.85, 0.79, 0.81, 0.83, 0.84, 0.80, 0.82, 0.86]
B = [0.78, 0.80, 0.84, 0.80, 0.79, 0.80, 0.83, 0.79, 0.81, 0.82]


def rows(display):
    return np.argsort([-label.get_position()[1] for label in display.labels_]).tolist()


def test_rows_stand_in_the_order_given_or_the_best_first():
    numbers = [0.5, 0.7, 0.6], [0.4, 0.6, 0.5], [0.6, 0.8, 0.7], "abc"
    assert rows(IntervalDisplay(*numbers).plot()) == [0, 1, 2]
    assert rows(IntervalDisplay(*numbers).plot(sort=True)) == [1, 2, 0]
    assert rows(IntervalDisplay(*numbers, greater_is_better=False).plot(sort=True)) == [0, 2, 1]


def test_dots_of_intervals_that_hold_the_reference_are_hollow():
    display = IntervalDisplay([1, 2, 3], [0, 1.5, 2], [2, 2.5, 4], "abc", reference=2).plot()
    assert [dot.get_markerfacecolor() == "white" for dot in display.dots_] == [True, True, True]
    display = IntervalDisplay([1, 3], [0, 2], [1.9, 4], "ab", reference=1.95).plot()
    assert [dot.get_markerfacecolor() == "white" for dot in display.dots_] == [False, False]
    assert any("does not hold 1.95" in text.get_text().replace("\n", " ") for text in display.ax_.texts)


def test_intervals_are_drawn_to_scale():
    display = IntervalDisplay([1, 3], [0, 2], [2, 6], "ab").plot()
    short, long = (np.ptp(line.get_xdata()) for line in display.lines_)
    assert long == pytest.approx(2 * short)


def test_intervals_of_many_figures_keep_their_level_and_method():
    accuracy = {"a": proportion_interval(78, 100), "b": proportion_interval(87, 100)}
    display = IntervalDisplay.from_result(accuracy)
    assert display.confidence_level == 0.95
    assert display.low.tolist() == [one.low for one in accuracy.values()]
    with pytest.raises(ValueError, match="must have one confidence level"):
        IntervalDisplay.from_result({**accuracy, "c": proportion_interval(1, 9, confidence_level=0.9)})


def test_what_intervals_do_not_agree_on_is_not_told():
    results = {"a": proportion_interval(78, 100), "b": proportion_interval(87, 100, method="jeffreys")}
    display = IntervalDisplay.from_result(results)
    assert (display.measure, display.method) == ("proportion", "")
    caption = " ".join(text.get_text() for text in display.ax_.texts).replace("\n", " ")
    assert "Lines are 95 % confidence intervals." in caption


def test_one_result_of_several_figures_has_a_row_for_each():
    result = proportion_interval([7, 8], [10, 10])
    assert IntervalDisplay.from_result(result, names=["a", "b"]).names == ("a", "b")
    assert IntervalDisplay.from_result(result).names == ("0", "1")
    assert IntervalDisplay.from_result(proportion_interval(7, 10)).names == ("proportion",)


def test_tests_are_compared_with_zero_and_may_be_one_sided():
    both = corrected_resampled_ttest(A, B, n_train=90, n_test=10)
    display = IntervalDisplay.from_result({"A less B": both}, confidence_level=0.9)
    assert display.reference == 0
    assert (display.low[0], display.high[0]) == tuple(both.confidence_interval(0.9))
    one = corrected_resampled_ttest(A, B, n_train=90, n_test=10, alternative="greater")
    display = IntervalDisplay.from_result({"A less B": one})
    assert display.high[0] == np.inf
    assert any(line.get_marker() == ">" for line in display.ax_.lines)


def test_pairs_of_a_comparison_have_a_row_each():
    scores = {
        name: {"test_score": np.array(one), "indices": _indices()} for name, one in {"a": A, "b": B}.items()
    }
    result = compare_cv(scores)
    display = IntervalDisplay.from_result(result)
    assert display.names == ("a less b",)
    np.testing.assert_allclose([display.low, display.high], result.confidence_intervals().T)


def _indices():
    parts = np.arange(100).reshape(10, 10)
    train = [np.delete(parts, which, axis=0).ravel() for which in range(10)]
    return {"train": train, "test": list(parts)}


@pytest.mark.parametrize("value", [0.0, 1.0, -3.0, 1e9])
def test_intervals_without_width_have_an_axis(value, check_texts):
    display = IntervalDisplay([value], [value], [value], ["a"]).plot(title="one")
    check_texts(display.figure_)


@pytest.mark.parametrize(
    ("numbers", "match"),
    [
        (([0.5], [0.6], [0.7], "a"), r"low <= estimate <= high, got 0.6, 0.5 and 0.7 for 'a'"),
        (([0.5], [np.nan], [0.7], "a"), "leave out what is undefined"),
        (([np.nan], [0.1], [0.7], "a"), "estimates must hold finite numbers"),
        (([0.5], [0.4], [0.7], "ab"), "must have the same length"),
        (([], [], [], ""), "at least 1"),
    ],
)
def test_impossible_intervals_are_refused(numbers, match):
    with pytest.raises(ValueError, match=match):
        IntervalDisplay(*numbers)


def test_results_without_intervals_are_refused():
    with pytest.raises(ValueError, match="at least one interval, got none"):
        IntervalDisplay.from_result({})
    with pytest.raises(ValueError, match="got float for 'a'"):
        IntervalDisplay.from_result({"a": 0.7})

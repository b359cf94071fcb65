"""The critical-difference diagram: which bars, and every name to be read."""

import itertools

import matplotlib.pyplot as plt
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skeval.plotting import CriticalDifferenceDisplay
from skeval.utils._pairwise import PairwiseResult, not_different
from tests.cases.strategies import SOME

NAMES = ("w", "x", "y", "z")
INTERLEAVED = {"wx": 0.001, "wy": 0.30, "wz": 0.001, "xy": 0.001, "xz": 0.40, "yz": 0.001}
AT_ALPHA = {"wx": 0.05, "wy": 0.001, "wz": 0.001, "xy": 0.001, "xz": 0.001, "yz": 0.20}


@pytest.fixture(autouse=True)
def _closed():
    yield
    plt.close("all")


def comparison(pvalues, names=NAMES, ranks=None):
    values = np.array(list(pvalues.values()), dtype=float)
    return PairwiseResult(
        methods=tuple(names),
        pairs=tuple(itertools.combinations(names, 2)),
        estimate=np.zeros(len(values)),
        statistic=np.zeros(len(values)),
        raw_pvalue=values,
        pvalue=values,
        mean_ranks=np.arange(1.0, len(names) + 1) if ranks is None else ranks,
    )


def bars(display):
    return [set(group) for group in display.groups]


def test_interleaved_groups_have_bars_of_their_own_at_different_heights():
    display = CriticalDifferenceDisplay.from_result(comparison(INTERLEAVED))
    assert bars(display) == [{"w", "y"}, {"x", "z"}]
    assert len({bar.get_ydata()[0] for bar in display.bars_}) == 2


def test_a_pvalue_of_alpha_is_a_difference():
    found = comparison(AT_ALPHA)
    assert bars(CriticalDifferenceDisplay.from_result(found)) == [{"y", "z"}]
    assert bars(CriticalDifferenceDisplay.from_result(found, alpha=0.01)) == [{"w", "x"}, {"y", "z"}]


def test_a_missing_pvalue_is_refused():
    with pytest.raises(ValueError, match=r"w.*x.*nan"):
        CriticalDifferenceDisplay.from_result(comparison({**AT_ALPHA, "wx": float("nan")}))


def test_twelve_long_names_of_equal_rank_are_all_to_be_read():
    names = [f"GradientBoosting_with_long_suffix_{number:02d}" for number in range(12)]
    pairs = dict.fromkeys(itertools.combinations(names, 2), 1.0)
    display = CriticalDifferenceDisplay.from_result(comparison(pairs, names, np.full(12, 6.5)))
    display.figure_.canvas.draw()
    boxes = [label.get_window_extent() for label in display.labels_]
    assert len(boxes) == 12
    assert len(display.bars_) == 1
    assert not any(one.overlaps(other) for one, other in itertools.combinations(boxes, 2))
    outer = display.figure_.bbox
    assert all(outer.x0 <= box.x0 and box.x1 <= outer.x1 for box in boxes)
    assert all(outer.y0 <= box.y0 and box.y1 <= outer.y1 for box in boxes)


@SOME
@given(st.lists(st.floats(0, 1), min_size=10, max_size=10), st.floats(0.01, 0.5))
def test_any_bar_holds_only_what_does_not_differ_and_cannot_be_longer(pvalues, alpha):
    names, pairs = "abcde", list(itertools.combinations("abcde", 2))
    value = {frozenset(pair): p for pair, p in zip(pairs, pvalues, strict=True)}
    groups = not_different(tuple(names), tuple(pairs), np.array(pvalues), alpha, np.arange(5.0))

    def same(members):
        return all(value[frozenset(pair)] > alpha for pair in itertools.combinations(members, 2))

    for group in groups:
        assert same(group)
        assert not any(same({*group, other}) for other in set(names) - set(group))
    for pair in pairs:
        assert any(set(pair) <= set(group) for group in groups) == same(pair)

"""Intervals for the difference of two proportions, paired and independent."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skeval.exceptions import DegenerateDataWarning
from skeval.intervals import (
    independent_difference_interval,
    paired_difference_interval,
    proportion_interval,
)
from tests.reference import load, number

# R package contingencytables and Newcombe's 1998 tables: provenance in the file.
REFERENCE = load("15_confidence_intervals.json")
PAIRED, INDEPENDENT = (REFERENCE["inputs"][name] for name in ("paired_difference", "indep_difference"))
PAIRED_METHODS = ("newcombe", "tango", "bonett-price", "agresti-min", "wald")
INDEPENDENT_NAMES = {
    "newcombe": "newcombe_hybrid",
    "miettinen-nurminen": "miettinen_nurminen (contingencytables)",
    "mee": "mee (contingencytables)",
    "agresti-caffo": "agresti_caffo_untruncated",
    "wald": "wald",
}


@pytest.mark.filterwarnings("ignore:degenerate:skeval.exceptions.DegenerateDataWarning")
@pytest.mark.parametrize("method", PAIRED_METHODS)
@pytest.mark.parametrize("name", list(PAIRED))
def test_paired_intervals(name, method):
    expected = REFERENCE["expected"]["paired_difference"][name]
    result = paired_difference_interval(PAIRED[name], method=method)
    assert result.estimate == pytest.approx(number(expected["estimate"]), abs=1e-12)
    assert list(result) == pytest.approx(expected[method.replace("-", "_")], abs=1e-10)


@pytest.mark.filterwarnings("ignore:degenerate:skeval.exceptions.DegenerateDataWarning")
@pytest.mark.parametrize("method", list(INDEPENDENT_NAMES))
@pytest.mark.parametrize("name", list(INDEPENDENT))
def test_independent_intervals(name, method):
    expected = REFERENCE["expected"]["indep_difference"][name]
    if INDEPENDENT_NAMES[method] not in expected:
        pytest.skip("the source fails there")
    case = INDEPENDENT[name]
    result = independent_difference_interval(case["successes"], case["n"], method=method)
    assert result.estimate == pytest.approx(number(expected["estimate"]), abs=1e-12)
    # Cut at -1 and 1 here, not in the source; the source finds roots to about 1e-7.
    stored = np.clip(expected[INDEPENDENT_NAMES[method]], -1, 1)
    assert list(result) == pytest.approx(stored, abs=1e-9 if method.startswith("m") else 1e-10)


TABLES = st.lists(st.integers(0, 60), min_size=4, max_size=4).filter(lambda cells: sum(cells) > 0)


@pytest.mark.filterwarnings("ignore:degenerate:skeval.exceptions.DegenerateDataWarning")
@given(TABLES, st.sampled_from(PAIRED_METHODS), st.sampled_from([0.5, 0.9, 0.99]))
@settings(deadline=None, max_examples=100)
def test_swapping_the_models_turns_the_interval_round(cells, method, level):
    table = np.array(cells).reshape(2, 2)
    one = paired_difference_interval(table, method=method, confidence_level=level)
    two = paired_difference_interval(table.T, method=method, confidence_level=level)
    assert [-one.high, -one.low] == pytest.approx(list(two), abs=1e-9)
    assert -1 <= one.low <= one.estimate <= one.high <= 1


@pytest.mark.filterwarnings("ignore:degenerate:skeval.exceptions.DegenerateDataWarning")
@given(
    st.tuples(st.integers(0, 30), st.integers(0, 30), st.integers(0, 30), st.integers(0, 30)),
    st.sampled_from(list(INDEPENDENT_NAMES)),
)
@settings(deadline=None, max_examples=100)
def test_swapping_the_samples_turns_the_interval_round(counts, method):
    right, wrong = np.array(counts).reshape(2, 2)
    n = right + wrong + 1
    one = independent_difference_interval(right, n, method=method)
    two = independent_difference_interval(right[::-1], n[::-1], method=method)
    assert [-one.high, -one.low] == pytest.approx(list(two), abs=1e-9)
    assert -1 <= one.low <= one.estimate <= one.high <= 1


def test_score_intervals_hold_where_others_fail():
    # 10 of 10 against 0 of 20: published programs give limits of -1 and 1 here.
    for method in ("mee", "miettinen-nurminen"):
        low, high = independent_difference_interval([10, 0], [10, 20], method=method)
        assert 0.6 < low < 0.8
        assert high == 1


def test_one_sample_each_gives_an_interval_of_width():
    result = paired_difference_interval([[1, 0], [0, 0]])
    low, _ = proportion_interval(1, 1)
    assert result.low == pytest.approx(-(1 - low))
    assert result.high == pytest.approx(1 - low)


def test_wald_without_discordant_samples_warns():
    with pytest.warns(DegenerateDataWarning, match="no sample is discordant"):
        assert list(paired_difference_interval([[7, 0], [0, 3]], method="wald")) == [0, 0]
    with pytest.warns(DegenerateDataWarning, match="both shares are 0 or 1"):
        assert list(independent_difference_interval([5, 0], [5, 5], method="wald")) == [1, 1]


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ([[1, 2]], r"table must be \[\[both"),
        ([[1, 2], [3]], r"table must be \[\[both"),
        ([[1, -2], [3, 4]], "whole numbers not less than 0"),
        ([[1, 2.5], [3, 4]], "whole numbers not less than 0"),
        ([[0, 0], [0, 0]], "at least one sample"),
        ([["a", "b"], ["c", "d"]], "table must be"),
    ],
)
def test_bad_tables_are_refused(table, message):
    with pytest.raises(ValueError, match=message):
        paired_difference_interval(table)


@pytest.mark.parametrize(
    ("successes", "n", "message"),
    [
        ([1, 2], [0, 4], "at least 1"),
        ([5, 2], [4, 4], "must not exceed"),
        ([1, 2, 3], [4, 4, 4], "two numbers"),
    ],
)
def test_bad_counts_are_refused(successes, n, message):
    with pytest.raises(ValueError, match=message):
        independent_difference_interval(successes, n)


def test_unknown_methods_are_refused():
    with pytest.raises(ValueError, match="method must be one of 'newcombe'"):
        paired_difference_interval([[1, 2], [3, 4]], method="exact")

"""A class with fewer members than folds: named, spread evenly, no empty fold."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skeval.exceptions import StratificationWarning
from skeval.model_selection import HoldOutSplit, KFoldSplit
from tests.cases.strategies import SOME


def parts_of(splitter, y, groups=None):
    return [test for _, test in splitter.split(np.zeros((len(y), 1)), y, groups)]


def test_two_members_in_three_folds():
    y = np.array([0] * 9 + [1] * 2)
    with pytest.warns(StratificationWarning, match=r"(?=.*class 1)(?=.*2)(?=.*3)"):
        parts = parts_of(KFoldSplit(3, random_state=0), y)
    counts = sorted((np.bincount(y[part], minlength=2).tolist() for part in parts), reverse=True)
    assert counts == [[3, 1], [3, 1], [3, 0]]
    with pytest.raises(ValueError, match=r"class 1.*2"):
        parts_of(KFoldSplit(3, stratify=True, random_state=0), y)


def test_one_member_in_a_hold_out():
    with pytest.raises(ValueError, match=r"class 1.*1 member"):
        parts_of(HoldOutSplit(stratify=True, random_state=0), np.array([0] * 10 + [1]))


@pytest.mark.filterwarnings("ignore::skeval.exceptions.StratificationWarning")
def test_as_many_groups_as_folds_leave_one_answer():
    y, groups = np.array([1, 1, 0, 0, 1, 0, 0, 0, 0]), np.array([0, 0, 1, 1, 1, 2, 2, 2, 3])
    parts = parts_of(KFoldSplit(4, random_state=0), y, groups)
    assert sorted(len(part) for part in parts) == [1, 2, 3, 3]


@SOME
@pytest.mark.filterwarnings("ignore::skeval.exceptions.StratificationWarning")
@given(st.integers(2, 6), st.lists(st.integers(1, 9), min_size=2, max_size=4), st.integers(0, 99))
def test_any_classes_are_spread_to_within_one_and_no_fold_is_empty(k, sizes, seed):
    y = np.repeat(np.arange(len(sizes)), sizes)
    if len(y) <= k:
        return
    parts = parts_of(KFoldSplit(k, random_state=seed), y)
    assert sorted(np.concatenate(parts).tolist()) == list(range(len(y)))
    assert min(len(part) for part in parts) >= 1
    assert np.ptp([len(part) for part in parts]) <= 1
    if min(sizes) > 1:
        counts = np.array([np.bincount(y[part], minlength=len(sizes)) for part in parts])
        assert np.ptp(counts, axis=0).max() <= 1

"""k-fold splits: even parts, even classes, repeats, leave-one-out, groups, 5x2."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import cross_val_predict

from skeval.exceptions import StratificationWarning
from skeval.model_selection import FiveByTwoSplit, KFoldSplit


@settings(deadline=None, max_examples=60)
@given(
    y=st.lists(st.integers(0, 3), min_size=4, max_size=40),
    k=st.integers(2, 6),
    stratify=st.sampled_from([False, "auto"]),
    shuffle=st.booleans(),
)
@pytest.mark.filterwarnings("ignore:In y:skeval.exceptions.StratificationWarning")
def test_parts_are_disjoint_complete_and_even_in_size_and_in_every_class(y, k, stratify, shuffle):
    y = np.array(["a", "b", "c", "d"])[y]
    if k > len(y):
        return
    splits = list(KFoldSplit(k, stratify=stratify, shuffle=shuffle, random_state=0).split(y, y))
    tests = [test for _, test in splits]
    assert np.array_equal(np.sort(np.concatenate(tests)), np.arange(len(y)))
    for train, test in splits:
        assert np.array_equal(np.sort(np.concatenate([train, test])), np.arange(len(y)))
    assert np.ptp([len(test) for test in tests]) <= 1
    if stratify and k < len(y):
        for label in np.unique(y):
            assert np.ptp([(y[test] == label).sum() for test in tests]) <= 1


def test_a_class_with_fewer_members_than_parts_is_spread_and_named():
    y = np.array([0] * 9 + [1] * 2)
    with pytest.warns(StratificationWarning, match="class 1 has 2 members, fewer than n_splits=3") as caught:
        splits = KFoldSplit(3, random_state=0).split(y, y)
    counts = sorted(np.bincount(y[test], minlength=2).tolist() for _, test in splits)
    assert counts == [[3, 0], [3, 1], [3, 1]]
    assert len(caught) == 1


def test_a_class_with_fewer_members_than_parts_is_an_error_if_strict():
    y = [0] * 9 + [1] * 2
    with pytest.raises(ValueError, match="class 1 has 2 members"):
        KFoldSplit(3, stratify=True).split(y, y)


def test_several_small_classes_are_listed():
    y = list("aaaaabbcdefgh")
    with pytest.warns(
        StratificationWarning, match=r"class 'b' has 2 members, class 'c' has 1 member, .* and 2 more"
    ):
        KFoldSplit(5).split(y, y)


def test_repeats_shuffle_anew_and_come_one_after_the_other():
    splits = list(KFoldSplit(10, n_repeats=10, random_state=0).split(range(50)))
    assert len(splits) == 100
    repeats = [[tuple(test) for _, test in splits[start : start + 10]] for start in range(0, 100, 10)]
    for tests in repeats:
        assert sorted(np.concatenate(tests)) == list(range(50))
    assert len({frozenset(tests) for tests in repeats}) == 10


def test_a_shuffle_hands_training_samples_on_in_the_order_drawn():
    train, _ = next(iter(KFoldSplit(2, random_state=0).split(range(100))))
    assert (np.diff(train) < 0).any()


def test_without_shuffle_parts_are_consecutive_blocks():
    tests = [test.tolist() for _, test in KFoldSplit(3, shuffle=False).split(range(8))]
    assert tests == [[0, 1, 2], [3, 4, 5], [6, 7]]


def test_without_shuffle_blocks_are_consecutive_in_every_class():
    y = list("aaaabbbb")
    tests = [test.tolist() for _, test in KFoldSplit(2, shuffle=False).split(y, y)]
    assert tests == [[0, 1, 4, 5], [2, 3, 6, 7]]


def test_repeats_without_shuffle_are_refused():
    with pytest.raises(ValueError, match="n_repeats=2 needs shuffle=True"):
        KFoldSplit(3, n_repeats=2, shuffle=False)


def test_more_parts_than_samples_are_refused():
    with pytest.raises(ValueError, match="n_splits=5 parts need as many samples, X has 4"):
        KFoldSplit(5).split(range(4))


@pytest.mark.parametrize("bad", [{"n_splits": 1}, {"n_repeats": 0}, {"shuffle": "yes"}])
def test_parameters_are_checked(bad):
    with pytest.raises(ValueError, match=f"{next(iter(bad))} must be"):
        KFoldSplit(**bad)


def test_a_number_of_bins_balances_a_continuous_target():
    y = np.random.default_rng(3).normal(size=60)
    third = np.argsort(np.argsort(y)) // 20
    for _, test in KFoldSplit(4, stratify=3, random_state=0).split(y, y):
        assert np.bincount(third[test]).tolist() == [5, 5, 5]


def test_the_parts_are_a_partition_for_cross_val_predict():
    y = np.array([0, 1] * 6)
    predicted = cross_val_predict(DummyClassifier(), np.zeros((12, 1)), y, cv=KFoldSplit(4, random_state=0))
    assert len(predicted) == 12


# --- leave-one-out ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("shuffle", [True, False])
def test_as_many_parts_as_samples_leave_one_out_and_are_never_stratified(shuffle):
    y = list("aaab")  # would warn of class 'b' if it were stratified
    splits = KFoldSplit(4, shuffle=shuffle, stratify=True).split(y, y)
    assert sorted((tuple(sorted(train)), tuple(test)) for train, test in splits) == [
        ((0, 1, 2), (3,)),
        ((0, 1, 3), (2,)),
        ((0, 2, 3), (1,)),
        ((1, 2, 3), (0,)),
    ]


def test_repeats_of_leave_one_out_are_refused():
    with pytest.raises(ValueError, match="no shuffle changes leave-one-out"):
        KFoldSplit(4, n_repeats=2).split(range(4))


# --- groups -------------------------------------------------------------------------------------------------


@settings(deadline=None, max_examples=60)
@given(
    sizes=st.lists(st.integers(1, 6), min_size=2, max_size=12),
    k=st.integers(2, 6),
    stratify=st.booleans(),
    shuffle=st.booleans(),
    seed=st.integers(0, 3),
)
@pytest.mark.filterwarnings("ignore:In y:skeval.exceptions.StratificationWarning")
def test_groups_stay_whole_and_no_part_is_empty(sizes, k, stratify, shuffle, seed):
    if k > len(sizes):
        return
    groups = np.repeat(np.arange(len(sizes)), sizes)
    y = np.random.default_rng(seed).integers(0, 2, size=len(groups)).astype(str)
    splitter = KFoldSplit(k, stratify="auto" if stratify else False, shuffle=shuffle, random_state=seed)
    tests = [test for _, test in splitter.split(groups, y, groups)]
    assert np.array_equal(np.sort(np.concatenate(tests)), np.arange(len(groups)))
    assert all(len(test) for test in tests)
    assert sum(len(set(groups[test])) for test in tests) == len(sizes)


@pytest.mark.parametrize("stratify", ["auto", True])
def test_as_many_groups_as_parts_put_one_group_in_each(stratify):
    y, groups = [1, 1, 0, 0, 1, 0, 0, 0, 0], [0, 0, 1, 1, 1, 2, 2, 2, 3]
    with pytest.warns(StratificationWarning, match="class 1 has 3 members, fewer than n_splits=4"):
        splits = KFoldSplit(4, stratify=stratify, random_state=0).split(y, y, groups)
    assert sorted(len(test) for _, test in splits) == [1, 2, 3, 3]


def test_groups_are_balanced_over_classes():
    # 20 groups of one class each, 1 in 5 positive: four positive groups for four parts.
    groups = np.repeat(np.arange(20), 3)
    y = (np.arange(20) % 5 == 0)[groups]
    for _, test in KFoldSplit(4, random_state=0).split(y, y, groups):
        assert y[test].sum() == 3
        assert len(test) == 15


def test_repeats_with_groups_of_unequal_size_differ():
    groups = np.repeat(np.arange(12), np.arange(12) + 1)
    tests = [test for _, test in KFoldSplit(3, n_repeats=5, random_state=0).split(groups, groups=groups)]
    assert len({tuple(test) for test in tests}) > 10
    assert max(len(test) for test in tests) <= 26 + 12


def test_fewer_groups_than_parts_are_refused():
    with pytest.raises(ValueError, match="n_splits=3 parts need as many groups, groups names 2"):
        KFoldSplit(3).split(range(6), groups=[0, 0, 0, 1, 1, 1])


# --- five times two -----------------------------------------------------------------------------------------


def test_five_by_two_alternates_the_halves():
    y = np.array([0] * 10 + [1] * 10)
    splits = list(FiveByTwoSplit(random_state=0).split(y, y))
    assert len(splits) == 10 == FiveByTwoSplit().get_n_splits()
    for (train, test), (other_train, other_test) in zip(splits[::2], splits[1::2], strict=True):
        assert set(train) == set(other_test)
        assert set(test) == set(other_train)
        assert np.bincount(y[test]).tolist() == [5, 5]
    assert len({tuple(test) for _, test in splits[::2]}) == 5

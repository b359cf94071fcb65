"""Hold-out splits: sizes, shares of classes, groups, three parts."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_diabetes

from skeval.exceptions import StratificationWarning
from skeval.model_selection import HoldOutSplit, three_way_split


def only(splits):
    [split] = splits
    return split


def test_a_thousand_samples_of_two_equal_classes_split_350_to_150():
    # 1,000 samples, 500 of each class, 70 % for training: 350/350 and 150/150.
    y = np.repeat([0, 1], 500)
    train, test = only(HoldOutSplit(test_size=0.3, random_state=1).split(y, y))
    assert np.bincount(y[train]).tolist() == [350, 350]
    assert np.bincount(y[test]).tolist() == [150, 150]


def test_the_default_tests_on_three_tenths():
    _, test = only(HoldOutSplit().split(range(10)))
    assert len(test) == 3


@pytest.mark.parametrize(
    ("test_size", "n_samples", "n_test"),
    [(0.5, 7, 4), (0.3, 11, 3), (0.145, 100, 15), (0.001, 10, 1), (0.999, 10, 9), (4, 10, 4), (1, 2, 1)],
)
def test_sizes_are_rounded_to_the_nearest_with_one_sample_left_on_each_side(test_size, n_samples, n_test):
    train, test = only(HoldOutSplit(test_size=test_size).split(range(n_samples)))
    assert len(test) == n_test
    assert len(train) == n_samples - n_test


def test_training_samples_come_in_the_order_drawn():
    train, _ = only(HoldOutSplit(random_state=0).split(range(100)))
    assert (np.diff(train) < 0).any()


@settings(deadline=None, max_examples=50)
@given(
    y=st.lists(st.integers(0, 3), min_size=4, max_size=60),
    share=st.floats(0.1, 0.9),
    seed=st.integers(0, 5),
)
def test_each_side_keeps_each_share_to_within_one_sample(y, share, seed):
    y = np.array(["a", "b", "c", "d"])[y]
    _, counts = np.unique(y, return_counts=True)
    n_test = min(max(int(round(share * len(y), 9) + 0.5), 1), len(y) - 1)
    if counts.min() < 2 or min(n_test, len(y) - n_test) < len(counts):
        return
    train, test = only(HoldOutSplit(test_size=share, stratify=True, random_state=seed).split(y, y))
    assert np.array_equal(np.sort(np.concatenate([train, test])), np.arange(len(y)))
    for label, count in zip(np.unique(y), counts, strict=True):
        exact = count * len(test) / len(y)
        assert abs((y[test] == label).sum() - exact) < 1


def test_a_sample_left_over_by_rounding_goes_to_either_class_at_random():
    # Two classes of 5, 5 to test: one class gives 3, the other 2.
    y = np.repeat([0, 1], 5)
    extra = [(y[test] == 0).sum() for _, test in HoldOutSplit(400, test_size=0.5, random_state=0).split(y, y)]
    assert set(extra) == {2, 3}
    assert 140 < extra.count(3) < 260


def test_every_sample_is_tested_equally_often():
    y = np.array([0] * 13 + [1] * 7)
    times = sum(np.bincount(test, minlength=20) for _, test in HoldOutSplit(2000, random_state=0).split(y, y))
    # Binomial(2000, .3) within five standard deviations.
    assert abs(times - 600).max() < 5 * np.sqrt(2000 * 0.3 * 0.7)


# --- what is stratified -------------------------------------------------------------------------------------


def test_a_singleton_class_is_a_warning_that_names_it_and_the_split_is_plain():
    y = [0] * 10 + [1]
    with pytest.warns(StratificationWarning, match=r"class 1 has 1 member, .* not stratified") as caught:
        splits = HoldOutSplit(50, random_state=0).split(y, y)
    assert len(caught) == 1
    assert len(list(splits)) == 50


def test_the_warning_points_at_the_line_that_splits():
    with pytest.warns(StratificationWarning, match="class 'b'") as caught:
        HoldOutSplit().split(range(5), ["a"] * 4 + ["b"])
    assert caught[0].filename == __file__


def test_a_singleton_class_is_an_error_where_stratification_is_asked_for():
    y = [0] * 10 + [1]
    with pytest.raises(ValueError, match="class 1 has 1 member"):
        HoldOutSplit(stratify=True).split(y, y)


def test_a_side_without_room_for_each_class_is_named():
    y = list("aabbccdd")
    with pytest.raises(ValueError, match=r"a part of 2 sample\(s\) has no room for one of 4 classes each"):
        HoldOutSplit(test_size=2, stratify=True).split(y, y)
    with pytest.warns(StratificationWarning, match="has no room for one of 4 classes each"):
        HoldOutSplit(test_size=2).split(y, y)


def test_false_never_stratifies():
    y = np.repeat([0, 1], 10)
    shares = {(y[test] == 0).sum() for _, test in HoldOutSplit(50, stratify=False).split(y, y)}
    assert len(shares) > 1


@pytest.mark.parametrize(
    "y",
    [
        np.linspace(0, 1, 40),
        load_diabetes().target,  # whole numbers, stored as floats, 214 distinct values of 442
        np.arange(40),
        np.random.default_rng(0).poisson(60, size=100),
        np.zeros((40, 2)),
        np.arange(40).astype("datetime64[D]"),
        pd.Series(np.linspace(0, 1, 40), dtype="Float64"),
        None,
    ],
    ids=["continuous", "diabetes", "distinct", "counts", "two columns", "dates", "nullable", "absent"],
)
def test_a_numeric_target_is_not_stratified_and_nothing_is_said(y):
    n_samples = 40 if y is None else len(y)
    train, test = only(HoldOutSplit(random_state=0).split(range(n_samples), y))
    plain = only(HoldOutSplit(stratify=False, random_state=0).split(range(n_samples)))
    assert np.array_equal(train, plain[0])
    assert np.array_equal(test, plain[1])


def test_true_refuses_a_continuous_target_and_names_bins():
    y = np.linspace(0, 1, 40)
    with pytest.raises(ValueError, match="y is not; for a continuous y give a number of quantile bins"):
        HoldOutSplit(stratify=True).split(y, y)


@pytest.mark.parametrize("stratify", [True, 5])
def test_strict_stratification_needs_y(stratify):
    with pytest.raises(ValueError, match="needs y"):
        HoldOutSplit(stratify=stratify).split(range(10))


def test_a_number_of_bins_balances_a_continuous_target():
    y = np.random.default_rng(3).normal(size=100)
    fifth = np.argsort(np.argsort(y)) // 20
    for _, test in HoldOutSplit(20, stratify=5, random_state=0).split(y, y):
        assert np.bincount(fifth[test]).tolist() == [6] * 5


def test_equal_values_share_a_bin_and_a_bin_that_is_too_small_is_named():
    zeros = np.array([0.0] * 30 + [1.0] * 10)
    _, test = only(HoldOutSplit(stratify=4, random_state=0).split(zeros, zeros))
    assert zeros[test].sum() == 3
    with pytest.raises(ValueError, match="bin 1 of 10 has 1 member"):
        HoldOutSplit(stratify=10).split(range(10), np.linspace(0, 1, 10))


# --- groups -------------------------------------------------------------------------------------------------


@settings(deadline=None, max_examples=50)
@given(sizes=st.lists(st.integers(1, 6), min_size=2, max_size=15), seed=st.integers(0, 5))
def test_whole_groups_are_drawn_to_about_the_size_asked_for(sizes, seed):
    groups = np.repeat(np.arange(len(sizes)), sizes)
    train, test = only(HoldOutSplit(test_size=0.4, random_state=seed).split(groups, groups=groups))
    assert not set(groups[train]) & set(groups[test])
    assert len(train)
    assert len(test)
    assert abs(len(test) - 0.4 * len(groups)) <= max(sizes)


def test_groups_are_balanced_over_classes():
    rng = np.random.default_rng(0)
    groups = np.repeat(np.arange(40), rng.integers(1, 5, 40))
    y = (np.arange(40) % 4 == 0)[groups]
    for _, test in HoldOutSplit(20, random_state=1).split(y, y, groups):
        assert abs(len(test) / len(y) - 0.3) < 0.05
        assert abs(y[test].sum() / y.sum() - 0.3) < 0.1


def test_every_group_can_be_tested():
    groups = np.repeat(np.arange(6), [1, 2, 3, 4, 5, 9])
    tested = [set(groups[test]) for _, test in HoldOutSplit(200, random_state=0).split(groups, groups=groups)]
    assert set.union(*tested) == set(range(6))


@pytest.mark.parametrize("seed", range(4))
def test_of_groups_that_are_all_too_large_the_nearest_to_the_size_is_tested(seed):
    groups = np.repeat(["large", "small"], [6, 4])
    _, test = only(HoldOutSplit(test_size=1, random_state=seed).split(groups, groups=groups))
    assert test.tolist() == [6, 7, 8, 9]


def test_one_group_too_few_is_refused():
    with pytest.raises(ValueError, match="2 parts need at least 2 groups, groups names 1"):
        HoldOutSplit().split(range(4), groups=[7, 7, 7, 7])


def test_with_groups_a_small_class_is_a_warning_even_if_strict():
    y, groups = [0] * 9 + [1], np.arange(10) // 2
    with pytest.warns(StratificationWarning, match="class 1 has 1 member.*whole groups"):
        splits = HoldOutSplit(stratify=True, random_state=0).split(y, y, groups)
    train, test = only(splits)
    assert not set(groups[train]) & set(groups[test])


# --- sizes that cannot be -----------------------------------------------------------------------------------


@pytest.mark.parametrize("test_size", [0.0, 1.0, -0.1, float("nan")])
def test_a_share_lies_between_0_and_1(test_size):
    with pytest.raises(ValueError, match=r"test_size \(a share, .* must be a number in \(0, 1\)"):
        HoldOutSplit(test_size=test_size)


@pytest.mark.parametrize("test_size", [True, "0.3", None])
def test_a_size_is_a_number(test_size):
    with pytest.raises(TypeError, match="test_size"):
        HoldOutSplit(test_size=test_size)


def test_a_number_of_samples_leaves_some_to_train_on():
    with pytest.raises(ValueError, match="test_size=10 leaves nothing to train on: X has 10 samples"):
        HoldOutSplit(test_size=10).split(range(10))


@pytest.mark.parametrize("n_samples", [0, 1])
def test_one_sample_cannot_be_split(n_samples):
    with pytest.raises(ValueError, match=f"at least 2 samples, X has {n_samples}"):
        HoldOutSplit().split(range(n_samples))


# --- three parts --------------------------------------------------------------------------------------------


def test_three_parts_are_disjoint_and_keep_the_classes():
    y = np.array(["a"] * 60 + ["b"] * 40)
    parts = three_way_split(y, y, validation_size=0.2, test_size=0.3, random_state=0)
    assert np.array_equal(np.sort(np.concatenate(parts)), np.arange(100))
    assert [int((y[part] == "a").sum()) for part in parts] == [30, 12, 18]
    assert [len(part) for part in parts] == [50, 20, 30]


def test_three_parts_by_numbers_of_samples_and_seed():
    first, second = (
        three_way_split(range(10), validation_size=2, test_size=3, random_state=4) for _ in range(2)
    )
    assert [len(part) for part in first] == [5, 2, 3]
    assert all(np.array_equal(one, other) for one, other in zip(first, second, strict=True))


@settings(deadline=None, max_examples=50)
@given(sizes=st.lists(st.integers(1, 9), min_size=3, max_size=9), seed=st.integers(0, 5))
def test_no_group_is_in_two_of_three_parts_and_none_is_empty(sizes, seed):
    groups = np.repeat(np.arange(len(sizes)), sizes)
    parts = three_way_split(groups, groups=groups, test_size=0.3, validation_size=0.3, random_state=seed)
    assert all(len(part) for part in parts)
    assert sum(len(set(groups[part])) for part in parts) == len(sizes)


def test_three_parts_need_three_members_of_a_class():
    y = [0] * 20 + [1] * 2
    with pytest.warns(StratificationWarning, match="class 1 has 2 members, but 3 parts need at least 3"):
        three_way_split(y, y)
    with pytest.raises(ValueError, match="class 1 has 2 members"):
        three_way_split(y, y, stratify=True)


def test_three_parts_that_leave_nothing_are_refused():
    with pytest.raises(ValueError, match="leave nothing to train on: X has 10 samples"):
        three_way_split(range(10), validation_size=5, test_size=0.5)

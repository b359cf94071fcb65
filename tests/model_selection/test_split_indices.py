"""What the row numbers of splits say."""

import re

import pytest
from sklearn.model_selection import KFold, ShuffleSplit, TimeSeriesSplit

from skeval.model_selection._split_indices import (
    are_time_ordered,
    as_splits,
    first_leak,
    is_resubstitution,
    refuse_leaks,
    refuse_strange_rows,
    refuse_time_order,
    share_training_rows,
)


def splits_of(cv, n_samples=12):
    return as_splits(cv.split([[0]] * n_samples))


def test_folds_share_training_rows_and_halves_do_not():
    assert share_training_rows(splits_of(KFold(3)))
    assert not share_training_rows(splits_of(KFold(2)))
    assert not share_training_rows(as_splits([([0, 0, 1], [4]), ([2, 2, 3], [5])]))


def test_only_forward_splits_are_time_ordered():
    assert are_time_ordered(splits_of(TimeSeriesSplit(3)))
    assert are_time_ordered(splits_of(TimeSeriesSplit(3, gap=1)))
    assert not are_time_ordered(splits_of(KFold(3)))
    assert not are_time_ordered(splits_of(ShuffleSplit(3, random_state=0)))


def test_first_leak_is_the_first_split_with_a_row_on_both_sides():
    assert first_leak(as_splits([([0, 1], [2]), ([0, 1], [1, 2]), ([0], [0, 1])])) == 1
    assert first_leak(splits_of(KFold(3))) is None


@pytest.mark.parametrize("rows", [[-1], [1.5], [[1]], [], ["a"], 1])
def test_what_is_no_row_number_is_refused_under_the_name_of_its_parameter(rows):
    told = rf"cv must hold the row numbers of non-empty training and test sets, got {re.escape(repr(rows))}"
    for split in ((rows, [2]), ([2], rows)):
        with pytest.raises(ValueError, match=told):
            as_splits([split], "cv")


def test_a_mask_stands_for_the_rows_that_it_marks():
    ((train, test),) = as_splits([([True, True, False], [False, False, True])])
    assert (train.tolist(), test.tolist()) == ([0, 1], [2])


def test_rows_that_the_data_do_not_have_are_refused():
    splits = as_splits([([0, 1], [2]), ([0, 1], [3])])
    refuse_strange_rows(splits[:1], 3)
    told = "row numbers from 0 to 2, as there are 3 samples, but split 1 has 3: make the splits of these data"
    with pytest.raises(ValueError, match=told):
        refuse_strange_rows(splits, 3)


def test_no_split_at_all_is_refused():
    with pytest.raises(ValueError, match="cv must give at least one split, got none"):
        refuse_strange_rows([], 3)


def test_results_of_splits_that_leak_are_refused():
    refuse_leaks(splits_of(KFold(3)))
    with pytest.raises(ValueError, match="Split 1 tests on rows that it trained on"):
        refuse_leaks(as_splits([([0, 1], [2]), ([0, 1], [1, 2])]))


def test_splits_in_time_order_are_refused_with_the_way_out():
    refuse_time_order(splits_of(KFold(3)), way_out="wait")
    with pytest.raises(ValueError, match=r"time-ordered: .* exchangeable rows and does not hold; wait\."):
        refuse_time_order(splits_of(TimeSeriesSplit(3)), way_out="wait")


def test_resubstitution_tests_on_exactly_the_rows_of_training():
    def is_it(train, test):
        return is_resubstitution(*as_splits([(train, test)])[0])

    assert is_it([2, 0, 1], [0, 1, 2])
    assert is_it([0, 0, 1, 1], [0, 1])
    assert not is_it([0, 1, 2], [0, 1])
    assert not is_it([0, 1], [0, 1, 2])
    assert not is_it([0, 1], [2, 3])

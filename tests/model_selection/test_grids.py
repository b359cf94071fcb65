"""Parameter grids and what they cost."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.model_selection import GridSearchCV, LeaveOneOut, RepeatedKFold

from skeval.model_selection import BootstrapSplit, KFoldSplit, WithResubstitution, count_fits, parameter_range


def test_decimals_are_exact():
    assert parameter_range(0, 0.2, 0.05).tolist() == [0, 0.05, 0.1, 0.15, 0.2]
    assert parameter_range(0.1, 0.7, 0.2).tolist() == [0.1, 0.3, 0.5, 0.7]
    assert parameter_range(-0.3, 0, 0.1).tolist() == [-0.3, -0.2, -0.1, 0]


def test_the_end_is_included_only_where_the_steps_reach_it():
    assert parameter_range(0, 0.2, 0.07).tolist() == [0, 0.07, 0.14]
    assert parameter_range(2, 2, 5).tolist() == [2]


def test_whole_numbers_stay_whole():
    values = parameter_range(1, 9, 4)
    assert values.tolist() == [1, 5, 9]
    assert values.dtype == np.int64
    assert parameter_range(0, 2, 0.5).dtype == np.float64


def test_numpy_scalars_are_read_as_they_print():
    assert parameter_range(np.float64(0), np.float64(0.3), np.float64(0.1)).tolist() == [0, 0.1, 0.2, 0.3]
    assert parameter_range(np.int32(1), np.int32(3), np.int32(1)).dtype == np.int64


@settings(deadline=None, max_examples=50)
@given(start=st.integers(-500, 500), step=st.integers(1, 50), n_steps=st.integers(0, 30))
def test_hundredths_come_out_as_written(start, step, n_steps):
    found = parameter_range(start / 100, (start + step * n_steps) / 100, step / 100)
    assert found.tolist() == [(start + step * which) / 100 for which in range(n_steps + 1)]


@pytest.mark.parametrize(
    ("low", "high", "step", "match"),
    [
        (0, 1, 0, "step must be a number in"),
        (0, 1, -0.1, "step must be a number in"),
        (1, 0, 0.1, "high must not be less than low=1, got 0"),
        (0, float("inf"), 1, "high must be a number in"),
        (float("nan"), 1, 1, "low must be a number in"),
    ],
)
def test_ranges_that_cannot_be_are_refused(low, high, step, match):
    with pytest.raises(ValueError, match=match):
        parameter_range(low, high, step)


def test_words_are_no_range():
    with pytest.raises(TypeError, match="low must be a number"):
        parameter_range("0", 1, 1)


VALUES = parameter_range(0, 0.2, 0.05)


@pytest.mark.parametrize(
    ("cv", "fits"),
    [
        (10, 1250),  # 5 x 5 x 5 candidates in each of 10 parts
        (KFoldSplit(10, n_repeats=2), 2500),
        (RepeatedKFold(n_splits=5, n_repeats=2), 1250),
        (WithResubstitution(BootstrapSplit(9)), 1250),
        ([(np.array([0]), np.array([1]))], 125),
    ],
)
def test_three_ranges_of_five_values(cv, fits):
    assert count_fits({"a": VALUES, "b": VALUES, "c": VALUES}, cv) == fits


def test_lists_of_grids_add_and_the_empty_grid_is_one_candidate():
    assert count_fits([{"a": [1, 2]}, {"b": [1, 2, 3]}], 5) == 25
    assert count_fits({}, 10) == 10
    assert isinstance(count_fits({}, 10), int)


def test_the_search_makes_so_many_fits_and_one_more():
    fits = []

    class Counted(ClassifierMixin, BaseEstimator):
        def __init__(self, level=0):
            self.level = level

        def fit(self, X, y):
            fits.append(1)
            self.classes_ = np.unique(y)
            return self

        def predict(self, X):
            return np.full(len(X), self.level)

    grid, cv = {"level": [0, 1, 2]}, KFoldSplit(4, random_state=0)
    GridSearchCV(Counted(), grid, cv=cv).fit(np.arange(20)[:, None], np.arange(20) % 2)
    assert len(fits) == count_fits(grid, cv) + 1


def test_a_splitter_that_needs_data_is_refused_with_the_way_out():
    with pytest.raises(ValueError, match="give that number itself as cv"):
        count_fits({}, LeaveOneOut())


@pytest.mark.parametrize("cv", [1, 0])
def test_one_part_is_no_cross_validation(cv):
    with pytest.raises(ValueError, match="cv must be an integer not less than 2"):
        count_fits({}, cv)


def test_ints_beyond_int64_are_refused_with_the_way_out():
    with pytest.raises(ValueError, match=r"must be ints below 2\*\*63 in size.*give floats"):
        parameter_range(0, 2**70, 2**69)
    assert parameter_range(0, 1e20, 5e19).tolist() == [0, 5e19, 1e20]

"""Checks of arguments, responses of estimators, random generators, and where warnings point."""

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

from skeval.exceptions import SkevalWarning, UndefinedMeasureWarning
from skeval.metrics import ConfusionMatrix, g_mean_score
from skeval.utils._random import check_generator, child_seeds, draw_size, draw_units
from skeval.utils._response import response_values
from skeval.utils._validation import (
    check_int,
    check_level,
    check_option,
    check_real,
    check_same_length,
    check_sample_weight,
    check_vector,
    describe,
    to_floats,
)
from skeval.utils._warnings import warn_user

# --- numbers and options ----------------------------------------------------------------------


@pytest.mark.parametrize("value", [3, np.int8(3), np.uint64(3)])
def test_an_integer_of_any_kind_is_an_int(value):
    checked = check_int(value, "k", minimum=3)
    assert checked == 3
    assert type(checked) is int


@pytest.mark.parametrize("value", [True, np.True_, 3.0, "3", None])
def test_what_is_no_integer_is_refused(value):
    with pytest.raises(TypeError, match="k must be an integer not less than 1, got"):
        check_int(value, "k", minimum=1)


def test_an_integer_below_the_minimum_is_refused():
    with pytest.raises(ValueError, match="k must be an integer not less than 1, got 0"):
        check_int(0, "k", minimum=1)


@pytest.mark.parametrize(
    ("closed", "inside", "outside"),
    [("both", (0, 1), (-0.1, 1.1)), ("neither", (0.5,), (0, 1)), ("left", (0,), (1,)), ("right", (1,), (0,))],
)
def test_a_real_number_lies_in_its_interval(closed, inside, outside):
    for value in inside:
        assert check_real(value, "x", low=0, high=1, closed=closed) == value
    for value in (*outside, np.nan):
        with pytest.raises(ValueError, match=r"x must be a number in [\[(]0, 1[\])], got"):
            check_real(value, "x", low=0, high=1, closed=closed)


@pytest.mark.parametrize("value", [True, "0.5", None, [0.5]])
def test_what_is_no_number_is_refused(value):
    with pytest.raises(TypeError, match=r"x must be a number in \[0, inf\), got"):
        check_real(value, "x", low=0)


@pytest.mark.parametrize("value", [np.inf, -np.inf])
def test_a_number_is_finite_unless_infinity_has_a_meaning(value):
    with pytest.raises(ValueError, match=r"x must be a number in \(-inf, inf\), got"):
        check_real(value, "x")
    assert check_real(value, "x", infinite=True) == value


@pytest.mark.parametrize("value", [0, 1, -0.5, 95])
def test_a_level_lies_strictly_between_0_and_1(value):
    assert check_level(0.95, "alpha") == 0.95
    with pytest.raises(ValueError, match=r"alpha must be a number in \(0, 1\), got"):
        check_level(value, "alpha")


def test_an_option_is_one_of_those_offered():
    assert check_option("a", "method", ("a", None)) == "a"
    assert check_option(None, "method", ("a", None)) is None
    for value in ("b", 0, np.array([1, 2])):
        with pytest.raises(ValueError, match="method must be one of 'a', None, got"):
            check_option(value, "method", ("a", None))


# --- vectors ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "values",
    [
        [1, 2],
        (1.0, 2.0),
        np.array([1, 2], dtype=np.float32),
        np.array([[1], [2]]),
        pd.Series([1, 2], index=[5, 3]),
        pd.Series([1, 2], dtype="Int64"),
        pl.Series([1.0, 2.0]),
    ],
)
def test_numbers_of_any_container_are_a_float_vector(values):
    vector = check_vector(values, "scores")
    assert (vector.tolist(), vector.dtype) == ([1.0, 2.0], np.float64)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_the_first_number_that_is_not_finite_is_named(bad):
    with pytest.raises(ValueError, match=rf"scores must hold finite numbers, got {bad} at position 1; drop"):
        check_vector([1, bad, bad], "scores")


def test_a_vector_has_numbers_up_to_the_largest_and_no_larger_one():
    assert check_vector([-2, 2], "scores", largest=2).tolist() == [-2, 2]
    told = r"scores must hold numbers up to 2 in size, got 2\.01; divide them by a constant first"
    with pytest.raises(ValueError, match=told):
        check_vector([0, -2.01], "scores", largest=2)


def test_a_masked_number_is_not_the_number_under_the_mask():
    with pytest.raises(ValueError, match="scores must hold finite numbers, got nan at position 1"):
        check_vector(np.ma.masked_array([1, 2, 3], mask=[0, 1, 0]), "scores")


@pytest.mark.parametrize(
    "values",
    [
        [1, None],
        pd.Series([1, None], dtype="Int64"),
        pd.Series([1.0, None], dtype=object),
        pd.Series([1, pd.NA], dtype=object),
        pl.Series([1, None]),
        np.ma.masked_array([1, 2], mask=[0, 1]),
    ],
)
def test_a_missing_number_of_any_container_is_nan(values):
    assert to_floats(values, "scores") == pytest.approx([1, np.nan], nan_ok=True)


def test_masks_of_rows_are_kept():
    table = np.ma.masked_array([[1, 2], [3, 4]], mask=[[0, 1], [0, 0]])
    for rows in (list(table), tuple(table)):
        assert to_floats(rows, "scores") == pytest.approx(np.array([[1, np.nan], [3, 4]]), nan_ok=True)


@pytest.mark.parametrize("values", [np.ma.masked_array(["1", "2"], mask=[0, 1]), pd.DataFrame({"a": ["1"]})])
def test_text_under_a_mask_or_in_a_frame_is_no_number(values):
    with pytest.raises(ValueError, match=r"scores must hold numbers, got .*; look"):
        to_floats(values, "scores", hint="; look")


@pytest.mark.parametrize(
    "values", [["a", "b"], [[1], [1, 2]], [1, 1j], [{}, 1], pd.Series([1, None], dtype="Int64")]
)
def test_what_holds_no_numbers_is_refused(values):
    with pytest.raises(ValueError, match=r"scores must hold (finite |real )?numbers, got"):
        check_vector(values, "scores")


@pytest.mark.parametrize(
    "values",
    [
        ["0.1", "0.9"],
        [1, "2"],
        np.array(["0.1"]),
        np.array(["0.1"], dtype=object),
        pd.Series(["0.1"]),
        pl.Series(["0.1"]),
        np.array(["2020-01-01"], dtype="datetime64[D]"),
        pd.Series(pd.to_datetime(["2020-01-01"])),
    ],
)
def test_text_and_dates_are_no_numbers(values):
    with pytest.raises(ValueError, match=r"scores must hold numbers, got"):
        check_vector(values, "scores")


def test_the_imaginary_part_is_not_dropped():
    with pytest.raises(ValueError, match="scores must hold real numbers, got ndarray"):
        check_vector(np.array([1, 1j]), "scores")


def test_integers_that_floats_would_make_equal_are_refused():
    assert check_vector(np.array([2**53, -(2**53)]), "scores").tolist() == [2.0**53, -(2.0**53)]
    with pytest.raises(ValueError, match=r"scores must hold integers up to 2\*\*53 .*; subtract a constant"):
        check_vector(np.array([2**53 + 2, 1]), "scores")


def test_a_second_dimension_is_refused_with_the_way_out():
    with pytest.raises(
        ValueError, match=r"scores must be one-dimensional, got an array of shape \(2, 2\); do x"
    ):
        check_vector([[1, 2], [3, 4]], "scores", hint="; do x")


def test_too_few_values_are_refused():
    with pytest.raises(ValueError, match=r"scores must hold at least 1 value\(s\), got 0"):
        check_vector([], "scores")
    assert check_vector([], "scores", minimum_size=0).shape == (0,)


def test_lengths_must_agree():
    assert check_same_length(a=[1, 2], b=None, c=(3, 4)) == 2
    with pytest.raises(ValueError, match="a and c must have the same length: a has 2, c has 1"):
        check_same_length(a=[1, 2], b=None, c=[3])


# --- weights ----------------------------------------------------------------------------------


def test_whole_weights_stay_integers_and_others_do_not():
    assert check_sample_weight(None, 3) is None
    assert check_sample_weight([1.0, 0.0, 3.0], 3).dtype == np.int64
    assert check_sample_weight([True, False], 2).tolist() == [1, 0]
    assert check_sample_weight([0.5, 0.5], 2).dtype == np.float64
    assert check_sample_weight(pd.Series([1, 2], index=[7, 7]), 2).tolist() == [1, 2]
    assert check_sample_weight([2.0**53, 2.0**53], 2).dtype == np.float64  # their sum would not be exact
    for total in (1e-60, 1e60):
        assert check_sample_weight([0, total], 2).tolist() == [0, total]


@pytest.mark.parametrize(
    ("weight", "message"),
    [
        ([1, 2], "sample_weight must have one weight per sample: 3 samples, 2 weights"),
        ([1, -1, 1], "sample_weight must not be negative, got -1.0 at position 1"),
        ([0, 0, 0], "sample_weight must not be all zero: no sample would count"),
        ([1, np.nan, 1], "sample_weight must hold finite numbers, got nan at position 1"),
        ([1, np.inf, 1], "sample_weight must hold finite numbers, got inf at position 1"),
        (["a", "b", "c"], "sample_weight must hold numbers, got"),
        ([1e-300] * 3, "sample_weight must sum to a number from 1e-60 to 1e.60, got 3e-300; multiply all"),
        ([1e308] * 3, "sample_weight must sum to a number from 1e-60 to 1e.60, got inf"),
        (2.0, "sample_weight must be one-dimensional"),
        (np.ones((3, 2)), "sample_weight must be one-dimensional"),
    ],
)
def test_weights_that_mean_nothing_are_refused(weight, message):
    with pytest.raises(ValueError, match=message):
        check_sample_weight(weight, 3)


def test_no_weights_of_no_samples():
    assert check_sample_weight([], 0).tolist() == []


def test_a_long_value_is_described_in_short():
    assert describe(np.zeros((2, 3))) == "ndarray of shape (2, 3) and dtype float64"
    assert describe("a") == "'a'"
    assert len(describe(list(range(1000)))) == 60


# --- responses of estimators ------------------------------------------------------------------

X, Y = load_iris(return_X_y=True)
X, Y = X[50:], np.where(Y[50:] == 1, "b", "a")


def test_a_score_belongs_to_the_positive_class():
    model = LogisticRegression().fit(X, Y)
    score, pos_label = response_values(model, X, pos_label="a")
    np.testing.assert_array_equal(score, -model.decision_function(X))
    assert pos_label == "a"
    score, pos_label = response_values(model, X)
    np.testing.assert_array_equal(score, model.decision_function(X))
    assert pos_label == "b"
    score, _ = response_values(model, X, response_method="predict_proba", pos_label="a")
    np.testing.assert_array_equal(score, model.predict_proba(X)[:, 0])


def test_the_first_response_that_there_is_is_taken():
    assert response_values(LinearSVC().fit(X, Y), X)[0].shape == (100,)  # has no predict_proba
    assert response_values(DummyClassifier().fit(X, Y), X)[0].shape == (100,)  # has nothing else
    pipeline = make_pipeline(StandardScaler(), LogisticRegression()).fit(X, Y)
    np.testing.assert_array_equal(response_values(pipeline, X)[0], pipeline.decision_function(X))


def test_predictions_and_many_classes_come_as_they_are():
    X_three, y_three = load_iris(return_X_y=True)
    model = LogisticRegression(max_iter=500).fit(X_three, y_three)
    assert response_values(model, X_three)[0].shape == (150, 3)
    np.testing.assert_array_equal(
        response_values(model, X_three, response_method="predict")[0], model.predict(X_three)
    )


def test_a_response_that_is_not_there_is_named():
    with pytest.raises(AttributeError, match="LinearRegression has none of decision_function, predict_proba"):
        response_values(LinearRegression().fit(X, Y == "a"), X)


def test_a_positive_class_that_the_model_does_not_know_is_refused():
    with pytest.raises(ValueError, match="pos_label='c' is not one of the classes"):
        response_values(LogisticRegression().fit(X, Y), X, pos_label="c")


def test_a_model_of_one_class_ranks_nothing():
    with pytest.raises(ValueError, match="DummyClassifier was fitted on one class only"):
        response_values(DummyClassifier().fit(X, np.zeros(100)), X)


# --- random generators ------------------------------------------------------------------------


def test_an_int_gives_the_same_numbers_on_every_call():
    assert check_generator(7).random() == check_generator(np.int64(7)).random()
    assert check_generator(7).random() != check_generator(8).random()


def test_a_generator_moves_on():
    generator = np.random.default_rng(0)
    assert check_generator(generator) is generator
    state = np.random.RandomState(0)
    assert check_generator(state).random() != check_generator(state).random()
    again = np.random.RandomState(0)
    assert check_generator(again).random() == check_generator(np.random.RandomState(0)).random()


def test_none_gives_other_numbers():
    assert check_generator(None).random() != check_generator(None).random()


@pytest.mark.parametrize("random_state", [-1, 1.5, "0", True, [1, 2]])
def test_what_is_no_random_state_is_refused(random_state):
    with pytest.raises(ValueError, match="random_state must be a non-negative int, a numpy RandomState"):
        check_generator(random_state)


def test_child_seeds_are_ints_that_a_seed_fixes():
    seeds = child_seeds(0, 5)
    assert seeds == child_seeds(0, 5)
    assert len(set(seeds)) == 5
    assert all(type(seed) is int for seed in seeds)


@pytest.mark.parametrize("counts", [[3, 1, 2], [70, 10, 20]], ids=["by index", "by cell"])
def test_units_are_drawn_with_replacement(counts):
    # Multinomial: means n p, variances n p (1 - p), covariances -n p q; to 5 Monte Carlo errors.
    counts, n_resamples = np.array(counts), 40_000
    n, share = counts.sum(), counts / counts.sum()
    times = draw_units(counts, n_resamples, np.random.default_rng(0))
    assert times.shape == (n_resamples, 3)
    assert (times.sum(axis=1) == n).all()
    spread = n * (np.diag(share) - np.outer(share, share))
    np.testing.assert_allclose(times.mean(axis=0), counts, atol=5 * np.sqrt(spread.max() / n_resamples))
    np.testing.assert_allclose(np.cov(times.T), spread, atol=5 * spread.max() * np.sqrt(3 / n_resamples))


@pytest.mark.parametrize("counts", [[3, 1, 2], [70, 10, 20]])
def test_blocks_of_resamples_are_the_resamples_in_one(counts):
    counts = np.array(counts)
    whole, parts = draw_units(counts, 7, np.random.default_rng(0)), np.random.default_rng(0)
    assert np.array_equal(whole, np.concatenate([draw_units(counts, size, parts) for size in (1, 4, 2)]))


def test_the_size_of_a_draw_is_what_it_holds():
    assert [draw_size(np.array(counts)) for counts in ([3, 1, 2], [70, 10, 20], [1])] == [6, 3, 1]


# --- warnings ---------------------------------------------------------------------------------


def _warned_at(call):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    return [(str(warning.message), warning.category, warning.filename) for warning in caught]


def test_a_warning_points_at_the_line_of_the_user():
    told = _warned_at(lambda: g_mean_score([0, 0], [0, 1]))
    told += _warned_at(lambda: ConfusionMatrix([[2, 0], [1, 0]]).precision())
    assert [filename for _, _, filename in told] == [__file__, __file__]
    assert {category for _, category, _ in told} == {UndefinedMeasureWarning}


def test_a_warning_from_outside_points_at_its_caller():
    assert _warned_at(lambda: warn_user("look", SkevalWarning)) == [("look", SkevalWarning, __file__)]

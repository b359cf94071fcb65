"""Class labels of any container and dtype: what they become, and what is refused."""

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skeval.metrics import ConfusionMatrix, RankedScores
from skeval.utils._labels import (
    check_labels,
    encode,
    factorize,
    positive_mask,
    resolve_pos_label,
    to_labels,
)

# Six samples, their predictions and scores; the expected figures are counted by hand.
Y_TRUE, PREDICTED, OTHER = [0, 1, 1, 0, 1, 0], [0, 1, 0, 0, 1, 0], [0, 0, 1, 0, 1, 1]
SCORES = [0.1, 0.9, 0.4, 0.3, 0.8, 0.35]
ACCURACY, OTHER_ACCURACY, AUC = 5 / 6, 4 / 6, 1.0

CONTAINERS = {
    "list": list,
    "tuple": tuple,
    "int8": lambda y: np.array(y, dtype=np.int8),
    "int16": lambda y: np.array(y, dtype=np.int16),
    "int32": lambda y: np.array(y, dtype=np.int32),
    "int64": lambda y: np.array(y, dtype=np.int64),
    "uint8": lambda y: np.array(y, dtype=np.uint8),
    "uint64": lambda y: np.array(y, dtype=np.uint64),
    "whole floats": lambda y: np.array(y, dtype=np.float32),
    "list of floats": lambda y: [float(label) for label in y],
    "bool": lambda y: np.array(y, dtype=bool),
    "list of bool": lambda y: [bool(label) for label in y],
    "object ints": lambda y: np.array(y, dtype=object),
    "object whole floats": lambda y: np.array([float(label) for label in y], dtype=object),
    "object bools": lambda y: np.array([bool(label) for label in y], dtype=object),
    "column": lambda y: np.array(y).reshape(-1, 1),
    "read-only": lambda y: np.frombuffer(np.array(y, dtype=np.int64).tobytes(), dtype=np.int64),
    "every second": lambda y: np.repeat(y, 2)[::2],
    "pandas": pd.Series,
    "pandas Int64": lambda y: pd.Series(y, dtype="Int64"),
    "pandas boolean": lambda y: pd.Series(np.array(y, dtype=bool), dtype="boolean"),
    "pandas Float64": lambda y: pd.Series(y, dtype="Float64"),
    "pandas category": lambda y: pd.Series(y, dtype="category"),
    "pandas category of bool": lambda y: pd.Series(np.array(y, dtype=bool), dtype="category"),
    "pandas Categorical": lambda y: pd.Categorical(y),
    "pandas Index": lambda y: pd.Index(y),
    "pandas frame of one column": lambda y: pd.DataFrame({"y": y}),
    "pandas, index from 10": lambda y: pd.Series(y, index=range(10, 10 + len(y))),
    "pandas, index reversed": lambda y: pd.Series(y, index=range(len(y))[::-1]),
    "pandas, index repeated": lambda y: pd.Series(y, index=[0] * len(y)),
    "polars": pl.Series,
    "polars bool": lambda y: pl.Series([bool(label) for label in y]),
    "polars float": lambda y: pl.Series([float(label) for label in y]),
    "polars frame of one column": lambda y: pl.DataFrame({"y": y}),
}
STRINGS = {
    "list": list,
    "str": np.array,
    "wide str": lambda y: np.array(y, dtype="U30"),
    "str, other byte order": lambda y: np.array(y, dtype=">U5"),
    "object": lambda y: np.array(y, dtype=object),
    "pandas object": lambda y: pd.Series(y, dtype=object),
    "pandas string": lambda y: pd.Series(y, dtype="string"),
    "pandas category": lambda y: pd.Series(y, dtype="category"),
    "polars": pl.Series,
    "polars Categorical": lambda y: pl.Series(y, dtype=pl.Categorical),
    "polars Enum": lambda y: pl.Series(y, dtype=pl.Enum(sorted(set(y)))),
}


# --- containers: the same samples give the same figures --------------------------------------


@pytest.mark.parametrize("container", CONTAINERS)
def test_every_container_of_two_classes_gives_the_same_figures(container):
    y_true = CONTAINERS[container](Y_TRUE)
    assert ConfusionMatrix.from_predictions(y_true, np.array(PREDICTED)).counts.tolist() == [[3, 0], [1, 2]]
    assert ConfusionMatrix.from_predictions(y_true, PREDICTED).accuracy() == ACCURACY
    assert ConfusionMatrix.from_predictions(OTHER, y_true).accuracy() == OTHER_ACCURACY
    assert RankedScores.from_predictions(y_true, SCORES).roc_auc() == AUC


@pytest.mark.parametrize("container", STRINGS)
def test_every_container_of_strings_gives_the_same_figures(container):
    y_true = STRINGS[container]([str(label) for label in Y_TRUE])
    predicted = np.array(PREDICTED).astype(str)
    cm = ConfusionMatrix.from_predictions(y_true, predicted)
    assert cm.labels.tolist() == ["0", "1"]
    assert cm.counts.tolist() == [[3, 0], [1, 2]]
    assert RankedScores.from_predictions(y_true, SCORES, pos_label="1").roc_auc() == AUC


def test_arrow_arrays_are_taken():
    pyarrow = pytest.importorskip("pyarrow", exc_type=ImportError)
    assert to_labels(pyarrow.array([2, 3]), "y").tolist() == [2, 3]
    assert to_labels(pyarrow.array(["a", "b"]), "y").tolist() == ["a", "b"]
    assert to_labels(pyarrow.array([True, False]), "y").tolist() == [True, False]
    with pytest.raises(ValueError, match="y holds a missing value at position 1"):
        to_labels(pyarrow.array(["a", None]), "y")


@pytest.mark.skipif(np.lib.NumpyVersion(np.__version__) < "2.0.0", reason="has no such dtype")
def test_strings_of_variable_width_are_taken():
    labels = np.array(["b", "long name", "b"], dtype=np.dtypes.StringDType())
    assert to_labels(labels, "y").tolist() == ["b", "long name", "b"]


@pytest.mark.parametrize("index", [range(10, 16), [5, 4, 3, 2, 1, 0], ["a"] * 6])
def test_positions_count_and_an_index_does_not(index):
    series = pd.Series(Y_TRUE, index=index)
    cm = ConfusionMatrix.from_predictions(series, np.array(PREDICTED))
    other = ConfusionMatrix.from_predictions(np.array(OTHER), series)
    assert (cm.accuracy(), other.accuracy()) == (ACCURACY, OTHER_ACCURACY)


def test_an_array_of_integers_is_not_copied():
    labels = np.array([0, 1])
    assert to_labels(labels, "y") is labels


def test_large_integers_stay_apart():
    # Neighbours that are one float64.
    for labels in ([2**53, 2**53 + 1], np.array([2**53, 2**53 + 1], dtype=object)):
        assert to_labels(labels, "y").tolist() == [2**53, 2**53 + 1]


# --- what is refused --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "labels",
    [
        pytest.param(pd.Series([0, 1, None, 0], dtype="Int64"), id="pandas Int64"),
        pytest.param(pd.Series([0, 1, np.nan, 0]), id="pandas float"),
        pytest.param(pd.Series(["a", "b", None, "a"], dtype="string"), id="pandas string"),
        pytest.param(pd.Series(["a", "b", None, "a"], dtype="category"), id="pandas category"),
        pytest.param(pd.Series([True, False, None, True], dtype="boolean"), id="pandas boolean"),
        pytest.param(pd.DataFrame({"y": [1.0, 0.0, None, 1.0]}), id="pandas frame"),
        pytest.param(pl.Series([0, 1, None, 0]), id="polars"),
        pytest.param(pl.Series(["a", "b", None, "a"]), id="polars strings"),
        pytest.param(pl.DataFrame({"y": [0, 1, None, 0]}), id="polars frame"),
        pytest.param([0, 1, None, 0], id="list"),
        pytest.param([0, 1, np.nan, 0], id="list with nan"),
        pytest.param(["a", "b", None, "a"], id="strings with None"),
        pytest.param(["a", "b", np.nan, "a"], id="strings with nan"),
        pytest.param(np.array([0.0, 1.0, np.nan, 0.0]), id="array"),
        pytest.param(np.array([0, 1, np.float32("nan"), 0], dtype=object), id="object array"),
        pytest.param(np.array([0, 1, pd.NaT, 0], dtype=object), id="object array with NaT"),
        pytest.param(np.ma.masked_array([0, 1, 1, 0], mask=[0, 0, 1, 0]), id="masked array"),
    ],
)
def test_a_missing_label_is_refused_by_name_and_position(labels):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(ValueError, match="y_true holds a missing value at position 2; drop that sample"):
            to_labels(labels, "y_true")


@pytest.mark.parametrize(
    "labels", [[0.5, 1.0], [0.0, np.inf], np.array([1e20, 1.0]), pd.Series([0.25], dtype="Float64")]
)
def test_continuous_values_are_refused(labels):
    with pytest.raises(ValueError, match="y must hold class labels, got continuous values"):
        to_labels(labels, "y")


@pytest.mark.parametrize(
    ("labels", "told"),
    [
        ([1, "a"], "int, str"),
        (["a", 1.0], "float, str"),
        (np.array([True, 2], dtype=object), "bool, int"),
        (np.array([True, "a"], dtype=object), "bool, str"),
        (np.array([np.array([1, 2]), np.array([3])], dtype=object), "ndarray"),
    ],
)
def test_labels_of_mixed_types_are_refused(labels, told):
    with pytest.raises(ValueError, match=rf"y must hold labels of one type .*, got {told}\."):
        to_labels(labels, "y")


@pytest.mark.parametrize("labels", [[2**70, 1], np.array([2**63], dtype=np.uint64)])
def test_integers_that_do_not_fit_are_refused(labels):
    with pytest.raises(ValueError, match=r"y must hold labels below 2\*\*63"):
        to_labels(labels, "y")


@pytest.mark.parametrize(
    "labels", [[[0, 1], [1, 0]], np.zeros((3, 2)), pd.DataFrame({"a": [0], "b": [1]}), np.array(1), {0, 1}]
)
def test_more_than_one_column_is_refused(labels):
    with pytest.raises(ValueError, match="y must be one-dimensional class labels"):
        to_labels(labels, "y")


def test_rows_of_different_lengths_are_refused():
    with pytest.raises(ValueError, match="y must be one-dimensional class labels, got rows of different"):
        to_labels([[0], [1, 2]], "y")


def test_an_object_that_numpy_alone_can_read_is_taken():
    class Column:
        def __array__(self, dtype=None, copy=None):
            return np.array(Y_TRUE, dtype=dtype)

    assert to_labels(Column(), "y").tolist() == Y_TRUE


def test_a_number_of_numpy_is_no_column_of_labels():
    with pytest.raises(ValueError, match="y must be one-dimensional class labels, got"):
        to_labels(np.int64(3), "y")


@pytest.mark.parametrize("labels", ["abc", 3, None, (label for label in [0, 1])])
def test_what_is_no_array_is_refused(labels):
    with pytest.raises(ValueError, match="y must be an array of class labels, got"):
        to_labels(labels, "y")


@pytest.mark.parametrize("labels", [[b"a", b"b"], np.array([1j]), np.array(["2020-01-01"], dtype="M8[D]")])
def test_other_types_are_refused(labels):
    with pytest.raises(ValueError, match="y must hold integers, strings or booleans, got"):
        to_labels(labels, "y")


# --- codes ------------------------------------------------------------------------------------

INTEGERS = st.lists(st.integers(-5, 5) | st.integers(-(2**62), 2**62), max_size=40)
TEXTS = st.lists(st.text(alphabet="abāé€😀 ", max_size=4).map(lambda text: text.rstrip("\0")), max_size=40)


@settings(deadline=None, max_examples=100)
@given(values=INTEGERS | TEXTS | st.lists(st.booleans(), max_size=20))
def test_factorize_equals_numpy_unique(values):
    array = np.array(values, dtype=np.int64) if not values else np.array(values)
    uniques, inverse = np.unique(array, return_inverse=True)
    codes, labels = factorize(array)
    np.testing.assert_array_equal(labels, uniques)
    np.testing.assert_array_equal(codes, inverse)
    assert labels.dtype.kind == array.dtype.kind


@pytest.mark.parametrize("size", [1, 63, 64, 65, 200, 1000])
def test_factorize_of_many_strings_equals_numpy_unique(size):
    rng = np.random.default_rng(size)
    array = np.array([f"class {number:x}" for number in rng.integers(0, 10**6, size)], dtype="U40")
    uniques, inverse = np.unique(array, return_inverse=True)
    codes, labels = factorize(array)
    np.testing.assert_array_equal(labels, uniques)
    np.testing.assert_array_equal(codes, inverse)


def test_factorize_of_empty_strings():
    codes, labels = factorize(np.array(["", "", ""]))
    assert (codes.tolist(), labels.tolist()) == ([0, 0, 0], [""])


def test_encode_uses_the_sorted_union():
    (a, b), labels = encode({"a": np.array([7, 3]), "b": np.array([5])})
    assert labels.tolist() == [3, 5, 7]
    assert (a.tolist(), b.tolist()) == ([2, 0], [1])


def test_encode_keeps_the_order_of_given_labels():
    (a, b), labels = encode({"a": np.array(["x", "z"]), "b": np.array(["y"])}, np.array(["z", "y", "x"]))
    assert labels.tolist() == ["z", "y", "x"]
    assert (a.tolist(), b.tolist()) == ([2, 0], [1])


def test_encode_names_unknown_labels():
    with pytest.raises(
        ValueError, match=r"y_true and y_pred must hold only labels from \[1, 2\], got 3, 9 too"
    ):
        encode({"y_true": np.array([1, 9]), "y_pred": np.array([2, 3])}, np.array([1, 2]))


def test_encode_refuses_strings_against_numbers():
    with pytest.raises(ValueError, match="Labels must be of one type, but a holds strings, b holds numbers"):
        encode({"a": np.array(["1"]), "b": np.array([1])})
    with pytest.raises(ValueError, match="a holds strings, labels holds numbers; convert one of them"):
        encode({"a": np.array(["1"])}, np.array([1]))


def test_booleans_and_integers_are_one_type():
    (a, b), labels = encode({"a": np.array([True, False]), "b": np.array([1, 2])})
    assert labels.tolist() == [0, 1, 2]
    assert (a.tolist(), b.tolist()) == ([1, 0], [1, 2])


def test_encode_of_nothing():
    codes, labels = encode({"a": np.empty(0, dtype=np.int64)}, np.array(["u", "v"]))
    assert codes[0].tolist() == []
    assert labels.tolist() == ["u", "v"]


def test_check_labels_refuses_repeats_and_nothing():
    assert check_labels(["b", "a"]).tolist() == ["b", "a"]
    with pytest.raises(ValueError, match="labels must name each class once, got 'a' twice"):
        check_labels(["a", "b", "a"])
    with pytest.raises(ValueError, match="labels must name at least one class"):
        check_labels([])


# --- the positive class -----------------------------------------------------------------------


@pytest.mark.parametrize("labels", [[0, 1], [0], [1], [-1, 1], [-1], []])
def test_the_positive_class_is_1_where_it_goes_without_saying(labels):
    assert resolve_pos_label(np.array(labels, dtype=np.int64), None) == 1


@pytest.mark.parametrize("labels", [[False, True], [False], [True]])
def test_the_positive_class_is_true_for_booleans(labels):
    assert resolve_pos_label(np.array(labels), None) is True


@pytest.mark.parametrize("labels", [["bad", "good"], [1, 2], [-1, 0], [0, 2], ["1"], [2], [-1, 0, 1]])
def test_the_positive_class_must_be_named_otherwise(labels):
    told = ", ".join(map(repr, labels))
    with pytest.raises(
        ValueError, match=rf"pos_label must name the positive class among the labels \[{told}\]"
    ):
        resolve_pos_label(np.array(labels), None)


@pytest.mark.parametrize(("labels", "pos_label"), [(["a", "b"], "c"), ([0, 1], 2), ([0, 1], "1"), ([0], "1")])
def test_a_positive_class_that_is_not_there_is_refused(labels, pos_label):
    with pytest.raises(ValueError, match=rf"pos_label must be one of the labels .*, got {pos_label!r}"):
        resolve_pos_label(np.array(labels), pos_label)


def test_one_class_that_is_the_negative_one():
    positive, pos_label = positive_mask(["good", "good"], "bad")
    assert (positive.tolist(), pos_label) == ([False, False], "bad")


def test_positive_mask_takes_the_named_class():
    positive, pos_label = positive_mask(pd.Series(["b", "a", "b"]), np.str_("b"))
    assert positive.tolist() == [True, False, True]
    assert type(pos_label) is str


def test_more_than_two_classes_have_no_positive_one():
    with pytest.raises(ValueError, match=r"needs two classes, got 3: \[0, 1, 2\]; choose an average"):
        positive_mask([0, 1, 2], 1)


@settings(deadline=None, max_examples=50)
@given(
    y=st.lists(st.sampled_from(["bad", "good"]), min_size=4, max_size=20).filter(lambda y: len(set(y)) == 2),
    name=st.text(alphabet="azAZ _", min_size=1, max_size=6).filter(lambda name: name != "good"),
    data=st.data(),
)
def test_renaming_a_label_changes_no_figure(y, name, data):
    predicted = data.draw(st.lists(st.sampled_from(["bad", "good"]), min_size=len(y), max_size=len(y)))
    score = data.draw(st.lists(st.integers(0, 4), min_size=len(y), max_size=len(y)))
    renamed = [name if label == "bad" else label for label in y]
    repredicted = [name if label == "bad" else label for label in predicted]
    before, after = (
        ConfusionMatrix.from_predictions(truth, guess)
        for truth, guess in ((y, predicted), (renamed, repredicted))
    )
    assert before.f_score(pos_label="bad") == after.f_score(pos_label=name)
    assert before.specificity(pos_label="bad") == after.specificity(pos_label=name)
    assert before.g_mean() == pytest.approx(after.g_mean(), abs=1e-15)
    auc = RankedScores.from_predictions(y, score, pos_label="bad").roc_auc()
    assert auc == RankedScores.from_predictions(renamed, score, pos_label=name).roc_auc()


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.longdouble])
def test_whole_floats_of_any_width_are_integers(dtype):
    for values in ([0, 1, 3], []):
        found = to_labels(np.array(values, dtype=dtype), "y")
        assert found.tolist() == values
        assert found.dtype == np.int64

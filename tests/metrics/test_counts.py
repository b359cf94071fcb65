"""The counts of a confusion matrix: of predictions, given, of any size."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import confusion_matrix

from skeval.metrics import ConfusionMatrix
from tests.metrics.matrices import PAIRS, matrix_of

# --- of predictions


def test_rows_are_true_and_columns_are_predicted():
    cm = ConfusionMatrix.from_predictions(["a", "a", "b"], ["b", "b", "a"])
    assert cm.labels.tolist() == ["a", "b"]
    assert cm.counts.tolist() == [[0, 2], [1, 0]]
    assert cm.binary_counts(pos_label="b") == (0, 2, 1, 0)  # tp, fp, fn, tn
    assert cm.binary_counts(pos_label="a") == (0, 1, 2, 0)


@pytest.mark.filterwarnings("ignore:A single label was found:UserWarning")  # of scikit-learn
@settings(deadline=None, max_examples=50)
@given(pairs=PAIRS, data=st.data())
def test_cells_equal_those_of_scikit_learn(pairs, data):
    y_true, y_pred = zip(*pairs, strict=True)
    weight = data.draw(st.lists(st.integers(0, 5), min_size=len(pairs), max_size=len(pairs)).filter(any))
    cm = matrix_of(pairs, sample_weight=weight)
    np.testing.assert_array_equal(cm.counts, confusion_matrix(y_true, y_pred, sample_weight=weight))
    assert cm.counts.dtype == np.int64
    order = data.draw(st.permutations(range(5)))  # class 4 is never there
    given_order = matrix_of(pairs, labels=order)
    np.testing.assert_array_equal(given_order.counts, confusion_matrix(y_true, y_pred, labels=order))
    assert given_order.labels.tolist() == list(order)


@settings(deadline=None)
@given(
    numbers=st.sets(st.integers(-4, 4) | st.sampled_from([-(2**63), 2**63 - 1]), min_size=1, max_size=4),
    n_samples=st.integers(1, 200),
    seed=st.integers(0, 999),
)
def test_whole_numbers_of_any_size_and_any_gaps_are_counted(numbers, n_samples, seed):
    # Python counts the pairs.
    generator = np.random.default_rng(seed)
    y_true, y_pred = generator.choice(np.array(sorted(numbers)), (2, n_samples))
    before = y_true.copy(), y_pred.copy()
    cm = ConfusionMatrix.from_predictions(y_true, y_pred)
    pairs = Counter(zip(y_true.tolist(), y_pred.tolist(), strict=True))
    labels = sorted({*y_true.tolist(), *y_pred.tolist()})
    assert cm.labels.tolist() == labels
    assert cm.counts.tolist() == [[pairs[true, predicted] for predicted in labels] for true in labels]
    assert cm.counts.dtype == cm.labels.dtype == np.int64
    assert np.array_equal(before, (y_true, y_pred))


def test_given_labels_keep_the_row_and_the_column_of_a_missing_class():
    cm = ConfusionMatrix.from_predictions([0, 0, 2], [0, 1, 0], labels=[0, 1, 2, 3])
    assert cm.counts.tolist() == [[1, 1, 0, 0], [0, 0, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0]]


def test_fractional_weights_stay_what_they_are():
    cm = ConfusionMatrix.from_predictions([0, 1, 1], [0, 1, 0], sample_weight=[0.5, 0.25, 2])
    assert cm.counts.tolist() == [[0.5, 0.0], [2.0, 0.25]]
    assert cm.total == 2.75
    # Sums that happen to be whole are weights all the same.
    halves = ConfusionMatrix.from_predictions([0, 0, 1, 1], [0, 0, 1, 1], sample_weight=[0.5] * 4)
    assert halves.counts.tolist() == [[1, 0], [0, 1]]
    assert halves.counts.dtype == np.float64


def test_labels_are_kept_apart_from_the_array_of_the_caller():
    labels = np.array([0, 1])
    cm = ConfusionMatrix.from_predictions([0], [1], labels=labels)
    labels[0] = 7
    assert cm.labels.tolist() == [0, 1]


def test_no_samples_need_labels():
    empty = ConfusionMatrix.from_predictions([], [], labels=["a", "b"])
    assert empty.counts.tolist() == [[0, 0], [0, 0]]
    assert empty.total == 0
    with pytest.raises(
        ValueError, match="y_true and y_pred hold no samples; give labels= for an empty matrix"
    ):
        ConfusionMatrix.from_predictions([], [])


@pytest.mark.parametrize(
    ("y_true", "y_pred", "kwargs", "message"),
    [
        ([0, 1], [0], {}, "y_true and y_pred must have the same length: y_true has 2, y_pred has 1"),
        ([0, 1], ["0", "1"], {}, "must be of one type, but y_true holds numbers, y_pred holds strings"),
        ([0, 1], [0, 2], {"labels": [0, 1]}, r"must hold only labels from \[0, 1\], got 2 too; add it to"),
        (["a"], ["b"], {"labels": ["a"]}, "got 'b' too"),
        ([0, 1], [0, 1], {"labels": [0, 1, 0]}, "labels must name each class once, got 0 twice"),
        ([0, 1], [0.2, 0.9], {}, "y_pred must hold class labels, got continuous values"),
        ([0, None], [0, 1], {}, "y_true holds a missing value at position 1"),
        ([0, 1], [0, 1], {"sample_weight": [1, -1]}, "sample_weight must not be negative"),
        ([0, 1], [0, 1], {"sample_weight": [0, 0]}, "sample_weight must not be all zero"),
        ([0, 1], [0, 1], {"sample_weight": [1, np.nan]}, "sample_weight must hold finite numbers"),
        (
            [0, 1],
            [0, 1],
            {"sample_weight": [1]},
            "sample_weight must have one weight per sample: 2 samples, 1",
        ),
    ],
)
def test_bad_predictions_are_refused(y_true, y_pred, kwargs, message):
    with pytest.raises(ValueError, match=message):
        ConfusionMatrix.from_predictions(y_true, y_pred, **kwargs)


# --- given


def test_counts_are_read_only_and_whole_floats_become_integers():
    given_counts = np.array([[1.0, 2.0], [3.0, 4.0]])
    cm = ConfusionMatrix(given_counts)
    assert cm.counts.dtype == np.int64
    with pytest.raises(ValueError, match="read-only"):
        cm.counts[0, 0] = 5
    given_counts[0, 0] = 9
    assert cm.counts[0, 0] == 1
    assert ConfusionMatrix([[0.5, 0], [0, 1]]).counts.dtype == np.float64
    assert ConfusionMatrix(np.array([[200, 200], [0, 0]], dtype=np.uint8)).total == 400


@pytest.mark.parametrize(
    ("counts", "labels", "message"),
    [
        ([1, 2], None, r"counts must have shape \(..., K, K\), got \(2,\)"),
        ([[1, 2]], None, r"counts must have shape \(..., K, K\), got \(1, 2\)"),
        (np.zeros((0, 0)), None, r"counts must have shape \(..., K, K\), got \(0, 0\)"),
        ([[1, -2], [0, 1]], None, "counts must not be negative, got -2"),
        ([[1, np.nan], [0, 1]], None, "counts must be finite, got nan or inf"),
        ([["a", "b"], ["c", "d"]], None, "counts must hold numbers"),
        ([[1e61, 0], [0, 1]], None, r"counts must be at most 1e\+60, got 1e\+61"),
        ([[2**62, 0], [0, 1]], None, r"counts must sum to less than 2\*\*62"),
        ([[2**62 // 4, 0], [0, 1]], None, r"counts must sum to less than 2\*\*62, got \d+ in one cell"),
        ([[1] * 3, [1] * 3, [1, 1, 2**62 // 9]], None, r"counts must sum to less than 2\*\*62"),
        ([[np.nextafter(1e60, np.inf), 0], [0, 0.5]], None, r"counts must be at most 1e\+60"),
        ([[1e-200, 1e-200], [0, 1e-200]], None, "counts must sum to 0 or to 1e-60 at least, got 3e-200"),
        ([[[1, 0], [0, 1]], [[1e-61, 0], [0, 0]]], None, "counts must sum to 0 or to 1e-60 at least"),
        ([[1, 2], [0, 1]], ["a"], "labels must name one class per row of counts: 2 rows, 1 labels"),
    ],
)
def test_bad_counts_are_refused(counts, labels, message):
    with pytest.raises(ValueError, match=message):
        ConfusionMatrix(counts, labels)


def test_counts_of_any_width_of_float_are_read():
    # A half-precision matrix of whole numbers holds counts like any other.
    for dtype in (np.float16, np.float32, np.longdouble):
        cm = ConfusionMatrix(np.array([[3, 1], [0, 2]], dtype=dtype))
        assert cm.counts.dtype == np.int64
        assert cm.accuracy() == 5 / 6
    with pytest.raises(ValueError, match="counts must be finite"):
        ConfusionMatrix(np.array([["1e4000"]]).astype(np.longdouble))


def test_a_count_far_below_zero_is_negative():
    with pytest.raises(ValueError, match="counts must not be negative, got -1e\\+19"):
        ConfusionMatrix([[-1e19]])


# --- the largest and the smallest


@pytest.mark.parametrize("n_classes", [2, 3])
def test_the_largest_whole_counts_are_taken_and_add_up_exactly(n_classes):
    largest = 2**62 // n_classes**2 - 1
    counts = np.full((n_classes, n_classes), largest)
    assert ConfusionMatrix(counts).total == n_classes**2 * largest


def test_the_largest_weight_is_taken():
    assert ConfusionMatrix([[1e60, 0], [0, 1e60]]).accuracy() == 1


def test_counts_sum_to_nothing_or_to_the_smallest_weight():
    cm = ConfusionMatrix([[[1e-60, 0], [0, 0]], [[0, 0], [0, 0]]])
    assert cm.total.tolist() == [1e-60, 0]


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        ("accuracy", 3 / 4),
        ("precision", 3 / 5),
        ("recall", 3 / 4),
        ("specificity", 3 / 4),
        ("f_score", 2 / 3),
        ("g_mean", 3 / 4),
        ("kappa", 8 / 17),
        ("mcc", 16 / 1120**0.5),
    ],
)
def test_the_smallest_weights_have_every_measure(measure, expected):
    # Those of the counts 6, 2, 1 and 3, by hand.
    small = ConfusionMatrix([[6e-60, 2e-60], [1e-60, 3e-60]])
    assert getattr(small, measure)() == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(("beta", "expected"), [(1e-30, 200 / 207), (1e30, 200 / 201)])
def test_the_f_score_of_the_largest_beta_is_the_recall_and_of_the_smallest_the_precision(beta, expected):
    # Of 207 predicted positives and of 201 positives 200 are both.
    assert ConfusionMatrix([[3, 7], [1, 200]]).f_score(beta) == pytest.approx(expected, rel=1e-12)


def test_large_counts_do_not_overflow():
    # MCC and kappa of these by exact fractions: 9/11, and -1/2.
    counts = [[50000, 5000], [5000, 50000]]
    for dtype in (np.int32, np.uint16, np.float32, np.int64):
        cm = ConfusionMatrix(np.array(counts, dtype=dtype))
        assert cm.mcc() == pytest.approx(9 / 11, abs=1e-12)
        assert cm.kappa() == pytest.approx(9 / 11, abs=1e-12)
    y_true = np.repeat(np.array([0, 0, 1, 1], dtype=np.int8), [50000, 5000, 5000, 50000])
    y_pred = np.repeat(np.array([0, 1, 0, 1], dtype=np.int8), [50000, 5000, 5000, 50000])
    assert ConfusionMatrix.from_predictions(y_true, y_pred).mcc() == pytest.approx(9 / 11, abs=1e-12)
    assert ConfusionMatrix([[10**18, 10**18], [10**18, 2]]).mcc() == pytest.approx(-0.5, abs=1e-12)

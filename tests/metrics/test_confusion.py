"""The confusion matrix: added, stacked, split into pairs, moved to another prevalence, shown."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import multilabel_confusion_matrix

from skeval.exceptions import UndefinedMeasureWarning
from skeval.metrics import ConfusionMatrix
from tests.metrics.matrices import PAIRS, THREE, matrix_of, same

# --- adding


@settings(deadline=None, max_examples=50)
@given(parts=st.lists(PAIRS, min_size=3, max_size=3))
def test_adding_batches_equals_counting_at_once_in_any_order(parts):
    a, b, c = (matrix_of(part) for part in parts)
    whole = matrix_of([pair for part in parts for pair in part])
    assert same(a + b, b + a)
    assert same((a + b) + c, a + (b + c))
    assert same(sum([a, b, c]), whole)
    assert same(sum([c, a, b]), whole)
    assert whole.f_score(average="macro", zero_division=0) == (a + b + c).f_score(
        average="macro", zero_division=0
    )


def test_adding_weights_that_are_whole_stays_exact():
    a = ConfusionMatrix.from_predictions([0, 1], [0, 1], sample_weight=[2**51, 1])
    assert (a + a).counts.tolist() == [[2**52, 0], [0, 2]]


def test_a_class_of_one_batch_only_enters_the_sum():
    a = ConfusionMatrix.from_predictions(["b"], ["d"])
    b = ConfusionMatrix.from_predictions(["a", "b"], ["a", "b"])
    assert (a + b).labels.tolist() == ["a", "b", "d"]
    assert (a + b).counts.tolist() == [[1, 0, 0], [0, 1, 1], [0, 0, 0]]


def test_equal_given_labels_add_in_their_order():
    a = ConfusionMatrix.from_predictions([1], [0], labels=[1, 0])
    assert (a + a).labels.tolist() == [1, 0]
    assert (a + a).counts.tolist() == [[0, 2], [0, 0]]


@pytest.mark.parametrize(
    ("first", "second"),
    [([0, 1], [1, 0]), ([0, 1], [0, 1, 2]), ([0, 1], None), (None, [0, 1, 2])],
    ids=["other order", "one more", "second inferred", "first inferred"],
)
def test_other_labels_do_not_add(first, second):
    a = ConfusionMatrix.from_predictions([0, 1], [0, 1], labels=first)
    b = ConfusionMatrix.from_predictions([1, 1], [1, 1], labels=second)
    with pytest.raises(ValueError, match=r"add only over equal labels in equal order, got .* same labels="):
        a + b


def test_strings_and_numbers_do_not_add():
    with pytest.raises(ValueError, match="Labels must be of one type, but a holds numbers, b holds strings"):
        ConfusionMatrix.from_predictions([0], [0]) + ConfusionMatrix.from_predictions(["0"], ["0"])


def test_a_stack_and_a_single_matrix_do_not_add():
    stack, single = ConfusionMatrix([THREE, THREE]), ConfusionMatrix(THREE)
    assert (stack + stack).total.tolist() == [200, 200]
    with pytest.raises(ValueError, match=r"stacked alike, got counts of shape \(2, 3, 3\) and \(3, 3\)"):
        stack + single


def test_only_confusion_matrices_add():
    with pytest.raises(TypeError, match="unsupported operand"):
        ConfusionMatrix(THREE) + 1
    with pytest.raises(TypeError, match="unsupported operand"):
        1 + ConfusionMatrix(THREE)


# --- stacks


def test_a_stack_gives_one_figure_per_matrix():
    stack = ConfusionMatrix([[[8, 2], [4, 6]], [[9, 1], [0, 10]]])
    assert stack.accuracy().tolist() == [14 / 20, 19 / 20]
    assert stack.recall(average=None).tolist() == [[0.8, 0.6], [0.9, 1.0]]
    assert stack.total.tolist() == [20, 20]
    assert len(stack) == 2
    assert [matrix.accuracy() for matrix in stack] == [14 / 20, 19 / 20]


def test_a_single_matrix_gives_plain_numbers():
    cm = ConfusionMatrix([[8, 2], [4, 6]])
    for value in (cm.accuracy(), cm.f_score(), cm.g_mean(), cm.mcc(), cm.kappa(), cm.youden_j()):
        assert type(value) is float
    assert type(cm.total) is int


def test_an_index_chooses_matrices_and_never_cuts_them():
    counts = np.arange(2 * 2 * 2 * 2).reshape(2, 2, 2, 2)
    stack = ConfusionMatrix(counts, labels=["a", "b"])
    np.testing.assert_array_equal(stack[1, 0].counts, counts[1, 0])
    np.testing.assert_array_equal(stack[:, 0].counts, counts[:, 0])
    np.testing.assert_array_equal(stack[..., 1].counts, counts[:, 1])
    np.testing.assert_array_equal(stack[[1, 0]].counts, counts[[1, 0]])
    np.testing.assert_array_equal(stack[np.array([True, False])].counts, counts[:1])
    assert stack[0].labels.tolist() == ["a", "b"]
    with pytest.raises(IndexError, match="too many indices"):
        stack[0, 0, 0]


def test_a_single_matrix_is_no_sequence():
    cm = ConfusionMatrix(THREE)
    with pytest.raises(TypeError, match="no leading axis to index; see counts"):
        cm[0]
    with pytest.raises(TypeError, match="no length; see total"):
        len(cm)
    with pytest.raises(TypeError, match="no leading axis"):
        list(cm)


def test_pooled_sums_all_leading_axes():
    stack = ConfusionMatrix(np.broadcast_to(THREE, (4, 5, 3, 3)))
    assert stack.pooled().counts.tolist() == (20 * np.array(THREE)).tolist()
    assert ConfusionMatrix(THREE).pooled() == ConfusionMatrix(THREE)


# --- one against the rest, one against one


@settings(deadline=None, max_examples=30)
@given(pairs=PAIRS)
def test_one_vs_rest_equals_scikit_learn(pairs):
    y_true, y_pred = zip(*pairs, strict=True)
    one_vs_rest = matrix_of(pairs).one_vs_rest()
    np.testing.assert_array_equal(one_vs_rest.counts, multilabel_confusion_matrix(y_true, y_pred))
    assert one_vs_rest.labels.tolist() == [False, True]


def test_a_cell_of_fractional_weights_is_zero_where_no_sample_is():
    # 0.1 + 0.2 + 0.3 leaves rounding when parts are subtracted from it.
    weight = [0.1, 0.2, 0.3, 0.7]
    all_positive = ConfusionMatrix.from_predictions([0, 1, 1, 0], [1, 1, 1, 1], sample_weight=weight)
    assert all_positive.binary_counts()[2:] == (0.0, 0.0)
    with pytest.warns(UndefinedMeasureWarning, match="negative predictive value is undefined"):
        assert all_positive.negative_predictive_value() == 0
    perfect = ConfusionMatrix.from_predictions([0, 1, 2, 2], [0, 1, 2, 2], sample_weight=weight)
    assert perfect.error_rate() == 0
    assert perfect.one_vs_rest().error_rate().tolist() == [0, 0, 0]
    assert perfect.specificity(average=None).tolist() == [1, 1, 1]


def test_one_vs_one_takes_the_rows_of_two_classes_and_counts_what_it_drops():
    # Counted by hand from THREE: pairs (0, 1), (0, 2), (1, 2), the first of them positive.
    pairs = ConfusionMatrix(THREE, labels=["a", "b", "c"]).one_vs_one()
    assert pairs.pairs == [("a", "b"), ("a", "c"), ("b", "c")]
    assert pairs.counts.tolist() == [[[20, 5], [6, 40]], [[15, 3], [4, 40]], [[15, 2], [5, 20]]]
    assert pairs.dropped.tolist() == [4 + 5, 6 + 2, 5 + 3]
    tp, fp, fn, tn = pairs.binary_counts()
    assert (tp.tolist(), fp.tolist(), fn.tolist(), tn.tolist()) == (
        [40, 40, 20],
        [5, 3, 2],
        [6, 4, 5],
        [20, 15, 15],
    )


def test_one_vs_one_of_a_stack_and_of_one_class():
    stack = ConfusionMatrix([THREE, np.transpose(THREE)]).one_vs_one()
    assert stack.counts.shape == (2, 3, 2, 2)
    assert stack.dropped.shape == (2, 3)
    assert ConfusionMatrix([[5]]).one_vs_one().counts.shape == (0, 2, 2)


# --- another share of positives


def test_rates_stay_and_the_share_of_positives_changes():
    cm = ConfusionMatrix([[85, 5], [4, 6]])
    moved = cm.at_prevalence(0.3)
    # Bayes: precision = p TPR / (p TPR + (1 - p) FPR) with TPR 6/10, FPR 5/90.
    assert moved.precision() == pytest.approx(0.3 * 0.6 / (0.3 * 0.6 + 0.7 * 5 / 90), abs=1e-12)
    assert moved.negative_predictive_value() == pytest.approx(
        0.7 * 85 / 90 / (0.7 * 85 / 90 + 0.3 * 4 / 10), abs=1e-12
    )
    assert moved.recall() == pytest.approx(0.6, abs=1e-12)
    assert moved.specificity() == pytest.approx(85 / 90, abs=1e-12)
    assert moved.prevalence() == pytest.approx(0.3, abs=1e-12)
    assert moved.total == pytest.approx(100, abs=1e-12)
    np.testing.assert_allclose(cm.at_prevalence(0.1).counts, cm.counts, rtol=1e-12)


def test_prevalence_of_a_stack_and_of_a_named_class():
    stack = ConfusionMatrix([[[85, 5], [4, 6]], [[40, 10], [20, 30]]], labels=["well", "ill"])
    moved = stack.at_prevalence(0.5, pos_label="ill")
    np.testing.assert_allclose(moved.prevalence(pos_label="ill"), [0.5, 0.5], rtol=1e-12)
    np.testing.assert_allclose(
        moved.precision(pos_label="ill"), [0.6 / (0.6 + 5 / 90), 0.6 / 0.8], rtol=1e-12
    )


def test_a_prevalence_that_cannot_be_is_refused():
    cm = ConfusionMatrix([[85, 5], [4, 6]])
    for value in (0, 1e-310, 1, -0.1, np.nan):
        with pytest.raises(ValueError, match=r"prevalence must be a number in \[1e-15, 1\)"):
            cm.at_prevalence(value)
    for counts, held in (
        ([[5, 5], [0, 0]], "10 of class 0 and 0 of class 1"),
        ([[[5, 5], [1, 1]], [[0, 0], [3, 1]]], "0 of class 0 and 4 of class 1"),
        ([[5]], "5 of class 0"),
    ):
        told = rf"at_prevalence\(\) needs samples of both classes, got {held}: .* Take more data, or pool"
        with pytest.raises(ValueError, match=told):
            ConfusionMatrix(counts).at_prevalence(0.5)
    with pytest.raises(ValueError, match="pos_label must name the positive class"):
        ConfusionMatrix([[1, 2], [3, 4]], labels=["a", "b"]).at_prevalence(0.5)
    with pytest.raises(ValueError, match="A binary measure needs two classes, got 3"):
        ConfusionMatrix(THREE).at_prevalence(0.5)


# --- compared, shown


def test_equality_compares_cells_and_labels():
    assert ConfusionMatrix(THREE) == ConfusionMatrix(np.array(THREE, dtype=float))
    assert ConfusionMatrix(THREE) != ConfusionMatrix(THREE, labels=[1, 0, 2])
    assert ConfusionMatrix(THREE) != THREE
    with pytest.raises(TypeError, match="unhashable"):
        hash(ConfusionMatrix(THREE))


def test_a_matrix_shows_itself():
    cm = ConfusionMatrix([[1, 2], [3, 4]], labels=["a", "b"])
    assert repr(cm) == "ConfusionMatrix([[1, 2], [3, 4]], labels=['a', 'b'])"
    assert repr(ConfusionMatrix([[[1]]])) == "ConfusionMatrix of shape (1, 1, 1), labels [0]"
    frame = cm.frame()
    assert frame.loc["a", "b"] == 2
    assert (frame.index.name, frame.columns.name) == ("true", "predicted")
    assert isinstance(frame, pd.DataFrame)
    with pytest.raises(ValueError, match=r"frame\(\) shows a single matrix; choose one, or pooled\(\)"):
        ConfusionMatrix([THREE]).frame()

"""The confusion matrix: counted, added, indexed, split into pairs, stored, resampled."""

import copy
import math
import pickle
import warnings
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_iris
from sklearn.metrics import accuracy_score, confusion_matrix, f1_score, multilabel_confusion_matrix
from sklearn.model_selection import GridSearchCV, cross_validate
from sklearn.naive_bayes import GaussianNB

from skeval.exceptions import MissingScoreError, UndefinedMeasureWarning
from skeval.metrics import ConfusionMatrix, ConfusionScorer, RankedScores

THREE = [[40, 6, 4], [5, 20, 5], [3, 2, 15]]

LABELS = st.integers(0, 3)
PAIRS = st.lists(st.tuples(LABELS, LABELS), min_size=1, max_size=25)


def matrix_of(pairs, **kwargs):
    y_true, y_pred = zip(*pairs, strict=True)
    return ConfusionMatrix.from_predictions(y_true, y_pred, **kwargs)


def same(a, b):
    """Equal bit for bit: cells, dtype, labels and what the labels came from."""
    return a == b and a.counts.dtype == b.counts.dtype and a._labels_seen == b._labels_seen


# --- counting ---------------------------------------------------------------------------------


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


@pytest.mark.parametrize("n_classes", [2, 3])
def test_the_largest_whole_counts_are_taken_and_add_up_exactly(n_classes):
    largest = 2**62 // n_classes**2 - 1
    counts = np.full((n_classes, n_classes), largest)
    assert ConfusionMatrix(counts).total == n_classes**2 * largest


def test_the_largest_weight_is_taken():
    assert ConfusionMatrix([[1e60, 0], [0, 1e60]]).accuracy() == 1


def test_the_smallest_weights_have_every_measure():
    small = ConfusionMatrix([[6e-60, 2e-60], [1e-60, 3e-60]])
    same = ConfusionMatrix([[6, 2], [1, 3]])
    assert small.kappa() == pytest.approx(same.kappa(), rel=1e-12)
    assert small.mcc() == pytest.approx(same.mcc(), rel=1e-12)


@pytest.mark.parametrize("beta", [1e-30, 1e30])
def test_the_f_score_of_the_largest_beta_is_the_recall_and_of_the_smallest_the_precision(beta):
    cm = ConfusionMatrix([[3, 1], [1, 200]])
    assert cm.f_score(beta) == pytest.approx(cm.recall() if beta > 1 else cm.precision(), rel=1e-12)


# --- adding -----------------------------------------------------------------------------------


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


# --- stacks -----------------------------------------------------------------------------------


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


# --- one against the rest, one against one ------------------------------------------------------


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


# --- from cross-validation ----------------------------------------------------------------------

X, Y = load_iris(return_X_y=True)


@pytest.fixture(scope="module")
def results():
    return cross_validate(
        GaussianNB(),
        X,
        Y,
        cv=5,
        scoring=ConfusionScorer([0, 1, 2]),
        return_estimator=True,
        return_indices=True,
    )


def test_cells_of_cross_validate_become_one_matrix_per_split(results):
    folds = ConfusionMatrix.from_cv_results(results, labels=[0, 1, 2])
    assert folds.counts.shape == (5, 3, 3)
    assert folds.counts.dtype == np.int64
    for split, (model, test) in enumerate(zip(results["estimator"], results["indices"]["test"], strict=True)):
        np.testing.assert_array_equal(folds.counts[split], confusion_matrix(Y[test], model.predict(X[test])))
    assert folds.total.tolist() == [30] * 5


def test_cells_of_a_search_become_one_matrix_per_candidate_and_split():
    grid = {"var_smoothing": [1e-9, 1e-1, 1.0]}
    search = GridSearchCV(GaussianNB(), grid, cv=4, scoring=ConfusionScorer([0, 1, 2]), refit=False).fit(X, Y)
    matrices = ConfusionMatrix.from_cv_results(search.cv_results_)
    assert matrices.counts.shape == (3, 4, 3, 3)
    plain = GridSearchCV(GaussianNB(), grid, cv=4, scoring="accuracy").fit(X, Y)
    for split in range(4):
        np.testing.assert_allclose(
            matrices.accuracy()[:, split], plain.cv_results_[f"split{split}_test_score"], rtol=1e-15
        )


def test_cells_of_many_splits_keep_the_order_of_the_splits():
    # split10 comes before split2 where names are sorted.
    results = {f"split{split}_test_confusion_0_0": [split, 100 + split] for split in range(12)}
    counts = ConfusionMatrix.from_cv_results(results).counts
    assert counts[:, :, 0, 0].tolist() == [list(range(12)), list(range(100, 112))]


def test_a_failed_split_is_named(results):
    broken = {key: np.array(value, dtype=float) for key, value in results.items() if "confusion" in key}
    for cell in broken.values():
        cell[3] = np.nan
    with pytest.raises(MissingScoreError, match="The confusion cells of split 3 are nan: its fit or score"):
        ConfusionMatrix.from_cv_results(broken)
    searched = {f"split{split}_test_confusion_0_0": [1.0, 2.0] for split in range(3)}
    searched["split2_test_confusion_0_0"] = [1.0, np.nan]
    with pytest.raises(MissingScoreError, match=r"split 2 of candidate 1 are nan.*error_score='raise'"):
        ConfusionMatrix.from_cv_results(searched)


def test_results_without_cells_are_refused():
    with pytest.raises(ValueError, match=r"results must hold the cells .* scoring=ConfusionScorer\(labels\)"):
        ConfusionMatrix.from_cv_results({"test_score": [1.0]})


def test_results_that_lack_cells_are_refused(results):
    lacking = {key: value for key, value in results.items() if key != "test_confusion_0_2"}
    with pytest.raises(
        ValueError, match="must hold all cells of 3 classes in every split, but lack 1 of them"
    ):
        ConfusionMatrix.from_cv_results(lacking)


def test_labels_that_do_not_fit_the_cells_are_refused(results):
    with pytest.raises(ValueError, match="labels must name one class per row of counts: 3 rows, 2 labels"):
        ConfusionMatrix.from_cv_results(results, labels=[0, 1])


# --- stored, copied, shown ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "cm",
    [
        ConfusionMatrix.from_predictions(["b", "a"], ["a", "a"]),
        ConfusionMatrix.from_predictions([True], [True]),
        ConfusionMatrix.from_predictions([0, 1], [0, 1], labels=[1, 0], sample_weight=[0.5, 0.5]),
        ConfusionMatrix([THREE, THREE], labels=["x", "y", "z"]),
        ConfusionMatrix([[0.5, 0], [0, 0.5]]),
        ConfusionMatrix(THREE).one_vs_one(),
    ],
    ids=["strings", "bool", "weights", "stack", "fractions", "pairs"],
)
def test_a_stored_matrix_comes_back_as_it_was(cm, tmp_path):
    for name in ("cm.npz", "cm"):  # whatever the name, the file has that name
        cm.save(tmp_path / name)
        loaded = ConfusionMatrix.load(str(tmp_path / name))
        assert same(loaded, cm)
        assert loaded.labels.dtype.kind == cm.labels.dtype.kind
        assert loaded._absent_left_out == cm._absent_left_out
    assert same(pickle.loads(pickle.dumps(cm)), cm)
    assert same(copy.deepcopy(cm), cm)


def test_stored_batches_add_like_the_others(tmp_path):
    a, b = ConfusionMatrix.from_predictions([0], [1]), ConfusionMatrix.from_predictions([2], [2])
    a.save(tmp_path / "a")
    assert same(ConfusionMatrix.load(tmp_path / "a") + b, a + b)


def test_a_file_that_would_run_code_is_refused(tmp_path):
    np.savez(tmp_path / "bad.npz", counts=np.array([{}], dtype=object), labels=[0], seen=True, left_out=False)
    with pytest.raises(
        ValueError, match=r"path must be a file that ConfusionMatrix.save\(\) wrote, got '.*bad"
    ):
        ConfusionMatrix.load(tmp_path / "bad.npz")


@pytest.mark.parametrize("kind", [ConfusionMatrix, RankedScores])
def test_a_file_of_something_else_is_refused_by_its_name(kind, tmp_path):
    np.save(tmp_path / "array.npy", np.eye(2))
    np.savez(tmp_path / "other.npz", other=np.eye(2))
    (tmp_path / "text").write_text("true,predicted\n0,1\n")
    (tmp_path / "empty").touch()
    (tmp_path / "cut").write_bytes((tmp_path / "other.npz").read_bytes()[:200])
    for path in tmp_path.iterdir():
        told = rf"path must be a file that {kind.__name__}.save\(\) wrote, got '.*{path.name}'"
        with pytest.raises(ValueError, match=told):
            kind.load(path)
    with pytest.raises(FileNotFoundError, match="missing"):
        kind.load(tmp_path / "missing")


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


# --- another share of positives -----------------------------------------------------------------


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


# --- bootstrap ------------------------------------------------------------------------------------


@pytest.mark.parametrize("counts", [[[85, 5], [4, 6]], THREE], ids=["two classes", "three classes"])
def test_bootstrapped_accuracy_is_binomial(counts):
    # Accuracy of n resampled rows: mean p, variance p (1 - p) / n, to 4 Monte Carlo errors.
    cm, n_resamples = ConfusionMatrix(counts), 20_000
    p, n = cm.accuracy(), cm.total
    values = cm.bootstrap("accuracy", n_resamples, random_state=0)
    variance = p * (1 - p) / n
    assert values.mean() == pytest.approx(p, abs=4 * math.sqrt(variance / n_resamples))
    kurtosis = 3 + (1 - 6 * p * (1 - p)) / (n * p * (1 - p))
    error = variance * math.sqrt((kurtosis - 1) / n_resamples)
    assert values.var() == pytest.approx(variance, abs=4 * error)


@pytest.mark.parametrize("metric", ["f1_macro", "g_mean", lambda cm: cm.jaccard(average="macro")])
def test_bootstrap_of_cells_equals_resampling_rows(metric):
    rng = np.random.default_rng(0)
    cells = np.repeat(np.arange(9), np.ravel(THREE))
    drawn = [np.bincount(cells[rng.integers(0, 100, 100)], minlength=9) for _ in range(2000)]
    rows = ConfusionMatrix(np.reshape(drawn, (-1, 3, 3)))
    function = (
        metric
        if callable(metric)
        else {"f1_macro": lambda cm: cm.f_score(average="macro")}.get(metric, lambda cm: cm.g_mean())
    )
    expected = function(rows)
    values = ConfusionMatrix(THREE).bootstrap(metric, 2000, random_state=1)
    error = math.sqrt(expected.var() / 2000 + values.var() / 2000)
    assert values.mean() == pytest.approx(expected.mean(), abs=4 * error)
    assert values.std() == pytest.approx(expected.std(), rel=4 / math.sqrt(2000))
    np.testing.assert_allclose(
        np.quantile(values, [0.1, 0.5, 0.9]), np.quantile(expected, [0.1, 0.5, 0.9]), atol=0.01
    )


@pytest.mark.parametrize("block_cells", [9, 100, 10**7])
def test_the_size_of_a_block_changes_no_shape(monkeypatch, block_cells):
    monkeypatch.setattr("skeval.metrics._counts._BLOCK_CELLS", block_cells)
    values = ConfusionMatrix(THREE).bootstrap("accuracy", 25, random_state=0)
    assert values.shape == (25,)
    assert values.dtype == np.float64
    assert ConfusionMatrix(THREE).bootstrap(lambda cm: cm.total, 7, random_state=0).tolist() == [100.0] * 7


def test_a_seed_fixes_the_replicates():
    cm = ConfusionMatrix(THREE)
    np.testing.assert_array_equal(
        cm.bootstrap("accuracy", 10, random_state=3), cm.bootstrap("accuracy", 10, random_state=3)
    )


def test_an_empty_cell_stays_empty():
    cm = ConfusionMatrix([[10**6, 3], [0, 0]])
    hits = cm.bootstrap(lambda stack: stack.counts[:, 1, :].sum(axis=-1), 50, random_state=0)
    assert not hits.any()


def test_a_class_that_was_only_seen_may_leave_a_resample_and_a_given_one_may_not():
    y = [0] * 20 + [1]
    seen = ConfusionMatrix.from_predictions(y, y)
    fixed = ConfusionMatrix.from_predictions(y, y, labels=[0, 1])
    macro = {"metric": lambda cm: cm.recall(average="macro"), "n_resamples": 200, "random_state": 0}
    with pytest.warns(UndefinedMeasureWarning, match="class 1 has neither true nor predicted samples"):
        values = seen.bootstrap(**macro)
    assert set(values) == {1.0}
    with pytest.warns(UndefinedMeasureWarning, match=r"recall is undefined \(0/0\) for class 1"):
        values = fixed.bootstrap(**macro)
    assert set(values) == {0.5, 1.0}


@pytest.mark.parametrize(
    ("cm", "message"),
    [
        (ConfusionMatrix([THREE, THREE]), r"bootstrap\(\) takes a single matrix; choose one, or pooled\(\)"),
        (ConfusionMatrix([[0.5, 1], [0, 1]]), "fractional weights are not frequencies, resample the rows"),
        (
            ConfusionMatrix.from_predictions([0, 0, 1, 1], [0, 0, 1, 1], sample_weight=[0.5] * 4),
            "fractional weights are not frequencies",
        ),
        (ConfusionMatrix([[50, 50], [10, 10]]).at_prevalence(0.25), "fractional weights are not frequencies"),
        (ConfusionMatrix([[0, 0], [0, 0]]), "needs whole counts of at least one sample"),
    ],
    ids=["stack", "fractions", "fractions with whole sums", "another prevalence", "empty"],
)
def test_what_holds_no_frequencies_is_not_resampled(cm, message):
    with pytest.raises(ValueError, match=message):
        cm.bootstrap("accuracy", 10)


def test_frequency_weights_are_resampled_and_add_up():
    cm = ConfusionMatrix.from_predictions([0, 1], [0, 0], sample_weight=[3.0, 2.0])
    assert (cm + cm).bootstrap(lambda stack: stack.total, 3, random_state=0).tolist() == [10, 10, 10]


def test_a_metric_must_give_one_value_per_replicate():
    cm = ConfusionMatrix(THREE)
    for metric in (lambda stack: stack.pooled().accuracy(), lambda stack: stack.recall(average=None)):
        with pytest.raises(ValueError, match=r"metric must return one value per replicate, .* shape \(5,\)"):
            cm.bootstrap(metric, 5, random_state=0)


def test_bad_arguments_of_bootstrap_are_refused():
    cm = ConfusionMatrix(THREE)
    with pytest.raises(ValueError, match="n_resamples must be an integer not less than 1, got 0"):
        cm.bootstrap("accuracy", 0)
    with pytest.raises(
        ValueError, match="metric must be the name of a label measure, got 'auc'; there are acc"
    ):
        cm.bootstrap("auc", 5)
    with pytest.raises(ValueError, match="metric must be the name of a label measure, got 'None'"):
        cm.bootstrap(None, 5)


# --- large numbers ----------------------------------------------------------------------------------


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


def test_folds_that_lack_a_class_lose_no_row_and_give_the_figures_of_scikit_learn():
    # Three folds of one class each: the model never saw the class that it is tested on.
    order = np.argsort(Y, kind="stable")
    cv = [(np.flatnonzero(k != Y), np.flatnonzero(k == Y)) for k in range(3)]
    results = cross_validate(
        GaussianNB(), X[order], Y[order], cv=cv, scoring=ConfusionScorer([0, 1, 2]), return_estimator=True
    )
    folds = ConfusionMatrix.from_cv_results(results, labels=[0, 1, 2])
    assert folds.counts.shape == (3, 3, 3)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedMeasureWarning)
        macro = folds.f_score(average="macro")
    for split, (model, (_, test)) in enumerate(zip(results["estimator"], cv, strict=True)):
        predicted = model.predict(X[test])
        assert folds.accuracy()[split] == accuracy_score(Y[test], predicted)
        assert macro[split] == pytest.approx(f1_score(Y[test], predicted, average="macro", zero_division=0))


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

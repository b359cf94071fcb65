"""Confusion matrices side by side: what stands in the cells and beside the bars."""

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from skeval.metrics import ConfusionMatrix
from skeval.model_selection import KFoldSplit, evaluate
from skeval.plotting import ConfusionStackDisplay

TRUE = ["cat", "cat", "dog", "dog", "dog", "owl"]
SAID = {"a": ["cat", "dog", "dog", "dog", "dog", "owl"], "b": ["cat"] * 6}


def test_cells_hold_counts_and_shares_of_the_true_class():
    display = ConfusionStackDisplay.from_predictions(TRUE, SAID)
    assert display.cells_["a", "cat", "dog"].get_text() == "1\n50 %"
    assert display.cells_["b", "dog", "cat"].get_text() == "3\n100 %"
    assert [title.get_text().split() for title in display.titles_.values()] == [
        ["a:", "accuracy", "0.833"],
        ["b:", "accuracy", "0.333"],
    ]


def test_a_class_without_samples_has_no_share():
    display = ConfusionStackDisplay.from_predictions(["x", "x"], ["x", "y"])
    assert display.cells_["", "y", "x"].get_text() == "0"
    bars = display.plot(kind="bars")
    assert bars.values_["", "y"].get_text() == "no samples"
    empty = ConfusionStackDisplay.from_result(ConfusionMatrix([[0, 0], [0, 0]]))
    assert empty.titles_[""].get_text() == "no samples"


def test_bars_tell_the_recall():
    display = ConfusionStackDisplay.from_predictions(TRUE, SAID, kind="bars")
    assert display.values_["a", "cat"].get_text() == "50 %  (1 of 2)"
    assert display.values_["b", "owl"].get_text() == "0 %  (0 of 1)"
    assert not display.cells_


def test_models_that_name_other_classes_are_drawn_over_all():
    said = {"a": ["cat"] * 6, "b": ["dog"] * 6}
    display = ConfusionStackDisplay.from_predictions(["cat"] * 6, said)
    assert all(matrix.labels.tolist() == ["cat", "dog"] for matrix in display.matrices.values())


def test_labels_and_weights_are_passed_on():
    display = ConfusionStackDisplay.from_predictions([0, 1], [1, 1], labels=[1, 0], sample_weight=[0.5, 2.25])
    assert display.matrices[""].counts.tolist() == [[2.25, 0], [0.5, 0]]
    assert display.cells_["", 1, 1].get_text() == "2.25\n100 %"


def test_an_evaluation_is_summed_over_its_splits():
    X, y = load_iris(return_X_y=True)
    done = evaluate({"bayes": GaussianNB()}, X, y, cv=KFoldSplit(5, random_state=0))
    display = ConfusionStackDisplay.from_result(done)
    assert display.matrices["bayes"] == done.confusion()["bayes"].pooled()


def test_one_estimator_is_named_after_its_class():
    X, y = load_iris(return_X_y=True)
    one = ConfusionStackDisplay.from_estimator(GaussianNB().fit(X, y), X, y)
    assert list(one.matrices) == ["GaussianNB"]
    models = {"bayes": GaussianNB().fit(X, y), "tree": DecisionTreeClassifier().fit(X, y)}
    assert list(ConfusionStackDisplay.from_estimator(models, X, y).matrices) == ["bayes", "tree"]


def test_forty_classes_have_room(check_texts):
    counts = np.random.default_rng(0).integers(0, 100, (40, 40))
    display = ConfusionStackDisplay.from_result(ConfusionMatrix(counts))
    assert display.cells_["", 0, 0].get_text() == str(counts[0, 0])
    assert check_texts(display.figure_)


def test_bad_input_is_refused():
    with pytest.raises(ValueError, match="at least one"):
        ConfusionStackDisplay({})
    with pytest.raises(TypeError, match=r"matrices\['a'\] must be a ConfusionMatrix, got list"):
        ConfusionStackDisplay({"a": [[1]]})
    one, other = ConfusionMatrix([[1, 0], [0, 1]]), ConfusionMatrix([[1, 0], [0, 1]], ["x", "y"])
    with pytest.raises(ValueError, match="same classes in the same order"):
        ConfusionStackDisplay({"a": one, "b": other})
    with pytest.raises(ValueError, match="kind must be one of 'matrices', 'bars'"):
        ConfusionStackDisplay({"a": one}).plot(kind="pie")

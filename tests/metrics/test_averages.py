"""Macro and micro figures over several binary confusion matrices, and both macro F-scores."""

import warnings

import numpy as np
import pytest
import sklearn.metrics
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_iris
from sklearn.model_selection import cross_validate
from sklearn.naive_bayes import GaussianNB

from skeval.exceptions import UndefinedMeasureWarning
from skeval.metrics import ConfusionMatrix, ConfusionScorer, average_matrices
from tests.reference import load, number

REFERENCE = load("10_confusion_metrics.json")
EXPECTED = REFERENCE["expected"]["n_binary_matrices"]
CELLS = REFERENCE["inputs"]["n_binary_matrices (TP,FN,FP,TN)"]


def exact(value):
    return pytest.approx(value, abs=1e-12, rel=0)


def stack_of(cells):
    return ConfusionMatrix([[[tn, fp], [fn, tp]] for tp, fn, fp, tn in cells])


def test_figures_over_several_matrices_equal_exact_fractions():
    stack = stack_of(CELLS)
    figures = average_matrices(stack)
    assert figures.macro_precision == exact(number(EXPECTED["macro_P"]))
    assert figures.macro_recall == exact(number(EXPECTED["macro_R"]))
    assert figures.fscore_of_means == exact(number(EXPECTED["macro_F1_zhou = 2 mP mR/(mP+mR)"]))
    assert figures.mean_fscore == exact(number(EXPECTED["macro_F1_mean_of_F1"]))
    assert figures.micro_precision == exact(number(EXPECTED["micro_P"]))
    assert figures.micro_recall == exact(number(EXPECTED["micro_R"]))
    assert figures.micro_fscore == exact(number(EXPECTED["micro_F1"]))
    assert stack.precision() == exact([number(value) for value in EXPECTED["P_i"]])
    assert stack.recall() == exact([number(value) for value in EXPECTED["R_i"]])
    assert stack.f_score() == exact([number(value) for value in EXPECTED["F1_i"]])
    assert all(type(value) is float for value in vars(figures).values())


def test_a_matrix_without_predicted_positives_counts_as_zero_and_is_named():
    expected = REFERENCE["expected"]["n_binary_matrices_one_without_predicted_positives"]
    with pytest.warns(UndefinedMeasureWarning, match="precision is undefined .* for class 1 in split 1"):
        figures = average_matrices(stack_of(expected["matrices"]))
    assert figures.macro_precision == exact(number(expected["macro_P_zero_fill"]))
    assert figures.macro_recall == exact(number(expected["macro_R"]))
    assert figures.fscore_of_means == exact(number(expected["macro_F1_zhou_zero_fill"]))
    assert figures.mean_fscore == exact(number(expected["macro_F1_mean_zero_fill"]))
    assert figures.micro_fscore == exact(number(expected["micro_F1"]))


@settings(deadline=None, max_examples=50)
@given(
    cells=st.lists(st.tuples(*[st.integers(1, 50)] * 4), min_size=1, max_size=6),
    beta=st.sampled_from([0.5, 1, 2]),
)
def test_figures_equal_their_definitions(cells, beta):
    figures = average_matrices(stack_of(cells), beta=beta)
    tp, fn, fp, _ = np.array(cells, dtype=float).T
    precision, recall = tp / (tp + fp), tp / (tp + fn)
    square = beta**2

    def f_score(p, r):
        return (1 + square) * p * r / (square * p + r)

    assert figures.fscore_of_means == exact(f_score(precision.mean(), recall.mean()))
    assert figures.mean_fscore == exact(f_score(precision, recall).mean())
    pooled = tp.sum() / (tp + fp).sum(), tp.sum() / (tp + fn).sum()
    assert (figures.micro_precision, figures.micro_recall) == exact(pooled)
    assert figures.micro_fscore == exact(f_score(*pooled))


def test_one_against_the_rest_gives_the_macro_and_micro_of_scikit_learn():
    y_true, y_pred = [0, 1, 2, 2, 1, 0, 2], [0, 2, 2, 1, 1, 1, 2]
    figures = average_matrices(ConfusionMatrix.from_predictions(y_true, y_pred).one_vs_rest())
    macro, micro = (
        [
            function(y_true, y_pred, average=average)
            for function in (
                sklearn.metrics.precision_score,
                sklearn.metrics.recall_score,
                sklearn.metrics.f1_score,
            )
        ]
        for average in ("macro", "micro")
    )
    assert (figures.macro_precision, figures.macro_recall, figures.mean_fscore) == exact(tuple(macro))
    assert (figures.micro_precision, figures.micro_recall, figures.micro_fscore) == exact(tuple(micro))


def test_folds_of_a_cross_validation_give_macro_micro_and_both_f():
    X, y = load_iris(return_X_y=True)
    X, y = X[50:, :2], np.where(y[50:] == 1, "versicolor", "virginica")
    scoring = ConfusionScorer(["versicolor", "virginica"])
    results = cross_validate(
        GaussianNB(), X, y, cv=5, scoring=scoring, return_estimator=True, return_indices=True
    )
    folds = ConfusionMatrix.from_cv_results(results, labels=["versicolor", "virginica"])
    figures = average_matrices(folds, pos_label="virginica")
    tests = results["indices"]["test"]
    predicted = [model.predict(X[test]) for model, test in zip(results["estimator"], tests, strict=True)]

    def per_fold(function):
        return [
            function(y[test], guess, pos_label="virginica")
            for test, guess in zip(tests, predicted, strict=True)
        ]

    precision = np.mean(per_fold(sklearn.metrics.precision_score))
    recall = np.mean(per_fold(sklearn.metrics.recall_score))
    assert figures.macro_precision == exact(precision)
    assert figures.macro_recall == exact(recall)
    assert figures.fscore_of_means == exact(2 * precision * recall / (precision + recall))
    assert figures.mean_fscore == exact(np.mean(per_fold(sklearn.metrics.f1_score)))
    pooled = np.concatenate([y[test] for test in tests]), np.concatenate(predicted)
    assert figures.micro_fscore == exact(sklearn.metrics.f1_score(*pooled, pos_label="virginica"))


def test_the_last_leading_axis_is_averaged():
    folds = stack_of(CELLS)
    candidates = ConfusionMatrix(np.stack([folds.counts, folds.counts[::-1]]))
    figures = average_matrices(candidates)
    assert figures.fscore_of_means == exact([number(EXPECTED["macro_F1_zhou = 2 mP mR/(mP+mR)"])] * 2)
    assert figures.micro_fscore.shape == (2,)


def test_all_zero_figures_are_zero_without_a_nan():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedMeasureWarning)
        figures = average_matrices(ConfusionMatrix([[[5, 0], [5, 0]], [[4, 0], [6, 0]]]))
    assert set(vars(figures).values()) == {0.0}


@pytest.mark.parametrize(
    ("cm", "kwargs", "message"),
    [
        (ConfusionMatrix([[1, 2], [3, 4]]), {}, r"needs several matrices, got one; see one_vs_rest\(\)"),
        (ConfusionMatrix(np.zeros((0, 2, 2))), {}, "needs several matrices, got none"),
        (ConfusionMatrix(np.ones((2, 3, 3))), {}, "A binary measure needs two classes, got 3"),
        (
            ConfusionMatrix(np.ones((2, 2, 2)), labels=["a", "b"]),
            {},
            r"pos_label must name the positive class among the labels \['a', 'b'\]",
        ),
        (ConfusionMatrix(np.ones((2, 2, 2))), {"beta": 0}, r"beta must be a number in \[1e-30, .*, got 0"),
    ],
)
def test_what_cannot_be_averaged_is_refused(cm, kwargs, message):
    with pytest.raises(ValueError, match=message):
        average_matrices(cm, **kwargs)

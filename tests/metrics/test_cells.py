"""Confusion matrices from the cells that cross_validate and a search kept."""

import warnings

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.metrics import accuracy_score, confusion_matrix, f1_score
from sklearn.model_selection import GridSearchCV, cross_validate
from sklearn.naive_bayes import GaussianNB

from skeval.exceptions import MissingScoreError, UndefinedMeasureWarning
from skeval.metrics import ConfusionMatrix, ConfusionScorer

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


def test_a_search_is_not_its_results():
    with pytest.raises(ValueError, match=r"results must be the dict .* or cv_results_ of a search, got Grid"):
        ConfusionMatrix.from_cv_results(GridSearchCV(GaussianNB(), {}))


def test_results_that_lack_cells_are_refused(results):
    lacking = {key: value for key, value in results.items() if key != "test_confusion_0_2"}
    with pytest.raises(
        ValueError, match="must hold all cells of 3 classes in every split, but lack 1 of them"
    ):
        ConfusionMatrix.from_cv_results(lacking)


def test_labels_that_do_not_fit_the_cells_are_refused(results):
    with pytest.raises(ValueError, match="labels must name one class per row of counts: 3 rows, 2 labels"):
        ConfusionMatrix.from_cv_results(results, labels=[0, 1])


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

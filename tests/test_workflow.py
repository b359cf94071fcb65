"""The whole path on scikit-learn's data: scorers in searches, splitters, tests on what came back."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.model_selection import GridSearchCV, cross_val_score, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from skeval.comparison import corrected_resampled_ttest
from skeval.exceptions import MissingScoreError, SplitMismatchError
from skeval.metrics import ConfusionMatrix, ConfusionScorer, MultiScorer, average_matrices, get_scorer
from skeval.model_selection import BootstrapSplit, HoldOutSplit, KFoldSplit

LOADERS = {
    "iris": load_iris,
    "wine": load_wine,
    "breast_cancer": load_breast_cancer,
    "digits": load_digits,
}
METRICS = ["accuracy", "g_mean", "f1_macro"]


@pytest.fixture(params=LOADERS)
def bunch(request):
    return LOADERS[request.param]()


def forms(bunch):
    """The same data as arrays, as a data frame with an odd index, and with string labels."""
    X, y = bunch.data, bunch.target
    yield "arrays", X, y
    names = np.array([f"class {name}" for name in bunch.target_names])
    yield "string labels", X, names[y]
    pandas = pytest.importorskip("pandas")
    index = np.arange(len(y))[::-1] + 1000
    frame = pandas.DataFrame(X, columns=[f"x{i}" for i in range(X.shape[1])], index=index)
    yield "data frame", frame, pandas.Series(names[y], index=index)


def svm():
    return make_pipeline(StandardScaler(), SVC())


def test_search_with_a_scorer_and_a_hold_out(bunch):
    grid = {"svc__C": [0.1, 1, 10]}
    scores = {}
    for form, X, y in forms(bunch):
        search = GridSearchCV(
            svm(), grid, scoring=get_scorer("g_mean"), cv=HoldOutSplit(10, random_state=0), n_jobs=2
        ).fit(X, y)
        assert search.best_params_["svc__C"] in grid["svc__C"]
        scores[form] = search.cv_results_["mean_test_score"]
    for form in ("string labels", "data frame"):
        np.testing.assert_allclose(scores[form], scores["arrays"], atol=1e-8)


def test_splitter_in_cross_val_score(bunch):
    cv = BootstrapSplit(50, random_state=0)
    expected = cross_val_score(GaussianNB(), bunch.data, bunch.target, cv=cv)
    assert expected.shape == (50,)
    for _, X, y in forms(bunch):
        np.testing.assert_allclose(cross_val_score(GaussianNB(), X, y, cv=cv, n_jobs=2), expected, atol=1e-8)


def test_corrected_t_on_what_cross_validate_returned(bunch):
    cv = KFoldSplit(5, n_repeats=2, random_state=0)
    statistics = []
    for _, X, y in forms(bunch):
        a, b = (
            cross_validate(
                model, X, y, cv=cv, scoring=MultiScorer(METRICS), return_indices=True, n_jobs=n_jobs
            )
            for model, n_jobs in ((svm(), 1), (GaussianNB(), 2))
        )
        statistics.append(corrected_resampled_ttest(a, b, metric="g_mean").statistic)
    np.testing.assert_allclose(statistics, statistics[0], atol=1e-6)


def test_n_jobs_changes_neither_splits_nor_scores(bunch):
    runs = [
        cross_validate(
            svm(),
            bunch.data,
            bunch.target,
            cv=HoldOutSplit(6, random_state=3),
            scoring=MultiScorer(METRICS),
            return_indices=True,
            n_jobs=n_jobs,
        )
        for n_jobs in (1, 2)
    ]
    for side in ("train", "test"):
        for one, two in zip(*(run["indices"][side] for run in runs), strict=True):
            np.testing.assert_array_equal(one, two)
    for metric in METRICS:
        np.testing.assert_allclose(runs[0][f"test_{metric}"], runs[1][f"test_{metric}"], atol=1e-8)


def test_cells_of_every_split_give_both_macro_f(bunch):
    labels = np.unique(bunch.target)
    cv = KFoldSplit(5, random_state=0)
    results = cross_validate(GaussianNB(), bunch.data, bunch.target, cv=cv, scoring=ConfusionScorer(labels))
    matrices = ConfusionMatrix.from_cv_results(results, labels=labels)
    assert matrices.counts.shape == (5, len(labels), len(labels))
    assert matrices.pooled().total == len(bunch.target)
    figures = average_matrices(matrices.one_vs_rest())
    # Expected: scikit-learn's macro F1 of each split.
    expected = cross_val_score(GaussianNB(), bunch.data, bunch.target, cv=cv, scoring="f1_macro")
    np.testing.assert_allclose(figures.mean_fscore, expected, atol=1e-12)


def test_scores_from_other_splits_are_not_compared():
    X, y = load_iris(return_X_y=True)
    a, b = (
        cross_validate(GaussianNB(), X, y, cv=KFoldSplit(5, random_state=seed), return_indices=True)
        for seed in (0, 1)
    )
    with pytest.raises(SplitMismatchError, match="split 0 differs"):
        corrected_resampled_ttest(a, b)


def test_a_missing_score_is_named_and_not_compared():
    X, y = load_iris(return_X_y=True)
    a, b = (
        cross_validate(GaussianNB(), X, y, cv=KFoldSplit(5, random_state=0), return_indices=True)
        for _ in range(2)
    )
    a["test_score"][3] = np.nan
    with pytest.raises(MissingScoreError, match="score of a on split 3 is nan"):
        corrected_resampled_ttest(a, b)

"""``skeval demo``: scikit-learn's classifiers on the data sets that scikit-learn ships."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from skeval.cli._output import PNG, plan_files, save_picture, start_drawing, write_csv
from skeval.cli._report import print_pairs, print_ranks
from skeval.cli._tables import print_table
from skeval.comparison import compare_cv, compare_scores
from skeval.model_selection import CVScores, KFoldSplit
from skeval.plotting import CriticalDifferenceDisplay, RocDisplay
from skeval.utils._progress import track
from skeval.utils._tables import cell_text

ALPHA = 0.05
N_FOLDS = 10
_POSITIVE = "malignant"  # of breast_cancer

DATASETS = {
    "iris": load_iris,
    "wine": load_wine,
    "breast_cancer": load_breast_cancer,
    "digits": load_digits,
}


def make_models() -> dict[str, Any]:
    """Return classifiers by name, each with a fixed seed."""
    return {
        "logistic": make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)),
        "bayes": GaussianNB(),
        "neighbors": make_pipeline(StandardScaler(), KNeighborsClassifier()),
        "tree": DecisionTreeClassifier(random_state=0),
        "forest": RandomForestClassifier(random_state=0),
        "svm": make_pipeline(StandardScaler(), SVC()),
    }


def run(*, output: str, n_jobs: int, n_repeats: int) -> None:
    """Evaluate, test, print, write."""
    start_drawing()
    models = make_models()
    header = ["data set", *models]
    begins = {"scores.csv": ",".join(header).encode(), "critical-difference.png": PNG, "roc.png": PNG}
    files = plan_files(output, begins)
    results = _evaluate(models, n_jobs, n_repeats)
    means = {
        model: [float(results[dataset][model].scores.mean()) for dataset in DATASETS] for model in models
    }
    print(f"Accuracy, mean and corrected standard error over {n_repeats} x {N_FOLDS} stratified folds")
    _print_scores(results)
    print("\nPairs on each data set: difference of accuracies, p of the corrected resampled t-test (Holm)")
    _print_pairs_per_dataset(results)

    ranks = compare_scores(means)
    print("\nAll data sets")
    print_ranks(ranks, {name: float(np.mean(scores)) for name, scores in means.items()})
    print(f"\n{ranks.omnibus}\n")
    print_pairs(ranks, ALPHA)
    print(ranks.details["remark"])
    write_csv(files[0], header, list(zip(DATASETS, *means.values(), strict=True)))
    save_picture(CriticalDifferenceDisplay.from_result(ranks, alpha=ALPHA), files[1])
    save_picture(_roc_curves(models, n_jobs), files[2])
    print(f"\nWritten: {', '.join(map(str, files))}")


def _evaluate(models: Mapping[str, Any], n_jobs: int, n_repeats: int) -> dict[str, dict[str, CVScores]]:
    """Return scores by data set and model, all models on the same splits."""
    results: dict[str, dict[str, CVScores]] = {dataset: {} for dataset in DATASETS}
    cv = KFoldSplit(N_FOLDS, n_repeats=n_repeats, random_state=0)
    for dataset, model in track(list(product(DATASETS, models)), "cross-validation"):
        X, y = DATASETS[dataset](return_X_y=True)
        fits = cross_validate(
            models[model], X, y, cv=cv, scoring="accuracy", n_jobs=n_jobs, return_indices=True
        )
        results[dataset][model] = CVScores.from_results(fits)
    return results


def _print_scores(results: Mapping[str, Mapping[str, CVScores]]) -> None:
    rows = []
    for dataset, scores in results.items():
        cells = [f"{one.scores.mean():.3f} ± {one.standard_error():.3f}" for one in scores.values()]
        rows.append([dataset, *cells])
    print_table(["", *next(iter(results.values()))], rows)


def _print_pairs_per_dataset(results: Mapping[str, Mapping[str, CVScores]]) -> None:
    tests = [compare_cv(scores) for scores in results.values()]
    rows = []
    for where, (a, b) in enumerate(tests[0].pairs):
        cells = []
        for test in tests:
            mark = "*" if test.pvalue[where] <= ALPHA else " "
            cells.append(f"{test.estimate[where]:+.3f} {cell_text(test.pvalue[where], 'pvalue'):>8}{mark}")
        rows.append([f"{a} - {b}", *cells])
    print_table(["pair", *results], rows)
    print(f"* different at alpha = {ALPHA}")


def _roc_curves(models: Mapping[str, Any], n_jobs: int) -> RocDisplay:
    """Return the curves of out-of-fold scores on the two-class data set."""
    bunch = load_breast_cancer()
    labels = bunch.target_names[bunch.target]
    display = None
    for name, model in models.items():
        scores = _out_of_fold(model, bunch.data, labels == _POSITIVE, n_jobs)
        ax = display and display.ax_
        display = RocDisplay.from_predictions(labels, scores, pos_label=_POSITIVE, name=name, ax=ax)
    assert display is not None
    return display


def _out_of_fold(model: Any, X: NDArray[Any], y: NDArray[Any], n_jobs: int) -> NDArray[np.float64]:
    method = "decision_function" if hasattr(model, "decision_function") else "predict_proba"
    cv = KFoldSplit(N_FOLDS, random_state=0)
    scores = cross_val_predict(model, X, y, cv=cv, method=method, n_jobs=n_jobs)
    return np.asarray(scores if scores.ndim == 1 else scores[:, 1])

"""What is made from splits: error estimates, evaluations, choices."""

import numpy as np
from sklearn.linear_model import Ridge
from sklearn.model_selection import GridSearchCV, KFold, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from skeval.metrics import ConfusionScorer
from skeval.model_selection import (
    BestMeanRefit,
    Bootstrap632Refit,
    BootstrapSplit,
    CVScores,
    KFoldSplit,
    NotWorseRefit,
    OneStandardErrorRefit,
    WithResubstitution,
    bootstrap_error,
    bootstrap_error_from_results,
    combine_bootstrap_error,
    evaluate,
    nested_cross_validate,
    selection_bias,
    variance_parts,
)
from tests.common.entry import Entry, numbers
from tests.common.lists import data
from tests.common.lists.data import of

_POSITIONS = {"order of the samples": "splits are positions, drawn by the seed"}
_CLASSES = {"X": of("matrix", data.X_THREE), "y": of("labels", data.THREE)}
_REAL = {"X": of("matrix", data.X), "y": of("numbers", data.Y_REAL)}
_GRID = {"var_smoothing": [1e-9, 0.1, 1.0]}


def _error(X, y, *, random_state, n_jobs=None, **options):
    return bootstrap_error(
        GaussianNB(), X, y, n_splits=8, n_jobs=n_jobs, random_state=random_state, **options
    )


def _error_of_regression(X, y, *, random_state, n_jobs=None):
    return bootstrap_error(
        Ridge(), X, y, loss="squared", n_splits=8, n_jobs=n_jobs, random_state=random_state
    )


def _error_from_results(X, y, *, random_state):
    results = cross_validate(
        GaussianNB(),
        X,
        y,
        cv=WithResubstitution(BootstrapSplit(8, random_state=random_state)),
        scoring=ConfusionScorer(np.unique(np.asarray(y))),
    )
    return bootstrap_error_from_results(results)


def _evaluate(X, y, *, random_state, n_jobs=None):
    models = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=1, random_state=0)}
    found = evaluate(models, X, y, cv=KFoldSplit(3, random_state=random_state), n_jobs=n_jobs)
    return found, found.scores("accuracy"), found.confusion(), found.predictions()


def _read_evaluation(parts):
    evaluation, scores, confusion, _ = parts
    return {name: scores[name].scores for name in evaluation.names}, {
        name: confusion[name].counts for name in evaluation.names
    }


def _search(**options):
    return GridSearchCV(GaussianNB(), _GRID, cv=KFold(2), **options)


def _nested(X, y, *, random_state, n_jobs=None):
    return nested_cross_validate(_search(), X, y, cv=KFoldSplit(3, random_state=random_state), n_jobs=n_jobs)


def _variance_parts(X, y, *, random_state, n_jobs=None):
    tree = DecisionTreeClassifier(max_features=1)
    return variance_parts(
        tree, X, y, cv=KFoldSplit(3, random_state=0), n_jobs=n_jobs, random_state=random_state
    )


def _selection_bias(X, y):
    return selection_bias(_search().fit(X, y))


def _refit(rule):
    def choose(X, y):
        return int(_search(refit=rule).fit(X, y).best_index_)

    return choose


def _refit_632(X, y):
    search = GridSearchCV(
        GaussianNB(),
        _GRID,
        cv=WithResubstitution(BootstrapSplit(6, random_state=0)),
        scoring=ConfusionScorer(np.unique(np.asarray(y))),
        refit=Bootstrap632Refit(),
    ).fit(X, y)
    return int(search.best_index_), Bootstrap632Refit().errors(search.cv_results_)


_UNCHANGED = {"order of the samples": "the splits of the search are positions"}
_SMOOTHEST = {"simplicity": "var_smoothing", "test_size": 0.5}

SELECTION = [
    Entry("bootstrap_error", _error, _CLASSES, {"random_state": 0}, without=_POSITIONS),
    Entry(
        "bootstrap_error .632", _error, _CLASSES, {"random_state": 0, "method": ".632"}, without=_POSITIONS
    ),
    Entry("bootstrap_error squared", _error_of_regression, _REAL, {"random_state": 0}, without=_POSITIONS),
    Entry(
        "bootstrap_error_from_results", _error_from_results, _CLASSES, {"random_state": 0}, without=_POSITIONS
    ),
    Entry(
        "combine_bootstrap_error",
        combine_bootstrap_error,
        {
            "resubstitution": numbers(0.25, 0.125, 0.5, axis="split"),
            "leave_one_out": numbers(0.5, 0.5, 0.5, axis="split"),
            "no_information": numbers(0.625, 0.375, 0.5, axis="split"),
        },
        read=sorted,
    ),
    Entry(
        "CVScores",
        lambda scores: CVScores(scores, n_train=90, n_test=10),
        {"scores": of("numbers", data.SPLITS_A, axis="split")},
        without={"order of the samples": "splits keep their order"},
    ),
    Entry(
        "evaluate",
        _evaluate,
        _CLASSES,
        {"random_state": 0},
        without={**_POSITIONS, "order of the classes": "matrices have the classes in their order"},
        read=_read_evaluation,
    ),
    Entry(
        "nested_cross_validate",
        _nested,
        _CLASSES,
        {"random_state": 0},
        without=_POSITIONS,
        read=lambda found: (found.scores.scores, found.inner_scores, found.best_params),
    ),
    Entry("variance_parts", _variance_parts, _CLASSES, {"random_state": 0}, without=_POSITIONS),
    Entry("selection_bias", _selection_bias, _CLASSES, without=_UNCHANGED),
    Entry("BestMeanRefit", _refit(BestMeanRefit()), _CLASSES, without=_UNCHANGED),
    Entry("OneStandardErrorRefit", _refit(OneStandardErrorRefit(**_SMOOTHEST)), _CLASSES, without=_UNCHANGED),
    Entry("NotWorseRefit", _refit(NotWorseRefit(margin=0.1, **_SMOOTHEST)), _CLASSES, without=_UNCHANGED),
    Entry("Bootstrap632Refit", _refit_632, _CLASSES, without=_UNCHANGED),
]

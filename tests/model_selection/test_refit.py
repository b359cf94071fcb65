"""Rules that pick the candidate of a search."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.datasets import load_iris
from sklearn.exceptions import FitFailedWarning
from sklearn.model_selection import GridSearchCV, RandomizedSearchCV, cross_val_score, cross_validate
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from skeval.exceptions import MissingScoreError
from skeval.metrics import ConfusionScorer
from skeval.model_selection import (
    BestMeanRefit,
    Bootstrap632Refit,
    BootstrapSplit,
    KFoldSplit,
    WithResubstitution,
    bootstrap_error_from_results,
)

X, Y = load_iris(return_X_y=True)
X, Y = X[::3], Y[::3]
CV = WithResubstitution(BootstrapSplit(12, random_state=0))
GRID = {"n_neighbors": [1, 7, 25]}


def searched(refit=None, cv=CV, grid=GRID, estimator=None, **given):
    return GridSearchCV(
        KNeighborsClassifier() if estimator is None else estimator,
        grid,
        cv=cv,
        scoring=ConfusionScorer([0, 1, 2]),
        refit=Bootstrap632Refit() if refit is None else refit,
        **given,
    ).fit(X, Y)


@pytest.mark.parametrize(
    ("method", "average"), [(".632+", "pooled"), (".632", "replicate"), ("oob", "pooled")]
)
def test_the_errors_are_those_of_each_candidate_alone(method, average):
    rule = Bootstrap632Refit(method=method, average=average)
    search = searched(rule)
    alone = [
        bootstrap_error_from_results(
            cross_validate(KNeighborsClassifier(k), X, Y, cv=CV, scoring=ConfusionScorer([0, 1, 2])),
            method=method,
            average=average,
        ).estimate
        for k in GRID["n_neighbors"]
    ]
    errors = rule.errors(search.cv_results_)
    assert errors == pytest.approx(alone, abs=1e-12)
    assert search.best_index_ == np.argmin(alone)
    assert search.best_estimator_.n_neighbors == GRID["n_neighbors"][np.argmin(alone)]
    assert search.predict(X).shape == Y.shape


def test_workers_copies_and_random_searches_make_no_difference():
    rule = Bootstrap632Refit()
    one, two = searched(rule), searched(rule, n_jobs=2)
    assert np.array_equal(rule.errors(one.cv_results_), rule.errors(two.cv_results_))
    assert clone(one).refit == rule
    random = RandomizedSearchCV(
        KNeighborsClassifier(),
        GRID,
        n_iter=3,
        cv=CV,
        scoring=ConfusionScorer([0, 1, 2]),
        refit=rule,
        random_state=0,
    ).fit(X, Y)
    assert random.best_params_ == one.best_params_


def test_training_cells_are_checked_where_they_are():
    rule = Bootstrap632Refit()
    errors = rule.errors(searched(rule, return_train_score=True).cv_results_)
    assert np.array_equal(errors, rule.errors(searched(rule).cv_results_))


def test_a_search_can_be_assessed_in_an_outer_loop():
    search = GridSearchCV(
        KNeighborsClassifier(), GRID, cv=CV, scoring=ConfusionScorer([0, 1, 2]), refit=Bootstrap632Refit()
    )
    assert cross_val_score(search, X, Y, cv=KFoldSplit(3, random_state=0), scoring="accuracy").min() > 0.8


class Breakable(ClassifierMixin, BaseEstimator):
    """Predicts `guess`; a guess of -1 cannot be fitted."""

    def __init__(self, guess=0):
        self.guess = guess

    def fit(self, X, y):
        if self.guess < 0:
            raise RuntimeError("broken")
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.guess)


def test_a_failed_candidate_has_a_nan_error_and_never_wins():
    rule = Bootstrap632Refit()
    with pytest.warns(FitFailedWarning, match="broken"), pytest.warns(UserWarning, match="non-finite"):
        search = searched(rule, estimator=Breakable(), grid={"guess": [-1, 0]})
    errors = rule.errors(search.cv_results_)
    assert np.isnan(errors[0])
    assert np.isfinite(errors[1])
    assert search.best_index_ == 1


def test_all_candidates_failed_is_an_error():
    cells = {
        f"split{s}_test_confusion_{i}_{j}": np.full(2, np.nan) for s in (0, 1) for i in (0, 1) for j in (0, 1)
    }
    with pytest.raises(ValueError, match="Every candidate has a nan score"):
        Bootstrap632Refit()(cells)


def test_a_search_without_the_resubstitution_split_is_refused():
    with pytest.raises(ValueError, match=r"The last split must be \(all, all\)"):
        searched(cv=BootstrapSplit(20, random_state=0))
    with pytest.raises(ValueError, match=r"The last split must be \(all, all\)"):
        searched(cv=KFoldSplit(5, random_state=0))


def test_a_search_without_cells_is_refused():
    search = GridSearchCV(KNeighborsClassifier(), GRID, cv=CV, refit=Bootstrap632Refit())
    with pytest.raises(ValueError, match=r"run with scoring=ConfusionScorer\(labels\)"):
        search.fit(X, Y)


def test_options_are_checked_when_the_rule_is_made():
    with pytest.raises(ValueError, match="method must be one of"):
        Bootstrap632Refit(method="632")
    with pytest.raises(ValueError, match="average must be one of 'pooled', 'replicate'"):
        Bootstrap632Refit(average="observation")
    assert repr(Bootstrap632Refit(method="oob")) == "Bootstrap632Refit(method='oob', average='pooled')"


def test_on_noise_632_takes_the_model_that_interpolates_and_out_of_bag_does_not_always():
    # 1-nearest-neighbor has resubstitution error 0, which .632 counts with .368.
    chosen = {".632": [], "oob": []}
    for seed in range(6):
        rng = np.random.default_rng(seed)
        noise, coin = rng.normal(size=(60, 2)), rng.integers(0, 2, 60)
        search = GridSearchCV(
            KNeighborsClassifier(),
            {"n_neighbors": [1, 3, 9, 25]},
            cv=WithResubstitution(BootstrapSplit(25, random_state=seed)),
            scoring=ConfusionScorer([0, 1]),
            refit=Bootstrap632Refit(method=".632"),
        ).fit(noise, coin)
        chosen[".632"].append(search.best_params_["n_neighbors"])
        chosen["oob"].append([1, 3, 9, 25][Bootstrap632Refit(method="oob")(search.cv_results_)])
    assert chosen[".632"] == [1] * 6
    assert set(chosen["oob"]) != {1}


# --- best mean ----------------------------------------------------------------------------------------------


def test_the_best_mean_is_what_scikit_learn_takes():
    tree, grid = DecisionTreeClassifier(random_state=0), {"max_depth": [1, 2, 3]}
    cv = KFoldSplit(5, random_state=0)
    own = GridSearchCV(tree, grid, cv=cv, refit=BestMeanRefit()).fit(X, Y)
    theirs = GridSearchCV(tree, grid, cv=cv).fit(X, Y)
    assert own.best_index_ == theirs.best_index_


def test_one_of_several_scores_is_named():
    scoring = {"accuracy": "accuracy", "f1": "f1_macro"}
    cv = KFoldSplit(5, random_state=0)
    search = GridSearchCV(
        KNeighborsClassifier(), GRID, cv=cv, scoring=scoring, refit=BestMeanRefit("f1")
    ).fit(X, Y)
    assert search.best_index_ == np.argmax(search.cv_results_["mean_test_f1"])
    for wrong in (BestMeanRefit(), BestMeanRefit("auc")):
        with pytest.raises(
            ValueError, match=r"metric must be one of the search's scores \['accuracy', 'f1'\]"
        ):
            wrong(search.cv_results_)


def scores(*splits):
    return {f"split{number}_test_score": np.array(values) for number, values in enumerate(splits)}


def test_a_nan_score_takes_a_candidate_out():
    assert BestMeanRefit()(scores([np.nan, 0.5, 0.4], [1.0, 0.5, 0.7])) == 2
    with pytest.raises(ValueError, match="Every candidate has a nan score"):
        BestMeanRefit()(scores([np.nan, 0.5], [1.0, np.nan]))


def test_ties_go_to_the_first_also_where_the_sums_differ_by_rounding():
    # .1 + .2 + .3 and .3 + .2 + .1 differ in the last bit.
    assert BestMeanRefit()(scores([0.3, 0.1], [0.2, 0.2], [0.1, 0.3])) == 0
    assert BestMeanRefit()(scores([0.1, 0.3], [0.2, 0.2], [0.3, 0.1])) == 0
    assert BestMeanRefit()(scores([0.0, 0.0, -1.0])) == 0


def test_scores_of_one_model_have_no_best_candidate():
    with pytest.raises(
        ValueError, match="cv_results must be cv_results_ of a search, got no mean_test_ scores"
    ):
        BestMeanRefit()({"test_score": np.array([0.8, 0.9])})


@pytest.mark.parametrize("bad", [np.inf, -np.inf])
def test_an_infinite_score_is_no_best_mean(bad):
    results = {"split0_test_score": np.array([bad, 1.0]), "split1_test_score": np.array([-bad, 1.0])}
    with pytest.raises(MissingScoreError, match=f"got {bad:g} on split 0"):
        BestMeanRefit()(results)

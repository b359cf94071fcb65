"""Nested cross-validation: outer scores, inner choices, their stability, what is passed on."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.datasets import load_diabetes, load_iris
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import make_scorer, roc_auc_score
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    KFold,
    LeaveOneOut,
    PredefinedSplit,
    RandomizedSearchCV,
    TimeSeriesSplit,
    cross_val_score,
)
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skeval.exceptions import DependenceWarning, UndefinedMeasureWarning
from skeval.metrics import ConfusionScorer, MultiScorer, get_scorer
from skeval.model_selection import (
    BestMeanRefit,
    Bootstrap632Refit,
    BootstrapSplit,
    KFoldSplit,
    OneStandardErrorRefit,
    WithResubstitution,
    nested_cross_validate,
)

X, Y = load_iris(return_X_y=True)
X, Y = X[::2, :2], Y[::2]
NAMES = np.array(["setosa", "versicolor", "virginica"])[Y]
INNER, OUTER = KFoldSplit(3, random_state=0), KFoldSplit(4, random_state=1)
GRID = {"n_neighbors": [1, 7, 25]}


def knn(**given):
    return GridSearchCV(KNeighborsClassifier(), GRID, **{"cv": INNER} | given)


@pytest.fixture(scope="module")
def result():
    return nested_cross_validate(knn(), X, Y, cv=OUTER)


def by_hand(search, cv):
    """Return the fitted search of every outer split."""
    return [clone(search).fit(X[train], Y[train]) for train, _ in cv.split(X, Y)]


def test_outer_scores_are_those_of_scikit_learn(result):
    assert result.scores.scores == pytest.approx(cross_val_score(knn(), X, Y, cv=OUTER))
    for (train, test), own in zip(result.scores.indices, OUTER.split(X, Y), strict=True):
        assert np.array_equal(train, own[0])
        assert np.array_equal(test, own[1])
    assert result.scores.metric == "accuracy"


def test_inner_choices_and_scores_are_those_of_the_searches(result):
    searches = by_hand(knn(), OUTER)
    assert list(result.best_params) == [search.best_params_ for search in searches]
    assert result.inner_scores == pytest.approx([search.best_score_ for search in searches])
    assert result.optimism == pytest.approx(result.inner_scores - result.scores.scores)


def test_outer_predictions_are_those_of_the_searches(result):
    said = result.predictions()
    for search, (number, (_, test)) in zip(by_hand(knn(), OUTER), enumerate(OUTER.split(X, Y)), strict=True):
        assert np.array_equal(said.y_pred["search"][said.split == number], search.predict(X[test]))
    assert np.array_equal(said.y_true, Y[said.row])
    # Any other metric follows without a fit.
    pooled = result.evaluation.confusion()["search"].pooled()
    assert pooled.accuracy() == pytest.approx((said.y_true == said.y_pred["search"]).mean())
    assert len(result.evaluation.scores("f1_macro")["search"].scores) == 4


def test_stability_is_the_share_of_the_most_frequent_choice():
    searched = nested_cross_validate(knn(), X, Y, cv=KFoldSplit(5, random_state=2))
    chosen = [params["n_neighbors"] for params in searched.best_params]
    counts = np.unique(chosen, return_counts=True)[1]
    assert searched.stability == counts.max() / 5
    assert searched.choices[0][0] in searched.best_params
    assert sorted((count for _, count in searched.choices), reverse=True) == [c for _, c in searched.choices]
    assert sum(count for _, count in searched.choices) == 5


def test_choices_that_are_estimators_count_as_equal():
    search = GridSearchCV(
        make_pipeline(StandardScaler(), KNeighborsClassifier()),
        {"standardscaler": ["passthrough", StandardScaler()], "kneighborsclassifier__n_neighbors": [5]},
        cv=INNER,
    )
    searched = nested_cross_validate(search, X, Y, cv=OUTER)
    assert len(searched.choices) <= 2


def test_a_table_of_the_choices(result):
    frame = result.frame()
    assert list(frame) == ["split", "score", "inner_score", "optimism", "n_neighbors"]
    assert frame["n_neighbors"].tolist() == [params["n_neighbors"] for params in result.best_params]
    assert "optimism" in str(result)
    assert "<table" in result._repr_html_()


def test_workers_change_nothing(result):
    for given in ({"n_jobs": 2}, {"n_jobs": None}):
        other = nested_cross_validate(knn(), X, Y, cv=OUTER, **given)
        assert np.array_equal(other.scores.scores, result.scores.scores)
        assert np.array_equal(other.inner_scores, result.inner_scores)
        assert other.best_params == result.best_params
    inner = nested_cross_validate(knn(n_jobs=2), X, Y, cv=OUTER, n_jobs=2)
    assert np.array_equal(inner.scores.scores, result.scores.scores)


def test_with_a_parallel_search_the_outer_loop_is_serial():
    # A search in a worker of the outer loop would itself be in another process: its fits leave no trace here.
    seen = []

    class Search(GridSearchCV):
        def fit(self, X, y=None, **given):
            seen.append(1)
            return super().fit(X, y, **given)

    search = Search(KNeighborsClassifier(), {"n_neighbors": [1, 5]}, cv=INNER, n_jobs=2)
    nested_cross_validate(search, X, Y, cv=OUTER, n_jobs=2)
    assert len(seen) == 4


def test_string_labels_data_frames_and_random_searches():
    search = RandomizedSearchCV(KNeighborsClassifier(), GRID, n_iter=2, random_state=0, cv=INNER)
    one = nested_cross_validate(
        search, pd.DataFrame(X, index=np.arange(len(X))[::-1]), pd.Series(NAMES), cv=OUTER
    )
    two = nested_cross_validate(search, X, Y, cv=OUTER)
    assert one.scores.scores == pytest.approx(two.scores.scores)
    assert one.best_params == two.best_params
    assert set(one.predictions().y_pred["search"]) <= set(NAMES)


def test_regression():
    data, target = load_diabetes(return_X_y=True)
    search = GridSearchCV(Ridge(), {"alpha": [0.01, 1, 100]}, cv=INNER)
    searched = nested_cross_validate(search, data, target, cv=OUTER)
    assert searched.scores.metric == "r2"
    assert searched.scores.scores == pytest.approx(cross_val_score(search, data, target, cv=OUTER))
    other = nested_cross_validate(search, data, target, cv=OUTER, scoring="neg_mean_squared_error")
    assert np.isnan(other.inner_scores).all()  # the search has another score
    assert "optimism" not in str(other)


# --- scores


def test_the_score_of_the_search_is_used_by_default():
    binary = (Y == 1).astype(int)
    search = GridSearchCV(KNeighborsClassifier(), GRID, cv=INNER, scoring="roc_auc")
    searched = nested_cross_validate(search, X, binary, cv=OUTER)
    assert searched.scores.metric == "roc_auc"
    assert searched.scores.scores == pytest.approx(cross_val_score(search, X, binary, cv=OUTER))
    assert np.isfinite(searched.inner_scores).all()


def test_a_scorer_of_the_search_is_used_too():
    scorer = make_scorer(roc_auc_score, response_method="predict_proba", multi_class="ovr")
    searched = nested_cross_validate(knn(scoring=scorer), X, Y, cv=OUTER)
    assert searched.scores.scores == pytest.approx(cross_val_score(knn(scoring=scorer), X, Y, cv=OUTER))
    assert np.isfinite(searched.inner_scores).all()


def test_one_of_several_scores_is_named():
    search = knn(scoring=["accuracy", "f1_macro"], refit=BestMeanRefit("f1_macro"))
    with pytest.raises(ValueError, match="scoring must name one score"):
        nested_cross_validate(search, X, Y, cv=OUTER)
    searched = nested_cross_validate(search, X, Y, cv=OUTER, scoring="f1_macro")
    expected = [fit.cv_results_["mean_test_f1_macro"][fit.best_index_] for fit in by_hand(search, OUTER)]
    assert searched.inner_scores == pytest.approx(expected)


def test_a_scorer_of_several_scores_is_refused():
    search = knn(scoring=MultiScorer(["accuracy", "g_mean"]), refit="accuracy")
    with pytest.raises(ValueError, match="scoring must be one score, got the several"):
        nested_cross_validate(search, X, Y, cv=OUTER)
    assert np.isfinite(nested_cross_validate(search, X, Y, cv=OUTER, scoring="accuracy").inner_scores).all()


def test_a_rule_for_the_choice_has_an_inner_score():
    search = knn(refit=OneStandardErrorRefit(simplicity={"n_neighbors": "larger"}, test_size=1 / 3))
    searched = nested_cross_validate(search, X, Y, cv=OUTER)
    expected = [fit.cv_results_["mean_test_score"][fit.best_index_] for fit in by_hand(search, OUTER)]
    assert searched.inner_scores == pytest.approx(expected)


def test_the_resubstitution_split_is_not_in_the_inner_score():
    cv = WithResubstitution(KFold(3))
    searched = nested_cross_validate(
        knn(cv=cv, refit=lambda results: 0), X[np.argsort(Y % 5)], Y[np.argsort(Y % 5)], cv=OUTER
    )
    assert (searched.inner_scores < 1).all()  # of one nearest neighbor, with it nearer to 1
    cells = knn(
        cv=WithResubstitution(BootstrapSplit(5, random_state=0)),
        scoring=ConfusionScorer([0, 1, 2]),
        refit=Bootstrap632Refit(method="oob"),
    )
    searched = nested_cross_validate(cells, X, Y, cv=OUTER, scoring="accuracy")
    assert np.isnan(searched.inner_scores).all()
    assert np.isfinite(searched.scores.scores).all()


def test_a_positive_class_is_named():
    binary = np.where(Y == 1, "ill", "well")
    search = knn(scoring=get_scorer("f1", pos_label="ill"))
    with pytest.raises(ValueError, match="pos_label"):
        nested_cross_validate(search, X, binary, cv=OUTER, scoring="f1")
    searched = nested_cross_validate(search, X, binary, cv=OUTER, scoring="f1", pos_label="ill")
    assert searched.scores.scores == pytest.approx(
        nested_cross_validate(search, X, binary, cv=OUTER).scores.scores
    )


# --- groups and weights


class Noted(ClassifierMixin, BaseEstimator):
    """Majority class; keeps the rows (their only feature) and the weights that it was fitted on."""

    fits: list = []  # noqa: RUF012

    def __init__(self, guess=0):
        self.guess = guess

    def fit(self, X, y, sample_weight=None):
        self.fits.append((np.asarray(X)[:, 0].astype(int), sample_weight))
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[self.guess])


ROWS = np.arange(24)[:, None].astype(float)
LABELS = np.tile([0, 1], 12)
GROUPS = np.repeat(["a", "b", "c", "d", "e", "f", "g", "h"], 3)


@pytest.fixture
def noted():
    Noted.fits.clear()
    return Noted.fits


@pytest.mark.parametrize("inner", [KFoldSplit(3, random_state=0), GroupKFold(3)])
def test_groups_are_kept_together_outside_and_inside(noted, inner):
    search = GridSearchCV(Noted(), {"guess": [0, 1]}, cv=inner)
    searched = nested_cross_validate(search, ROWS, LABELS, cv=GroupKFold(4), groups=GROUPS)
    for train, test in searched.scores.indices:
        assert not set(GROUPS[train]) & set(GROUPS[test])
    # Every fit, inner ones too, holds a group whole or not at all.
    for rows, _ in noted:
        assert all(count == 3 for count in np.unique(GROUPS[rows], return_counts=True)[1])


def test_a_search_that_ignores_groups_is_told(noted):
    search = GridSearchCV(Noted(), {"guess": [0, 1]}, cv=3)
    with pytest.warns(DependenceWarning, match="not by the search's cv=3"):
        searched = nested_cross_validate(search, ROWS, LABELS, cv=GroupKFold(4), groups=GROUPS)
    for train, test in searched.scores.indices:
        assert not set(GROUPS[train]) & set(GROUPS[test])


def test_weights_reach_every_fit_and_the_outer_scores(noted):
    weight = np.arange(1, 25)
    search = GridSearchCV(Noted(), {"guess": [0]}, cv=INNER)
    searched = nested_cross_validate(search, ROWS, LABELS, cv=KFold(4), sample_weight=weight)
    assert noted
    for rows, given in noted:
        assert np.array_equal(weight[rows], given)
    expected = [np.average(LABELS[test] == 0, weights=weight[test]) for _, test in KFold(4).split(ROWS)]
    assert searched.scores.scores == pytest.approx(expected)


def test_weights_of_a_pipeline_reach_its_last_step():
    search = GridSearchCV(
        make_pipeline(StandardScaler(), LogisticRegression()), {"logisticregression__C": [1.0]}, cv=INNER
    )
    heavy = np.where(Y == 1, 100, 1)
    plain, weighted = (
        nested_cross_validate(search, X, Y, cv=OUTER, sample_weight=weight).predictions().y_pred["search"]
        for weight in (None, heavy)
    )
    assert (weighted == 1).sum() > (plain == 1).sum()


def test_weights_that_a_fit_does_not_take_are_refused():
    with pytest.raises(ValueError, match="takes no sample_weight"):
        nested_cross_validate(knn(), X, Y, cv=OUTER, sample_weight=np.ones(len(Y)))


# --- what is refused


def test_a_model_without_tuning_is_refused():
    with pytest.raises(TypeError, match="search must be a search over parameters"):
        nested_cross_validate(KNeighborsClassifier(), X, Y, cv=OUTER)


def test_a_search_without_a_winner_is_refused():
    with pytest.raises(ValueError, match="refit other than False"):
        nested_cross_validate(knn(refit=False), X, Y, cv=OUTER)


def test_splits_that_leak_and_lengths_that_differ_are_refused():
    everything = np.arange(len(Y))
    with pytest.raises(ValueError, match="split 0 tests on a row it trained on"):
        nested_cross_validate(knn(), X, Y, cv=[(everything, everything)])
    with pytest.raises(ValueError, match="X and y must have the same length"):
        nested_cross_validate(knn(), X, Y[1:], cv=OUTER)


def test_outer_splits_in_time_order_are_allowed():
    search = GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 5]}, cv=INNER)
    searched = nested_cross_validate(search, X, np.tile([0, 1, 2], 25), cv=TimeSeriesSplit(3))
    assert searched.scores.n_splits == 3


def test_a_single_outer_split():
    first = next(KFoldSplit(2, random_state=0).split(X, Y))
    search = GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 5]}, cv=INNER)
    searched = nested_cross_validate(search, X, Y, cv=[first])
    assert searched.scores.n_splits == 1
    assert searched.stability == 1


def test_an_outer_split_without_a_class_is_named_and_leave_one_out_is_refused():
    """The last outer part holds class 1 only: it has no AUC."""
    two, fold = Y[Y < 2], np.r_[np.arange(25) % 2, np.arange(25) % 3]
    search = GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 3]}, cv=KFoldSplit(2, random_state=0))
    with pytest.warns(UndefinedMeasureWarning, match=r"model 'search', split 2 of 3; nan in split 2"):
        found = nested_cross_validate(search, X[Y < 2], two, cv=PredefinedSplit(fold), scoring="roc_auc")
    assert found.scores.omitted == (2,)
    with pytest.raises(ValueError, match="one sample, as split 0 has"):
        nested_cross_validate(search, X[Y < 2], two, cv=LeaveOneOut(), scoring="roc_auc")

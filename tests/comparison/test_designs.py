"""One call for several methods on the splits of one data set."""

import math
import pickle

import numpy as np
import pytest
from sklearn.datasets import load_diabetes, load_iris
from sklearn.dummy import DummyClassifier
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    HalvingGridSearchCV,
    KFold,
    ShuffleSplit,
    StratifiedKFold,
    TimeSeriesSplit,
    cross_validate,
)
from sklearn.tree import DecisionTreeClassifier

from skeval.comparison import (
    adjust_pvalues,
    compare_candidates,
    compare_cv,
    corrected_resampled_ttest,
    correlated_bayes_ttest,
)
from skeval.comparison._designs import MAX_CANDIDATES
from skeval.exceptions import DegenerateDataWarning, MissingScoreError, SplitMismatchError
from skeval.model_selection import CVScores

GENERATOR = np.random.default_rng(0)
SCORES = {name: shift + 0.05 * GENERATOR.random(10) for name, shift in (("a", 0.8), ("b", 0.81), ("c", 0.7))}
SIZES = {"n_train": 90, "n_test": 10}


# --- one data set ---


def test_all_pairs_are_corrected_t_tests_adjusted_together():
    result = compare_cv(SCORES, **SIZES)
    assert result.pairs == (("a", "b"), ("a", "c"), ("b", "c"))
    tests = [corrected_resampled_ttest(SCORES[a], SCORES[b], **SIZES) for a, b in result.pairs]
    assert result.statistic.tolist() == [test.statistic for test in tests]
    assert result.raw_pvalue.tolist() == [test.pvalue for test in tests]
    assert result.estimate.tolist() == [test.estimate for test in tests]
    assert result.pvalue.tolist() == adjust_pvalues(result.raw_pvalue, method="holm").tolist()
    assert result.groups() == [("a", "b")]


def test_another_adjustment_and_a_direction():
    result = compare_cv(SCORES, adjust="bonferroni", alternative="greater", **SIZES)
    one = corrected_resampled_ttest(SCORES["a"], SCORES["b"], alternative="greater", **SIZES)
    assert result.raw_pvalue[0] == one.pvalue
    assert result.pvalue[0] == min(1, 3 * one.pvalue)
    with pytest.raises(ValueError, match="adjust must be one of"):
        compare_cv(SCORES, adjust="tukey", **SIZES)


def test_reads_cross_validate_and_picks_a_metric():
    X, y = load_iris(return_X_y=True)
    cv = StratifiedKFold(5, shuffle=True, random_state=0)
    models = {
        "dummy": DummyClassifier(),
        "tree": DecisionTreeClassifier(random_state=0),
        "linear": LogisticRegression(max_iter=500),
    }
    results = {
        name: cross_validate(
            model, X, y, cv=cv, return_indices=True, scoring=("accuracy", "balanced_accuracy")
        )
        for name, model in models.items()
    }
    result = compare_cv(results, metric="accuracy")
    assert result.methods == ("dummy", "tree", "linear")
    assert ("tree", "linear") in result.groups()
    with pytest.raises(ValueError, match=r"dummy: metric must name one of .*'accuracy', 'balanced_accuracy'"):
        compare_cv(results)
    other = cross_validate(
        models["tree"], X, y, cv=StratifiedKFold(5, shuffle=True, random_state=1), return_indices=True
    )
    with pytest.raises(SplitMismatchError, match=r"dummy and tree must come from .* but split 0 differs"):
        compare_cv({"dummy": results["dummy"] | {"test_score": np.zeros(5)}, "tree": other}, metric="score")


def test_messages_name_the_method():
    broken = SCORES | {"b": np.array([*SCORES["b"][:9], math.nan])}
    with pytest.raises(MissingScoreError, match="score of b on split 9 is nan"):
        compare_cv(broken, **SIZES)
    result = compare_cv(broken, nan_policy="omit", **SIZES)
    assert result.df.tolist() == [8, 9, 8]


def test_a_method_under_two_names_is_not_told_apart():
    with pytest.warns(DegenerateDataWarning, match="zero variance: a and again are identical"):
        result = compare_cv({"a": SCORES["a"], "again": SCORES["a"]}, **SIZES)
    assert result.pvalue.tolist() == [1.0]
    assert result.groups() == [("a", "again")]


@pytest.mark.parametrize("results", [{}, {"a": [0.1, 0.2]}, [[0.1, 0.2], [0.3, 0.4]]])
def test_at_least_two_named_methods_are_needed(results):
    with pytest.raises(ValueError, match=r"dict of \{name: scores\} with at least 2 methods"):
        compare_cv(results, **SIZES)


def test_two_names_that_read_alike_are_refused():
    results = {1: [0.1, 0.2, 0.3], "1": [0.2, 0.1, 0.3], "c": [0.3, 0.1, 0.2]}
    with pytest.raises(ValueError, match=r"results must name each method once, got \['1', '1', 'c'\]"):
        compare_cv(results, n_train=9, n_test=1)


def test_standard_errors_and_intervals_are_those_of_each_test():
    result = compare_cv(SCORES, **SIZES)
    for where, (a, b) in enumerate(result.pairs):
        test = corrected_resampled_ttest(SCORES[a], SCORES[b], **SIZES)
        assert result.standard_error[where] == test.standard_error
        assert result.df[where] == test.df
        assert result.confidence_intervals(0.9)[where] == pytest.approx(test.confidence_interval(0.9))
    wide, narrow = (result.confidence_intervals(simultaneous=together) for together in (True, False))
    assert (wide[:, 0] < narrow[:, 0]).all()
    # Bonferroni on three intervals.
    assert wide == pytest.approx(result.confidence_intervals(1 - 0.05 / 3))


def test_posterior_probabilities_beside_the_tests():
    result = compare_cv(SCORES, rope=0.01, **SIZES)
    for where, (a, b) in enumerate(result.pairs):
        posterior = correlated_bayes_ttest(SCORES[a], SCORES[b], rope=0.01, **SIZES)
        for side in ("a_better", "equivalent", "b_better"):
            assert result.per_pair[side][where] == getattr(posterior, side)
    assert "a_better" not in compare_cv(SCORES, **SIZES).per_pair
    with pytest.raises(ValueError, match="rope must be a number in"):
        compare_cv(SCORES, rope=-0.01, **SIZES)


def test_the_explanation_says_what_why_and_what_else():
    told = compare_cv(SCORES, **SIZES).explanation
    for words in (
        "share training rows",
        "3 p-values were adjusted by holm",
        "Alternatives: equivalence_test",
    ):
        assert words in told


def test_splits_are_checked_whichever_method_carries_them():
    cv = list(KFold(5).split(np.zeros(50)))
    carried = CVScores([0.8, 0.7, 0.9, 0.8, 0.7], indices=cv)
    result = compare_cv({"plain": [0.7, 0.7, 0.8, 0.9, 0.6], "carried": carried, "other": [0.9] * 5})
    assert result.per_pair["n_splits"].tolist() == [5, 5, 5]
    moved = CVScores(carried.scores, indices=[(test, train) for train, test in cv])
    with pytest.raises(SplitMismatchError, match="carried and moved must come from the same splits"):
        compare_cv({"plain": [0.7] * 5, "carried": carried, "moved": moved})
    in_time = list(TimeSeriesSplit(5).split(np.zeros(50)))
    with pytest.raises(ValueError, match="time-ordered"):
        compare_cv({"a": CVScores(carried.scores, indices=in_time), "b": [0.7] * 5})
    with pytest.raises(ValueError, match="n_train and n_test must be known"):
        compare_cv(SCORES)


# --- candidates of a search ---

X, Y = load_iris(return_X_y=True)


def fitted(cv=5, depths=(1, 2, 3), **options):
    search = GridSearchCV(
        DecisionTreeClassifier(random_state=0), {"max_depth": list(depths)}, cv=cv, **options
    )
    return search.fit(X, Y)


def test_candidates_are_compared_by_the_corrected_t_test_of_their_splits():
    search = fitted()
    result = compare_candidates(search, X, Y)
    assert result.methods == ("max_depth=1", "max_depth=2", "max_depth=3")
    rows = [[search.cv_results_[f"split{split}_test_score"][row] for split in range(5)] for row in range(3)]
    for where, (a, b) in enumerate(((0, 1), (0, 2), (1, 2))):
        test = corrected_resampled_ttest(rows[a], rows[b], n_train=120, n_test=30)
        assert result.statistic[where] == pytest.approx(test.statistic)
        assert result.raw_pvalue[where] == pytest.approx(test.pvalue)
    assert result.pvalue == pytest.approx(adjust_pvalues(result.raw_pvalue, method="holm"))
    assert result.details["candidates"] == (0, 1, 2)
    assert pickle.loads(pickle.dumps(result)).groups() == result.groups()


def test_sizes_may_be_given_instead_of_the_data():
    search = fitted()
    expected = compare_candidates(search, X, Y).statistic.tolist()
    assert compare_candidates(search, n_train=120, n_test=30).statistic == pytest.approx(expected)
    assert compare_candidates(search.cv_results_, n_train=120, n_test=30).statistic == pytest.approx(expected)
    with pytest.raises(ValueError, match="y must be passed too"):
        compare_candidates(search, X)
    assert compare_candidates(search, y=Y).statistic == pytest.approx(expected)
    with pytest.raises(ValueError, match="n_train and n_test must be known"):
        compare_candidates(search)
    with pytest.raises(ValueError, match="of use only with the fitted search"):
        compare_candidates(search.cv_results_, X, Y)


def test_splits_that_cannot_be_made_again_need_sizes():
    drawn_anew = ShuffleSplit(20, test_size=30, random_state=np.random.RandomState(0))
    search = fitted(cv=drawn_anew)
    with pytest.raises(ValueError, match="cv must give the same splits again"):
        compare_candidates(search, X, Y)
    assert compare_candidates(search, X, Y, n_train=120, n_test=30).df.tolist() == [19, 19, 19]
    seeded = fitted(cv=ShuffleSplit(4, test_size=30, random_state=0))
    assert compare_candidates(seeded, X, Y).df.tolist() == [3, 3, 3]
    listed = fitted(cv=list(KFold(5, shuffle=True, random_state=0).split(X)))
    assert compare_candidates(listed, X, Y).df.tolist() == [4, 4, 4]
    listed.cv = listed.cv[:4]
    with pytest.raises(SplitMismatchError, match="5 scores, 4 splits"):
        compare_candidates(listed, X, Y)


def test_groups_reach_the_splitter():
    groups = np.arange(150) % 10
    search = GridSearchCV(DecisionTreeClassifier(random_state=0), {"max_depth": [1, 2]}, cv=GroupKFold(5))
    search.fit(X, Y, groups=groups)
    assert compare_candidates(search, X, Y, groups=groups).df.tolist() == [4]


def test_regressors_are_split_without_strata():
    features, target = load_diabetes(return_X_y=True)
    search = GridSearchCV(Ridge(), {"alpha": [0.1, 10]}, cv=5).fit(features, target)
    assert compare_candidates(search, features, target).methods == ("alpha=0.1", "alpha=10")


def test_candidates_are_named_by_row_or_name_and_many_must_be():
    search = fitted(depths=range(1, MAX_CANDIDATES + 2))
    with pytest.raises(ValueError, match="candidates must name which to compare: the search has 21"):
        compare_candidates(search, X, Y)
    by_row = compare_candidates(search, X, Y, candidates=[2, 0])
    by_name = compare_candidates(search, X, Y, candidates=["max_depth=3", "max_depth=1"])
    assert by_row.methods == by_name.methods == ("max_depth=3", "max_depth=1")
    assert by_row.pvalue.tolist() == by_name.pvalue.tolist()
    assert by_row.details["candidates"] == (2, 0)
    for wrong, told in (
        ([99, 0], "got 99"),
        (["max_depth=99"], "got 'max_depth=99'"),
        ([True, 0], "got True"),
    ):
        with pytest.raises(ValueError, match=f"candidates must hold rows of cv_results_, 0 to 20.*{told}"):
            compare_candidates(search, X, Y, candidates=wrong)
    for few in ([1], [1, 1], []):
        with pytest.raises(ValueError, match="candidates must name at least 2, each once"):
            compare_candidates(search, X, Y, candidates=few)


def test_names_hold_the_parameters_that_differ():
    tree = DecisionTreeClassifier(random_state=0)
    grids = [{"max_depth": [1, 2], "criterion": ["gini"]}, {"min_samples_leaf": [5], "criterion": ["gini"]}]
    search = GridSearchCV(tree, grids, cv=3).fit(X, Y)
    result = compare_candidates(search, X, Y)
    assert result.methods == ("max_depth=1", "max_depth=2", "min_samples_leaf=5")
    with pytest.warns(DegenerateDataWarning, match="0: max_depth=2 and 1: max_depth=2 are identical"):
        twice = compare_candidates(fitted(depths=(2, 2)), X, Y)
    assert twice.methods == ("0: max_depth=2", "1: max_depth=2")


def test_the_metric_is_that_of_refit_or_named():
    search = fitted(scoring=["accuracy", "neg_log_loss"], refit="neg_log_loss")
    by_refit = compare_candidates(search, X, Y)
    assert (
        by_refit.statistic.tolist()
        == compare_candidates(search, X, Y, metric="neg_log_loss").statistic.tolist()
    )
    assert (
        by_refit.statistic.tolist() != compare_candidates(search, X, Y, metric="accuracy").statistic.tolist()
    )
    unfitted = fitted(scoring=["accuracy", "neg_log_loss"], refit=False)
    with pytest.raises(ValueError, match="metric must name one of the scores"):
        compare_candidates(unfitted, X, Y)


def test_probabilities_of_candidates():
    result = compare_candidates(fitted(), X, Y, rope=0.01)
    total = sum(result.per_pair[side] for side in ("a_better", "equivalent", "b_better"))
    assert total == pytest.approx(np.ones(3))


def test_a_failed_fit_is_named():
    search = fitted()
    search.cv_results_["split2_test_score"][1] = math.nan
    with pytest.raises(MissingScoreError, match="score of max_depth=2 on split 2 is nan"):
        compare_candidates(search, X, Y)
    result = compare_candidates(search, X, Y, nan_policy="omit")
    assert result.per_pair["n_splits"].tolist() == [4, 5, 4]


def test_what_is_no_grid_search_is_refused():
    halving = HalvingGridSearchCV(
        DecisionTreeClassifier(random_state=0), {"max_depth": [1, 2, 3]}, cv=3, random_state=0
    ).fit(X, Y)
    with pytest.raises(ValueError, match="halving search"):
        compare_candidates(halving, X, Y)
    with pytest.raises(ValueError, match="search must be a fitted GridSearchCV"):
        compare_candidates([0.1, 0.2, 0.3], n_train=2, n_test=1)

"""Rules that pick the simplest candidate that is good enough."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV, RandomizedSearchCV
from sklearn.tree import DecisionTreeClassifier

from skeval.model_selection import (
    BestMeanRefit,
    KFoldSplit,
    NotWorseRefit,
    OneStandardErrorRefit,
)

X, Y = load_iris(return_X_y=True)
X, Y = X[::2], Y[::2]


def table(scores, params=None, metric="score"):
    """Return cv_results_ of these scores, one row per candidate."""
    scores = np.array(scores, dtype=float)
    columns = {f"split{number}_test_{metric}": column for number, column in enumerate(scores.T)}
    params = [{"depth": number} for number in range(1, len(scores) + 1)] if params is None else params
    return columns | {f"mean_test_{metric}": scores.mean(axis=1), "params": params}


# Ten folds; candidates 0, 1, 2 of depth 1, 2, 3; the last is best.
BEST = np.array([0.80, 0.90, 0.70, 0.85, 0.95, 0.75, 0.80, 0.90, 0.85, 0.80])
NEAR = BEST - np.array([0.02, -0.02, 0.03, 0.00, 0.01, -0.01, 0.02, 0.00, -0.02, 0.01])
FAR = BEST - np.array([0.03, 0.02, 0.04, 0.03, 0.02, 0.03, 0.04, 0.03, 0.02, 0.03])


# --- one standard error


def test_the_standard_error_is_the_corrected_one_of_the_difference_to_the_best():
    # By hand: NEAR is .004 behind, s = .01713 over 10 differences; the root of (1/10 + 1/9) s^2 is .00787.
    rule = OneStandardErrorRefit(simplicity="depth", test_size=0.1)
    difference = BEST - NEAR
    assert difference.mean() == pytest.approx(0.004)
    assert np.sqrt((1 / 10 + 1 / 9) * difference.var(ddof=1)) == pytest.approx(0.00787, abs=1e-5)
    results = table([FAR, NEAR, BEST])
    assert rule.eligible(results).tolist() == [False, True, True]
    assert rule(results) == 1


def test_the_standard_error_of_the_mean_lets_a_clearly_worse_candidate_pass():
    # FAR is worse on every split, but the splits differ by far more than that.
    results = table([FAR, NEAR, BEST])
    assert OneStandardErrorRefit(simplicity="depth", test_size=0.1, standard_error="mean")(results) == 0
    assert (FAR < BEST).all()


def test_sizes_of_splits_and_the_share_tested_say_the_same():
    results = table([FAR, NEAR, BEST])
    by_share = OneStandardErrorRefit(simplicity="depth", test_size=0.1).eligible(results)
    for sizes in ({"n_train": 90, "n_test": 10}, {"n_train": [90] * 10, "n_test": [10] * 10}):
        rule = OneStandardErrorRefit(simplicity="depth", **sizes)
        assert rule.eligible(results).tolist() == by_share.tolist()


def test_a_large_test_part_makes_the_standard_error_larger():
    # s = .01713, .015 behind: the standard error is .0079 at n_test/n_train = 1/9, and .0180 at 1.
    behind = BEST - NEAR + 0.011
    results = table([BEST - behind, BEST])
    assert OneStandardErrorRefit(simplicity="depth", test_size=0.1)(results) == 1
    assert OneStandardErrorRefit(simplicity="depth", test_size=0.5)(results) == 0


@pytest.mark.parametrize("rule", [OneStandardErrorRefit, lambda **given: NotWorseRefit(margin=0.1, **given)])
@pytest.mark.parametrize(
    "sizes", [{}, {"n_train": 90}, {"n_test": 10}, {"n_train": 90, "n_test": 10, "test_size": 0.1}]
)
def test_the_sizes_must_be_given_once(rule, sizes):
    with pytest.raises(ValueError, match="needs the sizes of the splits, which cv_results_ does not hold"):
        rule(simplicity="depth", **sizes)


@pytest.mark.parametrize("size", [[], [90.5], [[90, 90]], ["90"], [90, 0]])
def test_sizes_are_whole_numbers_of_rows(size):
    with pytest.raises(ValueError, match="n_train must be whole numbers of rows, at least 1, got"):
        OneStandardErrorRefit(simplicity="depth", n_train=size, n_test=10)


# --- simplicity


def test_the_direction_of_a_parameter():
    params = [{"k": 1}, {"k": 5}, {"k": 25}]
    results = table([BEST, BEST, BEST], params)
    assert OneStandardErrorRefit(simplicity="k", test_size=0.1)(results) == 0
    assert OneStandardErrorRefit(simplicity={"k": "larger"}, test_size=0.1)(results) == 2
    assert OneStandardErrorRefit(simplicity=lambda given: abs(given["k"] - 5), test_size=0.1)(results) == 1


def test_several_parameters_are_compared_in_their_order():
    params = [{"depth": 2, "leaf": 1}, {"depth": 1, "leaf": 1}, {"depth": 1, "leaf": 9}]
    results = table([BEST, BEST, BEST], params)
    assert OneStandardErrorRefit(simplicity=["depth", "leaf"], test_size=0.1)(results) == 1
    both = {"depth": "smaller", "leaf": "larger"}
    assert OneStandardErrorRefit(simplicity=both, test_size=0.1)(results) == 2


def test_no_limit_is_the_least_simple():
    results = table([BEST, BEST, BEST], [{"depth": None}, {"depth": 7}, {"depth": None}])
    for direction in ("smaller", "larger"):
        assert OneStandardErrorRefit(simplicity={"depth": direction}, test_size=0.1)(results) == 1


def test_among_equally_simple_candidates_the_better_then_the_first():
    params = [{"depth": 1}] * 4
    assert (
        OneStandardErrorRefit(simplicity="depth", test_size=0.1)(table([NEAR, BEST, BEST, NEAR], params)) == 1
    )


@pytest.mark.parametrize(
    ("simplicity", "message"),
    [
        (None, "simplicity must be a parameter name"),
        ([], "simplicity must be a parameter name"),
        ("", "simplicity must be a parameter name"),
        ({"depth": "up"}, r"simplicity\['depth'\] must be one of 'smaller', 'larger'"),
    ],
)
def test_simplicity_must_be_said_clearly(simplicity, message):
    with pytest.raises(ValueError, match=message):
        OneStandardErrorRefit(simplicity=simplicity, test_size=0.1)


def test_a_parameter_that_not_every_candidate_has():
    results = table([BEST, BEST], [{"depth": 1}, {"k": 2}])
    with pytest.raises(
        ValueError, match=r"names 'depth', which not every candidate has; the search varies \['depth', 'k'\]"
    ):
        OneStandardErrorRefit(simplicity="depth", test_size=0.1)(results)


def test_values_that_have_no_order():
    results = table([BEST, BEST], [{"kind": "a"}, {"kind": "b"}])
    with pytest.raises(TypeError, match="whose value 'a' is no number"):
        OneStandardErrorRefit(simplicity="kind", test_size=0.1)(results)
    with pytest.raises(TypeError, match="cannot be ordered"):
        OneStandardErrorRefit(simplicity=lambda given: {"a": 1, "b": "x"}[given["kind"]], test_size=0.1)(
            results
        )


# --- not worse by more than a margin


def test_it_is_a_one_sided_corrected_t_test():
    # Worked out with SciPy alone: t = (margin - mean)/sqrt((1/10 + 1/9) s^2), 9 degrees of freedom.
    difference = BEST - NEAR
    error = np.sqrt((1 / 10 + 1 / 9) * difference.var(ddof=1))
    for margin in (0.005, 0.015, 0.0189, 0.0192, 0.03):
        pvalue = stats.t.sf((margin - difference.mean()) / error, 9)
        rule = NotWorseRefit(margin=margin, simplicity="depth", test_size=0.1)
        assert rule.eligible(table([NEAR, BEST])).tolist() == [pvalue <= 0.05, True]
    with_alpha = NotWorseRefit(margin=0.015, alpha=0.2, simplicity="depth", test_size=0.1)
    assert with_alpha.eligible(table([NEAR, BEST])).all()


def test_not_significant_is_not_enough():
    # Two splits: no difference is significant, and the simplest must not win for that.
    results = table([[0.60, 0.90], [0.80, 0.81]])
    assert stats.ttest_rel([0.60, 0.90], [0.80, 0.81]).pvalue > 0.5
    assert NotWorseRefit(margin=0.01, simplicity="depth", test_size=0.5)(results) == 1


def test_a_generous_margin_takes_the_simplest_and_a_narrow_one_the_best():
    results = table([FAR, NEAR, BEST])
    for margin, expected in ((0.001, 2), (0.02, 1), (0.05, 0)):
        assert NotWorseRefit(margin=margin, simplicity="depth", test_size=0.1)(results) == expected


def test_a_candidate_with_the_very_scores_of_the_best_passes():
    assert NotWorseRefit(margin=1e-6, simplicity="depth", test_size=0.1)(table([BEST, BEST])) == 0


def test_a_constant_difference_is_judged_by_its_size():
    for behind, expected in ((0.02, 1), (0.01, 1), (0.005, 0)):
        results = table([BEST - behind, BEST])
        assert NotWorseRefit(margin=0.01, simplicity="depth", test_size=0.1)(results) == expected


@pytest.mark.parametrize(("name", "value"), [("margin", 0), ("margin", -1), ("alpha", 0), ("alpha", 1)])
def test_margin_and_level_are_checked(name, value):
    with pytest.raises(ValueError, match=name):
        NotWorseRefit(**{"margin": 0.1, "simplicity": "depth", "test_size": 0.1} | {name: value})


# --- both rules

RULES = [
    OneStandardErrorRefit(simplicity="depth", test_size=0.1),
    OneStandardErrorRefit(simplicity="depth", test_size=0.1, standard_error="mean"),
    NotWorseRefit(margin=0.02, simplicity="depth", test_size=0.1),
]


@pytest.mark.parametrize("rule", RULES)
def test_a_candidate_with_a_nan_is_passed_over(rule):
    broken = NEAR.copy()
    broken[3] = np.nan
    results = table([broken, BEST, NEAR], [{"depth": 1}, {"depth": 3}, {"depth": 2}])
    assert rule.eligible(results).tolist() == [False, True, True]
    assert rule(results) == 2


@pytest.mark.parametrize("rule", RULES)
def test_all_candidates_nan_is_an_error(rule):
    with pytest.raises(ValueError, match="Every candidate has a nan score"):
        rule(table(np.full((2, 5), np.nan)))


@pytest.mark.parametrize("rule", RULES)
def test_scores_of_one_model_are_no_search(rule):
    with pytest.raises(ValueError, match="cv_results must be cv_results_ of a search, got the scores of one"):
        rule({"test_score": BEST})


@pytest.mark.parametrize("rule", RULES)
def test_one_split_is_too_few(rule):
    with pytest.raises(ValueError, match="at least 2 splits"):
        rule(table([[0.5], [0.6]]))


@pytest.mark.parametrize("rule", RULES)
@given(scores=st.lists(st.lists(st.floats(0, 1), min_size=4, max_size=4), min_size=1, max_size=6))
@settings(deadline=None, max_examples=50)
def test_the_best_always_passes_and_nothing_simpler_than_the_choice_does(rule, scores):
    results = table(scores)
    passes, chosen = rule.eligible(results), rule(results)
    assert passes[BestMeanRefit()(results)]
    assert passes[chosen]
    assert not passes[:chosen].any()  # candidates are in the order of their depth


@pytest.mark.parametrize("rule", RULES)
def test_scores_on_another_scale_change_nothing(rule):
    scaled = (
        rule if not hasattr(rule, "margin") else NotWorseRefit(margin=2000, simplicity="depth", test_size=0.1)
    )
    results = table(np.array([FAR, NEAR, BEST]) * 1e5 - 3e5)
    assert scaled.eligible(results).tolist() == rule.eligible(table([FAR, NEAR, BEST])).tolist()


def test_one_of_several_scores_is_named():
    results = table([FAR, BEST], metric="accuracy") | table([BEST, FAR], metric="f1")
    rule = {"simplicity": {"depth": "larger"}, "test_size": 0.1}
    assert OneStandardErrorRefit(metric="f1", **rule)(results) == 0
    assert OneStandardErrorRefit(metric="accuracy", **rule)(results) == 1
    with pytest.raises(ValueError, match="metric must name one of the scores"):
        OneStandardErrorRefit(**rule)(results)


def test_in_searches():
    rule = OneStandardErrorRefit(simplicity="max_depth", test_size=0.2)
    given = {"cv": KFoldSplit(5, random_state=0), "refit": rule}
    grid = GridSearchCV(DecisionTreeClassifier(random_state=0), {"max_depth": [5, 3, 2, 1]}, **given).fit(
        X, Y
    )
    assert grid.best_params_ == {"max_depth": [5, 3, 2, 1][rule(grid.cv_results_)]}
    assert grid.best_estimator_.get_depth() <= grid.best_params_["max_depth"]
    assert clone(grid).refit == rule
    parallel = GridSearchCV(
        DecisionTreeClassifier(random_state=0), {"max_depth": [5, 3, 2, 1]}, n_jobs=2, **given
    )
    assert parallel.fit(X, Y).best_index_ == grid.best_index_
    random = RandomizedSearchCV(
        DecisionTreeClassifier(random_state=0), {"max_depth": [5, 3, 2, 1]}, n_iter=4, random_state=0, **given
    )
    assert random.fit(X, Y).best_params_ == grid.best_params_


def test_a_data_frame_of_results_is_read_too():
    rule = OneStandardErrorRefit(simplicity="depth", test_size=0.1)
    assert rule(pd.DataFrame(table([FAR, NEAR, BEST]))) == 1


@pytest.mark.parametrize("values", [[np.nan, 2.0], [2.0, np.nan]])
def test_a_parameter_value_nan_has_no_order(values):
    results = table([BEST, BEST], [{"depth": value} for value in values])
    with pytest.raises(ValueError, match="'depth', of which a candidate has the value nan"):
        OneStandardErrorRefit(simplicity="depth", test_size=0.1)(results)


@pytest.mark.parametrize("key", [np.nan, (1, np.nan)])
def test_a_function_that_returns_nan_is_named_as_the_cause(key):
    results = table([BEST, BEST], [{"depth": 1}, {"depth": 2}])
    rule = OneStandardErrorRefit(simplicity=lambda params: key, test_size=0.1)
    with pytest.raises(ValueError, match=r"simplicity must return keys that can be ordered, got .*nan"):
        rule(results)

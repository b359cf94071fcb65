"""Rules that pick the simplest candidate that is good enough, and the correction for having chosen."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV, RandomizedSearchCV
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from skeval.exceptions import ResamplingWarning
from skeval.model_selection import (
    BestMeanRefit,
    KFoldSplit,
    NotWorseRefit,
    OneStandardErrorRefit,
    evaluate,
    selection_bias,
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


# --- the winner's figure, corrected for the choice


def test_per_split_correction_by_hand():
    # Best of each split: .9, .8, .7, .9; the second has mean .775 and is behind by 0, 0, .1, .1.
    scores = [[0.7, 0.6, 0.7, 0.9], [0.9, 0.8, 0.6, 0.8]]
    result = selection_bias(table(scores))
    assert result.index == 1
    assert (result.uncorrected, result.bias, result.estimate) == pytest.approx((0.775, 0.05, 0.725))
    assert selection_bias(scores).estimate == result.estimate
    assert str(result).startswith("Candidate 1: 0.775, 0.725 after correction")


def test_per_split_correction_leaves_a_sure_winner_alone():
    assert selection_bias([[0.5, 0.6], [0.7, 0.8]]).bias == 0


def test_per_split_correction_passes_over_nan():
    result = selection_bias([[np.nan, 0.9], [0.7, 0.8], [0.8, 0.6]])
    assert result.index == 1
    assert result.bias == pytest.approx(0.05)
    with pytest.raises(ValueError, match="Every candidate has a nan score"):
        selection_bias([[np.nan, 0.9], [0.7, np.nan]])


def test_per_split_has_no_interval():
    with pytest.raises(ValueError, match="no interval of method='per-split'"):
        selection_bias([[0.5, 0.6], [0.7, 0.8]]).confidence_interval()


def slow_bootstrap(losses, n_resamples, generator):
    """Choose on the samples drawn, take the loss on those left out: one replicate at a time."""
    found = []
    for _ in range(n_resamples):
        drawn = generator.integers(0, len(losses), size=len(losses))
        left_out = np.setdiff1d(np.arange(len(losses)), drawn)
        winner = losses[drawn].mean(axis=0).argmin()
        found.append(losses[left_out, winner].mean())
    return found


def test_bootstrap_correction_is_that_of_a_loop():
    losses = np.random.default_rng(0).integers(0, 2, size=(40, 7)).astype(float)
    result = selection_bias(losses, method="bootstrap", n_resamples=300, random_state=5)
    expected = slow_bootstrap(losses, 300, np.random.default_rng(5))
    assert result.replicates == pytest.approx(expected, abs=1e-12)
    assert result.estimate == pytest.approx(np.mean(expected))
    assert result.uncorrected == losses.mean(axis=0).min()
    assert result.bias == pytest.approx(result.estimate - result.uncorrected)
    low, high = result.confidence_interval(0.9)
    assert low <= result.estimate <= high


def test_one_candidate_needs_no_correction():
    losses = np.random.default_rng(1).random((200, 1))
    result = selection_bias(losses, method="bootstrap", n_resamples=2000, random_state=0)
    assert result.bias == pytest.approx(0, abs=0.003)


def test_bootstrap_correction_on_noise_takes_the_optimism_away():
    # Twenty coins: each has error 1/2, the best of them seems better.
    generator = np.random.default_rng(2)
    found = [
        selection_bias(
            generator.integers(0, 2, size=(60, 20)),
            method="bootstrap",
            n_resamples=200,
            random_state=generator,
        )
        for _ in range(60)
    ]
    assert np.mean([result.uncorrected for result in found]) < 0.4
    assert 0.47 < np.mean([result.estimate for result in found]) < 0.55


def test_groups_are_drawn_whole():
    # Copies of a sample, drawn together, change nothing; drawn apart they are on both sides.
    losses = np.random.default_rng(3).integers(0, 2, size=(30, 5)).astype(float)
    plain = selection_bias(losses, method="bootstrap", n_resamples=500, random_state=0)
    copied, groups = np.repeat(losses, 4, axis=0), np.repeat([f"p{number:02d}" for number in range(30)], 4)
    whole = selection_bias(copied, method="bootstrap", n_resamples=500, groups=groups, random_state=0)
    apart = selection_bias(copied, method="bootstrap", n_resamples=500, random_state=0)
    assert whole.replicates == pytest.approx(plain.replicates)
    assert apart.estimate < plain.estimate - 0.01


def test_bootstrap_correction_of_an_evaluation():
    models = {k: KNeighborsClassifier(k) for k in (1, 5, 25)}
    done = evaluate(models, X, Y, cv=KFoldSplit(5, n_repeats=2, random_state=0))
    result = selection_bias(done, method="bootstrap", random_state=0)
    said = done.predictions()
    errors = [(said.y_pred[k] != said.y_true).mean() for k in models]
    assert result.uncorrected == pytest.approx(min(errors))
    assert result.index == np.argmin(errors)


def test_a_candidate_with_a_nan_loss_is_passed_over():
    losses = np.random.default_rng(4).random((30, 3))
    losses[3, 0] = np.nan
    assert selection_bias(losses, method="bootstrap", random_state=0).index in (1, 2)


def test_replicates_that_leave_nothing_out_are_dropped():
    with pytest.warns(ResamplingWarning, match="left no sample out"):
        result = selection_bias([[0, 1], [1, 0]], method="bootstrap", n_resamples=50, random_state=0)
    assert 10 < len(result.replicates) < 40


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"results": [0.5, 0.6]}, "scores of all candidates"),
        ({"results": [[0.5, 0.6]], "loss": "zero_one"}, "belong to method='bootstrap'"),
        ({"results": [[0.5, 0.6]], "method": "bbc"}, "method must be one of"),
        ({"results": [0.5, 0.6], "method": "bootstrap"}, "shape"),
        ({"results": [[1, 0]], "method": "bootstrap", "loss": "squared"}, "loss belongs to an Evaluation"),
        ({"results": [[1, 0]], "method": "bootstrap", "metric": "f1"}, "metric belongs to"),
        ({"results": [[np.nan, np.nan], [1, 0]], "method": "bootstrap"}, "1 of 2 samples have no loss"),
        ({"results": [[np.nan, 1], [1, np.nan]], "method": "bootstrap"}, "Every candidate has a nan"),
        ({"results": [[1, 0]], "method": "bootstrap"}, "No replicate left a sample out"),
        ({"results": [[1, 0], [0, 1]], "method": "bootstrap", "groups": [1]}, "same length"),
    ],
)
def test_what_cannot_be_corrected_is_refused(given, message):
    with pytest.raises(ValueError, match=message):
        selection_bias(**given)

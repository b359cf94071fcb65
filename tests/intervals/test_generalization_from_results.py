"""Intervals for the error on new samples from what was fitted before, read back."""

import dataclasses

import numpy as np
import pytest
from scipy.stats import t as student
from sklearn.datasets import load_iris
from sklearn.linear_model import Ridge
from sklearn.model_selection import GridSearchCV, GroupKFold, KFold, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from skeval.exceptions import MissingScoreError, SplitMismatchError
from skeval.intervals import generalization_interval, interval_from_results
from skeval.model_selection import HoldOutSplit, KFoldSplit, evaluate, nested_cross_validate
from tests.intervals.generalization_runs import BAYES, GROUPS, QUIET, TREE, XD, YD, X, Y

pytestmark = QUIET


# --- what results give


def test_results_of_cross_validate():
    cv = KFoldSplit(5, n_repeats=2, random_state=0)
    results = cross_validate(TREE, X, Y, cv=cv, return_indices=True, scoring=["accuracy", "f1_macro"])
    found = interval_from_results(results, metric="accuracy")
    scores = results["test_accuracy"]
    half = student.ppf(0.975, 9) * np.sqrt((1 / 10 + 1 / 4) * scores.var(ddof=1))
    assert list(found) == pytest.approx([scores.mean() - half, min(1, scores.mean() + half)])
    assert (found.target, found.n_train, found.measure) == ("method", 48, "accuracy")
    other = cross_validate(BAYES, X, Y, cv=cv, return_indices=True, scoring=["accuracy", "f1_macro"])
    difference = interval_from_results(results, other=other, metric="accuracy")
    assert difference.estimate == pytest.approx((scores - other["test_accuracy"]).mean())
    with pytest.raises(ValueError, match="metric must name one of the scores"):
        interval_from_results(results)


@pytest.mark.parametrize("method", ["holdout", "corrected-t", "cv-wald", "cv-wald-within"])
def test_results_of_evaluate_give_what_a_run_of_its_own_gives(method):
    cv = KFoldSplit(4, random_state=0) if method != "holdout" else HoldOutSplit(random_state=0)
    done = evaluate({"tree": TREE, "bayes": BAYES}, X, Y, cv=cv)
    for given, asked in (({}, {"model": "tree"}), ({"other": BAYES}, {"model": "tree", "other": "bayes"})):
        own = generalization_interval(TREE, X, Y, method=method, cv=cv, **given)
        found = interval_from_results(done, method=method, **asked)
        assert (found.estimate, *found, found.estimand) == (own.estimate, *own, own.estimand)


def test_results_of_evaluate_with_groups_weights_and_other_losses():
    cv = GroupKFold(4)
    weight = np.arange(1, 61)
    done = evaluate(TREE, X, Y, cv=cv, groups=GROUPS, sample_weight=weight)
    own = generalization_interval(
        TREE,
        X,
        Y,
        method="cv-wald",
        cv=cv,
        groups=GROUPS,
        sample_weight=weight,
        loss=lambda a, b: (a - b) ** 2.0,
    )
    found = interval_from_results(done, method="cv-wald", groups=GROUPS, loss=lambda a, b: (a - b) ** 2.0)
    assert (found.estimate, *found) == (own.estimate, *own)
    with pytest.raises(ValueError, match="samples of one group on both sides"):
        interval_from_results(evaluate(TREE, X, Y, cv=KFoldSplit(4, random_state=0)), groups=GROUPS)


def test_a_score_of_evaluate():
    done = evaluate({"tree": TREE, "bayes": BAYES}, X, Y, cv=KFoldSplit(4, random_state=0))
    found = interval_from_results(done, model="tree", metric="g_mean")
    assert found.estimate == pytest.approx(done.scores("g_mean")["tree"].scores.mean())
    assert found.measure == "g_mean"
    with pytest.raises(ValueError, match="needs a loss per sample, which scores per split are not"):
        interval_from_results(done, model="tree", metric="g_mean", method="cv-wald")
    with pytest.raises(ValueError, match=r"model \(and other\) must be one of 'tree', 'bayes'"):
        interval_from_results(done)


def test_results_of_nested_cross_validation():
    search = GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 9]}, cv=KFoldSplit(3, random_state=0))
    nested = nested_cross_validate(search, X, Y, cv=KFoldSplit(4, random_state=1))
    scores = interval_from_results(nested)
    assert scores.estimate == pytest.approx(nested.scores.scores.mean())
    assert scores.measure == "accuracy"
    losses = interval_from_results(nested, method="cv-wald")
    assert losses.estimate == pytest.approx(1 - nested.scores.scores.mean())
    other = nested_cross_validate(search, X, Y, cv=KFoldSplit(4, random_state=1), scoring="f1_macro")
    assert interval_from_results(nested, metric="f1_macro").estimate == pytest.approx(
        other.scores.scores.mean()
    )
    tree = evaluate(TREE, X, Y, cv=KFoldSplit(4, random_state=1))
    assert interval_from_results(nested, other=tree, method="cv-wald").measure == "difference of 0-1 loss"
    assert interval_from_results(nested, other=tree, metric="accuracy").measure == "difference of accuracy"


def test_regression_results_have_squared_loss_by_default():
    done = evaluate(Ridge(), XD, YD, cv=KFoldSplit(4, random_state=0))
    assert interval_from_results(done, method="cv-wald").measure == "squared loss"
    with pytest.raises(ValueError, match="y is continuous; use loss='squared'"):
        interval_from_results(done, loss="zero_one")


def test_groups_of_an_evaluation_are_used_again():
    groups = np.repeat(np.arange(30), 5)
    X, y = load_iris(return_X_y=True)
    order = np.random.default_rng(0).permutation(150)
    cv = KFoldSplit(5, random_state=0)
    known = evaluate({"bayes": GaussianNB()}, X[order], y[order], cv=cv, groups=groups)
    found, given = (
        interval_from_results(known, method="cv-wald", **options) for options in ({}, {"groups": groups})
    )
    assert tuple(found) == tuple(given)
    assert dataclasses.replace(known, groups=None).groups is None
    plain = interval_from_results(dataclasses.replace(known, groups=None), method="cv-wald")
    assert plain.standard_error != found.standard_error


# --- what they do not hold


def test_the_winner_of_a_search_has_no_honest_interval():
    search = GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 9]}, cv=4).fit(X, Y)
    for results in (search, search.cv_results_):
        with pytest.raises(ValueError, match="chosen by its score, which has no honest interval: use nested"):
            interval_from_results(results)


def test_what_results_do_not_hold_is_refused():
    results = cross_validate(TREE, X, Y, cv=4, return_indices=True)
    with pytest.raises(ValueError, match="needs a loss per sample"):
        interval_from_results(results, method="cv-wald")
    with pytest.raises(ValueError, match="loss needs predictions"):
        interval_from_results(results, loss="zero_one")
    with pytest.raises(ValueError, match="needs splits of its own"):
        interval_from_results(results, method="nested-cv")
    with pytest.raises(ValueError, match="n_train and n_test must be known"):
        interval_from_results([0.8, 0.7])
    with pytest.raises(ValueError, match="at least 2 splits"):
        interval_from_results([0.8], n_train=10, n_test=5)
    with pytest.raises(ValueError, match="groups have no part"):
        interval_from_results(results, groups=GROUPS)
    with pytest.raises(ValueError, match="needs an Evaluation of several"):
        interval_from_results(results, model="tree")
    with pytest.raises(MissingScoreError, match="split 1 is nan"):
        interval_from_results([0.8, np.nan, 0.7], n_train=10, n_test=5)


def test_results_on_other_splits_or_data_are_refused():
    one, two = (evaluate(TREE, X, Y, cv=KFoldSplit(4, random_state=seed)) for seed in (0, 1))
    with pytest.raises(SplitMismatchError, match="same splits of the same data"):
        interval_from_results(one, other=two)
    scores = [
        cross_validate(TREE, X, Y, cv=KFold(4, shuffle=True, random_state=s), return_indices=True)
        for s in (0, 1)
    ]
    with pytest.raises(SplitMismatchError, match="same splits"):
        interval_from_results(scores[0], other=scores[1])
    with pytest.raises(ValueError, match="other must be of the kind of results"):
        interval_from_results(one, other=scores[0], method="cv-wald")


@pytest.mark.parametrize("loss", ["auc", "f1"])
def test_a_loss_that_results_cannot_have_names_the_way_out(loss):
    done = evaluate(TREE, X, Y, cv=KFoldSplit(4, random_state=0))
    message = (
        rf"loss='{loss}' is an? .*, not a mean of losses per sample.*use method='corrected-t' with metric="
    )
    with pytest.raises(ValueError, match=message) as refused:
        interval_from_results(done, loss=loss)
    assert "632" not in str(refused.value)


def test_a_missing_score_is_told_with_a_way_out_that_there_is():
    with pytest.raises(MissingScoreError, match=r"split 1 is nan.*or take the split out") as caught:
        interval_from_results([0.5, np.nan], n_train=40, n_test=20)
    assert "nan_policy" not in str(caught.value)


# --- bounds that the data contradict


def test_a_score_outside_the_bounds_is_named():
    # The mean, 0.667, is inside; it came back with an interval cut at 0.8.
    with pytest.raises(ValueError, match=r"every score lies in \[0.6, 0.8\], but one is 0.5: give bounds="):
        interval_from_results([0.5, 0.6, 0.9], n_train=40, n_test=20, bounds=(0.6, 0.8))


def test_two_models_are_held_to_the_bounds_of_one():
    # A difference may lie outside the range of a score.
    found = interval_from_results(
        [0.5, 0.6, 0.55], other=[0.9, 0.7, 0.85], n_train=40, n_test=20, bounds=(0.5, 1)
    )
    assert -0.5 <= found.low <= found.estimate < 0
    with pytest.raises(ValueError, match=r"but one is 0\.4"):
        interval_from_results([0.5, 0.6], other=[0.4, 0.7], n_train=40, n_test=20, bounds=(0.5, 1))

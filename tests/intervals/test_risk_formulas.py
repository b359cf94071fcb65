"""Estimates of a risk and their variances from losses alone."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm

from skeval.intervals._risk_formulas import (
    Losses,
    all_pairs_mean,
    conservative_variance,
    mean_of,
    nested_estimate,
    within_fold_mean,
)
from tests.reference import load, number

# Exact fractions, R packages nestedcv and mlr3inferr: provenance in the file.
REFERENCE = load("15_confidence_intervals.json")
INPUTS, EXPECTED = REFERENCE["inputs"], REFERENCE["expected"]


def folds_of(name):
    return [Losses(np.array(fold, dtype=float)) for fold in INPUTS[name]["folds"]]


def ends(mean, level):
    half = norm.ppf((1 + level) / 2) * mean.variance**0.5
    return [mean.estimate - half, mean.estimate + half]


# --- Wald


def test_all_pairs_variance_has_divisor_n():
    mean, expected = all_pairs_mean(folds_of("cv_losses_equal_folds")), EXPECTED["cv_losses_equal_folds"]
    assert mean.estimate == pytest.approx(number(expected["estimate"]), abs=1e-12)
    assert mean.variance * 12 == pytest.approx(number(expected["sigma2_all_pairs (divisor n)"]), abs=1e-12)
    assert ends(mean, 0.95) == pytest.approx(expected["ci95_all_pairs"], abs=1e-10)


def test_within_fold_variance_is_the_mean_of_the_fold_variances():
    mean, expected = within_fold_mean(folds_of("cv_losses_equal_folds")), EXPECTED["cv_losses_equal_folds"]
    assert mean.variance * 12 == pytest.approx(number(expected["sigma2_within_fold"]), abs=1e-12)
    assert ends(mean, 0.95) == pytest.approx(expected["ci95_within_fold"], abs=1e-10)


def test_folds_of_unequal_size():
    folds, expected = folds_of("cv_losses_unequal_folds"), EXPECTED["cv_losses_unequal_folds"]
    assert ends(all_pairs_mean(folds), 0.95) == pytest.approx(expected["ci95_all_pairs"], abs=1e-10)
    assert ends(within_fold_mean(folds), 0.95) == pytest.approx(expected["ci95_within"], abs=1e-10)
    assert within_fold_mean(folds).estimate == pytest.approx(
        number(expected["estimate_mean_over_observations"]), abs=1e-12
    )


def test_a_difference_of_two_models():
    case, expected = INPUTS["cv_loss_difference"], EXPECTED["cv_loss_difference"]
    folds = [Losses(np.subtract(a, b).astype(float)) for a, b in zip(case["A"], case["B"], strict=True)]
    mean = all_pairs_mean(folds)
    assert mean.variance * 12 == pytest.approx(number(expected["sigma2_all_pairs"]), abs=1e-12)
    assert ends(mean, 0.95) == pytest.approx(expected["ci95"], abs=1e-10)
    assert mean.estimate / mean.variance**0.5 == pytest.approx(expected["z"], abs=1e-12)


def test_one_hold_out_has_divisor_n_minus_1():
    [first, *_] = folds_of("cv_losses_equal_folds")
    expected = EXPECTED["cv_losses_equal_folds"]["holdout_first_fold_ci95 (divisor n-1)"]
    assert ends(mean_of(first), 0.95) == pytest.approx(expected, abs=1e-10)


def test_naive_cross_validation_has_divisor_n_minus_1():
    y, expected = np.array(INPUTS["nested_cv"]["y"]["y"], dtype=float), EXPECTED["naive_cv"]
    fold = np.array(INPUTS["nested_cv"]["fold_ids (1-based labels)"][expected["folds"]])
    losses = np.array([(value - y[fold != own].mean()) ** 2 for value, own in zip(y, fold, strict=True)])
    mean = mean_of(Losses(losses))
    assert mean.estimate == pytest.approx(number(expected["err_hat"]), abs=1e-12)
    assert mean.variance * len(y) == pytest.approx(number(expected["sd2"]), abs=1e-10)
    assert ends(mean, 0.9) == pytest.approx(expected["ci90"], abs=1e-10)


# --- nested cross-validation


def nested_losses(case):
    """Return inner and outer losses of "predict the training mean", fold after fold."""
    y = np.array(INPUTS["nested_cv"]["y"][case["y"]], dtype=float)
    inner, outer = [], []
    for which in case["nested_folds"]:
        fold = np.array(INPUTS["nested_cv"]["fold_ids (1-based labels)"][which])
        for own in np.unique(fold):
            outer.append(Losses((y[fold == own] - y[fold != own].mean()) ** 2))
            rest = [other for other in np.unique(fold) if other != own]
            held = [(y[fold == g] - y[(fold != own) & (fold != g)].mean()) ** 2 for g in rest]
            inner.append(Losses(np.concatenate(held)))
    return inner, outer


@pytest.mark.parametrize("name", list(INPUTS["nested_cv"]["cases"]))
def test_nested_cross_validation(name):
    inner, outer = nested_losses(INPUTS["nested_cv"]["cases"][name])
    expected = EXPECTED["nested_cv"][name]
    paper = expected["paper_and_mlr3inferr"]
    found = nested_estimate(inner, outer, n_folds=4, n_samples=12)
    pivots = [a.values.mean() - b.values.mean() for a, b in zip(inner, outer, strict=True)]
    assert pivots == pytest.approx([number(each) for each in expected["pivots a"]], abs=1e-12)
    assert [mean_of(part).variance for part in outer] == pytest.approx(
        [number(each) for each in expected["b"]], abs=1e-10
    )
    assert found.inner_error == pytest.approx(number(expected["err_ncv (mean of inner errors)"]), abs=1e-10)
    assert found.outer_error == pytest.approx(number(paper["err_cv_outer"]), abs=1e-10)
    assert found.squared_error == pytest.approx(number(expected["mean(a^2-b)"]) * 3 / 4, abs=1e-10)
    assert found.bias == pytest.approx(number(paper["bias (1+(K-2)/K)(err_ncv-err_cv)"]), abs=1e-10)
    assert found.estimate == pytest.approx(number(paper["err_hat"]), abs=1e-10)
    assert found.standard_error == pytest.approx(paper["se"], abs=1e-10)
    low, high = (found.estimate + sign * norm.ppf(0.95) * found.standard_error for sign in (-1, 1))
    assert [low, high] == pytest.approx(paper["ci90"], abs=1e-10)


def test_a_negative_squared_error_is_held_at_the_error_of_independent_losses():
    # Case y2 of the reference: mean(a^2 - b) is -10541/486.
    found = nested_estimate(*nested_losses(INPUTS["nested_cv"]["cases"]["y2"]), n_folds=4, n_samples=12)
    assert found.squared_error < 0
    assert found.standard_error == found.limits[0]


def test_a_large_squared_error_is_held_at_sqrt_k_times_that():
    found = nested_estimate(*nested_losses(INPUTS["nested_cv"]["cases"]["y3"]), n_folds=4, n_samples=12)
    assert found.squared_error**0.5 > found.limits[1]
    assert found.standard_error == found.limits[1] == pytest.approx(2 * found.limits[0])


# --- weights, groups, halves

LOSSES = st.lists(st.floats(0, 10), min_size=3, max_size=20)


@given(LOSSES, st.booleans())
@settings(deadline=None, max_examples=50)
def test_groups_of_one_and_equal_weights_change_nothing(values, small_sample):
    values = np.array(values)
    plain = mean_of(Losses(values), small_sample=small_sample)
    given_both = Losses(values, np.full(len(values), 3), np.arange(len(values))[::-1])
    assert mean_of(given_both, small_sample=small_sample) == pytest.approx(plain, rel=1e-9, abs=1e-12)


def test_variance_over_groups_by_hand():
    # Deviations from the mean 1/2: groups sum to -1, 1 and 0; G/(G-1) = 3/2, n^2 = 36.
    losses = Losses(np.array([0.0, 0, 1, 1, 0, 1]), None, np.array([7, 7, 2, 2, 5, 5]))
    assert mean_of(losses) == pytest.approx((0.5, 1.5 * 2 / 36))


def test_copies_of_a_sample_as_one_group_add_nothing():
    values = np.array([0.2, 0.9, 0.4, 0.7])
    copied = Losses(np.repeat(values, 5), None, np.repeat(np.arange(4), 5))
    assert mean_of(copied) == pytest.approx(mean_of(Losses(values)))


def test_whole_weights_move_the_mean_as_repeated_samples_do():
    values, weight = np.array([0.0, 1, 0.5]), np.array([1, 2, 3])
    assert mean_of(Losses(values, weight)).estimate == pytest.approx(np.repeat(values, weight).mean())


def test_conservative_variance_by_hand():
    # Differences .1 and .3: (.01 + .09)/(2 * 2).
    assert conservative_variance(np.array([[0.5, 0.4], [0.2, 0.5]])) == pytest.approx(0.025)

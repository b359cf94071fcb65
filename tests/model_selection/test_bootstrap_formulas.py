"""How the three errors combine to .632 and .632+, and the standard error by the delta method."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.neighbors import KNeighborsClassifier

from skeval.model_selection import BootstrapSplit, bootstrap_error, combine_bootstrap_error
from skeval.model_selection._bootstrap_formulas import delta_method, out_of_bag_errors
from tests.model_selection.bootstrap_runs import (
    CLASSIFIERS,
    EXPECTED,
    QUIET,
    REFERENCE,
    SMALL,
    TOLERANCE,
    convention,
    of_reference,
    replicates,
)
from tests.reference import number

pytestmark = QUIET


# --- one estimate of three errors


@pytest.mark.parametrize(
    ("errors", "expected"),
    [
        # (resubstitution, out-of-bag, no-information): by hand from the two-term form, R = 0, 1, 0, .5, .6.
        ((0.30, 0.20, 0.50), 0.2368),
        ((0.10, 0.60, 0.50), 0.5632),
        ((0.45, 0.60, 0.45), 0.5448),
        ((0.10, 0.30, 0.50), 0.2549019607843137),
        ((0.00, 0.30, 0.50), 0.2433264887063655),
    ],
)
def test_the_two_term_form_with_a_rate_between_0_and_1(errors, expected):
    assert combine_bootstrap_error(*errors, method=".632+") == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("average", ["with_err1_efron", "with_err1_mean_over_bootstraps"])
def test_the_formula_gives_the_exact_fractions(name, average):
    # Exact fractions, and ipred 0.9-15 in R 4.2.2 where its convention is the same.
    expected = EXPECTED[name]
    err1 = "err1_efron_per_observation (never-OOB skipped)"
    if average == "with_err1_mean_over_bootstraps":
        err1 = "err1_mean_over_bootstraps (empty OOB skipped)"
    errors = [number(expected[key]) for key in ("resubstitution", err1, "gamma")]
    assert combine_bootstrap_error(*errors, method=".632") == pytest.approx(
        number(expected[average]["err_632"]), **TOLERANCE
    )
    assert combine_bootstrap_error(*errors, method=".632+") == pytest.approx(
        convention(expected[average], "C"), **TOLERANCE
    )
    assert combine_bootstrap_error(*errors, method="oob") == errors[1]


@settings(deadline=None, max_examples=200)
@given(st.lists(st.floats(0, 1), min_size=3, max_size=3))
def test_632_plus_of_rates_lies_between_the_smallest_and_the_largest_of_them(errors):
    estimate = combine_bootstrap_error(*errors)
    assert min(errors[:2]) - 1e-12 <= estimate <= max(errors[:2]) + 1e-12
    assert isinstance(estimate, float)


def test_arrays_broadcast_and_nan_stays_where_it_is():
    estimate = combine_bootstrap_error([[0.1], [0.0]], [0.3, np.nan], 0.5)
    assert estimate.shape == (2, 2)
    assert estimate[0, 0] == combine_bootstrap_error(0.1, 0.3, 0.5)
    assert np.isnan(estimate[:, 1]).all()


def test_the_formula_refuses_what_it_cannot_do():
    with pytest.raises(ValueError, match=r"no_information must be given for method='.632\+'"):
        combine_bootstrap_error(0.1, 0.3)
    with pytest.raises(ValueError, match=r"method must be one of '.632\+', '.632', 'oob', got '632'"):
        combine_bootstrap_error(0.1, 0.3, 0.5, method="632")


@pytest.mark.parametrize(
    ("errors", "match"),
    [
        (("a", 0.3, 0.5), "resubstitution must hold numbers"),
        ((0.1, [[0.1], [0.1, 0.2]], 0.5), "leave_one_out must hold numbers"),
        ((None, 0.3, 0.5), "resubstitution must be given"),
        ((np.inf, np.inf, np.inf), r"resubstitution must hold numbers up to 4e\+120 in size, or nan"),
        ((0.1, 0.3, 1e300), r"no_information must hold numbers up to 4e\+120"),
        (([0.1, 0.2], [0.1, 0.2, 0.3], 0.5), r"shapes that broadcast: resubstitution has \(2,\)"),
    ],
)
def test_errors_that_cannot_be_combined_are_refused(errors, match):
    with pytest.raises(ValueError, match=match):
        combine_bootstrap_error(*errors)


def test_the_error_of_a_missing_replicate_stays_missing():
    assert np.isnan(combine_bootstrap_error([np.nan, 0.1], 0.3, 0.5)).tolist() == [True, False]


# --- the standard error, and the noise in it


def test_the_uncorrected_standard_error_is_that_of_the_paper():
    # The D_i of E & T 1997 with divisor B in exact fractions.
    expected = EXPECTED["nn_binary_B12"]["standard_error"]
    result = of_reference("nn_binary_B12", method="oob")
    assert result.standard_error_uncorrected == pytest.approx(expected["SE_delta (divisor B)"], abs=1e-12)


def test_the_noise_is_the_variance_of_the_mean_product():
    # From the definition, with the stored q_b: e_m^2/B var_b[(N_ib - mean)(q_b - mean)], summed.
    expected = EXPECTED["nn_binary_B12"]["standard_error"]
    drawn = np.array([np.bincount(b, minlength=6) for b in REFERENCE["inputs"]["nn_binary_B12"]["boot"]])
    q = np.array([number(value) for value in expected["q_b"]])
    products = (drawn - drawn.mean(axis=0)) * (q - q.mean())[:, None]
    noise = number(expected["e_n=(1-1/n)^-n"]) ** 2 * products.var(axis=0).sum() / 12
    result = of_reference("nn_binary_B12", method="oob")
    assert result.monte_carlo_error == pytest.approx(np.sqrt(noise), abs=1e-12)
    # Twelve replicates of six samples are all noise.
    assert result.standard_error == 0
    assert "standard error" not in str(result)
    with pytest.raises(ValueError, match="lost in the Monte Carlo noise; use more replicates"):
        result.confidence_interval()


@pytest.mark.parametrize("name", EXPECTED["ideal_bootstrap_n4"])
def test_over_all_possible_draws_it_is_the_exact_derivative(name):
    # Derivative of the ideal bootstrap by enumeration of its 4^4 samples.
    case = EXPECTED["ideal_bootstrap_n4"][name]
    cv = replicates(itertools.product(range(4), repeat=4), 4)
    X = np.array(case["x"], dtype=float)[:, None]
    result = bootstrap_error(CLASSIFIERS[case["clf"]], X, case["y"], cv=cv, method="oob")
    assert result.leave_one_out == pytest.approx(number(case["Err1_ideal"]), abs=1e-12)
    assert result.standard_error_uncorrected == pytest.approx(case["SE_delta_ideal"], abs=1e-9)


def ideal_standard_error(X, y, units, strata):
    """Differentiate Err1 of the ideal bootstrap by each unit's probability, from all possible draws.

    Independent of the formula: every draw gets its probability under shifted weights.
    """
    members = [np.flatnonzero(strata == one) for one in np.unique(strata)]
    draws = [
        np.concatenate(parts)
        for parts in itertools.product(*(itertools.product(inside, repeat=len(inside)) for inside in members))
    ]
    rows = {unit: np.flatnonzero(units == unit) for unit in range(len(strata))}
    losses = np.full((len(draws), len(y)), np.nan)
    for b, drawn in enumerate(draws):
        test = np.flatnonzero(~np.isin(units, drawn))
        if len(test):
            train = np.concatenate([rows[unit] for unit in drawn])
            losses[b, test] = KNeighborsClassifier(1).fit(X[train], y[train]).predict(X[test]) != y[test]
    tested = ~np.isnan(losses)
    losses = np.nan_to_num(losses)
    size = np.array([(strata == one).sum() for one in strata])

    def err1(p):
        chance = np.array([np.prod(p[drawn]) for drawn in draws])
        each = chance @ losses / (chance @ tested)
        share = (p * size)[units]  # the weight of each sample's own unit
        return (share * each).sum() / share.sum()

    def slope(unit):
        ends = []
        for step in (1e-4, -1e-4):
            p = 1 / size
            inside = strata == strata[unit]
            p[inside] *= 1 - step
            p[unit] += step
            ends.append(err1(p))
        return (ends[0] - ends[1]) / 2e-4

    slopes = np.array([slope(unit) for unit in range(len(strata))])
    return np.sqrt(((slopes / size) ** 2).sum()), draws, rows


def test_within_classes_it_is_the_derivative_of_the_stratified_bootstrap():
    X, y = np.array([0.0, 3.0, 1.0, 2.5, 7.0])[:, None], np.array([0, 0, 1, 1, 1])
    expected, draws, _ = ideal_standard_error(X, y, np.arange(5), y)
    result = bootstrap_error(KNeighborsClassifier(1), X, y, cv=replicates(draws, 5), method="oob")
    assert result.standard_error_uncorrected == pytest.approx(expected, rel=1e-6)


def test_over_groups_it_is_the_derivative_of_the_bootstrap_of_groups():
    X = np.array([0.0, 3.0, 1.0, 2.5, 7.0, 4.0, 5.5])[:, None]
    y, groups = np.array([0, 0, 1, 1, 1, 0, 1]), np.array([0, 1, 1, 2, 3, 3, 3])
    expected, draws, rows = ideal_standard_error(X, y, groups, np.zeros(4, dtype=int))
    cv = replicates([np.concatenate([rows[unit] for unit in drawn]) for drawn in draws], 7)
    result = bootstrap_error(KNeighborsClassifier(1), X, y, cv=cv, groups=groups, method="oob")
    assert result.standard_error_uncorrected == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize(("n_samples", "n_data_sets", "inflated"), [(100, 150, 1.4), (500, 60, 2.4)])
def test_the_corrected_standard_error_is_the_true_one_of_a_stable_rule(n_samples, n_data_sets, inflated):
    """A rule that no training changes and that errs on a fifth: its error has sd sqrt(.2 x .8/m).

    Uncorrected, 200 replicates give 1.4 times that at m = 100, 2.4 times at m = 500.
    """
    rng, found = np.random.default_rng(0), []
    for _ in range(n_data_sets):
        wrong = (rng.random(n_samples) < 0.2).astype(float)
        splits = BootstrapSplit(200, random_state=rng).split(np.empty(n_samples))
        trains, tests = (list(side) for side in zip(*splits, strict=True))
        losses = [wrong[test] for test in tests]
        errors = out_of_bag_errors(tests, losses, n_samples)
        found.append(delta_method(trains, tests, losses, errors))
    squared, noise = np.mean(found, axis=0)
    truth = np.sqrt(0.2 * 0.8 / n_samples)
    assert np.sqrt(squared - noise) == pytest.approx(truth, rel=0.1)
    assert np.sqrt(squared) == pytest.approx(inflated * truth, rel=0.1)

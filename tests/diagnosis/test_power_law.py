"""The inverse power law of a learning curve: recovered where it holds, with an interval that covers."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from skeval.diagnosis import PowerLaw
from skeval.diagnosis._power_law import fit_power_law

SIZES = np.array([50.0, 80, 126, 200, 316, 500])


def law_of(a, b, c, sizes=SIZES):
    return a + b * sizes**-c


def noisy(mean, rng, *, sd=0.01, n_splits=10, correlation=0.1):
    """Errors per split around a curve: splits share a part of their noise, as overlapping ones do."""
    shared, own = rng.normal(size=(len(mean), 1)), rng.normal(size=(len(mean), n_splits))
    return mean[:, None] + sd * (np.sqrt(correlation) * shared + np.sqrt(1 - correlation) * own)


@pytest.mark.parametrize(("a", "b", "c"), [(0.1, 1.5, 0.6), (0.0, 0.8, 0.25), (0.3, 40.0, 1.5)])
def test_an_exact_law_is_recovered(a, b, c):
    errors = np.repeat(law_of(a, b, c)[:, None], 5, axis=1)
    law = fit_power_law(SIZES, errors, 0.1, np.random.default_rng(0))
    assert (law.a, law.b, law.c) == pytest.approx((a, b, c), rel=1e-4, abs=1e-4)
    assert law.error(2000).estimate == pytest.approx(law_of(a, b, c, 2000.0), rel=1e-5)
    assert law.gain(500).estimate == pytest.approx(b * (500.0**-c - 1000.0**-c), rel=1e-4)


def test_by_hand():
    law = PowerLaw(0.1, 2.0, 0.5, 400, np.array([[0.1, 2.0, 0.5], [0.0, 4.0, 0.5]]))
    # 2/sqrt(400) - 2/sqrt(1600) = .05, and twice that for the other replicate.
    # Quartiles of the two replicates .05 and .1 are .0625 and .0875; the interval holds the estimate.
    assert law.gain(1200, confidence_level=0.5) == pytest.approx((0.05, 0.05, 0.0875))
    assert law.gain(0).estimate == 0
    assert str(law) == "error(n) = 0.1 + 2 n^-0.5"


def test_an_interval_holds_its_estimate():
    law = PowerLaw(0.1, 2.0, 0.5, 400, np.array([[0.5, 2.0, 0.5]] * 3))
    estimate, low, high = law.error(400)
    assert (low, estimate, high) == pytest.approx((0.2, 0.2, 0.6))


def test_several_sizes_at_once_have_the_errors_of_each():
    law = PowerLaw(0.1, 2.0, 0.5, 400, np.array([[0.1, 2.0, 0.5], [0.2, 1.0, 0.7], [0.05, 3.0, 0.4]]))
    sizes = [1, 100, 1600]
    errors = law.error(sizes, confidence_level=0.8)
    np.testing.assert_allclose(errors, np.transpose([law.error(n, confidence_level=0.8) for n in sizes]))


def test_a_flat_curve_buys_nothing():
    law = fit_power_law(SIZES, np.full((6, 4), 0.3), 0.1, np.random.default_rng(0))
    assert law.gain(1000) == pytest.approx((0, 0, 0), abs=1e-12)
    assert law.error(1e6).estimate == pytest.approx(0.3)


def test_a_rising_curve_is_fitted_as_flat():
    errors = noisy(np.linspace(0.1, 0.4, 6), np.random.default_rng(0))
    law = fit_power_law(SIZES, errors, 1 / 9, np.random.default_rng(0))
    assert law.b == 0
    assert law.gain(500).estimate == 0


@given(
    st.integers(4, 8),
    st.integers(2, 6),
    st.integers(0, 2**31),
)
@settings(deadline=None, max_examples=25)
def test_any_errors_give_a_law_without_negative_parts(n_sizes, n_splits, seed):
    rng = np.random.default_rng(seed)
    sizes = np.cumsum(rng.integers(1, 50, size=n_sizes)).astype(float)
    law = fit_power_law(sizes, rng.random((n_sizes, n_splits)), 0.1, rng)
    assert law.a >= 0
    assert law.b >= 0
    low, high = law.error(sizes[-1] * 10)[1:]
    assert 0 <= low <= law.error(sizes[-1] * 10).estimate <= high


def test_more_noise_gives_a_wider_interval():
    widths = []
    for sd in (0.002, 0.02):
        errors = noisy(law_of(0.1, 1.5, 0.6), np.random.default_rng(0), sd=sd)
        gain = fit_power_law(SIZES, errors, 1 / 9, np.random.default_rng(0)).gain(500)
        widths.append(gain.high - gain.low)
    assert widths[1] > 3 * widths[0]


def test_errors_that_each_split_shifts_alike_have_the_interval_of_their_mean(monkeypatch):
    # Every draw is the curve, shifted by sqrt(1/J + ratio) s t, with t of J - 1 degrees of freedom.
    monkeypatch.setattr("skeval.diagnosis._power_law._N_RESAMPLES", 4000)
    errors = law_of(0.3, 1.5, 0.6)[:, None] + np.array([-0.01, 0, 0.01])  # s = 0.01
    law = fit_power_law(SIZES, errors, 0.5, np.random.default_rng(0))
    estimate, low, high = law.error(500, confidence_level=0.8)
    half = stats.t.ppf(0.9, df=2) * np.sqrt(1 / 3 + 0.5) * 0.01
    assert (estimate - low, high - estimate) == pytest.approx((half, half), rel=0.06)


def test_the_interval_of_the_gain_covers(monkeypatch):
    monkeypatch.setattr("skeval.diagnosis._power_law._N_RESAMPLES", 200)
    rng, truth, covered, runs = np.random.default_rng(0), 1.5 * (500**-0.6 - 1000**-0.6), 0, 200
    for _ in range(runs):
        errors = noisy(law_of(0.1, 1.5, 0.6), rng)
        gain = fit_power_law(SIZES, errors, 1 / 9, rng).gain(500)
        covered += gain.low <= truth <= gain.high
    assert 0.89 <= covered / runs <= 0.99  # three binomial standard errors about .95, upwards less


@pytest.mark.parametrize(
    ("call", "match"),
    [
        (lambda law: law.error(0), r"n must be a number in \[1, inf\), got 0"),
        (lambda law: law.error([10, 0.5]), "n must hold numbers of samples, at least 1, got 0.5"),
        (lambda law: law.error([10, np.nan]), "n must hold finite numbers, got nan at position 1"),
        (lambda law: law.gain(-1), r"n_more must be a number in \[0, inf\), got -1"),
        (
            lambda law: law.gain(1, confidence_level=1),
            r"confidence_level must be a number in \(0, 1\), got 1",
        ),
    ],
)
def test_what_has_no_meaning_is_refused(call, match):
    with pytest.raises(ValueError, match=match):
        call(PowerLaw(0.1, 2.0, 0.5, 400, np.array([[0.1, 2.0, 0.5]])))

"""The training curve: underfit, overfit or good, from one run or several."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skeval.diagnosis import diagnose_training_curve

EPOCHS = np.arange(1, 101)
FALLS = np.exp(-EPOCHS / 15)  # leveled off at the end
SLOW = np.exp(-EPOCHS / 150)  # still falling
RISES = FALLS + 0.003 * EPOCHS


def noise(n_runs, sd=0.01, seed=0):
    rng = np.random.default_rng(seed)
    return np.squeeze(sd * rng.normal(size=(n_runs, len(EPOCHS))))


class TestVerdicts:
    @pytest.mark.parametrize("n_runs", [1, 5])
    @pytest.mark.parametrize(
        ("train", "validation", "verdict"),
        [
            (FALLS, 0.2 + FALLS, "good"),
            (SLOW, 0.2 + SLOW, "high bias"),
            (FALLS, 0.2 + RISES, "high variance"),
        ],
        ids=["good", "underfit", "overfit"],
    )
    def test_shapes_of_the_textbook(self, n_runs, train, validation, verdict):
        result = diagnose_training_curve(
            train + noise(n_runs), validation + noise(n_runs, seed=1), tolerance=0.03
        )
        assert result.verdict == verdict

    def test_overfitting_says_where_to_stop(self):
        result = diagnose_training_curve(FALLS, 0.2 + RISES)
        # exp(-t/15) + .003 t is least at t = 15 ln(1/.045) = 46.5.
        assert result.best_epoch == pytest.approx(46.5, abs=1.5)
        assert result.remedies[0] == f"stop at about epoch {result.best_epoch:.0f}"

    def test_underfitting_says_to_train_longer(self):
        result = diagnose_training_curve(SLOW, 0.2 + SLOW)
        assert result.remedies[0] == "train longer"
        assert "it still falls: the run stopped too early" in result.reasons

    def test_both_losses_rising_is_no_overfitting(self):
        rising = 0.2 + 0.01 * EPOCHS
        result = diagnose_training_curve(rising, rising)
        assert result.verdict == "undecided"
        assert result.remedies == ("a lower learning rate",)

    @pytest.mark.parametrize(
        ("target", "train", "verdict"),
        [(0.3, FALLS, "good"), (0.1, FALLS, "high variance"), (0.1, 0.2 + FALLS, "high bias")],
    )
    def test_a_target_says_whether_the_level_is_low_enough(self, target, train, verdict):
        assert diagnose_training_curve(train, 0.2 + FALLS, target_loss=target).verdict == verdict

    def test_a_loss_at_the_target_is_undecided(self):
        result = diagnose_training_curve(
            FALLS + noise(1), 0.2 + FALLS + noise(1, seed=1), target_loss=0.2015, tolerance=0.05
        )
        assert result.verdict == "undecided"

    def test_noise_alone_is_undecided(self):
        assert diagnose_training_curve(noise(1, 1), noise(1, 1, seed=1)).verdict == "undecided"

    def test_noise_is_seldom_called_overfitting(self):
        found = [
            diagnose_training_curve(
                FALLS + noise(1, seed=2 * s), 0.2 + FALLS + noise(1, seed=2 * s + 1)
            ).verdict
            for s in range(200)
        ]
        assert found.count("high variance") <= 0.05 * 200 + 9  # three binomial standard errors

    @pytest.mark.parametrize("n_epochs", [1, 2, 3, 9])
    def test_few_epochs_are_undecided(self, n_epochs):
        result = diagnose_training_curve(SLOW[:n_epochs], SLOW[:n_epochs])
        assert result.verdict == "undecided"
        assert f"{n_epochs} epochs are too few" in result.reasons[0]

    def test_a_loss_that_never_changes_is_undecided(self):
        result = diagnose_training_curve(np.ones(20), np.ones(20))
        assert (result.verdict, result.reasons) == (
            "undecided",
            ("the validation loss is the same at every epoch",),
        )

    def test_a_wider_tolerance_calls_a_small_fall_none(self):
        verdicts = [
            diagnose_training_curve(SLOW, SLOW, tolerance=tolerance).verdict for tolerance in (0.01, 0.5)
        ]
        assert verdicts == ["high bias", "good"]


class TestNumbers:
    def test_changes_between_windows_by_hand(self):
        validation = np.r_[np.full(10, 1.0), np.full(5, 0.5), np.full(5, 0.8)]
        result = diagnose_training_curve(np.linspace(1, 0, 20), validation)
        assert result.window == 2
        assert result.figures["rise of the validation loss"].estimate == pytest.approx(0.3)

    def test_standard_error_over_runs_is_that_of_the_mean(self):
        shift = np.array([0.0, 0.1, 0.2])[:, None]
        runs = 0.2 + FALLS + shift * (EPOCHS > 90)
        figure = diagnose_training_curve(np.tile(FALLS, (3, 1)), runs).figures["rise of the validation loss"]
        assert figure.standard_error == pytest.approx(0.1 / np.sqrt(3), rel=1e-6)
        assert figure.df == 2

    def test_standard_error_of_one_run_is_that_of_independent_noise(self):
        values = [
            diagnose_training_curve(FALLS, 0.2 + RISES + noise(1, 0.01, seed))
            .figures["rise of the validation loss"]
            .standard_error
            for seed in range(40)
        ]
        # Two means of ten epochs with noise of .01 each.
        assert np.mean(values) == pytest.approx(0.01 * np.sqrt(2 / 10), rel=0.05)

    def test_epochs_may_have_other_numbers(self):
        result = diagnose_training_curve(FALLS, 0.2 + RISES, epochs=10 * EPOCHS)
        assert result.best_epoch == pytest.approx(465, abs=15)
        assert result.curve.x[:2] == (10, 20)

    @given(st.integers(1, 4), st.integers(1, 60), st.integers(0, 2**31))
    @settings(deadline=None, max_examples=40)
    def test_any_losses_get_a_verdict(self, n_runs, n_epochs, seed):
        rng = np.random.default_rng(seed)
        result = diagnose_training_curve(rng.random((n_runs, n_epochs)), rng.random((n_runs, n_epochs)))
        assert result.verdict in ("high bias", "high variance", "good", "undecided")
        assert 1 <= result.best_epoch <= n_epochs
        assert str(result)
        assert "<table>" in result._repr_html_()

    @given(st.floats(0.1, 100), st.floats(-5, 5))
    @settings(deadline=None, max_examples=30)
    def test_the_unit_of_the_loss_changes_no_verdict(self, scale, shift):
        for validation in (0.2 + FALLS, 0.2 + SLOW, 0.2 + RISES):
            one = diagnose_training_curve(FALLS, validation).verdict
            assert diagnose_training_curve(scale * FALLS + shift, scale * validation + shift).verdict == one


@pytest.mark.parametrize(
    ("train", "validation", "options", "match"),
    [
        (FALLS, FALLS[:-1], {}, "must have the same shape"),
        (FALLS, np.where(EPOCHS == 5, np.nan, FALLS), {}, "validation_loss must hold finite numbers"),
        ([], [], {}, r"train_loss must have shape \(n_epochs,\)"),
        (np.ones((2, 2, 2)), np.ones((2, 2, 2)), {}, "train_loss must have shape"),
        (FALLS, FALLS, {"epochs": EPOCHS[::-1]}, "epochs must ascend"),
        (FALLS, FALLS, {"epochs": [1, 2]}, "epochs must ascend, one number per loss"),
        (FALLS, FALLS, {"tolerance": 1}, "tolerance must be a number in"),
        (FALLS, FALLS, {"alpha": 1}, "alpha must be a number in"),
        (FALLS, FALLS, {"target_loss": np.nan}, "target_loss must be a number in"),
        (FALLS, 1e300 * FALLS, {}, r"validation_loss must hold numbers up to 1e\+60 in size"),
        (1e308 * (-1.0) ** EPOCHS, FALLS, {}, r"train_loss must hold numbers up to 1e\+60 in size"),
    ],
)
def test_what_does_not_fit_is_refused(train, validation, options, match):
    with pytest.raises(ValueError, match=match):
        diagnose_training_curve(train, validation, **options)

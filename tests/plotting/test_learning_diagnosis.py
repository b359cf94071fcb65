"""Pictures of the three diagnoses: curves, bands, extrapolation, regions, and the verdict in words."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

from skeval.diagnosis import (
    diagnose_learning_curve,
    diagnose_training_curve,
    diagnose_validation_curve,
)
from skeval.plotting import LearningDiagnosisDisplay
from tests.plotting.within_view import hide_ticks_out_of_view

NOISE = 0.01 * np.array([-1, -0.5, 0, 0.5, 1])
EPOCHS = np.arange(1, 101)


def learning(*, baseline=0.5, sizes=(20, 40, 80, 160)):
    errors = np.array([0.5, 0.45, 0.4, 0.36])[-len(sizes) :]
    curve = sizes, np.ones((len(sizes), 5)), 1 - errors[:, None] - NOISE
    return diagnose_learning_curve(curve, n_test=40, baseline=baseline, random_state=0)


def validation(values=(1, 2, 4)):
    train = np.array([0.3, 0.1, 0.0])[:, None] + 0 * NOISE
    test = np.array([0.35, 0.15, 0.3])[:, None] + np.outer([1, -1, 1], NOISE)
    return diagnose_validation_curve(
        (1 - train, 1 - test),
        param_name="max_depth",
        param_range=values,
        n_train=160,
        n_test=40,
        baseline=0.5,
    )


def training(n_runs=1, **options):
    falls = np.tile(np.exp(-EPOCHS / 15), (n_runs, 1)) + 0.01 * np.arange(n_runs)[:, None]
    return diagnose_training_curve(falls, 0.2 + falls + 0.003 * EPOCHS, **options)


RESULTS = {
    "learning": learning,
    "validation": validation,
    "words": lambda: validation(("weak", "middle", "strong")),
    "training": training,
    "runs": lambda: training(4, target_loss=0.3),
}


@pytest.fixture
def check_texts(check_texts):
    return lambda figure: check_texts(hide_ticks_out_of_view(figure))


def legend_of(display):
    legend = display.ax_.get_legend() or display.figure_.legends[0]
    return [text.get_text() for text in legend.get_texts()]


@pytest.mark.parametrize("name", RESULTS)
class TestEveryDiagnosis:
    def test_draws_the_errors_of_the_result(self, name):
        result = RESULTS[name]()
        display = LearningDiagnosisDisplay.from_result(result)
        np.testing.assert_array_equal(display.train_line_.get_ydata(), result.curve.train_error)
        np.testing.assert_array_equal(display.cv_line_.get_ydata(), result.curve.cv_error)
        assert display.ax_.get_xlabel() == result.curve.x_name
        assert display.ax_.get_ylabel() == result.curve.error_name

    def test_says_the_verdict(self, name, check_texts):
        result = RESULTS[name]()
        display = LearningDiagnosisDisplay.from_result(result)
        title = display.ax_.get_title(loc="left").replace("\n", " ")
        assert title.lower().startswith(f"{result.verdict}: {result.reasons[0]}".lower())
        check_texts(display.figure_)

    def test_on_axes_of_a_user(self, name, check_texts):
        figure, axes = plt.subplots(1, 2, figsize=(8, 3), layout="constrained")
        display = LearningDiagnosisDisplay.from_result(RESULTS[name](), ax=axes[0])
        assert display.ax_.get_title(loc="left").lower() == RESULTS[name]().verdict
        assert tuple(figure.get_size_inches()) == (8, 3)
        check_texts(figure)


class TestLearningCurve:
    def test_bands_are_t_intervals(self):
        result = learning()
        display = LearningDiagnosisDisplay.from_result(result, confidence_level=0.9)
        low, high = display.cv_band
        interval = result.figures["CV error"].confidence_interval(0.9)
        assert (low[-1], high[-1]) == pytest.approx(tuple(interval))
        np.testing.assert_array_equal(display.train_band[0], 0)

    def test_extrapolates_to_twice_the_samples_or_as_told(self):
        result = learning()
        ends = []
        for n_more in (None, 800):
            display = LearningDiagnosisDisplay.from_result(result, n_more=n_more)
            sizes, errors = display.extrapolation_.get_data()
            ends.append(sizes[-1])
            assert errors[-1] == pytest.approx(result.extrapolation.error(sizes[-1]).estimate)
            assert display.ax_.get_xticklabels()[-1].get_text() == f"{sizes[-1]:.0f}"
        assert ends == pytest.approx([320, 960])

    def test_few_sizes_are_not_extrapolated(self):
        display = LearningDiagnosisDisplay.from_result(learning(sizes=(40, 80, 160)))
        assert display.extrapolation_ is None
        assert "extrapolated" not in legend_of(display)

    def test_the_reference_has_a_line(self):
        display = LearningDiagnosisDisplay.from_result(learning())
        assert "reference: half the error of the baseline" in legend_of(display)
        none = LearningDiagnosisDisplay.from_result(learning(baseline=None))
        assert not any("reference" in label for label in legend_of(none))


class TestValidationCurve:
    def test_values_that_underfit_and_overfit_are_shaded(self):
        display = LearningDiagnosisDisplay.from_result(validation())
        to_data = display.ax_.transData.inverted()
        edges = [tuple(to_data.transform(patch.get_window_extent())[:, 0]) for patch in display.ax_.patches]
        # Half-way between the values 1, 2 and 4.
        np.testing.assert_allclose(edges, [(0.5, 1.5), (3, 5)])
        assert {"underfit", "overfit", "least at 2"} <= set(legend_of(display))

    @pytest.mark.parametrize(("value", "ends"), [(3, (2.5, 3.5)), ("only", (-0.5, 0.5))])
    def test_a_single_value_has_room_on_both_sides(self, value, ends):
        errors = 1 - np.full((1, 5), 0.1), 1 - (0.3 + NOISE[None])
        given = {"param_name": "max_depth", "n_train": 160, "n_test": 40, "baseline": 0.5}
        result = diagnose_validation_curve(errors, param_range=[value], **given)
        assert LearningDiagnosisDisplay.from_result(result).ax_.get_xlim() == pytest.approx(ends)

    def test_descending_values_keep_their_order(self, check_texts):
        display = LearningDiagnosisDisplay.from_result(validation((4, 2, 1)))
        left, right = display.ax_.get_xlim()
        assert left > right
        check_texts(display.figure_)


class TestTrainingCurve:
    def test_the_best_epoch_is_marked(self):
        result = training()
        display = LearningDiagnosisDisplay.from_result(result)
        (mark,) = [label for label in legend_of(display) if label.startswith("least at ")]
        assert abs(float(mark.split()[-1]) - result.best_epoch) <= 1
        assert "validation" in legend_of(display)

    def test_one_run_has_no_band(self):
        assert LearningDiagnosisDisplay.from_result(training()).cv_band is None
        assert LearningDiagnosisDisplay.from_result(training(3)).cv_band is not None

    def test_a_target_is_named(self):
        display = LearningDiagnosisDisplay.from_result(training(3, target_loss=0.3))
        assert "reference: target loss" in legend_of(display)


class TestByHand:
    def test_arrays_are_enough(self, check_texts):
        display = LearningDiagnosisDisplay(
            [10, 20, 40], [0.1, 0.1, 0.1], [0.4, 0.3, 0.2], verdict="good", x_name="$n$", error_name="ошибка"
        ).plot(train_kwargs={"color": "k"}, cv_kwargs={"ls": ":"})
        assert display.train_line_.get_color() == "k"
        assert display.cv_line_.get_linestyle() == ":"
        check_texts(display.figure_)

    def test_without_a_verdict_there_is_no_title(self):
        display = LearningDiagnosisDisplay([10, 20, 40], [0.1] * 3, [0.4, 0.3, 0.2]).plot()
        assert display.ax_.get_title(loc="left") == ""

    def test_errors_below_zero_are_in_view(self):
        display = LearningDiagnosisDisplay([10, 20, 40], [-0.2] * 3, [0.4, 0.3, 0.2]).plot()
        assert display.ax_.get_ylim()[0] < -0.2

    def test_a_single_value_on_a_logarithmic_axis_has_room_on_both_sides(self):
        display = LearningDiagnosisDisplay([3], [0.1], [0.2], verdicts=["good"]).plot(log_x=True)
        # Half a unit of the natural logarithm.
        assert display.ax_.get_xlim() == pytest.approx((3 / np.sqrt(np.e), 3 * np.sqrt(np.e)))

    def test_words_of_the_legend_wider_than_the_figure_are_broken(self, check_texts):
        note = "half the error of " + "one_of_many_parts_of_a_very_long_name " * 5
        display = LearningDiagnosisDisplay(
            [10, 20, 40], [0.1] * 3, [0.4, 0.3, 0.2], reference=(0.3, note)
        ).plot()
        check_texts(display.figure_)
        (told,) = [label for label in legend_of(display) if label.startswith("reference:")]
        assert told.replace("\n", " ").split() == ["reference:", *note.split()]

    def test_long_names_stay_inside(self, check_texts):
        display = LearningDiagnosisDisplay(
            [10, 20, 40],
            [0.1, 0.1, 0.1],
            [0.4, 0.3, 0.2],
            reference=(0.3, "half the error of an_estimator_whose_name_is_very_long_indeed_longer_than_most"),
            x_name="histgradientboostingclassifier__max_leaf_nodes_of_the_second_stage",
            verdict="undecided",
            words="a reason that takes so many words " * 5,
        ).plot()
        check_texts(display.figure_)

    @pytest.mark.parametrize(
        ("options", "match"),
        [
            ({"train_band": ([0, 0], [1, 1])}, "train_band must hold lower and upper ends"),
            ({"cv_band": ([1, 1, 1], [0, 0, 0])}, "cv_band must hold lower and upper ends"),
            ({"verdicts": ["good"]}, "verdicts has 1"),
        ],
    )
    def test_what_does_not_fit_is_refused(self, options, match):
        with pytest.raises(ValueError, match=match):
            LearningDiagnosisDisplay([1, 2, 3], [0.1] * 3, [0.2] * 3, **options)

    def test_errors_must_be_finite(self):
        with pytest.raises(ValueError, match="cv_error must hold finite"):
            LearningDiagnosisDisplay([1, 2], [0.1, 0.2], [0.1, np.nan])

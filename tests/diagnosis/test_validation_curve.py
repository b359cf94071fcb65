"""The validation curve: which values underfit, which overfit, and how good the best one is."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_digits, make_friedman1
from sklearn.linear_model import Ridge
from sklearn.model_selection import KFold, TimeSeriesSplit, ValidationCurveDisplay, validation_curve
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.tree import DecisionTreeClassifier

from skeval.diagnosis import diagnose_validation_curve
from skeval.exceptions import MissingScoreError

FRIEDMAN = make_friedman1(300, noise=2.0, random_state=0)
CANCER = load_breast_cancer(return_X_y=True)
GIVEN = {"param_name": "degree", "param_range": [1, 2, 3], "n_train": 160, "n_test": 40, "baseline": 0.5}


def scores(train, test, spread=0.01):
    """Scores per split of given mean errors per value."""
    noise = spread * np.array([-1, -0.5, 0, 0.5, 1])
    noise = np.outer([1, -1, 1], noise)
    return 1 - (np.array(train)[:, None] + 0 * noise), 1 - (np.array(test)[:, None] + noise)


U_SHAPE = scores([0.3, 0.1, 0.0], [0.35, 0.15, 0.3])


class TestVerdicts:
    def test_too_smooth_underfits_and_too_rough_overfits(self):
        result = diagnose_validation_curve(
            KNeighborsRegressor(),
            *FRIEDMAN,
            param_name="n_neighbors",
            param_range=[200, 100, 10, 1],
            random_state=0,
        )
        assert result.verdicts == ("high bias", "high bias", "good", "high variance")
        assert result.best_value == 10
        assert "Of n_neighbors, 200, 100 underfit; 1 overfits." in str(result)

    def test_the_textbook_picture(self):
        result = diagnose_validation_curve(U_SHAPE, **GIVEN)
        assert result.verdicts == ("high bias", "good", "high variance")
        assert (result.best_index, result.best_value, result.verdict) == (1, 2, "good")
        assert result.reasons[0] == "at degree=2 the CV error is below the reference"
        assert result.figures["CV error above the best, degree=1"].estimate == pytest.approx(0.2)

    def test_the_best_of_poor_values_is_judged_by_the_reference(self):
        poor = scores([0.48, 0.4, 0.38], [0.49, 0.42, 0.48])
        assert diagnose_validation_curve(poor, **GIVEN).verdict == "high bias"
        flexible = scores([0.2, 0.0, 0.0], [0.49, 0.42, 0.48])
        assert diagnose_validation_curve(flexible, **GIVEN).verdict == "high variance"

    def test_what_is_not_worse_beyond_the_noise_is_good(self):
        close = scores([0.12, 0.1, 0.09], [0.16, 0.15, 0.16], spread=0.05)
        assert diagnose_validation_curve(close, **GIVEN).verdicts == ("good",) * 3

    def test_worse_by_both_parts_alike_is_undecided(self):
        both = scores([0.2, 0.1, 0.1], [0.35, 0.15, 0.15])
        # CV error .2 more: training .1 more and gap .1 more.
        assert diagnose_validation_curve(both, **GIVEN).verdicts[0] == "undecided"

    def test_the_level_is_shared_by_the_comparisons(self):
        # With many values, the same difference is no longer beyond the noise.
        train, test = scores([0.1, 0.1, 0.1], [0.25, 0.2, 0.2], spread=0.015)
        few = diagnose_validation_curve((train[:2], test[:2]), **{**GIVEN, "param_range": [1, 2]})
        many = diagnose_validation_curve(
            (np.vstack([train[:1], *[train[1:2]] * 40]), np.vstack([test[:1], *[test[1:2]] * 40])),
            **{**GIVEN, "param_range": range(41)},
        )
        assert (few.verdicts[0], many.verdicts[0]) == ("high variance", "good")

    def test_a_best_value_at_the_end_of_the_range_is_told(self):
        falling = scores([0.3, 0.2, 0.1], [0.35, 0.25, 0.15])
        assert "at the end of the range: extend it" in str(diagnose_validation_curve(falling, **GIVEN))
        assert "extend it" not in str(diagnose_validation_curve(U_SHAPE, **GIVEN))
        words = {**GIVEN, "param_range": ["a", "b", "c"]}
        assert "extend it" not in str(diagnose_validation_curve(falling, **words))

    def test_a_single_value_is_judged_by_the_reference_alone(self):
        one = tuple(part[1:2] for part in U_SHAPE)
        result = diagnose_validation_curve(one, **{**GIVEN, "param_range": [2]})
        assert (result.verdict, result.verdicts) == ("good", ("good",))


class TestFits:
    def test_agrees_with_scikit_learn(self):
        X, y = load_digits(return_X_y=True)
        depths, cv = [1, 5, None], KFold(3, shuffle=True, random_state=0)
        tree = DecisionTreeClassifier(random_state=0)
        train, test = validation_curve(tree, X, y, param_name="max_depth", param_range=depths, cv=cv)
        ours = diagnose_validation_curve(tree, X, y, param_name="max_depth", param_range=depths, cv=cv)
        np.testing.assert_allclose(ours.curve.train_errors, 1 - train)
        np.testing.assert_allclose(ours.curve.cv_errors, 1 - test)
        theirs = diagnose_validation_curve(
            (train, test), param_name="max_depth", param_range=depths, n_train=1198, n_test=599, baseline=0.1
        )
        assert theirs.verdicts == ours.verdicts

    def test_the_display_of_scikit_learn_holds_the_same_scores(self):
        drawn = ValidationCurveDisplay(
            param_name="degree", param_range=[1, 2, 3], train_scores=U_SHAPE[0], test_scores=U_SHAPE[1]
        )
        assert str(diagnose_validation_curve(drawn, **GIVEN)) == str(
            diagnose_validation_curve(U_SHAPE, **GIVEN)
        )

    def test_n_jobs_changes_no_bit_and_the_model_stays_as_it_was(self):
        model = KNeighborsClassifier()
        one, two = (
            diagnose_validation_curve(
                model, *CANCER, param_name="n_neighbors", param_range=[1, 9], cv=3, n_jobs=n, random_state=0
            )
            for n in (1, 2)
        )
        np.testing.assert_array_equal(one.curve.cv_errors, two.curve.cv_errors)
        assert model.n_neighbors == 5
        assert not hasattr(model, "classes_")

    def test_values_are_written_shortly(self):
        result = diagnose_validation_curve(
            Ridge(), *FRIEDMAN, param_name="alpha", param_range=np.logspace(-3, 3, 3), random_state=0
        )
        assert "at alpha=" in str(result)
        assert "np.float64" not in str(result)
        assert "<table>" in result._repr_html_()
        assert len(result.curve.frame()) == 3

    @pytest.mark.parametrize(
        ("options", "match"),
        [
            ({"param_range": []}, "param_range must hold at least one value of max_depth"),
            ({"cv": TimeSeriesSplit(3)}, "cv splits in time order"),
            ({"n_train": 10}, "n_train and n_test are counted from the splits"),
            ({"param_name": "depth"}, "Invalid parameter 'depth'"),
            ({"target_error": -0.1}, "target_error must be a number"),
        ],
    )
    def test_options_that_do_not_fit_are_refused(self, options, match):
        given = {"param_name": "max_depth", "param_range": [1, 2], **options}
        with pytest.raises(ValueError, match=match):
            diagnose_validation_curve(DecisionTreeClassifier(), *CANCER, **given)

    def test_a_score_that_does_not_know_the_positive_class_says_how_to_name_it(self):
        X, y = CANCER[0], np.where(CANCER[1], "benign", "malignant")
        given = {"param_name": "max_depth", "param_range": [1, 2], "scoring": "f1"}
        told = r"give scoring=get_scorer\('f1', pos_label=...\) with best_score=1"
        with pytest.raises(ValueError, match=told):
            diagnose_validation_curve(DecisionTreeClassifier(), X, y, **given)

    @pytest.mark.parametrize(
        ("curve", "options", "error", "match"),
        [
            (U_SHAPE, {"n_test": None}, ValueError, "n_train and n_test must be given with score arrays"),
            (U_SHAPE, {"param_range": [1, 2]}, ValueError, r"shape \(2, n_splits\)"),
            (U_SHAPE[:1], {}, TypeError, r"\(training scores, test scores\)"),
            ((U_SHAPE[0], U_SHAPE[1] * np.nan), {}, MissingScoreError, "must be finite"),
        ],
    )
    def test_arrays_that_do_not_fit_are_refused(self, curve, options, error, match):
        with pytest.raises(error, match=match):
            diagnose_validation_curve(curve, **{**GIVEN, **options})

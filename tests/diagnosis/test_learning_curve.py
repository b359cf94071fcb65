"""The learning curve: who gets which verdict, on which figures, and what more samples would buy."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, make_friedman1
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics import make_scorer
from sklearn.model_selection import KFold, LearningCurveDisplay, TimeSeriesSplit, learning_curve
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from skeval.diagnosis import ErrorCurve, diagnose_learning_curve
from skeval.diagnosis._curve_data import Data
from skeval.diagnosis._judge import judge, make_reference
from skeval.diagnosis._learning_curve import _nested_order, _resolve_sizes
from skeval.exceptions import MissingScoreError
from skeval.metrics import get_scorer
from skeval.model_selection import HoldOutSplit, KFoldSplit

CANCER = load_breast_cancer(return_X_y=True)
FRIEDMAN = make_friedman1(300, noise=3.0, random_state=0)


def xor(n_samples=300):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_samples, 2))
    return X, np.where(X[:, 0] * X[:, 1] > 0, "same", "other")


def arrays(train, test, *, sizes=(20, 40, 80, 160), spread=0.01, n_splits=5):
    """Errors of given means per size as scores, a little different in every split."""
    noise = spread * np.array([-1, -0.5, 0, 0.5, 1])[:n_splits]
    return (
        np.array(sizes),
        1 - (np.array(train)[:, None] + 0 * noise),
        1 - (np.array(test)[:, None] + noise),
    )


FLAT_HIGH = arrays([0.36, 0.38, 0.39, 0.39], [0.45, 0.42, 0.41, 0.41])
OPEN_GAP = arrays([0.0, 0.0, 0.0, 0.0], [0.5, 0.45, 0.4, 0.36])
GIVEN = {"n_test": 40, "baseline": 0.5, "random_state": 0}


class TestVerdictsOfModels:
    def test_a_line_through_a_checkerboard_has_high_bias(self):
        result = diagnose_learning_curve(LogisticRegression(), *xor(), random_state=0)
        assert result.verdict == "high bias"
        assert "a more flexible model" in result.remedies
        assert "less regularization" in result.remedies

    def test_a_full_tree_on_noise_has_high_variance(self):
        result = diagnose_learning_curve(DecisionTreeRegressor(random_state=0), *FRIEDMAN, random_state=0)
        assert result.verdict == "high variance"
        assert result.curve.train_error[-1] == 0
        assert result.remedies == ("more samples", "fewer features", "more regularization")

    def test_a_tree_on_a_checkerboard_is_good(self):
        result = diagnose_learning_curve(DecisionTreeClassifier(random_state=0), *xor(), random_state=0)
        assert result.verdict == "good"
        assert result.remedies == ()

    def test_a_nearest_neighbor_on_pure_noise_has_high_variance(self):
        rng = np.random.default_rng(0)
        X, y = rng.normal(size=(200, 3)), rng.integers(0, 2, 200)
        assert (
            diagnose_learning_curve(KNeighborsClassifier(1), X, y, random_state=0).verdict == "high variance"
        )

    def test_the_baseline_itself_has_high_bias(self):
        assert diagnose_learning_curve(DummyClassifier(), *xor(), random_state=0).verdict == "high bias"
        assert diagnose_learning_curve(DummyRegressor(), *FRIEDMAN, random_state=0).verdict == "high bias"

    def test_a_target_changes_what_is_high(self):
        tree = DecisionTreeClassifier(random_state=0)
        verdicts = [
            diagnose_learning_curve(tree, *CANCER, target_error=target, random_state=0).verdict
            for target in (0.3, 0.01)
        ]
        assert verdicts == ["good", "high variance"]

    def test_scores_of_other_kinds(self):
        for scoring, name in (("roc_auc", "1 - roc auc"), ("neg_log_loss", "log loss"), ("f1", "1 - f1")):
            result = diagnose_learning_curve(GaussianNB(), *CANCER, scoring=scoring, cv=5, random_state=0)
            assert result.curve.error_name == name
            assert (result.curve.cv_error >= 0).all()
        own = make_scorer(lambda y, p: np.mean(y == p))
        one = diagnose_learning_curve(GaussianNB(), *CANCER, scoring=own, best_score=1, cv=5, random_state=0)
        other = diagnose_learning_curve(GaussianNB(), *CANCER, cv=5, random_state=0)
        np.testing.assert_array_equal(one.curve.cv_errors, other.curve.cv_errors)


class TestVerdictsOfArrays:
    def test_both_high_and_close_is_bias(self):
        result = diagnose_learning_curve(FLAT_HIGH, **GIVEN)
        assert result.verdict == "high bias"
        assert result.reference == 0.25
        assert result.reference_note == "half the error of the baseline"

    def test_low_and_high_with_a_gap_that_narrows_is_variance(self):
        result = diagnose_learning_curve(OPEN_GAP, **GIVEN)
        assert result.verdict == "high variance"
        assert result.figures["narrowing of the gap"].estimate == pytest.approx(0.04)
        assert "from 80 to 160 samples the CV error fell by 0.04" in str(result)

    def test_a_gap_that_widens_is_undecided(self):
        widens = arrays([0.1, 0.05, 0.02, 0.0], [0.35, 0.36, 0.38, 0.4])
        result = diagnose_learning_curve(widens, **GIVEN)
        assert result.verdict == "undecided"
        assert result.reasons[0] == "variance alone does not widen the gap with more samples"

    def test_both_high_and_apart_goes_by_the_larger_part(self):
        mostly_gap = arrays([0.3] * 4, [0.6, 0.58, 0.56, 0.54])
        mostly_bias = arrays([0.45] * 4, [0.6, 0.58, 0.56, 0.54])
        between = arrays([0.395] * 4, [0.6, 0.58, 0.56, 0.54], spread=0.05)
        verdicts = [diagnose_learning_curve(c, **GIVEN).verdict for c in (mostly_gap, mostly_bias, between)]
        assert verdicts == ["high variance", "high bias", "undecided"]

    def test_an_error_at_the_reference_is_undecided(self):
        at = arrays([0.1] * 4, [0.3, 0.28, 0.26, 0.25], spread=0.03)
        result = diagnose_learning_curve(at, **GIVEN)
        assert result.verdict == "undecided"
        assert result.reasons[0] == "the CV error cannot be told from the reference"

    def test_more_noise_turns_a_verdict_into_undecided(self):
        verdicts = [
            diagnose_learning_curve(arrays([0.0] * 4, [0.5, 0.45, 0.4, 0.36], spread=spread), **GIVEN).verdict
            for spread in (0.02, 0.3)
        ]
        assert verdicts == ["high variance", "undecided"]

    def test_one_size_gives_no_verdict(self):
        one = tuple(part[-1:] for part in OPEN_GAP)
        result = diagnose_learning_curve(one, **GIVEN)
        assert result.verdict == "undecided"
        assert "one training size shows no trend" in result.reasons[0]

    def test_without_a_reference_there_is_no_verdict(self):
        result = diagnose_learning_curve(OPEN_GAP, n_test=40)
        assert result.verdict == "undecided"
        assert result.reference is None
        assert "give baseline or target_error" in result.reasons[0]

    def test_order_of_the_sizes_does_not_matter(self):
        turned = tuple(part[::-1] for part in OPEN_GAP)
        one, other = (diagnose_learning_curve(curve, **GIVEN) for curve in (OPEN_GAP, turned))
        assert one.curve.x == other.curve.x == (20, 40, 80, 160)
        assert str(one) == str(other)

    def test_what_scikit_learn_returned(self):
        X, y = load_digits(return_X_y=True)
        returned = learning_curve(
            DecisionTreeClassifier(random_state=0), X, y, cv=KFold(3), train_sizes=[0.2, 0.5, 1.0]
        )
        result = diagnose_learning_curve(returned, n_test=599, baseline=0.1, target_error=0.05)
        assert result.verdict == "high variance"
        np.testing.assert_allclose(result.curve.cv_errors, 1 - returned[2])
        drawn = LearningCurveDisplay(
            train_sizes=returned[0], train_scores=returned[1], test_scores=returned[2]
        )
        assert str(diagnose_learning_curve(drawn, n_test=599, baseline=0.1, target_error=0.05)) == str(result)

    @pytest.mark.parametrize(
        ("curve", "options", "error", "match"),
        [
            (OPEN_GAP, {"n_test": None}, ValueError, "n_test must be given with score arrays"),
            (OPEN_GAP, {"n_test": 0}, ValueError, "n_test must be an integer not less than 1"),
            (OPEN_GAP[:2], {}, TypeError, r"\(sizes, training scores, test scores\)"),
            ("curve", {}, TypeError, r"estimator must have fit\(\), or be what"),
            ((*OPEN_GAP[:2], OPEN_GAP[2][:3]), {}, ValueError, r"shape \(4, n_splits\)"),
            (tuple(part[..., :1] for part in OPEN_GAP[1:]), {}, TypeError, "learning_curve returned"),
            ((OPEN_GAP[0], OPEN_GAP[1][:, :1], OPEN_GAP[2][:, :1]), {}, ValueError, "at least 2 splits"),
            (([20, 20, 80, 160], *OPEN_GAP[1:]), {}, ValueError, "training sizes must be different"),
            ((OPEN_GAP[0], *(-p for p in OPEN_GAP[1:])), {}, ValueError, "are they negated losses"),
            (
                (OPEN_GAP[0], *(p + 1 for p in OPEN_GAP[1:])),
                {},
                ValueError,
                "better than a perfect model's 1",
            ),
            ((OPEN_GAP[0], *(p * np.nan for p in OPEN_GAP[1:])), {}, MissingScoreError, "must be finite"),
            (OPEN_GAP, {"baseline": DummyClassifier()}, TypeError, r"baseline \(a score\) must be a number"),
            (OPEN_GAP, {"target_error": -1}, ValueError, "target_error"),
        ],
    )
    def test_what_does_not_fit_is_refused(self, curve, options, error, match):
        with pytest.raises(error, match=match):
            diagnose_learning_curve(curve, **{**GIVEN, **options})


def test_an_error_at_the_reference_is_seldom_decided():
    # Splits of ten-fold cross-validation, with the correlation that the corrected variance is made for.
    rng, decided, runs = np.random.default_rng(0), 0, 400
    for _ in range(runs):
        own, shared = rng.normal(size=10), rng.normal()
        test = 0.25 + 0.05 * (np.sqrt(0.1) * shared + np.sqrt(0.9) * own)
        curve = ErrorCurve((90,), "training samples", np.zeros((1, 10)), test[None], "error rate", 1 / 9)
        decided += judge(curve, 0, make_reference(None, 0.25, 10), 0.05).verdict != "undecided"
    assert decided / runs <= 0.1 + 0.045  # two one-sided tests at 5 %, and three binomial standard errors


class TestExtrapolation:
    def test_is_told_in_words(self):
        result = diagnose_learning_curve(OPEN_GAP, **GIVEN)
        gain = result.expected_gain(160)
        assert gain.low <= gain.estimate <= gain.high
        assert f"160 more samples would buy about {gain.estimate:.3f} (95 % interval" in str(result)

    def test_needs_four_sizes(self):
        three = tuple(part[1:] for part in OPEN_GAP)
        result = diagnose_learning_curve(three, **GIVEN)
        assert result.extrapolation is None
        assert "more samples would buy" not in str(result)
        with pytest.raises(ValueError, match="from 4 training sizes or more, got 3: give more train_sizes"):
            result.expected_gain(100)

    def test_a_level_closer_to_one_gives_a_wider_interval(self):
        result = diagnose_learning_curve(OPEN_GAP, **GIVEN)
        narrow, wide = result.expected_gain(800, 0.5), result.expected_gain(800, 0.99)
        assert wide.low <= narrow.low <= narrow.high <= wide.high


class TestFits:
    def test_n_jobs_and_the_seed(self):
        runs = [
            diagnose_learning_curve(GaussianNB(), *CANCER, cv=3, n_jobs=n_jobs, random_state=seed)
            for n_jobs, seed in ((1, 0), (2, 0), (1, 1))
        ]
        for part in ("train_errors", "cv_errors"):
            np.testing.assert_array_equal(getattr(runs[0].curve, part), getattr(runs[1].curve, part))
        assert str(runs[0]) == str(runs[1]) != str(runs[2])

    def test_leave_the_estimator_unfitted(self):
        model = LinearRegression()
        diagnose_learning_curve(model, *FRIEDMAN, cv=3)
        assert not hasattr(model, "coef_")

    def test_labels_of_other_types_change_nothing(self):
        X, y = CANCER
        results = [
            diagnose_learning_curve(GaussianNB(), X, labels, random_state=0)
            for labels in (y, np.array(["ill", "well"])[y], np.array([-3, 3])[y], y == 1)
        ]
        assert len({str(result) for result in results}) == 1

    def test_a_smaller_training_set_is_part_of_the_larger_ones_and_keeps_the_classes(self):
        codes = np.array([0] * 90 + [1] * 10)
        data = Data(None, None, [], codes, None)
        order = _nested_order(np.arange(100), data, np.random.default_rng(0))
        assert sorted(order) == list(range(100))
        for size in (10, 20, 50, 90):
            assert abs(codes[order[:size]].sum() - size / 10) <= 1

    def test_groups_come_one_after_the_other(self):
        groups = np.repeat(np.arange(10), 3)
        data = Data(None, None, [], None, groups)
        order = _nested_order(np.arange(30), data, np.random.default_rng(0))
        assert all(len(set(groups[order[start : start + 3]])) == 1 for start in range(0, 30, 3))

    def test_groups_are_not_split_between_training_and_test(self):
        X, y = CANCER
        groups = np.repeat(np.arange(len(y) // 2 + 1), 2)[: len(y)]
        seen = []

        class Spy(GaussianNB):
            def fit(self, X, y):
                seen.append(set(map(tuple, X)))
                return super().fit(X, y)

        result = diagnose_learning_curve(Spy(), X, y, groups=groups, cv=3, random_state=0)
        assert result.curve.n_splits == 3

    @pytest.mark.parametrize(
        ("given", "expected"),
        [
            ([0.5, 1.0], [50, 100]),
            ([1.0, 0.5, 0.5], [50, 100]),
            ([10, 20], [10, 20]),
            ([1], [1]),
            ([0.001], [1]),
        ],
    )
    def test_sizes_are_shares_or_numbers(self, given, expected):
        assert _resolve_sizes(given, 100) == expected

    @pytest.mark.parametrize(
        ("sizes", "match"),
        [
            ([0.5, 1.5], r"shares in \(0, 1\]"),
            ([0.0, 0.5], r"shares in \(0, 1\]"),
            ([0, 10], "between 1 and the smallest training set of cv, 512, got 0"),
            ([10, 1000], "between 1 and the smallest training set of cv, 512, got 10 to 1000"),
            ([], "train_sizes must be shares or numbers"),
            (["a"], "train_sizes must be shares or numbers"),
        ],
    )
    def test_wrong_sizes_are_refused(self, sizes, match):
        with pytest.raises(ValueError, match=match):
            diagnose_learning_curve(GaussianNB(), *CANCER, train_sizes=sizes)

    def test_the_standard_error_knows_the_sizes_of_the_splits(self):
        folds = diagnose_learning_curve(GaussianNB(), *CANCER, cv=KFoldSplit(4), random_state=0)
        halves = diagnose_learning_curve(
            GaussianNB(), *CANCER, cv=HoldOutSplit(5, test_size=0.5, random_state=0), random_state=0
        )
        assert folds.curve.variance_ratio == pytest.approx(1 / 3, rel=0.01)
        assert halves.curve.variance_ratio == pytest.approx(1, rel=0.01)

    @pytest.mark.parametrize(
        ("options", "match"),
        [
            ({"cv": TimeSeriesSplit(3)}, "cv splits in time order"),
            ({"cv": HoldOutSplit(1)}, "at least 2 splits for a standard error, got 1"),
            ({"cv": [(np.arange(50), np.arange(20))] * 2}, "split 0 tests on a row it trained on"),
            ({"cv": 1}, "cv must be an integer not less than 2"),
            ({"n_test": 20}, "n_test is counted from the splits"),
            ({"scoring": make_scorer(np.mean)}, "best_score must be given with a scorer of your own"),
            ({"scoring": "gini"}, "gini"),
            ({"alpha": 0}, "alpha must be a number in"),
            ({"scoring": "accuracy", "best_score": 0.5}, "better than a perfect model's 0.5"),
        ],
    )
    def test_options_that_do_not_fit_are_refused(self, options, match):
        with pytest.raises(ValueError, match=match):
            diagnose_learning_curve(GaussianNB(), *CANCER, random_state=0, **options)

    def test_the_positive_class_is_asked_for_before_the_first_fit(self):
        way = r"scoring=get_scorer\('f1', pos_label=...\) with best_score=1, or 'f1_macro'"
        told = rf"^scoring='f1' does not say .* \['other', 'same'\]: give {way}"
        with pytest.raises(ValueError, match=told):
            diagnose_learning_curve(GaussianNB(), *xor(), scoring="f1")

    def test_a_loss_that_asks_for_the_positive_class_has_best_score_0(self):
        with pytest.raises(ValueError, match=r"pos_label=...\) with best_score=0\.$"):
            diagnose_learning_curve(GaussianNB(), *xor(), scoring="neg_brier_score")

    def test_a_scorer_that_names_the_positive_class_is_taken(self):
        scorer = get_scorer("f1", pos_label="same")
        result = diagnose_learning_curve(
            DecisionTreeClassifier(random_state=0), *xor(), scoring=scorer, best_score=1, random_state=0
        )
        assert result.verdict == "good"

    @pytest.mark.parametrize(
        ("scoring", "way"), [("f1", "'f1_macro', or 'balanced_accuracy'"), ("roc_auc", "'balanced_accuracy'")]
    )
    def test_a_score_of_two_classes_of_three_says_which_score_to_take(self, scoring, way):
        X, y = load_iris(return_X_y=True)
        told = rf"is a score of two classes, .* \[0, 1, 2\]: give scoring={way}\."
        with pytest.raises(ValueError, match=told):
            diagnose_learning_curve(GaussianNB(), X, y, scoring=scoring)

    def test_data_are_needed(self):
        with pytest.raises(ValueError, match="X and y must be given with an estimator"):
            diagnose_learning_curve(GaussianNB())
        with pytest.raises(TypeError, match="scoring must be the name of a score"):
            diagnose_learning_curve(GaussianNB(), *CANCER, scoring=3)

    def test_a_fit_that_fails_says_on_how_many_samples(self):
        class Hungry(GaussianNB):
            def fit(self, X, y):
                if len(X) < 60:
                    raise ValueError("too few")
                return super().fit(X, y)

        with pytest.raises(ValueError, match="too few") as told:
            diagnose_learning_curve(Hungry(), *CANCER, random_state=0)
        assert "on 51 training samples" in told.value.__notes__[0]


class TestResult:
    def test_has_words_figures_and_a_table(self):
        result = diagnose_learning_curve(GaussianNB(), *CANCER, random_state=0)
        assert str(result).startswith("good: the CV error is below the reference; training error ")
        assert "half the error of DummyClassifier" in str(result)
        assert set(result.figures) >= {"training error", "CV error", "gap", "fall of the CV error"}
        assert "<table>" in result._repr_html_()
        assert len(result.curve.frame()) == 6

    def test_the_baseline_may_be_a_model_or_a_score(self):
        by_model = diagnose_learning_curve(
            GaussianNB(), *CANCER, baseline=LogisticRegression(max_iter=5000), cv=3
        )
        assert by_model.reference_note == "half the error of LogisticRegression"
        by_score = diagnose_learning_curve(GaussianNB(), *CANCER, baseline=0.6, cv=3)
        assert by_score.baseline_error == pytest.approx(0.4)
        assert by_score.reference == pytest.approx(0.2)


@pytest.mark.parametrize(
    ("train", "test", "match"),
    [
        ([[0.9, 0.8], [0.9, 0.9]], "abc", "test scores must hold numbers, got 'abc'"),
        ([[0.9, 0.8], [0.9]], [[0.5, 0.6], [0.6, 0.7]], "training scores must hold numbers"),
        ([[0.9, 0.8], [0.9, 0.9]], [[0.5, 0.6], [0.6, -1e300]], r"up to 1e\+60 in size, but 1 of 4 are not"),
    ],
)
def test_scores_that_are_no_table_of_numbers_are_refused(train, test, match):
    with pytest.raises(ValueError, match=match):
        diagnose_learning_curve(([10, 20], train, test), n_test=12)


def test_a_change_of_the_size_of_rounding_is_none():
    train = [[0.7, 0.6], [0.7, 0.6]]
    test = [[0.7, 0.6], [np.nextafter(0.7, 1), 0.6]]
    result = diagnose_learning_curve(([10, 20], train, test), n_test=12, baseline=0.5)
    assert "from 10 to 20 samples the CV error did not change" in " ".join(result.reasons)

"""bias_variance and bias_variance_curve: what is drawn, fitted, told; and the published values once more."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.datasets import load_diabetes, load_iris
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from skeval.diagnosis import bias_variance, bias_variance_curve
from skeval.diagnosis._training_sets import draw_training_sets
from skeval.exceptions import DegenerateDataWarning, ResamplingWarning
from tests.reference import load, number

FILE = load("13_bias_variance.json")
DEFINITIONS = ("domingos", "kohavi-wolpert", "breiman", "kong-dietterich", "james")
IRIS = load_iris(return_X_y=True)
DIABETES = load_diabetes(return_X_y=True)


class Replay(BaseEstimator):
    """Says what is written in a table: the row is in the training set, the column in X."""

    def __init__(self, table=None):
        self.table = table

    def fit(self, X, y):
        self.row_ = int(X[0, 0])
        return self

    def predict(self, X):
        return np.asarray(self.table)[self.row_][X[:, 0].astype(int)]


class ReplayClassifier(ClassifierMixin, Replay):
    pass


class ReplayRegressor(RegressorMixin, Replay):
    pass


def replay(estimator, table, y_test, **options):
    """Train on one set per row of the table: each is a group of its own."""
    rounds, points = np.shape(table)
    X = np.arange(rounds)[:, None]
    y = np.repeat(np.asarray(y_test).ravel()[:1], rounds)
    return bias_variance(
        estimator(table),
        X,
        y,
        X_test=np.arange(points)[:, None],
        y_test=y_test,
        resample="disjoint",
        n_splits=rounds,
        random_state=0,
        **options,
    )


class TestPublishedFractions:
    # Exact fractions from the papers' definitions; the file carries its provenance.
    @pytest.mark.parametrize("definition", DEFINITIONS)
    @pytest.mark.parametrize("case", ["three_class_noisy", "two_class_noisy"])
    def test_replicated_labels_separate_the_noise(self, case, definition):
        points = FILE["inputs"][case]["points"]
        table = np.array([point["predictions_by_training_set"] for point in points]).T
        y_test = [
            np.repeat(list(point["P(y|x)"]), [round(20 * number(p)) for p in point["P(y|x)"].values()])
            for point in points
        ]
        y_test = np.array(y_test).astype(table.dtype)
        result = replay(ReplayClassifier, table, y_test, definition=definition)
        expected = FILE["expected"][case]["average"]
        assert result.loss == pytest.approx(number(expected["error"]), abs=1e-12)
        assert sum(result.parts.values()) == pytest.approx(result.loss, abs=1e-12)
        ours = (result.bias, result.variance, result.noise)
        keys = {
            "domingos": ("domingos_B", "domingos_V", "bayes_error"),
            "kohavi-wolpert": ("kw_bias2", "kw_variance", "kw_sigma2"),
            "breiman": ("breiman_bias", "breiman_variance", "bayes_error"),
            "james": ("james_SE", "james_VE", "bayes_error"),
            "kong-dietterich": (
                "kong_dietterich_bias (B)",
                "kong_dietterich_variance (error - B)",
                None,
            ),
        }[definition]
        if definition == "kohavi-wolpert":
            ours = (result.bias_squared, *ours[1:])
            assert result.bias is None
        if definition == "kong-dietterich":
            assert result.noise is None
            ours, keys = ours[:2], keys[:2]
        assert ours == pytest.approx([number(expected[key]) for key in keys], abs=1e-12)

    def test_one_label_per_sample(self):
        inputs = FILE["inputs"]["observed_labels_only"]
        table = np.array(inputs["predictions_by_training_set"]).T
        result = replay(ReplayClassifier, table, inputs["y"])
        assert (result.bias, result.variance, result.noise) == (0, pytest.approx(0.2), None)
        assert result.per_sample["main_prediction"].tolist() == ["a", "b", "a", "c"]
        assert "label noise is part of bias and variance" in result.noise_note

    def test_squared_loss(self):
        points = FILE["inputs"]["squared_loss"]["points"]
        table = np.array([[number(value) for value in point["pred"]] for point in points]).T
        center = np.array([number(point["f"]) for point in points])
        sd = np.sqrt([number(point["noise_var"]) for point in points])
        result = replay(ReplayRegressor, table, np.column_stack([center - sd, center + sd]))
        expected = {key: number(value) for key, value in FILE["expected"]["squared_loss"]["average"].items()}
        ours = result.loss, result.bias_squared, result.variance, result.noise
        told = [expected[key] for key in ("mse", "bias2", "variance", "noise")]
        assert ours == pytest.approx(told, abs=1e-12)
        unbiased = replay(ReplayRegressor, table, center, unbiased=True)
        assert unbiased.variance == pytest.approx(expected["variance_unbiased"], abs=1e-12)


class TestNoise:
    TABLE = ((1.0, 2.0, 5.0), (2.0, 2.0, 3.0))
    NOISY = (1.0, 3.0, 6.0)

    def test_is_part_of_the_squared_bias_with_one_label_per_sample(self):
        result = replay(ReplayRegressor, self.TABLE, self.NOISY)
        assert result.noise is None
        assert result.cross_term is None
        assert list(result.parts) == ["bias_squared", "variance"]
        assert "noise is part of bias^2" in str(result)

    def test_a_known_target_adds_a_cross_term(self):
        # By hand: fbar = (1.5, 2, 4), t = (1, 2, 5): bias^2 = mean(.25, 0, 1), noise = mean(0, 1, 1),
        # cross = mean 2 (fbar - t)(t - y) = mean(0, 0, 2).
        result = replay(ReplayRegressor, self.TABLE, self.NOISY, y_clean=[1.0, 2.0, 5.0])
        assert result.bias_squared == pytest.approx(1.25 / 3)
        assert result.noise == pytest.approx(2 / 3)
        assert result.cross_term == pytest.approx(2 / 3)
        assert sum(result.parts.values()) == pytest.approx(result.loss, abs=1e-12)

    def test_a_known_variance_is_taken_off(self):
        plain = replay(ReplayRegressor, self.TABLE, self.NOISY)
        result = replay(ReplayRegressor, self.TABLE, self.NOISY, noise=[0.1, 0.2, 0.3])
        assert result.bias_squared == pytest.approx(plain.bias_squared - 0.2)
        assert result.noise == pytest.approx(0.2)
        assert result.loss == plain.loss

    @pytest.mark.parametrize("definition", DEFINITIONS)
    def test_a_known_optimal_class_keeps_the_sum(self, definition):
        table, y_test = [["a", "b", "c"], ["a", "c", "c"], ["b", "b", "c"]], ["a", "c", "b"]
        result = replay(ReplayClassifier, table, y_test, y_clean=["a", "b", "c"], definition=definition)
        assert sum(result.parts.values()) == pytest.approx(result.loss, abs=1e-12)
        assert (result.cross_term is None) == (definition != "kohavi-wolpert")
        if definition not in ("kohavi-wolpert", "kong-dietterich"):
            assert result.noise == pytest.approx(2 / 3)  # two of three labels are not the optimal ones

    @pytest.mark.parametrize(
        ("options", "match"),
        [
            ({"noise": 0.1, "y_clean": [1, 2, 3]}, "noise is known already"),
            ({"noise": -1}, "noise must be a number in"),
            ({"noise": [0.1, 0.2]}, "one per test sample"),
            ({"y_clean": [1.0]}, "y_clean must have one entry per test sample: 3 samples, 1"),
            ({"y_clean": [1.0, np.nan, 2.0]}, "y_clean must hold finite"),
        ],
    )
    def test_what_does_not_fit_is_refused(self, options, match):
        with pytest.raises(ValueError, match=match):
            replay(ReplayRegressor, self.TABLE, self.NOISY, **options)

    def test_a_variance_means_nothing_for_labels(self):
        with pytest.raises(ValueError, match="noise is a variance, for squared loss"):
            replay(ReplayClassifier, [[0, 1]], [0, 1], noise=0.1)


class TestKnownTruth:
    """Normal x of unit variance, noise of variance 1/4; training sets of 20 that share no sample."""

    N, SETS = 20, 400

    @pytest.fixture
    def data(self):
        rng = np.random.default_rng(0)
        X = rng.normal(size=(self.N * self.SETS, 1))
        X_test = np.linspace(-2, 2, 101)[:, None]
        return X, X_test, rng.normal(scale=0.5, size=len(X)), rng

    def decompose(self, model, data, truth):
        X, X_test, noise, rng = data
        clean = truth(X_test[:, 0])
        y_test = clean[:, None] + rng.normal(scale=0.5, size=(len(clean), 200))
        return bias_variance(
            model,
            X,
            truth(X[:, 0]) + noise,
            X_test=X_test,
            y_test=y_test,
            y_clean=clean,
            resample="disjoint",
            n_splits=self.SETS,
            unbiased=True,
            random_state=0,
        )

    def test_a_right_model_has_the_variance_of_least_squares_and_no_bias(self, data):
        # Slope through the origin: E variance = sigma^2 mean(x^2) E[1/chi2_n] = sigma^2 mean(x^2)/(n - 2).
        model = make_pipeline(
            PolynomialFeatures(1, include_bias=False), LinearRegression(fit_intercept=False)
        )
        result = self.decompose(model, data, lambda x: 2 * x)
        expected = 0.25 * np.mean(data[1] ** 2) / (self.N - 2)
        spread = expected * np.sqrt(2 / self.SETS)
        assert result.variance == pytest.approx(expected, abs=5 * spread)
        assert result.bias_squared == pytest.approx(0, abs=5 * expected / self.SETS)
        assert result.noise == pytest.approx(0.25, rel=0.05)

    def test_a_constant_has_the_bias_of_the_mean_and_the_variance_of_a_mean(self, data):
        # Of y = x^2: E y = 1 and var y = 2 + sigma^2, whatever x is asked.
        model = make_pipeline(PolynomialFeatures(0), LinearRegression(fit_intercept=False))
        result = self.decompose(model, data, np.square)
        variance = 2.25 / self.N
        assert result.variance == pytest.approx(variance, rel=0.4)  # y has heavy tails
        error = 5 * np.sqrt(variance / self.SETS)
        expected = np.mean((data[1][:, 0] ** 2 - 1) ** 2)
        assert result.bias_squared == pytest.approx(expected, abs=2 * error)


class TestLabelsOfAnyType:
    @pytest.mark.parametrize(
        "names",
        [["setosa", "versicolor", "virginica"], [-5, -1, 7], [10, 20, 2**40]],
        ids=["strings", "negative", "large"],
    )
    def test_other_names_for_the_same_classes_change_no_number(self, names):
        X, y = IRIS
        results = [
            bias_variance(GaussianNB(), X, labels, n_splits=20, random_state=0)
            for labels in (y, np.array(names)[y])
        ]
        for term in ("loss", "bias", "variance"):
            assert getattr(results[0], term) == getattr(results[1], term)
        told = results[1].per_sample["main_prediction"]
        assert told.tolist() == np.array(names)[results[0].per_sample["main_prediction"]].tolist()

    def test_booleans(self):
        X, y = IRIS
        as_bool = bias_variance(GaussianNB(), X, y == 2, n_splits=20, random_state=0)
        as_int = bias_variance(GaussianNB(), X, (y == 2).astype(int), n_splits=20, random_state=0)
        assert as_bool.parts == as_int.parts
        assert as_bool.per_sample["main_prediction"].dtype == bool

    def test_containers(self):
        X, y = IRIS
        names = np.array(["a", "b", "c"])[y]
        plain = bias_variance(GaussianNB(), X, names, n_splits=10, random_state=0)
        index = np.arange(len(y))[::-1]
        frame = pd.DataFrame(X, columns=list("abcd"), index=index)
        other = bias_variance(GaussianNB(), frame, pd.Series(names, index=index), n_splits=10, random_state=0)
        assert other.parts == plain.parts
        tree = DecisionTreeClassifier(random_state=0)
        dense = bias_variance(tree, X, list(names), n_splits=10, random_state=0)
        assert (
            bias_variance(tree, sparse.csr_array(X), names, n_splits=10, random_state=0).parts == dense.parts
        )


class TestFits:
    def test_leave_the_estimator_unfitted(self):
        model = LinearRegression()
        bias_variance(model, *DIABETES, n_splits=3, random_state=0)
        bias_variance_curve(
            model, *DIABETES, param_name="fit_intercept", param_range=[True, False], n_splits=3
        )
        assert not hasattr(model, "coef_")
        assert model.fit_intercept is True

    @pytest.mark.parametrize("resample", ["bootstrap", "disjoint"])
    def test_n_jobs_changes_no_bit(self, resample):
        tree = DecisionTreeRegressor(random_state=0)
        one, two = (
            bias_variance(tree, *DIABETES, resample=resample, n_splits=9, n_jobs=n_jobs, random_state=1)
            for n_jobs in (1, 2)
        )
        assert one.parts == two.parts
        for term, values in one.per_sample.items():
            np.testing.assert_array_equal(values, two.per_sample[term])

    def test_the_same_seed_gives_the_same_result(self):
        seeds = [0, 0, 1, np.random.default_rng(0)]
        loss = [bias_variance(GaussianNB(), *IRIS, n_splits=5, random_state=seed).loss for seed in seeds]
        assert loss[0] == loss[1] == loss[3] != loss[2]

    def test_a_classifier_gets_the_zero_one_loss(self):
        assert bias_variance(GaussianNB(), *IRIS, n_splits=3, random_state=0).loss_name == "0-1 loss"
        assert (
            bias_variance(LinearRegression(), *IRIS, n_splits=3, random_state=0).loss_name == "squared loss"
        )

    def test_held_out_samples_are_never_trained_on(self):
        X = np.arange(60.0)[:, None]
        seen = []

        class Spy(LinearRegression):
            def fit(self, X, y):
                seen.append(set(X[:, 0]))
                return super().fit(X, y)

        result = bias_variance(Spy(), X, X[:, 0], n_splits=5, random_state=0)
        assert all(not set(result.test_index) & rows for rows in seen)
        assert (result.n_test, result.n_train) == (18, 42)

    def test_whole_groups_are_held_out_and_drawn(self):
        groups = np.repeat(np.arange(20), 3)
        X, seen = groups[:, None] * 1.0, []

        class Spy(LinearRegression):
            def fit(self, X, y):
                seen.append(np.unique(X[:, 0], return_counts=True))
                return super().fit(X, y)

        result = bias_variance(Spy(), X, X[:, 0], groups=groups, n_splits=5, random_state=0)
        held_out = set(groups[result.test_index])
        for names, counts in seen:
            assert not held_out & set(names)
            assert (counts % 3 == 0).all()

    def test_failed_fits_are_left_out_and_counted(self):
        X, y = np.arange(40.0)[:, None], np.array(["a"] * 38 + ["b"] * 2)
        X_test, y_test = X[::4], y[::4]
        with pytest.warns(ResamplingWarning) as told:
            result = bias_variance(
                LogisticRegression(), X, y, X_test=X_test, y_test=y_test, n_splits=30, random_state=0
            )
        words = [str(warning.message) for warning in told]
        assert result.n_failed > 0
        assert result.n_rounds + result.n_failed == 30
        assert any(
            f"{result.n_failed} of 30 fits failed and are left out, the first with" in w for w in words
        )
        assert any(f"lacks class 'b' in {result.n_failed} of 30 rounds" in w for w in words)
        assert all(warning.filename == __file__ for warning in told)

    def test_if_all_fail_the_first_reason_is_told(self):
        class Broken(LinearRegression):
            def fit(self, X, y):
                raise RuntimeError("no fuel")

        with pytest.raises(ValueError, match="All 4 fits failed, the first with RuntimeError: no fuel"):
            bias_variance(Broken(), *DIABETES, n_splits=4)

    def test_a_single_training_set_has_no_variance_and_a_warning(self):
        with pytest.warns(DegenerateDataWarning, match="With n_splits=1 the variance is 0"):
            result = bias_variance(LinearRegression(), *DIABETES, n_splits=1, random_state=0)
        assert result.variance == 0
        assert result.bias_squared == result.loss


class TestTrainingSets:
    def test_bootstrap_sets_are_as_large_as_what_they_are_drawn_from(self):
        drawn = draw_training_sets("bootstrap", 50, 30, None, np.random.default_rng(0))
        assert {len(rows) for rows in drawn} == {30}
        distinct = np.mean([len(np.unique(rows)) for rows in drawn])
        assert distinct / 30 == pytest.approx(1 - (1 - 1 / 30) ** 30, abs=0.03)

    def test_disjoint_sets_are_equal_and_share_nothing(self):
        drawn = draw_training_sets("disjoint", 7, 30, None, np.random.default_rng(0))
        together = np.concatenate(drawn)
        assert {len(rows) for rows in drawn} == {4}
        assert len(np.unique(together)) == 28

    def test_disjoint_sets_of_groups(self):
        groups = np.repeat(np.arange(9), [1, 2, 3, 4, 5, 6, 7, 8, 9])
        drawn = draw_training_sets("disjoint", 4, 45, groups, np.random.default_rng(0))
        names = [np.unique(groups[rows]) for rows in drawn]
        assert [len(found) for found in names] == [2, 2, 2, 2]
        assert len(np.unique(np.concatenate(names))) == 8
        for rows, found in zip(drawn, names, strict=True):
            assert len(rows) == np.isin(groups, found).sum()

    @given(st.integers(1, 40), st.integers(1, 40))
    @settings(deadline=None, max_examples=40)
    def test_too_many_parts_are_refused(self, n_splits, n_samples):
        if n_splits <= n_samples:
            sets = draw_training_sets("disjoint", n_splits, n_samples, None, np.random.default_rng(0))
            assert len(sets) == n_splits
        else:
            with pytest.raises(
                ValueError, match=f"cuts the {n_samples} training samples in n_splits={n_splits}"
            ):
                draw_training_sets("disjoint", n_splits, n_samples, None, np.random.default_rng(0))


class TestRefusals:
    @pytest.mark.parametrize(
        ("options", "match"),
        [
            ({"loss": "hinge"}, "loss must be one of 'squared', 'zero_one'"),
            ({"definition": "geman"}, "definition must be one of 'domingos'"),
            ({"resample": "jackknife"}, "resample must be one of 'bootstrap', 'disjoint'"),
            ({"n_splits": 0}, "n_splits must be an integer not less than 1"),
            ({"unbiased": True, "n_splits": 1}, "n_splits must be an integer not less than 2"),
            ({"unbiased": True}, "unbiased=True corrects a squared bias, but definition='domingos'"),
            ({"X_test": [[1.0]]}, "X_test and y_test go together"),
            ({"y_test": [1.0]}, "X_test and y_test go together"),
            ({"y_clean": [1, 2]}, "one entry per sample of X where no X_test is given: 150 samples, 2"),
            ({"X_test": IRIS[0][:3], "y_test": [0, 1]}, "X_test has 3, y_test has 2"),
            ({"X_test": IRIS[0][:2], "y_test": ["a", "b"]}, "Labels must be of one type"),
            ({"X_test": IRIS[0][:0], "y_test": []}, "y_test must have shape"),
        ],
    )
    def test_of_a_classifier(self, options, match):
        with pytest.raises(ValueError, match=match):
            bias_variance(GaussianNB(), *IRIS, **{"n_splits": 5, **options})

    @pytest.mark.parametrize(
        ("options", "match"),
        [
            ({"loss": "zero_one"}, "loss='zero_one' needs a classifier, got the regressor LinearRegression"),
            ({"definition": "james"}, "definition='james' is one of 0-1 loss"),
        ],
    )
    def test_of_a_regressor(self, options, match):
        with pytest.raises(ValueError, match=match):
            bias_variance(LinearRegression(), *DIABETES, n_splits=5, **options)

    def test_squared_loss_of_labels_that_are_no_numbers(self):
        names = np.array(["a", "b", "c"])[IRIS[1]]
        with pytest.raises(ValueError, match="y must hold numbers"):
            bias_variance(GaussianNB(), IRIS[0], names, loss="squared", n_splits=5)

    def test_missing_targets(self):
        X, y = DIABETES
        with pytest.raises(ValueError, match="y must hold finite numbers, got nan at position 0"):
            bias_variance(LinearRegression(), X, np.where(np.arange(len(y)) == 0, np.nan, y), n_splits=5)

    def test_several_columns_to_train_on(self):
        X, y = DIABETES
        with pytest.raises(ValueError, match="must be one-dimensional"):
            bias_variance(LinearRegression(), X, np.column_stack([y, y]), n_splits=5)

    def test_an_estimator_that_is_none(self):
        with pytest.raises(TypeError, match=r"estimator must have fit\(\), str has not"):
            bias_variance("tree", *IRIS)

    def test_predictions_that_are_not_finite(self):
        class Infinite(LinearRegression):
            def predict(self, X):
                return np.full(len(X), np.inf)

        with pytest.raises(ValueError, match="predictions of the estimator must hold finite numbers"):
            bias_variance(Infinite(), *DIABETES, n_splits=3)


class TestResult:
    def test_says_what_it_is(self):
        result = bias_variance(GaussianNB(), *IRIS, n_splits=20, random_state=0)
        told = str(result)
        assert told.startswith("0-1 loss (domingos) ")
        assert "20 training sets of 105 samples, 45 test samples." in told
        assert "trained on 105 samples" in result.estimand
        assert "Domingos 2000" in result.reference
        assert "<table>" in result._repr_html_()

    def test_says_that_the_bias_is_corrected(self):
        result = bias_variance(LinearRegression(), *DIABETES, unbiased=True, n_splits=5, random_state=0)
        assert "corrected for the number of training sets" in str(result)

    def test_james_calls_its_parts_effects(self):
        result = bias_variance(GaussianNB(), *IRIS, definition="james", n_splits=5, random_state=0)
        assert "systematic effect" in str(result)

    def test_frame_has_one_row_with_the_parts(self):
        result = bias_variance(LinearRegression(), *DIABETES, n_splits=5, random_state=0)
        frame = result.frame()
        assert len(frame) == 1
        assert frame["loss"][0] == pytest.approx(frame["bias_squared"][0] + frame["variance"][0])

    def test_is_frozen(self):
        result = bias_variance(GaussianNB(), *IRIS, n_splits=5, random_state=0)
        with pytest.raises(AttributeError, match="cannot assign"):
            result.loss = 0


OPTIONS = {"n_splits": 30, "random_state": 0}


class TestCurve:
    def test_each_value_has_what_it_has_alone(self):
        curve = bias_variance_curve(
            DecisionTreeRegressor(random_state=0),
            *DIABETES,
            param_name="max_depth",
            param_range=[1, 3, 9],
            **OPTIONS,
        )
        alone = bias_variance(DecisionTreeRegressor(max_depth=3, random_state=0), *DIABETES, **OPTIONS)
        assert curve.results[1].parts == alone.parts
        np.testing.assert_allclose(sum(curve.parts.values()), curve.loss)
        # The textbook picture: bias falls and variance rises with depth.
        assert (np.diff(curve.parts["variance"]) > 0).all()
        assert curve.parts["bias_squared"][0] > curve.parts["bias_squared"][-1]
        assert curve.best_value == curve.param_values[curve.loss.argmin()]

    def test_parameters_of_steps(self):
        model = make_pipeline(PolynomialFeatures(), LinearRegression())
        curve = bias_variance_curve(
            model, DIABETES[0][:, :2], DIABETES[1], param_name="polynomialfeatures__degree",
            param_range=range(3), **OPTIONS,
        )  # fmt: skip
        assert list(curve.frame()["polynomialfeatures__degree"]) == [0, 1, 2]
        assert str(curve).startswith("Over 3 values of polynomialfeatures__degree the loss is least at ")
        assert "<table>" in curve._repr_html_()

    def test_no_value_is_refused(self):
        with pytest.raises(ValueError, match="param_range must hold at least one value of max_depth"):
            bias_variance_curve(
                DecisionTreeRegressor(), *DIABETES, param_name="max_depth", param_range=[], **OPTIONS
            )

    def test_the_value_whose_fits_failed_is_named(self):
        with pytest.raises(ValueError, match="All 30 fits at max_depth=-1 failed"):
            bias_variance_curve(
                DecisionTreeRegressor(),
                *DIABETES,
                param_name="max_depth",
                param_range=[2, -1],
                **OPTIONS,
            )


# --- figures that cannot be


@pytest.mark.parametrize(("noise", "got"), [(np.inf, "inf"), (1e70, r"1e\+70")])
def test_noise_is_a_number_that_can_be_taken_off(noise, got):
    with pytest.raises(ValueError, match=rf"noise must be a number in \[0, 1e\+60\], got {got}"):
        bias_variance(LinearRegression(), *DIABETES, noise=noise, **OPTIONS)


def test_noise_above_the_loss_is_told():
    X = np.random.default_rng(0).normal(size=(60, 2))
    y = X[:, 0] + np.random.default_rng(1).normal(size=60)
    with pytest.warns(DegenerateDataWarning, match=r"known noise, 100, exceeds the loss, .*negative, -9\d"):
        found = bias_variance(LinearRegression(), X, y, noise=100, **OPTIONS)
    # Noise is part of what would be bias without it.
    unknown = bias_variance(LinearRegression(), X, y, **OPTIONS)
    assert found.bias_squared == pytest.approx(unknown.bias_squared - 100, rel=1e-12)
    assert (found.loss, found.variance, found.noise) == (unknown.loss, unknown.variance, 100)


class FailsBut(RegressorMixin, BaseEstimator):
    """Learns from one training set only: that which begins with the given row."""

    def __init__(self, first):
        self.first = first

    def fit(self, X, y):
        if X[0, 0] != self.first:
            raise RuntimeError("no convergence")
        return self

    def predict(self, X):
        return np.zeros(len(X))


def test_the_correction_needs_two_fits_that_worked():
    X, y = np.arange(20.0)[:, None], np.arange(20.0)
    options = {"X_test": X[:3], "y_test": y[:3], "resample": "disjoint", "n_splits": 4, "random_state": 0}
    train = draw_training_sets("disjoint", 4, 20, None, np.random.default_rng(0))[0]
    with (
        pytest.warns(ResamplingWarning, match="3 of 4 fits failed"),
        pytest.raises(ValueError, match="unbiased=True needs 2 fits that worked, 1 did"),
    ):
        bias_variance(FailsBut(X[train[0], 0]), X, y, unbiased=True, **options)


def test_targets_whose_squares_are_infinite_are_refused():
    X, y = DIABETES
    with pytest.raises(ValueError, match=r"y must hold numbers up to 1e\+60 in size, got 3.46e\+202"):
        bias_variance(LinearRegression(), X, y * 1e200, **OPTIONS)


class OneShort(ClassifierMixin, BaseEstimator):
    """Predicts nothing of the last sample."""

    def fit(self, X, y):
        return self

    def predict(self, X):
        return np.zeros(len(X) - 1, dtype=int)


@pytest.mark.parametrize(("loss", "what"), [("zero_one", "label"), ("squared", "number")])
def test_one_prediction_per_sample_is_needed(loss, what):
    with pytest.raises(ValueError, match=f"estimator must predict one {what} per sample: 3 samples, 2 pred"):
        bias_variance(OneShort(), *IRIS, X_test=IRIS[0][:3], y_test=IRIS[1][:3], loss=loss, n_splits=2)


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ({"y": None}, ValueError, "y must hold the target of every sample of X, got None"),
        ({"y": 3}, TypeError, "y must be a container of samples, got 3"),
        ({"X_test": 3, "y_test": [0]}, TypeError, "X_test must be a container of samples, got 3"),
        ({"X_test": np.array(3.0), "y_test": [0]}, TypeError, "X_test must be a container of samples"),
        (
            {"X_test": [[0.0] * 4], "y_test": 3},
            ValueError,
            r"y_test must have shape \(n_test,\) or .*, got 3",
        ),
    ],
)
def test_what_holds_no_samples_is_refused(given, error, message):
    data = {"X": IRIS[0], "y": IRIS[1], **given}
    with pytest.raises(error, match=message):
        bias_variance(GaussianNB(), data.pop("X"), data.pop("y"), n_splits=2, **data)

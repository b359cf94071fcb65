"""Formulas of the decompositions: exact fractions, and the sums that every input must meet."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from skeval.diagnosis._decompositions import DEFINITIONS, class_counts, squared_parts, zero_one_parts
from tests.reference import load, number

# Exact fractions, from the definitions of the papers; the file carries its provenance.
FILE = load("13_bias_variance.json")
TOLERANCE = 1e-12
LABEL_CASES = ("three_class_noisy", "two_class_noise_free", "two_class_noisy", "observed_labels_only")

DEFINITION_NAMES = list(DEFINITIONS)


def label_arrays(case):
    """Return codes of predictions (rounds, points) and of targets (points, targets).

    Probabilities of the labels become shares of 20 targets.
    """
    inputs = FILE["inputs"][case]
    if "points" not in inputs:
        predictions = np.array(inputs["predictions_by_training_set"]).T
        targets = np.array(inputs["y"])[:, None]
    else:
        points = inputs["points"]
        predictions = np.array([point["predictions_by_training_set"] for point in points]).T
        targets = np.array(
            [np.repeat(list(point["P(y|x)"]), counts_of(point)).astype(predictions.dtype) for point in points]
        )
    labels = np.unique(np.concatenate([predictions.ravel(), targets.ravel()]))
    return np.searchsorted(labels, predictions), np.searchsorted(labels, targets), labels


def counts_of(point):
    return [round(20 * number(share)) for share in point["P(y|x)"].values()]


def parts(case, definition, **options):
    predictions, targets, labels = label_arrays(case)
    return zero_one_parts(predictions, targets, len(labels), definition=definition, **options)


def expected_per_point(case, *path):
    found = FILE["expected"][case]["per_point"]
    for key in path:
        found = [point[key] for point in found]
    return [number(value) for value in found]


def average(case, key):
    return number(FILE["expected"][case]["average"][key])


@pytest.mark.parametrize("case", LABEL_CASES)
class TestLabelsAgainstFractions:
    def test_error_and_main_prediction(self, case):
        values, _ = parts(case, "domingos")
        labels = label_arrays(case)[2]
        np.testing.assert_allclose(values["loss"], expected_per_point(case, "error"), atol=TOLERANCE)
        told = [point["main_prediction"] for point in FILE["expected"][case]["per_point"]]
        assert labels[values["main_prediction"]].tolist() == told

    @pytest.mark.parametrize(
        ("ours", "theirs"), [("noise", "N"), ("bias", "B"), ("variance", "V"), ("c1", "c1"), ("c2", "c2")]
    )
    def test_domingos_per_point(self, case, ours, theirs):
        values, _ = parts(case, "domingos")
        expected = expected_per_point(case, "domingos", theirs)
        # Where nothing varies c2 has no meaning; the file has 1 for right and 0 for wrong points.
        np.testing.assert_allclose(values[ours], expected, atol=TOLERANCE)

    @pytest.mark.parametrize(
        ("ours", "theirs"),
        [
            ("bias", "domingos_B"),
            ("variance", "domingos_V"),
            ("unbiased_variance", "domingos_V_unbiased"),
            ("biased_variance", "domingos_V_biased"),
            ("weighted_noise", "domingos_c1N"),
            ("net_variance", "domingos_net_variance Vu - weighted Vb"),
        ],
    )
    def test_domingos_average(self, case, ours, theirs):
        values, _ = parts(case, "domingos")
        assert values[ours].mean() == pytest.approx(average(case, theirs), abs=TOLERANCE)

    @pytest.mark.parametrize(
        ("unbiased", "ours", "theirs"),
        [
            (False, "bias_squared", "bias2"),
            (False, "variance", "variance"),
            (False, "noise", "sigma2"),
            (True, "bias_squared", "bias2_unbiased"),
            (True, "variance", "variance_unbiased"),
        ],
    )
    def test_kohavi_wolpert(self, case, unbiased, ours, theirs):
        values, _ = parts(case, "kohavi-wolpert", unbiased=unbiased)
        expected = expected_per_point(case, "kohavi_wolpert", theirs)
        np.testing.assert_allclose(values[ours], expected, atol=TOLERANCE)
        assert values[ours].mean() == pytest.approx(average(case, f"kw_{theirs}"), abs=TOLERANCE)

    @pytest.mark.parametrize("ours", ["bias", "variance"])
    def test_breiman(self, case, ours):
        values, _ = parts(case, "breiman")
        np.testing.assert_allclose(values[ours], expected_per_point(case, "breiman", ours), atol=TOLERANCE)
        assert values[ours].mean() == pytest.approx(average(case, f"breiman_{ours}"), abs=TOLERANCE)
        assert values["noise"].mean() == pytest.approx(average(case, "bayes_error"), abs=TOLERANCE)

    @pytest.mark.parametrize(("ours", "theirs"), [("bias", "SE"), ("variance", "VE")])
    def test_james(self, case, ours, theirs):
        values, _ = parts(case, "james")
        np.testing.assert_allclose(values[ours], expected_per_point(case, "james", theirs), atol=TOLERANCE)
        assert values[ours].mean() == pytest.approx(average(case, f"james_{theirs}"), abs=TOLERANCE)

    def test_kong_dietterich(self, case):
        values, _ = parts(case, "kong-dietterich")
        expected = (
            average(case, "kong_dietterich_bias (B)"),
            average(case, "kong_dietterich_variance (error - B)"),
        )
        assert (values["bias"].mean(), values["variance"].mean()) == pytest.approx(expected, abs=TOLERANCE)

    @pytest.mark.parametrize("definition", DEFINITION_NAMES)
    def test_parts_add_up_to_the_error(self, case, definition):
        values, terms = parts(case, definition)
        total = sum(values[term] for term in terms)
        np.testing.assert_allclose(total, expected_per_point(case, "error"), atol=TOLERANCE)
        assert total.mean() == pytest.approx(average(case, "error"), abs=TOLERANCE)


class TestSquaredAgainstFractions:
    @pytest.fixture
    def arrays(self):
        points = FILE["inputs"]["squared_loss"]["points"]
        predictions = np.array([[number(value) for value in point["pred"]] for point in points]).T
        center = np.array([number(point["f"]) for point in points])
        sd = np.sqrt([number(point["noise_var"]) for point in points])
        # Two targets, one standard deviation on either side: their mean is f, their variance the noise.
        return predictions, np.column_stack([center - sd, center + sd]), center

    @pytest.mark.parametrize(
        ("unbiased", "ours", "theirs"),
        [
            (False, "main_prediction", "main_prediction"),
            (False, "loss", "expected_squared_loss"),
            (False, "bias_squared", "bias2"),
            (False, "variance", "variance"),
            (False, "noise", "noise"),
            (True, "bias_squared", "bias2_unbiased (bias2 - var_unb/D)"),
            (True, "variance", "variance_divisor_D-1"),
            (True, "loss", "expected_squared_loss"),
        ],
    )
    def test_per_point(self, arrays, unbiased, ours, theirs):
        values, _ = squared_parts(*arrays[:2], unbiased=unbiased)
        np.testing.assert_allclose(values[ours], expected_per_point("squared_loss", theirs), atol=TOLERANCE)

    def test_average(self, arrays):
        values, _ = squared_parts(*arrays[:2])
        for ours, theirs in (
            ("bias_squared", "bias2"),
            ("variance", "variance"),
            ("noise", "noise"),
            ("loss", "mse"),
        ):
            assert values[ours].mean() == pytest.approx(average("squared_loss", theirs), abs=TOLERANCE)
        unbiased, _ = squared_parts(*arrays[:2], unbiased=True)
        expected = average("squared_loss", "variance_unbiased")
        assert unbiased["variance"].mean() == pytest.approx(expected, abs=TOLERANCE)

    def test_known_noise_variance_is_taken_off_the_squared_bias(self, arrays):
        predictions, _, center = arrays
        values, terms = squared_parts(predictions, center[:, None], noise=0.01)
        plain, _ = squared_parts(predictions, center[:, None])
        np.testing.assert_allclose(values["bias_squared"], plain["bias_squared"] - 0.01, atol=TOLERANCE)
        np.testing.assert_allclose(sum(values[term] for term in terms), plain["loss"], atol=TOLERANCE)


class TestTies:
    def test_main_prediction_is_the_smallest_of_the_tied_labels(self):
        # The file's note: predictions 0 and 1, label 0: bias 0 and variance 1/2.
        values, _ = zero_one_parts(np.array([[0], [1]]), np.array([[0]]), 2, definition="domingos")
        assert (values["main_prediction"], values["bias"], values["variance"]) == (0, 0, 0.5)

    def test_a_tie_decided_against_the_label_adds_up_too(self):
        values, terms = zero_one_parts(np.array([[0], [1]]), np.array([[1]]), 2, definition="domingos")
        assert (values["bias"], values["variance"], values["c2"]) == (1, 0.5, -1)
        assert sum(values[term] for term in terms) == 0.5

    def test_optimal_class_is_the_smallest_of_the_tied_targets(self):
        values, _ = zero_one_parts(np.array([[1], [1]]), np.array([[0, 1]]), 2, definition="breiman")
        assert (values["noise"], values["bias"], values["variance"]) == (0.5, 0, 0)


class TestOneRound:
    @pytest.mark.parametrize("definition", ["domingos", "kohavi-wolpert", "breiman"])
    def test_variance_is_zero(self, definition):
        values, _ = zero_one_parts(np.array([[0, 1, 2]]), np.array([[0], [0], [2]]), 3, definition=definition)
        np.testing.assert_array_equal(values["variance"], 0)

    def test_squared_bias_is_the_loss(self):
        values, _ = squared_parts(np.array([[1.0, 2.0]]), np.array([[0.0], [5.0]]))
        np.testing.assert_array_equal(values["bias_squared"], [1, 9])
        np.testing.assert_array_equal(values["variance"], 0)


# --- what holds for every input ---------------------------------------------------------------------

NUMBERS = st.floats(-100, 100, width=32)


@st.composite
def squared_input(draw):
    n_rounds, n_samples, n_targets = draw(st.integers(1, 6)), draw(st.integers(1, 5)), draw(st.integers(1, 4))
    predictions = draw(hnp.arrays(float, (n_rounds, n_samples), elements=NUMBERS))
    targets = draw(hnp.arrays(float, (n_samples, n_targets), elements=NUMBERS))
    clean = draw(st.none() | hnp.arrays(float, (n_samples,), elements=NUMBERS))
    return predictions, targets, clean, draw(st.booleans()) and n_rounds > 1


@given(squared_input())
@settings(deadline=None, max_examples=100)
def test_squared_parts_add_up_to_the_mean_over_all_pairs(given_input):
    predictions, targets, clean, unbiased = given_input
    values, terms = squared_parts(predictions, targets, clean=clean, unbiased=unbiased)
    pairs = (predictions[:, :, None] - targets) ** 2
    direct, scale = pairs.mean(axis=(0, 2)), 1 + pairs.max()
    np.testing.assert_allclose(values["loss"], direct, atol=TOLERANCE * scale)
    np.testing.assert_allclose(sum(values[term] for term in terms), direct, atol=TOLERANCE * scale)
    assert (values["variance"] >= 0).all()


@st.composite
def label_input(draw):
    n_classes = draw(st.integers(1, 4))
    codes = st.integers(0, n_classes - 1)
    n_rounds, n_samples, n_targets = draw(st.integers(1, 7)), draw(st.integers(1, 5)), draw(st.integers(1, 4))
    predictions = draw(hnp.arrays(np.int64, (n_rounds, n_samples), elements=codes))
    targets = draw(hnp.arrays(np.int64, (n_samples, n_targets), elements=codes))
    clean = draw(st.none() | hnp.arrays(np.int64, (n_samples,), elements=codes))
    return predictions, targets, n_classes, clean


@pytest.mark.parametrize("definition", DEFINITION_NAMES)
@given(given_input=label_input())
@settings(deadline=None, max_examples=60)
def test_label_parts_add_up_to_the_share_of_wrong_pairs(definition, given_input):
    predictions, targets, n_classes, clean = given_input
    values, terms = zero_one_parts(predictions, targets, n_classes, definition=definition, clean=clean)
    direct = (predictions[:, :, None] != targets).mean(axis=(0, 2))
    np.testing.assert_allclose(values["loss"], direct, atol=TOLERANCE)
    np.testing.assert_allclose(sum(values[term] for term in terms), direct, atol=TOLERANCE)


@given(label_input())
@settings(deadline=None, max_examples=60)
def test_two_class_kohavi_wolpert_is_squared_loss_of_the_codes(given_input):
    predictions, targets, _, clean = given_input
    predictions, targets, clean = (None if a is None else a % 2 for a in (predictions, targets, clean))
    ours, _ = zero_one_parts(predictions, targets, 2, definition="kohavi-wolpert", clean=clean)
    other, _ = squared_parts(predictions * 1.0, targets * 1.0, clean=None if clean is None else clean * 1.0)
    for term in ("loss", "bias_squared", "variance", "noise"):
        np.testing.assert_allclose(ours[term], other[term], atol=TOLERANCE)


def test_counts_do_not_depend_on_the_blocks():
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 3, size=(4, 2500))
    expected = np.stack([(codes == which).sum(axis=0) for which in range(3)], axis=1)
    np.testing.assert_array_equal(class_counts(codes, 3), expected)


def test_squared_parts_keep_their_digits_far_from_zero():
    rng = np.random.default_rng(0)
    predictions, targets = rng.normal(size=(50, 2000)), rng.normal(size=(2000, 1))
    near, _ = squared_parts(predictions, targets)
    far, _ = squared_parts(predictions + 2.0**30, targets + 2.0**30)
    # Shifting by 2^30 rounds the data themselves to about 2^-23.
    for term in ("loss", "bias_squared", "variance"):
        np.testing.assert_allclose(far[term], near[term], atol=1e-5)

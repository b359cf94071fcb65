"""Unequal costs: cost of predictions, and cost curves with their lower envelope."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skeval.exceptions import UndefinedMeasureWarning
from skeval.metrics import (
    ConfusionMatrix,
    RankedScores,
    cost_curve,
    cost_sensitive_accuracy,
    cost_sensitive_error,
)
from skeval.metrics._cost import _upper_hull, cost_curve_from_counts
from tests.reference import load, number

REFERENCE = load("08_cost_curves.json")
EXPECTED, INPUTS = REFERENCE["expected"], REFERENCE["inputs"]
DATA = ["fawcett2006", "ties", "worse_than_chance"]
COSTS = load("10_confusion_metrics.json")


def exact(value):
    return pytest.approx(value, abs=1e-12, rel=0)


def points(pairs):
    return np.array([[number(value) for value in pair] for pair in pairs])


def curve_of(name, **kwargs):
    return cost_curve(INPUTS[name]["y"], INPUTS[name]["score"], **kwargs)


def envelope(rates):
    """Return the cost curve of classifiers given by (fpr, tpr), the trivial ones added."""
    fpr, tpr = np.array([[0, 0], *rates, [1, 1]], dtype=float).T
    return cost_curve_from_counts(fpr, tpr, np.arange(len(fpr), 0, -1.0))


def vertices(curve):
    return np.column_stack([curve.probability_cost, curve.normalized_cost])


# --- cost of predictions ------------------------------------------------------------------------


def test_cost_equals_exact_fractions():
    inputs, expected = COSTS["inputs"]["cost"], COSTS["expected"]["cost"]
    cost, cm = inputs["cost[actual][predicted]"], ConfusionMatrix(inputs["confusion"])
    assert cm.cost(cost, normalize=False) == expected["total"]
    assert cm.cost(cost) == exact(number(expected["mean_cost"]))
    worst = number(expected["normalised_by_max_possible (each row worst cost)"])
    assert cm.cost_sensitive_accuracy(cost) == exact(1 - worst)
    rows = [ConfusionMatrix(np.diag(np.eye(3)[k]) @ cm.counts).cost(cost) for k in range(3)]
    assert rows == exact([number(value) for value in expected["per_class_mean_cost"]])


def test_cost_of_a_stack_and_of_labels_in_their_order():
    cost = [[0, 10], [1, 0]]
    stack = ConfusionMatrix([[[3, 1], [2, 4]], [[5, 0], [0, 5]]])
    assert stack.cost(cost) == exact([12 / 10, 0])
    assert stack.cost(cost, normalize=False).tolist() == [12, 0]
    cm = ConfusionMatrix.from_predictions(["ill", "well"], ["well", "ill"], labels=["well", "ill"])
    assert cm.cost(cost) == 11 / 2


def test_equal_costs_give_the_error_rate():
    cm = ConfusionMatrix([[40, 6, 4], [5, 20, 5], [3, 2, 15]])
    assert cm.cost(1 - np.eye(3)) == exact(cm.error_rate())
    assert cm.cost_sensitive_accuracy(1 - np.eye(3)) == exact(cm.accuracy())


def test_weights_are_a_distribution_of_the_cost():
    y, predicted, weight = [0, 1, 1], [1, 1, 0], [0.2, 0.3, 0.5]
    assert cost_sensitive_error(y, predicted, cost=[[0, 5], [1, 0]], sample_weight=weight) == exact(1.5)


@pytest.mark.parametrize(
    ("cost", "message"),
    [
        (
            np.zeros((2, 2)),
            r"cost must have one row and one column per label \[0, 1, 2\], got shape \(2, 2\)",
        ),
        ([0, 1, 2], r"cost must have one row .* got shape \(3,\)"),
        (np.full((3, 3), np.nan), "cost must hold finite numbers of at most 1e.60 in size, got nan"),
        ([["0", "1", "1"]] * 3, "cost must hold numbers, got"),
        (np.full((3, 3), np.inf), "cost must hold finite numbers of at most 1e.60 in size, got inf"),
        (np.full((3, 3), 1e308), "cost must hold finite numbers of at most 1e.60 in size, got 1e.308"),
        ([[0, 1, 1], [1, 0, 1], [1]], "cost must have rows of one length"),
    ],
)
def test_a_cost_matrix_that_does_not_fit_is_refused(cost, message):
    cm = ConfusionMatrix(np.eye(3))
    for measure in (cm.cost, cm.cost_sensitive_accuracy):
        with pytest.raises(ValueError, match=message):
            measure(cost)


@pytest.mark.parametrize("measure", [cost_sensitive_error, cost_sensitive_accuracy])
def test_a_ragged_cost_matrix_is_named_without_labels_too(measure):
    with pytest.raises(ValueError, match="cost must have rows of one length"):
        measure([0, 1], [0, 1], cost=[[0, 1], [1]])


@pytest.mark.parametrize("gain", [-5, -1, -0.01])
def test_a_share_of_the_cost_needs_costs_that_are_not_negative(gain):
    gains = [[gain, 1], [1, gain]]
    message = f"cost must not be negative for cost_sensitive_accuracy, got {gain}"
    with pytest.raises(ValueError, match=message):
        cost_sensitive_accuracy([0, 1], [0, 1], cost=gains)
    assert cost_sensitive_error([0, 1], [0, 1], cost=gains) == gain


def test_the_largest_costs_and_weights_multiply():
    cm = ConfusionMatrix([[0, 1e60], [1e60, 0]])
    assert cm.cost([[0, 1e60], [1e60, 0]]) == exact(1e60)
    assert cm.cost_sensitive_accuracy([[0, 1e60], [1e60, 0]]) == 0


def test_cost_of_nothing_is_undefined():
    empty = ConfusionMatrix([[0, 0], [0, 0]])
    with pytest.warns(UndefinedMeasureWarning, match="^cost is undefined"):
        assert np.isnan(empty.cost([[0, 1], [1, 0]]))
    assert empty.cost([[0, 1], [1, 0]], normalize=False) == 0
    with pytest.warns(UndefinedMeasureWarning, match="^cost-sensitive accuracy is undefined"):
        assert np.isnan(ConfusionMatrix([[1, 0], [0, 1]]).cost_sensitive_accuracy([[0, 0], [0, 0]]))


# --- cost curves ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", DATA)
def test_lines_corners_and_area_equal_exact_fractions(name):
    curve, expected = curve_of(name), EXPECTED[name]
    lines = points(expected["lines (fpr, fnr): NEC at PC(+)=0 is fpr, at 1 is fnr"])
    np.testing.assert_allclose(np.column_stack([curve.fpr, curve.fnr]), lines, atol=1e-12)
    corners = points(expected["lower_envelope_vertices (PC+, NEC)"])
    np.testing.assert_allclose(vertices(curve), corners, atol=1e-12)
    assert curve.area() == exact(number(expected["area"]))
    grid = {float(Fraction(x)): number(value) for x, value in expected["NEC_on_grid"].items()}
    assert curve.cost_at(list(grid)) == exact(list(grid.values()))
    assert len(curve.thresholds) == len(curve.probability_cost) - 1


@pytest.mark.parametrize("name", DATA)
def test_cost_of_every_cut_off_equals_exact_fractions(name):
    # Expected cost per sample at cost_fp = 2, cost_fn = 1 from each line of the curve.
    curve = curve_of(name, cost_fp=2)
    share = np.mean(INPUTS[name]["y"])
    expected = EXPECTED[name]["expected_cost_per_instance (cost_fp=2, cost_fn=1) by ROC point"]
    costs = share * curve.fnr + 2 * (1 - share) * curve.fpr
    np.testing.assert_allclose(costs, [number(value) for value in expected], atol=1e-12)
    # The cut-off that the curve names for this share is the cheapest of them.
    named = curve.threshold_at(curve.probability_cost_at(share))
    predicted = np.array(INPUTS[name]["score"]) >= named
    wrong = ConfusionMatrix.from_predictions(INPUTS[name]["y"], predicted).cost([[0, 2], [1, 0]])
    assert wrong == exact(costs.min())


def test_two_classifiers_and_their_joint_envelope_equal_exact_fractions():
    given_points, expected = INPUTS["two_classifiers"], EXPECTED["two_classifiers"]
    a, b = points(given_points["A_roc_points (fpr,tpr)"]), points(given_points["B_roc_points (fpr,tpr)"])
    joint = np.array(sorted([*a.tolist(), *b.tolist()]))
    for rates, name in ((a, "A"), (b, "B"), (joint, "joint")):
        curve = envelope(rates)
        np.testing.assert_allclose(vertices(curve), points(expected[name]["vertices"]), atol=1e-12)
        assert curve.area() == exact(number(expected[name]["area"]))


def test_a_single_classifier_with_the_trivial_ones_equals_exact_fractions():
    expected = EXPECTED["single_point"]
    curve = envelope([[number(expected["fpr"]), number(expected["tpr"])]])
    trivial = expected["with_trivial_classifiers"]
    np.testing.assert_allclose(vertices(curve), points(trivial["vertices"]), atol=1e-12)
    assert curve.area() == exact(number(trivial["area"]))


@pytest.mark.parametrize("mapping", EXPECTED["pc_mapping"])
def test_probability_cost_of_a_share_equals_exact_fractions(mapping):
    costs = {"cost_fn": mapping["cost_fn"], "cost_fp": mapping["cost_fp"]}
    curve = curve_of("ties", **costs)
    share = number(mapping["p_plus"])
    x = curve.probability_cost_at(share)
    assert x == exact(number(mapping["PC_plus"]))
    assert 0.3 * x + 0.2 * (1 - x) == exact(number(mapping["NEC (fpr 1/5, fnr 3/10)"]))


def test_probability_cost_of_many_shares():
    curve = curve_of("ties", cost_fn=3)
    assert curve.probability_cost_at([0, 0.5, 1]) == exact([0, 0.75, 1])


def test_a_perfect_ranking_costs_nothing_at_its_one_cut_off():
    curve = cost_curve([0, 0, 1, 1], [0.1, 0.2, 0.7, 0.9])
    assert vertices(curve).tolist() == [[0, 0], [1, 0]]
    assert curve.thresholds.tolist() == [0.7]
    assert curve.area() == 0


def test_a_useless_ranking_has_only_the_trivial_classifiers():
    curve = cost_curve([0, 1, 0, 1], [0.5] * 4)
    assert vertices(curve).tolist() == [[0, 0], [0.5, 0.5], [1, 0]]
    assert (curve.thresholds[0], curve.thresholds[1]) == (np.inf, 0.5)
    assert curve.area() == 0.25


@settings(deadline=None, max_examples=60)
@given(
    samples=st.lists(
        st.tuples(st.integers(0, 1), st.integers(0, 12), st.integers(1, 3)), min_size=2, max_size=30
    )
)
def test_the_envelope_is_the_lowest_line_everywhere(samples):
    y, score, weight = zip(*samples, strict=True)
    if len(set(y)) < 2:
        return
    curve = cost_curve(y, score, sample_weight=weight)
    x = np.linspace(0, 1, 101)
    lowest = np.min(np.outer(curve.fpr, 1 - x) + np.outer(curve.fnr, x), axis=0)
    np.testing.assert_allclose(curve.cost_at(x), lowest, atol=1e-12)
    assert (np.diff(curve.probability_cost) > 0).all()
    assert curve.probability_cost[[0, -1]].tolist() == [0, 1]
    cuts = np.concatenate([[np.inf], np.unique(score)[::-1]])
    for place in (0.0, 0.2, 0.5, 0.9, 1.0):
        line = int(np.flatnonzero(cuts == curve.threshold_at(place))[0])
        assert curve.fpr[line] * (1 - place) + curve.fnr[line] * place == exact(curve.cost_at(place))


def exact_hull(x, y):
    """Return the corners of the upper convex hull of whole numbers, one point after the other."""
    hull = []
    for point in range(len(x)):
        while len(hull) >= 2:
            a, b = hull[-2:]
            if (x[b] - x[a]) * (y[point] - y[a]) < (y[b] - y[a]) * (x[point] - x[a]):
                break
            hull.pop()
        hull.append(point)
    return hull


STEP = st.integers(0, 3) | st.integers(0, 100)


@settings(deadline=None, max_examples=100)
@given(steps=st.lists(st.tuples(STEP, STEP).filter(any), min_size=1, max_size=40))
def test_the_corners_of_the_envelope_are_those_of_exact_arithmetic(steps):
    x, y = np.cumsum([(1, 0), *steps, (0, 1)], axis=0).T
    x, y = np.append(0, x), np.append(0, y)
    assert _upper_hull(x, y).tolist() == exact_hull(x.tolist(), y.tolist())


def test_a_million_cut_offs_on_two_lines_have_one_corner_between_them():
    steps = np.repeat([[1, 3], [3, 1]], 500_000, axis=0)  # TPR rises three times as fast as FPR, then a third
    false, true = np.concatenate([[[0, 0]], np.cumsum(steps, axis=0)]).T
    curve = cost_curve_from_counts(false, true, np.arange(len(false), 0, -1.0))
    assert vertices(curve) == pytest.approx(np.array([[0, 0], [0.25, 0.25], [0.75, 0.25], [1, 0]]))


def test_samples_of_vanishing_weight_leave_the_envelope_where_it_is():
    weight = [1, 1e-15, 1e-300, 1, 1, 1e-18, 1]
    curve = cost_curve([1, 0, 1, 0, 1, 1, 0], [7, 6, 5, 4, 3, 2, 1], sample_weight=weight)
    x = np.linspace(0, 1, 21)
    assert curve.cost_at(x) == exact(cost_curve([1, 0, 1, 0], [7, 4, 3, 1]).cost_at(x))


@pytest.mark.parametrize("cost", [1e-60, 1e60])
def test_the_smallest_and_the_largest_cost_are_taken_and_their_unit_changes_nothing(cost):
    curve = curve_of("ties", cost_fn=cost, cost_fp=cost)
    assert vertices(curve) == exact(points(EXPECTED["ties"]["lower_envelope_vertices (PC+, NEC)"]))
    assert curve.probability_cost_at(0.25) == 0.25


def test_costs_and_classes_that_make_no_curve_are_refused():
    for name in ("cost_fn", "cost_fp"):
        for value in (0, -1, np.nan, np.inf, 1e-320):
            told = rf"{name} must be a number in \[1e-60, 1e\+60\], got {value}"
            with pytest.raises(ValueError, match=told):
                curve_of("ties", **{name: value})
    for y, told in (([1, 1], "2 positives and 0 negatives"), ([0, 0], "0 positives and 2 negatives")):
        with pytest.raises(ValueError, match=f"The cost curve needs samples of both classes, got {told}"):
            cost_curve(y, [0.1, 0.2])
    ranked = RankedScores([0.9, 0.1], [[1, 1], [0, 1]], [[0, 1], [1, 1]])
    with pytest.raises(ValueError, match="cost_curve needs single ranked scores, not a stack"):
        ranked.cost_curve()


@pytest.mark.parametrize("value", [-0.1, 1.1, np.nan])
def test_places_outside_the_curve_are_refused(value):
    curve = curve_of("ties")
    with pytest.raises(ValueError, match=r"prevalence must lie in \[0, 1\], got"):
        curve.probability_cost_at(value)
    with pytest.raises(ValueError, match=r"probability_cost must lie in \[0, 1\], got"):
        curve.cost_at(value)
    with pytest.raises(ValueError, match=r"probability_cost must be a number in \[0, 1\], got"):
        curve.threshold_at(value)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("a", "must hold numbers, got 'a'"),
        ([0.1, "a"], r"must hold numbers, got \[0.1, 'a'\]"),
        (None, r"must lie in \[0, 1\], got None"),
    ],
)
def test_a_place_on_the_curve_is_a_number(value, message):
    with pytest.raises(ValueError, match=f"probability_cost {message}"):
        curve_of("ties").cost_at(value)


def test_the_envelope_is_read_at_places_of_any_shape():
    # The lowest lines there have (FPR, FNR) = (0, 4/5) and, from 1/3 on, (1/5, 2/5).
    curve = curve_of("ties")
    assert curve.cost_at([[0.1, 0.2], [0.3, 0.4]]) == exact(np.array([[0.08, 0.16], [0.24, 0.28]]))
    assert curve.cost_at([]).shape == (0,)

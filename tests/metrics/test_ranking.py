"""Ranked scores: added, stacked, degenerate, moved to another prevalence, shown."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skeval.exceptions import UndefinedMeasureWarning
from skeval.metrics import RankedScores
from tests.metrics.rankings import exact, quiet, scored, stored

# --- adding


@settings(deadline=None, max_examples=60)
@given(drawn=scored(weights=st.integers(1, 4), min_size=3), data=st.data())
def test_adding_chunks_in_any_order_equals_ranking_at_once(drawn, data):
    y, score, weight = drawn
    cut = sorted(data.draw(st.tuples(*[st.integers(1, len(y) - 1)] * 2)))
    if cut[0] == cut[1]:
        return
    chunks = [
        RankedScores.from_predictions(y[part], score[part], sample_weight=weight and weight[part])
        for part in (slice(0, cut[0]), slice(*cut), slice(cut[1], None))
    ]
    whole = RankedScores.from_predictions(y, score, sample_weight=weight)
    for order in data.draw(st.permutations([0, 1, 2])), [0, 1, 2]:
        summed = sum(chunks[k] for k in order)
        assert summed == whole
        assert summed.true_positives.dtype == np.int64
        np.testing.assert_array_equal(summed.thresholds, whole.thresholds)
    assert chunks[0] + (chunks[1] + chunks[2]) == (chunks[0] + chunks[1]) + chunks[2]


def test_adding_fractional_weights_equals_ranking_at_once_to_rounding():
    rng = np.random.default_rng(0)
    y, score, weight = rng.integers(0, 2, 200), rng.integers(0, 30, 200), rng.random(200)
    parts = [
        RankedScores.from_predictions(y[k::4], score[k::4], sample_weight=weight[k::4]) for k in range(4)
    ]
    whole = RankedScores.from_predictions(y, score, sample_weight=weight)
    assert sum(parts).roc_auc() == pytest.approx(whole.roc_auc(), rel=1e-12)
    assert sum(parts).average_precision() == pytest.approx(whole.average_precision(), rel=1e-12)


def test_only_rankings_of_the_same_class_add():
    a = RankedScores.from_predictions(["a", "b"], [1, 2], pos_label="a")
    b = RankedScores.from_predictions(["a", "b"], [1, 2], pos_label="b")
    with pytest.raises(ValueError, match="only for the same positive class, got pos_label='a' and 'b'"):
        a + b
    for bad in (1, "x"):
        with pytest.raises(TypeError, match=r"unsupported operand|can only concatenate"):
            a + bad
    stack = RankedScores([0.9, 0.1], [[1, 1], [0, 1]], [[0, 1], [1, 1]])
    with pytest.raises(ValueError, match="Stacks of replicates do not add"):
        stack + stack


# --- degenerate and bad input


def test_one_class_leaves_named_measures_undefined():
    negatives = RankedScores.from_predictions([0, 0, 0], [0.3, 0.6, 0.2])
    for name, told in (
        ("pr_area", "P-R area is undefined .* positive class 1 is missing"),
        ("roc_auc", "ROC AUC is undefined and nan: only one class is present, positive class 1 is missing"),
        ("rank_loss", "ROC AUC is undefined"),
        ("average_precision", "Average precision is undefined .* positive class 1 is missing"),
        ("break_even_score", "Break-even score is undefined .* positive class 1 is missing"),
    ):
        with pytest.warns(UndefinedMeasureWarning, match=told):
            assert np.isnan(getattr(negatives, name)())
    with pytest.warns(UndefinedMeasureWarning, match="ROC curve is undefined: there is no positive sample"):
        curve = negatives.roc_curve()
    assert np.isnan(curve.tpr).all()
    assert curve.fpr[-1] == 1
    with pytest.warns(UndefinedMeasureWarning, match="precision-recall curve is undefined"):
        curve = negatives.pr_curve()
    assert np.isnan(curve.recall).all()
    assert curve.precision.tolist() == [0, 0, 0]
    assert np.isnan(curve.area())


def test_folds_of_which_one_holds_one_class():
    folds = [
        ([0, 1, 0, 1], [0.1, 0.9, 0.2, 0.8], 1.0, 1.0),
        ([0, 0, 0], [0.3, 0.6, 0.2], np.nan, np.nan),
        ([1, 0, 1, 0], [0.7, 0.6, 0.4, 0.1], 0.75, 5 / 6),
        ([1, 1, 1], [0.2, 0.5, 0.9], np.nan, 1.0),
    ]
    for y, score, auc, average_precision in folds:
        ranked = RankedScores.from_predictions(y, score)
        assert quiet(ranked.roc_auc) == exact(auc)
        assert quiet(ranked.average_precision) == exact(average_precision)


def test_only_positives_have_a_precision():
    positives = RankedScores.from_predictions([1, 1, 1], [0.2, 0.5, 0.9])
    assert positives.average_precision() == 1
    assert positives.break_even_score() == 1
    assert positives.pr_curve().area() == 1
    with pytest.warns(UndefinedMeasureWarning, match="only one class is present"):
        assert np.isnan(positives.roc_auc())
    with pytest.warns(UndefinedMeasureWarning, match="ROC curve is undefined: there is no negative sample"):
        assert np.isnan(positives.roc_curve().fpr).all()


def test_one_sample_and_thresholds_without_samples_bring_no_numpy_warning():
    one = RankedScores.from_predictions([1], [0.5])
    assert (one.average_precision(), one.thresholds.tolist()) == (1, [0.5])
    hollow = RankedScores([0.9, 0.5], [0, 1], [0, 2])
    assert np.isnan(hollow.pr_curve().precision[0])
    assert hollow.average_precision() == exact(1 / 3)
    assert hollow.pr_curve().area() == exact(1 / 3)


@pytest.mark.parametrize(
    ("y_true", "y_score", "kwargs", "message"),
    [
        ([0, 1], [0.1, np.nan], {}, "y_score must hold finite numbers, got nan at position 1"),
        ([0, 1], [np.inf, 0.1], {}, "y_score must hold finite numbers, got inf at position 0"),
        ([0, 1], [[0.9, 0.1], [0.2, 0.8]], {}, r"of shape \(2, 2\); pass the column of the positive class"),
        ([0, 1], np.zeros((2, 3)), {}, r"of shape \(2, 3\); pass the column of the positive class"),
        ([0, 1], ["a", "b"], {}, "y_score must hold numbers"),
        ([0, 1], np.array([1j, 1]), {}, "y_score must hold real numbers"),
        ([0, 1], [0.5], {}, "y_true and y_score must have the same length: y_true has 2, y_score has 1"),
        ([], [], {}, "y_true and y_score hold no samples: there is nothing to rank"),
        ([0, 1, 2], [1, 2, 3], {}, "A binary measure needs two classes, got 3"),
        ([0, None], [1, 2], {}, "y_true holds a missing value at position 1"),
        ([0.5, 1], [1, 2], {}, "y_true must hold class labels, got continuous values"),
        (["bad", "good"], [1, 2], {}, r"pos_label must name .* among the labels \['bad', 'good'\]"),
        (["bad", "good"], [1, 2], {"pos_label": "ugly"}, "pos_label must be one of the labels .* got 'ugly'"),
        ([1, 2], [1, 2], {}, r"pos_label must name the positive class among the labels \[1, 2\]"),
        ([0, 1], [1, 2], {"sample_weight": [1, -1]}, "sample_weight must not be negative"),
        ([0, 1], [1, 2], {"sample_weight": [0, 0]}, "sample_weight must not be all zero"),
        ([0, 1], [1, 2], {"sample_weight": [1, np.nan]}, "sample_weight must hold finite numbers"),
        ([0, 1], [1, 2], {"sample_weight": [1]}, "sample_weight must have one weight per sample"),
    ],
)
def test_bad_predictions_are_refused(y_true, y_score, kwargs, message):
    with pytest.raises(ValueError, match=message):
        RankedScores.from_predictions(y_true, y_score, **kwargs)


@pytest.mark.parametrize(
    ("thresholds", "tp", "fp", "message"),
    [
        ([0.1, 0.9], [0, 1], [1, 1], "thresholds must be distinct and descending"),
        ([0.9, 0.9], [0, 1], [1, 1], "thresholds must be distinct and descending"),
        ([0.9, 0.1], [1, 0], [1, 1], "true_positives must be finite, not negative and not descending"),
        ([0.9, 0.1], [-1, 0], [1, 1], "true_positives must be finite, not negative and not descending"),
        ([0.9, 0.1], [0, 1], [0, np.inf], "false_positives must be finite, not negative and not desc"),
        ([0.9, 0.1], [0, 1e61], [1, 1], r"true_positives must be at most 1e\+60, got 1e\+61"),
        (
            [0.9, 0.1],
            [0, 1e-200],
            [1e-200, 1e-200],
            "true_positives and false_positives must sum to 0 or to 1e-60 at least, got 2e-200",
        ),
        ([0.9, 0.1], [0, 1, 2], [1, 1], r"true_positives must hold one number per threshold \(2\)"),
        ([0.9, 0.1], [0, 1], [[1, 1]], "true_positives and false_positives must have the same shape"),
        ([], [], [], r"thresholds must hold at least 1 value\(s\), got 0"),
    ],
)
def test_bad_counts_are_refused(thresholds, tp, fp, message):
    with pytest.raises(ValueError, match=message):
        RankedScores(thresholds, tp, fp)


# --- the positive class


def test_the_positive_class_of_strings_is_the_one_named():
    # Probabilities of "bad": AUC 3/4 and average precision 5/6 by hand.
    y, score = ["bad", "good", "bad", "good"], np.array([0.9, 0.2, 0.8, 0.85])
    bad = RankedScores.from_predictions(y, score, pos_label="bad")
    assert bad.roc_auc() == exact(3 / 4)
    assert bad.average_precision() == exact(5 / 6)
    assert RankedScores.from_predictions(y, score, pos_label="good").roc_auc() == exact(1 / 4)
    assert RankedScores.from_predictions(y, -score, pos_label="good").roc_auc() == exact(3 / 4)
    renamed = ["z_bad" if label == "bad" else label for label in y]
    assert RankedScores.from_predictions(renamed, score, pos_label="z_bad").roc_auc() == exact(3 / 4)


@pytest.mark.parametrize("labels", [[0, 1], [-1, 1], [False, True], [0.0, 1.0]])
def test_the_positive_class_of_usual_codes_goes_without_saying(labels):
    y = [labels[0], labels[1], labels[1]]
    assert RankedScores.from_predictions(y, [0.1, 0.2, 0.3]).roc_auc() == 1


# --- stacks


@pytest.mark.parametrize("measure", ["roc_curve", "pr_curve", "cost_curve", "threshold"])
def test_curves_and_cut_offs_need_a_single_ranking(measure):
    stack = RankedScores([0.9, 0.1], [[1, 1], [0, 1]], [[0, 1], [1, 1]])
    assert stack.roc_auc().tolist() == [1, 0]
    arguments = ("youden",) if measure == "threshold" else ()
    with pytest.raises(ValueError, match=f"{measure} needs single ranked scores, not a stack"):
        getattr(stack, measure)(*arguments)


@settings(deadline=None, max_examples=60)
@given(drawn=scored(weights=st.integers(0, 3), min_size=4), data=st.data())
def test_a_stack_gives_the_figure_of_each_replicate(drawn, data):
    y, score, _ = drawn
    draws = data.draw(
        st.lists(st.lists(st.integers(0, 3), min_size=len(y), max_size=len(y)), min_size=2, max_size=3)
    )
    thresholds = np.unique(score)[::-1]
    counts = [
        [[np.sum((np.array(draw) * (y == side))[score >= cut]) for cut in thresholds] for draw in draws]
        for side in (1, 0)
    ]
    stack = RankedScores(thresholds, *counts)
    singles = [RankedScores(thresholds, *one) for one in zip(*counts, strict=True)]
    for measure in (
        RankedScores.roc_auc,
        lambda r: r.roc_auc(max_fpr=0.3),
        lambda r: r.roc_auc(max_fpr=0.7, standardize=False),
        RankedScores.average_precision,
        RankedScores.pr_area,
        RankedScores.break_even_score,
    ):
        expected = [quiet(measure, one) for one in singles]
        np.testing.assert_allclose(quiet(measure, stack), expected, atol=1e-12)


# --- another share of positives


def test_at_another_prevalence_the_roc_curve_stays_and_the_precision_moves():
    ranked = stored("fawcett2006")
    rare = ranked.at_prevalence(0.01)
    assert rare.n_positive / (rare.n_positive + rare.n_negative) == exact(0.01)
    assert rare.n_positive + rare.n_negative == exact(20)
    np.testing.assert_allclose(rare.roc_curve().fpr, ranked.roc_curve().fpr, atol=1e-12)
    np.testing.assert_allclose(rare.roc_curve().tpr, ranked.roc_curve().tpr, atol=1e-12)
    # Bayes: p TPR / (p TPR + (1 - p) FPR).
    fpr, tpr, _ = ranked.roc_curve()
    expected = 0.01 * tpr[1:] / (0.01 * tpr[1:] + 0.99 * fpr[1:])
    np.testing.assert_allclose(rare.pr_curve().precision, expected, atol=1e-12)
    # The cut-off of least cost there is the one that the rule finds with that share.
    costs = {"cost_fn": 20, "cost_fp": 1}
    assert rare.threshold("cost", **costs) == ranked.threshold("cost", prevalence=0.01, **costs)


@pytest.mark.parametrize("value", [0, 1e-310, 1, -0.1, np.nan])
def test_an_impossible_prevalence_is_refused(value):
    with pytest.raises(ValueError, match=r"prevalence must be a number in \[1e-15, 1\)"):
        stored("ties").at_prevalence(value)


def test_the_rarest_class_has_every_measure():
    rare = RankedScores.from_predictions([0, 1, 1, 0], [0.5, 0.5, 0.9, 0.1]).at_prevalence(1e-15)
    # Half of the positives come first; the rest ties with half of the negatives.
    assert rare.pr_area() == pytest.approx(0.5, abs=1e-12)
    assert rare.average_precision() == pytest.approx(0.5, abs=1e-12)
    assert rare.roc_auc() == 7 / 8


def test_a_prevalence_needs_both_classes():
    told = "needs samples of both classes, got 2 positives and 0 negatives: take data that hold both"
    with pytest.raises(ValueError, match=told):
        RankedScores.from_predictions([1, 1], [0.2, 0.4]).at_prevalence(0.5)


# --- shown


def test_a_ranking_shows_itself_and_is_read_only():
    ranked = stored("ties")
    assert repr(ranked) == "RankedScores(n_positive=5, n_negative=5, n_thresholds=5, pos_label=1)"
    assert ranked != 5
    for array in (ranked.thresholds, ranked.true_positives, ranked.false_positives):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    with pytest.raises(TypeError, match="unhashable"):
        hash(ranked)

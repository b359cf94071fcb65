"""Cut-offs by preference."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skeval.metrics import ConfusionMatrix, RankedScores
from tests.reference import load, number

REFERENCE = load("07_roc_auc_delong.json")
FAWCETT = REFERENCE["inputs"]["fawcett2006"]
RANKED = RankedScores.from_predictions(FAWCETT["y"], FAWCETT["score"])


def matrix_at(y, score, cut, weight=None):
    return ConfusionMatrix.from_predictions(
        y, (np.asarray(score) >= cut).astype(int), labels=[0, 1], sample_weight=weight
    )


@pytest.mark.parametrize("name", ["fawcett2006", "ties", "weighted"])
def test_youden_equals_the_stored_cut_off(name):
    given_data, expected = REFERENCE["inputs"][name], REFERENCE["expected"][name]["youden_max"]
    weight = given_data.get("weight")
    ranked = RankedScores.from_predictions(given_data["y"], given_data["score"], sample_weight=weight)
    cut = ranked.threshold("youden")
    assert cut == expected["threshold"]
    matrix = matrix_at(given_data["y"], given_data["score"], cut, weight)
    assert matrix.youden_j() == pytest.approx(number(expected["J"]), abs=1e-12)


@pytest.mark.parametrize(
    ("rule", "params", "cut"),
    [
        # Read off Fawcett's points (fpr, tpr): (.1, .5) at .54, (.3, .6) at .51, (.4, .7) at .4,
        # (.5, .8) at .38; the second and the third are equally close to (0, 1).
        ("closest", {}, 0.51),
        ("f_beta", {}, 0.38),  # F1 = 16/23
        ("f_beta", {"beta": 0.5}, 0.54),
        ("f_beta", {"beta": 4}, 0.3),
        ("cost", {}, 0.54),
        ("cost", {"cost_fn": 10}, 0.3),
        ("cost", {"cost_fp": 10}, 0.8),
        ("cost", {"prevalence": 0}, np.inf),
        ("cost", {"prevalence": 1}, 0.3),
        ("precision_at_least", {"value": 0.8}, 0.54),
        ("precision_at_least", {"value": 1}, 0.8),
        ("precision_at_least", {"value": 0}, 0.3),
        ("recall_at_least", {"value": 0.8}, 0.38),
        ("recall_at_least", {"value": 1}, 0.3),
        ("recall_at_least", {"value": 0}, 0.9),
        ("top_k", {"k": 5}, 0.55),
        ("top_k", {"k": 0}, np.inf),
        ("top_k", {"k": 99}, 0.1),
    ],
)
def test_a_rule_chooses_its_cut_off_of_fawcetts_points(rule, params, cut):
    assert RANKED.threshold(rule, **params) == cut


SAMPLES = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 8)), min_size=2, max_size=25).filter(
    lambda samples: len({label for label, _ in samples}) == 2
)


@settings(deadline=None, max_examples=60)
@given(samples=SAMPLES)
def test_no_cut_off_is_better_and_no_higher_one_as_good(samples):
    y, score = zip(*samples, strict=True)
    ranked = RankedScores.from_predictions(y, score)
    cuts = [np.inf, *sorted(set(score), reverse=True)]
    matrices = [matrix_at(y, score, cut) for cut in cuts]
    aims = {
        "youden": [cm.recall() + cm.specificity() for cm in matrices],
        "closest": [-np.hypot(1 - cm.recall(), 1 - cm.specificity()) for cm in matrices],
        "f_beta": [cm.f_score() for cm in matrices],
        "cost": [-cm.error_rate() for cm in matrices],
    }
    for rule, values in aims.items():
        best = np.flatnonzero(np.array(values) >= max(values) - 1e-9)[0]
        assert ranked.threshold(rule) == cuts[best], rule
    for value in (0.3, 0.5, 0.75):
        reached = [cut for cut, cm in zip(cuts, matrices, strict=True) if cm.recall() >= value - 1e-9]
        chosen = matrix_at(y, score, ranked.threshold("recall_at_least", value=value))
        assert chosen.recall() >= value - 1e-9
        best = max(matrix_at(y, score, cut).precision(zero_division=0) for cut in reached)
        assert chosen.precision(zero_division=0) == pytest.approx(best)


def test_equally_good_cut_offs_that_rounding_tells_apart_give_the_highest():
    # J = .3 - .1 and .4 - .2, which floats compute as 0.19999999999999998 and 0.2.
    ranked = RankedScores([5, 3, 0], [3, 4, 10], [1, 2, 10])
    fpr, tpr, _ = ranked.roc_curve()
    assert (tpr - fpr)[1] < (tpr - fpr)[2]
    assert ranked.threshold("youden") == 5


def test_a_share_that_equals_the_value_is_reached():
    ranked = RankedScores.from_predictions([1] * 7 + [0] * 3, np.arange(10, 0, -1))
    assert ranked.threshold("recall_at_least", value=3 / 7) == 8
    assert ranked.threshold("precision_at_least", value=0.7) == 4


def test_frequency_weights_count_in_top_k():
    ranked = RankedScores.from_predictions([1, 0, 1], [3, 2, 1], sample_weight=[2, 3, 1])
    assert ranked.threshold("top_k", k=4) == 3
    assert ranked.threshold("top_k", k=5) == 2


def test_a_precision_that_no_cut_off_reaches_is_refused():
    ranked = RankedScores.from_predictions([0, 1, 0, 1], [4, 3, 2, 1])
    with pytest.raises(ValueError, match=r"No cut-off has precision at least 0\.9; the best is 0\.5"):
        ranked.threshold("precision_at_least", value=0.9)


@pytest.mark.parametrize("rule", ["youden", "closest", "cost"])
@pytest.mark.parametrize("y", [[0, 0], [1, 1]])
def test_rules_of_two_classes_refuse_one(rule, y):
    with pytest.raises(ValueError, match=f"The rule '{rule}' needs samples of both classes, got one class"):
        RankedScores.from_predictions(y, [1, 2]).threshold(rule)


@pytest.mark.parametrize(
    ("rule", "params", "cut"),
    [("f_beta", {}, 1), ("recall_at_least", {"value": 0.5}, 2), ("precision_at_least", {"value": 0.5}, 1)],
)
def test_rules_of_the_positive_class_need_only_that(rule, params, cut):
    with pytest.raises(ValueError, match=f"The rule '{rule}' needs positive samples, got none"):
        RankedScores.from_predictions([0, 0], [1, 2]).threshold(rule, **params)
    assert RankedScores.from_predictions([1, 1], [1, 2]).threshold(rule, **params) == cut


@pytest.mark.parametrize(
    ("rule", "params", "error", "message"),
    [
        ("best", {}, ValueError, "rule must be one of 'youden', 'closest', 'f_beta', .* got 'best'"),
        ("youden", {"beta": 2}, TypeError, r"The rule 'youden' takes no number, got \['beta'\]"),
        ("f_beta", {"k": 2}, TypeError, r"The rule 'f_beta' takes beta, got \['k'\]"),
        ("f_beta", {"beta": 0}, ValueError, r"beta must be a number in \[1e-30, 1e\+30\], got 0"),
        ("f_beta", {"beta": 1e200}, ValueError, r"beta must be a number in \[1e-30, 1e\+30\], got 1e\+200"),
        ("cost", {"cost_fn": -1}, ValueError, r"cost_fn must be a number in \[0, 1e\+60\], got -1"),
        ("cost", {"cost_fn": np.inf}, ValueError, r"cost_fn must be a number in \[0, 1e\+60\], got inf"),
        ("cost", {"cost_fp": np.inf}, ValueError, r"cost_fp must be a number in \[0, 1e\+60\], got inf"),
        ("cost", {"prevalence": 2}, ValueError, r"prevalence must be a number in \[0, 1\], got 2"),
        ("recall_at_least", {}, TypeError, r"value must be a number in \[0, 1\], got None"),
        ("precision_at_least", {"value": 1.1}, ValueError, r"value must be a number in \[0, 1\], got 1.1"),
        ("top_k", {}, TypeError, "k must be an integer not less than 0, got None"),
        ("top_k", {"k": -1}, ValueError, "k must be an integer not less than 0, got -1"),
    ],
)
def test_bad_rules_are_refused(rule, params, error, message):
    with pytest.raises(error, match=message):
        RANKED.threshold(rule, **params)

"""Bootstrap intervals of any measure: degenerate data, shares of counts, seeds, what is refused."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skeval.exceptions import DegenerateDataWarning, ResamplingWarning, SkevalWarning, UndefinedMeasureWarning
from skeval.intervals import metric_interval, proportion_interval
from skeval.intervals._measures import find_measure
from skeval.metrics import ConfusionMatrix, RankedScores
from skeval.metrics._ranking_measures import RANKING_MEASURES
from tests.intervals.measured import ASK, LABEL_NAMES

# --- every measure


@settings(deadline=None, max_examples=150)
@given(
    st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1), st.integers(0, 1)), min_size=1, max_size=15),
    st.sampled_from([*LABEL_NAMES, *RANKING_MEASURES]),
    st.sampled_from(["bca", "percentile", "basic"]),
    st.booleans(),
    st.booleans(),
)
def test_encloses_the_estimate_within_the_range_or_refuses(rows, name, method, pair, stratify):
    """No nan, no numpy warning, whatever the data."""
    y, a, b = np.array(rows).T
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", SkevalWarning)
        try:
            result = metric_interval(
                name,
                y,
                a,
                other=b if pair else None,
                method=method,
                stratify=stratify,
                labels=[0, 1] if name in LABEL_NAMES else None,
                n_resamples=60,
                random_state=0,
            )
        except ValueError as error:
            assert "is undefined" in str(error)  # noqa: PT017
            return
    measured = find_measure(name, y, None, None)
    width = measured.high - measured.low if pair else 0
    low, high = (-width, width) if pair else (measured.low, measured.high)
    assert low - 1e-12 <= result.low <= result.estimate <= result.high <= high + 1e-12
    assert result.n_failed + len(result.replicates) == 60


@pytest.mark.parametrize("name", [*LABEL_NAMES, *RANKING_MEASURES])
def test_every_name_gives_the_measure_and_an_interval(data, name):
    y, (a, _), (score, _) = data
    labels = name in LABEL_NAMES
    result = metric_interval(name, y, a if labels else score, n_resamples=199, random_state=0)
    if labels:
        expected = find_measure(name, y, None, None).function(ConfusionMatrix.from_predictions(y, a))
    else:
        expected = RANKING_MEASURES[name](RankedScores.from_predictions(y, score))
    assert result.estimate == pytest.approx(expected, abs=1e-12)
    assert result.low < result.estimate < result.high
    assert result.measure == name


def test_f1_of_five_samples_lies_in_0_1():
    y, pred = [1, 0, 1, 0, 1], [1, 0, 0, 0, 1]
    with pytest.warns(ResamplingWarning, match="undefined in"):
        result = metric_interval("f1", y, pred, random_state=0)
    assert result.estimate == pytest.approx(4 / 5)
    assert 0 <= result.low <= 4 / 5 <= result.high <= 1


def test_the_same_seed_gives_the_same_interval(data):
    y, (a, _), (score, _) = data
    for name, values in (("f1", a), ("average_precision", score)):
        first, second = (metric_interval(name, y, values, n_resamples=199, random_state=3) for _ in range(2))
        assert np.array_equal(first.replicates, second.replicates)
        assert tuple(first) == tuple(second)
    generators = [np.random.default_rng(5), np.random.default_rng(5), np.random.RandomState(5)]
    ends = [tuple(metric_interval("f1", y, a, n_resamples=199, random_state=each)) for each in generators]
    assert ends[0] == ends[1]


def test_the_result_tells_what_it_is(data):
    y, (a, b), _ = data
    result = metric_interval("f1", y, a, n_resamples=999, random_state=0)
    assert str(result).startswith(f"f1 {result.estimate:.4g}, 0.95 interval [")
    assert "(BCa bootstrap, 999 replicates): f1 of this fitted model on the population of these 120" in str(
        result
    )
    assert (
        "the first fitted model minus that of the second"
        in metric_interval("f1", y, a, other=b, **ASK).estimand
    )
    assert result.frame().loc[0, "n_resamples"] == 999
    assert "Efron" in result.reference


# --- degenerate data


ONE_POSITIVE = [1, 0, 0, 0, 0, 0, 0, 0], [0.9, 0.2, 0.3, 0.4, 0.95, 0.1, 0.2, 0.3]


def test_one_positive_stratified():
    result = metric_interval("roc_auc", *ONE_POSITIVE, method="percentile", stratify=True, random_state=0)
    assert result.estimate == pytest.approx(6 / 7, abs=1e-12)
    # 1 - k/7 with k of Binomial(7, 1/7): the tails are k = 3 and k = 0
    assert tuple(result) == pytest.approx((4 / 7, 1.0), abs=1e-12)
    assert result.n_failed == 0


def test_one_positive_plain_counts_the_resamples_of_a_single_class():
    with pytest.warns(
        ResamplingWarning, match=r"undefined in \d+ of 9999 resamples \(3\d\.\d%\).*single class"
    ):
        result = metric_interval("roc_auc", *ONE_POSITIVE, method="percentile", random_state=0)
    assert result.n_failed / 9999 == pytest.approx((7 / 8) ** 8, abs=0.02)
    assert np.isfinite(tuple(result)).all()


def test_bca_without_a_jackknife_falls_back_and_says_so():
    with (
        pytest.warns(ResamplingWarning, match="single class"),
        pytest.warns(
            DegenerateDataWarning, match="BCa is undefined.*percentile interval is given.*auc_interval"
        ),
    ):
        result = metric_interval("roc_auc", *ONE_POSITIVE, random_state=0)
    assert result.method == "percentile bootstrap"


def test_a_level_that_bca_cannot_correct_for_falls_back_and_says_so():
    """One positive below all negatives: acceleration near -1/6, which tails beyond 6 sigma outweigh."""
    y, score = np.repeat([0, 1], 20), np.r_[np.arange(20), np.arange(30, 49), -5]
    ask = {"stratify": True, "n_resamples": 199, "random_state": 0}
    with (
        pytest.warns(ResamplingWarning, match="too few for tails of 5e-13"),
        pytest.warns(DegenerateDataWarning, match="BCa is undefined.*or a level too close to 1"),
    ):
        result = metric_interval("roc_auc", y, score, confidence_level=1 - 1e-12, **ask)
    assert result.method == "percentile bootstrap"
    assert tuple(result) == (result.replicates.min(), result.replicates.max())


def test_no_resample_that_defines_the_measure_is_refused_with_the_way_out():
    """Two samples of two classes: half of all resamples hold one class only."""
    with pytest.raises(
        ValueError, match=r"roc_auc is undefined in all 1 resamples.*stratify=True, which keeps"
    ):
        metric_interval("roc_auc", [0, 1], [0.2, 0.4], n_resamples=1, confidence_level=0.5, random_state=0)


@pytest.mark.parametrize("method", ["percentile", "basic", "bca"])
def test_a_perfect_ranking_has_no_width_and_a_warning_that_names_the_bound(method):
    y, score = [1, 0] * 5, [0.9, 0.1] * 5
    with pytest.warns(DegenerateDataWarning, match="degenerate: all.*not certainty.*auc_interval"):
        result = metric_interval("roc_auc", y, score, method=method, stratify=True, random_state=0)
    assert tuple(result) == (1.0, 1.0)


def test_no_error_at_all_points_to_the_wilson_interval():
    y = np.repeat([0, 1], 50)
    with pytest.warns(DegenerateDataWarning, match="degenerate.*method='wilson'"):
        assert tuple(metric_interval("accuracy", y, y, random_state=0)) == (1.0, 1.0)
    assert metric_interval("accuracy", y, y, method="wilson").low < 0.97


def test_models_that_agree_everywhere_have_a_difference_without_width(data):
    y, (a, _), (score, _) = data
    with pytest.warns(DegenerateDataWarning, match="degenerate: all 99 replicates"):
        assert tuple(metric_interval("f1", y, a, other=a, n_resamples=99, random_state=0)) == (0.0, 0.0)
    with pytest.warns(DegenerateDataWarning, match="degenerate: all 99 replicates"):
        result = metric_interval("roc_auc", y, score, other=np.exp(score), n_resamples=99, random_state=0)
    assert tuple(result) == (0.0, 0.0)


@pytest.mark.parametrize("name", ["balanced_accuracy", "g_mean", "matthews_corrcoef", "recall", "roc_auc"])
def test_a_single_true_class_is_refused(name):
    values = [0, 1, 0, 0] if name != "roc_auc" else [0.1, 0.2, 0.3, 0.4]
    with pytest.raises(ValueError, match=f"{name} is undefined on these data .a single class"):
        metric_interval(name, [0, 0, 0, 0], values)


def test_no_predicted_positive_is_refused_for_precision():
    with pytest.raises(ValueError, match="precision is undefined on these data"):
        metric_interval("precision", [0, 1, 1], [0, 0, 0])


def test_a_measure_of_two_classes_fails_in_resamples_of_a_single_class():
    y, pred = np.repeat([1, 0], [3, 57]), np.repeat([1, 0], [5, 55])
    with pytest.warns(ResamplingWarning, match="g_mean is undefined in.*single class.*stratify=True"):
        result = metric_interval("g_mean", y, pred, method="percentile", random_state=0)
    assert result.n_failed / 9999 == pytest.approx((57 / 60) ** 60, abs=0.01)
    fixed = metric_interval("g_mean", y, pred, method="percentile", stratify=True, random_state=0)
    assert fixed.n_failed == 0


def test_too_few_replicates_for_the_level_are_told(data):
    y, (a, _), _ = data
    with pytest.warns(ResamplingWarning, match="19 replicates are too few for tails of 0.025"):
        metric_interval("accuracy", y, a, n_resamples=19, method="percentile", random_state=0)


def test_warnings_about_the_data_themselves_reach_the_user():
    with pytest.warns(UndefinedMeasureWarning, match="recall is undefined .0/0. for class b"):
        metric_interval("recall_macro", ["a", "a", "c", "c"], ["a", "b", "c", "a"], random_state=0)


def test_one_sample():
    with pytest.warns(DegenerateDataWarning, match="degenerate"):
        assert tuple(metric_interval("accuracy", [1], [1], n_resamples=99, random_state=0)) == (1.0, 1.0)


# --- shares of counts by an analytic interval


@pytest.mark.parametrize("method", ["wilson", "clopper-pearson", "jeffreys", "agresti-coull"])
@pytest.mark.parametrize(
    ("name", "counted", "total"),
    [
        ("accuracy", 140, 200),
        ("error_rate", 60, 200),
        ("precision", 30, 80),
        ("recall", 30, 40),
        ("specificity", 110, 160),
        ("negative_predictive_value", 110, 120),
        ("false_positive_rate", 50, 160),
        ("false_negative_rate", 10, 40),
    ],
)
def test_shares_of_counts_have_analytic_intervals(name, counted, total, method):
    matrix = ConfusionMatrix([[110, 50], [10, 30]])
    result = metric_interval(name, matrix, method=method, confidence_level=0.9)
    expected = proportion_interval(counted, total, method=method, confidence_level=0.9)
    assert tuple(result) == tuple(expected)
    assert result.measure == name
    assert f"given the {total}" in result.estimand


@pytest.mark.parametrize(
    ("metric", "change", "message"),
    [
        ("f1", {}, "method='wilson' needs a share of counts"),
        ("recall_macro", {}, "method='wilson' needs a share of counts"),
        (lambda cm: cm.accuracy(), {}, "method='wilson' needs a share of counts"),
        ("accuracy", {"groups": [0, 0, 1, 1]}, "independent samples that count once"),
        ("accuracy", {"other": [0, 0, 1, 1]}, "independent samples that count once"),
        ("accuracy", {"stratify": True}, "independent samples that count once.*no stratify"),
        (
            "accuracy",
            {"sample_weight": [0.5, 1, 1, 1], "weight_kind": "importance"},
            "independent samples that count once",
        ),
        ("precision", {"y_pred": [0, 0, 0, 0]}, "precision is undefined"),
    ],
)
def test_other_measures_and_designs_have_none(metric, change, message):
    y, pred = [0, 1, 0, 1], change.pop("y_pred", [0, 1, 1, 1])
    with pytest.raises(ValueError, match=message):
        metric_interval(metric, y, pred, method="wilson", **change)


# --- what is refused


@pytest.mark.parametrize(
    ("metric", "change", "message"),
    [
        ("f2", {}, "metric must be one of accuracy.*callable.*got 'f2'"),
        ("cost_sensitive_error", {}, "needs a cost matrix: pass a callable"),
        ("f1", {"method": "normal"}, "method must be one of 'bca'"),
        ("f1", {"sample_weight": [0.5, 1, 1, 1]}, "weight_kind='importance'"),
        ("f1", {"weight_kind": "importance"}, "weight_kind='importance' needs sample_weight"),
        ("f1", {"weight_kind": "inverse"}, "weight_kind must be one of"),
        ("f1", {"sample_weight": [0, 0, 0, 0]}, "sample_weight must not be all zero"),
        ("f1", {"groups": [1, 1, 1, 1]}, "at least two groups"),
        ("f1", {"groups": [1, 1, 2]}, "must have the same length"),
        ("f1", {"groups": [1, 1, 2, 2], "stratify": True}, "stratify=True cannot be had with groups"),
        ("f1", {"stratify": "yes"}, "stratify must be one of True, False"),
        ("f1", {"other": [0, 1]}, "must have the same length"),
        ("f1", {"y_pred": None}, "y_pred_or_score must hold the predicted labels"),
        ("f1", {"y_pred": [0.2, 0.4, 0.1, 0.9]}, "y_pred must hold class labels, got continuous"),
        ("f1", {"kind": "scores"}, "metric 'f1' takes labels, got scores"),
        ("f1", {"y_true": [0, 1, 2, 1]}, "needs two classes, got 3"),
        ("f1", {"n_resamples": 0}, "n_resamples must be an integer not less than 1"),
        ("f1", {"confidence_level": 1.0}, "confidence_level must be a number in"),
        ("f1", {"y_true": [], "y_pred": []}, "hold no samples"),
        ("roc_auc", {"y_pred": [0.2, np.nan, 0.1, 0.9]}, "y_score must hold finite numbers"),
        ("roc_auc", {"other": [0.2, np.inf, 0.1, 0.9]}, "other must hold finite numbers"),
        ("roc_auc", {"labels": [0, 1]}, "labels belong to a label measure"),
        (
            "roc_auc",
            {"y_true": ConfusionMatrix([[1, 2], [3, 4]])},
            "metric 'roc_auc' takes scores, got labels",
        ),
    ],
)
def test_refuses_bad_input(metric, change, message):
    arguments = {"y_true": [0, 1, 0, 1], "y_pred": [0, 1, 1, 1], **change}
    with pytest.raises(ValueError, match=message):
        metric_interval(metric, arguments.pop("y_true"), arguments.pop("y_pred"), **arguments)


def test_refuses_statistics_that_cannot_be_resampled():
    with pytest.raises(ValueError, match="fractional counts cannot be resampled"):
        metric_interval("accuracy", ConfusionMatrix([[1.5, 2], [3, 4]]))
    with pytest.raises(ValueError, match="A single ConfusionMatrix can be resampled"):
        metric_interval("accuracy", ConfusionMatrix(np.ones((3, 2, 2))))
    with pytest.raises(ValueError, match="holds no samples"):
        metric_interval("accuracy", ConfusionMatrix([[0, 0], [0, 0]]))
    with pytest.raises(ValueError, match="stands for all the data"):
        metric_interval("accuracy", ConfusionMatrix([[1, 2], [3, 4]]), groups=[1, 2])
    with pytest.raises(ValueError, match=r"stands for all the data.*weight_kind='importance'"):
        metric_interval("accuracy", ConfusionMatrix([[1, 2], [3, 4]]), weight_kind="importance")
    with pytest.raises(ValueError, match="pos_label must be that of the RankedScores, 1, got 0"):
        metric_interval("roc_auc", RankedScores.from_predictions([0, 1], [0.1, 0.2]), pos_label=0)
    with pytest.raises(ValueError, match="kind='scores' does not go with a ConfusionMatrix"):
        metric_interval("accuracy", ConfusionMatrix([[1, 2], [3, 4]]), kind="scores")
    with pytest.raises(TypeError, match="metric must be a name or a callable"):
        metric_interval(3, [0, 1], [0, 1])

"""Label measures: published and exact values, scikit-learn's numbers, degenerate input."""

import math
import warnings
from fractions import Fraction

import numpy as np
import pytest
import sklearn.metrics
from hypothesis import given, settings
from hypothesis import strategies as st

from skeval.exceptions import UndefinedMeasureWarning
from skeval.metrics import ConfusionMatrix
from tests.reference import load, number

REFERENCE = load("10_confusion_metrics.json")
EXPECTED, INPUTS = REFERENCE["expected"], REFERENCE["inputs"]
MANY_CLASSES = ["b1", "k3", "k3_missing", "k3_never_pred", "k4"]
BINARY = [name for name in EXPECTED if name.startswith("bin_")]


def exact(value):
    return pytest.approx(value, abs=1e-12, rel=0, nan_ok=True)


def numbers(values):
    """Return stored values as floats; null is 0/0."""
    return [np.nan if value is None else number(value) for value in values]


def quiet(function, *args, **kwargs):
    """Call without the warnings of an undefined measure; every other warning stays an error."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedMeasureWarning)
        return function(*args, **kwargs)


def peer(function, *args, **kwargs):
    """Call scikit-learn without its warnings."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return function(*args, **kwargs)


def binary(tp, fp, fn, tn):
    return ConfusionMatrix([[tn, fp], [fn, tp]])


def stored(name):
    return ConfusionMatrix(INPUTS[name]["confusion rows=actual cols=predicted"])


# --- exact fractions, confirmed by R ------------------------------------------------------------


@pytest.mark.parametrize("name", MANY_CLASSES)
def test_measures_of_all_classes_equal_exact_fractions(name):
    cm, expected = stored(name), EXPECTED[name]
    assert cm.accuracy() == exact(number(expected["accuracy"]))
    assert cm.error_rate() == exact(number(expected["error"]))
    balanced = expected["balanced_accuracy (mean recall over classes with support)"]
    assert quiet(cm.balanced_accuracy) == exact(number(balanced))
    assert quiet(cm.g_mean) == exact(expected["gmean_over_classes_with_support"])
    assert cm.mcc() == exact(expected["mcc"])
    assert cm.mcc() ** 2 == exact(number(expected["mcc_squared_signed"]))
    assert cm.kappa() == exact(number(expected["kappa"]))
    assert cm.predicted_minus_true().tolist() == [
        predicted - true for predicted, true in zip(expected["predicted"], expected["support"], strict=True)
    ]


@pytest.mark.parametrize("name", MANY_CLASSES)
def test_measures_of_each_class_equal_exact_fractions(name):
    cm, expected = stored(name), EXPECTED[name]
    classes = {"average": None, "zero_division": np.nan}
    assert cm.precision(**classes) == exact(numbers(expected["precision"]))
    assert cm.recall(**classes) == exact(numbers(expected["recall"]))
    assert cm.f_score(**classes) == exact(numbers(expected["f1_2tp/(2tp+fp+fn)"]))


@pytest.mark.parametrize("name", MANY_CLASSES)
def test_averages_equal_exact_fractions_and_the_two_macro_f_differ(name):
    cm, expected = stored(name), EXPECTED[name]
    macro = {key: number(value) for key, value in expected["macro_zero_fill"].items()}
    filled = {"average": "macro", "zero_division": 0}
    assert cm.precision(**filled) == exact(macro["P"])
    assert cm.recall(**filled) == exact(macro["R"])
    assert cm.f_score(**filled) == exact(macro["F1_mean_of_class_F1"])
    assert cm.fscore_of_means(zero_division=0) == exact(macro["F1_of_macro_P_and_macro_R"])
    for measure in (cm.precision, cm.recall, cm.f_score):
        assert measure(average="micro") == exact(number(expected["micro_P=R=F1=accuracy"]))
    weighted = number(expected["weighted_F1 (by support)"])
    assert cm.f_score(average="weighted", zero_division=0) == exact(weighted)


@pytest.mark.parametrize("name", ["k3_missing", "k3_never_pred"])
def test_nan_for_zero_division_leaves_undefined_classes_out(name):
    cm = stored(name)
    skipped = {key: number(value) for key, value in EXPECTED[name]["macro_undefined_classes_skipped"].items()}
    left_out = {"average": "macro", "zero_division": np.nan}
    assert cm.precision(**left_out) == exact(skipped["P"])
    assert cm.recall(**left_out) == exact(skipped["R"])
    assert cm.f_score(**left_out) == exact(skipped["F1_mean"])


@pytest.mark.parametrize("name", BINARY)
def test_binary_measures_equal_exact_fractions(name):
    cells, expected = INPUTS[name], EXPECTED[name]
    cm = binary(cells["TP"], cells["FP"], cells["FN"], cells["TN"])
    undefined = {"zero_division": np.nan}
    values = {
        "TPR": cm.recall(**undefined),
        "TNR": cm.specificity(**undefined),
        "precision": cm.precision(**undefined),
        "F1": cm.f_score(**undefined),
        "F_beta_2": cm.f_score(2, **undefined),
        "F_beta_1/2": cm.f_score(0.5, **undefined),
        "gmean": quiet(cm.g_mean),
        "gmean_squared": quiet(cm.g_mean) ** 2,
        "AGm": quiet(cm.adjusted_g_mean),
        "Nn_majority_proportion": 1 - cm.prevalence(),
    }
    for key in values.keys() & expected.keys():
        assert values[key] == exact(numbers([expected[key]])[0]), key
    for key in ("gmean_exact", "AGm_exact"):
        if key in expected:
            assert values[key.removesuffix("_exact")] == exact(number(expected[key]))
    assert cm.false_negative_rate(**undefined) == exact(1 - values["TPR"])
    assert cm.false_positive_rate(**undefined) == exact(1 - values["TNR"])
    if not np.isnan(values["TPR"] + values["TNR"]):
        assert cm.youden_j() == exact(values["TPR"] + values["TNR"] - 1)


# --- worked examples ----------------------------------------------------------------------------


def test_one_against_ninety_nine_accuracy_praises_what_finds_nothing():
    nothing_found = binary(tp=0, fp=0, fn=1, tn=99)
    figures = (nothing_found.g_mean(), nothing_found.adjusted_g_mean(), nothing_found.f_score())
    assert nothing_found.accuracy() == 0.99
    assert figures == (0, 0, 0)
    alarms = binary(tp=1, fp=10, fn=0, tn=89)
    figures = (alarms.accuracy(), alarms.g_mean(), alarms.adjusted_g_mean(), alarms.f_score())
    assert [round(figure, 3) for figure in figures] == [0.9, 0.948, 0.924, 0.167]


def test_three_hundred_with_ninety_wrong():
    cm = ConfusionMatrix([[110, 40], [50, 100]])
    assert (cm.error_rate(), cm.accuracy()) == (0.3, 0.7)


def test_six_thousand_five_hundred_predicted_of_six_thousand():
    cm = ConfusionMatrix([[3500, 500], [0, 6000]], labels=["other", "wanted"])
    assert cm.predicted_minus_true().tolist() == [-500, 500]


def test_weights_and_repeated_rows_agree():
    y, predicted, weight = [0, 0, 1, 1], [0, 1, 1, 1], [10, 10, 1, 1]
    weighted = ConfusionMatrix.from_predictions(y, predicted, sample_weight=weight)
    repeated = ConfusionMatrix.from_predictions(np.repeat(y, weight), np.repeat(predicted, weight))
    assert weighted == repeated
    assert (weighted.specificity(), weighted.recall()) == (0.5, 1)
    assert weighted.g_mean() == exact(math.sqrt(0.5))


def test_macro_g_mean_of_two_classes_is_the_g_mean():
    cm = ConfusionMatrix.from_predictions([0, 0, 1, 0, 1, 1], [0, 0, 0, 0, 0, 1])
    assert cm.g_mean() == exact(math.sqrt(1 / 3))
    per_class = np.sqrt(cm.recall(average=None) * cm.specificity(average=None))
    assert per_class == exact([math.sqrt(1 / 3)] * 2)


@settings(deadline=None, max_examples=50)
@given(
    cells=st.tuples(*[st.integers(1, 60)] * 4),
    beta=st.fractions(min_value=Fraction(1, 8), max_value=8, max_denominator=8),
)
def test_binary_measures_equal_their_definitions_in_fractions(cells, beta):
    tp, fp, fn, tn = map(Fraction, cells)
    precision, recall, specificity = tp / (tp + fp), tp / (tp + fn), tn / (tn + fp)
    cm = binary(*cells)
    f_score = (1 + beta**2) * precision * recall / (beta**2 * precision + recall)
    assert cm.f_score(float(beta)) == exact(float(f_score))
    # The F1 of textbooks: 2 TP / (m + TP - TN).
    assert cm.f_score() == exact(float(2 * tp / (tp + fp + fn + tn + tp - tn)))
    assert cm.positive_likelihood_ratio() == pytest.approx(float(recall / (1 - specificity)), rel=1e-12)
    assert cm.negative_likelihood_ratio() == pytest.approx(float((1 - recall) / specificity), rel=1e-12)
    assert cm.negative_predictive_value() == exact(float(tn / (tn + fn)))
    assert cm.youden_j() == exact(float(recall + specificity - 1))
    assert cm.prevalence() == exact(float((tp + fn) / sum(map(Fraction, cells))))
    negative = (tn + fp) / sum(map(Fraction, cells))
    adjusted = (math.sqrt(recall * specificity) + specificity * negative) / (1 + negative)
    assert cm.adjusted_g_mean() == exact(float(adjusted))


def test_recall_counts_more_as_beta_grows():
    cm = binary(tp=6, fp=5, fn=4, tn=85)  # precision 6/11 < recall 6/10
    values = [cm.f_score(beta) for beta in (1e-6, 0.5, 1, 2, 1e6)]
    assert values == sorted(values)
    assert (values[0], values[-1]) == (pytest.approx(6 / 11), pytest.approx(0.6))


def test_g_mean_of_many_classes_does_not_underflow():
    # 1,000 classes of recall 1/10: the product of the recalls is 1e-1000.
    counts = np.eye(1000, dtype=int) + 9 * np.roll(np.eye(1000, dtype=int), 1, axis=1)
    assert ConfusionMatrix(counts).g_mean() == pytest.approx(0.1, rel=1e-12)


def test_correlation_of_rare_errors_keeps_its_digits():
    # One error in a million: cov = n TP - ..., in exact integers.
    tn, fp, tp = 10**6 - 2, 1, 1
    n = Fraction(tn + fp + tp)
    covariance = n * (tn + tp) - (tn + fp) * tn - tp * (fp + tp)
    spread = (n**2 - (tn + fp) ** 2 - tp**2) * (n**2 - tn**2 - (fp + tp) ** 2)
    assert binary(tp, fp, 0, tn).mcc() == pytest.approx(float(covariance) / math.sqrt(spread), rel=1e-12)


# --- the numbers of scikit-learn --------------------------------------------------------------------

WEIGHTS = st.sampled_from([0, 1, 2, 5]) | st.sampled_from([0.0, 0.1, 0.3, 1 / 3, 2.5])


@st.composite
def predictions(draw, n_classes):
    """Truth, prediction and weights: ties, absent classes, one class, zero weights."""
    size = draw(st.integers(1, 25))
    labels = st.integers(0, n_classes - 1)
    true = draw(st.lists(labels, min_size=size, max_size=size))
    predicted = draw(st.lists(labels, min_size=size, max_size=size))
    weight = draw(st.none() | st.lists(WEIGHTS, min_size=size, max_size=size).filter(any))
    return np.array(true), np.array(predicted), weight


AVERAGED = {
    "precision": (ConfusionMatrix.precision, sklearn.metrics.precision_score),
    "recall": (ConfusionMatrix.recall, sklearn.metrics.recall_score),
    "f1": (ConfusionMatrix.f_score, sklearn.metrics.f1_score),
    "jaccard": (ConfusionMatrix.jaccard, sklearn.metrics.jaccard_score),
}


@pytest.mark.parametrize("average", ["macro", "micro", "weighted", None])
@pytest.mark.parametrize("name", AVERAGED)
@settings(deadline=None, max_examples=60)
@given(drawn=predictions(4), strings=st.booleans(), zero_division=st.sampled_from(["warn", 0, 1, np.nan]))
def test_averages_equal_those_of_scikit_learn(name, average, drawn, strings, zero_division):
    true, predicted, weight = drawn
    if name == "jaccard" and zero_division not in ("warn", 0, 1):
        zero_division = 1  # scikit-learn has no nan here
    if strings:
        true, predicted = np.array(list("dbca"))[true], np.array(list("dbca"))[predicted]
    ours, theirs = AVERAGED[name]
    cm = ConfusionMatrix.from_predictions(true, predicted, sample_weight=weight)
    expected = peer(
        theirs, true, predicted, average=average, zero_division=zero_division, sample_weight=weight
    )
    assert quiet(ours, cm, average=average, zero_division=zero_division) == exact(expected)


@pytest.mark.parametrize("name", AVERAGED)
@settings(deadline=None, max_examples=60)
@given(drawn=predictions(2), positive=st.sampled_from([0, 1]), zero_division=st.sampled_from([0, 1, np.nan]))
def test_binary_figures_equal_those_of_scikit_learn(name, drawn, positive, zero_division):
    true, predicted, weight = drawn
    if name == "jaccard" and np.isnan(zero_division):
        zero_division = 1
    ours, theirs = AVERAGED[name]
    cm = ConfusionMatrix.from_predictions(true, predicted, sample_weight=weight)
    common = {"pos_label": positive, "zero_division": zero_division}
    expected = peer(theirs, true, predicted, sample_weight=weight, **common)
    assert quiet(ours, cm, **common) == exact(expected)


@settings(deadline=None, max_examples=100)
@given(drawn=predictions(4))
def test_measures_of_all_classes_equal_those_of_scikit_learn(drawn):
    true, predicted, weight = drawn
    cm = ConfusionMatrix.from_predictions(true, predicted, sample_weight=weight)
    for ours, theirs in (
        (cm.accuracy, sklearn.metrics.accuracy_score),
        (cm.balanced_accuracy, sklearn.metrics.balanced_accuracy_score),
        (cm.mcc, sklearn.metrics.matthews_corrcoef),
        (cm.kappa, sklearn.metrics.cohen_kappa_score),
    ):
        assert quiet(ours) == exact(peer(theirs, true, predicted, sample_weight=weight)), theirs.__name__
    assert cm.error_rate() == exact(1 - cm.accuracy())
    assert 0 <= cm.error_rate() <= 1


@settings(deadline=None, max_examples=50)
@given(drawn=predictions(2))
def test_likelihood_ratios_equal_those_of_scikit_learn(drawn):
    true, predicted, weight = drawn
    cm = ConfusionMatrix.from_predictions(true, predicted, labels=[0, 1], sample_weight=weight)
    theirs = peer(
        sklearn.metrics.class_likelihood_ratios, true, predicted, labels=[0, 1], sample_weight=weight
    )
    ours = quiet(cm.positive_likelihood_ratio), quiet(cm.negative_likelihood_ratio)
    for mine, expected in zip(ours, theirs, strict=True):
        assert math.isnan(mine) or mine == pytest.approx(expected, rel=1e-9, abs=1e-12)


@settings(deadline=None, max_examples=50)
@given(drawn=predictions(4), beta=st.sampled_from([0.25, 2.0, 3.5]))
def test_f_beta_equals_that_of_scikit_learn(drawn, beta):
    true, predicted, weight = drawn
    cm = ConfusionMatrix.from_predictions(true, predicted, sample_weight=weight)
    for average in ("macro", "weighted", "micro"):
        expected = peer(
            sklearn.metrics.fbeta_score, true, predicted, beta=beta, average=average, sample_weight=weight
        )
        assert quiet(cm.f_score, beta, average=average) == exact(expected)


@settings(deadline=None, max_examples=50)
@given(drawn=predictions(3), extra=st.booleans())
def test_given_labels_count_in_averages_as_in_scikit_learn(drawn, extra):
    true, predicted, _ = drawn
    labels = [2, 0, 1, 9] if extra else [0, 1, 2]
    cm = ConfusionMatrix.from_predictions(true, predicted, labels=labels)
    for ours, theirs in AVERAGED.values():
        expected = peer(theirs, true, predicted, labels=labels, average="macro")
        assert quiet(ours, cm, average="macro") == exact(expected)


@settings(deadline=None, max_examples=30)
@given(drawn=st.lists(predictions(3), min_size=1, max_size=4))
def test_a_stack_gives_what_its_matrices_give(drawn):
    matrices = [
        ConfusionMatrix.from_predictions(true, predicted, labels=[0, 1, 2], sample_weight=weight)
        for true, predicted, weight in drawn
    ]
    singles = [ConfusionMatrix(cm.counts) for cm in matrices]
    stack = ConfusionMatrix(np.stack([cm.counts for cm in matrices]))
    for measure in (
        ConfusionMatrix.accuracy,
        ConfusionMatrix.mcc,
        ConfusionMatrix.kappa,
        ConfusionMatrix.g_mean,
        ConfusionMatrix.balanced_accuracy,
        ConfusionMatrix.fscore_of_means,
        lambda cm: cm.f_score(average="macro"),
        lambda cm: cm.precision(average="weighted"),
        lambda cm: cm.specificity(average="micro"),
    ):
        assert quiet(measure, stack) == exact(np.array([quiet(measure, cm) for cm in singles]))


# --- undefined: one documented rule ------------------------------------------------------------------


def test_zero_by_zero_is_zero_with_a_warning_that_names_measure_and_class():
    nothing_predicted = binary(tp=0, fp=0, fn=3, tn=7)
    with pytest.warns(
        UndefinedMeasureWarning, match=r"^precision is undefined \(0/0\) for class 1 and set to 0"
    ):
        assert nothing_predicted.precision() == 0
    no_positive = ConfusionMatrix([[7, 3], [0, 0]], labels=["well", "ill"])
    with pytest.warns(UndefinedMeasureWarning, match=r"^recall is undefined \(0/0\) for class ill"):
        assert no_positive.recall(pos_label="ill") == 0
    with pytest.warns(UndefinedMeasureWarning, match=r"^specificity is undefined \(0/0\) for class well"):
        assert no_positive.specificity(average=None) == exact([0, 0.7])


def test_the_warning_names_the_split():
    folds = ConfusionMatrix([[[5, 1], [1, 5]], [[6, 0], [6, 0]], [[6, 0], [6, 0]]])
    with pytest.warns(
        UndefinedMeasureWarning, match="precision is undefined .* for class 1 in split 1 and 1 more"
    ):
        folds.precision()
    searched = ConfusionMatrix(folds.counts[None])
    with pytest.warns(UndefinedMeasureWarning, match=r"for class 1 at \(0, 1\) and 1 more"):
        searched.precision()


def test_a_likelihood_ratio_without_false_alarms_is_undefined_and_not_infinite():
    with pytest.warns(UndefinedMeasureWarning, match=r"likelihood ratio is undefined \(division by 0\)"):
        assert np.isnan(binary(tp=3, fp=0, fn=1, tn=5).positive_likelihood_ratio())


@pytest.mark.parametrize(("zero_division", "value"), [(0, 0.0), (1, 1.0), (np.nan, np.nan)])
def test_a_value_asked_for_comes_without_a_warning(zero_division, value):
    assert binary(0, 0, 3, 7).precision(zero_division=zero_division) == exact(value)


@pytest.mark.parametrize("zero_division", ["nan", 2, -1, None, np.inf, [0]])
def test_other_values_for_zero_by_zero_are_refused(zero_division):
    with pytest.raises(ValueError, match="zero_division must be 'warn', 0, 1 or nan, got"):
        binary(1, 2, 3, 4).precision(zero_division=zero_division)


def test_a_class_of_a_given_shape_that_holds_nothing_is_left_out_and_named():
    cm = ConfusionMatrix([[3, 1, 0], [1, 3, 0], [0, 0, 0]], labels=["a", "b", "c"])
    left_out = r"macro recall: class c has neither true nor predicted samples and is left out"
    with pytest.warns(UndefinedMeasureWarning, match=left_out):
        assert cm.recall(average="macro") == 0.75
    stack = ConfusionMatrix([[[3, 1], [1, 3]], [[4, 0], [0, 0]]])
    with pytest.warns(UndefinedMeasureWarning, match=r"class 1 has .* \(first in split 1\) and is left out"):
        assert stack.recall(average="macro").tolist() == [0.75, 1.0]


def test_a_class_that_was_asked_for_counts():
    y = [0, 0, 1, 1]
    fixed = ConfusionMatrix.from_predictions(y, y, labels=[0, 1, 2])
    with pytest.warns(UndefinedMeasureWarning, match=r"recall is undefined \(0/0\) for class 2 and set to 0"):
        assert fixed.recall(average="macro") == exact(2 / 3)
    assert np.isnan(fixed.recall(average=None, zero_division=np.nan)[2])
    assert ConfusionMatrix.from_predictions(y, y).recall(average="macro") == 1
    with pytest.warns(UndefinedMeasureWarning, match="balanced accuracy: class 2 has no true sample"):
        assert fixed.balanced_accuracy() == 1


EMPTY = ConfusionMatrix([[0, 0], [0, 0]])
ONE_CLASS = ConfusionMatrix.from_predictions([0, 0, 0], [0, 0, 0])
ONE_TRUE = ConfusionMatrix([[2, 1], [0, 0]])
ONE_PREDICTED = ConfusionMatrix([[2, 0], [1, 0]])
NAN = np.nan


@pytest.mark.parametrize(
    ("measure", "empty", "one_class", "one_true", "one_predicted"),
    [
        # None: no warning is due.
        ("accuracy", NAN, None, None, None),
        ("error_rate", NAN, None, None, None),
        ("balanced_accuracy", NAN, None, 2 / 3, None),
        ("g_mean", NAN, None, 2 / 3, None),
        ("adjusted_g_mean", 0, 0, 0, None),
        ("mcc", 0, 0, 0, 0),
        ("kappa", NAN, NAN, None, None),
        ("precision", 0, 0, None, 0),
        ("recall", 0, 0, 0, None),
        ("f_score", 0, 0, None, None),
        ("specificity", 0, None, None, None),
        ("jaccard", 0, 0, None, None),
        ("negative_predictive_value", 0, None, None, None),
        ("positive_likelihood_ratio", NAN, NAN, NAN, NAN),
        ("negative_likelihood_ratio", NAN, NAN, NAN, None),
        ("prevalence", NAN, None, None, None),
    ],
)
def test_degenerate_input_gives_a_named_warning_or_a_defined_number(
    measure, empty, one_class, one_true, one_predicted
):
    for cm, expected in (
        (EMPTY, empty),
        (ONE_CLASS, one_class),
        (ONE_TRUE, one_true),
        (ONE_PREDICTED, one_predicted),
    ):
        function = getattr(cm, measure)
        if expected is None:
            assert math.isfinite(function()), (measure, cm)
        else:
            with pytest.warns(UndefinedMeasureWarning, match=r"undefined|left out"):
                assert function() == exact(expected), (measure, cm)


@pytest.mark.filterwarnings("ignore::skeval.exceptions.UndefinedMeasureWarning")
@pytest.mark.parametrize("average", ["macro", "micro", "weighted"])
def test_averages_of_an_empty_matrix_are_zero_or_nan_as_asked(average):
    for name in ("precision", "recall", "f_score", "jaccard", "specificity"):
        assert getattr(EMPTY, name)(average=average) == 0
        assert np.isnan(getattr(EMPTY, name)(average=average, zero_division=np.nan))


# --- arguments ---------------------------------------------------------------------------------------


def test_a_positive_class_is_named_or_known():
    cm = ConfusionMatrix.from_predictions(["bad", "good", "bad", "good"], ["bad", "good", "bad", "bad"])
    assert cm.f_score(pos_label="bad") == exact(4 / 5)
    for measure in (cm.precision, cm.recall, cm.f_score, cm.adjusted_g_mean, cm.youden_j, cm.binary_counts):
        with pytest.raises(
            ValueError, match=r"pos_label must name the positive class among the labels \['bad', 'good'\]"
        ):
            measure()
    with pytest.raises(
        ValueError, match=r"pos_label must be one of the labels \['bad', 'good'\], got 'ugly'"
    ):
        cm.f_score(pos_label="ugly")


@pytest.mark.parametrize("labels", [[0, 1], [-1, 1], [False, True]])
def test_the_positive_class_of_usual_codes_goes_without_saying(labels):
    low, high = labels
    cm = ConfusionMatrix.from_predictions([low, high, high], [low, low, high])
    assert cm.recall() == 0.5
    assert cm.recall(pos_label=low) == 1


def test_one_class_is_allowed_in_a_binary_measure():
    ones = ConfusionMatrix.from_predictions([1, 1], [1, 1])
    assert (ones.precision(), ones.recall(), ones.f_score()) == (1, 1, 1)
    trues = ConfusionMatrix.from_predictions([True, True], [True, True])
    assert trues.f_score() == 1
    good = ConfusionMatrix.from_predictions(["good"], ["good"])
    assert good.binary_counts(pos_label="bad") == (0, 0, 0, 1)
    assert good.specificity(pos_label="bad") == 1


def test_three_classes_have_no_binary_figure():
    with pytest.raises(
        ValueError, match=r"needs two classes, got 3: \[0, 1, 2\]; choose an average, or use one"
    ):
        ConfusionMatrix(np.eye(3)).precision()


def test_bad_arguments_are_refused():
    cm = binary(1, 2, 3, 4)
    with pytest.raises(
        ValueError, match="average must be one of 'binary', 'macro', 'micro', 'weighted', None"
    ):
        cm.precision(average="samples")
    for beta in (0, -1, np.nan, np.inf, 1e154, 1e200, 1e-200):
        with pytest.raises(ValueError, match=r"beta must be a number in \[1e-30, 1e\+30\], got"):
            cm.f_score(beta)
        with pytest.raises(ValueError, match=r"beta must be a number in \[1e-30, 1e\+30\], got"):
            cm.fscore_of_means(beta=beta)
    with pytest.raises(TypeError, match="beta must be a number"):
        cm.fscore_of_means(beta="1")


@pytest.mark.parametrize("transposed", [False, True], ids=["one predicted class", "one true class"])
def test_weights_of_one_class_leave_no_rounding_in_mcc(transposed):
    # Sums of the same weights in two orders differ in the last bit; the numerator must be none all the same.
    generator = np.random.default_rng(0)
    for _ in range(20):
        counts = np.zeros((20, 20))
        counts[:, 3] = generator.random(20)
        with pytest.warns(UndefinedMeasureWarning, match="MCC is undefined"):
            assert ConfusionMatrix(counts.T if transposed else counts).mcc() == 0

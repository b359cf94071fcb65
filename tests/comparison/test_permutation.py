"""The paired permutation test of two classifiers on one test set."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import (
    balanced_accuracy_score,
    cohen_kappa_score,
    f1_score,
    matthews_corrcoef,
    precision_score,
    recall_score,
)

from skeval.comparison import mcnemar_test, permutation_test
from skeval.exceptions import DegenerateDataWarning, UndefinedMeasureWarning
from tests.reference import load

ALTERNATIVES = ("two-sided", "greater", "less")
REFERENCE = load("15_confidence_intervals.json")


def extreme(difference, observed, alternative):
    """The definition, with room for rounding."""
    if alternative == "two-sided":
        return abs(difference) >= abs(observed) - 1e-12
    return difference >= observed - 1e-12 if alternative == "greater" else difference <= observed + 1e-12


MEASURES = {  # greater is better
    "f1": lambda y, p: f1_score(y, p, zero_division=0),
    "precision": lambda y, p: precision_score(y, p, zero_division=0),
    "recall": lambda y, p: recall_score(y, p, zero_division=0),
    "matthews_corrcoef": matthews_corrcoef,
    "g_mean": lambda y, p: math.sqrt(recall_score(y, p) * recall_score(y, p, pos_label=0)),
    "balanced_accuracy": balanced_accuracy_score,
    "cohen_kappa": cohen_kappa_score,
    "accuracy": lambda y, p: (y == p).mean(),
    "error_rate": lambda y, p: -(y != p).mean(),
    "false_positive_rate": lambda y, p: -p[y == 0].mean(),
}


def swapped(one, two):
    """Yield both models' predictions for every way of swapping them where they differ."""
    where = np.flatnonzero(one != two)
    for picked in itertools.product((False, True), repeat=len(where)):
        swap = np.zeros(len(one), dtype=bool)
        swap[where] = picked
        yield np.where(swap, two, one), np.where(swap, one, two)


def pvalues_by_hand(y, one, two, measure):
    observed = measure(y, one) - measure(y, two)
    found = [measure(y, a) - measure(y, b) for a, b in swapped(one, two)]
    return {
        alternative: np.mean([extreme(each, observed, alternative) for each in found])
        for alternative in ALTERNATIVES
    }


def two_models(seed, n_samples, n_classes=2, errors=(0.25, 0.45)):
    generator = np.random.default_rng(seed)
    y = generator.permutation(np.arange(n_samples) % n_classes)
    models = [
        np.where(generator.random(n_samples) < share, generator.integers(0, n_classes, n_samples), y)
        for share in errors
    ]
    return y, *models


@pytest.mark.filterwarnings("ignore::skeval.exceptions.UndefinedMeasureWarning")
@pytest.mark.parametrize("name", MEASURES)
def test_equals_the_enumeration_of_all_swaps(name):
    y = np.array([1, 1, 1, 1, 1, 0, 0, 0, 0, 0])
    a = np.array([1, 1, 0, 1, 1, 0, 0, 1, 0, 0])
    b = np.array([1, 0, 0, 0, 1, 1, 0, 0, 1, 1])
    expected = pvalues_by_hand(y, a, b, MEASURES[name])
    for alternative in ALTERNATIVES:
        result = permutation_test(y, a, b, metric=name, alternative=alternative)
        assert result.pvalue == expected[alternative]
        assert result.estimate == pytest.approx(MEASURES[name](y, a) - MEASURES[name](y, b), abs=1e-12)
        assert result.details["form"] == "exact"


@pytest.mark.parametrize(
    ("name", "measure"),
    [
        ("f1_macro", lambda y, p: f1_score(y, p, average="macro", zero_division=0)),
        ("f1_weighted", lambda y, p: f1_score(y, p, average="weighted", zero_division=0)),
        ("matthews_corrcoef", matthews_corrcoef),
        ("accuracy", lambda y, p: (y == p).mean()),
    ],
)
@pytest.mark.filterwarnings("ignore::skeval.exceptions.UndefinedMeasureWarning")
def test_equals_the_enumeration_of_all_swaps_with_three_classes(name, measure):
    y = np.array([0, 0, 0, 1, 1, 1, 2, 2, 2])
    a = np.array([0, 0, 1, 1, 1, 1, 2, 2, 0])
    b = np.array([0, 1, 2, 1, 2, 0, 2, 1, 0])
    expected = pvalues_by_hand(y, a, b, measure)
    for alternative in ALTERNATIVES:
        result = permutation_test(y, a, b, metric=name, alternative=alternative)
        assert result.pvalue == expected[alternative]


def f1_by_hand(y, p):
    found, wrong = (y & p).sum(), (y ^ p).sum()
    return 2 * found / (2 * found + wrong) if found + wrong else 0.0


@pytest.mark.filterwarnings("ignore::skeval.exceptions.UndefinedMeasureWarning")
@settings(deadline=None, max_examples=30)
@given(rows=st.lists(st.tuples(*[st.integers(0, 1)] * 3), min_size=2, max_size=9))
def test_equals_the_enumeration_on_any_small_input(rows):
    y, a, b = np.array(rows).T
    if (a != b).any():
        expected = pvalues_by_hand(y, a, b, f1_by_hand)
        for alternative in ALTERNATIVES:
            result = permutation_test(y, a, b, metric="f1", alternative=alternative)
            assert result.pvalue == expected[alternative]


@pytest.mark.parametrize("name", ["f1", "accuracy", "matthews_corrcoef"])
def test_size_is_at_most_alpha_under_every_swap(name):
    """Given which samples are discordant, every swap is as probable: the null, enumerated."""
    y = np.array([1, 1, 1, 1, 0, 0, 0, 0, 1, 0])
    a, b = y.copy(), y.copy()
    a[[4, 9]], b[:4], b[5] = 1, 0, 1
    pvalues = np.array([permutation_test(y, *pair, metric=name).pvalue for pair in swapped(a, b)])
    for alpha in np.unique(pvalues):
        assert (pvalues <= alpha).mean() <= alpha


def f1_tail_by_hand(n_true, tp, fp, n_plus, plus, n_minus, minus):
    """P(|F1(A) - F1(B)| >= observed) in whole numbers.

    Both find `tp` positives and raise `fp` false alarms in common; of `n_plus` discordant
    positives A finds `plus`, of `n_minus` discordant negatives A gets `minus` wrong.
    """

    def f1(found, wrong):
        return Fraction(2 * (tp + found), n_true + tp + found + fp + wrong)

    def difference(found, wrong):
        return abs(f1(found, wrong) - f1(n_plus - found, n_minus - wrong))

    observed, ways = difference(plus, minus), 0
    for found, wrong in itertools.product(range(n_plus + 1), range(n_minus + 1)):
        if difference(found, wrong) >= observed:
            ways += math.comb(n_plus, found) * math.comb(n_minus, wrong)
    return Fraction(ways, 2 ** (n_plus + n_minus))


@pytest.mark.parametrize(
    ("plus", "minus"), [(25, 20), (30, 20), (41, 12), (50, 5), (50, 0)], ids="p={}".format
)
def test_f1_equals_the_double_sum_in_whole_numbers(plus, minus):
    tp, fn, fp, tn, n_plus, n_minus = 60, 20, 10, 90, 50, 40
    y = np.repeat([1, 1, 1, 0, 0, 0], [tp, fn, n_plus, fp, tn, n_minus])
    a = np.repeat([1, 0, 1, 0, 1, 0, 1, 0], [tp, fn, plus, n_plus - plus, fp, tn, minus, n_minus - minus])
    b = np.repeat([1, 0, 0, 1, 1, 0, 0, 1], [tp, fn, plus, n_plus - plus, fp, tn, minus, n_minus - minus])
    expected = f1_tail_by_hand(tp + fn + n_plus, tp, fp, n_plus, plus, n_minus, minus)
    result = permutation_test(y, a, b, metric="f1")
    assert result.pvalue == pytest.approx(float(expected), rel=2e-9)
    assert result.pvalue >= float(expected) * (1 - 1e-12)  # never understated
    log = math.log(expected.numerator) - math.log(expected.denominator)
    assert result.details["log_pvalue"] == pytest.approx(log, abs=2e-9)


def test_accuracy_is_the_exact_mcnemar_test():
    y, a, b = two_models(0, 400, n_classes=4)
    assert permutation_test(y, a, b).pvalue == pytest.approx(
        mcnemar_test(y, a, b, method="exact").pvalue, rel=1e-12
    )


def test_the_difference_of_accuracies_has_an_interval():
    """Newcombe's for paired shares, from R: 59, 6, 16 and 80 samples right for both, A, B and none."""
    y = np.ones(161, dtype=int)
    a, b = np.repeat([1, 1, 0, 0], [59, 6, 16, 80]), np.repeat([1, 0, 1, 0], [59, 6, 16, 80])
    expected = REFERENCE["expected"]["paired_difference"]["cavo"]["newcombe"]
    for name in ("accuracy", "error_rate"):
        result = permutation_test(y, a, b, metric=name)
        assert tuple(result.confidence_interval()) == pytest.approx(expected, abs=1e-10)
    one_sided = permutation_test(y, a, b, alternative="less").confidence_interval(0.975)
    assert one_sided == pytest.approx((-1.0, expected[1]), abs=1e-10)
    with pytest.raises(ValueError, match="no confidence interval"):
        permutation_test(y, a, b, metric="recall").confidence_interval()


def test_a_function_gives_what_the_name_gives():
    y, a, b = two_models(0, 200)
    for alternative in ALTERNATIVES:
        named = permutation_test(y, a, b, metric="accuracy", alternative=alternative)
        given_ = permutation_test(y, a, b, metric=lambda cm: cm.accuracy(), alternative=alternative)
        assert tuple(given_) == pytest.approx(tuple(named), rel=1e-8)
        assert given_.details["n_discordant"] >= named.details["n_discordant"]
    twice = permutation_test(y, a, b, metric=lambda cm: cm.f_score(beta=2))
    assert "measure given" in twice.method


def error_rate(matrix):
    """A function whose name is that of a loss: its values count, not its name."""
    return matrix.accuracy()


def test_the_name_of_a_function_says_nothing():
    y, a, b = two_models(0, 200)
    result = permutation_test(y, a, b, metric=error_rate, alternative="greater")
    assert result.estimate == (a == y).mean() - (b == y).mean()
    assert result.pvalue < 0.05


def test_no_difference_has_no_sign():
    for method in ("exact", "monte-carlo"):
        options = {"metric": "error_rate", "method": method, "random_state": 0}
        result = permutation_test([0, 1, 1, 0], [0, 1, 0, 0], [1, 1, 1, 0], **options)
        assert "difference = 0," in str(result)
        assert math.copysign(1, result.estimate) == 1


def test_fewer_errors_are_better():
    y, a, b = two_models(0, 200)
    by_loss = permutation_test(y, a, b, metric="error_rate", alternative="greater")
    assert by_loss.estimate == pytest.approx((a == y).mean() - (b == y).mean(), abs=1e-12)
    assert by_loss.pvalue == permutation_test(y, a, b, alternative="greater").pvalue
    assert by_loss.details["measure_a"] == (a != y).mean()
    alarms = permutation_test(y, a, b, metric="false_positive_rate", alternative="greater")
    assert alarms.estimate == pytest.approx(b[y == 0].mean() - a[y == 0].mean(), abs=1e-12)
    assert alarms.pvalue < 0.05


@pytest.mark.parametrize("name", ["f1", "accuracy", "specificity", "false_negative_rate"])
def test_swapping_the_models_mirrors_the_result(name):
    y, a, b = two_models(4, 300)
    one, other = permutation_test(y, a, b, metric=name), permutation_test(y, b, a, metric=name)
    assert one.estimate == -other.estimate
    assert one.pvalue == pytest.approx(other.pvalue, rel=1e-12)
    greater = permutation_test(y, a, b, metric=name, alternative="greater").pvalue
    less = permutation_test(y, b, a, metric=name, alternative="less").pvalue
    assert greater == pytest.approx(less, rel=1e-12)


def test_order_and_names_of_labels_change_nothing():
    y, a, b = two_models(6, 150)
    expected = permutation_test(y, a, b, metric="f1")
    order = np.random.default_rng(0).permutation(len(y))
    assert permutation_test(y[order], a[order], b[order], metric="f1").pvalue == expected.pvalue
    for names in (["well", "ill"], ["a", "z"], ["z", "a"], [7, 3], [-1, 1]):
        named = [np.array(names)[codes] for codes in (y, a, b)]
        result = permutation_test(*named, metric="f1", pos_label=names[1])
        assert result.pvalue == pytest.approx(expected.pvalue, rel=1e-12)
        assert result.estimate == expected.estimate


def test_any_container():
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    y, a, b = two_models(6, 60)
    expected = permutation_test(y, a, b, metric="f1").pvalue
    shuffled = pandas.Series(a, index=np.arange(60)[::-1])
    assert permutation_test(y.tolist(), shuffled, polars.Series(b), metric="f1").pvalue == expected
    assert permutation_test(y.astype(bool), a.astype(bool), b.astype(bool), metric="f1").pvalue == expected


def test_far_tails_keep_their_logarithm():
    y = np.repeat([0, 1], 2000)
    result = permutation_test(y, y, 1 - y)
    assert result.details["log_pvalue"] == pytest.approx(-3999 * math.log(2), rel=1e-12)
    assert result.pvalue > 0
    assert "p < 1e-300" in str(result)
    result = permutation_test(y[1400:2600], y[1400:2600], 1 - y[1400:2600], metric="f1")
    # Only the two tables of all swaps and of none are as extreme.
    assert result.details["log_pvalue"] == pytest.approx(-1199 * math.log(2), rel=1e-10)
    assert result.pvalue > 0


def test_monte_carlo_agrees_with_the_exact_test_and_is_never_zero():
    y, a, b = two_models(8, 300)
    exact = permutation_test(y, a, b, metric="f1", alternative="less").pvalue
    sampled = permutation_test(
        y, a, b, metric="f1", alternative="less", method="monte-carlo", n_resamples=20_000, random_state=0
    )
    assert sampled.pvalue == pytest.approx(exact, abs=4 * math.sqrt(exact * (1 - exact) / 20_000) + 1e-4)
    assert sampled.details["form"] == "Monte Carlo"
    certain = permutation_test(y, y, 1 - y, metric="f1", method="monte-carlo", n_resamples=99, random_state=0)
    assert certain.pvalue == 1 / 100


def test_many_classes_are_sampled_where_enumeration_is_too_long():
    y, a, b = two_models(9, 500, n_classes=6)
    result = permutation_test(y, a, b, metric="f1_macro", random_state=0)
    assert result.details["form"] == "Monte Carlo"
    assert result.details["n_resamples"] == 9999
    assert result.pvalue == permutation_test(y, a, b, metric="f1_macro", random_state=0).pvalue
    assert result.pvalue * 10_000 == pytest.approx(round(result.pvalue * 10_000), abs=1e-9)
    assert result.pvalue < 0.05  # errors 25 % and 45 %
    with pytest.raises(ValueError, match=r"method='exact' takes too long .* method='monte-carlo'"):
        permutation_test(y, a, b, metric="f1_macro", method="exact")


def test_a_measure_undefined_after_a_swap_counts_as_extreme():
    """Of three swaps of four, precision of A or B is 0/0: warned of for the data, not for each swap."""
    y, a, b = [1, 1, 0], [1, 0, 0], [0, 1, 0]
    result = permutation_test(y, a, b, metric="precision")
    assert result.pvalue == 1.0
    nan_where_empty = permutation_test(y, a, b, metric=lambda cm: cm.precision(zero_division=np.nan))
    assert nan_where_empty.pvalue == 1.0


def test_an_undefined_measure_of_the_data_is_refused():
    with (
        pytest.warns(UndefinedMeasureWarning, match="likelihood"),
        pytest.raises(ValueError, match=r"'positive_likelihood_ratio' is undefined \(nan\)"),
    ):
        permutation_test([0, 1, 1], [0, 1, 0], [0, 0, 0], metric="positive_likelihood_ratio")
    with pytest.warns(UndefinedMeasureWarning, match="precision is undefined"):
        permutation_test([0, 1, 1], [0, 0, 0], [0, 1, 0], metric="precision")


def test_models_that_are_alike_give_p_one_and_a_warning():
    y = ["a", "b", "b", "c"]
    for name in ("accuracy", "f1_macro"):
        with pytest.warns(DegenerateDataWarning, match="no discordant samples"):
            result = permutation_test(y, ["a", "b", "c", "c"], ["a", "b", "c", "c"], metric=name)
        assert tuple(result) == (0.0, 1.0)
        assert result.details["log_pvalue"] == 0.0
    with pytest.warns(DegenerateDataWarning, match="no discordant samples"):  # other labels, both wrong
        permutation_test(y, ["a", "b", "c", "c"], ["a", "b", "a", "c"])


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (([], [], []), {}, "at least one sample"),
        (([0, 1], [0, 1], [0]), {}, "same length"),
        (([0, 1], [0, None], [0, 1]), {}, "pred_a holds a missing value at position 1"),
        ((["a", "b"], [0, 1], ["a", "b"]), {}, "Labels must be of one type"),
        ((["a", "b"], ["b", "b"], ["a", "a"]), {"metric": "f1"}, "pos_label must name"),
        (([0, 1, 2], [0, 1, 1], [0, 2, 2]), {"metric": "f1"}, "needs two classes"),
        (([0, 1], [0, 1], [1, 1]), {"metric": "auc"}, "name of a label measure"),
        (([0, 1], [0, 1], [1, 1]), {"metric": "cost_sensitive_error"}, "needs a cost matrix"),
        (([0, 1], [0, 1], [1, 1]), {"method": "asymptotic"}, "method must be one of"),
        (([0, 1], [0, 1], [1, 1]), {"alternative": "larger"}, "alternative must be one of"),
        (([0, 1], [0, 1], [1, 1]), {"n_resamples": 0}, "n_resamples must be"),
        (
            ([0, 1], [0, 1], [1, 1]),
            {"metric": "f1", "method": "monte-carlo", "random_state": "x"},
            "random_state",
        ),
        (([0, 1], [0, 1], [1, 1]), {"metric": lambda cm: 1.0}, "one value per replicate"),
    ],
)
def test_bad_input_is_refused(arguments, options, message):
    with pytest.raises(ValueError, match=message):
        permutation_test(*arguments, **options)


def test_a_metric_is_a_name_or_a_function():
    with pytest.raises(TypeError, match="name of a label measure or a function"):
        permutation_test([0, 1], [0, 1], [1, 1], metric=None)

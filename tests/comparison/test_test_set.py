"""One call for several trained models on one test set."""

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from skeval.comparison import (
    adjust_pvalues,
    cochrans_q_test,
    compare_predictions,
    delong_pairwise,
    mcnemar_test,
)
from skeval.exceptions import DegenerateDataWarning

GENERATOR = np.random.default_rng(0)
N = 120
Y = GENERATOR.integers(0, 2, N)
LABELS = {
    name: np.where(GENERATOR.random(N) < right, Y, 1 - Y)
    for name, right in (("a", 0.9), ("b", 0.8), ("c", 0.6))
}
SCORES = {name: Y * shift + GENERATOR.normal(size=N) for name, shift in (("a", 2.0), ("b", 1.5), ("c", 0.2))}
TARGET = GENERATOR.normal(size=N)
VALUES = {
    name: TARGET + spread * GENERATOR.normal(size=N) for name, spread in (("a", 0.5), ("b", 0.7), ("c", 1.5))
}
GROUPS = np.repeat(np.arange(24), 5)


# --- one sample, one observation ---


def test_labels_are_compared_by_mcnemar_and_cochran():
    result = compare_predictions(Y, LABELS)
    tests = [mcnemar_test(Y, LABELS[a], LABELS[b]) for a, b in result.pairs]
    assert result.pairs == (("a", "b"), ("a", "c"), ("b", "c"))
    assert result.raw_pvalue.tolist() == [test.pvalue for test in tests]
    assert result.estimate.tolist() == [test.estimate for test in tests]
    assert result.pvalue == pytest.approx(adjust_pvalues(result.raw_pvalue, method="holm"))
    assert result.omnibus == cochrans_q_test(Y, LABELS)
    assert result.per_pair["only_a"].tolist() == [test.details["only_a"] for test in tests]
    for row, test in zip(result.confidence_intervals(), tests, strict=True):
        assert row == pytest.approx(test.confidence_interval())
    assert compare_predictions(Y, {name: LABELS[name] for name in "ab"}).omnibus is None


def test_scores_are_compared_by_delong():
    result = compare_predictions(Y, SCORES, kind="scores", adjust="shaffer")
    expected = delong_pairwise(Y, SCORES, adjust="shaffer")
    assert result.pvalue.tolist() == expected.pvalue.tolist()
    assert result.omnibus == expected.omnibus


def test_values_are_compared_by_the_paired_t_test_of_losses():
    result = compare_predictions(TARGET, VALUES, kind="values")
    losses = {name: (TARGET - values) ** 2 for name, values in VALUES.items()}
    for where, (a, b) in enumerate(result.pairs):
        expected = stats.ttest_rel(losses[b], losses[a])
        assert result.statistic[where] == pytest.approx(expected.statistic, rel=1e-10)
        assert result.raw_pvalue[where] == pytest.approx(expected.pvalue, rel=1e-9)
        assert result.confidence_intervals()[where] == pytest.approx(expected.confidence_interval(), rel=1e-9)
        assert result.per_pair["superiority"][where] == pytest.approx(np.mean(losses[a] < losses[b]))
    assert result.df.tolist() == [N - 1] * 3
    assert (result.estimate > 0).all()


def test_another_loss_by_name_or_as_a_function():
    by_name = compare_predictions(TARGET, VALUES, kind="values", loss="absolute")
    by_function = compare_predictions(TARGET, VALUES, kind="values", loss=lambda y, p: abs(y - p))
    assert by_name.statistic == pytest.approx(by_function.statistic)
    squared = compare_predictions(TARGET, VALUES, kind="values", loss="squared")
    assert squared.statistic != pytest.approx(by_name.statistic)
    # Points that somebody gave, with nothing true to compare them with: more is better.
    points = {"a": [3.0, 4, 5, 4], "b": [2.0, 4, 3, 3]}
    graded = compare_predictions([0] * 4, points, kind="values", loss=lambda y, p: -p)
    assert graded.estimate.tolist() == [1.0]


def test_a_constant_or_no_difference_is_flagged():
    with pytest.warns(DegenerateDataWarning, match="a and b do not differ"):
        same = compare_predictions(TARGET, {"a": VALUES["a"], "b": VALUES["a"]}, kind="values")
    assert (same.statistic[0], same.pvalue[0]) == (0, 1)
    with pytest.warns(DegenerateDataWarning, match="the difference of a and b is the same everywhere"):
        shifted = compare_predictions([0.0] * 4, {"a": [1.0] * 4, "b": [2.0] * 4}, kind="values")
    assert shifted.statistic[0] == np.inf
    with pytest.warns(DegenerateDataWarning, match="no discordant pairs"):
        labels = compare_predictions(Y, {"a": LABELS["a"], "b": LABELS["a"]})
    assert labels.pvalue.tolist() == [1.0]


# --- clusters ---


def test_clusters_of_one_sample_are_the_paired_t_test():
    plain = compare_predictions(TARGET, VALUES, kind="values")
    clustered = compare_predictions(TARGET, VALUES, kind="values", groups=np.arange(N))
    assert clustered.statistic == pytest.approx(plain.statistic)
    assert clustered.pvalue == pytest.approx(plain.pvalue)
    assert clustered.confidence_intervals() == pytest.approx(plain.confidence_intervals())
    first, second = ((np.asarray(VALUES[name]) - TARGET) ** 2 for name in plain.pairs[0])
    expected = stats.ttest_rel(second, first).confidence_interval(0.95)
    assert tuple(clustered.confidence_intervals()[0]) == pytest.approx(tuple(expected))


def test_clusters_of_equal_size_are_a_t_test_of_their_means():
    result = compare_predictions(Y, LABELS, groups=GROUPS)
    right = {name: (labels == Y).reshape(24, 5).mean(axis=1) for name, labels in LABELS.items()}
    for where, (a, b) in enumerate(result.pairs):
        expected = stats.ttest_rel(right[a], right[b])
        assert result.statistic[where] == pytest.approx(expected.statistic, rel=1e-10)
        assert result.raw_pvalue[where] == pytest.approx(expected.pvalue, rel=1e-9)
    assert result.df.tolist() == [23] * 3
    assert result.details == {"n_samples": N, "n_groups": 24}
    assert "24 clusters (CR1) and 23 degrees of freedom" in result.explanation


@settings(deadline=None, max_examples=30)
@given(
    st.lists(st.tuples(st.integers(0, 4), st.integers(-9, 9), st.integers(-9, 9)), min_size=6, max_size=25)
)
def test_clusters_of_any_size_by_the_sandwich_formula(rows):
    groups, a, b = (np.array(column, dtype=float) for column in zip(*rows, strict=True))
    if len(set(groups)) < 2:
        return
    losses = a**2 - b**2
    sums = np.array([(losses - losses.mean())[groups == group].sum() for group in set(groups)])
    n_groups = len(sums)
    error = np.sqrt(n_groups / (n_groups - 1) * (sums**2).sum()) / len(losses)
    if error < 1e-9:
        return
    result = compare_predictions(0 * a, {"a": a, "b": b}, kind="values", groups=groups.astype(int))
    assert result.standard_error[0] == pytest.approx(error, rel=1e-9)
    assert result.statistic[0] == pytest.approx(-losses.mean() / error, rel=1e-9, abs=1e-12)


def test_repeating_every_sample_in_its_cluster_changes_nothing():
    one = compare_predictions(Y, LABELS, groups=GROUPS)
    twice = compare_predictions(
        np.tile(Y, 2),
        {name: np.tile(labels, 2) for name, labels in LABELS.items()},
        groups=np.tile(GROUPS, 2),
    )
    assert twice.statistic == pytest.approx(one.statistic)
    # Without clusters each copy would count as a sample of its own.
    assert (
        compare_predictions(np.tile(Y, 2), {n: np.tile(v, 2) for n, v in LABELS.items()}).raw_pvalue[0]
        < (compare_predictions(Y, LABELS).raw_pvalue[0])
    )


def test_aucs_with_clusters_of_one_sample_are_near_delong():
    clustered = compare_predictions(Y, SCORES, kind="scores", groups=np.arange(N))
    plain = compare_predictions(Y, SCORES, kind="scores")
    assert clustered.estimate == pytest.approx(plain.estimate)
    # DeLong divides by the class sizes less 1, here by n - 1 clusters.
    assert clustered.standard_error == pytest.approx(plain.standard_error, rel=0.02)


def test_auc_influence_is_what_a_sample_of_more_weight_changes():
    from skeval.metrics import RankedScores

    result = compare_predictions(Y, SCORES, kind="scores", groups=GROUPS)

    def auc(name, weight):
        return RankedScores.from_predictions(Y, SCORES[name], sample_weight=weight).roc_auc()

    step, sums = 1e-5, []
    for group in range(24):
        more, less = (1 + sign * step * (group == GROUPS) for sign in (1, -1))
        change = [(auc(name, more) - auc(name, less)) / (2 * step) for name in "ab"]
        sums.append(change[0] - change[1])
    error = np.sqrt(24 / 23 * (np.array(sums) ** 2).sum())
    assert result.standard_error[0] == pytest.approx(error, rel=1e-6)


def test_groups_may_be_named_and_must_fit():
    named = np.array([f"text {group}" for group in GROUPS])
    assert compare_predictions(Y, LABELS, groups=named).pvalue.tolist() == (
        compare_predictions(Y, LABELS, groups=GROUPS).pvalue.tolist()
    )
    with pytest.raises(ValueError, match="groups must hold at least 2 clusters, got 1"):
        compare_predictions(Y, LABELS, groups=np.zeros(N, dtype=int))
    with pytest.raises(ValueError, match="y_true has 120, groups has 119"):
        compare_predictions(Y, LABELS, groups=GROUPS[1:])
    with pytest.raises(ValueError, match="groups holds a missing value"):
        compare_predictions(Y, LABELS, groups=[None, *GROUPS[1:].tolist()])


# --- words, containers, refusals ---


@pytest.mark.parametrize(
    ("kind", "data", "named"),
    [
        ("labels", (Y, LABELS), "permutation_test"),
        ("scores", (Y, SCORES), "metric_interval"),
        ("values", (TARGET, VALUES), "paired_permutation_test"),
    ],
)
def test_every_result_says_what_was_done_why_and_what_else(kind, data, named):
    result = compare_predictions(*data, kind=kind)
    assert "3 p-values were adjusted by holm" in result.explanation
    assert "Alternatives: " in result.explanation
    assert named in result.explanation
    assert pickle.loads(pickle.dumps(result)).groups() == result.groups()
    assert "<table>" in result._repr_html_()
    assert not np.isnan(result.confidence_intervals()).any()


def test_frames_and_strings():
    pandas = pytest.importorskip("pandas")
    named = np.where(Y == 1, "yes", "no")
    frame = pandas.DataFrame(
        {name: np.where(v == 1, "yes", "no") for name, v in LABELS.items()}, index=range(N, 0, -1)
    )
    result = compare_predictions(named, dict(frame.items()))
    assert result.pvalue.tolist() == compare_predictions(Y, LABELS).pvalue.tolist()
    scores = compare_predictions(named, SCORES, kind="scores", pos_label="yes")
    assert scores.pvalue.tolist() == compare_predictions(Y, SCORES, kind="scores").pvalue.tolist()
    with pytest.raises(ValueError, match="pos_label must name the positive class"):
        compare_predictions(named, SCORES, kind="scores")


@pytest.mark.parametrize("kind", ["labels", "scores", "values"])
def test_two_names_that_read_alike_are_refused(kind):
    y, a, b, c = [0, 1, 1, 0], [0, 1, 0, 0], [1, 1, 1, 0], [0, 0, 1, 0]
    with pytest.raises(ValueError, match=r"predictions must name each model once, got \['1', '1', 'c'\]"):
        compare_predictions(y, {1: a, "1": b, "c": c}, kind=kind)


def test_numbers_of_any_size_have_their_pvalue_or_are_refused():
    y, a, b = (np.array(values) for values in ([1.0, 3, 2, 5, 4], [2.0, 1, 2, 3, 1.5], [1.0, 2, 2, 4, 4.5]))
    expected = stats.ttest_rel((y - b) ** 2, (y - a) ** 2).pvalue
    for scale in (1, 1e-28, 1e28):
        result = compare_predictions(y * scale, {"a": a * scale, "b": b * scale}, kind="values")
        assert result.pvalue == pytest.approx([expected], rel=1e-9)
    for loss in ("squared", "absolute"):
        with pytest.raises(ValueError, match="must reach a size of 1e-60"):
            compare_predictions(y * 1e-170, {"a": a * 1e-170, "b": b * 1e-170}, kind="values", loss=loss)
        with pytest.raises(ValueError, match=r"1e.60 in size"):
            compare_predictions(y * 1e155, {"a": a * 1e155, "b": b * 1e155}, kind="values", loss=loss)
    with pytest.raises(ValueError, match=r"loss of a must hold numbers up to 1e.60 in size"):
        compare_predictions(y, {"a": a, "b": b}, kind="values", loss=lambda y, p: p * 1e155)


def test_bad_input_is_refused():
    with pytest.raises(ValueError, match="kind must be one of 'labels', 'scores', 'values'"):
        compare_predictions(Y, LABELS, kind="classes")
    with pytest.raises(ValueError, match=r"dict of \{name: predictions\} with at least 2 models"):
        compare_predictions(Y, {"a": LABELS["a"]})
    with pytest.raises(ValueError, match=r"dict of \{name: predictions\} with at least 2 models"):
        compare_predictions(Y, [LABELS["a"], LABELS["b"]])
    with pytest.raises(ValueError, match="loss is for kind='values', got kind='labels'"):
        compare_predictions(Y, LABELS, loss="squared")
    with pytest.raises(ValueError, match="loss must be one of 'squared', 'absolute'"):
        compare_predictions(TARGET, VALUES, kind="values", loss="huber")
    with pytest.raises(ValueError, match="adjust must be one of"):
        compare_predictions(Y, LABELS, adjust="none")
    with pytest.raises(ValueError, match="b must hold finite numbers, got nan at position 0"):
        compare_predictions(TARGET, VALUES | {"b": [np.nan, *VALUES["b"][1:]]}, kind="values")
    with pytest.raises(ValueError, match="y_true has 120, a has 120, b has 119"):
        compare_predictions(Y, {"a": LABELS["a"], "b": LABELS["b"][1:]})
    with pytest.raises(ValueError, match="at least 2 samples, got 1"):
        compare_predictions([1.0], {"a": [1.0], "b": [2.0]}, kind="values")
    with pytest.raises(ValueError, match="loss of a must hold finite numbers"):
        compare_predictions(TARGET, VALUES, kind="values", loss=lambda y, p: p * np.nan)

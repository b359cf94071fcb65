"""What may not change a result: order of rows, columns and labels, the unit; what must mirror it."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skeval.comparison import (
    bayes_signed_rank_test,
    cochrans_q_test,
    compare_cv,
    compare_predictions,
    compare_scores,
    comparison_matrix,
    corrected_resampled_ttest,
    correlated_bayes_ttest,
    delong_independent_test,
    delong_pairwise,
    delong_test,
    equivalence_test,
    five_by_two_ftest,
    five_by_two_ttest,
    friedman_test,
    mcnemar_test,
    paired_permutation_test,
    permutation_test,
    posthoc_test,
    sign_test,
    wilcoxon_test,
)
from skeval.comparison._posthoc import METHODS

seeds = st.integers(0, 10_000)
some = settings(deadline=None, max_examples=15)
SIZES = {"n_train": 90, "n_test": 10}


def split_scores(seed, n=10):
    """Scores of two methods per split, in hundredths, that differ by no constant."""
    generator = np.random.default_rng(seed)
    return generator.integers(50, 99, n) / 100, generator.integers(50, 99, n) / 100


def score_table(seed, n_datasets=9, n_methods=4):
    """Scores in hundredths, with ties, that are neither all tied nor perfectly ordered."""
    generator = np.random.default_rng(seed)
    table = generator.integers(70, 80, (n_datasets, n_methods)) / 100
    table[:2, :2] = [[0.7, 0.8], [0.8, 0.7]]
    return table


def labeled_samples(seed):
    """True labels, two predictions and two scores of the same samples, that differ somewhere."""
    generator = np.random.default_rng(seed)
    n = 40
    y = np.arange(n) % 2
    preds = [np.where(generator.random(n) < right, y, 1 - y) for right in (0.8, 0.7)]
    preds[0][:2], preds[1][:2] = [y[0], 1 - y[1]], [1 - y[0], y[1]]
    scores = [np.round(y + generator.normal(size=n), 1) for _ in range(2)]
    return y, preds, scores


# --- tests of two methods, by what they take ---

OF_SPLITS = {
    "corrected": lambda a, b, **more: corrected_resampled_ttest(a, b, **SIZES, **more),
    "5x2 t": five_by_two_ttest,
    "5x2 t, mean": lambda a, b, **more: five_by_two_ttest(a, b, numerator="mean", **more),
}
OF_DATASETS = {
    "wilcoxon": wilcoxon_test,
    "wilcoxon, pratt": lambda a, b, **more: wilcoxon_test(a, b, zero_method="pratt", **more),
    "sign": sign_test,
    "permutation": paired_permutation_test,
}
OF_A_TEST_SET = {
    "delong": lambda y, preds, scores, one, two, **more: delong_test(y, scores[one], scores[two], **more),
    "delong, independent": lambda y, preds, scores, one, two, **more: delong_independent_test(
        y, scores[one], y, scores[two], **more
    ),
    "permutation": lambda y, preds, scores, one, two, **more: permutation_test(
        y, preds[one], preds[two], metric="f1", **more
    ),
}


def check_mirrored(test):
    """`test(one, two, alternative=...)` is mirrored where the two methods are swapped."""
    forth, back = test(0, 1), test(1, 0)
    assert back.pvalue == pytest.approx(forth.pvalue, rel=1e-9)
    assert back.estimate == pytest.approx(-forth.estimate, abs=1e-12)
    try:
        low, high = forth.confidence_interval()
    except ValueError:
        pass
    else:
        assert tuple(back.confidence_interval()) == pytest.approx((-high, -low), abs=1e-12)
    greater, less = test(0, 1, alternative="greater"), test(1, 0, alternative="less")
    assert greater.pvalue == pytest.approx(less.pvalue, rel=1e-9)


@pytest.mark.parametrize("name", OF_SPLITS)
@some
@given(seed=seeds)
def test_swapping_two_methods_mirrors_tests_of_splits(name, seed):
    ab = split_scores(seed)
    check_mirrored(lambda one, two, **more: OF_SPLITS[name](ab[one], ab[two], **more))


@pytest.mark.parametrize("name", OF_DATASETS)
@some
@given(seed=seeds)
def test_swapping_two_methods_mirrors_tests_over_data_sets(name, seed):
    ab = split_scores(seed)
    check_mirrored(lambda one, two, **more: OF_DATASETS[name](ab[one], ab[two], **more))


@pytest.mark.parametrize("name", OF_A_TEST_SET)
@some
@given(seed=seeds)
def test_swapping_two_models_mirrors_tests_of_a_test_set(name, seed):
    data = labeled_samples(seed)
    check_mirrored(lambda one, two, **more: OF_A_TEST_SET[name](*data, one, two, **more))


@some
@given(seed=seeds)
def test_swapping_keeps_tests_without_a_direction(seed):
    a, b = split_scores(seed)
    assert five_by_two_ftest(a, b).pvalue == pytest.approx(five_by_two_ftest(b, a).pvalue)
    y, (one, two), _ = labeled_samples(seed)
    for method in ("mid-p", "exact", "chi2", "chi2-corrected"):
        forth, back = mcnemar_test(y, one, two, method=method), mcnemar_test(y, two, one, method=method)
        assert tuple(forth) == tuple(back)
        assert forth.estimate == -back.estimate
    margin = equivalence_test(a, b, margin=0.1, **SIZES), equivalence_test(b, a, margin=0.1, **SIZES)
    assert margin[0].pvalue == pytest.approx(margin[1].pvalue)


@some
@given(seed=seeds)
def test_swapping_mirrors_posteriors(seed):
    a, b = split_scores(seed)
    forth, back = (correlated_bayes_ttest(*pair, rope=0.01, **SIZES) for pair in ((a, b), (b, a)))
    sampled = [
        bayes_signed_rank_test(*pair, rope=0.01, n_samples=500, random_state=0) for pair in ((a, b), (b, a))
    ]
    for one, other in ((forth, back), sampled):
        assert one.a_better == pytest.approx(other.b_better, abs=1e-12)
        assert one.equivalent == pytest.approx(other.equivalent, abs=1e-12)
        assert one.estimate == pytest.approx(-other.estimate, abs=1e-12)
    low, high = forth.credible_interval()
    assert tuple(back.credible_interval()) == pytest.approx((-high, -low), abs=1e-12)
    assert sampled[0].samples == pytest.approx(sampled[1].samples[:, ::-1])


# --- order of splits, samples, data sets ---


@some
@given(seed=seeds)
def test_order_of_splits_does_not_matter_but_to_the_5x2_t_test(seed):
    a, b = split_scores(seed)
    order = np.random.default_rng(seed).permutation(10)
    for one, other in (
        (corrected_resampled_ttest(a, b, **SIZES), corrected_resampled_ttest(a[order], b[order], **SIZES)),
        (wilcoxon_test(a, b), wilcoxon_test(a[order], b[order])),
        (sign_test(a, b), sign_test(a[order], b[order])),
        (paired_permutation_test(a, b), paired_permutation_test(a[order], b[order])),
    ):
        assert tuple(one) == pytest.approx(tuple(other), rel=1e-9)
    pairs = np.random.default_rng(seed).permutation(5)
    rows = [scores.reshape(5, 2)[pairs].ravel() for scores in (a, b)]
    assert tuple(five_by_two_ftest(*rows)) == pytest.approx(tuple(five_by_two_ftest(a, b)), rel=1e-9)


@some
@given(seed=seeds)
def test_order_of_samples_does_not_matter(seed):
    y, preds, scores = labeled_samples(seed)
    order = np.random.default_rng(seed).permutation(len(y))
    moved = y[order], [one[order] for one in preds], [one[order] for one in scores]
    assert tuple(mcnemar_test(y, *preds)) == tuple(mcnemar_test(moved[0], *moved[1]))
    assert tuple(cochrans_q_test(y, preds)) == pytest.approx(tuple(cochrans_q_test(moved[0], moved[1])))
    assert tuple(delong_test(y, *scores)) == pytest.approx(tuple(delong_test(moved[0], *moved[2])), rel=1e-9)
    for metric in ("accuracy", "f1"):
        one, other = (permutation_test(true, *two, metric=metric) for true, two, _ in ((y, preds, 0), moved))
        assert tuple(one) == pytest.approx(tuple(other), rel=1e-9)
    groups = np.arange(len(y)) // 4
    named = [dict(zip("ab", two, strict=True)) for two in (preds, moved[1])]
    one = compare_predictions(y, named[0], groups=groups)
    other = compare_predictions(moved[0], named[1], groups=groups[order])
    assert one.pvalue == pytest.approx(other.pvalue)


@pytest.mark.parametrize("method", METHODS)
@settings(deadline=None, max_examples=8)
@given(seed=seeds)
def test_order_of_data_sets_and_of_methods_does_not_matter(method, seed):
    table, generator = score_table(seed), np.random.default_rng(seed)
    rows, columns = generator.permutation(9), generator.permutation(4)
    names = np.array(["a", "b", "c", "d"])
    one = posthoc_test(dict(zip(names, table.T, strict=True)), method=method)
    other = posthoc_test(dict(zip(names[columns], table[rows][:, columns].T, strict=True)), method=method)
    if method == "mcb":
        # Of two methods with the best mean rank either may stand for the best.
        assert sorted(one.pvalue) == pytest.approx(sorted(other.pvalue))
        return
    matrices = one.pvalue_matrix(), other.pvalue_matrix()
    place = [other.methods.index(name) for name in one.methods]
    assert matrices[1][np.ix_(place, place)] == pytest.approx(matrices[0])
    assert one.groups() == [tuple(g) for g in other.groups()]


@some
@given(seed=seeds)
def test_order_of_data_sets_and_of_methods_does_not_matter_to_friedman_and_the_matrix(seed):
    table, generator = score_table(seed), np.random.default_rng(seed)
    moved = table[generator.permutation(9)][:, generator.permutation(4)]
    for method, ties in itertools.product(("exact", "iman-davenport", "chi2"), ("correct", "ignore")):
        one, other = (friedman_test(scores, method=method, ties=ties) for scores in (table, moved))
        assert tuple(one) == pytest.approx(tuple(other), rel=1e-12)
    one, other = (comparison_matrix(scores) for scores in (table, moved))
    assert sorted(one.pvalue) == pytest.approx(sorted(other.pvalue))


@some
@given(seed=seeds)
def test_order_of_models_does_not_matter(seed):
    y, _, scores = labeled_samples(seed)
    third = np.roll(scores[0], 1)
    one = delong_pairwise(y, {"a": scores[0], "b": scores[1], "c": third})
    other = delong_pairwise(y, {"c": third, "b": scores[1], "a": scores[0]})
    assert one.pvalue == pytest.approx(other.pvalue[[2, 1, 0]])
    assert tuple(one.omnibus) == pytest.approx(tuple(other.omnibus), rel=1e-7)
    a, b = split_scores(seed)
    forth = compare_cv({"a": a, "b": b, "c": b[::-1]}, **SIZES)
    back = compare_cv({"c": b[::-1], "b": b, "a": a}, **SIZES)
    assert forth.pvalue == pytest.approx(back.pvalue[[2, 1, 0]])
    assert forth.estimate == pytest.approx(-back.estimate[[2, 1, 0]])


# --- labels and units ---


@some
@given(seed=seeds)
def test_names_of_the_labels_do_not_matter(seed):
    y, preds, scores = labeled_samples(seed)
    words = np.array(["zebra", "ant"])
    named = words[y], [words[one] for one in preds]
    assert tuple(mcnemar_test(y, *preds)) == tuple(mcnemar_test(named[0], *named[1]))
    assert tuple(cochrans_q_test(y, preds)) == tuple(cochrans_q_test(named[0], named[1]))
    assert tuple(delong_test(y, *scores)) == tuple(delong_test(named[0], *scores, pos_label="ant"))
    one = permutation_test(y, *preds, metric="f1")
    other = permutation_test(named[0], *named[1], metric="f1", pos_label="ant")
    assert tuple(one) == tuple(other)


@some
@given(seed=seeds)
def test_scores_in_percent_change_no_rank_test(seed):
    a, b = split_scores(seed)
    percent = [np.rint(100 * scores) for scores in (a, b)]
    for test in (wilcoxon_test, sign_test, paired_permutation_test):
        assert test(*percent).pvalue == pytest.approx(test(a, b).pvalue, rel=1e-12)
    table = score_table(seed)
    whole = np.rint(100 * table)
    assert tuple(friedman_test(whole)) == tuple(friedman_test(table))
    for method in METHODS:
        assert posthoc_test(whole, method=method).pvalue == pytest.approx(
            posthoc_test(table, method=method).pvalue, rel=1e-12
        )
    assert comparison_matrix(whole).pvalue == pytest.approx(comparison_matrix(table).pvalue, rel=1e-12)
    one, other = compare_scores(whole).per_pair, compare_scores(table).per_pair
    assert one["wins"].tolist() == other["wins"].tolist()
    assert one["rank_biserial"] == pytest.approx(other["rank_biserial"])


@some
@given(seed=seeds)
def test_scores_in_percent_change_no_t_test(seed):
    a, b = split_scores(seed)
    for test in OF_SPLITS.values():
        assert tuple(test(100 * a, 100 * b)) == pytest.approx(tuple(test(a, b)), rel=1e-9)


@some
@given(seed=seeds)
def test_any_rising_function_of_the_scores_keeps_delong_and_friedman(seed):
    y, _, scores = labeled_samples(seed)
    assert tuple(delong_test(y, *(one**3 + one for one in scores))) == pytest.approx(
        tuple(delong_test(y, *scores))
    )
    table = score_table(seed)
    assert tuple(friedman_test(np.exp(table))) == tuple(friedman_test(table))

"""Adjustments of all pairs that use which hypotheses can be true together."""

import time
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skeval.comparison import adjust_pvalues
from skeval.comparison._logical import adjust_pairs, bergmann_hommel, shaffer
from tests.reference import load

PAPER = load("02_garcia_herrera2008.json")["expected"]
RAW = np.array(list(PAPER["p_unadjusted"].values()))


def partitions(items):
    """Yield every way to split a list into blocks."""
    if not items:
        yield []
        return
    first, *rest = items
    for blocks in partitions(rest):
        yield [[first], *blocks]
        for where, block in enumerate(blocks):
            yield [*blocks[:where], [first, *block], *blocks[where + 1 :]]


def exhaustive_sets(k):
    """Return the sets of pairs that can be all the true ones, by their numbers."""
    number = {pair: where for where, pair in enumerate(combinations(range(k), 2))}
    return [
        [number[pair] for block in blocks for pair in combinations(sorted(block), 2)]
        for blocks in partitions(list(range(k)))
    ]


def tables(k):
    """p-values of all pairs of k methods, with equal ones among them."""
    n_pairs = k * (k - 1) // 2
    return st.lists(st.integers(0, 200).map(lambda n: n / 1000), min_size=n_pairs, max_size=n_pairs)


some_tables = st.integers(2, 6).flatmap(lambda k: st.tuples(st.just(k), tables(k)))


@pytest.mark.parametrize(
    ("method", "column"),
    [
        ("shaffer", "shaffer_static"),
        ("bergmann-hommel", "bergmann_hommel_running_max (scmamp)"),
        ("holm", "holm"),
        ("bonferroni", "bonferroni (G&H call it Nemenyi)"),
    ],
)
def test_garcia_and_herrera_2008(method, column):
    expected = list(PAPER["adjusted"][column].values())
    assert adjust_pairs(RAW, 5, method=method) == pytest.approx(expected, rel=1e-12)


def test_bergmann_hommel_as_defined_is_kept_beside_its_running_maximum():
    expected = list(PAPER["adjusted"]["bergmann_hommel_by_definition"].values())
    assert bergmann_hommel(RAW, 5)[1] == pytest.approx(expected, rel=1e-12)


@settings(deadline=None, max_examples=40)
@given(table=some_tables)
def test_bergmann_hommel_equals_the_enumeration_of_exhaustive_sets(table):
    k, p = table[0], np.array(table[1])
    expected = np.zeros(len(p))
    for members in exhaustive_sets(k):
        if members:
            expected[members] = np.maximum(expected[members], len(members) * p[members].min())
    expected = np.minimum(expected, 1)
    adjusted, defined = bergmann_hommel(p, k)
    assert defined == pytest.approx(expected, rel=1e-12)
    assert adjusted == pytest.approx([expected[p <= value].max() for value in p], rel=1e-12)


@settings(deadline=None, max_examples=40)
@given(table=some_tables)
def test_shaffer_counts_the_hypotheses_that_can_still_be_true(table):
    k, p = table[0], np.array(table[1])
    possible = {len(members) for members in exhaustive_sets(k)}
    expected, largest = np.empty(len(p)), 0.0
    for place, where in enumerate(np.argsort(p, kind="stable")):
        still = max(size for size in possible if size <= len(p) - place)
        largest = max(largest, still * p[where])
        expected[where] = min(1, largest)
    assert shaffer(p, k) == pytest.approx(expected, rel=1e-12)


@settings(deadline=None, max_examples=40)
@given(table=some_tables, seed=st.integers(0, 100))
def test_names_of_the_methods_do_not_matter(table, seed):
    k, p = table[0], np.array(table[1])
    matrix = np.zeros((k, k))
    matrix[np.triu_indices(k, 1)] = p
    turned = np.random.default_rng(seed).permutation(k)
    shuffled = (matrix + matrix.T)[np.ix_(turned, turned)]
    for method in ("shaffer", "bergmann-hommel"):
        one = np.zeros((k, k))
        one[np.triu_indices(k, 1)] = adjust_pairs(p, k, method=method)
        other = adjust_pairs(shuffled[np.triu_indices(k, 1)], k, method=method)
        assert other == pytest.approx((one + one.T)[np.ix_(turned, turned)][np.triu_indices(k, 1)])


@settings(deadline=None, max_examples=40)
@given(table=some_tables)
def test_bergmann_hommel_rejects_what_shaffer_does_and_shaffer_what_holm_does(table):
    k, p = table[0], np.array(table[1])
    holm, by_logic, largest = (adjust_pairs(p, k, method=m) for m in ("holm", "shaffer", "bergmann-hommel"))
    assert (by_logic <= holm * (1 + 1e-12)).all()
    assert (largest <= by_logic * (1 + 1e-12)).all()
    assert (largest >= p).all()


def test_one_pair_is_not_adjusted():
    for method in ("shaffer", "bergmann-hommel"):
        assert adjust_pairs(np.array([0.03]), 2, method=method).tolist() == [0.03]


def test_twelve_methods_take_less_than_a_second():
    p = np.random.default_rng(0).random(66) ** 3
    start = time.perf_counter()
    adjusted, _ = bergmann_hommel(p, 12)
    assert time.perf_counter() - start < 1
    assert (adjusted <= shaffer(p, 12) * (1 + 1e-12)).all()


def test_more_methods_are_referred_to_shaffer():
    with pytest.raises(ValueError, match="takes up to 12 methods, got 13: use 'shaffer'"):
        bergmann_hommel(np.full(78, 0.5), 13)
    assert shaffer(np.full(1225, 1e-5), 50).max() == pytest.approx(1225e-5)


def test_any_other_adjustment_is_that_of_adjust_pvalues():
    for method in ("hommel", "benjamini-hochberg"):
        expected = adjust_pvalues(RAW, method=method).tolist()
        assert adjust_pairs(RAW, 5, method=method).tolist() == expected
    with pytest.raises(
        ValueError, match=r"adjust must be one of .*'shaffer', 'bergmann-hommel', got 'tukey'"
    ):
        adjust_pairs(RAW, 5, method="tukey")

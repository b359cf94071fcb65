"""Bootstrap splits: never a sample on both sides, classes and clusters kept, nothing left out unseen."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import cross_val_predict

from skeval.model_selection import BootstrapSplit

Y = np.array([0] * 6 + [1] * 6)
CLUSTERS = np.repeat([1, 2, 3, 4], 3)


def test_train_has_m_draws_and_test_all_samples_never_drawn():
    splits = list(BootstrapSplit(200, random_state=0).split(Y, Y))
    assert len(splits) == 200
    for train, test in splits:
        assert len(train) == 12
        assert not set(train) & set(test)
        assert set(train) | set(test) == set(range(12))
        assert test.tolist() == sorted(set(test))
        assert len(test)


def test_the_share_left_out_is_the_expected_one():
    m, n_splits = 40, 2000
    left_out = [len(test) for _, test in BootstrapSplit(n_splits, random_state=0).split(range(m))]
    # (1 - 1/m)^m; the share of one replicate varies with sd below 0.05.
    assert abs(np.mean(left_out) / m - (1 - 1 / m) ** m) < 5 * 0.05 / np.sqrt(n_splits)


def test_every_sample_is_drawn_equally_often():
    counts = sum(
        np.bincount(train, minlength=15) for train, _ in BootstrapSplit(2000, random_state=0).split(range(15))
    )
    # Binomial(30000, 1/15) within five standard deviations.
    assert abs(counts - 2000).max() < 5 * np.sqrt(2000)


def test_draws_within_classes_keep_their_numbers():
    for train, test in BootstrapSplit(200, stratify=True, random_state=0).split(Y, Y):
        assert np.bincount(Y[train]).tolist() == [6, 6]
        assert not set(train) & set(test)


@settings(deadline=None, max_examples=50)
@given(y=st.lists(st.integers(0, 4), min_size=3, max_size=30), seed=st.integers(0, 3))
def test_stratified_draws_keep_any_class_counts(y, seed):
    y = np.array(y)
    if np.bincount(y).max() < 2:
        return
    for train, test in BootstrapSplit(5, stratify=True, random_state=seed).split(y, y):
        assert np.array_equal(np.bincount(y[train], minlength=5), np.bincount(y, minlength=5))
        assert np.array_equal(test, np.setdiff1d(np.arange(len(y)), train))


def test_stratified_draws_come_in_random_order_of_classes():
    train, _ = next(iter(BootstrapSplit(1, stratify=True, random_state=0).split(Y, Y)))
    assert (np.diff(Y[train]) != 0).sum() > 1


def test_the_only_member_of_a_class_is_always_trained_on():
    y = np.array([0] * 8 + [1])
    for train, test in BootstrapSplit(100, stratify=True, random_state=0).split(y, y):
        assert (train == 8).sum() == 1
        assert 8 not in test


def test_a_number_of_bins_draws_within_quantiles():
    y = np.linspace(0, 1, 20)
    for train, _ in BootstrapSplit(20, stratify=4, random_state=0).split(y, y):
        assert np.bincount(train // 5).tolist() == [5, 5, 5, 5]


def test_clusters_are_drawn_whole_and_never_tested_where_drawn():
    for train, test in BootstrapSplit(200, random_state=0).split(Y, Y, CLUSTERS):
        assert not set(CLUSTERS[train]) & set(CLUSTERS[test])
        assert set(CLUSTERS[train]) | set(CLUSTERS[test]) == {1, 2, 3, 4}
        assert len(train) == 12
        assert len(test)
        counts = np.bincount(train, minlength=12).reshape(4, 3)
        assert (counts == counts[:, :1]).all()


def test_replicates_that_draw_every_cluster_are_drawn_again_and_counted():
    cv = BootstrapSplit(4000, random_state=0)
    list(cv.split(Y, Y, CLUSTERS))
    # All four clusters are drawn with probability 4!/4^4 = 24/256; the redraws are geometric.
    p = 24 / 256
    expected = 4000 * p / (1 - p)
    assert abs(cv.n_redrawn_ - expected) < 5 * np.sqrt(4000 * p) / (1 - p)


def test_replicates_that_leave_nothing_out_are_drawn_again_and_counted():
    cv = BootstrapSplit(300, random_state=0)
    assert all(len(test) == 1 for _, test in cv.split(range(2)))
    assert cv.n_redrawn_ > 100
    list(BootstrapSplit(20, random_state=0).split(range(100)))


def test_clusters_of_unequal_size_bring_all_their_samples():
    groups = np.repeat(["a", "b", "c"], [1, 4, 2])
    for train, test in BootstrapSplit(50, random_state=0).split(groups, groups=groups):
        sizes = {name: (groups[train] == name).sum() for name in "abc"}
        assert sizes["b"] % 4 == 0
        assert sizes["c"] % 2 == 0
        assert sizes["a"] + sizes["b"] // 4 + sizes["c"] // 2 == 3
        assert np.array_equal(test, np.flatnonzero(~np.isin(groups, groups[train])))


def test_clusters_of_one_class_can_be_drawn_within_classes():
    for train, _ in BootstrapSplit(50, stratify=True, random_state=0).split(Y, Y, CLUSTERS):
        assert np.bincount(Y[train]).tolist() == [6, 6]


def test_clusters_of_several_classes_cannot_be_drawn_within_classes():
    with pytest.raises(ValueError, match="a group holds several classes, as 3 of 3 do"):
        BootstrapSplit(stratify=True).split(Y, Y, np.arange(12) % 3)


@pytest.mark.parametrize("n_samples", [0, 1])
def test_one_sample_is_refused(n_samples):
    with pytest.raises(ValueError, match=f"at least 2 samples, X has {n_samples}"):
        BootstrapSplit().split(range(n_samples))


def test_one_cluster_is_refused():
    with pytest.raises(ValueError, match="at least 2 groups, groups names 1"):
        BootstrapSplit().split(range(4), groups=[0, 0, 0, 0])


def test_classes_of_one_member_each_are_refused():
    with pytest.raises(ValueError, match="every class has one member"):
        BootstrapSplit(stratify=True).split(range(3), ["a", "b", "c"])


def test_it_is_no_partition():
    with pytest.raises(ValueError, match="only works for partitions"):
        cross_val_predict(DummyClassifier(), np.zeros((12, 1)), Y, cv=BootstrapSplit(5, random_state=0))

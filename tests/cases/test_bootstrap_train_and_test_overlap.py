"""Bootstrap splits: no row and no group on both sides."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.model_selection import StratifiedKFold

from skeval.model_selection import BootstrapSplit, WithResubstitution
from tests.cases.strategies import SOME

Y, GROUPS = np.array([0] * 6 + [1] * 6), np.repeat([1, 2, 3, 4], 3)
X = np.arange(12.0)[:, None]


def test_two_hundred_splits():
    for train, test in BootstrapSplit(200, random_state=0).split(X, Y):
        assert len(train) == 12
        assert not set(train) & set(test)
        assert set(train) | set(test) == set(range(12))
        assert test.tolist() == sorted(set(test.tolist()))


def test_groups_are_not_torn():
    splitter = BootstrapSplit(200, random_state=0)
    for train, test in splitter.split(X, Y, GROUPS):
        assert not set(GROUPS[train]) & set(GROUPS[test])
        assert len(test)
    # P(all four groups drawn) = 24/256: such replicates are drawn again, about 20.7 of 200, sd 4.8.
    assert abs(splitter.n_redrawn_ - 200 * 24 / 232) < 5 * 4.8


def test_classes_keep_their_numbers():
    for train, _ in BootstrapSplit(50, stratify=True, random_state=0).split(X, Y):
        assert np.bincount(Y[train]).tolist() == [6, 6]


def test_groups_that_would_be_ignored_are_refused():
    with pytest.raises(ValueError, match="groups"):
        list(WithResubstitution(StratifiedKFold(2)).split(X, Y, GROUPS))


@SOME
@given(st.integers(2, 40), st.integers(1, 20), st.integers(0, 99), st.booleans())
def test_any_size_seed_and_grouping(n, n_splits, seed, grouped):
    rows = np.zeros((n, 1))
    groups = np.arange(n) // 3 if grouped and n > 3 else None
    splitter = BootstrapSplit(n_splits, random_state=seed)
    assert splitter.get_n_splits() == n_splits
    first, again = (list(splitter.split(rows, None, groups)) for _ in range(2))
    assert len(first) == n_splits
    for (train, test), (train_again, test_again) in zip(first, again, strict=True):
        assert np.array_equal(train, train_again)
        assert np.array_equal(test, test_again)
        assert len(test)
        assert not set(train) & set(test)
        assert set(train) | set(test) == set(range(n))
        if groups is not None:
            assert not set(groups[train]) & set(groups[test])

"""The added split (all, all): always last, and nothing else changed."""

import numpy as np
import pytest
from sklearn.model_selection import GroupKFold, KFold, LeaveOneOut, cross_validate
from sklearn.tree import DecisionTreeClassifier

from skeval.model_selection import BootstrapSplit, KFoldSplit, WithResubstitution


def splits_of(cv, n_samples=9, **given):
    return [(train.tolist(), test.tolist()) for train, test in cv.split(np.zeros(n_samples), **given)]


@pytest.mark.parametrize(
    "inner",
    [KFold(3), KFoldSplit(3, random_state=0), BootstrapSplit(4, random_state=0), LeaveOneOut()],
    ids=lambda inner: type(inner).__name__,
)
def test_the_inner_splits_come_first_and_all_samples_last(inner):
    found = splits_of(WithResubstitution(inner))
    everything = list(range(9))
    assert found == [*splits_of(inner), (everything, everything)]
    assert WithResubstitution(inner).get_n_splits(np.zeros(9)) == len(found)


def test_a_number_means_that_many_parts_without_shuffle():
    assert splits_of(WithResubstitution(3))[:-1] == splits_of(KFoldSplit(3, shuffle=False))
    assert WithResubstitution(3).get_n_splits() == 4
    assert WithResubstitution(None).get_n_splits() == 6


@pytest.mark.parametrize("given", [lambda pairs: pairs, iter])
def test_given_indices_can_be_used_again_and_again(given):
    cv = WithResubstitution(given([(np.array([0, 1]), np.array([2])), (np.array([1, 2]), np.array([0]))]))
    expected = [([0, 1], [2]), ([1, 2], [0]), ([0, 1, 2], [0, 1, 2])]
    assert splits_of(cv, 3) == expected
    assert splits_of(cv, 3) == expected


def test_the_last_score_is_that_of_the_model_of_all_samples_on_all_samples():
    X, y = np.random.default_rng(0).normal(size=(30, 2)), np.arange(30) % 2
    tree = DecisionTreeClassifier(max_depth=2, random_state=0)
    results = cross_validate(tree, X, y, cv=WithResubstitution(5))
    assert results["test_score"][-1] == tree.fit(X, y).score(X, y)


def test_groups_reach_a_splitter_that_uses_them():
    groups = np.repeat([0, 1, 2], 3)
    assert splits_of(WithResubstitution(GroupKFold(3)), groups=groups)[:-1] == splits_of(
        GroupKFold(3), groups=groups
    )


@pytest.mark.parametrize("inner", [KFold(3), [(np.arange(6), np.arange(6, 9))]], ids=["KFold", "indices"])
def test_groups_that_would_be_ignored_are_refused(inner):
    with pytest.raises(ValueError, match=r"groups must be None: .* would ignore them"):
        WithResubstitution(inner).split(np.zeros(9), groups=np.arange(9))


def test_a_splitter_without_metadata_routing_is_trusted_with_groups():
    class Duck:
        def split(self, X, y=None, groups=None):
            yield np.flatnonzero(groups == 0), np.flatnonzero(groups != 0)

        def get_n_splits(self, X=None, y=None, groups=None):
            return 1

    assert splits_of(WithResubstitution(Duck()), groups=np.arange(9) // 5)[0] == (
        [0, 1, 2, 3, 4],
        [5, 6, 7, 8],
    )


def test_what_is_no_splitter_is_refused():
    with pytest.raises(ValueError, match=r"Expected `?cv`? as an integer"):
        WithResubstitution("five")
    with pytest.raises(ValueError, match="cv must be an integer not less than 2"):
        WithResubstitution(1)
    with pytest.raises(ValueError, match="has the resubstitution split already"):
        WithResubstitution(WithResubstitution(3))

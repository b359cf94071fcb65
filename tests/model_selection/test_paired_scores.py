"""Two methods' scores on the same splits."""

import math

import numpy as np
import pytest

from skeval.exceptions import MissingScoreError, SplitMismatchError
from skeval.model_selection._cv_scores import CVScores
from skeval.model_selection._paired_scores import pair_scores

SPLITS = [([0, 1, 2], [3]), ([1, 2, 3], [0]), ([0, 2, 3], [1])]


def test_differences_and_sizes():
    paired = pair_scores(CVScores([0.9, 0.8, 0.7], indices=SPLITS), [0.5, 0.5, 0.5])
    assert paired.differences == pytest.approx([0.4, 0.3, 0.2])
    assert paired.n_train.tolist() == [3, 3, 3]
    assert paired.n_test.tolist() == [1, 1, 1]
    assert paired.counts == {"n_used": 3, "n_total": 3}


def test_what_either_side_knows_is_used():
    for pair in (
        (CVScores([1, 2, 3], indices=SPLITS), CVScores([0, 0, 0], n_train=3, n_test=1)),
        (CVScores([1, 2, 3], n_train=3, n_test=1), CVScores([0, 0, 0], indices=SPLITS)),
    ):
        assert len(pair_scores(*pair).indices) == 3
    assert pair_scores([1, 2, 3], CVScores([0, 0, 0], n_train=3, n_test=1)).n_test.tolist() == [1, 1, 1]
    assert pair_scores([1, 2, 3], [0, 0, 0]).indices is None


def test_sizes_given_twice_must_agree():
    one = CVScores([0.9, 0.8, 0.7], indices=SPLITS)
    assert pair_scores(one, [0.5, 0.5, 0.5], n_train=3, n_test=[1, 1, 1]).n_train.tolist() == [3, 3, 3]
    with pytest.raises(ValueError, match="n_test is 2 but split 1 has 1: leave n_test out"):
        pair_scores(one, [0.5, 0.5, 0.5], n_test=[1, 2, 1])


def test_omitting_drops_the_split_on_both_sides():
    paired = pair_scores(
        CVScores([math.nan, 0.8, 0.7], indices=SPLITS), [0.5, 0.5, math.nan], nan_policy="omit"
    )
    assert paired.differences == pytest.approx([0.3])
    assert paired.counts == {"n_used": 1, "n_total": 3}
    assert [test.tolist() for _, test in paired.indices] == [[0]]
    assert paired.n_train.tolist() == [3]


def test_sizes_given_for_all_splits_are_cut_to_those_used():
    paired = pair_scores([0.9, math.nan, 0.7], [0, 0, 0], n_train=[7, 8, 9], n_test=1, nan_policy="omit")
    assert paired.n_train.tolist() == [7, 9]


def test_first_differing_split_is_named():
    other = [SPLITS[0], SPLITS[2], SPLITS[1]]
    with pytest.raises(SplitMismatchError, match=r"split 1 differs \(splits are counted from 0\)"):
        pair_scores(CVScores([1, 2, 3], indices=SPLITS), CVScores([1, 2, 3], indices=other))


def test_order_of_rows_within_a_split_does_not_matter():
    turned = [(train[::-1], test) for train, test in SPLITS]
    paired = pair_scores(CVScores([1, 2, 3], indices=SPLITS), CVScores([1, 2, 3], indices=turned))
    assert paired.differences.tolist() == [0, 0, 0]


def test_repeated_rows_of_a_bootstrap_sample_matter():
    with pytest.raises(SplitMismatchError, match="split 0 differs"):
        pair_scores(CVScores([1], indices=[([0, 0, 1], [2])]), CVScores([1], indices=[([0, 1, 1], [2])]))


def test_sizes_that_differ_betray_different_splits():
    with pytest.raises(SplitMismatchError, match="split 2 differs"):
        pair_scores(CVScores([1, 2, 3], n_train=[5, 5, 6]), CVScores([1, 2, 3], n_train=5))


def test_number_of_splits_must_agree():
    with pytest.raises(SplitMismatchError, match="tree has 2 scores, forest has 3"):
        pair_scores([1, 2], [1, 2, 3], names=("tree", "forest"))


def test_missing_and_infinite_scores_are_named():
    with pytest.raises(MissingScoreError, match="score of b on split 1 is nan"):
        pair_scores([1, 2], [1, math.nan])
    with pytest.raises(ValueError, match=r"a: scores must be numbers up to .* got -inf on split 0"):
        pair_scores([-math.inf, 2], [1, 2], nan_policy="omit")


def test_candidates_of_a_search_must_be_chosen_from():
    with pytest.raises(
        ValueError, match=r"a must hold the scores of one method, got 2 candidates: .* a\[0\]"
    ):
        pair_scores([[1, 2], [3, 4]], [1, 2])


def test_errors_say_which_of_the_two():
    with pytest.raises(ValueError, match="b: scores must hold numbers"):
        pair_scores([1, 2], ["x", "y"])
    with pytest.raises(ValueError, match=r"a: metric must name one of"):
        pair_scores({"test_accuracy": [1, 2], "test_f1": [1, 2]}, [1, 2])


def test_scores_of_two_metrics_are_not_paired():
    with pytest.raises(ValueError, match="one metric, got 'accuracy' and 'f1'"):
        pair_scores({"test_accuracy": [1, 2]}, {"test_f1": [1, 2]})
    with pytest.raises(ValueError, match="metric is 'f1' but these are scores of 'accuracy'"):
        pair_scores(CVScores([1, 2], metric="accuracy"), {"test_f1": [1, 2]}, metric="f1")
    assert len(pair_scores({"test_score": [1, 2]}, {"test_f1": [1, 2]}).differences) == 2


def test_dicts_and_arrays_pair():
    paired = pair_scores({"test_accuracy": [1, 2], "test_f1": [3, 4]}, np.array([1, 2]), metric="f1")
    assert paired.differences.tolist() == [2, 2]

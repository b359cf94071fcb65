"""Scores per split, read from scikit-learn or given."""

import math
import pickle

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.model_selection import (
    GridSearchCV,
    KFold,
    LeaveOneOut,
    RepeatedKFold,
    ShuffleSplit,
    StratifiedKFold,
    TimeSeriesSplit,
    cross_validate,
)
from sklearn.tree import DecisionTreeClassifier

from skeval.exceptions import MissingScoreError, SplitMismatchError
from skeval.model_selection import BootstrapSplit, WithResubstitution
from skeval.model_selection._cv_scores import CVScores

X, Y = load_iris(return_X_y=True)
TREE = DecisionTreeClassifier(random_state=0)
CV = StratifiedKFold(5, shuffle=True, random_state=0)
HALVES = [([0, 1], [2, 3]), ([2, 3], [0, 1])]
ALL = ([0, 1, 2, 3], [0, 1, 2, 3])


@pytest.fixture(scope="module")
def results():
    return cross_validate(TREE, X, Y, cv=CV, return_indices=True, return_train_score=True)


@pytest.fixture(scope="module")
def several():
    return cross_validate(TREE, X, Y, cv=CV, scoring=("accuracy", "f1_macro"), return_train_score=True)


@pytest.fixture(scope="module")
def search():
    grid = {"max_depth": [1, 2, 5]}
    return GridSearchCV(TREE, grid, cv=CV, return_train_score=True).fit(X, Y)


# --- given ---


def test_scores_and_sizes_given():
    scores = CVScores([0.9, 0.8, 0.7], n_train=100, n_test=[50, 50, 49])
    assert scores.n_train.tolist() == [100, 100, 100]
    assert scores.n_test.tolist() == [50, 50, 49]
    assert (len(scores), scores.n_splits) == (3, 3)
    assert scores.train_scores is scores.indices is scores.resubstitution is None


def test_repr_says_what_there_is():
    assert repr(CVScores([0.9, 0.8, 0.7], n_train=100, n_test=[50, 50, 49])) == (
        "CVScores(3 splits, mean 0.8, sd 0.1, n_train 100, n_test 49 to 50)"
    )
    assert repr(CVScores([0.9, math.nan])) == "CVScores(2 splits, mean 0.9 over 1 of them, split 1 missing)"
    assert repr(CVScores([math.nan])) == "CVScores(1 split, split 0 missing)"
    assert repr(CVScores([[0.9, 0.8], [0.7, 0.6]], metric="f1")) == "CVScores(f1: 2 candidates, 2 splits)"


def test_a_mean_says_how_many_splits_it_is_over():
    whole, partly = CVScores([0.5, 1.0]), CVScores([0.5, math.nan, 1.0])
    assert (whole.mean(), whole.n_used, whole.omitted) == (0.75, 2, ())
    assert (partly.mean(), partly.n_used, partly.omitted) == (0.75, 2, (1,))
    with pytest.raises(MissingScoreError, match="all 2 splits miss one"):
        CVScores([math.nan, math.nan]).mean()


def test_candidates_are_averaged_over_the_splits_that_all_of_them_have():
    scores = CVScores([[0.5, 0.9, 0.7], [0.6, math.nan, 0.8]])
    assert scores.mean().tolist() == pytest.approx([0.6, 0.7])
    assert scores.omitted == (1,)


def test_sizes_are_counted_from_indices_repeated_rows_once():
    scores = CVScores([0.9, 0.8], indices=[([0, 0, 1, 5], [2, 3, 4]), ([4, 4, 4, 4], [0, 1, 2, 3, 5])])
    assert scores.n_train.tolist() == [3, 1]
    assert scores.n_test.tolist() == [3, 5]


@pytest.mark.parametrize(
    "indices",
    [
        HALVES,
        {"train": [[0, 1], [2, 3]], "test": [[2, 3], [0, 1]]},
        [([True, True, False, False], [False, False, True, True]), ([2, 3], [0, 1])],
        iter(HALVES),
    ],
)
def test_indices_in_any_form(indices):
    scores = CVScores([0.9, 0.8], indices=indices)
    assert [(train.tolist(), test.tolist()) for train, test in scores.indices] == HALVES


def test_missing_scores_are_kept():
    assert np.isnan(CVScores([0.9, math.nan]).scores).tolist() == [False, True]


def test_input_is_copied():
    given = np.array([0.9, 0.8])
    scores = CVScores(given)
    given[0] = 0
    assert scores.scores.tolist() == [0.9, 0.8]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"scores": []}, "scores must have shape"),
        ({"scores": 0.9}, "scores must have shape"),
        ({"scores": ["a"]}, "scores must hold numbers"),
        ({"n_train": 0}, "n_train must be whole numbers of rows, at least 1"),
        ({"n_train": 0.9}, "n_train must be whole numbers of rows"),
        ({"n_test": [1, 2, 3]}, r"one per split \(2\)"),
        ({"indices": HALVES, "n_train": 2}, "give indices or sizes, not both"),
        ({"indices": {"train": [[0]]}}, "keys 'train' and 'test'"),
        ({"indices": [([0.5], [1]), ([1], [0])]}, "row numbers"),
        ({"indices": [([], [1]), ([1], [0])]}, "non-empty"),
        ({"indices": [([-1], [1]), ([1], [0])]}, "row numbers"),
        ({"train_scores": [0.9]}, "train_scores must have the shape of scores"),
    ],
)
def test_bad_arguments_are_refused_by_name(arguments, message):
    with pytest.raises(ValueError, match=message):
        CVScores(**({"scores": [0.9, 0.8]} | arguments))


def test_number_of_splits_must_fit():
    with pytest.raises(SplitMismatchError, match="3 scores, 2 splits"):
        CVScores([0.9, 0.8, 0.7], indices=HALVES)


# --- resubstitution ---


def test_a_last_split_on_all_rows_is_set_apart():
    scores = CVScores([0.9, 0.8, 1.0], train_scores=[0.99, 0.98, 1.0], indices=[*HALVES, ALL])
    assert scores.scores.tolist() == [0.9, 0.8]
    assert scores.train_scores.tolist() == [0.99, 0.98]
    assert (scores.resubstitution, type(scores.resubstitution)) == (1.0, float)
    assert scores.n_test.tolist() == [2, 2]
    assert len(scores.indices) == 2


def test_it_may_only_be_the_last():
    with pytest.raises(ValueError, match="Split 0 tests on the rows it was trained on; only the last"):
        CVScores([1.0, 0.9], indices=[ALL, HALVES[0]])
    with pytest.raises(ValueError, match="a split whose test rows were not trained on"):
        CVScores([1.0], indices=[ALL])


def test_candidates_have_one_each():
    scores = CVScores([[0.9, 0.8, 1.0], [0.7, 0.6, 0.9]], indices=[*HALVES, ALL])
    assert scores.resubstitution.tolist() == [1.0, 0.9]
    assert scores[1].resubstitution == 0.9
    assert scores[1].scores.tolist() == [0.7, 0.6]


def test_the_splitter_that_adds_it_is_read_from_indices_and_made_again():
    cv = WithResubstitution(BootstrapSplit(5, random_state=0))
    results = cross_validate(TREE, X, Y, cv=cv, return_indices=True)
    read = CVScores.from_results(results)
    made = CVScores.from_results({"test_score": results["test_score"]}, cv=cv, X=X, y=Y)
    for scores in (read, made):
        assert len(scores) == 5
        assert scores.resubstitution == results["test_score"][-1] == 1.0
        assert (scores.n_train + scores.n_test).tolist() == [150] * 5


# --- from scikit-learn ---


def test_reads_cross_validate(results):
    scores = CVScores.from_results(results)
    assert scores.scores.tolist() == results["test_score"].tolist()
    assert scores.train_scores.tolist() == results["train_score"].tolist()
    assert scores.n_train.tolist() == [120] * 5
    assert scores.n_test.tolist() == [30] * 5
    assert repr(scores).endswith("n_train 120, n_test 30)")


def test_optimism_is_test_error_minus_training_error(results):
    scores = CVScores.from_results(results)
    test_error, training_error = 1 - results["test_score"], 1 - results["train_score"]
    assert scores.optimism == pytest.approx(test_error - training_error)
    assert (scores.optimism >= 0).all()
    with pytest.raises(ValueError, match="return_train_score=True"):
        _ = CVScores([0.9]).optimism


def test_reads_one_metric_of_several(several):
    scores = CVScores.from_results(several, metric="f1_macro")
    assert scores.scores.tolist() == several["test_f1_macro"].tolist()
    assert scores.train_scores.tolist() == several["train_f1_macro"].tolist()
    assert repr(scores).startswith("CVScores(f1_macro: 5 splits")
    with pytest.raises(ValueError, match=r"metric must name one of .*: 'accuracy', 'f1_macro'"):
        CVScores.from_results(several)
    with pytest.raises(ValueError, match="'accuracy', 'f1_macro', got 'auc'"):
        CVScores.from_results(several, metric="auc")


def test_reads_a_frame_of_the_same(several):
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    for frame in (pandas.DataFrame(several), polars.DataFrame(several)):
        scores = CVScores.from_results(frame, metric="accuracy")
        assert scores.scores.tolist() == several["test_accuracy"].tolist()


def test_reads_a_search(search):
    for given in (search, search.cv_results_):
        scores = CVScores.from_results(given)
        assert scores.scores.shape == scores.train_scores.shape == (3, 5)
        assert scores.scores.mean(axis=1) == pytest.approx(search.cv_results_["mean_test_score"])
        assert scores.train_scores.mean(axis=1) == pytest.approx(search.cv_results_["mean_train_score"])
        assert len(scores) == 3
        assert scores[search.best_index_].scores.mean() == pytest.approx(search.best_score_)
        assert [one.scores.tolist() for one in scores] == scores.scores.tolist()


def test_a_search_of_ten_splits_keeps_their_order():
    results = {f"split{number}_test_score": np.array([number / 100]) for number in range(11)}
    assert CVScores.from_results(results).scores.tolist() == [[number / 100 for number in range(11)]]


def test_candidate_of_one_method_is_refused():
    with pytest.raises(TypeError, match="scores of one method"):
        CVScores([0.9, 0.8])[0]


def test_a_halving_search_is_refused():
    results = {"split0_test_score": np.array([0.9]), "n_resources": np.array([20])}
    with pytest.raises(ValueError, match="halving search"):
        CVScores.from_results(results)


def test_reads_plain_scores_and_itself():
    scores = CVScores.from_results([0.9, 0.8])
    assert scores.scores.tolist() == [0.9, 0.8]
    assert CVScores.from_results(scores) is scores


def test_results_without_scores_are_refused():
    with pytest.raises(ValueError, match="results must hold test scores"):
        CVScores.from_results({"fit_time": [1, 2]})


# --- splits made again from cv ---


@pytest.mark.parametrize(
    "cv",
    [
        CV,
        KFold(5),
        ShuffleSplit(4, random_state=0),
        RepeatedKFold(n_splits=3, n_repeats=2, random_state=1),
        TimeSeriesSplit(4),
        LeaveOneOut(),
        list(KFold(3).split(X)),
    ],
)
def test_cv_that_repeats_itself_gives_the_same_indices(cv):
    results = cross_validate(TREE, X, Y, cv=cv, return_indices=True)
    known = CVScores.from_results(results)
    made = CVScores.from_results({"test_score": results["test_score"]}, cv=cv, X=X, y=Y)
    assert all(
        np.array_equal(one, other)
        for mine, others in zip(known.indices, made.indices, strict=True)
        for one, other in zip(mine, others, strict=True)
    )


def test_y_alone_is_enough_to_split():
    assert CVScores.from_results([0.9] * 5, cv=CV, y=Y).n_train.tolist() == [120] * 5


class Wrapper:
    """A splitter around another one."""

    def __init__(self, cv):
        self.cv = cv

    def split(self, X, y=None, groups=None):
        return self.cv.split(X, y, groups)


@pytest.mark.parametrize(
    "cv",
    [
        KFold(5, shuffle=True),
        ShuffleSplit(5),
        ShuffleSplit(5, random_state=np.random.RandomState(0)),
        RepeatedKFold(),
        Wrapper(ShuffleSplit(5)),
    ],
)
def test_cv_that_draws_new_splits_is_refused(cv):
    with pytest.raises(ValueError, match="cv must give the same splits again"):
        CVScores.from_results([0.9] * 5, cv=cv, X=X, y=Y)


def test_cv_must_be_known_and_have_data():
    with pytest.raises(ValueError, match=r"cv must be a splitter or an iterable .* got 5"):
        CVScores.from_results([0.9] * 5, cv=5, X=X, y=Y)
    with pytest.raises(ValueError, match="pass X or y"):
        CVScores.from_results([0.9] * 5, cv=KFold(5))
    with pytest.raises(SplitMismatchError, match="5 scores, 3 splits"):
        CVScores.from_results([0.9] * 5, cv=KFold(3), X=X)


# --- tables and variance ---


def test_frame_has_one_row_per_split_and_candidate(results, search):
    pytest.importorskip("pandas")
    frame = CVScores.from_results(results).frame()
    assert list(frame.columns) == ["split", "score", "train_score", "n_train", "n_test"]
    assert frame["score"].tolist() == results["test_score"].tolist()
    frame = CVScores.from_results(search).frame()
    assert list(frame.columns) == ["candidate", "split", "score", "train_score"]
    last = CVScores.from_results(search)[2].scores
    assert frame["score"][frame["candidate"] == 2].tolist() == last.tolist()


def test_pickles(results):
    scores = CVScores.from_results(results)
    again = pickle.loads(pickle.dumps(scores))
    assert repr(again) == repr(scores)
    assert again.scores.tolist() == scores.scores.tolist()


def test_frame_of_plain_scores_holds_what_is_known():
    pytest.importorskip("pandas")
    assert list(CVScores([0.5, 0.7]).frame().columns) == ["split", "score"]


def test_the_standard_error_is_corrected_for_shared_training_rows():
    # By hand: s^2 is .01, and (1/3 + 20/40) .01 has the root .0912871; a candidate that never varies has 0.
    scores = [[0.8, 0.9, 1.0], [0.5, 0.5, 0.5]]
    assert CVScores(scores[0], n_train=40, n_test=20).standard_error() == pytest.approx(0.0912871, abs=1e-7)
    both = CVScores(scores, n_train=40, n_test=20).standard_error()
    assert both.tolist() == pytest.approx([0.0912871, 0], abs=1e-7)


# --- what has no standard error


@pytest.mark.parametrize(
    "scores", [CVScores([0.5], n_train=3, n_test=1), CVScores([0.5, 0.7]), CVScores([0.5, 0.7], n_train=3)]
)
def test_a_standard_error_needs_two_splits_of_known_sizes(scores):
    with pytest.raises(ValueError, match=r"needs at least 2 splits and their sizes: pass .* or n_train and"):
        scores.standard_error()


def test_splits_that_test_on_rows_they_trained_on_have_no_standard_error():
    scores = CVScores([0.5, 0.7], indices=[([0, 1, 2], [2, 3]), ([1, 2, 3], [0, 1])])
    with pytest.raises(ValueError, match="Split 0 tests on rows that it trained on"):
        scores.standard_error()


@pytest.mark.parametrize(
    ("scores", "match"),
    [
        ([math.inf, 0.5], r"scores must be numbers up to 1e\+60 in size, or nan .* got inf on split 0"),
        ([0.5, -math.inf, math.nan], "got -inf on split 1"),
        ([[0.5, 0.6, math.inf], [0.5, 0.6, 0.7]], "got inf on split 2"),
        ([0.5, 1e200], r"got 1e\+200 on split 1"),
    ],
)
def test_infinite_scores_are_refused(scores, match):
    with pytest.raises(MissingScoreError, match=match):
        CVScores(scores, n_train=10, n_test=5)

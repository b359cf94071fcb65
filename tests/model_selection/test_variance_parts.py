"""Parts of the variance of a score: recovered where they are known, never negative, told in words."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_selection import SelectKBest
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

from skeval.exceptions import MissingScoreError
from skeval.model_selection import HoldOutSplit, KFoldSplit
from skeval.model_selection._variance_parts import _components, _overlap, variance_parts

IRIS = load_iris(return_X_y=True)
RANDOM_TREE = DecisionTreeClassifier(splitter="random", max_features=1)


class Simulated(RegressorMixin, BaseEstimator):
    """Predicts the row (variance 1), a shift by split (.09), one by seed (.04), and noise (1/4)."""

    def __init__(self, random_state=None):
        self.random_state = random_state

    def fit(self, X, y):
        of_split = np.random.default_rng(int(abs(X[:, 1].sum()) * 1e6))
        of_seed = np.random.default_rng(self.random_state)
        self.shift_ = 0.3 * of_split.normal() + 0.2 * of_seed.normal()
        self.noise_ = int(of_seed.integers(2**31))
        return self

    def predict(self, X):
        return X[:, 0] + self.shift_ + 0.5 * np.random.default_rng(self.noise_).normal(size=len(X))


def mean_prediction(estimator, X, y):
    return estimator.predict(X).mean()


@pytest.mark.parametrize(
    "make", [lambda s: KFoldSplit(10, random_state=s), lambda s: HoldOutSplit(10, random_state=s)]
)
def test_known_parts_are_recovered_on_average(make):
    runs = []
    for seed in range(30):
        X = np.random.default_rng(seed).normal(size=(200, 2))
        found = variance_parts(
            Simulated(), X, X[:, 0], cv=make(seed), scoring=mean_prediction, random_state=seed
        )
        runs.append([found.data, found.split, found.seed])
    n_test = found.n_test
    truth = np.array([1 / n_test, 0.09, 0.04 + 0.25 / n_test])
    error = np.std(runs, axis=0) / np.sqrt(len(runs))
    # Setting negative parts to 0 lifts the split part a little.
    assert (np.abs(np.mean(runs, axis=0) - truth) < 4 * error + [0, 0.01, 0]).all()


def test_accuracy_has_the_variance_of_a_share_as_its_data_part():
    # Of rows that every model finds equally hard: p (1 - p)/n_test.
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 4000)
    X = np.where(rng.random(4000) < 0.2, 1 - y, y)[:, None]
    found = variance_parts(GaussianNB(), X, y, cv=KFoldSplit(5, random_state=0), random_state=0)
    assert found.data == pytest.approx(0.2 * 0.8 / 800, rel=0.35)
    assert found.seed == 0


def test_components_by_hand():
    # Two splits, two seeds, two rows: pseudo-values are the rows' own values.
    rows = np.array([[[1.0, 3.0], [2.0, 2.0]], [[5.0, 7.0], [6.0, 10.0]]])  # block, split, seed
    scores, without = rows.mean(axis=0), rows[::-1]
    parts, notes = _components(scores, without, overlap=0.0)
    # Split 0: (1, 3; 5, 7): MS of rows 16, rest 0. Split 1: (2, 2; 6, 10): MS of rows 36, rest 4.
    data = np.mean([(16 - 0) / 2, (36 - 4) / 2]) / 2
    seed = np.mean([np.var([3, 5], ddof=1), np.var([4, 6], ddof=1)])
    assert parts["data"] == pytest.approx(data)
    assert parts["seed"] == pytest.approx(seed)
    # Means over seeds are 4 and 5: .5 less 6 less 1 is negative.
    assert parts["split"] == 0
    assert notes == ("the split part came out negative (-6.5) and is set to 0",)


def test_overlap_is_the_share_of_common_test_rows():
    apart = [(np.array([9]), np.array([0, 1])), (np.array([9]), np.array([2, 3]))]
    half = [(np.array([9]), np.array([0, 1])), (np.array([9]), np.array([1, 2]))]
    assert _overlap(apart, 10) == pytest.approx(0)
    assert _overlap(half, 10) == pytest.approx(0.5)


def test_a_learner_without_random_numbers_has_no_seed_part():
    found = variance_parts(GaussianNB(), *IRIS, random_state=0)
    assert found.seed == 0
    assert found.scores.shape == (10, 1)
    assert "GaussianNB has no random_state: its seed part is 0." in str(found)


def test_a_learner_that_ignores_its_seed_has_no_seed_part_either():
    found = variance_parts(LogisticRegression(max_iter=1000), *IRIS, n_seeds=2, random_state=0)
    assert found.seed == 0
    assert found.scores.shape == (10, 2)


def test_larger_ensembles_depend_less_on_the_seed():
    seeds = [
        variance_parts(
            RandomForestClassifier(size), *IRIS, cv=KFoldSplit(3, random_state=0), random_state=0
        ).seed
        for size in (1, 25)
    ]
    assert seeds[1] < seeds[0]


def test_parts_add_up_and_shares_to_one():
    found = variance_parts(RANDOM_TREE, *IRIS, random_state=0)
    assert found.total == found.data + found.split + found.seed
    assert sum(found.shares.values()) == pytest.approx(1)
    assert min(found.shares.values()) >= 0
    frame = found.frame()
    assert list(frame["part"]) == ["data", "split", "seed"]
    assert str(found).startswith(f"accuracy {found.mean:.4g}, standard deviation ")
    assert "<table>" in found._repr_html_()


def test_nothing_varies_where_every_score_is_perfect():
    X = np.arange(60.0)[:, None]
    found = variance_parts(RANDOM_TREE, X, (X[:, 0] >= 0).astype(int), random_state=0)
    assert found.total == 0
    assert set(found.shares.values()) == {0}


def test_any_score_goes_with_labels_of_any_type():
    X, y = load_breast_cancer(return_X_y=True)
    by_name = variance_parts(
        RANDOM_TREE, X, np.array(["ill", "well"])[y], cv=KFoldSplit(3, random_state=0), n_seeds=2,
        scoring="f1", pos_label="well", random_state=0,
    )  # fmt: skip
    by_number = variance_parts(
        RANDOM_TREE, X, y, cv=KFoldSplit(3, random_state=0), n_seeds=2, scoring="f1", random_state=0
    )
    np.testing.assert_array_equal(by_name.scores, by_number.scores)


def test_n_jobs_changes_no_bit_and_the_seed_is_kept():
    cv = KFoldSplit(3, random_state=0)
    runs = [
        variance_parts(RANDOM_TREE, *IRIS, cv=cv, n_jobs=n_jobs, random_state=seed)
        for n_jobs, seed in ((1, 0), (2, 0), (1, 1))
    ]
    np.testing.assert_array_equal(runs[0].scores, runs[1].scores)
    assert runs[0].data == runs[1].data
    assert (runs[0].scores != runs[2].scores).any()
    assert not hasattr(RANDOM_TREE, "tree_")
    assert RANDOM_TREE.random_state is None


def test_seeds_of_steps_are_set():
    model = make_pipeline(SelectKBest(k=2), RANDOM_TREE)
    assert variance_parts(model, *IRIS, random_state=0).seed > 0


def test_groups_stay_whole():
    X, y = IRIS
    groups = np.arange(150) // 3
    found = variance_parts(
        GaussianNB(), X, y, groups=groups, cv=KFoldSplit(5, random_state=0), random_state=0
    )
    assert found.scores.shape == (5, 1)


def test_weights_are_used():
    X, y = IRIS
    weight = np.where(np.arange(150) % 3, 1, 5)
    plain = variance_parts(GaussianNB(), X, y, cv=KFoldSplit(5, random_state=0), random_state=0)
    other = variance_parts(
        GaussianNB(), X, y, cv=KFoldSplit(5, random_state=0), sample_weight=weight, random_state=0
    )
    assert (plain.scores != other.scores).any()


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"n_seeds": 1}, "n_seeds must be an integer not less than 2"),
        ({"cv": HoldOutSplit(1, random_state=0)}, "at least 2 splits, got 1"),
        ({"cv": KFoldSplit(150)}, r"at least 2 test rows \(or groups\) per split"),
        ({"cv": [(np.arange(50), np.arange(20))] * 2}, "split 0 tests on a row it trained on"),
        ({"scoring": "f1"}, "binary measure needs two classes"),
        ({"scoring": "gini"}, "gini"),
        ({"sample_weight": [1.0]}, "one weight per sample"),
        ({"groups": [1, 2]}, "groups must have one entry per sample"),
    ],
)
def test_what_does_not_fit_is_refused(options, match):
    with pytest.raises(ValueError, match=match):
        variance_parts(RANDOM_TREE, *IRIS, random_state=0, **options)


def test_a_score_that_is_undefined_without_a_block_is_refused_by_split():
    # Three positives in three folds: without the block of the only one there is no ranking.
    X = np.random.default_rng(0).normal(size=(24, 2))
    y = np.r_[1, 1, 1, np.zeros(21, int)]
    with pytest.raises(MissingScoreError, match=r"roc_auc has no value on splits? 0.*use fewer splits"):
        variance_parts(
            GaussianNB(), X, y, cv=KFoldSplit(3, random_state=0), scoring="roc_auc", random_state=0
        )


@pytest.mark.filterwarnings("ignore:.*only one class:skeval.exceptions.UndefinedMeasureWarning")
def test_a_score_that_is_undefined_on_every_split_is_refused():
    """Either split tests one class."""
    X, y = np.random.default_rng(0).normal(size=(24, 2)), np.repeat([0, 1], 12)
    cv = [(np.r_[6:24], np.arange(6)), (np.arange(18), np.r_[18:24])]
    with pytest.raises(
        MissingScoreError, match=r"roc_auc has no value on splits 0, 1 \(counted from 0\).*use fewer"
    ):
        variance_parts(GaussianNB(), X, y, cv=cv, scoring="roc_auc", random_state=0)


def test_a_part_that_is_negative_by_rounding_is_0_without_a_note():
    # Two blocks whose pseudo-values are s + sqrt(v) and s - sqrt(v), v the variance over splits, so
    # that the data part is v and the split part v - v.
    scores = np.array([[0.1], [0.4], [0.83]])
    shift = np.sqrt(scores.var(ddof=1)) * (1 + 1e-15)
    parts, notes = _components(scores, np.stack([scores - shift, scores + shift]), 0.0)
    assert parts == {"data": pytest.approx(shift**2), "split": 0.0, "seed": 0.0}
    assert notes == ()


def test_a_small_variance_of_large_scores_is_none_of_rounding():
    scores = 1e6 + np.array([[0.0], [0.1], [0.3]])
    parts, _ = _components(scores, np.stack([scores] * 2), 0.0)
    assert parts["split"] == pytest.approx(np.var([0, 0.1, 0.3], ddof=1), rel=1e-6)


def test_scores_that_differ_by_rounding_do_not_vary():
    scores = 0.7 + np.array([[0.0], [1e-16], [2e-16]])
    parts, notes = _components(scores, np.full((5, 3, 1), 0.7), 0.0)
    assert parts == {"data": 0.0, "split": 0.0, "seed": 0.0}
    assert notes == ()

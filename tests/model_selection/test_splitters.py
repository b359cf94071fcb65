"""What every splitter owes scikit-learn and its users."""

import copy
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from scipy import sparse
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skeval.model_selection import (
    BootstrapSplit,
    FiveByTwoSplit,
    HoldOutSplit,
    KFoldSplit,
    WithResubstitution,
)

SEEDED = {
    "hold-out": HoldOutSplit(3, random_state=0),
    "k-fold": KFoldSplit(4, n_repeats=2, random_state=0),
    "blocks": KFoldSplit(4, shuffle=False),
    "5x2": FiveByTwoSplit(random_state=0),
    "bootstrap": BootstrapSplit(5, random_state=0),
    "stratified bootstrap": BootstrapSplit(5, stratify=True, random_state=0),
    "resubstitution": WithResubstitution(BootstrapSplit(5, random_state=0)),
}
N = 24
LABELS = np.array([0, 1, 1] * (N // 3))
GROUPS = LABELS * 100 + np.arange(N) // 6  # of one class each, which a stratified bootstrap needs


@pytest.fixture(params=SEEDED.values(), ids=SEEDED.keys())
def splitter(request):
    return request.param


def same(first, second):
    first, second = list(first), list(second)
    return len(first) == len(second) and all(
        np.array_equal(a, b)
        for one, other in zip(first, second, strict=True)
        for a, b in zip(one, other, strict=True)
    )


def test_gives_integer_positions_with_sorted_distinct_test_samples(splitter):
    for train, test in splitter.split(LABELS, LABELS):
        assert train.dtype.kind == test.dtype.kind == "i"
        assert len(test)
        assert (np.diff(test) > 0).all()
        assert set(train) <= set(range(N))


def test_number_of_splits_is_told_without_data(splitter):
    assert splitter.get_n_splits() == len(list(splitter.split(LABELS, LABELS)))


def test_an_int_seed_gives_the_same_splits_on_every_call(splitter):
    assert same(splitter.split(LABELS, LABELS), splitter.split(LABELS, LABELS))


@pytest.mark.parametrize(
    "make",
    [
        lambda seed: HoldOutSplit(random_state=seed),
        lambda seed: KFoldSplit(3, random_state=seed),
        lambda seed: FiveByTwoSplit(random_state=seed),
        lambda seed: BootstrapSplit(3, random_state=seed),
    ],
)
@pytest.mark.parametrize(
    "seed", [lambda: None, lambda: np.random.default_rng(0), lambda: np.random.RandomState(0)]
)
def test_without_an_int_seed_every_call_draws_anew(make, seed):
    splitter = make(seed())
    assert not same(splitter.split(LABELS, LABELS), splitter.split(LABELS, LABELS))


def test_copies_give_the_same_splits(splitter):
    expected = list(splitter.split(LABELS, LABELS))
    for other in (
        copy.deepcopy(splitter),
        pickle.loads(pickle.dumps(splitter)),
        clone(splitter, safe=False),
    ):
        assert same(other.split(LABELS, LABELS), expected)
        assert repr(other) == repr(splitter)


def test_repr_shows_the_parameters():
    assert repr(HoldOutSplit(test_size=5)) == (
        "HoldOutSplit(n_splits=1, random_state=None, stratify='auto', test_size=5)"
    )
    assert repr(WithResubstitution(KFoldSplit(2))).startswith("WithResubstitution(cv=KFoldSplit(n_repeats=1,")
    assert repr(FiveByTwoSplit()) == "FiveByTwoSplit(random_state=None, stratify='auto')"


@pytest.mark.parametrize(
    "X",
    [
        list(range(N)),
        np.zeros((N, 2)),
        np.zeros(N),
        pd.DataFrame({"a": np.zeros(N)}, index=np.arange(N)[::-1]),
        pl.DataFrame({"a": np.zeros(N)}),
        sparse.csr_matrix(np.eye(N)),
        sparse.coo_matrix(np.eye(N)),
    ],
    ids=["list", "2-D", "1-D", "pandas", "polars", "csr", "coo"],
)
def test_only_the_number_of_rows_of_X_counts(splitter, X):
    assert same(splitter.split(X, LABELS), splitter.split(LABELS, LABELS))


NAMES = np.array(["ham", "spam"])[LABELS]


@pytest.mark.parametrize(
    "y",
    [
        LABELS.tolist(),
        LABELS.astype(np.int8),
        LABELS.astype(float),
        LABELS.astype(bool),
        LABELS * 7 - 3,
        5 - LABELS,
        LABELS[:, None],
        NAMES,
        np.array(["spam", "ham"])[LABELS],
        NAMES.astype(object),
        pd.Series(NAMES, index=np.arange(N) + 100),
        pd.Series(NAMES).astype("category"),
        pd.Series(LABELS).astype("Int64"),
        pd.Series(LABELS).astype("boolean"),
        pl.Series(NAMES.tolist()),
    ],
    ids=lambda y: f"{type(y).__name__}-{getattr(y, 'dtype', 'list')}",
)
def test_renaming_the_classes_changes_nothing(splitter, y):
    assert same(splitter.split(LABELS, y), splitter.split(LABELS, LABELS))


def test_no_group_is_on_both_sides(splitter):
    splits = list(splitter.split(LABELS, LABELS, GROUPS))
    if isinstance(splitter, WithResubstitution):
        splits = splits[:-1]
    for train, test in splits:
        assert not set(GROUPS[train]) & set(GROUPS[test])
        assert len(test)
        assert len(train)


@pytest.mark.parametrize(
    "names",
    [GROUPS.astype(str), 7 - GROUPS, pd.Series(GROUPS, index=np.arange(N)[::-1]), GROUPS.tolist()],
)
def test_groups_may_be_of_any_type(splitter, names):
    assert same(splitter.split(LABELS, LABELS, names), splitter.split(LABELS, LABELS, GROUPS))


def test_bad_groups_are_refused_at_the_call(splitter):
    with pytest.raises(ValueError, match="groups must have one entry per sample: 24 samples, 23 entries"):
        splitter.split(LABELS, LABELS, GROUPS[1:])
    missing = GROUPS.astype(float)
    missing[5] = np.nan
    with pytest.raises(ValueError, match="groups holds a missing value at position 5"):
        splitter.split(LABELS, LABELS, missing)


def test_y_of_another_length_is_refused(splitter):
    with pytest.raises(ValueError, match="X has 24, y has 23"):
        splitter.split(LABELS, LABELS[1:])


def test_a_missing_label_is_refused():
    y = [0, 1, None, 0, 1, 0]
    with pytest.raises(ValueError, match="y holds a missing value at position 2"):
        KFoldSplit(2).split(y, y)
    with pytest.raises(ValueError, match="y holds a missing value at position 1"):
        KFoldSplit(2).split([0.5, np.nan, 1.5], [0.5, np.nan, 1.5])


def test_X_without_length_is_refused(splitter):
    with pytest.raises(TypeError, match="X must be a container of samples, got 3"):
        splitter.split(3)


@pytest.mark.parametrize("make", [HoldOutSplit, KFoldSplit, FiveByTwoSplit, BootstrapSplit])
@pytest.mark.parametrize("stratify", ["yes", None, 0.5])
def test_stratify_has_named_options(make, stratify):
    with pytest.raises(
        ValueError, match=r"stratify must be one of .*True, False or a number of quantile bins"
    ):
        make(stratify=stratify)


@pytest.mark.parametrize("make", [HoldOutSplit, KFoldSplit, BootstrapSplit])
def test_parameters_are_checked_when_the_splitter_is_made(make):
    with pytest.raises(ValueError, match="n_splits must be an integer not less than"):
        make(0)
    with pytest.raises(TypeError, match="n_splits must be an integer"):
        make(2.0)
    with pytest.raises(ValueError, match=r"number of bins\) must be an integer not less than 2"):
        make(stratify=1)


def test_a_bad_seed_is_refused(splitter):
    if not hasattr(splitter, "random_state"):
        return
    bad = copy.deepcopy(splitter)
    bad.random_state = "seed"
    with pytest.raises(ValueError, match="random_state must be a non-negative int"):
        bad.split(LABELS, LABELS)


# --- through scikit-learn -----------------------------------------------------------------------------------

rng = np.random.default_rng(0)
X_NUMBERS = rng.normal(size=(N, 2)) + LABELS[:, None]
FRAME = pd.DataFrame(X_NUMBERS, columns=["a", "b"], index=np.arange(100, 100 + N))
MODEL = make_pipeline(StandardScaler(), LogisticRegression())


def test_works_in_cross_val_score_and_grid_search(splitter):
    scores = cross_val_score(MODEL, FRAME, pd.Series(NAMES, index=FRAME.index), cv=splitter)
    assert len(scores) == splitter.get_n_splits()
    assert np.isfinite(scores).all()
    search = GridSearchCV(MODEL, {"logisticregression__C": [0.1, 1]}, cv=splitter, n_jobs=2).fit(FRAME, NAMES)
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()


def test_the_indices_that_cross_validate_returns_are_those_of_split(splitter):
    results = cross_validate(MODEL, X_NUMBERS, NAMES, cv=splitter, return_indices=True)
    kept = zip(results["indices"]["train"], results["indices"]["test"], strict=True)
    assert same(kept, splitter.split(X_NUMBERS, NAMES))


def test_groups_arrive_with_and_without_metadata_routing(splitter):
    plain = cross_validate(MODEL, X_NUMBERS, NAMES, cv=splitter, groups=GROUPS, return_indices=True)
    with sklearn.config_context(enable_metadata_routing=True):
        routed = cross_validate(
            MODEL, X_NUMBERS, NAMES, cv=splitter, params={"groups": GROUPS}, return_indices=True
        )
    for results in (plain, routed):
        kept = zip(results["indices"]["train"], results["indices"]["test"], strict=True)
        assert same(kept, splitter.split(X_NUMBERS, NAMES, GROUPS))

"""Statistics of data in pieces: chunks of an iterator, blocks of dask arrays, rounded scores."""

import tracemalloc

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skeval.metrics import ConfusionMatrix, RankedScores


def exact(value):
    return pytest.approx(value, abs=1e-12, rel=0)


def cut(arrays, sizes):
    """Cut arrays into chunks of the given sizes, the rest last."""
    ends = np.cumsum(sizes)
    return list(zip(*(np.split(np.asarray(array), ends) for array in arrays), strict=True))


@st.composite
def chunked(draw, weights):
    """Truth, scores with ties, weights or none, and sizes of chunks that may be empty."""
    size = draw(st.integers(1, 40))
    y = draw(st.lists(st.integers(0, 1), min_size=size, max_size=size))
    score = draw(st.lists(st.integers(-4, 4) | st.floats(-1, 1), min_size=size, max_size=size))
    weight = draw(st.none() | st.lists(weights, min_size=size, max_size=size).filter(any))
    sizes = draw(st.lists(st.integers(0, 12), max_size=6))
    arrays = [y, score] if weight is None else [y, score, weight]
    return arrays, draw(st.permutations(cut(arrays, sizes)))


def at_once(arrays):
    return RankedScores.from_predictions(*arrays[:2], sample_weight=None if len(arrays) < 3 else arrays[2])


# --- the same as all at once ------------------------------------------------------------------------


@settings(deadline=None, max_examples=80)
@given(drawn=chunked(st.integers(0, 3)))
def test_chunks_in_any_order_give_the_ranking_of_all_to_the_bit(drawn):
    arrays, chunks = drawn
    ours, expected = RankedScores.from_chunks(iter(chunks), pos_label=1), at_once(arrays)
    assert ours == expected
    assert ours.true_positives.dtype == expected.true_positives.dtype == np.int64
    assert ours.decimals is None


@settings(deadline=None, max_examples=40)
@given(drawn=chunked(st.sampled_from([0.25, 0.5, 1 / 3, 2.0])))
def test_fractional_weights_agree_to_rounding(drawn):
    arrays, chunks = drawn
    ours, expected = RankedScores.from_chunks(chunks, pos_label=1), at_once(arrays)
    np.testing.assert_array_equal(ours.thresholds, expected.thresholds)
    np.testing.assert_allclose(ours.true_positives, expected.true_positives, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(ours.false_positives, expected.false_positives, rtol=1e-12, atol=1e-12)


@settings(deadline=None, max_examples=80)
@given(drawn=chunked(st.integers(0, 3)), bound=st.integers(1, 12))
def test_beyond_the_bound_the_result_is_that_of_rounded_scores_in_any_order(drawn, bound):
    arrays, chunks = drawn
    expected = at_once(arrays)
    if len(expected.thresholds) > bound:
        expected = expected.rounded(0)
    if len(expected.thresholds) > bound:
        with pytest.raises(ValueError, match=f"more than max_thresholds={bound} distinct scores"):
            RankedScores.from_chunks(chunks, pos_label=1, max_thresholds=bound, decimals=0)
        return
    ours = RankedScores.from_chunks(chunks, pos_label=1, max_thresholds=bound, decimals=0)
    assert ours == expected
    assert ours.decimals == expected.decimals


LABELS = st.sampled_from(["a", "b", "c"])


@settings(deadline=None, max_examples=60)
@given(
    pairs=st.lists(st.tuples(LABELS, LABELS, st.integers(0, 3)), min_size=1, max_size=30).filter(
        lambda rows: any(weight for *_, weight in rows)
    ),
    sizes=st.lists(st.integers(0, 10), max_size=5),
    data=st.data(),
)
def test_chunks_in_any_order_give_the_matrix_of_all_to_the_bit(pairs, sizes, data):
    y, predicted, weight = (list(column) for column in zip(*pairs, strict=True))
    expected = ConfusionMatrix.from_predictions(y, predicted, sample_weight=weight)
    chunks = data.draw(st.permutations(cut([y, predicted, weight], sizes)))
    ours = ConfusionMatrix.from_chunks(iter(chunks))
    assert ours == expected
    assert ours.counts.dtype == np.int64
    named = ConfusionMatrix.from_chunks(chunks, labels=["c", "b", "a"])
    assert named == ConfusionMatrix.from_predictions(
        y, predicted, sample_weight=weight, labels=["c", "b", "a"]
    )


def test_a_chunk_that_was_rounded_rounds_those_before_it_too():
    """The 25 scores of the second chunk become 0.5 and 0.6, which with those of the first would fit."""
    first = [0, 1, 1, 0, 1], [0.11, 0.22, 0.33, 0.44, 0.55]
    second = [0, 1, 0, 0, 1] * 5, np.linspace(0.46, 0.64, 25)
    ranked = RankedScores.from_chunks([first, second], pos_label=1, max_thresholds=10, decimals=1)
    y, score = (np.concatenate(parts) for parts in zip(first, second, strict=True))
    assert ranked.decimals == 1
    assert ranked == RankedScores.from_predictions(y, score).rounded(1)
    assert ranked.thresholds.tolist() == [0.6, 0.5, 0.4, 0.3, 0.2, 0.1]


def test_chunks_of_one_class_and_of_any_container():
    chunks = [([1, 1], [0.9, 0.2]), (pd.Series([0, 0]), pd.Series([0.1, 0.9], index=[7, 3])), ([], [])]
    assert RankedScores.from_chunks(chunks) == RankedScores.from_predictions(
        [1, 1, 0, 0], [0.9, 0.2, 0.1, 0.9]
    )
    chunks = [(["x"], ["x"]), (pd.Series(["y"]), ["x"]), ([], [])]
    assert ConfusionMatrix.from_chunks(chunks).counts.tolist() == [[1, 0], [1, 0]]


def test_strings_need_the_positive_class_in_every_chunk():
    chunks = [(["good"], [0.2]), (["bad"], [0.9])]
    ranked = RankedScores.from_chunks(chunks, pos_label="bad")
    assert (ranked.pos_label, ranked.roc_auc()) == ("bad", 1.0)
    with pytest.raises(ValueError, match="pos_label must name the positive class"):
        RankedScores.from_chunks(chunks)
    with pytest.raises(
        ValueError, match=r"pos_label must be one of the labels \['bad', 'good'\], got 'typo'"
    ):
        RankedScores.from_chunks(chunks, pos_label="typo")


def test_many_small_chunks_near_the_bound_are_merged_a_few_times_only():
    rng = np.random.default_rng(0)
    y, score = rng.integers(0, 2, 20_000), rng.permutation(20_000) / 20_000
    chunks = zip(np.split(y, 2000), np.split(score, 2000), strict=True)
    assert RankedScores.from_chunks(chunks, max_thresholds=20_000) == RankedScores.from_predictions(y, score)


def test_memory_is_bounded_by_the_thresholds_and_a_chunk():
    def chunks():
        rng = np.random.default_rng(0)
        for _ in range(50):
            yield rng.integers(0, 2, 20_000), rng.random(20_000)

    tracemalloc.start()
    ranked = RankedScores.from_chunks(chunks(), max_thresholds=20_000, decimals=4)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert ranked.n_positive + ranked.n_negative == 1_000_000
    assert len(ranked.thresholds) == 10_001
    assert peak < 10_000_000  # the scores and labels of all are 16 MB


def test_a_stored_chunk_adds_to_the_others(tmp_path):
    whole = RankedScores.from_predictions([0, 1, 1, 0], [0.11, 0.92, 0.44, 0.41])
    RankedScores.from_predictions([0, 1], [0.11, 0.92]).rounded(1).save(tmp_path / "first.npz")
    first = RankedScores.load(tmp_path / "first.npz")
    assert first.decimals == 1
    second = RankedScores.from_predictions([1, 0], [0.44, 0.41])
    assert sum([first, second]) == sum([second, first]) == whole.rounded(1)


# --- rounded scores ---------------------------------------------------------------------------------


@settings(deadline=None, max_examples=80)
@given(drawn=chunked(st.integers(0, 3)), decimals=st.integers(0, 2))
def test_rounding_moves_the_auc_by_no_more_than_it_says(drawn, decimals):
    arrays, _ = drawn
    whole = at_once(arrays)
    rounded = whole.rounded(decimals)
    if not (whole.n_positive and whole.n_negative):
        assert rounded.auc_error_bound() == 0
        return
    assert abs(rounded.roc_auc() - whole.roc_auc()) <= rounded.auc_error_bound() + 1e-12
    y, score = np.array(arrays[0]), np.round(np.array(arrays[1], dtype=float), decimals)
    weight = np.ones(len(y)) if len(arrays) < 3 else np.array(arrays[2])
    pairs = np.outer(weight[y == 1], weight[y == 0])
    tied = (pairs * (score[y == 1][:, None] == score[y == 0])).sum() / pairs.sum()
    assert rounded.auc_error_bound() == exact(tied / 2)


def test_nothing_rounded_has_no_error():
    whole = RankedScores.from_predictions([0, 1, 1], [0.5, 0.5, 0.7])
    assert (whole.decimals, whole.auc_error_bound()) == (None, 0.0)


def test_rounding_is_told():
    whole = RankedScores.from_predictions([0, 1, 1, 0], [0.11, 0.92, 0.44, 0.41])
    assert "decimals=1: AUC to 0.12" in repr(whole.rounded(1))  # one of four pairs ties: 1/8
    assert whole.rounded(1) != whole
    assert whole.rounded(1).rounded(2) == whole.rounded(1)
    assert whole.rounded(1).thresholds.tolist() == [0.9, 0.4, 0.1]


def test_large_scores_and_negative_zero_are_rounded_too():
    ranked = RankedScores.from_predictions([0, 1, 1, 0], [1e300, -1e300, -0.2, 0.3]).rounded(0)
    assert ranked.thresholds.tolist() == [1e300, 0.0, -1e300]
    assert str(ranked.thresholds[1]) == "0.0"


def test_scores_too_large_for_a_decimal_stay_as_they_are():
    """In steps of 10^-6, 1e308 would need 1e314 of them."""
    ranked = RankedScores.from_predictions([0, 1, 1], [1e308, 0.12345678, -1e308]).rounded(6)
    assert ranked.thresholds.tolist() == [1e308, 0.123457, -1e308]


# --- bad chunks -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("chunks", "message"),
    [
        ([([0, 1], [0.1, 0.2]), ([0, 1], [0.1])], r"same length(.|\n)*chunk 1"),
        ([([0, 1], [0.1, np.nan])], r"finite numbers(.|\n)*chunk 0"),
        ([([0, 1], [0.1, 0.2]), ([2], [0.3])], "two classes, got 3|pos_label must name"),
        ([([0, 1], [0.1, 0.2]), ([-1], [0.3])], r"needs two classes, got 3: \[-1, 0, 1\]"),
        ([([0, 1], [0.1, 0.2], [1, -1])], r"not be negative(.|\n)*chunk 0"),
        ([([0, 1], [0.1, 0.2], [0])], "one weight per sample"),
        ([(["a"], [0.1]), ([1], [0.1])], "pos_label|one type"),
        (
            [[0, 1, 1, 0]],
            "chunks must give tuples of two arrays, or of three with the weights, got .* as chunk 0",
        ),
        (([0, 1, 1, 0], [0.1, 0.2, 0.3, 0.4]), "chunks must give tuples"),
        ([], "hold no samples"),
        ([([], [])], "hold no samples"),
        ([([0, 1], [0.1, 0.2], [0, 0])], "hold no samples"),
    ],
)
def test_bad_chunks_of_scores_are_refused(chunks, message):
    with pytest.raises(ValueError, match=message):
        RankedScores.from_chunks(chunks)


@pytest.mark.parametrize(
    ("chunks", "message"),
    [
        ([([0, 1], [0, 1]), ([0, 1], [0])], r"same length(.|\n)*chunk 1"),
        ([([0], [0]), (["a"], ["a"])], r"one type(.|\n)*chunk 1"),
        ([([0], [])], "same length"),
        ([], "hold no samples; give labels="),
        ([np.array([0, 1, 1, 0])], "chunks must give tuples"),
    ],
)
def test_bad_chunks_of_labels_are_refused(chunks, message):
    with pytest.raises(ValueError, match=message):
        ConfusionMatrix.from_chunks(chunks)


def test_no_chunk_is_an_empty_matrix_where_the_labels_are_given():
    assert ConfusionMatrix.from_chunks([], labels=["a", "b"]).counts.tolist() == [[0, 0], [0, 0]]


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"max_thresholds": 0}, ValueError, "max_thresholds must be an integer not less than 1"),
        ({"decimals": -1}, ValueError, "decimals must be an integer not less than 0"),
        ({"decimals": 2.0}, TypeError, "decimals must be an integer"),
    ],
)
def test_bad_options_are_refused(options, error, message):
    with pytest.raises(error, match=message):
        RankedScores.from_chunks([([0, 1], [0.1, 0.2])], **options)


def test_more_distinct_scores_than_fit_are_told_with_the_way_out():
    chunk = np.arange(8) % 2, np.arange(8) / 10
    with pytest.raises(ValueError, match=r"more than max_thresholds=4 distinct scores: give decimals="):
        RankedScores.from_chunks([chunk], max_thresholds=4)
    with pytest.raises(ValueError, match=r"distinct scores, 8 so far, even when rounded to decimals=1"):
        RankedScores.from_chunks([chunk], max_thresholds=4, decimals=1)


# --- dask -------------------------------------------------------------------------------------------


@pytest.fixture
def da():
    return pytest.importorskip("dask.array")


RNG = np.random.default_rng(0)
TRUTH = RNG.integers(0, 2, 500)
SCORE = np.round(RNG.normal(size=500) + TRUTH, 2)
PREDICTED, WEIGHT = RNG.integers(0, 3, 500), RNG.integers(0, 4, 500)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("size", [7, 100, 500])
def test_blocks_of_dask_arrays_give_the_statistic_of_all(da, size, weighted):
    arrays = [TRUTH, SCORE, WEIGHT] if weighted else [TRUTH, SCORE]
    blocks = tuple(da.from_array(array, chunks=size) for array in arrays)
    assert RankedScores.from_chunks(blocks) == at_once(arrays)
    blocks = (blocks[0], da.from_array(PREDICTED, chunks=33), *blocks[2:])  # cut otherwise
    weight = WEIGHT if weighted else None
    expected = ConfusionMatrix.from_predictions(TRUTH, PREDICTED, sample_weight=weight)
    assert ConfusionMatrix.from_chunks(blocks) == expected
    named = ConfusionMatrix.from_chunks(blocks, labels=[2, 1, 0])
    assert named.counts[0, 0] == expected.counts[2, 2]


def test_blocks_beyond_the_bound_are_rounded_alike(da):
    blocks = (da.from_array(TRUTH, chunks=50), da.from_array(SCORE, chunks=50))
    ours = RankedScores.from_chunks(blocks, max_thresholds=100, decimals=1)
    assert ours == at_once([TRUTH, SCORE]).rounded(1)


def test_no_rows_are_gathered(da):
    dask = pytest.importorskip("dask")
    seen = []

    def note(array):
        seen.append(len(array))
        return array

    blocks = tuple(
        da.from_array(array, chunks=100).map_blocks(note, dtype=array.dtype, meta=array[:0])
        for array in (TRUTH, SCORE)
    )
    with dask.config.set(scheduler="synchronous"):
        RankedScores.from_chunks(blocks)
    assert max(seen) == 100


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda da: (da.ones(4, chunks=2), np.ones(4)), TypeError, "dask arrays all or none"),
        (lambda da: (da.ones(4, chunks=2),), ValueError, "two dask arrays, or three with the weights, got 1"),
        (lambda da: (da.ones(4, chunks=2), da.ones((4, 2), chunks=2)), ValueError, "got one of 2 dimensions"),
        (lambda da: (da.ones(4, chunks=2), da.ones(6, chunks=2)), ValueError, "same length, got 4 and 6"),
    ],
)
def test_dask_arrays_that_do_not_fit_are_refused(da, make, error, message):
    with pytest.raises(error, match=message):
        RankedScores.from_chunks(make(da))

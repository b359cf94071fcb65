"""Measures of weighted rows, stacked, against those of each stack by itself."""

from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skeval.metrics import RankedScores
from skeval.metrics._ranked_rows import RankedRows
from skeval.metrics._ranking import trusted_scores
from skeval.metrics._ranking_measures import RANKING_MEASURES


def rows_of(positive, negative, n_thresholds):
    thresholds = -np.arange(n_thresholds, dtype=float)
    stack = partial(trusted_scores, thresholds, pos_label=1)
    return RankedRows(np.array(positive, int), np.array(negative, int), n_thresholds, stack)


@settings(deadline=None, max_examples=60)
@given(data=st.data(), name=st.sampled_from(sorted(RANKING_MEASURES)), whole=st.booleans())
def test_a_stack_of_weights_gives_the_measure_of_each(data, name, whole):
    places = st.lists(st.integers(0, 4), min_size=1, max_size=6)
    positive, negative = data.draw(places), data.draw(places)
    each = st.integers(0, 3) if whole else st.floats(0.01, 3)
    size = len(positive) + len(negative)
    weights = np.array(
        data.draw(st.lists(st.lists(each, min_size=size, max_size=size), min_size=3, max_size=3))
    )
    weights[:, 0] += 1  # both classes are there
    weights[:, -1] += 1
    values = rows_of(positive, negative, 5).values(RANKING_MEASURES[name], weights)
    y, score = np.repeat([1, 0], [len(positive), len(negative)]), -np.array(positive + negative, float)
    for weight, value in zip(weights, values, strict=True):
        ranked = RankedScores.from_predictions(y, score, sample_weight=weight)
        assert value == pytest.approx(RANKING_MEASURES[name](ranked), abs=1e-12)


@pytest.mark.parametrize(
    ("name", "positives_only", "negatives_only"),
    [("roc_auc", np.nan, np.nan), ("rank_loss", np.nan, np.nan), ("average_precision", 1.0, np.nan)],
)
def test_a_resample_of_one_class_is_undefined(name, positives_only, negatives_only):
    weights = np.array([[1, 1, 0, 0], [0, 0, 1, 1], [0, 1, 1, 0]])
    values = rows_of([0, 2], [1, 3], 4).values(RANKING_MEASURES[name], weights)
    np.testing.assert_array_equal(values[:2], [positives_only, negatives_only])
    assert np.isfinite(values[2])


@pytest.mark.parametrize("name", ["roc_auc", "average_precision"])
def test_rows_of_one_class_alone(name):
    for rows in (rows_of([0, 1], [], 2), rows_of([], [0, 1], 2)):
        (value,) = rows.values(RANKING_MEASURES[name], np.array([[1, 2]]))
        assert np.isnan(value) or (name == "average_precision" and value == 1)


def test_numbers_of_pairs_beyond_integers_do_not_overflow():
    weights = np.array([[2 * 10**15, 2 * 10**15]])
    for positive, negative, area in (([0], [1], 1.0), ([1], [0], 0.0), ([0], [0], 0.5)):
        values = rows_of(positive, negative, 2).values(RANKING_MEASURES["roc_auc"], weights)
        assert values.tolist() == [area]

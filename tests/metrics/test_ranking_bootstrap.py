"""Resamples of ranked scores: their distribution, their memory, and what is not resampled."""

import math
import tracemalloc

import numpy as np
import pytest

from skeval.exceptions import UndefinedMeasureWarning
from skeval.metrics import RankedScores
from tests.metrics.rankings import stored


def plain_bootstrap(y, score, name, n_resamples, seed):
    """The measure of rows drawn in a loop."""
    rng = np.random.default_rng(seed)
    rows = (rng.integers(0, len(y), len(y)) for _ in range(n_resamples))
    return np.array([getattr(RankedScores.from_predictions(y[row], score[row]), name)() for row in rows])


@pytest.mark.parametrize("n_values", [4, 1000], ids=["few distinct scores", "many"])
@pytest.mark.parametrize("name", ["roc_auc", "average_precision"])
def test_bootstrap_agrees_with_a_plain_loop_in_distribution(name, n_values):
    rng = np.random.default_rng(1)
    y = np.repeat([0, 1], [60, 40])
    score = np.round(n_values * (rng.normal(size=100) + y))
    expected = plain_bootstrap(y, score, name, 1500, seed=2)
    values = RankedScores.from_predictions(y, score).bootstrap(name, 20_000, random_state=3)
    error = math.sqrt(expected.var() / 1500 + values.var() / 20_000)
    assert values.mean() == pytest.approx(expected.mean(), abs=4 * error)
    assert values.std() == pytest.approx(expected.std(), rel=4 / math.sqrt(2 * 1500))
    quantiles = np.linspace(0.1, 0.9, 5)
    np.testing.assert_allclose(np.quantile(values, quantiles), np.quantile(expected, quantiles), atol=0.012)


@pytest.mark.parametrize("block_cells", [100, 1000, 10**7])
def test_the_size_of_a_block_changes_no_shape(monkeypatch, block_cells):
    monkeypatch.setattr("skeval.metrics._ranking._BLOCK_CELLS", block_cells)
    values = stored("fawcett2006").bootstrap("rank_loss", 33, random_state=0)
    assert values.shape == (33,)
    total = stored("fawcett2006").bootstrap(lambda r: r.n_positive + r.n_negative, 33, random_state=0)
    assert total.tolist() == [20.0] * 33


def test_replicates_of_one_class_are_nan_and_counted():
    ranked = RankedScores.from_predictions([1, 0, 0, 0, 0, 0, 0, 0], [0.9, 0.3, 0.4, 0.1, 0.2, 0.5, 0.6, 0.7])
    with pytest.warns(UndefinedMeasureWarning, match=r"roc_auc is undefined in \d+ of 4000 replicates"):
        values = ranked.bootstrap("roc_auc", 4000, random_state=0)
    # (7/8)^8 + (1/8)^8 = 0.3436 of them.
    assert np.isnan(values).mean() == pytest.approx(0.3436, abs=4 * math.sqrt(0.3436 * 0.6564 / 4000))


def test_frequency_weights_resample_like_repeated_rows():
    y, score, weight = [0, 1, 1, 0], [0.1, 0.4, 0.35, 0.35], [3, 2, 5, 4]
    weighted = RankedScores.from_predictions(y, score, sample_weight=weight)
    repeated = RankedScores.from_predictions(np.repeat(y, weight), np.repeat(score, weight))
    np.testing.assert_array_equal(
        weighted.bootstrap("roc_auc", 50, random_state=0), repeated.bootstrap("roc_auc", 50, random_state=0)
    )


def test_what_cannot_be_resampled_is_refused():
    fractional = RankedScores.from_predictions([0, 1], [0.1, 0.2], sample_weight=[0.5, 0.5])
    with pytest.raises(ValueError, match="fractional weights are not frequencies, resample the rows"):
        fractional.bootstrap("roc_auc", 5)
    with pytest.raises(ValueError, match="needs whole counts of at least one sample"):
        RankedScores([0.5], [0], [0]).bootstrap("roc_auc", 5)
    ranked = stored("ties")
    with pytest.raises(ValueError, match=r"metric must be one of average_precision, .* got 'auc'"):
        ranked.bootstrap("auc", 5)
    with pytest.raises(ValueError, match=r"metric must be one of average_precision, .* got 'None'"):
        ranked.bootstrap(None, 5)
    with pytest.raises(ValueError, match="n_resamples must be an integer not less than 1"):
        ranked.bootstrap("roc_auc", 0)
    with pytest.raises(ValueError, match=r"metric must return one value per replicate, .* shape \(5,\)"):
        ranked.bootstrap(lambda r: 0.5, 5)
    stack = RankedScores([0.9, 0.1], [[1, 1], [0, 1]], [[0, 1], [1, 1]])
    with pytest.raises(ValueError, match="bootstrap needs single ranked scores, not a stack"):
        stack.bootstrap("roc_auc", 5)


def test_replicates_of_large_data_need_little_memory():
    n = 200_000
    ranked = RankedScores.from_predictions(np.arange(n) % 2, np.random.default_rng(0).random(n))
    tracemalloc.start()
    ranked.bootstrap("roc_auc", 20, random_state=0)
    ranked.bootstrap("average_precision", 20, random_state=0)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 40_000_000  # 100 doubles per sample at 10,000 replicates would be 16 GB

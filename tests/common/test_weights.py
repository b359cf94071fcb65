"""Frequency weights count as repeated rows: metrics and scorers."""

import numpy as np
import pytest

from tests.common.entry import assert_same
from tests.common.lists import METRICS, SCORERS, data, with_property

WEIGHTED = with_property("weights", [*METRICS, *SCORERS], takes="sample_weight")


def _repeated(entry, weights):
    return {name: np.repeat(given.values, weights, axis=0) for name, given in entry.inputs.items()}


@pytest.mark.parametrize("entry", WEIGHTED)
def test_weights_and_repeated_rows_agree(entry):
    expected = entry.numbers(_repeated(entry, data.WEIGHTS))
    assert_same(expected, entry.numbers(sample_weight=data.WEIGHTS), rel=1e-9, what=entry.name)


@pytest.mark.parametrize("entry", WEIGHTED)
def test_a_row_of_weight_zero_is_not_there(entry):
    weights = np.where(np.arange(data.N) % 5 == 0, 0, 1)
    expected = entry.numbers(_repeated(entry, weights))
    assert_same(expected, entry.numbers(sample_weight=weights), rel=1e-9, what=entry.name)


@pytest.mark.parametrize("entry", with_property("bad weights", [*METRICS, *SCORERS], takes="sample_weight"))
@pytest.mark.parametrize(
    "weights",
    [
        pytest.param(np.ones(data.N - 1), id="too few"),
        pytest.param(-np.ones(data.N), id="negative"),
        pytest.param(np.full(data.N, np.nan), id="nan"),
    ],
)
def test_bad_weights_are_refused(entry, weights):
    with pytest.raises(ValueError, match=r"(?i)weight|inconsistent|nan"):
        entry.result(sample_weight=weights)


def test_what_takes_weights_is_here():
    assert {"error_rate", "rank_loss", "log_loss", "MultiScorer", "get_scorer f1"} <= {
        one.values[0].name for one in WEIGHTED
    }

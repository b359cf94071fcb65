"""The order of samples, splits or data sets changes no number, where the definition has none."""

import numpy as np
import pytest

from tests.common.entry import assert_same
from tests.common.lists import with_property


def _reordered(entry, rng):
    """Return the inputs, those of one axis in another order together."""
    orders = {}
    changed = {}
    for name, given in entry.inputs.items():
        if given.axis:
            order = orders.setdefault(given.axis, rng.permutation(len(given.values)))
            changed[name] = given.values[order]
    return changed


@pytest.mark.parametrize(
    "entry",
    [
        one
        for one in with_property("order of the samples")
        if any(given.axis for given in one.values[0].inputs.values())
    ],
)
def test_another_order_gives_the_same_numbers(entry):
    expected = entry.numbers()
    for seed in range(5):
        found = entry.numbers(_reordered(entry, np.random.default_rng(seed)))
        assert_same(expected, found, rel=1e-9, what=entry.name)

"""Other names for the classes change no number, whatever their alphabetical order."""

import numpy as np
import pytest

from tests.common.entry import assert_same, without_labels
from tests.common.forms import relabeled
from tests.common.lists import with_property

_ORDER_KEPT = {0: "bad", 1: "good", 2: "none"}
_ORDER_TURNED = {0: "zz", 1: "mm", 2: "aa"}
_NUMBERS = {0: -7, 1: 40, 2: 300}


def _numbers(entry, names=None):
    """Return the numbers that are no labels."""
    if names is None:
        found = entry.numbers()
    else:
        values = {
            name: np.array([names.get(label, label) for label in given.values.tolist()])
            for name, given in entry.inputs.items()
            if given.kind == "labels" and name != "groups"
        }
        found = entry.numbers(values, **relabeled(dict(entry.options), names.__getitem__))
    return without_labels(found)


@pytest.mark.parametrize("entry", with_property("renamed classes", kinds={"labels"}))
@pytest.mark.parametrize("names", [_ORDER_KEPT, _NUMBERS], ids=["strings", "numbers"])
def test_names_in_the_same_order(entry, names):
    assert_same(_numbers(entry), _numbers(entry, names), rel=1e-9, what=entry.name)


@pytest.mark.parametrize("entry", with_property("order of the classes", kinds={"labels"}))
def test_names_in_another_order(entry):
    assert_same(_numbers(entry), _numbers(entry, _ORDER_TURNED), rel=1e-9, what=entry.name)

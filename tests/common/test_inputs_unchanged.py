"""No call changes what it is given, nor a result by a second call."""

import copy

import numpy as np
import pytest

from tests.common.entry import assert_same
from tests.common.lists import with_property


@pytest.mark.parametrize("entry", with_property("inputs unchanged"))
def test_inputs_and_options_stay_as_they_were(entry):
    values, options = entry.values(), copy.deepcopy(dict(entry.options))
    before = copy.deepcopy(values)
    entry.result(values, **options)
    for name, value in before.items():
        assert np.array_equal(value, values[name]), f"{entry.name} changed {name}"
        assert getattr(getattr(values[name], "flags", None), "writeable", True), f"{entry.name} froze {name}"
    assert options == entry.options


@pytest.mark.parametrize("entry", with_property("inputs unchanged"))
def test_a_result_does_not_follow_later_changes_of_its_input(entry):
    values = entry.values()
    result = entry.result(values)
    before = entry.numbers_of(copy.deepcopy(result))
    for name, value in values.items():
        if isinstance(value, np.ndarray) and entry.inputs[name].kind != "fixed":
            value[...] = value[::-1].copy()
    assert_same(before, entry.numbers_of(result), what=entry.name)


@pytest.mark.parametrize("entry", with_property("inputs unchanged"))
def test_the_same_call_twice_gives_the_same_numbers(entry):
    values = entry.values()
    assert_same(entry.numbers(values), entry.numbers(values), what=entry.name)

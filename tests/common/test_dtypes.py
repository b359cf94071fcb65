"""The type in which labels and numbers are stored changes no number."""

import pytest

from tests.common.entry import assert_same, without_labels
from tests.common.forms import COUNT_DTYPES, LABEL_DTYPES, NUMBER_DTYPES, in_forms
from tests.common.lists import with_property

FORMS = {"labels": LABEL_DTYPES, "numbers": NUMBER_DTYPES, "counts": COUNT_DTYPES}


@pytest.mark.parametrize("entry", with_property("dtype", kinds=set(FORMS)))
def test_every_dtype_gives_the_same_numbers(entry):
    expected = without_labels(entry.numbers())
    for name, values, options in in_forms(entry, FORMS):
        found = without_labels(entry.numbers(values, **options))
        assert_same(expected, found, rel=1e-12, what=f"{entry.name}, {name}")

"""Lists, tuples, arrays of any layout, pandas and polars give the same numbers; positions count."""

import pytest

from tests.common.forms import (
    COUNT_CONTAINERS,
    LABEL_CONTAINERS,
    NUMBER_CONTAINERS,
    ROW_CONTAINERS,
    TABLE_CONTAINERS,
    in_forms,
)
from tests.common.lists import with_property

FORMS = {
    "labels": LABEL_CONTAINERS,
    "numbers": NUMBER_CONTAINERS,
    "counts": COUNT_CONTAINERS,
    "matrix": ROW_CONTAINERS,
    "table": TABLE_CONTAINERS,
}


@pytest.mark.parametrize("entry", with_property("container", kinds=set(FORMS)))
def test_every_container_gives_the_same_numbers(entry):
    # A model adds up rows of another layout in another order, and curves are fitted to its scores.
    close = 1e-7 if "matrix" in entry.kinds() else 1e-12
    expected = [value for _, value in entry.numbers()]
    for name, values, options in in_forms(entry, FORMS):
        found = [value for _, value in entry.numbers(values, **options)]
        assert found == pytest.approx(expected, rel=close, abs=close, nan_ok=True), f"{entry.name}, {name}"

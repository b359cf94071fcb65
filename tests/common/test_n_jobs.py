"""The number of workers changes no bit."""

import pytest

from tests.common.entry import assert_same
from tests.common.lists import with_property


@pytest.mark.parametrize("entry", with_property("n_jobs", takes="n_jobs"))
def test_two_workers_give_the_numbers_of_one(entry):
    assert_same(entry.numbers(n_jobs=1), entry.numbers(n_jobs=2), what=entry.name)

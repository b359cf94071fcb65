"""Calls in several threads at once give what one call gives, to the bit."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.common.entry import assert_same
from tests.common.lists import with_property

N_THREADS = 4


@pytest.mark.parametrize("entry", with_property("threads"))
def test_threads_do_not_disturb_each_other(entry):
    expected, values = entry.numbers(), entry.values()
    together = threading.Barrier(N_THREADS)

    def call(_):
        together.wait()
        return entry.numbers(values)

    with ThreadPoolExecutor(N_THREADS) as pool:
        for found in pool.map(call, range(N_THREADS)):
            assert_same(expected, found, what=entry.name)

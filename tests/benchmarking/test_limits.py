"""A fit runs on one thread, within its time, and its warnings are its own."""

import subprocess
import sys
import threading
import time
import warnings

import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from skeval.benchmarking._limits import FitTimeoutError, one_thread, recorder, run_limited


def thread_counts():
    return [library["num_threads"] for library in threadpool_info()]


def test_one_thread_inside_and_as_before_outside():
    with threadpool_limits(2):
        before = thread_counts()
        with one_thread:
            assert set(thread_counts()) == {1}
        assert thread_counts() == before


def test_a_task_that_ends_leaves_the_others_on_one_thread():
    def task():
        with one_thread:
            pass

    with threadpool_limits(2):
        before = thread_counts()
        with one_thread:
            thread = threading.Thread(target=task)
            thread.start()
            thread.join()
            assert set(thread_counts()) == {1}
        assert thread_counts() == before


def test_warnings_of_threads_are_kept_apart():
    caught = {}

    def work(name):
        with recorder:
            for _ in range(20):
                warnings.warn(name, UserWarning, stacklevel=1)
                time.sleep(0.001)
            caught[name] = [str(one.message) for one in recorder.caught]

    threads = [threading.Thread(target=work, args=(name,)) for name in ("a", "b", "c")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert caught == {name: [name] * 20 for name in "abc"}


def test_a_warning_is_an_error_again_afterwards():
    with recorder:
        warnings.warn("kept", UserWarning, stacklevel=1)
    with pytest.raises(UserWarning, match="not kept"):
        warnings.warn("not kept", UserWarning, stacklevel=1)


def spin(seconds):
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        time.sleep(0.001)
    return "done"


def test_too_long_is_interrupted():
    start = time.perf_counter()
    with pytest.raises(FitTimeoutError, match=r"time limit of 0\.05 s"):
        run_limited(lambda: spin(10), 0.05)
    assert time.perf_counter() - start < 5


def test_a_function_that_takes_failures_for_results_is_interrupted_too():
    def careless():
        try:
            spin(10)
        except Exception:
            return "swallowed"

    with pytest.raises(FitTimeoutError, match="time limit"):
        run_limited(careless, 0.05)


def test_in_time_is_left_alone():
    assert run_limited(lambda: spin(0.01), 10) == "done"
    assert run_limited(lambda: spin(0.01), None) == "done"


@pytest.mark.parametrize("limit", [10, 0.05])
def test_a_debugger_can_go_on_after_a_limited_fit(limit):
    # In a process of its own: Python 3.11 traces a call for ever where an interruption was taken back.
    script = f"""
import sys, time
from skeval.benchmarking._limits import FitTimeoutError, run_limited

def steps():
    return sum(step for step in range(3))

def work():
    end = time.perf_counter() + 0.2
    while time.perf_counter() < end:
        pass

sys.settrace(lambda *_: None)
try:
    run_limited(work, {limit})
except FitTimeoutError:
    print("too long")
print(steps())
"""
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert (run.stdout.split("\n"), run.stderr) == (["too long"] * (limit < 1) + ["3", ""], "")


class LateTimer:
    """Is due just when it is called off."""

    def __init__(self, _, function):
        self.thread = threading.Thread(target=function)

    def start(self):
        pass

    def cancel(self):
        self.thread.start()
        self.thread.join()


def test_a_timer_that_is_due_after_the_end_interrupts_nothing(monkeypatch):
    monkeypatch.setattr(threading, "Timer", LateTimer)
    assert run_limited(lambda: spin(0.001), 10) == "done"


@pytest.fixture
def threads_in_turn():
    """Threads take turns a hundred times as often, so that an interruption comes when it is due."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(before / 100)
    yield
    sys.setswitchinterval(before)


def test_no_interruption_comes_after_the_end(threads_in_turn):
    ends = []
    for microseconds in range(1000, 3000, 7):  # from well before the end to well after it
        try:
            ends.append(run_limited(lambda: spin(0.002), microseconds / 1e6))
        except FitTimeoutError:
            ends.append("too long")
    time.sleep(0.05)
    assert set(ends) == {"done", "too long"}

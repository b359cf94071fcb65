"""A run that is killed at any moment and run again gives what an undisturbed run gives, to the bit."""

import collections
import contextlib
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import joblib
import pytest

from skeval.benchmarking import BenchmarkResult, StoreBusyError
from skeval.benchmarking._task import start_worker
from tests.benchmarking.helpers import logged_experiment

ROOT = Path(__file__).parent.parent.parent
# A suite that a shell started in the background ignores Ctrl-C, and so would what it starts.
SCRIPT = """
import signal
import sys
from tests.benchmarking.helpers import logged_experiment
signal.signal(signal.SIGINT, signal.default_int_handler)
logged_experiment(sys.argv[1]).run(store=sys.argv[2], n_jobs=int(sys.argv[3]), wait=60)
"""
N_TASKS = 240


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "log").touch()
    return tmp_path


def start(folder, n_jobs=1, pause=0.004):
    return subprocess.Popen(
        [sys.executable, "-c", SCRIPT, folder / "log", folder / "results.db", str(n_jobs)],
        cwd=ROOT,
        env=os.environ | {"SKEVAL_TEST_PAUSE": str(pause)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )


def lines(folder):
    return (folder / "log").read_text(encoding="utf-8").splitlines()


def wait_for(condition, run):
    end = time.monotonic() + 120
    while not condition():
        assert run.poll() is None, run.communicate()[0]
        assert time.monotonic() < end, "the run does not come on"
        time.sleep(0.002)


def columns(path):
    """Return what must not depend on interruptions, read without the library."""
    with sqlite3.connect(path) as connection:
        rows = connection.execute(
            "SELECT key, dataset, estimator, split, split_key, seed, scores, cells, error_type FROM task "
            "ORDER BY dataset, estimator, split"
        ).fetchall()
    connection.close()
    return rows


def kill_and_resume(folder, n_kills, n_jobs, seed):
    """Kill a run at so many random moments, each time resumed; check it against one that was not."""
    rng = random.Random(seed)
    targets = sorted(rng.sample(range(5, N_TASKS - 30), n_kills))
    for target in targets:
        run = start(folder, n_jobs)
        wait_for(lambda target=target: len(lines(folder)) >= target, run)
        time.sleep(rng.random() * 0.02)
        os.kill(run.pid, signal.SIGKILL)
        run.communicate(timeout=60)  # its workers hold the pipe: they must end, too
    last = start(folder, n_jobs)
    told, _ = last.communicate(timeout=300)
    assert last.returncode == 0, told
    times = collections.Counter(lines(folder))
    assert len(times) == N_TASKS
    twice = sum(times.values()) - N_TASKS

    whole = folder / "undisturbed"
    whole.mkdir()
    (folder / "undisturbed" / "log").touch()
    experiment = logged_experiment(folder / "log")  # the log is a parameter, so part of the key
    experiment.run(store=whole / "results.db")
    assert columns(folder / "results.db") == columns(whole / "results.db")
    return twice


def test_killed_at_two_random_moments(folder):
    twice = kill_and_resume(folder, 2, 1, seed=0)
    assert twice <= 2  # one task is in flight at a time


@pytest.mark.slow
def test_killed_at_ten_random_moments_with_two_workers(folder):
    twice = kill_and_resume(folder, 10, 2, seed=1)
    assert twice <= 10 * 2 * 2  # two workers, each with a task and one handed out


@pytest.mark.parametrize(("offset", "is_left"), [(0, False), (1, True)])
def test_a_worker_that_begins_when_its_run_is_gone_ends(offset, is_left):
    options = {
        "n_jobs": 2,
        "backend": "loky",
        "initializer": start_worker,
        "initargs": (os.getpid() + offset,),
    }
    try:
        parallel = joblib.Parallel(**options)
    except TypeError:
        pytest.skip("this joblib has no initializer")
    with pytest.raises(BrokenProcessPool) if is_left else contextlib.nullcontext():
        parallel(joblib.delayed(abs)(number) for number in range(4))


def test_no_other_run_gets_in_and_readers_do(folder):
    run = start(folder)
    wait_for(lambda: len(lines(folder)) > 20, run)
    with pytest.raises(StoreBusyError, match=f"process {run.pid} on "):
        logged_experiment(folder / "log").run(store=folder / "results.db")
    assert 0 < BenchmarkResult.load(folder / "results.db").n_done < N_TASKS
    told, _ = run.communicate(timeout=120)
    assert run.returncode == 0, told
    assert BenchmarkResult.load(folder / "results.db").n_done == N_TASKS


def test_two_runs_at_once_share_the_work_in_turn(folder):
    runs = [start(folder) for _ in range(2)]
    for run in runs:
        told, _ = run.communicate(timeout=120)
        assert run.returncode == 0, told
    assert len(lines(folder)) == N_TASKS  # the second waited and found all done


def test_ctrl_c_stops_and_leaves_no_worker(folder):
    run = start(folder, n_jobs=2, pause=0.1)  # too long to end before the signal comes
    wait_for(lambda: len(lines(folder)) > 20, run)
    os.killpg(run.pid, signal.SIGINT)
    told, _ = run.communicate(timeout=60)  # ends only when every process that holds the pipe has
    assert "KeyboardInterrupt" in told
    assert run.returncode != 0
    result = BenchmarkResult.load(folder / "results.db")
    assert 0 < result.n_done < N_TASKS
    assert result.n_failed == 0

"""The store: what is written stays, whatever happens to the process, the disk or the file."""

import gc
import json
import math
import os
import sqlite3
import threading
import time

import pytest

from skeval import exceptions
from skeval.benchmarking import BenchmarkResult, StoreBusyError, StoreError, _lock, _store
from skeval.benchmarking._lock import is_running
from skeval.benchmarking._store import Plan, Store
from skeval.benchmarking._task import Outcome, environment

DESIGN = {
    "metrics": ["accuracy"],
    "estimators": [{"name": "tree", "repr": "Tree()"}],
    "datasets": [
        {
            "name": "iris",
            "n_samples": 10,
            "n_features": 2,
            "n_splits": 4,
            "classes": [0, 1],
            "pos_label": None,
            "time_ordered": False,
            "cv": "",
        }
    ],
    "random_state": 0,
}


def plans(count=4):
    return [
        Plan(f"key {n}", n, "iris", "data", "tree", "est", n, f"split {n}", 8, 2, n) for n in range(count)
    ]


def outcome(number, **fields):
    fields = {"scores": {"accuracy": number / 7}, "cells": [0, 0, 1, 1, 1, 1], "fit_time": 0.1} | fields
    return Outcome(f"key {number}", environment=environment(), **fields)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "results.db"


@pytest.fixture
def filled(path):
    with Store(path, write=True) as store:
        store.begin(DESIGN, plans())
        store.record(outcome(0))
        store.record(outcome(2))
    return path


def test_the_errors_are_those_that_users_find_beside_the_other_exceptions():
    assert StoreError is exceptions.StoreError
    assert StoreBusyError is exceptions.StoreBusyError


def test_scores_come_back_to_the_last_bit(path):
    values = [1 / 3, 0.1 + 0.2, math.inf, -math.inf, 5e-324, 1.0]
    names = [f"metric {n}" for n in range(len(values))]
    with Store(path, write=True) as store:
        store.begin(DESIGN | {"metrics": [*names, "undefined"]}, plans())
        store.record(outcome(0, scores=dict(zip(names, values, strict=True)) | {"undefined": math.nan}))
    frame = BenchmarkResult.load(path).frame()
    assert frame.loc[0, names].tolist() == values
    assert math.isnan(frame.loc[0, "undefined"])


def test_every_row_is_there_when_the_file_is_opened_again(filled):
    result = BenchmarkResult.load(filled)
    assert (result.n_done, result.n_pending) == (2, 2)
    assert result.frame().status.tolist() == ["done", "pending", "done", "pending"]


def test_the_scores_can_be_queried_by_any_sqlite(filled):
    with sqlite3.connect(filled) as connection:
        (score,) = connection.execute(
            "SELECT json_extract(scores, '$.accuracy') FROM task WHERE key = 'key 2'"
        ).fetchone()
    connection.close()
    assert score == 2 / 7


def test_a_finished_store_is_one_file_beside_its_lock(filled):
    BenchmarkResult.load(filled)
    assert sorted(os.listdir(filled.parent)) == ["results.db", "results.db.lock"]


def test_a_failure_is_a_row_with_its_error(path):
    with Store(path, write=True) as store:
        store.begin(DESIGN, plans())
        store.record(
            outcome(1, scores={}, cells=None, error_type="E", error_message="no", traceback="Traceback")
        )
    failures = BenchmarkResult.load(path).failures()
    assert failures.to_dict("records") == [
        {
            "dataset": "iris",
            "estimator": "tree",
            "split": 1,
            "error_type": "E",
            "error_message": "no",
            "traceback": "Traceback",
        }
    ]


def test_reading_goes_on_while_a_run_writes(filled):
    with Store(filled, write=True) as store:
        store.begin(DESIGN, plans())
        assert is_running(filled)
        assert BenchmarkResult.load(filled).n_done == 2
        store.record(outcome(3))
        assert BenchmarkResult.load(filled).n_done == 3
    assert not is_running(filled)


def test_a_second_run_is_refused_with_the_process_that_has_the_store(filled):
    with Store(filled, write=True) as store:
        store.begin(DESIGN, plans())
        with pytest.raises(StoreBusyError, match=rf"process {os.getpid()} on .*wait=SECONDS"):
            Store(filled, write=True)
    Store(filled, write=True).close()


def test_a_second_run_is_refused_before_the_first_has_made_the_store(path):
    lock = _lock.take_lock(path, 0, lambda: "")
    with pytest.raises(StoreBusyError, match=r"Another run writes into \S+: let it end.*wait=SECONDS"):
        Store(path, write=True)
    lock.close()
    Store(path, write=True).close()


def test_a_second_run_can_wait(filled):
    first = Store(filled, write=True)
    got_in = []

    def second():
        with Store(filled, write=True, wait=60):
            got_in.append(time.monotonic())

    thread = threading.Thread(target=second)
    thread.start()
    time.sleep(0.3)
    assert got_in == []
    closing = time.monotonic()
    first.close()
    assert time.monotonic() - closing < 10  # who waits does not hold up the run that ends
    thread.join()
    assert len(got_in) == 1


def unchanged(file, action, match):
    before = file.read_bytes()
    with pytest.raises(StoreError, match=match):
        action()
    assert file.read_bytes() == before
    assert os.listdir(file.parent) == [file.name]


@pytest.mark.parametrize("write", [True, False])
def test_a_text_file_is_refused_and_left_alone(path, write):
    path.write_text("data set,tree\niris,0.9\n" * 50, encoding="utf-8")
    unchanged(path, lambda: Store(path, write=write), "no SQLite file; nothing was changed")


@pytest.mark.parametrize("write", [True, False])
def test_a_database_of_another_program_is_refused_and_left_alone(path, write):
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE songs (title TEXT)")
    connection.close()
    unchanged(path, lambda: Store(path, write=write), "another program, not a store; nothing was changed")


@pytest.mark.parametrize(("version", "age"), [(99, "a newer"), (0, "an older")])
@pytest.mark.parametrize("write", [True, False])
def test_a_store_of_another_version_is_refused_and_left_alone(filled, version, age, write):
    with sqlite3.connect(filled) as connection:
        connection.execute(f"PRAGMA user_version = {version}")
    connection.close()
    os.remove(_lock._lock_path(filled))
    unchanged(filled, lambda: Store(filled, write=write), f"{age} skeval .*nothing was changed")


def test_a_folder_is_refused(tmp_path):
    with pytest.raises(StoreError, match="must be a file"):
        Store(tmp_path, write=True)


def test_a_file_that_is_not_there_cannot_be_read(path):
    with pytest.raises(StoreError, match="There is no store"):
        Store(path, write=False)
    assert not path.exists()


def test_a_folder_that_is_not_there_or_is_a_file(tmp_path):
    (tmp_path / "file").write_text("", encoding="utf-8")
    for folder in ("missing", "file"):
        with pytest.raises(StoreError, match="the folder is not there or cannot be written"):
            Store(tmp_path / folder / "results.db", write=True)


def test_an_empty_file_becomes_a_store_but_is_none_to_read(path):
    path.touch()
    with pytest.raises(StoreError, match="holds no results yet"):
        Store(path, write=False)
    Store(path, write=True).close()


def test_a_store_that_was_made_and_never_used_holds_no_results(path):
    Store(path, write=True).close()
    with pytest.raises(StoreError, match="holds no results yet"):
        BenchmarkResult.load(path)


def test_a_database_that_cannot_be_written_is_told_and_read(filled, monkeypatch):
    connect = sqlite3.connect

    def read_only(file, **options):
        if str(file) == str(filled):
            return connect(f"file:{file}?mode=ro", uri=True, **options)
        return connect(file, **options)

    monkeypatch.setattr(_store.sqlite3, "connect", read_only)
    before = filled.read_bytes()
    with pytest.raises(StoreError, match="cannot be written; nothing was changed"):
        Store(filled, write=True)
    assert filled.read_bytes() == before
    assert BenchmarkResult.load(filled).n_done == 2


def test_a_store_in_a_folder_that_cannot_be_written_is_read(filled, monkeypatch):
    class NoRoomForALog:
        def execute(self, _):
            raise sqlite3.OperationalError("unable to open database file")

        def close(self):
            pass

    def read_only(file, *, immutable=False, **options):
        return _lock.read_only(file, immutable=True, **options) if immutable else NoRoomForALog()

    monkeypatch.setattr(_store, "read_only", read_only)
    assert BenchmarkResult.load(filled).n_done == 2


def test_a_run_that_is_cut_short_while_it_is_written_down_changes_nothing(filled):
    def cut_short():
        yield plans()[1]
        raise KeyboardInterrupt

    with Store(filled, write=True) as store:
        store.begin(DESIGN, plans())
        with pytest.raises(KeyboardInterrupt):
            store.begin(DESIGN, cut_short())
        assert set(store.done()) == {"key 0", "key 2"}
        store.begin(DESIGN, plans())


def test_a_collector_of_garbage_that_is_off_stays_off(filled):
    gc.disable()
    try:
        BenchmarkResult.load(filled)
        assert not gc.isenabled()
    finally:
        gc.enable()
    BenchmarkResult.load(filled)
    assert gc.isenabled()


def test_a_full_disk_is_told_and_what_was_written_stays(path):
    n_tasks = 200
    design = json.loads(json.dumps(DESIGN))
    design["datasets"][0]["n_splits"] = n_tasks
    with Store(path, write=True) as store:
        store.begin(design, plans(n_tasks))
        (pages,) = store._connection.execute("PRAGMA page_count").fetchone()
        store._connection.execute(f"PRAGMA max_page_count = {pages + 5}")

        def fill():
            for number in range(n_tasks):
                store.record(outcome(number, error_type="E", error_message="x", traceback="t" * 3000))

        with pytest.raises(StoreError, match=r"the disk is full\. What was written before is kept"):
            fill()
        written = len(store.done())
    assert 0 < written < n_tasks
    with sqlite3.connect(path) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()
    assert BenchmarkResult.load(path).n_failed == written


def test_the_tasks_of_an_earlier_design_are_kept_but_not_shown(filled):
    other = [plan._replace(key=f"other {plan.position}") for plan in plans()]
    with Store(filled, write=True) as store:
        store.begin(DESIGN, other)
        assert store.done() == {}
    with Store(filled, write=True) as store:
        store.begin(DESIGN, plans())
        assert store.done() == {"key 0": False, "key 2": False}


def test_in_memory():
    with Store(None, write=True) as store:
        store.begin(DESIGN, plans())
        store.record(outcome(0))
        assert store.done() == {"key 0": False}

"""Results on disk: one SQLite file, a row per task, written as each task ends."""

from __future__ import annotations

import gc
import json
import math
import os
import platform
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from skeval.benchmarking._lock import explain, read_only, take_lock
from skeval.benchmarking._task import Outcome
from skeval.exceptions import StoreError

APPLICATION_ID = 0x736B6576  # "skev": how other programs know the file
SCHEMA_VERSION = 1

# position: place in the design of the last run; NULL where that design lacks the task.
_SCHEMA = """
CREATE TABLE info (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE run (
    id INTEGER PRIMARY KEY, pid INTEGER NOT NULL, host TEXT NOT NULL, started TEXT NOT NULL, finished TEXT);
CREATE TABLE environment (id INTEGER PRIMARY KEY, versions TEXT NOT NULL UNIQUE);
CREATE TABLE task (
    key TEXT NOT NULL UNIQUE, position INTEGER,
    dataset TEXT NOT NULL, dataset_key TEXT NOT NULL,
    estimator TEXT NOT NULL, estimator_key TEXT NOT NULL,
    split INTEGER NOT NULL, split_key TEXT NOT NULL,
    n_train INTEGER NOT NULL, n_test INTEGER NOT NULL, seed INTEGER NOT NULL,
    scores TEXT, cells TEXT, fit_time REAL, score_time REAL, warnings TEXT,
    error_type TEXT, error_message TEXT, traceback TEXT,
    environment INTEGER REFERENCES environment (id), finished TEXT);
"""

PLANNED = (
    "key",
    "position",
    "dataset",
    "dataset_key",
    "estimator",
    "estimator_key",
    "split",
    "split_key",
    "n_train",
    "n_test",
    "seed",
)
FOUND = (
    "scores",
    "cells",
    "fit_time",
    "score_time",
    "warnings",
    "error_type",
    "error_message",
    "traceback",
    "environment",
    "finished",
)
# Column as read: expression. Text of failures and warnings is read apart: few tasks have any.
_READ = {
    name: name
    for name in ("key", "split_key", "n_train", "n_test", "seed", "scores", "cells", "fit_time", "score_time")
} | {"environment": "environment", "status": "(finished IS NOT NULL) + (error_type IS NOT NULL)"}
_READ_EVENTS = {name: name for name in ("position", "error_type", "error_message", "traceback", "warnings")}
PENDING, DONE, FAILED = 0, 1, 2
_INSERT = (
    f"INSERT INTO task ({', '.join(PLANNED)}) VALUES ({', '.join('?' * len(PLANNED))}) "
    "ON CONFLICT (key) DO UPDATE SET position = excluded.position"
)
_RECORD = f"UPDATE task SET {', '.join(f'{name} = ?' for name in FOUND)} WHERE key = ?"
_FORGET = f"UPDATE task SET {', '.join(f'{name} = NULL' for name in FOUND)} WHERE key = ?"


class Plan(NamedTuple):
    """A planned task, in the order of the columns of the store."""

    key: str
    position: int
    dataset: str
    dataset_key: str
    estimator: str
    estimator_key: str
    split: int
    split_key: str
    n_train: int
    n_test: int
    seed: int


class Store:
    """An open store.

    Parameters
    ----------
    path : path or None
        None: in memory.
    write : bool
        True: make it if it is not there, and keep other runs out until `close`.
    wait : float
        Seconds to wait for another run to end.
    """

    def __init__(self, path: Any = None, *, write: bool, wait: float = 0.0) -> None:
        self.path = None if path is None else Path(path)
        self._lock: sqlite3.Connection | None = None
        self._environments: dict[str, int] = {}
        self._connection = sqlite3.connect(":memory:", isolation_level=None)
        try:
            self._open(write, wait)
        except BaseException:
            self.close()
            raise

    def _open(self, write: bool, wait: float) -> None:
        if self.path is not None:
            with self._telling("open"):
                self._look(self.path, write)
            if not write:
                return
            self._connection.close()  # a reader would keep the run that it waits for from ending
            self._lock = take_lock(self.path, wait, self._owner)
        with self._telling("write into"):
            if self.path is not None:
                self._use(sqlite3.connect(self.path, isolation_level=None, timeout=30))
            is_new = not self._is_store()
            self._connection.execute("PRAGMA journal_mode = WAL")  # readers read while a run writes
            self._connection.execute("PRAGMA synchronous = NORMAL")
            if is_new:
                self._create()

    def _look(self, path: Path, write: bool) -> None:
        """Open a file to read; also before it is written, so that one that is no store is left alone."""
        if path.exists():
            self._use(self._connect_to_read(path))
            if not self._is_store() and not write:
                raise StoreError(f"{path} holds no results yet.")
        elif not write:
            raise StoreError(f"There is no store {path}.")

    def _use(self, connection: sqlite3.Connection) -> None:
        self._connection.close()
        self._connection = connection

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file and let other runs in."""
        if self._lock is not None:
            with suppress(sqlite3.Error):  # a reader is there: the log stays beside the file
                self._connection.execute("PRAGMA busy_timeout = 1000")
                self._connection.execute("PRAGMA journal_mode = DELETE")
        self._connection.close()
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def _connect_to_read(self, path: Path) -> sqlite3.Connection:
        if not path.is_file():
            raise StoreError(f"The store must be a file, but {path} is a folder.")
        connection = read_only(path)
        try:
            connection.execute("SELECT count(*) FROM sqlite_master")
        except sqlite3.Error as error:
            connection.close()
            if _has_log(path) or not isinstance(error, sqlite3.OperationalError):
                raise
            # A folder that cannot be written: SQLite may not put its log beside the file.
            connection = read_only(path, immutable=True)
        return connection

    def _owner(self) -> str:
        """Say who has the lock."""
        try:
            with Store(self.path, write=False) as store:
                run = store.last_run()
        except StoreError:
            return ""
        return f" (process {run['pid']} on {run['host']}, since {run['started']})" if run["pid"] else ""

    def _is_store(self) -> bool:
        """Say whether the file is a store of this version (an empty one is none yet); refuse any other."""
        (found,) = self._connection.execute("PRAGMA application_id").fetchone()
        (version,) = self._connection.execute("PRAGMA user_version").fetchone()
        (n_tables,) = self._connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if not n_tables and found in (0, APPLICATION_ID):
            return False
        if found != APPLICATION_ID:
            raise StoreError(
                f"{self.path} is a database of another program, not a store; nothing was changed."
            )
        if version != SCHEMA_VERSION:
            age = "a newer" if version > SCHEMA_VERSION else "an older"
            raise StoreError(
                f"{self.path} was written by {age} skeval (store version {version}, this one uses "
                f"{SCHEMA_VERSION}): use that version, or another file; nothing was changed."
            )
        return True

    def _create(self) -> None:
        self._connection.executescript(
            f"BEGIN IMMEDIATE; PRAGMA application_id = {APPLICATION_ID}; "
            f"PRAGMA user_version = {SCHEMA_VERSION}; {_SCHEMA} COMMIT;"
        )

    @contextmanager
    def _telling(self, what: str) -> Iterator[None]:
        """Say what an error of SQLite means."""
        try:
            yield
        except sqlite3.Error as error:
            raise StoreError(f"Cannot {what} the store {self.path}: {explain(error)}") from error

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """Change all or nothing."""
        with self._telling("write into"):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    def begin(self, design: Mapping[str, Any], plans: Iterable[Plan]) -> None:
        """Write down a run that begins: its design, and its tasks where they are new."""
        with self._transaction() as connection:
            connection.execute("UPDATE task SET position = NULL WHERE position IS NOT NULL")
            connection.executemany(_INSERT, plans)
            connection.execute("INSERT OR REPLACE INTO info VALUES ('design', ?)", [json.dumps(design)])
            connection.execute(
                "INSERT INTO run (pid, host, started) VALUES (?, ?, ?)",
                [os.getpid(), platform.node(), _now()],
            )

    def forget(self, keys: Iterable[str]) -> None:
        """Drop what was found for these tasks."""
        with self._transaction() as connection:
            connection.executemany(_FORGET, [(key,) for key in keys])

    def record(self, outcome: Outcome) -> None:
        """Write the row of a task that has ended."""
        with self._transaction() as connection:
            number = self._environment(outcome.environment)
            cells = None if outcome.cells is None else json.dumps(outcome.cells, separators=(",", ":"))
            failed = outcome.error_type is not None
            connection.execute(
                _RECORD,
                (
                    None if failed else _dump_scores(outcome.scores),
                    cells,
                    outcome.fit_time,
                    outcome.score_time,
                    json.dumps(outcome.warnings) if outcome.warnings else None,
                    outcome.error_type,
                    outcome.error_message,
                    outcome.traceback,
                    number,
                    _now(),
                    outcome.key,
                ),
            )

    def _environment(self, versions: str) -> int:
        if versions not in self._environments:
            self._connection.execute("INSERT OR IGNORE INTO environment (versions) VALUES (?)", [versions])
            (number,) = self._connection.execute(
                "SELECT id FROM environment WHERE versions = ?", [versions]
            ).fetchone()
            self._environments[versions] = number
        return self._environments[versions]

    def finish(self) -> None:
        """Write down that the run has ended."""
        with self._transaction() as connection:
            connection.execute("UPDATE run SET finished = ? WHERE id = (SELECT max(id) FROM run)", [_now()])

    def done(self) -> dict[str, bool]:
        """Return, of the tasks of the last run that have ended, whether each failed."""
        with self._telling("read"):
            rows = self._connection.execute(
                "SELECT key, error_type IS NOT NULL FROM task "
                "WHERE position IS NOT NULL AND finished IS NOT NULL"
            )
            return {key: bool(failed) for key, failed in rows}

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Read several things as they are at one moment, whatever a run writes meanwhile."""
        self._connection.execute("BEGIN")
        try:
            yield
        finally:
            self._connection.execute("COMMIT")

    def design(self) -> dict[str, Any]:
        """Return the design of the last run."""
        with self._telling("read"):
            row = self._connection.execute("SELECT value FROM info WHERE name = 'design'").fetchone()
        if row is None:
            raise StoreError(f"{self.path} holds no results yet.")
        design: dict[str, Any] = json.loads(row[0])
        return design

    def columns(self) -> dict[str, tuple[Any, ...]]:
        """Return the tasks of the last run by column, in the order of its design."""
        return self._columns(_READ, "")

    def events(self) -> dict[str, tuple[Any, ...]]:
        """Return the tasks that failed or warned, by column."""
        return self._columns(_READ_EVENTS, "AND (error_type IS NOT NULL OR warnings IS NOT NULL)")

    def _columns(self, names: Mapping[str, str], condition: str) -> dict[str, tuple[Any, ...]]:
        query = f"SELECT {', '.join(names.values())} FROM task WHERE position IS NOT NULL {condition} "
        with self._telling("read"), collection_paused():
            rows = self._connection.execute(query + "ORDER BY position").fetchall()
            return dict(zip(names, zip(*rows, strict=True) if rows else ((),) * len(names), strict=True))

    def environments(self) -> dict[int, dict[str, Any]]:
        """Return the versions that tasks ran on, by number."""
        with self._telling("read"):
            rows = self._connection.execute("SELECT id, versions FROM environment ORDER BY id").fetchall()
        return {number: json.loads(versions) for number, versions in rows}

    def last_run(self) -> dict[str, Any]:
        """Return process, host, start and end of the last run."""
        with self._telling("read"):
            row = self._connection.execute(
                "SELECT pid, host, started, finished FROM run ORDER BY id DESC LIMIT 1"
            ).fetchone()
        return dict(zip(("pid", "host", "started", "finished"), row or (None,) * 4, strict=True))


@contextmanager
def collection_paused() -> Iterator[None]:
    """Spare the garbage collector a look at every one of many rows while they are read."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _has_log(path: Path) -> bool:
    log = path.with_name(path.name + "-wal")
    return log.exists() and log.stat().st_size > 0


def _dump_scores(scores: Mapping[str, float]) -> str:
    """Write scores as JSON, so that they come back to the last bit."""
    return "{" + ", ".join(f"{json.dumps(name)}: {_number(score)}" for name, score in scores.items()) + "}"


def _number(score: float) -> str:
    if math.isnan(score):
        return "null"
    # JSON has no infinity; this number is read as one.
    return repr(score) if math.isfinite(score) else f"{'-' if score < 0 else ''}1e999"


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")

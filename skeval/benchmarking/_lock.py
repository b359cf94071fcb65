"""Who may write into a store: one run at a time, by a lock that the system gives back."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

from skeval.exceptions import StoreBusyError, StoreError

_LOCK = ".lock"
_COMPANIONS = ("", "-wal", "-shm", "-journal", _LOCK)  # what belongs to a database: its name with an ending


def take_lock(path: Path, wait: float, owner: Callable[[], str]) -> sqlite3.Connection:
    """Keep other runs out; the system gives the lock back however this process ends.

    The lock is an exclusive transaction on an empty file beside the store, so that readers
    of the store are not kept out. The file stays: to delete it would let two runs in.

    Parameters
    ----------
    path : Path
        The store.
    wait : float
        Seconds to wait for another run.
    owner : callable
        Says in words who has the lock.
    """
    deadline = time.monotonic() + wait
    while True:
        connection = None
        try:
            connection = sqlite3.connect(_lock_path(path), isolation_level=None, timeout=0)
            connection.execute("BEGIN EXCLUSIVE")
            return connection
        except sqlite3.Error as error:
            if connection is not None:
                connection.close()
            if "locked" not in str(error):
                raise StoreError(f"Cannot write into the store {path}: {explain(error)}") from error
            if time.monotonic() >= deadline:
                raise StoreBusyError(
                    f"Another run writes into {path}{owner()}: let it end, wait for it with wait=SECONDS, "
                    "or use another store."
                ) from None
        time.sleep(min(0.2, max(0.0, deadline - time.monotonic())))


def is_running(path: Path) -> bool:
    """Say whether a run holds the store now."""
    lock = _lock_path(path)
    if not lock.exists():
        return False
    connection = read_only(lock, timeout=0)
    try:
        connection.execute("SELECT count(*) FROM sqlite_master")
    except sqlite3.OperationalError as error:
        return "locked" in str(error)
    finally:
        connection.close()
    return False


def _lock_path(path: Path) -> Path:
    return path.with_name(path.name + _LOCK)


def refuse_database(path: Path) -> None:
    """Refuse to write a file in the place of an SQLite database, its log or its lock."""
    real = path.resolve()
    for ending in _COMPANIONS:
        owner = real.parent / real.name.removesuffix(ending)
        if owner.is_file() and _begins_as_database(owner):
            raise ValueError(
                f"{path} is a database or belongs to one, such as a store of results: name another file for "
                "the report."
            )


def _begins_as_database(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(16) == b"SQLite format 3\0"


def read_only(path: Path, *, timeout: float = 5, immutable: bool = False) -> sqlite3.Connection:
    """Open a database without writing; immutable: as a file that nobody changes."""
    options = "mode=ro&immutable=1" if immutable else "mode=ro"
    uri = f"file:{quote(str(path.absolute()))}?{options}"
    return sqlite3.connect(uri, uri=True, isolation_level=None, timeout=timeout)


_EXPLANATIONS = {
    "not a database": "it is no SQLite file; nothing was changed",
    "disk is full": "the disk is full. What was written before is kept: make room and run again",
    "readonly": "it cannot be written; nothing was changed",
    "unable to open": "the folder is not there or cannot be written",
    "disk I/O": "the disk failed or is full. What was written before is kept",
    "malformed": "the file is damaged",
}


def explain(error: sqlite3.Error) -> str:
    """Say what an error of SQLite means."""
    text = str(error)
    told = next((words for mark, words in _EXPLANATIONS.items() if mark in text), None)
    return f"{text}." if told is None else f"{told} ({text})."

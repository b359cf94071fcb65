"""What surrounds a fit: one thread of linear algebra, warnings kept apart, limits of time and memory."""

from __future__ import annotations

import ctypes
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

from threadpoolctl import ThreadpoolController

T = TypeVar("T")


class FitTimeoutError(TimeoutError):
    """A fit took longer than its time limit."""


class FitMemoryError(MemoryError):
    """A fit needed more memory than its limit."""


class _Interruption(BaseException):
    """Not an Exception: a search that takes failed fits for nan must not swallow it."""


class _Shared:
    """State of the process that tasks in several threads share: the first sets it, the last restores it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._n_inside = 0

    def __enter__(self) -> None:
        with self._lock:
            self.enter(self._n_inside == 0)
            self._n_inside += 1

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._n_inside -= 1
            if not self._n_inside:
                self.leave()

    def enter(self, first: bool) -> None:
        raise NotImplementedError

    def leave(self) -> None:
        raise NotImplementedError


class _OneThread(_Shared):
    """One thread for BLAS and OpenMP: sums of several threads differ in the last bits."""

    def enter(self, first: bool) -> None:
        # OpenMP's limit belongs to a thread, BLAS' to the process: each task sets both.
        limit = _controller(len(sys.modules)).limit(limits=1)
        if first:
            self._limit = limit

    def leave(self) -> None:
        self._limit.restore_original_limits()


class _Recorder(_Shared):
    """Warnings of each thread go to a list of its own: `warnings.catch_warnings` mixes threads up."""

    def __init__(self) -> None:
        super().__init__()
        self._local = threading.local()

    def enter(self, first: bool) -> None:
        if first:
            self._before = warnings.catch_warnings()
            self._before.__enter__()
            self._show = warnings.showwarning
            warnings.simplefilter("always")
            warnings.showwarning = self._keep  # type: ignore[assignment]
        self._local.caught = []

    def __exit__(self, *_: object) -> None:
        self._local.caught = None
        super().__exit__()

    def leave(self) -> None:
        self._before.__exit__(None, None, None)

    @property
    def caught(self) -> list[warnings.WarningMessage]:
        """Warnings of this thread since it entered."""
        found: list[warnings.WarningMessage] = getattr(self._local, "caught", None) or []
        return found

    def _keep(self, message: Any, category: Any, filename: str, lineno: int, *more: Any) -> None:
        caught = getattr(self._local, "caught", None)
        if caught is None:  # of a thread that runs no task
            self._show(message, category, filename, lineno, *more)
        else:
            caught.append(warnings.WarningMessage(message, category, filename, lineno))


one_thread = _OneThread()
recorder = _Recorder()


@lru_cache(maxsize=1)
def _controller(n_modules: int) -> ThreadpoolController:
    """Return the controller of the libraries loaded; looked up again when modules have come."""
    return ThreadpoolController()


def run_limited(function: Callable[[], T], seconds: float | None) -> T:
    """Run a function; raise FitTimeoutError where it takes longer than so many seconds.

    The interruption comes between two steps of the interpreter: compiled code that does not
    return to it is not stopped.
    """
    if seconds is None:
        return function()
    lock, state, thread = threading.Lock(), {"left": False}, threading.get_ident()

    def interrupt() -> None:
        with lock:
            if not state["left"]:
                ctypes.pythonapi.PyThreadState_SetAsyncExc(
                    ctypes.c_ulong(thread), ctypes.py_object(_Interruption)
                )

    timer = threading.Timer(seconds, interrupt)
    timer.daemon = True
    try:
        try:
            timer.start()
            return function()
        finally:
            with lock:
                state["left"] = True
            timer.cancel()
            for _ in range(10):  # what was sent and has not come yet comes at the next jump back
                pass
    except _Interruption:
        raise FitTimeoutError(f"took longer than the time limit of {seconds:g} s") from None


def can_limit_memory() -> bool:
    """Say whether this system counts what a process holds and keeps it below a limit."""
    return sys.platform == "linux"


@contextmanager
def limited_memory(megabytes: float | None) -> Iterator[None]:
    """Let this process take so many megabytes (2**20 bytes) more and none beyond that; None: no limit.

    Raises
    ------
    FitMemoryError
        It wanted more. Compiled code that does not ask whether it got its memory ends the
        process instead.
    """
    if megabytes is None:
        yield
        return
    import resource  # not on Windows

    before = resource.getrlimit(resource.RLIMIT_DATA)
    # Field 6 of the file: pages of data and stacks, which is what the limit counts.
    held = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[5]) * resource.getpagesize()
    limits = [held + int(megabytes * 2**20), *(one for one in before if one != resource.RLIM_INFINITY)]
    resource.setrlimit(resource.RLIMIT_DATA, (min(limits), before[1]))
    try:
        yield
    except MemoryError as error:
        raise FitMemoryError(f"needed more than the memory limit of {megabytes:g} MB") from error
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, before)

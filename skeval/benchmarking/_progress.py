"""What somebody who looks on sees of a run: a bar, and the failures at its end."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sklearn.exceptions import FitFailedWarning

from skeval.benchmarking._records import Records
from skeval.benchmarking._store import Plan
from skeval.utils._optional import import_optional
from skeval.utils._warnings import warn_user


@contextmanager
def progress_bar(total: int, done: int, show: bool) -> Iterator[Any]:
    """Yield what is called with every task that ends; a bar shows them where somebody looks."""
    notebook = "ipykernel" in sys.modules
    try:
        module = "tqdm.auto" if notebook else "tqdm"
        tqdm = import_optional(module, extra="cli", purpose="A progress bar").tqdm
    except ModuleNotFoundError:
        tqdm = None
    if tqdm is None or not show:
        yield lambda plan, outcome: None
        return
    # disable=None: no bar where standard error is no terminal.
    with tqdm(total=total, initial=done, unit="fit", disable=False if notebook else None) as bar:
        n_failed = 0

        def advance(plan: Plan, outcome: Any) -> None:
            nonlocal n_failed
            n_failed += outcome.error_type is not None
            failed = f", {n_failed} failed" if n_failed else ""
            bar.set_postfix_str(
                f"{plan.dataset}, {plan.estimator}, split {plan.split}{failed}", refresh=False
            )
            bar.update()

        yield advance


def tell_failures(records: Records) -> None:
    """Warn once of all the fits that failed."""
    counts = records.failure_counts()
    if not counts:
        return
    told = "; ".join(
        f"{method} on {dataset} ({count}): {message[:200]}"
        for (method, dataset, message), count in counts[:5]
    )
    more = f"; and {len(counts) - 5} more kinds" if len(counts) > 5 else ""
    n_failed = sum(count for _, count in counts)
    message = f"{n_failed} of {len(records.status)} fits failed: {told}{more}. failures() tells all."
    warn_user(message, FitFailedWarning)

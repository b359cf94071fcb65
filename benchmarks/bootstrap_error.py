"""Speed of the bootstrap estimates of the error.

Run as ``python benchmarks/bootstrap_error.py`` from the root of the repository. The out-of-bag errors of
one set of replicates are compared first, since .632 and .632+ of mlxtend are other numbers: its
resubstitution error is that of the models of the replicates, and its weight is one per replicate.
"""

from __future__ import annotations

import importlib
import warnings
from functools import partial
from typing import Any

import numpy as np
from sklearn.datasets import load_digits
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier
from timing import Work, measure

from skeval.exceptions import ResamplingWarning
from skeval.model_selection import bootstrap_error


def main() -> None:
    """Print one line per comparison."""
    measure(point632, plus)


def replicates(X: Any, n_splits: int) -> list[tuple[Any, Any]]:
    """Return the replicates that mlxtend draws with seed 0."""
    peer = importlib.import_module("mlxtend.evaluate").BootstrapOutOfBag
    return list(peer(n_splits=n_splits, random_seed=0).split(X))


def theirs(model: Any, X: Any, y: Any, method: str, n_splits: int) -> Any:
    peer = importlib.import_module("mlxtend.evaluate").bootstrap_point632_score
    return peer(model, X, y, method=method, n_splits=n_splits, random_seed=0)


def estimate(model: Any, X: Any, y: Any, method: str, cv: Any, n_jobs: int | None) -> Any:
    with warnings.catch_warnings():  # that so few replicates give no standard error
        warnings.simplefilter("ignore", ResamplingWarning)
        return bootstrap_error(model, X, y, method=method, cv=cv, n_jobs=n_jobs)


def point632() -> Work:
    """200 replicates of a tree on the digits, in two processes here: the fits are most of it."""
    X, y = load_digits(return_X_y=True)
    model, n_splits = DecisionTreeClassifier(random_state=0), 200
    cv = replicates(X, n_splits)

    def ours() -> Any:
        return estimate(model, X, y, ".632", cv, 2)

    # There the mean over replicates, here the mean over samples of the mean over replicates.
    left_out = 1 - theirs(model, X, y, "oob", n_splits).mean()
    assert abs(left_out - ours().leave_one_out) < 0.01
    what = ".632, 200 replicates of a tree, digits, 2 processes here"
    return Work(what, "mlxtend", partial(theirs, model, X, y, ".632", n_splits), ours, 1.5)


def plus() -> Work:
    """One replicate at n = 3,000: the no-information rate over all pairs there, from counts here."""
    rng, n = np.random.default_rng(0), 3_000
    y = rng.integers(0, 2, n)
    X, model = rng.normal(size=(n, 3)) + y[:, None], GaussianNB()
    cv = replicates(X, 1)

    def ours() -> Any:
        return estimate(model, X, y, ".632+", cv, None)

    assert abs(1 - theirs(model, X, y, "oob", 1)[0] - ours().leave_one_out) < 1e-12
    peer = partial(theirs, model, X, y, ".632+", 1)
    return Work(".632+, one replicate of naive Bayes, n = 3,000", "mlxtend", peer, ours, 100)


if __name__ == "__main__":
    main()

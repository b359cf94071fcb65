"""How often the intervals of `generalization_interval` hold the risk they are for, on known problems.

Run from the root of the repository:

``python -m tests.validity.generalization_coverage``
    makes ``data/generalization_coverage_*.csv`` anew: about 25 minutes on one core.
``python -m tests.validity.generalization_coverage --check``
    runs five replications per table again and compares them with the rows stored: some seconds.
``python -m tests.validity.generalization_coverage --tables``
    prints the tables of the documentation from the rows stored.

A row is a replication: a data set, the risk of the model trained on it, and of each method that was
run on it the estimate, the ends, and the risk that it is for where that is another in each replication.
"""

import copy
import csv
import itertools
import sys
import warnings
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import sklearn
from scipy.special import ndtr
from scipy.stats import norm, qmc
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin

from skeval.exceptions import SkevalWarning
from skeval.intervals._generalization_result import Quantity
from skeval.intervals._risk_methods import METHODS, Design
from skeval.intervals._risk_runs import Data, RiskRunner
from skeval.model_selection import BootstrapSplit, HoldOutSplit, KFoldSplit
from skeval.model_selection._losses import make_loss

DATA = Path(__file__).parent / "data"
SEED = 20250201
LEVEL = 0.95
SIZES = (50, 100, 500)
N_TEST = 4096

# Replications of each method, and its design where that is not the default.
REPLICATIONS = {
    "holdout": 500,
    "corrected-t": 500,
    "cv-wald": 500,
    "cv-wald-within": 500,
    "nested-cv": 120,
    "conservative-z": 50,
    "oob": 60,
    ".632+": 60,
    "location-shifted-bootstrap": 60,
    "bootstrap-case-cv": 20,
    "two-stage-bootstrap": 20,
}
DESIGNS = {
    "oob": {"n_splits": 200},
    ".632+": {"n_splits": 200},
    "bootstrap-case-cv": {"n_splits": 50},
    "two-stage-bootstrap": {"n_splits": 60, "n_inner": 5},
}
# Methods of one name here draw the same splits, so that their fits are shared.
STREAMS = {"cv-wald-within": "cv-wald", ".632+": "oob", "location-shifted-bootstrap": "oob"}
# Whose risk a method is for: of each replication, or one mean over all replications of a cell.
TARGETS = {
    "holdout": "holdout",
    "cv-wald": "cv-wald",
    "cv-wald-within": "cv-wald",
    "nested-cv": "model",
    "corrected-t": "mean at 0.9 n",
    "conservative-z": "mean at 0.9 n",
    "bootstrap-case-cv": "mean at 0.9 n",
    "oob": "mean at a bootstrap sample",
    ".632+": "mean at n",
    "location-shifted-bootstrap": "mean at n",
    "two-stage-bootstrap": "mean at n",
}
# The risks that are kept of each replication; a mean over them is the truth of the last three targets.
RISKS = {"model": "mean at n", "subsample": "mean at 0.9 n", "bootstrap": "mean at a bootstrap sample"}


# --- problems: y = f(x) + standard normal noise, x standard normal; classes are the sign of y

PROBLEMS = {
    "linear": (5, lambda x: 1.2 * x[:, 0] + 0.8 * x[:, 1] - 0.6 * x[:, 2]),
    "curved": (3, lambda x: 1.5 * np.sin(2 * x[:, 0]) + x[:, 1] * x[:, 2]),
    "sparse": (10, lambda x: 1.5 * x[:, 0] - 1.0 * x[:, 1]),
}


def test_points(problem):
    """Return points spread evenly over the distribution of x, and f there."""
    n_features, function = PROBLEMS[problem]
    points = norm.ppf(qmc.Sobol(n_features, seed=SEED).random(N_TEST))
    return points, function(points)


# --- learners in plain NumPy: the checks of scikit-learn's cost more than these fits


class Learner(BaseEstimator):
    def __sklearn_clone__(self):
        return copy.copy(self)


class Logistic(ClassifierMixin, Learner):
    """Logistic regression with an L2 penalty of 1 on the slopes, by Newton's method."""

    def fit(self, X, y):
        design = np.column_stack([np.ones(len(X)), X])
        penalty = np.r_[1e-6, np.ones(X.shape[1])]
        weights = np.zeros(len(penalty))
        for _ in range(20):
            share = logistic_share(design @ weights)
            gradient = design.T @ (share - y) + penalty * weights
            hessian = (design * (share * (1 - share))[:, None]).T @ design + np.diag(penalty)
            step = np.linalg.solve(hessian, gradient)
            weights = weights - step
            if np.abs(step).max() < 1e-8:
                break
        self.weights = weights
        return self

    def predict(self, X):
        return (X @ self.weights[1:] + self.weights[0] > 0).astype(np.int64)


def logistic_share(values):
    return 1 / (1 + np.exp(-np.clip(values, -30, 30)))


class Ridge(RegressorMixin, Learner):
    """Least squares with an L2 penalty of 1."""

    def fit(self, X, y):
        self.centre, self.mean = X.mean(axis=0), y.mean()
        apart = X - self.centre
        self.slopes = np.linalg.solve(apart.T @ apart + np.eye(X.shape[1]), apart.T @ (y - self.mean))
        return self

    def predict(self, X):
        return (X - self.centre) @ self.slopes + self.mean


class Neighbors(ClassifierMixin, Learner):
    """Majority of the five nearest neighbors."""

    K = 5

    def fit(self, X, y):
        self.X, self.y, self.half_squares = X, y, (X**2).sum(axis=1) / 2
        return self

    def predict(self, X):
        near = np.argpartition(self.half_squares - X @ self.X.T, self.K - 1, axis=1)[:, : self.K]
        return (2 * self.y[near].sum(axis=1) > self.K).astype(np.int64)


class Tree(ClassifierMixin, Learner):
    """Classification tree of depth 3 by Gini's criterion, leaves of 3 samples or more."""

    DEPTH, LEAF = 3, 3

    def fit(self, X, y):
        self.nodes = []
        self._grow(X, y, self.DEPTH)
        return self

    def _grow(self, X, y, depth):
        number, size, ones = len(self.nodes), len(y), int(y.sum())
        self.nodes.append((0, np.inf, number, number, int(2 * ones > size)))
        if depth == 0 or size < 2 * self.LEAF or ones in (0, size):
            return number
        order = np.argsort(X, axis=0, kind="stable")
        values, counts = np.take_along_axis(X, order, axis=0), np.cumsum(y[order], axis=0)[:-1]
        left = np.arange(1, size)[:, None]
        right = size - left
        purity = (counts**2 + (left - counts) ** 2) / left
        purity = purity + ((ones - counts) ** 2 + (right - ones + counts) ** 2) / right
        purity[values[1:] == values[:-1]] = -1
        purity[: self.LEAF - 1] = purity[size - self.LEAF :] = -1
        row, feature = np.unravel_index(purity.argmax(), purity.shape)
        if purity[row, feature] < 0:
            return number
        cut = (values[row, feature] + values[row + 1, feature]) / 2
        below = X[:, feature] <= cut
        children = [self._grow(X[side], y[side], depth - 1) for side in (below, ~below)]
        self.nodes[number] = (feature, cut, *children, self.nodes[number][4])
        return number

    def predict(self, X):
        feature, cut, left, right, label = (np.array(part) for part in zip(*self.nodes, strict=True))
        at, rows = np.zeros(len(X), dtype=np.int64), np.arange(len(X))
        for _ in range(self.DEPTH):
            at = np.where(X[rows, feature[at]] <= cut[at], left[at], right[at])
        return label[at]


LEARNERS = {"logistic": Logistic(), "ridge": Ridge(), "tree": Tree(), "5-nn": Neighbors()}


# --- one data set


@dataclass(frozen=True)
class SharedFits(RiskRunner):
    """As `RiskRunner`, but a fit is made once whoever asks for it."""

    known: dict = field(default_factory=dict)

    def predictions(self, train, rows):
        key = train.tobytes()
        if key not in self.known:
            self.known[key] = super().predictions(train, np.arange(self.data.n_samples))
        return [said[rows] for said in self.known[key]]


class Truth:
    """Risk of a model, known from the problem: noise is integrated out, x is evenly spread."""

    def __init__(self, problem, learner):
        self.points, self.f = test_points(problem)
        self.learner = learner
        self.ones = ndtr(self.f)

    def of(self, X, y):
        """Return a function of training rows: the risk of the model trained on them."""
        if isinstance(self.learner, Neighbors):
            predict = neighbors_of_parts(X, y, self.points, self.learner.K)
        else:

            def predict(rows):
                return copy.copy(self.learner).fit(X[rows], y[rows]).predict(self.points)

        def risk(rows):
            said = predict(rows)
            if isinstance(self.learner, Ridge):
                return float(((said - self.f) ** 2).mean() + 1)
            return float(np.where(said == 1, 1 - self.ones, self.ones).mean())

        return risk


def neighbors_of_parts(X, y, points, k):
    """Return the predictions of k nearest neighbors for any training rows: distances are taken once."""
    nearest = min(40, len(X))  # of which any training part has k
    distances = (X**2).sum(axis=1) / 2 - points @ X.T
    near = np.argpartition(distances, nearest - 1, axis=1)[:, :nearest]
    order = np.argsort(np.take_along_axis(distances, near, axis=1), axis=1)
    near = np.take_along_axis(near, order, axis=1)
    labels = y[near]

    def predict(rows):
        times = np.bincount(rows, minlength=len(X))[near]
        before = np.cumsum(times, axis=1) - times
        votes = (np.clip(k - before, 0, times) * labels).sum(axis=1)
        return (2 * votes > k).astype(np.int64)

    return predict


def cells():
    return list(itertools.product(PROBLEMS, LEARNERS, SIZES))


def sample(problem, learner, size, generator):
    """Return a data set; every class has two samples at least."""
    n_features, function = PROBLEMS[problem]
    X = generator.standard_normal((size, n_features))
    values = function(X) + generator.standard_normal(size)
    return X, values if learner == "ridge" else (values > 0).astype(np.int64)


def replicate(number, replication, truth, methods):
    """Return one row: the risks, and of each method the estimate, the ends and its own risk."""
    problem, learner, size = cells()[number]
    seeds = [SEED, number, replication]
    X, y = sample(problem, learner, size, np.random.default_rng(seeds))
    loss = "squared" if learner == "ridge" else "zero_one"
    bound = make_loss(loss, LEARNERS[learner], y)
    shared = {}
    row = {"problem": problem, "learner": learner, "n": size, "replication": replication}
    risk = truth.of(X, y)
    row |= replicated_risks(risk, X, y, seeds)
    for method in methods:
        stream = STREAMS.get(method, method)
        seed = [*seeds, sorted(REPLICATIONS).index(stream)]
        kind = SharedFits if stream in STREAMS.values() else RiskRunner
        runner = shared.setdefault(stream, kind((LEARNERS[learner],), Data(X, y, size), bound))
        quantity = Quantity(bound.name, bound.bounds, False, LEVEL, share=loss == "zero_one")
        design = Design.of(method, **DESIGNS.get(method, {}))
        found = METHODS[method].compute(quantity, runner, design, np.random.default_rng(seed))
        row |= {
            f"{method} estimate": found.estimate,
            f"{method} low": found.low,
            f"{method} high": found.high,
        }
        if method == "holdout":
            [(train, _)] = HoldOutSplit(random_state=np.random.default_rng(seed)).split(X, y)
            row["holdout risk"] = risk(train)
        if method == "cv-wald":
            folds = KFoldSplit(10, random_state=np.random.default_rng(seed)).split(X, y)
            row["cv-wald risk"] = float(np.mean([risk(train) for train, _ in folds]))
    return row


def replicated_risks(risk, X, y, seeds):
    """Return the risks of models trained on the data, on 90 % of them, and on a bootstrap sample."""
    generator = np.random.default_rng([*seeds, len(REPLICATIONS)])
    [(most, _)] = HoldOutSplit(test_size=0.1, random_state=generator).split(X, y)
    [(drawn, _)] = BootstrapSplit(1, random_state=generator).split(X)
    parts = {"model": np.arange(len(y)), "subsample": most, "bootstrap": drawn}
    return {f"{name} risk": risk(rows) for name, rows in parts.items()}


# --- rows


def fields():
    numbers = [f"{method} {part}" for method in REPLICATIONS for part in ("estimate", "low", "high")]
    risks = [f"{name} risk" for name in (*RISKS, "holdout", "cv-wald")]
    return ["problem", "learner", "n", "replication", *risks, *numbers]


def path(problem):
    return DATA / f"generalization_coverage_{problem}.csv"


def read(problem):
    with path(problem).open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def text(value):
    return f"{value:.4f}" if isinstance(value, float) else str(value)


def methods_of(replication):
    return [method for method, count in REPLICATIONS.items() if replication < count]


def make():
    for problem in PROBLEMS:
        with path(problem).open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, fields(), lineterminator="\n")
            writer.writeheader()
            for number, (own, learner, _) in enumerate(cells()):
                if own != problem:
                    continue
                truth = Truth(problem, LEARNERS[learner])
                for replication in range(max(REPLICATIONS.values())):
                    row = replicate(number, replication, truth, methods_of(replication))
                    writer.writerow({name: text(value) for name, value in row.items()})
                file.flush()


def check():
    """Run five replications of each table (one size of the data) again; return what differs."""
    stored = {
        (row["problem"], row["learner"], int(row["n"]), int(row["replication"])): row
        for problem in PROBLEMS
        for row in read(problem)
    }
    differences = []
    for size in SIZES:
        generator = np.random.default_rng([SEED, size])
        of_size = [number for number, cell in enumerate(cells()) if cell[2] == size]
        for number in generator.choice(of_size, 5, replace=False):
            problem, learner, _ = cells()[number]
            replication = int(generator.integers(min(REPLICATIONS.values())))
            truth = Truth(problem, LEARNERS[learner])
            row = replicate(int(number), replication, truth, methods_of(replication))
            known = stored[problem, learner, size, replication]
            for name, value in row.items():
                if isinstance(value, float) and abs(value - float(known[name])) > 1.01e-4:
                    differences.append(
                        f"{problem}, {learner}, n={size}, {replication}, {name}: {value}, "
                        f"stored {known[name]}"
                    )
    return differences


# --- tables

SHORT = {
    "holdout": "hold",
    "corrected-t": "cor-t",
    "cv-wald": "wald",
    "cv-wald-within": "within",
    "nested-cv": "nested",
    "conservative-z": "con-z",
    "oob": "oob",
    ".632+": ".632+",
    "bootstrap-case-cv": "case",
    "location-shifted-bootstrap": "shift",
    "two-stage-bootstrap": "two-st",
}


def coverage():
    """Return {(method, problem, learner, n): (own coverage, coverage of the model's risk, mean width)}."""
    found = {}
    for problem in PROBLEMS:
        rows = read(problem)
        for learner, size in itertools.product(LEARNERS, SIZES):
            own = [row for row in rows if row["learner"] == learner and int(row["n"]) == size]
            means = {
                target: np.mean([float(row[f"{name} risk"]) for row in own]) for name, target in RISKS.items()
            }
            for method, target in TARGETS.items():
                done = [row for row in own if row[f"{method} low"]]
                low, high, model = (
                    np.array([float(row[key]) for row in done])
                    for key in (f"{method} low", f"{method} high", "model risk")
                )
                truth = means.get(target)
                if truth is None:
                    truth = np.array([float(row[f"{target} risk"]) for row in done])
                found[method, problem, learner, size] = (
                    float(((low <= truth) & (truth <= high)).mean()),
                    float(((low <= model) & (model <= high)).mean()),
                    float((high - low).mean()),
                )
    return found


def table(size, found, number, form):
    """Return the cells of one size as a table: problems and learners down, methods across."""
    rule = "  ".join(["=" * 6, "=" * 8, *["=" * 6] * len(SHORT)])
    lines = [rule, "  ".join(["data  ", "learner ", *(f"{name:>6s}" for name in SHORT.values())]), rule]
    for problem, learner in itertools.product(PROBLEMS, LEARNERS):
        cells = [format(found[method, problem, learner, size][number], form) for method in SHORT]
        lines.append("  ".join([f"{problem:6s}", f"{learner:8s}", *(f"{cell:>6s}" for cell in cells)]))
    return "\n".join(line.rstrip() for line in [*lines, rule])


def summary(found):
    """Return {method: (replications, worst and mean coverage of its own risk, the same of the model's)}."""
    told = {}
    for method in SHORT:
        parts = []
        for number in (0, 1):
            each = np.array([values[number] for key, values in found.items() if key[0] == method])
            parts += [each[np.abs(each - LEVEL).argmax()], each.mean()]
        told[method] = (REPLICATIONS[method], *map(float, parts))
    return told


def summary_table(found):
    rule = "  ".join(["=" * 26, "=" * 12, *["=" * 10] * 4])
    head = ["method", "replications", "own, worst", "own, mean", "D, worst", "D, mean"]
    lines = [
        rule,
        "  ".join([f"{head[0]:26s}", f"{head[1]:>12s}", *(f"{name:>10s}" for name in head[2:])]),
        rule,
    ]
    for method, (count, *values) in summary(found).items():
        lines.append(
            "  ".join([f"{method:26s}", f"{count:12d}", *(f"{100 * value:10.1f}" for value in values)])
        )
    return "\n".join(line.rstrip() for line in [*lines, rule])


def tables():
    """Return every table of the documentation."""
    found = coverage()
    percent = {
        key: (round(100 * values[0]), round(100 * values[1]), values[2]) for key, values in found.items()
    }
    blocks = [summary_table(found)]
    for size in SIZES:
        blocks += [table(size, percent, 0, "d"), table(size, percent, 1, "d"), table(size, percent, 2, ".3f")]
    return blocks


def main(arguments):
    warnings.simplefilter("ignore", SkevalWarning)
    with sklearn.config_context(assume_finite=True, skip_parameter_validation=True):
        if "--check" in arguments:
            differences = check()
            print("\n".join(differences) or "The replications run again agree with the rows stored.")
            sys.exit(bool(differences))
        if "--tables" in arguments:
            print(*tables(), sep="\n\n")
            return
        make()


if __name__ == "__main__":
    main(sys.argv[1:])

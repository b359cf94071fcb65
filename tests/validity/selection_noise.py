"""What each rule chooses among nearest neighbors, on pure noise and on two signals; 60 samples.

Run from the root of the repository:

``python -m tests.validity.selection_noise``
    makes ``data/selection_noise.csv`` anew: under three minutes on one core.
``python -m tests.validity.selection_noise --check``
    runs five replications again and compares them with the rows stored.
``python -m tests.validity.selection_noise --table``
    prints the table of the documentation from the rows stored.

A row is a data set: of each rule, the number of neighbors chosen, the error that the rule reports for
its choice, and the true error of that choice trained on the 60 samples.
"""

import csv
import sys
from pathlib import Path

import numpy as np
import sklearn
from scipy.special import ndtr
from scipy.stats import norm, qmc
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier

from skeval.metrics import ConfusionScorer
from skeval.model_selection import Bootstrap632Refit, BootstrapSplit, WithResubstitution

PATH = Path(__file__).parent / "data" / "selection_noise.csv"
SEED = 20250202
N_SAMPLES, N_SPLITS = 60, 50
NEIGHBORS = (1, 3, 5, 9, 15, 25)
# y = 1 where slope x_1 + standard normal noise is above 0; x standard normal in two dimensions.
SLOPES = {"none": 0.0, "medium": 0.8, "strong": 2.0}
N_DATA_SETS = {"none": 100, "medium": 50, "strong": 50}
RULES = (".632", ".632+", "oob")


def points():
    """Return points spread evenly over the distribution of x."""
    return norm.ppf(qmc.Sobol(2, seed=SEED).random(4096))


def replicate(signal, replication):
    """Return one row."""
    generator = np.random.default_rng([SEED, list(SLOPES).index(signal), replication])
    X = generator.standard_normal((N_SAMPLES, 2))
    y = (SLOPES[signal] * X[:, 0] + generator.standard_normal(N_SAMPLES) > 0).astype(int)
    search = GridSearchCV(
        KNeighborsClassifier(algorithm="brute"),
        {"n_neighbors": NEIGHBORS},
        cv=WithResubstitution(BootstrapSplit(N_SPLITS, random_state=generator.integers(2**31))),
        scoring=ConfusionScorer([0, 1]),
        refit=False,
    ).fit(X, y)
    row = {"signal": signal, "replication": replication}
    for rule in RULES:
        errors = Bootstrap632Refit(method=rule).errors(search.cv_results_)
        chosen = NEIGHBORS[Bootstrap632Refit(method=rule)(search.cv_results_)]
        row |= {f"{rule} chosen": chosen, f"{rule} reported": float(errors.min())}
        row[f"{rule} true"] = true_error(X, y, chosen, SLOPES[signal])
    return row


def true_error(X, y, n_neighbors, slope):
    """Return the risk of the model trained on X, y: noise is integrated out."""
    x = points()
    ones = ndtr(slope * x[:, 0])
    said = KNeighborsClassifier(n_neighbors, algorithm="brute").fit(X, y).predict(x)
    return float(np.where(said == 1, 1 - ones, ones).mean())


def read():
    with PATH.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def summary(rows):
    """Return {(signal, rule): (share of 1-NN, mean reported error, mean true error)}."""
    found = {}
    for signal in SLOPES:
        own = [row for row in rows if row["signal"] == signal]
        for rule in RULES:
            ones = np.mean([int(row[f"{rule} chosen"]) == 1 for row in own])
            means = [np.mean([float(row[f"{rule} {part}"]) for row in own]) for part in ("reported", "true")]
            found[signal, rule] = (float(ones), *map(float, means))
    return found


def table():
    """Return the rows of the table of the documentation."""
    lines = []
    for (signal, rule), (ones, reported, true) in summary(read()).items():
        name = "out-of-bag" if rule == "oob" else rule
        lines.append(
            f"{signal:8s}  {name:10s}  {ones:12.2f}  {reported:14.3f}  {true:10.3f}  {true - reported:8.3f}"
        )
    return "\n".join(lines)


def text(value):
    return f"{value:.4f}" if isinstance(value, float) else str(value)


def make():
    rows = [replicate(signal, number) for signal in SLOPES for number in range(N_DATA_SETS[signal])]
    with PATH.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows({name: text(value) for name, value in row.items()} for row in rows)


def check():
    """Run five replications again; return what differs from the rows stored."""
    stored = {(row["signal"], int(row["replication"])): row for row in read()}
    generator, differences = np.random.default_rng(SEED), []
    for _ in range(5):
        signal = str(generator.choice(list(SLOPES)))
        number = int(generator.integers(N_DATA_SETS[signal]))
        for name, value in replicate(signal, number).items():
            if text(value) != stored[signal, number][name]:
                differences.append(
                    f"{signal}, {number}, {name}: {text(value)}, stored {stored[signal, number][name]}"
                )
    return differences


def main(arguments):
    if "--table" in arguments:
        print(table())
        return
    with sklearn.config_context(assume_finite=True, skip_parameter_validation=True):
        if "--check" in arguments:
            differences = check()
            print("\n".join(differences) or "The replications run again agree with the rows stored.")
            sys.exit(bool(differences))
        make()


if __name__ == "__main__":
    main(sys.argv[1:])

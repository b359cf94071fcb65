"""How often intervals hold the truth: designs fixed in advance, one seed a cell, rows kept as CSV.

Run as ``python -m tests.validity.interval_coverage`` from the root of the repository to make the
files in ``tests/validity/data`` anew: some minutes on one core. With ``tables`` it prints the tables
of the documentation from these files.
"""

import csv
import itertools
import sys
import warnings
from pathlib import Path

import numpy as np
from scipy.stats import binom, norm

from skeval.exceptions import SkevalWarning
from skeval.intervals import auc_interval, metric_interval, proportion_interval
from skeval.metrics import ConfusionMatrix

DATA = Path(__file__).parent / "data"
LEVEL = 0.95

# Proportions: every p of the grid, all outcomes enumerated.
PROPORTION_METHODS = ("wilson", "clopper-pearson", "jeffreys", "agresti-coull", "wald", "percentile")
PROPORTION_SIZES = (5, 10, 20, 30, 50, 100, 200, 500, 1000)
PROPORTION_GRID = np.arange(1, 1000) / 1000

# AUC: normal scores, negatives with standard deviation `spread`, positives with 1.
AUC_METHODS = ("logit", "wald-clipped")
AUC_DATA_SETS = 5000
AUC_SIZES = ((10, 10), (10, 90), (20, 20), (50, 50), (50, 450), (200, 200))  # positives, negatives
AUC_VALUES = (0.6, 0.7, 0.8, 0.9, 0.95, 0.99)
AUC_SPREADS = (1, 2)

# Measures of labels: a table of four cells per data set.
BOOTSTRAP_METHODS = ("percentile", "bca")
BOOTSTRAP_DATA_SETS = 2000
BOOTSTRAP_RESAMPLES = 999
BOOTSTRAP_MEASURES = ("f1", "matthews_corrcoef", "g_mean")
BOOTSTRAP_SIZES = (50, 100, 200, 500, 1000)
POPULATIONS = ((0.5, 0.8, 0.8), (0.5, 0.95, 0.95), (0.2, 0.7, 0.9), (0.05, 0.7, 0.95))  # share, TPR, TNR


def proportion_ends(method, n):
    """Return the ends of the interval for 0, ..., n successes."""
    counts = np.arange(n + 1)
    if method == "percentile":  # the limit of many replicates: quantiles of the binomial
        return [binom.ppf(tail, n, counts / n) / n for tail in ((1 - LEVEL) / 2, (1 + LEVEL) / 2)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SkevalWarning)
        return list(proportion_interval(counts, n, method=method, confidence_level=LEVEL))


def proportion_coverage(method, n, p=PROPORTION_GRID):
    """Return the exact probability, for every p, that the interval holds it."""
    low, high = proportion_ends(method, n)
    p = np.atleast_1d(p)[:, None]
    holds = (low <= p + 1e-12) & (p - 1e-12 <= high)
    return (holds * binom.pmf(np.arange(n + 1), n, p)).sum(axis=1)


def least_coverage(method, n):
    """Return the exact least coverage over all p with n min(p, 1 - p) >= 5, and where it is.

    Between two neighboring ends of intervals the same outcomes hold p, and their probability
    rises and then falls in p: the least values are at the ends.
    """
    low, high = proportion_ends(method, n)
    ends = np.concatenate([low, high])
    p = np.concatenate([[5 / n, 0.5], ends - 1e-10, ends + 1e-10])
    p = p[(p >= 5 / n) & (p <= 0.5)]  # the intervals mirror at 1/2
    fewest = np.searchsorted(np.sort(high), p, side="left")
    most = np.searchsorted(np.sort(low), p, side="right") - 1
    coverage = binom.cdf(most, n, p) - binom.cdf(fewest - 1, n, p)
    return coverage.min(), p[coverage.argmin()]


def proportion_row(method, n):
    coverage = proportion_coverage(method, n)
    inside = n * np.minimum(PROPORTION_GRID, 1 - PROPORTION_GRID) >= 5 - 1e-9
    return {
        "method": method,
        "n": n,
        "mean": coverage.mean(),
        "minimum": coverage.min(),
        "minimum_where_5_expected": coverage[inside].min() if inside.any() else np.nan,
    }


def auc_cells():
    return [
        {"n_positive": sizes[0], "n_negative": sizes[1], "auc": auc, "spread": spread}
        for sizes, auc, spread in itertools.product(AUC_SIZES, AUC_VALUES, AUC_SPREADS)
    ]


def auc_rows(number, n_data_sets=AUC_DATA_SETS):
    """Return one row per method for the cell of this number."""
    cell = auc_cells()[number]
    shift = norm.ppf(cell["auc"]) * np.sqrt(1 + cell["spread"] ** 2)
    generator = np.random.default_rng([20250101, number])
    y = np.repeat([1, 0], [cell["n_positive"], cell["n_negative"]])
    scores = generator.normal(size=(n_data_sets, len(y))) * np.where(y == 1, 1, cell["spread"])
    scores += shift * y
    for method in AUC_METHODS:
        results = [auc_interval(y, score, method=method, confidence_level=LEVEL) for score in scores]
        low, high = np.array([tuple(result) for result in results]).T
        yield {
            **cell,
            "method": method,
            "n_data_sets": n_data_sets,
            "covered": int(((low <= cell["auc"]) & (cell["auc"] <= high)).sum()),
            "missed_below": int((high < cell["auc"]).sum()),
            "missed_above": int((low > cell["auc"]).sum()),
            "degenerate": sum(result.standard_error == 0 for result in results),
            "mean_width": float((high - low).mean()),
        }


def bootstrap_cells():
    return [
        {"n": n, "share": share, "tpr": tpr, "tnr": tnr, "measure": measure}
        for n, (share, tpr, tnr), measure in itertools.product(
            BOOTSTRAP_SIZES, POPULATIONS, BOOTSTRAP_MEASURES
        )
    ]


def population(cell):
    """Return the probabilities of the four cells, true classes in rows."""
    share, tpr, tnr = cell["share"], cell["tpr"], cell["tnr"]
    return np.array([[(1 - share) * tnr, (1 - share) * (1 - tnr)], [share * (1 - tpr), share * tpr]])


def bootstrap_rows(number, n_data_sets=BOOTSTRAP_DATA_SETS):
    """Return one row per method for the cell of this number."""
    cell = bootstrap_cells()[number]
    cells = population(cell)
    matrix = ConfusionMatrix(cells)
    truth = {"f1": matrix.f_score(), "matthews_corrcoef": matrix.mcc(), "g_mean": matrix.g_mean()}[
        cell["measure"]
    ]
    generator = np.random.default_rng([20250102, number])
    tables = generator.multinomial(cell["n"], cells.ravel(), size=n_data_sets).reshape(-1, 2, 2)
    seeds = generator.integers(2**31, size=n_data_sets)
    for method in BOOTSTRAP_METHODS:
        results = [
            one_interval(cell["measure"], table, method, seed)
            for table, seed in zip(tables, seeds, strict=True)
        ]
        defined = np.array([result for result in results if result is not None])
        low, high = defined.T
        yield {
            **cell,
            "smallest_expected": round(float(cell["n"] * cells.min()), 3),
            "truth": truth,
            "method": method,
            "n_data_sets": n_data_sets,
            "undefined": n_data_sets - len(defined),
            "covered": int(((low <= truth) & (truth <= high)).sum()),
            "missed_below": int((high < truth).sum()),
            "missed_above": int((low > truth).sum()),
            "mean_width": float((high - low).mean()),
        }


def one_interval(measure, table, method, seed):
    """Return the ends, or None where the measure is undefined on the table."""
    try:
        result = metric_interval(
            measure,
            ConfusionMatrix(table),
            method=method,
            n_resamples=BOOTSTRAP_RESAMPLES,
            confidence_level=LEVEL,
            random_state=int(seed),
        )
    except ValueError:
        return None
    return tuple(result)


def read(name):
    """Return the stored rows of a study, numbers as numbers."""
    with (DATA / f"interval_coverage_{name}.csv").open(newline="", encoding="utf-8") as file:
        return [{key: number(value) for key, value in row.items()} for row in csv.DictReader(file)]


def number(text):
    try:
        return int(text)
    except ValueError:
        pass
    try:
        return float(text)
    except ValueError:
        return text


def write(name, rows):
    with (DATA / f"interval_coverage_{name}.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


# --- the tables of the documentation ------------------------------------------------------------------------


def percent(share):
    return "   -" if np.isnan(share) else f"{100 * share:4.1f}"


def proportion_table():
    """Return lines: mean, minimum, and minimum where 5 of each kind are expected."""
    rows = {(row["method"], row["n"]): row for row in read("proportion")}
    yield "    n  " + "".join(f"{method:>18}" for method in PROPORTION_METHODS)
    for n in PROPORTION_SIZES:
        shares = [
            " ".join(percent(rows[method, n][key]) for key in ("mean", "minimum", "minimum_where_5_expected"))
            for method in PROPORTION_METHODS
        ]
        yield f"{n:5d}  " + "".join(f"{text:>18}" for text in shares)


def in_auc_domain(row):
    return min(row["n_positive"], row["n_negative"]) * (1 - row["auc"]) >= 5 - 1e-9


def in_bootstrap_domain(row):
    return row["smallest_expected"] >= 5


def auc_table(spread):
    """Return lines: coverage of the logit and of the cut Wald interval, a star inside the domain."""
    rows = [row for row in read("auc") if row["spread"] == spread]
    yield "  m+   m-  " + "".join(f"{auc:>15}" for auc in AUC_VALUES)
    for positive, negative in AUC_SIZES:
        cells = []
        for auc in AUC_VALUES:
            both = [
                row
                for row in rows
                if (row["n_positive"], row["n_negative"], row["auc"]) == (positive, negative, auc)
            ]
            cells.append(cell_of(both, in_auc_domain(both[0])))
        yield f"{positive:4d} {negative:4d}  " + "".join(f"{text:>15}" for text in cells)


def bootstrap_table(measure):
    """Return lines: coverage of the percentile and of the BCa interval, a star inside the domain."""
    rows = [row for row in read("bootstrap") if row["measure"] == measure]
    yield "share  TPR   TNR  " + "".join(f"{f'n = {n}':>15}" for n in BOOTSTRAP_SIZES)
    for share, tpr, tnr in POPULATIONS:
        cells = []
        for n in BOOTSTRAP_SIZES:
            both = [
                row
                for row in rows
                if (row["n"], row["share"], row["tpr"], row["tnr"]) == (n, share, tpr, tnr)
            ]
            cells.append(cell_of(both, in_bootstrap_domain(both[0])))
        yield f"{share:5.2f}  {tpr:4.2f}  {tnr:4.2f} " + "".join(f"{text:>15}" for text in cells)


def cell_of(both, inside):
    return " / ".join(percent(coverage(row)) for row in both) + ("*" if inside else " ")


def coverage(row):
    """Return the share of the data sets with an interval that holds the truth."""
    return row["covered"] / (row["n_data_sets"] - row.get("undefined", 0))


def tables():
    """Return every table of the documentation as text."""
    blocks = [proportion_table(), *(auc_table(spread) for spread in AUC_SPREADS)]
    blocks += [bootstrap_table(measure) for measure in BOOTSTRAP_MEASURES]
    return ["\n".join(line.rstrip() for line in block) for block in blocks]


def main(names):
    warnings.simplefilter("ignore", SkevalWarning)
    if "proportion" in names:
        write(
            "proportion",
            [proportion_row(method, n) for method in PROPORTION_METHODS for n in PROPORTION_SIZES],
        )
    if "auc" in names:
        write("auc", [row for number in range(len(auc_cells())) for row in auc_rows(number)])
    if "tables" in names:
        print(*tables(), sep="\n\n")
    if "bootstrap" in names:
        write(
            "bootstrap", [row for number in range(len(bootstrap_cells())) for row in bootstrap_rows(number)]
        )


if __name__ == "__main__":
    main(sys.argv[1:] or ["proportion", "auc", "bootstrap"])

"""A sample of the rows of every stored table, made again by the script that made them.

A sample yields pairs (words, difference): what was run, and how far the row made again is from the
stored one. A row stored with four decimals is made again if it rounds to them.
"""

import numpy as np
import sklearn

from tests.validity import generalization_coverage, interval_coverage, selection_noise, size_of_tests

HALF_A_DIGIT = 0.5e-4


def _distance(found, stored, *, rounding=0.0):
    """Return how far a value is from the stored one beyond the rounding of that; words differ by inf."""
    try:
        found, stored = float(found), float(stored)
    except (TypeError, ValueError):
        return 0.0 if str(found) == str(stored) else np.inf
    if np.isnan(found) or np.isnan(stored):
        return 0.0 if np.isnan(found) and np.isnan(stored) else np.inf
    return max(0.0, abs(found - stored) - rounding) / max(1.0, abs(stored))


def _worst(found, stored, *, rounding=0.0):
    return max(_distance(value, stored[name], rounding=rounding) for name, value in found.items())


def sizes(generator, share):
    """All enumerated studies, and one batch of each simulated one."""
    names = size_of_tests.COLUMNS[:5]
    known = {tuple(row[name] for name in names): row for row in size_of_tests.stored()}
    for study in (*size_of_tests.ENUMERATED, *size_of_tests.SIMULATED):
        if study in size_of_tests.ENUMERATED:
            batch, rows = "all", size_of_tests.enumerate_all(study)
        else:
            batch = int(generator.integers(size_of_tests.BATCHES))
            rows = size_of_tests.run_batch(study, batch)
        differences = [
            _worst(
                dict(zip(size_of_tests.COLUMNS, row, strict=True)),
                {**known[tuple(map(str, row[:5]))], "batch": row[4]},
            )
            for row in rows
        ]
        yield f"{study}, batch {batch}", max(differences)


def proportions(generator, share):
    """Every row: all outcomes are enumerated."""
    for row in interval_coverage.read("proportion"):
        found = interval_coverage.proportion_row(row["method"], row["n"])
        yield f"{row['method']}, n = {row['n']}", _worst(found, row)


def _interval_cells(name, cells, rows_of, n_cells):
    def sample(generator, share):
        stored = interval_coverage.read(name)
        per_cell = len(stored) // len(cells())
        chosen = generator.choice(len(cells()), max(1, round(share * n_cells)), replace=False)
        for number in sorted(chosen.tolist()):
            kept = stored[per_cell * number : per_cell * (number + 1)]
            yield f"cell {number}", max(map(_worst, rows_of(number), kept))

    return sample


areas = _interval_cells("auc", interval_coverage.auc_cells, interval_coverage.auc_rows, 4)
label_measures = _interval_cells(
    "bootstrap", interval_coverage.bootstrap_cells, interval_coverage.bootstrap_rows, 4
)


def risks_of(problem):
    """Return a sample of the replications of one problem, every learner and size."""

    def sample(generator, share):
        study = generalization_coverage
        stored = {
            (row["learner"], int(row["n"]), int(row["replication"])): row for row in study.read(problem)
        }
        fewest = min(study.REPLICATIONS.values())
        with sklearn.config_context(assume_finite=True, skip_parameter_validation=True):
            for number, (own, learner, size) in enumerate(study.cells()):
                if own != problem:
                    continue
                truth = study.Truth(problem, study.LEARNERS[learner])
                for replication in generator.choice(fewest, max(1, round(share)), replace=False).tolist():
                    found = study.replicate(number, replication, truth, study.methods_of(replication))
                    kept = stored[learner, size, replication]
                    yield (
                        f"{learner}, n = {size}, replication {replication}",
                        _worst(found, kept, rounding=HALF_A_DIGIT),
                    )

    return sample


def choices(generator, share):
    """Ten replications of each signal."""
    study = selection_noise
    stored = {(row["signal"], int(row["replication"])): row for row in study.read()}
    with sklearn.config_context(assume_finite=True, skip_parameter_validation=True):
        for signal, count in study.N_DATA_SETS.items():
            for number in generator.choice(count, max(1, round(10 * share)), replace=False).tolist():
                found = study.replicate(signal, number)
                yield (
                    f"{signal}, replication {number}",
                    _worst(found, stored[signal, number], rounding=HALF_A_DIGIT),
                )


# The stored file, the script that made it, how its seeds are made, and the sample.
TABLES = {
    "size_of_tests": (size_of_tests, "default_rng([2026, study, batch])", sizes),
    "interval_coverage_proportion": (interval_coverage, "none: enumerated", proportions),
    "interval_coverage_auc": (interval_coverage, "default_rng([20250101, cell])", areas),
    "interval_coverage_bootstrap": (interval_coverage, "default_rng([20250102, cell])", label_measures),
    **{
        f"generalization_coverage_{problem}": (
            generalization_coverage,
            "default_rng([20250201, cell, replication])",
            risks_of(problem),
        )
        for problem in generalization_coverage.PROBLEMS
    },
    "selection_noise": (selection_noise, "default_rng([20250202, signal, replication])", choices),
}

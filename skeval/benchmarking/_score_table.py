"""Tables of mean scores: the best of each row, and what does not differ from it."""

from __future__ import annotations

import html
import warnings
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from skeval.benchmarking._records import Records
from skeval.comparison import compare_cv, compare_scores
from skeval.exceptions import MissingScoreError
from skeval.intervals import IntervalResult, interval_from_results
from skeval.model_selection import CVScores
from skeval.utils._pairwise import PairwiseResult
from skeval.utils._tables import latex_text
from skeval.utils._validation import FloatArray, check_option


class ScoreTable(NamedTuple):
    """Mean scores of shape (n_datasets, n_methods)."""

    metric: str
    datasets: tuple[str, ...]
    methods: tuple[str, ...]
    means: FloatArray


def mean_scores(records: Records, metric: str | None, nan_policy: str) -> ScoreTable:
    """Return the mean scores over splits, missing ones by policy."""
    check_option(nan_policy, "nan_policy", ("raise", "omit", "keep"))
    metric = records.choose_metric(metric)
    datasets = tuple(records.about)
    means = np.array([records.values(metric, name).mean(axis=1) for name in datasets])
    missing = np.isnan(means)
    if missing.any() and nan_policy == "raise":
        row, column = np.argwhere(missing)[0]
        why = records.why_missing(metric, datasets[row], int(column))
        raise MissingScoreError(
            f"{metric!r} of {records.methods[column]!r} on {datasets[row]!r} is missing: {why}. Mend it and "
            "run again, or pass nan_policy='omit' to drop such data sets for all methods."
        )
    keep = ~missing.any(axis=1) if nan_policy == "omit" else np.ones(len(means), dtype=bool)
    names = tuple(name for name, kept in zip(datasets, keep, strict=True) if kept)
    return ScoreTable(metric, names, records.methods, means[keep])


class Cell(NamedTuple):
    """A number as text, whether it is the best of its row, and whether it does not differ from the best."""

    text: str
    best: bool = False
    alike: bool = False


class MarkedTable(NamedTuple):
    """Rows of marked cells, the mean ranks last where there are any."""

    methods: tuple[str, ...]
    rows: list[tuple[str, list[Cell]]]
    has_ranks: bool


def mark_scores(
    table: ScoreTable, splits: Mapping[str, Mapping[str, CVScores]], *, decimals: int, alpha: float
) -> MarkedTable:
    """Mark the best of each row and what does not differ from it."""
    rows = []
    for name, means in zip(table.datasets, table.means, strict=True):
        test = compare_splits(splits[name])
        rows.append(
            (name, _mark(table.methods, means, [_decimal(mean, decimals) for mean in means], test, alpha))
        )
    overall = compare_means(table)
    if overall is not None and overall.mean_ranks is not None:
        ranks = overall.mean_ranks
        rows.append(
            ("mean rank", _mark(table.methods, -ranks, [f"{rank:.2f}" for rank in ranks], overall, alpha))
        )
    return MarkedTable(table.methods, rows, overall is not None)


def compare_splits(scores: Mapping[str, CVScores]) -> PairwiseResult | None:
    """Return the test of all pairs that have every score on a data set; None where there can be none."""
    known = {name: one for name, one in scores.items() if not np.isnan(one.scores).any()}
    first = next(iter(scores.values()))
    if len(known) < 2 or first.n_splits < 2 or first.n_train is None:
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # equal scores: they do not differ
        return compare_cv(known)


def compare_means(table: ScoreTable) -> PairwiseResult | None:
    """Return the test over data sets; None where there can be none."""
    complete = ~np.isnan(table.means).any(axis=1)
    if len(table.methods) < 2 or complete.sum() < 2:
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return compare_scores(dict(zip(table.methods, table.means[complete].T, strict=True)))


def advantages(result: PairwiseResult) -> tuple[str, list[str]]:
    """Say of what the estimates of a test over data sets are differences, and write them."""
    if "mean ranks" in result.estimand:
        return "mean rank", [f"{value:+.3f}" for value in result.estimate]
    return "score", [f"{value:+.4g}" for value in result.estimate]


def mean_interval(scores: CVScores, alpha: float) -> IntervalResult | None:
    """Return the interval of a mean over splits; None where there can be none."""
    if scores.n_train is None or scores.n_splits < 2 or np.isnan(scores.scores).any():
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # equal scores
        return interval_from_results(scores, confidence_level=1 - alpha)


def _decimal(value: float, decimals: int) -> str:
    return "" if np.isnan(value) else f"{value:.{decimals}f}"


def _mark(
    methods: tuple[str, ...], values: FloatArray, texts: list[str], test: PairwiseResult | None, alpha: float
) -> list[Cell]:
    """Mark a row, greater is better."""
    if np.isnan(values).all():
        return [Cell(text) for text in texts]
    best = np.isclose(values, np.nanmax(values), rtol=1e-10, atol=0)
    alike: set[str] = set()
    if test is not None:
        pvalues = test.pvalue_matrix()[test.methods.index(methods[int(np.nanargmax(values))])]
        alike = {name for name, pvalue in zip(test.methods, pvalues, strict=True) if pvalue > alpha}
    return [
        Cell(text, bool(top), name in alike and not top)
        for name, text, top in zip(methods, texts, best, strict=True)
    ]


def markdown_scores(table: MarkedTable) -> str:
    """Return the table in Markdown."""

    def name(text: str) -> str:
        return html.escape(" ".join(text.split()), quote=False).replace("|", "\\|")

    def cell(one: Cell) -> str:
        return f"**{one.text}**" if one.best else f"{one.text}{' ≈' if one.alike else ''}"

    lines = [" | ".join(["data set", *map(name, table.methods)]), "---|" * len(table.methods) + "---"]
    lines = [f"| {lines[0]} |", f"|{lines[1]}|"]
    lines += [f"| {' | '.join([name(row), *map(cell, cells)])} |" for row, cells in table.rows]
    return "\n".join(lines)


def latex_scores(table: MarkedTable) -> str:
    """Return the table as a LaTeX tabular with the rules of booktabs."""

    def cell(one: Cell) -> str:
        if not one.text:
            return "--"
        if one.best:
            return rf"$\mathbf{{{one.text}}}$"
        return rf"${one.text}^{{\approx}}$" if one.alike else f"${one.text}$"

    lines = [rf"\begin{{tabular}}{{l{'r' * len(table.methods)}}}", r"\toprule"]
    lines += [" & ".join(["data set", *map(latex_text, table.methods)]) + r" \\", r"\midrule"]
    for number, (name, cells) in enumerate(table.rows):
        if table.has_ranks and number == len(table.rows) - 1:
            lines.append(r"\midrule")
        lines.append(" & ".join([latex_text(name), *map(cell, cells)]) + r" \\")
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"])

"""The report of an experiment: one HTML file that needs nothing beside it."""

from __future__ import annotations

import base64
import io
import warnings
from collections.abc import Iterable, Sequence
from importlib import resources
from math import isnan
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from skeval.benchmarking._lock import refuse_database
from skeval.benchmarking._records import Records, some
from skeval.benchmarking._score_table import (
    Cell,
    MarkedTable,
    ScoreTable,
    advantages,
    compare_means,
    mark_scores,
    mean_interval,
    mean_scores,
)
from skeval.benchmarking._store import DONE, FAILED, PENDING
from skeval.model_selection import CVScores
from skeval.plotting import CriticalDifferenceDisplay, FriedmanDisplay
from skeval.utils._optional import import_optional
from skeval.utils._pairwise import PairwiseResult
from skeval.utils._tables import cell_text

_TEMPLATE = "report.html.jinja"
_MOST_ROWS = 100  # of pairs, failures and warnings; the store has all


class HtmlCell(NamedTuple):
    """A cell of a table: its text, what to sort it by, how it looks."""

    text: str
    value: float | None = None
    best: bool = False
    alike: bool = False

    @property
    def numeric(self) -> bool:
        """Whether it stands to the right."""
        return self.value is not None


class HtmlTable(NamedTuple):
    """A table: names of the columns, rows, and a row that sorting leaves at the bottom."""

    head: Sequence[str]
    rows: Sequence[Sequence[HtmlCell]]
    foot: Sequence[HtmlCell] = ()
    marks: bool = False

    def is_numeric(self, column: int) -> bool:
        """Say whether a column holds numbers; cells of missing scores are empty."""
        return any(row[column].numeric for row in self.rows)


# {metric: {data set: {estimator: scores}}}
Splits = dict[str, dict[str, dict[str, CVScores]]]


def write_report(records: Records, splits: Splits, path: Any, *, alpha: float, title: str) -> Path:
    """Write the report of an experiment."""
    target = Path(path)
    refuse_database(target)
    jinja2 = import_optional("jinja2", extra="report", purpose="report()")
    template = resources.files("skeval.benchmarking").joinpath(_TEMPLATE).read_text(encoding="utf-8")
    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined)
    page = environment.from_string(template).render(_content(records, splits, alpha, title))
    target.write_text(page, encoding="utf-8")
    return target


def _content(records: Records, splits: Splits, alpha: float, title: str) -> dict[str, Any]:
    failures, tracebacks = _failures(records)
    return {
        "title": title,
        "summary": _summary(records),
        "metrics": [_metric(records, name, scores, alpha) for name, scores in splits.items()],
        "times": _times(records),
        "failures": failures,
        "tracebacks": tracebacks,
        "warnings": _counted(records.warning_counts(), "warning"),
        "datasets": _datasets(records),
        "estimators": _table(
            ["name", "estimator"], ([one["name"], one["repr"]] for one in records.design["estimators"])
        ),
        "pairing": "All methods ran on the same splits of a data set; a hash of the rows of every split is "
        f"kept with its results. Seeds come from random_state = {records.design['random_state']}.",
        "versions": _versions(records),
    }


def _cell(value: Any) -> HtmlCell:
    if isinstance(value, HtmlCell):
        return value
    if isinstance(value, Cell):
        return HtmlCell(value.text, float(value.text) if value.text else None, value.best, value.alike)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return _number(cell_text(value), float(value))
    return HtmlCell("" if value is None else str(value))


def _number(text: str, value: float) -> HtmlCell:
    """Return a cell of a number; one that is no number, which cannot be sorted, is empty."""
    return HtmlCell("") if isnan(value) else HtmlCell(text, value)


def _table(head: Sequence[str], rows: Iterable[Iterable[Any]]) -> HtmlTable:
    return HtmlTable(head, [[_cell(value) for value in row] for row in rows])


def _summary(records: Records) -> str:
    counts = {code: int((records.status == code).sum()) for code in (DONE, FAILED, PENDING)}
    size = f"{some(len(records.methods), 'method')} on {some(len(records.about), 'data set')}"
    told = f"{size}: {some(len(records.status), 'fit')}, "
    told += f"{counts[DONE]} done, {counts[FAILED]} failed, {counts[PENDING]} not run yet."
    run = records.last_run
    start, end = (run[name] and run[name][:16].replace("T", " ") for name in ("started", "finished"))
    return f"{told} Last run from {start} to {f'{end} UTC' if end else 'now: it has not ended'}."


def _metric(
    records: Records, name: str, splits: dict[str, dict[str, CVScores]], alpha: float
) -> dict[str, Any]:
    """Return what the report says of one metric."""
    table = mean_scores(records, name, "keep")
    result = compare_means(table)
    marked = mark_scores(table, splits, decimals=4, alpha=alpha)
    level = f"{100 * (1 - alpha):g} %"
    return {
        "name": name,
        "scores": _marked(marked),
        "caption": f"Mean {name} over the splits; greater is better",
        "legend": "Bold: the best of its row. ≈: does not differ from the best at "
        f"alpha = {alpha:g}, on a data set by the corrected resampled t-test of all pairs with Holm's "
        "adjustment, in the row of mean ranks by the test over the data sets. No mark where no test is "
        "possible; an empty cell has a failed, pending or undefined score.",
        "sentences": _sentences(result, table, alpha),
        "figures": [] if result is None else _figures(result, name, alpha),
        "pairs": None if result is None else _pairs(result),
        "intervals": _intervals(splits, alpha),
        "intervals_caption": f"Mean {name} with its {level} interval",
        "intervals_legend": "Corrected resampled t intervals: the variance of the mean over splits allows "
        "for training rows that they share (Nadeau and Bengio 2003). Each holds by itself: two that overlap "
        "may belong to methods that differ.",
    }


def _marked(marked: MarkedTable) -> HtmlTable:
    rows = [[_cell(name), *map(_cell, cells)] for name, cells in marked.rows]
    return HtmlTable(
        ["data set", *marked.methods],
        rows[:-1] if marked.has_ranks else rows,
        rows[-1] if marked.has_ranks else (),
        marks=True,
    )


def _sentences(result: PairwiseResult | None, table: ScoreTable, alpha: float) -> list[str]:
    """Return the tests in words."""
    missing = [table.datasets[row] for row in np.flatnonzero(np.isnan(table.means).any(axis=1))]
    told = [f"Left out for all methods, for a missing score: {', '.join(missing)}."] if missing else []
    if result is None:
        least = "No test: it needs two methods and two data sets on which all of them have a score."
        return [*told, least]
    told += [str(result.omnibus), str(result), result.explanation, result.details.get("remark", "")]
    groups = "; ".join(", ".join(group) for group in result.groups(alpha))
    told.append(f"Not different from each other at alpha = {alpha:g}: {groups or 'none'}.")
    return [sentence for sentence in told if sentence]


def _pairs(result: PairwiseResult) -> HtmlTable:
    order = np.argsort(result.pvalue, kind="stable")[:_MOST_ROWS]
    what, texts = advantages(result)
    rows = (
        [
            " and ".join(result.pairs[where]),
            _number(texts[where], float(result.estimate[where])),
            _number(cell_text(float(result.pvalue[where]), "pvalue"), float(result.pvalue[where])),
        ]
        for where in order
    )
    return _table(["pair", f"advantage of the first in {what}", "p"], rows)


def _intervals(splits: dict[str, dict[str, CVScores]], alpha: float) -> HtmlTable | None:
    """Return the means with their intervals; None where there is none."""
    rows, found = [], False
    for dataset, methods in splits.items():
        row = [_cell(dataset)]
        for scores in methods.values():
            ends, mean = mean_interval(scores, alpha), float(scores.scores.mean())
            found |= ends is not None
            text = "" if ends is None else f"{mean:.3f} [{ends.low:.3f}, {ends.high:.3f}]"
            row.append(HtmlCell(text, mean if text else None))
        rows.append(row)
    return HtmlTable(["data set", *next(iter(splits.values()))], rows) if found else None


def _figures(result: PairwiseResult, metric: str, alpha: float) -> list[dict[str, str]]:
    """Return the diagrams as SVG, with what they show in words."""
    assert result.mean_ranks is not None
    ranked = sorted(zip(result.mean_ranks, result.methods, strict=True))
    ranks = "Mean ranks, 1 is best: " + ", ".join(f"{name} {rank:.2f}" for rank, name in ranked) + "."
    groups = "; ".join(", ".join(group) for group in result.groups(alpha)) or "none"
    figures = []
    for display, name in (
        (CriticalDifferenceDisplay, "Critical-difference diagram"),
        (FriedmanDisplay, "Friedman diagram"),
    ):
        try:
            drawn: Any = display.from_result(result, alpha=alpha)
        except ValueError:  # a test without a critical difference
            continue
        figures.append(
            {
                "data": _svg(drawn.figure_),
                "alt": f"{name} of {metric}. {ranks} Not different from each other: {groups}.",
                "caption": f"{name} of {metric}.",
            }
        )
    return figures


def _svg(figure: Any) -> str:
    pyplot = import_optional("matplotlib.pyplot", extra="plot", purpose="report()")
    buffer = io.BytesIO()
    with pyplot.rc_context({"svg.hashsalt": "skeval"}), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a glyph that no font here has
        figure.savefig(buffer, format="svg", metadata={"Date": None})
    pyplot.close(figure)
    return base64.b64encode(buffer.getvalue()).decode("ascii")


def _times(records: Records) -> HtmlTable:
    fit, score = (np.array(records.columns[name], dtype=np.float64) for name in ("fit_time", "score_time"))
    method = records.names()["estimator"]
    rows = []
    for name in records.methods:
        mine = (method == name) & ~np.isnan(fit) & ~np.isnan(score)
        known: list[Any] = [None] * 3
        if mine.any():
            known = [float(fit[mine].sum()), float(np.median(fit[mine])), float(np.median(score[mine]))]
        n_failed = int(((method == name) & (records.status == FAILED)).sum())
        rows.append([name, *known, n_failed])
    return _table(["method", "all fits", "median fit", "median score", "failed fits"], rows)


def _counted(counts: Any, what: str) -> HtmlTable:
    rows = (
        [method, dataset, count, message[:2000]] for (method, dataset, message), count in counts[:_MOST_ROWS]
    )
    return _table(["method", "data set", "times", what], rows)


def _failures(records: Records) -> tuple[HtmlTable, list[dict[str, str]]]:
    """Return the table of failures, and a traceback of each kind."""
    first: dict[tuple[str, str, str], str] = {}
    for dataset, method, _, (kind, text, trace) in records.told("error_type", "error_message", "traceback"):
        if kind is not None:
            first.setdefault((method, dataset, f"{kind}: {text}"), trace or "")
    counts = records.failure_counts()
    tracebacks = [
        {"what": f"{method} on {dataset}", "text": first[method, dataset, message]}
        for (method, dataset, message), _ in counts[:10]
    ]
    return _counted(counts, "error"), tracebacks


def _datasets(records: Records) -> HtmlTable:
    rows = (
        [
            one["name"],
            one["n_samples"],
            one["n_features"],
            None if one["classes"] is None else len(one["classes"]),
            one["n_splits"],
            one["cv"],
        ]
        for one in records.about.values()
    )
    return _table(["name", "samples", "features", "classes", "splits", "splitter"], rows)


def _versions(records: Records) -> HtmlTable:
    used = set(records.columns["environment"]) - {None}
    known = [versions for number, versions in records.environments.items() if number in used]
    names = list(dict.fromkeys(name for versions in known for name in versions))
    rows = ([name, *(str(versions.get(name, "")) for versions in known)] for name in names)
    head = ["what", *("version" if len(known) == 1 else f"version ({n + 1})" for n in range(len(known)))]
    return _table(head, rows)

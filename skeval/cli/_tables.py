"""CSV files read strictly, tables printed as text."""

from __future__ import annotations

import csv
import math
from collections.abc import Sequence
from typing import NamedTuple

MISSING = frozenset({"", "na", "n/a", "nan", "null", "none", "?", "-"})


class InputError(Exception):
    """Bad input of the user; the message is all that is shown."""


class Sheet(NamedTuple):
    """A CSV file as text: names of the columns, rows, and the line that each row began on."""

    header: list[str]
    rows: list[list[str]]
    lines: list[int]


class ScoreSheet(NamedTuple):
    """A table of scores without holes."""

    datasets: list[str]
    scores: dict[str, list[float]]
    dropped: list[str]


def read_sheet(path: str) -> Sheet:
    """Read a CSV file; a repeated column name or a row of another length is refused."""
    try:
        with open(path, encoding="utf-8-sig", newline="") as file:
            reader = csv.reader(file, strict=True)
            numbered, before = [], 0
            for row in reader:
                if any(cell.strip() for cell in row):
                    numbered.append((before + 1, [cell.strip() for cell in row]))
                before = reader.line_num
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not UTF-8 text; save it as CSV in UTF-8") from error
    except csv.Error as error:
        raise InputError(f"{path}, line {reader.line_num}: {error}") from error
    if not numbered:
        raise InputError(f"{path} is empty; it needs a header line and rows")
    header = numbered[0][1]
    if len(header) == 1 and any(mark in header[0] for mark in ";\t"):
        raise InputError(f"{path} has one column only; separate the columns by commas")
    for where, name in enumerate(header):
        if not name:
            raise InputError(f"{path}: column {where + 1} has no name in the header line")
        if name in header[:where]:
            raise InputError(f"{path}: the column {name!r} stands twice in the header line")
    for line, row in numbered[1:]:
        if len(row) != len(header):
            raise InputError(
                f"{path}, line {line}: {len(row)} cells, but the header has {len(header)} columns"
            )
    if len(numbered) == 1:
        raise InputError(f"{path} holds a header line and no rows")
    return Sheet(header, [row for _, row in numbered[1:]], [line for line, _ in numbered[1:]])


def to_number(cell: str) -> float | None:
    """Return a cell as a finite number, or None."""
    try:
        number = float(cell) if "_" not in cell else math.nan
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def read_scores(path: str, *, omit_missing: bool = False) -> ScoreSheet:
    """Read a table of scores: data sets as rows, methods as columns, no hole."""
    sheet = read_sheet(path)
    methods = sheet.header[1:]
    if len(methods) < 2:
        raise InputError(
            f"{path} holds {len(methods)} method(s); a comparison needs two columns of scores or more"
        )
    kept: dict[str, list[float]] = {}
    dropped: list[str] = []
    for (dataset, *cells), line in zip(sheet.rows, sheet.lines, strict=True):
        if dataset in kept or dataset in dropped:
            raise InputError(
                f"{path}, line {line}: the data set {dataset!r} stands twice in the first column"
            )
        numbers = [to_number(cell) for cell in cells]
        for method, cell, number in zip(methods, cells, numbers, strict=True):
            if number is None and cell.lower() not in MISSING:
                raise InputError(
                    f"{path}, line {line}: row {dataset!r}, column {method!r}: {cell!r} is no finite number"
                )
            if number is None and not omit_missing:
                raise InputError(
                    f"{path}, line {line}: row {dataset!r}, column {method!r}: the score is missing; "
                    "fill it in, or drop such rows with --omit-missing"
                )
        if None in numbers:
            dropped.append(dataset)
        else:
            kept[dataset] = [number for number in numbers if number is not None]
    if len(kept) < 2:
        of = " without a missing cell" if dropped else ""
        raise InputError(f"{path} holds {len(kept)} data set(s){of}; Friedman's test needs two rows or more")
    columns = zip(*kept.values(), strict=True)
    return ScoreSheet(list(kept), dict(zip(methods, map(list, columns), strict=True)), dropped)


def print_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print rows of text with aligned columns: the first to the left, the others to the right."""
    widths = [max(len(row[column]) for row in (header, *rows)) for column in range(len(header))]
    for row in (header, *rows):
        first, *rest = (
            cell.ljust(width) if column == 0 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        print("  ".join([first, *rest]).rstrip())

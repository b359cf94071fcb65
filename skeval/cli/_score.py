"""``skeval score``: the measures of a file of predictions."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

import numpy as np

from skeval.cli._tables import MISSING, InputError, Sheet, print_table, read_sheet, to_number
from skeval.metrics import ConfusionMatrix, RankedScores

_LEADING_ZERO = re.compile(r"[+-]?0\d")


def run(path: str, *, pos_label: str | None) -> None:
    """Print the measures of the labels, the scores, or both."""
    sheet = read_sheet(path)
    if "y_true" not in sheet.header or not {"y_pred", "y_score"} & set(sheet.header):
        raise InputError(
            f"{path} must have the columns y_true and y_pred, y_score or both; "
            f"it has {', '.join(sheet.header)}"
        )
    labels = _read_labels(path, sheet)
    matrix = ranked = None
    try:
        if "y_pred" in labels:
            matrix = ConfusionMatrix.from_predictions(labels["y_true"], labels["y_pred"])
        if "y_score" in sheet.header:
            positive = _as_label(pos_label, labels["y_true"])
            ranked = RankedScores.from_predictions(
                labels["y_true"], _read_scores(path, sheet), pos_label=positive
            )
    except ValueError as error:
        raise InputError(f"{path}: {str(error).replace('pos_label', '--pos-label')}") from error
    print(f"{path}: {len(sheet.rows)} samples")
    if matrix is not None:
        _print_labels(matrix)
    if ranked is not None:
        _print_ranking(ranked)


def _column(path: str, sheet: Sheet, name: str) -> list[str]:
    """Return the cells of a column, none of them missing."""
    where = sheet.header.index(name)
    cells = [row[where] for row in sheet.rows]
    for cell, line in zip(cells, sheet.lines, strict=True):
        if cell.lower() in MISSING:
            raise InputError(
                f"{path}, line {line}: {name} is missing ({cell!r}); fill it in or drop the line"
            )
    return cells


def _read_scores(path: str, sheet: Sheet) -> list[float]:
    numbers = []
    for cell, line in zip(_column(path, sheet, "y_score"), sheet.lines, strict=True):
        number = to_number(cell)
        if number is None:
            raise InputError(f"{path}, line {line}: y_score is no finite number: {cell!r}")
        numbers.append(number)
    return numbers


def _read_labels(path: str, sheet: Sheet) -> dict[str, list[Any]]:
    """Return the label columns: all booleans, all whole numbers, or all text."""
    names = [name for name in ("y_true", "y_pred") if name in sheet.header]
    columns: dict[str, list[Any]] = {name: _column(path, sheet, name) for name in names}
    told = [
        (_kind(cell), name, line, cell)
        for name in names
        for cell, line in zip(columns[name], sheet.lines, strict=True)
    ]
    kinds = {kind for kind, *_ in told}
    if str in kinds:
        return columns
    first, *_, example = told[0]
    for kind, name, line, cell in told:  # no number that is not whole, and not true beside 1
        if kind is float or kind is not first:
            beside = "" if kind is float else f" beside {example!r}"
            raise InputError(
                f"{path}, line {line}: {name} holds {cell!r}{beside}; labels are all whole numbers, "
                "all true and false, or text"
            )
    convert = _to_bool if bool in kinds else _to_int
    return {name: [convert(cell) for cell in column] for name, column in columns.items()}


def _kind(cell: str) -> type:
    """Say what a label is; one with leading zeros is a code, not a number."""
    if cell.lower() in ("true", "false"):
        return bool
    if to_number(cell) is None or _LEADING_ZERO.match(cell):
        return str
    number = Decimal(cell)
    return int if number == number.to_integral_value() else float


def _to_bool(cell: str) -> bool:
    return cell.lower() == "true"


def _to_int(cell: str) -> int:
    return int(Decimal(cell))


def _as_label(text: str | None, labels: list[Any]) -> Any:
    """Return what the user typed as a label of the kind that the file holds."""
    if text is None:
        return None
    if isinstance(labels[0], bool):
        return {"true": True, "false": False}.get(text.lower(), text)
    return _to_int(text) if isinstance(labels[0], int) and _kind(text) is int else text


def _print_labels(matrix: ConfusionMatrix) -> None:
    names = [str(label) for label in matrix.labels]
    print("\nConfusion matrix (rows: true class, columns: predicted class)")
    rows = [[name, *map(str, counts)] for name, counts in zip(names, matrix.counts.tolist(), strict=True)]
    print_table(["", *names], rows)

    columns = (matrix.precision(average=None), matrix.recall(average=None), matrix.f_score(average=None))
    counts = (matrix.counts.sum(axis=1), matrix.counts.sum(axis=0))
    print("\nEach class against the rest")
    print_table(
        ["class", "precision", "recall", "F1", "true", "predicted"],
        [
            [name, *(f"{column[k]:.4f}" for column in columns), *(str(count[k]) for count in counts)]
            for k, name in enumerate(names)
        ],
    )

    print("\nAll classes")
    _print_measures(
        {
            "accuracy": matrix.accuracy(),
            "error rate": matrix.error_rate(),
            "balanced accuracy (mean of the recalls)": matrix.balanced_accuracy(),
            "G-mean (geometric mean of the recalls)": matrix.g_mean(),
            "Matthews correlation": matrix.mcc(),
            "Cohen's kappa": matrix.kappa(),
            "macro F1, mean of the F1 of the classes": matrix.f_score(average="macro"),
            "macro F1, F1 of mean precision and mean recall": matrix.fscore_of_means(),
        }
    )


def _print_ranking(ranked: RankedScores) -> None:
    area = ranked.roc_auc()
    print(f"\nScores of the positive class {ranked.pos_label}")
    _print_measures(
        {
            "area under the ROC curve": area,
            "average precision": ranked.average_precision(),
            "break-even point (precision = recall)": ranked.break_even_score(),
        }
    )
    if area < 0.5:
        print("The area is below 1/2: do the scores belong to the other class?")


def _print_measures(measures: dict[str, float]) -> None:
    print_table(["measure", ""], [[name, _told(value)] for name, value in measures.items()])


def _told(value: float) -> str:
    return "undefined" if np.isnan(value) else f"{value:.4f}"

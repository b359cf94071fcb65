"""Numbers and tables as text, HTML and LaTeX: no package beyond the standard library."""

from __future__ import annotations

import html
import math
from collections.abc import Mapping, Sequence
from typing import Any

SMALLEST_PRINTED = 1e-300

# Columns of p-values: written so that none shows as 0.
PVALUES = ("pvalue", "raw_pvalue")

_LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    **{letter: "\\" + letter for letter in "&%$#_{}"},
}


def format_pvalue(pvalue: float) -> str:
    """Write a p-value as "p = 0.0123", never as 0."""
    if math.isnan(pvalue):
        return "p undefined"
    if pvalue < SMALLEST_PRINTED:
        return "p < 1e-300"
    return f"p = {pvalue:.3g}"


def cell_text(value: Any, column: str = "") -> str:
    """Write the cell of a table: four digits of a number, three of a p-value, "" for None."""
    if value is None:
        return ""
    if isinstance(value, (tuple, list)):
        return ", ".join(map(cell_text, value))
    if not isinstance(value, float):  # numpy's double precision is one
        return str(value)
    if column in PVALUES:
        return format_pvalue(value).removeprefix("p ").removeprefix("= ")
    return f"{value:.4g}"


def html_table(columns: Mapping[str, Sequence[Any]], *, bold: Sequence[bool] = ()) -> str:
    """Return columns as an HTML table, the rows of `bold` in bold."""

    def row(cells: Sequence[str], tag: str, style: str = "") -> str:
        return f"<tr{style}>{''.join(f'<{tag}>{html.escape(cell)}</{tag}>' for cell in cells)}</tr>"

    lines = [row(list(columns), "th")]
    for number, values in enumerate(zip(*columns.values(), strict=True)):
        cells = [cell_text(value, name) for name, value in zip(columns, values, strict=True)]
        strong = number < len(bold) and bool(bold[number])
        lines.append(row(cells, "td", ' style="font-weight: bold"' if strong else ""))
    return "<table>\n" + "\n".join(lines) + "\n</table>"


def latex_table(columns: Mapping[str, Sequence[Any]], *, bold: Sequence[bool] = ()) -> str:
    """Return columns as a LaTeX tabular with the rules of booktabs, the rows of `bold` in bold."""
    kinds = "".join(
        "r" if all(isinstance(v, (int, float)) for v in values) else "l" for values in columns.values()
    )
    lines = [rf"\begin{{tabular}}{{{kinds}}}", r"\toprule"]
    lines += [" & ".join(map(latex_text, columns)) + r" \\", r"\midrule"]
    for number, values in enumerate(zip(*columns.values(), strict=True)):
        cells = [latex_cell(value, name) for name, value in zip(columns, values, strict=True)]
        if number < len(bold) and bool(bold[number]):
            cells = [rf"\textbf{{\boldmath {cell}}}" for cell in cells]
        lines.append(" & ".join(cells) + r" \\")
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"])


def latex_cell(value: Any, column: str = "") -> str:
    """Write the cell of a LaTeX table, numbers as mathematics."""
    text = cell_text(value, column)
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        return latex_text(text)
    if math.isnan(value):
        return "--"
    sign, number = ("<", text[2:]) if text.startswith("< ") else ("", text)
    mantissa, _, exponent = number.partition("e")
    if exponent:
        power = rf"10^{{{int(exponent)}}}"
        number = mantissa.replace("1", power) if mantissa in ("1", "-1") else rf"{mantissa} \times {power}"
    return f"${sign}{number.replace('inf', chr(92) + 'infty')}$"


def latex_text(text: str) -> str:
    """Return a text with the letters that LaTeX reads as commands escaped."""
    return "".join(_LATEX.get(letter, letter) for letter in text)

"""Numbers and tables as text, HTML and LaTeX."""

import math

import pytest

from skeval.utils._tables import cell_text, html_table, latex_cell, latex_table, latex_text


@pytest.mark.parametrize(
    ("value", "column", "text"),
    [
        (0.123456, "estimate", "0.1235"),
        (0.123456, "pvalue", "0.123"),
        (0.0, "pvalue", "< 1e-300"),
        (0.0, "estimate", "0"),
        (math.nan, "pvalue", "undefined"),
        (12, "wins", "12"),
        (None, "df", ""),
        ((2.0, 39.0), "df", "2, 39"),
        ("a", "method", "a"),
        (True, "flag", "True"),
    ],
)
def test_cells(value, column, text):
    assert cell_text(value, column) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.5, "$0.5$"),
        (-3, "$-3$"),
        (1e-7, "$10^{-7}$"),
        (-2.5e12, r"$-2.5 \times 10^{12}$"),
        (-1e-7, "$-10^{-7}$"),
        (math.inf, r"$\infty$"),
        (-math.inf, r"$-\infty$"),
        (math.nan, "--"),
        ("a_b", r"a\_b"),
        (None, ""),
    ],
)
def test_latex_cells(value, text):
    assert latex_cell(value) == text


def test_letters_that_latex_reads_as_commands():
    assert latex_text("50 % of a_b & c#{d}$ ~^\\") == (
        r"50 \% of a\_b \& c\#\{d\}\$ \textasciitilde{}\textasciicircum{}\textbackslash{}"
    )


def test_html_is_escaped_and_bold_where_asked():
    table = html_table({"<a>": ["x & y", "z"], "p": [0.1, 0.2]}, bold=[False, True])
    assert "<th>&lt;a&gt;</th>" in table
    assert "<td>x &amp; y</td>" in table
    assert table.count('style="font-weight: bold"') == 1


def test_latex_columns_of_numbers_stand_right():
    assert latex_table({"name": ["a"], "n": [3], "x": [0.5]}).startswith(r"\begin{tabular}{lrr}")

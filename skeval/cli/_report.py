"""What commands print of results and write of them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from skeval.cli._tables import InputError, print_table, write_csv
from skeval.utils._optional import import_optional
from skeval.utils._pairwise import PairwiseResult
from skeval.utils._tables import cell_text

_MAX_PAIRS = 45  # pairs printed; the file has all


def start_drawing() -> None:
    """Make sure, before any long work, that pictures can be drawn without a screen."""
    os.environ.setdefault("MPLBACKEND", "agg")
    try:
        import_optional("matplotlib", extra="cli", purpose="This command")
    except ModuleNotFoundError as error:
        raise InputError(str(error)) from error


def save_picture(display: Any, path: Path) -> None:
    """Write the picture of a Display and forget its figure."""
    display.figure_.savefig(path, dpi=150)
    import_optional("matplotlib.pyplot", extra="cli", purpose="This command").close(display.figure_)


def print_ranks(result: PairwiseResult, means: dict[str, float]) -> None:
    """Print methods with mean rank and mean score, the best first."""
    assert result.mean_ranks is not None
    ranked = sorted(zip(result.mean_ranks, result.methods, strict=True))
    print_table(
        ["method", "mean rank", "mean score"],
        [[name, f"{rank:.2f}", f"{means[name]:.4f}"] for rank, name in ranked],
    )


def print_pairs(result: PairwiseResult, alpha: float) -> None:
    """Print the pairs of a post-hoc test, the smallest p-value first, and what is not different."""
    different = int((result.pvalue <= alpha).sum())
    print(f"{result.method}: {different} of {len(result.pairs)} pairs differ at alpha = {alpha:g}")
    rows = sorted(zip(result.pvalue, result.pairs, result.estimate, strict=True))
    print_table(
        ["pair", "advantage of the first in mean rank", "p"],
        [
            [f"{a} - {b}", f"{effect:+.3f}", cell_text(pvalue, "pvalue")]
            for pvalue, (a, b), effect in rows[:_MAX_PAIRS]
        ],
    )
    if len(rows) > _MAX_PAIRS:
        print(f"... and {len(rows) - _MAX_PAIRS} more, in the file.")
    if result.control is None:
        groups = "; ".join(", ".join(group) for group in result.groups(alpha))
        print(f"Not different from each other: {groups or 'none'}")


def write_pairs(path: Path, result: PairwiseResult) -> None:
    """Write all pairs as CSV."""
    columns = (result.estimate, result.statistic, result.raw_pvalue, result.pvalue)
    numbers = zip(*(column.tolist() for column in columns), strict=True)
    write_csv(
        path,
        ["a", "b", "rank_advantage_of_a", "statistic", "raw_pvalue", "pvalue"],
        [[*pair, *row] for pair, row in zip(result.pairs, numbers, strict=True)],
    )
